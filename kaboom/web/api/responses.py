"""The lobby, the talk of a table, the games and a finished match, as JSON and as text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from flask import Response, current_app

from kaboom.engine.codec import to_json
from kaboom.engine.game import Game as Playable
from kaboom.engine.i18n import say, say_counted
from kaboom.engine.options import declared
from kaboom.engine.views import OPEN
from kaboom.lobby.lobby import LobbyTable
from kaboom.notifications.turns import TurnLine
from kaboom.play.speech import cut, plain
from kaboom.play.text import lines_of
from kaboom.records.pages import FORGED, MatchPage
from kaboom.social.chat.room import Arranged, Room
from kaboom.social.chat.service import PHRASES
from kaboom.tables.table import WATCHED_BY_NOBODY
from kaboom.web.api.columns import wrapped
from kaboom.web.api.negotiation import MEDIA, Voice, columns, voice
from kaboom.web.api.schemas import (
    Forged,
    Game,
    GameOption,
    Games,
    Line,
    Listed,
    Lobby,
    Muted,
    Person,
    Rules,
    Section,
    Step,
    Talk,
    ToCheckIn,
    Told,
    Turn,
    Turns,
    Way,
)
from kaboom.web.rules_pages import RulesPage, of_every_game
from kaboom.web.times import left_over_days


def answer(found: Any, lines: Iterable[str], status: int = 200) -> Response:
    """Answer with something in the voice that was asked for: a shape, or lines of text."""
    spoken = voice()
    if spoken in (Voice.JSON, Voice.LINES):
        body = to_json(found)
    elif spoken is Voice.SAY:
        body = f"{cut(plain(' '.join(map(_stopped, lines))))}\n".encode()
    else:
        width = columns()
        broken = (part for line in lines for part in wrapped(line, width))
        body = ("\n".join(broken) + "\n").encode()
    return current_app.response_class(body, status=status, content_type=MEDIA[spoken])


def _stopped(line: str) -> str:
    """Return a line as a sentence: aloud nothing else keeps lines apart."""
    return line if not line or line.endswith((".", "?", "!", "…")) else f"{line}."


def lobby(rooms: Sequence[LobbyTable], page: int, more: bool) -> Response:
    """Answer with a page of the lobby."""
    tables = [listed(it) for it in rooms]
    lines = [listed_line(it) for it in rooms] or [say("No table is shown in the lobby now.")]
    return answer(Lobby(tables=tables, page=page, more=more), lines)


def listed(it: LobbyTable) -> Listed:
    """Return a table as lists tell it to programs."""
    return Listed(
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
        it.programs,
    )


def listed_line(it: LobbyTable) -> str:
    """Return a table as a line of a list."""
    about = [f"{it.code} {it.game}", it.host, f"{it.taken}/{it.most}"]
    about += [say("playing")] if it.playing else []
    about += [say("with a password")] if it.locked else []
    return ", ".join(filter(None, (*about, it.options)))


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


def match(page: MatchPage, title: str, lines: Iterable[str]) -> Response:
    """Answer with a finished match: its record, or all that was said in it."""
    record = page.replay.record
    if not page.wrong:
        return answer(record, [title, *lines])
    return answer(Forged(wrong=page.wrong, claims=record), _forged(page, [title, *lines]))


def _forged(page: MatchPage, lines: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with a record, and then its lines, none of them without a mark."""
    yield f"{say('This record is not genuine:')} {' '.join(page.wrong)}"
    yield from (line if say(FORGED) in line else page.marked(line) for line in lines)


def rules(game: Playable[Any], options: Any, page: RulesPage) -> Response:
    """Answer with the rules of a game as they are with these options."""
    headings = [(1, "", game.name), *page.contents]
    sections = [
        Section(anchor, level, heading, text)
        for (level, anchor, heading), text in zip(headings, page.texts, strict=True)
    ]
    sections += [Section(anchor, 2, heading, text) for anchor, heading, text in of_every_game(game)]
    found = Rules(game=game.key, language=page.language, options=options, sections=sections)
    lines = (
        line for it in sections for line in (f"{'#' * it.level} {it.heading}", *paragraphs(it.text))
    )
    return answer(found, lines)


BEGINS = re.compile(r"[-*] |\d+\. |\|")  # an item of a list, or a row of a table
BETWEEN = re.compile(r"[-|: ]+")  # the line below the headings of a table
MARKUP = re.compile(r"\[([^]]*)]\([^)]*\)|[*`]")


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs, the items of lists and the rows of tables of a Markdown text, each as a
    line and without its signs.
    """
    found = ""
    for line in map(str.strip, [*text.splitlines(), ""]):
        if found and (not line or BEGINS.match(line)):
            yield found
            found = ""
        if line.startswith("|"):
            line = "" if BETWEEN.fullmatch(line) else "; ".join(_cells(line))
        plain_line = MARKUP.sub(r"\1", line)
        found = f"{found} {plain_line}".strip()


def _cells(row: str) -> Iterator[str]:
    """Yield what stands in the cells of a row of a table."""
    yield from filter(None, map(str.strip, row.strip("|").split("|")))


def step(page: MatchPage) -> Response:
    """Answer with a finished match as it was after a step."""
    at, game, view, table = page.step, page.replay.game, page.view(), page.table()
    links = {"self": page.voice(at, "json"), "text": page.voice(at, "txt"), "page": page.link(at)}
    if at > 0:
        links["before"] = page.voice(at - 1, "json")
    if at < page.replay.last:
        links["after"] = page.voice(at + 1, "json")
    found = Step(
        code=page.code,
        game=game.key,
        game_version=page.record.game_version,
        genuine=not page.wrong,
        wrong=page.wrong,
        step=at,
        last=page.replay.last,
        seat=page.names.me,
        open=page.seat == OPEN,
        names=list(page.names.seats),
        text=table.saying,
        zones=view.zones,
        facts=view.facts,
        scores=view.scores,
        said=[Told(kind, text) for kind, text in page.heard(at)],
        links=links | ({} if page.around.own is not None else {"record": f"{page.at}.json"}),
    )
    where = say("step {number} of {last}", number=at, last=page.replay.last)
    lines = [f"{game.name} {page.code}, {where}", *lines_of(table)]
    return answer(found, _forged(page, lines) if page.wrong else lines)


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
