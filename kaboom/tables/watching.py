"""What those without a seat may see: everything public at once, the same some minutes later, or
nothing while a match is on.

The past is rebuilt from seed and move log, so nothing newer can be in it. That a match is on, and
who sits at the table between two matches, is never a secret.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from msgspec import Raw

from kaboom.core.chance import Chance, commitment, match_key
from kaboom.core.codec import from_json, to_json
from kaboom.core.engine import prompts, start, step
from kaboom.core.game import Event, Game
from kaboom.core.language import say
from kaboom.core.moves import Move
from kaboom.core.views import Outcome
from kaboom.store import watching
from kaboom.store.database import Database
from kaboom.store.queries import MatchRow
from kaboom.tables.errors import NotNow, NotYours
from kaboom.tables.loaded import Loaded
from kaboom.tables.table import AROUND, Chair, Table, key

NOBODY = -1
WATCHING = (0, 1, 3, 5, 10, 30, NOBODY)  # minutes of delay that can be chosen

KEPT = 200  # tables whose past is kept at hand
FEW = 100  # moves that are rebuilt where they are asked for; more are done aside

# Revisions of what spectators are shown instead of the table, apart from its own small ones.
MATCH, CLOSED, BETWEEN = 100_000, 80_000_000, 90_000_000


@dataclass(frozen=True, slots=True)
class Past:
    """A match as far as it has been rebuilt: its state after `seq` moves, and what was said."""

    match: MatchRow
    key: bytes
    seq: int
    state: Any
    table: Table  # only what was told is kept in it


class Pasts:
    """The matches rebuilt for spectators who see them later. `aside` is where much work is done."""

    def __init__(self, database: Callable[[], Database], aside: Callable[..., Any]) -> None:
        self._database = database
        self._aside = aside
        self._kept: OrderedDict[str, Past] = OrderedDict()

    def at(self, loaded: Loaded, until: float) -> Past | None:
        """Return the last match begun by then as it was then; None when there was none.

        Raises LookupError when it cannot be rebuilt, such as under newer rules.
        """
        code, game = loaded.code, loaded.game
        known = self._kept.get(code)

        def read(connection: Any) -> tuple[MatchRow | None, Past | None, list[str]]:
            match = watching.begun_by(connection, code, until)
            if match is None:
                return None, None, []
            past = known
            if past is None or past.match.id != match.id:
                past = None
            after = 0 if past is None else past.seq
            return match, past, list(watching.moves_by(connection, match.id, after, until))

        match, past, texts = self._database().read(read)
        if match is None:
            return None
        if match.game_version != game.version:
            raise LookupError(f"version {match.game_version} of {game.name} is gone")
        work = self._aside if len(texts) > FEW else _here
        past = work(_advanced, game, past or _dealt(game, match), texts)
        past = replace(past, match=match)
        self._kept[code] = past
        self._kept.move_to_end(code)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return past


def _here(work: Callable[..., Past], *args: Any) -> Past:
    return work(*args)


def _dealt(game: Game[Any], match: MatchRow) -> Past:
    """Return a match as it was dealt."""
    names: list[str] = from_json(match.names, list)
    chance_key = match_key(match.seed, from_json(match.cuts, list))
    options = from_json(match.options, game.options)
    table = Table(chairs=[None] * len(names), options=Raw(b"null"), host=0, seats=names)
    table.heard[key(None)] = match.number * MATCH  # lines are numbered anew, and never alike
    table.hear([Event("table.started", {"match": match.number})], AROUND)
    done = start(game, len(names), options, chance_key)
    table.hear((event for event in done.events if event.to is None), game.words)
    return Past(match, chance_key, 0, done.state, table)


def _advanced(game: Game[Any], past: Past, texts: list[str]) -> Past:
    """Return the match after more moves; `past` stays as it was."""
    if not texts:
        return past
    old, state = past.table, past.state
    table = _listening_on(old)
    for number, text in enumerate(texts, start=past.seq + 1):
        done = step(game, state, Move.parse(text), Chance(past.key, number))
        state, table.seq = done.state, number
        table.hear((event for event in done.events if event.to is None), game.words)
    return replace(past, seq=past.seq + len(texts), state=state, table=table)


def _listening_on(old: Table) -> Table:
    """Return a copy of which more can be told without a trace in the old one."""
    table = Table(chairs=old.chairs, options=old.options, host=old.host, seats=old.seats)
    table.seq, table.order = old.seq, old.order
    table.told, table.heard = old.told, dict(old.heard)
    return table


def as_watched(loaded: Loaded, now: float, pasts: Pasts) -> Loaded:
    """Return the table as the one who asks may see it; whoever sits there sees all of it."""
    table = loaded.table
    if loaded.me is not None or table.watch == 0 or not table.match:
        return loaded
    if table.watch == NOBODY:
        return _closed(loaded, now) if table.playing else _between(loaded, now)
    until = now - 60 * table.watch
    try:
        past = pasts.at(loaded, until)
    except LookupError:
        past = None
    if past is None:
        return _closed(loaded, now, until) if table.playing else _between(loaded, now)
    ended = past.match.ended_at is not None and past.match.ended_at <= until
    if ended and not table.playing and past.match.number == table.match:
        return loaded
    return replace(_late(loaded, past, ended, until), touched_at=now)


def _closed(loaded: Loaded, now: float, until: float = -inf) -> Loaded:
    """Return only that a match is on."""
    old = loaded.table
    table = Table(chairs=[], options=old.options, host=-1, playing=True, watch=old.watch)
    table.hush, table.audience = old.hush, old.audience
    table.revisions[key(None)] = CLOSED + old.match
    nothing = _nothing_of_the_match(loaded, table, now)
    return replace(nothing, until=until, closed=True)


def _between(loaded: Loaded, now: float) -> Loaded:
    """Return the table as if no match had been played yet: one may sit down for the next."""
    old = loaded.table
    table = Table(chairs=old.chairs, options=old.options, host=old.host, watch=old.watch)
    table.hush, table.audience, table.next_seed = old.hush, old.audience, old.next_seed
    table.revisions[key(None)] = BETWEEN + old.revisions.get(key(None), 0)
    return _nothing_of_the_match(loaded, table, now)


def _nothing_of_the_match(loaded: Loaded, table: Table, now: float) -> Loaded:
    hidden: dict[str, Any] = {"state": None, "seed": None, "key": None, "prompts": ()}
    return replace(loaded, table=table, touched_at=now, **hidden)


def _late(loaded: Loaded, past: Past, ended: bool, until: float) -> Loaded:
    """Return the table as it was some minutes ago."""
    old, match, game = loaded.table, past.match, loaded.game
    same = match.number == old.match and len(old.seats) <= len(old.chairs)
    now_there = old.chairs if same else [None] * len(past.table.seats)
    chairs: list[Chair | None] = []
    for seat, name in enumerate(past.table.seats):
        chair = now_there[seat] if seat < len(now_there) else None
        # Who left in the meantime is news: only whether the house plays is taken from today.
        chairs.append(Chair(name, None if chair is not None and chair.bot else 0))
    table = _listening_on(past.table)
    table.chairs, table.options, table.host = chairs, Raw(match.options.encode()), -1
    table.watch, table.hush, table.audience = old.watch, old.hush, old.audience
    table.match, table.match_id, table.seq = match.number, match.id, past.seq
    table.playing, table.state = not ended, Raw(to_json(past.state))
    table.commitment, table.next_seed = commitment(match.seed), old.next_seed
    table.revisions[key(None)] = match.number * MATCH + 2 * past.seq + ended
    if ended:
        table.outcome = from_json(match.outcome, Outcome) if match.outcome else None
        table.record = match.code
        table.hear([Event("table.over", {})], AROUND)
    seats = len(table.seats)
    offered = [] if ended else prompts(game.listeners(past.state), seats)
    seed = match.seed if ended else None
    return replace(
        loaded, table=table, state=past.state, seed=seed, key=None, prompts=offered, until=until
    )


def let_watch(
    tables: Any, code: str, player: int, watch: int, hush: bool = False, audience: bool = True
) -> Loaded:
    """Set who may watch (minutes of delay, or NOBODY), whether what spectators write is kept from
    the players until the match is over, and whether they may write. Raises NotYours or NotNow.
    """
    if watch not in WATCHING:
        raise NotNow(say("That cannot be chosen."))

    def work(draft: Any) -> None:
        table = draft.table
        if table.host != player:
            raise NotYours(say("Only the host can do that."))
        if table.watch != watch:
            kinds = {0: "table.watch_all", NOBODY: "table.watch_nobody"}
            draft.tell(kinds.get(watch, "table.watch_later"), minutes=watch)
        table.watch, table.hush, table.audience = watch, hush, audience

    done: Loaded = tables.change(code, work)
    return done
