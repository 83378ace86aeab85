"""Linear relations between entropies of named variables, as identities of rational functions.

H of every set of variables is a symbol, so an identity of these symbols holds for every joint law.
Variables have names of one letter: ``mutual("XY", "Z")`` is I(X, Y; Z). Serves App. E.2 and E.3.
"""

from __future__ import annotations

from proofs.algebra import RationalFunction


def joint_entropy(names: str) -> RationalFunction:
    """H of the variables in *names*, each a letter; 0 for none."""
    letters = "".join(sorted(set(names)))
    return RationalFunction.symbol(f"H_{letters}") if letters else RationalFunction.constant(0)


def mutual(left: str, right: str, given: str = "") -> RationalFunction:
    """I(left; right | given)."""
    return (
        joint_entropy(left + given)
        + joint_entropy(right + given)
        - joint_entropy(left + right + given)
        - joint_entropy(given)
    )
