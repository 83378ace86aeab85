"""Who does the work: processes of this machine, and the workers of a cluster of many."""
