"""What Python calls of the parts refuse: in one line, with the argument, its value and a remedy."""

import pytest

from verify.catalogue import catalogue, read_paper
from verify.claim import Road
from verify.drawing.figures import Figure, figure
from verify.drawing.picture import Scale
from verify.errors import CatalogueError, UsageError
from verify.jobs.address import require_address
from verify.jobs.cluster import Cluster
from verify.measuring.context import Profile
from verify.running.settings import LARGEST_WORKERS, Settings
from verify.statistics import BoundedMean, HeavyTailedMean

REGISTRY = catalogue()
CLAIM = "nichani.thm1.mean"


def refused(call, error, named):
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    message = str(caught.value)
    assert message.count("\n") == 0
    assert [one for one in named if one not in message] == [], message


WORKERS = f"0 to {LARGEST_WORKERS}"


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (lambda: REGISTRY[None], UsageError, ["ID: None", "take a string"]),
        (lambda: REGISTRY[[]], UsageError, ["ID: []", "take a string"]),
        (lambda: REGISTRY.entry(5), UsageError, ["ID: 5", "take a string"]),
        (lambda: REGISTRY.select(None), UsageError, ["ID: None", "in a list"]),
        (lambda: REGISTRY.select(CLAIM), UsageError, [f"ID: '{CLAIM}'", "in a list"]),
        (lambda: REGISTRY.select([5]), UsageError, ["ID: 5", "take a string"]),
        (lambda: REGISTRY.select([CLAIM, None]), UsageError, ["ID: None", "take a string"]),
        (lambda: REGISTRY.checks(None), UsageError, ["ID: None", "take a string"]),
        (lambda: REGISTRY.checks(CLAIM, ["x"]), UsageError, ["roads: ['x']", "proofs, numerics"]),
        (lambda: REGISTRY.checks(CLAIM, None), UsageError, ["roads: None", "proofs, numerics"]),
        (lambda: REGISTRY.checks(CLAIM, "proofs"), UsageError, ["roads: 'proofs'", "numerics"]),
        (lambda: read_paper(None), CatalogueError, ["package: None", "name the one of the paper"]),
        (lambda: read_paper([]), CatalogueError, ["package: []", "name the one of the paper"]),
        (lambda: Settings(workers=-1), UsageError, ["workers: -1", WORKERS]),
        (lambda: Settings(workers=LARGEST_WORKERS + 1), UsageError, ["workers: 1025", WORKERS]),
        (lambda: Settings(workers=10**9), UsageError, ["workers: 1000000000", WORKERS]),
        (lambda: Settings(workers="2"), UsageError, ["workers: '2'", WORKERS]),
        (lambda: Settings(workers=None), UsageError, ["workers: None", WORKERS]),
        (lambda: Settings(workers=True), UsageError, ["workers: True", WORKERS]),
        (lambda: Settings(workers=2.0), UsageError, ["workers: 2.0", WORKERS]),
        (lambda: Settings(device="tpu"), UsageError, ["device: 'tpu'", "take one of cpu, cuda"]),
        (lambda: Settings(device=None), UsageError, ["device: None", "take one of cpu, cuda"]),
        (lambda: Settings(device=[]), UsageError, ["device: []", "take one of cpu, cuda"]),
        (lambda: Settings(roads=("x",)), UsageError, ["roads: ('x',)", "proofs, numerics"]),
        (lambda: Settings(roads=None), UsageError, ["roads: None", "proofs, numerics"]),
        (lambda: Settings(roads="proofs"), UsageError, ["roads: 'proofs'", "numerics"]),
        (lambda: Settings(profile="x"), UsageError, ["profile: 'x'", "quick, standard, full"]),
        (lambda: Settings(profile=None), UsageError, ["profile: None", "quick, standard, full"]),
        (lambda: Settings(cluster=5), UsageError, ["cluster: 5", "write tcp://HOST:PORT"]),
        (lambda: Settings(cluster=None), UsageError, ["cluster: None", "write tcp://HOST:PORT"]),
        (lambda: Settings(cluster="x"), UsageError, ["cluster: 'x'", "write tcp://HOST:PORT"]),
        (lambda: Cluster(None), UsageError, ["--workers: None", "write tcp://HOST:PORT"]),
        (lambda: Cluster(""), UsageError, ["--workers: ''", "write tcp://HOST:PORT"]),
        (
            lambda: Cluster("tcp://127.0.0.1:1", "tpu"),
            UsageError,
            ["device = 'tpu'", "cpu or cuda"],
        ),
        (lambda: Cluster("tcp://127.0.0.1:1", None), UsageError, ["device = None", "cpu or cuda"]),
        (lambda: Cluster("tcp://x:0"), UsageError, ["--workers: 'tcp://x:0'", "1 to 65535"]),
        (lambda: Cluster("tcp://x:65536"), UsageError, ["'tcp://x:65536'", "1 to 65535"]),
        (lambda: require_address("a", "tcp://x"), UsageError, ["a: 'tcp://x'", "tls://HOST:PORT"]),
        (lambda: figure(None, REGISTRY), UsageError, ["NAME: None", "nichani/5"]),
        (lambda: figure(5, REGISTRY), UsageError, ["NAME: 5", "nichani/5"]),
        (lambda: figure("nichani/5", None), UsageError, ["registry: None", "catalogue()"]),
        (lambda: BoundedMean("a", "b"), ValueError, ["low: 'a'", "take one"]),
        (lambda: BoundedMean(0, None), ValueError, ["high: None", "take one"]),
        (lambda: BoundedMean(0, 1j), ValueError, ["high: 1j", "take one"]),
        (lambda: HeavyTailedMean("a", 1.0), ValueError, ["about: 'a'", "take one"]),
        (lambda: HeavyTailedMean(0.0, "b"), ValueError, ["second_moment: 'b'", "take one"]),
    ],
)
def test_what_cannot_be_is_refused(call, error, named):
    refused(call, error, named)


def test_settings_take_names_for_what_they_name():
    named = Settings(profile="full", roads=["proofs"], workers=LARGEST_WORKERS, device="cuda")
    assert named == Settings(
        profile=Profile.FULL, roads=(Road.PROOFS,), workers=LARGEST_WORKERS, device="cuda"
    )
    assert type(named.profile) is Profile
    assert [type(road) for road in named.roads] == [Road]
    assert Settings(cluster="tcp://there:1").cluster == "tcp://there:1"


def test_the_checks_of_a_road_that_is_named_are_those_of_the_road():
    assert REGISTRY.checks(CLAIM, ["proofs"]) == REGISTRY.checks(CLAIM, [Road.PROOFS]) != []


def test_a_figure_is_measured_at_a_scale_that_is_named_and_at_no_other():
    seen = []
    one = Figure("p/1", lambda scale, seed, progress: seen.append(scale))
    for scale in (Scale.QUICK, "quick"):
        one.measured(scale, 0, print)
    assert [type(scale) for scale in seen] == [Scale, Scale]
    for scale in ("x", None, 5):
        refused(
            lambda scale=scale: one.measured(scale, 0, print),
            UsageError,
            [f"scale: {scale!r}", "quick, paper"],
        )
    assert len(seen) == 2
