"""The figures of the paper, measured anew."""
