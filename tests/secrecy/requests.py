"""Who asks the server for what: every route, method and language, as each kind of viewer.

The routes are found by themselves; a new one that takes something unknown fails until VALUES says
with what it is to be asked.
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
from kaboom.notifications.outbox import TurnCalls
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

EXPIRES = re.compile(r"Expires=[^;]*; ")  # of a cookie: the time of day, as Date is

# Addresses that need more than a code, and with what they are asked.
VALUES: dict[str, Callable[[Seated, TableSnapshot], str]] = {
    "club": lambda table, now: "AAAAAAAA",
    "code": lambda table, now: table.code,
    "file": lambda table, now: "icon-192.png",
    "key": lambda table, now: now.game.key,
    "name": lambda table, now: "web/base.css",
    "number": lambda table, now: "1",
    "pod": lambda table, now: "1",
    "round": lambda table, now: "1",
    "seats": lambda table, now: "4",
    "secret": lambda table, now: "nonsense",
    "slug": lambda table, now: "too-late",
    "taken": lambda table, now: "1",
    "when": lambda table, now: "2026-11-22",
}

# Forms that are to be taken where they may be; any other is sent empty. A form that is taken is
# compared like any answer, unless it makes a move: then what it leads to may differ.
FORMS: dict[str, dict[str, str]] = {
    "daily.play": {"name": "Zoe"},
    "host.change_options": {"players": "2", "max_players": "2"},
    "host.access": {"listed": "1"},
    "host.seats": {"do": "swap 0 1"},
    "own_rules.keep": {"game": "gops", "set": "", "called": "Mine"},
    "own_rules.change": {"do": "delete"},
    "programs.make": {"name": "Zoe", "key_name": "bot", "scope": "look"},
    "programs.guest": {"name": "Zoe"},
    "coming_in.by_password": {"handle": "zoe", "password": "seven tame herons"},
    "coming_in.by_words": {"words": "zoo zoo"},
    "keeping.begin": {"name": "Zoe"},
    "keeping.password": {"handle": "zoe", "password": "seven", "again": "seven"},
    "friends.change": {"do": "seen"},
    "vacation.change": {"days": "3"},
    "clubs.plan": {"do": "come 1"},
    "clubs.found": {"club": "The Gulls", "called": "Zoe"},
    "feed.change": {"do": "share"},
    "me.forget": {"what": "all", "sure": "1"},
    "ratings.want": {"counts": "1", "shown": "everybody"},
    "tournaments.open_one": {"game": "gops", "who": "Zoe", "name": "Cup"},
    "pages.set_them": {"look": "dark"},
    "table.cut": {"cut": "mine"},
    "table.give_password": {"password": "open sesame"},
    "table.play_hosts_move": {"move": "fix_rounds 2", "match": "1"},
    "table.tip": {"read": "gops"},
    "table.leave": {"sure": "1"},
    "table.propose": {"about": "pause"},
    "table.remove": {"seat": "1"},
    "table.sit": {"name": "Zoe"},
    "table.vote": {"vote": "1", "answer": "yes"},
    "tables.open_table": {"game": "gops", "name": "Zoe"},
    "passing.turn": {"do": "hide"},
    "passing.sit": {"name": "Zoe"},
    "chat.hands": {"answer": "yes", "minutes": "5"},
    "chat.call": {"address": "https://example.com/turn"},
    "chat.delete": {"line": "1"},
    "chat.mute": {"line": "1"},
    "chat.say_it": {"text": "Well", "name": "Zoe"},
    "chat.spectators": {"watch": "5"},
}

# Who asks. All but players have no seat; who watches has given a name, a stranger has no key.
KINDS = ("player", "stranger", "watches now", "watches later", "shut out", "locked out")


@dataclass(frozen=True)
class Viewer:
    """Somebody who asks: what kind, on which seat, with which cookies."""

    kind: str
    seat: Seat | None
    cookies: str
    elsewhere: str = ""  # the cookies for other addresses than a table's, where they are others

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
        """Say whether there is a page to an answer, and not its headers only."""
        return self.method not in ("HEAD", "OPTIONS")

    def path(self, table: Seated, now: TableSnapshot) -> str:
        """Return its address for this table, or for the record of the match played there."""
        values = {name: VALUES[name](table, now) for name in self.arguments}
        if self.rule.startswith("/m/"):
            values["code"] = now.table.record or "AAAAAAAA"
        bound = table.app.url_map.bind("localhost")
        path: str = bound.build(self.endpoint, values, method=self.method)
        return path


# How a table is asked for by programs and listeners.
VOICES = (
    ".json",
    ".txt?width=40&cards=words&would=1",
    *(f".say?about={about}" for about in ("", "hand", "table", "moves", "last", "score", "would")),
    "/events?full=1",
    ".ndjson",
)

# What an open page hears and is sent, by a browser that takes views over its stream.
VIEWS = "/events?views=1"

Mode = tuple[bool, str]  # by htmx, in which language
MODES: list[Mode] = list(product((False, True), LANGUAGES))


def ways(app: Any) -> list[Way]:
    """Return every route of the application with every method it takes."""
    return [
        Way(rule.endpoint, rule.rule, frozenset(rule.arguments), method)
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods)
    ]


class Asking:
    """Goes through every way to ask, a few at a time, for each kind of viewer in another order.

    Each kind comes to each way in another mode, the first ones in two, as there are more modes than
    kinds: so all of them together ask each way by htmx and without, in every language; of HEAD and
    OPTIONS each kind takes its share. Of `shares` this goes through one; in all shares together
    each kind asks each way.
    `asked` are the ways and modes asked so far, by kind.
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
        """Say whether every kind of viewer has asked every way of the share."""
        return all(self._next[kind] >= len(self._orders[kind]) for kind in KINDS)

    def planned(self) -> set[tuple[str, Way, Mode]]:
        """Return what is `asked` when all is done."""
        return {
            (kind, way, MODES[first % len(MODES)])
            for kind, order in self._orders.items()
            for way, first in order
        }

    def some(self, table: Seated, now: TableSnapshot, viewer: Viewer, count: int) -> Iterator[Ask]:
        """Yield the next requests of a viewer; with KABOOM_LONG=1 again and again."""
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
    """Say whether a kind of viewer asks a way in a share; the headers alone are asked for by one
    kind of them all.
    """
    if not way.shows:
        return number % len(KINDS) == kind and number // len(KINDS) % shares == share
    return (number + kind) % shares == share


def ask_for(way: Way, mode: Mode, table: Seated, now: TableSnapshot) -> Ask:
    """Return a request for a route as it stands at this table."""
    htmx, language = mode
    path = way.path(table, now)
    if way.method != "POST":
        return Ask(way.method, f"{path}?v=0", (), htmx, language)
    return Ask("POST", path, tuple(FORMS.get(way.endpoint, {}).items()), htmx, language)


def own_asks(
    now: TableSnapshot, seat: Seat | None, mode: Mode, voices: Sequence[str] = VOICES
) -> list[Ask]:
    """Return what every page of a running match asks for, and the first question there may be."""
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
    """Return moves of a player that are refused."""
    own, asks = now.prompts[seat], []
    for number, move in enumerate(tries(now.game, own, seat)):
        offer = own.offer(move.verb)
        if offer and offer.simple and set(move.choices) <= set(offer.options):
            continue  # that might be taken
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


# What comes back


def all_told(
    table: Seated, worlds: Sequence[World], viewer: Viewer, asks: list[Ask], monkeypatch: Any
) -> list[dict[Any, dict[str, Any]]]:
    """Return all that leaves the server when a viewer asks in each world, by what was asked.

    Under its own name stands what leaves it elsewhere meanwhile: figures, messages to the other
    processes, calls at the viewer's turn.
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
                "call": player and TurnCalls(table.service, print).due(table.code, player),
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
    """Return everything about an answer that its receiver can see, and what was logged meanwhile.

    Each answer is asked for by a browser as it was before: what one world sets, such as a cookie,
    does not reach the other.
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
    """Return which figures have risen, and by how much.

    How many regions of pages were found again is left out: the second world finds what the first
    has drawn. So each answer is compared once drawn and once, where it is the same, as it was kept.
    """
    by_how_much = {name: value - before.get(name, 0.0) for name, value in now.items()}
    return sorted(
        (name, rise)
        for name, rise in by_how_much.items()
        if rise and not str(name[0]).startswith("kaboom_regions")
    )
