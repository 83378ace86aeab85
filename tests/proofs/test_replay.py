"""The replay confirms what the engine derives, and says where a record was changed."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories.linear import definition
from proofs.moments import (
    Association,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Relation,
    Sphere,
    Splitting,
    central_moment,
    count,
    covariance,
    dot,
    equal,
    fails,
    fibre,
    hermite_sum,
    holds,
    in_image,
    indicator,
    mean,
    not_in_image,
    outer,
    sum_over,
    variance,
    wick_power,
)
from proofs.replay import RecordError, replay
from proofs.replay.__main__ import main

d, N, M, m, p, q, rho, k, n, Z, A = map(
    RationalFunction.symbol, ("d", "N", "M", "m", "p", "q", "rho", "k", "n", "Z", "A")
)
pair, neurons = Range(2, "pair"), Range(m, "[m]")
a, b = pair.index("a"), pair.index("b")
i, j, h = neurons.index("i"), neurons.index("j"), neurons.index("h")
e, g = Sphere("e", d), Gaussian("g", d)


def linear(order: int, embeddings: Any = "sphere") -> Derived:
    memory = definition(embeddings)
    given = [memory.y != memory.association(memory.x), in_image(memory.y)]
    return central_moment(order, memory.margin, given)


def of_map(order: int, inputs_of_y: Any, **options: Any) -> Derived:
    inputs, outputs = Range(N, "[N]"), Range(M, "[M]")
    f = Association(inputs, outputs, **options)
    u, x, z, y = Sphere("u", d), inputs.index("x"), inputs.index("z"), outputs.index("y")
    weight = sum_over(z, outer(u[f(z)], e2[z]))
    return central_moment(
        order, dot(u[f(x)] - u[y], weight @ e2[x]), [y != f(x), fibre(y, inputs_of_y)]
    )


e2 = Sphere("e", d)


def of_two_margins() -> Derived:
    inputs, outputs = Range(N, "[N]"), Range(M, "[M]")
    f, u, x = Association(inputs, outputs), Sphere("u", d), inputs.index("x")
    z, y, y2 = inputs.index("z"), outputs.index("y"), outputs.index("y2")
    read = sum_over(z, outer(u[f(z)], e2[z])) @ e2[x]
    given = [y != f(x), y2 != f(x), y != y2, in_image(y), not_in_image(y2)]
    return covariance(dot(u[f(x)] - u[y], read), dot(u[f(x)] - u[y2], read), given)


def orthogonal(order: int, *, fixed: bool = False) -> Derived:
    to = Fixed("c", d, overlap=rho) if fixed else Sphere("c", d)
    w = OrthogonalSphere("w", d, to=to[a])
    half = Splitting(d, P=p)["P"]
    other = e[b] if not fixed else to[b]
    if fixed:
        return central_moment(order, dot(w[i], other), [a != b])
    return central_moment(order, dot(w[i], half @ w[i]) + dot(w[i], w[j]), [i != j])


def twice_orthogonal() -> Derived:
    c = Sphere("c", d)
    w = OrthogonalSphere("w", d, to=c[a])
    v = OrthogonalSphere("v", d, to=w[i])
    return mean((dot(v[j], c[a]) * dot(v[j], e[b])) ** 2, [i != j, a != b])


def projected(power: int) -> Derived:
    parts = Splitting(d, P=p, Q=q)
    P, Q = parts["P"], parts["Q"]
    return mean(
        dot(P @ e[a], e[a]) ** power + dot(Q @ e[a], e[b]) ** 2 * dot(P @ e[a], e[a]), [a != b]
    )


def wick() -> Derived:
    small, P = Gaussian("h", d, 1 / d), Splitting(d, P=p)["P"]
    return variance(wick_power(small[i], P @ e[a], 2) * wick_power(small[i], e[b], 3), [a != b])


def hermite() -> Derived:
    f = Fixed("f", d, overlap=rho)
    left = hermite_sum([1, 2, RationalFunction.root(3), 1], dot(g[i], f[a]))
    return central_moment(3, left * hermite_sum([0, 1, 1], dot(g[i], f[b])), [a != b])


def with_indicators() -> Derived:
    product = dot(g[j], e[a]) * dot(g[h], e[a]) * (1 - 2 * indicator(equal(j, h)))
    return central_moment(
        3, sum_over([j, h], product + dot(g[j], e[b]) * indicator(j != i)), [a != b]
    )


def related(*, functional: bool) -> Derived:
    keys, answers = Range(Z, "[Z]"), Range(A, "[A]")
    z, z1, z2, z3 = (keys.index(name) for name in ("z", "z1", "z2", "z3"))
    c, a1, a2 = (answers.index(name) for name in ("c", "a1", "a2"))
    phi, psi = Sphere("phi", d), Sphere("psi", d)
    R = Relation("R", keys, answers, functional=functional)
    X = sum_over([z1, a1], dot(phi[a1], phi[c]) * dot(psi[z1], psi[z]), where=R(z1, a1))
    given = [holds(R(z, c)), count(R(z2, c), n, over=z2)]
    if not functional:
        total = RationalFunction.symbol("T")
        given += [count(R(z, a2), k, over=a2), count(R(z3, a2), total, over=(z3, a2))]
    return mean(X**2, given)


def fact_table() -> Derived:
    """A table of three entries, a rival answer and counts that relations must be searched for."""
    S, R, c0, c1 = map(RationalFunction.symbol, ("S", "R", "c0", "c1"))
    subjects, relations, answers = Range(S, "[S]"), Range(R, "[R]"), Range(A, "[A]")
    s, s1, s2 = (subjects.index(name) for name in ("s", "s1", "s2"))
    r, r1, r2 = (relations.index(name) for name in ("r", "r1", "r2"))
    right, rival, a1 = (answers.index(name) for name in ("right", "rival", "a1"))
    phi, psi, chi = Sphere("phi", d), Sphere("psi", d), Sphere("chi", d)
    F = Relation("F", subjects, relations, answers, functional=True)
    key = dot(psi[s1], psi[s]) * dot(chi[r1], chi[r])
    stored = key * dot(phi[a1], phi[right] - phi[rival])
    given = [
        right != rival,
        holds(F(s, r, right)),
        fails(F(s, r, rival)),
        count(F(s2, r2, right), c0, over=(s2, r2)),
        count(F(s2, r, right), c0, over=s2),
        count(F(s, r2, right), 1, over=r2),
        count(F(s2, r2, rival), c1, over=(s2, r2)),
        count(F(s2, r, rival), c1, over=s2),
        count(F(s, r2, rival), 0, over=r2),
    ]
    return variance(sum_over((s1, r1, a1), stored, where=F(s1, r1, a1)), given)


CASES: dict[str, Callable[[], Derived]] = {
    "variance": lambda: linear(2),
    "fourth moment": lambda: linear(4),
    "Gaussian embeddings": lambda: linear(4, "gaussian"),
    "power sums": lambda: of_map(4, k, fibre_powers="p"),
    "blocks": lambda: of_map(3, 3, fibre_size=3),
    "symbolic blocks": lambda: of_map(3, 0, fibre_size=k),
    "covariance": of_two_margins,
    "orthogonal": lambda: orthogonal(3),
    "orthogonal to fixed": lambda: orthogonal(4, fixed=True),
    "orthogonal twice": twice_orthogonal,
    "<e,Pe>^3": lambda: projected(3),
    "Wick powers": wick,
    "Hermite sums": hermite,
    "indicators": with_indicators,
    "relation": lambda: related(functional=False),
    "function": lambda: related(functional=True),
    "fact table": fact_table,
}


def record(derived: Derived) -> dict[str, Any]:
    assert derived.record is not None
    return derived.record.as_dict()


@pytest.mark.parametrize("name", CASES)
def test_the_engine_is_confirmed(name: str) -> None:
    data = record(CASES[name]())
    found = replay(json.dumps(data))
    assert found.confirmed, str(found)
    patterns = [pattern for moment in data["moments"] for pattern in moment["patterns"]]
    assert found.patterns == found.multiplicities == len(patterns) > 0
    assert found.states == sum(len(pattern["states"]) for pattern in patterns)
    assert found.moments == len(data["moments"])


# -- changed records --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fourth() -> dict[str, Any]:
    return record(linear(4))


@pytest.fixture
def changed(fourth: dict[str, Any]) -> dict[str, Any]:
    return copy.deepcopy(fourth)


def pattern_of(data: dict[str, Any], order: int, words: str) -> dict[str, Any]:
    patterns = data["moments"][order - 1]["patterns"]
    return next(pattern for pattern in patterns if pattern["pattern"] == words)


def only(data: dict[str, Any], *parts: str) -> None:
    """One failure, whose text has all *parts*."""
    (failure,) = replay(data).failures
    assert all(part in failure for part in parts), failure


def test_a_coefficient(changed: dict[str, Any]) -> None:
    pattern_of(changed, 2, "another input (2 times)")["states"][0]["coefficient"] = "2"
    only(changed, "order 2", "'another input (2 times)'", "stated as 2/d^2", "found (3)/(d^2)")


def test_an_edge(changed: dict[str, Any]) -> None:
    pattern_of(changed, 2, "another input (2 times)")["states"][0]["edges"][0][4] = 4
    only(changed, "order 2", "'another input (2 times)'", "the expectation")


def test_a_multiplicity(changed: dict[str, Any]) -> None:
    changed["moments"][1]["value"] = str(0)
    pattern_of(changed, 2, "another input (2 times)")["multiplicity"] = "N - 1"
    failures = replay(changed).failures
    assert any(
        "'another input (2 times)': the multiplicity" in f and "N - 1" in f for f in failures
    )


def test_swapped_multiplicities(changed: dict[str, Any]) -> None:
    first, second = changed["moments"][3]["patterns"][-2:]
    first["multiplicity"], second["multiplicity"] = second["multiplicity"], first["multiplicity"]
    wrong = [f for f in replay(changed).failures if "multiplicity" in f]
    assert len(wrong) == (2 if first["multiplicity"] != second["multiplicity"] else 0)


def test_the_value(changed: dict[str, Any]) -> None:
    changed["value"] += " + 1/d^9"
    only(changed, "the value is stated as")


def test_the_value_of_a_moment(changed: dict[str, Any]) -> None:
    changed["moments"][2]["value"] += " + 1"
    assert replay(changed).failures[0].startswith("moment of order 3: the sum")


def test_a_pattern_that_is_left_out(changed: dict[str, Any]) -> None:
    del changed["moments"][3]["patterns"][2]
    only(changed, "moment of order 4: the sum over its patterns")


def test_a_law(changed: dict[str, Any]) -> None:
    (serial,) = (s for s, law in changed["laws"].items() if law["name"] == "e")
    changed["laws"][serial] |= {"law": "gaussian", "variance": "1/d"}
    failures = replay(changed).failures
    assert failures
    assert all("the expectation" in failure for failure in failures)


def test_an_orthogonal_vector_that_is_not() -> None:
    data = record(orthogonal(2, fixed=True))
    edges = data["moments"][1]["patterns"][0]["states"][0]["edges"]
    edges[:] = [edge for edge in edges if edge[3]]
    assert any("orthogonal to no unit vector" in failure for failure in replay(data).failures)


def test_a_fibre(changed: dict[str, Any]) -> None:
    changed["worlds"][0]["fibres"] = dict.fromkeys(changed["worlds"][0]["fibres"], "2")
    assert any("multiplicity" in failure for failure in replay(changed).failures)


def test_a_count_of_a_relation() -> None:
    data = record(related(functional=False))
    counts = data["worlds"][0]["counts"]
    next(entry for entry in counts if entry["size"] == "n")["size"] = "n + 1"
    assert any("multiplicity" in failure for failure in replay(data).failures)


def test_sizes_that_fit_nothing_are_not_checked(changed: dict[str, Any]) -> None:
    changed["worlds"][0]["ranges"][0] = "N/(M^2 + 2)"
    found = replay(changed)
    assert found.unchecked > 0
    assert not found.confirmed
    assert "not checked" in str(found)


def test_a_loop_at_a_wick_power_is_no_constant() -> None:
    """E[|g|^2 He_2(<g,v>)] = E[g^2 (g^2 - 1)] = 2 in dimension 1, and 2 in every other."""
    state = {
        "coefficient": "1",
        "vertices": ["0", "1"],
        "edges": [[0, 0, [], 1, 1], [0, 1, [], 2, 1]],
    }
    pattern = {
        "pattern": "",
        "fresh": [],
        "facts": [],
        "multiplicity": "1",
        "expectation": "2",
        "states": [state],
    }
    world: dict[str, Any] = {key: [] for key in ("maps", "relations", "counts")}
    data = {
        "schema": 1,
        "laws": {
            "0": {"law": "gaussian", "name": "g", "dimension": "d", "variance": "1"},
            "1": {"law": "sphere", "name": "v", "dimension": "d"},
        },
        "blocks": {},
        "worlds": [{**world, "ranges": ["1"], "named": [[0, -1]], "labels": ["i"], "fibres": {}}],
        "moments": [{"order": 1, "world": 0, "patterns": [pattern], "value": "2"}],
        "rule": "mean",
        "value": "2",
    }
    assert replay(data).confirmed


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": 2}, "schema: 2 is not known"),
        ({"laws": {}}, "'[01-9]+' is missing"),
        ({"moments": [{}]}, "is missing"),
        ({"moments": 3}, "not built as records are"),
        ({"rule": "median"}, "rule: 'median'"),
        ({"value": "d + "}, "formula: 'd [+] ' cannot be read"),
        ({"value": "__import__('os')"}, "cannot be read"),
        ({"value": "d^999999999"}, "too large"),
        ({"value": "1/(d - d)"}, "denominator 0"),
    ],
)
def test_what_is_no_record(changed: dict[str, Any], change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        replay({**changed, **change})


@pytest.mark.parametrize("text", ["", "[]", "{}", '"x"', "[" * 100_000])
def test_text_that_is_no_record(text: str) -> None:
    with pytest.raises(RecordError, match=r"^record: "):
        replay(text)


def test_an_image_that_is_none(changed: dict[str, Any]) -> None:
    pattern_of(changed, 2, "another input (2 times)")["fresh"][0][1] = -1
    with pytest.raises(RecordError, match="image: -1"):
        replay(changed)


def test_a_world_that_is_none(changed: dict[str, Any]) -> None:
    changed["moments"][1]["world"] = 1
    with pytest.raises(RecordError, match="world: 1 is none of the 1"):
        replay(changed)


# -- the command line -------------------------------------------------------------------------


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "proofs.replay", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True)


def test_the_command_line(fourth: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text(json.dumps(fourth), encoding="utf-8")
    good = run(str(path))
    assert (good.returncode, good.stdout.split()[0]) == (0, "confirmed")
    wrong = run("-", text=json.dumps({**fourth, "value": "1"}))
    assert wrong.returncode == 1
    assert "the value is stated as 1, found" in wrong.stdout
    for bad in (run(), run(str(tmp_path / "none")), run("-", text="{}")):
        assert (bad.returncode, bad.stdout) == (2, "")
        assert "Traceback" not in bad.stderr


def test_nothing_of_the_engine_is_loaded(fourth: dict[str, Any]) -> None:
    script = (
        "import sys, proofs.replay\n"
        "assert proofs.replay.replay(sys.stdin.read()).confirmed\n"
        "print(*sorted(sys.modules))\n"
    )
    command = [sys.executable, "-c", script]
    loaded = subprocess.run(
        command, input=json.dumps(fourth), check=True, capture_output=True, text=True
    ).stdout.split()
    foreign = [name for name in loaded if name.split(".")[0] in ("sympy", "torch", "numpy")]
    own = [name for name in loaded if name.startswith("proofs.")]
    assert foreign == []
    assert own
    assert all(name.startswith("proofs.replay") for name in own)


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_a_pipe_is_no_file_of_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe\u202e")
    assert main([str(tmp_path / "pipe\u202e")]) == 2
    assert "pipe\\u202e: this is a pipe or a device" in capsys.readouterr().err
