"""Time limits, and play by correspondence."""

from dataclasses import replace
from typing import Any

from kaboom.engine.engine import clocks, must_answer, waiting_for
from kaboom.engine.game import Game
from kaboom.engine.moves import CLOCK
from kaboom.engine.options import contradictions, declared, limits
from kaboom.games.trial import Trial, with_options
from kaboom.testing.cases import every_game


def hurried(game: Game[Any]) -> Game[Any]:
    """Return the game with every time limit set."""
    times = [option.name for option in declared(type(game.options())) if option.unit == "seconds"]
    return with_options(game, dict.fromkeys(times, 2))


@every_game
def test_clock_is_a_deadline_if_the_seat_awaited_is_public(trial: Trial) -> None:
    """A deadline runs only while the table waits for a seat; a deal or a race continues
    automatically.
    """
    limited = hurried(trial.game)
    times, deadlines = limits(limited.options()), 0
    for state, _ in trial.under(limited).positions(every=3):
        for listener in clocks(limited, state):
            if not listener.held and listener.decision != bool(waiting_for(limited, state)):
                trial.fail(
                    f"the clock’s {listener.verb!r} is a deadline while the table openly waits "
                    "for no seat, or is not one while it waits for a seat; yield a Decision for "
                    "what the table waits for, and a CLOCK listener only for what happens "
                    "automatically"
                )
            deadlines += listener.decision
            if listener.decision and listener.after not in times.values():
                trial.fail(
                    f"people have {listener.after} seconds here, which Options.times() does not "
                    "list; add the option that sets them"
                )
    if times and not deadlines:
        trial.fail(
            "Options.times() lists times that never run; pass them to a Decision as `seconds`"
        )


@every_game
def test_correspondence_needs_no_simultaneous_presence(trial: Trial) -> None:
    """There is no race, no time in seconds, and no automatic event except for absent seats."""
    game = trial.game
    options = game.by_days(game.options())
    fix = "Game.by_days must return options that avoid it"
    if game.by_days(options) != options:
        trial.fail("`by_days` changes options that it has returned; it must leave them as they are")
    if any(limits(options).values()):
        trial.fail(f"correspondence play has times in seconds; {fix}")
    if contradictions(options):
        trial.fail(
            "the options for correspondence play contradict each other "
            f"({contradictions(options)}); {fix}"
        )
    if game.seats(options) != game.seats(game.options()):
        trial.fail(f"correspondence play allows other numbers of players; {fix}")
    chosen: Any = lambda: options  # noqa: E731
    slow = trial.under(replace(game, options=chosen))
    for number, seats in enumerate({trial.sizes[0], trial.sizes[-1]}):
        if game.why_not(options, seats) != game.why_not(game.options(), seats):
            trial.fail(f"correspondence play changes whether {seats} players may play; {fix}")
        for state, _, _ in slow.walk(number, seats):
            for listener in slow.game.listeners(state):
                if listener.race or (listener.seat == CLOCK and listener.after):
                    trial.fail(
                        f"in correspondence play {listener.verb!r} is a race or has a time limit; "
                        f"{fix}"
                    )


@every_game
def test_only_seats_that_owe_a_decision_are_asked_and_awaited(trial: Trial) -> None:
    """Otherwise the clock would decide for a seat not prompted, or never for one that was."""
    game = trial.game
    for state, _ in trial.positions():
        if game.outcome(state) is None:
            owed = [decision for decision in game.decisions(state) if not decision.held]
            seats = sorted({seat for decision in owed for seat in decision.seats})
            if seats != must_answer(game, state):
                trial.fail(
                    f"`decisions` waits for the seats {seats}, but `offers` asks "
                    f"{must_answer(game, state)}; both must name the same seats"
                )
