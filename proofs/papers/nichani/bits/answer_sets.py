"""How much there is to know of the answer sets, and how far they are from independent (App. E.3).

Each function takes what is printed and returns the argument with what refutes it, or None.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations
from math import ceil, comb, perm
from typing import TypeAlias

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, first_witness, search, searching
from proofs.concentration.powers import number
from proofs.information.entropy import ZERO, Information, bits, log
from proofs.information.joint import Joint
from proofs.information.recall_worlds import answer_sets, require_room

#: The formulas of a statement by name.
Stated: TypeAlias = Mapping[str, RationalFunction]

_R, _D, _V = symbols("R D V")
_r, _i, _j, _v = symbols("r i j v")

#: (R, D, V) of which all answer sets are enumerated.
ENUMERATED = ((1, 1, 2), (2, 1, 2), (1, 2, 4), (3, 1, 4), (2, 2, 4), (2, 2, 5), (3, 2, 7))


def one_set(D: int, V: int) -> Information:
    """H(A_r). Raises ValueError for V < D."""
    require_room(1, D, V)
    return log(comb(V, D))


def all_sets(R: int, D: int, V: int) -> Information:
    """H(A_1, ..., A_R). Raises ValueError for V < R D."""
    require_room(R, D, V)
    return sum((log(comb(V - r * D, D)) for r in range(R)), ZERO)


def total_correlation(R: int, D: int, V: int) -> Information:
    """sum_r H(A_r) - H(A_1, ..., A_R). Raises ValueError for V < R D."""
    return R * one_set(D, V) - all_sets(R, D, V)


def log_slope(argument: Argument, least: Fraction, slope: Fraction, *, nats: bool = False) -> bool:
    """log 1/(1-x) <= slope x for 0 <= x <= 1/least, in bits and so in nats, or in nats only."""
    argument.infer(
        f"log 1/(1-x) <= {slope} x on [0, 1/{least}] if it holds at x = 1/{least}",
        "the left side is convex and 0 at x = 0",
    )
    text = f"log 1/(1-x) <= {slope} x at x = 1/{least}, in {'nats' if nats else 'bits'}"
    if least <= 1:
        return argument.true(text, False, "the logarithm is infinite")
    at_end = log(1 / (1 - 1 / least))
    if nats:
        return argument.at_most(text, at_end.nats(), ball(slope / least))
    return argument.true(text, at_end <= bits(slope / least), f"{at_end} against {slope / least}")


# -- the entropies --------------------------------------------------------------------------------


def _log_binomial(n: Fraction, k: Fraction) -> Information | None:
    """None where there is no such binomial coefficient or it is 0."""
    if n.denominator > 1 or k.denominator > 1 or not 0 <= k <= n:
        return None
    return log(comb(int(n), int(k)))


def entropies(stated: Stated) -> Argument:
    """H(A_r) = log binom(single, size), H(A_1, ..., A_R) = sum_{r < R} log binom(joint, size)."""
    argument = Argument()
    argument.infer(
        "(A_1, ..., A_R) is uniform on ordered choices of disjoint sets, A_r on all sets of D tokens",
        "the law is so defined, and no token is special",
    )
    argument.equal("A_r is one of the sets of D out of V tokens: V", stated["single"], _V)
    argument.equal("the sets have D tokens", stated["size"], _D)
    argument.equal("after r disjoint sets V - r D tokens are left", stated["joint"], _V - _r * _D)
    for R, D, V in ENUMERATED:
        law = Joint.uniform([f"A{r}" for r in range(R)], answer_sets(R, D, V))
        size = number(stated["size"], D=D, V=V, R=R)
        single = _log_binomial(number(stated["single"], D=D, V=V, R=R), size)
        parts = [_log_binomial(number(stated["joint"], D=D, V=V, R=R, r=r), size) for r in range(R)]
        whole = None if None in parts else sum((p for p in parts if p is not None), ZERO)
        found = (law.entropy("A0"), law.entropy(law.names))
        holds = found == (single, whole)
        argument.true(f"enumerated at R = {R}, D = {D}, V = {V}", holds, f"{found[0]}; {found[1]}")
        if searching() and not holds:
            shown = {"R": R, "D": D, "|V|": V, "H(A_1)": str(found[0]), "H(A)": str(found[1])}
            argument.refute(shown | {"stated": f"{single or 'undefined'}; {whole or 'undefined'}"})
    return argument


# -- total correlations ---------------------------------------------------------------------------


def _places(least: Fraction) -> Iterator[tuple[int, int, int]]:
    """(R, D, V) with V >= least R D and V > R D."""
    for R in (1, 2, 3, 4, 6, 8):
        for D in (1, 2, 3, 4):
            first = max(ceil(least * R * D), R * D + 1)
            for V in (first, first + 1, 2 * first, 10 * first):
                yield R, D, V


def ratio_chain(stated: Stated) -> Argument:
    """The bounds on sum_r H(A_r) - H(A_1, ..., A_R), in nats.

    At most times log( binom(V, D) / binom(kept, D) ) = times log( V! last! / ((V-D)! kept!) ) <= power
    log(ratio) <= bound, for V >= least R D.
    """
    least = stated["least"].as_fraction()
    argument = Argument()
    argument.nonnegative("R sets", stated["times"] - _R, {"R": 1})
    argument.nonnegative(
        "no set has fewer tokens to choose from than the last, so no binomial is smaller",
        (_V - _r * _D - stated["kept"])(R=_r + 1 + _j),
        {"r": 0, "j": 0, "D": 1, "V": 1},
    )
    argument.equal(
        "binom(V, D)/binom(n, D) = V! (n-D)!/((V-D)! n!)", stated["last"], stated["kept"] - _D
    )
    inside = {"D": _i + 1 + _j, "V": _R * (_i + 1 + _j) + 1 + _v}
    argument.define("V!/(V-D)! = prod_{i < D} (V - i), likewise below; D = i+1+j, V = R D + 1 + v")
    argument.nonnegative(
        "every factor (V - i)/(V - (R-1)D - i) is at most V/(V - R D)",
        (stated["ratio"] - (_V - _i) / (stated["kept"] - _i))(**inside),
        {"i": 0, "j": 0, "R": 1, "v": 0},
    )
    argument.nonnegative(
        "D factors each", stated["power"] - stated["times"] * _D, {"R": 1, "D": 1, "V": 1}
    )
    _last_step(argument, stated, _R * _D)
    return argument.unless(first_witness(_chain_fails(stated, *p) for p in _places(least)))


def _last_step(argument: Argument, stated: Stated, cells: RationalFunction) -> None:
    """power log(ratio) <= bound with x = cells/V at most 1/least."""
    x = cells / _V
    argument.equal(
        "the ratio is 1/(1-x), x the part of V that is taken", stated["ratio"], 1 / (1 - x)
    )
    log_slope(argument, stated["least"].as_fraction(), Fraction(2), nats=True)
    argument.nonnegative(
        "so the logarithm is at most 2 x, and the bound follows",
        stated["bound"] - stated["power"] * 2 * x,
        {"R": 1, "D": 1, "V": 1},
    )


@search
def _chain_fails(stated: Stated, R: int, D: int, V: int) -> Witness | None:
    at = {"R": R, "D": D, "V": V}
    value = {name: number(f, **at) for name, f in stated.items()}
    found = total_correlation(R, D, V)
    first = _log_binomial(value["kept"], Fraction(D))
    last, kept = value["last"], value["kept"]
    whole = last.denominator == kept.denominator == 1 and 0 <= last <= kept
    second = _product(V, D, int(kept), int(last)) if whole else None
    third = log(value["ratio"]) if value["ratio"] > 0 else None
    shown: dict[str, object] = {"R": R, "D": D, "|V|": V}
    if first is None or second is None or third is None:
        return {**shown, "undefined": "a factorial of a negative number, or a logarithm"}
    terms = (
        found,
        value["times"] * (log(comb(V, D)) - first),
        value["times"] * second,
        value["power"] * third,
    )
    shown |= {f"term {i + 1} in nats": term.nats().str(8) for i, term in enumerate(terms)}
    shown["bound"] = str(value["bound"])
    right = terms[0] <= terms[1] == terms[2] <= terms[3]
    return None if right and _within(terms[3], value["bound"]) else shown


def _product(V: int, D: int, kept: int, last: int) -> Information:
    """log( V! last! / ((V-D)! kept!) )."""
    return log(Fraction(perm(V, D), perm(kept, kept - last)))


def _within(nats: Information, bound: Fraction) -> bool:
    """Whether a quantity is at most *bound* nats; ArithmeticError where balls do not tell."""
    value, limit = nats.nats(), ball(bound)
    if value <= limit:
        return True
    if value > limit:
        return False
    raise ArithmeticError(f"{nats} against {bound} nats is not decided; raise the precision")


def ordered_chain(stated: Stated) -> Argument:
    """sum_i H(z_i) - H(z) = sum_{i < D} log(top/term) <= power log(ratio) <= bound, in nats.

    For V >= least D, z the tokens of an answer set in random order.
    """
    least = stated["least"].as_fraction()
    argument = Argument()
    argument.infer(
        "z is uniform on the sequences of D different tokens, and every z_i on V",
        "a uniformly random set in a uniformly random order",
    )
    argument.equal("H(z_i) = log V", stated["top"], _V)
    argument.equal("after i different tokens V - i are left", stated["term"], _V - _i)
    argument.nonnegative(
        "V/(V - i) <= V/(V - D) for i < D",
        (stated["ratio"] - _V / stated["term"])(D=_i + 1 + _j, V=_i + 2 + _j + _v),
        {"i": 0, "j": 0, "v": 0},
    )
    argument.nonnegative("D factors", stated["power"] - _D, {"D": 1, "V": 1})
    _last_step(argument, stated, _D)
    for D, V in ((1, 2), (2, 4), (3, 6)):
        law = Joint.uniform([f"z{i}" for i in range(D)], permutations(range(V), D))
        found = sum((law.entropy(name) for name in law.names), ZERO) - law.entropy(law.names)
        argument.true(
            f"enumerated at D = {D}, V = {V}", found == D * log(V) - log(perm(V, D)), f"{found}"
        )
    firsts = [(D, max(ceil(least * D), D + 1)) for D in range(1, 13)]
    places = [(D, V) for D, first in firsts for V in (first, first + 1, 3 * first)]
    return argument.unless(first_witness(_ordered_fails(stated, D, V) for D, V in places))


@search
def _ordered_fails(stated: Stated, D: int, V: int) -> Witness | None:
    at = {"D": D, "V": V}
    found = D * log(V) - log(perm(V, D))
    shown: dict[str, object] = {"D": D, "|V|": V, "found in nats": found.nats().str(8)}
    parts = [
        number(stated["top"], **at) / d if (d := number(stated["term"], i=i, **at)) else None
        for i in range(D)
    ]
    ratio = number(stated["ratio"], **at)
    if ratio <= 0 or any(p is None or p <= 0 for p in parts):
        return {**shown, "undefined": "a logarithm"}
    second = sum((log(p) for p in parts if p is not None), ZERO)
    third = number(stated["power"], **at) * log(ratio)
    bound = number(stated["bound"], **at)
    shown |= {"sum": second.nats().str(8), "next": third.nats().str(8), "bound": str(bound)}
    return None if found == second and second <= third and _within(third, bound) else shown


def log2(value: Fraction | int) -> arb:
    """A ball around the logarithm in bits."""
    return log(value).bits() if value <= 2**64 else ball(value).log() / arb(2).log()
