"""Every column that names a player, and what becomes of it; a test finds any that is missing.

When somebody is forgotten (kaboom.accounts.erase), when a guest becomes another player
(kaboom.accounts.merge_queries), and whether it keeps a player here who has done nothing for a while
(kaboom.tables.maintenance.cleanup_queries).
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from sqlalchemy import Column

from kaboom.db.models import (
    accounts,
    asks,
    blocks,
    board_tries,
    call_settings,
    club_dates,
    date_goers,
    entrants,
    friends,
    keys,
    lines,
    members,
    mutes,
    notes,
    offers,
    parts,
    passes,
    passkeys,
    program_keys,
    rating_wishes,
    ratings,
    reports,
    rule_sets,
    sittings,
    tournaments,
    vacations,
    ways,
)


class Forgotten(Enum):
    """What becomes of the rows of somebody forgotten."""

    GOES = auto()
    NAMELESS = auto()  # the row stays, without them
    STAYS = auto()
    APART = auto()  # a module of its own sees to it


class Merged(Enum):
    """What becomes of the rows of a guest who becomes another player."""

    CARRIED = auto()
    DROPPED = auto()
    APART = auto()  # a statement of its own sees to it, or a guest has none


@dataclass(frozen=True)
class OfPlayer:
    """What becomes of a column that names a player.

    `same`: the columns in which two rows of one player would be the same; carried, the guest's then
    goes. `pair`: the column that names another player, for nobody has such a row with themselves.
    `keeps`: whoever has such a row is not idle.
    """

    column: Column[Any]
    forgotten: Forgotten
    merged: Merged
    same: tuple[Column[Any], ...] = ()
    pair: Column[Any] | None = None
    keeps: bool = True


def _pair(one: Column[Any], two: Column[Any]) -> tuple[OfPlayer, OfPlayer]:
    """Return what becomes of two columns that name two players, each pair of them once."""
    return (
        OfPlayer(one, Forgotten.GOES, Merged.CARRIED, (two,), pair=two),
        OfPlayer(two, Forgotten.GOES, Merged.CARRIED, (one,), pair=one),
    )


OF_PLAYERS = (
    OfPlayer(keys.c.player_id, Forgotten.APART, Merged.APART, keeps=False),
    OfPlayer(accounts.c.player_id, Forgotten.GOES, Merged.APART),
    OfPlayer(passkeys.c.player_id, Forgotten.GOES, Merged.APART),
    OfPlayer(offers.c.player_id, Forgotten.GOES, Merged.DROPPED),
    OfPlayer(sittings.c.player_id, Forgotten.GOES, Merged.CARRIED, (sittings.c.table_id,)),
    # Parts of finished matches only: nobody is forgotten in the middle of one.
    OfPlayer(parts.c.player_id, Forgotten.APART, Merged.CARRIED),
    OfPlayer(lines.c.player_id, Forgotten.STAYS, Merged.CARRIED),  # goes with its table
    OfPlayer(
        mutes.c.player_id,
        Forgotten.GOES,
        Merged.CARRIED,
        (mutes.c.muted_id,),
        pair=mutes.c.muted_id,
        keeps=False,
    ),
    # What they said stays muted for who muted them.
    OfPlayer(
        mutes.c.muted_id,
        Forgotten.STAYS,
        Merged.CARRIED,
        (mutes.c.player_id,),
        pair=mutes.c.player_id,
    ),
    OfPlayer(passes.c.player_id, Forgotten.GOES, Merged.DROPPED),
    OfPlayer(
        rule_sets.c.player_id,
        Forgotten.GOES,
        Merged.CARRIED,
        (rule_sets.c.game, rule_sets.c.name),
    ),
    *_pair(friends.c.player_id, friends.c.friend_id),
    *_pair(asks.c.from_id, asks.c.to_id),
    *_pair(blocks.c.from_id, blocks.c.to_id),
    OfPlayer(reports.c.by_id, Forgotten.NAMELESS, Merged.CARRIED),
    OfPlayer(reports.c.about_id, Forgotten.NAMELESS, Merged.CARRIED),
    OfPlayer(members.c.player_id, Forgotten.APART, Merged.APART),
    OfPlayer(club_dates.c.by_id, Forgotten.NAMELESS, Merged.CARRIED, keeps=False),
    OfPlayer(
        date_goers.c.player_id,
        Forgotten.GOES,
        Merged.CARRIED,
        (date_goers.c.date_id,),
        keeps=False,
    ),
    OfPlayer(notes.c.player_id, Forgotten.GOES, Merged.CARRIED, (notes.c.match_id,)),
    OfPlayer(vacations.c.player_id, Forgotten.GOES, Merged.CARRIED, keeps=False),  # the longer one
    OfPlayer(board_tries.c.player_id, Forgotten.GOES, Merged.CARRIED, (board_tries.c.board,)),
    # kaboom.ratings.queries carries along what it can.
    OfPlayer(rating_wishes.c.player_id, Forgotten.APART, Merged.APART),
    OfPlayer(ratings.c.player_id, Forgotten.APART, Merged.APART),
    OfPlayer(program_keys.c.player_id, Forgotten.GOES, Merged.CARRIED),
    OfPlayer(ways.c.player_id, Forgotten.APART, Merged.CARRIED, (ways.c.print, ways.c.made_at)),
    OfPlayer(tournaments.c.host_id, Forgotten.APART, Merged.CARRIED),
    # Their name goes too, in tournaments as in its standings. The entry itself never does: the log
    # of the tournament knows it.
    OfPlayer(entrants.c.player_id, Forgotten.APART, Merged.APART),
    OfPlayer(call_settings.c.player_id, Forgotten.APART, Merged.APART, keeps=False),
)
