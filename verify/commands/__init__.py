"""The commands of the program, a module a purpose; ``verify.cli`` puts them together.

What a command needs is imported when it is called: one that lists claims must not wait for what another
one measures with.
"""

from typing import Final

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
BROKEN: Final = 3

#: The module and the function of each command.
COMMANDS: Final = {
    "run": "running:run_command",
    "list": "reading:list_command",
    "show": "judging_one:show_command",
    "errata": "judging_one:errata_command",
    "trust": "trusting:trust_command",
    "index": "reading:index_command",
    "page": "taking_along:page_command",
    "export": "taking_along:export_command",
    "power": "judging:power_command",
    "compare": "judging:compare_command",
    "capacity": "measuring:capacity_command",
    "recall": "measuring:recall_command",
    "figure": "measuring:figure_command",
    "cache": "caching:cache_command",
}
