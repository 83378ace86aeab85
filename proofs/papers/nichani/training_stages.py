"""The stages of training in Figure 5: the losses at the start, and where the model outputs p*(. | r).

Serves Sec. 5, "Empirical Validation", of Nichani et al. Each function decides what is stated, and
otherwise a witness says where it fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, lower, precision
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument, Witness, search, searching

#: The sizes of Figure 5.
SIZES = {"S": 16, "R": 4, "D": 8}
#: How many subjects each answer of a relation has, in tables where statements are tried: at the sizes
#: of Figure 5, then at others.
_TABLES = ((9, 1, 1, 1, 1, 1, 1, 1), (2, 1), (3, 1), (1, 1), (2, 2, 2), (4, 2))
#: Other sizes at which products of sizes are told apart.
_PLACES = (SIZES, {"S": 15, "R": 2, "D": 3}, {"S": 12, "R": 5, "D": 2})


# -- the start ------------------------------------------------------------------------------------


def uniform_start(answers: RationalFunction) -> Argument:
    """With all weights equal the loss is the logarithm of *answers*, in S, R and D."""
    argument = Argument()
    E, A, R, D = symbols("E A R D")
    argument.infer(
        "all logits of a sequence are the same number F",
        "F_a = sum_t W_OV(a, z_t) W_KQ(z_t), and W_OV(a, z) does not depend on a",
    )
    argument.equal("p-hat(a) = e^F/(|A| e^F) = 1/|A|, E = e^F", E / (A * E), ONE / A)
    argument.infer("the loss is log |A|", "-log p-hat(a*) = log |A| in every sequence")
    argument.infer("|A| is the sum of the |A_r|", "the sets A_r are disjoint (Assumption 1)")
    if argument.equal("so |A| = R D", answers, R * D):
        return argument
    for place in _PLACES:
        stated, true = answers(**place).as_fraction(), place["R"] * place["D"]
        if searching() and stated != true:
            return argument.refute({**place, "|A|": true, "stated": stated})
    return argument


# -- the plateau ----------------------------------------------------------------------------------


def plateau_level(
    weight: RationalFunction, ratio: RationalFunction, ceiling: RationalFunction | None
) -> Argument:
    """The model that outputs p*(. | r) loses sum_a weight log(ratio), all facts equally likely.

    The sum is over the answers of r, averaged over r; n of the S subjects have the answer a.
    *ceiling*: its logarithm is the largest level, reached where all D answers have S/D subjects alone.
    """
    argument = Argument()
    n, S, D = symbols("n S D")
    argument.infer("p*(a | r) = n/S, where n of the S subjects have the answer a", "p(s | r) = 1/S")
    argument.infer(
        "each of these n sequences loses log(S/n), all together with probability n/S",
        "the loss of a sequence is -log p*(a* | r)",
    )
    argument.equal("the probability of an answer", weight, n / S)
    argument.equal("what it loses, as the logarithm of this", ratio, S / n)
    if not argument.holds:
        return argument.refute(_other_level(weight, ratio))
    if ceiling is None:
        return argument
    argument.infer("log x <= x - 1, and < unless x = 1", "the logarithm is strictly concave")
    argument.equal(
        "so (n/S) log(S/(n D)) is at most 1/D - n/S", n / S * (S / (n * D) - 1), 1 / D - n / S
    )
    argument.infer(
        "summed over the k <= D answers that are used: the level less log D is at most k/D - 1 <= 0",
        "the n of a relation sum to S",
    )
    argument.infer("with equality only where k = D and S/(n D) = 1 for each", "both bounds are met")
    if argument.equal("where n = S/D each sequence loses log(S/n) = log D", ceiling, D):
        return argument
    for place in _PLACES:
        stated, true = ceiling(**place).as_fraction(), place["D"]
        if searching() and stated != true:
            argument.witness = {
                **place,
                "table": "every answer of every relation has equally many subjects",
                "level": f"log {true}",
                "stated": f"log {stated}, reached by such tables alone",
            }
            return argument
    return argument


def entropy(counts: Sequence[int]) -> arb:
    """sum_a (n/S) log(S/n) for the n in *counts*, S their sum."""
    S = sum(counts)
    return sum((ball(Fraction(n, S)) * ball(Fraction(S, n)).log() for n in counts), arb(0))


@search
def _other_level(weight: RationalFunction, ratio: RationalFunction) -> Witness | None:
    """A table, all its relations alike, at which the stated sum is another number than the level."""
    R = SIZES["R"]
    for counts in _TABLES:
        S, D = sum(counts), len(counts)
        at = [{"n": n, "S": S, "D": D, "R": R} for n in counts]
        try:
            weights = [weight(**place).as_fraction() for place in at]
            ratios = [ratio(**place).as_fraction() for place in at]
        except ZeroDivisionError:
            continue
        if min(ratios) <= 0:
            continue
        with precision():
            level = entropy(counts)
            terms = zip(weights, ratios, strict=True)
            stated = sum((ball(w) * ball(x).log() for w, x in terms), arb(0))
            if not level.overlaps(stated):
                return {
                    "table": f"S = {S}, R = {R}, D = {D}",
                    "subjects of the answers of each relation": ", ".join(map(str, counts)),
                    "loss of p*(. | r)": level.str(10, radius=False),
                    "stated": stated.str(10, radius=False),
                }
    return None


# -- what the losses are there --------------------------------------------------------------------


def near_plateau(
    reach: Fraction, most: Fraction, gap: Fraction, floor: Fraction, *, small: str, large: str
) -> Argument:
    """Where p-hat is within *reach* of p*(. | r) in every sequence: the *small* loss is at most *most*,
    the *large* one and the total are at least the level less *gap*, and the level is at least *floor*.

    At the sizes of Figure 5, all facts equally likely; for the last all answers occur.
    """
    argument = Argument()
    S, R, D = SIZES["S"], SIZES["R"], SIZES["D"]
    A = R * D
    balanced = f"every answer has {S // D} subjects"
    if small != "relation" or large == "relation":
        witness = {"table": balanced, "p-hat": "p*(. | r)", "relation-only loss": 0}
        return argument.refute(witness | {"subject-only and total loss": f"log {D}"})
    argument.infer(
        "moving a mass m between k answers and the rest moves p-hat by at least m sqrt(1/k + 1/(|A|-k))",
        "Cauchy-Schwarz on both sides, as p-hat and p*(. | r) have the same sum",
    )
    with precision():
        outside = _largest_shift(argument, "A_r", D, A, reach)
        lost = -(1 - outside).log()
        argument.at_most("so the relation-only loss is at most -log(1 - m)", lost, ball(most))
        if not argument.holds:
            return argument.refute(_mass_outside(reach, most, D, A, balanced))
        argument.infer(
            "p*(A_s | r) = n/S, n the subjects with the answer of s",
            "a*(s, r) is the only answer that s and r share (Assumption 1)",
        )
        inside = _largest_shift(argument, "A_s", R, A, reach)
        argument.infer(
            "so -log p-hat(A_s) >= log(S/n) - S m/n, on average the level less k m, k <= D answers",
            "log(1 + x) <= x; n of the S subjects have each answer",
        )
        argument.at_most("k m is at most the gap", D * inside, ball(gap))
        if not argument.holds:
            return argument.refute(_mass_inside(reach, gap, S, R, D, balanced))
        argument.infer("the total is at least the subject-only loss", "a* lies in A_s")
        least = min(_parts(S, D), key=lambda counts: lower(entropy(counts)))
        for counts in _parts(S, D):
            shown = ", ".join(map(str, counts))
            if not argument.at_most(
                f"the level with {shown} subjects", ball(floor), entropy(counts)
            ):
                argument.witness = {
                    "subjects of each answer": ", ".join(map(str, least)),
                    "level": entropy(least).str(10, radius=False),
                    "stated at least": floor,
                }
                return argument
        argument.infer("the level is the mean of its relations", "all have the same probability")
    return argument


def _largest_shift(argument: Argument, name: str, most: int, A: int, reach: Fraction) -> arb:
    """The largest mass that can be moved into or out of at most *most* answers."""
    factors = [Fraction(1, k) + Fraction(1, A - k) for k in range(1, most + 1)]
    argument.true(
        f"1/k + 1/(|A| - k) is least at k = {most} for the k <= {most} answers of {name}",
        min(factors) == factors[-1],
        f"{factors[-1]}",
    )
    return ball(reach) / ball(factors[-1]).sqrt()


@search
def _mass_outside(reach: Fraction, most: Fraction, D: int, A: int, table: str) -> Witness | None:
    """p-hat with mass m outside of A_r, spread evenly: within reach, and it loses more than stated."""
    m = _below(reach, Fraction(1, D) + Fraction(1, A - D))
    with precision():
        lost = -(1 - ball(m)).log()
        if not lost > ball(most):
            return None
        return {
            "table": table,
            "p-hat": f"(1 - m)/{D} on A_r, m/{A - D} elsewhere, m = {m}",
            "relation-only loss": lost.str(6, radius=False),
            "stated at most": most,
        }


@search
def _mass_inside(
    reach: Fraction, gap: Fraction, S: int, R: int, D: int, table: str
) -> Witness | None:
    """p-hat with mass m moved from the other answers of r to those of s."""
    m = _below(reach, Fraction(1, R) + Fraction(1, D - 1))
    with precision():
        lost = -(ball(Fraction(1, D)) + ball(m)).log()
        if not lost < ball(D).log() - ball(gap):
            return None
        return {
            "table": table,
            "p-hat": f"1/{D} + m/{R} at a*, m/{R} at the other answers of s, 1/{D} - m/{D - 1} at "
            f"those of r, m = {m}",
            "subject-only loss": lost.str(6, radius=False),
            "stated at least": f"log {D} - {gap}",
        }


def _below(reach: Fraction, factor: Fraction) -> Fraction:
    """A short fraction m with m^2 factor <= reach^2, nearly equal."""
    m = Fraction(0)
    for digit in (Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10**4), Fraction(1, 10**5)):
        while (m + digit) ** 2 * factor <= reach**2:
            m += digit
    return m


def _parts(total: int, parts: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """The ways to write *total* as so many positive numbers, in falling order."""
    largest = total if largest is None else largest
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(min(largest, total - parts + 1), 0, -1):
        for rest in _parts(total - first, parts - 1, first):
            yield (first, *rest)


# -- the end --------------------------------------------------------------------------------------


def converges(limit: Fraction, ov: Fraction, key: Fraction) -> Argument:
    """The flow from W_OV = ov alpha, W_KQ = key alpha has a loss that tends to *limit*."""
    argument = Argument()
    if key == 0:
        argument.witness = {
            "start": "W_KQ = 0, all W_OV(a, z) equal",
            "flow": "W_OV' = W_KQ G = 0 and W_KQ' = sum_a W_OV G_a = 0, as sum_a G_a = 0: it stays",
            "loss": "log |A| for ever",
        }
        return argument
    A, alpha = symbols("A alpha")
    square = alpha**2
    answers = A * ov * alpha
    argument.infer(
        "sum_a W_OV(a, z) is conserved", "its derivative is W_KQ(z) sum_a G_a(z), and G sums to 0"
    )
    argument.infer(
        "W_KQ(z)^2 - sum_a W_OV(a, z)^2 is conserved", "both halves grow by sum_a W_KQ W_OV G_a"
    )
    argument.infer(
        "sum_a W_OV(a, z)^2 >= (sum_a W_OV(a, z))^2/|A|, so never below its start", "Cauchy-Schwarz"
    )
    argument.equal("it starts there", answers**2 / A, A * ov**2 * square)
    argument.equal(
        "so W_KQ(z)^2 is never below its start, (key alpha)^2",
        answers**2 / A + (key**2 * square - A * ov**2 * square),
        key**2 * square,
    )
    argument.infer(
        "|W_KQ(z)| >= |key| alpha for ever", "it is continuous, so it keeps its sign too"
    )
    argument.infer(
        "the bounds on wrong answers and on the loss hold along this flow",
        "of the flow they need only that W_KQ is bounded from below; both signs of W_KQ and W_OV may "
        "be turned at once",
    )
    argument.infer(
        "for every eps > 0, |grad L| <= eps at some t <= log|A|/eps^2",
        "dL/dt = -|grad L|^2, L >= 0, and L = log|A| at the start, where all logits are equal",
    )
    argument.infer(
        "so the loss is below any delta > 0 at some time, and ever after", "L does not grow"
    )
    if argument.true("the limit is 0", limit == 0, f"stated {limit}"):
        return argument
    return argument.unless({"limit of the loss": 0, "stated": limit})


# -- the tables of the experiments ----------------------------------------------------------------


def expected_level(S: int, D: int) -> arb:
    """E H(a* | r) for a* uniform over D answers, independently: log S - (D/S) E[n log n], n binomial."""
    total = arb(0)
    for n in range(2, S + 1):
        chance = Fraction(comb(S, n) * (D - 1) ** (S - n), D**S)
        total += ball(chance) * n * ball(n).log()
    return ball(S).log() - ball(Fraction(D, S)) * total


def random_tables(low: Fraction, high: Fraction) -> Argument:
    """At the sizes of Figure 5 the expected level over tables of uniform answers is in [low, high]."""
    argument = Argument()
    S, R, D = SIZES["S"], SIZES["R"], SIZES["D"]
    argument.infer(
        "each answer of a relation has n subjects, n binomial with S draws and probability 1/D",
        "the S answers of a relation are independent and uniform over D",
    )
    argument.infer(
        "so the expected level is log S - (D/S) E[n log n]", "(n/S) log(S/n), for each of D answers"
    )
    balanced = Fraction(factorial(S), factorial(S // D) ** D * D**S) ** R
    argument.true(
        "the level is log D with probability below 10^-14",
        balanced < Fraction(1, 10**14),
        f"(S!/((S/D)!^D D^S))^R <= 1/{balanced.denominator // balanced.numerator}",
    )
    with precision():
        level = expected_level(S, D)
        argument.at_most("the expected level is at least the lower end", ball(low), level)
        argument.at_most("and at most the upper end", level, ball(high))
        if argument.holds:
            return argument
        witness = {**SIZES, "expected level": level.str(10, radius=False)}
        return argument.refute(witness | {"stated": f"{low} to {high}"})
