"""Drawn memories asked for their facts, by repeated independent draws: margins and failures."""
