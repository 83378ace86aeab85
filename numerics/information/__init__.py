"""Small worlds of Sec. 6 of arXiv 2412.06538 enumerated and drawn in float64; knows nothing of proofs.

``learners``: losses of encoders and budgets; ``channels``: drawn learners with their informations;
``power_laws``: sums of x^-alpha; ``recall_worlds``: answer sets and answers.
"""
