"""Clubs, their members and events."""

from enum import StrEnum

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Table

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column


class Standing(StrEnum):
    """A player's role in a club."""

    ASKED = "asked"  # has asked to join, and has not been answered yet
    MEMBER = "member"
    OFFICER = "officer"
    REMOVED = "removed"  # and cannot rejoin unless an officer allows it


INSIDE = (Standing.MEMBER, Standing.OFFICER)


# Clubs.
clubs = Table(
    "clubs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),  # in its URL
    Column("name", String(80), nullable=False),
    Column("asking", Boolean, nullable=False),  # players with the URL may ask to join
    Column("phrases", Boolean, nullable=False),  # its tables allow only quick phrases
    Column("links", Integer, nullable=False),  # each new link invalidates older ones
    Column("made_at", Float, nullable=False),
)

# Members, players who have asked to join, and removed players.
members = Table(
    "members",
    metadata,
    Column("club_id", Id, ForeignKey("clubs.id"), primary_key=True),
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE, primary_key=True),
    Column("standing", String(8), nullable=False),  # Standing
    Column("name", String(80), nullable=False),  # their name in the club
    Column("since", Float, nullable=False),
    Index("ix_members_player_id", "player_id"),
)

# Club events and their attendees.
club_dates = Table(
    "club_dates",
    metadata,
    Column("id", Id, primary_key=True),
    Column("club_id", Id, ForeignKey("clubs.id"), nullable=False),
    # null: erased
    player_column("by_id", OnErase.SET_NULL, OnMerge.MOVE, keeps=False),
    Column("game", String(32), nullable=False),
    Column("note", String(80), nullable=False),
    Column("at", Float, nullable=False),  # seconds since 1970
    Index("ix_club_dates_club_id", "club_id", "at"),
    Index("ix_club_dates_by_id", "by_id"),
    Index("ix_club_dates_at", "at"),
)

date_goers = Table(
    "date_goers",
    metadata,
    Column("date_id", Id, ForeignKey("club_dates.id"), primary_key=True),
    player_column(
        "player_id", OnErase.DELETE, OnMerge.MOVE, same=["date_id"], keeps=False, primary_key=True
    ),
    Index("ix_date_goers_player_id", "player_id"),
)
