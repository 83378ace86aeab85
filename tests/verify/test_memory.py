"""Memory that is let go of is kept by the process, so that the next block need not be asked for."""

import json
import platform
import subprocess
import sys

import pytest

#: How many pages are asked for while blocks of 8 MiB come and go, before and after.
COUNTED = """
import json, resource
from verify.jobs.memory import keep_memory

def pages():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        bytearray(2**23)
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

asked = pages()
keep_memory()
pages()
print(json.dumps([asked, pages()]))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="needs the C library of GNU")
def test_blocks_are_asked_for_once():
    done = subprocess.run(
        [sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True
    )
    before, after = json.loads(done.stdout)
    assert after < before / 10
