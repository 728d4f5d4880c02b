"""The proof of what leaves the server: matches are played, and at chosen moments every kind of
viewer asks in two worlds that are the same to them. Whatever differs is yielded.
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
from kaboom.tables.bots import thinking
from kaboom.tables.clock.due import Reaction
from kaboom.tables.maintenance.cleanup import delete, stop
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
from tests.support.effort import LONG, often, some

MOST = 260  # moves of a match
OFTEN = often(1, soak=100)  # moments of a stage that are asked about; others are passed over
LATE = 60.0  # seconds by which those who watch later do


@dataclass(frozen=True)
class Moment:
    """A table at one time: what stage its match is in, and what late spectators see then."""

    table: Seated
    snapshot: TableSnapshot
    stage: str
    at: float
    past: Past | None


@dataclass
class Found:
    """What the proof has done so far."""

    asking: Asking
    verbs: Counter[str] = field(default_factory=Counter)  # sealed moves compared, by verb
    pairs: int = 0
    changed: int = 0  # pairs of worlds in which cards lay otherwise
    moments: int = 0  # that were asked about
    stages: Counter[str] = field(default_factory=Counter)  # moments met, by stage
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)  # the same by kind and stage
    shared: int = 0  # browsers of several people that were asked about
    voices: set[tuple[str, str]] = field(default_factory=set)  # which kind of viewer heard which

    @property
    def done(self) -> bool:
        """Say whether every kind of viewer has asked every way of the share, and in each voice."""
        return self.asking.done and len(self.voices) == len(KINDS) * len(VOICES)


def stages(
    app: Any, game: Game[Any], monkeypatch: Any, number: int
) -> Iterator[tuple[Seated, str]]:
    """Play a match at a table in the lobby; yield the table and the stage it is at: before the
    match, before each move, and after it.
    """
    table = gathered_for(app, game, number, monkeypatch)
    service = table.service
    yield table, "before"
    table.begin()
    for _, snapshot, _ in played(table, game, number, MOST):
        yield table, stage_of(snapshot.state)
    if service.look(table.code).table.playing:
        stop(service, table.code)
    yield table, "after"
    delete(service, table.code)  # so that the lobby shows the next one alone


def gathered_for(app: Any, game: Game[Any], number: int, monkeypatch: Any) -> Seated:
    """Return a table of people, with a bot where there is room, whom all their turns call; each
    number is of another kind of table.
    """
    kinds = tables_of(game)
    options, seats = kinds[number * (len(kinds) // 2 + 1) % len(kinds)]
    bots = 1 if seats > 2 else 0
    table = gathered(app, game, options, seats - bots, bots=bots, listed=1)
    unheard = replace(table.service.signals, turns=lambda code, players: None)  # nobody is called
    monkeypatch.setattr(table.service, "signals", unheard)
    for player in table.keys:
        keep_hook(table.service, table.code, player, "https://example.com/turn", "en", "")
    return table


def moment_of(table: Seated, stage: str) -> Moment:
    """Return the table as it is now."""
    snapshot, at = table.service.look(table.code), table.service.now()
    past = past_of(table, snapshot, at - LATE) if snapshot.table.match else None
    return Moment(table, snapshot, stage, at, past)


def leaks(app: Any, game: Game[Any], monkeypatch: Any, found: Found, number: int) -> Iterator[str]:
    """Ask during one match; yield in words what tells a viewer something, and where."""
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
    """Yield who asks at a moment, the `number`-th of its stage and the `turn`-th of all: a player,
    another after two, every other one in a browser that several share; and of the other kinds one
    half by turns, in the soak all of them at the first moment of a stage.
    """
    table, people = moment.table, moment.table.people()
    seat = people[turn // 2 % len(people)]
    shares = turn % 2 == 0 and len(people) > 1
    yield sharing(table, seat) if shares else Viewer("player", seat, table.cookies(seat))
    others = KINDS[1 + (number if LONG else turn) % 2 :: 2]
    for kind in KINDS[1:] if LONG and number == 1 else others:
        yield Viewer(kind, None, "" if kind in ("stranger", "locked out") else watcher)


def sharing(table: Seated, seat: Seat) -> Viewer:
    """Return a player in a browser that is another's, and shows the view of this one who shares it.

    Elsewhere than at the table a shared browser is its owner's, who may see whether it is their
    turn; there this one's own is asked, which the other shares.
    """
    other = next(it for it in table.people() if it != seat)
    own, others = (keys_in(table.cookies(it)) for it in (seat, other))
    shared = f"kb={others}; kb-pass-{table.code}=1.{own}"
    return Viewer("player", seat, shared, f"kb={own}; kb-pass-{table.code}=0.{others}")


def keys_in(cookies: str) -> str:
    """Return the key among cookies."""
    return dict(each.split("=", 1) for each in cookies.split("; "))["kb"]


def told_apart(
    found: Found, viewer: Viewer, first: Moment, moment: Moment, monkeypatch: Any
) -> Iterator[str]:
    """Yield what is not the same in two worlds a viewer cannot tell apart."""
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
    """Return how many seconds each bot would think that the table waits for, and after how many it
    would see that it may be first, by the same dice.
    """
    transaction: Any = SimpleNamespace(
        key=dice.key, table=now.table, state=now.state, game=now.game
    )
    found: dict[str, float | None] = {}
    for prompt in now.prompts:
        chair, seat = now.table.chairs[prompt.seat], prompt.seat
        asked, race = prompt.parted()
        if chair is not None and chair.bot and asked.openly_waited_for:
            found[f"turn of {seat}"] = thinking.pace(transaction, asked, bool(race.offers))
        if chair is not None and chair.bot and race.offers:
            found[f"reaction of {seat}"] = thinking.reacts(transaction, seat)
    return found


def asks_of(found: Found, viewer: Viewer, here: World, table: Seated) -> Iterator[Ask]:
    """Yield what a viewer asks at a moment."""
    now, turn = here.now, found.pairs
    asked = sum(count for (kind, _), count in found.kinds.items() if kind == viewer.kind)
    voices = some(VOICES, 3, asked % 3)
    found.voices |= {(viewer.kind, voice) for voice in voices}
    yield from own_asks(now, viewer.seat, MODES[turn % len(MODES)], voices)
    yield from found.asking.some(table, now, viewer, EACH)
    if viewer.seat is not None and now.prompts:
        refused = refused_moves(now, viewer.seat)
        yield from random.Random(turn).sample(refused, min(REFUSED, len(refused)))


EACH = often(20, soak=7)  # ways to ask that are gone through at a moment
REFUSED = often(4, soak=6)  # moves that are tried


def worlds_of(viewer: Viewer, first: Moment, moment: Moment, number: int) -> tuple[World, World]:
    """Return two worlds that are the same to a viewer.

    To those who watch now another deal is; to those who watch later, also whatever has happened
    since; to those who are shut out, anything at all.
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
        # All hands of then are theirs to see, but nothing that has happened since.
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
    """Return a table whose match all let spectators see with its hands, a minute later."""
    return watched(replace(snapshot, table=structs.replace(snapshot.table, hands=1)), 1)


def anew_but_hands(past: Past) -> Past:
    """Return a past that only draws otherwise from then on: what lies open to a spectator who sees
    the hands is as it was.
    """
    return replace(past, key=OTHER_SEED)


def dealt_anew(game: Game[Any], snapshot: TableSnapshot, viewer: Seat | None, number: int) -> Any:
    """Return the state of a running match dealt anew; one that is over lies open."""
    state = snapshot.state
    return redealt(game, state, viewer, number) if snapshot.table.playing else state


def ended_otherwise(snapshot: TableSnapshot) -> TableSnapshot:
    """Return a table whose last match, which those who are shut out never saw, went otherwise."""
    table = copied(snapshot.table)
    seats = len(table.seats)
    table.outcome = Outcome((7,) * seats, (1,) * seats, "draw")
    table.told, table.state = table.told[:1], Raw(b"null")
    table.record, table.before, table.seq = "ANOTHERS", "ANOTHERS", table.seq + 1
    return replace(snapshot, table=table, position=replace(snapshot.position, state=None))


# What a sealed move stirs


def sealed_leaks(app: Any, game: Game[Any], monkeypatch: Any, found: Found) -> Iterator[str]:
    """Let random players play; yield in words what a sealed move tells others of what was chosen.

    In the other world the cards lie otherwise and another choice is made, by the same dice.
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
    """Yield a table that is played, loaded, and the next move there."""
    table = gathered_for(app, game, SEED + number, monkeypatch)
    table.begin()
    yield from played(table, game, SEED + number, MOST)
    delete(table.service, table.code)  # so that the lobby shows the next one alone


def stirred_apart(
    found: Found,
    table: Seated,
    snapshot: TableSnapshot,
    move: Move,
    seat: Seat | None,
    monkeypatch: Any,
) -> Iterator[str]:
    """Yield what tells a viewer which of two choices another made."""
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
    """Return what a viewer has of a move made in a world, and the table after it."""
    with serving(table, world, monkeypatch) as outlets:
        after = table.play(move, "once")
    assert after is not None
    known, seat = after.table, viewer.seat
    waited = after.waiting_for()  # for other bots no time runs that anybody could see
    bots = sorted((what.seat, timer.due) for what, timer in known.thinking())
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
    """Return what a viewer is shown in a world by pages that others' moves may change."""
    paths = [f"/t/{table.code}/{page}" for page in ("events", VIEWS[1:], "room")]
    asks = own_asks(world.now, viewer.seat, MODES[0])[:2]
    asks += [Ask("GET", path) for path in (*paths, "/", "/lobby")]
    (told,) = all_told(table, [world], viewer, asks, monkeypatch)
    return list(told.items())


def stirred_later(
    found: Found, table: Seated, world: World, move: Move, noticed: bool, monkeypatch: Any
) -> Iterator[str]:
    """Yield what tells those who watch later which choice was made; or, where those who watch now
    have not `noticed`, that one was made at all.
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
    """Return where two answers begin to differ, with what is around it."""
    name = differences(one, two)[0]
    texts = [str(each.get(name)) for each in (one, two)]
    pairs = enumerate(zip(*texts, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(map(len, texts)))
    return name, [text[max(0, same - 100) : same + 100] for text in texts]
