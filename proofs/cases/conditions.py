"""Cases of the public conditions with which printed ones are compared, and of the lines of arguments."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from flint import arb

from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Line, exceeds, proofs_alone, searching, shown, violation
from proofs.capacity import (
    Linear,
    LinearClosedForm,
    Quantized,
    QuantizedClosedForm,
)
from proofs.capacity.conditions import (
    SufficientCondition,
    largest_where,
    read_delta,
    read_size,
    read_sizes,
)
from proofs.capacity.linear import (
    _best_slope,
    cell_masses,
    chernoff_exponent,
    fact_lost,
    over_cells,
)
from proofs.capacity.quantized import read_step
from proofs.cases import Refusals, Results
from proofs.derived import Bound

d, N = symbols("d N")
FORM, CELLS = LinearClosedForm(), Linear(16)


def lines(*arguments: Argument) -> str:
    """All that is said of arguments."""
    return "; ".join(
        f"{it.holds} {it.witness} {it.broken} {[*map(str, it.lines)]}" for it in arguments
    )


def built() -> list[Argument]:
    """Arguments whose lines hold, fail, or are refuted."""
    good, bad, refuted, empty = Argument(), Argument(), Argument(), Argument()
    good.equal("a", d, d)
    good.nonnegative("b", d - 1, {"d": 1})
    good.nonnegative("c", d - 1, {"d": 1}, interior=True)
    good.at_most("d", arb(1), arb(2))
    good.true("e", True, "why")
    bad.equal("a", d, N)
    bad.nonnegative("b", d - 2, {"d": 1})
    bad.nonnegative("c", (d - 5) ** 2, {"d": 1})
    bad.at_most("d", arb(2), arb(1))
    refuted.true("e", True, "why")
    refuted.refute({"d": 1}).refute({"d": 2})
    taken = Argument()
    taken.include(good, refuted)
    taken.include(bad)
    return [good, bad, refuted, empty, taken]


def broken() -> Argument:
    """An argument that includes one of which a line fails."""
    whole = Argument()
    whole.include(Argument().fails("f", {"d": 1}))
    return whole


def trusted() -> list[str]:
    """What an argument takes on trust that includes two others."""
    one, other, whole = Argument(), Argument(), Argument()
    one.infer("a", "why")
    other.infer("b", "why not")
    whole.include(one, other)
    return whole.assumptions


class Ranked(SufficientCondition):
    """A condition with a further size: N/(d m) <= delta."""

    def failure_bound(self, *sizes: int, **more: int) -> Fraction:
        return Fraction(sizes[1], sizes[0] * more["m"])


def rounded(values: Sequence[object]) -> list[str]:
    """Values with few digits."""
    return [f"{float(value):.10g}" for value in values]  # type: ignore[arg-type]


def alone() -> tuple[bool, ...]:
    """Whether a counterexample is looked for, outside, inside, and outside again."""
    before = searching()
    with proofs_alone():
        inside = searching()
    return before, inside, searching()


def asked(most: int, near: int = 1) -> list[int]:
    """The numbers of which a search asks that begins at *near* and ends at *most*."""
    seen: list[int] = []

    def fits(n: int) -> bool:
        seen.append(n)
        return n <= most

    assert largest_where(fits, near) == most
    return seen


TOLD = Quantized(
    cells=7,
    signal=Fraction(2),
    noise=Fraction(3),
    coincident=Fraction(4),
    loss=Fraction(5),
)


def _noise(N: int) -> Fraction:
    return Fraction(N)


def _pairs(N: int, M: int) -> Fraction:
    return Fraction(N * M)


MARKS = (Fraction(5), _noise, _pairs)
MARKED = QuantizedClosedForm(lead=MARKS[0], noise=_noise, pairs=_pairs)
ALL_KEPT = QuantizedClosedForm(kept=lambda d, e: Fraction(d))


def _looked_for() -> object:
    """What is found where nobody looks."""
    with proofs_alone():
        return violation(d, N, [{"d": 2, "N": 1}], ("one", "other"))


HOLDS: Results = [
    (
        lambda: [str(value) for value in vars(TOLD.at(8)).values()],
        "['7', '2', '3', '4', '5/8']",
    ),
    (
        lambda: (
            Quantized(cells=16).failure_bound(8, 2, 5)
            == Quantized(cells=16).at(8).failure_bound(8, 2, 5)
        ),
        "True",
    ),
    (
        lambda: [it is own for it, own in zip(vars(MARKED.form).values(), MARKS, strict=True)],
        "[True, True, True]",
    ),
    (lambda: QuantizedClosedForm().holds(delta="1e-30", d=2, N=1, M=2), "False"),
    (lambda: ALL_KEPT.holds(delta="0.9", d=100, N=2, M=3), "True"),
    (lambda: type(read_step(cast("Fraction", 2), 1)).__name__, "Fraction"),
    # A bound above 1 says nothing, one below 1 is kept.
    (lambda: Linear(4)._on_cell(2, 1, 50, Fraction(0), Fraction(1, 2)) == 1, "True"),
    (lambda: 0.5 < Linear(4)._on_cell(2, 0, 2, Fraction(1), Fraction(1)) < 1, "True"),
    # d >= 2 is asked for; with 4 l/d = 11/25 a part 121/625 of d^2 is too little whatever N is, and
    # at N = 2 the part 11/25 just does.
    (
        lambda: [FORM.holds(delta="0.99", d=size, N=1, M=2) for size in (1, 2, 3, 4)],
        "[False, True, True, True]",
    ),
    (
        lambda: [
            FORM._at(Fraction(4, 5), 8, n, Fraction(*kept))
            for n, kept in ((1000, (1, 10)), (1000, (121, 625)), (2, (11, 25)), (3, (11, 25)))
        ],
        "[False, False, True, False]",
    ),
    (trusted, "['step in words: a, since why', 'step in words: b, since why not']"),
    (lambda: lines(broken()), "False None FAILS: f   [d = 1] ['FAILS: f   [d = 1]']"),
    (lambda: Argument().at_most("a", arb(1), arb(1)), "True"),
    (lambda: [Ranked().holds(delta="1/10", d=10, N=3, m=m) for m in (3, 2)], "[True, False]"),
    (lambda: [Ranked().largest(delta="1/10", d=10, m=m) for m in (3, 7)], "[3, 7]"),
    (lambda: Ranked().largest(delta="1/10", d=10, m=7, at_most=5), "5"),
    (lambda: Ranked().largest(delta="1/10", d=10, m=7, M=4), "4"),
    (
        lambda: violation(d, N, [{"d": 2, "N": 1}, {"d": 1, "N": 2}], names=("one", "other")),
        "{'d': '2', 'N': '1', 'one': '2', 'other': '1'}",
    ),
    (_looked_for, "None"),
    (
        lambda: lines(*built()),
        (
            "True None None ['a   [identity of rational functions]', 'b, for d >= 1  "
            " [nonnegative coefficients: d]', 'c, for d > 1   [nonnegative coefficien"
            "ts: d]', 'd   [1.00000 against 2.00000]', 'e   [why]']; False None FAILS"
            ": a   [the difference is -N + d] ['FAILS: a   [the difference is -N + d]"
            "', 'FAILS: b   [-1 at d = 1]', \"FAILS: c   [undecided: the sign of d^2 -"
            " 10*d + 25 on {'d': 1} is not decided]\", 'FAILS: d   [2.00000 against 1."
            "00000]']; False {'d': 1} None ['e   [why]']; False None None []; False N"
            "one FAILS: the step before   [fails at {'d': 1}] ['a   [identity of rati"
            "onal functions]', 'b, for d >= 1   [nonnegative coefficients: d]', 'c, f"
            "or d > 1   [nonnegative coefficients: d]', 'd   [1.00000 against 2.00000"
            "]', 'e   [why]', 'e   [why]', \"FAILS: the step before   [fails at {'d': "
            "1}]\", 'FAILS: a   [the difference is -N + d]', 'FAILS: b   [-1 at d = 1]"
            "', \"FAILS: c   [undecided: the sign of d^2 - 10*d + 25 on {'d': 1} is no"
            "t decided]\", 'FAILS: d   [2.00000 against 1.00000]']"
        ),
    ),
    (lambda: str(Line("a", False, "b", "c")), "FAILS: a, for c   [b]"),
    (lambda: str(Line("a", True, "b")), "a   [b]"),
    (lambda: shown(arb(2).sqrt()), "1.4142136"),
    (lambda: alone(), "(True, False, True)"),
    (
        lambda: [read_delta(it) for it in (0.1, "1e-9", "1/20", Fraction(1, 3))],
        ("[Fraction(1, 10), Fraction(1, 1000000000), Fraction(1, 20), Fraction(1, 3)]"),
    ),
    (lambda: read_size("d", 1), "1"),
    (lambda: read_size("d", 10**12), "1000000000000"),
    (lambda: read_size("m", 10**27), "1000000000000000000000000000"),
    (lambda: read_sizes(2, 3, None), "(2, 3, 3)"),
    (lambda: read_sizes(2, 3, 4), "(2, 3, 4)"),
    (
        lambda: [largest_where(most.__ge__) for most in (0, 1, 2, 3, 6, 8, 11)],
        "[0, 1, 2, 3, 6, 8, 11]",
    ),
    (
        lambda: [asked(most) for most in (0, 1, 2, 5, 9)],
        ("[[1], [1, 2], [1, 2, 4, 3], [1, 2, 4, 8, 6, 5], [1, 2, 4, 8, 16, 12, 10, 9]]"),
    ),
    (
        lambda: [asked(most, 3) for most in (0, 1, 2, 3, 6)],
        "[[3, 2, 1], [3, 2, 1], [3, 2], [3, 4], [3, 4, 6, 10, 8, 7]]",
    ),
    (
        lambda: [asked(most, 50) for most in (0, 40, 46, 50, 61)],
        (
            "[[50, 47, 41, 29, 5, 1], [50, 47, 41, 29, 35, 38, 39, 40], [50, 47, 41, 44, 45, 46], "
            "[50, 53, 51], [50, 53, 59, 71, 65, 62, 60, 61]]"
        ),
    ),
    (
        lambda: [chernoff_exponent(Fraction(1, 3), 7, *it) for it in ((0, 3), (1, 3), (1, 0))],
        "[Fraction(103, 96), Fraction(253, 288), Fraction(35, 36)]",
    ),
    (
        lambda: [
            _best_slope(*it)
            for it in (
                (10.0, 4.0, 3.0),
                (0.0, 1.0, 1.0),
                (5.0, 0.0, 0.5),
                (3.0, 30.0, 0.0),
                (40.0, 1.0, 2.0),
                (1000000000.0, 0.0, 0.0),
            )
        ],
        (
            "[Fraction(107, 128), Fraction(1, 1024), Fraction(487, 512), Fraction(51,"
            " 256), Fraction(499, 512), Fraction(511, 512)]"
        ),
    ),
    (
        lambda: rounded([*cell_masses(2, 3), *cell_masses(5, 4)]),
        (
            "['0.391826552', '0.2163468959', '0.391826552', '0.15625', '0.34375', '0."
            "34375', '0.15625']"
        ),
    ),
    (
        lambda: rounded(
            [
                over_cells(3, 4, lambda a, b: arb(1) / 3),
                over_cells(3, 4, lambda a, b: arb(b.numerator) / b.denominator / 2),
                over_cells(4, 8, lambda a, b: arb(a.numerator) / 16),
                over_cells(3, 4, lambda a, b: arb(2)),
            ]
        ),
        "['0.3333333333', '0.625', '0.1569047402', '1']",
    ),
    (
        lambda: rounded(
            [
                CELLS.failure_bound(*it)
                for it in ((1, 5), (40, 5), (60, 40), (80, 20, 30), (100, 100, 120), (80, 1, 1))
            ]
        ),
        ("['1', '4.095134704e-05', '0.0429164885', '3.52752937e-07', '0.009623107981', '0']"),
    ),
    (
        lambda: rounded(
            [
                fact_lost(*it, CELLS)
                for it in ((80, 20, 20), (80, 20, 25), (80, 1, 5), (90, 60, 61), (4, 3, 9))
            ]
        ),
        ("['1.763618073e-08', '1.763691379e-08', '1.178612044e-20', '9.757031832e-06', '1']"),
    ),
    (
        lambda: rounded(
            [
                Linear(8, loss=Fraction(1, 10)).failure_bound(150, 20),
                Linear(8, signal=Fraction(9, 10)).failure_bound(150, 20),
                Linear(8, noise=Fraction(1, 3)).failure_bound(90, 30),
                Linear(8, coincident=Fraction(1, 8)).failure_bound(90, 30),
                CELLS.bound(60, 1, 10),
                CELLS.bound(60, 0, 10),
            ]
        ),
        (
            "['1.982813981e-10', '1.547194637e-12', '6.896711908e-07', '1.424909651e-"
            "07', '4.664941557e-08', '1.929246617e-11']"
        ),
    ),
    (
        lambda: [FORM.largest(delta=Fraction(1, 1000), d=it) for it in (1, 2, 100, 200, 300, 500)],
        "[1, 1, 9, 262, 695, 2118]",
    ),
    (lambda: FORM.largest(delta="1e-6", d=700, M=400), "400"),
    (lambda: FORM.largest(delta="1e-6", d=700, at_most=50), "50"),
    (lambda: FORM.largest(delta="1e-6", d=700, M=10**9), "1913"),
    (
        lambda: [
            FORM.holds(delta="1e-3", d=it, N=1, M=m) for it in (1, 50, 80, 150) for m in (1, 2, 100)
        ],
        ("[True, False, False, True, False, False, True, True, False, True, True, True]"),
    ),
    (
        lambda: [
            FORM._at(Fraction(*it)) if len(it) == 1 else FORM._at(Fraction(it[0]), *it[1:])
            for it in (
                (1, 9, 2),
                (1, 10, 3),
                (1, 12, 14),
                (1, 12, 15),
                (1, 1, 1),
                (2, 40, 30),
                (2, 40, 300),
                (1, 10, 2),
            )
        ],
        "[True, True, True, True, False, True, False, True]",
    ),
    (
        lambda: [
            FORM.holds_keeping(Fraction(3, 4), Fraction(1, 1000), it, 100, 100)
            for it in range(340, 420, 8)
        ],
        "[True, True, True, True, True, True, True, True, True, True]",
    ),
    (
        lambda: [FORM._at(Fraction(1), it, 5, Fraction(1, 2)) for it in range(9, 25)],
        (
            "[False, False, False, True, True, True, True, True, True, True, True, Tr"
            "ue, True, True, True, True]"
        ),
    ),
    (lambda: LinearClosedForm(lead=Fraction(3)).largest(delta="1e-3", d=300), "1003"),
    (lambda: LinearClosedForm(noise=lambda n: Fraction(2 * n)).largest(delta="1e-3", d=300), "383"),
    (lambda: LinearClosedForm(pairs=lambda n, m: Fraction(n)).largest(delta="1e-3", d=300), "1191"),
    (
        lambda: [
            QuantizedClosedForm(step).largest(delta="1e-3", d=300)
            for step in (
                None,
                Fraction(1, 2),
                Fraction(1, 10**4),
                Fraction(1, 2400),
                Fraction(1, 2399),
            )
        ],
        "[529, 0, 656, 529, 0]",
    ),
    (
        lambda: rounded(
            [
                Quantized(step, 16).failure_bound(120, 10)
                for step in (None, Fraction(1, 50), Fraction(1, 5000))
            ]
        ),
        "['2.182354914e-13', '1', '1.25170023e-15']",
    ),
    (lambda: Quantized(Fraction(1, 9)).at(3).loss, "1/6"),
    (lambda: Quantized().cells, "512"),
    (
        lambda: [Bound(d, 2).admits(Fraction(*it)) for it in ((2,), (1,), (5, 2), (3,))],
        "[True, False, False, True]",
    ),
    (lambda: Bound(d, 2, integer=False).admits(Fraction(5, 2)), "True"),
    (lambda: Bound(d, 2, integer=False).admits(Fraction(3, 2)), "False"),
    (
        lambda: Bound.text(
            [
                Bound(N - 2, 0),
                Bound(d / 2, Fraction(1, 2)),  # type: ignore[arg-type]
                Bound(N, 1),
                Bound(d**0 * 5, 1),
                Bound(1 / d, 0),
                Bound(2 * N - 6, 0),
                Bound(d - N, 1),
            ]
        ),
        "-N + d >= 1, d >= 1, N >= 3, d/2 an integer",
    ),
    (lambda: Bound.text([]), ""),
    (
        lambda: violation(d, N, [{"d": 1, "N": 1}, {"d": 3, "N": 2}], ("l", "r")),
        "{'d': '3', 'N': '2', 'l': '3', 'r': '2'}",
    ),
    (lambda: violation(d, N, [{"d": 1, "N": 1}], ("l", "r")), "None"),
    (
        lambda: exceeds(arb(2), arb(1), {"d": 3}, ("l", "r")),
        "{'d': '3', 'l': '2.0000000', 'r': '1.0000000'}",
    ),
    (lambda: exceeds(arb(1), arb(1), {}, ("l", "r")), "None"),
]

REFUSED: Refusals = [
    ("d: 0 is out of range", lambda: Ranked().largest(delta="1/10", d=0, m=1)),
    ("is no failure probability", lambda: Ranked().largest(delta=2, d=1, m=1)),
    ("out of range; take d >= 1", lambda: read_size("d", 0)),
    ("not an integer", lambda: read_size("d", True)),
    ("d: 1000000000001 is too large; take d <= 10", lambda: read_size("d", 10**12 + 1)),
    ("is too large; take m <= 1000000000000000000000000000", lambda: read_size("m", 10**28 + 1)),
    ("m: an integer of 33220 bits is too large", lambda: read_size("m", 10**10000)),
    ("m: an integer of 33220 bits is out of range", lambda: read_size("m", -(10**10000))),
    ("no injective map", lambda: read_sizes(1, 3, 2)),
    ("no failure probability", lambda: read_delta(1)),
    ("no failure probability", lambda: read_delta(0)),
    ("'1_0e-9' is not a number", lambda: read_delta("1_0e-9")),
    ("' 1e-9' is not a number", lambda: read_delta(" 1e-9")),
    ("is not a number; write for instance 1e-9", lambda: read_delta("\u0661e-9")),
    ("out of range", lambda: Linear(0)),
    ("no spacing", lambda: Quantized(Fraction(0))),
    ("no spacing", lambda: QuantizedClosedForm(Fraction(0))),
    ("no spacing", lambda: Quantized(Fraction(-1))),
]
