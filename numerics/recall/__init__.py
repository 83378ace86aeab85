"""Experiments: the quantities of the paper, measured by repeated independent draws.

Serves Sec. 3 of arXiv 2412.06538; see `linear_margin`.
"""
