"""How much fits: what is provable, predicted, measured and possible, for every memory."""

import json
import re
from fractions import Fraction
from math import ceil, factorial, log2, perm
from pathlib import Path

import pytest

from verify.capacity import CONSTRUCTIONS, capacity, construction
from verify.capacity.stored import InjectiveBits
from verify.catalogue import catalogue
from verify.errors import UsageError
from verify.statistics import clopper_pearson

KEYS = {
    "memory",
    "sizes",
    "delta",
    "provable",
    "predicted",
    "bit_bound",
    "measured",
    "failure_bound",
    "why",
    "stored",
}
SMALL = [(name, sizes) for name, kind in CONSTRUCTIONS.items() for sizes in kind.examples]


# -- the answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_what_is_provable_is_predicted_and_what_is_predicted_is_possible(memory, options):
    found = capacity(memory, options, "0.1")
    assert set(found.as_json()) == KEYS
    assert (found.provable or 0) <= found.predicted <= found.bit_bound
    assert set(found.sizes) >= set(options)
    assert all(word in found.why for word in ("provable: ", "predicted: ", "bit bound: "))
    measured = found.measured
    assert measured["N"] == measured["M"] == found.predicted
    low, high = measured["interval"]
    assert low <= 0.1 <= high
    json.dumps(found.as_json())


def test_the_default_step_is_that_of_corollary_2():
    by_default = capacity("quantized", {"d": 64}, "0.1", measure=False)
    assert by_default.sizes == {"d": 64, "step": "1/512"}
    assert by_default == capacity("quantized", {"d": 64, "step": "1/512"}, "0.1", measure=False)


def test_signs_have_no_proved_condition_and_it_is_said_why():
    found = capacity("quantized", {"d": 64, "bits": 1, "N": 4}, "0.1", measure=False)
    assert (found.provable, found.failure_bound) == (None, None)
    assert "none is known for signs" in found.why


def test_the_route_of_the_paper_is_priced_for_the_mlp_memory():
    found = capacity("mlp", {"d": 32, "m": 1024}, "1e-3", measure=False)
    assert "needs d >= " in found.why
    needed = float(found.why.partition("needs d >= ")[2].split()[0])
    assert needed > 1e19


def test_beyond_degree_two_the_mlp_memory_has_no_condition_in_time():
    found = capacity("mlp", {"d": 64, "m": 4096, "k": 4, "N": 2}, "0.1", measure=False)
    assert (found.provable, found.failure_bound) == (None, None)
    assert "optimistic" in found.why


def test_nothing_provable_is_null_and_says_what_to_change():
    found = capacity("quantized", {"d": 64, "step": "1", "M": 100}, "1e-9", measure=False)
    assert found.provable is None
    assert "larger sizes or a larger delta" in found.why


def test_all_sizes_give_the_failure_bound_too():
    found = capacity("low-rank", {"d": 64, "m": 64, "N": 6, "M": 9}, "0.1", measure=False)
    assert 0 < found.failure_bound < Fraction(1, 10)
    assert (found.sizes["N"], found.sizes["M"]) == (6, 9)
    assert found.provable <= 9
    assert found.predicted == found.bit_bound == 9


def test_a_draw_that_would_take_too_long_is_not_made():
    found = capacity("linear", {"d": 4096, "N": 10**6}, "1e-3")
    assert found.measured is None
    assert found.failure_bound is not None


def test_a_pessimistic_prediction_is_called_so():
    found = capacity("linear", {"d": 64}, "1e-6", measure=False)
    assert found.provable > found.predicted
    assert "pessimistic here" in found.why


def test_the_conditions_it_names_are_claims():
    registry = catalogue()
    for memory, options in SMALL:
        why = construction(memory, options).proof(Fraction(1, 10), 10, None)
        for word in why.split():
            if word.startswith("nichani."):
                assert word in registry


# -- bits ------------------------------------------------------------------------------------------


def test_the_bits_of_a_step_tell_the_levels_apart_that_so_many_facts_need():
    built = construction("quantized", {"d": 16, "step": "1/4"})
    N = built.bit_bound(None)
    # The weights of N facts are at most N in size: 2 * 4 N + 1 levels, by 16^2 weights.
    from math import ceil, lgamma, log, log2

    def bits(n):
        return 16**2 * ceil(log2(2 * round(4 * n) + 1))

    assert lgamma(N + 1) / log(2) <= bits(N)
    assert lgamma(N + 2) / log(2) > bits(N + 1) - 16**2


@pytest.mark.parametrize(
    ("memory", "options", "parameters"),
    [
        ("linear", {"d": 7}, 49),
        ("low-rank", {"d": 7, "m": 3}, 42),
        ("mlp", {"d": 7, "m": 5}, 70),
        ("quantized", {"d": 7, "bits": 3}, 49),
    ],
)
def test_parameters_are_counted(memory, options, parameters):
    assert construction(memory, options).parameters[0] == parameters


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_no_more_is_stored_than_used(memory, options):
    found = capacity(memory, options, "0.1", measure=False)
    assert list(found.stored) == ["provable", "predicted"]
    assert (found.stored["provable"] is None) == (found.provable is None)
    for name, bits in found.stored.items():
        if bits is not None:
            assert bits.N == bits.M == getattr(found, name)
            assert bits.stored == pytest.approx(log2(factorial(bits.N)), rel=1e-12)
            assert 0 <= bits.share == bits.stored / bits.used < 1


def test_bits_stored_are_those_of_the_injective_maps():
    found = capacity("quantized", {"d": 64, "bits": 4, "M": 10**6}, "1e-3", measure=False)
    bits = found.as_json()["stored"]["predicted"]
    N, M = found.predicted, 10**6
    assert (bits["N"], bits["M"], bits["used"]) == (N, M, 4 * 64**2)
    assert bits["stored"] == pytest.approx(log2(perm(M, N)), rel=1e-12)
    assert bits["share"] == bits["stored"] / bits["used"]


def test_a_step_uses_as_many_bits_as_tell_its_multiples_apart():
    found = capacity("quantized", {"d": 16, "step": "1/4", "M": 40}, "0.2", measure=False)
    N = found.predicted
    assert found.stored["predicted"].used == 16**2 * ceil(log2(2 * 4 * N + 1))


def test_the_command_line_says_what_is_stored(verify):
    _, out, _ = verify("capacity", "quantized", "--d", "64", "--bits", "4")
    assert "  stored     186.3 bits at N = 45 (predicted), of 16384 used: 1.1%\n" in out
    assert "(provable)" not in out


def test_more_bits_than_are_used_are_not_said_to_be_stored(verify):
    found = capacity("quantized", {"d": 2, "bits": 1}, "0.99", measure=False)
    assert found.predicted > found.bit_bound
    assert found.stored["predicted"] is None
    assert "4.585 bits would be stored and 4 are used" in found.why
    _, out, _ = verify("capacity", "quantized", "--d", "2", "--bits", "1", "--delta", "0.99")
    assert "(predicted), of" not in out


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (InjectiveBits(2, 2, 4), "1 bit at N = 2 (predicted), of 4 used: 25%"),
        (InjectiveBits(3, 3, 9), "2.585 bits at N = 3 (predicted), of 9 used: 29%"),
        (InjectiveBits(1, 1, 4), "0 bits at N = 1 (predicted), of 4 used: 0%"),
        (InjectiveBits(1, 16, 4), "4 bits at N = 1 (predicted), of 4 used: 100%"),
        (InjectiveBits(2, 2, 10**7), "1 bit at N = 2 (predicted), of 10000000 used: 0.00001%"),
    ],
)
def test_what_is_stored_in_words(bits, words):
    assert bits.words("predicted") == words


# -- the memories are those of the measured road ---------------------------------------------------


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_the_prediction_is_near_what_is_measured(memory, options):
    built = construction(memory, options)
    N = built.prediction.largest(delta="0.4")
    drawn = built.failures(N, N, 200, seed=3, name="test")
    interval = clopper_pearson(int(drawn.values.sum()), 200, 1e-4)
    predicted = float(built.prediction.failure(N))
    assert interval.low - 0.15 <= predicted <= interval.high + 0.15


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_a_bound_lies_above_what_is_measured(memory, options):
    built = construction(memory, options)
    bound = built.failure_bound(8, 10)
    if "bits" in options:
        assert bound is None
        return
    drawn = built.failures(8, 10, 100, seed=3, name="test")
    assert clopper_pearson(int(drawn.values.sum()), 100, 1e-6).low <= bound


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_a_sampled_memory_has_its_sizes(memory, options):
    import torch

    from numerics import recall

    built = construction(memory, options)
    drawn = built.sample(5, 7, seed=1, dtype=torch.float32, device="cpu")
    assert drawn.inputs.shape == (5, options["d"])
    assert drawn.outputs.shape == (7, options["d"])
    assert drawn.inputs.dtype == torch.float32
    assert recall(drawn).total == 5
    assert built.products(5, 7) > 5 * 7 * options["d"]


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_the_same_is_measured_on_a_device(memory, options):
    from numerics.contracts import pretended_cuda

    sizes, here = {**options, "N": 6}, capacity(memory, {**options, "N": 6}, "0.4")
    with pretended_cuda() as device:
        there = capacity(memory, sizes, "0.4", device="cuda")
    assert there.as_json() == here.as_json()
    assert device.kernels > 0


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "options", "named"),
    [
        ("hopfield", {}, ["MEMORY", "hopfield", "linear, low-rank, quantized, mlp"]),
        ("attention", {"d": 8}, ["MEMORY", "attention", "linear, low-rank, quantized, mlp"]),
        ("attention-mlp", {"d": 8}, ["MEMORY", "attention-mlp", "linear"]),
        ("linear", {}, ["--d", "missing", "--d 128"]),
        ("low-rank", {"d": 8}, ["--m", "missing", "--m 64"]),
        ("mlp", {"d": 8}, ["--m", "missing", "--m 4096"]),
        ("linear", {"d": 8, "m": 4}, ["--m", "linear", "d, N, M"]),
        ("linear", {"d": 8, "factors": "gaussian"}, ["--factors", "linear"]),
        ("quantized", {"d": 8, "k": 2}, ["--k", "quantized", "step, bits"]),
        ("mlp", {"d": 8, "m": 4, "bits": 2}, ["--bits", "an MLP", "d, m, k"]),
        ("linear", {"d": 10**20}, ["--d", "too large"]),
        ("low-rank", {"d": 10**6, "m": 4}, ["--d", "too large", "100000"]),
        ("linear", {"d": 8, "N": 10**13}, ["--N", "too large"]),
        ("linear", {"d": 0}, ["--d", "0"]),
        ("low-rank", {"d": 8, "m": 0}, ["--m", "0"]),
        ("low-rank", {"d": 8, "m": 9, "factors": "orthonormal"}, ["--m", "9", "take m <= 8"]),
        ("quantized", {"d": 8, "step": "fine"}, ["--step", "fine", "1/512"]),
        ("quantized", {"d": 8, "step": "1/0"}, ["--step", "1/0"]),
        ("quantized", {"d": 8, "step": "nan"}, ["--step", "nan"]),
        ("quantized", {"d": 8, "step": "1e-999999999"}, ["--step", "too many digits"]),
        ("quantized", {"d": 8, "step": "-1"}, ["--step", "-1", "positive"]),
        ("quantized", {"d": 8, "step": "1", "bits": 2}, ["--step", "bits = 2", "drop one"]),
        ("quantized", {"d": 8, "bits": 0}, ["--bits", "0"]),
        ("quantized", {"d": 8, "bits": 17}, ["--bits", "17", "at most 16"]),
        ("mlp", {"d": 8, "m": 4, "k": 3}, ["--k", "3", "even"]),
        ("mlp", {"d": 8, "m": 4, "k": 6}, ["--k", "6", "0 to 4"]),
        ("linear", {"d": 8, "N": 9, "M": 5}, ["--N", "9", "M = 5", "take N <= M"]),
        ("linear", {"d": 8, "N": 0}, ["--N", "0"]),
        ("linear", {"d": 8, "M": -1}, ["--M", "-1"]),
    ],
    ids=str,
)
def test_errors_name_the_option_the_value_and_the_remedy(memory, options, named):
    with pytest.raises(UsageError) as error:
        capacity(memory, options, "0.1", measure=False)
    for word in named:
        assert word in str(error.value)


@pytest.mark.parametrize("delta", ["0", "1", "nan", "1e-99999999", "x"])
def test_delta_must_be_a_probability(delta):
    with pytest.raises(UsageError, match="--delta"):
        capacity("linear", {"d": 8}, delta, measure=False)


# -- the command line ------------------------------------------------------------------------------


def test_the_command_line_says_what_the_json_says(verify):
    arguments = ("capacity", "low-rank", "--d", "64", "--m", "48", "--N", "5", "--delta", "0.1")
    status, out, _ = verify(*arguments, "--json")
    data = json.loads(out)
    assert status == 0
    assert data["sizes"] == {"d": 64, "m": 48, "factors": "gaussian", "N": 5}
    status, out, _ = verify(*arguments)
    assert status == 0
    assert out.startswith("low-rank memory, d = 64, m = 48, factors = gaussian, N = 5")
    assert f"provable   {data['provable']}\n" in out
    assert f"predicted  {data['predicted']}\n" in out
    assert f"bit bound  {data['bit_bound']}\n" in out
    assert "P(failure) at these sizes is at most 0.0" in out


def test_what_is_not_known_is_said_on_the_command_line(verify):
    status, out, _ = verify("capacity", "quantized", "--d", "32", "--bits", "1")
    assert status == 0
    assert "provable   none known" in out


def test_options_of_other_memories_end_in_status_two(verify):
    status, _, err = verify("capacity", "linear", "--d", "8", "--factors", "gaussian")
    assert status == 2
    assert "--factors: a linear memory has no size factors" in err


# -- the page in docs ------------------------------------------------------------------------------

PAGE = (Path(__file__).parents[2] / "docs" / "capacity.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_print_what_stands_below_them(verify, monkeypatch, tmp_path):
    monkeypatch.setattr("verify.running.cache.user_cache_path", lambda name: tmp_path)
    examples = re.findall(r"```sh\nverify (.*?)\n```(?:\n\n```text\n(.*?)```)?", PAGE, re.DOTALL)
    assert len(examples) == PAGE.count("```sh")
    for command, expected in examples:
        status, out, _ = verify(*command.split())
        assert status == 0
        assert out == expected or not expected


def test_the_page_names_every_memory_and_option():
    table = PAGE.partition("| memory |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", table, re.MULTILINE)
    assert [name for name, _ in rows] == list(CONSTRUCTIONS)
    for name, options in rows:
        kind = CONSTRUCTIONS[name]
        assert set(re.findall(r"--([a-z]+)", options, re.IGNORECASE)) == {*kind.needs, *kind.takes}
