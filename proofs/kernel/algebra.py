"""Rules of algebra and order: identities, signs on a region, substitution, chains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from proofs.algebra.balls import precision
from proofs.citations import COORDINATE_LAW
from proofs.kernel.definedness import is_whole, require, require_defined
from proofs.kernel.normal import same
from proofs.kernel.regions import Refused, Region, decided_sign, require_sign
from proofs.kernel.terms import (
    Number,
    Term,
    exp,
    free,
    log,
    occurs,
    randoms,
    replaced,
    sqrt,
    substituted,
    symbol,
    term,
    variables,
)
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    SameLaw,
    Statement,
    Theorem,
    comparison,
    require_inside,
    require_others_free,
    require_theorem,
    rule,
)
from proofs.kernel.values import holds


@rule
def assume(statement: Compare, region: Region) -> Concluded:
    """A hypothesis holds where it is supposed to."""
    return Concluded(statement, region, added=(statement,))


@rule
def identity(left: Term, right: Term, region: Region) -> Concluded:
    """Both sides have one normal form."""
    require(same(left, right), f"{left} = {right} is no identity")
    return Concluded(Compare(left, "=", right), region)


@rule
def sign(statement: Compare, region: Region, *parts: tuple[Term | Number, Theorem]) -> Concluded:
    """right - left is not negative, or above 0 for a strict comparison, on all of the region.

    *parts*: multipliers that are not negative, each with a theorem a <= b: what must have the sign is
    right - left less the multipliers times b - a.
    """
    require(statement.relation in ("<=", "<"), f"{statement} is no comparison by <= or <")
    rest = statement.right - statement.left
    multipliers: list[Term] = []
    for part in parts:
        if type(part) is not tuple or len(part) != 2:
            raise TypeError(f"parts: {part!r} is no multiplier with a theorem")
        by, theorem = term(part[0]), part[1]
        multipliers.append(by)
        require_theorem(theorem)
        given = comparison(theorem, "<=", "<", "=")
        require_inside(region, theorem)
        require_defined(by, region)
        if given.relation != "=":
            require_sign(by, region, said=f"the multiplier of {given}")
        rest = rest - by * (given.right - given.left)
    require_sign(rest, region, strict=statement.relation == "<", said=str(statement))
    uses = tuple(theorem for _, theorem in parts)
    return Concluded(statement, region, uses=uses, choices=tuple(multipliers))


@rule
def square(one: Term, region: Region) -> Concluded:
    """0 <= a^2, which as a part of a sign decides what has both signs in its coefficients."""
    return Concluded(Compare(term(0), "<=", one**2), region)


@rule
def instantiate(
    theorem: Theorem, values: Mapping[str, Term | Number], region: Region, *known: Theorem
) -> Concluded:
    """The theorem with terms for symbols, on a region on which these lie in the ranges of the symbols.

    That they do is decided by a sign, or *known*.
    """
    table = {name: term(value) for name, value in values.items()}
    for name, value in table.items():
        require(name in theorem.region.names, f"{name} is no symbol of what is used: {theorem}")
        require_defined(value, region)
    require_inside(region, theorem, table, known)
    found = _substituted(theorem.statement, table)
    needed = (h for fact in known for h in fact.hypotheses)
    own = (_compare(h, table) for h in theorem.hypotheses)
    return Concluded(
        found, region, (theorem, *known), added=(*own, *needed), discharged=theorem.hypotheses
    )


def _compare(statement: Compare, table: Mapping[str, Term]) -> Compare:
    return Compare(
        substituted(statement.left, table), statement.relation, substituted(statement.right, table)
    )


def _substituted(statement: Statement, table: Mapping[str, Term]) -> Statement:
    if isinstance(statement, Compare):
        return _compare(statement, table)
    for value in table.values():  # on one side it would be independent, on the other not
        require(not randoms(value), f"{value} is random: it has no place in {statement}")
    return type(statement)(*(substituted(side, table) for side in statement.sides))


@rule
def discharge(theorem: Theorem, *known: Theorem) -> Concluded:
    """The theorem without the hypotheses that are known, on the same region."""
    facts = []
    for fact in known:
        require_inside(theorem.region, fact)
        facts.append(comparison(fact, "<=", "<", "="))
    met = tuple(h for h in theorem.hypotheses if any(map(h.same, facts)))
    require(len(met) > 0, f"none of what is known is a hypothesis of {theorem}")
    # What a fact needs itself stays, be it what it meets.
    needed = tuple(h for fact in known for h in fact.hypotheses)
    return Concluded(theorem.statement, theorem.region, (theorem, *known), needed, met)


@rule
def restate(theorem: Theorem, statement: Statement, region: Region | None = None) -> Concluded:
    """The same in another form, each side with the normal form that it had; on a part of the region."""
    where = theorem.region if region is None else region
    require_inside(where, theorem)
    require(theorem.statement.same(statement), f"{statement} is not {theorem.statement}")
    return Concluded(statement, where, (theorem,))


@rule
def chain(first: Theorem, second: Theorem) -> Concluded:
    """a <= b and b <= c give a <= c, on the region of the first; < where one is, = where both are."""
    one, other = comparison(first, "<=", "<", "="), comparison(second, "<=", "<", "=")
    require_inside(first.region, second)
    require(same(one.right, other.left), f"{one} does not end where {other} begins")
    relations = {one.relation, other.relation}
    relation = "<" if "<" in relations else "<=" if "<=" in relations else "="
    return Concluded(Compare(one.left, relation, other.right), first.region, (first, second))


@rule
def by_cases(name: str, low: Theorem, high: Theorem) -> Concluded:
    """What holds where a symbol is at most m, and where it is at least m, holds between the outer ends.

    All other ranges are the same, and m belongs to one side at least.
    """
    below, above = low.region.range(name), high.region.range(name)
    if below is None or above is None:
        raise Refused(f"{name} has no range in {low.region} or in {high.region}")
    if below.upper is None or above.lower is None:
        raise Refused(f"{below} does not end, or {above} does not begin")
    meet = same(below.upper, above.lower) and not (below.open_above and above.open_below)
    require(meet, f"{below} and {above} do not meet")
    require(below.whole == above.whole, f"of {below} and {above} one is whole")
    whole_ = replace(below, upper=above.upper, open_above=above.open_above)

    def joined(region: Region) -> Region:
        return Region(tuple(whole_ if it.name == name else it for it in region.ranges))

    region = joined(low.region)
    require(region == joined(high.region), f"{low.region} and {high.region} differ in more")
    require(low.statement.same(high.statement), f"{low.statement} is not {high.statement}")
    return Concluded(low.statement, region, (low, high))


@rule
def where_equal(theorem: Theorem, equality: Theorem, statement: Statement) -> Concluded:
    """The same, said by means of a = b, neither random: with b written for every a both statements have
    one normal form."""
    found = comparison(equality, "=")
    require_inside(theorem.region, equality)
    require(not randoms(found.left) | randoms(found.right), f"{found} is random")

    def written(one: Statement) -> Statement:
        left, right = (replaced(side, found.left, found.right) for side in one.sides)
        if isinstance(one, Compare):
            return Compare(left, one.relation, right)
        return type(one)(left, right)

    fits = written(theorem.statement).same(written(statement))
    stands = any(
        occurs(found.left, it) for one in (theorem.statement, statement) for it in one.sides
    )
    missed = (
        "" if stands else f"; {found.left} stands in neither as it is written, restate one first"
    )
    require(fits, f"{statement} is not {theorem.statement} where {found}{missed}")
    return Concluded(statement, theorem.region, (theorem, equality))


@rule
def numeric(statement: Compare, region: Region) -> Concluded:
    """A comparison of numbers, without symbols, that is decided exactly or by balls."""
    unknown = set().union(*map(free, statement.sides))
    require(not unknown, f"{statement} has symbols")
    with precision():
        require(holds(statement, {}) is True, f"{statement} is not decided by balls")
    drawn = any(variables(side) for side in statement.sides)
    return Concluded(statement, region, cites=(COORDINATE_LAW,) if drawn else ())


@rule
def turned(theorem: Theorem) -> Concluded:
    """a = b gives b = a."""
    found = comparison(theorem, "=")
    return Concluded(Compare(found.right, "=", found.left), theorem.region, (theorem,))


@rule
def exponential(theorem: Theorem) -> Concluded:
    """a <= b gives exp(a) <= exp(b)."""
    found = comparison(theorem, "<=", "<", "=")
    statement = Compare(exp(found.left), found.relation, exp(found.right))
    return Concluded(statement, theorem.region, (theorem,))


@rule
def logarithm(theorem: Theorem) -> Concluded:
    """a <= b gives log(a) <= log(b) for a above 0."""
    found = comparison(theorem, "<=", "<", "=")
    require_sign(found.left, theorem.region, strict=True, said="what is under the logarithm")
    statement = Compare(log(found.left), found.relation, log(found.right))
    return Concluded(statement, theorem.region, (theorem,))


@rule
def times(theorem: Theorem, factor: Term | Number) -> Concluded:
    """a <= b gives c a <= c b for a factor c that is not negative."""
    found, by = comparison(theorem, "<=", "="), term(factor)
    require_sign(by, theorem.region, said="the factor")
    statement = Compare(by * found.left, found.relation, by * found.right)
    return Concluded(statement, theorem.region, (theorem,))


@rule
def add(first: Theorem, second: Theorem) -> Concluded:
    """a <= b and c <= d give a + c <= b + d, on the region of the first."""
    one, other = comparison(first, "<=", "="), comparison(second, "<=", "=")
    require_inside(first.region, second)
    relation = "<=" if "<=" in (one.relation, other.relation) else "="
    statement = Compare(one.left + other.left, relation, one.right + other.right)
    return Concluded(statement, first.region, (first, second))


@rule
def induction(name: str, first: Theorem, step: Theorem) -> Concluded:
    """S(k) and, for n >= k, S(n) implies S(n + 1), give S(n) for all n >= k; k is a number.

    *step* concludes S(n + 1) under the hypothesis S(n), n being the symbol *name*; *first* is S(k).
    """
    own = step.region.range(name)
    if own is None or own.lower is None:
        raise Refused(f"{name} has no lower end in {step.region}")
    all_ = own.whole and own.upper is None and not own.open_below
    require(all_, f"{name} has not all whole numbers from one on")
    begins = free(own.lower) == set() and is_whole(own.lower, step.region)
    require(begins, f"{name} begins at {own.lower}, which is no whole number")
    require_others_free(name, step.region)
    following = comparison(step, "<=", "<", "=")
    supposed = _before(step, following, name)
    for given in step.hypotheses:
        fixed = given is supposed or name not in free(given.left) | free(given.right)
        require(fixed, f"the hypothesis {given} depends on {name}")
    start = _compare(supposed, {name: own.lower})
    require(comparison(first, "<=", "<", "=").same(start), f"{first.statement} is not {start}")
    require_inside(step.region.without(name), first)
    # Only the step is rid of the hypothesis: what the first needs itself stays, be it the same.
    return Concluded(
        supposed, step.region, (first, step), added=first.hypotheses, discharged=(supposed,)
    )


def _before(step: Theorem, following: Compare, name: str) -> Compare:
    """The hypothesis of which a statement is the next."""
    for given in step.hypotheses:
        if _compare(given, {name: symbol(name) + 1}).same(following):
            return given
    raise Refused(f"{following} is not the next of a hypothesis of {step}")


@rule
def root_of_square(factor: Term | Number, under: Term, region: Region) -> Concluded:
    """sqrt(c^2 a) = c sqrt(a) for c and a that are not negative."""
    c = term(factor)
    for one, said in ((c, "the factor"), (under, "what is under the root")):
        require_sign(one, region, said=said)
    return Concluded(Compare(sqrt(c**2 * under), "=", c * sqrt(under)), region)


@rule
def exp_of_sum(first: Term, second: Term, region: Region) -> Concluded:
    """exp(a) exp(b) = exp(a + b)."""
    return Concluded(Compare(exp(first) * exp(second), "=", exp(first + second)), region)


@rule
def log_of_quotient(top: Term | Number, bottom: Term | Number, region: Region) -> Concluded:
    """log(a/b) = log(a) - log(b) for a and b above 0."""
    a, b = term(top), term(bottom)
    for one in (a, b):
        require_sign(one, region, strict=True, said="what is under the logarithm")
    return Concluded(Compare(log(a / b), "=", log(a) - log(b)), region)


@rule
def exp_of_log(argument: Term, power: int, region: Region) -> Concluded:
    """exp(power log(a)) = a^power for a above 0 and a whole power."""
    require_sign(argument, region, strict=True, said="what is under the logarithm")
    return Concluded(Compare(exp(power * log(argument)), "=", argument**power), region)


@rule
def log_of_exp(argument: Term, region: Region) -> Concluded:
    """log(exp(a)) = a."""
    return Concluded(Compare(log(exp(argument)), "=", argument), region)


@rule
def log_above_zero(argument: Term, region: Region) -> Concluded:
    """0 < log(a) for a above 1."""
    require_sign(argument - 1, region, strict=True, said="what is under the logarithm, less 1")
    return Concluded(Compare(term(0), "<", log(argument)), region)


@rule
def weaken(
    theorem: Theorem, statement: Statement, region: Region, hypotheses: tuple[Compare, ...] = ()
) -> Concluded:
    """What follows from a theorem at once: on a part of its region, under hypotheses from which each of
    its own follows, with the same left side and a right side that is not smaller."""
    require_inside(region, theorem)
    hypotheses = tuple(hypotheses)
    for needed in theorem.hypotheses:
        require(
            any(_implies(given, needed, region) for given in hypotheses),
            f"the hypothesis {needed} does not follow from "
            f"{' or '.join(map(str, hypotheses)) or 'none'}",
        )
    own = theorem.statement
    if not own.same(statement):
        about = type(own) is type(statement) and type(own) is not SameLaw
        require(
            about and same(own.left, statement.left),
            f"{statement} is not about what {own} is about",
        )
        one, other = (getattr(it, "relation", "<=") for it in (own, statement))
        require(one in ("<=", "=") and other == "<=", f"{one} does not say {other}")
        _require_larger(statement.right, own.right, region)
    return Concluded(statement, region, (theorem,), added=hypotheses, discharged=theorem.hypotheses)


def _implies(given: Compare, needed: Compare, region: Region) -> bool:
    if given.same(needed):
        return True
    if "=" in (given.relation, needed.relation) or (needed.relation, given.relation) == ("<", "<="):
        return False
    more = (needed.right - needed.left) - (given.right - given.left)
    return decided_sign(more, region)


def _require_larger(larger: Term, smaller: Term, region: Region) -> None:
    """Refused unless one term is at least the other; of exponentials the exponents are compared."""
    while larger.head == smaller.head == "exp":
        larger, smaller = larger.arguments[0], smaller.arguments[0]
    require_sign(larger - smaller, region, said=f"{larger} >= {smaller}")
