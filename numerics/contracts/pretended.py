"""A pretended CUDA device: what goes wrong on a card is seen where there is none.

Its tensors lie in the memory of the CPU and say that they are on cuda:0: values are real, and every
branch is taken. What CUDA refuses is refused: operands of which one is elsewhere, indices of the device
into a tensor of the CPU, results that are put elsewhere, numpy arrays. It is counted what is launched,
what is copied, and where the program waits for the device. Rounding and speed are those of the CPU.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_map

from numerics.random import programs, reference, samples, tensors
from numerics.random.law import Box
from numerics.random.programs import Program

__all__ = ["ElsewhereError", "Used", "pretended_cuda"]

_CUDA = torch.device("cuda:0")
#: Bytes that are free on the device, whatever is put there.
_FREE = 2**27


def _named(names: str) -> frozenset[str]:
    return frozenset(names.split())


#: What needs values on the side of the program, which waits until the device has them.
_WAITS = _named(
    "item tolist __bool__ __float__ __int__ __index__ __contains__ is_nonzero nonzero argwhere unique "
    "unique_consecutive masked_select equal allclose bincount"
)
#: What adds floating-point numbers in an order that differs from run to run.
_UNORDERED = _named(
    "scatter_add scatter_add_ scatter_reduce scatter_reduce_ index_add index_add_ put_ histc bincount"
)
#: What takes no number of the CPU, a tensor without dimensions, beside tensors of the device.
_STRICT = _named(
    "mm matmul __matmul__ bmm addmm linear dot outer einsum cat stack gather scatter searchsorted "
    "index_select take_along_dim"
)
#: What says something of a tensor and launches nothing.
_SAID = _named(
    "__get__ __set__ __len__ __repr__ __str__ __format__ __hash__ size dim numel nelement stride "
    "element_size storage_offset is_contiguous is_floating_point"
)


class ElsewhereError(RuntimeError):
    """Two tensors are used together, or put into each other, that lie on different devices."""


@dataclass
class Used:
    """What was asked of the device: kernels that were launched, copies to and from it, and by name
    points where the program waits for it, sums whose order is left open, and factorizations, whose
    bits are the device's own."""

    kernels: int = 0
    copies: int = 0
    waits: Counter[str] = field(default_factory=Counter)
    unordered: Counter[str] = field(default_factory=Counter)
    factorized: Counter[str] = field(default_factory=Counter)


class _OnDevice(Tensor):
    """A tensor of the device. Outside the block it was made in it is one of the CPU."""


def _on_device(one: object) -> bool:
    return isinstance(one, _OnDevice)


def _moved(one: Any) -> Any:
    """The tensors in it, those of the device."""
    return tree_map(lambda it: it.as_subclass(_OnDevice) if isinstance(it, Tensor) else it, one)


def _tensors(one: object) -> list[Tensor]:
    return [it for it in tree_flatten(one)[0] if isinstance(it, Tensor)]


def _on_cpu(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, but that what is asked for on the device is made in the memory of the CPU."""
    return {**given, "device": "cpu"} if _is_cuda(given.get("device")) else dict(given)


def _in_place(name: str) -> bool:
    return name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))


def _is_cuda(device: Any) -> bool:
    if device is None or torch.device(device).type != "cuda":
        return False
    if torch.device(device).index:
        raise RuntimeError(f"{device}: of the pretended devices there is cuda:0 alone")
    return True


class _Mode(TorchFunctionMode):
    """Looks at every call of torch inside the block."""

    def __init__(self, used: Used) -> None:
        super().__init__()
        self.used = used

    def __torch_function__(
        self,
        func: Any,
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        given = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        with torch._C.DisableTorchFunctionSubclass():
            if not any(map(_on_device, _tensors((args, given)))):
                return self._made(func, name, args, given)
            if name == "__get__" and (told := _TOLD.get(func.__self__)) is not None:
                return told(args[0])
            if name in ("numpy", "__array__"):
                raise TypeError("a tensor of cuda:0 is no numpy array: take .cpu() first")
            if name in ("to", "type_as", "cpu", "cuda"):
                return self._sent(name, args, given)
            self._require_together(name, args, given)
            self._note(name, args, given)
            there = _is_cuda(given.get("device", _CUDA))
            found = func(*args, **_on_cpu(given))
            if _in_place(name):
                return args[0]
            return _moved(found) if there else found

    def _made(self, func: Any, name: str, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
        """What no tensor of the device goes into: it may come out."""
        if name in ("to", "cuda"):
            return self._sent(name, args, given)
        if not _is_cuda(given.get("device")):
            return func(*args, **given)
        self.used.kernels += 1
        return _moved(func(*args, **_on_cpu(given)))

    def _sent(self, name: str, args: tuple[Any, ...], given: dict[str, Any]) -> Any:
        """A tensor on the side that is asked for, copied if it is not there."""
        one, *rest = args
        like = next((it for it in rest if isinstance(it, Tensor)), None)
        named = [it for it in rest if isinstance(it, str | torch.device)]
        asked = given.pop("device", named[0] if named else None)
        if asked is not None and torch.device(asked).type not in ("cpu", "cuda"):
            return one.as_subclass(Tensor).to(asked)
        there = _on_device(one)
        if like is not None:
            there = _on_device(like)
        elif name != "to" or asked is not None:
            there = name == "cuda" or (name == "to" and _is_cuda(asked))
        kinds = [it for it in rest if isinstance(it, torch.dtype)]
        kinds += [like.dtype] if like is not None else []
        kind = given.pop("dtype", kinds[0] if kinds else one.dtype)
        plain = one.as_subclass(Tensor)
        found = plain.to(kind)
        if there != _on_device(one):
            found = found.clone() if found is plain else found
            self.used.copies += 1
            if not there:
                self.used.waits[name] += 1
        elif kind == one.dtype:
            return one
        else:
            self.used.kernels += there
        return _moved(found) if there else found

    def _require_together(self, name: str, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        """ElsewhereError where CUDA refuses tensors on both sides."""
        if name in _SAID or name == "copy_":
            return
        every = _tensors((args, given))
        off = [it for it in every if not _on_device(it)]
        first = args[0] if args else None
        if name in ("__getitem__", "__setitem__"):
            index = [it for it in _tensors(args[1]) if it.dim()]
            if not _on_device(first) and any(map(_on_device, index)):
                raise ElsewhereError(f"{name}: indices on cuda:0 into a tensor on cpu")
            values = [it for it in _tensors(args[2:]) if it.dim()]
            if index and any(_on_device(it) != _on_device(first) for it in values):
                raise ElsewhereError(f"{name}: values are not where the tensor is")
        elif isinstance(out := given.get("out"), Tensor) and _on_device(out) != _on_device(first):
            raise ElsewhereError(f"{name}: out is not where the operands are")
        elif any(it.dim() or name in _STRICT or (it is first and _in_place(name)) for it in off):
            where = ", ".join(
                f"{tuple(it.shape)} on {'cuda:0' if _on_device(it) else 'cpu'}" for it in every
            )
            raise ElsewhereError(f"{name}: all tensors must lie on one device: {where}")

    def _note(self, name: str, args: tuple[Any, ...], given: dict[str, Any]) -> None:
        if name in _SAID:
            return
        self.used.kernels += 1
        self.used.copies += name in ("copy_", "__setitem__") and _on_device(args[0]) != _on_device(
            args[-1]
        )
        masks = name == "__getitem__" and any(it.dtype == torch.bool for it in _tensors(args[1]))
        if masks:
            self.used.waits["mask"] += 1
        elif name in _WAITS or (name == "repeat_interleave" and "output_size" not in given):
            self.used.waits[name] += 1
        if name in _UNORDERED and args[0].is_floating_point():
            self.used.unordered[name] += 1
        if name.startswith("linalg_") and not name.endswith("norm"):
            self.used.factorized[name] += 1


#: What a tensor of the device says of where it lies.
_TOLD: Mapping[object, Callable[[Tensor], object]] = {
    Tensor.device: lambda one: _CUDA if _on_device(one) else torch.device("cpu"),
    Tensor.is_cuda: _on_device,
    Tensor.is_cpu: lambda one: not _on_device(one),
}


class _Kernel:
    """A kernel that draws on the device: values are those of `reference`."""

    def __init__(self, used: Used) -> None:
        self._used = used

    def words(self, box: Box, device: torch.device) -> Tensor:
        self._used.kernels += 1
        with torch._C.DisableTorchFunction():
            found = reference.words(box, torch.device("cpu"))
        return found.as_subclass(_OnDevice) if _is_cuda(device) else found

    def fill(self, box: Box, out: Tensor, *, unit: bool) -> None:
        self._used.kernels += 1
        with torch._C.DisableTorchFunction():
            reference.fill(box, out.as_subclass(Tensor), unit=unit)


def _pretended_kernel(used: Used) -> Callable[[torch.device, int], Program]:
    def program(device: torch.device, values: int) -> Program:
        return _Kernel(used) if _is_cuda(device) else programs.program(device, values)

    return program


@contextmanager
def pretended_cuda(*, kernel: bool = True) -> Iterator[Used]:
    """Inside the block the device "cuda" is there, and is told what is asked of it.

    Not for two blocks inside each other. kernel: whether values are drawn by one kernel a call, as where
    Triton is installed, or operation by operation.
    """
    used = Used()
    with (
        patch.object(torch.cuda, "is_available", lambda: True),
        patch.object(torch.cuda, "mem_get_info", lambda device=None: (_FREE, _FREE)),
        patch.object(programs, "triton_is_there", lambda: False),
        patch.object(samples, "program", _pretended_kernel(used) if kernel else programs.program),
        _Mode(used),
    ):
        # What is kept on the device is made anew: it lies there only inside the block.
        tensors.columns_on.cache_clear()
        try:
            yield used
        finally:
            tensors.columns_on.cache_clear()
