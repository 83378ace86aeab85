"""Cases of heads and memories whose scores have moments, and of the moments of coordinates."""

from __future__ import annotations

from proofs.algebra.symbols import symbols
from proofs.attention import Definition, Head, Store, Token, Tokens, scored
from proofs.cases import Refusals, Results
from proofs.concentration.overlaps import overlap_moment
from proofs.concentration.sphere import coordinate_moment
from proofs.memories.linear import definition
from proofs.memories.low_rank import definition as low_rank
from proofs.memories.setting import Margin, Memory, check_order, check_sizes
from proofs.moments import mean, variance

d, d_h, A, F, h, b, c = symbols("d d_h A F h b c")
STORE, BARE = Store(A, F, h, b, c), Store(A, F)
OTHER = Store(A, F, h, b, c, stored=False, rival_stored=True)


def moments(token: Token, store: Store = STORE) -> str:
    """Mean and variance of the score of a token."""
    score, given = scored(d, d_h, store, token)
    return f"{mean(score, given).value}; {variance(score, given).value}"


def conditions(store: Store) -> str:
    """What a head is known to store of the tokens a and b."""
    tokens = Tokens(d)
    return str(Head(tokens, d_h).given(store, tokens.a, tokens.b))


def memory(one: Memory) -> str:
    """A definition, by all that is in it."""
    return f"{one.text}; {one.weight}; {one.margin}; {one.given(h, b)}; {one.e} {one.u}"


HOLDS: Results = [
    (
        lambda: Store(1, 2),
        (
            "Store(answers=1, facts=2, holders=1, rival_holders=0, shared=0, stored=T"
            "rue, rival_stored=False)"
        ),
    ),
    (
        lambda: BARE,
        (
            "Store(answers=RationalFunction(A), facts=RationalFunction(F), holders=1,"
            " rival_holders=0, shared=0, stored=True, rival_stored=False)"
        ),
    ),
    (
        lambda: [scored(d, d_h, STORE, token) for token in ("answer", "self", "key", "eos")],
        (
            "[((d/(d_h)) sum_z' sum_a' sum_i <phi_z[z'], w[i]> <w[i], phi_z[z]> <phi["
            "a], phi[a']> 1(A(z', a')), [|{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F, |"
            "{k: A(k, a)}| = h, A(z, a)]), ((d/(d_h)) sum_z' sum_a' sum_i <phi_z[z'],"
            " w[i]> <w[i], phi_z[z]> <phi_z[z], phi[a']> 1(A(z', a')), [|{i: A(z, i)}"
            "| = A, |{k, i: A(k, i)}| = F]), ((d/(d_h)) sum_z' sum_a' sum_i <phi_z[z'"
            "], w[i]> <w[i], phi_z[z]> <phi_z[z_2], phi[a']> 1(A(z', a')), [z_2 != z,"
            " |{i: A(z_2, i)}| = h, |{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F]), ((d/"
            "(d_h)) sum_z' sum_a' sum_i <phi_z[z'], w[i]> <w[i], phi_z[z]> <eos[EOS],"
            " phi[a']> 1(A(z', a')), [|{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F])]"
        ),
    ),
    (
        lambda: conditions(STORE),
        (
            "[|{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F, |{k: A(k, a)}| = h, A(z, a),"
            " |{k: A(k, b)}| = b, |{k: A(k, a), A(k, b)}| = c, not A(z, b)]"
        ),
    ),
    (
        lambda: conditions(OTHER),
        (
            "[|{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F, |{k: A(k, a)}| = h, not A(z,"
            " a), |{k: A(k, b)}| = b, |{k: A(k, a), A(k, b)}| = c, A(z, b)]"
        ),
    ),
    (
        lambda: conditions(BARE),
        (
            "[|{i: A(z, i)}| = A, |{k, i: A(k, i)}| = F, |{k: A(k, a)}| = 1, A(z, a),"
            " |{k: A(k, b)}| = 0, |{k: A(k, a), A(k, b)}| = 0, not A(z, b)]"
        ),
    ),
    (
        lambda: moments("answer"),
        (
            "1; (A*d^2*d_h + d^3*h + d^2*d_h*h + A*d^2 + F*d^2 + d^3 + F*d*d_h - 2*d^"
            "2*d_h - d^2*h + d*d_h*h - 4*A*d - 5*d^2 - 2*A*d_h + 2*F*d_h - 4*d*h - 2*"
            "d_h*h + 4*A - 4*F + 8*d + 2*d_h + 4*h - 4)/(d^3*d_h + d^2*d_h - 2*d*d_h)"
        ),
    ),
    (
        lambda: moments("answer", BARE),
        (
            "1; (A*d^2*d_h + A*d^2 + F*d^2 + 2*d^3 + F*d*d_h - d^2*d_h - 4*A*d - 6*d^"
            "2 - 2*A*d_h + 2*F*d_h + d*d_h + 4*A - 4*F + 4*d)/(d^3*d_h + d^2*d_h - 2*"
            "d*d_h)"
        ),
    ),
    (
        lambda: moments("self"),
        (
            "0; (A*d^2*d_h + A*d^2 + F*d^2 + F*d*d_h - 4*A*d - 2*A*d_h + 2*F*d_h + 4*"
            "A - 4*F)/(d^3*d_h + d^2*d_h - 2*d*d_h)"
        ),
    ),
    (
        lambda: moments("eos"),
        (
            "0; (A*d^2*d_h + A*d^2 + F*d^2 + F*d*d_h - 4*A*d - 2*A*d_h + 2*F*d_h + 4*"
            "A - 4*F)/(d^3*d_h + d^2*d_h - 2*d*d_h)"
        ),
    ),
    (
        lambda: moments("key"),
        (
            "0; (A*d^2*d_h + A*d^2 + F*d^2 + F*d*d_h - 4*A*d - 2*A*d_h + 2*F*d_h + 4*"
            "A - 4*F)/(d^3*d_h + d^2*d_h - 2*d*d_h)"
        ),
    ),
    (
        lambda: Head(Tokens(d), d_h).weight,
        ("(d/(d_h)) sum_z' sum_a' sum_i <phi_z[z'], w[i]> 1(A(z', a')) |phi[a']> |w[i]>"),
    ),
    (lambda: Tokens(d).a.range, "answers"),
    (lambda: Tokens(d).eos.single_vector().slot.range.size, "1"),
    (
        lambda: Head(Tokens(d), 3, "s", "_s").weight,
        ("(1/3*d) sum_z' sum_a' sum_i <phi_s[z'], w_s[i]> 1(A_s(z', a')) |phi[a']> |w_s[i]>"),
    ),
    (
        lambda: Definition(d, d_h).margin,
        (
            "(d/(d_h)) sum_z' sum_a' sum_i <phi_s[z'], w_s[i]> <w_s[i], phi_s[s]> <ph"
            "i[a], phi[a']> 1(A_s(z', a')) + (-d/(d_h)) sum_z' sum_a' sum_i <phi_s[z'"
            "], w_s[i]> <w_s[i], phi_s[s]> <phi[b], phi[a']> 1(A_s(z', a')) + (d/(d_h"
            ")) sum_z' sum_a' sum_i <phi_r[z'], w_r[i]> <w_r[i], phi_r[r]> <phi[a], p"
            "hi[a']> 1(A_r(z', a')) + (-d/(d_h)) sum_z' sum_a' sum_i <phi_r[z'], w_r["
            "i]> <w_r[i], phi_r[r]> <phi[b], phi[a']> 1(A_r(z', a'))"
        ),
    ),
    (
        lambda: memory(definition()),
        (
            "W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>; sum_z |u[f(z)]> "
            "|e[z]>; sum_z <e[z], e[x]> <u[f(x)], u[f(z)]> - sum_z <e[z], e[x]> <u[y]"
            ", u[f(z)]>; [y != f(x), |fibre of f(x)| = h + 1, |fibre of y| = b]; Sphe"
            "re('e', d) Sphere('u', d)"
        ),
    ),
    (
        lambda: memory(definition("gaussian")),
        (
            "W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>; sum_z |u[f(z)]> "
            "|e[z]>; sum_z <e[z], e[x]> <u[f(x)], u[f(z)]> - sum_z <e[z], e[x]> <u[y]"
            ", u[f(z)]>; [y != f(x), |fibre of f(x)| = h + 1, |fibre of y| = b]; Gaus"
            "sian('e', d) Gaussian('u', d)"
        ),
    ),
    (
        lambda: memory(low_rank()),
        (
            "W = sum_z u_f(z) e_z^T sum_i v_i v_i^T,  gamma = <u_f(x) - u_y, W e_x>; "
            "sum_z sum_i <e[z], v[i]> |u[f(z)]> |v[i]>; sum_z sum_i <e[z], v[i]> <v[i"
            "], e[x]> <u[f(x)], u[f(z)]> - sum_z sum_i <e[z], v[i]> <v[i], e[x]> <u[y"
            "], u[f(z)]>; [y != f(x), |fibre of f(x)| = h + 1, |fibre of y| = b]; Sph"
            "ere('e', d) Sphere('u', d)"
        ),
    ),
    (lambda: definition() is definition("sphere"), "True"),
    (lambda: vars(definition("gaussian").e)["variance"], "1/d"),
    (lambda: vars(definition("gaussian").u)["variance"], "1/d"),
    (lambda: Margin(definition(), {}, True, 0, 1).coefficients, "{}"),
    (
        lambda: [coordinate_moment(k) for k in range(1, 5)],
        (
            "[RationalFunction(1/d), RationalFunction(3/(d^2 + 2*d)), RationalFunctio"
            "n(15/(d^3 + 6*d^2 + 8*d)), RationalFunction(105/(d^4 + 12*d^3 + 44*d^2 +"
            " 48*d))]"
        ),
    ),
    (
        lambda: [overlap_moment(k) for k in range(1, 5)],
        (
            "[RationalFunction(1/d), RationalFunction(3/(d^2 + 2*d)), RationalFunctio"
            "n(15/(d^3 + 6*d^2 + 8*d)), RationalFunction(105/(d^4 + 12*d^3 + 44*d^2 +"
            " 48*d))]"
        ),
    ),
]

REFUSED: Refusals = [
    ("d_h: 0 is out of range", lambda: Head(Tokens(d), 0)),
    ("token: 'x' is not known", lambda: scored(d, d_h, STORE, "x")),  # type: ignore[arg-type]
    ("N: 1/2 is out of range", lambda: check_sizes({"N": d**0 / 2}, {"N": 0})),
    ("N: 1 is out of range", lambda: check_sizes({"N": d**0}, {"N": 2})),
    ("order: 3 is out of range", lambda: check_order(3)),
    ("is not known; take", lambda: Memory("cube")),  # type: ignore[arg-type]
]
