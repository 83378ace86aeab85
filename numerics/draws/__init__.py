"""Drawn memories asked for their facts: margins and failures by repeated independent draws, a module a memory."""
