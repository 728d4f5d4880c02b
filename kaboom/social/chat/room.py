"""The room around a table: presence and chat. Nothing in it comes from the game."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, log
from typing import Any

from flask import Flask, Response, current_app, g, request, url_for

from kaboom.accounts.api_keys.auth import may_read_talk
from kaboom.engine.codec import to_json
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.table_view import TablePage
from kaboom.notifications import channels
from kaboom.notifications.channels import Hook
from kaboom.realtime.presence import Attendance, Presence
from kaboom.social.chat import hooks
from kaboom.social.chat import service as chat
from kaboom.social.chat.service import Chat, ChatMessage
from kaboom.tables.context import tables
from kaboom.tables.seats.avatar_colors import colours_at
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators import open_hands
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.forms import number

READ_COOKIE = "kb-read"  # the last line this browser has shown; its path names the table
MONTH = 30 * 24 * 3600

# How long a quick phrase is shown beside a face: as long as the style sheet shows it, and a little
# more.
BUBBLE = 8.0  # seconds

NO_TALK = Chat((), own=0, others=0, more=False)

CROWD = 20  # largest number of spectators counted exactly

WORDS = {
    "here": N_("here"),
    "away": N_("away"),
    "gone": N_("has left"),
    "deputy": N_("a bot plays"),
    "vacation": N_("on vacation"),
    "bot": N_("bot"),
}


@dataclass(frozen=True, slots=True)
class Person:
    """A seated player. `word` is here, away, gone, deputy (a bot plays for them), vacation, bot, or
    empty while unknown.
    """

    seat: Seat
    name: str
    word: str
    colour: int = 0  # colour of the face

    @property
    def said(self) -> str:
        """Return the translated word."""
        return _(WORDS[self.word]) if self.word else ""

    @property
    def missing(self) -> bool:
        """Return True if the player is not playing in person now."""
        return self.word in ("away", "gone", "deputy", "vacation")


@dataclass(frozen=True, slots=True)
class Room:
    """The people and the chat shown beside the cards. `number` changes with the content."""

    code: str
    number: int
    people: Sequence[Person]
    watchers: int
    lines: Sequence[ChatMessage]
    own: int  # number of the reader's own last line
    more: bool  # there are earlier lines
    silent: str | None  # why the reader may not write
    only_phrases: bool  # only quick phrases may be sent
    name: str  # the reader's name, or empty
    host: bool
    invited: bool = False  # the page offers the reader a free seat, and asks for a name
    notice: str = ""
    typed: str = ""
    own_answer: bool = False
    dealt: bool = False  # the reader plays here, and has been dealt cards
    bubbles: Sequence[ChatMessage] = ()  # quick phrases shown beside faces
    others: int = 0  # number of the last line by anyone else that the reader may read
    apart: bool = False  # cards have been dealt: the room lies over their page

    @property
    def last(self) -> int:
        """Return the number of the last of these lines that is by another player; 0 if there is
        none.
        """
        return min(self.others, max((line.number for line in self.lines), default=0))


@dataclass(frozen=True, slots=True)
class Arranged:
    """The chat settings of a table, as far as the reader may know them.

    These are the spectators' delay in minutes, whether spectators may write, whether players see
    spectators' messages only after the match, each seat's answer on whether spectators may see all
    hands, the muted players with the word that identifies each in forms, and the webhook.
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
    """Record after each request that its viewer is at the table."""
    app.after_request(_note_asker)


def asked_by(snapshot: TableSnapshot) -> None:
    """Record the viewer and the table for the rest of this request."""
    if snapshot.player is not None:
        g.asker = (snapshot.code, snapshot.player)


def _note_asker(response: Response) -> Response:
    asker = g.pop("asker", None)
    by_script = request.headers.get("HX-Request") == "true"
    # A hidden tab polls as well, so only a person's actions and streams count.
    if asker is not None and not (by_script and request.method == "GET"):
        present, (code, player) = presence(), asker
        if request.method == "POST" and player not in present.here(code):
            # They may have just entered a name, while the page's stream is still unnamed.
            present.named(code)
        if by_script:
            present.stream(code, player)
        else:
            present.request(code, player)
    return response


def people_at(snapshot: TableSnapshot, present: Attendance) -> tuple[list[Person], int]:
    """Return the seated players, and the number of spectators. Delayed viewers see no players."""
    table, here = snapshot.table, present.players
    seated = {occupant.player for _unused, occupant in table.sitting() if occupant.player in here}
    watchers = len(here) - len(seated) + present.nameless
    if snapshot.closed or snapshot.until < inf:
        return [], watchers if snapshot.table.watch != WATCHED_BY_NOBODY else 0
    people, colour = [], colours_at(table)
    for seat, occupant in table.sitting():
        if occupant.player is None:
            word = "bot"
        elif occupant.stand_in and table.playing:
            word = "deputy"
        elif not occupant.present:
            word = "gone"
        elif occupant.vacation is not None and occupant.vacation.ends_at > tables().now():
            word = "vacation"
        elif occupant.player in here or occupant.player == snapshot.player:
            word = "here"
        else:
            word = "away" if present.known else ""
        people.append(Person(seat, occupant.name, word, colour.get(seat, 0)))
    return people, watchers


def room_number(tables: TableService, snapshot: TableSnapshot, present: Attendance) -> int:
    """Return a number that changes when the room looks different to the viewer.

    Small changes in a large crowd are ignored.
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
            table.match,
        ),
    )
    told = [it for hook in hooks.beside_room for it in hook(tables, snapshot.player)]
    return zlib.crc32(to_json((*shown, told) if told else shown))


def roughly(count: int) -> int:
    """Return a count, rounded so that a large one changes only when a tenth of the people come or
    go: each change makes every page reload the room.
    """
    return count if count <= CROWD else CROWD + int(10 * log(count / CROWD))


def _invited(snapshot: TableSnapshot) -> bool:
    nameless = snapshot.me is None and not snapshot.player_name
    return nameless and not snapshot.table.playing and bool(snapshot.table.free())


def room_of(
    tables: TableService,
    snapshot: TableSnapshot,
    before: int = chat.EVERY,
    notice: str = "",
    typed: str = "",
    own_answer: bool = False,
) -> Room:
    """Return the room for a viewer; without messages for a program whose key may not read them."""
    present = presence().at(snapshot.code)
    number = room_number(tables, snapshot, present)  # first, so that later changes are fetched
    people, watchers = people_at(snapshot, present)
    said = chat.read(tables, snapshot, before) if may_read_talk() else NO_TALK
    silences = (why(tables, snapshot.player) for why in hooks.silenced)
    return Room(
        code=snapshot.code,
        number=number,
        people=people,
        watchers=watchers,
        lines=said.lines,
        own=said.own,
        others=said.others,
        more=said.more,
        silent=chat.why_silent(snapshot.table, snapshot.player)
        or next(filter(None, silences), None),
        only_phrases=snapshot.table.phrases,
        name=snapshot.player_name if snapshot.player is not None else "",
        host=snapshot.player == snapshot.table.host,
        invited=_invited(snapshot),
        notice=notice,
        typed=typed,
        own_answer=own_answer,
        dealt=snapshot.me is not None and snapshot.table.match > 0,
        apart=snapshot.table.match > 0,
        bubbles=just_said(said.lines, snapshot.table.match, tables.now())
        if snapshot.until == inf
        else (),
    )


def just_said(lines: Sequence[ChatMessage], match: int, now: float) -> Sequence[ChatMessage]:
    """Return each person's last quick phrase at the table, if it is recent and about this match."""
    phrases = (it for it in lines if it.phrase and it.seat is not None)
    fresh = (it for it in phrases if it.match == match and now - it.at < BUBBLE)
    return list({it.seat: it for it in fresh}.values())


def arranged(tables: TableService, snapshot: TableSnapshot) -> Arranged:
    """Return the chat settings of a table, as far as the viewer may know them."""
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
        call=channels.hook(tables, snapshot.code, player) if seated else Hook(),
    )


def beside(tables: TableService, snapshot: TableSnapshot, page: TablePage) -> dict[str, Any]:
    """Return what a table's page shows of the room: all of it, or only whether there is a new
    message.

    Where cards are shown, chat comes in a separate response: if they were compressed together, the
    length of the response would reveal something about both. A table without a match has no
    secrets, but a program's key may lack the scope for chat.
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
    """Return True if there is a message that this browser has not shown yet."""
    return room_last > number(request.cookies.get(READ_COOKIE), otherwise=0, digits=15)


def note_read(response: Response, found: Room) -> None:
    """Set the cookie that remembers the last line the browser was shown."""
    if anything_new(found.last):
        response.set_cookie(
            READ_COOKIE,
            str(found.last),
            max_age=MONTH,
            path=url_for("table.show", code=found.code),
            samesite="Lax",
            secure=request.is_secure,
        )
