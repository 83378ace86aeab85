"""Exact road of recallproof: moments, bounds and identities, derived from the definition of the weights.

Nothing here knows torch, and no float takes part in a conclusion.
"""
