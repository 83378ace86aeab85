"""Worlds that cannot be are refused: vectors with overlaps, sets in one range, sizes that contradict
each other. What is refused is compared with what exists, by going through all that is small."""

import itertools
from fractions import Fraction

import pytest
import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.elimination import eliminated, impossible
from proofs.algebra.symbols import symbols
from proofs.moments import (
    Association,
    Fixed,
    Range,
    Relation,
    Sphere,
    count,
    dot,
    fails,
    fibre,
    holds,
    mean,
    sum_over,
)

d, N, M, n, k, both, m, rho = symbols("d N M n k both m rho")
ALONE = Range(1, "alone")
one = ALONE.index("one")


def refuses(result, **sizes):
    """Whether a formula has no value at these sizes."""
    try:
        result(**sizes)
    except ValueError as error:
        return " is needed, " in str(error)
    return False


# -- vectors with one overlap -------------------------------------------------------------------------


def square(members, dimension, overlap):
    """E of the square of an inner product with the first of so many fixed vectors."""
    fixed, where = Fixed("a", dimension, overlap), Range(members, "members")
    return mean(dot(fixed[where.index("i")], Sphere("v", dimension)[one]) ** 2)


def least_dimension(members, overlap):
    """In which R^d so many unit vectors with that overlap exist; None where in none."""
    inner = sympy.Matrix(members, members, lambda i, j: sympy.Integer(1) if i == j else overlap)
    if any(value < 0 for value in inner.eigenvals()):
        return None
    return inner.rank()


OVERLAPS = [Fraction(*it) for it in ((1, 2), (-1, 2), (1, 1), (-1, 1), (-1, 3), (0, 1), (1, 4))]


@pytest.mark.parametrize("overlap", OVERLAPS, ids=str)
@pytest.mark.parametrize("members", [1, 2, 3, 4])
def test_vectors_exist_from_the_rank_of_their_inner_products_on(members, overlap):
    least = least_dimension(members, sympy.Rational(overlap.numerator, overlap.denominator))
    for dimension in (1, 2, 3, 4):
        exist = least is not None and dimension >= least
        made = [lambda d=dimension: square(members, d, overlap)]
        if overlap != 0 or least is not None:
            by_size = {"d": dimension, "N": members, "rho": overlap}
            made += [
                lambda at=by_size: square(N, d, overlap)(d=at["d"], N=at["N"]),
                lambda at=by_size: square(N, d, rho)(**at),
                lambda at=by_size: square(members, d, rho)(d=at["d"], rho=at["rho"]),
            ]
        for make in made:
            if exist:
                assert make() == Fraction(1, dimension)
            else:
                with pytest.raises(ValueError, match=r"contradict each other|is needed"):
                    make()


def test_three_vectors_of_overlap_one_half_need_three_dimensions_and_two_need_two():
    assert square(3, d, Fraction(1, 2)).scope == "d >= 3"
    assert square(2, d, Fraction(1, 2)).scope == "d >= 2"
    said = (
        r"rank of the 3 vectors of Fixed\('a', 2\), overlap 1/2, must be an integer >= 0 and comes"
    )
    with pytest.raises(ValueError, match=said):
        square(3, 2, Fraction(1, 2))


def test_the_scope_says_where_an_overlap_needs_fewer_dimensions():
    said = "d >= 2 unless rho - 1 = 0, d >= 3 unless (2*rho + 1)*(rho - 1) = 0"
    assert said in square(3, d, rho).scope
    assert square(N, d, Fraction(1, 2)).scope == "-N + d >= 0, d >= 1, N >= 1"


# -- sets in one range --------------------------------------------------------------------------------


def pair(size, **more):
    """E of the inner product of two sums over sets with n, k elements, l of them in both."""
    where, e = Range(size, "range"), Sphere("e", d)
    a, b = Relation("A", where), Relation("B", where)
    i, j, z = (where.index(name) for name in "ijz")
    sizes = {"n": n, "k": k, "l": both} | more
    given = [
        count(a(z), sizes["n"], over=z),
        count(b(z), sizes["k"], over=z),
        count([a(z), b(z)], sizes["l"], over=z),
    ]
    product = dot(sum_over(i, e[i], where=a(i)), sum_over(j, e[j], where=b(j)))
    return mean(product, given)


def families(size, sets):
    """All ways in which so many sets lie in a range of that size."""
    subsets = [
        frozenset(s) for r in range(size + 1) for s in itertools.combinations(range(size), r)
    ]
    return itertools.product(subsets, repeat=sets)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_two_sets_exist_if_and_only_if_they_fit(size):
    found = {(len(a), len(b), len(a & b)) for a, b in families(size, 2)}
    symbolic = pair(N, l=RationalFunction.symbol("l"))
    for sizes in itertools.product(range(size + 2), repeat=3):
        at = dict(zip("nkl", sizes, strict=True))
        assert refuses(symbolic, N=size, d=2, **at) == (sizes not in found), sizes
        if sizes in found:
            assert pair(size, **at) == sizes[2]
        else:
            with pytest.raises(ValueError, match="contradict each other"):
                pair(size, **at)


def test_disjoint_sets_need_room_for_both():
    assert "N - k - n >= 0" in pair(N, l=0).scope
    with pytest.raises(ValueError, match="elements in or outside A and B must be an integer >= 0"):
        pair(3, n=2, k=2, l=0)


SETS = Range(N, "sets")
A, B, C = (Relation(name, SETS) for name in "ABC")
z = SETS.index("z")


def told(*counts):
    """A formula of which nothing but its scope matters."""
    e = Sphere("e", d)
    return mean(dot(e[one], e[one]), list(counts))


def test_three_sets_that_are_disjoint_in_pairs_need_room_for_all():
    apart = [count([a(z), b(z)], 0, over=z) for a, b in ((A, B), (A, C), (B, C))]
    each = [count(a(z), size, over=z) for a, size in ((A, n), (B, k), (C, m))]
    assert "N - k - m - n >= 0" in told(*apart, *each).scope


@pytest.mark.parametrize("size", [2, 3])
def test_three_sets_of_which_pairs_are_known_exist_if_and_only_if_they_fit(size):
    """What all three have in common is not said: any number does."""
    names = ("n", "k", "m", "ab", "ac", "bc")
    ab, ac, bc = symbols("ab ac bc")
    shared = [count([s(z), t(z)], v, over=z) for s, t, v in ((A, B, ab), (A, C, ac), (B, C, bc))]
    each = [count(a(z), v, over=z) for a, v in ((A, n), (B, k), (C, m))]
    result = told(*shared, *each)
    found = {
        (len(a), len(b), len(c), len(a & b), len(a & c), len(b & c))
        for a, b, c in families(size, 3)
    }
    for sizes in itertools.product(range(size + 1), repeat=6):
        if not sizes[0] >= sizes[1] >= sizes[2]:
            continue  # the same with other names
        at = dict(zip(names, sizes, strict=True))
        assert refuses(result, N=size, d=2, **at) == (sizes not in found), sizes


def test_named_elements_take_their_part_of_the_room():
    x, y = SETS.index("x"), SETS.index("y")
    e = Sphere("e", d)
    product = dot(e[x], e[y]) ** 2
    inside = [x != y, holds(A(x)), fails(A(y)), count(A(z), n, over=z)]
    assert "N - n >= 1" in mean(product, inside).scope
    assert "n >= 1" in mean(product, inside).scope
    sets = [holds(B(x)), holds(B(y)), count(B(z), k, over=z), count([A(z), B(z)], both, over=z)]
    # y lies in B and outside A.
    assert "-both + k >= 1" in mean(product, [*inside, *sets]).scope


def test_a_fact_on_named_elements_that_is_counted_along_is_no_set():
    where = Range(2, "two")
    x = where.index("x")
    i, e = where.index("i"), Sphere("e", d)
    a = Relation("A", where)
    given = [holds(a(x)), count(a(i), 2, over=i), count([a(i), a(x)], 2, over=i)]
    assert mean(dot(e[x], e[x]), given) == 1


def test_the_pairs_of_a_relation_are_at_most_all():
    keys, answers = Range(2, "keys"), Range(3, "answers")
    table = Relation("T", keys, answers)
    i, j = keys.index("i"), answers.index("j")
    e = Sphere("e", d)
    product = dot(e[one], e[one])
    assert mean(product, [count(table(i, j), 6, over=[i, j])]) == 1
    with pytest.raises(ValueError, match="outside T must be an integer >= 0 and comes out as -1"):
        mean(product, [count(table(i, j), 7, over=[i, j])])


def test_two_values_of_a_function_share_its_arguments():
    keys, answers = Range(4, "keys"), Range(M, "answers")
    table = Relation("f", keys, answers, functional=True)
    i, a, b, x = keys.index("i"), answers.index("a"), answers.index("b"), keys.index("x")
    u = Sphere("u", d)

    def given(first, second):
        return [a != b, count(table(i, a), first, over=i), count(table(i, b), second, over=i)]

    product = dot(u[a], u[b]) ** 2 * dot(Sphere("e", d)[x], Sphere("w", d)[x]) ** 2
    assert mean(product, given(2, 2)) == 1 / d**2
    with pytest.raises(ValueError, match="contradict each other"):
        mean(product, given(3, 2))


# -- sizes that contradict each other -----------------------------------------------------------------


def test_sizes_that_no_numbers_have_are_refused():
    """Orthonormal vectors for each of N, with N at least 3 named, in the plane."""
    where = Range(N, "members")
    x, y, w = (where.index(name) for name in "xyw")
    fixed = Fixed("a", 2)
    v = Sphere("v", 2)[one]
    product = dot(fixed[x], v) * dot(fixed[y], v) * dot(fixed[w], v)
    with pytest.raises(ValueError, match="no sizes have N <= 2, N >= 3"):
        mean(product, [x != y, y != w, x != w])
    assert mean(dot(fixed[x], v) * dot(fixed[y], v), [x != y]) == 0


def test_fibres_that_are_larger_than_the_range_are_refused_in_symbols_too():
    inputs, outputs = Range(N, "inputs"), Range(M, "outputs")
    f = Association(inputs, outputs)
    x, y = inputs.index("x"), outputs.index("y")
    u = Sphere("u", d)
    with pytest.raises(ValueError, match=r"fibres of N \+ 1 inputs in inputs, which has N"):
        mean(dot(u[f(x)], u[y]) ** 2, [y != f(x), fibre(y, N)])


def test_linear_conditions_are_eliminated():
    assert eliminated([N - n, n - 2], ["n"]) == [N - 2]
    assert eliminated([N - n, 5 - 2 * n, 3 * n - k], ["n"]) == [N - k / 3, -k / 3 + Fraction(5, 2)]
    assert eliminated([N - n, n * k - 1, 1 / n], ["n"]) == []


@pytest.mark.parametrize(
    ("conditions", "contradictory"),
    [
        ([N - n, n - 2, 1 - N], True),
        ([N - n, n - 2, 2 - N], False),
        ([N - 1, M - 1, n - 1, 4 - N - M - n, 2 * N - M - 2, M - n - 1], True),
        ([N - 1, M - 1, n - 1, 5 - N - M - n, 2 * N - M - 2, M - n - 1], False),
        ([N - n, M - N - 1, n - M], True),
        ([N * 0 - 1], True),
        ([N - 5, M + n], False),
        ([], False),
    ],
)
def test_linear_conditions_that_contradict_each_other_are_told(conditions, contradictory):
    assert impossible([condition.linear() for condition in conditions]) == contradictory
