"""A table of facts about countries, written from common knowledge.

Serves Sec. 4.1 of arXiv 2412.06538, whose example of a dictionary has countries as subjects.
"""

from importlib.resources import as_file, files

from numerics.tasks.loader import read_table
from numerics.tasks.named import NamedTable


def world_table() -> NamedTable:
    """Countries with capital, continent, currency, internet domain and calling code.

    Every pair has a fact, with one object; no name has two roles. Capitals and domains are
    injective, continents and currencies have many countries each.
    """
    with as_file(files(__package__) / "world.csv") as path:
        return read_table(path, strict=True, full=True)
