"""What EOS does to the relation weights: a task where it is learned before the second relation.

Serves arXiv 2412.06538, App. D.3, stages 1 and 2 of the proof of Lemma 6, which bounds the weights
of subjects and noise tokens but not those of EOS, a token of every sequence. The task: A = 2, R =
2, D = 1, T = 3, S subjects, p(s, 1) = p/S, p(s, 2) = (1-p)/S, a*(s, 1) = a, a*(s, 2) = b.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE
from proofs.argument import Argument, Witness, exceeds, search, shown
from proofs.gradient_flow.softmax import LIPSCHITZ, curvature
from proofs.papers.nichani.training.two_answers import angles, relations

_CHANCE, _SUBJECTS, _ALPHA = Fraction(9, 10), 100, Fraction(1, 10**10)
#: e^X where X is the logit difference at which the flow is looked at.
_ODDS = Fraction(2)


@dataclass(frozen=True)
class TokenBound:
    """factor (relation Q(r) + eos Q(EOS) + rest alpha_sm^2), Q(z) = W_KQ(z)^2; *rest* in T."""

    eos: Fraction
    rest: RationalFunction
    relation: Fraction = Fraction(0)
    factor: Fraction = Fraction(1)


@dataclass(frozen=True)
class _Moment:
    """Balls at the time when the sequences with relation 1 favour a by X.

    *least* and *most* bound the logit difference of EOS, *other* bounds that of relation 2 from above,
    *relation* bounds W_KQ(2)^2 from above; *small* is alpha_sm^2, not below W_KQ^2 of any subject.
    """

    least: arb
    most: arb
    other: arb
    relation: arb
    small: arb

    def eos(self, difference: arb) -> arb:
        """A bound of W_KQ(EOS)^2 from above where the logit difference of EOS is this one."""
        return 3 * ball(_ALPHA) ** 2 + difference / ball(2).sqrt()

    def deviation(self, difference: arb) -> arb:
        """A bound of |E[p-hat | r = 2] - p0| = tanh(x_2/2)/sqrt(2) from below."""
        return ((difference - self.other) / 2).tanh() / ball(2).sqrt()


def _moment() -> tuple[Argument, _Moment]:
    """The argument that bounds the weights at that moment, and the bounds."""
    argument = Argument()
    argument.define(
        f"p = {_CHANCE}, S = {_SUBJECTS}, alpha = 10^-10; W_KQ(z) = sqrt(3) alpha cosh(f_z), "
        "W_OV(a, z) - W_OV(b, z) = sqrt(6) alpha sinh(f_z)"
    )
    argument.include(
        angles(RationalFunction.constant(3), RationalFunction.constant(2)),
        relations(ONE, ONE, RationalFunction.symbol("T") - 3),
    )
    argument.define(
        "so f_z' = sqrt(2) G_a(z), f_EOS = f_1 + f_2, f_s = f_EOS/S as all subjects are alike; z adds "
        "h(f_z) = 3 alpha^2 sinh(2 f_z)/sqrt(2) to the difference of the logits of a and b"
    )
    argument.infer(
        "f_1' = sqrt(2) p/(1 + e^(x_1)) > 0 and g' = sqrt(2) (1-p)/(1 + e^(-x_2)) for g = -f_2, "
        "x_i the logit difference given relation i",
        "the residuals of the two relations",
    )
    c = _ODDS * (1 - _CHANCE) / _CHANCE
    argument.infer(
        f"while x_1 <= X = log {_ODDS}: g <= c f_1, c = e^X (1-p)/p = {c}; there is a time when "
        f"x_1 = X",
        "x_2 <= x_1, so (1 + e^(x_1))/(1 + e^(-x_2)) <= e^(x_1); and f_1 grows at a rate above 0",
    )
    argument.true("c < 1, so that f_EOS > 0", c < 1, f"c = {c}")
    argument.infer(
        "X/3 <= h(f_1) <= X at that time",
        "x_1 = h(f_1) + h(f_EOS) + h(f_s), 0 <= f_s, f_EOS <= f_1",
    )
    root, square = ball(2).sqrt(), ball(_ALPHA) ** 2
    X = ball(_ODDS).log()
    # e^(2 f_1) lies between 2 sinh(2 f_1) and this plus one.
    low, high = (2 * root * h / (3 * square) for h in (X / 3, X))
    high += 1
    grown = low ** ball(1 - c)
    other = high ** ball(c)
    moment = _Moment(
        least=3 * square / root * (grown - 1) / 2,
        most=X,
        other=3 * square / root * other / 2,
        relation=3 * square * other,
        small=3 * square * high ** ball(Fraction(1, _SUBJECTS)),
    )
    argument.infer(
        f"h(f_EOS) >= {shown(moment.least)}, W_KQ(2)^2 <= {shown(moment.relation)}, "
        f"W_KQ(s)^2 <= {shown(moment.small)} = alpha_sm^2",
        "f_EOS >= (1 - c) f_1, g <= c f_1, f_s <= f_1/S, and cosh(f)^2 <= e^(2 f)",
    )
    spread = 1 / root
    argument.at_most(
        "Lemma 6 allows it at eps^2 = d/150: T alpha_sm^2 <= d/(150 log(eps^2/(3 alpha^2)))",
        3 * moment.small,
        spread / (150 * (spread / 150 / (3 * square)).log()),
    )
    return argument, moment


@search
def _refuted(
    argument: Argument, bound: TokenBound, quantity: str, *, entry: bool = False
) -> Witness | None:
    """The task at that moment if the quantity exceeds the bound there.

    It is |E p-hat - p0|, or with *entry* a logit without the relation's part. The difference of the
    two sides is concave in the logit difference of EOS, so the ends of its range decide.
    """
    with precision():
        steps, moment = _moment()
        found = []
        for difference in (moment.most, moment.least):
            value = difference / 2 if entry else moment.deviation(difference)
            stated = ball(bound.factor) * (
                ball(bound.relation) * moment.relation
                + ball(bound.eos) * moment.eos(difference)
                + ball(bound.rest(T=3).as_fraction()) * moment.small
            )
            at = {
                "task": f"A = 2, R = 2, D = 1, T = 3, S = {_SUBJECTS}, p(1) = {_CHANCE}, uniform s",
                "alpha": "10^-10",
                "time": f"the logit difference given r = 1 is log {_ODDS}",
                "r": 2,
                "W_KQ(r)^2, at most": shown(moment.relation),
                "alpha_sm^2": shown(moment.small),
                "logit difference of EOS, at least": shown(moment.least),
            }
            found.append(exceeds(value, stated, at, (f"{quantity}, at least", "bound, at most")))
    if all(found):
        argument.include(steps)
        return found[-1]
    return None


def _others(argument: Argument) -> None:
    argument.infer(
        "each of the T - 2 tokens besides r and EOS has W_KQ |W_OV| <= W_KQ^2 <= alpha_sm^2",
        "they are the subject and noise tokens; |W_OV(., z)| <= W_KQ(z) from Assumption 2",
    )


def _covers(argument: Argument, bound: TokenBound, need: Fraction, *, relation: bool) -> None:
    """Lines that the bound has at least *need* of every token."""
    T = RationalFunction.symbol("T")
    if relation:
        argument.true("the relation counts enough", bound.relation >= need, f"{bound.relation}")
    argument.true("EOS counts enough", bound.eos >= need, f"{bound.eos}")
    argument.nonnegative("the others count enough", bound.rest - need * (T - 2), {"T": 3})


def deviation_from_uniform(bound: TokenBound) -> Argument:
    """|E[p-hat | r] - p0| <= the bound, along the flow while W_KQ <= alpha_sm on S and N."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "|E p-hat - p0| <= 1/2 E sum_t W_KQ(z_t) |W_OV(., z_t)|", "softmax is 1/2-Lipschitz"
    )
    _others(argument)
    _covers(argument, bound, LIPSCHITZ, relation=True)
    return argument.unless(_refuted(argument, bound, "|E[p-hat | r] - p0|"))


def planar_deviation(bound: TokenBound) -> Argument:
    """|u' - p(r) d_r J u| <= p(r) W_KQ(r) times the bound, whose factor is the stated one."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "u' - p d J u = p (<W_OV, y>, W_KQ <n, y>), y = p0 - E p-hat, n = (p* - p0)/d",
        "W_OV' = W_KQ p (p* - E p-hat) and W_KQ' = p <W_OV, p* - E p-hat>",
    )
    argument.infer(
        "its norm is at most sqrt(2) p W_KQ |y| <= p W_KQ/sqrt(2) times sum_t W_KQ |W_OV|",
        "|n| = 1, |W_OV| <= W_KQ, and softmax is 1/2-Lipschitz",
    )
    _others(argument)
    T = RationalFunction.symbol("T")
    for name, share in (("the relation", bound.relation), ("EOS", bound.eos)):
        total = bound.factor * share
        argument.true(
            f"factor times what {name} counts is at least 1/sqrt(2)",
            total > 0 and total**2 >= Fraction(1, 2),
            f"{total}",
        )
    argument.nonnegative(
        "factor times what the others count is at least 5/7 each, above 1/sqrt(2)",
        bound.factor * bound.rest - Fraction(5, 7) * (T - 2),
        {"T": 3},
    )
    # |u' - p d J u| >= p W_KQ |y| for r = 2, as y and W_OV - alpha are along n there.
    return argument.unless(_refuted(argument, bound, "|u' - p(r) d_r J u|/(p(r) W_KQ(r))"))


def logit_gap(bound: TokenBound) -> Argument:
    """|F_rel(a) - F_lin(a)| <= the bound, which has no part of the relation."""
    argument = Argument()
    argument.infer(
        "F_lin(a) - F_rel(a) is the sum of Theta(a, z) over the tokens besides r, and "
        "|Theta(a, z)| <= W_KQ(z) |W_OV(., z)| <= W_KQ(z)^2",
        "r occurs once",
    )
    _others(argument)
    _covers(argument, bound, Fraction(1), relation=False)
    return argument.unless(_refuted(argument, bound, "|F_rel(a) - F_lin(a)|", entry=True))


def gradient_gap(bound: TokenBound) -> Argument:
    """Both gradients by r's weights differ by at most W_KQ(r) p(r) times the bound."""
    argument = Argument()
    curvature(argument)
    argument.infer(
        "the gradients by W_OV(., r) differ by W_KQ(r) p(r) |y|, those by W_KQ(r) by "
        "p(r) |<W_OV(., r), y>| <= W_KQ(r) p(r) |y|, y = E p-hat - p-hat(. | r)",
        "the two gradients have the same p*; |W_OV| <= W_KQ",
    )
    argument.infer(
        "|y| <= 1/2 E of the sum of W_KQ |W_OV| over the tokens besides r",
        "softmax is 1/2-Lipschitz, and p-hat(. | r) has the logits of r alone",
    )
    _others(argument)
    _covers(argument, bound, LIPSCHITZ, relation=False)
    # p-hat(. | 2) favours b and E p-hat favours a: they are at least |E p-hat - p0| apart.
    return argument.unless(_refuted(argument, bound, "difference of the gradients/(W_KQ(r) p(r))"))
