"""The proofs of Section 5 and Appendix D: how facts are learned.

``convergence``: Theorem 5. ``growth``: Lemma 5. ``escape``, ``escape_time``, ``excess_loss``,
``eos_first``: Lemma 6. ``sequential``, ``sequential_steps``, ``early_subjects``: Theorem 6.

Flows that can be solved: ``two_answers`` (columns as angles), ``lone_answer`` and ``rare_subject`` (for
counterexamples).
"""
