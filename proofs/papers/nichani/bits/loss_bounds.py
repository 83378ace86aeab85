"""Theorem 7: arguments that decide its lines for all N, M, B, and smallest worlds where a line fails.

k = floor(B/L), K = ceil(B/L), L = log2 M. Each function takes the stated formulas; a witness is a world
in which they are wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import GIBBS
from proofs.information import budgets, learners, processing
from proofs.information.entropy import ZERO, Information, bits, log
from proofs.information.forms import linear_form
from proofs.information.joint import Joint
from proofs.information.power_laws import power_law
from proofs.information.relations import joint_entropy, mutual

#: Worlds with more encoders take longer and show nothing else.
_MOST = 20_000
_L, _B, _k, _N, _J, _p = symbols("L B k N J p")


# -- the bounds on the loss -----------------------------------------------------------------------


def tail_bound(bound: budgets.TailBound, *, least_bits: int) -> Argument:
    """E loss >= *bound* for every N, M, B >= *least_bits*, prior and learner, or a learner below it."""
    argument = Argument()
    rows = [row for row in learners.table(_MOST) if least_bits <= row.B]
    for row in rows:
        if searching() and row.best.loss < row.bound(bound):
            return argument.refute(_below(row, row.bound(bound)))
    argument.infer(
        "E loss >= sum_x p(x) (L - I_x) with 0 <= I_x <= L and sum_x I_x <= B",
        "the Gibbs step, superadditivity and data processing",
    )
    argument.infer(
        "sum_x p(x) I_x = sum_n (p(n) - p(n+1)) sum_{x <= n} I_x <= sum_n (p(n) - p(n+1)) min(n L, B)",
        "summation by parts with p(N+1) = 0; p does not increase",
    )
    argument.infer(
        "so a bound sum_x p(x) w_x follows if sum_{x <= n} w_x <= max(0, n L - B) for every n",
        "summation by parts once more",
    )
    argument.infer(
        "with s = first - 1 the stated sums are 0 for n < s, then factor (rest + (n - s) L); this is at "
        "most factor (n L - B), and so max(0, n L - B), if rest <= s L - B and factor is in [0, 1]",
        "one line of arithmetic",
    )
    argument.true("the factor is from 0 to 1", 0 <= bound.factor <= 1, str(bound.factor))
    for words, at, domain in _cases():
        room = (bound.first - 1) * _L - _B - bound.rest
        argument.nonnegative(f"{words}: s L - B - rest", room(**at), domain, interior="t" in domain)
    for row in rows:
        stated = row.bound(bound)
        argument.true(
            f"{row}: the best of {row.encoders} encoders has loss {row.best.loss}",
            stated <= row.best.loss,
            f"the bound is {stated}",
        )
    return argument


def _cases() -> list[tuple[str, dict[str, RationalFunction], dict[str, int]]]:
    """B/L = k, or strictly between k and k + 1, there as k + 1/(1 + t) with t > 0."""
    part = 1 / (1 + RationalFunction.symbol("t"))
    return [
        ("B/L = k", {"K": _k, "B": _k * _L}, {"k": 0, "L": 1}),
        (
            "k < B/L < k + 1",
            {"K": _k + 1, "B": (_k + part) * _L},
            {"k": 0, "L": 1, "t": 0},
        ),
    ]


def _below(row: learners.Row, stated: Information) -> Witness:
    """A learner with a loss below what is stated, for a reader to work out again."""
    return {
        "N": row.N,
        "M": row.M,
        "B": row.B,
        "p": ", ".join(map(str, row.prior)),
        "message F": _told(row),
        "loss of the posterior": str(row.best.loss),
        "stated": str(stated),
    }


def _told(row: learners.Row) -> str:
    """The message of each table, answers counted from 1: "0 for f*(1) = 1, 1 for f*(1) = 2"."""
    words = []
    for table, message in zip(learners.tables(row.N, row.M), row.best.encoder, strict=True):
        values = ", ".join(f"f*({x}) = {value + 1}" for x, value in enumerate(table, 1))
        words.append(f"{message} for {values}")
    return "; ".join(words) if row.N > 1 else ", ".join(words)


def zero_loss(needed: RationalFunction) -> Argument:
    """Zero expected loss needs at least *needed* bits, a formula in N and L."""
    argument = Argument()
    for N, m in ((1, 1), (2, 1), (1, 2), (3, 1), (2, 2), (5, 3)):
        stated = needed(N=N, L=m).as_fraction()
        if searching() and stated > N * m:
            argument.witness = {
                "N": N,
                "M": 2**m,
                "B": N * m,
                "learner": "writes down all values, m bits each, and has loss 0",
                "bits stated to be needed": stated,
            }
            return argument
    argument.infer(
        "at zero expected loss h(x) gives f*(x) probability one almost surely, for every x",
        "p(x) > 0, and -log is 0 only at 1",
    )
    argument.infer(
        "no message has positive probability under two tables",
        "the law of h given F is the same under both, and h gives f* away",
    )
    argument.infer(
        "2^B >= M^N, that is B >= N L", "each of the M^N tables has a message of its own"
    )
    argument.nonnegative("N L less what is stated", _N * _L - needed, {"N": 1, "L": 1})
    for row in learners.table(_MOST):
        argument.true(
            f"{row}: some encoder has loss 0 if and only if 2^B >= M^N",
            (row.best.loss == ZERO) == (2**row.B >= row.M**row.N),
            f"the least loss is {row.best.loss}",
        )
    return argument


# -- steps of the proof ---------------------------------------------------------------------------


def inequalities(
    stated: Mapping[str, RationalFunction], derived: Mapping[str, tuple[str, RationalFunction]]
) -> Argument:
    """Each stated form in P, I, H, B, T is >= 0: it is the *derived* one, which is for the reason given.

    The symbols are those of ``processing.Learner.quantities``.
    """
    argument = Argument()
    for name, (reason, form) in derived.items():
        argument.equal(f"{name} is what {reason}", stated[name], form)
    witness = next(_negative(stated.values()), None)
    argument.true(
        "no learner of a small world is against it",
        witness is None,
        f"{len(processing.learners())} joint laws, exactly",
    )
    return argument.unless(witness)


def _negative(forms: Collection[RationalFunction]) -> Iterator[Witness]:
    """Learners at which one of the forms is below 0."""
    for learner in processing.learners():
        values = learner.quantities()
        for form in forms:
            found = linear_form(form, values)
            if found < ZERO:
                at = {symbol: str(values[symbol]) for symbol in sorted(form.names)}
                yield {"learner": learner.name, **at, f"{form}, stated >= 0": str(found)}


def data_processing(stated: Mapping[str, RationalFunction]) -> Argument:
    """I(f*; h) <= I(f*; F) <= H(F) <= B: what is stated for ``processed``, ``message``, ``length``."""
    P, sent, H, B = symbols("P I H B")
    derived = {
        "processed": ("the chain f* -> F -> h leaves: I(f*; F | h) >= 0", sent - P),
        "message": ("the message has left: H(F | f*) >= 0", H - sent),
        "length": ("the message lacks of 2^B equal probabilities: D(F || uniform) >= 0", B - H),
    }
    argument = inequalities(stated, derived)
    if argument.witness is None:
        argument.equal(
            "I(f*; F) - I(f*; h) = I(f*; F | h) - I(f*; h | F)",
            mutual("f", "F") - mutual("f", "h"),
            mutual("f", "F", "h") - mutual("f", "h", "F"),
        )
        argument.infer("I(f*; h | F) = 0", "f* -> F -> h is a Markov chain")
        argument.equal(
            "H(F) - I(f*; F) = H(F | f*)",
            joint_entropy("F") - mutual("f", "F"),
            joint_entropy("Ff") - joint_entropy("f"),
        )
        argument.cite(
            "I(f*; F | h), H(F | f*) = I(F; F | f*) and log of the number of messages less H(F) are "
            "divergences, so >= 0",
            GIBBS,
        )
    return argument


def superadditive(stated: Mapping[str, RationalFunction], *, independent: bool) -> Argument:
    """B >= I(f*; h) >= sum_x I(f*(x); h): what is stated for ``budget`` and ``sum``.

    *independent*: whether the values are stated to be; without it there is a counterexample.
    """
    P, B, T = symbols("P B T")
    if not independent:
        law = Joint.uniform(("f1", "f2"), [(0, 0), (1, 1)]).function("h", lambda a: a, "f1")
        whole = law.mutual_information(("f1", "f2"), "h")
        parts = law.mutual_information("f1", "h") + law.mutual_information("f2", "h")
        witness = {"f*": "f*(1) = f*(2), one fair bit; h tells it", "I(f*; h)": str(whole)}
        return Argument().refute(witness | {"sum_x I(f*(x); h)": str(parts)})
    derived = {
        "budget": ("data processing leaves", B - P),
        "sum": ("the independence of the values leaves", P - T),
    }
    argument = inequalities(stated, derived)
    if argument.witness is None:
        argument.equal(
            "I(a, b; h) - I(a; h) - I(b; h) = I(a; b | h) - I(a; b), a = f*(1..x-1), b = f*(x)",
            mutual("ab", "h") - mutual("a", "h") - mutual("b", "h"),
            mutual("a", "b", "h") - mutual("a", "b"),
        )
        argument.infer("I(a; b) = 0", "the values are independent")
        argument.infer("I(f*; h) >= sum_x I(f*(x); h)", "induction over x")
        argument.cite("I(a; b | h) = E D(law of a, b given h || its product) >= 0", GIBBS)
    return argument


def gibbs(bound: RationalFunction) -> Argument:
    """E[-log h(x)_{f*(x)}] >= *bound* in L = log M and J = I(f*(x); h), for every x."""
    argument = Argument()
    for learner in processing.learners():
        L = log(learner.M)
        pairs = zip(learner.losses(), learner.informations(), strict=True)
        for x, (loss, J) in enumerate(pairs, start=1):
            stated = linear_form(bound, {"L": L, "J": J})
            if searching() and loss < stated:
                witness = {"learner": learner.name, "x": x, "I(f*(x); h)": str(J)}
                return argument.refute(witness | {"loss": str(loss), "stated": str(stated)})
    argument.equal(
        "H(f*(x) | h) = H(f*(x)) - I(f*(x); h)",
        joint_entropy("yh") - joint_entropy("h"),
        joint_entropy("y") - mutual("y", "h"),
    )
    argument.equal("what is stated is this at H(f*(x)) = L", bound, _L - _J)
    argument.infer("H(f*(x)) = L", "f*(x) is uniform")
    argument.infer(
        "E[-log h(x)_{f*(x)}] = H(f*(x) | h) + E D(q_x(. | h) || h(x)), q_x the law of f*(x) given h",
        "-log h = -log q_x + log(q_x/h), and the mean of the first term is H(f*(x) | h)",
    )
    argument.cite("D >= 0", GIBBS)
    exact = all(
        loss - (log(learner.M) - J) == D
        for learner in processing.learners()
        for loss, J, D in zip(
            learner.losses(), learner.informations(), learner.divergences(), strict=True
        )
    )
    argument.true(
        "loss - (L - I(f*(x); h)) = E D in small worlds",
        exact,
        f"{len(processing.learners())} joint laws, every x, exactly",
    )
    return argument


def sum_of_losses(term: RationalFunction) -> Argument:
    """E loss >= sum_x *term*, in p = p(x), L = log M and J = I(f*(x); h)."""
    argument = Argument()
    argument.infer("E loss = sum_x p(x) E[-log h(x)_{f*(x)}]", "the mean is linear")
    argument.equal(
        "what is stated is p(x) times the Gibbs step",
        term,
        _p * (_L - _J),
    )
    witness = next(_cheaper(term), None)
    argument.true(
        "no learner of a small world is below",
        witness is None,
        f"{len(processing.learners())} joint laws",
    )
    return argument.unless(witness)


def _cheaper(term: RationalFunction) -> Iterator[Witness]:
    """Learners whose loss is below the sum of *term*."""
    for learner in processing.learners():
        L, p = log(learner.M), learner.prior
        loss = stated = ZERO
        rows = zip(p, learner.losses(), learner.informations(), strict=True)
        for q, part, J in rows:
            loss += q * part
            stated += linear_form(term, {"L": L, "J": J}, p=q)
        if loss < stated:
            yield {
                "learner": learner.name,
                "p": ", ".join(map(str, p)),
                "E loss": str(loss),
                "stated": str(stated),
            }


# -- the minimiser --------------------------------------------------------------------------------


def minimiser(full: RationalFunction, partial: RationalFunction) -> Argument:
    """sum_x p(x) (L - I_x) is least, over 0 <= I_x <= L and sum_x I_x <= B, at I_x = L for the first
    *full* tokens, *partial* for the next, 0 for the others. Both are formulas in k, K, B, L."""
    argument = Argument()
    for m in (1, 2, 3):
        for B in range(7):
            for N in (1, 2, 3):
                reason = _not_minimal(full, partial, m, B, power_law(N, 1))
                if reason is not None:
                    witness = {"N": N, "M": 2**m, "B": B, "p": "proportional to 1/x", **reason}
                    return argument.refute(witness)
    argument.infer(
        "sum_x p(x) I_x <= sum_n (p(n) - p(n+1)) min(n L, B), with equality if all sums of the first "
        "n of the I_x are min(n L, B)",
        "summation by parts with p(N+1) = 0; p does not increase",
    )
    for words, at, _ in _cases():
        argument.equal(f"{words}: the first k are paid in full", full(**at), _k)
        argument.equal(
            f"{words}: the next has what is left, so that the sums are min(n L, B)",
            partial(**at),
            at["B"] - _k * _L,
        )
    return argument


@search
def _not_minimal(
    full: RationalFunction,
    partial: RationalFunction,
    m: int,
    B: int,
    p: tuple[Fraction, ...],
) -> Witness | None:
    """Why the allocation is not the minimiser at M = 2^m, if it is not. All quantities in bits."""
    sizes = {"k": B // m, "K": -(-B // m), "B": B, "L": m}
    number, rest = full(**sizes).as_fraction(), partial(**sizes).as_fraction()
    least = budgets.fractional_loss(p, 2**m, B)
    reasons = []
    for whole in sorted({number.numerator // number.denominator, -(-number // 1)}):
        count = int(whole)
        paid = [Fraction(m) if x < count else rest * (x == count) for x in range(len(p))]
        value = bits(sum((q * (m - i) for q, i in zip(p, paid, strict=True)), Fraction(0)))
        words = f"{count} tokens in full, {rest} bits to the next"
        if sum(paid) > B or not all(0 <= i <= m for i in paid):
            reasons.append((words, f"breaks a constraint: {sum(paid)} bits in all"))
        elif value > least:
            reasons.append((words, f"value {value}, the least is {least}"))
        else:
            return None
    return dict(reasons)
