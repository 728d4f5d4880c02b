"""A match from its beginning to its end."""

from collections import Counter
from typing import Any

from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.engine import clocks, must_answer, start, step
from kaboom.engine.log_replay import replay
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_match, random_turn
from kaboom.engine.views import Outcome
from kaboom.games.trial import MOST, STUCK, Trial, seed
from kaboom.testing.cases import every_game


@every_game
def test_match_of_random_players_ends(trial: Trial) -> None:
    for _ in trial.ends():
        pass


@every_game
def test_outcome_gives_each_seat_a_score_and_a_place(trial: Trial) -> None:
    for _, seats, outcome in trial.ends():
        scores, places = outcome.scores, outcome.places
        numbers = [it for it in scores if isinstance(it, (int, float)) and it == it]
        if len(numbers) < len(scores):
            trial.fail(
                f"the outcome has the scores {scores}; each must be a number, 0 where nothing "
                "counts"
            )
        if len(scores) != seats:
            trial.fail(
                f"the outcome has {len(scores)} scores for {seats} seats; Outcome.scores must "
                "have one for each seat"
            )
        if len(places) != seats:
            trial.fail(
                f"the outcome has {len(places)} places for {seats} seats; Outcome.places must "
                "have one for each seat (kaboom.engine.views.places)"
            )
        ranked = tuple(1 + sum(other < mine for other in places) for mine in places)
        if places != ranked:
            trial.fail(
                f"the outcome has the places {places}, so that a place is skipped; one seat is "
                "first, and the seat after two at place 1 is at place 3 "
                "(kaboom.engine.views.places)"
            )
        reasons = ("won", "draw", "forfeit", "abandoned", "deck_exhausted")
        if outcome.reason not in reasons:
            trial.fail(
                f"the outcome has the reason {outcome.reason!r}; it must be one of "
                f"{', '.join(reasons)}"
            )


def fits(outcome: Outcome, seats: int) -> bool:
    """Return True if an outcome has a number and a place for each seat."""
    numbers = [it for it in outcome.scores if isinstance(it, (int, float))]
    return len(outcome.scores) == len(numbers) == len(outcome.places) == seats


@every_game
def test_places_in_the_outcome_follow_the_scores(trial: Trial) -> None:
    """The order follows Game.lowest_wins; an absent seat may be placed behind a worse score."""
    lowest = trial.game.lowest_wins
    for state, seats, outcome in trial.ends():
        if not outcome.winners or not fits(outcome, seats):
            continue
        present = [seat for seat in range(seats) if seat not in state.absent]
        for one in present:
            for two in present:
                ahead = outcome.scores[one] - outcome.scores[two]
                better = ahead < 0 if lowest else ahead > 0
                if better and outcome.places[one] >= outcome.places[two]:
                    trial.fail(
                        f"seat {one} has {outcome.scores[one]:g} points and place "
                        f"{outcome.places[one]}, seat {two} has {outcome.scores[two]:g} and place "
                        f"{outcome.places[two]}; rank them by their scores, the "
                        f"{'lowest' if lowest else 'highest'} first, or set Game.lowest_wins to "
                        f"{not lowest}"
                    )


@every_game
def test_moves_are_possible_until_the_outcome_and_not_after_it(trial: Trial) -> None:
    game = trial.game
    for seats in trial.sizes:
        for state, _, _ in trial.walk(1, seats):
            can = must_answer(game, state) or clocks(game, state)
            if game.outcome(state) is None:
                if not can:
                    trial.fail(STUCK, "stuck")
            elif can:
                trial.fail(
                    "a seat can move although there is an outcome; do not override Game.listeners"
                )


@every_game
def test_standings_are_available_at_every_moment(trial: Trial) -> None:
    """A tournament scores a match that runs out of time by the places so far."""
    for state, seats in trial.positions():
        places = trial.game.so_far(state)
        if len(places) not in (0, seats) or not all(1 <= place <= seats for place in places):
            trial.fail(
                f"`so_far` gives the places {tuple(places)} for {seats} seats; give none, or one "
                f"from 1 to {seats} for each seat"
            )


@every_game
def test_state_survives_json_round_trip(trial: Trial) -> None:
    for state, _ in trial.positions():
        again = from_json(to_json(state), trial.game.state)
        if again != state or to_json(copied(state)) != to_json(state):
            changed = [
                name
                for name in state.__struct_fields__
                if getattr(again, name) != getattr(state, name)
            ]
            trial.fail(
                f"the state differs after a round trip through JSON (fields {changed}); use lists, "
                "numbers, strings and Structs with type hints, no sets and no tuples for lists"
            )


@every_game
def test_a_match_replays_to_the_same_state(trial: Trial) -> None:
    game = trial.game
    for number, seats in enumerate(trial.sizes):
        trial.place.go(number, seats)
        moves, last = random_match(game, seats, game.options(), seed(number), MOST)
        *_, (_, again) = replay(game, seats, game.options(), seed(number), moves)
        if to_json(again.state) != to_json(last):
            trial.fail(
                "the same moves lead to a different state when they are played again; draw with "
                "play.rng only, and keep nothing outside the state"
            )


@every_game
def test_move_does_not_mutate_the_old_state(trial: Trial) -> None:
    game, seats, key = trial.game, trial.sizes[0], seed(3)
    state = start(game, seats, game.options(), key).state
    for n in range(1, 60):
        if game.outcome(state) is not None:
            return
        trial.place.go(3, seats, n)
        before = to_json(state)
        move = random_turn(game, state, seats, Rng(key, n, "players"))
        after = step(game, state, move, Rng(key, n)).state
        if to_json(state) != before:
            trial.fail(f"{str(move)!r} changed the previous state; change only play.state")
        state = after


@every_game
def test_every_step_emits_an_event(trial: Trial) -> None:
    """A handler that emits no event would leave a gap in the log."""
    for _, events, _ in trial.walk(4, trial.sizes[-1]):
        if not events:
            trial.fail("this move emitted no event; its handler must call play.tell")


@every_game
def test_no_card_is_lost_or_duplicated(trial: Trial) -> None:
    """Count the cards in the fields of the state that Sample.places names, or else in the zones
    that OPEN sees.
    """
    game, about = trial.game, trial.about
    whole: Counter[str] = Counter()
    for number, seats in enumerate(trial.sizes):
        for state, events, _ in trial.walk(number, seats):
            now = trial.cards(state)
            if about.places:
                _look_at_count(trial, state, seats, now)
            elif about.conserved:
                dealt = any(event.kind in game.deals for event in events)
                if whole and now and now != whole and not dealt:
                    lost, more = (" ".join(it) or "none" for it in (whole - now, now - whole))
                    trial.fail(
                        f"the cards are not those that were dealt (gone: {lost}; new: {more}); "
                        "move each from one zone to another, name what deals again in "
                        "Game.deals, or say in the Sample where cards are (places, count) or "
                        "that they come and go (conserved=False)"
                    )
                whole = now
        whole = Counter()


def _look_at_count(trial: Trial, state: Any, seats: int, now: Counter[str]) -> None:
    about = trial.about
    where = ", ".join(about.places)
    twice = [str(card) for card, count in now.items() if count > about.packs]
    if twice:
        trial.fail(
            f"{' '.join(twice)} is in {where} more than {about.packs} times; remove a card "
            "from its place when it moves elsewhere"
        )
    if about.count is not None and now.total() not in about.count(state, seats):
        trial.fail(
            f"{now.total()} cards are in {where}, where Sample.count says "
            f"{' or '.join(map(str, sorted(about.count(state, seats))))}; do not lose or create "
            "cards, or fix the count"
        )
