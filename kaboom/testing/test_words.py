"""Words: whatever happens, is offered or counted has a text for every reader."""

import re
from collections import Counter

from kaboom.engine.engine import prompt
from kaboom.engine.toolkit.playthrough import NAMES
from kaboom.games.trial import Trial, names
from kaboom.testing.cases import every_game


@every_game
def test_every_saying_offer_and_option_has_words(trial: Trial) -> None:
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
