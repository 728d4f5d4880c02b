"""A match as readable text: every move, its log lines, and each viewer's view."""

from collections.abc import Iterable, Iterator
from typing import Any

from kaboom.engine.codec import to_json
from kaboom.engine.engine import Step, must_answer, prompt, random_move, start, step
from kaboom.engine.game import Game
from kaboom.engine.log_replay import replay
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import View

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")


class Stuck(ValueError):
    """No player can move although the match is not over. That is a fault in the game."""


def random_match(
    game: Game[Any], seats: int, options: Any, seed: bytes, most: int = 5000
) -> tuple[list[str], Any]:
    """Return the moves of a match between random players, and its last state.

    The clock moves only when no seat can. After `most` moves, the match is left unfinished.
    """
    done = start(game, seats, options, seed)
    moves: list[str] = []
    while game.outcome(done.state) is None and len(moves) < most:
        number = len(moves) + 1
        move = random_turn(game, done.state, seats, Rng(seed, number, "players"))
        done = step(game, done.state, move, Rng(seed, number))
        moves.append(str(move))
    return moves, done.state


def random_turn(game: Game[Any], state: Any, seats: int, rng: Rng) -> Move:
    """Return a random legal move for a random seat; seats that are not waited for move rarely.

    Raises Stuck when no player can move.
    """
    waited = must_answer(game, state)
    idle = [seat for seat in range(seats) if seat not in waited]
    order = rng.shuffled(waited) + rng.shuffled(idle)
    if idle and rng.randrange(8) == 0:
        order = rng.shuffled(idle) + order
    for seat in [*order, CLOCK]:
        move = random_move(game, state, seat, rng)
        if move is not None:
            return move
    raise Stuck("no player can move and the match is not over")


def transcript(
    game: Game[Any], seats: int, options: Any, seed: bytes, moves: Iterable[str]
) -> Iterator[str]:
    """Yield the lines of a playthrough, stable from run to run, for golden files and readers.

    After each move, it lists the changes in each viewer's view.
    """
    yield f"game: {game.key} version {game.version}"
    yield f"seats: {seats}"
    yield f"options: {to_json(options).decode()}"
    yield f"seed: {seed.hex()}"
    seen: dict[Seat | None, list[str]] = {}
    for number, (move, done) in enumerate(replay(game, seats, options, seed, moves)):
        yield ""
        yield f"--- {number}: {move if move else 'the deal'}"
        yield from _told(done)
        public = list(lines_of(game.view(done.state, None)))
        yield from _changed(seen.get(None, []), public)
        seen[None] = public
        for seat in range(seats):
            own = [*_seen_alone(game, done, seat, public)]
            if changed := list(_changed(seen.get(seat, []), own)):
                yield f"{NAMES[seat]} sees:"
                yield from (f"  {line}" for line in changed)
            seen[seat] = own
        if (outcome := game.outcome(done.state)) is not None:
            yield f"outcome: {outcome.reason} scores {outcome.scores} places {outcome.places}"


def _told(done: Step[Any]) -> Iterator[str]:
    for event in done.events:
        to = "all" if event.to is None else NAMES[event.to]
        facts = " ".join(f"{key}={_short(value)}" for key, value in event.facts.items())
        yield f"{to}: {event.kind} {facts}".rstrip()


def _seen_alone(game: Game[Any], done: Step[Any], seat: Seat, public: list[str]) -> Iterator[str]:
    """Yield what a player sees but spectators do not, and the player's offers."""
    for line in lines_of(game.view(done.state, seat)):
        if line not in public:
            yield line
    for offer in prompt(game, done.state, seat).offers:
        size = f" {offer.least}-{offer.most} of" if offer.options else ""
        yield f"may {offer.verb}{size} {' '.join(offer.options)}".rstrip()


def _changed(before: list[str], now: list[str]) -> Iterator[str]:
    """Yield the lines that changed, by name, and the names that disappeared."""
    old, new = _by_name(before), _by_name(now)
    for name, lines in new.items():
        if old.get(name) != lines:
            yield from lines
    for name in old:
        if name not in new:
            yield f"- {name}"


def _by_name(lines: list[str]) -> dict[str, list[str]]:
    """Return lines by subject: a zone, a fact, a verb or the status line."""
    found: dict[str, list[str]] = {}
    for line in lines:
        name, is_named, _ = line.partition(":")
        if not is_named:
            name = " ".join(line.split()[:2]) if line.startswith("may ") else "saying"
        found.setdefault(name, []).append(line)
    return found


def lines_of(view: View) -> Iterator[str]:
    """Yield the lines of a view: the status line, the zones with their marks, and the facts."""
    yield f"{view.saying.kind} {_short(view.saying.facts)}"
    for zone in view.zones:
        yield f"{zone.name}{_owner(zone.owner)}: {' '.join(zone.cards) or '-'}"
        if zone.marks:
            yield f"{zone.name}{_owner(zone.owner)} marks: {_short(zone.marks)}"
    for key, value in view.facts.items():
        yield f"{key}: {_short(value)}"


def _owner(seat: Seat | None) -> str:
    return "" if seat is None else f" {NAMES[seat]}"


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}={_short(item)}" for key, item in value.items())
    if isinstance(value, (list, tuple)):
        return ",".join(map(_short, value)) or "-"
    return str(value)
