"""The contract of every game, built in or from another package, as tests for pytest.

`pytest --pyargs kaboom.testing -k hearts` tests one game, identified by its key. It needs pytest
and none of Kaboom's own tests. A game's `sample.py` makes it faster and more thorough. Each failure
is one sentence: the game, the place in the match, what is wrong and what to do
(kaboom/games/trial.py).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice
from typing import Any

import pytest

from kaboom.engine.attendance import LEAVE, RETURN
from kaboom.engine.bots import analysis
from kaboom.engine.codec import copied, from_json, to_json
from kaboom.engine.continued_match import notice
from kaboom.engine.engine import Step as Done
from kaboom.engine.engine import (
    clocks,
    find,
    must_answer,
    prompt,
    prompts,
    random_move,
    start,
    step,
    timed,
    waiting_for,
)
from kaboom.engine.faults import faults, of_values, unplayable
from kaboom.engine.game import Game
from kaboom.engine.log_replay import LogReplay, replay
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Seat, StaleMove
from kaboom.engine.options import contradictions, declared, limits
from kaboom.engine.play import Listener, Play
from kaboom.engine.rng import Rng
from kaboom.engine.takeback import VERB as BACK
from kaboom.engine.toolkit.fixtures import tried
from kaboom.engine.toolkit.playthrough import NAMES, random_match, random_turn
from kaboom.engine.views import DOWN, OPEN, Outcome, View
from kaboom.games import FAULTS, GAMES, LEFT_OUT, folder
from kaboom.games.trial import (
    MOST,
    STUCK,
    TRIES,
    Trial,
    known,
    names,
    refusal_of,
    sample_of,
    seed,
    tried_on,
    with_options,
)
from kaboom.learn.answers import feedback
from kaboom.learn.course import Course, played
from kaboom.learn.lessons import ANY, FIRST, InvalidLesson, Lesson, Step, found_in
from kaboom.puzzles.book import InvalidPuzzle, Puzzle, file_of, reached
from kaboom.puzzles.book import read as read_puzzles
from kaboom.web.rules_pages import rules_of

APART = {
    f"{key}, {name}": with_options(game, values)
    for key, game in GAMES.items()
    for name, values in sample_of(key)[0].apart.items()
}
CASES = GAMES | APART
TRIALS = {name: Trial(name, game) for name, game in CASES.items()}

every_game = tried_on(TRIALS)
once_a_game = tried_on({name: TRIALS[name] for name in GAMES})  # without Sample.apart


# Its declaration


@once_a_game
def test_game_declarations_are_consistent(trial: Trial) -> None:
    """A server omits the faulty part, and logs the fault when it starts."""
    game = trial.game
    why = unplayable(game)
    for fault in [why] if why else [*FAULTS.get(game.key, ()), *faults(game)]:
        trial.fail(fault)
    for seats in ["no number of players"] if not trial.sizes else trial.sizes:
        if seats not in range(1, len(NAMES) + 1):
            trial.fail(f"`seats` allows {seats}; it must return numbers from 1 to {len(NAMES)}")
    for preset in (game.usual, *game.presets):
        for name, sentence in contradictions(game.options(**preset.values)).items():
            trial.fail(
                f"the preset {preset.key!r} contradicts itself at the option {name!r} "
                f"({sentence}); change its values"
            )


@once_a_game
def test_sample_uses_only_existing_options(trial: Trial) -> None:
    about, options = trial.about, trial.game.options
    if trial.broken_sample:
        trial.fail(f"its sample.py cannot be read ({trial.broken_sample}); fix it")
    named = {"short": about.short, "long": about.long, **about.apart, **about.needs}
    named |= {f"variants[{place}]": values for place, values in enumerate(about.variants)}
    for name, values in named.items():
        for fault in of_values(f"Sample, {name}", values, options):
            trial.fail(fault)
    every = {option.name for option in declared(options)}
    for name in {*about.needs, *about.unseen} - every:
        trial.fail(f"its Sample names an option {name!r} that does not exist; remove it")
    for place in about.places:
        if place not in trial.game.state.__struct_fields__:
            trial.fail(f"Sample.places names {place!r}, which is not a field of the state; fix it")


# A match, from its beginning to its end


@every_game
def test_match_of_random_players_ends(trial: Trial) -> None:
    for _ in trial.ends():
        pass


@every_game
def test_outcome_gives_each_seat_a_score_and_a_place(trial: Trial) -> None:
    for state, seats, outcome in trial.ends():
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
        assert state is not None


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
                        "that they come "
                        "and go (conserved=False)"
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


# Possible moves


@every_game
def test_offered_moves_are_accepted_and_others_refused(trial: Trial) -> None:
    game, verbs = trial.game, {"nonsense"}
    for state, seats in trial.positions(every=11):
        for seat in trial.seats(seats):
            offers = prompt(game, state, seat).offers
            verbs |= {offer.verb for offer in offers}
            for n in range(3):
                move = random_move(game, state, seat, Rng(seed(n), n, "tries"))
                if move is not None and not step(game, state, move, Rng(seed(n), 1)).events:
                    trial.fail(f"{str(move)!r} emitted no event; its handler must call play.tell")
            for verb in verbs - {offer.verb for offer in offers}:
                if not isinstance(refusal_of(game, state, Move(seat, verb)), NotOnOffer):
                    trial.fail(f"{verb!r} is accepted although it is not offered; see `offers`")
            for offer in offers:
                if refusal_of(game, state, Move(seat, offer.verb, ("nonsense",))) is None:
                    trial.fail(
                        f"{offer.verb!r} accepts a choice that is not among its options; its "
                        "pick must list everything that can be chosen"
                    )


@every_game
def test_host_request_is_one_choice_and_never_automatic(trial: Trial) -> None:
    game, found = trial.game, set()
    for number, (state, seats) in enumerate(trial.positions(every=41)):
        for listener in game.listeners(state):
            verb, pick = listener.verb, listener.pick
            if verb not in game.hosts:
                continue
            found.add(verb)
            if (listener.seat, listener.after) != (CLOCK, None):
                trial.fail(f"{verb!r} is in Game.hosts; make it a CLOCK listener without `after`")
            if not pick.least == pick.most == 1:
                trial.fail(f"{verb!r} is in Game.hosts; its pick must be one_of(…)")
            trial.labelled(verb, names(seats, 0))
            if len({trial.spelled(verb, it, names(seats, 0)) for it in pick.options}) != len(
                pick.options
            ):
                trial.fail(f"two choices of {verb!r} have the same name; fix words.choices")
            for option in pick.options:
                move = Move(CLOCK, verb, (option,))
                if not step(game, state, move, Rng(seed(number), 1)).events:
                    trial.fail(f"{str(move)!r} emitted no event; its handler must call play.tell")
    for verb in set(game.hosts) - found:
        trial.fail(f"{verb!r} is in Game.hosts, but never offered; offer it or remove it")


@every_game
def test_learner_gets_an_explanation_at_every_moment(trial: Trial) -> None:
    """The last tip says how to win. In a game that has tips, a page for which none fits would
    fail.
    """
    game = trial.game
    for state, seats in trial.positions(every=23):
        for seat in trial.seats(seats):
            asked = prompt(game, state, seat)
            told = [
                name for name, _ in game.tips_for(game.view(state, seat), asked, game.options())
            ]
            for name in set(told) - set(game.tips):
                trial.fail(f"`tips_for` names a tip {name!r} that does not exist; add it to TIPS")
            if game.tips and not told:
                trial.fail("`tips_for` has no tip here; its last one must say how to win")


@every_game
def test_a_stale_token_is_refused(trial: Trial) -> None:
    game = trial.game
    for state, seats in trial.positions(every=23):
        for seat in trial.seats(seats):
            move = random_move(game, state, seat, Rng(seed(0), 0, "tries"))
            if move is not None:
                token = find(game, state, move).token
                if refusal_of(game, state, move, token) is not None:
                    trial.fail(f"{str(move)!r} is refused with its own token; see its `about`")
                if not isinstance(refusal_of(game, state, move, "0" * 10), StaleMove):
                    trial.fail(f"{str(move)!r} is accepted with a stale token; see its `about`")


@every_game
def test_token_of_an_answered_question_is_never_reissued(trial: Trial) -> None:
    """Otherwise a form left over from one decision would answer the next."""
    game = trial.game
    for number, seats in enumerate(trial.sizes):
        on_offer: dict[str, Listener] = {}
        gone: set[str] = set()
        for state, _, _ in trial.walk(number, seats):
            now = {li.token: li for li in game.listeners(state) if li.blocks and li.seat != CLOCK}
            gone |= on_offer.keys() - now.keys()
            for token in now.keys() & gone:
                trial.fail(
                    f"the question {now[token].verb!r} of seat {now[token].seat} has the token of "
                    "one that was answered before; give every decision an `about` of its own, "
                    "such as the number of the turn"
                )
            on_offer = now


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
def test_only_seats_that_owe_a_decision_are_asked_and_awaited(
    trial: Trial,
) -> None:
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


@every_game
def test_no_option_shares_its_name_with_another_form_field(trial: Trial) -> None:
    """The form for a new table has these fields besides the options."""
    fields = {"game", "name", "bots", "listed", "password", "watch", "start", "cmd", "preset"}
    fields |= {"level", "bot_pace", "hints", "banter", "days"}
    for name in fields & {option.name for option in declared(type(trial.game.options()))}:
        trial.fail(f"the option {name!r} has the same name as another field of its form; rename it")


@once_a_game
def test_every_time_limit_is_described_by_an_option(trial: Trial) -> None:
    """A fraction of a second is the pace of an animation, which no player waits for."""
    options, about = trial.game.options, trial.about
    limited = {it.name for it in declared(options) if it.unit == "seconds" and it.step == 1}
    tables = ({}, *about.variants, *about.apart.values())
    told = {name for values in tables for name in limits(options(**known(trial.game, values)))}
    for name in limited ^ told:
        trial.fail(
            f"the option {name!r} is not both a number of seconds and listed by Options.times(); "
            "make it both, or neither"
        )


@once_a_game
def test_every_option_changes_something(trial: Trial) -> None:
    """Options that the table itself implements, such as drawing the seats, are exempt."""
    for option in declared(trial.game.options):
        seen = option.name not in trial.about.unseen and option.name != "seating"
        if seen and not trial.changes(option.name):
            trial.fail(
                f"the option {option.name!r} changed nothing in {TRIES} matches; use it, remove "
                "it, or say in the Sample what it needs (needs), or that random players hardly "
                "ever meet it (unseen)"
            )


@once_a_game
def test_every_option_changes_the_rules_page(trial: Trial) -> None:
    game = trial.game
    if not (folder(game.key) / "rules.md").is_file():
        return  # another check reports it
    for option in declared(game.options):
        needed = known(game, trial.about.needs.get(option.name, {}))
        ways = [game.options(**{**needed, option.name: value}) for value in tried(option)]
        if len({rules_of(game, options).html for options in ways}) == 1:
            trial.fail(
                f"rules.md says the same whatever the option {option.name!r} is; it must use "
                f"options.{option.name}"
            )


@every_game
def test_each_verb_is_offered_once_to_a_seat(trial: Trial) -> None:
    for state, seats in trial.positions():
        for seat in trial.seats(seats):
            verbs = Counter(offer.verb for offer in prompt(trial.game, state, seat).offers)
            for verb, count in verbs.items():
                if count > 1:
                    trial.fail(f"{verb!r} is offered {count} times; offer it once, with one pick")


@every_game
def test_move_built_in_steps_can_be_made_in_one(trial: Trial) -> None:
    game, met = trial.game, set()
    for state, seats in trial.positions(every=1 if trial.game.pieces else MOST):
        for seat in trial.seats(seats):
            offers = prompt(game, state, seat).offers
            pieces = {offer.verb for offer in offers} & game.pieces
            met |= pieces
            if pieces and not any(it.blocks and it.verb not in pieces for it in offers):
                trial.fail(
                    f"{min(pieces)!r} prepares no move that is offered here; offer the "
                    "whole move as well"
                )
    for verb in game.pieces - met:
        trial.fail(f"{verb!r} is in Game.pieces, but never offered; offer it or remove it")


@every_game
def test_handlers_are_functions_of_a_module(trial: Trial) -> None:
    for state, _ in trial.positions():
        for listener in trial.game.listeners(state):
            if not re.fullmatch(r"\w+", listener.then.__qualname__):
                trial.fail(
                    f"the handler of {listener.verb!r} is {listener.then.__qualname__}; make it "
                    "a module-level function, which is the same after a restart"
                )


# Secrets


def redealt(game: Game[Any], state: Any, viewer: Seat | None, number: int) -> Any:
    """Return another state that the viewer cannot tell from this one; each `number` gives
    another deal.
    """
    play: Play[Any] = Play(CLOCK, Rng(seed(number), number, "resample"))
    play.state = copied(state)
    game.resample(play, viewer)
    return play.state


def seen(game: Game[Any], state: Any, viewer: Seat | None) -> bytes:
    """Return everything that the engine sends to a viewer."""
    return to_json(parts_seen(game, state, viewer))


def parts_seen(game: Game[Any], state: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return everything that the engine sends to a viewer, by name."""
    listeners = list(game.listeners(state))
    return {
        "view": game.view(state, viewer),
        "prompt": prompts(listeners, game.seated(state))[viewer] if viewer is not None else None,
        "waiting": waiting_for(game, state),
        "clocks": [(li.verb, li.about, li.after, li.held, li.decision) for li in timed(listeners)],
    }


def no_leak(trial: Trial, game: Game[Any], state: Any, other: Any, viewer: Seat | None) -> None:
    """Fail if a viewer can tell apart two states that differ only in what is hidden from them."""
    if seen(game, state, viewer) == seen(game, other, viewer):
        return
    here, there = parts_seen(game, state, viewer), parts_seen(game, other, viewer)
    parts = [name for name in here if to_json(here[name]) != to_json(there[name])]
    if "view" in parts:
        one, two = here["view"], there["view"]
        parts += [
            f"view.{name}"
            for name in one.__struct_fields__
            if to_json(getattr(one, name)) != to_json(getattr(two, name))
        ]
        parts.remove("view")
    trial.fail(
        f"a leak: {', '.join(parts)} depends on what this viewer cannot know; show less, or make "
        "`resample` keep what is known",
        "leak",
    )


@every_game
def test_view_and_prompt_hide_what_the_viewer_cannot_know(trial: Trial) -> None:
    game, changed = trial.game, 0
    for state, seats in trial.positions():
        for viewer in trial.viewers(seats):
            for number in range(2):
                other = redealt(game, state, viewer, number)
                changed += to_json(other) != to_json(state)
                no_leak(trial, game, state, other, viewer)
    if not changed:
        trial.fail(
            "`resample` changes nothing, so secrecy is not proved; it must deal again what a "
            "viewer cannot know (kaboom.engine.toolkit.resample)"
        )


@once_a_game
def test_views_hide_secrets_under_other_options(
    trial: Trial,
) -> None:
    for values in trial.about.variants:
        varied = trial.under(with_options(trial.game, values))
        seats = varied.sizes[-1]
        for state, _, n in varied.walk(8, seats):
            if n % 11 == 0 or varied.game.outcome(state) is not None:
                for viewer in trial.viewers(seats):
                    other = redealt(varied.game, state, viewer, n)
                    no_leak(trial, varied.game, state, other, viewer)


@every_game
def test_resample_uses_only_what_the_seat_knows(trial: Trial) -> None:
    """Moves are judged in resampled deals (kaboom.engine.bots.analysis). With the same random
    numbers, two states that a seat cannot tell apart must give the same deals.
    """
    game, key = trial.game, seed(6)
    seats = trial.sizes[-1]
    memories = [game.bot.memory() if game.bot else None for _ in range(seats)]
    for state, events, n in trial.walk(6, seats):
        for seat in trial.seats(seats) if game.bot else ():
            notice(game, memories[seat], events, seat)
        if n % 9 or game.outcome(state) is not None:
            continue
        for seat in trial.seats(seats):
            twin = analysis.redealt(game, state, seat, memories[seat], seed(n))
            here, there = (
                analysis.redealt(game, it, seat, memories[seat], key) for it in (state, twin)
            )
            if to_json(here) != to_json(there):
                trial.fail(
                    "`deal_again` (or `resample`) depends on where cards were that this seat "
                    "cannot know; put them into a canonical order before shuffling, as "
                    "kaboom.engine.toolkit.resample does"
                )


@every_game
def test_refusal_reveals_only_what_its_seat_knows(trial: Trial) -> None:
    game = trial.game
    for state, seats in trial.positions(every=17):
        here = list(game.listeners(state))
        for viewer, asked in zip(trial.seats(seats), prompts(here, seats), strict=True):
            other = redealt(game, state, viewer, 1)
            there = list(game.listeners(other))
            for offer in asked.offers:
                for choices in [(), offer.options[:1], offer.options[-2:], ("nonsense",)]:
                    move = Move(viewer, offer.verb, tuple(choices))
                    if refusal(game, state, move, here) != refusal(game, other, move, there):
                        trial.fail(
                            f"a leak: whether {str(move)!r} is refused, or how, depends on what "
                            "this seat cannot know; its why_not may use only what the seat sees",
                            "leak",
                        )


def refusal(
    game: Game[Any], state: Any, move: Move, listeners: Sequence[Listener]
) -> tuple[str, str, str] | None:
    """Return the kind, sentence and rule of the refusal of a move by these listeners, or None if
    they accept it.
    """
    no = refusal_of(game, state, move, listeners=listeners)
    return None if no is None else (type(no).__name__, str(no), no.rule)


@every_game
def test_a_spectator_sees_no_face_that_a_seat_does_not_see(trial: Trial) -> None:
    for state, seats in trial.positions():
        spectator = trial.game.view(state, None)
        if not isinstance(spectator, View):
            trial.fail(f"`view` returns {type(spectator).__name__}; it must return a View")
        for seat in trial.seats(seats):
            mine = list(trial.game.view(state, seat).zones)
            for zone in spectator.zones:  # several may have one name, in the same order
                at = f"the zone {zone.name!r} of {zone.owner}"
                own = next(
                    (it for it in mine if (it.name, it.owner) == (zone.name, zone.owner)), None
                )
                if own is None or len(own.cards) != len(zone.cards):
                    trial.fail(f"{at} differs for this seat; show all viewers the same zones")
                mine.remove(own)
                for there, here in zip(zone.cards, own.cards, strict=True):
                    if there not in ("?", here):
                        trial.fail(
                            f"a spectator sees {there} in {at}, and this seat {here}; hide it"
                        )


# Words


@every_game
def test_every_saying_offer_and_option_has_words(trial: Trial) -> None:
    """Every saying, offer and option has a text for every reader."""
    game = trial.game
    for state, seats in trial.positions():
        for viewer in trial.viewers(seats):
            reader = names(seats, viewer)
            saying = game.view(state, viewer).saying
            if not trial.said(saying.kind, saying.facts, reader):
                trial.fail(f"the saying {saying.kind!r} has no sentence; add it to words.sayings")
            if viewer is None:
                continue
            for offer in prompt(game, state, viewer).offers:
                trial.labelled(offer.verb, reader, offer.about)
                for option in offer.options:
                    trial.spelled(offer.verb, option, reader)


@every_game
def test_each_seat_has_points_beside_the_table(trial: Trial) -> None:
    for state, seats in trial.positions(every=23):
        for viewer in trial.viewers(seats):
            scores = trial.game.view(state, viewer).scores
            if scores is None:
                continue
            if len(scores.rows) != seats or any(
                len(row) != len(scores.headings) for row in scores.rows
            ):
                trial.fail(
                    f"View.scores has {len(scores.rows)} rows for {seats} seats, or a row without "
                    "a number for each heading; give each seat a row with a number for each heading"
                )
            for points in (points for row in scores.rows for points in row):
                if points is not None and not isinstance(points, (int, float)):
                    trial.fail(
                        f"View.scores has {points!r}; it must be a number, or None where there "
                        "is no score"
                    )


@every_game
def test_what_each_seat_has_is_said_in_words(trial: Trial) -> None:
    for state, seats in trial.positions(every=23):
        for viewer in trial.viewers(seats):
            standing = trial.game.view(state, viewer).standing
            if standing and len(standing) != seats:
                trial.fail(
                    f"View.standing has {len(standing)} entries for {seats} seats; give each seat "
                    "a saying, or None"
                )
            for saying in filter(None, standing):
                if not trial.said(saying.kind, saying.facts, names(seats, viewer)):
                    trial.fail(f"{saying.kind!r} has no text; add it to words.sayings")


@every_game
def test_every_public_event_has_a_sentence(trial: Trial) -> None:
    for number, seats in enumerate(trial.sizes):
        for _, events, _ in trial.walk(number, seats):
            for event in events:
                if event.to is None and not trial.said(event.kind, event.facts, names(seats)):
                    trial.fail(f"the event {event.kind!r} has no sentence; add it to words.sayings")


@every_game
def test_open_cards_log_has_each_step_once(trial: Trial) -> None:
    for number, seats in enumerate(trial.sizes):
        for _, events, _ in trial.walk(number, seats):
            told = [trial.looked_back(event, names(seats)) for event in events]
            said = [sentence for sentence in told if sentence]
            if not said:
                kinds = ", ".join(event.kind for event in events)
                trial.fail(
                    f"with all cards open no viewer is told of this move ({kinds}); add "
                    "“KIND.open” to words.sayings"
                )
            for sentence, count in Counter(said).items():
                if count > 1:
                    trial.fail(
                        f"with all cards open “{sentence}” is said {count} times; leave one of "
                        "its “KIND.open” in words.sayings empty"
                    )


@every_game
def test_no_sentence_names_its_actor_as_its_own_target(trial: Trial) -> None:
    """“Robin looks at their own card”, not “at Robin’s card”."""
    twice = re.compile(rf"\b({'|'.join(NAMES)}) .*\b\1’s")
    for number, seats in enumerate(trial.sizes):
        for state, events, _ in trial.walk(number, seats):
            for viewer in trial.viewers(seats):
                reader = names(seats, viewer)
                saying = trial.game.view(state, viewer).saying
                told = [trial.said(it.kind, it.facts, reader) for it in events]
                told += [trial.said(saying.kind, saying.facts, reader)]
                told += [trial.looked_back(event, reader) for event in events]
                for sentence in told:
                    if twice.search(sentence or ""):
                        trial.fail(f"“{sentence}” names a player twice; say “their own” instead")


# Leaving, and bots


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
        for event in done.events:
            for seat in range(seats):
                if event.heard_by(seat):
                    game.bot.notice(memories[seat], event, seat)
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


# Rules and replays


@every_game
def test_rules_page_has_the_name_of_the_game(trial: Trial) -> None:
    page = folder(trial.game.key) / "rules.md"
    if not page.is_file():
        return  # the check of the game's declaration reports it
    if not page.read_text(encoding="utf-8").startswith(f"# {trial.game.name}"):
        trial.fail(f"rules.md does not begin with “# {trial.game.name}”; add that title")


def ways(trial: Trial) -> list[Any]:
    """Return options to play the game with: the defaults, its presets and those of its sample."""
    game, about = trial.game, trial.about
    presets = [preset.values for preset in (game.usual, *game.presets)]
    every = (*presets, *about.variants, *about.apart.values())
    return [game.options(**known(game, values)) for values in every]


@once_a_game
def test_rules_page_renders_with_every_named_heading(trial: Trial) -> None:
    """Otherwise the page would show an error, or the link “The rule” in a refusal would lead
    nowhere.
    """
    game = trial.game
    for verb in {verb for verb in game.words.offers if "." not in verb} - set(game.words.rules):
        trial.fail(
            f"words.rules names no heading of rules.md for the verb {verb!r}; add the one that "
            "explains it"
        )
    if not (folder(game.key) / "rules.md").is_file():
        return
    found: list[set[str]] = [
        {slug for _, slug, _ in rules_of(game, options).contents} for options in ways(trial)
    ]
    for slug in set(game.words.rules.values()) - found[0].intersection(*found):
        trial.fail(
            f"words.rules names a heading {slug!r} that rules.md does not have, or not under all "
            "options; fix it: lower-case letters with hyphens"
        )
    for slug in {tip.rule for tip in game.tips.values()} - found[0].union(*found):
        trial.fail(f"a tip names a heading {slug!r} that rules.md does not have; fix it")


CARD = re.compile(r"[A23456789TJQK][SHDC]|[BR]J")


def cards_in(value: Any) -> Iterator[str]:
    """Yield every card in the facts, at any depth."""
    if isinstance(value, str) and CARD.fullmatch(value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from cards_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from cards_in(item)


@every_game
def test_card_in_a_public_event_is_visible_to_all(trial: Trial) -> None:
    """All players receive public events, so a face in one must be on the table before or after."""
    for number, seats in enumerate(trial.sizes):
        before = ""
        for state, events, _ in trial.walk(number, seats):
            after = to_json(trial.game.view(state, None)).decode()
            for event in events:
                if event.to is None:
                    for card in cards_in(event.facts):
                        if f'"{card}"' not in before + after:
                            trial.fail(
                                f"the event {event.kind!r} tells all of {card}, which only its "
                                "owner sees; whisper it, show it in a zone, or wait until all "
                                "are ready before dealing again"
                            )
            before = after


@every_game
def test_spectator_of_open_hands_sees_no_face_down_card(trial: Trial) -> None:
    """A replay shows every card at every step, before the end of the match and after it."""
    game = trial.game
    for number, seats in enumerate(trial.sizes):
        for state, _, n in trial.walk(number, seats):
            if n % 5 and game.outcome(state) is None:
                continue
            view = game.view(state, OPEN)
            trial.place.viewer = "OPEN"
            if view.viewer != OPEN:
                trial.fail("View.viewer is another viewer; it must be the one `view` was given")
            for zone in view.zones:
                if DOWN in zone.cards:
                    trial.fail(
                        f"the zone {zone.name!r} of {zone.owner} is face down; show its faces"
                    )
            every = {(zone.name, zone.owner) for zone in view.zones}
            for seat in (*range(seats), None):
                zones = game.view(state, seat).zones  # an empty one has nothing to show
                for name, owner in {(it.name, it.owner) for it in zones if it.cards} - every:
                    trial.fail(
                        f"the zone {name!r} of {owner}, which {seat} sees, is missing; show it"
                    )


@every_game
def test_landmarks_are_event_kinds_with_a_sentence(trial: Trial) -> None:
    game = trial.game
    for kind, what in game.landmarks.items():
        if what not in ("round", "turn", "event", "result"):
            trial.fail(
                f"Game.landmarks calls {kind!r} a {what!r}; say round, turn, event or result"
            )
        if kind not in game.words.sayings:
            trial.fail(f"Game.landmarks names {kind!r}, which has no sentence in words.sayings")
    if "round" not in game.landmarks.values():
        trial.fail('Game.landmarks names no event that begins a round; add one, {"KIND": "round"}')
    kinds = {
        game.landmarks.get(event.kind)
        for _, events, _ in trial.walk(1, trial.sizes[0])
        for event in events
    }
    if "round" not in kinds:
        trial.fail(
            "no event that begins a round is ever emitted; emit those that Game.landmarks names"
        )


@pytest.mark.parametrize("name", [*GAMES, *LEFT_OUT])
def test_installed_game_is_playable(name: str) -> None:
    """The game is found by name, so that `-k` also finds one that cannot be imported."""
    if name in LEFT_OUT:
        pytest.fail(
            f"The game {name} is left out: {LEFT_OUT[name]}; fix what its entry point refers to.",
            pytrace=False,
        )


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


@every_game
def test_shown_result_has_words_for_every_reader(trial: Trial) -> None:
    game = trial.game
    for state, seats in trial.positions():
        for viewer in trial.viewers(seats):
            told = game.result(game.view(state, viewer))
            if told is not None and not trial.said(told.kind, told.facts, names(seats, viewer)):
                trial.fail(
                    f"there are no words for the result {told.kind!r}; add it to words.sayings, "
                    "or let `result` return None there"
                )


# Its lessons

LONGEST_SAID = 330  # characters of a step: with the table, it must fit on the screen of a phone
FIRST_DECISIONS = range(4, 16)  # in a first game
FIRST_MINUTES = 5


@once_a_game
def test_lessons_can_be_read_and_played_to_the_end(trial: Trial) -> None:
    for fault in found_in(trial.game.key).faults:
        trial.fail(fault)
    for lesson in found_in(trial.game.key).lessons:
        _course(trial, lesson)


def _course(trial: Trial, lesson: Lesson) -> Course:
    try:
        return played(lesson, trial.game)
    except InvalidLesson as bad:
        trial.fail(f"{bad}; fix it, or rewrite the lesson for these rules")


def _courses(trial: Trial) -> Iterator[Course]:
    for lesson in found_in(trial.game.key).lessons:
        yield _course(trial, lesson)


@once_a_game
def test_lessons_accept_only_the_expected_moves(trial: Trial) -> None:
    for course in _courses(trial):
        for number, asked in enumerate(course.lesson.steps, 1):
            for move in asked.expect:
                if not feedback(course, number, move).right:
                    trial.fail(
                        f"lesson {course.lesson.name!r}, step {number} expects {move!r}, which the "
                        "rules do not allow there; remove it from `expect`"
                    )
            _check_wrong(trial, course, number, asked)


def _check_wrong(trial: Trial, course: Course, number: int, asked: Step) -> None:
    """Fail if a pattern in `wrong` or `allowed` explains no legal move, or only right ones."""
    legal = {
        " ".join((offer.verb, *choices))
        for offer in course.prompt(number).offers
        for choices in islice(_selections(course, number, offer.verb), TRIES_OF_A_VERB)
    }
    for pattern, why in {**asked.wrong, **asked.allowed}.items():
        named = [pattern]
        if ANY in pattern:
            named = [it for it in legal if _fits(pattern, it)]
            named += _completions(course, number, pattern)
        told = [feedback(course, number, move) for move in named]
        if not any(not it.right and it.text == why.text for it in told):
            trial.fail(
                f"lesson {course.lesson.name!r}, step {number} says why {pattern!r} is wrong, "
                "but no legal move matches it; use a legal move that is not expected"
            )


TRIES_OF_A_VERB = 200


def _selections(course: Course, number: int, verb: str) -> Iterator[tuple[str, ...]]:
    me, state = course.lesson.file.me, course.state(number)
    for listener in course.game.listeners(state):
        if listener.seat == me and listener.verb == verb:
            yield from listener.pick.legal()


def _fits(pattern: str, move: str) -> bool:
    words = pattern.removesuffix(ANY).split()
    return move.split()[: len(words)] == words


def _completions(course: Course, number: int, pattern: str) -> Iterator[str]:
    """Yield moves with the choices of a pattern and others: those of the expected move, or any."""
    words, expected = pattern.split()[:-1], course.lesson.steps[number - 1].expect[0].split()
    for offer in course.prompt(number).offers:
        if offer.verb not in words or (more := offer.least - len(words) + 1) < 0:
            continue
        for others in (expected[1:], offer.options[::-1]):
            rest = list((Counter(others) - Counter(words[1:])).elements())
            for found in islice(combinations(rest, more), TRIES_OF_A_VERB):
                yield " ".join([*words, *found])


@once_a_game
def test_lessons_cite_existing_rules_in_short_sentences(trial: Trial) -> None:
    for course in _courses(trial):
        file, name = course.lesson.file, course.lesson.name
        rules = rules_of(trial.game, course.options).contents
        anchors = {anchor for _level, anchor, _heading in rules}
        cited = {why.rule for it in file.step for why in it.told}
        for rule in sorted({*cited, *file.chapters} - {""} - anchors):
            trial.fail(
                f"lesson {name!r} cites the rule {rule!r}, which is not a heading of rules.md"
            )
        if not 1 <= file.minutes <= 10:
            trial.fail(f"lesson {name!r} takes {file.minutes} minutes; it should take 1 to 10")
        most = min(file.minutes, FIRST_MINUTES) if name == FIRST else file.minutes
        if course.lesson.length > most + 0.5:
            trial.fail(
                f"lesson {name!r} takes {course.lesson.length:.1f} minutes by its words and moves, "
                f"more than {most}; shorten it, or change `minutes` (a first game: at most "
                f"{FIRST_MINUTES})"
            )
        for number, said in enumerate(file.step, 1):
            if len(said.text) > LONGEST_SAID:
                trial.fail(
                    f"lesson {name!r}, step {number} has {len(said.text)} characters; it may have "
                    f"at most {LONGEST_SAID}, so shorten it or make it two steps"
                )
        if name == FIRST and course.lesson.decisions not in FIRST_DECISIONS:
            trial.fail(
                f"the first game asks for {course.lesson.decisions} moves; it should ask for "
                f"{FIRST_DECISIONS[0]} to {FIRST_DECISIONS[-1]}"
            )


# Its puzzles


@once_a_game
def test_puzzles_are_reachable_and_their_moves_legal(trial: Trial) -> None:
    """Only the rules are checked; `kaboom puzzles mine` has verified that best moves are best."""
    game = trial.game
    try:
        puzzles = read_puzzles(file_of(game.key))
    except InvalidPuzzle as bad:
        trial.fail(f"its puzzles cannot be read ({bad}); mine them again")
    for number, count in Counter(it.id for it in puzzles).items():
        if count > 1:
            trial.fail(f"puzzle {number} occurs {count} times; keep one")
    for puzzle in puzzles:
        if puzzle.game_version == game.version:
            _check_puzzle(trial, puzzle)


def _check_puzzle(trial: Trial, puzzle: Puzzle) -> None:
    game, again = trial.game, "remove it, or mine it again"
    try:
        position = reached(game, puzzle)
    except InvalidPuzzle as bad:
        trial.fail(f"{bad}; {again}")
    state, listeners = position.state, list(game.listeners(position.state))
    for move in puzzle.choices:
        if move is None and prompts(listeners, puzzle.seats)[puzzle.seat].waited_for:
            trial.fail(f"puzzle {puzzle.id} lets the turn pass, which is not possible; {again}")
        if move is not None and (no := refusal_of(game, state, move)) is not None:
            trial.fail(f"puzzle {puzzle.id}: {str(move)!r} is refused ({no}); {again}")
    right, wrong = puzzle.values[: puzzle.accepted], puzzle.values[puzzle.accepted :]
    if not right or not wrong:
        trial.fail(f"puzzle {puzzle.id} has no right move, or no wrong one; {again}")
    if any(it.high >= 0 or it.worth > worst.worth for it in wrong for worst in right):
        trial.fail(f"puzzle {puzzle.id}: a wrong move may be as good as a right one; {again}")
    headings = {slug for _level, slug, _text in rules_of(game, position.options).contents}
    if puzzle.theme not in headings:
        trial.fail(
            f"puzzle {puzzle.id} is about {puzzle.theme!r}, which is not a heading of its rules; "
            f"{again}"
        )
    if (
        puzzle.why
        and game.words.say(puzzle.why.kind, puzzle.why.facts, names(puzzle.seats)) is None
    ):
        trial.fail(f"puzzle {puzzle.id}: there are no words for {puzzle.why.kind!r}; {again}")
