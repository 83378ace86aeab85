"""``python -m proofs.information``: the best learners of small worlds beside the bounds of Theorem 7.

A row for each (N, M, B), losses in bits; serves Sec. 6 of arXiv 2412.06538. Exits 2 for bad input.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from decimal import Decimal

from proofs.algebra import RationalFunction
from proofs.algebra.balls import lower
from proofs.information import budgets, learners
from proofs.information.entropy import Information

#: log M sum_{x >= ceil(B/L)} p(x), as Theorem 7 is printed.
PRINTED = budgets.TailBound(RationalFunction.symbol("K"), RationalFunction.constant(0))

#: The encoders of the smallest world in which a bit is sent, N = 1, M = 2, B = 1.
_FEWEST = 4
_STEEPEST = 99
#: What has fewer than three digits in six decimals.
_SMALL = Decimal("1e-3")

#: Names and widths; the star of what is printed stands outside its digits.
_COLUMNS = {
    "N": 2,
    "M": 2,
    "B": 2,
    "encoders": 8,
    "best loss": 10,
    "as printed ": 12,
    "its proof": 10,
    "sharp bound": 12,
    "gap": 10,
}


def _whole(text: str) -> int | None:
    """What is written in up to nine digits."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None


def _encoders(text: str) -> int:
    count = _whole(text)
    if count is None or not _FEWEST <= count <= learners.MOST_ENCODERS:
        raise argparse.ArgumentTypeError(
            f"{text!r}; give a whole number from {_FEWEST} to {learners.MOST_ENCODERS}"
        )
    return count


def _alpha(text: str) -> int:
    """alpha of p(x) proportional to x^-alpha; 0 for uniform."""
    if text == "uniform":
        return 0
    alpha = _whole(text.removeprefix("power:")) if text.startswith("power:") else None
    if alpha is None or alpha > _STEEPEST:
        raise argparse.ArgumentTypeError(
            f"{text!r}; give uniform or power:ALPHA, ALPHA a whole number from 0 to {_STEEPEST}"
        )
    return alpha


def _shown(value: Information) -> str:
    """In bits; 0 only for what is exactly 0."""
    if value.sign() == 0:
        return "0"
    exact = lower(value.bits())
    bits = Decimal(exact.numerator) / exact.denominator
    return f"{bits:.6f}" if bits > _SMALL else f"{bits:.3e}"


def _line(cells: Sequence[str]) -> str:
    return "  ".join(
        cell.rjust(width) for cell, width in zip(cells, _COLUMNS.values(), strict=True)
    )


def lines(most: int, alpha: int) -> Iterator[str]:
    """The table of all worlds with at most *most* encoders and p(x) proportional to x^-alpha."""
    rows = learners.table(most, (alpha,))
    law = f"p(x) proportional to x^-{alpha}" if alpha else "p(x) = 1/N"
    yield f"M^N equally likely tables, {law}, B bits. Losses in bits, the best of all encoders."
    yield _line(list(_COLUMNS))
    above = 0
    for row in rows:
        stated = row.bound(PRINTED)
        false = stated > row.best.loss
        above += false
        cells = [str(n) for n in (row.N, row.M, row.B, row.encoders)]
        cells += [_shown(row.best.loss), _shown(stated) + ("*" if false else " ")]
        cells += [_shown(row.bound(bound)) for bound in (budgets.DERIVED, budgets.SHARP)]
        yield _line([*cells, _shown(row.gap)])
    met = sum(row.gap.sign() == 0 for row in rows)
    yield f"* Theorem 7 as printed is above the best loss: in {above} of {len(rows)} worlds."
    yield f"The sharp bound is met exactly in {met}: gap 0, best loss less sharp bound."


def main(arguments: Sequence[str]) -> int:
    """The exit status for the command line *arguments*; SystemExit of status 2 if they are bad."""
    parser = argparse.ArgumentParser(
        prog="python -m proofs.information", description=__doc__, allow_abbrev=False
    )
    parser.add_argument(
        "--encoders",
        type=_encoders,
        default=learners.MOST_ENCODERS,
        metavar="COUNT",
        help="at most so many maps from tables to messages, also at B = 1 (default: %(default)s)",
    )
    parser.add_argument(
        "--prior",
        type=_alpha,
        default="uniform",
        metavar="uniform|power:ALPHA",
        help="p(x) = 1/N, or proportional to x^-ALPHA (default: %(default)s)",
    )
    chosen = parser.parse_args(arguments)
    for line in lines(chosen.encoders, chosen.prior):
        sys.stdout.write(f"{line}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
