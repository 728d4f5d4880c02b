"""The room around a table: who is here, what is said. Nothing in it comes from the game."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

from flask import Flask, Response, current_app, g, request, url_for

from kaboom.accounts.api_keys.auth import may_read_talk
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.table_view import TablePage
from kaboom.notifications import channels as ways
from kaboom.notifications.channels import Hook
from kaboom.realtime.presence import Attendance, Presence
from kaboom.social.chat import service as chat
from kaboom.social.chat.service import Chat, Line
from kaboom.tables.context import tables
from kaboom.tables.faces import colours_at
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import open_hands
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.forms import number

READ_COOKIE = "kb-read"  # the last line this browser has shown of the table it is sent to
MONTH = 30 * 24 * 3600

# How long a quick phrase stands beside a face: as long as the style sheet shows it, and a little.
BUBBLE = 8.0  # seconds

NO_TALK = Chat((), own=0, others=0, more=False)

CROWD = 20  # spectators whom nobody counts one by one

WORDS = {
    "here": mark("here"),
    "away": mark("away"),
    "gone": mark("has left"),
    "deputy": mark("a bot plays"),
    "vacation": mark("on vacation"),
    "bot": mark("bot"),
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a chair; `word` is here, away, gone, deputy (a bot plays for them), vacation,
    bot, or nothing while nobody knows.
    """

    seat: Seat
    name: str
    word: str
    colour: int = 0  # of the face

    @property
    def said(self) -> str:
        """Return the word as it is read."""
        return say(WORDS[self.word]) if self.word else ""

    @property
    def missing(self) -> bool:
        """Say whether their face shows that they do not play themselves just now."""
        return self.word in ("away", "gone", "deputy", "vacation")


@dataclass(frozen=True, slots=True)
class Room:
    """What a browser shows beside the cards. `number` moves when it has changed."""

    code: str
    number: int
    people: Sequence[Person]
    watchers: int
    lines: Sequence[Line]
    own: int  # the reader's own last line
    more: bool  # earlier lines can be asked for
    silent: str | None  # why the reader may not write
    only_phrases: bool  # nothing else may be said
    name: str  # what the reader is called, or empty
    host: bool
    invited: bool = False  # the page offers the reader a free chair, and asks for a name there
    notice: str = ""
    typed: str = ""
    own_answer: bool = False
    dealt: bool = False  # the reader plays here, and has been dealt cards
    bubbles: Sequence[Line] = ()  # quick phrases that stand beside faces
    others: int = 0  # the last line of anybody else that the reader may read

    @property
    def last(self) -> int:
        """Return the number of the last line somebody else wrote, as far as the reader has come
        with these lines; 0 without any.
        """
        return min(self.others, max((line.number for line in self.lines), default=0))


@dataclass(frozen=True, slots=True)
class Arranged:
    """What is arranged about a table's talk and its spectators, as the reader may know it: by how
    many minutes those lag behind, whether they may write, whether that is kept from the players,
    which seats have said whether they may see all hands; whom the reader has muted, by a word for
    each, and what is called for them.
    """

    watch: int
    audience: bool
    hush: bool
    hands: Mapping[Seat, bool]
    muted: Sequence[tuple[str, str]]
    call: Hook


def presence() -> Presence:
    """Return this process's presence."""
    found: Presence = current_app.extensions["kaboom.presence"]
    return found


def init_app(app: Flask) -> None:
    """Note that the person asking is at this table."""
    app.after_request(_note_asker)


def asked_by(snapshot: TableSnapshot) -> None:
    """Remember for the rest of this request who is asking, and at which table."""
    if snapshot.player is not None:
        g.asker = (snapshot.code, snapshot.player)


def _note_asker(response: Response) -> Response:
    asker = g.pop("asker", None)
    by_script = request.headers.get("HX-Request") == "true"
    # A tab nobody looks at asks for news too: only what a person did counts, and streams.
    if asker is not None and not (by_script and request.method == "GET"):
        present, (code, player) = presence(), asker
        if request.method == "POST" and player not in present.here(code):
            present.named(code)  # perhaps just now, in a page whose stream has no name
        if by_script:
            present.stream(code, player)
        else:
            present.request(code, player)
    return response


def people_at(snapshot: TableSnapshot, present: Attendance) -> tuple[list[Person], int]:
    """Return those with a chair, and how many watch. Delayed viewers are told no chairs."""
    table, here = snapshot.table, present.players
    seated = {chair.player for _, chair in table.sitting() if chair.player in here}
    watchers = len(here) - len(seated) + present.nameless
    if snapshot.closed or snapshot.until < inf:
        return [], watchers if snapshot.table.watch != WATCHED_BY_NOBODY else 0
    people, colour = [], colours_at(table)
    for seat, chair in table.sitting():
        if chair.player is None:
            word = "bot"
        elif chair.stand_in and table.playing:
            word = "deputy"
        elif not chair.present:
            word = "gone"
        elif chair.vacation is not None and chair.vacation.ends_at > tables().now():
            word = "vacation"
        elif chair.player in here or chair.player == snapshot.player:
            word = "here"
        else:
            word = "away" if present.known else ""
        people.append(Person(seat, chair.name, word, colour.get(seat, 0)))
    return people, watchers


def room_number(tables: Tables, snapshot: TableSnapshot, present: Attendance) -> int:
    """Return a number that stays while the room looks the same to the person asking, give or take
    a few in a crowd.
    """
    people, watchers = people_at(snapshot, present)
    table = snapshot.table
    shown = (
        chat.heard(tables, snapshot),
        [(person.name, person.word) for person in people],
        roughly(watchers),
        (
            table.audience,
            table.phrases,
            snapshot.me is None,
            snapshot.closed,
            _invited(snapshot),
            table.match > 0,
        ),
    )
    return zlib.crc32(to_json(shown))


def roughly(count: int) -> int:
    """Return a number that changes with a count, of many only when a tenth of them come or go: each
    change makes every page ask.
    """
    return count if count <= CROWD else CROWD + int(10 * log(count / CROWD))


def _invited(snapshot: TableSnapshot) -> bool:
    nameless = snapshot.me is None and not snapshot.player_name
    return nameless and not snapshot.table.playing and bool(snapshot.table.free())


def room_of(
    tables: Tables,
    snapshot: TableSnapshot,
    before: int = chat.EVERY,
    notice: str = "",
    typed: str = "",
    own_answer: bool = False,
) -> Room:
    """Return the room as the person asking finds it; without lines for a program whose key is not
    for reading them.
    """
    present = presence().at(snapshot.code)
    number = room_number(tables, snapshot, present)  # first: what comes later is fetched again
    people, watchers = people_at(snapshot, present)
    said = chat.read(tables, snapshot, before) if may_read_talk() else NO_TALK
    return Room(
        code=snapshot.code,
        number=number,
        people=people,
        watchers=watchers,
        lines=said.lines,
        own=said.own,
        others=said.others,
        more=said.more,
        silent=chat.why_silent(snapshot.table, snapshot.player),
        only_phrases=snapshot.table.phrases,
        name=snapshot.player_name if snapshot.player is not None else "",
        host=snapshot.player == snapshot.table.host,
        invited=_invited(snapshot),
        notice=notice,
        typed=typed,
        own_answer=own_answer,
        dealt=snapshot.me is not None and snapshot.table.match > 0,
        bubbles=just_said(said.lines, tables.now()) if snapshot.until == inf else (),
    )


def just_said(lines: Sequence[Line], now: float) -> Sequence[Line]:
    """Return the quick phrases of people at the table that are still fresh, the last of each."""
    fresh = (it for it in lines if it.phrase and it.seat is not None and now - it.at < BUBBLE)
    return list({it.seat: it for it in fresh}.values())


def arranged(tables: Tables, snapshot: TableSnapshot) -> Arranged:
    """Return what is arranged about a table's talk, as the person asking may know it."""
    table, player = snapshot.table, snapshot.player
    seated = snapshot.me is not None
    answers = (open_hands.NO, table.watch)
    said = {seat: it.hands > 0 for seat, it in table.sitting() if it.hands in answers}
    return Arranged(
        watch=table.watch,
        audience=table.audience,
        hush=table.hush,
        hands=said if seated and open_hands.can_be_agreed(table) and not table.playing else {},
        muted=chat.muted(tables, player) if player is not None else (),
        call=ways.hook(tables, snapshot.code, player) if seated else Hook(),
    )


def beside(tables: Tables, snapshot: TableSnapshot, page: TablePage) -> dict[str, Any]:
    """Return what the table's page shows of the room: all of it, or that something was said.

    Talk comes in a separate answer where cards are shown: compressed together, the length of the
    answer would reveal something of both. A table without a match has no secrets, but a program's
    key may not be for talk.
    """
    told = may_read_talk()
    apart = page.view or snapshot.closed or not told
    return {
        "room": None if apart else room_of(tables, snapshot),
        "people": people_at(snapshot, presence().at(snapshot.code))[0],
        "new_chat": told and anything_new(chat.heard_last(tables, snapshot)),
        "phrases": chat.PHRASES,
    }


def anything_new(room_last: int) -> bool:
    """Say whether there is a line this browser has not shown yet."""
    return room_last > number(request.cookies.get(READ_COOKIE), otherwise=0, digits=15)


def note_read(response: Response, found: Room) -> None:
    """Have the browser remember the last line it was shown."""
    if anything_new(found.last):
        response.set_cookie(
            READ_COOKIE,
            str(found.last),
            max_age=MONTH,
            path=url_for("table.show", code=found.code),
            samesite="Lax",
            secure=request.is_secure,
        )
