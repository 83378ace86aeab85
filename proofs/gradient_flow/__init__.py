"""Gradient flow of the linear attention model (Sec. 5, App. D of Nichani et al.), exactly.

``model``: logits, gradients, conserved quantities. ``loss``: convexity, what a small loss says.
``columns``: gradients by the weights of a subject. ``comparison``: differential inequalities.
``softmax``: how fast predictions move with the logits. ``symmetric``: balanced tables, solved.
"""
