"""What is refused in a claim by itself, before any check is asked: its id, closed lists, its mutants."""

from __future__ import annotations

from collections.abc import Iterable

from verify.claim.statement import Claim, Mutant
from verify.errors import CatalogueError
from verify.printed.ids import require_id, require_shallow

#: What sort of statement a claim may be, and how much it may weigh.
KINDS = ("identity", "inequality", "bound", "existence", "asymptotic", "algorithm", "empirical")
TIERS = (1, 2, 3)


def require_sound(claim: Claim) -> None:
    """Raise CatalogueError, which begins with the id, for what cannot be in a claim by itself."""
    require_id(claim.id)
    if claim.kind not in KINDS:
        raise CatalogueError(unknown(claim.id, "kind", claim.kind, KINDS))
    if claim.tier not in TIERS:
        raise CatalogueError(unknown(claim.id, "tier", claim.tier, TIERS))
    try:
        require_shallow((claim.statement, claim.title, claim.where, claim.consequence))
        require_shallow((*claim.hypotheses, *claim.by_hand, claim.reading_note))
        _require_mutants(claim)
    except CatalogueError as error:
        raise CatalogueError(f"{claim.id}: {error}") from None


def unknown(id_: str, field: str, value: object, known: Iterable[object]) -> str:
    """What there is to say of a value that is not in a closed list."""
    return f"{id_}: {field} = {value!r} is unknown; take one of {', '.join(map(str, known))}"


def _require_mutants(claim: Claim) -> None:
    """Mutants by hand differ from what is printed, and from each other."""
    printed = Mutant("", claim.formulas)
    seen = {_tree(claim, printed): printed}
    for mutant in claim.wrong:
        if others := mutant.formulas.keys() - claim.formulas.keys():
            raise CatalogueError(
                f"the mutant {mutant.name!r} changes {', '.join(sorted(others))}, which is no formula "
                "of the claim; name one that is"
            )
        other = seen.setdefault(_tree(claim, mutant), mutant)
        if other is printed:
            raise CatalogueError(
                f"the mutant {mutant.name!r} is what is printed, so nothing could reject it; change it "
                "or leave it out"
            )
        if other is not mutant:
            raise CatalogueError(
                f"the mutants {other.name!r} and {mutant.name!r} are the same; leave one out"
            )
    if len(set(claim.faults)) < len(claim.faults):
        raise CatalogueError("faults names one twice; leave one out")


def _tree(claim: Claim, mutant: Mutant) -> tuple[object, ...]:
    """The formulas with those of a mutant in their place, as they are written once they are read."""
    whole = {**claim.formulas, **mutant.formulas}
    return mutant.construction, *((name, str(formula)) for name, formula in sorted(whole.items()))
