"""Citations: no random instance breaks one, and the same trials break what is not quite the theorem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from flint import arb

import proofs.citations
from proofs.algebra.balls import ball
from proofs.citations import (
    BECKNER,
    BECKNER_PRODUCTS,
    BETA_GAMMA,
    BETA_PROXY,
    BOGACHEV,
    BONAMI,
    BOOLE,
    CAUCHY_SCHWARZ,
    CHI_SQUARED_MGF,
    CITATIONS,
    COORDINATE_LAW,
    COVER,
    GAUSSIAN_MGF,
    GAUSSIAN_ROTATION,
    GIBBS,
    HOELDER,
    JENSEN,
    LARGE_NUMBERS,
    MARKOV,
    NELSON,
    POPOVICIU,
    SINGULAR_VALUES,
    SPHERE_ROTATION,
    WARREN,
    Citation,
    Trial,
)
from proofs.citations.counting import cuts
from proofs.citations.draws import inner, law, orthogonal
from proofs.citations.polynomials import drawn, mean_by_divergence, sphere_mean
from proofs.citations.vectors import beta_moment

#: How many instances a citation is tried on, and a wrong one at most.
INSTANCES, ENOUGH = 40, 150


def times(factor: Fraction) -> Callable[[Trial], Trial]:
    """The right side times a factor."""
    return lambda trial: replace(trial, right=lambda case: trial.right(case) * factor)


def drawing(draw: Callable[[Random], object]) -> Callable[[Trial], Trial]:
    """Instances that do not meet a hypothesis."""
    return lambda trial: replace(trial, draw=draw)


def bounded(right: Callable[..., object]) -> Callable[[Trial], Trial]:
    return lambda trial: replace(trial, right=right)


def turned(trial: Trial) -> Trial:
    """The inequality the other way round."""
    return replace(trial, left=trial.right, right=trial.left)


def stretched(trial: Trial) -> Trial:
    """A matrix that is not orthogonal: one of its rows is longer."""

    def draw(random: Random) -> object:
        case = trial.draw(random)
        first, *rest = case.rows
        return replace(case, rows=(tuple(2 * entry for entry in first), *rest))

    return replace(trial, draw=draw)


def concave(trial: Trial) -> Trial:
    return replace(
        trial, left=lambda case: -trial.left(case), right=lambda case: -trial.right(case)
    )


def faster(trial: Trial) -> Trial:
    """A rate r with (q - 1) r^2 = 6/5."""
    return replace(trial, left=lambda case: case.smoothed(Fraction(6, 5)))


def together(trial: Trial) -> Trial:
    """Exponents whose inverses add up to 3/2, of one variable twice."""

    def draw(random: Random) -> object:
        case = trial.draw(random)
        exponents = ((4, 3), (4, 3))
        return replace(case, factors=(case.factors[0],) * 2, exponents=exponents)

    return replace(trial, draw=draw)


def smaller(trial: Trial) -> Trial:
    return times(Fraction(9, 10))(trial)


def beta(a: Callable[..., Fraction], b: Callable[..., Fraction]) -> Callable[[Trial], Trial]:
    """Another Beta law of the squared length."""

    def right(case):
        order = case.power + sum(case.form) // 2
        direction = mean_by_divergence({case.form: Fraction(1)}, case.part)
        return direction * beta_moment(a(case), b(case), order)

    return bounded(right)


def shares_swapped(case) -> Fraction:
    return replace(case, first=case.second, second=case.first).of_parts()


def scaled(trial: Trial) -> Trial:
    """X and 2 Y in place of X and Y: E (X/(X+2Y)) (X+2Y)^2 = E X^2 + 2 E X Y is no product of means."""

    def left(case) -> Fraction:
        return case.first * (case.first + 1) + 2 * case.first * case.second

    def right(case) -> Fraction:
        share = beta_moment(case.first, case.second, 1)
        square = case.first * (case.first + 1) + 4 * case.first * case.second
        return share * (square + 4 * case.second * (case.second + 1))

    return replace(trial, left=left, right=right)


#: Of each trial versions of the theorem that are false: a constant too small, a hypothesis dropped, the
#: inequality turned.
WRONG: dict[tuple[Citation, int], dict[str, Callable[[Trial], Trial]]] = {
    (MARKOV, 0): {
        "9/10 of the bound": smaller,
        "X may be negative": drawing(lambda draw: (law(draw, -6, 6), Fraction(1))),
    },
    (BOOLE, 0): {"9/10 of the bound": smaller, "turned": turned},
    (JENSEN, 0): {"concave functions": concave, "turned": turned},
    (HOELDER, 0): {"9/10 of the bound": smaller, "1/p + 1/q = 3/2": together},
    (CAUCHY_SCHWARZ, 0): {"9/10 of the bound": smaller, "turned": turned},
    (POPOVICIU, 0): {"(max - min)^2 9/40": smaller},
    (GAUSSIAN_MGF, 0): {
        "exp(|z|^2/3)": bounded(lambda z: (ball(inner(z, z)) / 3).exp()),
    },
    (CHI_SQUARED_MGF, 0): {
        "one degree of freedom more": bounded(
            lambda case: 1 / ball(1 - 2 * case[0]).sqrt() ** (case[1] + 1)
        ),
    },
    (GAUSSIAN_ROTATION, 0): {"no orthogonal matrix": stretched},
    (SPHERE_ROTATION, 0): {"no orthogonal matrix": stretched},
    (COORDINATE_LAW, 0): {
        "Beta(h/2, d/2)": beta(
            lambda case: Fraction(case.part, 2), lambda case: Fraction(case.dimension, 2)
        ),
        "Beta(h/2, (d-h+1)/2)": beta(
            lambda case: Fraction(case.part, 2),
            lambda case: Fraction(case.dimension - case.part + 1, 2),
        ),
    },
    (BETA_GAMMA, 0): {"Beta(b, a)": bounded(shares_swapped), "Y of another scale": scaled},
    (BETA_PROXY, 0): {
        "9 for 8": bounded(lambda case: ball(case.t**2 / (9 * (case.a + case.b + 1))).exp()),
        "a + b + 2 for a + b + 1": bounded(
            lambda case: ball(case.t**2 / (8 * (case.a + case.b + 2))).exp()
        ),
    },
    (SINGULAR_VALUES, 0): {"exp(-3 t^2)": bounded(lambda case: (-ball(3 * case.t**2)).exp())},
    (SINGULAR_VALUES, 1): {"exp(-3 t^2)": bounded(lambda case: (-ball(3 * case.t**2)).exp())},
    (NELSON, 0): {"a larger rate": faster, "turned": turned},
    (BONAMI, 0): {"a larger rate": faster, "turned": turned},
    (BECKNER_PRODUCTS, 0): {"a larger rate": faster, "turned": turned},
    (BECKNER, 0): {"a larger rate": faster, "turned": turned},
    (WARREN, 0): {
        "2 for 8 e": bounded(lambda case: 2 * case.degree * len(case.rows)),
        "turned": turned,
    },
    (WARREN, 1): {
        "(2 D n/P)^P": bounded(lambda case: Fraction(2 * len(case.rows), 2) ** 2),
    },
    (COVER, 0): {"one way less": bounded(lambda case: cuts(case) - 1)},
    (COVER, 1): {
        "in general position or not": lambda trial: replace(trial, relation="="),
        "one way less": lambda trial: replace(trial, right=lambda case: trial.right(case) - 1),
    },
    (GIBBS, 0): {"turned": turned},
    (GIBBS, 1): {"turned": turned},
}


@pytest.mark.parametrize("citation", CITATIONS.values(), ids=CITATIONS)
def test_no_instance_breaks_a_citation_and_all_are_decided(citation):
    found = citation.tried(INSTANCES)
    assert found.broken is None
    assert found.instances == INSTANCES * len(citation.trials)
    assert found.undecided == 0


@pytest.mark.parametrize(
    ("citation", "number", "said"),
    [(citation, number, said) for (citation, number), wrong in WRONG.items() for said in wrong],
    ids=str,
)
def test_the_same_trial_breaks_what_is_not_the_theorem(citation, number, said):
    wrong = WRONG[citation, number][said](citation.trials[number])
    assert wrong.run(ENOUGH).broken is not None


def test_every_trial_has_something_that_it_must_break():
    trials = {
        (citation, number)
        for citation in CITATIONS.values()
        for number in range(len(citation.trials))
    }
    assert trials == WRONG.keys()


def test_a_citation_without_trials_says_why():
    untried = {citation for citation in CITATIONS.values() if not citation.trials}
    assert untried == {LARGE_NUMBERS, BOGACHEV}
    assert all("limit" in citation.untried for citation in untried)


def test_there_are_at_most_25_and_each_stands_in_the_one_list():
    public = [it for it in vars(proofs.citations).values() if isinstance(it, Citation)]
    assert sorted(map(str, public)) == sorted(CITATIONS)
    assert len(public) <= 25


# -- what a citation and a trial are ---------------------------------------------------------------


def made(**changed: object) -> Citation:
    said = {"name": "n", "statement": "s", "hypotheses": ("h",), "source": "b", "untried": "why"}
    return Citation(**(said | changed))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"untried": ""}, "either trials, or why"),
        ({"trials": MARKOV.trials}, "either trials, or why"),
        ({"hypotheses": ()}, "the hypotheses and the source"),
        ({"source": ""}, "the hypotheses and the source"),
    ],
)
def test_a_citation_that_lacks_something_is_refused(changed, words):
    with pytest.raises(ValueError, match=words):
        made(**changed)


def test_a_trial_has_one_of_two_relations():
    with pytest.raises(ValueError, match="neither <= nor ="):
        replace(MARKOV.trials[0], relation="<")


def constant(left: object, right: object, relation: str = "<=") -> Trial:
    return Trial("one", lambda draw: 0, lambda case: left, lambda case: right, relation)


@pytest.mark.parametrize(
    ("trial", "undecided", "broken"),
    [
        (constant(1, Fraction(3, 2)), 0, False),
        (constant(2, Fraction(3, 2)), 0, True),
        (constant(1, arb(2)), 0, False),
        (constant(3, arb(2)), 0, True),
        (constant(arb(2, 1), arb(2, 1)), 1, False),
        (constant(arb(2), arb(2), "="), 0, False),
        (constant(arb(2), arb(3), "="), 0, True),
        (constant(arb(2, 1), arb(2, 1), "="), 1, False),
    ],
)
def test_balls_decide_only_where_all_of_them_agree(trial, undecided, broken):
    found = trial.run(1)
    assert (found.undecided, found.broken is not None) == (undecided, broken)


def test_instances_are_those_of_the_seed():
    seen = []
    trial = Trial("one", lambda draw: seen.append(draw.random()), lambda case: 0, lambda case: 0)
    for seed in (0, 0, 1):
        trial.run(3, seed)
    assert seen[:3] == seen[3:6] != seen[6:]
    assert len(set(seen[:3])) == 3


# -- what trials compute with ----------------------------------------------------------------------


def test_means_over_the_sphere_agree_in_both_ways():
    for seed in range(40):
        draw = Random(seed)
        dimension = draw.randint(1, 4)
        polynomial = drawn(draw, dimension, 6)
        assert sphere_mean(polynomial, dimension) == mean_by_divergence(polynomial, dimension)


def test_matrices_are_orthogonal():
    for seed in range(20):
        rows = orthogonal(Random(seed), 3)
        assert all(inner(a, b) == (i == j) for i, a in enumerate(rows) for j, b in enumerate(rows))


@pytest.mark.parametrize(
    ("vectors", "ways"),
    [
        (((1,),), 2),
        (((1,), (2,)), 2),
        (((1, 0), (0, 1)), 4),
        (((1, 0), (0, 1), (1, 1)), 6),
        (((1, 0), (2, 0), (1, 1)), 4),
        (((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)), 14),
    ],
)
def test_cuts_are_counted_as_by_hand(vectors, ways):
    assert cuts(vectors) == ways
