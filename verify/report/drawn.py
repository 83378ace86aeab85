"""What the text of a paper draws from a statement, directly and through others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verify.claim import Claim, Entry

#: So many statements that are reached through others are named.
_NAMED = 3


@dataclass(frozen=True)
class Drawn:
    """*direct*: the claims that the text draws from a statement itself; *gravest*: of those that it
    draws through them the most important; *through*: how many these are in all."""

    direct: tuple[str, ...]
    gravest: tuple[str, ...]
    through: int

    @property
    def more(self) -> int:
        """How many are reached through others and not named."""
        return self.through - len(self.gravest)


class PrintedUses:
    """The claims of a catalogue by what their text is drawn from."""

    def __init__(self, claims: Iterable[Claim | Entry]) -> None:
        self._place: dict[str, tuple[int, int]] = {}
        self._next: dict[str, list[str]] = {}
        for i, claim in enumerate(claims):
            # A statement of low tier counts for more, and of these the last, which ends a proof.
            self._place[claim.id] = (claim.tier, -i)
            for other in claim.printed_uses:
                self._next.setdefault(other, []).append(claim.id)

    def from_it(self, id_: str) -> Drawn:
        """What is drawn from the claim *id_*."""
        direct = self._next.get(id_, [])
        reached, pending = {id_, *direct}, list(direct)
        while pending:
            for further in self._next.get(pending.pop(), []):
                if further not in reached:
                    reached.add(further)
                    pending.append(further)
        through = reached - {id_, *direct}
        gravest = sorted(through, key=self._place.__getitem__)[:_NAMED]
        return Drawn(tuple(direct), tuple(gravest), len(through))
