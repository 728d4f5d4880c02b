"""The lobby, the games and a player's turns for programs: as JSON, as text and for the ear."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flask import Response

from kaboom.engine.game import Game as Playable
from kaboom.engine.i18n import say, say_counted
from kaboom.engine.options import declared
from kaboom.lobby.turns import TurnLine
from kaboom.tables.pages.listing import LobbyTable, listed, listed_line
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Game, GameOption, Games, Lobby, ToCheckIn, Turn, Turns, Way
from kaboom.web.times import left_over_days


def lobby(rooms: Sequence[LobbyTable], page: int, more: bool) -> Response:
    """Answer with a page of the lobby."""
    tables = [listed(it) for it in rooms]
    lines = [listed_line(it) for it in rooms] or [say("No table is shown in the lobby now.")]
    return answer(Lobby(tables=tables, page=page, more=more), lines)


def games(all_games: Iterable[Playable[Any]]) -> Response:
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


def _game(game: Playable[Any]) -> Game:
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
        game.lowest_wins,
    )


def turns(lines: Sequence[TurnLine]) -> Response:
    """Answer with the matches that somebody is in, and the check-ins that wait for them."""
    found = [
        Turn(
            it.code,
            it.key,
            it.mine,
            it.names,
            it.left,
            it.number,
            it.since,
            it.paused,
            it.days,
            it.vacation,
            it.opens,
            it.vote.text if it.vote else None,
            it.vote.left if it.vote else None,
        )
        for it in lines
        if not it.tournament
    ]
    check_ins = [
        ToCheckIn(it.code, it.tournament, it.key, it.left or 0.0) for it in lines if it.tournament
    ]
    told = [line for it in lines for line in _told(it)]
    return answer(
        Turns(tables=found, check_ins=check_ins), told or [say("You are in no match now.")]
    )


def _told(it: TurnLine) -> Iterator[str]:
    table = f"{it.code} {it.tournament or it.game}"
    about = [table]
    about += [say("paused")] if it.paused else []
    about += [say("your turn")] if it.mine and not it.opens and not it.tournament else []
    about += [say("the check-in is open: say that you are here")] if it.tournament else []
    if it.opens:
        about += [say("your table in the tournament is open: say that you are ready")]
    elif it.vacation:
        about += [say("you are on vacation: your clock stands still")]
    elif it.left is not None:
        about += [say("{span} left", span=left_over_days(it.left))]
    about += [say("waiting for {names}", names=", ".join(it.names))] if it.names else []
    yield ", ".join(about)
    if it.vote is not None:
        yield say(
            "{table}, a vote waits for your answer, {span} left: {vote}",
            table=table,
            span=left_over_days(it.vote.left),
            vote=it.vote.text,
        )
