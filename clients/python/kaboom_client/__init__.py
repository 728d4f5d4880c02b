"""Play at a Kaboom card room from Python, with nothing but the standard library."""

from kaboom_client.client import Client
from kaboom_client.connection import Gone, Refused
from kaboom_client.table import (
    Affairs,
    Chair,
    Clock,
    HouseMove,
    Line,
    Move,
    Option,
    Outcome,
    Scores,
    Table,
    Vote,
    Wait,
    Zone,
)

__all__ = [
    "Affairs",
    "Chair",
    "Client",
    "Clock",
    "Gone",
    "HouseMove",
    "Line",
    "Move",
    "Option",
    "Outcome",
    "Refused",
    "Scores",
    "Table",
    "Vote",
    "Wait",
    "Zone",
]
