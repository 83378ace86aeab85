"""Information theory without floats, for Sec. 6 of arXiv 2412.06538.

What all rests on: ``entropy`` (exact combinations of logarithms), ``joint`` (finite joint laws),
``forms`` (printed formulas as informations), ``relations`` (identities in joint entropies) and
``power_laws``.

Theorem 7 and Corollary 1: ``budgets`` (what bits pay for), ``learners`` (the best of all encoders of a
small world), ``processing`` (learners as joint laws), ``loss_bounds`` and ``scaling`` (the arguments).
Theorem 8 and its lemmas: ``answer_sets``, ``occupancy``, ``recall_worlds``, ``recall_lemmas``,
``recall_bits``.
"""
