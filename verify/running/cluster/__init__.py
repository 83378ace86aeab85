"""Many machines: a cluster of ``dask.distributed`` that draws and carries out jobs for a run."""
