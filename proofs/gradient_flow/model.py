"""The linear attention model of Sec. 5: its logits, its loss in one sequence, and their derivatives.

Serves eqs. (13)-(15), Lemma 4 and Corollary 3 of Nichani et al. The loss is a mean over sequences, so
what is linear in it is decided in one sequence.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, image, inner, symbols, total
from proofs.argument import Argument, Witness, searching

#: Numbers of answers at which identities are decided.
_ANSWERS = (2, 3)
#: Values at which two rational functions are told apart.
_VALUES = (Fraction(2), Fraction(1), Fraction(1, 2), Fraction(3), Fraction(1, 3), Fraction(5))


def derivative(function: RationalFunction, name: str) -> RationalFunction:
    """d function / d name, exactly: the difference quotient at step 0."""
    if name not in function.names:
        return ZERO
    step = RationalFunction.symbol("step")
    moved = function(**{name: RationalFunction.symbol(name) + step})
    return ((moved - function) / step)(step=0)


def difference(left: RationalFunction, right: RationalFunction) -> Witness | None:
    """Positive values of the symbols at which the two sides differ, with both sides; None if there are
    none."""
    if left == right:
        return None
    names = sorted({*left.names, *right.names})
    for values in itertools.product(_VALUES, repeat=min(len(names), 4)):
        at = {name: values[i % len(values)] for i, name in enumerate(names)}
        try:
            sides = [side(**at) for side in (left, right)]
        except ZeroDivisionError:
            continue
        if sides[0] != sides[1]:
            return {**at, "derived": str(sides[0]), "stated": str(sides[1])}
    return {"derived": str(left), "stated": str(right)}


# -- eq. (13) -------------------------------------------------------------------------------------


def token_sum(term: RationalFunction, first: RationalFunction, last: RationalFunction) -> Argument:
    """phi(a)^T W_OV X^T X W_KQ x_T = sum_{t = first..last} term(ov, kq, T), at d = 2, T = 3 and 4.

    The embeddings are any vectors: x_t = (x_t1, x_t2) and phi(a) are symbols, as are the matrices.
    """
    argument = Argument()
    size = range(2)
    ov, kq = (
        [[RationalFunction.symbol(f"{name}{i}{j}") for j in size] for i in size] for name in "mn"
    )
    answer = symbols("f0 f1")
    for T in (3, 4):
        x = [symbols(f"x{t}0 x{t}1") for t in range(T)]
        # W_OV (X^T X) (W_KQ x_T), the matrix X^T X = sum_t x_t x_t^T written out.
        gram = [[total(x[t][i] * x[t][j] for t in range(T)) for j in size] for i in size]
        output = image(ov, image(gram, image(kq, x[-1])))
        left = inner(answer, output)
        ends = [int(end(T=T).as_fraction()) for end in (first, last)]
        right = total(
            term(ov=inner(answer, image(ov, x[t - 1])), kq=inner(x[t - 1], image(kq, x[-1])), T=T)
            for t in range(ends[0], ends[1] + 1)
        )
        if not argument.equal(f"d = 2, T = {T}, all matrices and embeddings", left, right):
            found = difference(left, right) or {}
            return argument.refute({"d": 2, "T": T, **found})
    argument.infer(
        "the same for every d and T", "further coordinates and positions add terms of the same form"
    )
    argument.infer(
        "with d_h = d every d x d matrix is a product W_O^T W_V", "take one factor as the identity"
    )
    return argument


# -- the flow of matrices and that of their entries -----------------------------------------------


def isometry(ov: RationalFunction, kq: RationalFunction, rest: RationalFunction) -> Argument:
    """Under M' = -grad_M L the entries move as stated, in g, the derivative of L by the entry itself.

    d = 2, V = {1, 2}: answer 1, EOS 2; the basis is turned by an angle of tangent 2t/(1 - t^2), t a
    symbol. *rest*: the speed of an entry that L does not see, in g, the derivative by the one beside it.
    """
    argument = Argument()
    t = RationalFunction.symbol("t")
    c, s = (1 - t**2) / (1 + t**2), 2 * t / (1 + t**2)
    basis = ([c, s], [-s, c])
    matrix = [[RationalFunction.symbol(f"m{i}{j}") for j in range(2)] for i in range(2)]

    def entry(rows: Sequence[Sequence[RationalFunction]], a: int, z: int) -> RationalFunction:
        return inner(basis[a], image(rows, basis[z]))

    argument.infer(
        "by the chain rule dL/dM_ij is the sum over entries of g times d(entry)/dM_ij",
        "L depends on the matrices through the entries (eq. (13))",
    )
    # What L sees: the rows of W_OV that are answers, the column EOS of W_KQ.
    seen = {"OV": [(0, 0), (0, 1)], "KQ": [(0, 1), (1, 1)]}
    unseen = {"OV": (1, 0), "KQ": (0, 0)}
    for name, stated in (("OV", ov), ("KQ", kq)):
        by = {place: RationalFunction.symbol(f"g{place[0]}{place[1]}") for place in seen[name]}
        velocity = [
            [
                -total(g * derivative(entry(matrix, *place), f"m{i}{j}") for place, g in by.items())
                for j in range(2)
            ]
            for i in range(2)
        ]
        beside = by[0, 0] if name == "OV" else by[0, 1]
        wanted = [(place, stated(g=g)) for place, g in by.items()]
        wanted.append((unseen[name], rest(g=beside)))
        for place, speed in wanted:
            moved = entry(velocity, *place)
            if not argument.equal(f"the speed of entry {place} of W_{name}", moved, speed):
                found = difference(moved, speed) or {}
                return argument.refute({"d": 2, f"entry of W_{name}": place, **found})
    argument.infer("the same for every d and basis", "entries of an orthonormal basis do not mix")
    return argument


# -- Lemma 4 --------------------------------------------------------------------------------------


def residual(right: bool, a: int, answers: int) -> dict[str, RationalFunction]:
    """The symbols t = 1(a = a*) and p = p-hat(a) of a stated formula, e0, e1, ... being exp F_a."""
    e = symbols(" ".join(f"e{b}" for b in range(answers)))
    return {"t": ONE if right else ZERO, "p": e[a] / total(e)}


def _loss_by(name: str, answers: int) -> RationalFunction:
    """d/d name of -F_0 + log sum_a exp F_a, F_a = C k w_a + f_a: one sequence, a* = 0, C tokens z."""
    C, k = symbols("C k")
    logits = [
        C * k * RationalFunction.symbol(f"w{a}") + RationalFunction.symbol(f"f{a}")
        for a in range(answers)
    ]
    e = symbols(" ".join(f"e{a}" for a in range(answers)))
    slopes = [derivative(F, name) for F in logits]
    # d exp F_a = exp F_a dF_a.
    return -slopes[0] + inner(e, slopes) / total(e)


def gradient_ov(gradient: RationalFunction) -> Argument:
    """dL/dW_OV(a, z) = E[gradient], *gradient* in k = W_KQ(z), C = C(z_{1:T}, z), t = 1(a = a*) and
    p = p-hat(a)."""
    argument = _one_sequence()
    for answers in _ANSWERS:
        for a in range(answers):
            derived = _loss_by(f"w{a}", answers)
            claimed = gradient(**residual(a == 0, a, answers))
            if not argument.equal(f"|A| = {answers}, a = {a}, a* = 0", derived, claimed):
                witness = {"|A|": answers, "a*": 0, "a": a, **(difference(derived, claimed) or {})}
                return argument.refute(witness)
    argument.infer("the same for every |A|", "further answers are as the second one")
    return argument


def gradient_kq(gradient: RationalFunction) -> Argument:
    """dL/dW_KQ(z) = sum_a E[gradient], *gradient* in w = W_OV(a, z), k, C, t and p."""
    argument = _one_sequence()
    for answers in _ANSWERS:
        derived = _loss_by("k", answers)
        claimed = total(
            gradient(w=w, **residual(a == 0, a, answers))
            for a, w in enumerate(symbols(" ".join(f"w{a}" for a in range(answers))))
        )
        if not argument.equal(f"|A| = {answers}, a* = 0", derived, claimed):
            witness = {"|A|": answers, "a*": 0, **(difference(derived, claimed) or {})}
            return argument.refute(witness)
    argument.infer("the same for every |A|", "further answers are as the second one")
    return argument


def _one_sequence() -> Argument:
    argument = Argument()
    argument.define("one sequence: F_a = C k w_a + f_a, f_a from the other tokens, e_a = exp F_a")
    argument.infer(
        "expectation and derivative may be exchanged", "there are finitely many sequences"
    )
    return argument


# -- conserved quantities -------------------------------------------------------------------------


def conserved(square: RationalFunction, each: RationalFunction) -> Argument:
    """square - sum_a each does not move along the flow; *square* in k, *each* in w, k and a = 1, 2, ...

    With G_a = E[C (1(a = a*) - p-hat(a))] the flow of the column z is k' = sum_a w_a G_a, w_a' = k G_a
    (Lemma 4), and sum_a G_a = 0: these are all the relations among k, w and G that are used.
    """
    argument = Argument()
    argument.infer(
        "k' = sum_a w_a G_a and w_a' = k G_a with sum_a G_a = 0",
        "Lemma 4; indicator and prediction both sum to one",
    )
    k = RationalFunction.symbol("k")
    for answers in _ANSWERS:
        w = symbols(" ".join(f"w{a}" for a in range(answers)))
        G = symbols(" ".join(f"G{a}" for a in range(answers - 1)))
        G.append(-total(G))
        quantity = square - total(each(w=x, a=a + 1) for a, x in enumerate(w))
        speed = derivative(quantity, "k") * inner(w, G) + total(
            derivative(quantity, f"w{a}") * k * g for a, g in enumerate(G)
        )
        if not argument.equal(f"|A| = {answers}: the derivative along the flow", speed, ZERO):
            return argument.refute({"|A|": answers, **_flat_point(speed, answers)})
    argument.infer("the same for every |A|", "further answers are as the others")
    return argument


def _flat_point(speed: RationalFunction, answers: int) -> Witness:
    """Weights of a world in which *speed* is not 0, the predictions being uniform.

    One fact, T = 3: the column of the subject is (k, w), that of EOS cancels its part of the logits, and
    that of the relation is 0 in W_OV. Then p-hat = 1/|A| and G_a = 1(a = 0) - 1/|A|.
    """
    G = [Fraction(int(a == 0)) - Fraction(1, answers) for a in range(answers)]
    values = {f"G{a}": G[a] for a in range(answers - 1)}
    for k, *w in itertools.product((1, 2, 3), *[(1, 2, 5)] * answers):
        at: dict[str, Fraction | int] = {**values, "k": k, **{f"w{a}": x for a, x in enumerate(w)}}
        found = speed(**at).as_fraction()
        if found != 0:
            return {
                "world": "one fact, T = 3, no noise",
                "W_KQ(s) = W_KQ(EOS)": k,
                "W_OV(., s) = -W_OV(., EOS)": tuple(w),
                "W_OV(., r)": 0,
                "p-hat": f"1/{answers}",
                "derivative of the stated quantity": found,
            }
    return {"derivative of the stated quantity": str(speed)}


def lower_bound(bound: RationalFunction, start: RationalFunction) -> Argument:
    """From W_OV = alpha, W_KQ(z) = alpha sqrt(start), start > 0: W_KQ(z) >= alpha sqrt(bound) for ever.

    *bound* and *start*, positive, in A = |A|. The two conserved quantities of the column give
    W_KQ(z)^2 >= start alpha^2, its initial value.
    """
    argument = Argument()
    w, v = symbols("w v")
    argument.equal(
        "Cauchy-Schwarz in one step: 2(w^2 + v^2) - (w + v)^2 = (w - v)^2",
        2 * (w**2 + v**2) - (w + v) ** 2,
        (w - v) ** 2,
    )
    argument.infer(
        "sum_a W_OV(a, z)^2 >= (sum_a W_OV(a, z))^2/|A| = alpha^2 |A|",
        "Cauchy-Schwarz; the sum over answers is constant along the flow",
    )
    argument.infer(
        "W_KQ(z)^2 >= its initial value for all t",
        "W_KQ^2 - sum_a W_OV^2 is constant, and sum_a W_OV^2 is least at the start",
    )
    argument.infer(
        "W_KQ(z) is positive for all t",
        "it is continuous, positive at first, and its square never 0",
    )
    for A in range(1, 41):
        stated, initial = (f(A=A).as_fraction() for f in (bound, start))
        if searching() and stated > initial:
            witness = {"|A|": A, "t": 0, "W_KQ^2/alpha^2": initial, "stated to be at least": stated}
            return argument.refute(witness)
    argument.nonnegative("the stated square is at most the initial one", start - bound, {"A": 1})
    return argument
