"""Plots of measured cases: what is drawn stands where the record says, whatever the record holds."""

# ruff: noqa: RUF001  (labels hold signs that look like letters)

import math
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.drawing.layout import Label, Layout
from verify.drawing.palette import Role
from verify.drawing.panel import panel_svg, strip_edges
from verify.drawing.picture import Shape
from verify.drawing.scale import Span
from verify.records import number
from verify.report.plots import cases as plots
from verify.report.plots.nearby import names, standing

RECORD: dict[str, Any] = {
    "quantity": "E[gamma]",
    "at": {"d": 5, "N": 3},
    "printed": 1.0,
    "relation": "printed",
    "interval": [0.96, 1.03],
    "replicates": 15360,
    "tolerance": 0.05,
    "error share": 6.25e-11,
    "needs": "independent replicates; every value in [-6, 6], checked",
    "path": [[1024, 0.4, 1.7], [4096, 0.9, 1.1], [15360, 0.96, 1.03]],
    "mutants": [
        ["mean 1 - 1/d", 0.8],
        ["mean 1 - 1/N", 0.667],
        ["inside: d off by one: 1 + 1 / (d + 1)", 1.15],
    ],
}
LESS: dict[str, Any] = {
    **RECORD,
    "printed": 0.5,
    "relation": "printed at most",
    "interval": [0.2, 0.45],
    "path": [[8, 0.0, 0.95], [384, 0.2, 0.45]],
    "mutants": [["no constant", 0.4]],
}
del LESS["tolerance"]


def drawn(record: dict[str, Any]) -> plots.Case:
    (case,) = plots.cases({"cases": [record]})
    return case


class Seen:
    """Where the parts of a case's panel stand: the band, the last interval, strips, and labels."""

    def __init__(self, case: plots.Case) -> None:
        assert case.panel is not None
        panel, its = case.panel, Layout(case.panel)
        self.left, self.right, self.top, self.bottom = its.left, its.right, its.top, its.bottom
        self.inner, self.gap, self.y = its.inner, its.gap, its.y
        self.x_ticks, self.y_ticks = its.x_ticks, its.y_ticks
        self.draws = panel.x.name
        (stop,) = (dots for dots in panel.dots if dots.shape is Shape.STOP)
        self.stop = (its.x(stop.x[0]), its.y(stop.high[0]), its.y(stop.low[0]))
        self.upper: list[Span] = []
        self.lower: list[Span] = []
        for band in panel.bands:
            self.upper = [(its.x(a), its.y(b)) for a, b in zip(band.x, band.high, strict=True)]
            self.lower = [(its.x(a), its.y(b)) for a, b in zip(band.x, band.low, strict=True)]
        edges = {strip.role: strip_edges(strip, its) for strip in panel.strips}
        self.tolerance, self.forbidden = edges.get(Role.ALLOWED), edges.get(Role.EXCLUDED)
        both = list(zip(case.panel.levels, its.levels, strict=True))
        self.levels = [(its.y(level.value), label) for level, label in both]
        self.mutants = [label.text for level, label in both if level.role is Role.WRONG]
        self.printed: tuple[float, Label] | None = None
        for level, label in both:
            if level.role in (Role.PRINTED, Role.REFUTED):
                assert (level.role is Role.REFUTED) == case.contradicts
                self.printed = (its.y(level.value), label)


def picture(**changes: Any) -> Seen:
    return Seen(drawn({**RECORD, **changes}))


# -- the picture ---------------------------------------------------------------------------------


def test_the_band_goes_from_look_to_look_and_ends_where_it_stopped() -> None:
    shown = picture()
    xs = [x for x, _ in shown.upper]
    assert xs == [x for x, _ in shown.lower] == sorted(xs)
    assert len(set(xs)) == 3
    assert all(
        upper < lower for (_, upper), (_, lower) in zip(shown.upper, shown.lower, strict=True)
    )
    assert shown.stop == (shown.right, shown.upper[-1][1], shown.lower[-1][1])
    assert shown.draws == "draws (log), stopped at 15,360"
    panel = drawn(RECORD).panel
    assert panel is not None
    assert panel.y.name == "𝔼[γ]"


def test_what_decides_lies_in_the_plane_and_the_early_band_is_clipped() -> None:
    shown = picture()
    assert shown.tolerance is not None
    assert shown.printed is not None
    heights = [*shown.stop[1:], *shown.tolerance, *(y for y, _ in shown.levels)]
    assert all(shown.top < y < shown.bottom for y in heights)
    assert shown.upper[0][1] < shown.top
    assert shown.lower[0][1] > shown.bottom
    # The tolerance is no thin line.
    assert shown.tolerance[1] - shown.tolerance[0] > (shown.bottom - shown.top) / 5


def test_a_supported_value_lies_in_a_band_in_its_tolerance() -> None:
    shown, case = picture(), drawn(RECORD)
    assert shown.tolerance is not None
    assert shown.printed is not None
    _, upper, lower = shown.stop
    assert shown.tolerance[0] <= upper < shown.printed[0] < lower <= shown.tolerance[1]
    assert not case.contradicts


def test_a_refuted_value_lies_outside_the_band() -> None:
    looks = {"interval": [1.02, 1.09], "path": [[1024, 0.4, 1.7], [2048, 1.02, 1.09]]}
    shown, case = picture(**looks), drawn({**RECORD, **looks})
    assert shown.printed is not None
    assert shown.printed[0] > shown.stop[2]
    assert case.contradicts
    assert case.position == "printed value below the interval"
    assert case.notes[0].startswith("The band leaves the printed value outside; after 1,024 draws")


def test_mutants_have_letters_from_above_and_far_ones_are_named_but_not_drawn() -> None:
    shown, case = picture(), drawn(RECORD)
    assert shown.mutants == ["a: 1.15", "b: 0.8"]
    assert [(w.letter, w.label, w.name) for w in case.wrong] == [
        ("a", "a: 1.15", "d off by one: 1 + 1/(d + 1)"),
        ("b", "b: 0.8", "mean 1 - 1/d"),
        ("", "0.667", "mean 1 - 1/N"),
    ]
    # The interval is 0.96 to 1.03.
    assert [w.words for w in case.wrong] == [
        ", d off by one: 1 + 1/(d + 1); excluded: 0.12 above the interval",
        ", mean 1 - 1/d; excluded: 0.16 below the interval",
        " (not drawn), mean 1 - 1/N; excluded: 0.29 below the interval",
    ]


def test_the_name_of_a_formula_is_told_only_where_two_differ_in_it() -> None:
    same, other = "1 taken for 2: 2 * q / d**2", "1 taken for 0: 0"
    found = names([f"inside: {same}", f"outside: {same}", f"inside: {other}", "one: two", "none"])
    assert found == [
        "inside: 1 taken for 2: 2·q/d²",
        "outside: 1 taken for 2: 2·q/d²",
        "1 taken for 0: 0",
        "one: two",
        "none",
    ]


@pytest.mark.parametrize(
    ("value", "excluded", "words"),
    [
        (1.0, True, "excluded: 0.5 above the interval"),
        (-0.51, True, "excluded: 0.01 below the interval"),
        (1234.0, True, "excluded: 1200 above the interval"),
        (0.2, False, "not excluded here"),
    ],
)
def test_how_far_off_a_wrong_statement_is(value: float, excluded: bool, words: str) -> None:
    assert standing(value, -0.5, 0.5, excluded=excluded) == words


@pytest.mark.parametrize(
    ("quantity", "name"),
    [
        ("E[gamma^2], y in the image, k = 0", "𝔼[γ²]"),
        ("E[<u_f(x), u_y> (a, b)], y", "𝔼[⟨u_f(x), u_y⟩ (a, b)]"),
        ("P(gamma <= 0)", "P(γ ≤ 0)"),
        ("E omega^2 - E[gamma]^2, a", "𝔼 ω² - 𝔼[γ]²"),
        (
            "the first sum less the sum without the factor of all answers",
            "the first sum less the sum without the factor…",
        ),
    ],
)
def test_an_axis_has_the_quantity_without_its_cases(quantity: str, name: str) -> None:
    panel = drawn({**RECORD, "quantity": quantity}).panel
    assert panel is not None
    assert panel.y.name == name


def test_the_key_tells_what_is_seen() -> None:
    case = drawn(RECORD)
    assert case.caption == "Measured 0.96 to 1.03 from 15,360 draws; printed 1, tolerance 0.05."
    assert case.notes == (
        "The band lies inside the tolerance; after 1,024 draws it was 0.4 to 1.7.",
        "Rests on independent replicates; every value in [-6, 6], checked.",
    )
    assert case.error == "6.3e-11"


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (6.21e-11, "6.3e-11"),
        (6.2e-11, "6.2e-11"),
        (0.00991, "0.01"),
        (0.5, "0.5"),
        (0.0, ""),
        (1.0, ""),
    ],
)
def test_the_probability_of_a_miss_is_rounded_up(share: float, words: str) -> None:
    assert drawn({**RECORD, "error share": share}).error == words


@pytest.mark.parametrize(
    ("interval", "printed", "words"),
    [
        # To a tenth of the half-width, and never smaller than it is.
        ([2.64785, 2.93383], 2.75, "Measured 2.64 to 2.94"),
        ([-0.0104, 0.0126], 0.0, "Measured -0.011 to 0.013"),
        # With more decimals where the printed value would else seem to be inside.
        ([1.0000004, 1.5], 1.0, "Measured 1.0000004 to 1.5"),
        ([0.5, 0.999996], 1.0, "Measured 0.5 to 0.999996"),
        ([1e9, 2e9], 1.0, "Measured 1e+09 to 2e+09"),
        ([0.25, 0.25], 0.25, "Measured 0.25 to 0.25"),
        ([120.4, 3456.0], 7.0, "Measured 120 to 3456"),
    ],
)
def test_an_interval_has_the_digits_that_matter(
    interval: list[float], printed: float, words: str
) -> None:
    case = drawn({"interval": interval, "printed": printed})
    assert case.caption.startswith(f"{words};")


@given(st.lists(st.floats(-1e4, 1e4), min_size=2, max_size=2).map(sorted), st.floats(-1e4, 1e4))
def test_shown_numbers_stand_to_each_other_as_the_numbers_do(
    interval: list[float], printed: float
) -> None:
    words = drawn({"interval": interval, "printed": printed}).caption.removesuffix(".")
    low, high, value = re.split(" to |; printed ", words.removeprefix("Measured "))
    if "e" not in f"{low}{high}{value}":
        # What cannot be told apart with eight decimals has six digits, rounded to the nearest.
        assert float(low) <= interval[0] + 1e-5 * abs(interval[0])
        assert float(high) >= interval[1] - 1e-5 * abs(interval[1])
    if interval[1] - interval[0] > 1e-3 and min(abs(printed - end) for end in interval) > 1e-5:
        assert (float(low) <= float(value)) == (interval[0] <= printed)
        assert (float(value) <= float(high)) == (printed <= interval[1])


def test_a_mutant_in_the_band_is_said_not_to_be_excluded() -> None:
    wrong = drawn({**RECORD, "mutants": [["near", 1.02], ["far", 0.9]]}).wrong
    assert [(w.name, w.standing) for w in wrong] == [
        ("near", "not excluded here"),
        ("far", "excluded: 0.06 below the interval"),
    ]


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ([0.96, 1.03], "lies inside the tolerance"),
        ([0.90, 1.03], "still reaches beyond the tolerance"),
        ([1.01, 1.03], "leaves the printed value outside"),
    ],
)
def test_a_single_look_is_a_bar_in_the_middle(interval: list[float], words: str) -> None:
    path = [[1024, *interval]]
    shown, case = (
        picture(interval=interval, path=path),
        drawn({**RECORD, "interval": interval, "path": path}),
    )
    assert shown.left < shown.stop[0] < shown.right
    assert [tick.label for tick in shown.x_ticks] == ["1,024"]
    assert case.notes[0] == f"At its only look, after 1,024 draws, the band {words}."
    assert shown.draws == "draws, a single look"


def test_a_bound_rules_out_one_side() -> None:
    shown = Seen(drawn(LESS))
    assert shown.printed is not None
    assert shown.tolerance is None
    assert shown.forbidden == (shown.top, shown.printed[0])
    assert shown.printed[1].text == "at most 0.5"
    assert shown.printed[0] < shown.stop[1]
    assert drawn(LESS).notes[0].startswith("The band is clear of the bound; after 8 draws it")
    assert [(w.label, w.standing) for w in drawn(LESS).wrong] == [("a: 0.4", "not excluded here")]
    least = {**LESS, "relation": "at least", "printed": 0.1}
    below = Seen(drawn(least))
    assert below.printed is not None
    assert below.forbidden == (below.printed[0], below.bottom)


@pytest.mark.parametrize(
    ("relation", "printed", "contradicts", "words"),
    [
        ("printed at most", 0.5, False, "clear of the bound"),
        ("printed at most", 0.3, False, "not clear of the bound"),
        ("printed at most", 0.1, True, "wholly above the bound, which it refutes"),
        ("at least", 0.1, False, "clear of the bound"),
        ("at least", 0.3, False, "not clear of the bound"),
        ("at least", 0.5, True, "wholly below the bound, which it refutes"),
    ],
)
def test_a_bound_is_contradicted_on_its_own_side_only(
    relation: str, printed: float, contradicts: bool, words: str
) -> None:
    case = drawn({**LESS, "relation": relation, "printed": printed})
    assert case.contradicts == contradicts
    assert case.position == f"interval {words}"
    assert f"the band is {words}" in case.notes[0].lower()
    word = "at most" if relation == "printed at most" else "at least"
    assert case.caption == f"Measured 0.2 to 0.45 from 15,360 draws; {word} {printed}."


FAR: dict[str, Any] = {
    **LESS,
    "printed": 40.0,
    "mutants": [["no constant", 0.15], ["squared", 1600.0], ["half", 20.0]],
}


def test_the_axis_is_broken_before_a_bound_that_is_far() -> None:
    shown = Seen(drawn(FAR))
    assert drawn(FAR).broken
    assert shown.printed is not None
    assert shown.gap is not None
    # The interval fills a third of the plane at least; bound and hatching lie behind the break.
    assert shown.stop[2] - shown.stop[1] > (shown.bottom - shown.top) / 3
    assert shown.top < shown.printed[0] < shown.gap[0] < shown.gap[1] <= shown.inner[0]
    assert shown.forbidden == (shown.top, shown.printed[0])
    assert shown.mutants == ["a: 0.15"]
    assert shown.printed[1].text == "at most 40"
    for tick in shown.y_ticks:
        assert shown.inner[0] <= tick.at <= shown.inner[1]


def test_a_lower_bound_that_is_far_is_behind_a_break_below() -> None:
    shown = Seen(drawn({**FAR, "relation": "at least", "printed": -40.0, "mutants": []}))
    assert shown.printed is not None
    assert shown.gap is not None
    assert shown.inner[1] <= shown.gap[0] < shown.gap[1] < shown.printed[0] < shown.bottom
    assert shown.forbidden == (shown.printed[0], shown.bottom)


@pytest.mark.parametrize(
    "changes",
    [
        {"printed": 1.9},
        {"relation": "printed", "tolerance": 1.0},
        {"relation": "at least"},
        {"interval": [0.3, 0.3], "path": [[8, 0.3, 0.3]]},
    ],
    ids=["near", "a value", "contradicted", "a point"],
)
def test_any_other_axis_is_whole(changes: dict[str, Any]) -> None:
    shown = Seen(drawn({**FAR, **changes}))
    assert shown.gap is None
    assert shown.inner == (shown.top, shown.bottom)


@pytest.mark.parametrize(
    ("id_", "word"),
    [
        ("a.thm1.mean", "printed"),
        ("a.thm1.mean.corrected", "stated"),
        ("a.thm1.explicit.mean", "stated"),
        ("", "printed"),
    ],
)
def test_what_no_paper_prints_is_stated(id_: str, word: str) -> None:
    outside = {**RECORD, "interval": [1.02, 1.09], "path": [[2048, 1.02, 1.09]]}
    pictured, barred = plots.cases({"cases": [outside, {**outside, "path": None}]}, id_)
    assert pictured.stated == word
    assert f"; {word} 1, tolerance" in pictured.caption
    assert pictured.position == f"{word} value below the interval"
    assert f"leaves the {word} value outside" in pictured.notes[0]
    shown = Seen(pictured)
    assert shown.printed is not None
    assert shown.printed[1].text == f"{word} 1"
    assert barred.notes == (f"Bar: measured; line: {word}; within dashes: the tolerance.",)


@pytest.mark.parametrize(
    ("looks", "labels"),
    [
        ([1024, 33792], ["1k", "2k", "5k", "10k", "20k"]),
        ([1024, 262144], ["1k", "10k", "100k"]),
        ([8, 384], ["10", "20", "50", "100", "200"]),
        ([8, 16], ["8", "10", "12", "15"]),
        ([1024, 10**15], ["10k", "1M", "100M", "10G", "1T", "100T"]),
    ],
)
def test_draws_are_counted_in_round_numbers(looks: list[int], labels: list[str]) -> None:
    shown = picture(path=[[looks[0], 0.4, 1.7], [looks[1], 0.96, 1.03]])
    assert [tick.label for tick in shown.x_ticks] == labels
    assert all(shown.left <= tick.at <= shown.right for tick in shown.x_ticks)


finite = st.floats(-1e6, 1e6)


@given(
    printed=finite,
    tolerance=st.floats(1e-9, 1e3),
    offset=st.floats(-2, 2),
    half=st.floats(0, 2),
    mutants=st.lists(st.floats(-6, 6), max_size=8),
)
def test_labels_keep_apart_in_the_order_of_their_lines(
    printed: float, tolerance: float, offset: float, half: float, mutants: list[float]
) -> None:
    middle, width = printed + offset * tolerance, half * tolerance
    interval = [middle - width, middle + width]
    shown = picture(
        printed=printed,
        tolerance=tolerance,
        interval=interval,
        path=[[10, middle - 9 * width, middle + 9 * width], [1000, *interval]],
        mutants=[[str(i), printed + at * tolerance] for i, at in enumerate(mutants)],
    )
    assert shown.printed is not None
    levels = sorted((label.y, y) for y, label in shown.levels)
    assert all(shown.top <= y <= shown.bottom for _, y in levels)
    assert all(shown.top <= label_y <= shown.bottom for label_y, _ in levels)
    for (one_y, one), (other_y, other) in pairwise(levels):
        assert one <= other
        assert other_y - one_y >= 12.8
    _, upper, lower = shown.stop
    if (
        drawn({"interval": interval, "printed": printed}).position
        == "printed value inside the interval"
    ):
        assert upper <= shown.printed[0] <= lower
    else:
        assert not upper < shown.printed[0] < lower


# -- whatever a record holds ---------------------------------------------------------------------

odd = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.sampled_from(["inf", "-inf", "nan", "0.5", "<b>", "", 5e-324, 1e308, -1e308, 1e-310]),
)
anything = st.recursive(odd, lambda inner: st.lists(inner, max_size=4), max_leaves=12)
rows = st.lists(st.one_of(st.lists(odd, min_size=2, max_size=3), odd), max_size=6)
records = st.fixed_dictionaries(
    {},
    optional={
        "quantity": anything,
        "at": anything,
        "printed": odd,
        "relation": st.one_of(st.sampled_from(["printed", "printed at most", "at least"]), odd),
        "interval": st.one_of(st.lists(odd, min_size=2, max_size=2), anything),
        "replicates": odd,
        "tolerance": odd,
        "error share": odd,
        "needs": anything,
        "path": st.one_of(rows, anything),
        "mutants": st.one_of(rows, anything),
    },
)


def numbers(found: object) -> Iterator[float]:
    """All numbers in what is drawn."""
    if is_dataclass(found):
        for field in fields(found):
            yield from numbers(getattr(found, field.name))
    elif isinstance(found, (tuple, list)):
        for item in found:
            yield from numbers(item)
    elif isinstance(found, float):
        yield found


@given(records, st.booleans())
def test_no_record_breaks_the_page(record: dict[str, Any], joined: bool) -> None:
    interval = record.get("interval")
    if joined and isinstance(interval, list):
        record = {**record, "path": [[8, -1, 1], [1024, *interval]]}
    case = drawn(record)
    assert case.caption.startswith("Measured ")
    assert all(math.isfinite(number) for number in numbers(case))
    if case.panel is not None:
        places = re.findall(r' (?:d|points|[xy]|width|height)="([^"]*)"', panel_svg(case.panel))
        assert places
        assert "nan" not in "".join(places)
        assert all(abs(float(n)) < 5000 for n in re.findall(r"-?\d[\d.]*", " ".join(places)))


@given(st.lists(st.floats(-1e200, 1e200), min_size=2, max_size=2).map(sorted), odd, odd)
def test_any_interval_at_the_end_of_its_path_is_a_picture(
    interval: list[float], printed: object, tolerance: object
) -> None:
    record = {"printed": printed, "tolerance": tolerance, "path": [[8, *interval]]}
    case = drawn({**record, "interval": interval})
    if case.panel is not None:
        shown = Seen(case)
        assert shown.top <= shown.stop[1] <= shown.stop[2] <= shown.bottom
    else:
        assert max(abs(number(value) or 0.0) for value in (printed, tolerance)) > 1e200


@pytest.mark.parametrize(
    "path",
    [
        None,
        "1024",
        [],
        [[1024, 0.96]],
        [[0, 0.96, 1.03]],
        [["many", 0.96, 1.03]],
        [[1024, 0.9, 1.1]],
        [[1024, 1.03, 0.96]],
    ],
)
def test_without_a_path_to_the_interval_there_is_a_bar(path: object) -> None:
    case = drawn({**RECORD, "path": path})
    shown = Seen(case)
    assert case.looks == 0
    assert shown.upper == []
    assert shown.left < shown.stop[0] < shown.right
    assert (shown.draws, shown.x_ticks) == ("", [])
    assert case.notes == ("Bar: measured; line: printed; within dashes: the tolerance.",)


def test_looks_that_are_no_numbers_are_left_out() -> None:
    looks: list[Any] = [[8, "-inf", "inf"], [1024, 0.4, 1.7], "odd", [512, 0, 2]]
    shown = picture(path=[*looks, [15360, 0.96, 1.03]])
    assert len(shown.upper) == 2


def test_a_value_that_is_not_defined_is_a_band_alone() -> None:
    case = drawn({**RECORD, "printed": "inf", "tolerance": 0})
    shown = Seen(case)
    assert shown.printed is None
    assert shown.mutants == []
    assert case.notes[0].startswith("The band has nothing to be compared with;")
    assert "printed inf" in case.caption


def test_more_mutants_than_have_room_are_told() -> None:
    mutants = [[f"m{i}", 1.1 + i / 1000] for i in range(40)]
    shown, told = picture(mutants=mutants), drawn({**RECORD, "mutants": mutants}).wrong
    assert [w.name for w in told] == [f"m{i}" for i in (5, 4, 3, 2, 1, 0, *range(6, 40))]
    assert [label[:2] for label in shown.mutants] == ["a:", "b:", "c:", "d:", "e:", "f:"]


# -- the bar -------------------------------------------------------------------------------------


@given(
    low=finite,
    width=st.floats(0, 1e6),
    printed=finite,
    tolerance=st.floats(0, 1e3),
)
def test_whatever_is_measured_lies_on_the_axis_in_order(
    low: float, width: float, printed: float, tolerance: float
) -> None:
    case = drawn({"interval": [low, low + width], "printed": printed, "tolerance": tolerance})
    bar = Seen(case)
    assert bar.tolerance is not None
    assert bar.printed is not None
    spots = [*bar.stop[1:], *bar.tolerance, bar.printed[0], *(t.at for t in bar.y_ticks)]
    assert all(bar.top <= spot <= bar.bottom for spot in spots)
    assert bar.stop[1] <= bar.stop[2]
    assert bar.tolerance[0] <= bar.printed[0] <= bar.tolerance[1]
    assert (case.position == "printed value inside the interval") == (low <= printed <= low + width)
    assert case.contradicts == (case.position != "printed value inside the interval")


def test_ticks_are_round_and_told_apart() -> None:
    bar = Seen(drawn({"interval": [0.975, 1.02], "printed": 1.0, "tolerance": 0.05}))
    assert [tick.label for tick in bar.y_ticks] == ["0.950", "0.975", "1.000", "1.025", "1.050"]


def test_a_value_beside_an_interval_is_no_contradiction_without_a_tolerance() -> None:
    bound = {"interval": [0.1, 0.2], "printed": 0.5}
    beside, contradicted = plots.cases({"cases": [bound, {**bound, "tolerance": 0.1}]})
    assert beside.notes == ("Bar: measured; line: printed.",)
    assert beside.position == contradicted.position == "printed value above the interval"
    assert (beside.contradicts, contradicted.contradicts) == (False, True)


@pytest.mark.parametrize("detail", [{}, {"cases": ()}, {"cases": ["odd"]}, {"cases": 7}])
def test_without_cases_nothing_is_drawn(detail: dict[str, Any]) -> None:
    assert plots.cases(detail) == []


@pytest.mark.parametrize(
    "interval",
    [[], [1.0], "ab", None, [float("inf"), 2.0], ["x", "y"], [2.0, 1.0], [-1e308, 1e308]],
)
def test_a_case_without_two_ends_in_order_is_told_but_not_drawn(interval: object) -> None:
    case = drawn({"interval": interval, "printed": 1, "path": [[8, 1.0, 2.0]]})
    assert case.panel is None
    assert case.position == ""
    assert "printed 1" in case.caption


def test_a_printed_range_contradicts_only_where_no_part_of_it_is_in_the_interval() -> None:
    record = {
        "relation": "printed",
        "printed": 1.0,
        "tolerance": 0.5,
        "interval": [1.1, 1.3],
        "path": [[1024, 1.1, 1.3]],
    }
    point, overlapping, apart = plots.cases(
        {"cases": [record, {**record, "stated": [0.8, 1.2]}, {**record, "stated": [0.95, 1.05]}]}
    )
    assert [case.contradicts for case in (point, overlapping, apart)] == [True, False, True]
    assert [case.position for case in (point, overlapping, apart)] == [
        "printed value below the interval",
        "printed value inside the interval",
        "printed value below the interval",
    ]


def test_the_bound_that_decided_is_drawn_just_outside_the_last_interval() -> None:
    record = {
        "relation": "printed at most",
        "printed": 3.0,
        "interval": [2.02, 2.7],
        "path": [[256, -1.0, 9.0], [6912, 2.02, 2.7]],
        "mutants": [["too small", 2.0], ["far too small", 1.0]],
    }
    (case,) = plots.cases({"cases": [record]})
    assert Seen(case).mutants == ["a: 2"]
    assert [(w.letter, w.name) for w in case.wrong] == [("a", "too small"), ("", "far too small")]
