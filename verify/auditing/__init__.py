"""What is asked of the checks themselves: mutants, plans, and what changed since a baseline."""
