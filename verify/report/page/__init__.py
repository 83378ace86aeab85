"""The report as a page: its claims, its map, its errata, and what it takes on trust."""
