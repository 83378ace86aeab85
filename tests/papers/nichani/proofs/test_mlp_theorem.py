"""The steps of the proof of Theorem 9: the right constants hold, wrong ones are found out.

What each step says is worked out again here: by quadrature, by enumeration, by drawing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import ceil, comb, exp, factorial, floor, log2, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from proofs.algebra import RationalFunction
from proofs.algebra.balls import enclosure
from proofs.argument import Argument
from proofs.memories import mlp
from proofs.papers.nichani import mlp as theorem

F = Fraction
d, N, m, x = map(RationalFunction.symbol, ("d", "N", "m", "x"))
ZERO = RationalFunction.constant(0)


def along(witness):
    """The powers of t in the sizes of a witness, as text, by size; fixed ones are left out."""
    sizes = re.findall(r"(\w+) = t(?:\^(\d+))?[,)]", str(witness["sizes"]))
    return {name: power or "1" for name, power in sizes}


def h(k: int, t: Any) -> Any:
    """The orthonormal Hermite polynomial."""
    return hermite_e.hermeval(t, [0.0] * k + [1.0]) / sqrt(factorial(k))


def gauss(function: Any, nodes: int = 150) -> float:
    """E function(g), exact for polynomials of a degree below twice the nodes."""
    points, weights = hermite_e.hermegauss(nodes)
    return float((function(points) * weights).sum() / weights.sum())


def margins(
    rng: np.random.Generator,
    table: Sequence[int],
    y: int,
    *,
    size: tuple[int, int, int],
    k: int,
    draws: int,
) -> np.ndarray:
    """Draws of the margin of x = 0 against y, f given by its table, sigma = h_{k+1}."""
    dim, outputs, width = size
    inputs = len(table)

    def sphere(rows: int) -> np.ndarray:
        raw = rng.standard_normal((draws, rows, dim))
        return raw / np.linalg.norm(raw, axis=2, keepdims=True)

    e, u = sphere(inputs), sphere(outputs)
    v, w = (rng.standard_normal((draws, width, dim)) for _ in range(2))
    stored = u[:, list(table)]
    contrast = stored[:, 0] - u[:, y]
    arguments = np.einsum("rid,rzd->riz", w, e)
    reads = np.einsum("rid,rzd->riz", v, stored)
    keys = np.einsum("rd,rzd->rz", e[:, 0], e)
    slope = sqrt(k + 1) * h(k, arguments[:, :, 0])
    total = np.einsum("riz,riz,rz->ri", reads, h(k, arguments), keys)
    return np.einsum("ri,ri,ri->r", np.einsum("rid,rd->ri", v, contrast), slope, total) / width


# -- from the linearised memory to a network ------------------------------------------------------

SINGLE = ([F(1), F(0)], [F(1), F(0)])
PAIRED = ([F(1, 2), F(-1, 2)], [F(1), F(-1)])


@pytest.mark.parametrize(
    ("weights", "shifts", "order", "coefficient"),
    [
        (*SINGLE, 1, "eps^-1"),
        (*PAIRED, 3, "eps^2"),
        ([F(1, 2), F(1, 2)], [F(1), F(-1)], 2, "eps^-1"),
        ([F(1), F(-1)], [F(1), F(-1)], 2, "eps^0"),
        ([F(1), F(-1)], [F(1), F(0)], 2, "eps^1"),
    ],
    ids=str,
)
def test_a_wrong_pairing_fails_in_the_power_named(
    weights: list[Fraction], shifts: list[Fraction], order: int, coefficient: str
) -> None:
    argument = theorem.paired_network(weights, shifts, order)
    assert argument.witness is not None
    assert f"coefficient of {coefficient}" in argument.witness


def test_paired_neurons_deviate_in_the_second_order() -> None:
    assert theorem.paired_network(*PAIRED, 2).holds
    assert theorem.paired_network(*PAIRED, 1).holds
    # A difference of three copies that is exact to the order 4.
    four = [F(2, 3), F(-2, 3), F(-1, 12), F(1, 12)]
    assert theorem.paired_network(four, [F(1), F(-1), F(2), F(-2)], 4).holds


def test_the_witness_of_one_copy_is_a_network_that_diverges() -> None:
    witness = theorem.paired_network(*SINGLE, 1).witness
    assert witness == {
        "d = m = V = w = q = z": 1,
        "sigma(t)": "1",
        "coefficient of eps^-1": "1",
        "needed": "0",
    }
    # By hand, for sigma(t) = 1 + t: (1 + (1 + eps))/eps, against F_NTK = 1.
    values = [(1 + (1 + eps)) / eps for eps in (0.1, 0.01, 0.001)]
    assert values == pytest.approx([(2 + eps) / eps for eps in (0.1, 0.01, 0.001)])
    assert values[-1] > 2000


@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_deviation_of_a_network_has_the_order_decided(order: int) -> None:
    """A cubic activation, a = <w, z> and b = <q, z>: measured slopes of the deviation."""
    a, b = 0.7, -1.3

    def sigma(t: float) -> float:
        return 2.0 + t - 0.5 * t**2 + t**3

    slope = 1 - a + 3 * a**2

    def deviation(eps: float) -> float:
        paired = (sigma(a + eps * b) - sigma(a - eps * b)) / (2 * eps)
        return abs(paired - slope * b)

    measured = log2(deviation(2e-3) / deviation(1e-3))
    assert measured == pytest.approx(2, abs=1e-6)
    assert theorem.paired_network(*PAIRED, order).holds == (order <= 2)


# -- one neuron -----------------------------------------------------------------------------------


def test_one_neuron_recalls_two_facts_and_not_three() -> None:
    assert theorem.one_neuron_tells_two_outputs_apart().holds
    rng = np.random.default_rng(5)
    for dim in (2, 3, 12):
        u = rng.standard_normal((3, dim))
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        v = rng.standard_normal((4000, dim))
        # Any activation gives some numbers s_x: each sign is tried for each x.
        best = (v @ u.T).argmax(axis=1), (-v @ u.T).argmax(axis=1)
        assert not any({0, 1, 2} <= {a, b} for a, b in zip(*best, strict=True))
        assert any({0, 1} <= {a, b} for a, b in zip(*best, strict=True))


def test_one_neuron_is_out_of_reach_of_the_condition_on_the_product_only() -> None:
    """The conditions that hold at m = 1 for large d contain no upper bound on d."""
    reasons = [line.text for line in theorem.one_neuron_tells_two_outputs_apart().lines]
    assert any("d >= N^eps" in text and "likewise" in text for text in reasons)


# -- moments of Hermite polynomials ---------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, 2, 5, 8])
@pytest.mark.parametrize("weight", [0, 1, 3])
def test_powers_of_hermite_polynomials_against_quadrature(k: int, weight: int) -> None:
    for power in (2, 4, 8):
        exact = float(theorem.hermite_power_mean(k, power, weight))
        assert exact == pytest.approx(gauss(lambda t, p=power: h(k, t) ** p * h(weight, t) ** 2))


def test_some_moments_by_hand() -> None:
    assert theorem.hermite_power_mean(1, 8) == 105
    assert theorem.hermite_power_mean(2, 4) == 15
    assert theorem.hermite_power_mean(3, 2) == 1
    assert theorem.hermite_power_mean(0, 8) == 1


@pytest.mark.parametrize(
    ("base", "less", "derivative"), [(F(8), 0, True), (F(7), 1, True), (F(8), 0, False)]
)
def test_hypercontractive_bases_that_suffice(base: Fraction, less: int, derivative: bool) -> None:
    assert theorem.eighth_moment(base, less, derivative=derivative).holds
    assert theorem.eighth_moment_fails(base, less, derivative=derivative) is None


@pytest.mark.parametrize(
    ("base", "less", "derivative"),
    [(F(6), 1, True), (F(11, 2), 0, True), (F(5), 0, False), (F(6), 0, False), (F(2), 0, True)],
)
def test_hypercontractive_bases_that_do_not(base: Fraction, less: int, derivative: bool) -> None:
    assert not theorem.eighth_moment(base, less, derivative=derivative).holds
    witness = theorem.eighth_moment_fails(base, less, derivative=derivative)
    assert witness is not None
    n = witness["n"]
    assert isinstance(n, int)
    eighth = gauss(lambda t: h(n, t) ** 8)
    assert eighth ** (1 / 4) > float(base) ** (n + derivative - less)


def test_a_base_just_below_seven_is_no_proof_though_no_instance_is_found() -> None:
    assert theorem.eighth_moment_fails(F(69, 10), 0, derivative=False) is None
    assert not theorem.eighth_moment(F(69, 10), 0, derivative=False).holds
    assert not theorem.eighth_moment(F(8), 2, derivative=True).holds


@pytest.mark.parametrize(("rate", "constant"), [(F(1), F(48)), (F(2), F(96))])
def test_a_rate_that_mixed_moments_exceed(rate: Fraction, constant: Fraction) -> None:
    witness = theorem.mixed_moment_exceeds(rate, constant)
    assert witness is not None
    n = witness["k = n"]
    assert isinstance(n, int)
    assert n % 2 == 0
    assert 4 * gauss(lambda t: h(n, t) ** 4) > constant * 2 ** (rate * n)
    assert 4 * gauss(lambda t: h(n - 2, t) ** 4) <= constant * 2 ** (rate * (n - 2))
    assert theorem.mixed_moment_exceeds(F(6), F(24 * 8 * 2)) is None


# -- the degree of the features -------------------------------------------------------------------


def test_the_degree_chosen_is_large_enough() -> None:
    assert theorem.degree_choice(2, True, F(4), F(1)).holds
    # d = N^eps, the worst case, at N so large that constants do not matter; in logarithms.
    for eps in (F(9, 10), F(5, 6), F(1, 2), F(3, 10), F(1, 7)):
        k = 2 * ceil(1 / eps)
        for logarithm in (10**5, 10**7):  # log2 N
            left = float(eps * k - 1) * logarithm - (k + 1) * log2(2 * k)
            right = logarithm - float(1 + 2 / eps) * log2(float(4 / eps))
            assert left >= right - 1e-6
            assert right >= 0


@pytest.mark.parametrize(
    ("multiple", "up", "base", "power"),
    [
        (1, True, F(4), F(1)),
        (2, False, F(4), F(1)),
        (2, True, F(3), F(1)),
        (2, True, F(39, 10), F(1)),
        (2, True, F(4), F(2)),
        (2, True, F(4), F(11, 10)),
    ],
    ids=str,
)
def test_a_wrong_degree_fails_at_the_epsilon_named(
    multiple: int, up: bool, base: Fraction, power: Fraction
) -> None:
    argument = theorem.degree_choice(multiple, up, base, power)
    assert argument.witness is not None
    eps, k = argument.witness["epsilon"], argument.witness["k"]
    assert isinstance(eps, Fraction)
    assert k == multiple * (ceil(1 / eps) if up else floor(1 / eps))
    logarithm = 10**7
    left = float(eps * k - 1) * logarithm - (k + 1) * log2(2 * k)
    right = float(power) * logarithm - float(1 + 2 / eps) * log2(float(base / eps))
    assert left < right


def smallest_degrees(least: Fraction, strict: bool) -> Iterator[tuple[int, int]]:
    """(q, k) of integers q = C_2/eps with C_2 >= least, over a fine grid of epsilon."""
    for numerator in range(1, 720):
        eps = F(numerator, 720)
        q = floor(least / eps) + 1 if strict else ceil(least / eps)
        yield q, 2 * ceil(1 / eps)


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    "least", [F(2), F(5, 2), F(29, 10), F(3), F(7, 2), F(39, 10), F(4), F(5)], ids=str
)
def test_how_large_the_degree_of_the_activation_must_be(
    least: Fraction, strict: bool, more: int
) -> None:
    argument = theorem.degree_suffices(least, strict, more)
    suffices = all(q >= k + more for q, k in smallest_degrees(least, strict))
    assert (argument.witness is None) == suffices
    if argument.witness is None:
        assert argument.holds
        return
    eps, q, k, c = (argument.witness[name] for name in ("epsilon", "q", "k", "C_2"))
    assert isinstance(eps, Fraction)
    assert isinstance(c, Fraction)
    assert 0 < eps < 1
    assert c == q * eps
    assert c > least if strict else c >= least
    assert k == 2 * ceil(1 / eps)
    assert q < k + more


def test_five_sixths_is_the_example_of_the_reading_notes() -> None:
    witness = theorem.degree_suffices(F(2), True, 1).witness
    assert witness is not None
    assert (witness["epsilon"], witness["q"], witness["C_2"]) == (F(5, 6), 3, F(5, 2))
    assert witness["k"] == 4
    assert 2 * 3 + 2 * 4 + 4 == 18 > 4 * 3 + 4 == 16


def test_the_smallest_even_degree_above_the_reciprocal_needs_no_larger_activation() -> None:
    """k = 2 ceil(1/(2 eps)) has k eps >= 1, so that d^k >= N, and C_2 > 2 gives q >= k + 1."""
    for numerator in range(1, 720):
        eps = F(numerator, 720)
        k, q = 2 * ceil(1 / (2 * eps)), floor(2 / eps) + 1
        assert k * eps >= 1
        assert q >= k + 1


# -- variance and tail ----------------------------------------------------------------------------


def test_the_variance_bound_has_all_four_terms() -> None:
    right = x + 1 / d + 1 / m + N / (m * d)
    assert theorem.variance_from_sums(right).holds
    # More is no harm; a term less, or a term that falls faster, is.
    assert theorem.variance_from_sums(right + 1 / d**2).holds


def test_what_is_decided_is_the_bound_less_the_variance(monkeypatch: pytest.MonkeyPatch) -> None:
    """(A (1 + 2P) + B) (terms) - (A/d + 2 A P x + B/m (1 + N/d)), at numbers."""
    decided = []
    monkeypatch.setattr(
        Argument, "nonnegative", lambda self, text, function, lower: decided.append(function)
    )
    theorem.variance_from_sums(x + 1 / d + 1 / m + N / (m * d))
    (function,) = decided
    A, B, P, facts = F(3), F(7, 2), F(11), F(1, 5)
    terms = facts + F(1, 4) + F(1, 6) + F(9, 24)
    wanted = (A * (1 + 2 * P) + B) * terms - A / 4 - 2 * A * P * facts - B / 6 * (1 + F(9, 4))
    at = {"A": A, "B": B, "P": P, "x": facts, "d": 4, "N": 9, "m": 6}
    assert function(**at).as_fraction() == wanted


@pytest.mark.parametrize(
    "bound",
    [
        1 / d + 1 / m + N / d**3,
        1 / d + N / d**3 + N / (m * d),
        1 / m + N / d**3 + N / (m * d),
        1 / d**2 + 1 / m + N / d**3 + N / (m * d),
        1 / d + 1 / m + N / d**3 + N / (m**2 * d),
        1 / d + 1 / m**2 + N / d**3 + N / (m * d),
    ],
    ids=str,
)
def test_a_bound_with_a_term_less_is_outgrown(bound: RationalFunction) -> None:
    variance = mlp.margin_variance(d, N, m, k=2, sigma=[0, 0, 0, 1]).value
    witness = theorem.outgrown(variance, bound)
    assert witness is not None
    path = along(witness)

    def ratio(t: int) -> Fraction:
        at = {name: t ** int(path.get(name, 0)) for name in ("d", "N", "m")}
        return variance(**at).as_fraction() / bound(**at).as_fraction()

    assert ratio(10**6) > 100 * ratio(10**2)


def test_facts_that_share_an_output_add_more_than_those_of_an_injective_map() -> None:
    bound = 1 / d + 1 / m + N / d**4 + N / (m * d)
    known: dict[str, Any] = {"k": 2, "sigma": [0, 0, 0, 1]}
    assert theorem.outgrown(mlp.margin_variance(d, N, m, **known).value, bound) is None
    shared = mlp.margin_variance(d, N, m, **known, same=N - 1, y_in_image=False).value
    assert theorem.outgrown(shared, bound) is not None
    # By hand: as m grows it is 3 (1 + 1/d) (1 + (N-1) E t^6) - 3, E t^6 = 15/(d(d+2)(d+4)).
    wide = 3 * (1 + F(1, 9)) * (1 + 6 * F(15, 9 * 11 * 13)) - 3
    assert float(shared(d=9, N=7, m=10**15).as_fraction()) == pytest.approx(float(wide))


def test_the_right_bound_is_not_outgrown() -> None:
    variance = mlp.margin_variance(d, N, m, k=2, sigma=[0, 0, 0, 1]).value
    assert theorem.outgrown(variance, 1 / d + 1 / m + N / d**3 + N / (m * d)) is None
    assert theorem.outgrown(variance, ZERO) is not None


@pytest.mark.parametrize("sigma", [(1, 1, 1, 2), (0, 0, 0, 1)], ids=str)
@pytest.mark.parametrize(("same", "other"), [(0, 0), (0, 1), (3, 0), (0, 4), (2, 5)])
def test_the_exhibited_constant_bounds_the_exact_variance_for_every_map(
    sigma: tuple[int, ...], same: int, other: int
) -> None:
    """k = 2, q = 3; with inputs that share the output of x, or have the output y."""
    c, squares = F(sigma[3]), sum(j * c**2 for j, c in enumerate(sigma))
    own, noise = 3 * c**2 * (1 + 2 * 6**3), 24 * squares * 2 ** (9 + 6)
    for dim, inputs, width in product((1, 2, 5, 40, 10**4), (8, 50, 10**5), (1, 3, 100, 10**7)):
        exact = mlp.margin_variance(
            dim, inputs, width, k=2, sigma=sigma, y_in_image=other > 0, same=same, other=other
        ).value
        terms = F(1, dim) + F(1, width) + F(inputs, dim**3) + F(inputs, width * dim)
        assert enclosure(exact)[1] <= max(own, noise) * terms <= (own + noise) * terms


@pytest.mark.parametrize("k", [0, 2])
def test_exact_moments_are_those_of_drawn_memories(k: int) -> None:
    """For a map with both kinds of further inputs; within five standard errors."""
    rng = np.random.default_rng(8)
    table, y = [0, 1, 0, 1, 2], 1
    drawn = margins(rng, table, y, size=(3, 4, 4), k=k, draws=40_000)
    known = {"k": k, "sigma": [0] * (k + 1) + [1], "same": 1, "other": 2}
    assert mlp.margin_mean(3, 5, 4, **known).value == RationalFunction.root(k + 1)
    assert abs(drawn.mean() - sqrt(k + 1)) < 5 * drawn.std() / sqrt(len(drawn))
    if k == 0:  # from k = 2 on the squares vary too much
        variance = float(mlp.margin_variance(3, 5, 4, **known).value.as_fraction())
        squares = (drawn - 1) ** 2
        assert abs(squares.mean() - variance) < 5 * squares.std() / sqrt(len(squares))


@pytest.mark.parametrize("kept", list(product([False, True], repeat=3)))
def test_the_tail_needs_all_three_hypotheses(kept: tuple[bool, bool, bool]) -> None:
    argument = theorem.tail_from_variance(*kept, F(1))
    assert argument.holds == all(kept)
    if not all(kept):
        assert argument.broken is not None
        assert "hypothesis" in argument.broken.text


@pytest.mark.parametrize(("rate", "holds"), [(F(-1), False), (F(0), False), (F(1), True)])
def test_the_tail_needs_the_corrected_exponent(rate: Fraction, holds: bool) -> None:
    assert theorem.tail_from_variance(True, True, True, rate).holds == holds


@pytest.mark.parametrize("kept", list(product([False, True], repeat=3)))
def test_the_variance_stays_unless_all_hypotheses_are_kept(kept: tuple[bool, bool, bool]) -> None:
    """At epsilon = 1/2, k = 4, along powers of t that the hypotheses kept allow."""
    variance = mlp.margin_variance(d, N, m, k=4, sigma=[0, 0, 0, 0, 0, 1]).value
    keep_d, keep_m, keep_md = kept
    witness = theorem.variance_stays(variance, *kept)
    assert (witness is None) == all(kept)
    if witness is None:
        return
    path = along(witness)
    powers = {name: int(path.get(name, 0)) for name in ("d", "N", "m")}
    assert 2 * powers["d"] >= powers["N"]
    assert powers["d"] > 0 or not keep_d
    assert powers["m"] > 0 or not keep_m
    assert powers["m"] + powers["d"] > powers["N"] or not keep_md

    def at(t: int) -> Fraction:
        return variance(**{name: t**power for name, power in powers.items()}).as_fraction()

    assert at(10**8) > at(10**4) / 2


def test_at_width_one_a_quarter_of_the_margins_stays_wrong() -> None:
    """Drawn at a large d: (a - b) a < 0 for a quarter, and more where s may be negative."""
    assert theorem.width_one_tail().holds
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((2, 400_000))
    wrong = float(((a - b) * a < 0).mean())
    assert wrong == pytest.approx(1 / 4, abs=5 * sqrt(3 / 16 / 400_000))
    drawn = margins(rng, [0, 1, 2], 3, size=(400, 4, 1), k=2, draws=4000)
    # sigma = h_3 has s = sqrt(3) h_2^2 >= 0, so there it is a quarter.
    assert float((drawn <= 0).mean()) == pytest.approx(1 / 4, abs=5 * sqrt(3 / 16 / 4000) + 0.01)


@pytest.mark.parametrize("even", [True, False])
def test_other_facts_cancel_for_an_even_degree_alone(even: bool) -> None:
    assert theorem.same_sign_argument(even).holds == even


def test_recall_follows_from_the_tail() -> None:
    argument = theorem.recall_from_tail()
    assert argument.holds
    assert exp(-0.5) > 0.5
    assert any("2m" in line.text for line in argument.lines)


# -- three factors --------------------------------------------------------------------------------

INNER, OUTER = [8, 8, 4], [F(1, 4), F(1, 4), F(1, 2)]


def test_the_exponents_printed_are_refuted_by_no_instance() -> None:
    assert theorem.three_norms_fail(INNER, OUTER) is None


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ([2, 8, 4], [F(1), F(1, 4), F(1, 2)]),
        ([8, 2, 4], [F(1, 4), F(1), F(1, 2)]),
        (INNER, [F(1, 8), F(1, 4), F(1, 2)]),
        (INNER, [F(1, 2), F(1, 4), F(1, 2)]),
        (INNER, [F(1, 4), F(1, 4), F(3, 4)]),
        (INNER, [F(1, 4), F(1, 4), F(1)]),
    ],
    ids=str,
)
def test_wrong_exponents_are_refuted_by_an_instance(
    inner: list[int], outer: list[Fraction]
) -> None:
    witness = theorem.three_norms_fail(inner, outer)
    assert witness is not None
    if witness.get("z") == "x":
        factor, name = str(witness["sigma'"]).split()
        t, n, k = float(F(factor)), int(name.removeprefix("h_")), witness["k"]
        assert isinstance(k, int)
        left = gauss(lambda g: (t * h(n, g)) ** 2 * h(k, g) ** 2)
        means = (
            gauss(lambda g: (t * h(n, g)) ** inner[0]),
            gauss(lambda g: h(k, g) ** inner[1]),
        )
        right = means[0] ** float(outer[0]) * means[1] ** float(outer[1])
    else:
        dim = witness["d"]
        assert isinstance(dim, int)
        left = 1 / dim
        right = (3 / (dim * (dim + 2))) ** float(outer[2])
    assert left > right * (1 + 1e-9)


# -- the degree of the margin ---------------------------------------------------------------------


@pytest.mark.parametrize(("k", "q"), [(0, 1), (2, 3), (2, 4), (4, 5), (1, 2), (3, 6)])
def test_the_degree_on_a_line_is_that_of_a_numerical_polynomial(k: int, q: int) -> None:
    """Finite differences of the margin along a line vanish beyond the degree, not at it."""
    degree = theorem.degree_on_a_line(k, q)
    assert degree == 2 * q + 2 * k + 4 == mlp.definition(k, q).margin.degree()

    def he(n: int, t: Fraction) -> Fraction:
        before, this = F(0), F(1)
        for i in range(n):
            before, this = this, t * this - i * before
        return this

    def margin(t: int) -> Fraction:
        e_x, e_z, u_x, u_z, u_y, v, w = (a + (2 * a + 3) * t for a in map(F, range(1, 8)))
        return sum(
            (
                v * (u_x - u_y) * v * u * he(q - 1, w * e_x) * he(k, w * e) * e_x * e
                for e, u in ((e_x, u_x), (e_z, u_z))
            ),
            F(0),
        )

    def difference(order: int) -> Fraction:
        return sum(((-1) ** j * comb(order, j) * margin(j) for j in range(order + 1)), F(0))

    assert difference(degree) != 0
    assert difference(degree + 1) == 0
