"""LaTeX formulas as readable Unicode text, for places without typesetting.

What is not known stands as in the source: a reader may miss a symbol's shape, never a symbol.
"""

# ruff: noqa: RUF001  (signs that look like letters are what this module is about)

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from verify.typeset.words import segments

#: Spaces inside brackets, where LaTeX prints none.
_INNER = re.compile(r"(?<=[⟨⌈⌊]) | (?=[⟩⌉⌋])")
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _table(text: str) -> dict[str, str]:
    """Commands and their signs, by turns."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_SYMBOLS = _table(
    """
    alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι
    kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ varrho ϱ sigma σ tau τ upsilon υ phi ϕ varphi φ
    chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω
    ell ℓ infty ∞ partial ∂ nabla ∇ exists ∃ forall ∀ emptyset ∅ neg ¬ top ⊤ bot ⊥ prime ′ star ⋆
    ast * circ ∘ ldots … dots … cdots ⋯ langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋
    lVert ‖ rVert ‖ Vert ‖ | ‖ vert | lvert | rvert | colon : { { } } % % & & # # _ _ $ $
    """
)
#: Relations and operators that stand between spaces.
_INFIX = _table(
    """
    le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ lt < gt > in ∈ notin ∉ to → rightarrow → mapsto ↦ implies ⟹
    leftarrow ←
    iff ⟺ Rightarrow ⇒ subset ⊂ subseteq ⊆ cup ∪ cap ∩ setminus ∖ times × cdot · otimes ⊗ odot ⊙
    pm ± mp ∓ approx ≈ sim ∼ equiv ≡ propto ∝ lesssim ≲ gtrsim ≳ ll ≪ gg ≫ perp ⊥ mid | land ∧
    lor ∨ wedge ∧ vee ∨ bmod mod
    """
)
_BIG = _table("sum ∑ prod ∏ int ∫ bigcup ⋃ bigcap ⋂")
_FUNCTIONS = _words(
    "arg max min sup inf lim log ln exp sin cos tan sinh cosh tanh det dim rank tr ker Pr deg gcd "
    "limsup liminf"
)
_TEXT_STYLES = _words("mathrm text operatorname textrm mathsf mathit mathbf boldsymbol textbf bm")
_ALPHABETS = {"mathbb": "DOUBLE-STRUCK", "mathcal": "SCRIPT", "mathscr": "SCRIPT"}
_ACCENTS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "dot": "\u0307", "vec": "\u20d7"}
_SPACES = frozenset([",", ";", ":", " ", "\\", "quad", "qquad"])
#: Sizes and styles of print, which plain text does not have.
_SILENT = _words(
    "! left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr displaystyle textstyle "
    "limits nolimits"
)

_SUPERSCRIPTS = dict(
    zip(
        "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW⊤*′",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵀ*′",
        strict=True,
    )
)
_SUBSCRIPTS = dict(
    zip(
        "0123456789+-=()aehijklmnoprstuvxβγρφχ",
        "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ",
        strict=True,
    )
)

#: A number, or a letter with scripts: what may stand below a stroke or under a root as it is.
_SINGLE = re.compile(
    rf"\d+|[^\W\d_](_\w|[{re.escape(''.join([*_SUPERSCRIPTS.values(), *_SUBSCRIPTS.values()]))}])*"
)


def unicode_text(text: str) -> str:
    """A text that flows, with what stands between dollars as Unicode."""
    return "".join(unicode_math(part) if is_math else part for is_math, part in segments(text))


def unicode_math(latex: str) -> str:
    """A LaTeX formula as Unicode text on one line. Never raises; unknown commands stay visible."""
    reader = _Reader(latex)
    parts = [reader.sequence()]
    while reader.tokens:  # a closing brace without an opening one
        parts += [reader.take(), reader.sequence()]
    return _INNER.sub("", " ".join("".join(parts).split()))


@dataclass
class _Atom:
    """A piece of output; a *word* keeps away from letters, a *fraction* may need brackets."""

    text: str
    word: bool = False
    fraction: bool = False


class _Reader:
    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)[::-1]

    def take(self) -> str:
        return str(self.tokens.pop())

    def _peek(self) -> str:
        return str(self.tokens[-1]) if self.tokens else ""

    def sequence(self) -> str:
        """Everything up to the brace that closes the group, or to the end."""
        atoms: list[_Atom] = []
        while self.tokens and self._peek() != "}":
            token = self.take()
            if token in ("^", "_"):
                base = atoms.pop() if atoms else _Atom("")
                atoms.append(self._scripted(base, token))
            else:
                atoms.append(self._atom(token))
        return _joined(atoms)

    def _group(self) -> str:
        """The rest of a group whose opening brace was taken."""
        content = self.sequence()
        if self.tokens:
            self.take()
        return content

    def _argument(self) -> str:
        """The next group, command or character."""
        while self._peek().isspace():
            self.take()
        return self._atom(self.take()).text.strip() if self.tokens else ""

    def _scripted(self, base: _Atom, sign: str) -> _Atom:
        table = _SUPERSCRIPTS if sign == "^" else _SUBSCRIPTS
        script = self._argument()
        text = f"({base.text})" if base.fraction else base.text
        if script and all(character in table for character in script):
            return _Atom(text + "".join(table[c] for c in script), base.word)
        mixed = script.isalnum() and not (script.isalpha() or script.isdigit())
        plain = script.isalnum() and (len(script) == 1 or self._peek() != "^")
        shown = f"({script})" if mixed else script if plain else f"{{{script}}}"
        return _Atom(f"{text}{sign}{shown}", word=True)

    def _atom(self, token: str) -> _Atom:
        if token == "{":
            return _Atom(self._group())
        if token.isspace():
            return _Atom(" ")
        if token == "'":
            return _Atom("′")
        if token.startswith("\\") and len(token) > 1:
            return self._command(token[1:])
        return _Atom(token)

    def _command(self, name: str) -> _Atom:
        if name in _SYMBOLS:
            return _Atom(_SYMBOLS[name])
        if name in _INFIX:
            return _Atom(f" {_INFIX[name]} ")
        if name in _BIG:
            return _Atom(_BIG[name], word=True)
        if name in _FUNCTIONS:
            return _Atom(name, word=True)
        if name in _SPACES:
            return _Atom(" ")
        if name in _SILENT:
            if self._peek() == ".":  # the delimiter that is not printed
                self.take()
            return _Atom("")
        if name in ("frac", "tfrac", "dfrac"):
            top, bottom = self._argument(), self._argument()
            below = bottom if _SINGLE.fullmatch(bottom) else f"({bottom})"
            return _Atom(f"{_bracketed(top)}/{below}", fraction=True)
        if name == "binom":
            top, bottom = self._argument(), self._argument()
            return _Atom(f"({top} choose {bottom})")
        if name == "sqrt":
            return _Atom(self._root())
        if name in _TEXT_STYLES:
            return _Atom(self._verbatim_spaces(), word=name != "text")
        if name in _ALPHABETS:
            return _Atom("".join(_letter(c, _ALPHABETS[name]) for c in self._argument()))
        if name in _ACCENTS:
            argument = self._argument()
            accented = len(argument) == 1
            return _Atom(argument + _ACCENTS[name] if accented else f"\\{name}{{{argument}}}")
        return self._unknown(name)

    def _verbatim_spaces(self) -> str:
        """An argument whose outer spaces count, as in a text between formulas."""
        if self._peek() == "{":
            self.take()
            return self._group()
        return self._argument()

    def _root(self) -> str:
        degree = ""
        if self._peek() == "[":
            while self.tokens and self._peek() != "]":
                degree += self.take()
            degree = "".join(_SUPERSCRIPTS.get(c, c) for c in degree[1:])
            if self.tokens:
                self.take()
        content = self._argument()
        return f"{degree}√{content if _SINGLE.fullmatch(content) else f'({content})'}"

    def _unknown(self, name: str) -> _Atom:
        text = f"\\{name}"
        while self._peek() == "{":
            self.take()
            text += f"{{{self._group()}}}"
        return _Atom(text, word=True)


def _joined(atoms: list[_Atom]) -> str:
    text = ""
    for i, atom in enumerate(atoms):
        piece = atom.text
        following = "".join(a.text for a in atoms[i + 1 :]).lstrip()
        if atom.fraction and following and (following[0].isalnum() or following[0] in "([\\√∑∏"):
            piece = f"({piece})"
        letters = piece[:1].isalnum() or piece.startswith(("\\", "√"))
        after_word = i > 0 and atoms[i - 1].word and letters
        number = piece[:1].isdigit() and text[-1:].isdigit()  # 16^q comes digit by digit
        before_word = (
            atom.word and len(piece) > 1 and letters and text[-1:].isalnum() and not number
        )
        text += f" {piece}" if after_word or before_word else piece
    return text


def _bracketed(text: str) -> str:
    """In brackets if it is a sum, a relation or several words outside brackets."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and character in " +-":
            return f"({text})"
    return text


def _letter(character: str, alphabet: str) -> str:
    """The letter in another alphabet of mathematics, or as it is if there is none."""
    case = "CAPITAL" if character.isupper() else "SMALL"
    for name in (f"{alphabet} {case} {character}", f"MATHEMATICAL {alphabet} {case} {character}"):
        try:
            return unicodedata.lookup(name)
        except KeyError:
            continue
    return character
