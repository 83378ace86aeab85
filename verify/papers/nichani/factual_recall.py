"""Checks of Sec. 4.1 to 4.3 of Nichani et al.: the task, the layer, Theorem 3, remarks and sketch."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.papers.nichani import attention_capacity, attention_only, fact_tables
from proofs.papers.nichani.fact_tables import Matrices
from verify.checks.argument import conclude
from verify.checks.computed import Computed, at, within
from verify.checks.section import Section
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Source, Statistic, View
from verify.papers.nichani import theorem10, theorem11
from verify.printed.formula import Formula
from verify.statistics import AtMost, Between
from verify.verdict import Verdict

section = Section()
_GROUP: dict[str, Any] = {"group": "fact tables", "builds": False}


def _fields(printed: Printed, *names: str) -> list[RationalFunction]:
    return [printed[name].field() for name in names]


# -- the task -------------------------------------------------------------------------------------

_KINDS = ("subject", "relation", "noise")


@section.check("nichani.task.sequence", "proofs", method="all choices of the indices")
@section.check("nichani.task.sequence.corrected", "proofs", method="all choices of the indices")
def sequence(printed: Printed, context: Context) -> Evidence:
    return conclude(
        fact_tables.sequence_contents(
            int(printed["least"].number()),
            {kind: printed[kind].field() for kind in _KINDS},
            *_fields(printed, "length", "end"),
        ),
        scope="every T from the least on",
        summary="T - 1 indices, two of them taken",
    )


@section.check("nichani.task.sequence", "numerics", method="sampled sequences")
@section.check("nichani.task.sequence.corrected", "numerics", method="sampled sequences")
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
                stated = at(printed[kind], T=T)
                found.append((f"T = {T}, {kind}", value, stated, stated))
    return within(found, "512 sequences for each T up to 6")


@section.check("nichani.task.experiment-d", "proofs", method="all datasets")
@section.check("nichani.task.experiment-d.corrected", "proofs", method="all datasets")
def experiment_d(printed: Printed, context: Context) -> Evidence:
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
    draws, relations = (
        int(printed[name].field()(S=S, R=R, D=D).as_fraction()) for name in ("draws", "relations")
    )

    def missed(D: int, j: int) -> Fraction:
        return printed["missed"].field()(D=D, j=j).as_fraction()

    return fact_tables.coverage(draws, relations, D, missed)


@section.measured("nichani.task.experiment-d", method="random tables", **_GROUP)
@section.measured("nichani.task.experiment-d.corrected", method="random tables", **_GROUP)
def experiment_d_measured(printed: Printed, context: Context) -> Cases:
    experiment = Experiment("drawn answers", _drawn, block=1024, chunk=1024)
    cases = []
    for S, R, D in ((4, 2, 2), (3, 1, 3), (5, 2, 4)):
        if "value" in printed:
            D = int(printed["value"].number())
        if "missed" in printed:
            value = float(_attained(printed, S, R, D))
            if at(printed["most"], D=D) < D:
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"D = {D}: |A_r| = {D} occurs",
                    scope="one table",
                    counterexample={"D": D, "stated at most": at(printed["most"], D=D)},
                )
        else:
            value = 1.0
        sizes = {"S": S, "R": R, "D": D}
        statistic = Statistic((Source(experiment, "attained", sizes),))
        claimed = partial(_between, value, 0.05)
        cases.append(Case("P(max |A_r| = D)", sizes, statistic, claimed, truth=value))
    return cases


def _drawn(**arguments: Any) -> Any:
    from numerics.papers.nichani.attention_checks import drawn_answer_sets

    return drawn_answer_sets(**arguments)


def _between(value: float, tolerance: float, view: View) -> Between:
    return Between(value, value, tolerance)


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
def shapes(printed: Printed, context: Context) -> Evidence:
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
    return within(found, "T = 5, d = 7, d_h = 3, m = 11, one head")


section.argued(
    "nichani.model.param-count",
    decide=fact_tables.parameters,
    method="sizes of the matrices",
    scope="all H, d, d_h, m",
    summary="four matrices a head, two in the MLP",
)


@section.check("nichani.model.param-count", "numerics", method="parameters of a layer")
def param_count_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import parameter_counts

    found: list[Computed] = []
    for d, H, d_h, m in ((6, 2, 3, 12), (6, 4, 3, 6), (10, 3, 10, 5)):
        heads, mlp = parameter_counts(d, H, d_h, m)
        shape = {"alpha": Fraction(H * d_h, d), "beta": Fraction(m, d)}
        words = f"d = {d}, H = {H}, d_h = {d_h}, m = {m}"
        for name, counted, stated in (
            ("heads", heads, at(printed["attention"], d=d, H=H, d_h=d_h)),
            ("MLP", mlp, at(printed["mlp"], d=d, m=m)),
            ("both", heads + mlp, at(printed["total"], d=d, **shape)),
        ):
            found.append((f"{words}: {name}", counted, stated, stated))
    return within(found, "three shapes")


# -- sets of answers ------------------------------------------------------------------------------


section.argued(
    "nichani.fig3.superposition",
    decide=fact_tables.indicator_sum,
    method="sets of answers",
    scope="all tables under Assumption 1",
    summary="from the two definitions; all small tables enumerated",
)


@section.check("nichani.fig3.superposition", "numerics", method="random tables")
def superposition_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import indicator_sums

    disjoint = printed["disjoint"].number() == 1
    sums = indicator_sums(disjoint=disjoint, seed=context.seed)
    peak, others, common = (float(printed[n].number()) for n in ("peak", "others", "common"))
    return within(
        [
            ("least at a*(s, r)", sums["peak"][0], peak, peak),
            ("largest at a*(s, r)", sums["peak"][1], peak, peak),
            ("largest elsewhere", sums["others"][1], -math.inf, others),
            ("fewest answers in common", sums["common"][0], common, common),
            ("most answers in common", sums["common"][1], common, common),
        ],
        "27 random tables, all facts",
    )


section.argued(
    "nichani.sketch.answer-set-size",
    decide=fact_tables.answer_set_sizes,
    method="images of maps",
    scope="all tables",
    summary="A_s is an image of R, D a maximum",
)


@section.check("nichani.sketch.answer-set-size", "numerics", method="evenly spread tables")
def answer_set_size_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import answer_set_sizes

    found: list[Computed] = []
    for S, R, D in ((1, 1, 1), (2, 1, 2), (1, 3, 1), (6, 2, 4), (3, 4, 1), (5, 5, 5)):
        subject, relation, width = answer_set_sizes(S, R, D)
        sizes = {"R": R, "D": width}
        words = f"S = {S}, R = {R}, D = {width}"
        found += [
            (f"{words}: max |A_s|", subject, 0, at(printed["subject"], **sizes)),
            (f"{words}: max |A_r|", relation, 0, at(printed["relation"], **sizes)),
            (f"{words}: max |A_z|", max(subject, relation), 0, at(printed["both"], **sizes)),
        ]
    return within(found, "six tables")


section.argued(
    "nichani.thm3.remark-product",
    decide=fact_tables.product_of_conditions,
    method="sign of the difference",
    scope="all S, R, D >= 1 with R >= D",
    summary="R (S + R) >= S R",
)


# -- subsets of the facts -------------------------------------------------------------------------


@section.check("nichani.remark.subset", "proofs", method="variances of scores")
@section.check("nichani.remark.subset.corrected", "proofs", method="variances of scores")
def subset(printed: Printed, context: Context) -> Evidence:
    if "power" in printed:  # a power of M, up to logarithms, as printed
        return _power_of_facts(printed["power"].number())
    needs, _ = attention_capacity.needs()
    return conclude(
        needs,
        fact_tables.subset_product(*_fields(printed, "least", "most")),
        scope="all tables of M facts",
        summary="from the variances of scores; both bounds are attained",
    )


def _power_of_facts(power: Fraction) -> Evidence:
    """H d d_h = polylog M^power fails where scores of the construction need the order M^(3/2)."""
    if power >= Fraction(3, 2):
        return Evidence(Verdict.INCONCLUSIVE, "", f"M^({power}) is enough for the block")
    return conclude(attention_capacity.subset_needs(16))


@section.check("nichani.remark.subset", "numerics", method="tables of facts")
@section.check("nichani.remark.subset.corrected", "numerics", method="tables of facts")
def subset_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import subset_demands

    found: list[Computed] = []
    for k in (2, 3, 6, 12):
        for name, (facts, demand) in subset_demands(k).items():
            if "power" in printed:
                low, high = 0.0, 2 * float(facts) ** float(printed["power"].number())
            else:
                low, high = (at(printed[bound], M=facts) for bound in ("least", "most"))
            found.append((f"{name}, M = {facts}: the larger of A h and F", demand, low, high))
    return within(found, "five kinds of tables, up to M = 288")


# -- heads ----------------------------------------------------------------------------------------


section.argued(
    "nichani.sketch.identity-ov",
    "nichani.sketch.identity-ov.corrected",
    decide=attention_only.group_outputs,
    method="sum over the groups",
    scope="every number G >= 2 of groups, s and r in different ones",
    summary="every group without s and r adds phi(EOS)",
)


@section.check("nichani.sketch.identity-ov", "numerics", method="a layer of identities")
@section.check("nichani.sketch.identity-ov.corrected", "numerics", method="a layer of identities")
def identity_ov_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import group_output

    found: list[Computed] = []
    for G in (2, 3, 5):
        for projected in (False, True):
            output = group_output(G, projected=projected, seed=context.seed)
            stated = {"s": "subject", "r": "relation", "EOS": "projected" if projected else "end"}
            words = f"G = {G}, {'projections' if projected else 'identities'}"
            for token, name in stated.items():
                value = at(printed[name], G=G)
                found.append((f"{words}: phi({token})", output[token], value, value))
            found.append((f"{words}: the rest", output["rest"], 0, 0))
    return within(found, "d = 64, hard attention, G = 2, 3, 5")


@section.check("nichani.sketch.superposition-bound", "proofs", method="counting cuts")
@section.check("nichani.sketch.superposition-bound.corrected", "proofs", method="counting cuts")
def superposition_bound(printed: Printed, context: Context) -> Evidence:
    if "most" in printed:  # a bound on |S(h)| alone, as printed
        return conclude(attention_only.unbounded_superposition())
    return conclude(
        attention_only.separable_sets(
            *(printed[name].number() for name in ("inside", "outside", "factor", "base"))
        ),
        scope="all d >= 1, n and k within the bounds",
        summary="Cover's count and exchangeability",
    )


@section.measured("nichani.sketch.superposition-bound", method="cuts of a circle", **_GROUP)
@section.measured(
    "nichani.sketch.superposition-bound.corrected", method="cuts of a circle", **_GROUP
)
def superposition_measured(printed: Printed, context: Context) -> Cases:
    if "most" in printed:
        from numerics.papers.nichani.attention_checks import one_sided_head

        d, tokens = 256, 2000
        separated = one_sided_head(d, tokens, seed=context.seed)
        most = at(printed["most"], d=d)
        return within(
            [(f"|S(h)| of one head at d = {d}", tokens if separated else 0, 0, most)], "one draw"
        )
    inside, outside = (math.ceil(2 * printed[name].number()) for name in ("inside", "outside"))
    bound = float(printed["factor"].number() * printed["base"].number() ** 2)
    experiment = Experiment("chords", _chords)
    sizes = {"k": inside, "rest": outside}
    return [
        Case(
            "P(some v), d = 2",
            sizes,
            Statistic((Source(experiment, "cut", sizes),)),
            partial(_at_most, bound),
        )
    ]


def _chords(**arguments: Any) -> Any:
    from numerics.papers.nichani.attention_checks import chord_cut

    return chord_cut(**arguments)


def _at_most(bound: float, view: View) -> AtMost:
    return AtMost(bound)


@section.check("nichani.remark.filter-necessity", "proofs", method="one head, counting bits")
@section.check(
    "nichani.remark.filter-necessity.corrected", "proofs", method="one head, counting bits"
)
def filter_necessity(printed: Printed, context: Context) -> Evidence:
    argument = fact_tables.bits_needed(*_fields(printed, "left", "right"))
    if argument.witness is not None:
        differ = fact_tables.all_answers_differ(4, 4)
        argument.true(
            f"{differ.text}: recalls", differ.recalls(), "S = R = 4, all answers different"
        )
        also = {"all S R answers different": f"H = 1, d_h = 2: {differ.text}"}
        argument.witness = {**argument.witness, **also}
    return conclude(
        argument,
        scope="all S, R, D; any embeddings, the parameters b bits each",
        summary="as many settings as tables",
    )


@section.check("nichani.remark.filter-necessity", "numerics", method="one head, built")
@section.check("nichani.remark.filter-necessity.corrected", "numerics", method="one head, built")
def filter_necessity_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_checks import one_token_recall

    found: list[Computed] = []
    for S, R, bits in ((100, 1, 2), (1, 300, 18)):
        kind: Any = "relation" if R == 1 else "subject"
        recalled, sizes = one_token_recall(kind, S * R, seed=context.seed, one_hot=True)
        found.append((f"S = {S}, R = {R}: recalled", recalled, 1, 1))
        left = float(printed["left"].field()(**sizes, b=bits).as_fraction())
        stated = at(printed["right"], S=S, R=R)
        found.append((f"S = {S}, R = {R}, {bits} bits: left-hand side", left, stated, math.inf))
    random, _ = one_token_recall("relation", 40, seed=context.seed, one_hot=False)
    found.append(("S = 40, R = 1, embeddings on the sphere: recalled", random, 1, 1))
    return within(found, "two layers with one head, all contexts of length 3")


# -- Theorem 3 ------------------------------------------------------------------------------------


@section.check("nichani.thm3.statement", "proofs", method="as Theorem 10")
def statement(printed: Printed, context: Context) -> Evidence:
    return theorem10.statement(printed, context)


@section.check("nichani.thm3.statement", "numerics", method="groups of heads, built")
def statement_computed(printed: Printed, context: Context) -> Evidence:
    return theorem10.statement_computed(printed, context)


# -- Theorem 4 ------------------------------------------------------------------------------------


@section.check("nichani.thm4.statement", "proofs", method="heads of small rank, and Lemma 3")
def statement_with_mlp(printed: Printed, context: Context) -> Evidence:
    return theorem11.statement(printed, context)
