"""Cached parts of pages that are the same for all viewers: computed once per version of a
tournament, rendered once per version and language.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from flask import current_app
from flask import render_template as render
from markupsafe import Markup, escape

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import spoken_now
from kaboom.engine.texts import in_points
from kaboom.engine.toolkit.avatars import colours, face_of
from kaboom.tables.context import tables
from kaboom.tournaments import queries as store
from kaboom.tournaments.cache import TournamentSnapshot
from kaboom.tournaments.rules import pairing
from kaboom.tournaments.rules.bracket import MOST as MOST_DRAWN
from kaboom.tournaments.rules.bracket import Picture, Slot, picture
from kaboom.tournaments.rules.events import Format, How, Number, SeatResult
from kaboom.tournaments.rules.knockout import Feeder
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.rules.standings import Line, never_came, standings
from kaboom.tournaments.rules.state import OUT_AFTER, Round, qualifiers
from kaboom.tournaments.texts import (
    called,
    decimals,
    decimals_of,
    worth,
    worth_against,
    worth_in_all,
)

Computed = TypeVar("Computed")

MOST_ROUNDS = 12  # rounds with a column in the standings, at most
MOST_WITH_FACES = 40  # tables of a round whose players are shown with their faces
MARKS = re.compile(r"<!--you (\d+)-->")  # placeholder after the name of an entrant
TABLES = re.compile(r"<!--at (\d+)-->(.*?)<!--end-->")  # around the words of a table link
MOST_LINES_WITH_FACES = 50  # lines of the standings on a page that shows their faces
PAIR = 2  # players at a table of which one advances
PODIUM = 3  # places on the podium
MOST_ON_PODIUM = 4  # players on it, with those who share a place
BRACKET_LISTS = "tournaments/fragments/bracket.html"
COMPUTED = 600  # computed values cached by a process, each for the last version
AVATARS = (
    *("#e5735c", "#4f94cf", "#3fa991", "#c77dba", "#c99a4e"),
    *("#86ab5b", "#8f9bb3", "#dd7c98", "#9a8cd6", "#b8825c"),
)


@dataclass(frozen=True, slots=True)
class Best:
    """One of the best players, on the podium: place, name, points in words, and avatar. `shared` is
    True if other players have the same place.
    """

    place: int
    name: str
    points: str
    face: str
    shared: bool = False


def entrant_face(seen: TournamentSnapshot, number: Number) -> str:
    """Return the CSS classes of an entrant's avatar, as at their table: a bot's is a robot."""
    return face_of(called(seen, number), seen.of.entrants[number].bot)


def rendered_once(seen: TournamentSnapshot, part: str, render: Callable[[], str]) -> Markup:
    """Return a part of a page, rendered once per version of the tournament and language."""
    return computed_once(seen, f"{part} in {spoken_now().code}", lambda: Markup(render()))


def as_read_by(part: Markup, reader: Number | None, table: int | None = None) -> Markup:
    """Return a shared part of a page as one viewer reads it: with the viewer marked, and with the
    link to their own `table` of the round labelled as such.
    """
    you = f' <small class="tag on">{escape(_("you"))}</small>'
    at = escape(_("Go to your table"))
    found = MARKS.sub(lambda it: you if reader and int(it[1]) == reader else "", part)
    return Markup(TABLES.sub(lambda it: at if table and int(it[1]) == table else it[2], found))


def computed_once(seen: TournamentSnapshot, what: str, compute: Callable[[], Computed]) -> Computed:
    """Return a value that depends only on the log and the names, computed once per version.

    Only the last version is cached, since the standings of a thousand players are large.
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


def next_step(seen: TournamentSnapshot) -> pairing.Next | None:
    """Return the next automatic step, after which every open page refreshes."""
    return computed_once(seen, "next", lambda: pairing.next_step(seen.of))


def champions(seen: TournamentSnapshot) -> list[str]:
    """Return the names of the winners; empty while the tournament runs."""
    of = seen.of
    if not of.ended or not of.begun or of.cancelled:
        return []
    if of.settings.format == Format.KNOCKOUT:
        return [called(seen, it) for it in pairing.champions(of)] if of.over else []
    lines = standing_lines(seen)
    return [called(seen, it.entrant) for it in lines if it.place == 1 and it.points]


def best_lines(seen: TournamentSnapshot) -> list[Best]:
    """Return the players with the best three places of a tournament that is over, for its podium.

    Players without points are left out, and so is a shared place with more players than there is
    room for.
    """
    lines = standing_lines(seen) if seen.of.ended and seen.of.begun else ()
    total = worth_in_all(seen, lines, decimals_of(lines))
    knockout = seen.of.settings.format == Format.KNOCKOUT
    absent = never_came(seen.of)
    known = (it for it in lines if it.entrant not in absent and set(it.rounds) != {None})
    scored = [it for it in known if it.points or (knockout and it.place == 1)]
    places = Counter(it.place for it in scored)
    shown = [it for it in scored if it.place + places[it.place] - 1 <= MOST_ON_PODIUM]
    return [
        Best(
            it.place,
            called(seen, it.entrant),
            _with_unit(seen, total(it)),
            entrant_face(seen, it.entrant),
            places[it.place] > 1,
        )
        for it in shown
        if it.place <= PODIUM
    ]


def _with_unit(seen: TournamentSnapshot, total: str) -> str:
    """Return a total as it stands on the podium: a percentage, or points with their unit."""
    if seen.of.settings.duplicate:
        return total
    return in_points(float(total))


def bracket_of(seen: TournamentSnapshot) -> Picture:
    """Return the bracket of a knockout that has begun."""
    return computed_once(seen, "bracket", lambda: picture(seen.of))


def has_diagram(seen: TournamentSnapshot) -> bool:
    """Return True for a knockout that has begun and is small enough for a diagram."""
    knockout = seen.of.settings.format == Format.KNOCKOUT and seen.of.begun
    return knockout and len(bracket_of(seen).rounds()[0]) <= MOST_DRAWN


def brief_bracket(seen: TournamentSnapshot, reader: Number | None) -> str:
    """Return the bracket below other parts of a page, for one viewer."""
    lists = rendered_once(seen, "brief", lambda: bracket_part(seen, BRACKET_LISTS, brief=True))
    return as_read_by(lists, reader)


def bracket_part(
    seen: TournamentSnapshot,
    template: str,
    ink: Mapping[str, str] | None = None,
    brief: bool = False,
) -> str:
    """Return the bracket of a knockout as lists or as a picture. Of `brief` lists phones show only
    the rounds in play.
    """
    rounds = bracket_of(seen).rounds()
    titles = [_title(at, len(it), len(rounds)) for at, it in enumerate(rounds, 1)]

    def feeding(slot: Slot, round: int) -> str:
        """Return the text of an open place, with the match that feeds it if that is known."""
        words = _slot(seen, slot.entrant, slot.feeder)
        if slot.feeder is None or seen.of.ended:
            return words
        pod = next(it for it in rounds[round - 1] if it.pod == slot.feeder.pod)
        names = [called(seen, it.entrant) for it in pod.slots if not it.feeder]
        if len(names) == PAIR:
            return _("winner of {one} – {two}", one=names[0], two=names[1])
        return f"{words} ({titles[round - 1]})" if titles[round - 1] else words

    return render(
        template,
        drawn=bracket_of(seen),
        titles=titles,
        columns=has_diagram(seen),
        brief=brief,
        pairs=seen.of.settings.size == 2,
        through=qualifiers(seen.of.settings.size),
        face=lambda it: entrant_face(seen, it),
        color=lambda it: AVATARS[colours((called(seen, it),))[0]],
        ink=ink,
        slot=lambda it: _slot(seen, it.entrant, it.feeder),
        feeding=feeding,
        running=not seen.of.ended,
        begun=len(seen.of.rounds),
    )


def _title(round: int, tables: int, rounds: int) -> str:
    """Return the name of one of the last rounds; "" for earlier ones."""
    names = (N_("Final"), N_("Semi-finals"), N_("Quarter-finals"))
    left = rounds - round
    halved = left < len(names) and tables == 2**left
    return _(names[left]) if halved else ""


def _slot(seen: TournamentSnapshot, entrant: Number, feeder: Feeder | None) -> str:
    """Return the text of a place in the bracket: its entrant, or where they will come from."""
    if feeder is None:
        return called(seen, entrant)
    if seen.of.ended:
        return _("not played")
    ranks = (
        N_("first at table {table}"),
        N_("second at table {table}"),
        N_("third at table {table}"),
        N_("fourth at table {table}"),
    )
    return _(ranks[feeder.rank], table=feeder.pod + 1)


def standing_lines(seen: TournamentSnapshot) -> Sequence[Line]:
    """Return the standings, best first, entrants without a result last."""
    return computed_once(
        seen,
        "standings",
        lambda: sorted(
            standings(seen.of, seen.draw()), key=lambda it: it.rounds.count(None) == len(it.rounds)
        ),
    )


def standings_part(seen: TournamentSnapshot, page: int, size: int, whole: bool = True) -> str:
    """Return one page of the standings (0 is the first) with `size` lines; `whole` adds the columns
    of the standings page.
    """
    lines = standing_lines(seen)
    shown = lines[page * size : (page + 1) * size]
    return render(
        "tournaments/fragments/standings.html",
        lines=shown,
        rounds=min(len(seen.of.rounds), MOST_ROUNDS),
        knockout=seen.of.settings.format == Format.KNOCKOUT,
        ties_broken=any(
            one.points == other.points and one.place != other.place
            for one, other in pairwise(shown)
        ),
        whole=whole,
        called=lambda it: called(seen, it),
        points=worth(seen, lines),
        mark=_mark,
        faces=len(shown) <= MOST_LINES_WITH_FACES,
        face=lambda it: entrant_face(seen, it),
        total=worth_in_all(seen, lines, decimals_of(lines)),
        against=worth_against(seen, lines, decimals(int(it.opponents) for it in lines)),
        percent=seen.of.settings.duplicate,
        pairs=seen.of.settings.size == 2 and not seen.of.settings.duplicate,
        unplaced=never_came(seen.of) | _still_in(seen),
        out=_out(seen),
    )


def _still_in(seen: TournamentSnapshot) -> set[Number]:
    """Return the players in the current round of a running knockout, who have no place yet."""
    of, round = seen.of, seen.of.round
    if of.ended or round is None or of.settings.format != Format.KNOCKOUT:
        return set()
    last = round.number == pairing.rounds(of)
    over = [last and of.result(round, n) is not None for n in range(len(round.pods))]
    return {it for n, pod in enumerate(round.pods) if not over[n] for it in pod.entrants}


def _mark(share: int | None) -> str:
    """Return the style of a round's result: won, lost, or in between."""
    return {None: "", 0: " lost", WHOLE: " full"}.get(share, " part")


def _out(seen: TournamentSnapshot) -> dict[Number, str]:
    """Return why entrants do not play, in a word: those who never came to a table, and, while the
    tournament runs, those who no longer play.
    """
    of = seen.of
    absent = {it: _("absent") for it in never_came(of)}
    if of.ended:
        return absent
    active = set(of.active())
    return {it: absent.get(it) or _why_out(seen, it) for it in of.field if it not in active}


def _why_out(seen: TournamentSnapshot, number: Number) -> str:
    entrant = seen.of.entrants[number]
    if entrant.left:
        return _("left")
    returns = entrant.paused and entrant.missed < OUT_AFTER and number not in seen.of.removed()
    return _("away") if returns and seen.of.settings.format != Format.KNOCKOUT else _("out")


def pods_part(seen: TournamentSnapshot, round: Round, most: int = 10_000) -> str:
    """Return a list of the tables of a round, at most `most` of them."""
    shares = seen.of.round_shares(round)
    shown = [(at, pod) for at, pod in enumerate(round.pods, 1) if pod.entrants][:most]
    return render(
        "tournaments/fragments/pairings.html",
        seen=seen,
        round=round,
        most=most,
        shown=[{"number": at, "pod": pod} for at, pod in shown],
        faces=len(shown) <= MOST_WITH_FACES,
        face=lambda it: entrant_face(seen, it),
        on=still_on(seen, round, range(len(round.pods))),
        byes=[called(seen, it) for it in round.byes],
        called=lambda it: called(seen, it),
        result=lambda pod: seen.of.result(round, pod),
        shares=shares,
        points=worth(seen, standing_lines(seen)),
        ordered=lambda pod, found: _by_place(found, seen.of.places(round, pod, shares)),
        How=How,
    )


def over_of(seen: TournamentSnapshot) -> tuple[int, int]:
    """Return the number of finished tables of the last round, and the number of all its tables. An
    entrant without an opponent has none.
    """
    round = seen.of.round
    tables = [pod for pod, it in enumerate(round.pods) if len(it.entrants) > 1] if round else []
    done = [pod for pod in tables if round and seen.of.result(round, pod) is not None]
    return len(done), len(tables)


def still_on(seen: TournamentSnapshot, round: Round, among: Sequence[int]) -> set[int]:
    """Return those pods of a round, numbered from 0, that are being played or still can be."""
    of = seen.of
    found = {
        pod
        for pod in among
        if of.result(round, pod) is None and round.wave_of(pod) < len(round.waves)
    }
    if found and of.ended:  # pods that had not begun by then are not played
        rows = tables().database.read(lambda c: store.pods_of(c, seen.row.id, round.pairing))
        found &= {it.number for it in rows if it.state in (store.PLAYING, store.ENDED)}
    return found


def _by_place(found: Sequence[SeatResult], places: Mapping[Number, int]) -> list[SeatResult]:
    """Return the results of a pod, best first; absent entrants, who have no place, come last."""
    entrants = (it for it in found if it.entrant)
    return sorted(entrants, key=lambda it: (it.how == How.ABSENT, places.get(it.entrant, 0)))
