"""What is taken on trust: published theorems and textbook facts, each stated once.

``argument.cite(text, MARKOV)`` says how one is used; its name is what assumptions list.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Theorem:
    """A theorem that is used and not proved here: its name, what it says, and where it is proved."""

    name: str
    statement: str
    source: str

    def __str__(self) -> str:
        return self.name


_BILLINGSLEY = "Billingsley, Probability and Measure, 1995"
_BOUCHERON = "Boucheron, Lugosi and Massart, Concentration Inequalities, 2013, Ch. 2"
_COVER = "Cover and Thomas, Elements of Information Theory, 2006, Ch. 2"
_VERSHYNIN = "Vershynin, High-Dimensional Probability, 2018, Ch. 3"

# -- probability ----------------------------------------------------------------------------------

BOOLE = Theorem(
    "Boole's inequality", "P(some A_i) <= sum_i P(A_i), whatever their joint law", _BILLINGSLEY
)
MARKOV = Theorem("Markov's inequality", "P(X >= a) <= E X/a for X >= 0 and a > 0", _BILLINGSLEY)
CANTELLI = Theorem(
    "Cantelli's inequality", "P(X <= E X - t) <= Var X/(Var X + t^2) for t > 0", _BOUCHERON
)
CHERNOFF = Theorem("Chernoff's bound", "P(X >= t) <= E exp(s X - s t) for every s >= 0", _BOUCHERON)
JENSEN = Theorem("Jensen's inequality", "f(E X) <= E f(X) for convex f", _BILLINGSLEY)
HOELDER = Theorem(
    "Hoelder's inequality",
    "E|X_1 ... X_n| <= prod ||X_i||_(p_i) where sum 1/p_i = 1",
    _BILLINGSLEY,
)
CAUCHY_SCHWARZ = Theorem(
    "the Cauchy-Schwarz inequality", "|<x, y>| <= |x| |y|, equality for multiples", _BILLINGSLEY
)
POPOVICIU = Theorem(
    "Popoviciu's inequality",
    "0 <= Var X <= (max X - min X)^2/4",
    "Popoviciu, Mathematica (Cluj) 9, 1935",
)
LARGE_NUMBERS = Theorem(
    "strong law of large numbers",
    "means of independent integrable X_i of one law tend to E X almost surely",
    f"{_BILLINGSLEY}, Th. 22.1",
)

# -- laws of random vectors -----------------------------------------------------------------------

GAUSSIAN_MGF = Theorem(
    "moment generating function of the standard Gaussian",
    "E exp(<z, g>) = exp(|z|^2/2)",
    _BILLINGSLEY,
)
SPHERE_ROTATION = Theorem(
    "rotation invariance of the uniform law on the sphere", "O e has the law of e", _VERSHYNIN
)
COORDINATE_LAW = Theorem(
    "law of a coordinate of a uniform unit vector",
    "its square is Beta(1/2, (d-1)/2) for d >= 2, and 1 for d = 1; its odd moments vanish",
    _VERSHYNIN,
)
SPHERE_SIGNS = Theorem(
    "sign symmetry of the uniform law on the sphere", "-e has the law of e", _VERSHYNIN
)
GAUSSIAN_ROTATION = Theorem(
    "rotation invariance of the Gaussian law", "O g has the law of g ~ N(0, I)", _VERSHYNIN
)
BETA_GAMMA = Theorem(
    "beta-gamma algebra",
    "for independent Gamma variables of one scale X/(X + Y) is Beta and independent of X + Y",
    "Lukacs, Annals of Mathematical Statistics 26, 1955",
)
BETA_PROXY = Theorem(
    "Marchal and Arbel 2017, optimal variance proxy of the Beta law",
    "Beta(a, b) is sub-Gaussian with the proxy 1/(4 (a + b + 1))",
    "Marchal and Arbel, Electronic Communications in Probability 22, 2017",
)
SINGULAR_VALUES = Theorem(
    "Davidson and Szarek; concentration of Lipschitz functions",
    "P(s_min(G) < sqrt d - sqrt k - t) <= exp(-t^2/2) for a Gaussian d x k matrix G",
    "Davidson and Szarek, Handbook of the Geometry of Banach Spaces 1, 2001, Th. II.13",
)

# -- hypercontractivity and density ---------------------------------------------------------------

NELSON = Theorem(
    "Nelson 1973",
    "the Gaussian noise operator r <= (q - 1)^(-1/2) maps L^2 to L^q with norm 1",
    "Nelson, Journal of Functional Analysis 12, 1973",
)
BONAMI = Theorem(
    "Bonami 1970", "the same for a random sign", "Bonami, Annales de l'Institut Fourier 20, 1970"
)
BECKNER = Theorem(
    "Beckner 1992",
    "the same on the sphere, r^j on harmonics of degree j",
    "Beckner, Proceedings of the National Academy of Sciences 89, 1992",
)
RIESZ = Theorem(
    "Riesz 1923, by exponential moments",
    "polynomials are dense in L^2 of a law with exponential moments",
    "M. Riesz, Acta Scientiarum Mathematicarum 1, 1923",
)
BOGACHEV = Theorem(
    "Bogachev 1998, Gaussian Measures",
    "polynomials are dense in the Gaussian Sobolev spaces",
    "Bogachev, Gaussian Measures, 1998",
)

# -- counting -------------------------------------------------------------------------------------

WARREN = Theorem(
    "Warren's theorem",
    "n >= P polynomials of degree D in P variables have at most (8 e D n/P)^P patterns of signs",
    "Warren, Transactions of the American Mathematical Society 133, 1968",
)
COVER = Theorem(
    "Cover's function-counting theorem",
    "n vectors of R^d in general position are cut in 2 sum_{j<d} binom(n-1, j) ways, others in fewer",
    "Cover, IEEE Transactions on Electronic Computers 14, 1965",
)

# -- information ----------------------------------------------------------------------------------

GIBBS = Theorem("Gibbs' inequality", "D(p || q) >= 0, equality for p = q alone", _COVER)
SHANNON = Theorem(
    "entropy and information are not negative (Shannon)", "H(X) >= 0 and I(X; Y | Z) >= 0", _COVER
)
