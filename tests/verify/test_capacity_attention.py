"""How many facts S x R a transformer holds: provable, predicted, measured, and what bits allow."""

import json
from fractions import Fraction
from math import log2

import pytest

from verify.capacity.facts import fact_capacity
from verify.capacity.reading import FACT_MEMORIES, construction, fact_construction
from verify.catalogue import catalogue
from verify.errors import UsageError

SMALL = [
    ("attention", {"d": 96, "D": 2, "d_h": 80, "noise": 0}),
    ("attention", {"d": 128, "D": 4, "M": 2}),
    ("attention-mlp", {"d": 65, "D": 2, "m": 2048, "noise": 0}),
]


# -- the answer ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_what_is_provable_is_predicted_and_what_is_predicted_is_possible(memory, options):
    found = fact_capacity(memory, options, "0.4")
    assert found.as_json()["stored"] is None
    assert (found.provable or 0) <= found.predicted <= found.bit_bound
    assert set(found.sizes) >= set(options)
    assert all(word in found.why for word in ("provable: ", "predicted: ", "bit bound: "))
    measured = found.measured
    assert measured["S"] * measured["R"] == found.predicted
    assert measured["interval"][0] <= 0.4
    json.dumps(found.as_json())


@pytest.mark.parametrize(
    ("memory", "options"),
    [
        ("attention", {"d": 48, "D": 2, "d_h": 40, "S": 3, "R": 3}),
        ("attention-mlp", {"d": 33, "D": 2, "m": 128, "S": 3, "R": 2}),
    ],
)
def test_the_same_is_measured_on_a_device(memory, options):
    from numerics.contracts import pretended_cuda

    here = fact_capacity(memory, options, "0.4")
    with pretended_cuda() as device:
        there = fact_capacity(memory, options, "0.4", device="cuda")
    assert there.as_json() == here.as_json()
    assert 0 < here.measured["failures"] < here.measured["draws"]
    assert device.kernels > 0


def test_the_number_that_is_left_out_is_looked_for():
    sizes = {"d": 96, "D": 4, "d_h": 80}
    square, subjects, relations = (
        fact_capacity("attention", {**sizes, **given}, "0.1", measure=False)
        for given in ({}, {"R": 2}, {"S": 3})
    )
    assert int(square.predicted**0.5) ** 2 == square.predicted
    assert subjects.predicted % 2 == relations.predicted % 3 == 0
    assert square.failure_bound is None
    assert (subjects.sizes["R"], relations.sizes["S"]) == (2, 3)


def test_all_sizes_give_the_failure_bound_too():
    options = {"d": 401, "m": 16384, "D": 2, "noise": 0, "S": 2, "R": 2}
    found = fact_capacity("attention-mlp", options, "0.1", measure=False)
    assert 0 < found.failure_bound < Fraction(1, 2)
    assert (found.sizes["S"], found.sizes["R"]) == (2, 2)


def test_nothing_provable_is_null_and_says_what_to_change():
    options = {"d": 16, "m": 64, "D": 2}
    found = fact_capacity("attention-mlp", options, "1e-6", measure=False)
    assert found.provable is None
    assert "larger sizes or a larger delta" in found.why


def test_a_draw_that_would_take_too_long_is_not_made():
    options = {"d": 4096, "D": 8, "S": 100, "R": 100}
    assert fact_capacity("attention", options, "0.5").measured is None


def test_answers_are_no_more_than_subjects():
    found = fact_capacity("attention", {"d": 128, "D": 50, "S": 3, "R": 2}, "0.1")
    assert found.measured["D"] == 3


def test_the_conditions_it_names_are_claims():
    registry = catalogue()
    for memory, options in SMALL:
        assert fact_construction(memory, options).condition in registry


# -- bits and parameters ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "options", "S", "R", "parameters"),
    [
        ("attention", {"d": 7, "D": 2, "d_h": 3, "M": 2}, 5, 4, 4 * 5 * 7 * 3),
        ("attention", {"d": 7, "D": 2}, 2, 1, 4 * 3 * 7 * 6),
        ("attention-mlp", {"d": 9, "m": 5, "D": 2}, 2, 1, 4 * 3 * 9 * 4 + 2 * 5 * 9),
        ("attention-mlp", {"d": 9, "m": 5, "D": 2, "d_h": 3}, 2, 1, 4 * 6 * 9 * 3 + 2 * 5 * 9),
    ],
)
def test_parameters_are_counted(memory, options, S, R, parameters):
    assert fact_construction(memory, options).parameters(S, R) == parameters


@pytest.mark.parametrize("D", [2, 3, 8, 10])
def test_the_bits_are_those_that_tell_all_tables_apart(D):
    built = fact_construction("attention", {"d": 2, "D": D, "d_h": 1, "M": 1000})
    bits = 32 * built.parameters(30, 30)
    assert bits == 32 * 4 * 2 * 2 * 1
    largest = next(n for n in range(1, 1000) if not built.bits_allow(n, 1)) - 1
    assert largest == int(bits / log2(D))


def test_no_limit_is_said_where_every_token_brings_more_parameters():
    found = fact_capacity("attention", {"d": 64, "D": 2, "R": 2}, "0.1", measure=False)
    assert "no limit here" in found.why
    assert found.bit_bound == 2 * 10**12


# -- the prediction --------------------------------------------------------------------------------


@pytest.mark.parametrize(("memory", "options"), SMALL, ids=str)
def test_the_prediction_is_near_what_is_measured(memory, options):
    """Where 4 of 10 draws are predicted to fail some do, but by far not all; twice the facts on each
    side are lost."""
    built = fact_construction(memory, options)
    n = max(n for n in range(1, 20) if built.predicted_failure(n, n) <= Fraction(2, 5))
    near, far = (
        float(built.failures(k, k, 60, seed=4, name="test").values.mean()) for k in (n, 2 * n + 2)
    )
    assert near <= 0.6
    assert far >= 0.6


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory", "options", "named"),
    [
        ("linear", {"d": 8}, ["MEMORY", "linear", "attention, attention-mlp"]),
        ("attention", {"d": 8}, ["--D", "missing", "--D 8"]),
        ("attention", {"D": 2}, ["--d", "missing"]),
        ("attention", {"d": 1, "D": 2}, ["--d", "1", "d >= 2"]),
        ("attention", {"d": 8, "D": 1}, ["--D", "1", "D >= 2"]),
        ("attention", {"d": 8, "D": 2, "d_h": 8}, ["--d-h", "8", "take d_h <= 7"]),
        ("attention", {"d": 8, "D": 2, "d_h": 0}, ["--d-h", "0"]),
        ("attention", {"d": 8, "D": 2, "M": 0}, ["--M", "0"]),
        ("attention", {"d": 8, "D": 2, "noise": -1}, ["--noise", "-1"]),
        ("attention", {"d": 8, "D": 2, "N": 5}, ["--N", "an attention construction", "S, R"]),
        ("attention", {"d": 8, "D": 2, "m": 5}, ["--m", "an attention construction"]),
        ("attention", {"d": 8, "D": 2, "S": 0}, ["--S", "0"]),
        ("attention", {"d": 8, "D": 2, "R": -3}, ["--R", "-3"]),
        ("attention", {"d": 10**8, "D": 2}, ["--d", "too large"]),
        ("attention", {"d": 8, "D": 2, "S": 10**13}, ["--S", "too large"]),
        ("attention-mlp", {"d": 8, "D": 2}, ["--m", "missing", "16384"]),
        ("attention-mlp", {"d": 2, "D": 2, "m": 4}, ["--d", "2", "d >= 3"]),
        ("attention-mlp", {"d": 8, "D": 2, "m": 0}, ["--m", "0"]),
        ("attention-mlp", {"d": 8, "D": 2, "m": 4, "d_h": 9}, ["--d-h", "9", "d_h <= 8"]),
        ("attention-mlp", {"d": 8, "D": 2, "m": 4, "k": 2}, ["--k", "attention-mlp construction"]),
    ],
    ids=str,
)
def test_errors_name_the_option_the_value_and_the_remedy(memory, options, named):
    with pytest.raises(UsageError) as error:
        fact_capacity(memory, options, "0.1", measure=False)
    for word in named:
        assert word in str(error.value)


@pytest.mark.parametrize("delta", ["0", "1", "nan", "x"])
def test_delta_must_be_a_probability(delta):
    with pytest.raises(UsageError, match="--delta"):
        fact_capacity("attention", {"d": 8, "D": 2}, delta, measure=False)


@pytest.mark.parametrize("memory", FACT_MEMORIES)
def test_constructions_for_facts_are_no_memories_of_associations(memory):
    with pytest.raises(UsageError, match=r"holds facts \(s, r\), not N associations"):
        construction(memory, {"d": 8})


# -- the command line ------------------------------------------------------------------------------


def test_the_command_line_says_what_the_json_says(verify):
    arguments = ("capacity", "attention", "--d", "96", "--d-h", "80", "--D", "2", "--noise", "0")
    arguments += ("--S", "3", "--R", "2", "--delta", "0.4")
    status, out, _ = verify(*arguments, "--json")
    data = json.loads(out)
    assert status == 0
    assert data["sizes"] == {"d": 96, "d_h": 80, "M": 1, "D": 2, "noise": 0, "S": 3, "R": 2}
    assert 0 < float(Fraction(data["failure_bound"])) < 1
    status, out, _ = verify(*arguments)
    assert status == 0
    assert out.startswith(
        "attention construction, d = 96, d_h = 80, M = 1, D = 2, noise = 0, S = 3, R = 2, failure "
        "probability at most 0.4: largest S x R\n"
    )
    assert f"provable   {data['provable']}\n" in out
    assert f"predicted  {data['predicted']}\n" in out
    assert f"bit bound  {data['bit_bound']}\n" in out
    assert "measured   at S = 3, R = 2: " in out
    assert "P(failure) at these sizes is at most 0." in out


def test_a_missing_size_ends_in_status_two(verify):
    status, _, err = verify("capacity", "attention-mlp", "--d", "64", "--D", "2")
    assert status == 2
    assert "--m: missing" in err
