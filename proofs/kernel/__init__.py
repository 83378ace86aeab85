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
    exponential,
    identity,
    instantiate,
    log_above_zero,
    restate,
    sign,
    times,
    weaken,
)
from proofs.kernel.goals import Goal
from proofs.kernel.laws import least_margin, margin, margin_law, union_of_margins
from proofs.kernel.probability import by_law, independent, markov, mixture
from proofs.kernel.regions import Range, Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series, product_mgf
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    log,
    mean,
    sqrt,
    symbol,
    symbols,
    term,
)
from proofs.kernel.theorem import RULES, Compare, SameLaw, Theorem

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
    "chain",
    "coordinate",
    "coordinate_mgf",
    "copies",
    "discharge",
    "exp",
    "exp_of_log",
    "exponential",
    "identity",
    "independent",
    "instantiate",
    "least_margin",
    "log",
    "log_above_zero",
    "log_series",
    "margin",
    "margin_law",
    "markov",
    "mean",
    "mixture",
    "product_mgf",
    "real",
    "restate",
    "sign",
    "sqrt",
    "symbol",
    "symbols",
    "term",
    "times",
    "union_of_margins",
    "weaken",
    "whole",
]
