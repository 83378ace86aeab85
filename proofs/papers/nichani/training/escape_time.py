"""How long relations take to grow: longer than Lemma 6 says where EOS is learned before them.

Serves App. D.3 of Nichani et al. Lemma 6 bounds the weights of subjects and noise tokens only, and
EOS is in every sequence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from proofs.algebra.balls import ball, precision
from proofs.argument import Argument


@dataclass(frozen=True)
class Growth:
    """Growth rates in a world where EOS is learned first, per unit of time.

    S subjects, R = 2 relations with two answers each, one of them for all subjects but one. eos:
    |p* - p0|; before: |p*(.|r) - p0|/2 of a relation; after: |p*(.|r) - p*|/2, once EOS is learned.
    """

    S: int
    eos: Fraction
    before_squared: Fraction
    after_squared: Fraction

    @classmethod
    def of(cls, S: int) -> Growth:
        """From p*(.|1) = (1 - 1/S, 1/S, 0, 0), p*(.|2) = (0, 0, 1 - 1/S, 1/S) and their mean. S >= 3."""
        rare = Fraction(1, S)
        first = (1 - rare, rare, Fraction(0), Fraction(0))
        mean = ((1 - rare) / 2, rare / 2, (1 - rare) / 2, rare / 2)
        uniform = (Fraction(1, 4),) * 4

        def squared(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
            return sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), Fraction(0))

        eos = (1 - rare) - Fraction(1, 2)  # mean and uniform differ by half of it, four times
        return cls(S, eos, squared(first, uniform) / 4, squared(first, mean) / 4)

    def reach(self) -> arb:
        """The time in units of log(1/alpha), to leading order, before which no relation has grown."""
        eos = ball(self.eos)
        before, after = ball(self.before_squared).sqrt(), ball(self.after_squared).sqrt()
        return 1 / eos + (1 - before / eos) / after

    def printed(self) -> arb:
        """1/(p(r) |p*(.|r) - p0|), the leading time of Lemma 6."""
        return 1 / ball(self.before_squared).sqrt()

    def witness(self, lead: Fraction) -> Mapping[str, Any] | None:
        """The world, if *lead* times the leading time of Lemma 6 is before `reach` for certain."""
        with precision():
            if not self.printed() * ball(lead) < self.reach():
                return None
            return {
                "R": 2,
                "D": 2,
                "S": self.S,
                "T": 3,
                "answers": f"a and b for {self.S - 1} subjects, a' and b' for one",
                "relations grow after": f"{self.reach().str(5, radius=False)} log(1/alpha)",
                "stated": f"{(self.printed() * ball(lead)).str(5, radius=False)} log(1/alpha)",
            }


def eos_first(S: int, lead: Fraction) -> Argument:
    """Relations have not grown by the leading time of Lemma 6, if EOS is learned before them.

    Refutes *lead* times that time if it is too early as well.
    """
    growth, argument = Growth.of(S), Argument()
    argument.define(
        f"S = {S}, R = 2, D = 2, T = 3: a*(s, 1) = a and a*(s, 2) = b for all subjects but one, "
        "which has a' and b'; K = log(1/alpha), and all is to leading order in K, as alpha -> 0"
    )
    argument.infer(
        "the weights of EOS stay on the line through (1, -1, 1, -1)/2, with angle phi' = P* - P, "
        f"where P* = 1 - 1/{S} and P is E[p-hat({{a, b}})], at first 1/2",
        "exchanging the relations, a with b and a' with b', maps the flow to itself",
    )
    with precision():
        eos = ball(growth.eos)
        before, after = ball(growth.before_squared).sqrt(), ball(growth.after_squared).sqrt()
        argument.true(
            "EOS grows faster than a relation",
            bool(eos > before),
            f"{eos.str(6)} > {before.str(6)}",
        )
        argument.infer(
            "while relations and subjects are small, EOS has P = P* up to a small error from the "
            "time K/(P* - 1/2) on",
            "P then depends on its angle alone, and phi' has the sign of P* - P",
        )
        argument.infer(
            "log W_KQ(r) grows at most at the rate |p*(.|r) - E[p-hat|r]|/2: at first |p*(.|r) - "
            "p0|/2, and once EOS is learned |p*(.|r) - p*|/2",
            "W_KQ(r)' = <W_OV(., r), residual> and |W_OV| <= W_KQ",
        )
        argument.true("which is slower", bool(after < before), f"{after.str(6)} < {before.str(6)}")
        argument.at_most(
            "subjects stay below alpha^(1/2): sqrt(2)/S times the time is below 1/2",
            arb(2).sqrt() * growth.reach() / S,
            arb(1) / 2,
        )
        argument.true(
            "so every W_KQ(r) vanishes, as alpha -> 0, at all times up to a later one than "
            "1/(p(r) d_r) K",
            bool(growth.printed() < growth.reach()),
            f"{growth.reach().str(6)} K > {growth.printed().str(6)} K",
        )
    return argument.refute(growth.witness(lead) if argument.holds else None)


# -- the size that stage 1 ends with --------------------------------------------------------------


def escape_size(constant: Fraction, floor: Fraction) -> Argument:
    """u_1 u_2 >= *constant* epsilon^2/(A + 1) at t = log(epsilon^2/(2 k^2))/gamma_r, k^2 = alpha^2
    (A + 1).

    Under the conditions of Lemma 6 with EOS among the small tokens and log(epsilon^2/(2 k^2)) >=
    *floor*. Returns an argument, and a counterexample where one is known.
    """
    argument = Argument()
    if floor <= 0:
        return argument.refute({"epsilon^2": "2 alpha^2 (A + 1)", "t": 0, "u_1 u_2": 0})
    argument.define("L = log(epsilon^2/(2 k^2)), c = T alpha_sm^2/d_r, at most 1/(150 L)")
    argument.infer(
        "|u| <= epsilon up to t, so that (u_1 u_2)' >= p (d - 4 T alpha_sm^2) |u|^2 - 4 p |u|^4 "
        "grows with |u|^2, which is at least 2 u_1 u_2 and at least alpha^2",
        "EOS is small as well: see lem6.t-eps and lem6.u1u2-ode",
    )
    with precision():
        slow = ball(Fraction(1, 150)) / ball(floor)  # c at its largest
        argument.at_most(
            "tau = 1/gamma^- is before t: gamma/gamma^- = (1 + 2 c)/(1 - 4 c) is at most L",
            (1 + 2 * slow) / (1 - 4 * slow),
            ball(floor),
        )
        # y(tau) e^(gamma^- (t - tau)) >= alpha^2/(4 e) (epsilon^2/(2 k^2)) (1 - 6 c L/(1 + 2 c)).
        whole = (1 - ball(Fraction(6, 150))) / (8 * arb(1).exp())
        # 16 p/gamma^- = 8/(d (1 - 4 c)), and epsilon^2 <= d/(50 (A + 1)) with A >= 2.
        small = 8 / (1 - 4 * slow) * whole / (50 * 9)
        enough = argument.at_most(
            "u_1 u_2 at t, in units of epsilon^2/(A + 1), by lem6.u1u2-compare.corrected",
            ball(constant),
            whole / (1 + small),
        )
    if enough or constant <= Fraction(3, 8):
        return argument
    # R = 2, D = 1: u_1 u_2 = (k^2/2) sinh 2 phi with phi <= p d t, at most epsilon^2/8, and A + 1 = 3.
    witness = {"R": 2, "D": 1, "|A|": 2, "u_1 u_2": "at most epsilon^2/8"}
    return argument.unless(witness | {"stated": f"{constant / 3} epsilon^2"})
