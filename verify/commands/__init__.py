"""The commands of the program, a module a purpose; ``verify.cli`` puts them together.

What they need beyond the catalogue is imported when they are called: a command that lists claims must
not wait for what another one measures with.
"""
