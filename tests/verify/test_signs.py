"""Random signs are scalars wherever a lemma is judged: derived, enumerated, measured, replayed."""

import pytest

from proofs.algebra.symbols import symbols
from proofs.moments import Range, Signs, Sphere, cross_check, dot, mean, sum_over
from proofs.moments.explicit import Instance
from proofs.replay import replay
from verify.lemma import judge
from verify.verdict import Verdict

d, N = symbols("d N")
INPUTS, ALONE = Range(N, "inputs"), Range(1, "alone")
x, x2, z = (INPUTS.index(name) for name in ("x", "x2", "z"))
one = ALONE.index("one")
s, e, v = Signs("s"), Sphere("e", d), Sphere("v", d)


def drawn(stream, replicates, start, count):
    """Signs as unit vectors of R^1."""
    from numerics import replicate_spheres

    return replicate_spheres(replicates, count, 1, stream=stream.child("s"), start=start)[..., 0]


def setting(at):
    return Instance({INPUTS: at["N"]}, {x: 0, x2: 1}, {}, dict(at))


def judged(printed, expression, measured, domain, given=(), **changes):
    arguments = {
        "printed": printed,
        "expression": expression,
        "given": given,
        "domain": domain,
        "instance": setting,
        "measured": measured,
        "bounds": lambda sizes: (-(sizes["N"] ** 2.0), sizes["N"] ** 2.0),
        "sizes": [{"N": 3}],
    }
    return judge("signs", **arguments | changes)


def verdicts(result):
    return [evidence.verdict for evidence in result.evidence]


def square(stream, replicates, start, N):
    return drawn(stream, replicates, start, N)[:, 0] ** 2


def test_the_square_of_a_sign_is_one():
    single = lambda at: Instance({INPUTS: at["N"]}, {x: 0}, {}, dict(at))  # noqa: E731
    kept = judged("1", s[x] ** 2, square, {"N": 1}, instance=single)
    assert verdicts(kept) == [Verdict.PROVED, Verdict.SUPPORTED]
    assert kept.evidence[0].scope == "N >= 1"
    for wrong in ("2", "1/N", "0"):
        told = judged(wrong, s[x] ** 2, square, {"N": 1}, instance=single)
        assert verdicts(told) == [Verdict.REFUTED, Verdict.REFUTED], wrong


def squared_sum(stream, replicates, start, N):
    return drawn(stream, replicates, start, N).sum(-1) ** 2


def test_a_sum_of_signs_is_told_from_its_neighbours():
    result = judged("N", sum_over(z, s[z]) ** 2, squared_sum, {"N": 2})
    assert verdicts(result) == [Verdict.PROVED, Verdict.SUPPORTED]
    for wrong in ("N - 1", "N**2", "2*N"):
        assert verdicts(judged(wrong, sum_over(z, s[z]) ** 2, squared_sum, {"N": 2})) == [
            Verdict.REFUTED,
            Verdict.REFUTED,
        ], wrong


WALK = dot(sum_over(z, e[z] * s[z]), v[one]) ** 2


def walk(stream, replicates, start, d, N):
    from numerics import replicate_spheres

    steps = replicate_spheres(replicates, N, d, stream=stream.child("e"), start=start)
    signed = drawn(stream, replicates, start, N)[..., None] * steps
    return signed.sum(1)[:, 0] ** 2


def test_signs_beside_vectors_are_judged():
    arguments = {
        "domain": {"d": 1, "N": 2},
        "sizes": [{"d": 2, "N": 3}],
        "instance": lambda at: Instance({INPUTS: at["N"]}, {}, {}, dict(at)),
    }
    result = judged("N/d", WALK, walk, **arguments)
    assert verdicts(result) == [Verdict.PROVED, Verdict.SUPPORTED]
    assert verdicts(judged("N/d**2", WALK, walk, **arguments)) == [Verdict.REFUTED, Verdict.REFUTED]
    forgotten = judged("N/d", WALK, lambda *a, **at: walk(*a, **at) * 0 + 1, **arguments)
    assert verdicts(forgotten) == [Verdict.PROVED, Verdict.REFUTED]


@pytest.mark.parametrize(
    ("expression", "given", "value"),
    [
        (s[x] ** 2, [], 1),
        (s[x] ** 3, [], 0),
        (s[x] * s[x2], [x != x2], 0),
        ((s[x] + s[x2]) ** 4, [x != x2], 8),
        (WALK, [], N / d),
    ],
    ids=str,
)
def test_signs_agree_on_every_exact_road(expression, given, value):
    result = mean(expression, given)
    assert result == value
    assert cross_check(expression, given).agree
    assert replay(result.record.to_json()).confirmed


def test_an_instance_says_nothing_of_what_has_one_value():
    at = Instance({INPUTS: 2}, {x: 0, x2: 1}, {}, {"N": 2, "d": 2})
    assert at.expectation([(s[x] + s[x2]) ** 2], 1) == 2
    assert at.expectation([dot(e[x], v[one]) ** 2], 2) == mean(dot(e[x], v[one]) ** 2)(d=2, N=2)
    with pytest.raises(
        ValueError, match="indices: nothing is said of z; add its position in inputs"
    ):
        at.expectation([s[z] ** 2], 1)
    unsized = Instance({}, {x: 0}, {}, {"N": 2, "d": 2})
    with pytest.raises(ValueError, match="sizes: nothing is said of inputs; add it"):
        unsized.expectation([sum_over(z, s[z]) ** 2], 1)


def test_signs_have_a_name_and_are_shown_as_scalars():
    assert str(s[x] ** 2 * 3) == "3 s[x]^2"
    assert repr(s) == "Signs('s')"
    assert s.name == "s"
