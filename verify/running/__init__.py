"""Runs: what was asked for, time limits, workers, verdicts, and what an interrupt leaves."""
