"""A player's role in a club."""

from enum import StrEnum


class Standing(StrEnum):
    """A player's role in a club."""

    ASKED = "asked"  # to join, and has not been answered yet
    MEMBER = "member"
    OFFICER = "officer"
    REMOVED = "removed"  # and cannot rejoin unless an officer allows it


INSIDE = (Standing.MEMBER, Standing.OFFICER)
