"""Sentences for a table with names: words in, tokens out, and back.

Serves Sec. 4.1 of arXiv 2412.06538, whose contexts stand for sentences that ask for a fact.
"""

from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.checks import check_kind
from numerics.errors import InputError
from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.named import NamedTable

_EOS = "<EOS>"


class Words:
    """The words of the task of `names`, with further words `noise` that mean nothing.

    Attributes: names; noise; task, the FactualRecall with these noise tokens and contexts of
    length T, that is of T - 1 words and EOS.

    Raises InputError where a word would have two roles among subject, relation and noise, where one is
    called "<EOS>", where noise is no list of words, and as FactualRecall does. An answer may share its
    name with a subject: contexts hold no answers.
    """

    def __init__(self, names: NamedTable, *, noise: Sequence[str], T: int) -> None:
        check_kind("names", names, NamedTable, "a NamedTable, as read_table gives one")
        listed = isinstance(noise, Sequence) and not isinstance(noise, str)
        if not listed or not all(isinstance(word, str) for word in noise):
            raise InputError(f"noise = {noise!r} is no list of words: pass one, noise.split() say")
        self.names, self.noise = names, tuple(noise)
        self.task = FactualRecall(names.table, noise=len(self.noise), T=T)
        spoken = [*names.subjects, *names.relations, *self.noise]
        for word, times in Counter(spoken).items():
            if times > 1:
                raise InputError(
                    f"the word {word!r} stands {times} times among subjects, relations and noise: "
                    "pass different words"
                )
        self._words = (*names.subjects, *names.relations, *names.answers, *self.noise, _EOS)
        if _EOS in self._words[:-1]:
            raise InputError(f"the word {_EOS!r} is that of the last token: rename yours")
        tokens = (*self.task.subjects, *self.task.relations, *self.task.noise_tokens)
        self._tokens = dict(zip(spoken, tokens, strict=True))

    def context(self, words: Sequence[str]) -> Tensor:
        """The tokens of a sentence of T - 1 words, then EOS: int64 (1, T), as `decode` takes them.

        InputError for another number of words, for a word that is not known, and unless one word
        is a subject and one a relation.
        """
        listed = isinstance(words, Sequence) and not isinstance(words, str)
        if not listed or len(words) != self.task.T - 1:
            raise InputError(
                f"words = {words!r} are not {self.task.T - 1} words: pass a list of as many, as "
                f"contexts have length T = {self.task.T}, EOS included"
            )
        for word in words:
            if not isinstance(word, str) or word not in self._tokens:
                raise InputError(f"the word {word!r} is not known: pass names, or words of `noise`")
        tokens = [self._tokens[word] for word in words]
        for role, those in (("subject", self.task.subjects), ("relation", self.task.relations)):
            count = sum(token in those for token in tokens)
            if count != 1:
                raise InputError(f"the sentence names {count} {role}s: let it name one")
        return torch.tensor([[*tokens, self.task.eos]])

    def word(self, token: int | Tensor) -> str:
        """The word of any token of the vocabulary, "<EOS>" for the last; InputError for others."""
        whole = isinstance(token, int) or (
            isinstance(token, Tensor) and token.numel() == 1 and token.dtype == torch.int64
        )
        if not whole:
            raise InputError(
                f"token = {token!r} is no token: pass an int, or an int64 tensor of one"
            )
        number = int(token)
        if not 0 <= number < len(self._words):
            raise InputError(f"token = {number} is none: pass one in 0..{len(self._words) - 1}")
        return self._words[number]
