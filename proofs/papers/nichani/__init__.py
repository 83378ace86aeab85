"""Proofs line by line: arguments whose constants are those of the statement, so that a wrong one breaks.

One module a theorem or a memory; the conditions that follow from them are in ``proofs.capacity``.
"""
