"""The quantities of the two-input MLP memory that the proof of Lemma 3 speaks of (App. C.2).

Exact side: one neuron's terms omega and the margin, in the language of ``proofs.moments``, for given
degrees p, k of the features and symbolic coefficients c_0, ..., c_q of the activation. Measured side:
embeddings are sampled, the Gaussian weights integrated by cubature
(``numerics.papers.nichani.two_input_observables``). The two share nothing but the paper's definition.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import factorial
from typing import Any, TypeAlias

from proofs.algebra import RationalFunction
from proofs.algebra.balls import enclosure
from proofs.algebra.symbols import ZERO, symbols
from proofs.derived import Derived
from proofs.memories.mlp import activation
from proofs.memories.two_input_mlp import Definition, Shape, Table
from proofs.moments import (
    Condition,
    Expression,
    Gaussian,
    Range,
    Sphere,
    Splitting,
    covariance,
    dot,
    hermite_sum,
    mean,
    polynomial,
    sum_over,
    wick_power,
)
from proofs.moments.explicit import Instance
from verify.measuring.box import Box
from verify.measuring.measure import Experiment, Sizes
from verify.measuring.quantities import Measured, Quantity

#: The number of the answer of each subject (a row) in each relation.
Answers: TypeAlias = tuple[tuple[int, ...], ...]

#: Where single terms are measured.
TERMS: tuple[Sizes, ...] = ({"d": 3},)
#: The subject, the relation and the answer of a stored fact of each kind: those of the margin (0), or
#: others; the answer is a (0), b (1) or neither. Different relations have different answers.
KINDS: Mapping[str, tuple[int, int, int]] = {
    "own": (0, 0, 0),
    "subject-own": (1, 0, 0),
    "subject-rival": (1, 0, 1),
    "subject-generic": (1, 0, 2),
    "relation-rival": (0, 1, 1),
    "relation-generic": (0, 1, 2),
    "both-rival": (1, 1, 1),
    "both-generic": (1, 1, 2),
}
#: Two different facts of each kind.
PAIRS: Mapping[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "subject": ((1, 0, 0), (0, 0, 0)),
    "siblings": ((1, 0, 2), (2, 0, 2)),
    "relation": ((0, 1, 1), (0, 0, 0)),
    "both": ((1, 1, 1), (0, 0, 0)),
    "apart": ((1, 1, 2), (2, 2, 1)),
}
_WORDS = {
    "own": "(s', r') = (s, r)",
    "subject": "s' != s",
    "relation": "r' != r",
    "both": "s' != s, r' != r",
}
_ANSWERS = {"own": "a' = a", "rival": "a' = b", "generic": "a' neither a nor b"}


def _in_words(kind: str) -> str:
    place, _, answer = kind.partition("-")
    return _WORDS[place] + (f", {_ANSWERS[answer]}" if answer else "")


@dataclass(frozen=True)
class Degrees:
    """Those of the features, p and k, and of the activation, q."""

    p: int
    k: int
    q: int

    def __str__(self) -> str:
        return f"p = {self.p}, k = {self.k}, q = {self.q}"

    @property
    def order(self) -> int:
        return self.p + self.k

    def names(self) -> dict[str, RationalFunction]:
        """What printed formulas call the degrees, and c = E sigma^(p+k)(Z) = sqrt((p+k)!) c_{p+k}."""
        coefficient = RationalFunction.symbol(f"c{self.order}") if self.order <= self.q else ZERO
        return {
            "p": RationalFunction.constant(self.p),
            "k": RationalFunction.constant(self.k),
            "c": RationalFunction.root(factorial(self.order)) * coefficient,
        }

    def parameters(self) -> dict[str, Fraction]:
        """The coefficients at which the memory is measured: no two symbols of a formula have one
        value, and those above and below c_{p+k} are small, so that the terms vary little."""
        values = {f"c{j}": Fraction(1, 4) for j in range(self.q + 1)}
        higher = {f"c{j}": Fraction(1, 8) for j in range(self.order + 1, self.q + 1)}
        return {**values, **higher, f"c{self.order}": Fraction(3, 2)}

    def slope(self, square: Expression, order: int | None = None) -> Expression:
        """E sigma^(n)(Z sqrt(t)) at t = *square*, n = p + k unless *order* says otherwise.

        sigma^(n) has the terms c_j sqrt(j!/(j-n)!) h_{j-n}, and E He_{2i}(Z sqrt(t)) is
        (2i)!/(2^i i!) (t - 1)^i.
        """
        n = self.order if order is None else order
        coefficients = [
            RationalFunction.symbol(f"c{n + 2 * i}")
            * RationalFunction.root(factorial(n + 2 * i))
            * Fraction(1, 2**i * factorial(i))
            for i in range((self.q - n) // 2 + 1)
        ]
        return polynomial(coefficients or [ZERO], square - 1)


#: The smallest of them, at which everything is cheap.
SMALLEST = Degrees(1, 1, 2)


class Terms(Definition):
    """The memory of ``proofs.memories.two_input_mlp``, written out so that single terms can be had."""

    def __init__(self, degrees: Degrees) -> None:
        d, S, R, m = symbols("d S R m")
        super().__init__(Shape(d, S, R, m, degrees.p, degrees.k, degrees.q))
        self.degrees = degrees
        self.neurons = Range(m, "neurons")
        self.i, self.j = self.neurons.index("i"), self.neurons.index("j")
        subjects, relations, self.answer = (Sphere(f"phi_{name}", d) for name in "sra")
        #: Different subjects, relations and answers, those of the margin first.
        self.some = (
            [self.s, *(self.subjects.index(name) for name in ("s'", "s''"))],
            [self.r, *(self.relations.index(name) for name in ("r'", "r''"))],
            [self.a, self.b, self.answers.index("c")],
        )
        self.w = Gaussian("w", d)
        parts = Splitting(d, P=(d - 1) / 2, Q=(d - 1) / 2)
        P, Q = parts["P"], parts["Q"]
        self.subject: Callable[[Any], Expression] = lambda s: P @ subjects[s]
        self.relation: Callable[[Any], Expression] = lambda r: Q @ relations[r]

    def reading(self, a: Any) -> Expression:
        """<a', a - b>."""
        return dot(self.answer[a], self.answer[self.a] - self.answer[self.b])

    def neuron(self, i: Any) -> Expression:
        """sigma(<w_i, P s + Q r>)."""
        query = self.subject(self.s) + self.relation(self.r)
        return hermite_sum(activation(self.degrees.q), dot(self.w[i], query))

    def omega(self, i: Any, s: Any, r: Any, a: Any) -> Expression:
        """The term of a neuron and a stored fact (s, r, a)."""
        feature = wick_power(self.w[i], self.subject(s), self.degrees.p)
        feature = feature * wick_power(self.w[i], self.relation(r), self.degrees.k)
        return self.neuron(i) * feature * self.reading(a)

    def stated(
        self, s: Any, r: Any, a: Any, *, slope: Expression, subject: int, relation: int
    ) -> Expression:
        """slope <P s, P s'>^subject <Q r, Q r'>^relation <a', a - b>."""
        left = dot(self.subject(self.s), self.subject(s)) ** subject
        right = dot(self.relation(self.r), self.relation(r)) ** relation
        return slope * left * right * self.reading(a)

    def squares(self) -> tuple[Expression, Expression]:
        """|P s|^2 and |Q r|^2."""
        s, r = self.subject(self.s), self.relation(self.r)
        return dot(s, s), dot(r, r)

    def signal(self) -> Expression:
        """E sigma^(p+k)(Z sqrt(A + B)) A^p B^k, A = |P s|^2 and B = |Q r|^2."""
        A, B = self.squares()
        return self.degrees.slope(A + B) * A**self.degrees.p * B**self.degrees.k

    def fact(self, kind: tuple[int, int, int]) -> tuple[Any, Any, Any]:
        """Indices of a stored fact of a kind."""
        s, r, a = kind
        return self.some[0][s], self.some[1][r], self.some[2][a]

    def apart(self, *facts: tuple[Any, Any, Any]) -> list[Condition]:
        """What is different in the kinds of *facts* are different indices."""
        return indices_apart(
            [self.s, *(s for s, _, _ in facts)],
            [self.r, *(r for _, r, _ in facts)],
            [self.a, self.b, *(a for _, _, a in facts)],
        )


def indices_apart(*groups: Sequence[Any]) -> list[Condition]:
    """All indices of a group are different."""
    pairs = (pair for group in groups for pair in itertools.combinations(dict.fromkeys(group), 2))
    return [one != two for one, two in pairs]


def product_mean(factors: Sequence[Expression], given: Sequence[Condition]) -> Derived:
    """E of a product of two factors, without multiplying them out."""
    left, right = factors
    first, second = mean(left, given), mean(right, given)
    both = covariance(left, right, given)
    return replace(both, value=both.value + first.value * second.value, record=None)


@cache
def terms(degrees: Degrees) -> Terms:
    """The memory with a generic activation of degree q."""
    return Terms(degrees)


def _sigma(degrees: Degrees) -> tuple[float, ...]:
    return tuple(map(float, degrees.parameters().values()))


def _draw_terms(degrees: Degrees, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.two_input_observables import term_observables

    return term_observables(p=degrees.p, k=degrees.k, sigma=_sigma(degrees), **arguments)


def _draw_table(
    degrees: Degrees, answers: Sequence[Sequence[int]], about: float, **arguments: Any
) -> Mapping[str, Any]:
    from numerics.papers.nichani.two_input_observables import table_observables

    return table_observables(
        p=degrees.p,
        k=degrees.k,
        sigma=_sigma(degrees),
        answers=answers,
        about=about,
        **arguments,
    )


def sampled_terms(degrees: Degrees) -> Experiment:
    """Embeddings of the margin and of two facts of each kind; the neurons are integrated out."""
    return Experiment(f"two-input terms, {degrees}", partial(_draw_terms, degrees), chunk=8192)


def sampled_table(degrees: Degrees, answers: Answers, about: Fraction = Fraction(0)) -> Experiment:
    """The same for a whole table of facts; *about*: where the second moment "centred" is taken."""
    name = f"two-input table {answers}, {degrees}, about {about}"
    return Experiment(name, partial(_draw_table, degrees, answers, float(about)), chunk=8192)


#: The factors of what is averaged, at most two, and what is known of their indices.
_Build = Callable[[Terms], tuple[list[Expression], list[Condition]]]


def _quantity(name: str, symbol: str, degrees: Degrees, build: _Build, where: str) -> Quantity:
    """E of the factors of *build*. Measured by the observable of that name."""
    it = terms(degrees)

    @cache
    def exact() -> Derived:
        factors, given = build(it)
        derived = product_mean(factors, given) if factors[1:] else mean(factors[0], given)
        return replace(derived, scope=f"{degrees}, any c_j; d odd, d >= 3")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        factors, _ = build(it)
        positions = [it.fact((n, n, n)) for n in range(3)]
        instance = Instance(
            {it.subjects: 3, it.relations: 3, it.answers: 3, it.neurons: 2},
            {it.i: 0, it.j: 1, **{i: n for n, fact in enumerate(positions) for i in fact}},
            {},
            {"answers": 3, "S": 3, "R": 3, "m": 2, **sizes, **degrees.parameters()},
        )
        return instance.expectation(factors, sizes["d"])

    return Quantity(
        f"{name}, {degrees}",
        f"{symbol}, p = {degrees.p}, k = {degrees.k}",
        exact,
        {"d": 3},
        enumerate_,
        ({"d": 3},) if degrees == SMALLEST else (),
        Measured(sampled_terms(degrees), (name,), TERMS),
        where,
        names=degrees.names(),
        parameters=degrees.parameters(),
    )


@cache
def term_quantity(name: str, kind: str, degrees: Degrees) -> Quantity:
    """E omega_i ("mean"), E omega_i omega_j ("other") or E omega_i^2 ("square") of a stored fact of a
    *kind*."""
    symbol = {"mean": "E[omega_i]", "other": "E[omega_i omega_j]", "square": "E[omega_i^2]"}[name]

    def build(it: Terms) -> tuple[list[Expression], list[Condition]]:
        fact = it.fact(KINDS[kind])
        given, omega = it.apart(fact), it.omega(it.i, *fact)
        if name == "mean":
            return [omega], given
        if name == "square":
            return [omega, omega], given
        return [omega, it.omega(it.j, *fact)], [it.i != it.j, *given]

    return _quantity(f"{name}.{kind}", f"{symbol}, {_in_words(kind)}", degrees, build, kind)


@cache
def cross_quantity(sharing: str, kind: str, degrees: Degrees) -> Quantity:
    """E[omega_i(t) omega_j(u)] of two different facts of a *kind* in PAIRS, i = j (*sharing* "same") or
    not ("other")."""

    def build(it: Terms) -> tuple[list[Expression], list[Condition]]:
        first, second = (it.fact(fact) for fact in PAIRS[kind])
        neuron = it.i if sharing == "same" else it.j
        apart = [] if sharing == "same" else [it.i != it.j]
        return [it.omega(it.i, *first), it.omega(neuron, *second)], [
            *apart,
            *it.apart(first, second),
        ]

    symbol = f"E[omega_i(t) omega_{'i' if sharing == 'same' else 'j'}(u)], {_PAIRS[kind]}"
    quantity = _quantity(f"cross.{sharing}.{kind}", symbol, degrees, build, f"{sharing}_{kind}")
    # Products of larger degrees are too small, or vary too much, to be measured.
    if degrees.order > 3:
        quantity = replace(quantity, measured=replace(quantity.measured, sizes=()))
    return quantity


_PAIRS = {
    "subject": "t = (s', r) with the answer a, u = (s, r)",
    "siblings": "t = (s', r), u = (s'', r) with one answer",
    "relation": "t = (s, r') with the answer b, u = (s, r)",
    "both": "t = (s', r') with the answer b, u = (s, r)",
    "apart": "t = (s', r'), u = (s'', r'')",
}


@cache
def answer_quantity(kind: str) -> Quantity:
    """E<a', a - b>^2 for a' = a ("own"), b ("rival") or another ("generic"); printed formulas call
    E<a', b>^2 x and E<a', a>^2 y."""
    it = terms(SMALLEST)
    a = it.fact((0, 0, {"own": 0, "rival": 1, "generic": 2}[kind]))[2]
    given = indices_apart([it.a, it.b, a])
    x, y = (mean(dot(it.answer[a], it.answer[c]) ** 2, given).value for c in (it.b, it.a))
    quantity = _quantity(
        f"answer.{kind}",
        f"E<a', a - b>^2, {_ANSWERS[kind]}",
        SMALLEST,
        lambda it: ([it.reading(a), it.reading(a)], given),
        kind,
    )
    measured = Measured(sampled_projections(), (f"answer.{kind}",), ({"d": 3}, {"d": 5}))
    return replace(quantity, names={"x": x, "y": y}, parameters={}, measured=measured)


@cache
def signal_quantity(degrees: Degrees, *, squared: bool) -> Quantity:
    """E X, or E X^2, for X = E_Z[sigma^(p+k)(Z sqrt(A + B))] A^p B^k."""
    return _quantity(
        "signal-squared" if squared else "signal",
        "E X^2" if squared else "E X",
        degrees,
        lambda it: ([it.signal()] * (1 + squared), []),
        "",
    )


@cache
def factor_quantity(name: str, degrees: Degrees) -> Quantity:
    """E<P s, P s'>^(2p) ("subject"), E<Q r, Q r'>^(2k) ("relation"), E A^(2p) and E B^(2k) ("-norm"), or
    E sigma(<w, P s + Q r>)^2 ("activation")."""

    def build(it: Terms) -> tuple[list[Expression], list[Condition]]:
        s, r, _ = it.fact((1, 1, 2))
        A, B = it.squares()
        p, k = degrees.p, degrees.k
        if name == "activation":
            return [it.neuron(it.i)] * 2, []
        if name == "subject":
            return [dot(it.subject(it.s), it.subject(s)) ** p] * 2, [it.s != s]
        if name == "relation":
            return [dot(it.relation(it.r), it.relation(r)) ** k] * 2, [it.r != r]
        return [A**p if name == "subject-norm" else B**k] * 2, []

    return _quantity(name, _FACTORS[name], degrees, build, "")


_FACTORS = {
    "subject": "E<P s, P s'>^(2p)",
    "relation": "E<Q r, Q r'>^(2k)",
    "subject-norm": "E|P s|^(4p)",
    "relation-norm": "E|Q r|^(4k)",
    "activation": "E sigma(<w, P s + Q r>)^2",
}


def _draw_projections(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.two_input_observables import projection_observables

    return projection_observables(**arguments)


def sampled_projections() -> Experiment:
    """Overlaps of projected subjects and of answers, in any odd dimension."""
    return Experiment("two-input projections", _draw_projections)


# -- whole tables ---------------------------------------------------------------------------------

#: One fact; two subjects and two relations, all answers different and b without a fact; or b the answer
#: of the other subject in r, and one answer for both subjects in the other relation.
LONE: Answers = ((0,),)
GRID: Answers = ((0, 2), (3, 4))
RIVAL: Answers = ((0, 2), (1, 2))
_TABLES: Mapping[Answers, Table] = {
    LONE: Table(1, 0),
    GRID: Table(1, 0),
    RIVAL: Table(1, 1, "same relation"),
}


def _instance(it: Terms, answers: Sequence[Sequence[int]], sizes: Sizes) -> Instance:
    """The table at explicit sizes, which have S and R as the table does."""
    facts = {(s, r, a) for s, row in enumerate(answers) for r, a in enumerate(row)}
    count, m = 1 + max(1, *(a for _, _, a in facts)), sizes.get("m", 1)
    return Instance(
        {it.subjects: sizes["S"], it.relations: sizes["R"], it.answers: count, it.neurons: m},
        {it.s: 0, it.r: 0, it.a: 0, it.b: 1, it.i: 0, it.j: m - 1},
        {},
        {"answers": count, "m": m, **sizes, **it.degrees.parameters()},
        {it.facts: facts},
    )


@cache
def table_quantity(
    name: str, answers: Answers, degrees: Degrees, *, d: int = 3, m: int = 8
) -> Quantity:
    """A moment of the margin, or a sum over the facts of a table like *answers*: "mean", "second" and
    "variance" of gamma, "square-sum" and "other-sum" of E omega_i^2 and of E omega_i omega_j. Measured
    at *d* and *m*."""
    it, table = terms(degrees), _TABLES[answers]
    symbol, build = _SUMS[name]
    factors, apart = build(it)
    given = [*apart, *it.given(table)]

    @cache
    def exact() -> Derived:
        derived = product_mean(factors, given) if factors[1:] else mean(factors[0], given)
        if name == "variance":
            derived = replace(derived, value=derived.value - mean(factors[0], given).value ** 2)
        return replace(derived, scope=f"{degrees}, any c_j; d odd, all S, R, m; {table}")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        instance = _instance(it, answers, sizes)
        value = instance.expectation(factors, sizes["d"])
        if name == "variance":
            value = value - instance.expectation(factors[:1], sizes["d"]) ** 2
        return value

    subjects, relations = len(answers), len(answers[0])
    sizes = {"d": d, "S": subjects, "R": relations, "m": m}
    about = Fraction(0)
    if name == "variance":
        found = mean(factors[0], given).value(**sizes, **degrees.parameters())
        about = enclosure(found)[0]
    observable = "centred" if name == "variance" else name
    return Quantity(
        f"{name}, {answers}, {degrees}",
        f"{symbol}, p = {degrees.p}, k = {degrees.k}",
        exact,
        # Two different neurons are at least two.
        {"d": 3, "S": subjects, "R": relations, "m": 2 if name == "other-sum" else 1},
        enumerate_,
        ({"d": 3, "S": 1, "R": 1, "m": 2},) if answers == LONE else (),
        Measured(sampled_table(degrees, answers, about), (observable,), (sizes,)),
        "",
        names=degrees.names(),
        parameters=degrees.parameters(),
    )


def _margin(it: Terms) -> Expression:
    s, r, a = it.subjects.index("s'"), it.relations.index("r'"), it.answers.index("a'")
    feature = wick_power(it.w[it.i], it.subject(s), it.degrees.p)
    feature = feature * wick_power(it.w[it.i], it.relation(r), it.degrees.k)
    memory = sum_over((s, r, a), feature * it.reading(a), where=it.facts(s, r, a))
    margin: Expression = sum_over(it.i, it.neuron(it.i) * memory) / RationalFunction.symbol("m")
    return margin


def _over_facts(it: Terms, summand: Callable[[Any, Any, Any], Expression]) -> Expression:
    s, r, a = it.subjects.index("s'"), it.relations.index("r'"), it.answers.index("a'")
    total: Expression = sum_over((s, r, a), summand(s, r, a), where=it.facts(s, r, a))
    return total


def _products(it: Terms, j: Any) -> Expression:
    return _over_facts(it, lambda *fact: it.omega(it.i, *fact) * it.omega(j, *fact))


_SUMS: Mapping[str, tuple[str, _Build]] = {
    "mean": ("E[gamma]", lambda it: ([_margin(it)], [])),
    "second": ("E[gamma^2]", lambda it: ([_margin(it)] * 2, [])),
    "variance": ("Var(gamma)", lambda it: ([_margin(it)] * 2, [])),
    "square-sum": ("sum E[omega_i^2]", lambda it: ([_products(it, it.i)], [])),
    "other-sum": ("sum E[omega_i omega_j]", lambda it: ([_products(it, it.j)], [it.i != it.j])),
}


@cache
def answer_sum() -> Quantity:
    """sum over the facts of E<a', a - b>^2, with n facts that have the answer a and w that have b."""
    it = terms(SMALLEST)
    n, w = symbols("n w")
    total = _over_facts(it, lambda s, r, a: it.reading(a) ** 2)

    @cache
    def exact() -> Derived:
        derived = mean(total, it.given(Table(n, w, "same relation")))
        return replace(derived, scope="all d, S, R and tables")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        return _instance(it, _answers(**sizes), sizes).expectation([total], sizes["d"])

    sizes = {"d": 3, "S": 3, "R": 2, "n": 1, "w": 1}
    experiment = Experiment("two-input answers", _draw_answers)
    return Quantity(
        "answer sum",
        "sum E<a', a - b>^2",
        exact,
        Box({"d": 3, "S": 1, "R": 1, "n": 1, "w": 0}, "n + w <= S"),
        enumerate_,
        (sizes,),
        Measured(experiment, ("answers",), (sizes,)),
    )


def _answers(n: int, w: int, S: int, R: int, **_: Any) -> list[list[int]]:
    """A table in which n subjects have the answer a, w have b in the first relation, n + w <= S."""
    first = [0] * n + [1] * w + list(range(2, 2 + S - n - w))
    return [[first[s], *(2 + S * r + s for r in range(1, R))] for s in range(S)]


def _draw_answers(n: int, w: int, S: int, R: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.two_input_observables import table_observables

    rows, sigma = _answers(n, w, S, R), _sigma(SMALLEST)
    found = table_observables(S=S, R=R, p=1, k=1, sigma=sigma, answers=rows, **arguments)
    return {"answers": found["answers"]}
