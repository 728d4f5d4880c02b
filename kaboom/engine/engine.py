"""Start, step, prompt, replay: the same few functions for every game."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic

from msgspec import Struct

from kaboom.engine.codec import copied
from kaboom.engine.decisions import go_on
from kaboom.engine.game import Game
from kaboom.engine.i18n import say
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Seat, moved_on
from kaboom.engine.play import Event, Listener, Play, S
from kaboom.engine.rng import Chance
from kaboom.engine.views import Offer, Prompt


class Step(Struct, Generic[S], frozen=True):
    """What a move led to: the new state and the events, in the order they happened."""

    state: S
    events: Sequence[Event]


def start(game: Game[S], seats: int, options: Any, seed: bytes, board: bool = False) -> Step[S]:
    """Return the first state of a match: move number 0 of its chance is the deal.

    `board`: is it one deal for several tables (kaboom.engine.rng)? Only games with `Game.board`.
    """
    play: Play[S] = Play(CLOCK, Chance(seed, 0))
    play.game, play.board = game, board
    game.setup(play, seats, options)
    if board:
        state: Any = play.state
        state.board = True
    return Step(play.state, play.events)


def step(
    game: Game[S],
    state: S,
    move: Move,
    chance: Chance,
    token: str | None = None,
    listeners: Iterable[Listener] | None = None,
) -> Step[S]:
    """Return the state after the move; `state` itself is left as it was.

    `token` is that of the offer the move answers; None skips the check. `listeners` is the listener
    map of the state, if it is known already. Raises NotOnOffer, StaleMove or IllegalMove, each with
    a sentence for the player.
    """
    return step_on(game, copied(state), move, chance, token, listeners)


def step_on(
    game: Game[S],
    state: S,
    move: Move,
    chance: Chance,
    token: str | None = None,
    listeners: Iterable[Listener] | None = None,
) -> Step[S]:
    """Do the same as `step`, but in `state` itself; a move that is refused leaves it as it was."""
    listener = find(game, state, move, token, listeners)
    play: Play[S] = Play(move.seat, chance)
    play.game, play.state, play.board = game, state, getattr(state, "board", False)
    listener.then(play, *move.choices)
    go_on(play)
    return Step(play.state, play.events)


def find(
    game: Game[S],
    state: S,
    move: Move,
    token: str | None = None,
    listeners: Iterable[Listener] | None = None,
) -> Listener:
    """Return the listener that takes the move; raises NotOnOffer, StaleMove or IllegalMove."""
    refusal = None
    late = False
    for listener in game.listeners(state) if listeners is None else listeners:
        if listener.seat != move.seat or listener.verb != move.verb:
            continue
        if token is not None and token != listener.token:
            late = True
        elif (why_not := listener.pick.refusal(move.choices)) is None:
            return listener
        else:
            refusal = why_not
    if refusal:
        raise refusal
    if late:
        raise moved_on()
    raise NotOnOffer(say("That cannot be done now."))


def prompt(game: Game[S], state: S, seat: Seat) -> Prompt:
    """Return all offers of a seat: its part of the listener map, without the handlers."""
    return Prompt(seat, tuple(offer(li) for li in game.listeners(state) if li.seat == seat))


def prompts(listeners: Iterable[Listener], seats: int) -> list[Prompt]:
    """Return the prompts of all seats from one pass through the listener map."""
    offers: list[list[Offer]] = [[] for _ in range(seats)]
    for listener in listeners:
        if listener.seat != CLOCK:
            offers[listener.seat].append(offer(listener))
    return [Prompt(seat, tuple(own)) for seat, own in enumerate(offers)]


def offer(listener: Listener) -> Offer:
    """Return a listener as its seat sees it."""
    pick = listener.pick
    return Offer(
        seat=listener.seat,
        verb=listener.verb,
        options=pick.options,
        least=pick.least,
        most=pick.most,
        ordered=pick.ordered,
        about=listener.about,
        blocks=listener.blocks,
        confirm=listener.confirm,
        token=listener.token,
        sealed=listener.sealed,
        race=listener.race,
        playable=pick.playable(),
        numbers=pick.numbers,
    )


def host_offers(game: Game[S], state: S) -> list[Offer]:
    """Return what the table's host may ask of the game now."""
    return [offer(li) for li in game.listeners(state) if li.verb in game.hosts]


def waiting_for(game: Game[S], state: S) -> list[Seat]:
    """Return the seats the game is openly waiting for, in seat order."""
    waits = (li for li in game.listeners(state) if li.blocks and not li.sealed)
    return sorted({li.seat for li in waits if li.seat != CLOCK})


def must_answer(game: Game[S], state: S) -> list[Seat]:
    """Return the seats the game is waiting for, secretly too: for playing, never for showing."""
    return sorted({li.seat for li in game.listeners(state) if li.blocks and li.seat != CLOCK})


def clocks(game: Game[S], state: S) -> list[Listener]:
    """Return the clock listeners that fire by themselves, held ones too."""
    return timed(game.listeners(state))


def timed(listeners: Iterable[Listener]) -> list[Listener]:
    """Return the ones among these listeners that fire by themselves, held ones too."""
    return [li for li in listeners if li.after is not None]


def random_move(game: Game[S], state: S, seat: Seat, chance: Chance) -> Move | None:
    """Return some legal move of a seat (of CLOCK: a timed one), or None if it has none."""
    own = [li for li in game.listeners(state) if li.seat == seat]
    for listener in chance.shuffled(own):
        if seat == CLOCK and listener.after is None:
            continue
        choices = listener.pick.random(chance)
        if choices is not None:
            return Move(seat, listener.verb, choices)
    return None
