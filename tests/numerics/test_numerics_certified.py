"""Bounds on rounding hold against exact arithmetic, and are hardly larger than what can happen."""

import itertools
import math
from fractions import Fraction

import mpmath
import pytest
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from numerics.certified import Known, followed, known
from numerics.certified.following import _Following
from numerics.certified.marks import KNOWN, drawn, unfollowed
from numerics.contracts.pretended import pretended_cuda
from numerics.errors import InputError
from numerics.observables import Bounded
from numerics.papers.nichani import (
    feature_memory,
    figure5,
    head_observables,
    linear_observables,
    low_rank_observables,
    mlp_observables,
    two_input_observables,
)
from numerics.random import Stream, replicate_gaussians, replicate_spheres

X, Y = Known(3.0, 0.25), Known(5.0, 0.5)
#: So much may be added to what is carried along: rounding, and what makes up for that of the bounds.
_MORE = 1e-9


# -- what is carried along is what can happen -------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "bound", "error"),
    [
        (known.plus(X, Y), 8.0, 0.75),
        (known.times(X, Y), 15.0, 3.25 * 5.5 - 15.0),
        (known.scaled(X, -2.0), 6.0, 0.5),
        # 3.25 / 1.5 against 3 / 2: both ends of the divisor are at least 1.5.
        (known.over(X, Known(5.0, 0.5), 1.5), 2.0, (0.25 + 2.0 * 0.5) / 1.5),
        (known.over(X, Known(5.0, 0.5), 1.5, most=1.0), 1.0, (0.25 + 1.0 * 0.5) / 1.5),
        (known.power(X, 2), 9.0, 2 * 3.25 * 0.25),
        (known.power(X, 3), 27.0, 3 * 3.25**2 * 0.25),
        (known.real_power(X, 1.5), 3.0**1.5, 1.5 * 3.25**0.5 * 0.25),
        (known.real_power(X, 0.5), 3.0**0.5, 0.5),
        (known.summed(X, 0, 4), 12.0, 1.0),
        (known.summed(Known(3.0, 0.25, (4.0,)), 0, 4), 8.0, 1.0),
        (known.contracted(X, Y, (0, 0), 4), 60.0, 4 * (3.25 * 5.5 - 15.0)),
        (
            known.contracted(Known(3.0, 0.25, (4.0,)), Known(5.0, 0.5, (6.0,)), (0, 0), 4),
            24.0,
            8.0 * 0.5 + 12.0 * 0.25 + 4 * 0.125,
        ),
        (known.multiplied([X, Y], 4), 60.0, 4 * (0.25 * 5.5 + 0.5 * 3.25)),
        (known.length(X, 0, 4), 6.0, 0.5),
        (known.length(Known(3.0, 0.25, (4.0,)), 0, 4), 4.0, 0.5),
        (known.root(X), 3.0**0.5, 0.5),
        (known.exponential(X), math.exp(3.0), math.exp(3.25) - math.exp(3.0)),
        (known.entropy(Known(0.5, 0.125)), math.exp(-1), 0.25 * math.log(8)),
        (known.lipschitz(X, 1.0), 1.0, 0.25),
        (known.clamped(X, -1.0, 2.0), 2.0, 0.25),
        (known.clamped(X, None, 2.0), 3.0, 0.25),
        (known.clamped(X, -4.0, None), 4.0, 0.25),
        (known.joined([X, Y]), 5.0, 0.5),
    ],
)
def test_what_is_carried_along_is_what_can_happen_and_no_more(found, bound, error):
    assert bound <= found.bound <= bound * (1 + _MORE)
    assert error <= found.error <= error * (1 + _MORE)


def test_exact_operands_leave_rounding_alone():
    exact = Known(3.0)
    for found in (known.plus(exact, exact), known.times(exact, exact), known.summed(exact, 0, 9)):
        assert 0 < found.error < 1e-13
    assert known.plus(exact, Known(0.0)).error == 0
    assert known.joined([exact, exact]).error == known.clamped(exact, 0.0, 1.0).error == 0


# -- against exact arithmetic -----------------------------------------------------------------------

_ROWS, _D = 6, 5


def _spheres() -> tuple[Tensor, Tensor]:
    stream = Stream(3, "certified")
    return (
        replicate_spheres(_ROWS, 3, _D, stream=stream.child("a")),
        replicate_gaussians(_ROWS, 4, _D, stream=stream.child("b")),
    )


def exact_dot(x, y) -> Fraction:
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction())


def entries(x: Tensor):
    return [Fraction(v) for v in x.flatten().tolist()]


def products(a, b):
    return [exact_dot(x, y) for r in range(_ROWS) for x in a[r] for y in b[r]]


def lengths(b):
    return [mpmath.sqrt(mpmath.mpf(0) + _mp(exact_dot(y, y))) for r in b for y in r]


def _mp(x: Fraction):
    return mpmath.mpf(x.numerator) / mpmath.mpf(x.denominator)


#: By name: what torch makes of unit vectors a and Gaussian vectors b, and what it is exactly.
OPERATIONS = {
    "matmul": (lambda a, b: a @ b.mT, products),
    "einsum": (lambda a, b: torch.einsum("rxd,ryd->rxy", a, b), products),
    "sum of products": (
        lambda a, b: (a[:, :, None] * b[:, None]).sum(dim=3),
        products,
    ),
    "mean": (
        lambda a, b: b.mean(dim=2),
        lambda a, b: [sum(entries(y), Fraction()) / _D for r in b for y in r],
    ),
    "mean of all": (
        lambda a, b: b.mean(),
        lambda a, b: [sum(entries(b), Fraction()) / b.numel()],
    ),
    "prod": (
        lambda a, b: b.prod(dim=2),
        lambda a, b: [math.prod(entries(y)) for r in b for y in r],
    ),
    "cube": (lambda a, b: b**3, lambda a, b: [v**3 for v in entries(b)]),
    "difference": (
        lambda a, b: a - b[:, :3] / 7.0,
        lambda a, b: [x - y / 7 for x, y in zip(entries(a), entries(b[:, :3]), strict=True)],
    ),
    "one less": (lambda a, b: 1 - b, lambda a, b: [1 - v for v in entries(b)]),
    "over the length": (
        lambda a, b: 2.0 / torch.linalg.vector_norm(b, dim=2),
        lambda a, b: [2 / n for n in lengths(b)],
    ),
    "square": (lambda a, b: torch.square(b), lambda a, b: [v**2 for v in entries(b)]),
    "length": (lambda a, b: torch.linalg.vector_norm(b, dim=2), lambda a, b: lengths(b)),
    "direction": (
        lambda a, b: b / torch.linalg.vector_norm(b, dim=2, keepdim=True),
        lambda a, b: [
            _mp(Fraction(v)) / n
            for y, n in zip((y for r in b for y in r), lengths(b), strict=True)
            for v in y.tolist()
        ],
    ),
    "quotient": (
        lambda a, b: a[:, 0, 0] / torch.linalg.vector_norm(b[:, 0], dim=1),
        lambda a, b: [
            _mp(Fraction(float(x))) / n for x, n in zip(a[:, 0, 0], lengths(b[:, :1]), strict=True)
        ],
    ),
    "exp": (lambda a, b: (2 * b).exp(), lambda a, b: [mpmath.exp(2 * _mp(v)) for v in entries(b)]),
    "sqrt": (
        lambda a, b: (b**2).sqrt(),
        lambda a, b: [abs(v) for v in entries(b)],
    ),
    "entr": (
        lambda a, b: torch.special.entr(a**2),
        lambda a, b: [-_mp(v**2) * mpmath.log(_mp(v**2)) for v in entries(a)],
    ),
    "power 1.5": (
        lambda a, b: b.abs() ** 1.5,
        lambda a, b: [abs(_mp(v)) ** mpmath.mpf("1.5") for v in entries(b)],
    ),
    "sin": (lambda a, b: b.sin(), lambda a, b: [mpmath.sin(_mp(v)) for v in entries(b)]),
    "tanh": (lambda a, b: b.tanh(), lambda a, b: [mpmath.tanh(_mp(v)) for v in entries(b)]),
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_the_bounds_hold_against_exact_arithmetic(name):
    computed, exactly = OPERATIONS[name]
    with mpmath.workdps(50), _Following() as following:
        a, b = _spheres()
        found = computed(a, b)
        it = following.known(found)
        with unfollowed():
            values, exact = found.flatten().tolist(), exactly(a, b)
        assert len(values) == len(exact)
        off = max(
            abs(_mp(Fraction(v)) - mpmath.mpf(0) - _of(e))
            for v, e in zip(values, exact, strict=True)
        )
        assert off <= it.error < 1e-5
        assert max(abs(_of(e)) for e in exact) <= it.bound
        if it.norms:
            _norms_hold(found, it)


def _of(e):
    return _mp(e) if isinstance(e, Fraction) else e


def _norms_hold(found: Tensor, it: Known) -> None:
    with unfollowed():
        for d, norm in enumerate(it.norms):
            seen = torch.linalg.vector_norm(found, dim=d).max()
            assert float(seen) <= norm * (1 + 1e-12) + math.sqrt(found.shape[d]) * it.error


#: What moves entries, in each dimension: norms go with them.
MOVES = {
    "transposed": lambda x: x.mT,
    "one row": lambda x: x[:, 1],
    "one entry of each": lambda x: x[:, :, 2],
    "some": lambda x: x[:, :2, 1:],
    "a new dimension": lambda x: x.unsqueeze(1),
    "a new last dimension": lambda x: x.unsqueeze(-1),
    "new by index": lambda x: x[:, None, :, None],
    "from the end": lambda x: x[..., 0],
    "the end of all": lambda x: x[..., None, :2],
    "rows by index": lambda x: x[:, torch.tensor([0, 2, 2])],
    "entries by index": lambda x: x[..., torch.tensor([0, 0, 0, 0])],
    "rows by mask": lambda x: x[:, torch.tensor([True, False, True])],
    "by mask": lambda x: x[:, torch.eye(3, _D, dtype=torch.bool)],
    "scaled": lambda x: 3 * x,
    "scaled by signs": lambda x: x * torch.ones(1, 3, 1, dtype=torch.float64),
    "scaled down": lambda x: x / 4,
    "put together": lambda x: torch.cat([x, x], dim=2),
    "stacked": lambda x: torch.stack([x, x], dim=-1),
    "cut": lambda x: x.split([1, 2], dim=1)[1],
    "unbound": lambda x: x.unbind(dim=1)[0],
    "flat": lambda x: x.flatten(start_dim=1),
    "expanded": lambda x: x[:, None].expand(-1, 9, -1, -1),
    "a diagonal": lambda x: x.diagonal(dim1=1, dim2=2),
    "chosen": lambda x: torch.where(x > 2, x, x),
    "cut off": lambda x: x.clamp(-0.1, 0.1),
    "reversed": lambda x: x[0].T,
    "the largest": lambda x: x.amax(dim=1),
    "the least": lambda x: x.amin(dim=2),
    "in order": lambda x: x.mT.contiguous(),
    "added to": lambda x: torch.add(x, x),
}


@pytest.mark.parametrize("name", MOVES)
def test_norms_go_with_the_entries(name):
    with _Following() as following:
        units = replicate_spheres(_ROWS, 3, _D, stream=Stream(4))
        for x in (units, units.mT.contiguous().mT, 2.0 * units):
            found = MOVES[name](x)
            it = following.known(found)
            with unfollowed():
                assert float(found.abs().max()) <= it.bound
            if it.norms:
                assert len(it.norms) == found.dim()
                _norms_hold(found, it)
        if name in ("some", "one row", "rows by index", "scaled", "a new dimension"):
            assert it.norms[-1] <= 6.1


# -- what is not vouched for ------------------------------------------------------------------------


def _draw(function, low=-1e9, high=1e9):
    """An experiment: a function of unit vectors (replicates, 3, 5)."""

    def draw(*, replicates, seed, start):
        x = replicate_spheres(replicates, 3, _D, stream=Stream(seed, "x"), start=start)
        return {"value": Bounded(function(x), low, high)}

    return draw


GIVEN = {"replicates": 8, "seed": 1, "start": 0}


def _set(x):
    y = x.mT.clone()
    z = y[:, 0]
    y[:, 0] = 7.0
    return z.sum(dim=1)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: torch.erf(x).sum(dim=(1, 2)),
        lambda x: torch.special.entr(x.abs() + 0.1).sum(dim=(1, 2)),
        lambda x: x.float().sum(dim=(1, 2)).double(),
        lambda x: x.sum(dim=(1, 2)) * float(x.sum()),
        lambda x: x.sum(dim=(1, 2)) * (2 if x.sum() > 0 else 3) * float((x @ x.mT).max()),
        lambda x: (x @ x.mT).argmax(dim=2).double().sum(dim=1),
        lambda x: (x @ x.mT).to(torch.int64).double().sum(dim=(1, 2)),
        lambda x: x.sum(dim=(1, 2)).add_(1.0),
        lambda x: torch.sum(x, dim=(1, 2), out=torch.empty(8, dtype=torch.float64)),
        lambda x: torch.from_numpy((x @ x.mT).numpy()).sum(dim=(1, 2)),
        lambda x: torch.linalg.qr(x @ x.mT)[1][:, 0, 0],
        lambda x: torch.einsum("...d,...d->...", x, x).sum(dim=1),
        lambda x: (
            ((x @ x.mT) - (x @ x.mT)).sqrt().sum(dim=(1, 2)) + (x @ x.mT * 1e-9).sqrt()[:, 0, 1]
        ),
        lambda x: torch.linalg.vector_norm(x, ord=1, dim=2).sum(dim=1),
        lambda x: (x.abs() ** -0.5).sum(dim=(1, 2)),
        lambda x: torch.add(x, x, alpha=2).sum(dim=(1, 2)),
        lambda x: x.clamp(max=x.abs() / 2).sum(dim=(1, 2)),
        lambda x: torch.round(x, decimals=2).sum(dim=(1, 2)),
        _set,
    ],
)
def test_what_has_no_rule_is_not_vouched_for(function):
    assert followed(_draw(lambda x: x.sum(dim=(1, 2))), "cpu", **GIVEN) is not None
    assert followed(_draw(function), "cpu", **GIVEN) is None


@pytest.mark.parametrize(
    "function",
    [
        # What is compared is equal but for rounding.
        lambda x: ((x @ x.mT) <= x @ x.mT).double().sum(dim=(1, 2)),
        lambda x: ((x * x).sum(dim=2) >= 1.0).double().sum(dim=1),
        lambda x: ((x * x).sum(dim=2) < 1.0).double().sum(dim=1),
        lambda x: torch.round((x * x).sum(dim=2) / 2).sum(dim=1),
        lambda x: (1.0 / ((x * x).sum(dim=2) - 1.0 + 2.0**-6)).sum(dim=1),
        lambda x: (x / (x[:, :1] * 2.0**-7)).sum(dim=(1, 2)),
        lambda x: torch.special.entr(((x * x).sum(dim=2) * 0.05) ** 2 - 0.5).sum(dim=1),
    ],
)
def test_what_rounding_could_decide_is_not_vouched_for(function):
    assert followed(_draw(function), "cpu", **GIVEN) is None
    with _Following() as following:  # there are rules for all of it
        _draw(function)(**GIVEN)
        assert following.doubtful


@pytest.mark.parametrize(
    "function",
    [
        lambda x: ((x * x).sum(dim=2) <= 1.5).double().sum(dim=1),
        lambda x: torch.round((x * x).sum(dim=2)).sum(dim=1),
        lambda x: torch.where(x[:, 0, 0] > 0, x[:, 0, 0], x[:, 1, 1]),
        lambda x: (x > 0).sum(dim=(1, 2)).double() / 15,
        lambda x: torch.linalg.qr(x.mT)[0].sum(dim=(1, 2)),
    ],
)
def test_what_it_could_not_is(function):
    found = followed(_draw(function), "cpu", **GIVEN)
    assert found is not None
    assert found.errors["value"] < 1e-13


def test_a_bound_beyond_a_thousandth_of_the_range_is_of_no_use():
    def function(x):
        return (x @ x.mT).sum(dim=(1, 2))

    moved = followed(_draw(function), "cpu", **GIVEN).errors["value"]
    assert followed(_draw(function, -501 * moved, 501 * moved), "cpu", **GIVEN) is not None
    assert followed(_draw(function, -499 * moved, 499 * moved), "cpu", **GIVEN) is None


def test_zeros_may_be_put_in_and_what_is_put_in_first_counts():
    def filled(x):
        y = torch.zeros(8, 4, dtype=torch.float64)
        y[:, 0] = 100.0
        z = x.mT.clone()
        z[:, 1] = 0.0
        return y.sum(dim=1) * z.sum(dim=(1, 2))

    found = followed(_draw(filled), "cpu", **GIVEN)
    assert 100 * 1e-15 < found.errors["value"] < 1e-10


# -- as another device would round ------------------------------------------------------------------


class Otherwise(TorchFunctionMode):
    """Sums and products of matrices are added up from the other end."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "")
        if name in ("matmul", "__matmul__") and args[1].dim() > 1:
            args = (args[0].flip(-1), args[1].flip(-2))
        elif name == "sum" and args[0].is_floating_point():
            args = (args[0].flip(tuple(range(args[0].dim()))), *args[1:])
            out = function(*args, **kwargs)
            return out.flip(tuple(range(out.dim()))) if out.dim() else out
        return function(*args, **kwargs)


@pytest.mark.parametrize(
    ("draw", "sizes"),
    [
        (linear_observables.margin_observables, {"d": 16, "N": 12, "M": 14}),
        (linear_observables.overlap_observables, {"d": 16}),
        (linear_observables.tail_observables, {"d": 16, "N": 12, "cut": 0.1}),
        (low_rank_observables.margin_observables, {"d": 16, "N": 6, "M": 8, "m": 4}),
        (
            head_observables.score_observables,
            {"d": 16, "d_h": 4, "b": 2, "c": 1, "g": 1, "stored": True},
        ),
        (head_observables.term_observables, {"d": 16}),
        (
            mlp_observables.neuron_observables,
            {"d": 2, "N": 3, "M": 4, "k": 0, "sigma": (0.5, 0.5)},
        ),
    ],
)
def test_a_device_that_rounds_otherwise_stays_within_the_bounds(draw, sizes):
    given = {**sizes, "replicates": 128, "seed": 2, "start": 0}
    found = followed(draw, "cpu", **given)
    assert found is not None
    with Otherwise():
        other = draw(**given)
    moved = {
        name: float((it.values - other[name].values).abs().max())
        for name, it in found.observables.items()
    }
    assert any(moved.values()) or draw is linear_observables.tail_observables
    for name, it in moved.items():
        assert it <= 2 * found.errors[name] < 1e-3, name


@pytest.mark.parametrize(
    ("draw", "sizes"),
    [
        (
            mlp_observables.neuron_observables,
            {"d": 2, "N": 3, "M": 4, "k": 0, "sigma": (0.5, 0.5)},
        ),
        (
            feature_memory.limit_observables,
            {"d": 2, "N": 3, "k": 1, "sigma": (0.5, 0.5), "m": 2, "factor": 0.5},
        ),
        (two_input_observables.term_observables, {"d": 3, "p": 1, "k": 1, "sigma": (0, 0, 1.0)}),
        (figure5.random_levels, {"S": 16, "D": 8}),
    ],
)
def test_numbers_that_the_cpu_made_go_to_the_device(draw, sizes):
    given = {**sizes, "replicates": 64, "seed": 2, "start": 0}
    with pretended_cuda() as used:
        found = followed(draw, "cuda", **given)
    assert found is not None
    assert used.kernels > 10
    for name, it in draw(**given).items():
        assert torch.equal(found.observables[name].values, it.values)


def test_on_a_device_values_come_back_and_are_waited_for_at_the_end_alone():
    given = {"d": 16, "N": 6, "M": 8, "replicates": 64, "seed": 2, "start": 0}
    with pretended_cuda() as used:
        found = followed(linear_observables.margin_observables, "cuda", **given)
    right = linear_observables.margin_observables(**given)
    assert used.kernels > 50
    # One copy for each observable, and one look whether rounding could have decided anything.
    assert dict(used.waits) == {"cpu": len(right), "__bool__": 1}
    for name, it in found.observables.items():
        assert it.values.device.type == "cpu"
        assert torch.equal(it.values, right[name].values)


def test_what_is_drawn_is_known_only_where_someone_follows():
    x = drawn(torch.ones(2, 3, dtype=torch.float64), 1.0, 2.0)
    assert not hasattr(x, KNOWN)
    with _Following() as following:
        x = drawn(torch.ones(2, 3, dtype=torch.float64), 1.0, 2.0)
        assert following.known(x) == Known(1.0, 0.0, (math.inf, 2.0))
        with unfollowed():
            y = torch.special.entr(x)
        with pytest.raises(Exception, match="unknown origin"):
            following.known(y)


def test_no_value_that_is_drawn_is_beyond_the_bounds_that_are_told():
    with _Following() as following:
        for x in (
            replicate_spheres(50, 4, 3, stream=Stream(5)),
            replicate_gaussians(50, 4, 3, stream=Stream(5)),
        ):
            it = following.known(x)
            with unfollowed():
                assert float(x.abs().max()) <= it.bound <= 8.4
            _norms_hold(x, it)


def test_all_rules_are_tried_here():
    from numerics.certified import following

    tried = set()

    class Names(TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            tried.add(following._name(function))
            return function(*args, **(kwargs or {}))

    with Names():
        a, b = _spheres()
        for computed, _ in OPERATIONS.values():
            computed(a, b)
        for move in MOVES.values():
            move(a)
    untried = set(following._RULES) - tried
    assert untried == LEFT, sorted(untried ^ LEFT)


#: Tried by experiments, or the same as others that are.
LEFT = {
    *("full", "full_like", "ones_like", "zeros", "zeros_like"),
    *(
        "cos",
        "clip",
        "neg",
        "relu",
        "round",
        "le",
        "lt",
        "ge",
        "true_divide",
        "mm",
        "bmm",
        "linalg_qr",
    ),
    *("clone", "detach", "double", "to", "cpu", "squeeze", "expand_as", "reshape", "view"),
    *("repeat", "repeat_interleave", "gather", "meshgrid"),
}


def test_numbers_in_a_product_of_a_device_are_exact():
    assert all(
        known.multiplied([Known(2.0)] * n, 1).bound == pytest.approx(2.0**n) for n in range(1, 5)
    )
    for n, size in itertools.product((1, 2, 3), (1, 7)):
        assert 0 < known.multiplied([Known(1.0)] * n, size).error < 1e-13


@pytest.mark.parametrize(
    ("draw", "device", "named"),
    [
        (None, "cpu", "draw = None cannot be called"),
        (dict, "tpu", "device = 'tpu'"),
        (dict, None, "device = None"),
    ],
)
def test_what_cannot_be_followed_at_all_is_said(draw, device, named):
    with pytest.raises(InputError, match=named):
        followed(draw, device)
