"""The parts of a paper (a theorem with its proof, a lemma, a section) as the ids of its claims tell.

``paper.thm1.mean`` and ``paper.thm1.union`` belong to Theorem 1 of that paper; what belongs to nothing
numbered and stands alone is gathered at the end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verify.claim import Claim, Origin
from verify.printed.paper import Paper, part_of
from verify.report.text import by_paper

_KINDS = {
    "thm": "Theorem",
    "lem": "Lemma",
    "cor": "Corollary",
    "prop": "Proposition",
    "fig": "Figure",
    "eq": "Equation",
    "s": "Section",
}
_NUMBERED = re.compile(rf"({'|'.join(_KINDS)})(\d+)$")
_OTHERS = "Further statements"
#: A result that is stated twice, the second time in full.
_TWICE = re.compile(r"(\w+) (\d+) \(= (\d+)\)")


@dataclass(frozen=True, eq=False)
class Part:
    """Claims that belong together: *prefix* is what their ids share, *anchor* is unique; *names* are
    those by which one may look for it, two where the paper states it twice."""

    anchor: str
    prefix: str
    title: str
    paper: str
    claims: tuple[Claim, ...]
    names: tuple[str, ...]

    def local(self, id_: str) -> str:
        """The id without what all ids of the part share."""
        return id_.removeprefix(f"{self.prefix}.")


def parts(claims: Sequence[Claim], papers: Iterable[Paper] = ()) -> list[Part]:
    """The parts by paper, in the order in which they first occur; no claim is in two.

    *papers* tell which results they state twice.
    """
    found: list[Part] = []
    twice = _twice(papers)
    taken: Counter[str] = Counter()
    for paper, members in by_paper(claims).items():
        extended = {part_of(c.id) for c in members if _is_one_of_many(c)}
        groups: dict[tuple[bool, str], list[Claim]] = {}
        for claim in members:
            prefix = part_of(claim.id)
            alone = prefix not in extended and not _NUMBERED.match(prefix.rpartition(".")[2])
            key = (alone, claim.id.partition(".")[0] if alone else prefix)
            groups.setdefault(key, []).append(claim)
        for (alone, prefix), group in sorted(groups.items(), key=lambda item: item[0][0]):
            taken[prefix] += 1
            number = f"-{taken[prefix]}" if taken[prefix] > 1 else ""
            title = _OTHERS if alone else _title(prefix)
            names: tuple[str, ...] = (title,)
            if not alone and prefix in twice:
                names = (title, f"{title.partition(' ')[0]} {twice[prefix]}")
                title = f"{title} (= {twice[prefix]})"
            anchor = f"part-{prefix}{number}"
            found.append(Part(anchor, prefix, title, paper, tuple(group), names))
    return found


def numbered_part(id_: str) -> str:
    """The theorem, lemma or section that an id belongs to, such as "Theorem 7"; may be empty."""
    name = part_of(id_).rpartition(".")[2]
    return _title(name) if _NUMBERED.match(name) else ""


def _is_one_of_many(claim: Claim) -> bool:
    """Whether its id says which statement of its part it is."""
    own = claim.id.split(".")
    return len(own) - (claim.origin is Origin.CORRECTED) > 2


def _twice(papers: Iterable[Paper]) -> dict[str, str]:
    """The other number of a result that its paper states twice, by the prefix of its claims."""
    return {
        part_of(result.statements[0]): match[2]
        for paper in papers
        for result in paper.results
        if (match := _TWICE.fullmatch(result.name))
    }


def _title(prefix: str) -> str:
    name = prefix.rpartition(".")[2]
    if match := _NUMBERED.match(name):
        return f"{_KINDS[match[1]]} {match[2]}"
    return name.replace("-", " ").capitalize()
