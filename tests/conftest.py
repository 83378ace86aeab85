"""Settings shared by all tests: one thread a process, Hypothesis without deadlines or a database."""

import os

import torch
from hypothesis import settings

torch.set_num_threads(1)
# What the commands print is as wide as they choose, also below a program that tells them its width.
os.environ.pop("COLUMNS", None)
# The same examples in every run of continuous integration, fresh ones elsewhere.
settings.register_profile(
    "suite", deadline=None, database=None, print_blob=False, derandomize="CI" in os.environ
)
settings.load_profile("suite")
