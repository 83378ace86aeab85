"""What a reader takes along: a bibliography, a claim for a paper, formulas as code, plots as files.

``bibtex`` and ``latex`` write for TeX (``tex`` escapes, ``plain`` sets the formulas in a sentence),
``formulas`` collects what was derived and writes it as LaTeX (``equations`` give it a left side) and as
Python. ``svg`` writes the plots of claims, ``pictures`` those of how much fits, both as a ``sheet`` with
words; ``png`` draws either.
"""
