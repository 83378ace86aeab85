"""The public bounds on heads, margins and answers beside the printed ones, which are evaluated apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from flint import arb

from proofs.algebra.balls import ball, precision, upper
from proofs.argument import Argument
from proofs.capacity import AttentionMLP, AttentionOnly
from proofs.capacity import attention_margin as public
from proofs.capacity.denoising import key_failure, partition
from proofs.capacity.fact_condition import FactCondition
from verify.checks.averages import Beta
from verify.checks.theorem import bound_above, same_bound
from verify.claim import Printed
from verify.measuring.quantities import in_words
from verify.papers.nichani.answer_weights import Answers, fact_lost
from verify.papers.nichani.table_tails import Free, Keys, Rival, Table, Tail, gap_union
from verify.printed.formula import Formula

_ADDED = "what the public bound adds to the gaps"


# -- gaps -----------------------------------------------------------------------------------------


def public_gaps(gap: Fraction, inside: Formula, outside: Formula) -> Argument:
    """The public union over the gaps is the printed one, evaluated as printed."""
    argument = Argument()
    for heads, tokens in (([1, 2], 5), ([5], 9)):
        what = f"for heads of {' and '.join(map(str, heads))} keys the public bound"
        cut = partition(sum(heads), max(heads))  # as the public condition cuts tokens into heads
        found = partial(key_failure, heads=cut, tokens=tokens)
        stated = partial(gap_union, gap, inside, outside, heads=heads, tokens=tokens)
        argument.include(same_bound(found, stated, [{"d": 320}], what))
    return argument


# -- one margin -----------------------------------------------------------------------------------

#: Rivals with free parameters: no other keys, in one head, in both, and too large a lambda for these.
_BOTH = Rival((0, 1), (3, 1), (Keys(2, 8, 6), Keys(1, 4, 2)))
_MARGINS = (
    (Rival((1, 0), (2, 1)), Free(Fraction(30), Fraction(1, 8))),
    (Rival((1, 1), (1, 2), (Keys(1, 3, 3), Keys())), Free(Fraction(15), Fraction(1, 2))),
    (_BOTH, Free(Fraction(8), Fraction(1, 3), Fraction(3, 4))),
    (_BOTH, Free(Fraction(90), Fraction(1, 3), Fraction(3, 4))),
)
#: The logarithms of two bounds that are the same differ by their rounding alone.
_SAME = Fraction(1, 2**90)


def public_tail(stated: Tail) -> Argument:
    """The public bound on a margin is the printed one, evaluated as printed, at the same parameters."""
    argument = Argument()
    weights = Fraction(9, 10), Fraction(11, 10)
    with precision():
        for rival, free in _MARGINS:
            printed = stated.logarithm(rival, free, *map(ball, weights))
            found = _public_logarithm(rival, free, weights, stated)
            if found is None or printed is None:
                same, what = found is printed, "it is not defined"
            else:
                same, what = bool(abs(found - printed) <= ball(_SAME)), f"{float(found):.6g}"
            where = in_words({"lambda": free.slope, "eta": free.kept, "zeta": free.split})
            argument.true(f"at {where} the public logarithm is the printed one", same, what)
    return argument


def _public_logarithm(
    rival: Rival, free: Free, weights: tuple[Fraction, Fraction], stated: Tail
) -> arb | None:
    """The public bound, in its own parameters."""
    by, with_ = rival.signal, rival.weights
    proxies = [weight / stated.d_h for weight in weights]
    keys = list(zip(proxies, rival.keys, strict=True))
    margin = public.Margin(
        Fraction(stated.d),
        sum(n * weight for n, weight in zip(by, weights, strict=True)),
        sum(n * weight**2 for n, weight in zip(with_, weights, strict=True)),
        *(proxy * other.answering for proxy, other in keys),
        *(proxy * other.trace for proxy, other in keys),
        *(proxy * other.norm for proxy, other in keys),
    )
    share = 1 + 1 / free.kept
    splits = share * (1 + free.split), share * (1 + 1 / free.split)
    found: arb | None = public.log_bound(
        public.Margin(*map(ball, margin)),
        public.Free(*map(ball, (free.slope, 1 + free.kept, *splits))),
        ball(1 + stated.reach),
        public.Constants(*map(ball, public.PROVED)),
        arb.log,
    )
    return found


# -- the condition --------------------------------------------------------------------------------


class Place(NamedTuple):
    """A table at which the bounds are compared, with epsilon and the free parameters for each signal,
    and how much larger the public one is at most."""

    table: Table
    d: int
    d_h: int
    reach: Fraction
    free: Mapping[tuple[int, int], Free]
    factor: Fraction


_ALONE, _PAIRED = [[0], [1], [2]], [[0, 1], [2, 3], [4, 5]]
#: Without other keys eta and zeta may be as small as one likes, and epsilon as large.
_SMALL, _LARGE = Fraction(1, 2**40), Fraction(100)
#: Rivals of all kinds; most of them no answers, one answer a subject or one a relation; other subjects
#: in a head; other relations too, where one in three answers b and the public bound takes each to.
PLACES = (
    Place(
        Table(["aaa", "bbb", "aba"], _ALONE, _ALONE, 6),
        160,
        156,
        _LARGE,
        {
            (0, 1): Free(Fraction(40), _SMALL),
            (1, 0): Free(Fraction(40), _SMALL),
            (1, 1): Free(Fraction(160, 3), _SMALL),
        },
        Fraction(2),
    ),
    Place(
        Table(["a", "b"], _ALONE[:2], _ALONE[:1], 3),
        96,
        90,
        _LARGE,
        {(1, 0): Free(Fraction(96), _SMALL), (1, 1): Free(Fraction(96), _SMALL)},
        Fraction(5, 4),
    ),
    Place(
        Table(["aa"], _ALONE[:1], _ALONE[:2], 4),
        96,
        90,
        _LARGE,
        {(0, 1): Free(Fraction(96), _SMALL), (1, 1): Free(Fraction(96), _SMALL)},
        Fraction(5, 4),
    ),
    Place(
        Table(["a", "a", "b", "b", "c", "c"], _PAIRED, _ALONE[:1], 7),
        250,
        249,
        Fraction(1, 2),
        {
            (1, 0): Free(Fraction(47), Fraction(1, 3), _SMALL),
            (1, 1): Free(Fraction(54), Fraction(1, 3), _SMALL),
        },
        Fraction(8, 3),
    ),
    Place(
        Table(["aaaa", "aaaa"], _PAIRED[:1], _PAIRED[:2], 6),
        400,
        399,
        Fraction(7, 20),
        {
            (0, 1): Free(Fraction(36), Fraction(1, 3), Fraction(1, 2)),
            (1, 1): Free(Fraction(50), Fraction(1, 2), Fraction(1, 4)),
        },
        Fraction(4),
    ),
)


def public_condition(printed: Printed, gap_form: Printed, leak: Fraction) -> Argument:
    """What the public bound adds to the printed union over all gaps lies above what the printed bound
    adds, evaluated as printed for a table."""
    noise, argument = printed["noise"].number(), Argument()
    for it in PLACES:
        d, d_h, table = it.d, it.d_h, it.table
        law = Beta(printed["shape"].at(d_h=d_h), printed["rest"].at(d=d, d_h=d_h))
        tail = Tail(noise, leak, d, d_h, it.reach)
        with precision():
            stated = table.lost(tail, it.free, law)
        union = union_of_gaps(gap_form, d, table.heads, table.beside)
        argument.include(
            bound_above(
                partial(_beside, AttentionOnly(), union),
                partial(_given, stated),
                [{"d": d, "d_h": d_h, **table.sizes}],
                it.factor,
                what=_ADDED,
            )
        )
    return argument


def _beside(public_: FactCondition, union: Fraction, **sizes: int) -> Fraction:
    """What the public bound adds to the union over all gaps."""
    return public_.failure_bound(**sizes) - union


def union_of_gaps(stated: Printed, d: int, heads: Sequence[int], tokens: int) -> Fraction:
    """The printed union over all gaps, rounded up."""
    gap, inside, outside = stated["gap"].number(), stated["inside"], stated["outside"]
    with precision():
        return upper(gap_union(gap, inside, outside, d=d, heads=heads, tokens=tokens))


# -- the condition with an MLP --------------------------------------------------------------------

#: Sizes and keys of each head, with g over E G_a and k: the fewest and the most facts with one answer;
#: where the gaps count.
_ANSWERS: tuple[tuple[dict[str, int], Sequence[int], Fraction, Fraction], ...] = (
    (
        {"d": 401, "S": 2, "R": 2, "D": 2, "m": 16384, "M": 1, "noise": 0, "collisions": 1},
        (1, 1, 1, 1),
        Fraction(13, 25),
        Fraction(10),
    ),
    (
        {"d": 600, "S": 2, "R": 1, "D": 1, "m": 10**5, "M": 2, "noise": 3, "collisions": 2},
        (2, 1),
        Fraction(21, 50),
        Fraction(12),
    ),
    (
        {"d": 250, "S": 3, "R": 1, "D": 3, "m": 65536, "M": 3, "noise": 0, "collisions": 1},
        (3, 1),
        Fraction(13, 25),
        Fraction(75, 8),
    ),
)
#: How much larger the public bound is for its free parameters, which are multiples of a step.
_STEPS_COST = Fraction(101, 100)


def public_answers(spread: Fraction, half: Fraction, gap_form: Printed) -> Argument:
    """What the public bound adds to the printed union over all gaps lies above the printed bound on
    the answers, evaluated as printed at g and k that suit it."""
    argument = Argument()
    for place, heads, share, exponent in _ANSWERS:
        S, R, noise = place["S"], place["R"], place["noise"]
        tokens = S + R + noise + R * place["D"] + 1
        sizes = Answers(place["d"], S, R, place["m"], place["collisions"], tokens)
        with precision():
            stated = S * R * fact_lost(sizes, share, exponent, spread, half)
        union = union_of_gaps(gap_form, place["d"], heads, S + R + noise)
        found = partial(_beside, AttentionMLP(), union)
        argument.include(
            bound_above(found, partial(_given, stated), [place], _STEPS_COST, what=_ADDED)
        )
    return argument


def _given(found: arb, **_: int) -> arb:
    return found
