"""What somebody is to a club."""

from enum import StrEnum


class Standing(StrEnum):
    """What somebody is to a club."""

    ASKED = "asked"  # to join, and was not answered yet
    MEMBER = "member"
    OFFICER = "officer"
    REMOVED = "removed"  # and cannot come back by themselves


INSIDE = (Standing.MEMBER, Standing.OFFICER)
