"""Tables of facts whose subjects, relations and answers have names.

Serves Sec. 4.1 of arXiv 2412.06538: the same dictionary of facts, from data with words in it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import torch

from numerics.checks import check_kind, check_names
from numerics.errors import InputError
from numerics.tasks.tables import NOT_A_FACT, FactTable

Fact = tuple[str, str, str]


def _check_names(role: str, names: Sequence[str], count: int) -> None:
    check_names(role, names)
    if len(names) != count:
        raise InputError(f"{role} has {len(names)} names for {count} indices: pass {count} names")
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(f"{role} has the name {name!r} {times} times: pass different names")


def _label(thing: str, relation: str) -> str:
    """The name of the answer `thing` of one relation where others have that object too."""
    return f"{thing} ({relation})"


@dataclass(frozen=True, eq=False)
class NamedTable:
    """A table with a name for each index of its subjects, relations and answers.

    `shared` maps an object that several relations have to those relations: Assumption 1 wants
    their answers apart, so each relation has an answer token "object (relation)" of its own.

    InputError where the names do not fit the table, or one role has a name twice. A name in two
    roles (the country Singapore and its capital) is no error: tokens are numbered by role, so
    the vocabulary stays disjoint; `overlapping` lists such names.
    """

    table: FactTable
    subjects: tuple[str, ...]
    relations: tuple[str, ...]
    answers: tuple[str, ...]
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_kind("table", self.table, FactTable, "a FactTable")
        check_kind("shared", self.shared, Mapping, "a dictionary, {} where no object is shared")
        _check_names("subjects", self.subjects, self.table.S)
        _check_names("relations", self.relations, self.table.R)
        _check_names("answers", self.answers, self.table.A)

    @property
    def overlapping(self) -> tuple[str, ...]:
        """The names with more than one role among subject, relation and answer, sorted."""
        roles = Counter([*self.subjects, *self.relations, *self.answers])
        return tuple(sorted(name for name, count in roles.items() if count > 1))

    def answer(self, subject: str, relation: str) -> str:
        """The name of a*(subject, relation); InputError for an unknown name or no fact."""
        for role, name, names in (
            ("subject", subject, self.subjects),
            ("relation", relation, self.relations),
        ):
            if name not in names:
                raise InputError(f"{role} = {name!r} is not in the table: pass one of `{role}s`")
        s, r = self.subjects.index(subject), self.relations.index(relation)
        answer = int(self.table.answers[s, r])
        if answer == NOT_A_FACT:
            raise InputError(
                f"the table has no fact about {subject!r} and {relation!r}: "
                "pass a pair that `table.facts` lists"
            )
        return self.answers[answer]

    def about(self, subjects: Sequence[str]) -> "NamedTable":
        """The facts about these subjects, in their order: names stay, answers of others go.

        `shared` is what is still shared: an object whose relations but one have gone keeps its label
        "object (relation)" all the same. InputError for a name that is no subject, for one twice,
        and where no fact is left.
        """
        check_names("subjects", subjects)
        numbers = {name: s for s, name in enumerate(self.subjects)}
        for name in subjects:
            if name not in numbers:
                raise InputError(f"subject = {name!r} is not in the table: pass some of `subjects`")
        rows = self.table.answers[[numbers[name] for name in subjects]]
        kept = torch.unique(rows[rows != NOT_A_FACT])
        entries = torch.where(rows == NOT_A_FACT, NOT_A_FACT, torch.searchsorted(kept, rows))
        answers = tuple(self.answers[a] for a in kept.tolist())
        left = set(answers)
        shared = {
            thing: tuple(label for label in labels if _label(thing, label) in left)
            for thing, labels in self.shared.items()
        }
        return NamedTable(
            FactTable(entries),
            tuple(subjects),
            self.relations,
            answers,
            {thing: labels for thing, labels in shared.items() if len(labels) > 1},
        )


def name_facts(facts: Sequence[Fact]) -> NamedTable:
    """The table of facts (subject, relation, object), at least one, no pair twice.

    Subjects and relations are numbered as they first appear; answers relation by relation, and
    in one relation as they first appear. InputError where "object (relation)" of a shared
    object is the name of another answer.
    """
    subjects = {name: s for s, name in enumerate(dict.fromkeys(fact[0] for fact in facts))}
    relations = {name: r for r, name in enumerate(dict.fromkeys(fact[1] for fact in facts))}
    owners: dict[str, list[str]] = {}
    for relation, thing in dict.fromkeys((fact[1], fact[2]) for fact in facts):
        owners.setdefault(thing, []).append(relation)
    shared = {thing: tuple(names) for thing, names in owners.items() if len(names) > 1}
    objects = dict.fromkeys((relations[relation], thing) for _, relation, thing in facts)
    # Python sorts stably: within a relation the order of appearance stays.
    ordered = sorted(objects, key=lambda pair: pair[0])
    answers = {pair: a for a, pair in enumerate(ordered)}
    entries = torch.full((len(subjects), len(relations)), NOT_A_FACT)
    for subject, relation, thing in facts:
        r = relations[relation]
        entries[subjects[subject], r] = answers[r, thing]
    labels = tuple(relations)
    names = tuple(_label(thing, labels[r]) if thing in shared else thing for r, thing in ordered)
    for name, times in Counter(names).items():
        if times > 1:
            raise InputError(
                f"{name!r} is an object, and the name that keeps a shared object of two relations "
                "apart: rename that object"
            )
    return NamedTable(FactTable(entries), tuple(subjects), labels, names, shared)
