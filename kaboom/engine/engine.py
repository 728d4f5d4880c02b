"""Start, step, prompt, replay: the same few functions for every game."""

from collections.abc import Iterable, Sequence
from typing import Any, Generic

from msgspec import Struct

from kaboom.engine.codec import copied
from kaboom.engine.decisions import go_on
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Refusal, Seat, moved_on
from kaboom.engine.play import Event, Listener, Play, S
from kaboom.engine.rng import Rng
from kaboom.engine.views import Offer, Prompt


class Step(Struct, Generic[S], frozen=True):
    """The result of a move: the new state and the events, in order."""

    state: S
    events: Sequence[Event]


def start(game: Game[S], seats: int, options: Any, seed: bytes, board: bool = False) -> Step[S]:
    """Return the first state of a match, after the deal, which uses random stream number 0.

    With `board`, the deal is shared by several tables (kaboom.engine.rng); only for games with
    `Game.board`.
    """
    play: Play[S] = Play(CLOCK, Rng(seed, 0))
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
    rng: Rng,
    token: str | None = None,
    listeners: Iterable[Listener] | None = None,
) -> Step[S]:
    """Return the state after the move; `state` itself is not changed.

    `token` is that of the offer the move answers; None skips the check. `listeners` is the listener
    map of the state, if already known. Raises NotOnOffer, StaleMove or IllegalMove, each with a
    sentence for the player.
    """
    return step_on(game, copied(state), move, rng, token, listeners)


def step_on(
    game: Game[S],
    state: S,
    move: Move,
    rng: Rng,
    token: str | None = None,
    listeners: Iterable[Listener] | None = None,
) -> Step[S]:
    """Do the same as `step`, but change `state` in place; a refused move does not change it."""
    listener = find(game, state, move, token, listeners)
    play = play_in(game, state, move.seat, rng)
    listener.then(play, *move.choices)
    go_on(play)
    return Step(play.state, play.events)


def play_in(game: Game[S], state: S, seat: Seat, rng: Rng) -> Play[S]:
    """Return the play of a seat that changes this state."""
    play: Play[S] = Play(seat, rng)
    play.game, play.state, play.board = game, state, getattr(state, "board", False)
    return play


def prepared(game: Game[S], state: S, seat: Seat, made: Iterable[str], rng: Rng) -> S:
    """Return the state after moves of a seat that only prepare another one, such as adding a card
    to a row (`Game.pieces`). An impossible move and all moves after it are left out.
    """
    for text in made:
        try:
            move = Move.parse(f"{seat} {text}")
            if move.verb in game.pieces:
                state = step(game, state, move, rng).state
        except Refusal:
            break
    return state


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
    raise NotOnOffer(_("You cannot do that now."))


def prompt(game: Game[S], state: S, seat: Seat) -> Prompt:
    """Return all offers to a seat: its part of the listener map, without the handlers."""
    return Prompt(seat, tuple(offer(li) for li in game.listeners(state) if li.seat == seat))


def prompts(listeners: Iterable[Listener], seats: int) -> list[Prompt]:
    """Return the prompts of all seats from one pass through the listener map."""
    offers: list[list[Offer]] = [[] for _unused in range(seats)]
    for listener in listeners:
        if listener.seat != CLOCK:
            offers[listener.seat].append(offer(listener))
    return [Prompt(seat, tuple(own)) for seat, own in enumerate(offers)]


def offer(listener: Listener) -> Offer:
    """Return a listener as an offer for its seat."""
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
    """Return the moves that the game offers to the host now."""
    return [offer(li) for li in game.listeners(state) if li.verb in game.hosts]


def waiting_for(game: Game[S], state: S) -> list[Seat]:
    """Return the seats for which the game openly waits, in seat order."""
    waits = (li for li in game.listeners(state) if li.blocks and not li.sealed)
    return sorted({li.seat for li in waits if li.seat != CLOCK})


def must_answer(game: Game[S], state: S) -> list[Seat]:
    """Return the seats for which the game waits, including secret ones. Never show them to
    viewers.
    """
    return sorted({li.seat for li in game.listeners(state) if li.blocks and li.seat != CLOCK})


def clocks(game: Game[S], state: S) -> list[Listener]:
    """Return the clock listeners that fire automatically, including held ones."""
    return timed(game.listeners(state))


def timed(listeners: Iterable[Listener]) -> list[Listener]:
    """Return the listeners among these that fire automatically, including held ones."""
    return [li for li in listeners if li.after is not None]


def random_move(game: Game[S], state: S, seat: Seat, rng: Rng) -> Move | None:
    """Return a random legal move of a seat (a timed one for CLOCK), or None if it has none."""
    own = [li for li in game.listeners(state) if li.seat == seat]
    for listener in rng.shuffled(own):
        if seat == CLOCK and listener.after is None:
            continue
        choices = listener.pick.random(rng)
        if choices is not None:
            return Move(seat, listener.verb, choices)
    return None
