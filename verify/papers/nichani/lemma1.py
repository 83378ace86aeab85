"""Checks of Lemma 1 of Nichani et al. (App. C) and its proof: the key vector of a head."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from proofs.concentration import overlap_moment
from proofs.papers.nichani import denoising
from verify.checks.argument import conclude
from verify.checks.computed import Comparison, compared, rounding
from verify.checks.identity import identity
from verify.checks.parameters import made_of
from verify.checks.section import Section, corrected
from verify.claim import Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.papers.nichani.head_memory import experiment, key_quantity
from verify.statistics import AtMost

section = Section()

_SPHERES = "sphere embeddings"
_GROUP = "head keys"

section.pattern(
    identity,
    "nichani.lem1.mean",
    {place: [key_quantity(place)] for place in denoising.PLACES},
    group=_GROUP,
)


# -- the expansion --------------------------------------------------------------------------------

#: Sizes and draws at which both sides are computed.
_SIZES, _DRAWS = ((1, 1), (3, 2), (2, 3)), 64


def _rest(printed: Printed) -> dict[str, Fraction]:
    return {place: printed[f"rest_{place}"].number() for place in denoising.PLACES}


@section.both(
    corrected("nichani.lem1.expansion"),
    lambda printed: denoising.expansion(printed["weight"].number(), _rest(printed)),
    method="mean square of the difference",
    scope=f"all d, n >= 1; {_SPHERES}",
    summary="the difference is 0 in mean square",
    measured="drawn key vectors",
    looked=f"{_DRAWS} draws at (d, n) = (1, 1), (3, 2), (2, 3)",
    judge=compared,
)
def _expansion_computed(printed: Printed, context: Context) -> Iterator[Comparison]:
    """Scores of a drawn v by definition, against the printed sums."""
    from numerics.papers.nichani.head_observables import key_scores

    weight, rest = printed["weight"].real(), _rest(printed)
    for d, n in _SIZES:
        drawn = key_scores(d, n, _DRAWS, seed=context.seed)
        columns = {"inside": slice(0, n), "eos": slice(n, n + 1), "outside": slice(n + 1, n + 2)}
        centres = {"inside": 1.0, "eos": 0.5, "outside": 0.0}
        for place, where in columns.items():
            # <phi(EOS), phi(z)> is one where z is EOS itself.
            stated = weight * drawn.sums[:, where] + float(rest[place]) * drawn.eos[:, where]
            worst = float((drawn.scores[:, where] - centres[place] - stated).abs().max())
            words = denoising.PLACES[place]
            step = f"d = {d}, n = {n}, {words}: gamma_z less the sum up to {worst:.3g}"
            yield Comparison(step, worst, 0.0, 0.0, slack=rounding(absolute=1e-9))


# -- overlaps -------------------------------------------------------------------------------------


section.argued(
    "nichani.lem1.subgaussian",
    denoising.subgaussian_overlaps,
    method="coefficients of the power series",
    scope=f"all d >= 1 and real lambda; {_SPHERES}",
    summary="term by term; independent by rotation",
)


#: Observables and dimensions; the interval must exclude bounds below this part of the exact value.
_EXPONENTIALS, _TIGHT = (("single 1", 2), ("pair 1", 2), ("single 1", 3), ("pair 1", 3)), 0.993


@section.measured("nichani.lem1.subgaussian", method="interval", group=_GROUP)
def subgaussian_measured(printed: Printed) -> Iterator[Case]:
    for name, d in _EXPONENTIALS:
        overlaps = 2 if name.startswith("pair") else 1
        proxy = printed["proxy"].real(d=d)
        one = sum(
            float(overlap_moment(p)(d=d).as_fraction()) / math.factorial(2 * p) for p in range(12)
        )
        exact = one**overlaps
        what = "t" if overlaps == 1 else "(t + t')"
        yield Case.of(
            f"E exp {what}, overlaps with one token",
            experiment("exponentials", "overlap_exponentials"),
            name,
            {"d": d},
            AtMost(math.exp(overlaps * proxy / 2), _TIGHT * exact),
            truth=exact,
        )


# -- deviations and the statement -----------------------------------------------------------------


section.argued(
    "nichani.lem1.deviation",
    denoising.deviation,
    method="Chernoff's bound",
    scope=f"all d, |V(h)| >= 1 and delta' <= 1/2; {_SPHERES}",
    summary=f"C = sqrt({denoising.DEVIATION_SQUARED}) serves",
)


@section.check(
    corrected("nichani.lem1.statement"), "proofs", method="sub-Gaussian tails and union bound"
)
def statement(printed: Printed, context: Context) -> Evidence:
    # Printed without its constant: the one that is exhibited stands for it.
    known: Printed = context.formulas("nichani.lem1.statement.corrected")
    stated = made_of(denoising.Separation, {**known, **printed})
    return conclude(
        denoising.separation(stated),
        scope=f"all d, |V(h)| >= 1, |V| >= 4 and delta <= 1; {_SPHERES}",
        summary=f"C = {stated.constant} serves",
    )
