"""How long matches take: `python -m bench.lengths > kaboom/games/match_minutes.py`.

Easy bots play matches of each preset with each usual number of players, and each decision takes as
many seconds as people need. Simultaneous decisions take as long as one.
"""

from collections.abc import Iterator
from statistics import median
from typing import Any

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.evaluate import MOST_MOVES, Match, Player
from kaboom.engine.engine import prompts, step_on, timed
from kaboom.engine.game import Game
from kaboom.engine.rng import Rng
from kaboom.games import GAMES

MATCHES = 9
# Assumptions: median seconds that people take.
TURN = 4.0  # a decision
TOGETHER = 7.0  # a simultaneous one, until the last player has decided
QUICK = 1.5  # one that needs no thought, or for which no player waits
DEAL = 3.0  # an automatic step, such as a deal or a completed trick; timed ones may be faster


class TimedMatch(Match):
    """A match whose decisions take time."""

    def seconds(self) -> float:
        """Play to the end; return the seconds that people would have taken."""
        game, took = self.game, 0.0
        together: set[int] = set()
        while game.outcome(self.state) is None and self.number < MOST_MOVES:
            self.number += 1
            listeners = list(game.listeners(self.state))
            asked = prompts(listeners, len(self.players))
            waited = {it.seat for it in asked if it.waited_for}
            move = self._next_move(asked)
            if move is None:
                step = min(timed(listeners), key=lambda each: each.after or 0)
                move = step.clock_move
                took += DEAL if step.after is None else min(step.after, DEAL)
            elif move.verb in game.quick or move.seat not in waited:
                took += QUICK if len(waited) < 2 else 0.0
            elif len(waited) < 2:  # the last of those who decide simultaneously
                took += TOGETHER if waited < together else TURN
            together = waited
            done = step_on(game, self.state, move, Rng(self.seed, self.number), listeners=listeners)
            self.state = done.state
            self._hear(done.events)
        return took


def minutes(game: Game[Any], options: Any, seats: int) -> int:
    """Return the median duration of several matches in minutes."""
    players = [Player(game.bot, Level.EASY)] * seats
    took = [
        TimedMatch(game, players, options, number.to_bytes(32, "big")).seconds()
        for number in range(MATCHES)
    ]
    return max(1, round(median(took) / 60))


def rows() -> Iterator[tuple[str, str, dict[int, int]]]:
    """Yield each game and preset by their keys, with the minutes by number of players."""
    for key, game in GAMES.items():
        for way in (game.usual, *game.presets):
            options = game.options(**way.values)
            sizes = [it for it in game.playable(options) if 2 <= it <= 6]
            yield key, way.key, {seats: minutes(game, options, seats) for seats in sizes}


if __name__ == "__main__":
    print('"""Minutes that matches take: written by `python -m bench.lengths`."""\n')
    print("# By game, way to play and number of players.")
    print("MINUTES: dict[str, dict[str, dict[int, int]]] = {")
    last = ""
    for game_key, way_key, by_seats in rows():
        if game_key != last:
            print("    },\n" if last else "", end="")
            print(f'    "{game_key}": {{')
            last = game_key
        print(f'        "{way_key}": {by_seats},', flush=True)
    print("    },\n}")
