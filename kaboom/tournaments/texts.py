"""A tournament in words: how far it is, who is called what, what is had, what was ruled."""

from collections.abc import Callable, Sequence
from typing import Any

from kaboom.engine.i18n import mark, say
from kaboom.tournaments import organizer
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import Format, Number, Verb
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.rules.standings import Line

FORMATS = {
    Format.SWISS: mark("Swiss: those with like scores play each other, nobody is out"),
    Format.KNOCKOUT: mark("Knockout: whoever does not qualify is out"),
    Format.LEAGUE: mark("League: everybody meets everybody, as far as possible"),
}
VERBS = {
    Verb.ANNOUNCE: mark("Announcement"),
    Verb.EXTEND: mark("The round is extended"),
    Verb.PAUSE: mark("Nothing new begins"),
    Verb.CLOSE: mark("Nobody may enter late any more"),
    Verb.REMOVE: mark("Removed"),
    Verb.APART: mark("Kept apart"),
    Verb.RESULT: mark("A result is set"),
    Verb.PAIR: mark("The round is paired anew"),
    Verb.SWAP: mark("Exchanged"),
    Verb.END: mark("The tournament ends"),
    Verb.UNDO: mark("A ruling is undone"),
}


def state(seen: TournamentSnapshot) -> str:
    """Return in a sentence how far a tournament is."""
    of = seen.of
    if of.cancelled:
        return say("Cancelled: there were too few to play.")
    if of.ended:
        return say("It is over.")
    if of.paused:
        return say("The organiser has paused it.")
    if not of.begun:
        if of.check_in_until:
            return say("Check-in is open: whoever wants to play says so now.")
        return say("Entries are open.")
    if of.round is None:
        return say("It begins.")
    return say("Round {round} of {rounds}.", round=of.round.number, rounds=course.rounds(of))


def may_enter(seen: TournamentSnapshot) -> bool:
    """Say whether entries are open still, or late ones are let in."""
    of = seen.of
    return not of.ended and (not of.begun or course.may_enter_late(of))


def may_come_late(seen: TournamentSnapshot) -> bool:
    """Say whether somebody who entered before it began, and does not play, can do so still."""
    of = seen.of
    return course.may_enter_late(of) and len(of.field) < of.settings.most


def called(seen: TournamentSnapshot, number: Number) -> str:
    """Return what an entrant is called; somebody who was forgotten by their number."""
    row = seen.entrants.get(number)
    return row.name if row is not None and row.name else say("Player {number}", number=number)


def points(share: int | None) -> str:
    """Return shares as points: a whole one is 1, in hundredths."""
    if share is None:
        return "–"
    hundredths = (100 * share + WHOLE // 2) // WHOLE
    return f"{hundredths // 100}.{hundredths % 100:02}"


def percent(share: int | None, rounds: int = 1) -> str:
    """Return a share of so many rounds as a percentage, in tenths."""
    if share is None:
        return "–"
    tenths = (2000 * share + WHOLE * rounds) // (2 * WHOLE * rounds)
    return say("{number} %", number=f"{tenths // 10}.{tenths % 10}")


def worth(seen: TournamentSnapshot) -> Callable[[int | None], str]:
    """Return how a round's share is written: where all had the same cards, as a percentage."""
    return percent if seen.of.settings.duplicate else points


def worth_in_all(seen: TournamentSnapshot, lines: Sequence[Line]) -> Callable[[Line], str]:
    """Return how somebody's shares of all rounds are written: as points, or as a mean percentage.
    A dash stands for those of whom no result is known yet: nothing is not the same as none won.
    `lines` are the standings.
    """
    rounds = _told_rounds(lines)

    def written(line: Line) -> str:
        if all(share is None for share in line.rounds):
            return points(None)
        if not seen.of.settings.duplicate:
            return points(line.points)
        return percent(line.points if rounds else None, rounds)

    return written


def worth_against(seen: TournamentSnapshot, lines: Sequence[Line]) -> Callable[[int], str]:
    """Return how what opponents have is written: the sum for all rounds but one, or a mean."""
    if not seen.of.settings.duplicate:
        return points
    rounds, met = _told_rounds(lines), max(1, len(seen.of.rounds) - 1)
    return lambda share: percent(share if rounds else None, rounds * met)


def _told_rounds(lines: Sequence[Line]) -> int:
    """Return how many rounds count in the standings so far."""
    by_round = zip(*(line.rounds for line in lines), strict=True)
    return sum(any(share is not None for share in shares) for shares in by_round)


def rulings(seen: TournamentSnapshot) -> list[dict[str, Any]]:
    """Return the rulings in words, the last one first."""
    of = seen.of
    found = []
    for seq, it in of.rulings.items():
        about = [called(seen, number) for number in it.entrants]
        if it.verb == Verb.RESULT:
            about = [
                f"{called(seen, seat.entrant)} {seat.place or say('absent')}" for seat in it.seats
            ]
        found.append(
            {
                "seq": seq,
                "what": say(VERBS[it.verb]),
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
