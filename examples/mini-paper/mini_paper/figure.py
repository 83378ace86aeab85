"""Figure 1: the fourth moment of an overlap, as it is drawn, as it is printed, and as it is."""

from collections.abc import Callable

from mini_paper.lines import draw
from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Dots, Line, Panel, Picture, Scale

DIMENSIONS = range(1, 9)
DRAWS = {Scale.QUICK: 20_000, Scale.PAPER: 1_000_000}


def measure(scale: Scale, seed: int, progress: Callable[[float], None]) -> Picture:
    """Averages of d^2 <e, u>^4; *progress* is called with the share that is done."""
    averages = []
    for d in DIMENSIONS:
        drawn = draw(d=d, replicates=DRAWS[scale], seed=seed, start=0)["power 4"].values
        averages.append(d**2 * float(drawn.mean()))
        progress(d / len(DIMENSIONS))
    x = list(map(float, DIMENSIONS))
    right = [3 * d / (d + 2) for d in x]
    panel = Panel(
        title="Fourth moment of an overlap",
        x=Axis("d"),
        y=Axis("mean of d² ⟨e, u⟩⁴"),
        lines=(
            Line("printed", Role.REFUTED, x, [3.0 for _ in x]),
            Line("3 d/(d + 2)", Role.PROVED, x, right),
        ),
        dots=(Dots(f"{DRAWS[scale]:,} draws", Role.MEASURED, x, averages),),
    )
    return Picture(
        title="Figure 1: fourth moment of an overlap",
        panels=(panel,),
        name="1",
        scale=scale,
        seed=seed,
        header=("d", "drawn", "right", "printed"),
        rows=[
            (f"{d:g}", f"{drawn:.3f}", f"{value:.3f}", "3")
            for d, drawn, value in zip(x, averages, right, strict=True)
        ],
    )
