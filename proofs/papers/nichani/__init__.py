"""The proofs of *Understanding Factual Recall in Transformers via Associative Memories*, line by line.

One module a theorem or a memory; the conditions that follow from them are in ``proofs.capacity``.
"""
