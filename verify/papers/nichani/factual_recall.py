"""Checks of Sec. 4.1 to 4.3 of Nichani et al.: the task, the layer, Theorem 3, remarks and sketch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.papers.nichani import attention_capacity, attention_only, fact_tables
from proofs.papers.nichani.fact_tables import Matrices
from verify.checks.argument import conclude
from verify.checks.computed import Computed, rounding, within
from verify.checks.parameters import made_of
from verify.checks.section import Section, corrected
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.papers.nichani import grouped_heads, heads_and_mlp
from verify.printed.formula import Formula, fields, numbers
from verify.statistics import AtMost, Between
from verify.verdict import Verdict

section = Section()
_GROUP: dict[str, Any] = {"group": "fact tables", "builds": False}


# -- the task -------------------------------------------------------------------------------------

_KINDS = ("subject", "relation", "noise")


section.argued(
    corrected("nichani.task.sequence"),
    lambda printed: fact_tables.sequence_contents(
        int(printed["least"].number()),
        {kind: printed[kind].field() for kind in _KINDS},
        *fields(printed, "length", "end"),
    ),
    method="all choices of the indices",
    scope="every T from the least on",
    summary="T - 1 indices, two of them taken",
)


@section.check(corrected("nichani.task.sequence"), "numerics", method="sampled sequences")
def sequence_sampled(printed: Printed, context: Context) -> Evidence:
    from numerics.errors import InputError
    from numerics.papers.nichani.attention_checks import sequence_counts

    least = int(printed["least"].number())
    found: list[Computed] = []
    for T in range(least, max(least + 1, 7)):
        try:
            contents = sequence_counts(T, seed=context.seed)
        except InputError as error:
            return Evidence(
                Verdict.REFUTED, "", f"T = {T}: {error}", scope="T", counterexample={"T": T}
            )
        for counts in contents:
            for kind, value in counts.items():
                stated = printed[kind].real(T=T)
                found.append((f"T = {T}, {kind}", value, stated, stated))
    return within(found, "512 sequences for each T up to 6", slack=rounding(1e-9))


@section.check(corrected("nichani.task.experiment-d"), "proofs", method="all datasets")
def experiment_d(printed: Printed) -> Evidence:
    if "missed" not in printed:  # one value for every draw, as printed
        stated = printed["value"].number()
        if stated <= 1:
            argument = Argument()
            argument.true("one answer a relation: max |A_r| = 1", stated == 1, f"D = {stated}")
            return conclude(argument, scope="all S, R >= 1", summary="D = 1 is always attained")
        return conclude(
            Argument().refute(
                {
                    "S": 1,
                    "R": 1,
                    "D": stated,
                    "max |A_r|": 1,
                    "stated": stated,
                    "in general": "max |A_r| <= min(S, D), and S >= D draws need not meet all answers",
                    "P(max |A_r| < 8) at S = R = 8": _missing(8, 8, 8),
                    "and at S = R = 32": _missing(32, 32, 8),
                }
            )
        )
    return conclude(
        fact_tables.drawn_answers(printed["most"].field(), partial(_attained, printed)),
        scope="all S, R, D >= 1",
        summary="inclusion and exclusion; all small datasets enumerated",
    )


def _missed(D: int, j: int) -> Fraction:
    return 1 - Fraction(j, D)


def _missing(S: int, R: int, D: int) -> str:
    return f"{float(1 - fact_tables.coverage(S, R, D, _missed)):.3g}"


def _attained(printed: Printed, S: int, R: int, D: int) -> Fraction:
    """P(max |A_r| = D) by the printed formulas; what cannot be evaluated is no probability."""
    draws, relations = (int(printed[name].at(S=S, R=R, D=D)) for name in ("draws", "relations"))

    def missed(D: int, j: int) -> Fraction:
        return printed["missed"].at(D=D, j=j)

    return fact_tables.coverage(draws, relations, D, missed)


@section.measured(corrected("nichani.task.experiment-d"), method="random tables", **_GROUP)
def experiment_d_measured(printed: Printed) -> Cases:
    experiment = Experiment("drawn answers", _drawn, block=1024, chunk=1024)
    cases = []
    for S, R, D in ((4, 2, 2), (3, 1, 3), (5, 2, 4)):
        if "value" in printed:
            D = int(printed["value"].number())
        if "missed" in printed:
            value = float(_attained(printed, S, R, D))
            if printed["most"].real(D=D) < D:
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"D = {D}: |A_r| = {D} occurs",
                    scope="one table",
                    counterexample={"D": D, "stated at most": printed["most"].real(D=D)},
                )
        else:
            value = 1.0
        sizes = {"S": S, "R": R, "D": D}
        claimed = Between(value, value, 0.05)
        cases.append(
            Case.of("P(max |A_r| = D)", experiment, "attained", sizes, claimed, truth=value)
        )
    return cases


def _drawn(**arguments: Any) -> Any:
    from numerics.papers.nichani.attention_checks import drawn_answer_sets

    return drawn_answer_sets(**arguments)


# -- the layer ------------------------------------------------------------------------------------

#: How the formulas name the matrices of a head; a t at the end is a transpose.
_HEAD = {"K": "W_K", "Q": "W_Q", "U": "W_V", "O": "W_O"}
_LAYER = ("scores", "attn", "mhsa", "hidden", "out")


def _matrices(formula: Formula) -> Matrices:
    if formula.arguments:
        left, right = formula.arguments
        return formula.head, _matrices(left), _matrices(right)
    name, transposed = formula.head, len(formula.head) == 2 and formula.head.endswith("t")
    plain = name[0] if transposed else name
    return _HEAD.get(plain, plain) + ("_T" if transposed else "")


def _rows(printed: Printed) -> dict[str, str]:
    stated = {name: str(printed[f"{name}_rows"]) for name in ("attn", "mhsa", "out")}
    return {"scores": "T", "hidden": "m", **stated}


@section.check("nichani.model.shapes", "proofs", method="typed products")
def shapes(printed: Printed) -> Evidence:
    expressions = {name: _matrices(printed[name]) for name in _LAYER}
    return conclude(
        fact_tables.layer_shapes(expressions, _rows(printed)),
        scope="all T, d, d_h, m, H",
        summary="inner sizes agree in every product",
    )


@section.check("nichani.model.shapes", "numerics", method="a layer of different sizes")
def shapes_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.errors import InputError
    from numerics.papers.nichani.attention_checks import layer_columns

    sizes = {"T": 5, "d": 7, "d_h": 3, "m": 11}
    expressions = {name: _matrices(printed[name]) for name in _LAYER}
    try:
        lengths, deviation = layer_columns(expressions, seed=context.seed)
    except InputError as error:
        return Evidence(
            Verdict.REFUTED, "", str(error), scope="", counterexample={"torch": str(error)}
        )
    found: list[Computed] = [
        (f"rows of {name}", lengths[name], sizes[rows], sizes[rows])
        for name, rows in _rows(printed).items()
    ]
    found.append(("the last value less F_TF", deviation, 0, 0))
    return within(found, "T = 5, d = 7, d_h = 3, m = 11, one head", slack=rounding(1e-9))


@section.both(
    "nichani.model.param-count",
    fact_tables.parameters,
    method="sizes of the matrices",
    scope="all H, d, d_h, m",
    summary="four matrices a head, two in the MLP",
    measured="parameters of a layer",
    looked="three shapes",
    slack=rounding(1e-9),
)
def param_count_computed(attention: Formula, mlp: Formula, total: Formula) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import parameter_counts

    for d, H, d_h, m in ((6, 2, 3, 12), (6, 4, 3, 6), (10, 3, 10, 5)):
        heads, rest = parameter_counts(d, H, d_h, m)
        shape = {"alpha": Fraction(H * d_h, d), "beta": Fraction(m, d)}
        words = f"d = {d}, H = {H}, d_h = {d_h}, m = {m}"
        for name, counted, stated in (
            ("heads", heads, attention.real(d=d, H=H, d_h=d_h)),
            ("MLP", rest, mlp.real(d=d, m=m)),
            ("both", heads + rest, total.real(d=d, **shape)),
        ):
            yield f"{words}: {name}", counted, stated, stated


# -- sets of answers ------------------------------------------------------------------------------


@section.both(
    "nichani.fig3.superposition",
    fact_tables.indicator_sum,
    method="sets of answers",
    scope="all tables under Assumption 1",
    summary="from the two definitions; all small tables enumerated",
    measured="random tables",
    looked="27 random tables, all facts",
    slack=rounding(1e-9),
)
def superposition_computed(
    peak: float, others: float, common: float, disjoint: bool, context: Context
) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import indicator_sums

    sums = indicator_sums(disjoint=disjoint, seed=context.seed)
    yield "least at a*(s, r)", sums["peak"][0], peak, peak
    yield "largest at a*(s, r)", sums["peak"][1], peak, peak
    yield "largest elsewhere", sums["others"][1], -math.inf, others
    yield "fewest answers in common", sums["common"][0], common, common
    yield "most answers in common", sums["common"][1], common, common


@section.both(
    "nichani.sketch.answer-set-size",
    fact_tables.answer_set_sizes,
    method="images of maps",
    scope="all tables",
    summary="A_s is an image of R, D a maximum",
    measured="evenly spread tables",
    looked="six tables",
    slack=rounding(1e-9),
)
def answer_set_size_computed(
    subject: Formula, relation: Formula, both: Formula
) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import answer_set_sizes

    for S, R, D in ((1, 1, 1), (2, 1, 2), (1, 3, 1), (6, 2, 4), (3, 4, 1), (5, 5, 5)):
        of_subject, of_relation, width = answer_set_sizes(S, R, D)
        sizes = {"R": R, "D": width}
        words = f"S = {S}, R = {R}, D = {width}"
        yield f"{words}: max |A_s|", of_subject, 0, subject.real(**sizes)
        yield f"{words}: max |A_r|", of_relation, 0, relation.real(**sizes)
        yield f"{words}: max |A_z|", max(of_subject, of_relation), 0, both.real(**sizes)


section.argued(
    "nichani.thm3.remark-product",
    fact_tables.product_of_conditions,
    method="sign of the difference",
    scope="all S, R, D >= 1 with R >= D",
    summary="R (S + R) >= S R",
)


# -- subsets of the facts -------------------------------------------------------------------------


@section.check(corrected("nichani.remark.subset"), "proofs", method="variances of scores")
def subset(printed: Printed) -> Evidence:
    if "power" in printed:  # a power of M, up to logarithms, as printed
        return _power_of_facts(printed["power"].number())
    needs, _ = attention_capacity.needs()
    return conclude(
        needs,
        made_of(fact_tables.subset_product, printed),
        scope="all tables of M facts",
        summary="from the variances of scores; both bounds are attained",
    )


def _power_of_facts(power: Fraction) -> Evidence:
    """H d d_h = polylog M^power fails where scores of the construction need the order M^(3/2)."""
    if power >= Fraction(3, 2):
        return Evidence(Verdict.INCONCLUSIVE, "", f"M^({power}) is enough for the block")
    return conclude(attention_capacity.subset_needs(16))


@section.values(
    corrected("nichani.remark.subset"),
    method="tables of facts",
    slack=rounding(1e-9),
    scope="five kinds of tables, up to M = 288",
)
def subset_computed(printed: Printed) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import subset_demands

    for k in (2, 3, 6, 12):
        for name, (facts, demand) in subset_demands(k).items():
            if "power" in printed:
                low, high = 0.0, 2 * float(facts) ** printed["power"].real()
            else:
                low, high = (printed[bound].real(M=facts) for bound in ("least", "most"))
            yield f"{name}, M = {facts}: the larger of A h and F", demand, low, high


# -- heads ----------------------------------------------------------------------------------------


@section.both(
    corrected("nichani.sketch.identity-ov"),
    attention_only.group_outputs,
    method="sum over the groups",
    scope="every number G >= 2 of groups, s and r in different ones",
    summary="every group without s and r adds phi(EOS)",
    measured="a layer of identities",
    looked="d = 64, hard attention, G = 2, 3, 5",
    slack=rounding(1e-9),
)
def identity_ov_computed(printed: Printed, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import group_output

    for G in (2, 3, 5):
        for projected in (False, True):
            output = group_output(G, projected=projected, seed=context.seed)
            stated = {"s": "subject", "r": "relation", "EOS": "projected" if projected else "end"}
            words = f"G = {G}, {'projections' if projected else 'identities'}"
            for token, name in stated.items():
                value = printed[name].real(G=G)
                yield f"{words}: phi({token})", output[token], value, value
            yield f"{words}: the rest", output["rest"], 0, 0


@section.check(corrected("nichani.sketch.superposition-bound"), "proofs", method="counting cuts")
def superposition_bound(printed: Printed) -> Evidence:
    if "most" in printed:  # a bound on |S(h)| alone, as printed
        return conclude(attention_only.unbounded_superposition())
    return conclude(
        attention_only.separable_sets(*numbers(printed, "inside", "outside", "factor", "base")),
        scope="all d >= 1, n and k within the bounds",
        summary="Cover's count and exchangeability",
    )


@section.measured(
    corrected("nichani.sketch.superposition-bound"), method="cuts of a circle", **_GROUP
)
def superposition_measured(printed: Printed, context: Context) -> Cases:
    if "most" in printed:
        from numerics.papers.nichani.attention_checks import one_sided_head

        d, tokens = 256, 2000
        separated = one_sided_head(d, tokens, seed=context.seed)
        most = printed["most"].real(d=d)
        found = (f"|S(h)| of one head at d = {d}", tokens if separated else 0, 0, most)
        return within([found], "one draw", slack=rounding(1e-9))
    inside, outside = (math.ceil(2 * printed[name].number()) for name in ("inside", "outside"))
    bound = float(printed["factor"].number() * printed["base"].number() ** 2)
    experiment = Experiment("chords", _chords)
    sizes = {"k": inside, "rest": outside}
    return [Case.of("P(some v), d = 2", experiment, "cut", sizes, AtMost(bound))]


def _chords(**arguments: Any) -> Any:
    from numerics.papers.nichani.attention_checks import chord_cut

    return chord_cut(**arguments)


def filter_necessity(left: RationalFunction, right: RationalFunction) -> Argument:
    argument = fact_tables.bits_needed(left, right)
    if argument.witness is not None:
        differ = fact_tables.all_answers_differ(4, 4)
        argument.true(
            f"{differ.text}: recalls", differ.recalls(), "S = R = 4, all answers different"
        )
        also = {"all S R answers different": f"H = 1, d_h = 2: {differ.text}"}
        argument.witness = {**argument.witness, **also}
    return argument


@section.both(
    corrected("nichani.remark.filter-necessity"),
    filter_necessity,
    method="one head, counting bits",
    scope="all S, R, D; any embeddings, the parameters b bits each",
    summary="as many settings as tables",
    measured="one head, built",
    looked="two layers with one head, all contexts of length 3",
    slack=rounding(1e-9),
)
def filter_necessity_computed(
    left: Formula, right: Formula, context: Context
) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import one_token_recall

    for S, R, bits in ((100, 1, 2), (1, 300, 18)):
        kind: Any = "relation" if R == 1 else "subject"
        recalled, sizes = one_token_recall(kind, S * R, seed=context.seed, one_hot=True)
        yield f"S = {S}, R = {R}: recalled", recalled, 1, 1
        have, stated = left.real(**sizes, b=bits), right.real(S=S, R=R)
        yield f"S = {S}, R = {R}, {bits} bits: left-hand side", have, stated, math.inf
    random, _ = one_token_recall("relation", 40, seed=context.seed, one_hot=False)
    yield "S = 40, R = 1, embeddings on the sphere: recalled", random, 1, 1


# -- Theorem 3 ------------------------------------------------------------------------------------


section.check("nichani.thm3.statement", "proofs", method="as Theorem 10")(grouped_heads.statement)
section.values(
    "nichani.thm3.statement",
    method="groups of heads, built",
    scope=grouped_heads.GROUPS,
    slack=rounding(1e-9),
)(grouped_heads.recall_computed)


# -- Theorem 4 ------------------------------------------------------------------------------------


section.check("nichani.thm4.statement", "proofs", method="heads of small rank, and Lemma 3")(
    heads_and_mlp.statement
)
