"""A table's chat as JSON, text and speech."""

from collections.abc import Iterator

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.social.chat.room import Arranged, Room
from kaboom.social.chat.schemas import Line, Muted, Person, Talk
from kaboom.social.chat.service import PHRASES
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api.negotiation import Format, response_format
from kaboom.web.api.responses import answer
from kaboom.web.links import rooted


def talk(room: Room, arranged: Arranged) -> Response:
    """Return the response with a table's chat, people and chat settings."""
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
        phrases={key: _(text) for key, text in PHRASES.items()},
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
    """Yield the chat line by line: the people, the messages, and settings that differ from the
    defaults.
    """
    here = [f"{it.name}: {it.said}" if it.word else it.name for it in room.people]
    if room.watchers:
        here.append(ngettext("{count} is watching", "{count} are watching", room.watchers))
    if here:
        yield ", ".join(here)
    for it in room.lines:
        who = f"{it.name} {_('(watching)')}" if it.watcher else it.name
        yield f"{it.number} {who}: {_('deleted') if it.deleted else it.text}"
    if not room.lines:
        yield _("No messages yet.")
    if room.more and response_format() is Format.TEXT:
        at = f"/t/{room.code}"
        yield f"earlier: GET {rooted(at)}/talk.txt?before={room.lines[0].number}"
    if room.silent:
        yield room.silent
    elif room.only_phrases:
        yield _("Only quick phrases can be sent at this table.")
    yield from _arranged(room, arranged)


def _arranged(room: Room, arranged: Arranged) -> Iterator[str]:
    if arranged.watch:
        who = (
            _("No one during a match")
            if arranged.watch == WATCHED_BY_NOBODY
            else ngettext(
                "Anyone with the link, with a delay of {count} minute",
                "Anyone with the link, with a delay of {count} minutes",
                arranged.watch,
            )
        )
        yield f"{_('Who may watch')}: {who}"
    if not arranged.audience and not room.silent:
        yield _("Only players can write.")
    elif arranged.hush:
        yield _("Spectators’ messages are hidden from the players until the match is over.")
    names = {it.seat: it.name for it in room.people}
    if arranged.hands:
        said = ", ".join(
            f"{names.get(seat, seat + 1)}: {_('yes') if yes else _('no')}"
            for seat, yes in arranged.hands.items()
        )
        yield f"{_('All hands for spectators')}: {said}"
    if arranged.muted:
        # The ids for unmuting a player; speech omits them.
        muted = (
            f"{name} ({who})" if response_format() is Format.TEXT else name
            for who, name in arranged.muted
        )
        yield f"{_('You have muted')}: {', '.join(muted)}"
    if arranged.call.address:
        yield f"{_('Notify me when it is my turn')}: {arranged.call.address}"
