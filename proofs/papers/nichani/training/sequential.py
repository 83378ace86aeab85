"""Relations before subjects: Theorem 6 with its conditions, and where it fails without them.

The paper's proof leaves out EOS, which every sequence holds and which may grow before any relation.
The proof here needs no bound on it: the mass that a relation's weights put on its own answers only
grows. Serves Sec. 5 and App. D.3 of Nichani et al.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from flint import arb

from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import symbols
from proofs.argument import Argument

#: Theorem 6 asks for every accuracy; this one suffices to refute it in small tables.
ACCURACY = Fraction(1, 100)

#: Once EOS is learned, so many relations at least are unsolved, or all are solved.
FEWEST_UNSOLVED = 2


# -- one relation ---------------------------------------------------------------------------------


def one_relation(subjects: Fraction) -> Argument:
    """With R = 1 and two answers (16) never holds, whatever alpha and the time are.

    S = 2 m + 1 >= *subjects* R sqrt(2 D) subjects, m + 1 of them with the first answer, T = 3.
    Returns the argument and the instance, None if the argument breaks.
    """
    _positive(subjects=subjects)
    m = max(1, ceil(subjects - Fraction(1, 2)))
    S = 2 * m + 1
    close = min(ACCURACY, Fraction(1, 4 * S))  # well below the distance of (m + 1)/S from 1/2
    argument = Argument()
    argument.define(
        f"R = 1, A = {{a, b}}, S = {S}: {m + 1} subjects have the answer a and {m} have b; T = 3, "
        "so that a sequence holds a subject, the relation and EOS"
    )
    argument.true(
        "the hypothesis on S holds", subjects**2 * 4 <= S**2, f"{S} >= {subjects} sqrt(4)"
    )
    argument.infer(
        "W_KQ(z) = sqrt(3) alpha cosh phi_z and W_OV(a, z) - W_OV(b, z) = sqrt(6) alpha sinh phi_z "
        "with phi_z' = sqrt(2) E[C(z) (1(a* = a) - p-hat(a))], and the logit that z adds to a over "
        "b is h(phi_z) = (3 alpha^2/sqrt 2) sinh 2 phi_z",
        "W_KQ^2 - |W_OV|^2 and W_OV(a, z) + W_OV(b, z) are conserved",
    )
    sigma, tau, count = symbols("sigma tau m")
    argument.define(
        "sigma and tau are the angles of subjects with answer a and b (tau towards b), rho that of "
        "the relation and of EOS, P_a and P_b the p-hat(a) on their sequences: logits 2 h(rho) + "
        "h(sigma) and 2 h(rho) - h(tau)"
    )
    first, second = symbols("P_a P_b")
    argument.equal(
        "S rho'/sqrt(2) = (m + 1)(1 - P_a) + m (0 - P_b), a sum over the subjects, is (m + 1) S "
        "sigma'/sqrt(2) - m S tau'/sqrt(2)",
        (count + 1) * (1 - first) + count * (0 - second),
        (count + 1) * (1 - first) - count * (1 - (1 - second)),
    )
    argument.equal(
        "so rho = (m + 1) sigma - m tau, and rho - sigma = m (sigma - tau)",
        (count + 1) * sigma - count * tau - sigma,
        count * (sigma - tau),
    )
    argument.infer(
        "rho <= sigma <= tau at all times",
        "were sigma > tau then rho > sigma > 0 and P_a + P_b > 1 as h increases, so that sigma - "
        "tau, which starts at 0, decreases",
    )
    low, high = _logits(Fraction(m + 1, S), close)
    fails = argument.true(
        f"(16) with epsilon = {close} puts both P within epsilon/sqrt 2 of {m + 1}/{S}: 2 h(rho) - "
        "h(tau) >= l and 2 h(rho) + h(sigma) <= u; then h(rho) >= l + h(tau) - h(rho) >= l and 3 "
        "h(rho) <= u, but u < 3 l",
        excluded(Fraction(m + 1, S), close),
        f"l = {low.str(6)}, u = {high.str(6)}",
    )
    if not (fails and argument.holds):
        return argument
    witness = {"R": 1, "D": 2, "S": S, "T": 3, "subjects with the first answer": m + 1}
    return argument.refute(witness | {"epsilon": close, "alpha": "any"})


def _logit(mass: arb) -> arb:
    return (mass / (1 - mass)).log()


def _logits(share: Fraction, close: Fraction) -> tuple[arb, arb]:
    """The logits l and u of share - close/sqrt(2) and share + close/sqrt(2)."""
    with precision():
        off = ball(close) / arb(2).sqrt()
        return _logit(ball(share) - off), _logit(ball(share) + off)


def excluded(share: Fraction, close: Fraction) -> bool:
    """Whether 0 < l and u < 3 l for certain, for the logits of share -+ close/sqrt(2)."""
    low, high = _logits(share, close)
    return bool(low > 0) and bool(high < 3 * low)


def eos_alike(subjects: Fraction) -> Argument:
    """With R = 1 EOS has the weights of the relation, so it grows along with it, whatever alpha is.

    S = 4 m >= *subjects* R sqrt(2 D) subjects, 3 m of them with the first of two answers, T = 3.
    """
    _positive(subjects=subjects)
    m = max(1, ceil(subjects / 2))
    argument = Argument()
    argument.infer(
        "EOS and the relation have equal weights at all times",
        "each occurs once in every sequence, so their residuals are equal, and so is their start",
    )
    with precision():
        off = ball(ACCURACY) / arb(2).sqrt()
        logit = _logit(ball(Fraction(3 * m, 4 * m)) - off)
        grows = argument.true(
            f"where p-hat is within {ACCURACY} of (3/4, 1/4) and subjects add 1/100 to a logit at "
            "most, EOS adds half of the rest, at least 1/2",
            bool((logit - arb(1) / 100) / 2 > arb(1) / 2),
            f"logit {logit.str(6)}",
        )
    return argument.refute(
        None
        if not grows
        else {
            "R": 1,
            "D": 2,
            "S": 4 * m,
            "T": 3,
            "subjects with the first answer": 3 * m,
            "logit that EOS adds": "at least 1/2 when p-hat is within 1/100 of p*(.|r)",
            "alpha": "any",
        }
    )


def _positive(**factors: Fraction) -> None:
    for name, value in factors.items():
        if value <= 0:
            raise ValueError(f"{name} = {value}: take a positive number")


# -- the theorem ----------------------------------------------------------------------------------


def slowest(share: Fraction) -> Fraction | None:
    """The time of Theorem 6 in units of R sqrt(D) log(1/alpha), where |A_r| <= *share* |A| for all r.

    1/m for the least mass m that an unsolved relation has off its answers: 1 - share while EOS is
    small, 1 - 1/2 once EOS is the mean of two or more relations. None if share is 1 or more: m may
    vanish.
    """
    _positive(share=share)
    if share >= 1:
        return None
    return 1 / min(1 - share, 1 - Fraction(1, FEWEST_UNSOLVED))


def relations_first(lead: Fraction, share: Fraction = Fraction(1, 2)) -> Argument:
    """Within *lead* R sqrt(D) log(1/alpha), and a little, the model predicts from the relation alone.

    For p(s, r) = 1/(SR), R >= 2 and |A_r| <= *share* |A| for all r, as long as the weights of
    subjects and noise are at most sqrt(alpha) in size; for every accuracy, as alpha -> 0.
    """
    argument = Argument()
    argument.define(
        "K = log(1/alpha), n_r = |A_r|, g_r = p*(.|r) - E[p-hat|r], g_EOS = sum_r g_r/R, m_r = "
        "E[p-hat(A less A_r)|r], y_r = sum_{a in A_r} W_OV(a, r)/sqrt(n_r); small means small with "
        "eta, whatever alpha is"
    )
    argument.infer(
        "y_r' = W_KQ(r) m_r/(R sqrt n_r) >= 0, and alpha sqrt(n_r) = y_r(0) <= y_r <= W_KQ(r)",
        "on A_r the residual adds up to m_r, and W_KQ(r) >= |W_OV(., r)| is conserved",
    )
    argument.infer(
        "but for times of total length log|A|/eta, call the others good, W_KQ(r) |g_r| <= R "
        "sqrt(eta) for all r and W_KQ(EOS) |g_EOS| <= sqrt(eta)",
        "otherwise |grad L|^2 > eta, and L falls by log|A| at most",
    )
    argument.infer(
        "with e = (R sqrt eta)^(1/2), at a good time each of r and EOS is light, W_KQ <= e, or "
        "solved, |g| <= e; the unsolved relations U are light, and for them p-hat is q, the "
        "softmax of the weights of EOS, up to a small error",
        "the logits of r are at most W_KQ(r)^2 and those of subjects and noise at most T alpha",
    )
    argument.infer(
        "if EOS is light then q is uniform; if it is solved then q is the mean of p*(.|r) over U, "
        f"up to a small error, and |U| >= {FEWEST_UNSOLVED} unless every |g_r| is at most 3 R e",
        "the g_r add up to R g_EOS",
    )
    least = slowest(share)
    argument.true(
        "no light relation is solved unless all are: |p*(.|r) - q|^2 >= 1/n_r - 1/|A| >= (1 - "
        f"{share})/n_r in the first case",
        least is not None,
        f"|A_r| <= {share} |A|",
    )
    argument.infer(
        "and in the second q is nearly 0 on A_r for a solved r, where p*(.|r) has mass 1",
        "q is a mean of laws on other answers",
    )
    argument.define("t_r is the first time with W_KQ(r) = e; before it r is in U at good times")
    argument.true(
        f"m_r is at least 1 - n_r/|A| >= 1 - {share} for r in U in the first case, and 1 - 1/|U| "
        "in the second; y_r grows by e^K and a constant factor at most before t_r, at the rate "
        f"m_r/(R sqrt n_r) or more at good times: t_r <= {lead} R sqrt(n_r) K (1 + small) + a "
        "constant",
        least is not None and lead >= least,
        f"1/min m_r = {least} against {lead}",
    )
    argument.infer(
        "y_r(t_r) is at least a constant c that depends on eta alone",
        "W_KQ(r) grows at most at the rate sqrt(2)/R, so on its way from a fixed part of e to e it "
        "spends a constant time at good times, where y_r' is at least a constant",
    )
    argument.infer(
        "after t_r the relation is in U for a constant time at most",
        "y_r only grows, by a factor e/c at most while r is light, and exponentially while r is "
        "in U",
    )
    argument.infer(
        f"so some t <= ({lead} + delta) R sqrt(D) K has |g_r| <= 3 R e for all r, for every "
        f"delta > 0 and all small alpha",
        "at every other good time U is not empty; bad times and returns last a constant time",
    )
    return argument


def too_early(lead: Fraction) -> Mapping[str, Any] | None:
    """A balanced table that needs more than *lead* R sqrt(D) log(1/alpha), to leading order, if it
    is known.

    1/rate of a relation, sqrt(R/(R - 1)) R sqrt(D) by `symmetric`, is largest at R = 2.
    """
    if lead**2 >= 2:
        return None
    return {
        "table": "balanced",
        "R": 2,
        "D": 2,
        "relations grow after": "4 log(1/alpha)",
        "stated": f"{2 * lead} sqrt(2) log(1/alpha)",
    }


def theorem(subjects: Fraction, noise: Fraction, power: Fraction, share: Fraction) -> Argument:
    """Theorem 6 for R >= 2 and |A_r| <= *share* |A|, with weights of subjects and noise up to
    alpha^*power*.

    Sizes: S >= *subjects* R sqrt(2D) and |N| >= *noise* R sqrt(2D) T.
    """
    _positive(subjects=subjects, noise=noise, power=power)
    argument = Argument()
    lead = slowest(share)
    if lead is None:
        argument.true("no answer set is all of A", False, f"|A_r| <= {share} |A| says nothing")
        return argument
    argument.infer(
        "W_KQ(s) <= alpha sqrt(|A| + 1) exp(sqrt(2) t/S), W_KQ(n) <= alpha sqrt(|A| + 1) "
        "exp(sqrt(2) (T - 3) t/|N|), and |W_OV(., z)| <= W_KQ(z)",
        "two laws differ by sqrt(2) at most, a noise token is expected (T - 3)/|N| times",
    )
    rest = 1 - power
    argument.true(
        f"at t = ({lead} + delta) R sqrt(D) log(1/alpha) the first is at most alpha^{power}, for "
        f"small delta and alpha: {lead}/{subjects} < 1 - {power}",
        lead / subjects < rest,
        f"{lead / subjects} against {rest}",
    )
    argument.true(
        f"and so is the second, as T - 3 < T: {lead}/{noise} <= 1 - {power}",
        lead / noise <= rest,
        f"{lead / noise} against {rest}",
    )
    argument.true(
        "their logits are then at most T alpha in size", power >= Fraction(1, 2), f"{power} >= 1/2"
    )
    argument.include(relations_first(lead, share))
    argument.infer(
        "(16) holds at that time, for every sequence with r",
        "two sequences with r differ by logits of subjects and noise alone, so that all p-hat are "
        "near their mean E[p-hat|r]",
    )
    return argument
