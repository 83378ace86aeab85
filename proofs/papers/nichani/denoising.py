"""The key vector of a head picks its tokens: what Lemma 1 and its proof give, and what they need.

v = sum_{z in V(h)} phi(z) + phi(EOS)/2 scores one on the keys of the head, one half on EOS and zero on
other tokens, up to sub-Gaussian deviations. Serves Nichani et al., App. C, Lemma 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision, upper
from proofs.algebra.symbols import ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import SPHERE_ROTATION
from proofs.concentration.chernoff import subgaussian_tail
from proofs.concentration.overlaps import RATIO, ratio_is_right
from proofs.concentration.sphere import coordinate_moment
from proofs.moments import Expression, Range, Sphere, dot, indicator, mean, sum_over

_d, _n, _p = symbols("d n p")

#: Where the token that v is scored with lies.
PLACES = {"inside": "z in V(h)", "eos": "z = EOS", "outside": "other z"}
#: The least number of tokens: a subject, a relation, an answer and EOS.
LEAST_TOKENS = 4
#: The square of a constant C that serves in the deviation of one score.
DEVIATION_SQUARED = 5
#: Orders up to which joint moments of two overlaps are compared with products.
_JOINT = 2


class KeyVector:
    """v = sum_{z in V(h)} phi(z) + weight phi(EOS), n = |V(h)|, and the tokens it is scored with."""

    def __init__(self, weight: Fraction = Fraction(1, 2)) -> None:
        self.keys = Range(_n, "keys")
        self.z, self.k = self.keys.index("z"), self.keys.index("k")
        self.phi = Sphere("phi", _d)
        self.eos = Sphere("eos", _d)[Range(1, "EOS").index("EOS")]
        self.other = Sphere("other", _d)[Range(1, "outside").index("x")]
        self.v = sum_over(self.k, self.phi[self.k]) + weight * self.eos

    def token(self, place: str) -> Expression:
        """phi of the token at one of PLACES."""
        return {"inside": self.phi[self.z], "eos": self.eos, "outside": self.other}[place]

    def score(self, place: str) -> Expression:
        """<v, phi(z)>."""
        return dot(self.v, self.token(place))

    def deviation(self, place: str) -> Expression:
        """gamma_z, the score less what it should be: 1, 1/2 or 0."""
        centre = {"inside": Fraction(1), "eos": Fraction(1, 2), "outside": Fraction(0)}[place]
        return self.score(place) - centre

    def others(self, place: str) -> Expression:
        """sum of <phi(z), phi(z')> over z' in V(h) other than z."""
        overlap = dot(self.phi[self.k], self.token(place))
        if place == "inside":
            overlap *= indicator(self.k != self.z)
        return sum_over(self.k, overlap)


def expansion(weight: Fraction, rest: dict[str, Fraction]) -> Argument:
    """gamma_z = weight sum_{z' in V(h), z' != z} <phi(z), phi(z')> + rest[place] <phi(EOS), phi(z)>.

    Decided by the mean square of the difference, for all d and n >= 1.
    """
    it = KeyVector()
    argument = Argument()
    for place, words in PLACES.items():
        stated = weight * it.others(place) + rest[place] * dot(it.eos, it.token(place))
        missed = mean((it.deviation(place) - stated) ** 2).value
        if searching() and missed != 0:
            at = next(
                (d, n)
                for d, n in ((1, 1), (1, 2), (2, 1), (2, 2))
                if missed(d=d, n=n).as_fraction() != 0
            )
            argument.witness = {
                "z": words,
                "d": at[0],
                "|V(h)|": at[1],
                "E (gamma_z - the sum)^2": missed(d=at[0], n=at[1]).as_fraction(),
            }
            return argument
        argument.equal(f"{words}: E (gamma_z - stated)^2", missed, ZERO)
    argument.infer(
        "the two sides are equal", "they are polynomials, and their difference is 0 in L^2"
    )
    return argument


# -- sub-Gaussian overlaps ------------------------------------------------------------------------


def subgaussian_overlaps(proxy: RationalFunction) -> Argument:
    """E exp(s <u, v>) <= exp(s^2 proxy/2) for all real s, and overlaps with one vector are independent.

    Coefficient by coefficient: the ratio of successive ones on the left is at most that on the right.
    """
    argument = Argument()
    for d in range(1, 65):
        at = proxy(d=d).as_fraction()
        if searching() and at < Fraction(1, d):
            witness = {"d": d, "coefficient of s^2 on the left": Fraction(1, 2 * d)}
            return argument.refute(witness | {"on the right": at / 2, "so": "it fails for small s"})
    ratio = RATIO(j=_p)
    argument.infer(
        "m_p = E <u,v>^(2p) has m_0 = 1 and m_(p+1)/m_p = (2p+1)/(d+2p) for every p",
        "<u,v>^2 has the Beta(1/2, (d-1)/2) law for d >= 2, and is 1 for d = 1",
    )
    argument.true(
        "the ratio gives the engine's moments, p = 0, ..., 8", ratio_is_right(8), "symbolic in d"
    )
    argument.nonnegative(
        "coefficients of s^(2p): ratio of exp(s^2 proxy/2) minus ratio of E exp(s <u,v>)",
        proxy / (2 * _p + 2) - ratio / ((2 * _p + 1) * (2 * _p + 2)),
        {"d": 1, "p": 0},
    )
    argument.cite(
        "given phi(z) the overlaps with it are independent first coordinates of uniform vectors, "
        "whatever phi(z) is, so they are independent",
        SPHERE_ROTATION,
    )
    z, other = Sphere("z", _d)[Range(1).index("z")], Sphere("phi", _d)
    tokens = Range(2, "tokens")
    a, b = tokens.index("a"), tokens.index("b")
    for j in range(1, _JOINT + 1):
        for k in range(1, j + 1):
            joint = dot(z, other[a]) ** (2 * j) * dot(z, other[b]) ** (2 * k)
            argument.equal(
                f"E t^{2 * j} t'^{2 * k} of two overlaps is the product of their moments",
                mean(joint, [a != b]).value,
                coordinate_moment(j) * coordinate_moment(k),
            )
    return argument


def _proxies(argument: Argument) -> Fraction:
    """gamma_z is sub-Gaussian with a proxy of at most the returned constant times n/d, n >= 1."""
    it = KeyVector()
    quarter = Fraction(1, 4)
    worst = ((_n + quarter) / _n)(n=1).as_fraction()
    argument.infer(
        "gamma_z is sub-Gaussian with the proxy (n - 1 + 1/4)/d, n/d or (n + 1/4)/d for z in V(h), "
        "z = EOS or any other z",
        "the corrected expansion: a sum of independent overlaps, the one with EOS halved",
    )
    for place, proxy in (
        ("inside", (_n - 1 + quarter) / _d),
        ("eos", _n / _d),
        ("outside", (_n + quarter) / _d),
    ):
        argument.equal(
            f"{PLACES[place]}: the proxy is the engine's variance",
            mean(it.deviation(place) ** 2).value,
            proxy,
        )
        argument.nonnegative(
            f"{PLACES[place]}: it is at most ({worst}) n/d",
            worst * _n / _d - proxy,
            {"n": 1, "d": 1},
        )
    return worst


# -- the deviation of one score -------------------------------------------------------------------


def deviation(count: Fraction, log: Fraction, dimension: Fraction) -> Argument:
    """|gamma_z| <= C n^count log(1/delta')^log d^(-dimension) but with probability delta' <= 1/2, for
    some C and every n >= 1."""
    argument = Argument()
    half = Fraction(1, 2)
    if searching() and (count < half or dimension > half):
        return argument.refute(_spread_witness(count, dimension))
    if searching() and log < half:
        argument.witness = {
            "z": "EOS",
            "|V(h)|": 1,
            "d": "to infinity",
            "sqrt(d) gamma_z": "tends in law to a standard Gaussian",
            "its quantile at delta'": "grows like sqrt(2 log(1/delta'))",
            "stated": f"C log(1/delta')^({log})",
        }
        return argument
    worst = _proxies(argument)
    subgaussian_tail(argument, both=True)
    argument.equal(
        f"t^2 = C^2 n log(1/delta')/d, C^2 = {DEVIATION_SQUARED}: t^2/(2 s) is at least "
        "2 log(1/delta')",
        DEVIATION_SQUARED * _n / _d / (2 * worst * _n / _d),
        RationalFunction.constant(2),
    )
    x = RationalFunction.symbol("x")
    argument.nonnegative(
        "2 delta'^2 <= delta' for delta' = 1/(2 + x)",
        1 / (2 + x) - 2 / (2 + x) ** 2,
        {"x": 0},
    )
    argument.true("n^(1/2) is at most n^count for n >= 1", count >= half, f"count = {count}")
    argument.true(
        "d^(-1/2) is at most d^(-dimension)", dimension <= half, f"dimension = {dimension}"
    )
    argument.true(
        "log(1/delta')^(1/2) is at most a constant times log(1/delta')^log",
        log >= half,
        f"log(1/delta') >= log 2, log = {log}",
    )
    return argument


@search
def _spread_witness(count: Fraction, dimension: Fraction) -> Witness | None:
    """gamma_EOS is of the order sqrt(n/d) with probability above 1/4, by its fourth moment."""
    it = KeyVector()
    gamma = it.deviation("eos")
    second, fourth = mean(gamma**2).value, mean(gamma**4).value
    argument = Argument()
    argument.equal("E gamma^2 = n/d", second, _n / _d)
    argument.nonnegative("E gamma^4 <= 3 (E gamma^2)^2", 3 * second**2 - fourth, {"n": 1, "d": 1})
    share = Fraction(9, 10) ** 2 / 3
    argument.true("(1 - 1/10)^2/3 is above 1/4", share > Fraction(1, 4), str(share))
    if not argument.holds:
        return None
    grows = "|V(h)| = t, d fixed" if count < Fraction(1, 2) else "d = t, |V(h)| fixed"
    stated = f"t^({count})" if count < Fraction(1, 2) else f"t^(-{dimension})"
    exact = "t^(1/2)" if count < Fraction(1, 2) else "t^(-1/2)"
    return {
        "z": "EOS",
        "delta'": Fraction(1, 4),
        "sizes": f"{grows}, t to infinity",
        "|gamma_z|": f"at least sqrt(|V(h)|/(10 d)) ~ {exact} with probability {share} (Paley-Zygmund)",
        "stated": f"C log(4) ~ {stated}",
    }


# -- all scores of a head -------------------------------------------------------------------------


@dataclass(frozen=True)
class Separation:
    """d >= constant n^keys log(|V|/delta)^log implies, with probability 1 - delta,
    <v,phi(z)> > <v,phi(EOS)> + low > <v,phi(z')> + high for z in V(h) and z' not in V(h).

    *eos*: whether z' may be EOS. n >= 1.
    """

    constant: Fraction
    keys: Fraction
    log: Fraction
    low: Fraction
    high: Fraction
    eos: bool

    @property
    def room(self) -> Fraction:
        """Deviations below this leave both inequalities true."""
        half = Fraction(1, 2)
        return min(half - self.low, half + self.low - self.high) / 2


def separation(stated: Separation) -> Argument:
    """The statement for all d, n >= 1, |V| >= 4 and delta <= 1."""
    if stated.eos and stated.low <= stated.high:
        return Argument().refute(
            {
                "z'": "EOS, which is in V and not in V(h)",
                "d, V(h), embeddings": "any",
                "second inequality": f"<v,phi(EOS)> + {stated.low} > <v,phi(EOS)> + {stated.high}",
                "P(it holds)": 0,
            }
        )
    if searching() and stated.low >= Fraction(1, 2):
        return Argument().refute(
            {
                "|V(h)|": 1,
                "d": "any, as large as the condition asks",
                "first inequality": f"1/2 - <phi(z),phi(EOS)>/2 > {stated.low}",
                "P(it holds)": "at most 1/2, by the sign symmetry of phi(z)",
            }
        )
    found = next(_crowds(stated), None)
    if found is not None:
        return Argument().refute(found)
    argument, room, half = Argument(), stated.room, Fraction(1, 2)
    worst = _proxies(argument)
    argument.true("the room for deviations is positive", room > 0, str(room))
    for words, above, below in (
        ("a key above EOS", 1 - room, half + room + stated.low),
        ("EOS above others", half - room + stated.low, room + stated.high),
    ):
        argument.true(
            f"|gamma| < {room} for all tokens gives {words}", above >= below, f"{above} >= {below}"
        )
    argument.infer(
        "of keys only gamma > -room is needed, of other tokens gamma < room, of EOS both: at most "
        f"|V| + 1 one-sided tails exp(-room^2 d/(2 ({worst}) n))",
        "Chernoff's bound, n + 2 + (|V| - n - 1) tails",
    )
    argument.true(
        "d >= constant n log(|V|/delta)",
        stated.keys >= 1 and stated.log >= 1,
        "n >= 1 and log(|V|/delta) >= log 4 > 1, so higher powers ask for more",
    )
    with precision():
        rate = ball(stated.constant * room**2 / (2 * worst))
        argument.at_most(
            "|V| + 1 <= (5/4) |V|, and the exponent less log(|V|/delta) is at least log(5/4)",
            ball(Fraction(5, 4)).log(),
            (rate - 1) * ball(LEAST_TOKENS).log(),
        )
        argument.at_most("which needs a rate of at least one", arb(1), rate)
    argument.infer("the failure probability is at most delta", "union bound")
    return argument


def overlap_tail_log(s: arb, d: int) -> arb:
    """A lower bound on log P(<u, v> > s), 0 <= s < 1, u and v uniform on the sphere of R^d, d >= 2.

    From P = I_{1-s^2}(a, 1/2)/2 with a = (d-1)/2 and I_x(a, b) >= x^a/(a B(a, b)).
    """
    a = ball(Fraction(d - 1, 2))
    beta = (a + 1).lgamma() + arb.pi().log() / 2 - (a + arb(1) / 2).lgamma()
    return a * (1 - s**2).log() - beta - arb(2).log()


#: Powers of ten for the number of tokens, and of keys, at which a wrong condition is tried.
_TOKENS, _KEYS = (1, 3, 6, 12, 20, 50, 100, 200), (2, 4, 6, 8, 12, 20)
_DELTA = Fraction(1, 4)


def _crowds(stated: Separation) -> Iterator[Witness]:
    """Sizes within the condition at which some token outside scores too high, with probability above
    delta = 1/4."""
    cases = [(1, 10**k) for k in _TOKENS] + [(10**k, 4 * 10**k) for k in _KEYS]
    for n, tokens in cases:
        with precision():
            L = ball(tokens / _DELTA).log()
            least = ball(stated.constant) * ball(n) ** ball(stated.keys)
            d = max(math.ceil(upper(least * L ** ball(stated.log))), 4)
            gap = stated.high - stated.low
            if n == 1:
                # <phi(z),phi(EOS)> <= 0 with probability 1/2; then |v|^2 <= 5/4 and
                # <v,phi(EOS)> - gap <= 1/2 - gap.
                s = ball(Fraction(1, 2) - gap) / ball(Fraction(5, 4)).sqrt()
                chance = ball(Fraction(1, 2))
            else:
                # |v| >= sqrt(n)/2 - 1/2 where |sum phi(z)|^2 >= n/4, by Chebyshev's inequality.
                s = ball(Fraction(1, 2) - gap) * 2 / (ball(n).sqrt() - 1)
                chance = ball(Fraction(1, 2)) * (1 - ball(Fraction(32, 9 * d)))
            if not s < 1:
                continue
            expected = (overlap_tail_log(s, d) + ball(tokens - n - 1).log()).exp()
            failure = chance * (1 - (-expected).exp())
            if failure > ball(_DELTA):
                yield {
                    "|V(h)|": n,
                    "|V|": f"{tokens:.0e}" if tokens > 10**6 else tokens,
                    "delta": _DELTA,
                    "d": d,
                    "P(some z' scores too high)": f"at least {failure.str(4, radius=False)}",
                }
