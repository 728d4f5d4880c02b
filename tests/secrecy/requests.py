"""Requests of the secrecy proof: every route, method and language, as each kind of viewer.

Routes are found automatically. A new one with an unknown argument fails until VALUES has a value
for it.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from kaboom.engine.menu import menu_of
from kaboom.engine.moves import Seat
from kaboom.puzzles.book import book
from kaboom.ratings.months import month_at
from kaboom.tables.snapshot import TableSnapshot
from tests.secrecy.oracle import tries
from tests.secrecy.paired_server import (
    LANGUAGES,
    Outlets,
    Seated,
    World,
    everything_logged,
    figures,
    figures_in,
    serving,
)
from tests.support.effort import LONG
from tests.support.notifications import due

EXPIRES = re.compile(r"Expires=[^;]*; ")  # of a cookie: the time of day, like Date

# Values for addresses that need more than a code.
VALUES: dict[str, Callable[[Seated, TableSnapshot], str]] = {
    "bot": lambda table, now: "1",
    "club": lambda table, now: "AAAAAAAA",
    "code": lambda table, now: table.code,
    "file": lambda table, now: "icon-192.png",
    "key": lambda table, now: now.game.key,
    "lesson": lambda table, now: "first",
    "month": lambda table, now: month_at(table.app.config["TABLES"].now()),
    "name": lambda table, now: "web/base.css",
    "number": lambda table, now: "1",
    "page": lambda table, now: "login.show",
    "pod": lambda table, now: "1",
    "puzzle": lambda table, now: next(iter(book("gops"))),
    "review": lambda table, now: "AAAAAAAA",
    "round": lambda table, now: "1",
    "seats": lambda table, now: "4",
    "secret": lambda table, now: "nonsense",
    "slug": lambda table, now: "too-late",
    "taken": lambda table, now: "1",
    "when": lambda table, now: "2026-11-22",
    "word": lambda table, now: "nonsense",
}

# Forms that should be accepted where permitted; all others are sent empty. The answer to an
# accepted form is compared like any other, except after a move, whose result may differ.
FORMS: dict[str, dict[str, str]] = {
    "daily.play": {"name": "Zoe"},
    "host.change_options": {"players": "2", "max_players": "2"},
    "host.access": {"listed": "1"},
    "host.seats": {"do": "swap 0 1"},
    "learn.move": {"move": "draw"},
    "puzzles.answer": {"move": "draw"},
    "puzzles.move": {"move": "x draw"},
    "puzzles.play": {"name": "Zoe"},
    "own_rules.keep": {"game": "gops", "set": "", "called": "Mine"},
    "own_rules.change": {"do": "delete"},
    "programs.make": {"name": "Zoe", "key_name": "bot", "scope": "look"},
    "programs.guest": {"name": "Zoe"},
    "login.by_password": {"handle": "zoe", "password": "seven tame herons"},
    "login.by_words": {"words": "zoo zoo"},
    "openid.choose": {"name": "Zoe", "secret": "x"},
    "credentials.begin": {"name": "Zoe"},
    "credentials.password": {"handle": "zoe", "password": "seven", "again": "seven"},
    "friends.change": {"do": "seen"},
    "friends.answer_invitation": {"code": "AAAAAAAA"},
    "vacation.change": {"days": "3"},
    "clubs.plan": {"do": "come 1"},
    "clubs.found": {"club": "The Gulls", "called": "Zoe"},
    "feed.change": {"do": "share"},
    "me.rename": {"name": "Zoe"},
    "me.forget": {"what": "all", "sure": "1"},
    "statistics.choose": {"on": "1", "shows": "games"},
    "ratings.want": {"counts": "1", "shown": "everybody"},
    "tournaments.open_one": {"game": "gops", "who": "Zoe", "name": "Cup"},
    "pages.set_them": {"look": "dark"},
    "matchmaking.join": {"game": "gops", "name": "Zoe"},
    "matchmaking.notify": {"hours": "2"},
    "table.cut": {"cut": "mine"},
    "table.give_password": {"password": "open sesame"},
    "table.play_hosts_move": {"move": "fix_rounds 2", "match": "1"},
    "table.tip": {"read": "gops"},
    "table.leave": {"sure": "1"},
    "table.propose": {"about": "pause"},
    "table.remove": {"seat": "1"},
    "table.same_deal": {"seats": "moved"},
    "table.sit": {"name": "Zoe"},
    "table.vote": {"vote": "1", "answer": "yes"},
    "play_on.go": {"name": "Zoe"},
    "remote_bots.add": {"name": "Zoe", "bot_name": "x", "address": "https://example.com/x"},
    "remote_bots.change": {"do": "pause"},
    "remote_bots.invite": {"bot": "1"},
    "challenges.make": {"name": "Zoe"},
    "challenges.play": {"name": "Zoe"},
    "review.begin": {"name": "Zoe"},
    "review.join": {"name": "Zoe"},
    "review.say": {"text": "Well"},
    "review.report": {"line": "1", "reason": "spam"},
    "tables.open_table": {"game": "gops", "name": "Zoe"},
    "passing.turn": {"do": "hide"},
    "passing.sit": {"name": "Zoe"},
    "chat.hands": {"answer": "yes", "minutes": "5"},
    "chat.call": {"address": "https://example.com/turn"},
    "chat.delete": {"line": "1"},
    "chat.mute": {"line": "1"},
    "chat.say_it": {"text": "Well", "name": "Zoe"},
    "people.report": {"line": "1", "reason": "spam"},
    "chat.spectators": {"watch": "5"},
}

# The viewers. Only players have a seat; a spectator has a name, a stranger has no key.
KINDS = ("player", "stranger", "watches now", "watches later", "shut out", "locked out")


@dataclass(frozen=True)
class Viewer:
    """A viewer: the kind, the seat and the cookies."""

    kind: str
    seat: Seat | None
    cookies: str
    elsewhere: str = ""  # the cookies for other addresses than a table's, if different

    def __str__(self) -> str:
        return f"player {self.seat}" if self.kind == "player" else self.kind


@dataclass(frozen=True)
class Ask:
    """A request."""

    method: str
    path: str
    fields: tuple[tuple[str, str], ...] = ()
    htmx: bool = False
    language: str = "en"
    accept: str = ""


@dataclass(frozen=True)
class Way:
    """A route and one of its methods."""

    endpoint: str
    rule: str
    arguments: frozenset[str]
    method: str

    @property
    def shows(self) -> bool:
        """Return True if an answer has a body."""
        return self.method not in ("HEAD", "OPTIONS")

    def path(self, table: Seated, now: TableSnapshot) -> str:
        """Return the address for this table, or for the record of its match."""
        values = {name: VALUES[name](table, now) for name in self.arguments}
        if self.rule.startswith("/m/"):
            values["code"] = now.table.record or "AAAAAAAA"
        bound = table.app.url_map.bind("localhost")
        path: str = bound.build(self.endpoint, values, method=self.method)
        return path


# Formats of a table for programs and listeners.
VOICES = (
    ".json",
    ".txt?width=40&cards=words&would=1",
    *(f".say?about={about}" for about in ("", "hand", "table", "moves", "last", "score", "would")),
    "/events?full=1",
    ".ndjson",
)

# Streams and fetches of an open page, in a browser that accepts views over its stream.
VIEWS = "/events?views=1"

Mode = tuple[bool, str]  # by htmx?, language
MODES: list[Mode] = list(product((False, True), LANGUAGES))


def ways(app: Any) -> list[Way]:
    """Return every route of the application with each of its methods."""
    return [
        Way(rule.endpoint, rule.rule, frozenset(rule.arguments), method)
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods)
    ]


class Asking:
    """Iterates over all requests, a few at a time, in another order for each kind of viewer.

    Each kind makes each request in another mode, and the first kinds in two, because there are more
    modes than kinds. So all kinds together cover htmx, plain requests and every language. HEAD and
    OPTIONS are shared between the kinds. One of `shares` is covered; all shares together cover each
    request of each kind. `asked` has the requests and modes so far, by kind.
    """

    def __init__(self, app: Any, share: int = 0, shares: int = 1) -> None:
        known = list(enumerate(ways(app)))
        self._orders = {
            kind: random.Random(kind).sample(mine, len(mine))
            for number, kind in enumerate(KINDS)
            if (
                mine := [
                    (way, n // shares + turn)
                    for n, way in known
                    if asks_it(number, n, way, share, shares)
                    for turn in (range(number, len(MODES), len(KINDS)) if way.shows else [number])
                ]
            )
        }
        self._next: dict[str, int] = dict.fromkeys(KINDS, 0)
        self.asked: set[tuple[str, Way, Mode]] = set()

    @property
    def done(self) -> bool:
        """Return True if every kind of viewer has made every request of the share."""
        return all(self._next[kind] >= len(self._orders[kind]) for kind in KINDS)

    def planned(self) -> set[tuple[str, Way, Mode]]:
        """Return all planned requests."""
        return {
            (kind, way, MODES[first % len(MODES)])
            for kind, order in self._orders.items()
            for way, first in order
        }

    def some(self, table: Seated, now: TableSnapshot, viewer: Viewer, count: int) -> Iterator[Ask]:
        """Yield the next requests of a viewer; with KABOOM_LONG=1 repeatedly."""
        order = self._orders[viewer.kind]
        for _ in range(count):
            turn, place = divmod(self._next[viewer.kind], len(order))
            if turn and not LONG:
                return
            self._next[viewer.kind] += 1
            way, first = order[place]
            mode = MODES[(first + turn) % len(MODES)]
            self.asked.add((viewer.kind, way, mode))
            yield ask_for(way, mode, table, now)


def asks_it(kind: int, number: int, way: Way, share: int, shares: int) -> bool:
    """Return True if a kind of viewer makes a request in a share; one kind asks for headers."""
    if not way.shows:
        return number % len(KINDS) == kind and number // len(KINDS) % shares == share
    return (number + kind) % shares == share


def ask_for(way: Way, mode: Mode, table: Seated, now: TableSnapshot) -> Ask:
    """Return a request for a route at this table."""
    htmx, language = mode
    path = way.path(table, now)
    if way.method != "POST":
        return Ask(way.method, f"{path}?v=0", (), htmx, language)
    return Ask("POST", path, tuple(FORMS.get(way.endpoint, {}).items()), htmx, language)


def own_asks(
    now: TableSnapshot, seat: Seat | None, mode: Mode, voices: Sequence[str] = VOICES
) -> list[Ask]:
    """Return the requests of every page of a running match, and the first question, if any."""
    htmx, language = mode
    path = f"/t/{now.code}"
    asks = [
        Ask("GET", path, (), False, language),
        Ask("GET", f"{path}/view?v={now.table.revision(seat)}", (), True, language),
        Ask("GET", f"{path}/view", (), htmx, language),
    ]
    asks += [Ask("GET", f"{path}{voice}", (), False, language) for voice in voices]
    asks.append(Ask("GET", f"{path}{VIEWS}", (), True, language))
    own = now.prompts[seat].offers if seat is not None and seat < len(now.prompts) else ()
    for offer in [offer for offer in own if offer.confirm][:1]:
        value = f"{offer.token} {offer.verb} {''.join(offer.options[:1])}".strip()
        asks.append(Ask("GET", f"{path}?ask={value}", (), False, language))
        asks.append(Ask("POST", f"{path}/move", (("move", value),), htmx, language))
    return asks


def refused_moves(now: TableSnapshot, seat: Seat) -> list[Ask]:
    """Return a player's moves that are refused."""
    own, asks = now.prompts[seat], []
    for number, move in enumerate(tries(now.game, own, seat)):
        offer = own.offer(move.verb)
        if offer and offer.simple and set(move.choices) <= set(offer.options):
            continue  # that might be accepted
        token = offer.token if offer else "0" * 10
        fields = {
            "move": " ".join((token, move.verb, *move.choices)),
            "cmd": f"try {number}",
            "match": str(now.table.match),
            "v": str(now.table.revision(seat)),
            "sure": "1",
        }
        htmx, language = MODES[number % len(MODES)]
        asks.append(Ask("POST", f"/t/{now.code}/move", tuple(fields.items()), htmx, language))
        listed = {
            "answers": menu_of(now.table.match, own.offers),
            "move": str(move).partition(" ")[2],
        }
        for accept in ("application/json", "text/plain", "text/plain;profile=say"):
            for dry in ("0", "1"):
                sent = tuple({**listed, "dry": dry}.items())
                asks.append(Ask("POST", f"/t/{now.code}/move", sent, False, language, accept))
    return asks


# Answers


def all_told(
    table: Seated, worlds: Sequence[World], viewer: Viewer, asks: list[Ask], monkeypatch: Any
) -> list[dict[Any, dict[str, Any]]]:
    """Return everything that leaves the server for a request in each world, by request.

    Other outputs have their own names: figures, messages to other processes, calls at the viewer's
    turn.
    """
    player = None if viewer.seat is None else table.seats[viewer.seat]
    found, before = [], figures()
    for world in worlds:
        with serving(table, world, monkeypatch) as outlets:
            told: dict[Any, dict[str, Any]] = {
                ask: answer(table, viewer, ask, outlets, before) for ask in asks
            }
            after = figures()
            told["beside the answers"] = {
                "figures": risen(before, after),
                "messages": outlets.bus,
                "called": player in outlets.called,
                "call": player and due(table.service, table.code, player),
            }
        found.append(told)
        before = after
    return found


def answer(
    table: Seated,
    viewer: Viewer,
    ask: Ask,
    outlets: Outlets | None = None,
    before: dict[Any, float] | None = None,
) -> dict[str, Any]:
    """Return everything the receiver can see of an answer, and the log lines meanwhile.

    Each request uses the browser's original cookies, so that one world's cookies do not reach the
    other.
    """
    at_the_table = ask.path.startswith("/t/") or not viewer.elsewhere
    cookies = viewer.cookies if at_the_table else viewer.elsewhere
    headers = {"Cookie": cookies, "Accept-Language": ask.language}
    if ask.htmx:
        headers |= {"HX-Request": "true", "HX-Target": "input#ver"}
    if ask.accept:
        headers["Accept"] = ask.accept
    if ask.path.endswith(VIEWS):
        headers["Accept-Encoding"] = "zstd"
    with everything_logged() as lines:
        response = table.app.test_client(use_cookies=False).open(
            ask.path,
            method=ask.method,
            data=dict(ask.fields) if ask.method == "POST" else None,
            headers=headers,
        )
        body = response.get_data()
        response.close()
    assert response.status_code < 500, "\n".join([f"{viewer}: {ask}", *lines])
    if outlets is not None and ask.method == "POST" and outlets.begin_anew():
        return {"status": response.status_code, "log": lines}
    if before is not None and ask.path.startswith("/metrics") and body:
        body = risen(before, figures_in(text_string_to_metric_families(body.decode())))
    kept = [(name, EXPIRES.sub("", text)) for name, text in response.headers if name != "Date"]
    if ask.path.startswith("/metrics"):
        kept = [(name, text) for name, text in kept if name != "Content-Length"]
    return {"status": response.status_code, "headers": kept, "body": body, "log": lines}


def risen(before: dict[Any, float], now: dict[Any, float]) -> list[tuple[Any, float]]:
    """Return the figures that have increased, and by how much.

    Cache hits of page regions are left out, because the second world finds the first one's regions.
    So each answer is compared once rendered and once, where equal, from the cache. Free disk space
    depends on other programs.
    """
    by_how_much = {name: value - before.get(name, 0.0) for name, value in now.items()}
    return sorted(
        (name, rise)
        for name, rise in by_how_much.items()
        if rise and not str(name[0]).startswith(("kaboom_regions", "kaboom_disk_free"))
    )
