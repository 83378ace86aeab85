"""Tasks with facts in them: tables of facts, where they come from, and sequences that ask for them.

Serves Sec. 4.1 of arXiv 2412.06538; knows nothing of the models that learn the task.
"""

from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.loader import read_table
from numerics.tasks.named import NamedTable
from numerics.tasks.tables import FactTable
from numerics.tasks.words import Words
from numerics.tasks.world import world_table

__all__ = ["FactTable", "FactualRecall", "NamedTable", "Words", "read_table", "world_table"]
