"""A few of the trials of ``benchmarks/chaos.py``: what is killed loses nothing that was finished."""

import random
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="it asks Linux for the workers of a run"
)


@pytest.fixture(scope="module")
def chaos(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
        yield import_module("chaos").Chaos(tmp_path_factory.mktemp("chaos"))


#: A worker is killed while the run starts; a run is killed while it writes, another one beside it; the
#: scheduler of one is killed at work; of one the clock jumps.
TRIALS = [3, 26, 15, 14, 22]


@pytest.mark.slow
@pytest.mark.parametrize("number", TRIALS)
def test_a_disturbed_run_has_the_results_of_an_undisturbed_one(chaos, number):
    chaos.trial(number, random.Random(number))
    faults, chaos.faults = chaos.faults, []
    assert not faults
    assert chaos.trials.total() <= 1
    chaos.trials.clear()
