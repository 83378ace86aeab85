"""What an author's exact formulas must satisfy: a test case to inherit from.

A contract is a class of tests beside what it is a contract for. Whoever adds one more of its kind
supplies the thing and its definition, and inherits the tests; a runner such as pytest collects them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

import sympy

from proofs.algebra import ExactnessError, RationalFunction
from proofs.algebra.symbols import ZERO
from proofs.derived import Bound, Derived

__all__ = ["FormulaContract", "refused"]


def refused(call: Callable[[], object], *words: str, error: type[Exception] = ValueError) -> None:
    """AssertionError unless *call* raises *error* with all these *words* in its message."""
    try:
        found = call()
    except error as raised:
        message = str(raised)
    else:
        raise AssertionError(f"{found!r} where {error.__name__} should say {words}")
    missing = [word for word in words if word not in message]
    assert not missing, f"{message!r} does not say {missing}"


class FormulaContract:
    """Exact formulas in named sizes.

    A subclass supplies ``formulas``, each a function of the sizes by keyword, and ``sizes``.
    """

    #: The sizes, at a place inside the domain.
    sizes: Mapping[str, int]
    #: The least value of each size that has one.
    least: Mapping[str, int]
    #: The error's words for a size, where they are not its name and value.
    called: Mapping[str, str] = {}
    #: Names that are used inside and that a caller's symbols may have too, as many as there are sizes.
    inner: Sequence[str]
    #: What a derivation begins with, in part.
    definition_text: str
    #: Calls to be refused besides, with the words that the error must say.
    out_of_range: Sequence[tuple[Callable[[], object], str]] = ()
    inexact: Sequence[tuple[Callable[[], object], str]] = ()

    @property
    def formulas(self) -> Mapping[str, Callable[..., Derived]]:
        raise NotImplementedError

    def symbols(self) -> dict[str, sympy.Symbol]:
        """Symbols of a caller for the sizes, of other names."""
        return {name: sympy.Symbol(f"{name}_", positive=True) for name in self.sizes}

    def test_formulas_are_in_the_symbols_of_the_caller(self) -> None:
        symbols = self.symbols()
        for name, formula in self.formulas.items():
            assert formula(**symbols).expr.free_symbols <= set(symbols.values()), name

    def test_symbols_of_the_caller_may_have_any_names(self) -> None:
        symbols = self.symbols()
        turned = [*list(self.sizes)[1:], next(iter(self.sizes))]
        for names in (turned, self.inner):
            given = dict(zip(self.sizes, map(sympy.Symbol, names), strict=True))
            renamed = {f"{n}_": RationalFunction.symbol(str(s)) for n, s in given.items()}
            for name, formula in self.formulas.items():
                assert formula(**given) == formula(**symbols).value(**renamed), (name, names)

    def test_numbers_give_the_formula_at_these_numbers(self) -> None:
        for name, formula in self.formulas.items():
            symbolic = formula(**{size: sympy.Symbol(size, positive=True) for size in self.sizes})
            at = {size: n for size, n in self.sizes.items() if size in symbolic.sizes}
            for number in (int, sympy.Integer, Fraction):
                found = formula(**{size: number(n) for size, n in self.sizes.items()})
                assert symbolic(**at) == found.value, name

    def test_the_scope_states_the_sizes(self) -> None:
        for name, formula in self.formulas.items():
            found = formula(**self.symbols())
            assert found.scope.startswith(Bound.text(found.domain)), name
            for size, low in self.least.items():
                assert f"{size}_ >= {low}" in found.scope, (name, size)

    def test_sizes_outside_the_domain_are_refused_with_the_bound(self) -> None:
        for formula in self.formulas.values():
            symbolic = formula(**{size: sympy.Symbol(size, positive=True) for size in self.sizes})
            for size, low in self.least.items():
                at = {n: v for n, v in self.sizes.items() if n in symbolic.sizes}
                refused(partial(symbolic, **{**at, size: low - 1}), " is needed, ")

    def test_sizes_out_of_range_are_refused_by_name(self) -> None:
        symbols = self.symbols()
        for formula in self.formulas.values():
            for size, low in self.least.items():
                for value in (low - 1, -2, Fraction(2 * low + 1, 2)):
                    words = self.called.get(size, f"{size}: {{}}").format(value)
                    refused(partial(formula, **{**symbols, size: value}), words)
        for call, words in self.out_of_range:
            refused(call, words)

    def test_inexact_sizes_are_refused(self) -> None:
        symbols = self.symbols()
        for formula in self.formulas.values():
            read = formula(**symbols).sizes
            for size, symbol in ((n, s) for n, s in symbols.items() if s.name in read):
                twin = sympy.Symbol(next(s for s in symbols if s != size) + "_", negative=True)
                for value, words in (
                    (2.0, "the float 2.0"),
                    (0.5 * symbol, "write 1/2"),
                    (True, "True"),
                    (sympy.sqrt(symbol), "sqrt"),
                    (twin, f"two symbols are called '{twin}'"),
                ):
                    given = partial(formula, **{**symbols, size: value})
                    refused(given, words, error=ExactnessError)
        for call, words in self.inexact:
            refused(call, words, error=ExactnessError)

    def test_the_patterns_of_the_derivation_add_up(self) -> None:
        for name, formula in self.formulas.items():
            found = formula(**self.symbols())
            first, *steps = found.derivation
            assert self.definition_text in first.text, name
            assert steps[-1].formula == found.value, name
            total, sums = ZERO, 0
            for step in steps:
                if step.is_summand:
                    total += step.value
                elif step.text.endswith("their sum"):
                    assert step.value == total, (name, step)
                    total, sums = ZERO, sums + 1
            assert sums > 0, name

    def test_latex_is_for_a_paper(self) -> None:
        texts = [formula(**self.symbols()).latex() for formula in self.formulas.values()]
        assert any("\\" in text for text in texts), texts
