"""Figure 5 of Nichani et al. (Sec. 5): the stages of training, of linear attention and a softmax head.

Left the gradient flow of the linear attention model and gradient descent over it, right one softmax
attention head with random embeddings. An interrupt there keeps what was trained until then.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Dots, Level, Line, Panel, Picture, Scale, Stage

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from numerics.flow import FlowWorld
    from numerics.papers.nichani.figure5 import Curves, Sizes

    Array = NDArray[np.float64]

Progress = Callable[[float], None]

#: Left: the initial scale of the weights, and the rate and the number of steps of gradient descent.
_SCALE, _RATE, _STEPS = 1e-5, 0.1, 8000
#: The stage between: the relation-only loss at most this, the subject-only loss at least that.
MOST, LEAST = 0.05, 1.0
#: Dots of gradient descent, samples of the flow, and the share of the work that the left panel is.
_DOTS, _SAMPLES, _LEFT = 40, 400, 0.2
_LOSS = Axis("Loss in nats", room=0.05)
#: The width of a panel, and the height of its plane.
_WIDE, _TALL = 540.0, 190.0


@dataclass(frozen=True)
class _Training:
    """Sizes and settings of the right panel."""

    S: int
    R: int
    D: int
    T: int
    d: int
    d_h: int
    batch: int
    rate: float
    steps: int

    def sizes(self) -> Sizes:
        from numerics.papers.nichani.figure5 import Sizes

        return Sizes(self.S, self.R, self.D, self.T)


_TRAININGS = {
    Scale.QUICK: _Training(S=16, R=4, D=8, T=32, d=512, d_h=64, batch=512, rate=1.0, steps=1500),
    Scale.PAPER: _Training(S=16, R=4, D=8, T=32, d=1024, d_h=64, batch=1024, rate=1.0, steps=4000),
}


@dataclass(frozen=True)
class _Column:
    """A run in the table."""

    head: str
    world: FlowWorld
    curves: Curves


def measure(scale: Scale, seed: int, progress: Progress, *, device: str = "cpu") -> Picture:
    """Both panels; the head is trained on *device*. *progress* is called with the share that is done."""
    left, columns, apart = _linear(seed)
    progress(_LEFT)
    right, column, whole = _softmax(_TRAININGS[scale], seed, progress, device)
    columns.append(column)
    header, rows = _table(columns)
    return Picture(
        name="5",
        title="Figure 5: stages of training",
        scale=scale,
        seed=seed,
        device=device,
        panels=(left, right),
        notes=(
            f"A random table (seed {seed}); losses in nats. Shaded: the relation-only loss is at most "
            f"{MOST:g}, the subject-only loss at least {LEAST:g}.",
            "H(a*|r) is the loss of the model that outputs p*(.|r). It is log D, as printed, only where "
            "all answers have equally many subjects.",
            "H(a*) is the loss of the model that outputs the law of all answers, whatever the sequence. "
            f"Descent is within {apart:.2g} nats of the flow.",
        ),
        header=header,
        rows=rows,
        whole=whole,
    )


# -- the panels -----------------------------------------------------------------------------------


def _linear(seed: int) -> tuple[Panel, list[_Column], float]:
    """The left panel, its columns in the table, and how far descent is from the flow."""
    import numpy as np

    from numerics.flow import balanced, equal, gradient_descent
    from numerics.papers.nichani.figure5 import Curves, Sizes, curves_of, flow

    sizes = Sizes()
    world, until = sizes.world(seed), _STEPS * _RATE

    def in_steps(curves: Curves) -> Curves:
        return Curves(curves.at / _RATE, curves.total, curves.relation_only, curves.subject_only)

    start = equal(world, _SCALE)
    found = flow(world, start, until=until, samples=_SAMPLES, dense=until)
    exact = in_steps(curves_of(world, found.times, found.weights))
    assumed = flow(world, balanced(world, _SCALE), until=until, samples=_SAMPLES, dense=until)
    other = in_steps(curves_of(world, assumed.times, assumed.weights))
    steps = gradient_descent(world, start, rate=_RATE, steps=_STEPS, every=_STEPS // (5 * _DOTS))
    descent = curves_of(world, steps.steps.astype(np.float64), steps.weights)
    at_steps = np.interp(descent.at, exact.at, exact.total)
    apart = float(np.abs(descent.total - at_steps).max())
    panel = Panel(
        title="Linear attention, orthonormal embeddings",
        about=_about(sizes, f"all weights {_SCALE:g} at the start"),
        x=Axis(
            f"Steps of gradient descent of rate {_RATE:g} (dots); time of the flow over {_RATE:g}"
        ),
        y=_LOSS,
        lines=(
            *_lines(exact),
            Line("From Assumption 2", Role.FOURTH, _list(other.at), _list(other.total)),
        ),
        dots=(Dots("Descent", Role.FIRST, _list(descent.at[::5]), _list(descent.total[::5])),),
        levels=_levels(world),
        stages=_stages(exact),
        wide=_WIDE,
        tall=_TALL,
        numbers={"largest distance of descent from the flow": apart},
    )
    columns = [_Column("Linear, flow", world, exact), _Column("Linear, descent", world, descent)]
    return panel, columns, apart


def _softmax(
    settings: _Training, seed: int, progress: Progress, device: str
) -> tuple[Panel, _Column, bool]:
    """The right panel, its column in the table, and whether all steps were made."""
    from numerics.papers.nichani.figure5 import curves_of_training, softmax_head

    sizes = settings.sizes()
    training = softmax_head(
        sizes,
        d=settings.d,
        d_h=settings.d_h,
        rate=settings.rate,
        batch=settings.batch,
        seed=seed,
        device=device,
    )
    whole = True
    try:
        training.run(
            settings.steps,
            progress=lambda step: progress(_LEFT + (1 - _LEFT) * step / settings.steps),
        )
    except KeyboardInterrupt:
        whole = False
    curves = curves_of_training(training)
    world = sizes.world(seed)
    panel = Panel(
        title="One softmax attention head, random embeddings",
        about=_about(sizes, f"d = {settings.d}, head dimension {settings.d_h}"),
        x=Axis(
            f"Steps of gradient descent of rate {settings.rate:g}, fresh batches of {settings.batch}"
        ),
        y=_LOSS,
        lines=_lines(curves),
        levels=_levels(world),
        stages=_stages(curves),
        wide=_WIDE,
        tall=_TALL,
    )
    return panel, _Column("Softmax, descent", world, curves), whole


def _about(sizes: Sizes, more: str) -> str:
    task = f"S = {sizes.S}, R = {sizes.R}, D = {sizes.D}, T = {sizes.T}, {sizes.noise} noise tokens"
    return f"{task}; {more}"


def _list(values: Array) -> list[float]:
    return [float(value) for value in values]


def _lines(curves: Curves) -> tuple[Line, ...]:
    at = _list(curves.at)
    return (
        Line("Total", Role.FIRST, at, _list(curves.total)),
        Line("Relation-only", Role.SECOND, at, _list(curves.relation_only)),
        Line("Subject-only", Role.THIRD, at, _list(curves.subject_only)),
    )


def _levels(world: FlowWorld) -> tuple[Level, ...]:
    from numerics.papers.nichani.figure5 import entropy_given_relation, entropy_of_answers

    return (
        Level("log |A|", math.log(world.A)),
        Level("H(a*)", entropy_of_answers(world)),
        Level("log D", math.log(world.A // world.R), Role.PRINTED),
        Level("H(a*|r)", entropy_given_relation(world)),
    )


def _stages(curves: Curves) -> tuple[Stage, ...]:
    from numerics.papers.nichani.figure5 import hallucination

    found = hallucination(curves, most=MOST, least=LEAST)
    if found is None:
        return ()
    return (Stage("hallucination", float(curves.at[found.first]), float(curves.at[found.last])),)


# -- the table ------------------------------------------------------------------------------------


def _table(columns: Sequence[_Column]) -> tuple[list[str], list[list[str]]]:
    """The stages of each run in words."""
    told = [_told(column) for column in columns]
    rows = [[name, *(column[name] for column in told)] for name in told[0]]
    return ["", *(column.head for column in columns)], rows


def _told(column: _Column) -> dict[str, str]:
    from numerics.papers.nichani.figure5 import hallucination

    curves, levels = column.curves, _levels(column.world)
    found = hallucination(curves, most=MOST, least=LEAST)

    def over(values: Array, digits: int = 3) -> str:
        if found is None:
            return "none yet"
        return f"{values[found.first]:,.{digits}f} to {values[found.last]:,.{digits}f}"

    return {
        "total at the start": f"{curves.total[0]:.3f}",
        **{level.name: f"{level.value:.3f}" for level in levels},
        "hallucination, steps": over(curves.at, 0),
        "total, there": over(curves.total),
        "relation-only, there": over(curves.relation_only),
        "subject-only, there": over(curves.subject_only),
        "last step": f"{curves.at[-1]:,.0f}",
        "total at the end": f"{curves.total[-1]:.4f}",
    }
