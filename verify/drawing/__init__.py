"""One grammar of drawing, for the figures of papers, the plots of claims and all that is exported.

``picture`` is what a picture consists of, in the units of what it shows, and where to begin: a
``Picture`` of ``Panel``s. ``palette`` says what a mark means and what it looks like, ``scale`` places
values and finds round numbers, ``layout`` gives each part its place, ``svg``, ``png`` and ``record``
write it.
"""
