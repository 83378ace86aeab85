"""Sentences for a table with names: what a reader writes and reads, and what is refused."""

import pytest
import torch

from numerics import InputError, world_table
from numerics.tasks import NamedTable, Words
from numerics.tasks.named import name_facts

FACTS = [
    ("France", "capital", "Paris"),
    ("France", "largest city", "Paris"),
    ("Singapore", "capital", "Singapore"),
    ("Japan", "capital", "Tokyo"),
]
NOISE = ("the", "of", "is")


@pytest.fixture
def names() -> NamedTable:
    return name_facts(FACTS)


@pytest.fixture
def words(names: NamedTable) -> Words:
    return Words(names, noise=NOISE, T=6)


def test_a_sentence_becomes_the_tokens_of_its_words_and_eos(words: Words) -> None:
    task, context = words.task, words.context(["the", "capital", "of", "Singapore", "is"])
    assert (task.noise, task.T) == (3, 6)
    assert (context.shape, context.dtype) == ((1, 6), torch.int64)
    assert [words.word(token) for token in context[0]] == [
        *("the", "capital", "of", "Singapore", "is"),
        "<EOS>",
    ]
    # The country, not the capital of the same name.
    assert int(context[0, 3]) == task.subjects[1]
    assert words.word(task.answer_token(1, 0)) == "Singapore"


def test_every_token_has_a_word_and_the_sampled_sentences_are_their_own_contexts(
    words: Words,
) -> None:
    assert [words.word(token) for token in range(words.task.vocabulary)] == [
        *words.names.subjects,
        *words.names.relations,
        *words.names.answers,
        *NOISE,
        "<EOS>",
    ]
    for *context, answer in words.task.sample(20, seed=0).tolist():
        spoken = [words.word(token) for token in context[:-1]]
        assert words.context(spoken).tolist() == [context]
        (subject,) = (word for word in spoken if word in words.names.subjects)
        (relation,) = (word for word in spoken if word in words.names.relations)
        assert words.word(answer) == words.names.answer(subject, relation)


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        (["France", "capital"], "are not 5 words"),
        ("abcde", "are not 5 words"),
        (["the", "capital", "of", "Paris", "is"], "'Paris' is not known"),
        (["the", "capital", "of", "the", "is"], "names 0 subjects"),
        (["Japan", "capital", "of", "France", "is"], "names 2 subjects"),
        (["the", "capital", "France", "largest city", "is"], "names 2 relations"),
    ],
)
def test_other_sentences_are_refused(words: Words, sentence: list[str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        words.context(sentence)


@pytest.mark.parametrize("token", [-1, 14])
def test_no_word_for_a_token_that_is_none(words: Words, token: int) -> None:
    assert words.task.vocabulary == 13
    with pytest.raises(InputError, match=r"pass one in 0\.\.12"):
        words.word(token)


def test_a_token_is_one_whole_number(words: Words) -> None:
    assert words.word(torch.tensor([2])) == "Japan"
    for token in (1.7, "x", torch.tensor([1, 2]), torch.tensor(1.0)):
        with pytest.raises(InputError, match=r"token = .* is no token: pass an int"):
            words.word(token)  # type: ignore[arg-type]


@pytest.mark.parametrize("noise", ["abc", [1, 2]])
def test_noise_is_a_list_of_words(names: NamedTable, noise: object) -> None:
    with pytest.raises(InputError, match=r"noise = .* is no list of words: pass one"):
        Words(names, noise=noise, T=4)  # type: ignore[arg-type]


def test_no_word_is_called_as_the_last_token(names: NamedTable) -> None:
    with pytest.raises(InputError, match=r"'<EOS>' is that of the last token"):
        Words(names, noise=("<EOS>",), T=4)
    for fact in (("<EOS>", "r", "a"), ("s", "<EOS>", "a"), ("s", "r", "<EOS>")):
        with pytest.raises(InputError, match=r"'<EOS>' is that of the last token"):
            Words(name_facts([fact]), noise=("the",), T=4)


@pytest.mark.parametrize("noise", [("the", "the"), ("the", "France"), ("capital",)])
def test_a_word_has_one_role(names: NamedTable, noise: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="2 times"):
        Words(names, noise=noise, T=4)


def test_a_table_about_some_subjects_keeps_their_facts_and_names(names: NamedTable) -> None:
    kept = names.about(["Japan", "France"])
    assert kept.subjects == ("Japan", "France")
    assert kept.answers == ("Paris (capital)", "Tokyo", "Paris (largest city)")
    assert kept.shared == names.shared
    assert len(kept.table) == 3
    for s, r in kept.table.facts.tolist():
        pair = kept.subjects[s], kept.relations[r]
        assert kept.answer(*pair) == names.answer(*pair)


def test_what_is_shared_is_what_is_still_shared(names: NamedTable) -> None:
    assert names.shared == {"Paris": ("capital", "largest city")}
    assert names.about(["France"]).shared == names.shared
    assert names.about(["Japan", "Singapore"]).shared == {}
    # One relation of two is left: the label stays, and nothing is shared.
    split = name_facts([("a", "r", "c"), ("a", "q", "e"), ("b", "q", "c"), ("b", "r", "f")])
    assert split.shared == {"c": ("r", "q")}
    assert split.about(["a"]).answers == ("c (r)", "e")
    assert split.about(["a"]).shared == {}


def test_the_world_about_all_its_subjects_is_the_world() -> None:
    world = world_table()
    again = world.about(world.subjects)
    assert torch.equal(again.table.answers, world.table.answers)
    assert again.answers == world.answers


@pytest.mark.parametrize(
    ("subjects", "fault"),
    [
        (["Peru"], "'Peru' is not in the table"),
        (["Japan", "Japan"], "2 times"),
        ([], "shape"),
        ("Japan", "is one name: pass a list"),
    ],
)
def test_about_refuses_other_subjects(names: NamedTable, subjects: list[str], fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        names.about(subjects)
