"""Concentration of polynomials on spheres and Gaussian space: moments, norms, tails.

Nichani et al., App. F, Lemmas 12 to 14: exact moments, and for each of the statements the search for a
counterexample to a wrong one. What is true of them is proved in ``proofs.papers.nichani``.
"""

from proofs.concentration.markov import MarkovChain, markov_counterexample
from proofs.concentration.norms import (
    NormBound,
    fourth_moment,
    norm_counterexample,
)
from proofs.concentration.overlaps import (
    OverlapBound,
    overlap_counterexample,
    overlap_moment,
)
from proofs.concentration.polynomials import (
    Polynomial,
    conjunction,
    negation,
    parity,
    shifted_gaussian,
)
from proofs.concentration.tails import (
    Exponent,
    TailHypothesis,
    choice_counterexample,
    hypothesis_holds,
    tail_counterexample,
)

__all__ = [
    "Exponent",
    "MarkovChain",
    "NormBound",
    "OverlapBound",
    "Polynomial",
    "TailHypothesis",
    "choice_counterexample",
    "conjunction",
    "fourth_moment",
    "hypothesis_holds",
    "markov_counterexample",
    "negation",
    "norm_counterexample",
    "overlap_counterexample",
    "overlap_moment",
    "parity",
    "shifted_gaussian",
    "tail_counterexample",
]
