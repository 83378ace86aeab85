"""What the proof of Lemma 2 says of one score, as formal statements made of the printed formulas.

Each stands beside the theorem of the kernel from which it is to follow, one for each kind of token.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.kernel import (
    Compare,
    Goal,
    OfDegree,
    Region,
    at_most_zero,
    between,
    exp,
    modulus,
    score,
    score_degree,
    symbols,
    term,
    variance,
    whole,
)
from proofs.kernel import log as _log
from proofs.kernel.scores import Kind
from proofs.papers.nichani.head_tails import concentration
from verify.checks.theorem import Goals
from verify.printed.formula import Formula

_v, _n, _delta = symbols("v n delta")
_SIZES = (whole("d", 2), whole("d_h", 1))
#: An answer of the attended key; then every other token.
_KINDS: tuple[Kind, ...] = ("stored", "answer", "self", "key", "eos")
#: The constant that is exhibited.
_CONSTANT = 8 * exp(term(1))


def degrees(degree: Formula) -> Goals:
    """A score is a polynomial of that degree at most."""
    for kind in _KINDS:
        stated = OfDegree(score(kind), degree.term())
        yield Goal(stated, Region(_SIZES)), score_degree(kind)


def concentrations(stored: Formula, other: Formula, spread: Fraction, log: Fraction) -> Goals:
    """|gamma - centre| <= C Var(gamma)^spread L^(log spread) with probability 1 - delta/(v n) at least,
    L = log(v/delta), for v = |V| >= 3 and n = |V(h)|."""
    sizes = (whole("v", 3), whole("n", 1, _v), between("delta", 0, 1, "(]"))
    for kind in _KINDS:
        centre = (stored if kind == "stored" else other).term()
        away = modulus(score(kind) - centre)
        factor = _CONSTANT * exp(log * spread * _log(_log(_v / _delta)))
        kept = at_most_zero(away - factor * modulus(variance(score(kind)), spread))
        stated = Compare(1 - _delta / (_v * _n), "<=", kept)
        yield Goal(stated, Region((*_SIZES, *sizes))), concentration(kind)
