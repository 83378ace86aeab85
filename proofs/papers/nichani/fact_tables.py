"""Tables of facts and the sizes they force: contents of a sequence, sets of answers, shapes, counts.

Serves Nichani et al., Sec. 4.1 to 4.3. Small tables are enumerated; the general case is a step in words
or a decided sign. A table maps (s, r) to an answer; it may leave pairs out.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument, Witness, searching

#: (subject, relation) to the answer.
Table: TypeAlias = Mapping[tuple[int, int], int]
#: A product or sum of named matrices; a name that ends in _T is transposed.
Matrices: TypeAlias = "str | tuple[str, Matrices, Matrices]"

#: (S, R, number of answer tokens) at which all tables are enumerated.
_SMALL = ((1, 1, 2), (1, 2, 3), (2, 1, 3), (2, 2, 4), (1, 3, 3), (3, 1, 3), (3, 2, 4), (2, 3, 4))
#: (S, R, D) at which all datasets of the experiments are enumerated.
_DRAWN = ((1, 1, 2), (2, 1, 2), (2, 2, 2), (3, 1, 3), (3, 2, 2), (2, 2, 3), (4, 2, 2), (1, 2, 1))
#: The last context length that is enumerated.
_CONTEXT = 7


# -- the sequences --------------------------------------------------------------------------------


def sequence_contents(
    least: int,
    counts: Mapping[str, RationalFunction],
    length: RationalFunction,
    end: RationalFunction,
) -> Argument:
    """For every T >= *least* a sequence has *length* tokens, *counts* of each kind, EOS in place *end*.

    The counts ("subject", "relation", "noise") and the two places are in T. All choices of the two
    indices are tried at small T.
    """
    argument = Argument()
    for T in range(least, max(least + 1, _CONTEXT)):
        choices = list(itertools.permutations(range(1, T), 2))
        if not choices:
            witness = {"T": T, "indices in [T-1]": max(T - 1, 0)}
            why: Witness = {**witness, "why": "the procedure draws two different ones"}
            return argument.fails("two different indices", why)
        for i, j in choices:
            kinds = {k: "noise" for k in range(1, T)} | {i: "subject", j: "relation", T: "EOS"}
            found = {kind: list(kinds.values()).count(kind) for kind in counts}
            for kind, stated in counts.items():
                if stated(T=T).as_fraction() != found[kind]:
                    counted: Witness = {f"{kind} tokens": found[kind], "stated": stated}
                    return argument.fails("the counts", {"T": T, **counted})
            ends = [k for k, kind in kinds.items() if kind == "EOS"]
            if [end(T=T).as_fraction()] != ends or length(T=T).as_fraction() != len(kinds) + 1:
                ended = {"T": T, "EOS in place": ends[0], "length": len(kinds) + 1}
                return argument.fails("the end", ended)
        argument.true(f"T = {T}: the counts", True, f"{len(choices)} choices of the two indices")
    argument.infer(
        "[T-1] has two different indices for every T >= 3, and T-3 others", "T - 1 - 2 = T - 3"
    )
    n = RationalFunction.symbol("T")
    for kind, value in (("subject", ONE), ("relation", ONE), ("noise", n - 3)):
        argument.equal(f"the number of {kind} tokens", counts[kind], value)
    argument.equal("EOS has place T", end, n)
    argument.equal("with the answer there are T + 1 tokens", length, n + 1)
    return argument


# -- tables and their answers ---------------------------------------------------------------------


def tables(S: int, R: int, answers: int, *, disjoint: bool = True) -> Iterator[Table]:
    """All maps from S x R to so many answers; with *disjoint* those in which no two relations share
    an answer."""
    pairs = list(itertools.product(range(S), range(R)))
    for values in itertools.product(range(answers), repeat=S * R):
        table = dict(zip(pairs, values, strict=True))
        if not disjoint or _is_disjoint(table):
            yield table


def answer_sets(table: Table) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """A_s for the subjects and A_r for the relations that occur."""
    subjects: dict[int, set[int]] = {}
    relations: dict[int, set[int]] = {}
    for (s, r), answer in table.items():
        subjects.setdefault(s, set()).add(answer)
        relations.setdefault(r, set()).add(answer)
    return subjects, relations


def _is_disjoint(table: Table) -> bool:
    sets = list(answer_sets(table)[1].values())
    return sum(len(found) for found in sets) == len(set().union(*sets))


def indicator_sum(
    peak: Fraction, others: Fraction, common: Fraction, *, disjoint: bool
) -> Argument:
    """1(a in A_s) + 1(a in A_r) is *peak* at a*(s, r), at most *others* elsewhere, and A_s and A_r have
    *common* answers in common; for tables whose relations share no answer, if *disjoint*."""
    argument, seen = Argument(), 0
    for S, R, answers in _SMALL:
        for table in tables(S, R, answers, disjoint=disjoint):
            seen += 1
            subjects, relations = answer_sets(table)
            for (s, r), answer in table.items():
                # One token more than there are answers: any that is none.
                sums = {a: (a in subjects[s]) + (a in relations[r]) for a in range(answers + 1)}
                rest = max(value for a, value in sums.items() if a != answer)
                shared = len(subjects[s] & relations[r])
                if searching() and (sums[answer] != peak or rest > others or shared != common):
                    argument.witness = {
                        "table": table,
                        "(s, r)": (s, r),
                        "sum at a*(s, r)": sums[answer],
                        "largest elsewhere": rest,
                        "answers in common": shared,
                    }
                    return argument
    argument.true("all small tables", True, f"{seen} tables enumerated")
    argument.infer(
        "a*(s, r) is in A_s and in A_r, so the sum is 2", "the definitions of the two sets"
    )
    argument.infer(
        "an answer in both is a*(s, r') for some r' and lies in A_r' and A_r, so r' = r and it is "
        "a*(s, r)",
        "different relations share no answer",
    )
    argument.true(
        "2 there, at most 1 elsewhere, one answer in common",
        disjoint and peak == 2 and common == 1 and others >= 1,
        f"stated: {peak}, {others}, {common}",
    )
    return argument


def answer_set_sizes(
    subject: RationalFunction, relation: RationalFunction, both: RationalFunction
) -> Argument:
    """|A_s| <= *subject*, |A_r| <= *relation*, and both are at most *both*; in R and D."""
    argument = Argument()
    for S, R, answers in _SMALL:
        for table in tables(S, R, answers):
            subjects, relations = answer_sets(table)
            at = {"R": R, "D": max(len(found) for found in relations.values())}
            largest = max(len(found) for found in subjects.values())
            for name, size, bound in (
                ("|A_s|", largest, subject),
                ("|A_r|", at["D"], relation),
                ("|A_z|", max(largest, at["D"]), both),
            ):
                stated = bound(**at).as_fraction()
                if searching() and size > stated:
                    witness = {"table": table, **at, f"max {name}": size, "stated": stated}
                    return argument.refute(witness)
    R_, D = symbols("R D")
    argument.infer("|A_s| <= R", "A_s is the image of R under r -> a*(s, r)")
    argument.infer("|A_r| <= D", "D is the largest |A_r|")
    domain = {"R": 1, "D": 1}
    argument.nonnegative("the bound on |A_s| is at least R", subject - R_, domain)
    argument.nonnegative("the bound on |A_r| is at least D", relation - D, domain)
    argument.nonnegative("the bound on both is at least R", both - R_, domain)
    argument.nonnegative("the bound on both is at least D", both - D, domain)
    return argument


# -- the datasets of the experiments --------------------------------------------------------------


def drawn_answers(
    most: RationalFunction, attained: Callable[[int, int, int], Fraction]
) -> Argument:
    """a*(s, r) uniform in r's block of D: no block is left, max |A_r| <= *most* in D, and
    P(max |A_r| = D) = *attained*(S, R, D)."""
    argument = Argument()
    for S, R, D in _DRAWN:
        largest = []
        for values in itertools.product(range(D), repeat=S * R):
            blocks = [values[r * S : (r + 1) * S] for r in range(R)]
            largest.append(max(len(set(block)) for block in blocks))
        at: Witness = {"S": S, "R": R, "D": D}
        stated = most(D=D).as_fraction()
        if searching() and max(largest) > stated:
            return argument.refute({**at, "largest |A_r|": max(largest), "stated at most": stated})
        share, printed = Fraction(largest.count(D), len(largest)), attained(S, R, D)
        if share != printed:
            return argument.fails("the share", {**at, "P(max |A_r| = D)": share, "stated": printed})
        argument.true(f"S = {S}, R = {R}, D = {D}", True, f"{share} of {len(largest)} datasets")
    argument.infer("no two relations share an answer", "the blocks of D numbers are disjoint")
    argument.nonnegative("A_r lies in a block of D", most - RationalFunction.symbol("D"), {"D": 1})
    argument.infer(
        "one relation's S draws meet all of its block with p = sum (-1)^j binom(D,j) (1 - j/D)^S",
        "inclusion and exclusion over the answers that are not met",
    )
    argument.infer("some relation does with 1 - (1 - p)^R", "the relations are independent")
    return argument


def coverage(S: int, R: int, D: int, missed: Callable[[int, int], Fraction]) -> Fraction:
    """1 - (1 - p)^R, p = sum_j (-1)^j binom(D, j) *missed*(D, j)^S."""
    p = sum(((-1) ** j * comb(D, j) * missed(D, j) ** S for j in range(D + 1)), Fraction(0))
    return 1 - (1 - p) ** R


# -- shapes and numbers of parameters -------------------------------------------------------------


class ShapeError(ValueError):
    """A product or sum of matrices that do not fit together."""


@dataclass(frozen=True)
class Shape:
    """Numbers of rows and columns, as names of sizes."""

    rows: str
    columns: str

    @property
    def T(self) -> Shape:
        return Shape(self.columns, self.rows)

    def __matmul__(self, other: Shape) -> Shape:
        if self.columns != other.rows:
            raise ShapeError(f"{self} times {other}")
        return Shape(self.rows, other.columns)

    def __add__(self, other: Shape) -> Shape:
        if self != other:
            raise ShapeError(f"{self} plus {other}")
        return self

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns}"


_HEAD = Shape("d_h", "d")
_MLP = Shape("m", "d")
#: The matrices of a layer; x is the last row of X as a column.
SHAPES = {
    "X": Shape("T", "d"),
    "x": Shape("d", "1"),
    "W_K": _HEAD,
    "W_Q": _HEAD,
    "W_V": _HEAD,
    "W_O": _HEAD,
    "V": _MLP,
    "W": _MLP,
}


def shape_of(expression: Matrices, names: Mapping[str, Shape]) -> Shape:
    """The shape of a sum or product. Raises ShapeError, with the two that do not fit."""
    if isinstance(expression, str):
        if expression.endswith("_T"):
            return names[expression.removesuffix("_T")].T
        return names[expression]
    sign, left, right = expression
    first, second = shape_of(left, names), shape_of(right, names)
    return first @ second if sign == "*" else first + second


def layer_shapes(expressions: Mapping[str, Matrices], rows: Mapping[str, str]) -> Argument:
    """The *expressions* of a layer, in order, are well typed columns with the stated *rows*.

    Each value can be named by later ones. Softmax and activation act entry by entry on a column as
    far as shapes go: "p" is the softmax of "scores", "h" the activation of "hidden".
    """
    argument, names = Argument(), dict(SHAPES)
    for name, expression in expressions.items():
        try:
            found = shape_of(expression, names)
        except ShapeError as error:
            untyped = {"expression": name, "not typed": str(error)}
            return argument.fails("inner sizes agree", untyped)
        stated = Shape(rows[name], "1")
        if found != stated:
            other = {"expression": name, "shape": str(found), "stated": str(stated)}
            return argument.fails("the shape", other)
        names[name] = found
        for source, image in (("scores", "p"), ("hidden", "h")):
            if name == source:
                names[image] = found
        argument.true(f"{name} is {found}", True, "inner sizes agree in every product")
    argument.infer("all heads add up", "each of their outputs is a column of d numbers")
    return argument


def parameters(
    attention: RationalFunction, mlp: RationalFunction, total: RationalFunction
) -> Argument:
    """The numbers of parameters of H heads and of the MLP, and their sum at H d_h = alpha d and
    m = beta d."""
    H, d, alpha, beta = symbols("H d alpha beta")

    def size(names: str) -> RationalFunction:
        shapes = [SHAPES[name] for name in names.split()]
        symbol = RationalFunction.symbol
        return sum((symbol(shape.rows) * symbol(shape.columns) for shape in shapes), ZERO)

    heads, neurons = H * size("W_K W_Q W_V W_O"), size("V W")
    shaped = (heads + neurons)(d_h=alpha * d / H, m=beta * d)
    argument = Argument()
    at = {"H": 2, "d": 6, "d_h": 3, "m": 12, "alpha": 1, "beta": 2}
    for text, stated, counted in (
        ("4 matrices of d_h x d in each head", attention, heads),
        ("2 matrices of m x d", mlp, neurons),
        ("H d_h = alpha d and m = beta d", total, shaped),
    ):
        if not argument.equal(text, stated, counted):
            values = {n: v for n, v in at.items() if n in {*stated.names, *counted.names}}
            witness = {**values, "counted": counted(**values), "stated": stated(**values)}
            return argument.refute(witness)
    return argument


def product_of_conditions(
    width: RationalFunction, filters: RationalFunction, facts: RationalFunction
) -> Argument:
    """R >= D, d >= *width* and H d_h >= *filters* imply H d d_h >= *facts*; in S, R and D."""
    argument = Argument()
    for S, R in itertools.product((1, 2, 3, 10), repeat=2):
        for D in range(1, R + 1):
            at = {"S": S, "R": R, "D": D}
            d, heads = (max(1, ceil(f(**at).as_fraction())) for f in (width, filters))
            stated = facts(**at).as_fraction()
            if searching() and d * heads < stated:
                return argument.refute({**at, "d": d, "H": heads, "d_h": 1, "stated": stated})
    v = RationalFunction.symbol("v")
    argument.nonnegative(
        "d (H d_h) - facts >= width filters - facts >= 0, R = D + v",
        (width * filters - facts)(R=RationalFunction.symbol("D") + v),
        {"S": 1, "D": 1, "v": 0},
    )
    return argument


# -- subsets of all facts -------------------------------------------------------------------------


def partial_tables(most: int) -> Iterator[Table]:
    """All tables of at most *most* facts over three subjects and three relations, each with two
    answers of its own."""
    pairs = list(itertools.product(range(3), repeat=2))
    for count in range(1, most + 1):
        for chosen in itertools.combinations(pairs, count):
            for picks in itertools.product(range(2), repeat=count):
                yield {(s, r): 2 * r + pick for (s, r), pick in zip(chosen, picks, strict=True)}


def subset_product(least: RationalFunction, most: RationalFunction) -> Argument:
    """For every table of M facts the larger of A h and F lies between *least* and *most*, both in M:
    A = max |A_z|, h the most keys that hold one answer, F the sum of all |A_z|."""
    argument, seen = Argument(), 0
    for table in itertools.chain(partial_tables(3), map(star_and_shared_answer, range(1, 9))):
        seen += 1
        count, product = len(table), asked_product(table)
        low, high = (bound(M=count).as_fraction() for bound in (least, most))
        if searching() and not low <= product <= high:
            witness = {"facts": table, "M": count, "the larger of A h and F": product}
            return argument.refute(witness | {"stated": f"between {low} and {high}"})
    argument.true("all small tables, and stars", True, f"{seen} tables enumerated")
    M, x, y, u = symbols("M x y u")
    argument.infer(
        "M + 1 <= F <= 2M",
        "the answers of a subject differ, so the |A_s| add up to M, and the |A_r| to 1 to M",
    )
    argument.nonnegative("M + 1 is at least the lower bound", M + 1 - least, {"M": 1})
    argument.infer(
        "A + (h - 1) <= M + 1",
        "A facts have z and different answers, h - 1 have the answer of the h; one fact may be both",
    )
    argument.equal(
        "(M + 2)^2 - 4 A h = (A - h)^2 + 2 u (A + h) + u^2, M + 2 = A + h + u",
        (x + y + u) ** 2 - 4 * x * y,
        (x - y) ** 2 + 2 * u * (x + y) + u**2,
    )
    argument.equal("(M + 2)^2 - 4 (2M) = (M - 2)^2", (M + 2) ** 2 - 8 * M, (M - 2) ** 2)
    argument.nonnegative(
        "(M + 2)^2/4 is at most the upper bound", most - (M + 2) ** 2 / 4, {"M": 1}
    )
    argument.infer("so A h and F are at most the upper bound", "squares, and u >= 0")
    return argument


def most_holders(table: Table) -> int:
    """The largest number of keys that hold one answer: its subjects, and its relation."""
    counts: dict[int, int] = {}
    for found in itertools.chain(*(sets.values() for sets in answer_sets(table))):
        for answer in found:
            counts[answer] = counts.get(answer, 0) + 1
    return max(counts.values())


def asked_product(table: Table) -> int:
    """The larger of A h and F, which the construction asks of H d d_h up to a constant."""
    sizes = [len(found) for sets in answer_sets(table) for found in sets.values()]
    return max(max(sizes) * most_holders(table), sum(sizes))


def block_and_shared_answer(k: int) -> Table:
    """A k x k block, all answers different, and a relation with one answer for k^2 further subjects."""
    block = {(s, r): r * k + s for s in range(k) for r in range(k)}
    return block | {(k + i, k): k * k for i in range(k * k)}


def star_and_shared_answer(k: int) -> Table:
    """One subject with k + 1 answers, the last of them that of k - 1 further subjects: M = 2k."""
    star = {(0, r): r for r in range(k + 1)}
    return star | {(1 + i, k): k for i in range(k - 1)}


# -- one head that recalls every table ------------------------------------------------------------


@dataclass(frozen=True)
class OneHead:
    """A head of integers that attends to all tokens alike: what tokens are coded as, what logits are.

    The embeddings are one-hot, or else linearly independent, with their dual basis in the place of the
    tokens. *code*: token to W_V phi(token); tokens without a code have 0. *reading*: answer to its row
    of W_O. Logits are <reading, sum of the codes> over T, whatever T and the noise.
    """

    facts: Mapping[str, int]
    sizes: Mapping[str, int]
    table: Table
    code: Mapping[str, tuple[int, ...]]
    reading: Mapping[int, tuple[int, ...]]
    text: str

    def recalls(self) -> bool:
        """Whether each answer has a larger logit than all other answers, and a positive one."""
        size = len(next(iter(self.code.values())))
        nothing = (0,) * size
        for (s, r), answer in self.table.items():
            codes = (self.code.get(f"s{s}", nothing), self.code.get(f"r{r}", nothing))
            total = [sum(parts) for parts in zip(*codes, strict=True)]
            logits = {
                a: sum(x * y for x, y in zip(row, total, strict=True))
                for a, row in self.reading.items()
            }
            own = logits.pop(answer, 0)
            if own <= max(0, *logits.values()):
                return False
        return True


def one_relation(S: int) -> OneHead:
    """R = 1, D = 2, every other subject has the answer 0 and the rest 1; entries 0, 1 and -1 alone."""
    table = {(s, 0): s % 2 for s in range(S)}
    code = {f"s{s}": (1 - 2 * answer,) for (s, _), answer in table.items()}
    sizes = {"H": 1, "d": S + 4, "d_h": 1, "b": 2}
    text = (
        "W_K = W_Q = 0, W_O^T W_V = u omega^T, <u, phi> = 1 at a, -1 at b and 0 at all other tokens, "
        "<omega, phi(s)> = 1 where the answer of s is a, else -1, and 0 at all other tokens"
    )
    return OneHead({"S": S, "R": 1}, sizes, table, code, {0: (1,), 1: (-1,)}, text)


def one_subject(R: int) -> OneHead:
    """S = 1, D = 2: r is coded as (r, 1), its answer as (2r, -r^2), its other candidate as nothing.

    The logit 2 r r' - r'^2 = r^2 - (r - r')^2 is largest at r' = r, where it is positive.
    """
    numbers = range(1, R + 1)
    table = {(0, r): 2 * r + r % 2 for r in numbers}
    code = {f"r{r}": (r, 1) for r in numbers}
    reading = {answer: (2 * r, -r * r) for (_, r), answer in table.items()}
    sizes = {"H": 1, "d": 3 * R + 2, "d_h": 2, "b": 1 + (R * R).bit_length()}
    text = "W_K = W_Q = 0, W_V: r -> (r, 1), W_O: the answer of r -> (2 r, -r^2)"
    return OneHead({"S": 1, "R": R}, sizes, table, code, reading, text)


def all_answers_differ(S: int, R: int) -> OneHead:
    """a*(s, r) has the number R s + r + 1: s is coded as (R s, 1), r as (r + 1, 0), d_h = 2."""
    table = {(s, r): R * s + r + 1 for s in range(S) for r in range(R)}
    code = {f"s{s}": (R * s, 1) for s in range(S)} | {f"r{r}": (r + 1, 0) for r in range(R)}
    reading = {p: (2 * p, -p * p) for p in table.values()}
    text = "W_V: s -> (R s, 1), r -> (r, 0), r = 1..R; W_O: the answer p = R s + r -> (2 p, -p^2)"
    sizes = {"H": 1, "d": S + R + S * R + 1, "d_h": 2}
    return OneHead({"S": S, "R": R}, sizes, table, code, reading, text)


def bits_needed(left: RationalFunction, right: RationalFunction) -> Argument:
    """A layer of H heads, b bits a parameter, that recalls every table (D candidates a relation) has
    *left* >= *right* log2(D); left in H, d, d_h, b, right in S, R.

    A smaller left-hand side fails at a layer with one head and one-hot embeddings.
    """
    argument = Argument()
    for head in (one_relation(100), one_subject(300)):
        stated, bits = right(**head.facts).as_fraction(), left(**head.sizes).as_fraction()
        argument.true(f"{head.text}: recalls", head.recalls(), "every logit compared")
        if searching() and bits < stated:
            argument.witness = {
                **head.facts,
                "D": 2,
                **head.sizes,
                "embeddings": "one-hot, or with their dual basis in place of the tokens",
                "recalls every table": head.text,
                "left-hand side": bits,
                "stated at least": stated,
            }
            return argument
    for S, R, D in ((1, 1, 2), (2, 1, 2), (2, 2, 2), (1, 2, 3)):
        count = len(list(itertools.product(range(D), repeat=S * R)))
        argument.true(
            f"S = {S}, R = {R}, D = {D}: D^(S R)", count == D ** (S * R), f"{count} tables"
        )
    argument.infer(
        "2^bits >= D^(S R)",
        "the embeddings being fixed, which table is recalled is a function of the parameters",
    )
    H, d, d_h, b, subjects, relations = symbols("H d d_h b S R")
    ones = dict.fromkeys(("H", "d", "d_h", "b", "S", "R"), 1)
    argument.nonnegative("the left-hand side counts all bits", left - 4 * H * d * d_h * b, ones)
    argument.nonnegative(
        "the right-hand side counts no more than S R", subjects * relations - right, ones
    )
    return argument
