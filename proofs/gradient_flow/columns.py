"""Gradients by the weights of a subject: conditional expectations, in worlds small enough to be listed.

Serves App. D.2 (the first displays) and the first line of the proof of Lemma 5 of Nichani et al.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, symbols, total
from proofs.argument import Argument, Witness
from proofs.gradient_flow.model import difference

#: a*(s, r) of the world that is listed: two subjects, two relations, four answers.
TABLE = ((0, 2), (1, 3))
_ANSWERS = 4
_LENGTH, _NOISE = 4, 2


def contexts(length: int, noise: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """All sequences with a given s and r: the places of s and r before EOS, and the noise tokens."""
    for places in itertools.permutations(range(length - 1), 2):
        for tokens in itertools.product(range(noise), repeat=length - 3):
            yield (*places, tokens)


@dataclass(frozen=True)
class Column:
    """What the listed world gives for an answer and a subject, p(s, r) and the predictions as symbols.

    mass: p(s); right: p(s) p*(a|s); predicted: p(s) E[p-hat(a) | s]; derived: E[C (1(a = a*) - p-hat)],
    summed over all sequences; by_relation: (p(s, r), E[p-hat(a) | s, r]).
    """

    mass: RationalFunction
    right: RationalFunction
    predicted: RationalFunction
    derived: RationalFunction
    by_relation: tuple[tuple[RationalFunction, RationalFunction], ...]


def column(subject: int, answer: int) -> Column:
    """The sum over all sequences of the world TABLE, T = 4, two noise tokens."""
    listed = list(contexts(_LENGTH, _NOISE))
    each = RationalFunction.constant(Fraction(1, len(listed)))
    derived, means = ZERO, []
    for s, r in itertools.product(range(2), repeat=2):
        chance = RationalFunction.symbol(f"p{s}{r}")
        hit = ONE if TABLE[s][r] == answer else ZERO
        predictions = symbols(" ".join(f"q{s}{r}_{i}" for i in range(len(listed))))
        count = ONE if s == subject else ZERO
        derived += total(chance * each * count * (hit - q) for q in predictions)
        if s == subject:
            means.append((chance, hit, total(q * each for q in predictions)))
    return Column(
        total(chance for chance, _, _ in means),
        total(chance * hit for chance, hit, _ in means),
        total(chance * mean for chance, _, mean in means),
        derived,
        tuple((chance, mean) for chance, _, mean in means),
    )


def subject_gradient(
    given_s: RationalFunction, given_both: RationalFunction, *, everywhere: bool
) -> Argument:
    """dL/dW_OV(a, s) = *given_s* in k, p = p(s), t = p*(a|s), q = E[p-hat(a)|s]; and where a is not in
    A_s (or *everywhere*) the sum over r of *given_both* in k, p = p(s, r), q = E[p-hat(a)|s, r]."""
    argument = Argument()
    k = RationalFunction.symbol("k")
    argument.infer("dL/dW_OV(a, s) = -k E[C (1(a = a*) - p-hat(a))]", "Lemma 4")
    for subject, answer in itertools.product(range(2), range(_ANSWERS)):
        found = column(subject, answer)
        derived = -k * found.derived
        where = f"a = {answer}, s = {subject}"
        claimed = [(f"{where}: given s", _at(given_s, found))]
        if everywhere or answer not in TABLE[subject]:
            terms = (given_both(p=p, q=q) for p, q in found.by_relation)
            claimed.append((f"{where}: given s and r", total(terms)))
        for words, right in claimed:
            if not argument.equal(words, derived, right):
                return argument.refute({"a*(s, r)": TABLE, "at": words, **_short(derived, right)})
    argument.infer(
        "the same for every table, T and noise",
        "s stands once in the sequences with s, in no other",
    )
    return argument


def subject_update(update: RationalFunction) -> Argument:
    """d/dt W_KQ(s) = sum_a *update*, in w = W_OV(a, s), k, p = p(s), t = p*(a|s), q = E[p-hat(a)|s]."""
    argument = Argument()
    argument.infer(
        "d/dt W_KQ(s) = sum_a W_OV(a, s) E[C (1(a = a*) - p-hat(a))]", "the flow and Lemma 4"
    )
    for subject in range(2):
        derived, right = ZERO, ZERO
        for answer in range(_ANSWERS):
            w = RationalFunction.symbol(f"w{answer}")
            found = column(subject, answer)
            derived += w * found.derived
            right += _at(update(w=w), found)
        if not argument.equal(
            f"s = {subject}, all weights, priors and predictions", derived, right
        ):
            return argument.refute({"a*(s, r)": TABLE, "s": subject, **_short(derived, right)})
    argument.infer(
        "the same for every table, T and noise",
        "s stands once in the sequences with s, in no other",
    )
    return argument


def _at(stated: RationalFunction, found: Column) -> RationalFunction:
    right, predicted = found.right / found.mass, found.predicted / found.mass
    return stated(p=found.mass, t=right, q=predicted)


def _short(derived: RationalFunction, stated: RationalFunction) -> Witness:
    """A difference in which the predictions of a pair are all equal, so that it can be read."""
    pairs = [f"{s}{r}" for s, r in itertools.product(range(2), repeat=2)]
    listed = sum(1 for _ in contexts(_LENGTH, _NOISE))
    at: dict[str, Fraction] = {f"p{pair}": Fraction(1, 4) for pair in pairs}
    for i, pair in enumerate(pairs):
        at.update({f"q{pair}_{j}": Fraction(i + 1, 8) for j in range(listed)})
    sides = [side(**at) for side in (derived, stated)]
    found = difference(*sides) or {"derived": str(derived), "stated": str(stated)}
    told = {
        "p(s, r)": Fraction(1, 4),
        "p-hat(a) at (0,0), (0,1), (1,0), (1,1)": "1/8, 1/4, 3/8, 1/2",
    }
    return {**told, **found}
