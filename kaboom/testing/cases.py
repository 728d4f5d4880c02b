"""The games under test, and what several test modules share."""

from collections.abc import Sequence
from typing import Any

from kaboom.engine.codec import copied
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.play import Listener, Play
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.games.trial import Trial, refusal_of, sample_of, seed, tried_on, with_options

APART = {
    f"{key}, {name}": with_options(game, values)
    for key, game in GAMES.items()
    for name, values in sample_of(key)[0].apart.items()
}
CASES = GAMES | APART
TRIALS = {name: Trial(name, game) for name, game in CASES.items()}
every_game = tried_on(TRIALS)
once_a_game = tried_on({name: TRIALS[name] for name in GAMES})  # without Sample.apart


def redealt(game: Game[Any], state: Any, viewer: Seat | None, number: int) -> Any:
    """Return another state that the viewer cannot tell from this one; each `number` gives
    another deal.
    """
    play: Play[Any] = Play(CLOCK, Rng(seed(number), number, "resample"))
    play.state = copied(state)
    game.resample(play, viewer)
    return play.state


def refusal(
    game: Game[Any], state: Any, move: Move, listeners: Sequence[Listener]
) -> tuple[str, str, str] | None:
    """Return the kind, sentence and rule of the refusal of a move by these listeners, or None if
    they accept it.
    """
    no = refusal_of(game, state, move, listeners=listeners)
    return None if no is None else (type(no).__name__, str(no), no.rule)
