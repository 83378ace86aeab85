"""What we conclude: the papers' claims, checked on independent roads, with a verdict for each.

In a notebook: ``verify.check(claim)`` runs the checks of one claim and returns its result.
"""

from typing import Any

__all__ = ["__version__", "check"]

__version__ = "0.1.0"


def check(claim: Any, *, registry: Any = None, **settings: Any) -> Any:
    """Run all checks of a claim (an id or a Claim) in this process; returns its ClaimResult.

    *registry*: where the claim lives, by default the papers' catalogue. *settings*: seed, profile,
    device, as in ``verify.measuring.context.Context``.
    """
    from verify.running.runner import check_claim

    return check_claim(claim, registry=registry, **settings)
