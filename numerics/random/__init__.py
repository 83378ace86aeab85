"""Random draws by address: a value depends on its seed, stream, replicate, row and coordinate alone.

Serves Sec. 3 of arXiv 2412.06538: i.i.d. uniform unit vectors for inputs and outputs, the same bits on
every device. `law` defines a value; `reference`, `compiled`, `tensors` and `fused` are four programs for
it; `programs`
chooses among them; `samples` is what experiments call.
"""

from numerics.random.programs import program_name
from numerics.random.samples import (
    random_orders,
    replicate_gaussians,
    replicate_integers,
    replicate_spheres,
    sample_gaussian,
    sample_sphere,
)
from numerics.random.streams import Stream

__all__ = [
    "Stream",
    "program_name",
    "random_orders",
    "replicate_gaussians",
    "replicate_integers",
    "replicate_spheres",
    "sample_gaussian",
    "sample_sphere",
]
