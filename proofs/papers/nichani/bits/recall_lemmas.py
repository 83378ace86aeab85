"""Lemmas 8 to 11 of App. E.3: what predictions tell of answer sets and answers.

Each function takes what is printed and returns the argument with what refutes it, or None. Logarithms
are in bits unless a statement says natural; what is shown in bits then holds in nats.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, prod

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument, Witness, first_witness, search, searching
from proofs.citations import GIBBS
from proofs.concentration.powers import number
from proofs.information.entropy import ZERO, Information, bits, log
from proofs.information.joint import Joint
from proofs.information.recall_worlds import RecallWorld, answer, recall_world, small_worlds
from proofs.information.relations import mutual
from proofs.papers.nichani.bits.answer_sets import (
    Stated,
    log2,
    log_slope,
    one_set,
    total_correlation,
)

_R, _D, _V, _S, _M = symbols("R D V S M")
_e, _f, _n, _u, _w = symbols("e f n u w")
_eta, _L, _delta = symbols("eta L delta")


# -- Lemma 11 -------------------------------------------------------------------------------------


def _copies() -> Iterator[tuple[str, Joint]]:
    """Laws of three bits X, Y, Z made of fair independent bits."""
    flips = list(itertools.product((0, 1), repeat=3))
    for name, outcomes in {
        "X = Y = Z": [(x, x, x) for x, _, _ in flips],
        "X, Y independent, Z = X + Y mod 2": [(x, y, x ^ y) for x, y, _ in flips],
        "X = Z, Y independent": [(x, y, x) for x, y, _ in flips],
        "Y = Z, X independent": [(x, y, y) for x, y, _ in flips],
        "X = Y, Z independent": [(x, x, z) for x, _, z in flips],
    }.items():
        yield name, Joint.uniform("XYZ", outcomes)


def superadditivity(stated: Stated) -> Argument:
    """I(X,Y;Z) - first I(X;Z) - second I(Y;Z) + dependence I(X;Y) = difference I(X;Y|Z) >= 0."""
    first, second, dependence, difference = (
        stated[name] for name in ("first", "second", "dependence", "difference")
    )
    argument = Argument()
    argument.equal(
        "the difference of the sides, as entropies",
        mutual("XY", "Z")
        - first * mutual("X", "Z")
        - second * mutual("Y", "Z")
        + dependence * mutual("X", "Y"),
        difference * mutual("X", "Y", "Z"),
    )
    argument.cite("I(X;Y|Z) is a mean of divergences, so >= 0", GIBBS)
    argument.nonnegative("it enters with a sign that is not negative", difference, {})
    for name, law in _copies():
        about = law.mutual_information
        left = about(("X", "Y"), "Z") - first.as_fraction() * about("X", "Z")
        left += dependence.as_fraction() * about("X", "Y") - second.as_fraction() * about("Y", "Z")
        right = difference.as_fraction() * about("X", "Y", "Z")
        if searching() and left != right:
            argument.refute({"law": name, "left side": str(left), "difference stated": str(right)})
    return argument


# -- Lemma 8 --------------------------------------------------------------------------------------


def near_independence(stated: Stated, chain: Stated) -> Argument:
    """I(A_1, ..., A_R; f) >= sum_r I(A_r; f) - bound for V >= least R D; *chain*: the bound in nats."""
    least = stated["least"].as_fraction()
    argument = Argument()
    argument.infer(
        "I(A_1, ..., A_R; f) >= sum_r I(A_r; f) - sum_r I(A_r; A_1, ..., A_(r-1))",
        "Lemma 11, one set after the other",
    )
    argument.infer(
        "the last sum is sum_r H(A_r) - H(A_1, ..., A_R) <= R D log(V/(V - R D))",
        "the chain rule, and the bound on the total correlation",
    )
    log_slope(argument, least, Fraction(2))
    x = _R * _D / _V
    argument.equal("with x = R D/V at most 1/least that is printed", chain["ratio"], 1 / (1 - x))
    argument.nonnegative(
        "R D times 2 x is at most the bound",
        stated["bound"] - 2 * x * chain["power"],
        {"R": 1, "D": 1, "V": 1},
    )
    worlds = [recall_world(2, 1, 4, 1, "everything"), recall_world(2, 1, 5, 2, "the first answer")]
    for world in worlds:
        gap = sum((world.about(name) for name in world.sets), ZERO) - world.about(world.sets)
        right = bits(number(stated["bound"], R=world.R, D=world.D, V=world.V))
        argument.true(
            f"enumerated at R = {world.R}, D = {world.D}, V = {world.V}, message: {world.message}",
            gap <= right,
            f"{gap} against {right}",
        )
    return argument.unless(first_witness(_dependence_fails(stated, *p) for p in _SHARED))


#: (R, D) with the smallest V, where the answer sets depend on each other the most.
_SHARED = ((2, 1), (3, 1), (4, 1), (6, 1), (8, 1), (12, 1), (2, 5), (3, 5))


@search
def _dependence_fails(stated: Stated, R: int, D: int) -> Witness | None:
    """A learner that writes down everything, with so many subjects that all answers are seen.

    Then f tells A but for the sets with unseen tokens: at most R D^2 (1-1/D)^S log V bits.
    """
    V = ceil(stated["least"].as_fraction() * R * D)
    S = 200 * D
    with precision():
        unseen = R * D**2 * ball(Fraction(D - 1, D)) ** S * log2(V)
        gap = total_correlation(R, D, V).bits() - unseen
        bound = ball(number(stated["bound"], R=R, D=D, V=V))
        if not gap > bound:
            return None
        shown: Witness = {"R": R, "D": D, "|V|": V, "S": S, "message": "everything"}
        return {**shown, "sum I(A_r;f) - I(A;f) in bits": gap.str(8), "bound": bound.str(8)}


# -- Lemma 9, the steps ---------------------------------------------------------------------------


def random_order(stated: Stated) -> Argument:
    """I(A_r; f) >= factor I(z; f), z in an order that is read off f with probability *tie*."""
    factor, tie = stated["factor"], stated["tie"]
    argument = Argument()
    argument.equal(
        "given A_r the order is drawn independently of f: I(z;f|A) = 0",
        tie,
        RationalFunction.constant(0),
    )
    argument.equal(
        "I(A;f) = I(z;f) + I(A;f|z) - I(z;f|A)",
        mutual("A", "F"),
        mutual("Z", "F") + mutual("A", "F", "Z") - mutual("Z", "F", "A"),
    )
    argument.cite("I(A;f|z) and I(z;f) are means of divergences, so >= 0", GIBBS)
    argument.nonnegative("the factor is at most one", 1 - factor, {"D": 1})
    for sizes in ((1, 2, 3, 1), (1, 2, 4, 2)):
        world = recall_world(*sizes, "everything")
        law = world.joint.channel(
            "z", lambda *v: _orders(v[0], v[1], tie.as_fraction()), ("A0", "F")
        )
        left, right = (law.mutual_information(name, "F") for name in ("A0", "z"))
        right = number(factor, D=world.D) * right
        if searching() and not left >= right:
            argument.refute({**world.sizes, "I(A;f)": str(left), "stated": f"at least {right}"})
    return argument


def _orders(tokens: object, message: object, tie: Fraction) -> dict[tuple[int, ...], Fraction]:
    """A uniform order of the tokens, or with probability *tie* one with the first answer in front."""
    assert isinstance(tokens, tuple)
    assert isinstance(message, tuple)
    orders = list(itertools.permutations(tokens))
    law = {order: (1 - tie) / len(orders) for order in orders}
    first = message[0][0]
    law[(first, *(t for t in tokens if t != first))] += tie
    return law


_PARTS = tuple(Fraction(n, 4) for n in range(1, 5))


def smoothed(stated: Stated) -> Argument:
    """log((1-e) f + mix) >= lead log f - tail log V for 0 <= e <= 1, 0 < f <= 1, V >= 1."""
    argument = Argument()
    argument.equal("a mean of f and 1/V with weights 1-e and e", stated["mix"], _e / _V)
    argument.infer("log((1-e) f + e/V) >= (1-e) log f + e log(1/V)", "the logarithm is concave")
    argument.equal("the weight of log f", stated["lead"], 1 - _e)
    argument.equal("the weight of -log V", stated["tail"], _e)
    places = itertools.product(
        _PARTS, (Fraction(1, 10**6), Fraction(1, 16), Fraction(1, 2), Fraction(1)), (2, 16, 1000)
    )
    return argument.unless(first_witness(_smoothed_fails(stated, *p) for p in places))


@search
def _smoothed_fails(stated: Stated, e: Fraction, f: Fraction, V: int) -> Witness | None:
    mix, lead, tail = (number(stated[name], e=e, V=V) for name in ("mix", "lead", "tail"))
    left, right = log((1 - e) * f + mix), lead * log(f) - tail * log(V)
    if left >= right:
        return None
    sides = {"left": left.nats().str(8), "right": right.nats().str(8)}
    return {"e": str(e), "f": str(f), "V": V, **sides}


#: M and for every token of A_r the predicted probabilities at its own subjects; elsewhere almost 0.
_SEEN: tuple[tuple[int, tuple[tuple[Fraction, ...], ...]], ...] = (
    (1, ((Fraction(1),), (Fraction(1),))),
    (1, ((Fraction(1, 2),), (Fraction(1, 2), Fraction(1, 2)))),
    (1, ((Fraction(1), Fraction(1)), (Fraction(1, 4), Fraction(1, 4)))),
    (2, ((Fraction(1, 9), Fraction(1, 9)), (Fraction(1, 9), Fraction(1, 9), Fraction(1, 9)))),
)
_ALMOST_ZERO = Fraction(1, 10**9)


def good_event(stated: Stated) -> Argument:
    """Jensen's inequality over the subjects whose answer is z, and what the event makes of it.

    log q(z) >= inner sum log f + log count >= outer sum log f + log least; summed over z: outer sum
    over all s, plus cells log least. Sizes: n = |N_z| >= M > 0.
    """
    larger = {"n": _M + _u}
    ends = {"M": 1, "u": 0, "S": 1, "D": 1}
    argument = Argument()
    argument.equal("the weights of the n terms add up to one", _n * stated["inner"], ONE)
    argument.equal("q(z) is at least n/S times the mean over N_z", stated["count"], _n / _S)
    argument.infer("the first inequality", "no f~ is negative, and the logarithm is concave")
    argument.nonnegative(
        "outer >= inner, and no log f~ is positive",
        (stated["outer"] - stated["inner"])(**larger),
        ends,
    )
    argument.nonnegative("count >= least", (stated["count"] - stated["least"])(**larger), ends)
    argument.infer(
        "the sums over N_z make the sum over all subjects", "every s is in N_z for one z of A_r"
    )
    argument.equal("D tokens", stated["cells"], _D)
    argument.equal("the bound is in terms of M/S", stated["least"], _M / _S)
    return argument.unless(first_witness(_good_event_fails(stated, *case) for case in _SEEN))


@search
def _good_event_fails(
    stated: Stated, M: int, seen: tuple[tuple[Fraction, ...], ...]
) -> Witness | None:
    S, D = sum(len(own) for own in seen), len(seen)
    summed, everything = ZERO, ZERO
    shown: dict[str, object] = {"S": S, "D": D, "M": M}
    shown["f~ at the true answers"] = "; ".join(", ".join(map(str, own)) for own in seen)
    for own in seen:
        at = {"S": S, "D": D, "M": M, "n": len(own)}
        inner, outer, count, least = (
            number(stated[name], **at) for name in ("inner", "outer", "count", "least")
        )
        logs = log(prod(own))
        q = (sum(own) + (S - len(own)) * _ALMOST_ZERO) / S
        middle, last = inner * logs + log(count), outer * logs + log(least)
        summed, everything = summed + last, everything + outer * logs
        if not log(q) >= middle >= last:
            shown["log q in bits"] = log(q).bits().str(8)
            return {**shown, "stated below": f"{middle.bits().str(8)}, {last.bits().str(8)}"}
    stated_sum = everything + number(stated["cells"], S=S, D=D, M=M) * log(least)
    return (
        None if summed == stated_sum else {**shown, "sum": str(summed), "stated": str(stated_sum)}
    )


def naive(stated: Stated) -> Argument:
    """sum_i log(S^-1 sum_s f~(s)_{z_i}) >= cells log(value), 0 < e <= 1, V >= D >= 1."""
    inside = {"e": 1 / (1 + _u), "V": 1 + _w}
    ends = {"u": 0, "w": 0, "f": 0, "D": 1}
    argument = Argument()
    argument.nonnegative(
        "f~ = (1-e) f + e/V is at least the value, for every f >= 0",
        ((1 - _e) * _f + _e / _V - stated["value"])(**inside),
        ends,
    )
    argument.infer("so is a mean of such numbers, and its logarithm grows", "monotone")
    argument.nonnegative("the value is at most one", (1 - stated["value"])(**inside), ends)
    argument.nonnegative("there are D terms, none below log(value)", stated["cells"] - _D, ends)
    for e, D, V in itertools.product((Fraction(1, 8), Fraction(1, 2)), (1, 2, 3), (4, 16)):
        value = number(stated["value"], e=e, D=D, V=V)
        left, right = D * log(e / V), number(stated["cells"], D=D) * log(value)
        if searching() and not left >= right:
            shown = {"D": D, "|V|": V, "e": str(e), "f-hat": "1 at a token outside A_r"}
            argument.refute(shown | {"sum": str(left), "stated": f"at least {right}"})
    return argument


def eta_step(stated: Stated) -> Argument:
    """D/(1 - eta/2) <= D up and D log(1 - eta/2) >= -slope D for 0 <= eta <= 1, in bits and nats."""
    half = 1 - _eta / 2
    argument = Argument()
    argument.nonnegative(
        "up (1 - eta/2) >= 1 at eta = 1/(1+u)",
        (stated["up"] * half - 1)(eta=1 / (1 + _u)),
        {"u": 0},
    )
    argument.nonnegative("and at eta = 0", stated["up"](eta=0) - 1, {})
    steepest = number(stated["slope"], eta=1)
    argument.equal("the second bound is linear in eta", stated["slope"], steepest * _eta)
    log_slope(argument, Fraction(2), 2 * steepest)
    places = (Fraction(n, 8) for n in range(1, 9))
    return argument.unless(first_witness(_eta_fails(stated, eta) for eta in places))


@search
def _eta_fails(stated: Stated, eta: Fraction) -> Witness | None:
    up, slope = (number(stated[name], eta=eta) for name in ("up", "slope"))
    inverse, logarithm = 1 / (1 - eta / 2), log(1 - eta / 2).nats()
    if up >= inverse and not logarithm < -ball(slope):
        return None
    shown: Witness = {"eta": str(eta), "1/(1 - eta/2)": str(inverse), "stated at most": str(up)}
    return {**shown, "log(1 - eta/2)": logarithm.str(8), "stated at least": str(-slope)}


def failure_event(stated: Stated) -> Argument:
    """With e = 1/V, delta = 1/(2 D L), L = log V: delta D log(e/V) = product, D/delta = inverse.

    And S e L/M <= first <= second for S/M <= D (1 + eta), eta <= 1.
    """
    delta = 1 / (2 * _D * _L)
    small = {"eta": 1 / (1 + _u)}
    ends = {"u": 0, "D": 1, "V": 1, "L": 0}
    product, inverse = delta * _D * (-2 * _L), _D / delta
    exact = _D * (1 + _eta) * _L / _V
    argument = Argument()
    argument.define("log(e/V) = -2 L")
    argument.equal("delta D log(e/V)", stated["product"], product)
    argument.equal("D/delta", stated["inverse"], inverse)
    argument.nonnegative(
        "S e L/M <= first", (stated["first"] - exact)(**small), ends, interior=True
    )
    argument.nonnegative(
        "first <= second", (stated["second"] - stated["first"])(**small), ends, interior=True
    )
    for D, V, eta in ((1, 3, Fraction(1)), (2, 5, Fraction(1)), (3, 8, Fraction(1, 2))):
        with precision():
            at = {"D": arb(D), "V": arb(V), "L": arb(V).log(), "eta": ball(eta)}

            def off(
                left: RationalFunction, right: RationalFunction, at: dict[str, arb] = at
            ) -> arb:
                return evaluate(left, **at) - evaluate(right, **at)

            wrong = {
                "delta D log(e/V)": bool(off(stated["product"], product) != 0),
                "D/delta": bool(off(stated["inverse"], inverse) != 0),
                "first bound": bool(off(stated["first"], exact) < 0),
                "second bound": bool(off(stated["second"], stated["first"]) < 0),
            }
        if searching() and any(wrong.values()):
            names = ", ".join(name for name, is_so in wrong.items() if is_so)
            argument.refute({"D": D, "|V|": V, "eta": str(eta), "wrong": names})
    return argument


# -- Lemma 9 itself -------------------------------------------------------------------------------


def eta_ball(square: Fraction, D: int, V: int, S: int) -> arb:
    """eta = sqrt(square D log2(2 D^2 log2 V)/S)."""
    return (ball(square) * D * ((2 * D**2 * log2(V)).log() / arb(2).log()) / S).sqrt()


def from_losses(stated: Stated, parts: dict[str, Stated]) -> Argument:
    """Lemma 9: I(A_r; f) >= -loss sum_s l + lead log(inside) - log_term log V - square - extra.

    eta = sqrt(C2 D log(2 D^2 log V)/S) <= 1, V >= least D. *parts*: what its steps state.
    """
    argument = Argument()
    argument.infer(
        "I(A;f) >= sum_i I(z_i;f) - (sum_i H(z_i) - H(z)), z the tokens of A_r in random order",
        "a random order tells no more, and Lemma 11",
    )
    log_slope(argument, stated["least"].as_fraction(), Fraction(2))
    argument.nonnegative(
        "the total correlation, at most D log(V/(V-D)), is at most the square term",
        stated["square"] - 2 * parts["total-corr"]["power"] * _D / _V,
        {"D": 1, "V": 1},
    )
    argument.infer(
        "I(z_i;f) >= E log q(z_i) + log V for every law q made from f",
        "Gibbs' inequality, z_i uniform on V",
    )
    argument.infer(
        "sum_i E log q(z_i) is at least its part on the event that all counts are >= M, plus "
        "P(not the event) D log(e/V), with q the mean of the smoothed predictions",
        "the naive bound off the event",
    )
    constant = parts["concentration"]["square"].as_fraction()
    argument.nonnegative(
        "M = (S/D)(1 - eta/2) serves: (eta/2)^2 S/D >= constant of the occupancy times log(D/delta), in "
        "bits all the more",
        stated["C2"] / 4 - constant,
        {},
    )
    argument.equal("off the event: delta D log(e/V) = -1", parts["delta-const"]["product"], -ONE)
    argument.infer(
        "on the event: >= (1-e)/M sum_s log f - S e log V/M + D log(M/S); E over all is no larger",
        "Jensen's inequality on the event, smoothing, log f <= 0 and log(M/S) <= 0",
    )
    up = parts["eta-step"]["up"]
    argument.nonnegative(
        "1/M <= D (1 + eta)/S", stated["loss"] - up * _D / _S, {"D": 1, "S": 1, "eta": 0}
    )
    argument.nonnegative(
        "S e log V/M is at most the logarithmic term",
        stated["log_term"] - parts["delta-const"]["second"] / _L,
        {"D": 1, "V": 1, "L": 1},
    )
    argument.equal("D log V + D log(1/D) = D log(V/D): D", stated["lead"], _D)
    argument.equal("and V/D", stated["inside"], _V / _D)
    argument.nonnegative(
        "D log(1 - eta/2) >= -eta D, and the one lost off the event",
        stated["extra"] - parts["eta-step"]["slope"] * _D - 1,
        {"D": 1, "eta": 0},
    )
    return argument.unless(first_witness(_losses_fail(stated, *p) for p in _LARGE))


#: (D, V) with so many subjects that eta is tiny.
_LARGE = ((1, 2), (1, 1024), (2, 2**12), (3, 10**4), (4, 2**20))
_MANY = 10**9


@search
def _losses_fail(stated: Stated, D: int, V: int) -> Witness | None:
    """The two extreme learners: one writes down nothing and predicts 1/V, one everything.

    The first has I = 0 and all losses log V, the second I <= H(A_r) and no loss.
    """
    S = _MANY * D
    with precision():
        at = {"D": arb(D), "V": arb(V), "S": arb(S)}
        at["eta"] = eta_ball(stated["C2"].as_fraction(), D, V, S)
        value = {name: evaluate(f, **at) for name, f in stated.items()}
        base = value["lead"] * value["inside"].log() / arb(2).log() - value["square"]
        base -= value["log_term"] * log2(V) + value["extra"]
        for learner, told, losses in (
            ("nothing, f-hat uniform", arb(0), S * log2(V)),
            ("everything", one_set(D, V).bits(), arb(0)),
        ):
            right = base - value["loss"] * losses
            if told < right:
                shown: Witness = {"R": 1, "D": D, "|V|": V, "S": S, "message": learner}
                return {**shown, "I(A;f) at most": told.str(8), "stated at least": right.str(8)}
    return None


# -- Lemma 10 -------------------------------------------------------------------------------------


def one_fact(stated: Stated, renormalised: Stated) -> Argument:
    """I(a*(s,r); f | A_r) >= lead log(inside) - loss l(s,r); *renormalised*: the step before it."""
    argument = Argument()
    argument.infer("H(a*|A_r) = log D", "given A_r an answer is uniform on it")
    argument.equal("log D", stated["inside"], _D)
    argument.equal("once", stated["lead"], ONE)
    argument.infer(
        "I(a*;f|A_r) = log D - H(a*|f,A_r) >= log D + E log q(a*), q any law made from f and A_r",
        GIBBS,
    )
    argument.equal("q(a*) >= f(a*) for the renormalised f", renormalised["factor"], ONE)
    argument.nonnegative("so the loss is subtracted at least once", stated["loss"] - 1, {})
    argument.infer(
        "an infinite loss leaves nothing to show", "the right side is then minus infinity"
    )
    for world in small_worlds():
        for s, r in world.facts:
            told = world.about(answer(s, r), (f"A{r}",))
            inside = number(stated["inside"], D=world.D, V=world.V, R=world.R)
            lead = stated["lead"].as_fraction() * log(inside)
            for name, loss in _losses(world, s, r):
                right = lead - stated["loss"].as_fraction() * loss
                if searching() and not told >= right:
                    shown = {**world.sizes, "f-hat": name, "I": str(told)}
                    argument.refute(shown | {"l": str(loss), "stated": f"at least {right}"})
    argument.true(
        "enumerated in all small worlds", argument.witness is None, "posterior and uniform f-hat"
    )
    return argument


def _losses(world: RecallWorld, s: int, r: int) -> Iterator[tuple[str, Information]]:
    for name, loss in (
        ("posterior", world.loss(s, r)),
        ("uniform", world.loss(s, r, lambda *_: Fraction(1, world.V))),
    ):
        if loss is not None:
            yield name, loss


def renormalised(stated: Stated) -> Argument:
    """q(a*) >= factor f(a*), q proportional to f on A_r."""
    argument = Argument()
    argument.define("f puts mass 1/(1+u), u >= 0, on A_r; q = f (1+u) there, and a* is in A_r")
    argument.nonnegative(
        "q/f = 1 + u >= factor",
        1 + _u - stated["factor"](D=1 + _w, V=1 + _w + _n),
        {
            "u": 0,
            "w": 0,
            "n": 0,
        },
    )
    for D, V in ((1, 2), (2, 3), (3, 5)):
        factor = number(stated["factor"], D=D, V=V)
        if searching() and factor > 1:
            shown = {"D": D, "|V|": V, "f-hat": f"1/{D} on A_r", "q": f"1/{D}"}
            argument.refute(shown | {"stated": f"at least {factor / D}"})
    return argument
