"""Planted leaks: the secrecy proof must find each of them.

Each reveals something of the next card of the stock or of another hand, in a page, a header, a
number, a refusal or a log line. Real card servers have had such leaks.
"""

import hashlib
import logging
import pkgutil
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest
from flask import request
from msgspec import Struct, structs

from kaboom.engine.bots.bot import Thought
from kaboom.engine.codec import to_json
from kaboom.engine.moves import IllegalMove
from kaboom.engine.play import Event
from kaboom.engine.views import Saying, View, Zone
from kaboom.games import GAMES
from kaboom.realtime.stream import Message
from kaboom.web.metrics import REFUSALS
from tests.secrecy.oracle import decided, differences, from_the_engine, stirred
from tests.secrecy.paired_server import CURRENT
from tests.secrecy.proof import Found, leaks, sealed_leaks
from tests.secrecy.requests import Asking
from tests.secrecy.states import positions, redealt
from tests.support.effort import often

KABOOM = GAMES["kaboom"]


def secret(state) -> str:
    """Return the revealed card: the next of the stock."""
    return state.stock[-1] if state is not None and state.stock else "none"


def digits(state) -> str:
    """Return the card as digits, so that a search for cards does not find it."""
    return hashlib.sha256(secret(state).encode()).hexdigest()[:8]


def high(state) -> bool:
    """Return one bit of the card."""
    return digits(state)[0] > "7"


# Leaks of the rules: a game with one change


def of_view(change: Callable) -> Callable:
    return lambda: replace(KABOOM, view=lambda s, v: change(KABOOM.view(s, v), s))


def of_listeners(change: Callable) -> Callable:
    return lambda: replace(KABOOM, offers=lambda s: change(list(KABOOM.offers(s)), s))


def with_facts(view, **facts):
    return View(view.viewer, view.zones, view.saying, view.facts | facts)


def with_zones(view, change):
    return View(view.viewer, tuple(change(zone) for zone in view.zones), view.saying, view.facts)


def stock_only(change):
    return lambda zone: change(zone) if zone.name == "stock" else zone


def marked(zone, word):
    if zone.name != "grid" or not zone.places:
        return zone
    return Zone(zone.name, zone.owner, zone.cards, zone.places, {zone.places[0]: word})


def with_pick(li, **how):
    return structs.replace(li, pick=structs.replace(li.pick, **how))


def one_more_option(listeners, s):
    return [
        with_pick(li, options=(*li.pick.options, *li.pick.options[:1]))
        if li.pick.options and high(s)
        else li
        for li in listeners
    ]


def saying_why_not(rule: bool):
    def change(listeners, s):
        def why_not(choices):
            sentence = "That cannot be chosen now." + ("" if rule else f" ({digits(s)})")
            return IllegalMove(sentence, f"section-{digits(s)}" if rule else "")

        return [with_pick(li, why_not=why_not) if li.pick.options else li for li in listeners]

    return change


RULES: dict[str, Callable] = {
    "a fact": of_view(lambda v, s: with_facts(v, stock_count=secret(s))),
    "a hash of a card": of_view(lambda v, s: with_facts(v, stock_count=digits(s))),
    "a count that is off by one": of_view(
        lambda v, s: with_facts(v, stock_count=len(s.stock) + high(s))
    ),
    "the length of a number": of_view(lambda v, s: with_facts(v, pad="x" * high(s))),
    "a face in a face-down zone": of_view(
        lambda v, s: with_zones(
            v, stock_only(lambda z: Zone(z.name, z.owner, (*z.cards[:-1], secret(s)), z.places))
        )
    ),
    "a mark on a place": of_view(
        lambda v, s: with_zones(v, lambda z: marked(z, "hot" if high(s) else "cold"))
    ),
    "the name of a place": of_view(
        lambda v, s: with_zones(
            v, stock_only(lambda z: Zone(z.name, z.owner, z.cards, (f"stock-{digits(s)}",)))
        )
    ),
    "the order of zones": of_view(
        lambda v, s: View(
            v.viewer,
            tuple(sorted(v.zones, key=lambda z: (z.name, (z.owner or 0) ^ high(s)))),
            v.saying,
            v.facts,
        )
    ),
    "the line about the situation": of_view(
        lambda v, s: View(
            v.viewer, v.zones, Saying(v.saying.kind, v.saying.facts | {"top": secret(s)}), v.facts
        )
    ),
    "one option more": of_listeners(one_more_option),
    "the order of offers": of_listeners(lambda all, s: all[:: -1 if high(s) else 1]),
    "the token of an offer": of_listeners(
        lambda all, s: [
            structs.replace(li, about=li.about + digits(s)) if li.verb == "draw" else li
            for li in all
        ]
    ),
    "the awaited player": of_listeners(
        lambda all, s: [structs.replace(li, blocks=li.blocks or high(s)) for li in all]
    ),
    "the offer of a confirmation": of_listeners(
        lambda all, s: [structs.replace(li, confirm=high(s)) for li in all]
    ),
    "the seconds of a clock": of_listeners(
        lambda all, s: [structs.replace(li, after=li.after and li.after + high(s)) for li in all]
    ),
    "the text of a refusal": of_listeners(saying_why_not(rule=False)),
    "the rule that a refusal cites": of_listeners(saying_why_not(rule=True)),
}


def engine_finds(game) -> set[str]:
    """Return the first difference found by the engine's proof."""
    found: set[str] = set()
    for position in islice(positions(KABOOM, 2, most=60), 800):
        if position.number % 3 or not position.state.stock:
            continue
        for viewer in [*range(position.seats), None]:
            other = redealt(KABOOM, position.state, viewer, position.number)
            here = from_the_engine(game, position.state, viewer, position.seats)
            found |= set(differences(here, from_the_engine(game, other, viewer, position.seats)))
        if found:
            break
    return found


def test_unmodified_game_shows_no_difference():
    assert engine_finds(KABOOM) == set()


@pytest.mark.parametrize("plant", RULES.values(), ids=list(RULES))
def test_planted_leak_in_the_rules_is_detected(plant):
    assert engine_finds(plant())


# Leaks of moves: in events, memories and decisions


def draws():
    """Yield positions in which a player draws a hidden card."""
    for position in islice(positions(KABOOM, 1, most=80), 500):
        if position.move and position.move.verb == "draw":
            yield position


def move_finds(game) -> set[str]:
    """Return the first difference found by the proof about sealed moves."""
    found: set[str] = set()
    for number, position in enumerate(draws()):
        for viewer in [*range(position.seats), None]:
            found |= set(stirred(game, position, viewer, number) or ())
        if found or number > 30:
            break
    return found


def drawing(then: Callable):
    """Return the game with an addition to the effect of a draw."""

    def offers(s):
        for li in KABOOM.offers(s):
            yield structs.replace(li, then=and_then(li.then, then)) if li.verb == "draw" else li

    return replace(KABOOM, offers=offers)


def and_then(first, second):
    def both(play, *choices):
        card = play.state.stock[-1]
        first(play, *choices)
        second(play, card)

    return both


SAID: dict[str, Callable] = {
    "a card told to all": lambda play, card: play.tell("drew", seat=play.seat, card=card),
    "a line more or less": lambda play, card: (
        play.tell("drew", seat=play.seat) if card[0] > "8" else None
    ),
    "a whisper to the wrong seat": lambda play, card: [
        play.whisper(seat, "drawn", card=card) for seat in range(len(play.state.grids))
    ],
}


def test_unmodified_draw_reveals_nothing():
    assert move_finds(KABOOM) == set()


@pytest.mark.parametrize("then", SAID.values(), ids=list(SAID))
def test_leak_in_a_sentence_is_detected(then):
    assert "told" in move_finds(drawing(then))


def test_bot_that_receives_others_private_events_is_detected(monkeypatch):
    heard = []

    def notice(memory, event, seat):
        heard.append(event.to)
        memory.whispers = [*memory.whispers, str(event.facts)]

    game = replace(KABOOM, bot=replace(KABOOM.bot, notice=notice, memory=Whispers))
    assert "bot's memory" not in move_finds(game)
    assert heard
    monkeypatch.setattr(Event, "heard_by", lambda event, viewer: True)
    assert "bot's memory" in move_finds(game)


class Whispers(Struct):
    """The memory of a bot that stores everything it receives."""

    whispers: list[str] = []


def test_bot_that_peeks_is_detected():
    def weigh(memory, view, own, rng, level):
        return [Thought(view.facts["peeked"])]

    game = replace(
        KABOOM,
        view=lambda s, v: with_facts(KABOOM.view(s, v), peeked=digits(s)),
        bot=replace(KABOOM.bot, weigh=weigh),
    )
    position = next(draws())
    seat = position.move.seat
    other = redealt(KABOOM, position.state, seat, 1)
    assert decided(game, position.state, seat) != decided(game, other, seat)


# Leaks of the server: headers, cookies, pages, streams, log lines


def card_now() -> str:
    return digits(CURRENT[-1].now.state)


def bit_now() -> bool:
    return high(CURRENT[-1].now.state)


def in_page(old: str, new: Callable[[], str]) -> Callable:
    """Return a leak that adds something to every page."""

    def change(response):
        if response.is_streamed or not response.mimetype.startswith("text/html"):
            return response
        body = response.get_data(as_text=True)
        if old not in body:
            return response
        response.set_data(body.replace(old, new(), 1))
        return response

    return change


def header(name: str, value: Callable[[], str]) -> Callable:
    def change(response):
        response.headers[name] = value()
        return response

    return change


def cookie(response):
    response.set_cookie("hint", card_now())
    return response


def etag(response):
    if not response.is_streamed:
        response.set_etag(card_now())
    return response


def late_status(response):
    if response.status_code == 204 and bit_now():
        response.status_code = 200
    return response


def log_line(response):
    logging.getLogger("kaboom.web").debug("next card is %s", card_now())
    return response


def log_of_some_only(response):
    if bit_now():
        logging.getLogger("kaboom.web").info("a page")
    return response


def whispering(response):
    """Put the card into everything that could show it later."""
    response.headers["X-Hint"] = card_now()
    return response


def only(where: Callable[[], object]) -> Callable:
    """Return a leak in answers to requests for which `where()` is true."""
    return lambda response: whispering(response) if where() else response


def under(path: str) -> Callable:
    return only(lambda: request.path == path or request.path.startswith(f"{path}/"))


def figure(response):
    REFUSALS.labels(card_now()).inc()
    return response


def in_kiswahili_only(response):
    return whispering(response) if response.headers.get("Content-Language") == "sw" else response


def location(response):
    if response.status_code == 303:
        response.location = response.location.replace("#", f"&h={card_now()}#")
    return response


TABLE = '<div id="table"'
ANSWERS: dict[str, Callable] = {
    "a data attribute": in_page(TABLE, lambda: f'<div data-next="{card_now()}" id="table"'),
    "an element's id": in_page('id="prompt"', lambda: f'id="prompt-{card_now()}"'),
    "a CSS class": in_page('class="prompt', lambda: f'class="c{card_now()} prompt'),
    "a title": in_page("<title>", lambda: f"<title>{'Hm: ' * bit_now()}"),
    "an alternative text": in_page(TABLE, lambda: f'<img alt="{card_now()}">{TABLE}'),
    "JSON in a comment": in_page(TABLE, lambda: f'<!--{{"deck":"{card_now()}"}}-->{TABLE}'),
    "the order of attributes": in_page(TABLE, lambda: TABLE if bit_now() else '<div  id="table"'),
    "a datalist": in_page(
        TABLE, lambda: f'<datalist><option value="{card_now()}"></datalist>{TABLE}'
    ),
    "autocomplete": in_page(
        'type="hidden"', lambda: f'autocomplete="{"on" if bit_now() else "off"}" type="hidden"'
    ),
    "a padded length": in_page("</section>", lambda: "</section>" + " " * bit_now()),
    "a preload": in_page(TABLE, lambda: f'<link rel="preload" href="/clubs/{card_now()}">{TABLE}'),
    "a response header": header("Server-Timing", lambda: f"deal;dur={int(card_now(), 16)}"),
    "a time stamp": header("Last-Modified", lambda: f"Sat, 21 Nov 2026 12:00:0{bit_now():d} GMT"),
    "an ETag of the state": etag,
    "a cookie": cookie,
    "a status": late_status,
    "the target of a redirect": location,
    "a log line": log_line,
    "the presence of a log line": log_of_some_only,
    "the rules page": only(lambda: request.path.endswith("/rules")),
    # Parts that were added to the proof later
    "the home page": under(""),
    "the lobby": under("/lobby"),
    "the page about the viewer": under("/account"),
    "only in Kiswahili": in_kiswahili_only,
    "only by htmx": only(lambda: "HX-Request" in request.headers),
    "only in answers to HEAD": only(lambda: request.method == "HEAD"),
    "only in answers to OPTIONS": only(lambda: request.method == "OPTIONS"),
    "only to waiting players": only(lambda: request.path.endswith("/wait")),
    "a label of a figure": figure,
}


def server_finds(app, monkeypatch) -> str:
    """Return the server proof's first finding, if any."""
    return next(leaks(app, KABOOM, monkeypatch, Found(Asking(app)), 1), "")


# Each takes a second to be found: `make test` tries a ninth of them, KABOOM_LONG=1 all.
SOME = slice(None, None, often(9, soak=1))


@pytest.mark.parametrize("leak", list(ANSWERS.values())[SOME], ids=list(ANSWERS)[SOME])
def test_planted_leak_in_a_response_is_detected(leak, app, monkeypatch):
    def changed(response):
        return leak(response) if CURRENT else response

    hooks = app.after_request_funcs | {None: [changed, *app.after_request_funcs[None]]}
    monkeypatch.setattr(app, "after_request_funcs", hooks)
    assert server_finds(app, monkeypatch)


# Leaks inside the server: the planted code, and the original


def in_the_page(change: Callable) -> tuple[str, Callable]:
    def planted(table_page):
        return lambda snapshot, **more: change(table_page(snapshot, **more), snapshot)

    return "kaboom.table_page.responses.table_page", planted


def question(asked):
    def knowing(snapshot, value):
        ask = asked(snapshot, value)
        return ask and replace(ask, question=f"{ask.question} {digits(snapshot.state)}")

    return knowing


def on_a_channel_of_its_own(publish):
    def planted(relay, topics):
        relay._channel = f"kaboom-{card_now()}"
        return publish(relay, topics)

    return planted


def promising(page, snapshot):
    """The two worlds have different seeds that are given the same hash."""
    return replace(page, promise=snapshot.table.next_seed.hex()) if page.promise else page


def chatty(heard):
    def planted(stream, look):
        more = str(Message("1", type="beat")).encode() if bit_now() else b""
        return heard(stream, look) + more

    return planted


def nosy(note_views):
    """A revision that depends on the whole state."""

    def planted(table, position):
        note_views(table, position)
        if position.state is not None:
            whole = hashlib.sha256(to_json(position.state)).hexdigest()
            table.prints = dict.fromkeys(table.prints, whole)

    return planted


def with_prompts(snapshot, prompts):
    """Return a table that prompts every seat for another's decision."""
    position = replace(snapshot.position)
    vars(position)["prompts"] = prompts
    return replace(snapshot, position=position)


INSIDE: dict[str, tuple[str, Callable]] = {
    "current prompts for delayed spectators": (
        "kaboom.tables.spectators.views._late",
        lambda late: lambda snapshot, *past: with_prompts(late(snapshot, *past), snapshot.prompts),
    ),
    "the next match's seed between two matches": in_the_page(promising),
    "the seed of a running match": in_the_page(
        lambda page, snapshot: replace(page, commitment=(snapshot.key or b"").hex())
    ),
    "a bot's memory": in_the_page(
        lambda page, snapshot: replace(page, commitment=str(snapshot.table.memories))
    ),
    "another's cut": in_the_page(
        lambda page, snapshot: replace(
            page, promise=snapshot.table.sitting()[-2][1].cut if page.promise else ""
        )
    ),
    "another player's private events": (
        "kaboom.tables.table.Table.lines",
        lambda lines: lambda table, viewer: lines(table, 0),
    ),
    "another's number": (
        "kaboom.tables.table.Table.revision",
        lambda revision: lambda table, viewer: revision(table, viewer) + revision(table, 0),
    ),
    "a number that counts the whole state": ("kaboom.tables.table.Table.note_views", nosy),
    "a question that knows the card": ("kaboom.table_page.view_routes.asked", question),
    "the name of a Redis channel": (
        "kaboom.realtime.redis_pubsub.RedisPubSub._publish",
        on_a_channel_of_its_own,
    ),
    "a message to the other processes": (
        "kaboom.realtime.redis_pubsub.RedisPubSub._publish",
        lambda publish: (
            lambda relay, topics: publish(relay, {f"{topic} {card_now()}" for topic in topics})
        ),
    ),
    "a notification of a turn": (
        "kaboom.notifications.outbox.waits_for",
        lambda waits_for: (
            lambda snapshot, player: high(snapshot.state) or waits_for(snapshot, player)
        ),
    ),
    "messages to open pages": (
        "kaboom.table_page.stream.update",
        lambda update: lambda new, old: update(new, old) + (card_now() if CURRENT else ""),
    ),
    "a bot's pace that depends on its cards": (
        "kaboom.tables.bot_runner.delays.move_delay",
        lambda pace: (
            lambda transaction, own, race: pace(transaction, own, race) + high(transaction.state)
        ),
    ),
    "a bot's reaction that depends on its cards": (
        "kaboom.tables.bot_runner.delays.reaction_delay",
        lambda reacts: (
            lambda transaction, seat: (reacts(transaction, seat) or 0) + high(transaction.state)
        ),
    ),
    "the fetches of open pages": (
        "kaboom.table_page.responses.update",
        lambda update: lambda new, old: update(new, old) + (card_now() if CURRENT else ""),
    ),
    "an extra event of a stream": ("kaboom.realtime.stream.EventStream.heard", chatty),
}


@pytest.mark.parametrize(("target", "planted"), list(INSIDE.values())[SOME], ids=list(INSIDE)[SOME])
def test_planted_leak_inside_the_server_is_detected(target, planted, app, monkeypatch):
    monkeypatch.setattr(target, planted(pkgutil.resolve_name(target)))
    assert server_finds(app, monkeypatch)


def test_leak_of_move_counts_to_delayed_viewers_is_detected(app, monkeypatch):
    monkeypatch.setattr("kaboom.tables.spectators.views._shown", lambda *given: object())
    assert next(sealed_leaks(app, KABOOM, monkeypatch, Found(Asking(app))), "")
