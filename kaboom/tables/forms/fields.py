"""JSON schemas of the fields with which API clients set up a table."""

from kaboom.engine.bots.delays import Pace
from kaboom.tables.spectators.views import DELAYS
from kaboom.tables.table import BANKS, DAYS, Hints, Welcome
from kaboom.web.api.operations import YES

WATCH = {
    "type": "integer",
    "enum": list(DELAYS),
    "description": "The spectators' delay in minutes; -1: no spectators.",
}
BY_DAYS = {
    "type": "integer",
    "enum": [0, *DAYS],
    "description": "Days for each decision in correspondence play; 0: live play.",
}
BANK = {
    "type": "integer",
    "enum": [0, *BANKS],
    "description": "Days of each player's time bank in a correspondence match; 0: none.",
}
BOTS = {
    "bot_pace": {"type": "string", "enum": list(map(str, Pace))},
    "hints": {
        "type": "string",
        "enum": list(map(str, Hints)),
        "description": "Who may ask for hints: no one, players alone with bots, or everyone.",
    },
    "banter": YES | {"description": "Whether bots say a phrase now and then."},
    "programs": {
        "type": "string",
        "enum": list(map(str, Welcome)),
        "description": "Whether players' bots may sit down; private: only while the table is not "
        "listed.",
    },
}
