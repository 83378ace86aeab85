"""Torch, followed operation by operation: what is computed, with what is known of it beside it.

What has no rule here, and what hangs on a value that rounding could have moved to the other side, is not
guessed at: it is said, and the caller computes it on the CPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, float64
from torch.overrides import TorchFunctionMode

from numerics.certified import known as rules
from numerics.certified.known import Known
from numerics.certified.marks import AT_WORK, KNOWN, unfollowed
from numerics.checks import checked_device
from numerics.errors import InputError
from numerics.observables import Bounded, HeavyTailed, Observable

#: A quotient is followed where what divides is at least this.
_LEAST = 2.0**-6
#: A bound on rounding is of use up to this part of the range of a value.
_MOST = 1e-3
#: A bound on the entries and lengths of orthonormal rows that were rounded.
_ONE = 1 + 2.0**-40
#: The name under which a length holds whose it is.
_WHOSE = "_numerics_length_of"
#: Of a tensor of which another was made, which may share its memory.
_SEEN = "_numerics_seen"


class NotFollowedError(Exception):
    """There is no rule for what is computed."""


@dataclass(frozen=True)
class Followed:
    """Observables on the CPU, and how far rounding may have moved a value of each, by name."""

    observables: Mapping[str, Observable]
    errors: Mapping[str, float]

    def require_within(self, here: Mapping[str, Observable], device: str) -> None:
        """Raise ArithmeticError where values are farther from those that the CPU found, *here*, than the
        rounding of both may have moved them."""
        for name, error in self.errors.items():
            apart = (self.observables[name].values - here[name].values).abs().max()
            if not float(apart) <= 2 * error:
                raise ArithmeticError(
                    f"{name}: values of {device} and of the CPU are {float(apart):.3g} apart, and "
                    f"rounding moves each by {error:.3g} at most; use --device cpu"
                )


def followed(
    draw: Callable[..., Mapping[str, Observable]], device: torch.device | str, **arguments: Any
) -> Followed | None:
    """What *draw* gives with new tensors on *device*; None where not all of it can be vouched for.

    That is where there is no rule for an operation, where rounding could have decided a comparison,
    where a quotient is by less than 1/64, where a bound is beyond a thousandth of what the values range
    over, and where it is not made for the device. *draw* must draw by
    `numerics.random`, in float64. InputError for a device that there is not, and for what cannot be
    called.
    """
    if not callable(draw):
        raise InputError(f"draw = {draw!r} cannot be called: pass a function that draws")
    device = checked_device(device)
    following = _Following()
    try:
        with torch.device(device), following:
            found = draw(**arguments)
            errors = {name: following.known(it.values).error for name, it in found.items()}
            doubtful = following.doubtful
    except Exception:  # what is wrong with it, if anything is, the CPU will say
        return None
    if doubtful or not all(error <= _MOST * _range(found[name]) for name, error in errors.items()):
        return None
    return Followed({name: _on_cpu(it) for name, it in found.items()}, errors)


def _range(observable: Observable) -> float:
    """What the values range over, or the root of what their squares do in the mean."""
    if isinstance(observable, Bounded):
        return observable.high - observable.low
    return math.sqrt(observable.second_moment) if isinstance(observable, HeavyTailed) else 1.0


def _on_cpu(observable: Observable) -> Observable:
    return replace(observable, values=observable.values.detach().cpu())


class _Following(TorchFunctionMode):
    """Carries what is known of each tensor as an attribute of it."""

    def __init__(self) -> None:
        super().__init__()
        self._doubts: list[Tensor] = []

    def __enter__(self) -> _Following:
        AT_WORK.append(self)
        super().__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *what: Any) -> None:
        super().__exit__(*what)  # type: ignore[no-untyped-call]
        AT_WORK.pop()

    def __torch_function__(
        self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        out = function(*args, **kwargs)
        if AT_WORK[-1] is self:
            self._note(_name(function), out, args, kwargs)
        return out

    @property
    def doubtful(self) -> bool:
        """Whether rounding could have decided something. Waits for the device."""
        return bool(self._doubts) and bool(torch.stack(self._doubts).any())

    def known(self, x: Any) -> Known:
        """What is known of a tensor or a number."""
        if isinstance(x, bool | int | float):
            return Known(abs(float(x)))
        if not isinstance(x, Tensor):
            raise NotFollowedError(f"{type(x).__name__} as an operand")
        found = getattr(x, KNOWN, None)
        if found is not None:
            return found  # type: ignore[no-any-return]
        if x.dtype == torch.bool:
            return Known(1.0)
        if not x.is_floating_point():
            return Known(2.0**63)
        raise NotFollowedError("a tensor of unknown origin")

    def doubt(self, where: Tensor) -> None:
        """What hangs on it could be otherwise where this is true."""
        self._doubts.append(where.any())

    # -- what comes out -------------------------------------------------------------------------

    def _note(self, name: str, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        if "out" in kwargs or name == "__setitem__":
            self._put(args, kwargs)
        elif not _tensors(out):
            if name in _READ and any(
                x.is_floating_point() and self.known(x).error for x in _tensors(args)
            ):
                raise NotFollowedError(f"{name} of what was rounded")
        else:
            self._follow(name, out, args, kwargs)

    def _put(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Entries are put into a tensor: zeros, or some into one that nothing was made of yet."""
        if kwargs:
            raise NotFollowedError("a result that is put into a tensor")
        x, _, value = args
        if not x.is_floating_point():
            return
        there, more = self.known(x), self.known(value)
        if more.bound + more.error > 0 and getattr(x, _SEEN, False):
            raise NotFollowedError("entries that are put into a tensor of which something was made")
        setattr(x, KNOWN, rules.joined([there, more]))

    def _follow(self, name: str, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        made = [x for x in _tensors(out) if x.is_floating_point()]
        used = [x for x in _tensors([*args, *kwargs.values()]) if x.is_floating_point()]
        if not made and (not used or name not in _DECIDED):
            # Whole numbers and truth values are exact where they are made of nothing that was rounded.
            if any(self.known(x).error for x in used):
                raise NotFollowedError(f"{name} of what was rounded")
            if name == "sum" and args[0].dtype == torch.bool:
                setattr(out, KNOWN, Known(float(args[0].numel())))
            return
        rule = _RULES.get(name)
        if rule is None or (name == "view" and not used):  # the bits of whole numbers
            raise NotFollowedError(name)
        with unfollowed():
            found = rule(self, out, args, kwargs)
        for x in used:
            setattr(x, _SEEN, True)
        parts = found if isinstance(found, tuple) else (found,) * len(made)
        for x, part in zip(made, parts, strict=True):
            if x.dtype != float64:
                raise NotFollowedError(f"{name} in {x.dtype}")
            setattr(x, KNOWN, part)


def _tensors(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, tuple | list):
        return [x for part in value for x in _tensors(part)]
    return []


def _name(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return str(function.__self__.__name__) if name in ("__get__", "__set__") else str(name)


# -- rules: of the tensor that came out, the arguments, to what is known of it ---------------------

_Rule = Callable[[_Following, Any, Sequence[Any], Mapping[str, Any]], "Known | tuple[Known, ...]"]


def _dims(x: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[int]:
    """The dimensions that a reduction names, all where it names none."""
    dim = kwargs.get("dim", args[1] if len(args) > 1 else None)
    if dim is None:
        return list(range(x.dim()))
    return [d % x.dim() for d in ([dim] if isinstance(dim, int) else list(dim))]


def _constant(bound: float) -> _Rule:
    def of(f: _Following, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
        return Known(bound)

    return of


def _given(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """Of numbers of the program, which the device is handed."""
    return Known(float(out.abs().max()) if out.numel() else 0.0)


def _filled(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    value = kwargs.get("fill_value", args[1] if len(args) > 1 else None)
    return f.known(value)


def _two(rule: Callable[[Known, Known], Known]) -> _Rule:
    def of(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
        if kwargs:
            raise NotFollowedError(f"{', '.join(kwargs)} of a sum or product")
        return rule(f.known(args[0]), f.known(args[1]))

    return of


def _times(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, y = args
    if isinstance(y, int | float):
        return rules.scaled(f.known(x), float(y))
    if isinstance(x, int | float):
        return rules.scaled(f.known(y), float(x))
    found, norms = rules.times(f.known(x), f.known(y)), [math.inf] * out.dim()
    for one, other in ((x, y), (y, x)):
        if one.shape == out.shape and (own := f.known(one).norms):
            by = f.known(other).bound * _ONE
            norms = [min(norm, more * by) for norm, more in zip(norms, own, strict=True)]
    return Known(found.bound, found.error, tuple(norms))


def _over(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, y = args
    if isinstance(y, int | float):
        found = rules.over(f.known(x), f.known(y), abs(float(y)))
        norms = tuple(norm / abs(float(y)) * (1 + 2.0**-40) for norm in f.known(x).norms)
        return Known(found.bound, found.error, norms)
    by = f.known(y)
    f.doubt(y.abs() < _LEAST + by.error)
    whose = getattr(y, _WHOSE, None)
    if whose is None or whose[0] is not x:
        return rules.over(f.known(x), by, _LEAST)
    # A vector over its length, along one dimension.
    found = rules.over(f.known(x), by, _LEAST, most=1.0)
    norms = tuple(1 + 2.0**-40 if d == whose[1] else math.inf for d in range(x.dim()))
    return Known(found.bound, found.error, norms)


def _under(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """A number over a tensor, which comes first."""
    return _over(f, out, args[::-1], kwargs)


def _minus_from(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    return rules.plus(f.known(args[0]), f.known(args[1]))


def _power(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    exponent = args[1] if len(args) > 1 else kwargs.get("exponent")
    if not isinstance(exponent, int | float) or not exponent > 0:
        raise NotFollowedError(f"power {exponent!r}")
    if exponent == int(exponent):
        return rules.power(f.known(args[0]), int(exponent))
    found = f.known(args[0])
    if found.error:
        f.doubt(args[0] < 0)
    return rules.real_power(found, exponent)


def _square(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    return rules.power(f.known(args[0]), 2)


def _sum(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, found = args[0], f.known(args[0])
    dims = _dims(x, args, kwargs)
    if len(dims) == 1:
        return rules.summed(found, dims[0], x.shape[dims[0]])
    flat = Known(found.bound, found.error)
    return rules.summed(flat, 0, math.prod(x.shape[d] for d in dims))


def _mean(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, found = args[0], f.known(args[0])
    size = math.prod(x.shape[d] for d in _dims(x, args, kwargs))
    whole = rules.summed(Known(found.bound, found.error), 0, size)
    return rules.over(whole, Known(float(size)), float(size), most=found.bound)


def _prod(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x = args[0]
    size = math.prod(x.shape[d] for d in _dims(x, args, kwargs))
    return rules.multiplied([f.known(x)] * size, 1)


def _matmul(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, y = args
    dims = (x.dim() - 1, max(y.dim() - 2, 0))
    return rules.contracted(f.known(x), f.known(y), dims, x.shape[-1])


def _einsum(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    equation, *factors = args
    if "." in equation:
        raise NotFollowedError("an einsum of unnamed dimensions")
    if len(factors) == 1 and isinstance(factors[0], tuple | list):
        factors = list(factors[0])
    read, _, wanted = equation.replace(" ", "").partition("->")
    sizes = {
        letter: x.shape[d]
        for letters, x in zip(read.split(","), factors, strict=True)
        for d, letter in enumerate(letters)
    }
    size = math.prod(n for letter, n in sizes.items() if letter not in wanted)
    return rules.multiplied([f.known(x) for x in factors], size)


def _length(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, order = args[0], kwargs.get("ord", 2)
    dims = _dims(x, (x,), kwargs)
    if len(args) > 1 or order != 2 or len(dims) != 1:
        raise NotFollowedError("a norm that is no 2-norm along one dimension")
    setattr(out, _WHOSE, (x, dims[0]))
    return rules.length(f.known(x), dims[0], x.shape[dims[0]])


def _frame(f: _Following, out: Any, args: Sequence[Any], kwargs: Any) -> tuple[Known, Known]:
    """Of Q and R, which are those that the CPU finds."""
    x, found = args[0], f.known(args[0])
    if found.error or x.device.type != "cpu":
        raise NotFollowedError("a factorization of what was rounded, or not on the CPU")
    norms = (math.inf,) * (x.dim() - 2) + (_ONE, _ONE)
    return Known(_ONE, 0.0, norms), Known(found.norm(x.dim() - 2, x.shape[-2]) * _ONE)


def _root(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    found = f.known(args[0])
    if found.error:
        f.doubt(args[0] < 0)
    return rules.root(found)


def _exponential(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    return rules.exponential(f.known(args[0]))


def _entropy(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    x, found = args[0], f.known(args[0])
    if found.seen > 1 + 2.0**-20 or found.error > math.exp(-2):
        raise NotFollowedError("entr of what may be beyond 1")
    if found.error:
        f.doubt(x < 0)
    return rules.entropy(found)


def _bounded(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    return rules.lipschitz(f.known(args[0]), 1.0)


def _clamp(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    low, high = (
        kwargs.get(name, args[place] if len(args) > place else None)
        for place, name in ((1, "min"), (2, "max"))
    )
    if isinstance(low, Tensor) or isinstance(high, Tensor):
        raise NotFollowedError("a tensor as what is cut off at")
    return rules.clamped(f.known(args[0]), low, high)


def _same(f: _Following, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """The same entries with the same shape, or none but these."""
    found = f.known(args[0])
    return found if out.shape == args[0].shape else Known(found.bound, found.error)


def _moved(f: _Following, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """The same entries, or some of them, elsewhere."""
    found = f.known(args[0])
    return Known(found.bound, found.error)


def _cut(f: _Following, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """Cut along one dimension: norms only fall."""
    return f.known(args[0])


def _transposed(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    found, norms = f.known(args[0]), f.known(args[0]).norms
    if len(norms) != out.dim() or out.dim() < 2:
        return Known(found.bound, found.error)
    return Known(found.bound, found.error, (*norms[:-2], norms[-1], norms[-2]))


def _reversed(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    """Transposed, all dimensions."""
    found = f.known(args[0])
    return Known(found.bound, found.error, found.norms[::-1])


def _beside(f: _Following, out: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """Entries of several."""
    return rules.joined([f.known(x) for x in _tensors(list(args))])


def _unsqueezed(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Any) -> Known:
    found = f.known(args[0])
    place = int(kwargs.get("dim", args[1] if len(args) > 1 else 0)) % out.dim()
    norms = (*found.norms[:place], found.bound, *found.norms[place:]) if found.norms else ()
    return Known(found.bound, found.error, norms)


def _picked(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    """Entries by index; along a dimension that is kept, or cut, norms only fall."""
    x, index = args
    found = f.known(x)
    index = index if isinstance(index, tuple) else (index,)
    if not found.norms or not all(
        i is None or i is Ellipsis or isinstance(i, int | slice | Tensor) for i in index
    ):
        return Known(found.bound, found.error)
    named = [i for i in index if i is not None and i is not Ellipsis]
    masks = [i for i in named if isinstance(i, Tensor) and i.dtype == torch.bool]
    taken = len(named) + sum(i.dim() - 1 for i in masks)
    if any(isinstance(i, bool | Tensor) for i in named):
        untouched = taken < x.dim() and Ellipsis not in index
        last = found.norms[-1] if untouched or isinstance(index[-1], slice) else math.inf
        return Known(found.bound, found.error, (math.inf,) * (out.dim() - 1) + (last,))
    rest = [slice(None)] * (x.dim() - taken)
    if Ellipsis in index:
        at = index.index(Ellipsis)
        index = (*index[:at], *rest, *index[at + 1 :])
    else:
        index = (*index, *rest)
    norms, source = [], iter(found.norms)
    for i in index:
        if i is None:
            norms.append(found.bound)
        elif isinstance(i, slice):
            norms.append(next(source))
        else:
            next(source)
    return Known(found.bound, found.error, tuple(norms))


def _joined(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    return rules.joined([f.known(x) for x in args[0]])


def _chosen(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    return rules.joined([f.known(x) for x in args[1:]])


def _compared(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, y = args
    both = rules.plus(f.known(x), f.known(y))
    if f.known(x).error or f.known(y).error:
        f.doubt((x - y).abs() <= both.error)
    return Known(1.0)


def _rounded(f: _Following, out: Tensor, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Known:
    x, found = args[0], f.known(args[0])
    if kwargs or len(args) > 1:
        raise NotFollowedError("rounding to decimals")
    if found.error:
        f.doubt((x - x.floor() - 0.5).abs() <= 2 * found.error + 2.0**-50 * found.bound)
    return Known(found.bound + 1)


#: What decides by the values of numbers.
_DECIDED = ("le", "lt", "ge", "gt")
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("ones", "eye", "ones_like"), _constant(1.0)),
    **dict.fromkeys(("zeros", "zeros_like"), _constant(0.0)),
    "tensor": _given,
    **dict.fromkeys(("full", "full_like"), _filled),
    **dict.fromkeys(("add", "sub"), _two(rules.plus)),
    "__rsub__": _minus_from,
    "mul": _times,
    **dict.fromkeys(("div", "true_divide"), _over),
    "__rdiv__": _under,
    "pow": _power,
    "square": _square,
    "sum": _sum,
    "mean": _mean,
    "prod": _prod,
    **dict.fromkeys(("matmul", "mm", "bmm"), _matmul),
    "einsum": _einsum,
    "linalg_vector_norm": _length,
    "linalg_qr": _frame,
    "sqrt": _root,
    "exp": _exponential,
    "special_entr": _entropy,
    **dict.fromkeys(("sin", "cos", "tanh"), _bounded),
    **dict.fromkeys(("clamp", "clip"), _clamp),
    **dict.fromkeys(
        ("abs", "neg", "clone", "contiguous", "detach", "double", "to", "cpu", "expand"),
        _same,
    ),
    **dict.fromkeys(
        ("relu", "squeeze", "expand_as", "reshape", "view", "flatten", "diagonal"), _moved
    ),
    "split": _cut,
    **dict.fromkeys(("unbind", "repeat", "repeat_interleave", "gather", "amax", "amin"), _moved),
    "meshgrid": _beside,
    "mT": _transposed,
    "T": _reversed,
    "unsqueeze": _unsqueezed,
    "__getitem__": _picked,
    **dict.fromkeys(("cat", "stack"), _joined),
    "where": _chosen,
    **dict.fromkeys(_DECIDED, _compared),
    "round": _rounded,
}
#: What hands a value over to Python: it may not hang on rounding.
_READ = frozenset({"__float__", "__bool__", "__int__", "item", "tolist", "numpy", "__index__"})
