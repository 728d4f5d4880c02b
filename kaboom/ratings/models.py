"""Ratings, and the rated matches from which they are computed."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    UniqueConstraint,
)

from kaboom.db.metadata import Id, metadata
from kaboom.db.player_columns import OnErase, OnMerge, player_column

# Players' preferences about ratings; without a row, their matches are not rated.
rating_wishes = Table(
    "rating_wishes",
    metadata,
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE, primary_key=True),
    Column("counts", Boolean, nullable=False),  # whether their matches may be rated
    Column("shown", String(16), nullable=False),  # one of nobody, friends, clubs, everybody
)

# The rating of each player in each pool (kaboom.ratings.openskill), computed from rating_steps.
ratings = Table(
    "ratings",
    metadata,
    player_column("player_id", OnErase.ELSEWHERE, OnMerge.ELSEWHERE, primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("mu", Integer, nullable=False),  # thousandths
    Column("sigma", Integer, nullable=False),  # thousandths
    Column("played", Integer, nullable=False),  # matches that counted
    Column("last_day", Integer, nullable=False),  # days since 1970
    Index("ix_ratings_game", "game", "mu"),
)

# The effect of each rated match on each player's rating, in the order of computation.
rating_steps = Table(
    "rating_steps",
    metadata,
    Column("seq", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    # The player's id, or a fixed negative number for a forgotten player.
    Column("who", BigInteger, nullable=False),
    Column("day", Integer, nullable=False),  # days since 1970
    Column("place", Integer, nullable=False),  # as counted: players who had left come last
    Column("nth", Integer, nullable=False),  # which match of the same people in 30 days
    Column("mu", Integer, nullable=False),  # after the match
    Column("sigma", Integer, nullable=False),
    UniqueConstraint("match_id", "seat"),
    Index("ix_rating_steps_who", "who", "game", "day"),
    Index("ix_rating_steps_day", "game", "day"),
)

# A season: a month (UTC) of a rating pool. Once it is closed, only voiding a match changes it.
seasons = Table(
    "seasons",
    metadata,
    Column("month", String(7), primary_key=True),  # "2026-11"
    Column("game", String(32), primary_key=True),
    Column("closed", Boolean, nullable=False),
    Column("counted_at", Float, nullable=False),  # seconds since 1970
)

# The ratings computed from a season's matches alone, for its players.
season_places = Table(
    "season_places",
    metadata,
    Column("month", String(7), primary_key=True),
    Column("game", String(32), primary_key=True),
    # As in rating_steps: negative for a forgotten player.
    Column("who", BigInteger, primary_key=True),
    Column("mu", Integer, nullable=False),  # thousandths
    Column("sigma", Integer, nullable=False),  # thousandths
    Column("played", Integer, nullable=False),  # matches that counted
    Column("place", Integer),  # among those shown to every player; null: not listed there
    Index("ix_season_places_who", "who", "game"),
)
