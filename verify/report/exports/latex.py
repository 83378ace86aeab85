"""One claim for the paper one is writing: statement, verdict, and what is right instead, in LaTeX."""

from __future__ import annotations

from collections.abc import Iterator

from verify.claim import Reading
from verify.records import THEOREMS
from verify.report.exports.formulas import derived_formulas
from verify.report.exports.plain import plain_tex
from verify.report.text import held_back, lines_in_words, pairs
from verify.running.runner import ClaimResult
from verify.typeset.tex import escaped, tex
from verify.typeset.words import flowed
from verify.verdict import Verdict


def claim_latex(result: ClaimResult, correction: ClaimResult | None) -> str:
    """The claim as a paragraph of LaTeX that needs amsmath and amssymb.

    *correction*: the result of the claim that corrects it, if there is one.
    """
    lines = ["% amsmath, amssymb", *_claim(result)]
    if correction is not None:
        lines += ["", *_claim(correction, head="Correction: ")]
    return "\n".join(lines) + "\n"


def _claim(result: ClaimResult, head: str = "") -> Iterator[str]:
    claim = result.claim
    yield f"% {flowed(claim.id)}"
    yield rf"\paragraph{{{head}{tex(claim.title)}.}}"
    yield tex(claim.statement)
    source = ", ".join(part for part in (claim.paper, claim.where) if part)
    if source:
        yield f"({tex(source)}.)"
    if claim.hypotheses:
        yield r"\emph{Hypotheses:}"
        yield from _list(tex(item) for item in claim.hypotheses)
    formulas, _ = derived_formulas([result])
    if formulas:
        instead = " in place of what is printed" if result.verdict is Verdict.REFUTED else ""
        yield rf"\emph{{Derived exactly{instead}:}}"
        yield r"\begin{itemize}"
        for formula in formulas:
            where = f", for {plain_tex(formula.scope)}" if formula.scope else ""
            yield rf"\item $\displaystyle {formula.latex}${where}"
        yield r"\end{itemize}"
    proved = [it for one in result.evidence for it in one.detail.get(THEOREMS, ())]
    if proved:
        yield r"\emph{Proved, as formal statements:}"
        yield from _list(rf"$\displaystyle {it}$" for it in proved)
    refuted = result.verdict is Verdict.REFUTED
    about = (result.scope if refuted else "") or result.verdict.meaning
    yield rf"\emph{{Verdict:}} {escaped(result.verdict)}, {plain_tex(about)}."
    if words := lines_in_words(result):
        yield rf"\emph{{Not decided by computation:}} {words}."
    if words := held_back(result):
        yield rf"\emph{{{words}:}} {', '.join(map(escaped, result.capped_by))}."
    if result.scope and not refuted:
        yield rf"\emph{{Scope:}} {plain_tex(result.scope)}."
    if result.verdict.positive and result.assumptions:
        yield r"\emph{Taken on trust:}"
        yield from _list(map(plain_tex, result.assumptions))
    if result.counterexample:
        yield r"\emph{Counterexample:}"
        found = pairs(result.counterexample)
        yield from _list(f"{plain_tex(name)}: {plain_tex(value)}" for name, value in found)
    if claim.by_hand:
        yield r"\emph{By hand:}"
        yield from _list(map(tex, claim.worked), "enumerate")
    if claim.reading is not Reading.AS_PRINTED or claim.reading_note:
        note = f". {plain_tex(claim.reading_note)}" if claim.reading_note else "."
        yield rf"\emph{{Reading:}} {escaped(claim.reading)}{note}"
    if claim.consequence:
        yield rf"\emph{{Consequence:}} {plain_tex(claim.consequence)}"


def _list(items: Iterator[str], kind: str = "itemize") -> Iterator[str]:
    yield rf"\begin{{{kind}}}"
    for item in items:
        yield rf"\item {item}"
    yield rf"\end{{{kind}}}"
