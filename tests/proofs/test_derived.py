"""What a derivation returns: display, sizes within the domain, origins of terms, leading orders."""

from __future__ import annotations

import pytest
import sympy

from proofs.derived import Derived
from proofs.memories.linear import definition
from proofs.moments import Condition, in_image, variance

d, N = sympy.symbols("d N", positive=True, integer=True)


@pytest.fixture(name="result")
def _variance() -> Derived:
    return variance(definition().margin, _given(), name="gamma")


def test_equality_is_decided_in_the_field(result: Derived) -> None:
    assert result == 2 / d + (2 * N - 3) / d**2
    assert result == variance(definition().margin, _given())
    assert result != 2 / d + (2 * N - 2) / d**2
    assert len({result, variance(definition().margin, _given())}) == 1


def _given() -> list[Condition]:
    m = definition()
    return [m.y != m.association(m.x), in_image(m.y)]


def test_a_term_is_traced_to_its_pattern(result: Derived) -> None:
    (step,) = result.source(2 * (N - 2) / d**2)
    assert "another input (2 times): (N - 2) x 2/d^2" in str(step)


def test_a_sum_of_terms_is_traced_to_its_patterns(result: Derived) -> None:
    steps = result.source((d + 1) / d + (d + 1) / d**2)
    assert [step.text.partition(" are ")[2][:1] for step in steps] == ["x", "a"]


def test_what_no_step_contributes_is_refused_with_what_they_do(result: Derived) -> None:
    with pytest.raises(ValueError, match=r"add up to 2\*N/d\^2; the steps are(.*\n)*.*x 2/d\^2"):
        result.source(2 * N / d**2)


@pytest.mark.parametrize(("sizes", "bound"), [({"N": 1}, "N - 2"), ({"d": 0, "N": 5}, "d >= 1")])
def test_sizes_outside_the_domain_are_refused(
    result: Derived, sizes: dict[str, int], bound: str
) -> None:
    with pytest.raises(ValueError, match=bound):
        result(**{"d": 3, **sizes})


def test_the_domain_is_no_larger_than_it_must_be(result: Derived) -> None:
    assert result(d=1, N=2, M=2) == 3


def test_regimes_name_the_leading_orders(result: Derived) -> None:
    assert [str(r) for r in result.regimes("d", "N")] == [
        "1 << d << N: 2*N/d^2",
        "d ~ N: 2*(N + d)/d^2",
        "N << d: 2/d",
    ]
    assert (
        result.leading(d=1, N=2).term
        == 2 * definition().inputs.size / definition().e.dimension ** 2
    )


def test_displays_are_the_same_formula(result: Derived) -> None:
    for text in (result.factored(), result.expanded()):
        assert result == sympy.sympify(text.replace("^", "**"), locals={"N": N, "d": d})
    assert result.latex() == sympy.latex(result.expr)
