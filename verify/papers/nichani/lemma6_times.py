"""Checks of Lemma 6 of Nichani et al. (App. D.3): the time by which relations are learned."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from proofs.argument import Argument
from proofs.papers.nichani.training import escape_time, sequential
from verify.checks.argument import conclude
from verify.checks.computed import NOTHING, Comparison, compared, integration
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence

section = Section()

#: Subjects of the table in which EOS is learned first.
_SUBJECTS = 32


@section.check(
    corrected("nichani.lem6.stmt"), "proofs", method="growth rates; potentials that only grow"
)
def _statement(lead: Fraction, lengths: Fraction) -> Evidence:
    """The leading time in log(1/alpha), against tables that need more, or the potential argument."""
    if not lengths:
        argument = escape_time.eos_first(_SUBJECTS, lead)
    else:
        argument = sequential.relations_first(lead).refute(sequential.too_early(lead))
    return conclude(
        argument,
        scope="R >= 2, p(s, r) = 1/(SR), |A_r| <= |A|/2, all sizes; alpha -> 0",
        summary=f"{lead} R sqrt(D) log(1/alpha), to leading order",
    )


#: log alpha at which the first summand of T* is by far the larger, the subjects there, and epsilon_min.
_FAR, _FEW, _ACCURACY = -1e9, 8, 0.3

#: log alpha for what is stated to leading order.
_TINY = -4000.0

#: Times at which the error is looked at; in between it falls with the loss.
_PARTS = 20


@section.check(corrected("nichani.lem6.stmt"), "numerics", method="flows from tiny weights")
def _statement_computed(lead: float, lengths: bool) -> Evidence:
    """Flows of the tables with R = D = 2 up to the stated time, from tiny weights."""
    from numerics.papers.nichani.relations_first import relation_growth

    by_distance = not lengths
    far = _FAR if by_distance else _TINY
    seen, pictures = [], []
    for balanced in (False, True):
        # By definition: p*(.|r) has two answers of four, p0 is uniform.
        rare = 0.5 if balanced else 1 / _FEW
        distance = math.sqrt((1 - rare) ** 2 + rare**2 - 0.25)
        epsilon = math.sqrt(distance / (50 * 5))
        if by_distance:
            time = lead * 2 / distance * (math.log(epsilon) - _FAR - math.log(5) / 2)
            time += 100 * 5 * math.log(4) / epsilon**2 / _ACCURACY**2
        else:
            time = lead * 2 * math.sqrt(2) * -_TINY * (1 + 1e-3)
        times = [time * part / _PARTS for part in range(1, _PARTS + 1)]
        _, missed = relation_growth(_FEW, far, times, balanced=balanced)
        name = "balanced answers" if balanced else "one rare answer"
        step = (
            f"S = {_FEW}, R = D = 2, {name}: sum_r p(r)^2 |p*(.|r) - E[p-hat|r]|^2 is at least "
            f"{missed.min():.3g} up to {time:.6g}"
        )
        seen.append(Comparison(step, missed.min(), 0.0, _ACCURACY**2, NOTHING))
        pictures.append(
            trajectory(
                rf"S = {_FEW}, R = D = 2, {name}, $\log \alpha$ = {far:,.0f}",
                {"the sum of the lemma": (times, missed)},
                y=r"$\sum_r p(r)^2 |p^*(.|r) - \mathbb{E}[\hat{p}|r]|^2$",
                levels={r"$\epsilon_{\min}^2$": _ACCURACY**2},
                moments={"T*": time},
            )
        )
    evidence = compared(seen, f"flows from alpha = e^{far:.0f}, epsilon_min = 3/10")
    return with_trajectories(evidence, pictures)


# -- stage 1 --------------------------------------------------------------------------------------


def _escape(constant: Fraction, floor: Fraction, eos: Fraction) -> Argument:
    if not eos:
        argument = escape_time.eos_first(_SUBJECTS, Fraction(1))
    else:
        argument = escape_time.escape_size(constant, floor)
    return argument


@section.both(
    corrected("nichani.lem6.u1u2-final"),
    _escape,
    method="growth rates; the chain of stage 1",
    scope="all worlds under the conditions of Lemma 6, with EOS small and |A| >= 2",
    summary="the chain of stage 1, with its constants",
    measured="flows to the stated time",
    looked="flows from alpha = e^-4000 and from alpha = e^-20",
    judge=compared,
)
def _escape_computed(constant: float, floor: float, eos: bool) -> Iterator[Comparison]:
    """Flows of tables with R = 2 to the stated time, alpha_sm^2 = alpha."""
    from numerics.papers.nichani.relations_first import escape_products

    for name, stated, found in escape_products(_SUBJECTS, log_ratio=floor, eos=eos):
        step = f"{name}: u_1 u_2 is {found:.3g} epsilon^2/(|A| + 1) at t = {stated:.6g}"
        size = ("the stated", constant)
        yield Comparison(step, found, constant, math.inf, integration(1e-6), size)
