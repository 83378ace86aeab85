"""The cases of the benchmark of the moments that the engine computes, each with a check of its value.

`python benchmarks/moments/engine.py CASE` computes one in this process, and prints seconds, memory and
how the value was checked as JSON; `--list` prints all cases with their targets.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import factorial, prod
from pathlib import Path
from typing import Any

import checks

from proofs import attention
from proofs.algebra import RationalFunction
from proofs.hermite import hermite
from proofs.memories import low_rank, mlp
from proofs.memories.linear import definition, margin_central_moment
from proofs.moments import (
    Association,
    Condition,
    Expression,
    Fixed,
    Gaussian,
    Range,
    Sphere,
    dot,
    fibre,
    hermite_sum,
    in_image,
    mean,
    outer,
    polynomial,
    raw_moments,
    sum_over,
    variance,
)
from proofs.moments import raw as engine
from proofs.moments.graphs import PLAIN, FactorKey, FactorSum, Integrator
from proofs.replay import replay

d, N, M, m, rho, d_h = (RationalFunction.symbol(s) for s in ("d", "N", "M", "m", "rho", "d_h"))

#: Rounds in one process after which a case counts as warm.
WARM_ROUNDS = 5


class WrongValueError(Exception):
    """A value does not agree with the second road to it."""


def agree(what: str, value: Any, expected: Any) -> None:
    """Exactly, or for floats within the rounding of the cubature."""
    if isinstance(expected, float):
        same = abs(value - expected) <= checks.TOLERANCE * (1 + abs(expected))
    else:
        same = value == expected
    if not same:
        raise WrongValueError(f"{what}: the engine says {value}, the other road {expected}")


def agree_at(what: str, value: RationalFunction, expected: float, **sizes: int) -> None:
    """The formula at explicit sizes, as float."""
    at = ", ".join(f"{name}={size}" for name, size in sizes.items())
    agree(f"{what}, {at}", float(value(**sizes).to_sympy()), expected)


@dataclass(frozen=True)
class Case:
    """What is computed, and a check that says in words what it did."""

    group: str
    run: Callable[[], Any]
    check: Callable[[Any], str]
    target: float | None = None
    #: Also timed again and again in the same process.
    warm: bool = False


# -- E <u,v>^(2p) ---------------------------------------------------------------------------------

HALF_POWERS = range(1, 13)


def overlaps() -> list[RationalFunction]:
    """E <u,v>^(2p), p = 1, ..., 12."""
    e, inputs = Sphere("e", d), Range(N)
    a, b = inputs.index("a"), inputs.index("b")
    return [mean(dot(e[a], e[b]) ** (2 * p), [a != b]).value for p in HALF_POWERS]


def check_overlaps(values: list[RationalFunction]) -> str:
    for p, value in zip(HALF_POWERS, values, strict=True):
        known = prod(range(1, 2 * p, 2)) / prod((d + 2 * i for i in range(p)), start=d**0)
        agree(f"E <u,v>^{2 * p}", value, known)
    return "(2p-1)!!/(d (d+2) ...)"


# -- margins of memories --------------------------------------------------------------------------


def check_linear(order: int, value: RationalFunction) -> str:
    for d_, n in itertools.product((1, 2), (2, 3)):
        agree_at(f"order {order}", value, checks.linear(order, d_, n), d=d_, N=n)
    return "cubature, d = 1, 2, N = 2, 3"


def second_moment(n: int) -> RationalFunction:
    """E gamma^2 by the engine, at N = n, for the ratio with the naive road."""
    return margin_central_moment(2, d, n).value + 1


def naive(order: int, n: int) -> RationalFunction:
    """E gamma^order at N = M = n over all index tuples, each graph integrated on its own."""
    memory = definition()
    families = {memory.e.serial: memory.e, memory.u.serial: memory.u}
    inputs = [(0, i) for i in range(n)]
    outputs = [(1, i) for i in range(n)]
    x, y = 0, 1
    total: dict[FactorKey, Any] = {}
    for facts in itertools.product(range(n), repeat=order):
        for signs in itertools.product((1, -1), repeat=order):
            edges: dict[tuple[int, int], int] = {}
            coefficient = 1
            for z, sign in zip(facts, signs, strict=True):
                coefficient *= sign
                up = outputs[x if sign == 1 else y]
                for left, right in ((up, outputs[z]), (inputs[z], inputs[x])):
                    if left != right:
                        a, b = sorted((left[0] * n + left[1], right[0] * n + right[1]))
                        edges[a, b] = edges.get((a, b), 0) + 1
            vertices = {v for edge in edges for v in edge}
            serials = [memory.e.serial, memory.u.serial]
            laws = {v: families[serials[v // n]] for v in vertices}
            graph = tuple(sorted((a, b, PLAIN, k) for (a, b), k in edges.items()))
            # A new integrator remembers nothing of the graphs before.
            for key, value in Integrator().expectation(laws, graph).terms.items():
                total[key] = total.get(key, 0) + coefficient * value
    return FactorSum(total).collect({"d": d})


def check_raw(order: int, n: int, value: RationalFunction) -> str:
    """E gamma^order at N = n from the central moments."""
    central = [margin_central_moment(k, d, n).value for k in range(2, order + 1)]
    known = {2: lambda c: c[0] + 1, 4: lambda c: c[2] + 4 * c[1] + 6 * c[0] + 1}[order](central)
    agree(f"E gamma^{order}, N={n}", value, known)
    return "naive = engine"


def centred() -> RationalFunction:
    """Var of the margin of the memory of inputs less their average, y in the image."""
    inputs, outputs = Range(N), Range(M)
    f = Association(inputs, outputs)
    x, z, v, y = inputs.index("x"), inputs.index("z"), inputs.index("v"), outputs.index("y")
    e, u = Sphere("e", d), Sphere("u", d)
    average = sum_over(v, e[v]) / N
    weight = sum_over(z, outer(u[f(z)], e[z] - average))
    margin = dot(u[f(x)] - u[y], weight @ (e[x] - average))
    return variance(margin, [y != f(x), in_image(y)]).value


def check_centred(value: RationalFunction) -> str:
    for d_, n in itertools.product((1, 2), (2, 3)):
        agree_at("centred", value, checks.centred(d_, n), d=d_, N=n)
    return "cubature, d = 1, 2, N = 2, 3"


def check_low_rank(order: int, value: RationalFunction) -> str:
    for d_, n, rank in ((1, 2, 1), (1, 3, 2), (2, 2, 1), (2, 3, 1), (2, 2, 2)):
        known = checks.low_rank(order, d_, n, rank)
        agree_at(f"low rank, order {order}", value, known, d=d_, N=n, m=rank)
    return "cubature, d, m = 1, 2, N = 2, 3"


def check_ntk(k: int, degree: int, value: RationalFunction) -> str:
    sigma = [1 + Fraction((-1) ** j, j + 2) for j in range(degree + 1)]
    value = value(**{f"c{j}": c for j, c in enumerate(sigma)})
    for d_, n, width in ((1, 2, 1), (1, 3, 2), (2, 2, 1), (2, 3, 1)):
        known = checks.ntk(d_, n, width, k, [float(c) for c in sigma])
        agree_at(f"NTK, k={k}", value, known, d=d_, N=n, m=width)
    return "cubature, d, m = 1, 2, N = 2, 3"


# -- attention ------------------------------------------------------------------------------------


def store(suffix: str = "", **more: Any) -> attention.Store:
    """A store with a symbol for each of its counts."""
    names = ("answers", "facts", "holders", "rival_holders", "shared")
    counts = {name: RationalFunction.symbol(name + suffix) for name in names}
    return attention.Store(**counts, **more)


def replayed(derived: Any) -> str:
    found = replay(derived.record.as_dict())
    if not found.confirmed:
        raise WrongValueError(f"the replay does not confirm it: {found}")
    return "replay"


# -- Hermite polynomials --------------------------------------------------------------------------


def gaussian_pair() -> tuple[Expression, Expression, list[Condition]]:
    """<u, x> and <w, x>, x standard Gaussian, u and w fixed unit vectors with overlap rho."""
    x, fixed = Gaussian("x", d), Fixed("u", d, rho)
    i, pair = Range(1).index("i"), Range(2)
    a, b = pair.index("a"), pair.index("b")
    return dot(fixed[a], x[i]), dot(fixed[b], x[i]), [a != b]


def hermite_products(largest: int, *, powers: bool) -> dict[tuple[int, int], RationalFunction]:
    """E h_j(<u,x>) h_k(<w,x>), j, k <= largest; with *powers* of polynomials written out."""
    s, t, given = gaussian_pair()
    form = written if powers else hermite
    left, right = ([form(j, scalar) for j in range(largest + 1)] for scalar in (s, t))
    return {
        (j, k): mean(left[j] * right[k], given).value
        for j, k in itertools.product(range(largest + 1), repeat=2)
    }


def written(k: int, scalar: Expression) -> Expression:
    """h_k as a sum of powers, from its explicit form."""
    norm = RationalFunction.root(Fraction(1, factorial(k)))
    coefficients: list[Any] = [0] * (k + 1)
    for i in range(k // 2 + 1):
        ways = Fraction(factorial(k), 2**i * factorial(i) * factorial(k - 2 * i))
        coefficients[k - 2 * i] = norm * (-1) ** i * ways
    return polynomial(coefficients, scalar)


def check_products(values: dict[tuple[int, int], RationalFunction]) -> str:
    for (j, k), value in values.items():
        agree(f"E h_{j} h_{k}", value, rho**k if j == k else 0)
    return "rho^k if j = k, else 0"


def hermite_series(largest: int) -> RationalFunction:
    """E of the product of two series with symbols as coefficients: all (j, k) in one formula."""
    s, t, given = gaussian_pair()
    left, right = ([RationalFunction.symbol(f"{c}{j}") for j in range(largest + 1)] for c in "ab")
    return mean(hermite_sum(left, s) * hermite_sum(right, t), given).value


def check_series(largest: int, value: RationalFunction) -> str:
    symbol = RationalFunction.symbol
    known = sum((symbol(f"a{j}") * symbol(f"b{j}") * rho**j for j in range(largest + 1)), 0 * d)
    agree("the product of two series", value, known)
    return "sum a_j b_j rho^j"


# -- growth ---------------------------------------------------------------------------------------


def independent(count: int, power: int) -> RationalFunction:
    """E of the product of the margins of *count* independent linear memories, to a power."""
    factors: list[Expression] = []
    given: list[Condition] = []
    for k in range(count):
        inputs, outputs = Range(N, f"inputs {k}"), Range(M, f"outputs {k}")
        f = Association(inputs, outputs, f"f{k}")
        e, u = Sphere(f"e{k}", d), Sphere(f"u{k}", d)
        x, z, y = inputs.index(f"x{k}"), inputs.index("z"), outputs.index(f"y{k}")
        weight = sum_over(z, outer(u[f(z)], e[z]))
        factors += [dot(u[f(x)] - u[y], weight @ e[x])] * power
        given += [y != f(x), fibre(f(x), 1), fibre(y, 1)]
    return raw_moments(factors, given)[-1].value


def check_independent(count: int, power: int, value: RationalFunction) -> str:
    second = margin_central_moment(2, d, N).value + 1
    agree(f"{count} memories", value, {1: d**0, 2: second**count}[power])
    return "product of the single ones"


def nested(count: int) -> RationalFunction:
    """E s^2, s = <e_k[x], W_k ... W_1 e_0[x]> with W_i = sum_z e_i[z] e_(i-1)[z]^T: k + 1 families."""
    inputs = Range(N)
    x = inputs.index("x")
    families = [Sphere(f"e{i}", d) for i in range(count + 1)]
    vector = families[0][x]
    for before, after in itertools.pairwise(families):
        z = inputs.index("z")
        vector = sum_over(z, outer(after[z], before[z])) @ vector
    score = dot(families[-1][x], vector)
    return raw_moments([score] * 2)[-1].value


def check_nested(count: int, value: RationalFunction) -> str:
    """The path stays at an input with the weight 1, or goes to any other with 1/d, k + 1 times."""
    stay = 1 - 1 / d
    steps = count + 1
    known = stay**steps + ((stay + N / d) ** steps - stay**steps) / N
    agree(f"{count} nested memories", value, known)
    return "power of the 2 x 2 matrix"


#: So few graphs that the store is emptied again and again.
SMALL_STORE = 40


class Watched(dict[Any, Any]):
    """A store that remembers how large it has been."""

    largest = 0

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self.largest = max(self.largest, len(self))


def small_store(order: int) -> RationalFunction:
    """A central moment of the margin with a store of very few graphs."""
    Integrator.CACHE_LIMIT = SMALL_STORE
    engine._integrator._known = Watched()
    return margin_central_moment(order, d, N).value


def check_small_store(order: int, value: RationalFunction) -> str:
    store = engine._integrator._known
    largest = store.largest if isinstance(store, Watched) else 0
    if not 0 < largest <= SMALL_STORE:
        raise WrongValueError(f"the store has held {largest} graphs, its limit is {SMALL_STORE}")
    return f"{check_linear(order, value)}; never above {largest} graphs"


def remembered() -> int:
    """How many graphs the integrator of this process remembers."""
    return len(engine._integrator._known)


# -- all cases ------------------------------------------------------------------------------------

LINEAR_TARGETS = {2: 0.02, 4: 0.1, 6: 1.0, 8: 10.0}
NAIVE_SIZES: Sequence[int] = (2, 3, 4, 5)

OVERLAPS, LINEAR, OTHERS, NAIVE = "overlaps", "linear memory", "other memories", "naive road"
HERMITE, FAMILIES, STORE = "Hermite polynomials", "number of families", "store of graphs"

CASES: dict[str, Case] = {
    "E<u,v>^(2p), p = 1..12": Case(OVERLAPS, overlaps, check_overlaps, 0.01, warm=True),
    **{
        f"linear margin, order {k}": Case(
            LINEAR,
            lambda k=k: margin_central_moment(k, d, N).value,
            partial(check_linear, k),
            LINEAR_TARGETS.get(k),
        )
        for k in range(1, 9)
    },
    **{
        f"low-rank margin, order {k}": Case(
            OTHERS,
            lambda k=k: low_rank.margin_central_moment(k, d, N, m).value,
            partial(check_low_rank, k),
            {4: 5.0}.get(k),
        )
        for k in (2, 3, 4)
    },
    **{
        f"NTK margin, variance, k = {k}, degree {q}": Case(
            OTHERS,
            lambda k=k, q=q: mlp.margin_variance(d, N, m, k=k, sigma=q).value,
            partial(check_ntk, k, q),
            {2: 10.0}.get(k),
        )
        for k, q in ((2, 3), (4, 5))
    },
    "attention score, variance": Case(
        OTHERS,
        lambda: attention.score_variance(d, d_h, store()),
        replayed,
        10.0,
    ),
    "attention scores, covariance": Case(
        OTHERS,
        lambda: attention.score_covariance(d, d_h, store(rival_stored=True)),
        replayed,
        10.0,
    ),
    "attention construction, variance": Case(
        OTHERS,
        lambda: attention.margin_variance(d, d_h, store(), store("_r")),
        replayed,
        10.0,
    ),
    "centred memory, variance": Case(OTHERS, centred, check_centred),
    "E h_j h_k, j, k <= 20": Case(
        HERMITE, partial(hermite_products, 20, powers=False), check_products, 2.0
    ),
    "the same as two series": Case(HERMITE, partial(hermite_series, 20), partial(check_series, 20)),
    **{
        f"E h_j h_k in powers, j, k <= {n}": Case(
            HERMITE, partial(hermite_products, n, powers=True), check_products
        )
        for n in (6, 20)
    },
    **{
        f"engine, E gamma^2 at N = {n}": Case(
            NAIVE, partial(second_moment, n), partial(check_raw, 2, n)
        )
        for n in NAIVE_SIZES
    },
    **{
        f"naive, E gamma^{k} at N = {n}": Case(
            NAIVE, partial(naive, k, n), partial(check_raw, k, n)
        )
        for k in (2, 4)
        for n in NAIVE_SIZES
    },
    **{
        f"{k} independent memories, power {p}": Case(
            FAMILIES, partial(independent, k, p), partial(check_independent, k, p)
        )
        for p, largest in ((1, 5), (2, 4))
        for k in range(1, largest + 1)
    },
    **{
        f"{k} nested memories, E s^2": Case(FAMILIES, partial(nested, k), partial(check_nested, k))
        for k in range(1, 6)
    },
    f"linear margin, order 6, {SMALL_STORE} graphs": Case(
        STORE, partial(small_store, 6), partial(check_small_store, 6)
    ),
}


def kibibytes(entry: str) -> int:
    """A memory entry of this process (VmRSS, VmHWM), in KiB; 0 where the system does not tell."""
    path = Path("/proc/self/status")
    lines = path.read_text().splitlines() if path.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{entry}:")), 0)


def measured(case: Case) -> dict[str, Any]:
    """Run the case, check its value, and say what it took. The check is neither timed nor counted."""
    before = kibibytes("VmRSS")
    if before:
        # Forget the peak of the imports; 5 resets VmHWM, see proc_pid_clear_refs(5).
        Path("/proc/self/clear_refs").write_text("5")
    started = time.perf_counter()
    value = case.run()
    found: dict[str, Any] = {"seconds": time.perf_counter() - started}
    peak = kibibytes("VmHWM")
    found |= {"peak_mib": peak / 1024, "extra_mib": (peak - before) / 1024, "graphs": remembered()}
    if case.warm:
        rounds = []
        for _ in range(WARM_ROUNDS):
            started = time.perf_counter()
            case.run()
            rounds.append(time.perf_counter() - started)
        found["warm_seconds"] = statistics.median(rounds)
    return found | {"check": case.check(value)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="?", choices=CASES, metavar="CASE")
    parser.add_argument("--list", action="store_true", help="print all cases and their targets")
    arguments = parser.parse_args()
    if arguments.list:
        listed = {name: {"group": c.group, "target": c.target} for name, c in CASES.items()}
        print(json.dumps({"cases": listed, "graphs_limit": Integrator.CACHE_LIMIT}))
        return
    if arguments.case is None:
        parser.error("CASE: give the name of one, see --list")
    try:
        print(json.dumps(measured(CASES[arguments.case])))
    except WrongValueError as error:
        raise SystemExit(f"{arguments.case}: {error}") from error


if __name__ == "__main__":
    main()
