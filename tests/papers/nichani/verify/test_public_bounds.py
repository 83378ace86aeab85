"""Public bounds with a wrong constant, a missing rival or another count are not the printed ones."""

from fractions import Fraction
from functools import partial

import pytest

from proofs.capacity import attention, attention_margin, attention_mlp
from proofs.capacity import low_rank as public_rank
from proofs.capacity.attention_margin import Constants
from proofs.capacity.attention_mlp import AttentionMLP
from proofs.capacity.mlp import MLP
from verify.papers.nichani import low_rank, table_comparisons
from verify.papers.nichani.table_tails import Table, Tail
from verify.verdict import Verdict


def defaults(monkeypatch, kind, **wrong):
    """Other defaults in place of those of a class."""
    original = kind.__init__
    monkeypatch.setattr(
        kind, "__init__", lambda self, *sizes, **options: original(self, *sizes, **wrong, **options)
    )


def changed(monkeypatch, module, name, change):
    """What a function of a module gives is changed."""
    original = getattr(module, name)
    monkeypatch.setattr(module, name, lambda *sizes, **options: change(original(*sizes, **options)))


@pytest.fixture(autouse=True)
def nothing_remembered():
    """A bound that was found with what is changed here is not the one that is found without."""
    attention._on_cells.cache_clear()
    yield
    attention._on_cells.cache_clear()


@pytest.fixture(scope="module")
def holds(registry):
    """Whether a comparison of a public bound with the printed one holds."""
    printed = {
        name: registry[f"nichani.{id_}"].formulas
        for name, id_ in {
            "rank": "thm1.lowrank.explicit.integral",
            "law": "thm1.lowrank.explicit.law",
            "gaps": "lem1.explicit.gaps",
            "condition": "thm10.explicit.condition",
            "answers": "thm11.explicit.condition",
        }.items()
    }
    gaps, answers = printed["gaps"], printed["answers"]
    spread, half = (answers[name].number() for name in ("spread", "half"))
    constants, leak = printed["condition"], Fraction(1, 2)
    tail = Tail(Fraction(1), leak, 200, 150, leak)
    compared = {
        "rank": partial(low_rank.public_bound, printed["rank"], printed["law"]),
        "gaps": partial(
            table_comparisons.public_gaps, gaps["gap"].number(), gaps["inside"], gaps["outside"]
        ),
        "tail": partial(table_comparisons.public_tail, tail),
        "condition": partial(table_comparisons.public_condition, constants, gaps, leak),
        "answers": partial(table_comparisons.public_answers, spread, half, gaps),
    }
    return lambda name: compared[name]().holds


def only(monkeypatch, module, *places):
    """The comparison at some of its places alone: it takes seconds."""
    monkeypatch.setattr(module, "PLACES", [module.PLACES[place] for place in places])


@pytest.mark.parametrize("name", ["rank", "gaps", "tail", "condition", "answers"])
def test_the_public_bound_is_the_printed_one(holds, name):
    assert holds(name)


# -- memories of rank m ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong",
    [{"noise": Fraction(1, 4)}, {"coincident": Fraction(0)}, {"signal": Fraction(6, 5)}],
    ids=str,
)
def test_other_constants_of_the_margins_are_noticed(monkeypatch, holds, wrong):
    only(monkeypatch, low_rank, 0)
    defaults(monkeypatch, public_rank.LowRank, **wrong)
    assert not holds("rank")


@pytest.mark.parametrize(
    ("place", "inside", "outside", "terms"),
    [(0, -1, 0, 0), (2, 0, -1, 0), (2, 0, None, 0), (0, None, 0, 0), (0, 0, 0, -1), (0, 1, 0, 0)],
)
def test_another_count_of_rivals_or_terms_is_noticed(
    monkeypatch, holds, place, inside, outside, terms
):
    """None: no such rivals at all."""
    only(monkeypatch, low_rank, place)

    def lost(d, N, M, single):
        rivals = (
            0 if less is None else max(many + less, 0)
            for many, less in ((N - 1, inside), (M - N, outside))
        )
        numbers = [max(n + terms, 0) for n in (N - 2, N - 1)]
        bounds = (single.bound(d, beta, n) for beta, n in zip((1, 0), numbers, strict=True))
        return min(sum(n * it for n, it in zip(rivals, bounds, strict=True)), Fraction(1))

    monkeypatch.setattr(public_rank, "fact_lost", lost)
    assert not holds("rank")


def test_another_law_of_the_alignment_is_noticed(monkeypatch, holds):
    only(monkeypatch, low_rank, 0)
    original = public_rank.alignment_cells
    monkeypatch.setattr(
        public_rank,
        "alignment_cells",
        lambda d, m, factors, levels: original(d, min(m + 4, d), factors, levels),
    )
    assert not holds("rank")


# -- heads and margins ----------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [{"gap": Fraction(8)}, {"gap": Fraction(17)}], ids=str)
def test_another_constant_of_the_gaps_is_noticed(monkeypatch, holds, wrong):
    key_failure = partial(table_comparisons.key_failure, **wrong)
    monkeypatch.setattr(table_comparisons, "key_failure", key_failure)
    assert not holds("gaps")


def test_a_token_less_is_noticed(monkeypatch, holds):
    original = table_comparisons.key_failure
    monkeypatch.setattr(
        table_comparisons,
        "key_failure",
        lambda d, heads, tokens: original(d, heads, tokens - 1),
    )
    assert not holds("gaps")


CONSTANTS = [
    Constants(noise=Fraction(1, 2)),
    Constants(leak=Fraction(1, 4)),
    Constants(leak=Fraction(0)),
]


@pytest.mark.parametrize("wrong", CONSTANTS, ids=str)
def test_other_constants_of_the_tail_are_noticed(monkeypatch, holds, wrong):
    monkeypatch.setattr(attention_margin, "PROVED", wrong)
    assert not holds("tail")


@pytest.mark.parametrize("wrong", CONSTANTS, ids=str)
def test_other_constants_of_the_condition_are_noticed(monkeypatch, holds, wrong):
    only(monkeypatch, table_comparisons, 0 if wrong.leak == Constants().leak else 3)
    defaults(monkeypatch, attention.AttentionOnly, constants=wrong)
    assert not holds("condition")


@pytest.mark.parametrize("wrong", [Fraction(8), Fraction(15)], ids=str)
def test_other_gaps_of_the_condition_are_noticed(monkeypatch, holds, wrong):
    only(monkeypatch, table_comparisons, 0)
    defaults(monkeypatch, attention.AttentionOnly, gap=wrong)
    assert not holds("condition")


@pytest.mark.parametrize(
    ("place", "signal", "names"),
    [
        (0, (0, 1), ["many", "with_subject", "with_relation", "kind"]),
        (0, (1, 0), ["many", "with_subject", "kind"]),
        (1, (1, 1), ["many", "with_relation", "kind"]),
        (2, (1, 1), ["many", "with_subject", "kind"]),
    ],
)
def test_fewer_rivals_or_weights_are_noticed(monkeypatch, holds, place, signal, names):
    def fewer(kinds, name):
        for it in kinds:
            if (it.by_subject, it.by_relation) != signal:
                yield it
            elif name != "kind":
                yield it._replace(**{name: getattr(it, name) - 1})

    only(monkeypatch, table_comparisons, place)
    for name in names:
        with monkeypatch.context() as patch:
            changed(
                patch, attention, "competitors", lambda kinds, name=name: tuple(fewer(kinds, name))
            )
            assert not holds("condition"), name


@pytest.mark.parametrize(
    ("place", "part"),
    [(3, "leak_s"), (3, "trace_s"), (3, "norm_s"), (4, "leak_r"), (4, "trace_r")],
)
def test_other_keys_that_are_not_counted_are_noticed(monkeypatch, holds, place, part):
    only(monkeypatch, table_comparisons, place)
    changed(monkeypatch, attention.Margin, "over", lambda it: it._replace(**{part: 0 * it.signal}))
    assert not holds("condition")


def test_a_table_whose_norms_are_not_known_is_refused():
    table = Table(["a", "a", "a"], [[0, 1, 2]], [[0]], 0)
    with pytest.raises(ValueError, match=r"^heads: "):
        next(table.facts())


# -- answers of the construction with an MLP ------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [{"gap": Fraction(8)}, {"spread": Fraction(3)}, {"sigma": (0, 0, 1, 1)}], ids=str
)
def test_other_constants_of_the_answers_are_noticed(monkeypatch, holds, wrong):
    defaults(monkeypatch, AttentionMLP, **wrong)
    assert not holds("answers")


@pytest.mark.parametrize("name", ["mean", "variance", "noise"])
def test_other_moments_of_the_weights_are_noticed(monkeypatch, holds, name):
    original = attention_mlp.weights
    monkeypatch.setattr(
        attention_mlp,
        "weights",
        lambda sigma: (it := original(sigma))._replace(**{name: getattr(it, name) * 11 / 10}),
    )
    assert not holds("answers")


# -- the condition of Theorem 9 -------------------------------------------------------------------

MOMENTS = "nichani.thm9.explicit.moments"


@pytest.mark.parametrize("wrong", [{"scale": Fraction(99, 100)}, {"pairs": 1}], ids=str)
def test_another_union_over_moments_is_noticed(monkeypatch, judge, wrong):
    defaults(monkeypatch, MLP, **wrong)
    assert judge(MOMENTS, context=judge.fresh()).verdict is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("part", [0, 1, 2])
def test_other_moments_of_the_margin_are_noticed(monkeypatch, judge, part):
    from proofs.capacity import mlp

    changed(
        monkeypatch,
        mlp,
        "_moments",
        lambda found: tuple(it * (1 + Fraction(i == part, 100)) for i, it in enumerate(found)),
    )
    assert judge(MOMENTS, context=judge.fresh()).verdict is Verdict.INCONCLUSIVE
