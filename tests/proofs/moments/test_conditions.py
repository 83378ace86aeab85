"""What is not determined, contradictory or outside the engine is refused by name."""

from fractions import Fraction

import pytest

from proofs.algebra import ExactnessError, RationalFunction
from proofs.moments import (
    Association,
    Range,
    Sphere,
    dot,
    fibre,
    in_image,
    mean,
    not_in_image,
    outer,
    raw_moments,
    sum_over,
)

d, N, M, P = (RationalFunction.symbol(name) for name in "dNMP")
inputs, outputs, others = Range(N, "[N]"), Range(M, "[M]"), Range(P, "[P]")
f = Association(inputs, outputs)
e, u = Sphere("e", d), Sphere("u", d)
x, x2, z = (inputs.index(name) for name in ("x", "x2", "z"))
y, y2 = outputs.index("y"), outputs.index("y2")
W = sum_over(z, outer(u[f(z)], e[z]))
margin = dot(u[f(x)] - u[y], W @ e[x])


@pytest.mark.parametrize(
    ("expression", "given", "named"),
    [
        (dot(e[x], e[x2]), [], "do x and x2 coincide"),
        (margin, [in_image(y)], r"do .*y.* coincide.*f\(x\)"),
        (margin, [y != f(x)], r"how many inputs have the output y\?.*in_image\(y\)"),
        (dot(u[f(x)], u[f(x2)]), [x != x2, fibre(f(x), 2)], r"f\(x\) and f\(x2\) coincide.*equal"),
        (dot(u[f(x)], u[y2]), [y != f(x), in_image(y)], "y2"),
    ],
    ids=["inputs", "output and image", "fibre", "images", "second output"],
)
def test_undetermined_coincidences_are_named(expression, given, named):
    with pytest.raises(ValueError, match=named):
        mean(expression, given)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (lambda: [x != x], "x != x contradicts itself"),
        (lambda: [f(x) != f(x)], r"f\(x\) != f\(x\) contradicts itself"),
        (lambda: [in_image(y), fibre(f(x), 0)], r"f\(x\) is the output of x, .* fibre of 0"),
        (lambda: [in_image(y), not_in_image(y)], "fibre of y.* = 0 contradicts a fibre of 1"),
        (lambda: [fibre(y, 2), fibre(y, RationalFunction.symbol("k"))], "fibre of y"),
        (lambda: [fibre(y, -1)], "size: -1"),
        (lambda: [fibre(y, Fraction(1, 2))], "size: 1/2"),
    ],
    ids=["index", "image", "fibre of an image", "two fibres", "number and symbol", "-1", "1/2"],
)
def test_contradictions_are_named(given, named):
    with pytest.raises(ValueError, match=named):
        mean(margin, [y != f(x), *given()])


def test_floats_are_no_fibre_sizes():
    with pytest.raises(ExactnessError, match=r"1\.0"):
        fibre(y, 1.0)


def test_an_explicit_range_too_small_for_its_names_is_refused():
    small = Range(1, "small")
    a, b = small.index("a"), small.index("b")
    with pytest.raises(ValueError, match="small has 1 elements, a, b"):
        mean(dot(e[a], e[b]), [a != b])


def test_fibres_larger_than_an_explicit_domain_are_refused():
    domain = Range(3, "three")
    g = Association(domain, outputs, "g")
    a = domain.index("a")
    with pytest.raises(ValueError, match="fibres of 4 inputs in three"):
        mean(dot(u[g(a)], u[y]), [y != g(a), fibre(g(a), 2), fibre(y, 2)])


def test_a_map_takes_indices_of_its_domain():
    with pytest.raises(ValueError, match=r"f\(y\): y runs over \[M\], not \[N\]"):
        f(y)


def test_maps_are_not_composed():
    g = Association(outputs, others, "g")
    with pytest.raises(TypeError, match=r"g\(f\(x\)\)"):
        g(f(x))


def test_two_maps_out_of_one_range_are_refused():
    g = Association(inputs, others, "g")
    with pytest.raises(ValueError, match=r"two maps leave \[N\]"):
        mean(dot(u[f(x)], u[f(x)]) * dot(e[x], e[x]) + dot(Sphere("v", d)[g(x)], e[x]) * 0)


def test_two_maps_into_one_range_are_refused():
    g = Association(others, outputs, "g")
    w = others.index("w")
    with pytest.raises(ValueError, match=r"two maps enter \[M\]"):
        mean(sum_over(z, sum_over(w, dot(u[f(z)], u[g(w)]) ** 2)))


def test_a_map_of_a_range_into_itself_is_refused():
    h = Association(inputs, inputs, "h")
    with pytest.raises(ValueError, match=r"enter and leave \[N\]"):
        mean(sum_over(z, dot(e[h(z)], e[x]) ** 2), [h(x) != x])


def test_a_family_has_one_range():
    with pytest.raises(ValueError, match=r"'e'.* indexed by \[N\] and by \[M\]"):
        mean(dot(e[x], e[y]))


def test_vectors_of_different_dimensions_have_no_inner_product():
    with pytest.raises(ValueError, match=r"'a', d.*'b', 2\*d"):
        dot(Sphere("a", d)[x], Sphere("b", 2 * d)[x])


@pytest.mark.parametrize("value", [0, -1, Fraction(3, 2)])
def test_numbers_that_are_no_dimension_are_refused(value):
    with pytest.raises(ValueError, match=f"dimension: {value}"):
        Sphere("e", value)


@pytest.mark.parametrize(
    "build",
    [
        lambda: dot(W, e[x]),
        lambda: dot(3, e[x]),
        lambda: outer(e[x], margin),
        lambda: e[x] @ W,
        lambda: W @ margin,
        lambda: W @ 3,
        lambda: e[x] * e[x],
        lambda: e[x] + margin,
        lambda: e[x] + 1,
        lambda: W - e[x],
        lambda: e[x].T,
        lambda: e["x"],
        lambda: raw_moments([e[x]]),
    ],
)
def test_the_wrong_kind_of_operand_is_a_type_error(build):
    with pytest.raises(TypeError):
        build()


def test_negative_powers_are_refused():
    with pytest.raises(ValueError, match="-2"):
        margin**-2


def test_an_index_is_summed_over_once():
    with pytest.raises(ValueError, match="z is summed over twice"):
        sum_over(z, sum_over(z, dot(e[z], e[x])))


def test_a_query_may_have_the_name_of_the_summed_index():
    assert mean(dot(u[f(z)], W @ e[z])) == mean(dot(u[f(x)], W @ e[x])) == 1


@pytest.mark.parametrize("flip", [False, True])
def test_a_product_does_not_capture_a_free_index(flip):
    free, summed = dot(e[z], e[x]), sum_over(z, dot(e[z], e[x]))
    product = summed * free if flip else free * summed
    assert mean(product, [x != z]) == 1 / d


def test_a_square_sums_twice():
    # E (sum_z <e_z, e_x>^2)^2 with (N-1) terms of mean 1/d besides the one at x.
    once = sum_over(z, dot(e[z], e[x]) ** 2)
    rest = N - 1
    expected = 1 + 2 * rest / d + 3 * rest / (d * (d + 2)) + rest * (rest - 1) / d**2
    assert mean(once**2) == mean(once * once) == expected


def test_the_sum_of_a_constant_is_the_size():
    assert mean(sum_over(z, dot(e[x], e[x]))) == N


def test_degrees_count_vectors():
    assert (margin.degree(), (margin * margin).degree(), W.degree()) == (4, 8, 2)
