"""Rules of powers |a|^e, e above 0 and not random, whatever the sign of a."""

from __future__ import annotations

from proofs.kernel.regions import Region, require_sign
from proofs.kernel.terms import Number, Term, exp, modulus, term
from proofs.kernel.theorem import Compare, Concluded, Theorem, comparison, rule


@rule
def power_of_exp(argument: Term, exponent: Term | Number, region: Region) -> Concluded:
    """|exp(a)|^e = exp(e a)."""
    raised = exp(exponent * argument)
    return Concluded(Compare(modulus(exp(argument), exponent), "=", raised), region)


@rule
def power_of_power(
    base: Term, inner: Term | Number, outer: Term | Number, region: Region
) -> Concluded:
    """| |a|^e |^f = |a|^(e f)."""
    left = modulus(modulus(base, inner), outer)
    statement = Compare(left, "=", modulus(base, inner * term(outer)))
    return Concluded(statement, region)


@rule
def power_of_product(
    first: Term, second: Term, exponent: Term | Number, region: Region
) -> Concluded:
    """|a b|^e = |a|^e |b|^e."""
    parts = modulus(first, exponent) * modulus(second, exponent)
    return Concluded(Compare(modulus(first * second, exponent), "=", parts), region)


@rule
def raised(theorem: Theorem, exponent: Term | Number) -> Concluded:
    """a <= b gives |a|^e <= |b|^e for a that is not negative."""
    found = comparison(theorem, "<=", "<", "=")
    if found.relation != "=":
        require_sign(found.left, theorem.region, said="what is raised to a power")
    left, right = (modulus(side, exponent) for side in found.sides)
    return Concluded(Compare(left, found.relation, right), theorem.region, (theorem,))


@rule
def above_minus_modulus(argument: Term, region: Region) -> Concluded:
    """-|a| <= a."""
    return Concluded(Compare(-modulus(argument), "<=", argument), region)
