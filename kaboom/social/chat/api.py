"""The talk of a table for programs: as JSON, as text and for the ear."""

from collections.abc import Iterator

from flask import Response

from kaboom.engine.i18n import say, say_counted
from kaboom.social.chat.room import Arranged, Room
from kaboom.social.chat.service import PHRASES
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api.negotiation import Voice, voice
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Line, Muted, Person, Talk


def talk(room: Room, arranged: Arranged) -> Response:
    """Answer with what is said at a table, who is there, and what is arranged about it."""
    found = Talk(
        code=room.code,
        room=room.number,
        people=[Person(it.seat, it.name, it.word) for it in room.people],
        watchers=room.watchers,
        lines=[
            Line(it.number, it.name, it.text, it.at, it.own, it.watcher, it.deleted, it.seat)
            for it in room.lines
        ],
        more=room.more,
        silent=room.silent or "",
        phrases={key: say(text) for key, text in PHRASES.items()},
        watch=arranged.watch,
        audience=arranged.audience,
        hush=arranged.hush,
        hands=dict(arranged.hands),
        muted=[Muted(who, name) for who, name in arranged.muted],
        call=arranged.call.address,
        only_phrases=room.only_phrases,
    )
    return answer(found, _talked(room, arranged))


def _talked(room: Room, arranged: Arranged) -> Iterator[str]:
    """Yield the talk line by line: who is there, what was said, and what is not as usual."""
    here = [f"{it.name}: {it.said}" if it.word else it.name for it in room.people]
    if room.watchers:
        here.append(say_counted("{count} is watching", "{count} are watching", room.watchers))
    if here:
        yield ", ".join(here)
    for it in room.lines:
        who = f"{it.name} {say('(watching)')}" if it.watcher else it.name
        yield f"{it.number} {who}: {say('deleted by the host') if it.deleted else it.text}"
    if not room.lines:
        yield say("Nothing has been said.")
    if room.more and voice() is Voice.TEXT:
        yield f"earlier: GET /t/{room.code}/talk.txt?before={room.lines[0].number}"
    if room.silent:
        yield room.silent
    elif room.only_phrases:
        yield say("At this table only the quick phrases are said.")
    yield from _arranged(room, arranged)


def _arranged(room: Room, arranged: Arranged) -> Iterator[str]:
    if arranged.watch:
        who = (
            say("Nobody, while a match is on")
            if arranged.watch == WATCHED_BY_NOBODY
            else say_counted(
                "Everybody with the link, {count} minute later",
                "Everybody with the link, {count} minutes later",
                arranged.watch,
            )
        )
        yield f"{say('Who may watch')}: {who}"
    if not arranged.audience and not room.silent:
        yield say("Only players may write.")
    elif arranged.hush:
        yield say("What spectators write is kept from the players until the match is over.")
    names = {it.seat: it.name for it in room.people}
    if arranged.hands:
        said = ", ".join(
            f"{names.get(seat, seat + 1)}: {say('yes') if yes else say('no')}"
            for seat, yes in arranged.hands.items()
        )
        yield f"{say('All hands for spectators')}: {said}"
    if arranged.muted:
        # By these words somebody is heard again; nobody can say them aloud.
        muted = (
            f"{name} ({who})" if voice() is Voice.TEXT else name for who, name in arranged.muted
        )
        yield f"{say('You have muted')}: {', '.join(muted)}"
    if arranged.call.address:
        yield f"{say('Call me when it is my turn')}: {arranged.call.address}"
