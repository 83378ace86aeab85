"""Rules of probability: Markov, independence, mixtures, unions."""

from __future__ import annotations

from proofs.algebra import RationalFunction
from proofs.citations import MARKOV
from proofs.kernel.definedness import require, require_defined, valued
from proofs.kernel.normal import as_term, normal, opaque
from proofs.kernel.regions import Range, Refused, Region, require_sign
from proofs.kernel.terms import (
    Number,
    Term,
    at_most_zero,
    exp,
    expectation,
    modulus,
    randoms,
    substituted,
    term,
)
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    SameLaw,
    Theorem,
    comparison,
    range_alone,
    require_inside,
    rule,
)


@rule
def markov(variable: Term, rate: Term | Number, region: Region) -> Concluded:
    """P(X <= 0) <= E exp(-rate X) for a rate that is not negative."""
    times = term(rate)
    require(not randoms(times), f"the rate {rate} is random")
    require_sign(times, region, said="the rate")
    statement = Compare(at_most_zero(variable), "<=", expectation(exp(-(times * variable))))
    return Concluded(statement, region, cites=(MARKOV,))


@rule
def inclusion(theorem: Theorem) -> Concluded:
    """Y <= X, whatever they are, gives P(X <= 0) <= P(Y <= 0)."""
    found = comparison(theorem, "<=", "<", "=")
    statement = Compare(at_most_zero(found.right), "<=", at_most_zero(found.left))
    return Concluded(statement, theorem.region, (theorem,))


@rule
def powers_exceed(
    least: Term, variable: Term, exponent: Term | Number, region: Region
) -> Concluded:
    """P(|X| >= a) <= P(|X|^e >= a^e) for a that is not negative."""
    require_sign(least, region, said="what is exceeded")
    first = at_most_zero(least - modulus(variable))
    second = at_most_zero(modulus(least, exponent) - modulus(variable, exponent))
    return Concluded(Compare(first, "<=", second), region)


@rule
def first_moment(least: Term, variable: Term, region: Region) -> Concluded:
    """P(X >= a) <= E X/a for X that is not negative and a above 0."""
    require(not randoms(least), f"{least} is random")
    require_sign(variable, region, said="the variable")
    require_sign(least, region, strict=True, said="what is exceeded")
    statement = Compare(at_most_zero(least - variable), "<=", expectation(variable) / least)
    return Concluded(statement, region, cites=(MARKOV,))


@rule
def independent(exponent: Term, bound: Term, region: Region, *factors: Theorem) -> Concluded:
    """E exp(X) <= exp(bound), where X is the sum of a number and of independent variables.

    *factors*: a theorem E exp(Y) <= exp(f) for each summand Y, in any order; for a summand c S, where S
    is the sum of n independent copies of Z, one with Y = c Z, which counts n times. The bound is the
    number and these exponents together.
    """
    certain, summands = _summands(exponent)
    left = list(factors)
    total = certain
    for summand in summands:
        times, single = _single(summand)
        found = next((one for one in left if _bounds(one, single)), None)
        if found is None:
            raise Refused(f"no factor bounds E exp of {as_term(single)}, a summand of {exponent}")
        left.remove(found)
        require_inside(region, found)
        total = total + times * normal(_exponent(found))
    require(not left, f"{left[0] if left else ''} bounds no summand of {exponent}")
    require(total == normal(bound), f"the exponents add up to {as_term(total)}, not to {bound}")
    return Concluded(Compare(expectation(exp(exponent)), "<=", exp(bound)), region, tuple(factors))


def _exponent(theorem: Theorem) -> Term:
    found = comparison(theorem, "<=", "=").right
    if found.head != "exp":
        raise Refused(f"{found} is no exponential")
    return found.arguments[0]


def _bounds(theorem: Theorem, summand: RationalFunction) -> bool:
    """Whether a theorem bounds E exp of a summand, whatever its coordinates are called."""
    return normal(theorem.left) == normal(expectation(exp(as_term(summand))))


def _summands(exponent: Term) -> tuple[RationalFunction, list[RationalFunction]]:
    """The certain part, and the parts that share no random variable."""
    function = normal(exponent)
    bottom = function.denominator
    if _random(bottom):
        raise Refused(f"{exponent} has a random denominator")
    groups: list[tuple[set[str], RationalFunction]] = []
    certain = RationalFunction.constant(0)
    top = function.numerator
    for powers, value in top.coefficients().items():
        monomial = value / bottom
        for name, power in zip(top.names, powers, strict=True):
            monomial = monomial * RationalFunction.symbol(name) ** power
        own = _random(monomial)
        if not own:
            certain = certain + monomial
            continue
        touching = [group for group in groups if group[0] & own]
        for group in touching:
            groups.remove(group)
            own, monomial = own | group[0], monomial + group[1]
        groups.append((own, monomial))
    return certain, [function for _, function in groups]


def _random(function: RationalFunction) -> set[str]:
    """The symbols of random variables in a normal form.

    Refused for one of which not all is known, or that stands inside a function.
    """
    found = set()
    for name in function.names:
        behind = opaque(name)
        if behind is None or not randoms(behind):
            continue
        if behind.head not in ("coordinate", "sum"):
            raise Refused(f"{behind}: nothing is known of how it depends on others")
        found.add(name)
    return found


def _single(summand: RationalFunction) -> tuple[RationalFunction, RationalFunction]:
    """How often a summand counts, and one of what it is the sum of."""
    own = _random(summand)
    behind = [opaque(name) for name in own]
    if not any(one is not None and one.head == "sum" for one in behind):
        return RationalFunction.constant(1), summand
    (name,) = own if len(own) == 1 else ("",)
    one = opaque(name)
    if one is None:
        raise Refused(f"{as_term(summand)} mixes a sum of copies with other variables")
    share = summand / RationalFunction.symbol(name)
    if _random(share):
        raise Refused(f"{as_term(summand)} is no multiple of a sum of copies")
    count, copy = one.arguments
    return normal(count), share * normal(copy)


@rule
def mixture(theorem: Theorem, name: str, variable: Term) -> Concluded:
    """P(G(q) <= 0) <= h(q) for every number q gives P(G(Q) <= 0) <= E h(Q) for a random Q, independent
    of what G depends on besides, whose values are in the range of q.

    Q is a function of coordinates; that its values are in the range is decided for coordinates from -1
    to 1. h is an exponential or an infimum: h(Q) is a continuous function of these, or the infimum of
    continuous ones that are not negative, and its expectation exists.
    """
    found = comparison(theorem, "<=")
    require(found.left.head == "P", f"{found.left} is no probability")
    own = range_alone(theorem, name)
    bounded = found.right.head in ("exp", "inf")
    require(bounded, f"{found.right} is no exponential and no infimum")
    require(not randoms(found.right), f"{found.right} is random")
    inside = found.left.arguments[0]
    known = all(one.head in ("coordinate", "sum") for one in randoms(inside))
    require(known, f"{inside} is not known")
    for one in randoms(variable):
        require(one.head == "coordinate", f"{one} is no coordinate")
        require(one.name not in _names(inside), f"{one.name} is in {inside} already")
    region = theorem.region.without(name)
    _require_values(own, variable, region)
    left = at_most_zero(substituted(inside, {name: variable}))
    right = expectation(substituted(found.right, {name: variable}))
    return Concluded(Compare(left, "<=", right), region, (theorem,))


def _names(one: Term) -> set[str]:
    """The names of all coordinates in a term, bound ones too."""
    own = {one.name} if one.head == "coordinate" else set()
    return own.union(*map(_names, one.arguments))


def _require_values(own: Range, variable: Term, region: Region) -> None:
    """Refused unless the values of the variable are in the range of a symbol."""
    value, where = valued(variable, region)
    require_defined(value, where)
    require(not own.whole, f"{own.name} is whole")
    said = f"the values of {variable} lie in the range {own}"
    if own.lower is not None:
        require_sign(value - own.lower, where, strict=own.open_below, said=said)
    if own.upper is not None and value.head == "sqrt":  # both are squared
        require_sign(own.upper, where, said=said)
        under = own.upper**2 - value.arguments[0]
        require_sign(under, where, strict=own.open_above, said=said)
    elif own.upper is not None:
        require_sign(own.upper - value, where, strict=own.open_above, said=said)


@rule
def by_law(law: Theorem, theorem: Theorem) -> Concluded:
    """What holds of P(Y <= 0) holds of P(X <= 0), X with the law of Y; on the region of the theorem."""
    found = comparison(theorem, "<=", "<", "=")
    if not isinstance(law.statement, SameLaw):
        raise Refused(f"{law.statement} does not say that two laws are the same")
    require_inside(theorem.region, law)
    same_variable = normal(found.left) == normal(at_most_zero(law.right))
    require(same_variable, f"{found.left} is not the probability of {law.right} <= 0")
    statement = Compare(at_most_zero(law.left), found.relation, found.right)
    return Concluded(statement, theorem.region, (law, theorem))


@rule
def certain(value: Term, region: Region) -> Concluded:
    """E c = c for what is not random."""
    require(not randoms(value), f"{value} is random")
    return Concluded(Compare(expectation(value), "=", value), region)
