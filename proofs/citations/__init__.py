"""What is taken on trust: published theorems and textbook facts, each stated once, with trials of it.

``argument.cite(text, MARKOV)`` says how one is used; its name is what assumptions list. A claim of the
catalogue is used (``argument.use``), never cited.
"""

from proofs.citations.citation import Citation, Trial, Tried
from proofs.citations.counting import COVER, WARREN
from proofs.citations.hypercontractivity import (
    BECKNER,
    BECKNER_PRODUCTS,
    BOGACHEV,
    BONAMI,
    NELSON,
)
from proofs.citations.information import GIBBS
from proofs.citations.probability import (
    BOOLE,
    CAUCHY_SCHWARZ,
    HOELDER,
    JENSEN,
    LARGE_NUMBERS,
    MARKOV,
    POPOVICIU,
)
from proofs.citations.vectors import (
    BETA_GAMMA,
    BETA_PROXY,
    CHI_SQUARED_MGF,
    COORDINATE_LAW,
    GAUSSIAN_MGF,
    GAUSSIAN_ROTATION,
    SINGULAR_VALUES,
    SPHERE_ROTATION,
)

#: All of them, by name.
CITATIONS = {
    one.name: one
    for one in (
        BECKNER,
        BECKNER_PRODUCTS,
        BETA_GAMMA,
        BETA_PROXY,
        BOGACHEV,
        BONAMI,
        BOOLE,
        CAUCHY_SCHWARZ,
        CHI_SQUARED_MGF,
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
    )
}

__all__ = [
    "BECKNER",
    "BECKNER_PRODUCTS",
    "BETA_GAMMA",
    "BETA_PROXY",
    "BOGACHEV",
    "BONAMI",
    "BOOLE",
    "CAUCHY_SCHWARZ",
    "CHI_SQUARED_MGF",
    "CITATIONS",
    "COORDINATE_LAW",
    "COVER",
    "GAUSSIAN_MGF",
    "GAUSSIAN_ROTATION",
    "GIBBS",
    "HOELDER",
    "JENSEN",
    "LARGE_NUMBERS",
    "MARKOV",
    "NELSON",
    "POPOVICIU",
    "SINGULAR_VALUES",
    "SPHERE_ROTATION",
    "WARREN",
    "Citation",
    "Trial",
    "Tried",
]
