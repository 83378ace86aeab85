"""Each contract lets the right thing pass and notices every wrong one, by each of its tests."""

from dataclasses import replace
from fractions import Fraction
from functools import wraps
from math import prod
from types import SimpleNamespace

import pytest
import torch

from numerics import AttentionOnly, LinearMemory, Stream
from numerics.contracts import ConstructionContract, MemoryContract
from numerics.draws import construction_recall
from proofs.algebra import RationalFunction
from proofs.capacity import Linear
from proofs.capacity.contract import ConditionContract
from proofs.derived import Derived
from proofs.memories import linear
from proofs.memories.contract import MarginContract, Place
from proofs.moments import Family, Gaussian, Sphere, dot, outer, sum_over
from proofs.moments.contract import LawContract


def inherited(contract):
    """The names of its tests."""
    return [name for name in dir(contract) if name.startswith("test_")]


# -- memories -------------------------------------------------------------------------------------


class Memories(MemoryContract):
    """The linear memory in six dimensions."""

    kind = LinearMemory
    many = True
    faults = ("transposed", "untied signs")

    def sample(self, N, M, **more):
        return self.kind.sample(6, N, M, **more)

    def images(self, memory, vectors):
        weight = torch.zeros(6, 6, dtype=torch.float64)
        for e, y in zip(memory.inputs.double(), memory.association, strict=True):
            weight += memory.outputs[y].double().outer(e)
        return vectors @ weight.T


class Doubled(LinearMemory):
    def apply(self, vectors):
        return 2 * super().apply(vectors)


class LastFactDropped(LinearMemory):
    def __init__(self, inputs, outputs, association):
        super().__init__(inputs, outputs, association)
        self._set_weight(self.weight - outputs[association[-1]].outer(inputs[-1]))


class Centred(LinearMemory):
    """What is asked together changes the answer."""

    def apply(self, vectors):
        return super().apply(vectors - vectors.mean(0))


class Unbounded(LinearMemory):
    def apply_error(self, vectors):
        return 0 * super().apply_error(vectors)


class Vague(LinearMemory):
    def apply_error(self, vectors):
        return 1e9 + super().apply_error(vectors)


class Unchecked(LinearMemory):
    def __init__(self, inputs, outputs, association):
        self.inputs, self.outputs, self.association = inputs, outputs, association


class Nudged(LinearMemory):
    """Outputs are not those that were given."""

    def __init__(self, inputs, outputs, association):
        sizes = torch.linspace(1, 1.1, len(outputs), dtype=outputs.dtype).unsqueeze(1)
        super().__init__(inputs, sizes * outputs, association)


def sampled(**changes):
    """A suite whose samples are drawn with other arguments."""

    class Wrong(Memories):
        def sample(self, N, M, **more):
            return super().sample(N, M, **{**more, **{k: f(more) for k, f in changes.items()}})

    return Wrong


class Others(Memories):
    """Many at once are drawn from another stream than one by one."""

    def sample(self, N, M, *, seed, **more):
        given = Stream.of(seed)
        return super().sample(
            N, M, seed=given.child("many") if "replicates" in more else given, **more
        )


class OtherOnDevices(Memories):
    def sample(self, N, M, *, seed, **more):
        given = seed if isinstance(seed, Stream) else Stream(seed)
        return super().sample(N, M, seed=given.child("there") if "device" in more else seed, **more)


class Restarting(Memories):
    def failures(self, N, M, replicates, *, seed, start=0):
        return super().failures(N, M, replicates, seed=seed)


class Forgiving(Memories):
    def sample(self, N, M, **more):
        return super().sample(max(N, 1), max(M, N, 1), **more)


def of_kind(memory):
    return type(memory.__name__, (Memories,), {"kind": memory})


MEMORIES = {
    "a wrong scale": (of_kind(Doubled), "images_are_those_of_the_definition"),
    "a dropped fact": (of_kind(LastFactDropped), "recall_is_that_of_the_definition"),
    "a batch that matters": (of_kind(Centred), "blocks_change_nothing_but_rounding"),
    "no bound": (of_kind(Unbounded), "error_bounds_hold_between_single_and_double_precision"),
    "a bound of everything": (
        of_kind(Vague),
        "error_bounds_hold_between_single_and_double_precision",
    ),
    "unchecked facts": (of_kind(Unchecked), "unusable_facts_are_refused_by_name"),
    "other outputs": (of_kind(Nudged), "ties_are_failures"),
    "an order that matters": (of_kind(LastFactDropped), "names_of_tokens_do_not_matter"),
    "a precision of its own": (
        sampled(dtype=lambda more: torch.float64),
        "dtypes_hold_the_same_facts",
    ),
    "a device that matters": (OtherOnDevices, "devices_hold_the_same_memory"),
    "a seed that does not": (sampled(seed=lambda more: 1), "a_memory_is_that_of_its_seed"),
    "a start that is ignored": (Restarting, "a_draw_depends_on_its_number_alone"),
    "other ones at once": (Others, "many_at_once_are_those_one_by_one"),
    "other counts at once": (Others, "counts_do_not_depend_on_how_many_are_drawn_at_once"),
    "faults that are ignored": (
        sampled(fault=lambda more: ""),
        "a_fault_is_built_of_the_same_facts_and_noticed",
    ),
    "sizes that are mended": (Forgiving, "unusable_arguments_are_refused_by_name"),
}


# -- constructions --------------------------------------------------------------------------------


class Constructions(ConstructionContract):
    """Heads alone."""

    builder = AttentionOnly
    d = 9
    choices = {"tokens_per_head": 2, "d_h": 4}  # noqa: RUF012
    tried = {"d": 40, "d_h": 20}  # noqa: RUF012
    faults = ("transposed values", "negated keys")

    def weights(self, drawn):
        phi, model = drawn.embeddings.double(), drawn.transformer
        for h, tokens in enumerate(drawn.heads):
            key = sum((phi[z] for z in tokens), start=phi[drawn.task.eos] / 2)
            found = (model.W_K[h].T @ model.W_Q[h]).detach()
            yield f"keys of head {h}", found, key.outer(phi[drawn.task.eos])

    def failures(self, replicates, **more):
        sizes = {"S": 3, "R": 3, "D": 2, "tokens_per_head": 2, **self.tried}
        return construction_recall.failures("attention", replicates=replicates, **sizes, **more)


def built(change=None, **replaced):
    """A suite whose builder changes what was built, or is told other choices."""

    class Builder(AttentionOnly):
        @classmethod
        def sample(cls, task, **choices):
            found = AttentionOnly.sample(task, **{**choices, **replaced})
            if change is not None:
                change(found)
            return found

        @classmethod
        def build(cls, task, embeddings, **choices):
            return AttentionOnly.build(task, embeddings, **choices)

    return type("Wrong", (Constructions,), {"builder": Builder})


@torch.no_grad()
def _twice_the_keys(drawn):
    drawn.transformer.W_K.mul_(2)


@torch.no_grad()
def _a_spare_head(drawn):
    drawn.transformer.W_O[-1].add_(1)


class Careless(Constructions):
    """A builder that takes any embeddings."""

    class builder(AttentionOnly):  # noqa: N801
        @classmethod
        def build(cls, task, embeddings, **choices):
            good = AttentionOnly.sample(task, d=9, **choices).embeddings
            return AttentionOnly.build(task, good, **choices)


class MendedChoices(Constructions):
    def sample(self, **choices):
        return super().sample(**{**choices, "tokens_per_head": choices.get("tokens_per_head") or 2})


class Unanswered(Constructions):
    def sample(self, **choices):
        drawn = super().sample(**choices)
        right = drawn.answer
        object.__setattr__(drawn, "answer", lambda tokens: right(tokens) + 1)
        return drawn


class Nameless(Constructions):
    def sample(self, **choices):
        drawn = super().sample(**choices)
        named = type("Other", (), {"__repr__": lambda self: "a construction"})()
        return SimpleNamespace(**vars(drawn), __class__=named)


class StartIgnored(Constructions):
    def failures(self, replicates, *, start=0, **more):
        return super().failures(replicates, **more)


class FaultIgnored(Constructions):
    def failures(self, replicates, *, fault="", **more):
        return super().failures(replicates, **more)


CONSTRUCTIONS = {
    "keys twice as long": (built(_twice_the_keys), "weights_are_those_of_the_definition"),
    "a seed that does not matter": (
        built(seed=1),
        "sampling_draws_the_embeddings_and_then_builds",
    ),
    "a device that is not heard of": (
        built(device="cpu"),
        "a_pretended_device_holds_the_same_construction",
    ),
    "answers that are not certified": (Unanswered, "what_is_certified_is_answered"),
    "no name": (Nameless, "a_construction_says_what_it_is"),
    "a spare head at work": (
        built(_a_spare_head),
        "heads_left_over_are_zero_and_too_few_are_refused",
    ),
    "a start that is ignored": (StartIgnored, "a_draw_depends_on_its_number_alone"),
    "faults that are ignored": (FaultIgnored, "a_fault_loses_facts_that_the_construction_keeps"),
    "any embeddings": (Careless, "unusable_embeddings_are_refused_by_name"),
    "choices that are mended": (MendedChoices, "unusable_choices_are_refused_by_name"),
}


# -- conditions -----------------------------------------------------------------------------------


class Conditions(ConditionContract):
    """The linear condition, coarse."""

    condition = Linear(32)
    places = ({"d": 64}, {"d": 128})
    certain = {"d": 8, "N": 1, "M": 1}  # noqa: RUF012
    known = (({"d": 1, "N": 1, "M": 2}, Fraction(1, 2)),)
    worse = (({"d": 64, "M": 30}, "N", (1, 2, 8, 30)),)
    better = (({"N": 4}, "d", (8, 64, 128)),)
    sound = {"d": 64, "N": 1, "M": 1}  # noqa: RUF012
    wrong = (({"N": 5, "M": 4}, "N: 5 inputs"),)


def condition(**changes):
    """A suite of a condition with methods replaced; each gets the right one first."""

    class Wrong(Linear):
        pass

    for name, change in changes.items():
        right = getattr(Linear, name)

        def wrong(self, *sizes, right=right, change=change, **more):
            return change(lambda **m: right(self, *sizes, **{**more, **m}), more)

        setattr(Wrong, name, wrong)
    return type("Wrong", (Conditions,), {"condition": Wrong(32)})


CONDITIONS = {
    "one more": (
        condition(largest=lambda right, more: right() + 1),
        "the_condition_holds_at_its_largest_size_and_not_beyond",
    ),
    "one less": (
        condition(largest=lambda right, more: right() - 1),
        "the_condition_holds_at_its_largest_size_and_not_beyond",
    ),
    "a delta that is ignored": (
        condition(largest=lambda right, more: right(delta="1/2")),
        "a_smaller_delta_allows_no_more_facts",
    ),
    "a search without end": (
        condition(largest=lambda right, more: right(at_most=None)),
        "the_search_ends_where_it_is_told_to",
    ),
    "a float": (
        condition(failure_bound=lambda right, more: float(right())),
        "bounds_are_exact_probabilities_and_say_whether_the_condition_holds",
    ),
    "half the bound": (
        condition(failure_bound=lambda right, more: right() / 3),
        "no_bound_is_below_a_known_probability",
    ),
    "never certain": (
        condition(failure_bound=lambda right, more: max(right(), Fraction(1, 10**9))),
        "where_nothing_can_be_lost_the_bound_is_zero",
    ),
    "one dimension for all": (
        condition(failure_bound=lambda right, more: right(d=64)),
        "bounds_are_monotone_in_the_sizes",
    ),
    "any delta": (
        condition(holds=lambda right, more: right(delta="1/2")),
        "what_is_no_failure_probability_is_refused",
    ),
    "any sizes": (
        condition(failure_bound=lambda right, more: right(N=1, M=2, d=64)),
        "sizes_out_of_range_are_refused_by_name",
    ),
}


# -- margins --------------------------------------------------------------------------------------


class Margins(MarginContract):
    """The linear memory, drawn without numpy."""

    module = linear
    sizes = {"d": 7, "N": 11}  # noqa: RUF012
    inner = ("same", "other")
    laws = ("sphere", "gaussian")
    definition_text = "W = sum_z u_f(z) e_z^T"
    enumerated = (
        Place({"d": 1}, {}, (1, 2, 3)),
        Place({"d": 2}, {}),
        Place({"d": 2}, {}, law="gaussian"),
    )
    simulated = ((Place({"d": 3}, {}), (0, 1, 1), 3),)
    factor = 1.0

    def drawn(self, place, table, y):
        generator = torch.Generator().manual_seed(0)
        e, u = (torch.randn(30_000, n, 3, generator=generator, dtype=torch.float64) for n in (3, 4))
        e, u = (vectors / vectors.norm(dim=-1, keepdim=True) for vectors in (e, u))
        weight = self.factor * u[:, list(table)].mT @ e
        contrast = (u[:, table[0]] - u[:, y]).unsqueeze(1)
        return (contrast @ weight @ e[:, 0].unsqueeze(2)).flatten().tolist()


def margins(
    found=lambda derived, order: derived, read=lambda sizes, known: (sizes, known), **module
):
    """A suite of public functions that change what they find, or what they are asked."""

    def changed(function):
        @wraps(function)
        def asked(*arguments, **known):
            order, sizes = arguments[:-2], list(arguments[-2:])
            sizes, known = read(sizes, known)
            return found(function(*order, *sizes, **known), *(order or (0,)))

        return asked

    names = ("margin_mean", "margin_variance", "margin_central_moment")
    functions = {name: changed(getattr(linear, name)) for name in names}
    given = {"definition": linear.definition, **functions, **module}
    return type("Wrong", (Margins,), {"module": SimpleNamespace(**given)})


def _numbers(change):
    """Sizes that are numbers, changed."""

    def read(sizes, known):
        return [change(x) if isinstance(x, (int, float, Fraction)) else x for x in sizes], known

    return read


def _without_a_summand(derived, order):
    steps = [step for step in derived.derivation if step.is_summand]
    return replace(derived, derivation=tuple(s for s in derived.derivation if s is not steps[0]))


class Plain(Derived):
    def latex(self, *, factored=False):
        return "x"


class Bent(Sphere):
    """The unit sphere with moments twice as large."""

    def scale(self, half_degree):
        factors, value = super().scale(half_degree)
        return factors, 2 * value if half_degree else value

    def monomial_mean(self, powers):
        return Fraction(0)


def _bent(embeddings="sphere"):
    memory = linear.Definition(embeddings)
    memory.e = Bent("e", RationalFunction.symbol("d"))
    z = memory.inputs.index("z")
    weight = sum_over(z, outer(memory.u[memory.association(z)], memory.e[z]))
    memory.margin = dot(memory.contrast(), weight @ memory.e[memory.x])
    return memory


def _any_order(order, *sizes, **known):
    return linear.margin_central_moment(3, *sizes, **known)


MARGINS = {
    "a dropped factor": (
        margins(lambda f, k: replace(f, value=f.value / 2)),
        "moments_agree_with_enumeration",
    ),
    "a scale of what is drawn": (
        type("Wrong", (Margins,), {"factor": 1.1}),
        "moments_agree_with_what_is_drawn",
    ),
    "a law with another scale": (
        margins(definition=_bent),
        "the_definition_agrees_at_instances_drawn_for_it",
    ),
    "symbols of its own": (
        margins(lambda f, k: replace(f, symbols={})),
        "formulas_are_in_the_symbols_of_the_caller",
    ),
    "a name that is taken": (
        margins(lambda f, k: replace(f, value=f.value(same=1))),
        "symbols_of_the_caller_may_have_any_names",
    ),
    "numbers that are not the formula": (
        margins(read=_numbers(lambda x: x + 1)),
        "numbers_give_the_formula_at_these_numbers",
    ),
    "no scope": (margins(lambda f, k: replace(f, scope="")), "the_scope_states_the_sizes"),
    "no domain": (
        margins(lambda f, k: replace(f, domain=())),
        "sizes_outside_the_domain_are_refused_with_the_bound",
    ),
    "sizes that are mended": (
        margins(read=_numbers(lambda x: max(int(x), 3))),
        "sizes_out_of_range_are_refused_by_name",
    ),
    "floats that are rounded": (margins(read=_numbers(int)), "inexact_sizes_are_refused"),
    "a step left out": (margins(_without_a_summand), "the_patterns_of_the_derivation_add_up"),
    "no formulas": (
        margins(lambda f, k: Plain(f.value, f.scope, f.derivation, f.symbols, f.domain)),
        "latex_is_for_a_paper",
    ),
    "any arguments": (
        margins(margin_mean=lambda *sizes, **known: linear.margin_mean(*sizes, **known)),
        "sizes_go_by_position_and_the_rest_by_keyword",
    ),
    "a raw moment": (
        margins(lambda f, k: replace(f, value=f.value + int(k == 1))),
        "the_first_central_moment_vanishes_and_the_second_is_the_variance",
    ),
    "fibres that are ignored": (
        margins(read=lambda sizes, known: (sizes, {**known, "same": 0})),
        "symbolic_fibres_specialise_to_numbers",
    ),
    "a law that is ignored": (
        margins(read=lambda sizes, known: (sizes, {**known, "embeddings": "sphere"})),
        "the_scope_states_the_fibres_and_the_law",
    ),
    "every map": (
        margins(lambda f, k: replace(f, scope=f.scope.partition("; outputs")[0])),
        "the_scope_says_where_other_fibres_begin_to_matter",
    ),
    "a definition a call": (
        margins(definition=linear.Definition),
        "one_definition_serves_all_calls",
    ),
    "fibres that are mended": (
        margins(read=lambda sizes, known: (sizes, {**known, "other": None})),
        "fibres_that_contradict_the_sizes_are_refused",
    ),
    "any order": (margins(margin_central_moment=_any_order), "orders_out_of_range_are_refused"),
}


# -- laws -----------------------------------------------------------------------------------------


class Ball(Family):
    """A law of one's own: uniform on the sphere of radius two."""

    factor = 4

    def scale(self, half_degree):
        return tuple((2 * i, -1) for i in range(half_degree)), self.factor**half_degree

    def monomial_mean(self, powers):
        if any(power % 2 for power in powers):
            return Fraction(0)
        odd = prod(prod(range(1, power, 2)) for power in powers)
        n, degree = len(powers), sum(powers)
        return Fraction(4 ** (degree // 2) * odd, prod(range(n, n + degree, 2)))


class Laws(LawContract):
    family = Ball

    def vectors(self):
        return self.family("v", self.d).__getitem__

    def norm(self, k):
        return 4**k


class WrongScale(Laws):
    family = type("Wrong", (Ball,), {"factor": 2})


class Moved(Laws):
    def vectors(self):
        vectors = super().vectors()
        return lambda index: vectors(index) + self.probe[self.A]


class Aging(Laws):
    """Moments that grow with every call."""

    calls = 0

    def moment(self, expression):
        self.calls += 1
        return super().moment(expression) + self.calls


class Named(Laws):
    """The first members are larger."""

    def vectors(self):
        vectors = super().vectors()
        return lambda index: vectors(index) * len(index.name)


class Growing(Laws):
    def vectors(self):
        self.calls = getattr(self, "calls", 0) + 1
        return Gaussian("v", self.d, self.calls).__getitem__


LAWS = {
    f"{words}: {noticed}": (suite, noticed)
    for words, suite, tests in (
        (
            "a wrong scale",
            WrongScale,
            (
                "the_scale_in_each_degree_is_that_of_the_norm",
                "powers_of_an_inner_product_agree_with_enumeration",
                "mixed_moments_agree_with_enumeration",
                "moments_along_fixed_directions_agree_with_enumeration",
                "powers_of_the_norm_agree_with_enumeration",
                "powers_of_a_projected_norm_agree_with_enumeration",
                "nested_products_agree_with_enumeration",
            ),
        ),
        ("not centred", Moved, ("odd_moments_vanish",)),
        (
            "a number of calls that matters",
            Aging,
            (
                "a_vector_and_its_negative_have_the_same_even_moments",
                "the_order_and_the_names_of_factors_do_not_matter",
                "an_inner_product_is_bilinear",
                "projections_add_up_to_the_vector",
            ),
        ),
        (
            "names that matter",
            Named,
            ("the_names_of_summed_indices_do_not_matter", "a_square_is_the_sum_over_pairs"),
        ),
        ("time that matters", Growing, ("a_law_made_before_or_after_the_others_is_the_same",)),
    )
    for noticed in tests
}

CONTRACTS = {
    Memories: MEMORIES,
    Constructions: CONSTRUCTIONS,
    Conditions: CONDITIONS,
    Margins: MARGINS,
    Laws: LAWS,
}


@pytest.mark.parametrize("contract", CONTRACTS)
def test_what_is_right_passes(contract):
    for name in inherited(contract):
        getattr(contract(), name)()


@pytest.mark.parametrize("contract", CONTRACTS)
def test_each_test_of_a_contract_notices_something(contract):
    noticed = {f"test_{name}" for _, name in CONTRACTS[contract].values()}
    assert noticed == set(inherited(contract))


WRONG = {
    (contract.__name__, name): found
    for contract, wrong in CONTRACTS.items()
    for name, found in wrong.items()
}


@pytest.mark.parametrize("which", WRONG, ids=", ".join)
def test_what_is_wrong_is_noticed(which):
    suite, noticed = WRONG[which]
    with pytest.raises(AssertionError):
        getattr(suite(), f"test_{noticed}")()
