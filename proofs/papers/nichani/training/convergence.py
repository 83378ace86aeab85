"""Global convergence (Theorem 5 of Nichani et al., Sec. 5 and App. D.2), and why the gradient vanishes.

From a small gradient to a small loss: p-hat of a wrong answer is bounded by the gradient at a column
whose answers it is not among. From a small loss to a small gradient: the loss bounds all residuals,
and the weights grow by no more than the logarithm of the loss.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ZERO, symbols, total
from proofs.argument import Argument, Witness, search, searching
from proofs.gradient_flow.columns import contexts
from proofs.papers.nichani.training.lone_answer import LoneAnswer, Point, reduction

_BITS = 256
_VALUES = tuple(Fraction(*pair) for pair in ((1, 2), (1, 10), (1, 1000), (2, 1)))


# -- which answers are outside --------------------------------------------------------------------


def tables(*, disjoint: bool) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All a*: [2] x [2] -> [4] and [3] x [2] -> [3]; *disjoint*: those with disjoint A_r only."""
    for S, A in ((2, 4), (3, 3)):
        for values in itertools.product(range(A), repeat=2 * S):
            rows = tuple(values[2 * s : 2 * s + 2] for s in range(S))
            if not disjoint or not {row[0] for row in rows} & {row[1] for row in rows}:
                yield rows


def outside(subject: Fraction, relation: Fraction, wrong: Fraction, disjoint: Fraction) -> Argument:
    """For a != a*(s, r) (for every a, if *wrong* is 0) a is not in A_s (counted if *subject*) or not in
    A_r (counted if *relation*), where the A_r are disjoint (or not, if *disjoint* is 0); at least one of
    those counted holds, or both if they count half."""
    argument = Argument()
    count = 0
    for rows in tables(disjoint=bool(disjoint)):
        for s, r in itertools.product(range(len(rows)), range(2)):
            for a in sorted({value for row in rows for value in row}):
                if wrong and a == rows[s][r]:
                    continue
                count += 1
                score = subject * (a not in rows[s])
                score += relation * (a not in {row[r] for row in rows})
                if score < 1:
                    witness = {"a*(s, r)": rows, "(s, r)": (s, r), "a": a, "A_s": rows[s]}
                    return argument.fails("in all tables of two sizes", witness)
    argument.true("in all tables of two sizes", count > 0, f"{count} triples (s, r, a)")
    argument.infer(
        "a in A_s and in A_r is a*(s, r') = a*(s', r), so r' = r by disjointness and a = a*(s, r)",
        "A_r and A_r' have no common answer for r' != r",
    )
    return argument


# -- from the gradient to the loss ----------------------------------------------------------------


def wrong_answer(bound: RationalFunction) -> Argument:
    """E[p-hat(a) | s, r] <= *bound* in eps, alpha, p = p(s, r) and A, for a != a*(s, r).

    eps bounds the gradients by W_OV(a, z), z a subject or relation, and W_KQ >= alpha.
    """
    argument = Argument()
    for p, x, alpha in itertools.product(_VALUES[:3], repeat=3):
        # The wrong answer has x given (1, 1), and p x/2 given (2, 2), where gradients are smaller.
        eps = alpha * p * x
        values: dict[str, int | Fraction] = {"eps": eps, "alpha": alpha, "p": p, "A": 2}
        stated = bound(**values).as_fraction()
        if searching() and x > stated:
            argument.witness = {
                "world": "facts (1, 1) and (2, 2) with different answers, T = 3",
                "p(1, 1)": p,
                "W_KQ of subjects and relations": alpha,
                "the wrong answer given (1, 1)": x,
                "the wrong answer given (2, 2)": p * x / 2,
                "eps = dL/dW_OV(a, s)": eps,
                "stated": stated,
            }
            return argument
    eps_, alpha_, p_ = symbols("eps alpha p")
    argument.infer(
        "a is not in A_s or not in A_r; say not in A_s",
        "it is not a*(s, r), and the A_r are disjoint",
    )
    argument.infer(
        "eps >= dL/dW_OV(a, s) = W_KQ(s) sum_r' p(s, r') E[p-hat(a) | s, r'] "
        ">= alpha p(s, r) E[p-hat(a) | s, r]",
        "no term is negative; the same with r if a is not in A_r",
    )
    argument.equal("solved for the last factor", bound, eps_ / (alpha_ * p_))
    return argument


def sequence_count(count: Callable[[int, int], Fraction], ratio: Fraction) -> Argument:
    """At most *count*(T, N) sequences contain (s, r), and two of them differ by the factor *ratio*
    in probability, given (s, r)."""
    argument = Argument()
    sizes = ((3, 1), (3, 4), (4, 1), (4, 3), (5, 2), (6, 2), (7, 1), (9, 1))
    for T, N in sizes:
        listed = set(contexts(T, N))
        # The places are a uniform pair among T - 1, each noise token is uniform.
        chances = {Fraction(1, (T - 1) * (T - 2)) / N ** len(tokens) for *_, tokens in listed}
        argument.true(
            f"T = {T}, |N| = {N}: listed",
            len(listed) == (T - 1) * (T - 2) * N ** (T - 3),
            f"{len(listed)} = (T - 1)(T - 2) |N|^(T - 3) different sequences",
        )
        argument.true(
            f"T = {T}, |N| = {N}: equally likely",
            len(chances) == 1 and sum(chances) * len(listed) == 1,
            f"each has the probability {min(chances)}",
        )
        if len(listed) > count(T, N):
            witness = {"T": T, "|N|": N, "sequences": len(listed), "stated": count(T, N)}
            return argument.fails("so many sequences at most", witness)
        if max(chances) != ratio * min(chances):
            witness = {"T": T, "|N|": N, "each": str(min(chances)), "stated ratio": ratio}
            return argument.fails("the ratio of their probabilities", witness)
    argument.infer("the same for every T and |N|", "places and noise tokens are counted alike")
    T_ = RationalFunction.symbol("T")
    argument.nonnegative("(T - 1)(T - 2) <= T^2", T_**2 - (T_ - 1) * (T_ - 2), {"T": 3})
    argument.true(
        "the stated number is T^2 |N|^(T - 3)",
        all(count(T, N) == T**2 * N ** (T - 3) for T, N in sizes),
        "compared at the sizes above",
    )
    return argument


def loss_bound(second: RationalFunction, factor: Fraction, powers: tuple[int, int]) -> Argument:
    """L <= factor eps^i alpha^j A S R <= delta, (i, j) = *powers*, where |grad L| <= eps on the flow.

    eps <= min(alpha p/(2 A T^2 N^(T-3)) over (s, r), *second*), in alpha, A, S, R and delta.
    """
    argument = Argument()
    found = _loss_beyond(factor, powers)
    if found is not None:
        return reduction().refute(found)
    found = _delta_missed(second, factor, powers)
    if found is not None:
        return argument.refute(found)
    alpha, A, S, R, delta, p, M, eps = symbols("alpha A S R delta p M eps")
    wrong = eps * A / (alpha * p)
    argument.infer("given (s, r): E[1 - p-hat(a*)] <= |A| eps/(alpha p(s, r))", "the lines before")
    argument.infer(
        "on each sequence with (s, r): 1 - p-hat(a*) <= M times that, M = T^2 |N|^(T-3)",
        "they are equally likely, at most M of them",
    )
    argument.equal(
        "which is at most 1/2 by the first part of the minimum",
        M * wrong(eps=alpha * p / (2 * A * M)),
        RationalFunction.constant(Fraction(1, 2)),
    )
    argument.infer("E[-log p-hat(a*) | s, r] <= 2 E[1 - p-hat(a*) | s, r]", "-log(1 - z) <= 2z")
    stated = RationalFunction.constant(factor) * eps ** powers[0] * alpha ** powers[1] * A * S * R
    argument.equal("summed over S R pairs with weights p(s, r)", 2 * p * wrong * S * R, stated)
    argument.equal("delta at the second part of the minimum", stated(eps=second), delta)
    argument.infer("pairs of probability 0 do not count", "neither in the minimum nor in the loss")
    return argument


def _points() -> Iterator[tuple[LoneAnswer, arb, Point, Witness]]:
    """Points of flows with one answer, over scales and angles."""
    for world in (LoneAnswer(), LoneAnswer(A=10)):
        for scale, angle in itertools.product((4, 0, -4, -40), (-30, -9, -8, -3, 0, 1, 2, 20, 40)):
            alpha = ball(scale).exp()
            # Angles from e^-30 to 1, then 2 to 40 and those where logits begin to grow.
            phi = ball(angle).exp() if angle < 1 else ball(angle) - min(scale, 0)
            shown: Witness = {
                "world": str(world),
                "alpha": f"e^{scale}",
                "angle of EOS": phi.str(6),
            }
            yield world, alpha, world.at(alpha, phi), shown


@search
def _loss_beyond(factor: Fraction, powers: tuple[int, int]) -> Witness | None:
    """A point of a flow where eps = |grad L| is allowed by the first part, but L is above the bound."""
    with precision(_BITS):
        for world, alpha, point, shown in _points():
            stated = ball(factor) * point.gradient ** powers[0] * alpha ** powers[1] * world.A
            allowed = point.gradient < alpha / (2 * world.A * world.T**2)
            if allowed and point.loss > stated:
                values = {"eps": point.gradient, "L": point.loss, "stated": stated}
                return {**shown, **{name: value.str(6) for name, value in values.items()}}
    return None


@search
def _delta_missed(
    second: RationalFunction, factor: Fraction, powers: tuple[int, int]
) -> Witness | None:
    """Sizes at which the largest eps allowed by the second part makes the bound larger than delta."""
    for alpha, A, S, R, delta in itertools.product(_VALUES, (2, 3), (1, 4), (1, 3), _VALUES):
        at: dict[str, int | Fraction] = {"alpha": alpha, "A": A, "S": S, "R": R, "delta": delta}
        eps = second(**at).as_fraction()
        # The second part is the smaller one: T = 3 and equal chances of the facts.
        allowed = eps <= alpha / (2 * S * R * A * 9)
        stated = factor * eps ** powers[0] * alpha ** powers[1] * A * S * R
        if allowed and stated > delta:
            return {**at, "T": 3, "p(s, r)": Fraction(1, S * R), "eps": eps, "bound": stated}
    return None


# -- convergence ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    """W_OV(a, z) = ov and W_KQ(z) = kq for all a and z; sign: theta' = -sign grad L."""

    ov: Fraction
    kq: Fraction
    sign: Fraction = Fraction(1)


def converges(start: Start, time: Fraction, disjoint: Fraction) -> Argument:
    """L <= delta for all t >= time log|A|/eps^2, from *start*, where the A_r are disjoint (or not)."""
    argument = Argument()
    found = _stays(start) or _rises(start) or _too_early(time)
    if found is None and not disjoint:
        found = _entangled()
    if found is not None:
        return argument.refute(found)
    argument.true("W_KQ(z) starts above 0", start.kq > 0, f"W_KQ = {start.kq}")
    argument.true("the flow descends", start.sign > 0, f"theta' = {-start.sign} grad L")
    argument.true("no two relations share an answer", bool(disjoint), "the hypothesis")
    argument.infer("W_KQ(z) >= its start, alpha' > 0", "the two conserved quantities of Lemma 4")
    argument.infer(
        "the flow exists for all t >= 0",
        "|theta(t) - theta(0)|^2 <= t (L(0) - L(t)) <= t log|A|, by Cauchy-Schwarz",
    )
    argument.infer(
        "eps^2 times the time with |grad L| > eps is at most L(0) = log|A|",
        "dL/dt = -|grad L|^2 and L >= 0; all logits are equal at the start",
    )
    argument.infer(
        "so |grad L| <= eps at some t <= log|A|/eps^2, and L <= delta there",
        "the last display of the proof, with alpha' for alpha",
    )
    argument.infer("L <= delta ever after", "L does not grow along the flow")
    argument.true("the time stated is that or later", time >= 1, f"{time} log|A|/eps^2")
    return argument


@search
def _stays(start: Start) -> Witness | None:
    """A start from which no weight moves: W_KQ' = sum_a W_OV G_a, W_OV' = W_KQ G_a, sum_a G_a = 0."""
    G = RationalFunction.symbol("G")
    residual = (G, -G)
    speeds = [total(start.ov * g for g in residual), *(start.kq * g for g in residual)]
    if any(speed != ZERO for speed in speeds):
        return None
    return {
        "start": f"W_OV = {start.ov}, W_KQ = {start.kq}",
        "speed of every weight": 0,
        "L": "log|A| for ever",
        "world": "any with two answers",
    }


@search
def _rises(start: Start) -> Witness | None:
    """A world in which the loss does not fall: dL/dt = -sign |grad L|^2."""
    if start.sign > 0:
        return None
    with precision():
        point = LoneAnswer().at(ball(1), ball(0))
        return {
            "world": str(LoneAnswer()),
            "dL/dt at the start": (-ball(start.sign) * point.gradient**2).str(6),
            "L": f"never below its start {point.loss.str(6)}",
        }


@search
def _too_early(time: Fraction) -> Witness | None:
    """The loss at the start against a small delta."""
    with precision():
        point, delta = LoneAnswer().at(ball(1), ball(0)), Fraction(1, 2)
        if time > 0 or not point.loss > ball(delta):
            return None
        return {"world": str(LoneAnswer()), "t": 0, "delta": delta, "L": point.loss.str(6)}


@search
def _entangled() -> Witness | None:
    """a* = exclusive or: margins are sums over tokens, and those of the right answers add up to 0."""
    margins = {
        (s, r): RationalFunction.symbol(f"s{s}")
        + RationalFunction.symbol(f"r{r}")
        + RationalFunction.symbol("rest")
        for s, r in itertools.product(range(2), repeat=2)
    }
    signed = total((-1) ** (s ^ r) * margin for (s, r), margin in margins.items())
    if signed != ZERO:
        return None
    return {
        "a*(s, r)": ((0, 1), (1, 0)),
        "T": 3,
        "p(s, r)": Fraction(1, 4),
        "the margins of the right answers": "add up to 0",
        "L": "at least log 2 = 0.69, as log(1 + exp(-m)) is convex",
    }


# -- from the loss to the gradient ----------------------------------------------------------------


def gradient_vanishes(upper: Fraction, powers: tuple[int, int], first: Fraction) -> Argument:
    """|grad L| <= upper T L^i K^j, (i, j) = *powers*, K^2 = sum_z W_KQ(z)^2, and |grad L| tends to 0.

    *first*: it is said to stay below eps from the first time at which it is.
    """
    argument = Argument()
    found = _gradient_above(upper, powers) or (_gradient_returns() if first else None)
    if found is not None:
        return reduction().refute(found)
    argument.infer(
        "|grad L|^2 = sum_z (W_KQ(z)^2 |G_z|^2 + <W_OV(., z), G_z>^2) <= 2 sum_z W_KQ(z)^2 |G_z|^2",
        "Lemma 4, and |W_OV(., z)| <= W_KQ(z)",
    )
    b, c = symbols("b c")
    argument.nonnegative(
        "|1(a*) - p-hat|^2 <= 2 (1 - p-hat(a*))^2, b and c the p-hat of wrong answers",
        2 * (b + c) ** 2 - (b + c) ** 2 - b**2 - c**2,
        {"b": 0, "c": 0},
    )
    argument.infer(
        "|G_z| <= sqrt 2 T E[1 - p-hat(a*)] <= sqrt 2 T L", "C(z) <= T and 1 - x <= -log x"
    )
    argument.true("it may grow again before it falls", not first, "said of all late times")
    argument.true("so |grad L| <= 2 T K L", upper >= 2 and powers == (1, 1), f"stated with {upper}")
    argument.infer(
        "there are c, L_0 > 0 with |grad L| >= L/c where L <= L_0",
        "L <= c |grad L| where |grad L| <= eps_0 (Theorem 5's last display); take L_0 = c eps_0",
    )
    argument.infer("L tends to 0", "Theorem 5")
    argument.infer(
        "from then on dK/dt <= |grad L| <= |grad L|^2 c/L = -c d(log L)/dt",
        "dL/dt = -|grad L|^2",
    )
    argument.infer(
        "K <= K_0 + c log(L_0/L), so K L tends to 0 and with it |grad L|", "L log L does"
    )
    return argument


@search
def _gradient_above(upper: Fraction, powers: tuple[int, int]) -> Witness | None:
    with precision(_BITS):
        for world, _, point, shown in _points():
            stated = ball(upper) * world.T * point.loss ** powers[0] * point.weights ** powers[1]
            if point.gradient > stated:
                values = {"|grad L|": point.gradient, "L": point.loss, "stated": stated}
                return {**shown, **{name: value.str(6) for name, value in values.items()}}
    return None


@search
def _gradient_returns() -> Witness | None:
    """From a small start the gradient grows, before it falls."""
    with precision(_BITS):
        world, alpha = LoneAnswer(), ball(-10).exp()
        start, later = (world.at(alpha, ball(angle)).gradient for angle in (0, 5))
        if not later > 2 * start:
            return None
        return {
            "world": str(world),
            "alpha": "e^-10",
            "eps": f"twice |grad L| at t = 0, {start.str(6)}",
            "|grad L| where the angle of EOS is 5": later.str(6),
        }
