"""Settings shared by all tests: one thread a process, Hypothesis without deadlines or a database."""

import torch
from hypothesis import settings

torch.set_num_threads(1)
settings.register_profile("suite", deadline=None, database=None, print_blob=False)
settings.load_profile("suite")
