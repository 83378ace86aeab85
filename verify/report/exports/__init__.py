"""What a reader takes along: a bibliography, a claim for a paper, formulas as code, plots as files.

``bibtex`` and ``latex`` write for TeX (``tex`` escapes), ``formulas`` collects what was derived and
writes it as LaTeX (``equations`` give it a left side) and as Python, ``svg`` and ``png`` write the plots
of measured cases, ``pictures`` those of how much fits.
"""
