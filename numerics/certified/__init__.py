"""Certified bounds on what rounding does to a value, carried along with what torch computes.

Serves moments that are measured on a device: its sums are rounded otherwise than those of a CPU.
"""

from numerics.certified.following import Followed, followed
from numerics.certified.known import Known

__all__ = ["Followed", "Known", "followed"]
