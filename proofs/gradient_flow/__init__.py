"""Gradient flow of the linear attention model (Sec. 5, App. D of Nichani et al.), exactly.

``model``: logits, gradients, conserved quantities. ``loss``: convexity, what a small loss says.
``columns``: gradients by the weights of a subject. ``convergence``: Theorem 5. ``growth``: Lemma 5.
``comparison``: Lemma 7. ``softmax``, ``escape``, ``escape_time``, ``excess_loss``, ``eos_first``:
Lemma 6.
``sequential``, ``sequential_steps``, ``early_subjects``: Theorem 6.

Flows that can be solved: ``two_answers`` (columns as angles), ``lone_answer`` and ``rare_subject`` (for
counterexamples), ``symmetric`` (balanced tables). ``witness``: places at which an inequality fails.
"""
