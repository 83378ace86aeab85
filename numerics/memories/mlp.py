"""Two-layer memories: the linearised (neural tangent) memory, and true networks of finite width.

Serves Sec. 3.2 and App. B of arXiv 2412.06538 (Theorems 2 and 9): F(z) = V^T sigma(W z), and
F_NTK(z) = sum_i v_i sigma'(<w_i, z>) <q_i, z>.
"""

import math
import sys
from abc import ABC, abstractmethod
from functools import partial

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.checks import (
    check_finite_rows,
    check_integer,
    check_kind,
    check_rows,
    check_vectors,
)
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.memories.facts import check_facts, sample_facts
from numerics.random import Stream, sample_gaussian
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths

#: Entries (queries x neurons) held at once: 8 MB of float64.
_ENTRIES = 2**20
#: Queries at once, at least: of many memories that is about what their neurons take.
_ROWS = 64
#: A Hermite coefficient below this, of an activation of size about 1, is 0 up to rounding.
_NO_COEFFICIENT = 1e-9


def tangent_sum(inputs: Tensor, targets: Tensor, hidden: Tensor, readout: Tensor, k: int) -> Tensor:
    """sum_x h_k(<e_x, w_i>) <v_i, u_x> e_x for each neuron i: (..., m, d).

    inputs (..., N, d) with rows e_x, targets (..., N, d) with rows u_x, hidden and readout
    (..., m, d) with rows w_i and v_i. Source: arXiv 2412.06538, proof of Theorem 9 (m q_i).
    """
    feature = Activation.hermite([0.0] * k + [1.0]).value
    return (feature(inputs @ hidden.mT) * (targets @ readout.mT)).mT @ inputs


def tangent_terms(
    vectors: Tensor, hidden: Tensor, tangent: Tensor, activation: Activation
) -> Tensor:
    """sigma'(<w_i, z>) <q_i, z> for each row z of vectors (..., b, d) and neuron i: (..., b, m)."""
    return activation.derivative(vectors @ hidden.mT) * (vectors @ tangent.mT)


def mean_sign(activation: Activation, k: int) -> int:
    """The sign of c_{k+1}, with which the mean margin is positive; +1 where that is 0 to rounding."""
    return -1 if activation.coefficient(k + 1) < -_NO_COEFFICIENT else 1


def check_activation(activation: Activation) -> None:
    """Raise InputError unless it is an Activation, whose name alone is none."""
    check_kind("activation", activation, Activation, "an Activation, Activation.named('relu') say")


class _Neurons(ABC):
    """Facts and a map F(z) = sum_i v_i g_i(z), with v_i the rows of readout (..., m, d)."""

    def __init__(
        self,
        inputs: Tensor,
        outputs: Tensor,
        association: Tensor,
        hidden: Tensor,
        readout: Tensor,
        activation: Activation,
    ) -> None:
        check_facts(inputs, outputs, association)
        for name, rows in (("hidden", hidden), ("readout", readout)):
            check_rows(name, rows)
            *leading, _, d = inputs.shape
            theirs = (rows.shape[-1], rows.dtype, rows.device)
            if theirs != (d, inputs.dtype, inputs.device):
                raise InputError(
                    f"{name} has d = {rows.shape[-1]}, {rows.dtype}, on {rows.device}: pass "
                    f"d = {d}, {inputs.dtype}, on {inputs.device}, as the inputs are"
                )
            if [*rows.shape[:-2]] != leading:
                raise InputError(
                    f"{name} are neurons of {tuple(rows.shape[:-2])} memories, inputs of "
                    f"{tuple(leading)}: use as many of each"
                )
            check_finite_rows(name, rows)
        check_activation(activation)
        if hidden.shape[-2] != readout.shape[-2]:
            raise InputError(
                f"hidden has {hidden.shape[-2]} rows but readout {readout.shape[-2]}: give one of "
                "each a neuron"
            )
        self.inputs = inputs
        self.outputs = outputs
        self.association = association
        self.hidden = hidden
        self.readout = readout
        self.activation = activation
        self._rows = max(_ROWS, _ENTRIES // math.prod(hidden.shape[:-1]))

    @abstractmethod
    def _terms(self, vectors: Tensor) -> Tensor:
        """g_i(z) for each row z of `vectors` (..., b, d): (..., b, m), computed in their dtype."""

    @abstractmethod
    def _term_bounds(self, vectors: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """For float64 `vectors` (..., b, d) and g_i computed in `dtype`: bounds (..., b, m), float64.

        The first on |g_i| as computed, the second on its distance from the exact g_i.
        """

    def apply(self, vectors: Tensor) -> Tensor:
        """F(z) for each row z of `vectors` (..., b, d): (..., b, d), in their dtype, by blocks."""
        check_vectors(vectors, self.inputs)
        readout = self.readout.to(vectors.dtype)
        parts = torch.split(vectors, self._rows, dim=-2)
        return torch.cat([self._terms(z) @ readout for z in parts], dim=-2)

    def apply_error(self, vectors: Tensor) -> Tensor:
        """Bounds (..., b), float64, on |apply(z) - F(z)|_2 for each row z of `vectors` (..., b, d).

        Let p_i be the computed g_i(z), |p_i| <= P_i and |p_i - g_i(z)| <= r_i. Component j of the
        product sum_i p_i v_i errs by at most gamma_{m+1} sum_i |p_i| |v_ij| (m products and sums,
        one cast of v_ij), and the 2-norm over j of sum_i |p_i| |v_ij| is at most sum_i |p_i| |v_i|.
        Together with what p_i is off by,
            |apply(z) - F(z)| <= sum_i |v_i| (r_i + gamma_{m+2} P_i) + 4 m sqrt(d) tiny,
        where |v_i| is raised by sqrt(d) tiny for what underflows in its cast. P_i and r_i are
        those of `_term_bounds`, made from float64 values of <w_i, z>; the weights as stored are
        exact by definition.
        """
        check_vectors(vectors, self.inputs)
        d, dtype = vectors.shape[-1], vectors.dtype
        tiny = torch.finfo(dtype).tiny
        m = self.readout.shape[-2]
        readout = (lengths(self.readout) + d**0.5 * tiny).unsqueeze(-1)
        sums = dot_error_factor(m + 2, dtype)
        bounds = []
        for z in torch.split(vectors.double(), self._rows, dim=-2):
            size, error = self._term_bounds(z, dtype)
            bounds.append(((error + sums * size) @ readout).squeeze(-1))
        bound: Tensor = BOUND_SLACK * torch.cat(bounds, dim=-1) + 4 * m * d**0.5 * tiny
        return bound


class TwoLayerNetwork(_Neurons):
    """The network F(z) = V^T sigma(W z) of finite width, with the facts it is asked for.

    Attributes: inputs (..., N, d), outputs (..., M, d), association int64 (N,) or (..., N), hidden W
    and readout V, both (..., width, d), activation. Raises InputError as `LinearMemory` does, and where
    the two layers have different widths.
    """

    def _terms(self, vectors: Tensor) -> Tensor:
        return self.activation.value(vectors @ self.hidden.to(vectors.dtype).mT)

    def _term_bounds(self, vectors: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        points, radius = _products(vectors, self.hidden, dtype)
        error = self.activation.value_error(points, radius, dtype)
        return self.activation.value(points).abs() + 2 * error, error


class MLPMemory(_Neurons):
    """The memory F(z) = sum_i v_i sigma'(<w_i, z>) <q_i, z>, the tangent of a two-layer network.

    q_i = sign (1/m) sum_x h_k(<e_x, w_i>) <v_i, u_{f*(x)}> e_x, with h_k = He_k / sqrt(k!); the
    paper negates the q_i where the Hermite coefficient c_{k+1} of sigma is negative.

    Attributes: inputs (..., N, d), outputs (..., M, d), association int64 (N,) or (..., N), hidden
    (..., m, d) with rows w_i, readout (..., m, d) with rows v_i, activation sigma, k, sign, tangent
    (..., m, d) with rows q_i; the leading dimensions number the memories. The tangent as stored defines
    a memory; the rounding made when it was summed is part of it.

    Raises InputError as `LinearMemory` does, where hidden and readout differ in rows, unless
    0 <= k <= 24, and for a sign other than 1 and -1. Source: arXiv 2412.06538, proof of Theorem 9.
    """

    def __init__(
        self,
        inputs: Tensor,
        outputs: Tensor,
        association: Tensor,
        hidden: Tensor,
        readout: Tensor,
        activation: Activation,
        k: int,
        *,
        sign: int = 1,
    ) -> None:
        super().__init__(inputs, outputs, association, hidden, readout, activation)
        check_integer("k", k, minimum=0, maximum=24)
        if not isinstance(sign, int) or sign not in (1, -1):
            raise InputError(f"sign = {sign!r} is no sign: pass 1 or -1")
        self.k, self.sign = k, sign
        tangent = torch.zeros_like(hidden)
        with full_precision_products():
            parts = torch.split(inputs, self._rows, -2), torch.split(association, self._rows, -1)
            for e, f in zip(*parts, strict=True):
                tangent += tangent_sum(e, assigned(outputs, f), hidden, readout, k)
        self.tangent = tangent * (sign / hidden.shape[-2])
        check_finite_rows("tangent", self.tangent)

    @classmethod
    def sample(
        cls,
        d: int,
        N: int,
        M: int | None = None,
        *,
        m: int,
        activation: Activation,
        k: int = 2,
        seed: int | Stream,
        replicates: int | None = None,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
    ) -> "MLPMemory":
        """N random facts, uniform unit embeddings in R^d, M outputs (M = N), m Gaussian neurons.

        The sign is that of c_{k+1}, or +1 where that is 0: then the mean margin is positive.
        d, m >= 1, 1 <= N <= M, 0 <= k <= 23; InputError otherwise. `seed` is a 64-bit seed, or the
        stream whose children "inputs", "outputs", "association", "hidden" and "readout" are drawn;
        `replicates` as for `LinearMemory.sample`.
        """
        stream = Stream.of(seed)
        check_integer("m", m, minimum=1)
        check_integer("k", k, minimum=0, maximum=23)
        check_activation(activation)
        draw = partial(sample_gaussian, replicates=replicates, dtype=dtype, device=device)
        facts = sample_facts(
            d,
            N,
            M,
            beside=3 * m,
            stream=stream,
            replicates=replicates,
            dtype=dtype,
            device=device,
        )
        hidden, readout = (draw(m, d, stream=stream.child(name)) for name in ("hidden", "readout"))
        return cls(*facts, hidden, readout, activation, k, sign=mean_sign(activation, k))

    def network(self, scale: float | None = None) -> TwoLayerNetwork:
        """A true network of width 2m whose map is close to this memory's: central differences.

        Neuron i becomes the pair (v_i/(2 s_i), w_i + s_i q_i), (-v_i/(2 s_i), w_i - s_i q_i), with
            v_i (sigma(a + s b) - sigma(a - s b)) / (2 s) = v_i (sigma'(a) b + O(s^2)),
        a = <w_i, z>, b = <q_i, z>. The step s_i = scale / max_x |<q_i, e_x>| moves the argument of
        sigma by at most `scale` on the facts. The paper's rescaling, W + s Q and V/s, does not
        converge: its term V^T sigma(W z)/s grows without bound.

        For a move t = s b the difference is off by about t^2/6 (third derivative of sigma) and u/t
        (rounding of weights and of sigma, magnified by cancellation), relative to sigma'(a) b: least
        at t = (3 u)^(1/3). A typical move is about a third of the largest, so the default scale is
        3 eps^(1/3), eps = 2u of the dtype. Raises InputError unless scale is positive and finite.
        """
        info = torch.finfo(self.inputs.dtype)
        scale = 3 * info.eps ** (1 / 3) if scale is None else scale
        if not isinstance(scale, int | float) or not 0 < scale <= sys.float_info.max:
            raise InputError(f"scale = {scale!r} is no step: pass a positive finite number")
        largest = self.tangent.new_full(self.tangent.shape[:-1], info.tiny**0.5)
        with full_precision_products():
            for e in torch.split(self.inputs, self._rows, -2):
                torch.maximum(largest, (e @ self.tangent.mT).abs().amax(dim=-2), out=largest)
        step = (scale / largest).unsqueeze(-1)
        moved, shared = step * self.tangent, self.readout / (2 * step)
        return TwoLayerNetwork(
            self.inputs,
            self.outputs,
            self.association,
            torch.cat([self.hidden + moved, self.hidden - moved], dim=-2),
            torch.cat([shared, -shared], dim=-2),
            self.activation,
        )

    def _terms(self, vectors: Tensor) -> Tensor:
        hidden, tangent = self.hidden.to(vectors.dtype), self.tangent.to(vectors.dtype)
        return tangent_terms(vectors, hidden, tangent, self.activation)

    def _term_bounds(self, vectors: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Of s b, s = sigma'(<w, z>), b = <q, z>, computed as s', b' with |s' - s| <= e, |b' - b| <= r.

        From float64 values S, B as far off: |s'| <= |S| + 2 e, |b'| <= |B| + 2 r, |b| <= |B| + r, and
        |s' b' - s b| <= |s'| r + e |b|. The rounding of the product is one of `apply_error`'s m + 2.
        """
        points, radius = _products(vectors, self.hidden, dtype)
        e = self.activation.derivative_error(points, radius, dtype)
        slope = self.activation.derivative(points).abs() + 2 * e
        moved, r = _products(vectors, self.tangent, dtype)
        moved = moved.abs()
        error = slope * r + e * (moved + r) + torch.finfo(dtype).tiny
        return slope * (moved + 2 * r), error


def _products(vectors: Tensor, rows: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """<row, z> for float64 vectors (..., b, d) and rows (..., m, d), and a bound on two distances.

    Of the values found here from the exact ones, and of those found in `dtype`, where rows are cast
    first, from the exact ones: at most gamma_{d+1} |row| |z| and underflow in d products and sums.
    The bound is the sum of both, so that no two of the three values are farther apart.
    """
    d = vectors.shape[-1]
    size = lengths(vectors).unsqueeze(-1)
    factor = dot_error_factor(d + 1, dtype) + dot_error_factor(d + 1, torch.float64)
    underflow = 4 * d * torch.finfo(dtype).tiny * (1 + size)
    radius = BOUND_SLACK * factor * size * lengths(rows).unsqueeze(-2) + underflow
    return vectors @ rows.double().mT, radius
