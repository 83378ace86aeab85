"""With two answers every column of the flow is an angle, and the angles obey linear relations.

From Assumption 2: W_KQ(z) = alpha sqrt 3 cosh phi_z and (W_OV(1, z) - W_OV(2, z))/sqrt 2 =
alpha sqrt 3 sinh phi_z, with phi_z' = sqrt 2 G_1(z). Consequences of Lemma 4 of Nichani et al. that
are not in the paper.
"""

from __future__ import annotations

import itertools

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument
from proofs.gradient_flow.columns import contexts
from proofs.gradient_flow.model import difference


def angles(square: RationalFunction, speed: RationalFunction) -> Argument:
    """W_KQ = alpha sqrt(square) cosh phi, (W_OV(1) - W_OV(2))/sqrt 2 = alpha sqrt(square) sinh phi and
    phi' = sqrt(speed) G solve the flow from Assumption 2; both constants are numbers."""
    argument = Argument()
    y, G = symbols("y G")
    try:
        root, pace = (RationalFunction.root(f.as_fraction()) for f in (square, speed))
    except ValueError:
        witness = {"square": str(square), "speed": str(speed), "what fails": "a negative square"}
        return argument.refute(witness)
    # alpha = 1 and y = exp phi, so y' = phi' y; the mean of the answers' weights stays 1.
    cosh, sinh = (y + 1 / y) / 2, (y - 1 / y) / 2
    k, lean = root * cosh, root * sinh / RationalFunction.root(2)
    first, second = 1 + lean, 1 - lean
    pairs = (
        ("the start: W_KQ^2 = |A| + 1", (k * k)(y=1), RationalFunction.constant(3)),
        ("W_OV(1, z)' = W_KQ(z) G", root / RationalFunction.root(2) * cosh * pace * G, k * G),
        ("W_KQ(z)' = sum_a W_OV(a, z) G_a", root * sinh * pace * G, first * G - second * G),
    )
    for words, left, right in pairs:
        if not argument.equal(words, left, right):
            return argument.refute({"what fails": words, **(difference(left, right) or {})})
    argument.infer("it is the flow", "its solution is unique, and G_2 = -G_1")
    return argument


def relations(
    subjects: RationalFunction, relation: RationalFunction, noise: RationalFunction
) -> Argument:
    """The angles of all subjects add up to *subjects* times that of EOS, those of the relations to
    *relation* times it, those of the noise tokens to *noise* times it; all in T."""
    argument = Argument()
    argument.infer(
        "phi_z' = sqrt 2 E[C(z) g], g the same for all tokens z of a sequence, and phi_z(0) = 0",
        "the angles solve the flow",
    )
    for T, N in itertools.product((3, 4, 5), (1, 2)):
        for _, _, tokens in contexts(T, N):
            # s and r once each, EOS once, the others noise.
            counts = {"subjects": 1, "relations": 1, "noise tokens": len(tokens)}
            for (words, count), stated in zip(
                counts.items(), (subjects, relation, noise), strict=True
            ):
                value = stated(T=T) if stated.names else stated
                if value != count * ONE:
                    witness = {"T": T, "|N|": N, f"count of {words} in every sequence": count}
                    return argument.fails(
                        "the counts in every sequence", {**witness, "stated": str(value)}
                    )
    T_ = RationalFunction.symbol("T")
    argument.equal("T - 3 noise tokens in every sequence", noise - (T_ - 3), ZERO)
    argument.infer(
        "so the sums have the stated multiple of EOS's speed", "sum_z C(z) is that count"
    )
    return argument
