"""The server's secrecy proof. Matches are played, and at selected moments every kind of viewer
sends the same request in two worlds that this viewer cannot tell apart. Differences are yielded.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from msgspec import Raw, structs

from kaboom.engine.codec import copied, to_json
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.views import Outcome
from kaboom.games import sample
from kaboom.notifications.channels import keep_hook
from kaboom.tables.bot_runner import delays
from kaboom.tables.clock.timer_kinds import Reaction
from kaboom.tables.maintenance.interventions import delete, stop
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.spectators.views import Past, _advanced
from kaboom.tables.table import WATCHED_BY_NOBODY, key
from tests.secrecy.oracle import differences
from tests.secrecy.paired_server import (
    OTHER_SEED,
    Seated,
    World,
    gathered,
    otherwise,
    past_of,
    played,
    prints,
    redealt_past,
    serving,
    watched,
)
from tests.secrecy.requests import (
    KINDS,
    MODES,
    VIEWS,
    VOICES,
    Ask,
    Asking,
    Viewer,
    all_told,
    own_asks,
    refused_moves,
)
from tests.secrecy.states import (
    SEED,
    Position,
    is_sealed,
    own_move,
    redealt,
    stage_of,
    tables_of,
)
from tests.support.bot_timers import thinking
from tests.support.effort import LONG, often, some

MOST = 260  # moves of a match
OFTEN = often(1, soak=100)  # moments of a stage that are checked; later ones are skipped
LATE = 60.0  # delay of delayed spectators, in seconds


@dataclass(frozen=True)
class Moment:
    """A table at one time: the stage of its match, and what delayed spectators see."""

    table: Seated
    snapshot: TableSnapshot
    stage: str
    at: float
    past: Past | None


@dataclass
class Found:
    """The proof's coverage so far."""

    asking: Asking
    verbs: Counter[str] = field(default_factory=Counter)  # sealed moves compared, by verb
    pairs: int = 0
    changed: int = 0  # pairs of worlds with different cards
    moments: int = 0  # moments checked
    stages: Counter[str] = field(default_factory=Counter)  # moments met, by stage
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)  # the same by kind and stage
    shared: int = 0  # shared browsers checked
    voices: set[tuple[str, str]] = field(
        default_factory=set
    )  # the formats requested by each kind of viewer

    @property
    def done(self) -> bool:
        """Return True if every kind of viewer has made every request of the share in each
        format.
        """
        return self.asking.done and len(self.voices) == len(KINDS) * len(VOICES)


def stages(
    app: Any, game: Game[Any], monkeypatch: Any, number: int
) -> Iterator[tuple[Seated, str]]:
    """Play a match at a lobby table. Yield the table and its stage before the match, before each
    move and after it.
    """
    table = gathered_for(app, game, number, monkeypatch)
    service = table.service
    yield table, "before"
    table.begin()
    for _, snapshot, _ in played(table, game, number, MOST):
        yield table, stage_of(snapshot.state)
    if service.get(table.code).table.playing:
        stop(service, table.code)
    yield table, "after"
    delete(service, table.code)  # so that the lobby shows only the next one


def gathered_for(app: Any, game: Game[Any], number: int, monkeypatch: Any) -> Seated:
    """Return a table of people, with a bot if there is room, and notifications for all turns. Each
    number gives another kind of table.
    """
    kinds = tables_of(game)
    options, seats = kinds[number * (len(kinds) // 2 + 1) % len(kinds)]
    bots = 1 if seats > 2 else 0
    table = gathered(app, game, options, seats - bots, bots=bots, listed=1)
    unheard = replace(
        table.service.signals, turns=lambda code, players: None
    )  # no notifications are sent
    monkeypatch.setattr(table.service, "signals", unheard)
    for player in table.keys:
        keep_hook(table.service, table.code, player, "https://example.com/turn", "en", "")
    return table


def moment_of(table: Seated, stage: str) -> Moment:
    """Return the table as it is now."""
    snapshot, at = table.service.get(table.code), table.service.now()
    past = past_of(table, snapshot, at - LATE) if snapshot.table.match else None
    return Moment(table, snapshot, stage, at, past)


def leaks(app: Any, game: Game[Any], monkeypatch: Any, found: Found, number: int) -> Iterator[str]:
    """Send requests during one match; describe each leak and its place."""
    earlier, watcher = None, ""
    for table, stage in stages(app, game, monkeypatch, number):
        watcher = watcher or table.watcher()
        found.stages[stage] += 1
        often = found.stages[stage] > OFTEN
        if often and (found.done or found.stages[stage] % 25):
            continue
        moment = moment_of(table, stage)
        first = earlier if earlier and earlier.stage != "before" and stage != "after" else moment
        found.moments += 1
        for viewer in viewers_of(moment, watcher, found.stages[stage], found.moments):
            found.kinds[viewer.kind, stage] += 1
            found.shared += "kb-pass-" in viewer.cookies
            yield from told_apart(found, viewer, first, moment, monkeypatch)
        earlier = moment


def viewers_of(moment: Moment, watcher: str, number: int, turn: int) -> Iterator[Viewer]:
    """Yield the viewers at a moment, the `number`-th of its stage and the `turn`-th of all. There
    is always a player, every other time in a shared browser, and by turns half of the other kinds;
    `make soak` takes all of them at the first moment of a stage.
    """
    table, people = moment.table, moment.table.people()
    seat = people[turn // 2 % len(people)]
    shares = turn % 2 == 0 and len(people) > 1
    yield sharing(table, seat) if shares else Viewer("player", seat, table.cookies(seat))
    others = KINDS[1 + (number if LONG else turn) % 2 :: 2]
    for kind in KINDS[1:] if LONG and number == 1 else others:
        yield Viewer(kind, None, "" if kind in ("stranger", "locked out") else watcher)


def sharing(table: Seated, seat: Seat) -> Viewer:
    """Return a player in a browser shared with another, who owns it.

    Outside the table, a shared browser shows its owner's turns, not this player's. So requests
    there are made as the player alone.
    """
    other = next(it for it in table.people() if it != seat)
    own, others = (keys_in(table.cookies(it)) for it in (seat, other))
    shared = f"kb={others}; kb-pass-{table.code}=1.{own}"
    return Viewer("player", seat, shared, f"kb={own}; kb-pass-{table.code}=0.{others}")


def keys_in(cookies: str) -> str:
    """Return the key in the cookies."""
    return dict(each.split("=", 1) for each in cookies.split("; "))["kb"]


def told_apart(
    found: Found, viewer: Viewer, first: Moment, moment: Moment, monkeypatch: Any
) -> Iterator[str]:
    """Yield the differences between two worlds that a viewer cannot tell apart."""
    found.pairs += 1
    here, there = worlds_of(viewer, first, moment, found.pairs)
    found.changed += to_json(there.now.state) != to_json(here.now.state)
    table, seat = moment.table, viewer.seat
    watches_now = viewer.kind in ("player", "stranger", "watches now")
    if watches_now and prints(here.now, seat) != prints(there.now, seat):
        yield f"the number of {viewer} in {moment.stage}"
    if watches_now and paces(here.now, here.now) != paces(there.now, here.now):
        yield f"how fast a bot is, to {viewer} in {moment.stage}"
    asks = list(asks_of(found, viewer, here, table))
    one, two = all_told(table, (here, there), viewer, asks, monkeypatch)
    for ask in one:
        if differences(one[ask], two[ask]):
            yield f"{ask} of {viewer} in {moment.stage}: {where(one[ask], two[ask])}"


def paces(now: TableSnapshot, dice: TableSnapshot) -> dict[str, float | None]:
    """Return each bot's thinking time and reaction time, with the same random draws."""
    transaction: Any = SimpleNamespace(
        key=dice.key, table=now.table, state=now.state, game=now.game
    )
    found: dict[str, float | None] = {}
    for prompt in now.prompts:
        occupant, seat = now.table.chairs[prompt.seat], prompt.seat
        asked, race = prompt.parted()
        if occupant is not None and occupant.bot and asked.openly_waited_for:
            found[f"turn of {seat}"] = delays.move_delay(transaction, asked, bool(race.offers))
        if occupant is not None and occupant.bot and race.offers:
            found[f"reaction of {seat}"] = delays.reaction_delay(transaction, seat)
    return found


def asks_of(found: Found, viewer: Viewer, here: World, table: Seated) -> Iterator[Ask]:
    """Yield the requests of a viewer at a moment."""
    now, turn = here.now, found.pairs
    asked = sum(count for (kind, _), count in found.kinds.items() if kind == viewer.kind)
    voices = some(VOICES, 3, asked % 3)
    found.voices |= {(viewer.kind, voice) for voice in voices}
    yield from own_asks(now, viewer.seat, MODES[turn % len(MODES)], voices)
    yield from found.asking.some(table, now, viewer, EACH)
    if viewer.seat is not None and now.prompts:
        refused = refused_moves(now, viewer.seat)
        yield from random.Random(turn).sample(refused, min(REFUSED, len(refused)))


EACH = often(20, soak=7)  # requests sent at a moment
REFUSED = often(4, soak=6)  # refused moves tried


def worlds_of(viewer: Viewer, first: Moment, moment: Moment, number: int) -> tuple[World, World]:
    """Return two worlds that are the same to a viewer.

    For current spectators the deal differs; for delayed ones, later events too; for locked-out
    ones, everything.
    """
    game, snapshot = moment.snapshot.game, moment.snapshot
    if viewer.kind in ("player", "stranger", "watches now"):
        other = otherwise(snapshot, viewer.seat, dealt_anew(game, snapshot, viewer.seat, number))
        return World(snapshot, moment.at), World(other, moment.at)
    other = otherwise(snapshot, None, dealt_anew(game, snapshot, None, number))
    if viewer.kind == "watches later" and number % 2:
        anew = redealt_past(game, first.past, number)
        here = World(watched(first.snapshot, 1), first.at, first.past)
        return here, World(watched(other, 1), first.at, anew)
    if viewer.kind == "watches later":
        # They may see all hands of that time, but nothing later.
        past = first.past and replace(first.past, hands=True)
        seen, later = handed(first.snapshot), handed(other)
        return World(seen, first.at, past), World(later, first.at, past and anew_but_hands(past))
    if viewer.kind == "shut out":
        if not snapshot.table.playing and snapshot.table.match:
            other = ended_otherwise(other)
        here = World(watched(first.snapshot, WATCHED_BY_NOBODY), first.at)
        return here, World(watched(other, WATCHED_BY_NOBODY), first.at)
    here = World(replace(first.snapshot, locked=True), first.at, locked_out=True)
    return here, World(replace(other, locked=True), first.at, locked_out=True)


def handed(snapshot: TableSnapshot) -> TableSnapshot:
    """Return a table whose match shows all hands to spectators, a minute later."""
    return watched(replace(snapshot, table=structs.replace(snapshot.table, hands=1)), 1)


def anew_but_hands(past: Past) -> Past:
    """Return a past whose later random draws differ; a spectator who sees all hands sees the same
    cards.
    """
    return replace(past, key=OTHER_SEED)


def dealt_anew(game: Game[Any], snapshot: TableSnapshot, viewer: Seat | None, number: int) -> Any:
    """Return the state of a running match with hidden cards redealt; a finished match is open."""
    state = snapshot.state
    return redealt(game, state, viewer, number) if snapshot.table.playing else state


def ended_otherwise(snapshot: TableSnapshot) -> TableSnapshot:
    """Return a table whose last match, hidden from locked-out viewers, ended differently."""
    table = copied(snapshot.table)
    seats = len(table.seats)
    table.outcome = Outcome((7,) * seats, (1,) * seats, "draw")
    table.told, table.state = table.told[:1], Raw(b"null")
    table.record, table.before, table.seq = "ANOTHERS", "ANOTHERS", table.seq + 1
    return replace(snapshot, table=table, position=replace(snapshot.position, state=None))


# Effects of a sealed move


def sealed_leaks(app: Any, game: Game[Any], monkeypatch: Any, found: Found) -> Iterator[str]:
    """Let random players play; describe what a sealed move reveals of the choice.

    In the other world the hidden cards differ and another choice is made, with the same random
    draws.
    """
    sealed = set(sample(game.key).sealed)
    for number in range(20):
        for table, snapshot, move in met(app, game, number, monkeypatch):
            position = Position(game, len(snapshot.table.seats), snapshot.state, 0, [], move)
            enough = SEALED_PAIRS // len(sealed)
            if found.verbs[move.verb] >= enough or not is_sealed(position):
                continue
            for seat in [*table.people(), None]:
                if seat != move.seat:
                    yield from stirred_apart(found, table, snapshot, move, seat, monkeypatch)
        if set(found.verbs) == sealed:
            return


SEALED_PAIRS = often(12, soak=400)  # of each game


def met(
    app: Any, game: Game[Any], number: int, monkeypatch: Any
) -> Iterator[tuple[Seated, TableSnapshot, Move]]:
    """Yield a table in play, loaded, with its next move."""
    table = gathered_for(app, game, SEED + number, monkeypatch)
    table.begin()
    yield from played(table, game, SEED + number, MOST)
    delete(table.service, table.code)  # so that the lobby shows only the next one


def stirred_apart(
    found: Found,
    table: Seated,
    snapshot: TableSnapshot,
    move: Move,
    seat: Seat | None,
    monkeypatch: Any,
) -> Iterator[str]:
    """Yield what reveals to a viewer which of two choices another player made."""
    game, at = snapshot.game, table.service.now()
    other = redealt(game, snapshot.state, seat, found.pairs)
    its_move = own_move(game, other, move, found.pairs)
    if its_move is None:
        return
    viewer = Viewer("player", seat, table.cookies(seat)) if seat is not None else STRANGER
    here = World(snapshot, at)
    there = World(otherwise(snapshot, seat, other, same_dice=True), at)
    one, after = stirred(table, here, move, viewer, monkeypatch)
    two, its_after = stirred(table, there, its_move, viewer, monkeypatch)
    if sample(snapshot.game.key).opened(snapshot.state, after.state, its_after.state):
        return
    found.pairs += 1
    found.verbs[move.verb] += 1
    if differences(one, two):
        yield f"{move} or {its_move} to {viewer}: {where(one, two)}"
    if seat is None:
        noticed = after.table.revision(None) != snapshot.table.revision(None)
        yield from stirred_later(found, table, here, move, noticed, monkeypatch)


STRANGER = Viewer("stranger", None, "")


def stirred(
    table: Seated, world: World, move: Move, viewer: Viewer, monkeypatch: Any
) -> tuple[dict[str, Any], TableSnapshot]:
    """Return what a viewer receives after a move in a world, and the table after it."""
    with serving(table, world, monkeypatch) as outlets:
        after = table.play(move, "once")
    assert after is not None
    known, seat = after.table, viewer.seat
    waited = after.waiting_for()  # bots' visible time does not run for other bots
    bots = sorted((what.seat, timer.due) for what, timer in thinking(known))
    return {
        "number": known.revision(seat),
        "lines": to_json(known.lines(seat)),
        "heard": known.heard.get(key(seat)),
        "clocks": to_json(known.clocks()),
        "when bots move": [(bot, due) for bot, due in bots if bot in waited],
        "when bots react": sorted(
            (what.seat, timer.due) for what, timer in known.timed() if isinstance(what, Reaction)
        ),
        "messages": outlets.bus,
        "called": seat is not None and table.seats[seat] in outlets.called,
        "pages": asked_after(table, World(after, world.at), viewer, monkeypatch),
    }, after


def asked_after(
    table: Seated, world: World, viewer: Viewer, monkeypatch: Any
) -> list[tuple[Any, Any]]:
    """Return the pages that other players' moves may change, as a viewer sees them in a world."""
    paths = [f"/t/{table.code}/{page}" for page in ("events", VIEWS[1:], "room")]
    asks = own_asks(world.now, viewer.seat, MODES[0])[:2]
    asks += [Ask("GET", path) for path in (*paths, "/", "/lobby")]
    (told,) = all_told(table, [world], viewer, asks, monkeypatch)
    return list(told.items())


def stirred_later(
    found: Found, table: Seated, world: World, move: Move, noticed: bool, monkeypatch: Any
) -> Iterator[str]:
    """Yield what reveals a choice to delayed spectators; where current ones have not `noticed` the
    move, also what reveals that it was made.
    """
    snapshot, at = world.now, world.at
    game = snapshot.game
    before = past_of(table, snapshot, at)
    assert before is not None
    after = _advanced(game, before, [(str(move), at)])
    same = [] if noticed else [before]
    other = redealt_past(game, before, found.pairs)
    if other and (its_move := own_move(game, other.state, move, found.pairs)):
        same.append(_advanced(game, other, [(str(its_move), at)]))
    later = [past.state for past in (after, *same) if past is not before]
    if sample(game.key).opened(before.state, *later):
        return
    viewer = Viewer("watches later", None, "")
    first, *others = (
        {"pages": asked_after(table, World(watched(snapshot, 1), at, past), viewer, monkeypatch)}
        for past in (after, *same)
    )
    for each in others:
        if differences(first, each):
            yield f"{move}, seen later: {where(first, each)}"


def where(one: dict[str, Any], two: dict[str, Any]) -> tuple[str, list[str]]:
    """Return the first difference between two answers, with some context."""
    name = differences(one, two)[0]
    texts = [str(each.get(name)) for each in (one, two)]
    pairs = enumerate(zip(*texts, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(map(len, texts)))
    return name, [text[max(0, same - 100) : same + 100] for text in texts]
