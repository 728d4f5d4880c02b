"""Texts about a tournament: its stage, names, points and rulings."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.tournaments import organizer
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.events import Format, Number, Verb
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.rules.standings import Line

FORMATS = {
    Format.SWISS: N_("Swiss: players with similar scores meet; no one is eliminated"),
    Format.KNOCKOUT: N_("Knockout: players who do not qualify are out"),
    Format.LEAGUE: N_("League: all players meet each other, as far as possible"),
}
VERBS = {
    Verb.ANNOUNCE: N_("Announcement"),
    Verb.EXTEND: N_("The round is extended"),
    Verb.PAUSE: N_("The tournament is paused"),
    Verb.CLOSE: N_("Late entry is closed"),
    Verb.REMOVE: N_("Removed"),
    Verb.APART: N_("Kept apart"),
    Verb.RESULT: N_("A result is set"),
    Verb.PAIR: N_("The round is re-paired"),
    Verb.SWAP: N_("Players swapped"),
    Verb.END: N_("The tournament ends"),
    Verb.UNDO: N_("A ruling is undone"),
}


def state(seen: TournamentSnapshot) -> str:
    """Return a sentence about the stage of a tournament."""
    of = seen.of
    if of.cancelled:
        return _("Cancelled: too few players.")
    if of.ended:
        return _("It is over.")
    if of.paused:
        return _("The organiser has paused it.")
    if not of.begun:
        if of.check_in_until:
            return _("Check-in is open: confirm that you want to play.")
        return _("Entries are open.")
    if of.round is None:
        return _("It begins.")
    return _("Round {round} of {rounds}.", round=of.round.number, rounds=pairing.rounds(of))


def may_enter(seen: TournamentSnapshot) -> bool:
    """Return True if entry or late entry is open."""
    of = seen.of
    return not of.ended and (not of.begun or pairing.may_enter_late(of))


def may_come_late(seen: TournamentSnapshot) -> bool:
    """Return True if an entrant who missed the beginning can still join."""
    of = seen.of
    return pairing.may_enter_late(of) and len(of.field) < of.settings.most


def called(seen: TournamentSnapshot, number: Number) -> str:
    """Return an entrant's name, or the entrant number of a deleted player."""
    row = seen.entrants.get(number)
    return row.name if row is not None and row.name else _("Player {number}", number=number)


def points(share: int | None, decimals: int = 2) -> str:
    """Return a share as points with one or two decimals, or none; a whole share is one point."""
    if share is None:
        return "–"
    unit = 10**decimals
    parts = (unit * share + WHOLE // 2) // WHOLE
    return f"{parts // unit}.{parts % unit:0{decimals}}" if decimals else str(parts)


def decimals(shares: Iterable[int | None]) -> int:
    """Return the number of decimals, up to two, that all of these shares need."""
    known = [it for it in shares if it is not None]
    return next((it for it in (0, 1) if not any(10**it * x % WHOLE for x in known)), 2)


def decimals_of(lines: Iterable[Line]) -> int:
    """Return the number of decimals that the results in the standings need."""
    return decimals(share for it in lines for share in it.rounds)


def percent(share: int | None, rounds: int = 1) -> str:
    """Return a share of `rounds` rounds as a percentage with one decimal."""
    if share is None:
        return "–"
    tenths = (2000 * share + WHOLE * rounds) // (2 * WHOLE * rounds)
    return _("{number}%", number=f"{tenths // 10}.{tenths % 10}")


def worth(
    seen: TournamentSnapshot, lines: Sequence[Line] | None = None
) -> Callable[[int | None], str]:
    """Return a function that formats a round's share, with shared cards as a percentage; for the
    standings, whose `lines` are given, with as few decimals as these need.
    """
    if seen.of.settings.duplicate:
        return percent
    return points if lines is None else partial(points, decimals=decimals_of(lines))


def worth_in_all(
    seen: TournamentSnapshot, lines: Sequence[Line], places: int = 2
) -> Callable[[Line], str]:
    """Return a function that formats a player's total share as points with this many decimal
    `places`, or as a mean percentage.

    Players without a result have a dash. `lines` are the standings.
    """
    rounds = _told_rounds(lines)

    def written(line: Line) -> str:
        if all(share is None for share in line.rounds):
            return points(None)
        if not seen.of.settings.duplicate:
            return points(line.points, places)
        return percent(line.points if rounds else None, rounds)

    return written


def worth_against(
    seen: TournamentSnapshot, lines: Sequence[Line], places: int = 2
) -> Callable[[int], str]:
    """Return a function that formats the opponents' tie-break: a sum over all rounds but one, with
    this many decimal `places`, or a mean.
    """
    if not seen.of.settings.duplicate:
        return partial(points, decimals=places)
    rounds, met = _told_rounds(lines), max(1, len(seen.of.rounds) - 1)
    return lambda share: percent(share if rounds else None, rounds * met)


def _told_rounds(lines: Sequence[Line]) -> int:
    """Return the number of rounds that count towards the standings so far."""
    by_round = zip(*(line.rounds for line in lines), strict=True)
    return sum(any(share is not None for share in shares) for shares in by_round)


def rulings(seen: TournamentSnapshot) -> list[dict[str, Any]]:
    """Return the rulings in words, latest first."""
    of = seen.of
    found = []
    for seq, it in of.rulings.items():
        about = [called(seen, number) for number in it.entrants]
        if it.verb == Verb.RESULT:
            about = [
                f"{called(seen, seat.entrant)} {seat.place or _('absent')}" for seat in it.seats
            ]
        found.append(
            {
                "seq": seq,
                "what": _(VERBS[it.verb]),
                "about": about,
                "why": it.why,
                "minutes": it.minutes,
                "round": it.round,
                "table": it.pod + 1 if it.verb == Verb.RESULT else 0,
                "undone": seq in of.undone,
                "undoes": it.undone,
                "may_be_undone": it.verb in organizer.UNDONE and seq not in of.undone,
            }
        )
    return found[::-1]
