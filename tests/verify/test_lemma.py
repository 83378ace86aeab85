"""A reader's own lemma: the how-to runs as written, and its two safeguards can fail."""

import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from proofs.memories.linear import definition
from proofs.moments import in_image
from proofs.moments.explicit import Instance
from verify.errors import UsageError
from verify.lemma import judge, same_definition
from verify.verdict import Verdict

HOW_TO = Path(__file__).parents[2] / "docs" / "check-your-own-lemma.md"
MEMORY = definition()


def setting(sizes):
    m, N = MEMORY, sizes["N"]
    return Instance(
        {m.inputs: N, m.outputs: N}, {m.x: 0, m.y: 1}, {m.association: range(N)}, {**sizes, "M": N}
    )


def margin(e, u):
    weight = torch.einsum("...zi,...zj->...ij", u[..., : e.shape[-2], :], e)
    image = (weight @ e[..., 0, :, None])[..., 0]
    return ((u[..., 0, :] - u[..., 1, :]) * image).sum(-1)


def shared(stream, replicates, start, d, N):
    from numerics import replicate_spheres

    e, u = (replicate_spheres(replicates, N, d, stream=stream.child(n), start=start) for n in "eu")
    return margin(e, u)


def bounds(sizes):
    return -2.0 * sizes["N"], 2.0 * sizes["N"]


def judged(printed, measured=shared, **options):
    m = MEMORY
    if "second_moment" not in options:
        options.setdefault("bounds", bounds)
    return judge(
        "margin",
        printed=printed,
        expression=m.margin,
        given=[m.y != m.association(m.x), in_image(m.y)],
        domain={"d": 1, "N": 2},
        instance=setting,
        measured=measured,
        **{"sizes": [{"d": 2, "N": 3}], **options},
    )


@pytest.mark.slow
def test_the_how_to_runs_as_written(capsys):
    text = HOW_TO.read_text(encoding="utf-8")
    shown = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    scope = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, str(HOW_TO), "exec"), scope)
        printed = capsys.readouterr().out
        assert not shown or printed.split() == shown.pop(0).split()
    assert not shown


def test_a_right_lemma_is_borne_out_by_both_roads():
    result = judged("1")
    assert result.verdict is Verdict.PROVED
    assert [e.verdict for e in result.evidence] == [Verdict.PROVED, Verdict.SUPPORTED]


def test_a_wrong_lemma_is_refuted_by_both_roads():
    result = judged("1 + 1/d")
    assert [e.verdict for e in result.evidence] == [Verdict.REFUTED, Verdict.REFUTED]


def test_a_wrong_measurement_of_a_right_lemma_is_a_conflict():
    wrong = judged("1", measured=lambda *a, **sizes: shared(*a, **sizes) / 2)
    assert wrong.verdict is Verdict.CONFLICT


def test_a_tolerance_that_a_mutant_lies_within_is_refused_before_anything_is_drawn():
    def never(*arguments, **sizes):
        raise AssertionError("drawn")

    with pytest.raises(
        UsageError, match=r"tolerance: 1\.5 .*does not exclude the mutant .*take less"
    ):
        judged("1", measured=never, tolerance=Fraction(3, 2))
    held = judged("1", tolerance=Fraction(1, 2))
    assert held.evidence[1].detail["cases"][0]["tolerance"] == 0.5


def test_without_bounds_a_second_moment_does_if_it_is_borne_out():
    unbounded = judged("1", second_moment=lambda sizes: (1.0, 4.0))
    assert [e.verdict for e in unbounded.evidence] == [Verdict.PROVED, Verdict.SUPPORTED]
    assert "assumed, and tested" in unbounded.evidence[1].detail["cases"][0]["needs"]
    too_small = judged("1", second_moment=lambda sizes: (1.0, 0.1))
    assert too_small.verdict is Verdict.ERROR
    assert "contradict E (X - 1)^2 <= 0.1" in too_small.evidence[1].summary


def test_an_infinite_variance_is_an_error_and_no_verdict():
    def cauchy(stream, replicates, start, d, N):
        return torch.from_numpy(stream.replicate(start).generator().standard_cauchy(replicates))

    found = judged("1", measured=cauchy, second_moment=lambda sizes: (1.0, 4.0)).evidence[1]
    assert found.verdict is Verdict.ERROR
    assert "the tails are heavier" in found.summary


def test_sizes_at_which_a_mutant_has_the_printed_value_are_refused():
    """At d = 1 the power of 1/d cannot be seen; at d = 2 it can."""
    with pytest.raises(UsageError, match=r"sizes: the mutant .*cannot be told from the statement"):
        judged("1/d**2", sizes=[{"d": 1, "N": 3}])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": []}, "sizes: there are none"),
        ({"sizes": [{"d": 2, "N": 1}]}, "is outside the domain d >= 1, N >= 2"),
        ({"sizes": [{"d": 2}]}, "is outside the domain"),
        ({"tolerance": Fraction(0)}, "tolerance: 0 leaves no room"),
        ({"tolerance": Fraction(-1, 10)}, "tolerance: -1/10 leaves no room"),
    ],
)
def test_arguments_with_which_nothing_could_be_decided_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        judged("1", **options)


def test_one_of_bounds_and_second_moment_is_asked_for():
    for options in (
        {"bounds": None},
        {"bounds": bounds, "second_moment": lambda sizes: (1.0, 4.0)},
    ):
        with pytest.raises(ValueError, match="bounds, second_moment: give one of them"):
            judged("1", **options)


@pytest.mark.parametrize(
    ("value", "message"),
    [(float("nan"), "value .*nan.* is not in"), (7.0, "value .*7.0.* is not in")],
)
def test_a_value_that_cannot_be_is_an_error_with_its_replicate(value, message):
    def broken(stream, replicates, start, d, N):
        return torch.full((replicates,), value, dtype=torch.float64)

    found = judged("1", measured=broken).evidence[1]
    assert found.verdict is Verdict.ERROR
    assert re.search(message, found.summary)
    assert "seed 0, replicates from 0" in found.summary


def test_one_value_for_all_replicates_is_an_error():
    def lazy(stream, replicates, start, d, N):
        return shared(stream, 1, start, d, N)

    found = judged("1", measured=lazy).evidence[1]
    assert found.verdict is Verdict.ERROR
    assert "shape (1,) for 256 replicates" in found.summary


def test_the_same_definition_is_recognised():
    sizes = {"d": 3, "N": 3}
    counts = {MEMORY.e: 3, MEMORY.u: 3}
    assert same_definition(MEMORY.margin, margin, setting(sizes), d=3, counts=counts) is None


def test_without_torch_there_is_nothing_to_compare_with(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    sizes, counts = {"d": 3, "N": 3}, {MEMORY.e: 3, MEMORY.u: 3}
    with pytest.raises(UsageError, match=r"^function: torch is not installed; pip install"):
        same_definition(MEMORY.margin, margin, setting(sizes), d=3, counts=counts)


def test_another_definition_is_rejected_with_both_values():
    def transposed(e, u):
        weight = torch.einsum("zi,zj->ij", e, u)
        return ((u[0] - u[1]) * (weight @ e[0])).sum()

    with pytest.raises(AssertionError, match=r"in symbols.*in torch"):
        same_definition(
            MEMORY.margin,
            transposed,
            setting({"d": 3, "N": 3}),
            d=3,
            counts={MEMORY.e: 3, MEMORY.u: 3},
        )


def test_the_value_of_an_expression_is_that_of_its_definition():
    e = [[1, 0], [Fraction(3, 5), Fraction(4, 5)]]
    u = [[0, 1], [1, 0]]
    # W = u_0 e_0^T + u_1 e_1^T, W e_0 = u_0 + 3/5 u_1, so the margin is 1 - 3/5.
    value = setting({"d": 2, "N": 2}).evaluate(MEMORY.margin, {MEMORY.e: e, MEMORY.u: u})
    assert value == Fraction(2, 5)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"expression": None}, ["expression: None", "proofs.moments"]),
        ({"function": None}, ["function: None", "take one of tensors"]),
        ({"instance": None}, ["instance: None", "take an Instance"]),
        ({"counts": None}, ["counts: None", "for each Family"]),
        ({"counts": {"e": 1}}, ["counts: {'e': 1}", "for each Family"]),
        ({"d": None}, ["d: None", "1 or more"]),
        ({"d": 0}, ["d: 0", "1 or more"]),
        ({"d": True}, ["d: True", "1 or more"]),
        *(
            ({"counts": {MEMORY.e: count}}, [f"counts: {count!r}", "of e", "0 or more"])
            for count in (-1, "1", None, True)
        ),
        ({"trials": 0}, ["trials: 0", "1 or more"]),
    ],
)
def test_what_is_no_pair_of_definitions_is_refused(changes, named):
    sizes = {"d": 3, "N": 3}
    arguments = {
        "expression": MEMORY.margin,
        "function": margin,
        "instance": setting(sizes),
        "d": 3,
        "counts": {MEMORY.e: 3, MEMORY.u: 3},
    }
    same_definition(**arguments)
    with pytest.raises(UsageError) as caught:
        same_definition(**arguments | changes)
    message = str(caught.value)
    assert "\n" not in message
    assert [one for one in named if one not in message] == [], message
