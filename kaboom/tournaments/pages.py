"""What is the same for everybody: computed once for each version of a tournament, and drawn once
for each version and language.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from flask import current_app
from flask import render_template as render
from markupsafe import Markup

from kaboom.engine.i18n import spoken_now
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.rules import rounds as course
from kaboom.tournaments.rules.events import How, Number, SeatResult
from kaboom.tournaments.rules.standings import Line, standings
from kaboom.tournaments.rules.state import Round
from kaboom.tournaments.texts import called, worth, worth_against, worth_in_all

Computed = TypeVar("Computed")

MOST_ROUNDS = 12  # that have a column in the standings
DRAWN = 400  # parts of pages kept by a process
COMPUTED = 200  # things computed of tournaments, each of its last version


def drawn_once(seen: TournamentSnapshot, part: str, draw: Callable[[], str]) -> Markup:
    """Return a part that is the same for everybody, drawn once a version and language."""
    kept: OrderedDict[tuple[Any, ...], Markup] = current_app.extensions["kaboom.drawn"]
    key = (seen.row.id, seen.code, seen.of.seq, seen.row.names, spoken_now().code, part)
    found = kept.get(key)
    if found is None:
        found = kept[key] = Markup(draw())
        while len(kept) > DRAWN:
            kept.popitem(last=False)
    return found


def computed_once(seen: TournamentSnapshot, what: str, compute: Callable[[], Computed]) -> Computed:
    """Return what follows from the log and the names alone, computed once a version for all pages.
    Only the last version is kept: the standings of a thousand are large.
    """
    kept: OrderedDict[tuple[Any, ...], tuple[Any, Any]] = current_app.extensions["kaboom.computed"]
    key = (seen.row.id, seen.code, what)
    now = (seen.of.seq, seen.row.names)
    version, found = kept.get(key, (None, None))
    if version != now:
        found = compute()
        kept[key] = (now, found)
        kept.move_to_end(key)
        while len(kept) > COMPUTED:
            kept.popitem(last=False)
    made: Computed = found
    return made


def next_step(seen: TournamentSnapshot) -> course.Next | None:
    """Return what comes next by itself: every open page asks for it."""
    return computed_once(seen, "next", lambda: course.next_step(seen.of))


def standing_lines(seen: TournamentSnapshot) -> Sequence[Line]:
    """Return the standings, the best first and those without a result last."""
    return computed_once(
        seen,
        "standings",
        lambda: sorted(
            standings(seen.of, seen.draw()), key=lambda it: it.rounds.count(None) == len(it.rounds)
        ),
    )


def standings_part(seen: TournamentSnapshot, page: int, size: int, whole: bool = True) -> str:
    """Return a page of the standings (0 is the first) of so many lines; `whole`: with all that is
    told on their own pages.
    """
    lines = standing_lines(seen)
    shown = lines[page * size : (page + 1) * size]
    return render(
        "tournaments/fragments/standings.html",
        lines=shown,
        rounds=min(len(seen.of.rounds), MOST_ROUNDS),
        whole=whole,
        called=lambda it: called(seen, it),
        points=worth(seen),
        total=worth_in_all(seen, lines),
        against=worth_against(seen, lines),
        percent=seen.of.settings.duplicate,
        out=_out(seen),
    )


def _out(seen: TournamentSnapshot) -> set[Number]:
    """Return who plays no more, though the tournament goes on."""
    of = seen.of
    return set() if of.ended else {it for it in of.field if it not in set(of.active())}


def pods_part(seen: TournamentSnapshot, round: Round, most: int = 10_000) -> str:
    """Return the tables of a round as a list, at most so many of them."""
    shares = seen.of.round_shares(round)
    return render(
        "tournaments/fragments/pairings.html",
        seen=seen,
        round=round,
        most=most,
        shown=[{"number": at, "pod": pod} for at, pod in enumerate(round.pods, 1) if pod.entrants][
            :most
        ],
        on=still_on(seen, round, range(len(round.pods))),
        byes=[called(seen, it) for it in round.byes],
        called=lambda it: called(seen, it),
        result=lambda pod: seen.of.result(round, pod),
        shares=shares,
        points=worth(seen),
        ordered=lambda pod, found: _by_place(found, seen.of.places(round, pod, shares)),
        How=How,
    )


def still_on(seen: TournamentSnapshot, round: Round, among: Sequence[int]) -> set[int]:
    """Return which of these pods of a round are played, or can be; they are numbered from 0."""
    of = seen.of
    found = {
        pod
        for pod in among
        if of.result(round, pod) is None and round.wave_of(pod) < len(round.waves)
    }
    if found and of.ended:  # what was not begun then is not played
        rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, round.pairing))
        found &= {it.number for it in rows if it.state in (store.PLAYING, store.ENDED)}
    return found


def _by_place(found: Sequence[SeatResult], places: Mapping[Number, int]) -> list[SeatResult]:
    """Return what the entrants of a pod came to, the best first; the absent have no place."""
    return sorted((it for it in found if it.entrant), key=lambda it: places.get(it.entrant, 0))
