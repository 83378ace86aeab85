"""What every proof here takes for granted: named once, for the whole project, and counted."""

from __future__ import annotations

#: Name and statement of each.
GRANTED: dict[str, str] = {
    "the reading of the paper": (
        "what is judged is what the paper says in words and formulas, read as the claim says where "
        "more than one reading is possible"
    ),
    "the definitions": (
        "memories, models, laws, losses and flows are typed here as the paper defines them"
    ),
    "existence and measurability": (
        "what is random has a law, what is asked of it is an event, and means that are taken exist"
    ),
}
