"""The one-layer transformer F_TF: multi-head attention read at the last position, then an MLP.

Serves Sec. 4.2 of arXiv 2412.06538, equations (4) to (7): the same module is trained, or filled with
the weights of a construction.
"""

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn

from numerics.checks import (
    check_finite_rows,
    check_float_dtype,
    check_integer,
    check_matrix,
    check_tensor,
    checked_device,
    fitting,
)
from numerics.decoding import checked_block
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.random import Stream, sample_gaussian
from numerics.rounding import dot_error_factor, full_precision_products

#: Entries of embedded sequences, or of attended ones, that `decode` holds at once: 32 MB of float64.
_ENTRIES = 2**22


class OneLayerTransformer(nn.Module):
    """F_TF(X) = F_MHSA(X) + V^T sigma(W F_MHSA(X)), X (T, d) with rows x_1, ..., x_T.

    F_MHSA(X) = sum_h W_O^T W_V X^T S(beta X W_K^T W_Q x_T) over H heads, with S the softmax and beta
    the inverse temperature: math.inf gives hard attention, the limit, which weighs the positions of
    the greatest score equally. The paper has beta = 1, and lets W_K and W_Q grow.

    Parameters: W_K, W_Q, W_V, W_O (H, d_h, d), and W, V (m, d). They are zero, or with a seed i.i.d.
    Gaussian of variance 1/d (1/m for V), from the seed's children of these names.

    1 <= d_h <= d, H >= 1, m >= 0, beta > 0, dtype float32 or float64; activation (as
    `Activation.read` takes it) is needed where m >= 1. InputError otherwise.
    """

    def __init__(
        self,
        d: int,
        H: int,
        d_h: int,
        m: int = 0,
        *,
        activation: Activation | str | Sequence[float] | None = None,
        inverse_temperature: float = 1.0,
        seed: int | Stream | None = None,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
    ) -> None:
        super().__init__()
        check_integer("d", d, minimum=1)
        check_integer("H", H, minimum=1)
        check_integer("d_h", d_h, minimum=1)
        check_integer("m", m, minimum=0)
        check_float_dtype("dtype", dtype)
        checked_device(device)
        if d_h > d:
            raise InputError(f"d_h = {d_h} exceeds d = {d}: a head has at most d dimensions")
        if m and activation is None:
            raise InputError(f"activation is missing for m = {m} neurons: name one, or take m = 0")
        self.d, self.H, self.d_h, self.m = d, H, d_h, m
        self.activation = None if activation is None else Activation.read(activation)
        self.inverse_temperature = checked_temperature(inverse_temperature, dtype)
        stream = None if seed is None else Stream.of(seed)

        def parameter(name: str, *leading: int, width: int) -> nn.Parameter:
            if stream is None:
                return nn.Parameter(torch.zeros(*leading, d, dtype=dtype, device=device))
            std = width**-0.5 if width else 0.0
            child = stream.child(name)
            rows = sample_gaussian(math.prod(leading), d, stream=child, std=std, dtype=dtype)
            return nn.Parameter(rows.view(*leading, d).to(device))

        with fitting(f"H = {H} heads of d_h = {d_h} and m = {m} neurons in d = {d}"):
            self.W_K = parameter("W_K", H, d_h, width=d)
            self.W_Q = parameter("W_Q", H, d_h, width=d)
            self.W_V = parameter("W_V", H, d_h, width=d)
            self.W_O = parameter("W_O", H, d_h, width=d)
            self.W = parameter("W", m, width=d)
            self.V = parameter("V", m, width=m)

    @property
    def parameters_count(self) -> int:
        """4 H d d_h + 2 m d."""
        return sum(part.numel() for part in self.parameters())

    def forward(self, X: Tensor) -> Tensor:
        """F_TF of each sequence of X (b, T, d), T >= 1: (b, d). InputError as for `attention`."""
        return self.residual(self.mhsa(X))

    def residual(self, x: Tensor) -> Tensor:
        """x + V^T sigma(W x) for each row x (b, d); x itself where m = 0."""
        if self.activation is None or not self.m:
            return x
        return x + self.activation.value(x @ self.W.mT) @ self.V

    def mhsa(self, X: Tensor) -> Tensor:
        """F_MHSA of each sequence of X (b, T, d): (b, d).

        Positions are averaged before the value matrix is applied, so that what is held is
        (b, H, T) weights and (b, H, d) averages, not (b, H, T, d_h) values.
        """
        attended = self.attention(X) @ X
        values = torch.einsum("bhd,hkd->bhk", attended, self.W_V)
        return values.flatten(1) @ self.W_O.flatten(0, 1)

    def attention(self, X: Tensor) -> Tensor:
        """The weights of the positions in each head, (b, H, T), for X (b, T, d), T >= 1.

        Hard attention shares the weight equally among positions that hold the same vector as the one
        of greatest score, and those whose scores are computed equal to it. Raises InputError where X
        has another shape, dtype or device than the parameters, and where scores overflow.
        """
        self._check(X)
        queries = X[:, -1] @ self.W_Q.flatten(0, 1).mT
        keys = torch.einsum("bhk,hkd->bhd", queries.view(-1, self.H, self.d_h), self.W_K)
        scores = keys @ X.mT
        hard = self.inverse_temperature == math.inf
        if not hard:
            scores = scores * self.inverse_temperature
        if not bool(torch.isfinite(scores).all()):
            raise InputError(
                f"the attention scores are not finite in {X.dtype} at inverse_temperature = "
                f"{self.inverse_temperature}: lower it, check X, or take math.inf for hard attention"
            )
        return _hard_attention(scores, keys, X) if hard else torch.softmax(scores, dim=-1)

    @torch.no_grad()
    def decode(
        self, tokens: Tensor, embeddings: Tensor, *, block: tuple[int, int] | None = None
    ) -> Tensor:
        """argmax_z phi(z)^T F_TF of each sequence of tokens (n, T), over the whole vocabulary: (n,).

        tokens int64 in 0..|V|-1, T >= 1, the last one asking: of what `FactualRecall.sample` draws,
        pass [:, :-1], as the last column is the answer. embeddings as for `check_embeddings`. Of equal
        scores the first token is taken. block: the most sequences and vocabulary entries of a tile
        of scores, each >= 1; nothing larger is held. InputError otherwise, and where scores overflow.
        Source: (7).
        """
        self.check_embeddings(embeddings)
        _check_tokens(tokens, len(embeddings))
        rows, columns = checked_block(block, embeddings.device)
        longest = self.d * max(tokens.shape[1], self.H) + self.m
        rows = max(1, min(rows, _ENTRIES // longest))
        parts = torch.split(tokens, rows)
        with full_precision_products():
            return torch.cat([_best(self(embeddings[part]), embeddings, columns) for part in parts])

    def key_query_rank(self, h: int) -> int:
        """The rank of W_K^T W_Q in head h up to rounding, at most d_h. InputError for no head."""
        return _product_rank(*self._factors("W_K", "W_Q", h))

    def output_value_rank(self, h: int) -> int:
        """The rank of W_O^T W_V in head h up to rounding, at most d_h. InputError for no head."""
        return _product_rank(*self._factors("W_O", "W_V", h))

    def _factors(self, left: str, right: str, h: int) -> tuple[Tensor, Tensor]:
        check_integer("h", h, minimum=0, maximum=self.H - 1)
        return getattr(self, left)[h].detach(), getattr(self, right)[h].detach()

    @torch.no_grad()
    def check_embeddings(self, embeddings: Tensor) -> None:
        """Raise InputError unless they are (|V|, d), finite, of the parameters' dtype and device."""
        check_matrix("embeddings", embeddings)
        mine = self.W_K
        theirs = (embeddings.shape[1], embeddings.dtype, embeddings.device)
        if theirs != (self.d, mine.dtype, mine.device):
            raise InputError(
                f"embeddings are {tuple(embeddings.shape)}, {embeddings.dtype}, on "
                f"{embeddings.device}: pass (|V|, {self.d}), {mine.dtype}, on {mine.device}"
            )
        # The extremes are NaN or infinite if an entry is, and hold no mask of that size.
        if not all(math.isfinite(extreme) for extreme in torch.aminmax(embeddings)):
            check_finite_rows("embeddings", embeddings)

    def _check(self, X: Tensor) -> None:
        check_tensor("X", X)
        mine = self.W_K
        fits = X.dim() == 3 and X.shape[1] >= 1 and X.shape[2] == self.d
        if not fits or (X.dtype, X.device) != (mine.dtype, mine.device):
            raise InputError(
                f"X is {tuple(X.shape)}, {X.dtype}, on {X.device}: pass sequences (b, T, {self.d}), "
                f"T >= 1, {mine.dtype}, on {mine.device}, as the parameters are"
            )


def _check_tokens(tokens: Tensor, vocabulary: int) -> None:
    check_tensor("tokens", tokens)
    if tokens.dim() != 2 or 0 in tokens.shape or tokens.dtype != torch.int64:
        raise InputError(
            f"tokens are {tuple(tokens.shape)}, {tokens.dtype}: pass int64 (n, T), n, T >= 1"
        )
    if int(tokens.min()) < 0 or int(tokens.max()) >= vocabulary:
        raise InputError(
            f"tokens run from {int(tokens.min())} to {int(tokens.max())}: pass indices in "
            f"0..{vocabulary - 1}, rows of the embeddings"
        )


def checked_temperature(inverse_temperature: float, dtype: torch.dtype) -> float:
    """`inverse_temperature` as a float: positive, below the overflow of `dtype`, or math.inf.

    InputError for anything else.
    """
    named = f"inverse_temperature = {inverse_temperature!r:.40}"
    if isinstance(inverse_temperature, bool) or not isinstance(inverse_temperature, int | float):
        raise InputError(
            f"{named} is not a number: pass a positive one, or math.inf for hard attention"
        )
    if not inverse_temperature > 0:
        raise InputError(
            f"{named} is not positive: pass a positive number, or math.inf for hard attention"
        )
    largest = torch.finfo(dtype).max
    if largest < inverse_temperature < math.inf:
        raise InputError(
            f"{named} overflows {dtype}: pass at most {largest}, or math.inf for hard attention"
        )
    return float(inverse_temperature)


@torch.no_grad()
def _hard_attention(scores: Tensor, keys: Tensor, X: Tensor) -> Tensor:
    """Equal weights on the positions of greatest score: scores (b, H, T), keys (b, H, d).

    Two computed scores of one vector differ by at most 2 gamma_d |key| |x|, as a product may be
    summed in another order at another position. Those as close to the greatest are looked at, and
    share its weight if they hold the very vector.
    """
    top, first = scores.max(dim=-1, keepdim=True)
    tied = scores == top
    norms = torch.linalg.vector_norm
    largest = norms(X, dim=2).amax(dim=1)[:, None, None]
    slack = 4 * dot_error_factor(X.shape[2], X.dtype) * norms(keys, dim=2, keepdim=True) * largest
    doubtful = torch.nonzero((scores >= top - slack) & ~tied)
    for part in torch.split(doubtful, max(1, _ENTRIES // X.shape[2])):
        b, h, t = part.unbind(dim=1)
        same = (X[b, t] == X[b, first[b, h, 0]]).all(dim=1)
        tied[b[same], h[same], t[same]] = True
    weights = tied.to(X.dtype)
    return weights / weights.sum(dim=-1, keepdim=True)


def _best(images: Tensor, embeddings: Tensor, columns: int) -> Tensor:
    """The index of the first greatest score of each row of images (b, d): int64 (b,)."""
    best = images.new_full((len(images),), -math.inf)
    index = torch.zeros(len(images), dtype=torch.int64, device=images.device)
    for number, part in enumerate(torch.split(embeddings, columns)):
        scores = images @ part.mT
        score, place = scores.max(dim=1)
        if not bool(torch.isfinite(torch.stack([score, scores.amin(dim=1)])).all()):
            raise InputError(
                f"the scores of the vocabulary are not finite in {images.dtype}: scale the weights "
                "of the transformer down, or take torch.float64"
            )
        better = score > best
        index = torch.where(better, place + number * columns, index)
        best = torch.where(better, score, best)
    return index


def _product_rank(left: Tensor, right: Tensor) -> int:
    """The numerical rank of left^T right for thin factors (k, d), from a k x k matrix.

    left^T = Q R and right^T = Q' R' have orthonormal Q and Q', so the rank is that of R R'^T.
    """
    d = left.shape[1]
    triangles = [torch.linalg.qr(part.double().mT, mode="r").R for part in (left, right)]
    rtol = d * torch.finfo(left.dtype).eps
    return int(torch.linalg.matrix_rank(triangles[0] @ triangles[1].mT, rtol=rtol))
