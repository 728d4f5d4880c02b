"""Seats that their player left, or that a bot plays: neither stops a match."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from kaboom.engine.attendance import LEAVE, RETURN
from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import Step as Done
from kaboom.engine.engine import clocks, must_answer, prompt, random_move, start, step
from kaboom.engine.game import Game
from kaboom.engine.log_replay import LogReplay
from kaboom.engine.moves import CLOCK, Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import VERB as BACK
from kaboom.games.trial import MOST, STUCK, Trial, refusal_of, seed, with_options
from kaboom.testing.cases import every_game, once_a_game


@every_game
def test_an_absent_seat_does_not_stop_the_game(trial: Trial) -> None:
    """All seats but one leave; then the table may wait only for the one that stayed."""
    game, key = trial.game, seed(9)
    for seats in trial.sizes:
        trial.place.go(9, seats, 0)
        state = start(game, seats, game.options(), key).state
        for gone in range(1, seats):  # seat 1 leaves by move 1, and so on
            if game.outcome(state) is None:
                trial.place.go(9, seats, gone)
                leaving = Move(CLOCK, "leave", (str(gone),))
                state = step(game, state, leaving, Rng(key, gone)).state
        for n in range(seats, 300):
            if game.outcome(state) is not None:
                break
            trial.place.go(9, seats, n)
            timed = [li for li in clocks(game, state) if not li.held]
            due = [li for li in timed if li.after == 0]
            if not due and 0 not in must_answer(game, state):
                due = timed  # moves of the clock, such as the next card of a deal
                if not due:
                    trial.fail(
                        "when all but seat 0 have left, the match is stuck; give each Decision a "
                        "`default`, or end the match in `left`"
                    )
            rng = Rng(key, n, "players")
            move = due[0].clock_move if due else random_move(game, state, 0, rng)
            if move is None:
                trial.fail("the table waits for seat 0, which has no legal move; see its pick")
            state = step(game, state, move, Rng(key, n)).state


@every_game
def test_all_seats_learn_who_leaves_and_returns(trial: Trial) -> None:
    game, seats = trial.game, trial.sizes[-1]
    state = start(game, seats, game.options(), seed(3)).state
    for n, (verb, kind) in enumerate((("leave", "left"), ("return", "returned")), start=1):
        trial.place.go(3, seats, n)
        done = step(game, state, Move(CLOCK, verb, ("0",)), Rng(seed(3), n))
        told = [(event.facts, event.to) for event in done.events if event.kind == kind]
        if told != [({"seat": 0}, None)]:
            trial.fail(
                f"{kind!r} is not told exactly once, to all; the engine tells it, so the game "
                "must not"
            )
        state = done.state
        if game.outcome(state) is not None:  # the match cannot continue without that seat
            return


@every_game
def test_bots_play_a_match_from_their_seats_view(trial: Trial) -> None:
    game = trial.game
    if game.bot is None:
        pytest.skip(f"{game.name} has no bot of its own")
    seats, key = trial.sizes[-1], seed(5)
    done = start(game, seats, game.options(), key)
    memories = [game.bot.memory() for _ in range(seats)]
    for n in range(1, MOST):
        trial.place.go(5, seats, n)
        for seat, memory in enumerate(memories):
            game.bot.hear(memory, done.events, seat)
        memories = [from_json(to_json(memory), game.bot.memory) for memory in memories]
        if game.outcome(done.state) is not None:
            break
        if waited := must_answer(game, done.state):
            trial.place.seat = seat = waited[0]
            own = prompt(game, done.state, seat)
            rng = Rng(key, n, f"bot {seat}")
            move = game.bot.choose(memories[seat], game.view(done.state, seat), own, rng)
            if move is None:
                trial.fail(
                    "the table waits for the bot, which does not move; `weigh` must return a move"
                )
            if (no := refusal_of(game, done.state, move)) is not None:
                trial.fail(f"the bot’s {str(move)!r} is refused ({no}); choose from offer.playable")
        else:
            move = random_move(game, done.state, CLOCK, Rng(key, n, "clock"))
            if move is None:
                trial.fail(STUCK, "stuck")
        done = step(game, done.state, move, Rng(key, n))


@once_a_game
def test_absent_seats_sealed_choice_can_be_changed_on_return(trial: Trial) -> None:
    """While others have yet to choose, the choice can be taken back without a trace."""
    for values in ({}, *trial.about.variants):
        game = with_options(trial.game, values)
        for state, seat, texts in islice(sealed_for_the_absent(trial.under(game)), 12):
            course = LogReplay(game, copied(state), seed(1), texts)
            for text in texts:
                course.play(text)
            left = then(game, state, texts[0])
            back = then(game, left.state, texts[2], 3).state
            if to_json(course.state) != to_json(back):
                trial.fail(
                    f"what was chosen for seat {seat}, which had left ({texts[1]}), leaves a trace "
                    "when it is taken back; `default` must change nothing but the choice"
                )


def sealed_for_the_absent(trial: Trial) -> Iterator[tuple[Any, Seat, Sequence[str]]]:
    """Yield states in which the clock chooses in secret for an absent seat while others have yet to
    choose: the seat leaves, the clock chooses, the seat returns and takes the choice back.
    """
    game = trial.game
    for state, _ in trial.positions(every=11):
        for seat in must_answer(game, state):
            leaving = f"{CLOCK} {LEAVE} {seat}"
            left = then(game, state, leaving).state
            name = name_of_choice_for(game, left, seat)
            lapsing = f"{CLOCK} lapse {name}"
            if name is not None and is_sealed(then(game, left, lapsing, 2), seat):
                back = f"{CLOCK} {RETURN} {seat}"
                yield state, seat, (leaving, lapsing, back, f"{seat} {BACK} 2")
                break


def then(game: Game[Any], state: Any, text: str, number: int = 1) -> Done[Any]:
    """Return the result of the move with this text and number."""
    return step(game, state, Move.parse(text), Rng(seed(1), number))


def name_of_choice_for(game: Game[Any], state: Any, seat: Seat) -> str | None:
    """Return the name under which the clock chooses for an absent seat while other seats have yet
    to choose, or None.
    """
    if game.outcome(state) is not None:
        return None
    owed = [it for it in game.decisions(state) if it.default is not None and it.then is not None]
    several = (it for it in owed if seat in it.seats and set(it.seats) - set(state.absent))
    return next((it.name_for(seat) for it in several), None)


def is_sealed(done: Done[Any], seat: Seat) -> bool:
    """Return True if only the seat was told the choice, and all others only that it was made."""
    told = [event.facts for event in done.events if event.to is None]
    whispers = {event.to for event in done.events} - {None}
    return whispers == {seat} and all(facts in ({}, {"seat": seat}) for facts in told)
