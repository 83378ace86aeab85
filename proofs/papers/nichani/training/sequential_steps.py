"""The steps by which Theorem 6 is drawn from Lemmas 5 and 6: sizes, times and exponents.

Serves App. D.3 of Nichani et al. d_r = |p*(.|r) - p0| is at most sqrt(2), iota = log(epsilon/(alpha
sqrt(A + 1))). Each function argues for a step, or refutes it.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.algebra import RationalFunction, Violation, decide_nonnegative
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, searching

_ROOT_2 = "sqrt(2)"


def accuracy(chosen: Fraction, wanted: Fraction, product: Fraction) -> Argument:
    """epsilon <= *chosen* d/(A + 1) gives epsilon^2 <= *wanted* d/(A + 1) and epsilon sqrt(A + 1)
    <= *product*.

    For 0 < d <= sqrt(2) and A >= 1: both are sharpest at d = sqrt(2), A = 1.
    """
    argument = Argument()
    # epsilon^2 (A + 1)/d = chosen^2 d/(A + 1) <= chosen^2/sqrt(2), and epsilon^2 (A + 1) <= chosen^2.
    first = argument.true(
        "epsilon^2 (A + 1)/d is at most its value at d = sqrt(2), A = 1",
        chosen**4 <= 2 * wanted**2,
        f"{chosen}^2/sqrt(2) against {wanted}",
    )
    second = argument.true(
        "and epsilon^2 (A + 1) too", chosen**2 <= product**2, f"{chosen}^2 against {product}^2"
    )
    if first and second:
        return argument
    return argument.unless({"d": _ROOT_2, "|A|": 1, "epsilon": f"{chosen}/2 sqrt(2)"})


def _violated(argument: Argument, text: str, difference: RationalFunction) -> int | Fraction | None:
    """Argues that *difference*, in D, is not negative for D >= 1; a D at which it is, if so."""
    argument.nonnegative(text, difference, {"D": 1})
    decided = decide_nonnegative(difference, {"D": 1})
    return decided.at["D"] if isinstance(decided, Violation) else None


def distance(square: RationalFunction, answers: Fraction) -> Argument:
    """1/|p - p0| <= sqrt(*square*) for a law p on at most D answers of A >= *answers* D.

    *square* is a function of D.
    """
    (D,) = symbols("D")
    argument = Argument()
    argument.infer(
        "|p - p0|^2 = |p|^2 - 1/A >= 1/D - 1/A, with equality for the uniform law on D answers",
        "the sum of squares is least there",
    )
    A = D * answers
    least = 1 / D - 1 / A
    sharp = least - 1 / square
    at = _violated(argument, f"1/D - 1/A is at least 1/({square}) where A >= {answers} D", sharp)
    if at is None:
        return argument
    D0 = int(at)
    while (answers * D0).denominator > 1 or sharp(D=D0).as_fraction() >= 0:
        D0 += 1
    witness = {"D": D0, "|A|": answers * D0, "|p - p0|^2": least(D=D0).as_fraction()}
    return argument.unless(witness | {"1/bound^2": (1 / square)(D=D0).as_fraction()})


def answer_count(factor: Fraction, equal: bool) -> Argument:
    """A >= *factor* D where A is the union of R >= 2 disjoint sets A_r, of D answers each if
    *equal*.
    """
    argument = Argument()
    if not equal:
        D = 1
        while factor * D <= D + 1:
            if factor.denominator + 1 < D:
                argument.infer(
                    "A holds D answers of one relation and one more of another",
                    "the sets A_r are disjoint and not empty",
                )
                return argument
            D += 1
        witness = {"|A_1|": D, "|A_2|": 1, "D": D, "|A|": D + 1, f"{factor} D": factor * D}
        return argument.refute(witness)
    argument.infer("A = R D >= 2 D", "the sets A_r are disjoint, of D answers each")
    if argument.true("2 D is enough", factor <= 2, f"2 against {factor}"):
        return argument
    return argument.unless({"R": 2, "D": 1, "|A|": 2, f"{factor} D": factor})


def runtime(least: Fraction, factor: Fraction) -> Argument:
    """max_r iota/(p d) + 100 c <= *factor* max_r iota/(p d), where iota >= *least* c p d for all r;
    the window of Lemma 6 is 100 c, c = (A + 1) log|A| epsilon^-4.
    """
    argument = Argument()
    argument.infer(
        f"100 c <= (100/{least}) max_r iota/(p d), with equality if all p d are equal and iota "
        f"is least",
        f"c <= iota/({least} p d) for every r",
    )
    if argument.true(
        "1 + 100/least is at most the factor",
        1 + 100 / least <= factor,
        f"{1 + 100 / least} against {factor}",
    ):
        return argument
    witness = {"iota": f"{least} c p d for every r", "T*/max iota/(p d)": 1 + 100 / least}
    return argument.unless(witness)


def time_bound(lead: RationalFunction, under: RationalFunction) -> Argument:
    """2 iota R sqrt(2 D) <= *lead* R sqrt(*under*) iota: what p(r) = 1/R and 1/d_r <= sqrt(2 D)
    give, with equality where the answers of r are uniform on D = |A|/2 of them. *under* is a
    function of D.
    """
    (D,) = symbols("D")
    argument = Argument()
    excess = lead**2 * under - 4 * 2 * D
    D0 = _violated(argument, "the squares compare", excess)
    if D0 is None:
        return argument
    witness = {"R": 2, "D": D0, "|A|": 2 * D0, "(T*/(R iota))^2": 8 * D0}
    return argument.unless(witness | {"(bound/(R iota))^2": (lead**2 * under)(D=D0).as_fraction()})


def exponent(time: Fraction, under: RationalFunction, size: Fraction, rest: Fraction) -> Argument:
    """*time* R sqrt(*under*)/n <= *rest* wherever n >= *size* R sqrt(2 D): the growth of a weight
    whose token is one of n. (For noise n = |N|/T.) *under* is a function of D.
    """
    (D,) = symbols("D")
    argument = Argument()
    spare = rest**2 * size**2 * 2 * D - time**2 * under
    D0 = _violated(argument, "the squares compare at the least n", spare)
    if D0 is None:
        return argument
    argument.witness = {
        "D": D0,
        "n": f"{size} R sqrt({2 * D0})",
        "(exponent/iota)^2": (time**2 * under / (size**2 * 2 * D))(D=D0).as_fraction(),
        "allowed": rest**2,
    }
    return argument


def start(epsilon: Fraction, alpha: Fraction, answers: Fraction, chosen: Fraction) -> Argument:
    """e^(iota/2) alpha sqrt(A + 1) = epsilon^e alpha^a (A + 1)^c, and this is at most sqrt(alpha)
    for epsilon <= *chosen* d/(A + 1).
    """
    argument = Argument()
    half = Fraction(1, 2)
    # e^iota = epsilon alpha^-1 (A + 1)^(-1/2); its root times alpha (A + 1)^(1/2).
    found = (half, 1 - half, half - half / 2)
    same = argument.true(
        "the exponents of epsilon, alpha and A + 1 agree",
        found == (epsilon, alpha, answers),
        f"{', '.join(map(str, found))} against {epsilon}, {alpha}, {answers}",
    )
    small = argument.true(
        "epsilon^2 (A + 1) <= chosen^2 d^2/(A + 1) <= chosen^2 is at most 1",
        chosen**2 <= 1,
        f"{chosen}^2 against 1",
    )
    if same and small:
        return argument
    if not same:
        return argument.refute({"exponents": ", ".join(map(str, found))})
    return argument.unless({"d": _ROOT_2, "|A|": 1, "epsilon sqrt(A + 1)": chosen})


def condition_on_alpha(constant: Fraction, rate: Fraction) -> Argument:
    """T alpha <= *constant*/iota min d_r is Lemma 6's first condition at alpha_sm^2 = alpha, and
    holds for all large iota where alpha = epsilon e^(-*rate* iota)/sqrt(A + 1).
    """
    argument = Argument()
    # (1/150)/log(epsilon^2/(alpha^2 (A + 1))), and the logarithm is 2 iota.
    same = argument.true(
        "(1/150)/log(epsilon^2/(alpha^2 (A + 1))) = (1/300)/iota",
        constant == Fraction(1, 150) / 2,
        f"1/300 against {constant}",
    )
    falls = argument.true("alpha falls with iota", rate > 0, f"e^(-{rate} iota)")
    argument.infer("T alpha iota tends to 0", "an exponential beats a linear factor")
    exact = argument.true(
        "alpha is as iota defines it", rate == 1, f"alpha = epsilon e^(-{rate} iota)/sqrt(A + 1)"
    )
    if same and falls and exact:
        return argument
    return argument.unless({"constant": Fraction(1, 300), "rate": 1})


def final_step(need: RationalFunction, near: Fraction) -> Argument:
    """sum_r p(r)^2 |g_r|^2 <= (epsilon/*need*)^2 gives (16), where p(r) = 1/R and p-hat of a
    sequence is within epsilon/*near* of E[p-hat|r] (*near* = 0: nothing is known of it). *need* is
    a function of R.
    """
    (R,) = symbols("R")
    argument = Argument()
    argument.infer(
        "|g_r| <= R epsilon/need, g_r = p*(.|r) - E[p-hat|r], for the relation that has all of "
        "the sum",
        "p(r) = 1/R",
    )
    for count in range(2, 100):
        # In a balanced table all |g_r| are equal, and fall continuously from d_r to 0.
        if searching() and count > need(R=count).as_fraction() ** 2:
            argument.witness = {
                "table": "balanced",
                "R": count,
                "time": "the first at which the sum is (epsilon/need)^2",
                "|g_r|^2/epsilon^2": count / need(R=count).as_fraction() ** 2,
            }
            return argument
    if near == 0:
        argument.witness = {
            "time": "late",
            "sum_r p(r)^2 |g_r|^2": "tends to 0",
            "p-hat": "tends to 1(a = a*(s, r)), which is not p*(.|r) if |A_r| > 1",
        }
        return argument
    argument.nonnegative("R/need + 1/near <= 1", 1 - 1 / near - R / need, {"R": 1})
    return argument
