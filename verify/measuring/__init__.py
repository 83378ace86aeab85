"""Measurements: replicates, look by look, of quantities that claims share."""
