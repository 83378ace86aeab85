"""The relation-only loss, its gradient beside the full one, and how the loss ends the convergence.

Serves arXiv 2412.06538, App. D.3, stages 2 and 3 of the proof of Lemma 6. A is the number of answers,
p = p(r), d = d_r, q = T alpha_sm^2, x = eps^2. Every function takes what is stated, and returns its
argument and a place where that fails.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, symbols, total
from proofs.argument import Argument, exceeds, shown
from proofs.citations import CAUCHY_SCHWARZ

_HALF = Fraction(1, 2)
_ANSWERS = range(3)
#: By hand: p-hat is uniform at the start.
_START = "t = 0, alpha = 1, A = R = 2, D = 1, p(r) = 1/2, so W_KQ = sqrt(3), |p* - p0| = 1/sqrt(2)"


# -- gradients ------------------------------------------------------------------------------------


def _slope(total: RationalFunction, name: str) -> RationalFunction:
    """The derivative of log(total) by the logit whose exponential is the symbol *name*."""
    return (total - total(**{name: 0})) / total


def _gradients(answer: int) -> dict[str, tuple[RationalFunction, RationalFunction]]:
    """Of the relation-only and the full loss: the derivative by W_OV(answer, r), and p-hat there.

    E_a stands for e^Theta(a, r). The full loss has two kinds of sequences, of chances m and 1 - m, in
    which other tokens multiply the exponentials by C_ja.
    """
    k, p = symbols("k p")
    E, law = ([RationalFunction.symbol(f"{n}{a}") for a in _ANSWERS] for n in "Es")
    alone = total(E)
    chances = (RationalFunction.symbol("m"), 1 - RationalFunction.symbol("m"))
    found = {}
    totals = [total(E[a] * RationalFunction.symbol(f"C{j}{a}") for a in _ANSWERS) for j in range(2)]
    for name, parts in (
        ("Lbar_r", [(ONE, alone)]),
        ("L_r", list(zip(chances, totals, strict=True))),
    ):
        predicted = total(m * _slope(whole, f"E{answer}") for m, whole in parts)
        found[name] = (k * p * (predicted - law[answer]), predicted)
    return found


def relation_gradients(sign: Fraction, kq_power: Fraction, p_power: Fraction) -> Argument:
    """Both gradients by W_OV(., r) are sign W_KQ^kq_power p^p_power (p* - p-hat)."""
    k, p = symbols("k p")
    argument = Argument()
    argument.define("k = W_KQ(r); L_r = p (-E logit of the answer + E log-sum-exp of the logits)")
    argument.infer(
        "d/dW_OV(a, r) = k d/dTheta(a, r)", "Theta(a, r) = k W_OV(a, r), and r occurs once"
    )
    argument.infer(
        "the logit of the answer contributes -p*(a|r)", "Theta(., r) is part of all logits with r"
    )
    powers = int(kq_power), int(p_power)
    for answer in _ANSWERS:
        law = RationalFunction.symbol(f"s{answer}")
        for name, (derived, predicted) in _gradients(answer).items():
            argument.equal(
                f"d{name}/dW_OV(a, r), a = {answer + 1}",
                derived,
                sign * k ** powers[0] * p ** powers[1] * (law - predicted),
            )
    argument.infer("the same for all A and all sequences", "the loss is an average over these")
    if argument.holds:
        return argument
    with precision():
        root = ball(3).sqrt()
        stated = ball(sign * _HALF ** powers[1] * _HALF) * root ** powers[0]
        witness = {"example": _START, "dLbar_r/dW_OV(a, r), a the answer": shown(-root / 4)}
        return argument.refute(witness | {"stated": shown(stated)})


def loss_along_flow(sign: Fraction) -> Argument:
    """(Lbar_r)' = sign <grad Lbar_r, grad L_r> along theta' = -grad L."""
    argument = Argument()
    argument.infer("(Lbar_r)' = <grad Lbar_r, theta'> = -<grad Lbar_r, grad L>", "the chain rule")
    argument.infer(
        "= -<grad Lbar_r, grad L_r>",
        "Lbar_r depends on the weights of r alone, and of L only L_r depends on these",
    )
    if argument.true("the sign is -1", sign == -1, f"{sign}"):
        return argument
    p = _HALF
    # The gradient by W_OV(., r) is -W_KQ p (p* - p0); that by W_KQ(r) is 0, as <W_OV, p* - p0> = 0.
    product = 3 * p**2 * _HALF
    witness = {"example": _START, "<grad Lbar_r, grad L_r>": str(product)}
    return argument.unless(witness | {"(Lbar_r)'": str(-product), "stated": str(sign * product)})


def squared_gradient(kq_power: Fraction, p_power: Fraction, norm_power: Fraction) -> Argument:
    """sum_r |dL_r/dW_OV(., r)|^2 = sum_r W_KQ^kq_power p^p_power |p* - E p-hat|^norm_power."""
    argument = Argument()
    argument.include(relation_gradients(Fraction(-1), Fraction(1), Fraction(1)))
    argument.true(
        "squared, all three powers are 2",
        kq_power == p_power == norm_power == 2,
        f"{kq_power}, {p_power}, {norm_power}",
    )
    if argument.holds:
        return argument
    with precision():
        root2, root3 = (ball(n).sqrt() for n in (2, 3))
        stated = (
            2 * root3 ** ball(kq_power) * ball(_HALF) ** ball(p_power) / root2 ** ball(norm_power)
        )
        exact = Fraction(3, 4)
        if stated.overlaps(ball(exact)):
            return argument
        witness = {"example": _START, "left side": str(exact), "right side": shown(stated)}
        return argument.refute(witness)


def loss_rate(
    threshold: Fraction, rate: Fraction, p_power: Fraction, norm_power: Fraction
) -> Argument:
    """|Theta(., r)| >= x/(threshold (A+1)) for all r gives
    L' <= -x/(rate (A+1)) sum_r p^p_power |p* - E p-hat|^norm_power."""
    argument = Argument()
    argument.infer("L' = -|grad L|^2 <= -sum_r |dL/dW_OV(., r)|^2", "gradient flow")
    argument.include(squared_gradient(Fraction(2), p_power, norm_power))
    argument.infer(
        "W_KQ(r)^2 >= W_KQ(r) |W_OV(., r)| = |Theta(., r)| >= x/(threshold (A+1))",
        "W_KQ^2 - |W_OV|^2 = alpha^2 from Assumption 2",
    )
    argument.true("the rate is not larger", rate >= threshold, f"{rate} against {threshold}")
    return argument


# -- from the gradient to the loss ----------------------------------------------------------------


def least_answer(level: RationalFunction, strict: bool) -> Argument:
    """p*(a|r) >= level/S, or > if *strict*, where p*(a|r) > 0; level in the symbols S and D."""
    S = RationalFunction.symbol("S")
    argument = Argument()
    argument.infer(
        "p*(a|r) = #{s : a*(s, r) = a}/S >= 1/S",
        "p(s|r) = 1/S, and at least one s has the answer a",
    )
    argument.nonnegative("1/S >= level/S", (1 - level) / S, {"S": 1, "D": 1})
    argument.true("equality is allowed", not strict, "strict" if strict else "not strict")
    at = {"S": 2, "D": 2}
    exact, stated = _HALF, (level / S)(**at).as_fraction()
    if stated < exact or (stated == exact and not strict):
        return argument
    argument.witness = {
        "S": "2",
        "D": "2",
        "table": "a*(1, r) and a*(2, r) differ",
        "p*(a|r)": str(exact),
        "stated to be more than" if strict else "stated to be at least": str(stated),
    }
    return argument


def log_step(factor: Fraction, within: Fraction) -> Argument:
    """|p* log(p*/q)| <= factor |q - p*| where |q - p*| <= within p*."""
    argument = Argument()
    argument.define("y = q/p*, so that |log y| <= factor |y - 1| for |y - 1| <= within")
    argument.true("q stays positive", within < 1, f"within {within}")
    argument.infer("log y <= y - 1 for y >= 1", "the logarithm is concave")
    argument.true("factor >= 1", factor >= 1, f"{factor}")
    argument.infer(
        "-log(y)/(1 - y) falls with y below 1, so y = 1 - within decides",
        "it is the slope of a chord of a convex function",
    )
    with precision():
        if within < 1:
            value, bound = -ball(1 - within).log(), ball(factor * within)
            argument.at_most("-log(1 - within) <= factor within", value, bound)
            at = {"p*": 1, "q": 1 - within}
            argument.refute(exceeds(value, bound, at, ("|p* log(p*/q)|", "bound")))
    return argument


def excess_by_norm(first: Fraction, square: RationalFunction) -> Argument:
    """Lbar_r - p H(p*) <= first p |y|_1 <= sqrt(square) q, y = p-hat(.|r) - p*, where
    |y| <= sqrt(2) q < 1/(2 S); square in the symbols p, A and D."""
    A, p = symbols("A p")
    argument = Argument()
    argument.infer("|y(a)| <= |y| < 1/(2 S) <= p*(a|r)/2 where p*(a|r) > 0", "p*(a|r) >= 1/S there")
    argument.include(log_step(Fraction(2), _HALF))
    argument.infer(
        "Lbar_r - p H(p*) = p sum_a p* log(p*/p-hat) <= 2 p |y|_1", "the estimate, summed"
    )
    argument.true("the first factor is at least 2", first >= 2, f"{first}")
    argument.infer("|y|_1 <= sqrt(A) |y| <= sqrt(2 A) q", CAUCHY_SCHWARZ)
    argument.nonnegative(
        "square >= (first p)^2 2 A",
        square - 2 * (first * p) ** 2 * A,
        {"A": 1, "p": 0, "D": 1},
    )
    size = Fraction(1, 10)
    at = {
        "task": "A = R = 2, D = 1, S = 2, p(r) = 1/2",
        "p*(.|r)": "(1, 0)",
        "p-hat(.|r)": "(9/10, 1/10)",
        "q = |y|/sqrt(2)": str(size),
    }
    with precision():
        one = ball(first * _HALF * 2 * size)
        bound = ball(square(p=_HALF, A=2, D=1).as_fraction()).sqrt() * ball(size)
        witness = exceeds(one, bound, at, ("first p |y|_1", "stated bound on it"))
        witness = witness or exceeds(
            -ball(_HALF) * ball(1 - size).log(), one, at, ("Lbar_r - p H(p*)", "first p |y|_1")
        )
    return argument.unless(witness)


def size_from_drop(lower: Fraction, drop: Fraction) -> Argument:
    """Lbar_r <= L_{r,0} - p d x/(drop (A+1)) gives |Theta(., r)| >= x/(lower (A+1))."""
    argument = Argument()
    argument.infer(
        "p d x/(drop (A+1)) <= L_{r,0} - Lbar_r <= p d |Theta|, so |Theta| >= x/(drop (A+1))",
        "the two facts, divided by p d > 0",
    )
    argument.true("lower >= drop", lower >= drop, f"{lower} against {drop}")
    x = Fraction(1, 250)  # below d/(50 (A+1)) = 1/(150 sqrt(2))
    logit = x / 6 * (1 / drop + 1 / lower) * Fraction(70710678, 10**8)
    with precision():
        root = ball(2).sqrt()
        fallen = ball(logit) - ball(logit).cosh().log()
        enough = bool(fallen >= ball(x / (3 * drop)) / root)
        witness = exceeds(
            ball(x / (3 * lower)),
            root * ball(logit),
            {
                "A": 2,
                "p*(.|r)": "(1, 0)",
                "eps^2": x,
                "Theta(., r)": f"(y, -y), y = {shown(ball(logit))}",
                "(L_{r,0} - Lbar_r)/p": shown(fallen),
                "d eps^2/(drop (A+1))": shown(ball(x / (3 * drop)) / root),
            },
            ("stated lower bound", "|Theta(., r)|"),
        )
    return argument.unless(witness if enough else None)


# -- convergence ----------------------------------------------------------------------------------


def initial_loss(answers: RationalFunction, least: Fraction) -> Argument:
    """L = log(answers) at Assumption 2, answers in the symbols A and D, and L >= least."""
    A = RationalFunction.symbol("A")
    argument = Argument()
    argument.infer(
        "all logits of a sequence are T alpha^2 sqrt(A+1), so p-hat = p0 and L = log A",
        "Assumption 2 does not tell answers apart",
    )
    argument.equal("that is the stated number of answers", answers, A)
    argument.infer("L >= 0", "p-hat <= 1")
    argument.true("no larger bound is stated", least <= 0, f"{least}")
    at = {"A": 4, "D": 2}
    stated = answers(**at).as_fraction()
    if stated != 4:
        return argument.refute({"A": "4", "D": "2", "L": "log 4", "stated": f"log {stated}"})
    return argument


def window_length(length: Fraction, rate: Fraction) -> Argument:
    """0 <= L <= log A and L' <= -x Sigma/(rate (A+1)) give Sigma <= eps_min^2 at some time within
    length (A+1) log A/(x eps_min^2)."""
    lg, x, m, A = symbols("log_A x m A")
    span = length * (A + 1) * lg / (x * m)
    argument = Argument()
    argument.define("m = eps_min^2; suppose Sigma > m on the whole window")
    argument.nonnegative(
        "L falls by more than x m/(rate (A+1)) times the window, and that is at least log A",
        span * x * m / (rate * (A + 1)) - lg,
        {"log_A": 0},
    )
    argument.infer("then L < 0 at its end, which cannot be", "L <= log A at its beginning")
    if length >= rate:
        return argument
    # With Sigma constant L falls by this part of log A, and need not fall by more.
    surplus = (rate / length - 1) / 2
    fallen = span * x * m * (1 + surplus) / (rate * (A + 1)) / lg
    argument.witness = {
        "L": "falls linearly from log A in the window, and stays above 0",
        "Sigma/eps_min^2 in the window": str(1 + surplus),
        "decrease of L over log A": str(fallen.as_fraction()),
    }
    return argument
