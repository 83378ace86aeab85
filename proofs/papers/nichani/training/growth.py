"""How fast key-query weights grow (Lemma 5 of Nichani et al., App. D.3), and where they grow so fast.

Upper bounds by Gronwall; a rate that is too low is refuted by a flow in one variable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.gradient_flow.columns import contexts
from proofs.papers.nichani.training.lone_answer import LoneAnswer, reduction
from proofs.papers.nichani.training.rare_subject import RareSubject
from proofs.papers.nichani.training.two_answers import angles

_BITS = 256
_THREE, _TWO = (RationalFunction.constant(n) for n in (3, 2))
#: Worlds in which a rate of growth is tried, and the angles of EOS there.
_WORLDS = (
    LoneAnswer(),
    LoneAnswer(A=10),
    LoneAnswer(A=10, S=10),
    LoneAnswer(A=10, T=12, N=3),
    LoneAnswer(A=10, T=33, N=30),
    LoneAnswer(A=10, T=40, N=300),
)
_ANGLES = tuple(2**n for n in range(12))
#: A rare subject, and p(s) t at which its growth is looked at.
_RARE = (
    (RareSubject(Fraction(1, 10**8), 10**3, -30), Fraction(8)),
    (RareSubject(Fraction(1, 10**8), 10**3, -150), Fraction(64)),
    (RareSubject(Fraction(1, 10**8), 10**3, -700), Fraction(400)),
)


def subject_growth(rate: RationalFunction) -> Argument:
    """W_KQ(s)(t) <= W_KQ(s)(0) exp(rate t), *rate* in p = p(s), from Assumption 2."""
    argument = Argument()
    for world in _WORLDS:
        p = Fraction(1, world.S)
        found = _outgrown(world, p, rate(p=p).as_fraction(), "W_KQ(s)", {"p(s)": p})
        if found is not None:
            return reduction().refute(found)
    found = search(_rare)(lambda p: ball(rate(p=p).as_fraction() / p))
    if found is not None:
        return angles(_THREE, _TWO).refute(found)
    p_ = RationalFunction.symbol("p")
    argument.infer(
        "d/dt W_KQ(s) = p(s) <W_OV(., s), p* - E p-hat>, all given s", "the first line of the proof"
    )
    argument.include(_residual_norm())
    _gronwall(argument, rate, p_, {"p": 0}, "p(s)")
    return argument


def noise_growth(rate: RationalFunction) -> Argument:
    """W_KQ(z)(t) <= W_KQ(z)(0) exp(rate t), z a noise token, *rate* in T and N, from Assumption 2."""
    argument = Argument()
    for world in _WORLDS:
        if world.N:
            sizes = {"T": world.T, "|N|": world.N}
            found = _outgrown(world, world.noise, _rate(rate, world), "W_KQ(z), z noise", sizes)
            if found is not None:
                return reduction().refute(found)
    T, N = symbols("T N")
    argument.infer("d/dt W_KQ(z) = <W_OV(., z), E[C(z) (1(a*) - p-hat)]>", "the flow and Lemma 4")
    argument.include(_residual_norm())
    _gronwall(argument, rate, (T - 3) / N, {"T": 3, "N": 1}, "E C(z) = (T - 3)/|N|")
    return argument


def noise_count(count: RationalFunction, rate: RationalFunction) -> Argument:
    """E C(z) <= *count* and d/dt W_KQ(z) <= *rate* W_KQ(z), z a noise token, both in T and N."""
    argument = Argument()
    for T, N in ((3, 1), (4, 1), (4, 2), (5, 2), (5, 3), (6, 2), (9, 2)):
        listed = [tokens.count(0) for _, _, tokens in contexts(T, N)]
        exact = Fraction(sum(listed), len(listed))
        argument.true(
            f"T = {T}, |N| = {N}: E C(z) = (T - 3)/|N|, all sequences listed",
            exact == Fraction(T - 3, N),
            str(exact),
        )
        stated = count(T=T, N=N).as_fraction()
        if searching() and exact > stated:
            return argument.refute({"T": T, "|N|": N, "E C(z)": exact, "stated": stated})
    with precision(_BITS):
        alpha = (ball(-200)).exp()
        for world in _WORLDS:
            if not world.N:
                continue
            stated = _rate(rate, world)
            for angle in _ANGLES[:6]:
                point = world.at(alpha, ball(angle))
                c = ball(world.noise)
                # W_KQ = const cosh(c phi), so W_KQ'/W_KQ = tanh(c phi) c phi'.
                relative = (c * angle).tanh() * c * point.speed
                if searching() and relative > ball(stated):
                    return reduction().refute(
                        {
                            "world": str(world),
                            "alpha": "e^-200",
                            "angle of EOS": angle,
                            "W_KQ'/W_KQ": relative.str(6),
                            "stated": stated,
                        }
                    )
    T_, N_ = symbols("T N")
    exact_count = (T_ - 3) / N_
    argument.nonnegative("(T - 3)/|N| <= the stated count", count - exact_count, {"T": 3, "N": 1})
    argument.include(_residual_norm())
    _gronwall(argument, rate, exact_count, {"T": 3, "N": 1}, "E C(z)")
    return argument


def sharp_growth(square: Fraction, noise: RationalFunction) -> Argument:
    """W_KQ grows by at most exp(c t), c = sqrt(square) p(s) for subjects and sqrt(square) noise/N for
    noise tokens, *noise* in T."""
    argument = Argument()
    for basis, found in (
        (angles(_THREE, _TWO), search(_rare)(lambda _: ball(square).sqrt())),
        (reduction(), _small_noise(square, noise)),
    ):
        if found is not None:
            return basis.refute(found)
    argument.include(_residual_norm())
    argument.true("the constant is sqrt 2 or more", square >= 2, f"its square is {square}")
    argument.nonnegative(
        "E C(z) = (T - 3)/|N|, once in a sequence for a subject",
        noise - (RationalFunction.symbol("T") - 3),
        {"T": 3},
    )
    argument.infer("W_KQ(t) <= W_KQ(0) exp(c t)", "Gronwall's inequality")
    argument.include(angles(_THREE, _TWO))
    smaller = _rare(lambda _: ball(Fraction(7, 5))) or {}
    shown = ", ".join(f"{name}: {value}" for name, value in smaller.items())
    argument.true("for subjects 7/5 is too small", bool(smaller), shown)
    argument.infer(
        "every c < sqrt 2 is too small",
        "a rare subject's W_KQ is at least W_KQ(0) cosh(sqrt 2 (p t - w)(1 - e)), where w and e tend "
        "to 0 as p does, with S large and alpha small enough, and log cosh x >= x - log 2",
    )
    return argument


def _rare(constant: Callable[[Fraction], arb]) -> Witness | None:
    """A rare subject that outgrows exp(constant p t), *constant* at p, at one of a few times p t."""
    with precision(_BITS):
        for world, time in _RARE:
            factor = world.grown(time, Fraction(8))
            bound = (constant(world.p) * ball(time)).exp()
            if factor is not None and factor > bound:
                return {
                    "world": str(world),
                    "p(s)": world.p,
                    "p(s) t": time,
                    "W_KQ(s) over its start": f"at least {factor.str(6)}",
                    "stated": f"at most {bound.str(6)}",
                }
    return None


@search
def _small_noise(square: Fraction, noise: RationalFunction) -> Witness | None:
    """A flow with one answer in which noise outgrows exp(sqrt(square) noise t/N)."""
    with precision(_BITS):
        for T in (4, 5, 12):
            world = LoneAnswer(A=10, T=T, N=1)
            times = noise(T=T).as_fraction() if noise.names else noise.as_fraction()
            rate = ball(square).sqrt() * ball(times)
            for angle in _ANGLES[:7]:
                alpha = (-ball(T * angle + 20)).exp()
                latest = world.latest(alpha, ball(angle))
                factor = (ball(world.noise) * angle).cosh()
                if factor > (rate * latest).exp():
                    return {
                        "world": str(world),
                        "alpha": f"e^-{T * angle + 20}",
                        "t": f"at most {latest.str(6)}",
                        "W_KQ(z), z noise, over its start": factor.str(6),
                        "stated": f"at most {(rate * latest).exp().str(6)}",
                    }
    return None


def _residual_norm() -> Argument:
    """|p - q| <= sqrt 2 for two laws, and |W_OV(., z)| <= W_KQ(z)."""
    argument = Argument()
    argument.infer(
        "|p - q|^2 = |p|^2 + |q|^2 - 2<p, q> <= 2", "laws have norm at most 1 and no negative entry"
    )
    argument.infer(
        "|W_OV(., z)| <= W_KQ(z)", "W_KQ^2 - |W_OV|^2 = alpha^2 is kept (Lemma 4), W_KQ > 0"
    )
    return argument


def _gronwall(
    argument: Argument,
    rate: RationalFunction,
    count: RationalFunction,
    lower: dict[str, int],
    words: str,
) -> None:
    """Adds: sqrt 2 *count* <= *rate*, compared by squares, and the conclusion."""
    argument.nonnegative(f"the rate is not negative, {words} at least 0", rate, lower)
    argument.nonnegative(
        f"sqrt 2 {words} is at most the rate (squares)", rate**2 - 2 * count**2, lower
    )
    argument.infer("W_KQ(t) <= W_KQ(0) exp(rate t)", "Gronwall's inequality")


def _rate(rate: RationalFunction, world: LoneAnswer) -> Fraction:
    sizes = {"T": world.T, "N": world.N}
    return rate(**sizes).as_fraction()


@search
def _outgrown(
    world: LoneAnswer, count: Fraction, rate: Fraction, words: str, sizes: Mapping[str, object]
) -> Witness | None:
    """A time at which W_KQ = W_KQ(0) cosh(count phi) is above W_KQ(0) exp(rate t), if one is found."""
    with precision(_BITS):
        for angle in _ANGLES:
            alpha: arb = (-ball(2 * angle + 20)).exp()
            latest = world.latest(alpha, ball(angle))
            factor = (ball(count) * angle).cosh()
            if factor > (ball(rate) * latest).exp():
                return {
                    "world": str(world),
                    **sizes,
                    "alpha": f"e^-{2 * angle + 20}",
                    "t": f"at most {latest.str(6)}",
                    f"{words} over its start": factor.str(6),
                    "stated": f"at most exp({rate} t) = {(ball(rate) * latest).exp().str(6)}",
                }
    return None
