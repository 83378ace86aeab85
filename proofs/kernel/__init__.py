"""The kernel: statements as objects, and the rules that alone make theorems.

A proof is a chain of calls of rules. Each decides its side conditions exactly, on all of a region, or
refuses and says which one it could not decide. What comes out carries its region, its hypotheses and the
citations on which it rests, and prints itself from them.
"""

from proofs.kernel.algebra import (
    add,
    assume,
    chain,
    discharge,
    exp_of_log,
    exp_of_sum,
    exponential,
    identity,
    induction,
    instantiate,
    log_above_zero,
    log_of_quotient,
    logarithm,
    restate,
    root_of_square,
    sign,
    square,
    times,
    turned,
    weaken,
)
from proofs.kernel.goals import Goal
from proofs.kernel.intervals import closed_below, infimum
from proofs.kernel.laws import least_margin, margin, margin_law, union_of_margins
from proofs.kernel.probability import by_law, certain, independent, markov, mixture
from proofs.kernel.regions import Range, Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, coordinate_moment, log_series, product_mgf
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    inf,
    log,
    power,
    sqrt,
    symbol,
    symbols,
    term,
)
from proofs.kernel.theorem import RULES, Compare, SameLaw, Theorem, seal

seal()

__all__ = [
    "RULES",
    "Compare",
    "Goal",
    "Range",
    "Refused",
    "Region",
    "SameLaw",
    "Term",
    "Theorem",
    "add",
    "assume",
    "at_least",
    "at_most_zero",
    "between",
    "by_law",
    "certain",
    "chain",
    "closed_below",
    "coordinate",
    "coordinate_mgf",
    "coordinate_moment",
    "copies",
    "discharge",
    "exp",
    "exp_of_log",
    "exp_of_sum",
    "expectation",
    "exponential",
    "identity",
    "independent",
    "induction",
    "inf",
    "infimum",
    "instantiate",
    "least_margin",
    "log",
    "log_above_zero",
    "log_of_quotient",
    "log_series",
    "logarithm",
    "margin",
    "margin_law",
    "markov",
    "mixture",
    "power",
    "product_mgf",
    "real",
    "restate",
    "root_of_square",
    "sign",
    "sqrt",
    "square",
    "symbol",
    "symbols",
    "term",
    "times",
    "turned",
    "union_of_margins",
    "weaken",
    "whole",
]
