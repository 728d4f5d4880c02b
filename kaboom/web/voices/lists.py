"""The lobby, the talk of a table, the games and a finished match, as JSON and as text."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from flask import Response, current_app, request

from kaboom.core.codec import to_json
from kaboom.core.game import Game as Rules
from kaboom.core.language import say, say_counted
from kaboom.core.options import declared
from kaboom.tables.chat import PHRASES
from kaboom.web.fields import number
from kaboom.web.voices.choice import MEDIA, Voice, voice
from kaboom.web.voices.shapes import (
    Game,
    GameOption,
    Games,
    Line,
    Listed,
    Lobby,
    Person,
    Talk,
    Way,
)
from kaboom.web.voices.speech import cut, plain
from kaboom.web.voices.text import NARROWEST, WIDEST, WIDTH

if TYPE_CHECKING:
    from kaboom.web.lobby import LobbyTable
    from kaboom.web.room import Room


def answer(found: Any, lines: Iterable[str], status: int = 200) -> Response:
    """Answer with something in the voice that was asked for: a shape, or lines of text."""
    spoken = voice()
    if spoken in (Voice.JSON, Voice.LINES):
        body = to_json(found)
    elif spoken is Voice.SAY:
        body = f"{cut(plain(' '.join(lines)))}\n".encode()
    else:
        width = number(request.args.get("width"), otherwise=WIDTH, digits=4)
        width = max(NARROWEST, min(width, WIDEST))
        broken = (part for line in lines for part in wrap(line, width, subsequent_indent="  "))
        body = ("\n".join(broken) + "\n").encode()
    return current_app.response_class(body, status=status, content_type=MEDIA[spoken])


def lobby(rooms: Sequence["LobbyTable"], page: int, more: bool) -> Response:
    """Answer with a page of the lobby."""
    tables = [
        Listed(
            it.code,
            it.key,
            it.host,
            it.taken,
            it.least,
            it.most,
            it.playing,
            it.locked,
            it.timed,
            it.options,
        )
        for it in rooms
    ]
    lines = [_listed(it) for it in rooms] or [say("No table is shown in the lobby now.")]
    return answer(Lobby(tables=tables, page=page, more=more), lines)


def _listed(it: "LobbyTable") -> str:
    about = [f"{it.code} {it.game}", it.host, f"{it.taken}/{it.most}"]
    about += [say("playing")] if it.playing else []
    about += [say("with a password")] if it.locked else []
    return ", ".join(filter(None, (*about, it.options)))


def talk(room: "Room", status: int = 200) -> Response:
    """Answer with what is said at a table, and who is there."""
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
    )
    here = [f"{it.name}: {it.said}" if it.word else it.name for it in room.people]
    lines = [", ".join(here)] if here else []
    lines += [f"{it.name}: {it.text}" for it in room.lines if not it.deleted]
    return answer(found, lines or [say("Nothing has been said.")], status)


def games(all_games: Iterable[Rules[Any]]) -> Response:
    """Answer with the games of this server."""
    found = [_game(game) for game in all_games]
    lines = [f"{it.key}: {it.name}, {_players(it)}. {it.tagline}" for it in found]
    return answer(Games(games=found), lines)


def _players(game: Game) -> str:
    if game.least == game.most:
        return say_counted("{count} player", "{count} players", game.most)
    return say_counted(
        "{least} to {count} player", "{least} to {count} players", game.most, least=game.least
    )


def _game(game: Rules[Any]) -> Game:
    seats = game.seats(game.options())
    options = [
        GameOption(
            name=it.name,
            label=it.label,
            help=it.help,
            kind=it.kind,
            default=it.default,
            least=it.least,
            most=it.most,
            step=it.step,
            values=dict(it.values or {}),
        )
        for it in declared(game.options)
    ]
    ways = [
        Way(it.key, say(it.name), say(it.help), dict(it.values))
        for it in (game.usual, *game.presets)
    ]
    return Game(
        game.key,
        game.name,
        say(game.tagline),
        game.version,
        seats[0],
        seats[-1],
        options,
        ways,
    )


def match(record: Any, title: str, lines: Iterable[str]) -> Response:
    """Answer with a finished match: its record, or all that was said in it."""
    return answer(record, [title, *lines])
