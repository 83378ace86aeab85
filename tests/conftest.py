"""Settings shared by all tests: one thread a process, Hypothesis without deadlines or a database."""

import os

import torch
from hypothesis import settings

torch.set_num_threads(1)
# The same examples in every run of continuous integration, fresh ones elsewhere.
settings.register_profile(
    "suite", deadline=None, database=None, print_blob=False, derandomize="CI" in os.environ
)
settings.load_profile("suite")
