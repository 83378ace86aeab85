"""Words and formulas made readable: terminals, pages, LaTeX."""
