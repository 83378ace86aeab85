"""Lemmas 1 and 2: what their arguments prove, where they break, and witnesses by hand."""

from fractions import Fraction
from itertools import product

import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.attention import Head, Store, Tokens, score_variance
from proofs.moments import OrthogonalSphere, Range, Sphere, dot, mean
from proofs.papers.nichani import denoising, head_scores
from proofs.papers.nichani.denoising import Separation, overlap_tail_log, separation
from proofs.papers.nichani.head_scores import Recall, Tail

d, h, A, n = (RationalFunction.symbol(name) for name in ("d", "d_h", "A", "n"))
ONE, NONE = RationalFunction.constant(1), RationalFunction.constant(0)
HALF = Fraction(1, 2)

# Lemma 1


@pytest.mark.parametrize("place", denoising.PLACES)
def test_each_place_of_the_expansion_is_looked_at(place: str) -> None:
    rest = {"inside": HALF, "eos": Fraction(0), "outside": HALF}
    rest[place] += Fraction(1, 3)
    witness = denoising.expansion(Fraction(1), rest).witness
    assert witness is not None
    assert witness["z"] == denoising.PLACES[place]
    assert witness["E (gamma_z - the sum)^2"] == Fraction(1, 9)


@pytest.mark.parametrize("s", [Fraction(0), Fraction(1, 4), Fraction(9, 10)])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_lower_bound_on_the_tail_of_an_overlap(size: int, s: Fraction) -> None:
    """P(t > s) is (1 - s)/2 at d = 3, arccos(s)/pi at d = 2 and (1 - s)^2 (2 + s)/4 at d = 5."""
    with precision():
        exact = {
            2: ball(s).acos() / ball(Fraction(1)).pi(),
            3: ball((1 - s) / 2),
            5: ball((1 - s) ** 2 * (2 + s) / 4),
        }[size]
        found = overlap_tail_log(ball(s), size).exp()
        assert found <= exact
        assert found > exact / 4


STATED = Separation(Fraction(186), Fraction(1), Fraction(1), Fraction(1, 4), HALF, eos=False)


def test_the_constant_of_the_separation_is_the_least_that_its_proof_gives() -> None:
    assert separation(STATED).holds
    less = separation(
        Separation(Fraction(185), Fraction(1), Fraction(1), Fraction(1, 4), HALF, eos=False)
    )
    assert less.witness is None
    assert not less.holds


def test_the_room_of_the_separation_is_an_eighth() -> None:
    assert STATED.room == Fraction(1, 8)


@pytest.mark.parametrize("square", [4, 6])
def test_the_deviation_rests_on_its_constant(monkeypatch: pytest.MonkeyPatch, square: int) -> None:
    assert denoising.deviation(HALF, HALF, HALF).holds
    monkeypatch.setattr(denoising, "DEVIATION_SQUARED", square)
    assert not denoising.deviation(HALF, HALF, HALF).holds


@pytest.mark.parametrize("room", [Fraction(1, 7), Fraction(0)])
def test_another_room_breaks_the_separation(
    monkeypatch: pytest.MonkeyPatch, room: Fraction
) -> None:
    monkeypatch.setattr(Separation, "room", property(lambda self: room))
    assert not separation(STATED).holds


def test_scores_of_a_crowd_exceed_eos_as_often_as_stated() -> None:
    """The witness at |V| = 1000 and d = 34, from the exact tail of an overlap by integration."""
    witness = separation(
        Separation(Fraction(4), Fraction(1), Fraction(1), Fraction(1, 4), HALF, eos=False)
    ).witness
    assert witness is not None
    assert witness["|V|"] == 1000
    size = witness["d"]
    assert isinstance(size, int)
    s, steps = 0.05**0.5, 20000
    weights = [(1 - x * x) ** ((size - 3) / 2) for x in (k / steps for k in range(steps))]
    share = sum(weights[int(s * steps) :]) / sum(weights) / 2
    assert 0.5 * (1 - (1 - share) ** 997) > 0.25


# Lemma 2: moments


def test_the_coefficients_are_those_derived_by_hand() -> None:
    """With D = d - 1, E <z, G z>^2 and E <z', G z>^2 as in the tests of proofs.attention."""
    own, rest = head_scores.coefficients()
    D = d - 1
    fourth = D * (D + 2) / (d * (d + 2))
    assert own == (d / h) ** 2 * fourth * (h * (h - 1) / D**2 + 3 * h / (D * (D + 2)))
    assert rest == (d / h) ** 2 * D / d * (h * (h - 1) / D**2 + h / D) / d


def test_the_worst_variance_is_that_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    order = A / d + n / d + n / h
    assert head_scores.variance_order(order).holds
    monkeypatch.setattr(head_scores, "VARIANCE_CONSTANT", 1)
    assert not head_scores.variance_order(order).holds


def test_every_token_behaves_like_an_answer_that_no_key_holds() -> None:
    assert head_scores.every_token().holds


def test_a_key_that_is_eos_scores_nothing() -> None:
    """The wording of the lemma lets EOS be a key; then phi(a)^T W phi(EOS) = 0."""
    tokens = Tokens(d)
    head = Head(tokens, h)
    score = dot(tokens.phi[tokens.a], head.weight @ tokens.eos)
    given = head.given(Store(2, 3, holders=1), tokens.a)[1:3]
    assert mean(score**2, given).value == 0


def test_the_last_bound_on_omega_needs_keys_that_are_no_answers() -> None:
    """a = z and a' = z': the note says (d+8)/(d^2 (d+2)^2), above (1 + 2/d)/d^3 from d = 7 on."""
    tokens = Range(2, "tokens")
    z, other = tokens.index("z"), tokens.index("z'")
    psi = Sphere("psi", d)
    eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]
    w = OrthogonalSphere("w", d, to=eos)[Range(1, "w").index("i")]
    omega = dot(psi[z], psi[other]) * dot(psi[z], w) * dot(w, psi[other])
    found = mean(omega**2, [z != other]).value
    assert found == (d + 8) / (d**2 * (d + 2) ** 2)
    excess = found - (1 + 2 / d) / d**3
    assert [excess(d=size).as_fraction() > 0 for size in (2, 6, 7, 100)] == [
        False,
        False,
        True,
        True,
    ]


def test_the_variance_of_many_keys_with_one_answer_in_the_plane() -> None:
    """The note: 1/2 + (n - 1) at d = 2, whatever d_h is."""
    found = score_variance(2, h, Store(1, n, holders=n)).value
    assert found == n - HALF


@pytest.mark.parametrize("stored", [True, False])
def test_the_order_of_the_variance_at_explicit_sizes(stored: bool) -> None:
    """Var(gamma) <= 5 (A/d + n/d + n/d_h) for heads that are listed, one fifth of it is reached."""
    worst = Fraction(0)
    symbols = [RationalFunction.symbol(name) for name in "bcg"]
    b, c, g = symbols
    s = int(stored)
    variance = score_variance(d, h, Store(b + s, s + b + c + g, c + s, stored=stored)).value
    for size, heads, answers, others in product((2, 3, 8), (1, 2, 50), (0, 1, 2), (0, 1, 6)):
        if not answers + s:
            continue
        for holders in {0, others}:
            pairs = others * (answers + s) - holders
            at = {"d": size, "d_h": heads, "b": answers, "c": holders, "g": pairs}
            most, keys = max(answers + s, 1), others + 1
            if most > size:
                continue
            order = Fraction(most + keys, size) + Fraction(keys, heads)
            worst = max(worst, variance(**at).as_fraction() / order)
    assert Fraction(1, 5) < worst <= head_scores.VARIANCE_CONSTANT


# Lemma 2: tails and the statement


@pytest.mark.parametrize(
    ("tail", "refuted"),
    [
        (Tail(Fraction(6), HALF, ONE, NONE), False),
        # Powers of the logarithm between 3 and 6 are left open.
        (Tail(Fraction(4), HALF, ONE, NONE), False),
        # The printed mean (d-1)/d is as good for a constant that is not named, yet not proved here.
        (Tail(Fraction(6), HALF, 1 - 1 / d, NONE), False),
        (Tail(Fraction(2), HALF, ONE, NONE), True),
        (Tail(Fraction(6), ONE.as_fraction(), ONE, NONE), True),
        (Tail(Fraction(6), HALF, ONE / 2, NONE), True),
        (Tail(Fraction(6), HALF, ONE, ONE / 2), True),
    ],
)
def test_a_tail_is_refuted_where_it_fails_for_every_constant(tail: Tail, refuted: bool) -> None:
    assert (head_scores.concentration_counterexample(tail) is not None) is refuted


def test_a_degree_below_six_is_refuted() -> None:
    assert head_scores.degree_counterexample(6) is None
    found = head_scores.degree_counterexample(5)
    assert found is not None
    assert found["degree"] == 6


def stated(**changed: object) -> Recall:
    whole = {"constant": Fraction(120000), "dimension": A + n, "head": n, "log": Fraction(6)}
    return Recall(**{**whole, **changed})  # type: ignore[arg-type]


def test_the_statement_needs_room_for_the_keys_in_both_dimensions() -> None:
    assert head_scores.recall(stated()).holds
    for changed in ({"dimension": A}, {"head": ONE}):
        witness = head_scores.recall(stated(**changed)).witness
        assert witness is not None
        assert witness["head"] == "all keys hold the answer a alone"


def test_a_smaller_constant_breaks_the_proof_before_it_is_refuted() -> None:
    argument = head_scores.recall(stated(constant=Fraction(118000)))
    assert argument.witness is None
    assert not argument.holds
    witness = head_scores.recall(stated(constant=Fraction(1, 40))).witness
    assert witness is not None
    assert str(witness["P(|gamma_az - 1| > 1/5)"]).startswith("0.8718")


def test_the_regrouped_coefficients() -> None:
    assert head_scores.regrouped((h + 2) / h, (d + h + 1) / (d * h)).holds
    witness = head_scores.regrouped((h + 2) / h, (d + h + 1) / ((d - 1) * h)).witness
    assert witness is not None
    assert witness["stated"] == "undefined"


def test_the_union_over_keys_and_tokens() -> None:
    v, delta = RationalFunction.symbol("v"), RationalFunction.symbol("delta")
    assert head_scores.union(delta / (v * n), Fraction(2)).holds
    witness = head_scores.union(delta / (v * n), Fraction(19, 10)).witness
    assert witness is not None
    assert witness["|V|"] == witness["|V(h)|"] == 2
