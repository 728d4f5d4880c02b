"""Clubs as JSON, text and speech: everything for members, only the name for others."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from flask import Response

from kaboom.engine.i18n import gettext as _
from kaboom.engine.toolkit.cards import joined
from kaboom.games import GAMES
from kaboom.social.clubs import schemas
from kaboom.social.clubs.events import Planned
from kaboom.social.clubs.service import Club
from kaboom.social.clubs.tournaments import ClubTournament
from kaboom.tables.forms.listing import LobbyTable, listed, listed_line
from kaboom.web.api.responses import answer


def club(
    found: Club,
    rooms: Sequence[LobbyTable],
    dates: Sequence[Planned],
    cups: Sequence[ClubTournament],
    when: Callable[[datetime], str],
) -> Response:
    """Return the response with a club; `when` formats a day and a time for the reader."""
    shape = schemas.Club(
        code=found.code,
        name=found.name,
        inside=found.inside,
        called=found.called,
        asking=found.asking,
        members=[schemas.Member(it.name, it.officer, it.me) for it in found.members],
        tables=[listed(it) for it in rooms],
        dates=[
            schemas.Date(
                it.number, it.game, it.at.isoformat(), it.left, it.note, it.by, list(it.coming),
                it.comes,
            )
            for it in dates
        ],
        tournaments=[schemas.Cup(it.code, it.name, it.key) for it in cups],
    )  # fmt: skip
    return answer(shape, _told(found, rooms, dates, cups, when))


def _told(
    found: Club,
    rooms: Sequence[LobbyTable],
    dates: Sequence[Planned],
    cups: Sequence[ClubTournament],
    when: Callable[[datetime], str],
) -> Iterator[str]:
    yield f"{found.name} {found.code}"
    if not found.inside:
        yield _outside(found)
        return
    names = [f"{it.name} ({_('officer')})" if it.officer else it.name for it in found.members]
    yield _("Members: {names}.", names=joined(names))
    yield from map(listed_line, rooms)
    if not rooms:
        yield _("No club table has a match in progress or a free seat.")
    for it in dates:
        about = f"{GAMES[it.game].name}, {when(it.at)}{f': {it.note}' if it.note else ''}"
        coming = joined(it.coming) if it.coming else _("no one yet")
        yield _("Event {number}: {about}. Coming: {names}.", number=it.number, about=about,
                  names=coming)  # fmt: skip
    if not dates:
        yield _("Nothing is planned.")
    for cup in cups:
        yield f"{cup.code} {cup.name}, {cup.game}"


def _outside(found: Club) -> str:
    if found.asking:
        return _("You may ask to join. Only members can see who is in the club.")
    return _("You need a link to join this club. Ask one of its officers for it.")
