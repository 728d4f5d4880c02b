"""What an organiser may rule, and why not: each refusal has its sentence, and writes nothing."""

import pytest

from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.lobby import service as seating
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import look
from kaboom.tournaments.rules.events import Format, How, Ruling, SeatResult, Verb
from tests.support.tournaments import (
    FOUR,
    all_ready,
    begun,
    ended,
    opened,
    players,
    pods,
    settled,
)

NOT_PLAYED = "That round is not being played."
NO_PLACES = "Give the place of everybody at that table."
BAD_PLACES = "Places are numbers from 1; 0 means that somebody did not come."
NO_TABLE = "There is no such table in that round."
NO_ROUND = "There is no such round."
NO_LIMIT = "Rounds have no limit here."
NOBODY = "Nobody has that number."
NOT_TWO = "Give the numbers of two entrants."
ALREADY = "That has been ruled already."
WHY = "Please say why, for all to read."
MINUTES = "Give a number of minutes, up to 600."
IS_OVER = "This tournament is over."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


@pytest.fixture
def cup(tables):
    """A knockout of four at GOPS, two tables."""
    return begun(tables)


@pytest.fixture
def swiss(tables):
    """A Swiss of four with ten minutes for a round."""
    return begun(tables, format=Format.SWISS, limit=10)


def rule(tables, of, verb, why="", **more):
    code, ids = of
    organizer.rule(tables, code, ids[0], Ruling(verb, why, **more))


def refused(tables, of, sentence, verb, why="", kind=InvalidState, **more):
    """Demand that a ruling is refused with that sentence, and leaves the log as it was."""
    before = look(tables, of[0])
    with pytest.raises(Refusal) as no:
        rule(tables, of, verb, why, **more)
    assert (type(no.value), str(no.value)) == (kind, sentence)
    assert look(tables, of[0]).log == before.log


def result(tables, of, pod, places, round=1, shown=None):
    """Return what sets the result of a table, by those who sit there or those it is `shown`."""
    there = shown or look(tables, of[0]).of.rounds[-1].pods[pod].entrants
    return {"round": round, "pod": pod, "seats": organizer.places_of(there, places)}


# Who, and why


def test_only_the_organiser_rules_and_begins(tables):
    code, ids = opened(tables, *FOUR)
    for player in (ids[1], None):
        for asked in (
            lambda player=player: organizer.begin(tables, code, player),
            lambda player=player: organizer.rule(tables, code, player, Ruling(Verb.PAUSE)),
        ):
            with pytest.raises(
                NotPermitted, match=r"^Only whoever runs the tournament can do that"
            ):
                asked()


def test_what_touches_somebody_is_ruled_with_a_reason(tables, cup):
    for verb, more in (
        (Verb.ANNOUNCE, {}),
        (Verb.REMOVE, {"entrants": (2,)}),
        (Verb.RESULT, {"round": 1}),
        (Verb.PAIR, {}),
        (Verb.SWAP, {"entrants": (1, 2)}),
        (Verb.END, {}),
    ):
        refused(tables, cup, WHY, verb, **more)
        refused(tables, cup, WHY, verb, " \u200b ", **more)


def test_what_explains_itself_is_ruled_and_undone_without_one(tables, swiss):
    for verb, more in (
        (Verb.PAUSE, {}),
        (Verb.CLOSE, {}),
        (Verb.APART, {"entrants": (1, 2)}),
        (Verb.EXTEND, {"round": 1, "minutes": 5}),
    ):
        rule(tables, swiss, verb, **more)
        assert len(look(tables, swiss[0]).of.standing(verb)) == 1
        rule(tables, swiss, Verb.UNDO, undone=look(tables, swiss[0]).of.seq)
        assert look(tables, swiss[0]).of.standing(verb) == []


def test_a_reason_is_kept_up_to_two_hundred_characters_with_the_time(tables, cup, watch):
    watch.sleep(7)
    rule(tables, cup, Verb.ANNOUNCE, " tea " + "x" * 200)
    (ruling,) = look(tables, cup[0]).of.rulings.values()
    assert ruling.why == "tea " + "x" * 196 and ruling.at == watch.time


def test_there_is_a_last_ruling(tables, cup, monkeypatch):
    monkeypatch.setattr(organizer, "MOST_RULINGS", 2)
    for _ in range(2):
        rule(tables, cup, Verb.ANNOUNCE, "tea")
    refused(tables, cup, "There are too many rulings.", Verb.ANNOUNCE, "tea")


# What cannot be


def test_what_cannot_be_ruled_at_a_knockout_is_refused_with_its_sentence(tables, cup):
    for sentence, verb, more in (
        (NO_LIMIT, Verb.EXTEND, {"round": 1, "minutes": 5}),
        (NOT_PLAYED, Verb.EXTEND, {"round": 2, "minutes": 5}),
        (NOT_PLAYED, Verb.EXTEND, {"round": 0, "minutes": 5}),
        (NOBODY, Verb.REMOVE, {}),
        (NOBODY, Verb.REMOVE, {"entrants": (0,)}),
        (NOBODY, Verb.REMOVE, {"entrants": (5,)}),
        (NOBODY, Verb.REMOVE, {"entrants": (1, 2)}),
        (NOT_TWO, Verb.APART, {"entrants": (1,)}),
        (NOT_TWO, Verb.APART, {"entrants": (2, 2)}),
        (NOT_TWO, Verb.APART, {"entrants": (1, 5)}),
        (NOT_TWO, Verb.APART, {"entrants": (1, 2, 3)}),
        (NOT_TWO, Verb.SWAP, {"entrants": (2, 2)}),
        (NOT_TWO, Verb.SWAP, {"entrants": (1, 5)}),
        (
            "A knockout cannot be paired otherwise, but two can be exchanged.",
            Verb.PAIR,
            {},
        ),
        ("There is no such ruling to undo.", Verb.UNDO, {"undone": 1}),
    ):
        refused(tables, cup, sentence, verb, "x", **more)


def test_a_round_is_extended_by_a_minute_to_ten_hours(tables, swiss):
    for minutes in (0, 601):
        refused(tables, swiss, MINUTES, Verb.EXTEND, round=1, minutes=minutes)
    for minutes in (1, 600):
        before = look(tables, swiss[0]).of
        rule(tables, swiss, Verb.EXTEND, round=1, minutes=minutes)
        after = look(tables, swiss[0]).of
        ends = [of.ends_at(of.rounds[0], 0) for of in (before, after)]
        assert ends[1] - ends[0] == 60 * minutes


def test_only_a_round_that_is_being_played_is_extended(tables, swiss):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10)
    refused(tables, (code, ids), NOT_PLAYED, Verb.EXTEND, round=1, minutes=5)
    all_ready(tables, swiss[0])
    rule(tables, swiss, Verb.PAUSE)
    ended(tables, swiss[0])
    settled(tables, swiss[0])
    refused(tables, swiss, NOT_PLAYED, Verb.EXTEND, round=1, minutes=5)


def test_what_stands_is_not_ruled_again_until_it_is_undone(tables, swiss):
    for verb in (Verb.PAUSE, Verb.CLOSE):
        rule(tables, swiss, verb)
        refused(tables, swiss, ALREADY, verb)
        rule(tables, swiss, Verb.UNDO, undone=look(tables, swiss[0]).of.seq)
        rule(tables, swiss, verb)
        assert len(look(tables, swiss[0]).of.standing(verb)) == 1


def test_nobody_is_removed_twice(tables, cup):
    rule(tables, cup, Verb.REMOVE, "rude", entrants=(2,))
    refused(tables, cup, ALREADY, Verb.REMOVE, "rude", entrants=(2,))
    rule(tables, cup, Verb.REMOVE, "rude", entrants=(3,))
    assert look(tables, cup[0]).of.removed() == {2, 3}


def test_at_most_so_many_pairs_are_kept_apart_but_others_are_exchanged(tables, cup, monkeypatch):
    monkeypatch.setattr(organizer, "MOST_APART", 2)
    rule(tables, cup, Verb.APART, entrants=(1, 2))
    rule(tables, cup, Verb.APART, entrants=(1, 3))
    sentence = "At most 2 pairs can be kept apart."
    refused(tables, cup, sentence, Verb.APART, entrants=(1, 4))
    rule(tables, cup, Verb.SWAP, "cousins", entrants=(1, 4))


def test_what_is_over_is_only_spoken_of(tables, swiss):
    rule(tables, swiss, Verb.END, "rain")
    for verb, more in (
        (Verb.EXTEND, {"round": 1, "minutes": 5}),
        (Verb.PAUSE, {}),
        (Verb.CLOSE, {}),
        (Verb.REMOVE, {"entrants": (2,)}),
        (Verb.APART, {"entrants": (1, 2)}),
        (Verb.PAIR, {}),
        (Verb.SWAP, {"entrants": (1, 2)}),
        (Verb.END, {}),
    ):
        refused(tables, swiss, IS_OVER, verb, "x", **more)
    rule(tables, swiss, Verb.ANNOUNCE, "thank you")


def test_an_end_is_not_undone_for_the_seed_is_shown(tables, swiss):
    rule(tables, swiss, Verb.END, "rain")
    number = look(tables, swiss[0]).of.seq
    refused(tables, swiss, "There is no such ruling to undo.", Verb.UNDO, undone=number)


# Results


def test_a_result_is_of_a_table_of_a_round(tables, cup):
    for sentence, more in (
        (NO_ROUND, {"round": 0}),
        (NO_ROUND, {"round": 2}),
        (NO_TABLE, {"round": 1, "pod": -1}),
        (NO_TABLE, {"round": 1, "pod": 2}),
        (NO_PLACES, {"round": 1, "pod": 1}),
    ):
        refused(tables, cup, sentence, Verb.RESULT, "x", **more)


def test_a_result_names_those_who_sit_there_and_no_others(tables, cup):
    there = look(tables, cup[0]).of.rounds[0].pods
    for shown in (there[1].entrants, there[0].entrants[:1], (*there[0].entrants, 5)):
        given = result(tables, cup, 0, (1, 2, 3), shown=shown)
        refused(tables, cup, NO_PLACES, Verb.RESULT, "x", **given)


def test_places_are_from_one_to_as_many_as_sit_there(tables, cup):
    for places in ((-1, 1), (1, 3), (3, 3)):
        refused(tables, cup, BAD_PLACES, Verb.RESULT, "x", **result(tables, cup, 0, places))


def test_a_result_gives_a_place_to_each_and_none_to_who_did_not_come(tables, cup):
    for places in ((1, 2), (2, 1), (1, 1), (0, 1), (0, 0)):
        rule(tables, cup, Verb.RESULT, "seen by all", **result(tables, cup, 1, places))
        of = look(tables, cup[0]).of
        pod = of.rounds[0].pods[1]
        assert of.result(of.rounds[0], 1) == tuple(
            SeatResult(it, How.RULED if place else How.ABSENT, place)
            for it, place in zip(pod.entrants, places, strict=True)
        )
        assert of.result(of.rounds[0], 0) is None


def test_a_knockouts_result_stands_once_the_next_round_was_made_from_it(tables, cup):
    rule(tables, cup, Verb.RESULT, "x", **result(tables, cup, 0, (1, 2)))
    given, number = result(tables, cup, 1, (1, 2)), look(tables, cup[0]).of.seq
    rule(tables, cup, Verb.RESULT, "x", **given)
    assert len(settled(tables, cup[0]).of.rounds) == 2
    sentence = "The next round of the knockout has been made from that result."
    refused(tables, cup, sentence, Verb.RESULT, "x", **given)
    refused(tables, cup, sentence, Verb.UNDO, undone=number)
    rule(tables, cup, Verb.RESULT, "the final", **result(tables, cup, 0, (2, 1), round=2))


def test_elsewhere_a_result_is_set_and_undone_in_any_round(tables, swiss):
    given = result(tables, swiss, 0, (1, 2))
    rule(tables, swiss, Verb.RESULT, "x", **given)
    number = look(tables, swiss[0]).of.seq
    rule(tables, swiss, Verb.RESULT, "x", **result(tables, swiss, 1, (1, 2)))
    assert len(settled(tables, swiss[0]).of.rounds) == 2
    rule(tables, swiss, Verb.UNDO, undone=number)
    rule(tables, swiss, Verb.RESULT, "x", **given)


# Pairing anew


def test_both_who_are_exchanged_play_or_sit_out_in_this_round(tables):
    of = begun(tables, *FOUR, "Eve", format=Format.SWISS)
    round = look(tables, of[0]).of.rounds[0]
    (out,), first = round.byes, round.pods[0].entrants[0]
    rule(tables, of, Verb.SWAP, "she came", entrants=(first, out))
    after = look(tables, of[0]).of.rounds[0]
    assert after.byes == (first,) and after.pods[0].entrants == (out, *round.pods[0].entrants[1:])
    assert after.pods[1] == round.pods[1] and after.wave == round.wave
    rule(tables, of, Verb.PAUSE)
    (late,) = players(tables, "Flo")
    commands.enter(tables, of[0], late, "Flo")
    sentence = "Both must be in this round."
    refused(tables, of, sentence, Verb.SWAP, "x", entrants=(6, first))


def test_a_round_is_paired_anew_as_it_would_be_now(tables, swiss):
    code, _ = swiss
    before = look(tables, code).of.rounds[0]
    (a, b) = before.pods[0].entrants
    rule(tables, swiss, Verb.APART, entrants=(a, b))
    rule(tables, swiss, Verb.PAIR, "they are married")
    of = look(tables, code).of
    assert [it.number for it in of.rounds] == [1]
    assert {a, b} not in [set(it.entrants) for it in of.rounds[0].pods]
    assert of.rounds[0].wave == before.wave
    settled(tables, code)
    assert [state for _, _, state in pods(tables, code)] == ["open", "open"]


def test_a_round_is_paired_anew_only_while_nobody_plays_in_it(tables, swiss):
    anew = ((Verb.PAIR, {}), (Verb.SWAP, {"entrants": (1, 2)}))
    open_ = opened(tables, *FOUR, format=Format.SWISS)
    for verb, more in anew:
        refused(tables, open_, NOT_PLAYED, verb, "x", **more)
    first, _ = pods(tables, swiss[0])
    for _, chair in tables.look(first[1]).table.sitting():
        seating.ready(tables, first[1], chair.player)
    for verb, more in anew:
        refused(tables, swiss, "Somebody has begun to play in this round.", verb, "x", **more)
    all_ready(tables, swiss[0])
    rule(tables, swiss, Verb.PAUSE)
    ended(tables, swiss[0])
    settled(tables, swiss[0])
    for verb, more in anew:
        refused(tables, swiss, NOT_PLAYED, verb, "x", **more)


# Beginning


def test_with_check_in_the_first_press_opens_it_and_the_second_begins(tables, watch):
    code, ids = opened(tables, *FOUR, check_in=20)
    organizer.begin(tables, code, ids[0])
    of = look(tables, code).of
    assert of.check_in_until == watch.time + 1200 and not of.begun
    commands.check_in(tables, code, ids[3])
    with pytest.raises(InvalidState, match=r"^At least two must have entered, and checked in\.$"):
        organizer.begin(tables, code, ids[0])
    assert not look(tables, code).of.begun
    commands.check_in(tables, code, ids[1])
    organizer.begin(tables, code, ids[0])
    assert sorted(look(tables, code).of.field) == [2, 4]
