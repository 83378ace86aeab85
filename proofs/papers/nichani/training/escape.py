"""How the relation weights leave the origin: the inequalities for u = (W_KQ(r), <W_OV(., r), n>).

Serves arXiv 2412.06538, App. D.3, stage 1 of the proof of Lemma 6. Throughout d = d_r, p = p(r),
q = T alpha_sm^2, gamma = 2 p (d + 2 q), gamma^- = 2 p (d - 4 q), w = |u|^2, x = eps^2 and
k = alpha^2 (|A|+1). Every function takes the constants that are stated, and returns its argument and a
place where they fail.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ZERO, symbols, total
from proofs.argument import Argument, Witness, exceeds, search, violation
from proofs.citations import CAUCHY_SCHWARZ

#: A place: a number for every symbol.
_Point: TypeAlias = dict[str, int | Fraction]

_SMALL, _HALF = Fraction(1, 1000), Fraction(1, 2)
#: d_r = 1/2 at |A| = 2: one relation with answers of chances 1/2 +- 1/sqrt(8).
_PLACE: _Point = {"A": 2, "d": _HALF, "p": 1}


@search
def _differ(
    stated: RationalFunction,
    exact: RationalFunction,
    points: Iterable[Mapping[str, int | Fraction]],
    name: str,
) -> Witness | None:
    """The first point at which the two differ, with both values, or where the stated one has none."""
    for point in points:
        right = exact(**point).as_fraction()
        try:
            shown = str(stated(**point).as_fraction())
        except ZeroDivisionError:
            shown = "undefined"
        if shown != str(right):
            words = {key: str(value) for key, value in point.items()}
            return {**words, name: str(right), "stated": shown}
    return None


# -- sizes of one token's weights -----------------------------------------------------------------


def product_and_square(factor: Fraction, power: Fraction, offset: Fraction) -> Argument:
    """W_KQ |W_OV| <= factor W_KQ^power - offset alpha^2 along the flow from Assumption 2."""
    alpha, k = symbols("alpha k")
    pairs = [tuple(symbols(f"w{a} G{a}")) for a in range(3)]
    growth = total(w * g for w, g in pairs)
    argument = Argument()
    argument.define("k = W_KQ(z), w = W_OV(., z), G minus the gradient of L by Theta(., z) = k w")
    argument.equal(
        "k^2 - |w|^2 stays, as k' = <w, G> and w' = k G",
        2 * k * growth,
        total(2 * w * (k * g) for w, g in pairs),
    )
    argument.infer("|w|^2 = k^2 - alpha^2", "it is so at Assumption 2")
    argument.equal(
        "(k^2 - alpha^2/2)^2 - k^2 (k^2 - alpha^2) is a square",
        (k**2 - alpha**2 / 2) ** 2 - k**2 * (k**2 - alpha**2),
        (alpha**2 / 2) ** 2,
    )
    argument.infer("k |w| <= k^2 - alpha^2/2", "k^2 >= alpha^2 makes the left side positive")
    argument.true("the power is 2", power == 2, f"power {power}")
    argument.true("the factor is at least 1", factor >= 1, f"factor {factor}")
    argument.true("at most 1/2 alpha^2 is taken off", offset <= _HALF, f"{offset}")
    with precision():
        for scale in (1, Fraction(1, 100), 100):
            for answers in (2, 99, 9999):
                square = ball(Fraction(scale) ** 2)
                key = square * (answers + 1)
                witness = exceeds(
                    (key * square * answers).sqrt(),
                    ball(factor) * key ** ball(power / 2) - ball(offset) * square,
                    {"t": 0, "alpha": scale, "A": answers},
                    ("W_KQ |W_OV|", "bound"),
                )
                if witness:
                    return argument.refute(witness)
    return argument


def initial_size(size: RationalFunction) -> Argument:
    """|u(0)|^2 = size, in the symbols alpha and A."""
    alpha, A = symbols("alpha A")
    argument = Argument()
    argument.infer(
        "<W_OV(., r), p* - p0> = alpha (1 - 1) = 0 at the start", "both laws have the sum 1"
    )
    exact = alpha**2 * (A + 1)
    argument.equal("so |u|^2 = W_KQ^2 = alpha^2 (A + 1)", size, exact)
    points = [{"alpha": Fraction(a), "A": b} for a in (1, 2, _HALF) for b in (2, 3)]
    return argument.unless(_differ(size, exact, points, "|u(0)|^2"))


# -- differential inequalities --------------------------------------------------------------------

_DEVIATION = "|u' - p d J u| <= 2 p u1 (u1^2 + q)"


def square_growth(growth: Fraction, lost: Fraction, quad: Fraction) -> Argument:
    """(|u|^2)' <= growth p (d + lost q) |u|^2 + quad p |u|^4, from the deviation of u'."""
    p, d, q, u, v, w = symbols("p d q u v w")
    argument = Argument()
    argument.define(f"{_DEVIATION}, J exchanges u1 and u2")
    argument.infer(
        "(|u|^2)' = 2 <u, u'> <= 4 p d u1 u2 + 4 p |u| u1 (u1^2 + q)",
        CAUCHY_SCHWARZ,
    )
    for text, first, second in (("u2 >= u1", u, u + v), ("u1 >= u2", u + v, u)):
        argument.nonnegative(
            f"4 d u1 u2 <= growth d |u|^2, {text}",
            growth * d * (first**2 + second**2) - 4 * d * first * second,
            {"u": 0, "v": 0, "d": 0},
        )
    argument.nonnegative(
        "4 |u| u1 (u1^2 + q) <= 4 w (w + q) <= growth lost q w + quad w^2, w = |u|^2",
        growth * lost * q * w + quad * w**2 - 4 * w * (w + q),
        {"w": 0, "q": 0},
    )
    size = u**2 + v**2
    places = [
        {"u1": a, "u2": b, "|u|": n, "p": 1, "d": Fraction(e), "q": Fraction(g)}
        for (a, b, n), e, g in (
            ((Fraction(20, 29000), Fraction(21, 29000), _SMALL), 1, Fraction(1, 10**6)),
            ((1, 0, 1), _SMALL**2, _SMALL),
            ((1, 0, 1), _SMALL**2, 1),
        )
    ]
    for at in places:
        n = Fraction(at["|u|"])
        values = {"u": at["u1"], "v": at["u2"], "p": at["p"], "d": at["d"], "q": at["q"]}
        witness = violation(
            4 * p * d * u * v + 4 * p * n * u * (u**2 + q),
            growth * p * (d + lost * q) * size + quad * p * size**2,
            [values],
            ("(|u|^2)', u' - p d J u along u and as large as allowed", "bound"),
        )
        if witness:
            return argument.refute(witness)
    return argument


def product_growth(growth: Fraction, lost: Fraction, quad: Fraction) -> Argument:
    """(u1 u2)' >= growth p (d - lost q) |u|^2 - quad p |u|^4, from the deviation of u'."""
    p, d, q, u, w = symbols("p d q u w")
    argument = Argument()
    argument.define(f"{_DEVIATION}, J exchanges u1 and u2; u' = p d J u + e")
    argument.infer(
        "(u1 u2)' = p d |u|^2 + e1 u2 + u1 e2 >= p d |u|^2 - 2 p |u| u1 (u1^2 + q)",
        CAUCHY_SCHWARZ,
    )
    argument.true("growth is 1", growth == 1, f"growth {growth}")
    argument.nonnegative(
        "2 |u| u1 (u1^2 + q) <= 2 w (w + q) <= lost q w + quad w^2, w = |u|^2",
        lost * q * w + quad * w**2 - 2 * w * (w + q),
        {"w": 0, "q": 0},
    )
    points: list[_Point] = [
        {"u": Fraction(a), "p": 1, "d": 1, "q": Fraction(g)}
        for a, g in ((Fraction(1, 10), _SMALL), (Fraction(1, 100), 1), (1, _SMALL**2))
    ]
    witness = violation(
        growth * p * (d - lost * q) * u**2 - quad * p * u**4,
        p * d * u**2 - 2 * p * u * u * (u**2 + q),
        points,
        ("stated lower bound", "(u1 u2)' at u2 = 0, u = u1, u' - p d J u against it"),
    )
    return argument.unless(witness)


def window(inside: RationalFunction) -> Argument:
    """gamma + 4 p w (1 - e^(gamma t)) > 0 iff gamma t < log(inside), in gamma, p and w = |u_0|^2."""
    gamma, p, w, E = symbols("gamma p w E")
    argument = Argument()
    argument.equal(
        "with E = e^(gamma t) the left side falls with E, at the rate 4 p w",
        (gamma + 4 * p * w * (1 - E)) - (gamma + 4 * p * w),
        -4 * p * w * E,
    )
    exact = gamma / (4 * p * w) + 1
    argument.equal("it is 0 at E = gamma/(4 p w) + 1", gamma + 4 * p * w * (1 - exact), gamma * 0)
    argument.equal("that is the stated number", inside, exact)
    points = [{"gamma": a, "p": b, "w": c} for a in (1, 2) for b in (1, 3) for c in (1, 5)]
    return argument.unless(_differ(inside, exact, points, "e^(gamma t) where it is 0"))


_SOLUTION_POINTS: list[_Point] = [
    {"gamma": g, "p": p, "k": k, "x": x}
    for g, p, k, x in (
        (2, 1, Fraction(1, 100), Fraction(1, 10)),
        (4, 1, _HALF, 1),
        (3, 2, 1, _HALF),
    )
]


def _reached(x: RationalFunction) -> RationalFunction:
    """e^(gamma t) when w' = gamma w + 4 p w^2 from w = k has come to w = x."""
    gamma, p, k = symbols("gamma p k")
    return x * (gamma + 4 * p * k) / (k * (gamma + 4 * p * x))


def _at_least(
    argument: Argument, least: Fraction, condition: RationalFunction, rate: Fraction
) -> Witness | None:
    """e^(gamma t)^rate >= x/(least k) for x <= condition, both for the solution above."""
    k, x, v = symbols("k x v")
    largest = condition / (1 + v)
    argument.nonnegative(
        "e^(gamma t) >= x/(least k) for x <= condition, x = condition/(1+v)",
        (least * k * _reached(x) - x)(x=largest),
        {"gamma": 0, "p": 0, "k": 0, "v": 0},
        interior=True,
    )
    argument.true("the rate is not below gamma", rate >= 1, f"factor {rate}")
    start = _SMALL**2
    top = condition(gamma=1, p=1, k=start).as_fraction()
    found = _reached(x)(gamma=1, p=1, k=start, x=top).as_fraction()
    with precision():
        return exceeds(
            (ball(top) / ball(least * start)).log(),
            ball(rate) * ball(found).log(),
            {"gamma": 1, "p": 1, "k": start, "x": top},
            ("log(x/(least k))", "gamma t when |u|^2 = x, times the factor of gamma"),
        )


def solved_time(
    solution: RationalFunction, least: Fraction, condition: RationalFunction
) -> Argument:
    """x = gamma k E/(gamma + 4 p k (1 - E)) gives E = solution >= x/(least k) for x <= condition."""
    gamma, p, k, x = symbols("gamma p k x")
    exact = _reached(x)
    argument = Argument()
    argument.equal(
        "x = gamma k E/(gamma + 4 p k (1 - E)) at E = x (gamma + 4 p k)/(k (gamma + 4 p x))",
        gamma * k * exact / (gamma + 4 * p * k * (1 - exact)),
        x,
    )
    argument.infer("there is no other E", "the equation is linear in E")
    argument.equal("that is the stated number", solution, exact)
    witness = _at_least(argument, least, condition, Fraction(1))
    return argument.unless(witness or _differ(solution, exact, _SOLUTION_POINTS, "e^(gamma t)"))


def escape_time(least: Fraction, condition: RationalFunction, rate: Fraction) -> Argument:
    """w' <= gamma w + 4 p w^2 from w = k reaches x not before (rate gamma)^-1 log(x/(least k))."""
    gamma, p, k, x, E = symbols("gamma p k x E")
    argument = Argument()
    argument.infer(
        "(e^(gamma t)/w)' >= -4 p e^(gamma t), so E/x >= 1/k - (4 p/gamma)(E - 1) when w = x, "
        "E = e^(gamma t)",
        "1/w obeys a linear inequality, integrated from 0",
    )
    argument.equal(
        "that is E >= x (gamma + 4 p k)/(k (gamma + 4 p x))",
        (E / x - 1 / k + 4 * p / gamma * (E - 1)) / (1 / x + 4 * p / gamma),
        E - _reached(x),
    )
    witness = _at_least(argument, least, condition, rate)
    argument.infer("where x < least k there is nothing to prove", "the logarithm is negative")
    return argument.unless(witness)


def rising_rate(quad: Fraction, lost: Fraction, small: Fraction, accuracy: Fraction) -> Argument:
    """p (d - lost q) w - quad p w^2 increases for w <= x, q <= small d/log, x <= accuracy d/(A+1)."""
    argument = Argument()
    argument.infer("q <= small d", "log(x/k) >= 1")
    share = lost * small + 2 * quad * accuracy / 3
    argument.true(
        "the slope over p d is at least 1 - lost small - 2 quad accuracy/3 > 0, as A >= 2",
        share < 1,
        f"1 - {share}",
    )
    p, d, q, w = symbols("p d q w")
    slope = p * (d - lost * q) - 2 * quad * p * w
    tiny = Fraction(1, 10**12)
    for q_share, w_share in ((tiny, accuracy / 3), (small, tiny)):
        at = {**_PLACE, "q": q_share * _HALF, "w": w_share * _HALF}
        witness = violation(
            ZERO,
            slope,
            [{name: at[name] for name in "pdqw"}],
            ("least slope of an increasing function", "slope in w = |u|^2"),
        )
        if witness:
            return argument.refute({"A": "2", **witness})
    return argument


def first_interval(kept: Fraction, quad: Fraction, small: Fraction) -> Argument:
    """(gamma^- alpha^2/2 - quad p alpha^4) tau >= kept gamma^- alpha^2 tau, as Lemma 6 assumes."""
    d, q, a, v = symbols("d q a v")
    argument = Argument()
    argument.define("a = alpha^2; both sides are divided by p a tau; gamma^- = 2 p (d - 4 q)")
    argument.infer(
        "a <= q/9 and q <= small d",
        "alpha sqrt(A+1) <= alpha_sm, A >= 2, T >= 3, and log(x/k) >= 1",
    )
    left, right = (d - 4 * q) - quad * a, 2 * kept * (d - 4 * q)
    argument.nonnegative(
        "the difference is not negative at a = q/9, q = small d/(1+v)",
        (left - right)(a=q / 9)(q=small * d / (1 + v)),
        {"d": 0, "v": 0},
    )
    share = small * _HALF
    # x = e k has to stay below d/(50 (A+1)).
    start = min(share / 9, _HALF / 1350)
    witness = violation(
        right,
        left,
        [{"d": _HALF, "q": share, "a": start}],
        ("kept gamma^- over p", "gamma^-/2 - quad p alpha^2 over p"),
    )
    return argument.unless({"A": "2", "T": "3", "x": "e k", **witness} if witness else None)


def comparison(coefficient: Fraction, less: Fraction) -> Argument:
    """y >= gamma y0 E/(gamma + coefficient p y0 (E - less)), E = e^(gamma (t - tau)) >= 1."""
    gamma, p, y, E, v = symbols("gamma p y E v")
    argument = Argument()
    argument.infer(
        "y' >= gamma y - 16 p y^2",
        "w >= 2 y and (gamma/2) w - 4 p w^2 increases from 2 y to w",
    )
    argument.infer("1/y(t) <= 1/(y0 E) + (16 p/gamma)(1 - 1/E)", "1/y obeys a linear inequality")
    exact = gamma * y * E / (gamma + 16 * p * y * (E - 1))
    argument.equal(
        "that is y(t) >= gamma y0 E/(gamma + 16 p y0 (E - 1))",
        1 / (1 / (y * E) + 16 * p / gamma * (1 - 1 / E)),
        exact,
    )
    argument.nonnegative(
        "the stated denominator is not smaller: coefficient (E - less) >= 16 (E - 1), E = 1 + v",
        coefficient * (1 + v - less) - 16 * v,
        {"v": 0},
    )
    # y' = gamma y - 16 p y^2 and w = 2 y: the right side increases while w <= gamma/(16 p) = 1.
    return argument.unless(
        violation(
            gamma * y * E / (gamma + coefficient * p * y * (E - less)),
            exact,
            [{"gamma": 1, "p": Fraction(1, 16), "y": Fraction(1, 10), "E": 9}],
            ("stated lower bound", "y(t) where y' = gamma y - 16 p y^2, w = 2 y, y(tau) = y"),
        )
    )


# -- constants ------------------------------------------------------------------------------------


def rate_ratio(middle: RationalFunction, last: RationalFunction) -> Argument:
    """gamma^-/gamma = middle = last, in d and q."""
    p, d, q = symbols("p d q")
    exact = (2 * p * (d - 4 * q)) / (2 * p * (d + 2 * q))
    argument = Argument()
    witness = None
    for name, stated in (("middle", middle), ("last", last)):
        argument.equal(f"gamma^-/gamma is the {name} form", stated, exact)
        points = [{"p": 1, "d": 1, "q": q} for q in (1, Fraction(1, 7), 2)]
        witness = witness or _differ(stated, exact, points, "gamma^-/gamma")
    return argument.unless(witness)


def growth_constant(level: Fraction, loss: Fraction, small: Fraction) -> Argument:
    """(1/(8 e)) (1 - loss s log(R/2)) >= 1/level where s log R <= small; R = x/k >= 2."""
    argument = Argument()
    argument.define("s = q/(d + 2 q), R = x/k; both sides are divided by x/(A+1)")
    argument.infer("0 <= s log(R/2) <= s log R <= small", "R >= 2")
    with precision():
        e = ball(1).exp()
        argument.at_most(
            "1/level <= (1 - loss small)/(8 e)",
            ball(1 / level),
            ball(1 - loss * small) / (8 * e),
        )
        R = ball(2 * 10**400)
        witness = exceeds(
            ball(1 / level),
            (1 - ball(loss * small) * (R / 2).log() / R.log()) / (8 * e),
            {"R": "2 10^400", "s log R": small},
            ("1/level", "left side times (A+1)/x"),
        )
    return argument.unless(witness)


def denominator(coefficient: Fraction, small: Fraction) -> Argument:
    """1/(1 + (8 p/gamma^-) X) >= 1/(1 + (coefficient/d) X) where q <= small d and q < d/4."""
    d, q, X, v = symbols("d q X v")
    argument = Argument()
    argument.define("8 p/gamma^- = 4/(d - 4 q)")
    argument.nonnegative(
        "coefficient (d - 4 q) >= 4 d at q = small d/(1+v)",
        (coefficient * (d - 4 * q) - 4 * d)(q=small * d / (1 + v)),
        {"d": 0, "v": 0},
    )
    shares = [small / 2, *([small] if 4 * small < 1 else [])]
    points = [{"d": _HALF, "q": share * _HALF, "X": Fraction(1, 150)} for share in shares]
    return argument.unless(
        violation(
            1 / (1 + coefficient / d * X),
            1 / (1 + 4 / (d - 4 * q) * X),
            points,
            ("stated lower bound", "1/(1 + (8 p/gamma^-) X)"),
        )
    )


def halving(start: Fraction, end: Fraction, rate: Fraction, accuracy: Fraction) -> Argument:
    """X/(1 + rate X/d) >= x/(end (A+1)), X = x/(start (A+1)), for x <= accuracy d/(A+1), A >= 1."""
    A, d, x, v = symbols("A d x v")
    X = x / (start * (A + 1))
    argument = Argument()
    argument.nonnegative(
        "end X (A+1) >= x (1 + rate X/d) at x = accuracy d/((A+1)(1+v)), over x",
        (end / start - 1 - rate * X / d)(x=accuracy * d / ((A + 1) * (1 + v))),
        {"A": 0, "d": 0, "v": 0},
        interior=True,
    )
    points: list[_Point] = [{"A": a, "d": _HALF, "x": accuracy * _HALF / (a + 1)} for a in (2, 1)]
    return argument.unless(
        violation(
            x / (end * (A + 1)), X / (1 + rate * X / d), points, ("stated lower bound", "left side")
        )
    )


def loss_step(start: Fraction, end: Fraction, half: Fraction, accuracy: Fraction) -> Argument:
    """-d x/(start (A+1)) + half x^2 <= -d x/(end (A+1)) for 0 <= x <= accuracy d/(A+1)."""
    A, d, x, v = symbols("A d x v")
    left = -d * x / (start * (A + 1)) + half * x**2
    right = -d * x / (end * (A + 1))
    argument = Argument()
    argument.nonnegative(
        "the difference at x = accuracy d/((A+1)(1+v)), over x d",
        ((right - left) / (x * d))(x=accuracy * d / ((A + 1) * (1 + v))),
        {"A": 0, "d": 0, "v": 0},
        interior=True,
    )
    points: list[_Point] = [{"A": 2, "d": _HALF, "x": accuracy * _HALF / 3}]
    return argument.unless(violation(left, right, points, ("left side", "right side")))


def accuracy_hypothesis(hypothesis: Fraction, needed: Fraction) -> Argument:
    """x <= hypothesis d/(A+1) guarantees x <= needed d/(A+1), and with it the end of stage 1."""
    A, d, x = symbols("A d x")
    argument = Argument()
    argument.true("hypothesis <= needed", hypothesis <= needed, f"{hypothesis} against {needed}")
    argument.include(loss_step(Fraction(100), Fraction(200), _HALF, min(hypothesis, needed)))
    at: _Point = {"A": 2, "d": _HALF, "x": hypothesis * _HALF / 3}
    witness = violation(x, needed * d / (A + 1), [at], ("x = eps^2", "largest x in use"))
    if witness is None:
        return argument
    drop = -d * x / (100 * (A + 1)) + x**2 / 2
    argument.witness = {
        **witness,
        "-d x/(100 (A+1)) + x^2/2": str(drop(**at).as_fraction()),
        "-d x/(200 (A+1))": str((-d * x / (200 * (A + 1)))(**at).as_fraction()),
    }
    return argument
