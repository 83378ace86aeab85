"""Associative memories: the definition of each, and the exact moments of its margin."""
