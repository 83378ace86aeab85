"""Theorem 8: the bits a learner of facts must write down, by information (App. E.2) and by counting.

Each function takes what is printed and returns the argument with what refutes it, or None. Logarithms
and information are in bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, comb, prod

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision, upper
from proofs.algebra.symbols import ONE, symbols
from proofs.argument import Argument, Witness, first_witness, search, searching
from proofs.citations import GIBBS
from proofs.concentration.powers import number
from proofs.information.entropy import ZERO, Information, bits, log
from proofs.information.recall_worlds import (
    RecallWorld,
    answer,
    recall_world,
    require_room,
    small_worlds,
)
from proofs.information.relations import mutual
from proofs.papers.nichani.bits.answer_sets import Stated, log2, log_slope
from proofs.papers.nichani.bits.recall_lemmas import eta_ball

_R, _D, _V, _S, _B, _L = symbols("R D V S B L")
_u, _v, _w = symbols("u v w")
_eta = RationalFunction.symbol("eta")
_HALF = Fraction(1, 2)


def tables(R: int, D: int, V: int, S: int) -> int:
    """At least as many as there are tables a*: the answer sets and which of its tokens each fact has,
    or any token for every fact. Raises ValueError for V < R D."""
    require_room(R, D, V)
    facts: int = S * R
    by_sets = prod(comb(V - r * D, D) for r in range(R)) * int(D**facts)
    return min(by_sets, int(V**facts))


def bits_that_suffice(R: int, D: int, V: int, S: int) -> int:
    """Whole bits that name every table, so that a learner with so many has no loss."""
    return (tables(R, D, V, S) - 1).bit_length()


# -- the chain of informations --------------------------------------------------------------------


def markov(stated: Stated) -> Argument:
    """D -> a* -> F -> f: I(D; F | a*) = first and I(D; f | F) = second; I(D; f) <= bound bits."""
    argument = Argument()
    argument.equal("given a* the message is made without D", stated["first"], 0 * ONE)
    argument.equal("given F the prediction is made without D", stated["second"], 0 * ONE)
    argument.equal(
        "I(D;F) = I(D;f) + I(D;F|f) - I(D;f|F)",
        mutual("D", "F"),
        mutual("D", "P") + mutual("D", "F", "P") - mutual("D", "P", "F"),
    )
    argument.cite("I(D;F|f) is a mean of divergences, so >= 0", GIBBS)
    argument.infer("I(D;f|F) = 0, so I(D;f) <= I(D;F)", "given F the prediction is made without D")
    argument.infer("I(D;F) <= H(F) <= B bits", "there are at most 2^B messages")
    argument.nonnegative("B is at most the bound", stated["bound"] - _B, {"B": 0})
    for sizes, B in (((1, 1, 2, 1), 1), ((2, 1, 4, 1), 4), ((1, 2, 3, 1), 2), ((1, 1, 4, 1), 2)):
        world = recall_world(*sizes, "everything")
        law = world.joint.function("f", lambda message: message, "F")
        law = law.channel("g", lambda message: {message: _HALF, 0: _HALF}, "F")
        dataset = (*world.sets, *world.answers)
        found = (
            law.mutual_information(dataset, "F", world.answers),
            law.mutual_information(dataset, ("f", "g"), "F"),
        )
        conditional = (bits(stated["first"].as_fraction()), bits(stated["second"].as_fraction()))
        told, bound = law.mutual_information(dataset, "f"), bits(number(stated["bound"], B=B))
        if searching() and (found != conditional or not told <= bound):
            shown = {**world.sizes, "B": B, "I(D;f)": str(told), "stated at most": str(bound)}
            argument.refute(shown | {"I(D;F|a*), I(D;f|F)": f"{found[0]}, {found[1]}"})
    return argument


def chain(stated: Stated) -> Argument:
    """I(D;f) = first I(A;f) + rest I(a*;f|A) >= first I(A;f) + single sum I(a*(s,r);f|A)."""
    first, rest, single = (stated[name] for name in ("first", "rest", "single"))
    argument = Argument()
    argument.equal(
        "the chain rule for D = (A, a*)",
        mutual("AX", "F"),
        first * mutual("A", "F") + rest * mutual("X", "F", "A"),
    )
    argument.equal(
        "two answers X, Y: I(X,Y;F|A) - I(X;F|A) - I(Y;F|A) = I(X;Y|F,A) - I(X;Y|A)",
        mutual("XY", "F", "A") - mutual("X", "F", "A") - mutual("Y", "F", "A"),
        mutual("X", "Y", "FA") - mutual("X", "Y", "A"),
    )
    argument.infer(
        "I(a*;f|A) >= sum I(a*(s,r);f|A), one answer after the other",
        "given A the answers are independent, so I(X;Y|A) = 0, and I(X;Y|F,A) >= 0",
    )
    argument.nonnegative("rest at least 1, single at most 1", rest - single, {"S": 1, "R": 1})
    for world in small_worlds():
        whole = world.about((*world.sets, *world.answers))
        about_sets, about_answers = world.about(world.sets), world.about(world.answers, world.sets)
        each = sum((world.about(name, world.sets) for name in world.answers), ZERO)
        once = first.as_fraction() * about_sets
        stated_whole = once + rest.as_fraction() * about_answers
        right = once + single.as_fraction() * each
        if searching() and not (whole == stated_whole and whole >= right):
            shown = {**world.sizes, "I(D;f)": str(whole), "chain rule stated": str(stated_whole)}
            argument.refute(shown | {"stated at least": str(right)})
    argument.true("enumerated in all small worlds", argument.witness is None, "every message")
    return argument


#: Worlds with two answer sets in which the second matters, smallest first.
_TWO_SETS = ((2, 1, 3, 1), (2, 2, 4, 1), (2, 2, 5, 1), (2, 2, 8, 1))


def one_answer_set(stated: Stated) -> Argument:
    """sum I(a*(s,r);f|A_1..A_R) = factor sum I(a*(s,r);f|A_r) + defect sum I(a*(s,r);A_other|A_r,f)."""
    factor, defect = stated["factor"], stated["defect"]
    argument = Argument()
    argument.define("X = a*(s,r), A its answer set, O the others")
    argument.equal(
        "I(X;F|A,O) - factor I(X;F|A) - defect I(X;O|A,F) = -I(X;O|A)",
        mutual("X", "F", "AO") - factor * mutual("X", "F", "A") - defect * mutual("X", "O", "AF"),
        -mutual("X", "O", "A"),
    )
    argument.infer("I(X;O|A) = 0", "given its own answer set an answer is drawn without the others")
    for sizes in _TWO_SETS:
        for message in ("everything", "nothing", "the order of two answers"):
            world = recall_world(*sizes, message)
            left, own, others = _sides(world)
            right = factor.as_fraction() * own + defect.as_fraction() * others
            if searching() and left != right:
                shown = {**world.sizes, "given all sets": str(left), "given one": str(own)}
                shown |= {"sum I(a*;A_other|A_r,f)": str(others), "right side": str(right)}
                in_bits = f"{left.bits().str(6)} and {right.bits().str(6)}"
                argument.refute(shown | {"in bits": in_bits})
    argument.true(
        "enumerated in small worlds with two answer sets", argument.witness is None, "exactly"
    )
    return argument


def _sides(world: RecallWorld) -> tuple[Information, Information, Information]:
    left, own, others = ZERO, ZERO, ZERO
    for s, r in world.facts:
        name, rest = answer(s, r), tuple(a for a in world.sets if a != f"A{r}")
        left += world.about(name, world.sets)
        own += world.about(name, (f"A{r}",))
        others += world.joint.mutual_information(name, rest, (f"A{r}", "F"))
    return left, own, others


# -- the combined bound ---------------------------------------------------------------------------


def combined(stated: Stated, lemmas: Mapping[str, Stated]) -> Argument:
    """B >= -loss sum l + facts log(answers) + lead log(inside) - log_term log V - rest.

    *lemmas*: what Lemmas 8, 9 and 10 state, under "8", "9" and "10".
    """
    eight, nine, ten = (lemmas[name] for name in ("8", "9", "10"))
    argument = Argument()
    argument.infer(
        "B >= I(A_1, ..., A_R;f) + sum I(a*(s,r);f|A_r)",
        "data processing, the chain rule, and fewer answer sets given tell no more of an answer",
    )
    argument.define("Lemma 8 once, Lemma 9 for every r, Lemma 10 for every s and r, added up")
    argument.equal("the losses", stated["loss"], nine["loss"] + ten["loss"])
    argument.equal("facts times log D", stated["facts"], _S * _R * ten["lead"])
    argument.equal("D", stated["answers"], ten["inside"])
    argument.equal("the answer sets", stated["lead"], _R * nine["lead"])
    argument.equal("V/D", stated["inside"], nine["inside"])
    argument.equal("eps: the logarithmic term", stated["log_term"], _R * nine["log_term"])
    argument.equal(
        "eps: the rest", stated["rest"], _R * (nine["square"] + nine["extra"]) + eight["bound"]
    )
    argument.equal("eta is that of Lemma 9", stated["C2"], nine["C2"])
    argument.nonnegative("V as large as Lemma 8 needs it", stated["least"] - eight["least"], {})
    argument.nonnegative("and Lemma 9", stated["least"] * _R - nine["least"], {"R": 1})
    return argument.unless(first_witness(_combined_fails(stated, *p) for p in _LARGE))


#: (R, D, V, S) with eta tiny.
_LARGE = tuple((R, D, V, 10**9 * D) for R in (1, 3) for D, V in ((1, 1024), (2, 2**12), (4, 2**20)))


@search
def _combined_fails(stated: Stated, R: int, D: int, V: int, S: int) -> Witness | None:
    """A learner that writes down nothing and predicts 1/V, and one that names the table."""
    with precision():
        at = {"R": arb(R), "D": arb(D), "V": arb(V), "S": arb(S)}
        at["eta"] = eta_ball(stated["C2"].as_fraction(), D, V, S)
        value = {name: evaluate(f, **at) for name, f in stated.items()}
        two = arb(2).log()
        base = value["facts"] * value["answers"].log() / two - value["rest"]
        base += value["lead"] * value["inside"].log() / two - value["log_term"] * log2(V)
        naming = sum((log2(comb(V - r * D, D)) for r in range(R)), S * R * log2(D)) + 1
        for learner, B, losses in (
            ("nothing, f-hat uniform", arb(0), S * R * log2(V)),
            ("the table by its number", naming, arb(0)),
        ):
            right = base - value["loss"] * losses
            if right > B:
                shown: Witness = {"R": R, "D": D, "|V|": V, "S": S, "message": learner}
                return {**shown, "B at most": B.str(12), "stated at least": right.str(12)}
    return None


# -- lower order ----------------------------------------------------------------------------------


def lower_order(stated: Stated, bound: Stated) -> Argument:
    """log_term log V + rest <= c R D log(V/D) for V >= least R D, V >= ratio D and the S allowed.

    Allowed is S >= C D log(2 D^2 log V); and V >= ratio D wherever V >= S. *bound*: the combined bound,
    which says what eta is. Without ratio, c or C: for some c < 1, whatever C, and all V >= least R D.
    """
    least = stated["least"].as_fraction()
    argument = Argument()
    argument.equal("eps: the logarithmic term", stated["log_term"], bound["log_term"])
    argument.equal("eps: the rest", stated["rest"], bound["rest"])
    if not {"ratio", "c", "C"} <= set(stated):
        witness = _no_constant_serves(stated)
        argument.true("some c < 1 serves", False, "none is given, and none is derived")
        return argument.refute(witness)
    ratio, c, C = (stated[name].as_fraction() for name in ("ratio", "c", "C"))
    square = bound["C2"].as_fraction()
    argument.true("0 < c < 1", 0 < c < 1, f"c = {c}")
    argument.true("eta^2 <= C2/C <= 1", 0 < square <= C, f"{square} against {C}")
    _logarithms(argument, ratio, C)
    argument.define("q = V/D >= ratio")
    argument.nonnegative(
        "the rest is at most (2 + 2/q + 2 R D/V) R D at eta = 1",
        2 + 2 * _D / _V + 2 * _R * _D / _V - stated["rest"](eta=1) / (_R * _D),
        {"R": 1, "D": 1, "V": 1},
    )
    argument.nonnegative(
        "and grows with eta",
        stated["rest"](eta=1) - stated["rest"](eta=0),
        {"R": 1, "D": 1, "V": 1},
    )
    argument.nonnegative(
        "2 R D/V is at most 2/least",
        (2 / least - 2 * _R * _D / _V)(V=least * _R * _D * (1 + _v)),
        {"R": 1, "D": 1, "v": 0},
    )
    argument.equal(
        "the logarithmic term is 2 R D log V/V", stated["log_term"] * _V / (_R * _D), 2 * ONE
    )
    argument.infer("log V/V <= log q/q", "it decreases from 3 on, and V = q D >= q >= 3")
    argument.infer(
        "(2 log q/q + 2/q + 2 + 2/least)/log q is largest at q = ratio", "every term decreases"
    )
    eps = 2 / ratio * log(ratio) + bits(2 / ratio + 2 + 2 / least)
    room = c * log(ratio)
    argument.true("there it is at most c", eps <= room, f"{eps} against {room}")
    return argument.unless(_constants_fail(stated, square))


def _logarithms(argument: Argument, ratio: Fraction, C: Fraction) -> None:
    """V >= S >= C D log(2 D^2 log V) implies V >= ratio D, for V >= 2."""
    argument.true("ratio >= 3", ratio >= 3, f"{ratio}")
    if not argument.true("C >= 2", C >= 2, f"{C}"):
        return
    argument.infer("if V >= S then V >= C D >= C", "2 D^2 log V >= 2, as V >= 2")
    inside = 2 * _floor_log2(C)
    argument.infer(f"so 2 D^2 log V >= {inside}, and V >= C D log {inside}", "the hypothesis on S")
    argument.true(
        "which is at least ratio D", bits(ratio) <= C * log(inside), f"ratio = {ratio}, C = {C}"
    )


def _floor_log2(value: Fraction) -> int:
    """The largest k with 2^k <= value, which is at least 1."""
    return int(value).bit_length() - 1


@search
def _no_constant_serves(stated: Stated) -> Witness | None:
    """R = D = 1 and V = least, where eps is at least R D log(V/D) whatever eta >= 0 is."""
    V = ceil(stated["least"].as_fraction())
    at = {"R": 1, "D": 1, "V": V, "eta": 0}
    eps = number(stated["log_term"], **at) * log(V) + bits(number(stated["rest"], **at))
    if eps < log(V):
        return None
    shown: Witness = {"R": 1, "D": 1, "|V|": V, "S": "any", "eps_lot": f"{eps} + eta"}
    return {**shown, "R D log(|V|/D)": str(log(V))}


@search
def _constants_fail(stated: Stated, square: Fraction) -> Witness | None:
    """Where eps is too large, or V < ratio D although V >= S: the smallest V, and the smallest S."""
    least, ratio = (stated[name].as_fraction() for name in ("least", "ratio"))
    for R in range(1, 17):
        V = ceil(max(least * R, ratio))
        found = _too_large(stated, square, R, V)
        if found is not None:
            return found
    for V in range(2, ceil(ratio)):
        S = _subjects(stated, V)
        if S <= V:
            return {"D": 1, "|V|": V, "S": S, "stated": f"|V| >= {ratio} D where |V| >= S"}
    return None


def _subjects(stated: Stated, V: int) -> int:
    """The least S >= 1 that is allowed at D = 1."""
    with precision():
        logarithm = (2 * log2(V)).log() / arb(2).log()
        return max(1, ceil(upper(ball(stated["C"].as_fraction()) * logarithm)))


@search
def _too_large(stated: Stated, square: Fraction, R: int, V: int) -> Witness | None:
    """At D = 1."""
    c, S = ball(stated["c"].as_fraction()), _subjects(stated, V)
    with precision():
        at = {"R": arb(R), "D": arb(1), "V": arb(V), "eta": eta_ball(square, 1, V, S)}
        eps = evaluate(stated["log_term"], **at) * log2(V) + evaluate(stated["rest"], **at)
        if not eps > c * R * log2(V):
            return None
        shown: Witness = {"R": R, "D": 1, "|V|": V, "S": S, "eps_lot": eps.str(8)}
        return {**shown, "c R D log(|V|/D)": (c * R * log2(V)).str(8)}


# -- Theorem 8 by counting ------------------------------------------------------------------------


def bits_needed(stated: Stated) -> Argument:
    """L = 0 implies B >= facts log(answers) + (1-c) lead log(inside).

    For V >= least R D and S >= C D log(2 D^2 log V), every fact of positive probability.
    """
    least, c, C = (stated[name].as_fraction() for name in ("least", "c", "C"))
    argument = Argument()
    argument.infer(
        "B >= H(a*)",
        "without loss every prediction is certain and right, so no message serves two tables, and there "
        "are at most 2^B messages",
    )
    argument.equal(
        "H(a*) = H(A) - H(A|a*) + H(a*|A)",
        mutual("X", "X"),
        mutual("A", "A") - mutual("A", "A", "X") + mutual("X", "X", "A"),
    )
    argument.infer("H(a*|A) = S R log D", "given A the answers are independent and uniform")
    argument.equal("facts", stated["facts"], _S * _R)
    argument.equal("D", stated["answers"], _D)
    argument.infer(
        "H(A|a*) <= E[tokens of answer sets that no subject has] log V = R D (1-1/D)^S log V",
        "given a* the sets are known but for these tokens, listed set by set",
    )
    argument.infer("(1-1/D)^S <= exp(-S/D) <= (2 D^2 log V)^(-C log2(e))", "the hypothesis on S")
    argument.true(
        "C log2(e) >= 1, so it is at most 1/(2 D^2 log V)",
        bool(ball(C) >= arb(2).log()),
        f"C = {C}; 2 D^2 log V >= 1",
    )
    unseen = _R * _D * _L / (2 * _D**2 * _L)
    argument.define(f"so H(A|a*) <= {unseen}")
    argument.infer(
        "H(A) >= sum_{r < R} D log((V - r D)/D) = R D log(V/D) + D sum log(1 - r D/V)",
        "binom(n, D) >= (n/D)^D",
    )
    argument.equal("R D", stated["lead"], _R * _D)
    argument.equal("V/D", stated["inside"], _V / _D)
    log_slope(argument, least, Fraction(2))
    overlap = (2 * _D**2 * (_R * (_R - 1) / 2) / _V)(V=least * _R * _D)
    argument.define(f"D sum_(r < R) 2 r D/V is largest at V = least R D: {overlap}")
    argument.infer("log R >= 1 - 1/R", "it holds for the natural logarithm, which is smaller")
    argument.true("log(V/D) >= log(least R) >= 1 + log R", least >= 2, f"least = {least}")
    argument.nonnegative(
        "c R D (2 - 1/R) covers both",
        c * _D * (2 * _R - 1) - overlap - unseen,
        {"R": 1, "D": 1},
    )
    argument.true("0 < c < 1", 0 < c < 1, f"c = {c}")
    return argument.unless(first_witness(_naming_fails(stated, *p) for p in _counted(C, least)))


def _counted(C: Fraction, least: Fraction) -> Iterator[tuple[int, int, int, int]]:
    """(R, D, V, S) within the hypotheses, S as small as they allow."""
    for R, D, V in (
        (3, 1, 6),
        (1, 2, 64),
        (1, 4, 2**20),
        (1, 64, 2**20),
        (1, 256, 512),
        (7, 1, 14),
    ):
        if least * R * D <= V:
            with precision():
                log_term = (2 * D**2 * log2(V)).log() / arb(2).log()
                yield R, D, V, max(1, ceil(upper(ball(C) * D * log_term)))


@search
def _naming_fails(stated: Stated, R: int, D: int, V: int, S: int) -> Witness | None:
    """A learner that writes down the number of the table has no loss."""
    B, at = bits_that_suffice(R, D, V, S), {"R": R, "D": D, "V": V, "S": S}
    kept = 1 - stated["c"].as_fraction()
    with precision():
        right = ball(number(stated["facts"], **at)) * log2(number(stated["answers"], **at))
        right += ball(kept * number(stated["lead"], **at)) * log2(number(stated["inside"], **at))
        if not right > B:
            return None
        shown: Witness = {"R": R, "D": D, "|V|": V, "S": S, "message": "the table by its number"}
        return {**shown, "B": B, "stated at least": right.str(10)}
