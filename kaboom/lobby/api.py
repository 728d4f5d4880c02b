"""The lobby, the games and a player's turns in the formats of the API."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flask import Response

from kaboom.engine.game import Game as Playable
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import ngettext
from kaboom.engine.options import declared
from kaboom.lobby.turns import TurnLine
from kaboom.tables.forms.listing import LobbyTable, listed, listed_line
from kaboom.web.api.responses import answer
from kaboom.web.api.schemas import Game, GameOption, Games, Lobby, ToCheckIn, Turn, Turns, Way
from kaboom.web.times import left_over_days


def lobby(rooms: Sequence[LobbyTable], page: int, more: bool) -> Response:
    """Return the response with a page of the lobby."""
    tables = [listed(it) for it in rooms]
    lines = [listed_line(it) for it in rooms] or [_("There are no tables in the lobby now.")]
    return answer(Lobby(tables=tables, page=page, more=more), lines)


def games(all_games: Iterable[Playable[Any]]) -> Response:
    """Return the response with the games of this server."""
    found = [_game(game) for game in all_games]
    lines = [f"{it.key}: {it.name}, {_players(it)}. {it.tagline}" for it in found]
    return answer(Games(games=found), lines)


def _players(game: Game) -> str:
    if game.least == game.most:
        return ngettext("{count} player", "{count} players", game.most)
    return ngettext(
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
        Way(it.key, _(it.name), _(it.help), dict(it.values)) for it in (game.usual, *game.presets)
    ]
    return Game(
        game.key,
        game.name,
        _(game.tagline),
        game.version,
        seats[0],
        seats[-1],
        options,
        ways,
        game.lowest_wins,
    )


def turns(lines: Sequence[TurnLine]) -> Response:
    """Return the response with a player's running matches and open check-ins."""
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
        Turns(tables=found, check_ins=check_ins), told or [_("You are not in a match now.")]
    )


def _told(it: TurnLine) -> Iterator[str]:
    table = f"{it.code} {it.tournament or it.game}"
    about = [table]
    about += [_("paused")] if it.paused else []
    about += [_("your turn")] if it.mine and not it.opens and not it.tournament else []
    about += [_("check-in is open: please check in")] if it.tournament else []
    if it.opens:
        about += [_("your tournament table is open: say that you are ready")]
    elif it.vacation:
        about += [_("you are on vacation: your clock is paused")]
    elif it.left is not None:
        about += [_("{span} left", span=left_over_days(it.left))]
    about += [_("waiting for {names}", names=", ".join(it.names))] if it.names else []
    yield ", ".join(about)
    if it.vote is not None:
        yield _(
            "{table}, a vote is waiting for your answer, {span} left: {vote}",
            table=table,
            span=left_over_days(it.vote.left),
            vote=it.vote.text,
        )
