"""What a reader takes along: a bibliography, a claim for a paper, formulas as code, plots as files.

``bibtex`` and ``latex`` write for TeX (``tex`` escapes), ``formulas`` collects what was derived and
writes it as LaTeX and as Python, ``svg`` writes the plots of measured cases.
"""
