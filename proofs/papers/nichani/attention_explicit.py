"""The proof of the explicit condition for the attention-only construction, line by line.

From the gaps between the scores of one head to the law of one margin, to its tail given the
weights of the attended keys. The constants are arguments, so that the proof is tried on wrong
ones. Serves Nichani et al., App. C, Lemma 1 and Theorem 10.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from flint import acb, arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument
from proofs.attention import Store, margin_mean, margin_variance
from proofs.capacity.attention_margin import Competitor, competitors
from proofs.citations import COORDINATE_LAW, MARKOV, SPHERE_ROTATION
from proofs.moments import OrthogonalSphere, Range, Sphere, Splitting, dot, mean, outer, sum_over
from proofs.papers.nichani.linear import Constants

# -- gaps between the scores of a head ------------------------------------------------------------


def gap_tail(
    gap: Fraction,
    inside: RationalFunction,
    outside: RationalFunction,
    use: Constants | None = None,
) -> Argument:
    """P(a gap <= 0) <= E exp(-A d/(gap t)) with t = *inside* terms for a key, *outside* for
    another token.
    """
    use = use or Constants()
    d, A, t = symbols("d A t")
    argument = Argument()
    argument.define(
        "v = sum_{z in V(h)} phi(z) + phi(EOS)/2, n = |V(h)|, A = 1 - <phi(z), phi(EOS)>"
    )
    for name, terms, exact in (
        ("key z less EOS", inside, _gap_second_moment(key=True)),
        ("EOS less another token", outside, _gap_second_moment(key=False)),
    ):
        # E A^2 = 1 + 1/d, E A = 1 and E t^2 = 1/d.
        stated = (1 + 1 / d) / 4 + use.spread * terms / d
        argument.equal(
            f"{name}: A/2 + sqrt({use.spread} A) sum of {terms} terms, second moment from the engine",
            stated,
            exact,
        )
    argument.cite(
        "given A, <phi(z''), phi(z) - phi(EOS)>/sqrt(2A) are independent first coordinates",
        SPHERE_ROTATION,
    )
    argument.cite("P(gap <= 0 | A) <= E[exp(-lambda gap) | A]", MARKOV)
    lam = d / (4 * t)
    exponent = lam * A / 2 - use.spread * A * lam**2 * t / (use.scale * d)
    argument.nonnegative(
        f"at lambda = d/(4t) the exponent is at least A d/({gap} t)",
        exponent - A * d / (gap * t),
        {"A": 0, "d": 1, "t": 1},
    )
    argument.infer(
        "E exp(-k A) = e^-k E exp(k rho) <= exp(-k + k^2/(2d)), and any smaller k does as well",
        "A = 1 - rho >= 0, and rho has the generating function of a coordinate",
    )
    argument.true("that generating function has the exponent k^2/(2d)", use.scale >= 2, "scale")
    argument.infer(
        "without terms the gap is A/2 > 0 almost surely for d >= 2",
        "phi(z) = phi(EOS) has probability 0",
    )
    return argument


def _gap_second_moment(*, key: bool) -> RationalFunction:
    """E <v, phi(z) - phi(EOS)>^2 for a key z, or E <v, phi(EOS) - phi(z')>^2 for another token."""
    d, n = symbols("d n")
    keys = Range(n, "keys")
    phi = Sphere("phi", d)
    eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]
    other = Sphere("psi", d)[Range(1, "other").index("other")]
    z, z2 = keys.index("z"), keys.index("z2")
    # v enters through its scores alone.
    reader = phi[z] - eos if key else eos - other
    score = sum_over(z2, dot(phi[z2], reader)) + dot(eos, reader) / 2
    return mean(score**2, []).value


# -- the law of one margin ------------------------------------------------------------------------

#: What the heads of s and r hold where each has one key, for a further answer of s, one of r, any
#: other.
_STORES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "subject": ({"rival_holders": 1, "shared": 1, "rival_stored": True}, {}),
    "relation": ({}, {"rival_holders": 1, "shared": 1, "rival_stored": True}),
    "other": ({}, {}),
}


def margin_law(
    spread: Fraction, counts: dict[str, tuple[RationalFunction, RationalFunction]]
) -> Argument:
    """Given all weights c, the margin has the law of A (c_a - c_b) + sqrt(spread A) sum c_a' t_a'.

    With one key a head c holds the weight of s R times and that of r D times; *counts* says how
    often each occurs in the sum, for every kind of rival. Second moments must be the engine's.
    """
    (d,) = symbols("d")
    argument = Argument()
    argument.define(
        "c_a' = sum of <phi(z), (d/d_h) G phi(s)> over keys z with a' in A_z, and so for r"
    )
    argument.infer(
        "c does not depend on phi(a') for any answer a'",
        "keys, EOS and G are drawn apart from answers",
    )
    argument.cite(
        "given A and c, <phi(a'), phi(a) - phi(b)>/sqrt(2A), a' != a, b, are independent coordinates",
        SPHERE_ROTATION,
    )
    argument.equal("<phi(a), phi(a) - phi(b)> = A = -<phi(b), phi(a) - phi(b)>", _own_parts(), ZERO)
    first, second = _weight_moment(1), _weight_moment(2)
    attended = {"subject": (0, 1), "relation": (1, 0), "other": (1, 1)}
    for rival, (by_s, by_r) in attended.items():
        signal = (by_s + by_r) * second + 2 * by_s * by_r * first**2
        with_s, with_r = counts[rival]
        stated = (1 + 1 / d) * signal + spread / d * (with_s + with_r) * second
        argument.equal(
            f"b a rival of the kind '{rival}': second moment, from the engine",
            stated,
            _margin_moment(rival),
        )
    return argument


@cache
def _margin_moment(rival: str) -> RationalFunction:
    """E margin^2, where the heads hold what they do for this kind of rival."""
    d, d_h, R, D = symbols("d d_h R D")
    in_s, in_r = (
        Store(answers=size, facts=size, **extra)
        for size, extra in zip((R, D), _STORES[rival], strict=True)
    )
    return margin_variance(d, d_h, in_s, in_r).value + margin_mean(d, d_h, in_s, in_r).value ** 2


@cache
def _own_parts() -> RationalFunction:
    """E of (<phi(a), phi(a) - phi(b)> + <phi(b), phi(a) - phi(b)>)^2."""
    (d,) = symbols("d")
    phi, two = Sphere("phi", d), Range(2, "two")
    a, b = two.index("a"), two.index("b")
    contrast = phi[a] - phi[b]
    return mean((dot(phi[a], contrast) + dot(phi[b], contrast)) ** 2, [a != b]).value


@cache
def _weight_moment(order: int) -> RationalFunction:
    """E ((d/d_h) sum_i <w_i, phi(z)>^2)^order, w_i uniform on the sphere orthogonal to phi(EOS)."""
    d, d_h = symbols("d d_h")
    eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]
    key = Sphere("phi", d)[Range(1, "key").index("z")]
    w, i = OrthogonalSphere("w", d, to=eos), Range(d_h, "factors").index("i")
    weight = dot(key, sum_over(i, outer(w[i], w[i])) @ key) * (d / d_h)
    return mean(weight**order, []).value


def weight_law(shape: RationalFunction, rest: RationalFunction) -> Argument:
    """|Pi phi(z)|^2 has the law Beta(*shape*, *rest*), Pi the projection on d_h dimensions."""
    d, d_h = symbols("d d_h")
    argument = Argument()
    argument.cite(
        "the squared length of d_h coordinates of a uniform unit vector has a Beta law",
        COORDINATE_LAW,
    )
    key, part = Sphere("phi", d)[Range(1, "key").index("z")], Splitting(d, Pi=d_h)["Pi"]
    stated = ONE
    for order in range(1, 5):
        stated = stated * (shape + order - 1) / (shape + rest + order - 1)
        exact = mean(dot(part @ key, part @ key) ** order, []).value
        argument.equal(f"moment {order} is the engine's", stated, exact)
    return argument


# -- the tail of one margin -----------------------------------------------------------------------


def margin_tail(noise: Fraction, leak: Fraction, use: Constants | None = None) -> Argument:
    """P(margin <= 0) given tau_s, tau_r, as ``proofs.capacity.attention_margin.log_bound`` has it."""
    use = use or Constants()
    d, A, lam, c, u, x, eta, k, j, rho = symbols("d A lam c u x eta k j rho")
    argument = Argument()
    argument.cite("P(margin <= 0 | A, c) <= E[exp(-lambda margin) | A, c]", MARKOV)
    argument.nonnegative(
        f"the answers cost at most {noise} lambda^2 A |c|^2/d",
        noise * lam**2 * A * c / d - use.spread * A * lam**2 * c / (use.scale * d),
        {"lam": 0, "A": 0, "c": 0, "d": 1},
    )
    argument.equal(
        "(u + x)^2 = (1 + eta) u^2 + (1 + 1/eta) x^2 - (eta u - x)^2/eta, for both splits of a square",
        (1 + eta) * u**2 + (1 + 1 / eta) * x**2 - (eta * u - x) ** 2 / eta,
        (u + x) ** 2,
    )
    argument.infer(
        "for independent x_z with E exp(l x_z) <= exp(l^2 s/2): E exp(x^T K x + l^T x) <= "
        "det(I - 2 s K)^(-1/2) exp(s l^T (I - 2 s K)^-1 l/2), K >= 0, 2 s |K| < 1",
        "exp(x^T K x) = E exp(g^T (2K)^(1/2) x), g standard Gaussian; take the mean over x first",
    )
    argument.true(
        f"l = lambda A of a key that answers a or b costs {leak} lambda^2 A^2 s/(1 - 2 s |K|)",
        leak >= Fraction(1, use.scale),
        f"1/{use.scale} from its generating function",
    )
    with precision():
        for K, slope in product((Fraction(1, 2), Fraction(1)), (Fraction(0), Fraction(3, 2))):
            argument.at_most(
                f"one key at d = 3, K = {K}, l = {slope}: log E exp(K x^2 + l x)",
                _uniform_log_mean(K, slope),
                ball(leak * slope**2 / 3 / (1 - 2 * K / 3)) - ball(1 - 2 * K / 3).log() / 2,
            )
    argument.nonnegative("-log(1 - x)/x grows with x: coefficients 1/k", 1 / k, {"k": 1})
    argument.equal(
        "-k A + j A^2 = j - k + (k - 2j) rho + j rho^2",
        (-k * A + j * A**2)(A=1 - rho),
        j - k + (k - 2 * j) * rho + j * rho**2,
    )
    argument.infer(
        "E exp(l rho + j rho^2) <= (1 - 2j/d)^(-1/2) exp(l^2/(2(d - 2j)))",
        "rho is one such x with s = 1/d",
    )
    argument.infer(
        "P(A > 1 + epsilon) <= exp(-epsilon^2 d/2)", "the same for -rho, lambda = epsilon d"
    )
    _matrices(argument)
    return argument


def _uniform_log_mean(K: Fraction, slope: Fraction) -> arb:
    """log of the mean of exp(K x^2 + slope x) over [-1, 1], where a coordinate lies at d = 3."""
    square, linear = acb(ball(K)), acb(ball(slope))
    total = acb.integral(lambda x, _: (square * x * x + linear * x).exp(), acb(-1), acb(1))
    return (total.real / 2).log()


def _matrices(argument: Argument) -> None:
    """Traces and norms of B B^T, B the keys of a head by their answers: all tables of small sizes."""
    argument.infer(
        "a subject has R answers: trace R a key, and the norm is at most the trace", "B B^T >= 0"
    )
    argument.infer(
        "relations have disjoint answers, at most D each: B B^T is diagonal with entries at most D",
        "Assumption 1",
    )
    worst = 0
    for S, R, D in ((1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 2, 2), (2, 3, 2)):
        tokens = S + R + R * D + 1
        kinds = {(k.by_subject, k.by_relation): k for k in competitors(R, D, tokens)}
        for table in product(range(D), repeat=S * R):
            worst = max(worst, _exceeds(table, S, R, kinds, tokens))
    argument.true(
        "all tables of up to 3 subjects, 3 relations, 2 answers have no more rivals and weights",
        worst == 0,
        "enumerated" if worst == 0 else f"exceeded by {worst}",
    )


def _exceeds(
    table: tuple[int, ...], S: int, R: int, kinds: dict[tuple[int, int], Competitor], tokens: int
) -> int:
    """By how much a table has more rivals of a kind, or more weights, than the bound counts; 0 if never.

    Rivals of r that are missing may be further tokens instead, which are rarer to win.
    """
    answer = {(s, r): (r, table[s * R + r]) for s in range(S) for r in range(R)}
    over = 0
    for s, r in answer:
        of_s = {answer[s, q] for q in range(R)} - {answer[s, r]}
        of_r = {answer[q, r] for q in range(S)} - {answer[s, r]}
        missing = kinds[1, 0].many - len(of_r) if (1, 0) in kinds else 0
        over = max(over, len(of_s & of_r))
        for kind, rivals, with_s, with_r in (
            ((0, 1), len(of_s), len(of_s) - 1, len(of_r)),
            ((1, 0), len(of_r), len(of_s), len(of_r) - 1),
            ((1, 1), tokens - 1 - len(of_s) - len(of_r) - missing, len(of_s), len(of_r)),
        ):
            if rivals:
                stated = kinds[kind]
                over = max(
                    over,
                    rivals - stated.many,
                    with_s - stated.with_subject,
                    with_r - stated.with_relation,
                )
    return over
