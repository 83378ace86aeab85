"""The quantities of the MLP memory that the proof of Theorem 9 speaks of (App. B).

Exact side: one neuron's terms omega_iz and the margin, in the language of ``proofs.moments``, for a
given degree k of the features and symbolic coefficients c_1, ..., c_q of the activation, q = k + 1.
Measured side: embeddings are sampled, the Gaussian weights integrated by cubature
(``numerics.papers.nichani.mlp_observables``). The two share nothing but the paper's definition.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories import mlp
from proofs.moments import Condition, Expression, dot, equal, mean, sum_over
from proofs.moments.explicit import Instance
from verify.measuring.measure import Experiment, Sizes
from verify.measuring.quantities import Measured, Quantity
from verify.statistics import product

#: Sizes for sums over the facts, for what depends on the width, and for single terms.
MEASURED: tuple[Sizes, ...] = ({"d": 2, "N": 4, "M": 5}, {"d": 3, "N": 3, "M": 4})
WIDTHS: tuple[Sizes, ...] = ({"d": 3, "N": 2, "M": 3, "m": 3},)
OVERLAPS: tuple[Sizes, ...] = ({"d": 2, "N": 3, "M": 4}, {"d": 3, "N": 3, "M": 4})


class Indices:
    """Neurons i != j and inputs z, z' of a definition."""

    def __init__(self, it: mlp.Definition) -> None:
        self.i, self.j = it.neurons.index("i"), it.neurons.index("j")
        self.z, self.z2 = it.inputs.index("z"), it.inputs.index("z'")


#: An expression over the definition, and what is known of its indices.
_Build = Callable[[mlp.Definition, Indices], tuple[Expression, list[Condition]]]


def definition(k: int) -> mlp.Definition:
    """The memory with features of degree k and a generic activation of degree k + 1."""
    return mlp.definition(k, k + 1)


def names(k: int) -> dict[str, RationalFunction]:
    """What printed formulas call the degree and the coefficient: r = sqrt(k + 1), c = c_{k+1}."""
    return {
        "k": RationalFunction.constant(k),
        "r": RationalFunction.root(k + 1),
        "c": RationalFunction.symbol(f"c{k + 1}"),
    }


def parameters(k: int) -> dict[str, Fraction]:
    """The coefficients at which the memory is measured."""
    lower = {f"c{j}": Fraction(1) for j in range(1, k + 1)}
    # Neither 1 nor a degree, so that no two symbols of a formula have one value.
    return {**lower, f"c{k + 1}": Fraction(5, 2) if k else Fraction(3, 2)}


def _sigma(k: int) -> tuple[float, ...]:
    return (1.0, *map(float, parameters(k).values()))


def _draw(k: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.mlp_observables import neuron_observables

    return neuron_observables(k=k, sigma=_sigma(k), **arguments)


def _draw_pairs(k: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.neuron_pairs import pair_observables

    return pair_observables(k=k, sigma=_sigma(k), **arguments)


def neurons(k: int) -> Experiment:
    """Embeddings of the memory with features of degree k and the activation of ``parameters``; the
    neurons are integrated out. For small d."""
    return Experiment(f"neurons, k = {k}", partial(_draw, k), chunk=8192)


def pairs(k: int) -> Experiment:
    """The same for one fact at a time, in any dimension."""
    return Experiment(f"neuron pairs, k = {k}", partial(_draw_pairs, k), chunk=8192)


def _quantity(
    name: str,
    symbol: str,
    k: int,
    build: _Build,
    domain: Mapping[str, int],
    *,
    other: int = 0,
    tiny: Sizes | None = None,
    where: str = "",
    sizes: Sequence[Sizes] = MEASURED,
    measured: Callable[[int], Experiment] = neurons,
) -> Quantity:
    """E of an expression at degree k; *other* inputs have the output y. Measured by the observable of
    its name."""
    it = definition(k)
    at = Indices(it)

    @cache
    def exact() -> Derived:
        expression, given = build(it, at)
        if at.j in expression.free_slots():
            given = [at.i != at.j, *given]
        derived = mean(expression, [*it.given(0, other), *given], name=symbol)
        return replace(derived, scope=f"k = {k}, c_1, ..., c_{k + 1}; {derived.scope}")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        N, m = sizes["N"], sizes["m"]
        third = {at.z2: 2} if N > 2 else {}
        instance = Instance(
            {it.inputs: N, it.outputs: N + 1, it.neurons: m},
            {it.x: 0, it.y: 1 if other else N, at.i: 0, at.j: 1, at.z: 1, **third},
            {it.association: range(N)},
            {"d": sizes["d"], "N": N, "M": N + 1, "m": m, **parameters(k)},
        )
        return instance.expectation([build(it, at)[0]], sizes["d"])

    return Quantity(
        f"{name}, k = {k}",
        f"{symbol}, k = {k}",
        exact,
        domain,
        enumerate_,
        () if tiny is None else (tiny,),
        Measured(measured(k), (name,), tuple(sizes)),
        where,
        names=names(k),
        parameters=parameters(k),
    )


def _term(kind: str, function: Callable[..., Expression]) -> _Build:
    """*function* of the definition, the indices and the fact: z = x, f(z) = y, or any other z."""

    def build(it: mlp.Definition, at: Indices) -> tuple[Expression, list[Condition]]:
        z = it.x if kind == "own" else at.z
        given = [] if kind == "own" else [at.z != it.x]
        if kind != "own":
            at_y = equal(it.association(at.z), it.y)
            given.append(at_y if kind == "rival" else it.association(at.z) != it.y)
        return function(it, at, z), given

    return build


def term_quantity(name: str, kind: str, k: int) -> Quantity:
    """A moment of one neuron's term omega_iz, or of a factor of it, for one *kind* of fact z."""
    symbol, function = _TERMS[name]
    return _quantity(
        f"{name}.{kind}",
        f"{symbol}, {_KINDS[kind]}",
        k,
        _term(kind, function),
        {"d": 1},
        other=int(kind == "rival"),
        tiny={"d": 1, "N": 2, "m": 2} if k < 3 else None,
        where=kind,
        sizes=OVERLAPS,
        measured=neurons if name in ("value", "feature") else pairs,
    )


_KINDS = {"own": "z = x", "rival": "f(z) = y", "generic": "f(z) neither f(x) nor y"}
_TERMS: Mapping[str, tuple[str, Callable[..., Expression]]] = {
    "diag": ("E[omega_iz^2]", lambda it, at, z: it.neuron(at.i, z) ** 2),
    "other": ("E[omega_iz omega_jz]", lambda it, at, z: it.neuron(at.i, z) * it.neuron(at.j, z)),
    "value": (
        "E[<v, u_f(x) - u_y>^2 <v, u_f(z)>^2]",
        lambda it, at, z: it.reading(at.i, z) ** 2,
    ),
    "feature": (
        "E[sigma'(<w, e_x>)^2 h_k(<w, e_z>)^2 <e_x, e_z>^2]",
        lambda it, at, z: it.feature(at.i, z) ** 2,
    ),
    "overlap": (
        "E[<e_z, e_x>^(2k+2)]",
        lambda it, at, z: dot(it.e[z], it.e[it.x]) ** (2 * it.k + 2),
    ),
}


def sum_quantity(name: str, k: int, inside: bool) -> Quantity:
    """A moment of the margin, or of a sum over the stored facts, y in the image of f or not."""
    symbol, function, domain = _SUMS[name]
    place = "inside" if inside else "outside"
    least = {"d": 1, "N": 2 if inside else 1}
    widths = {"m": 1} if "m" in domain else {}
    return _quantity(
        f"{name}.{place}",
        f"{symbol}, y {'in' if inside else 'outside'} the image",
        k,
        lambda it, at: (function(it, at), []),
        {**least, **widths},
        other=int(inside),
        tiny={"d": 1, "N": 2, "m": 2} if k < 3 else None,
        where=place,
        sizes=WIDTHS if widths else MEASURED,
        measured=pairs if name in ("diag-sum", "other-sum") else neurons,
    )


def _over_facts(summand: Callable[..., Expression]) -> Callable[..., Expression]:
    return lambda it, at: sum_over(at.z, summand(it, at, at.z))


_SUMS: Mapping[str, tuple[str, Callable[..., Expression], str]] = {
    "mean": ("E[gamma]", lambda it, at: it.margin, "d N"),
    "second": ("E[gamma^2]", lambda it, at: it.margin**2, "d N m"),
    "sum": (
        "sum_z E[<u_f(x) - u_y, u_f(z)> <e_z, e_x>^(k+1)]",
        _over_facts(
            lambda it, at, z: (
                dot(it.contrast(), it.u[it.association(z)]) * dot(it.e[z], it.e[it.x]) ** (it.k + 1)
            )
        ),
        "d N",
    ),
    "diag-sum": ("sum_z E[omega_iz^2]", _over_facts(_TERMS["diag"][1]), "d N"),
    "other-sum": ("sum_z E[omega_iz omega_jz]", _over_facts(_TERMS["other"][1]), "d N"),
}


def cross_quantity(sharing: str, facts: str, k: int) -> Quantity:
    """E[omega_iz omega_jz'], z != z': i = j (*sharing* "same") or not ("other"), for *facts* of a
    kind in ``CROSS``."""
    second = "i" if sharing == "same" else "j"

    def build(it: mlp.Definition, at: Indices) -> tuple[Expression, list[Condition]]:
        f, x, y = it.association, it.x, it.y
        if facts == "generic":
            z2, given = at.z2, [at.z2 != x, at.z2 != at.z, f(at.z2) != y, f(at.z) != y]
        else:
            at_y = equal(f(at.z), y)
            z2, given = x, [at_y if facts == "rival" else f(at.z) != y]
        product = it.neuron(at.i, at.z) * it.neuron(getattr(at, second), z2)
        return product, [at.z != x, *given]

    return _quantity(
        f"cross.{sharing}.{facts}",
        f"E[omega_iz omega_{second}z'], {CROSS[facts]}",
        k,
        build,
        {"d": 1},
        other=int(facts == "rival"),
        tiny={"d": 1, "N": 3, "m": 2} if k < 3 else None,
        where=f"{sharing}_{facts}",
        # From k = 2 on one neuron's products vary too much for a measurement.
        sizes=() if sharing == "same" and k > 1 else OVERLAPS[:1],
    )


#: Kinds of two different facts z, z'.
CROSS = {
    "generic": "z' other than x",
    "own": "z' = x",
    "rival": "z' = x, f(z) = y",
}


def reading_product() -> Quantity:
    """E[<v, u_f(x) - u_y>^4] E[<v, u_f(z)>^4]."""
    it = definition(0)
    at = Indices(it)

    @cache
    def exact() -> Derived:
        v, given = it.v[at.i], it.given(0, 0)
        gap = mean(dot(v, it.contrast()) ** 4, given)
        unit = mean(dot(v, it.u[it.association(it.x)]) ** 4, given)
        return replace(gap, value=gap.value * unit.value, scope="d >= 1")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        d, value = sizes["d"], it.u[it.association(it.x)]
        instance = Instance(
            {it.inputs: 1, it.outputs: 2, it.neurons: 1},
            {it.x: 0, it.y: 1, at.i: 0},
            {it.association: range(1)},
            {"d": d, "N": 1, "M": 2, "m": 1},
        )
        factors = (dot(it.v[at.i], it.contrast()) ** 4, dot(it.v[at.i], value) ** 4)
        gap, unit = (instance.expectation([factor], d) for factor in factors)
        return gap * unit

    sizes = ({"d": 1, "N": 1, "M": 2}, {"d": 2, "N": 1, "M": 2})
    return Quantity(
        "reading product",
        "E[<v, u_f(x) - u_y>^4] E[<v, u_f(z)>^4]",
        exact,
        {"d": 1},
        enumerate_,
        ({"d": 1}, {"d": 2}),
        Measured(pairs(0), ("value4", "unit4"), sizes, product),
    )
