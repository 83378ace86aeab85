"""Patterns of checks that many claims share; a claim that fits one needs a line, not a function."""
