"""Softmax and log-sum-exp near the uniform law: how fast they move with the logits.

Serves arXiv 2412.06538, App. D.3, stages 1 and 2 of the proof of Lemma 6. A is the number of answers,
p0 the uniform law, d = |p* - p0|, and Theta the logits that one token makes.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import total
from proofs.argument import Argument, exceeds, searching
from proofs.citations import CAUCHY_SCHWARZ, POPOVICIU

#: What softmax stretches a change of logits by, and half the curvature of log-sum-exp, at most.
LIPSCHITZ, HALF_CURVATURE = Fraction(1, 2), Fraction(1, 4)
_STEPS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 4))


def _x(name: str) -> RationalFunction:
    return RationalFunction.symbol(name)


def curvature(argument: Argument) -> None:
    """The Hessian of log-sum-exp, which is the Jacobian of softmax, lies between 0 and 1/2."""
    a, b = _x("a"), _x("b")
    argument.infer(
        "log-sum-exp has the gradient softmax = q and the Hessian diag(q) - q q^T",
        "by differentiation; v^T (diag(q) - q q^T) v is the variance of v under q",
    )
    argument.cite("a variance is at least 0 and at most (max - min)^2/4", POPOVICIU)
    argument.equal(
        "(a - b)^2 = 2 (a^2 + b^2) - (a + b)^2, so (max - min)^2 <= 2 |v|^2",
        (a - b) ** 2,
        2 * (a**2 + b**2) - (a + b) ** 2,
    )
    argument.infer(
        "0 <= v^T H v <= |v|^2/2: softmax is 1/2-Lipschitz, log-sum-exp convex and 1/2-smooth",
        "the mean value theorem along a segment of logits",
    )


def _two_answers(x: Fraction) -> arb:
    """|softmax(x, -x) - p0| = tanh(x)/sqrt(2)."""
    return ball(x).tanh() / ball(2).sqrt()


def deviation_by_tokens(
    factor: Fraction, kq_power: Fraction, ov_power: Fraction, last: RationalFunction
) -> Argument:
    """|E p-hat - p0| <= factor E sum_{t <= last} W_KQ(z_t)^kq_power |W_OV(., z_t)|^ov_power."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "|E p-hat - p0| <= E |p-hat - p0| <= 1/2 E |F|", "p0 is softmax of 0; Jensen's inequality"
    )
    argument.infer(
        "|F| <= sum over t <= T of W_KQ(z_t) |W_OV(., z_t)|", "the triangle inequality, W_KQ >= 0"
    )
    argument.true("both powers are 1", kq_power == ov_power == 1, f"{kq_power} and {ov_power}")
    argument.equal("the sum has all T tokens", last, _x("T"))
    argument.true("the factor is at least 1/2", factor >= LIPSCHITZ, f"factor {factor}")
    found = last(T=3).as_fraction()
    with precision():
        for k, x in ((1, _STEPS[0]), (_STEPS[0], 1), (100, _STEPS[0] ** 2), (_STEPS[0], 100)):
            for tokens, total, counted in (
                ("s, r and EOS alike", 3, found),
                ("EOS; W_OV(., s) = W_OV(., r) = 0", 1, Fraction(int(found >= 3))),
            ):
                length = ball(2).sqrt() * ball(x)
                stated = ball(factor * counted) * ball(k) ** ball(kq_power)
                witness = exceeds(
                    _two_answers(total * Fraction(k) * x),
                    stated * length ** ball(ov_power),
                    {"T": 3, "A": 2, "tokens": tokens, "W_KQ": k, "W_OV": f"({x}, -{x})"},
                    ("|E p-hat - p0|", "bound"),
                )
                if witness:
                    return argument.refute(witness)
    return argument


def loss_gap(factor: Fraction, count: RationalFunction, p_power: Fraction) -> Argument:
    """|L_r - Lbar_r| <= factor p(r)^p_power count a for logits at most (T-1) a apart, a = alpha_sm^2."""
    T, a, p = _x("T"), _x("a"), Fraction(1, 2)
    argument = Argument()
    argument.infer(
        "-logit of the answer moves by at most (T-1) a, and log-sum-exp by at most (T-1) a",
        "the gradient of log-sum-exp is a law, of l1 norm 1",
    )
    argument.infer("so |L_r - Lbar_r| <= 2 p(r) (T-1) a", "the weight of the r-part is p(r)")
    argument.true(
        "p(r) to that power is at least p(r)", 0 <= p_power <= 1, f"power {p_power}, p(r) <= 1"
    )
    if argument.holds:
        argument.nonnegative(
            "factor count a >= 2 (T-1) a", factor * count * a - 2 * (T - 1) * a, {"T": 3, "a": 0}
        )
    with precision():
        for chance in (Fraction(1), p):
            for tokens in (3, 100):
                gap = ball(Fraction(1, 1000))
                far = ball(20).exp()
                # Logits (0, 20) against (-gap, 20 + gap), the first answer being right.
                moved = ((1 + far * (2 * gap).exp()) / (1 + far)).log()
                share = ball(factor * count(T=tokens).as_fraction() / (tokens - 1))
                witness = exceeds(
                    ball(chance) * moved,
                    ball(chance) ** ball(p_power) * share * gap,
                    {
                        "T": tokens,
                        "p(r)": chance,
                        "(T-1) alpha_sm^2": "1/1000",
                        "logits": "(0, 20) and (-1/1000, 20 + 1/1000), the first answer is right",
                    },
                    ("|L_r - Lbar_r|", "bound"),
                )
                if witness:
                    return argument.refute(witness)
    return argument


def lse_curvature(below: Fraction, above: Fraction | None) -> Argument:
    """log-sum-exp is *below*-strongly convex, and *above*-smooth where that is stated."""
    argument = Argument()
    curvature(argument)
    argument.true("no strong convexity is stated", below <= 0, f"modulus {below}")
    if above is not None:
        argument.true("the smoothness is at least 1/2", above >= 2 * HALF_CURVATURE, f"{above}")
    if searching() and below > 0:
        argument.witness = {
            "A": "2",
            "z": "(0, 0)",
            "v": "(1, 1)",
            "g(z + v) - g(z) - <grad g(z), v>": "0, as g(z + v) = g(z) + 1",
            "stated to be at least": str(below),
        }
        return argument
    if above is not None:
        with precision():
            x = _STEPS[1]
            witness = exceeds(
                ball(x).cosh().log(),
                ball(above * x**2),
                {"A": 2, "z": "(0, 0)", "v": f"({x}, -{x})"},
                ("g(z + v) - g(z) - <grad g(z), v>", "stated to be at most"),
            )
        return argument.refute(witness)
    return argument


def lse_bound(half: Fraction, mean: Fraction) -> Argument:
    """log sum_a exp(Theta_a) <= log A + mean sum_a Theta_a/A + half |Theta|^2."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "log sum exp(Theta) <= log A + sum_a Theta_a/A + |Theta|^2/4",
        "Taylor at 0, where softmax is p0",
    )
    argument.true("the linear term is the whole mean", mean == 1, f"factor {mean}")
    argument.true("the factor is at least 1/4", half >= HALF_CURVATURE, f"factor {half}")
    with precision():
        for x in _STEPS:
            for words, value, total in (
                (f"({x}, -{x})", ball(x).cosh().log(), 0),
                (f"({x}, {x})", ball(x), 1),
                (f"(-{x}, -{x})", -ball(x), -1),
            ):
                witness = exceeds(
                    value,
                    ball(mean * total * x + half * 2 * x**2),
                    {"A": 2, "Theta": words},
                    ("log sum exp(Theta) - log A", "bound - log A"),
                )
                if witness:
                    return argument.refute(witness)
    return argument


#: p* = (1, 0), d = 1/sqrt(2), Theta = (x, -x): <Theta, p* - p0> = x and u1 u2 = sqrt(2) x.
_SHARP = "A = 2, p*(.|r) = (1, 0), Theta(., r) = (x, -x)"


def relation_loss_bound(gain: Fraction, half: Fraction, spread_power: Fraction) -> Argument:
    """Lbar_r - L_{r,0} <= -gain p(r) d^spread_power u1 u2 + half p(r) |Theta|^2."""
    d, k = _x("d"), _x("k")
    pairs = [(_x(f"w{a}"), _x(f"g{a}")) for a in range(3)]
    argument = Argument()
    argument.equal(
        "<Theta, p* - p0> = d u1 u2 with Theta = k w, u1 = k, u2 = <w, p* - p0>/d",
        total(k * w * g for w, g in pairs),
        d * k * total(w * g / d for w, g in pairs),
    )
    argument.true("the power of d is 1", spread_power == 1, f"power {spread_power}")
    argument.include(lse_bound(half, Fraction(1)))
    argument.true("the gain is not more than that", gain == 1, f"factor {gain}")
    with precision():
        root = ball(2).sqrt()
        for x in (*_STEPS, *(-x for x in _STEPS)):
            drop = ball(x).cosh().log() - ball(x)
            spread = (1 / root) ** ball(spread_power)
            witness = exceeds(
                drop,
                -ball(gain * x) * root * spread + ball(half * 2 * x**2),
                {"example": _SHARP, "x": x},
                ("(Lbar_r - L_{r,0})/p(r)", "bound/p(r)"),
            )
            if witness:
                return argument.refute(witness)
    return argument


def drop_by_size(factor: Fraction, p_power: Fraction, spread_power: Fraction) -> Argument:
    """L_{r,0} - Lbar_r(Theta) <= factor p(r)^p_power d^spread_power |Theta|."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "L_{r,0} - Lbar_r(Theta) <= -<grad Lbar_r(0), Theta> = p(r) <p* - p0, Theta>",
        "Lbar_r is convex in Theta, and its gradient at 0 is p(r) (p0 - p*)",
    )
    argument.cite("<p* - p0, Theta> <= |p* - p0| |Theta| = d |Theta|", CAUCHY_SCHWARZ)
    argument.true("the factor is at least 1", factor >= 1, f"factor {factor}")
    argument.true(
        "the powers are at most 1",
        p_power <= 1 and spread_power <= 1,
        f"{p_power} and {spread_power}; p(r) <= 1, and d < 1 as d^2 = |p*|^2 - 1/A",
    )
    with precision():
        root = ball(2).sqrt()
        for chance in (Fraction(1), Fraction(1, 2)):
            x = Fraction(1, 1000)
            witness = exceeds(
                ball(chance) * (ball(x) - ball(x).cosh().log()),
                ball(factor)
                * ball(chance) ** ball(p_power)
                * (1 / root) ** ball(spread_power)
                * root
                * ball(x),
                {"example": _SHARP, "x": x, "p(r)": chance},
                ("L_{r,0} - Lbar_r", "bound"),
            )
            if witness:
                return argument.refute(witness)
    return argument
