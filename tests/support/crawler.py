"""Every page that people can reach by links, for tests that check pages.

A small world is created: for each game an empty table, a table with a player to move, and a
finished match; a club; a tournament before, during and after its rounds; friends; a deal of the
day. Ann, to whom all this belongs, and a stranger look round. Of addresses that differ only in
codes, days and numbers, one is requested for each game. Of pages with the same elements, one is
reported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from flask import Flask
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from kaboom.accounts import login, players
from kaboom.daily import service as daily
from kaboom.db.encryption import hash_of
from kaboom.db.times import day_of
from kaboom.engine.bots.bot import Level
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.records import feed
from kaboom.social.clubs import invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends_queries
from kaboom.social.friends import service as friends
from kaboom.tables import start_match
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.service import TableService
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from tests.support.effort import LONG
from tests.support.finished_matches import finish
from tests.support.tournaments import all_ready, ended, settings, settled

LANGUAGES = ("en", "fr", "sw", "ar")
HERE = "http://localhost"
LINK = re.compile(r"""<(?:a|form)\b[^>]*?\s(href|action)="([^"]*)"([^>]*)>""")
ANN, STRANGER = "key of Ann, who follows every link", ""
# Files and streams; `/wait` answers with the table's page, later.
NO_PAGES = re.compile(r"\.(json|txt|say|ndjson|atom|svg|png)$|^/(static|metrics)|/(wait|events)$")
MISTAKES = ("/nothing", "/t/ABCDEFGH", "/t/abc", "/lobby?page=%ff")

OPENED = re.compile(r"""<([a-z][^\s>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>""")
NAMED = re.compile(r"""([^\s="']+)(?:="([^"]*)")?""")

# Pages of a table that do not show its game; `make test` requests those of one game.
SAME_IN_ALL = {
    "people.at_table", "people.ask_why", "table.hosts_moves", "table.own_notes", "table.ways",
    "passing.show", "status.now", "chat.page", "seat_transfer.offer", "remote_bots.invitable",
    "record.verify", "challenges.form",
}  # fmt: skip

Kind = tuple[str, ...]
Element = tuple[str | None, ...]


@dataclass(frozen=True)
class Page:
    """A page that was found, as answered to the player with the cookie `key`."""

    path: str
    key: str
    language: str
    html: str

    @property
    def name(self) -> str:
        """Return the name used in messages."""
        return f"{self.path} ({'Ann' if self.key else 'stranger'}, {self.language})"


@dataclass
class World:
    """The start addresses, and what codes stand for, such as "gops open"."""

    begins: list[str] = field(default_factory=lambda: ["/", *MISTAKES])
    own: list[str] = field(default_factory=list)  # start addresses of Ann only
    codes: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, what: str, path: str, *own: str) -> None:
        """Register what a code stands for."""
        self.codes[code] = what
        self.begins.append(path)
        self.own += own


def made(tables: TableService) -> World:
    """Create the world; return the start addresses."""
    world = World()
    ann, ben = (
        players.player(tables, hash_of(key), name)[0]
        for key, name in ((ANN, "Ann"), ("Ben", "Ben"))
    )
    for key in GAMES:
        for stage in ("open", "playing", "over"):
            _table(tables, world, key, stage, ann, ben)
    _club(tables, world, ann, ben)
    for rounds in (-1, 0, 9):
        _tournament(tables, world, ann, rounds)
    tables.database.write(
        lambda connection: friends_queries.befriend(connection, ann, ben, tables.now())
    )
    daily.promise_ahead(tables)
    stop(tables, daily.play(tables, day_of(tables.now()), ann, "Ann"))
    own = hash_of(ANN)
    feed.share(tables, own, True)
    world.begins += [
        f"/friends/add/{friends.new_link(tables, own)}",
        f"/login/{login.new_link(tables, own)}",
    ]
    world.own += [
        "/settings",
        "/account",
        "/turns",
        "/feed",
        "/leaderboards",
        "/tournaments",
        "/replay",
        "/settings/vacation",
    ]
    return world


def _table(tables: TableService, world: World, key: str, stage: str, ann: int, ben: int) -> None:
    game = GAMES[key]
    options = game.options(**sample(key).short)
    code = lobby.open(tables, key, options, ann, "Ann", listed=stage == "open")
    lobby.sit(tables, code, ben, "Ben")
    if stage != "open":
        for _ in range(game.seats(options)[0] - 2):
            lobby.add_bot(tables, code, ann)
        start_match.start(tables, code, ann)
    if stage == "over":
        finish(tables, code)
        record = tables.get(code).table.record
        pages = ("", "/1", "/print", "/verify", "/coach")
        world.add(record, key, *(f"/m/{record}{it}" for it in pages))
    beside = ("/screen", "/rules", "/talk", "/people", "/now", "/options", "/notes", "/pass")
    beside += ("/leave", "/carry", "/ahead", "/report")
    world.add(code, f"{key} {stage}", f"/t/{code}", *(f"/t/{code}{it}" for it in beside))


def _club(tables: TableService, world: World, ann: int, ben: int) -> None:
    code, own = clubs.found(tables, ann, "The Gulls of the Harbour", "Ann"), hash_of(ANN)
    link = invitations.new_link(tables, code, own)
    invitations.join(tables, link, ben, "Ben")
    lobby.open(tables, "gops", GAMES["gops"].options(), ben, "Ben", club=code)
    world.add(
        code, "club", f"/clubs/{code}", f"/clubs/{code}/settings", f"/clubs/join/{link}", "/clubs"
    )


def _tournament(tables: TableService, world: World, ann: int, rounds: int) -> None:
    code = tournaments.open(tables, ann, settings())
    tournaments.enter(tables, code, ann, "Ann")
    tournaments.add_bots(tables, code, ann, 5, Level.EASY)
    if rounds >= 0:
        organizer.begin(tables, code, ann)
        settled(tables, code)
    for _ in range(rounds):
        all_ready(tables, code)
        ended(tables, code)
        if settled(tables, code).of.ended:
            break
    pages = ("", "/manage", "/standings", "/bracket", "/round/1", "/table/1/1")
    world.add(code, f"cup {rounds}", *(f"/tournaments/{code}{it}" for it in pages))


def crawled(app: Flask, world: World, spoken: Callable[[int], Sequence[str]]) -> Iterator[Page]:
    """Yield the pages that links lead to; `spoken` gives the languages of the page with a
    number.
    """
    numbers, told = count(), set[Any]()
    for key in (ANN, STRANGER):
        waiting, known = [*world.begins, *(world.own if key else ())], set[Kind]()
        while waiting:
            path = waiting.pop(0)
            kind = kind_of(app, world, path)
            if kind is None or kind in known:
                continue
            known.add(kind)
            for language in spoken(next(numbers)):
                answer = asked(app, path, key, language)
                if answer.mimetype != "text/html" or answer.status_code in (302, 303):
                    waiting += links(path, f'<a href="{answer.location or ""}">')
                    break
                page = Page(path, key, language, answer.text)
                waiting += links(path, page.html)
                if (built := (language, *elements_of(page.html))) not in told:
                    told.add(built)
                    yield page


def asked(app: Flask, path: str, key: str, language: str) -> TestResponse:
    """Return the answer for the viewer with this cookie."""
    headers = {"Accept": "text/html", "Accept-Language": language}
    client = app.test_client(use_cookies=False)
    return client.get(path, headers=headers | ({"Cookie": f"kb={key}"} if key else {}))


def links(path: str, html: str) -> Iterator[str]:
    """Yield the targets of a page: its links and its GET forms."""
    for name, address, more in LINK.findall(html):
        if name == "action" and "post" in more:
            continue
        found = urlsplit(urljoin(HERE + path, unescape(address)))
        if f"{found.scheme}://{found.netloc}" == HERE:
            yield found.path + (f"?{found.query}" if found.query else "")


def kind_of(app: Flask, world: World, path: str) -> Kind | None:
    """Return the kind of page at an address; None if it is not a page."""
    parts = urlsplit(path)
    if NO_PAGES.search(parts.path):
        return None
    try:
        endpoint, values = app.url_map.bind("localhost").match(parts.path)
    except HTTPException:
        return (parts.path,)
    asked_for = sorted({name for name, _ in parse_qsl(parts.query)})
    meant = [part_of(world, it) for it in values.values()]
    if endpoint in SAME_IN_ALL and not LONG:
        meant = [
            it.removeprefix(f"{key} ") if (key := it.split(" ")[0]) in GAMES else it for it in meant
        ]
    return (endpoint, *meant, *asked_for)


def elements_of(html: str) -> Sequence[Element]:
    """Return the elements of a page, each with its tag, classes and attributes."""
    elements = []
    for tag, more in OPENED.findall(html):
        attributes = NAMED.findall(more)
        elements.append((tag, dict(attributes).get("class"), *(name for name, _ in attributes)))
    return elements


def news(app: Flask, pages: Iterable[Page]) -> Iterator[Page]:
    """Yield the first page at each route, and each page with an element not seen before."""
    known: set[Any] = set()
    for page in pages:
        kind = kind_of(app, World(), page.path)
        built = {*elements_of(page.html), kind[0] if kind else ""}
        if not built <= known:
            known |= built
            yield page


def part_of(world: World, value: Any) -> str:
    """Return a part of an address by meaning: the game, or what its code stands for."""
    if value in GAMES:
        return str(value)
    return world.codes.get(str(value), "")
