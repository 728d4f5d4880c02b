"""An organiser's rulings: each refusal has its sentence, and writes nothing."""

import pytest

from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.tables import start_match
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import get_tournament
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
NO_PLACES = "Enter a place for each player at that table."
BAD_PLACES = "Places are numbers from 1, and at least one player must be first; 0 means absent."
NO_TABLE = "There is no such table in that round."
NO_ROUND = "There is no such round."
NO_LIMIT = "Rounds have no time limit here."
NO_NUMBER = "No player has that number."
NOT_TWO = "Enter the numbers of two players."
ALREADY = "That ruling has already been made."
WHY = "Please give a reason, for all to read."
MINUTES = "Enter a number of minutes, up to 600."
IS_OVER = "This tournament is over."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
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
    """Assert that a ruling is refused with this sentence, and leaves the log unchanged."""
    before = get_tournament(tables, of[0])
    with pytest.raises(Refusal) as no:
        rule(tables, of, verb, why, **more)
    assert (type(no.value), str(no.value)) == (kind, sentence)
    assert get_tournament(tables, of[0]).log == before.log


def result(tables, of, pod, places, round=1, shown=None):
    """Return a ruling that sets the result of a table, among its players or those `shown`."""
    there = shown or get_tournament(tables, of[0]).of.rounds[-1].pods[pod].entrants
    return {"round": round, "pod": pod, "seats": organizer.places_of(there, places)}


# Permissions and reasons


def test_only_the_organizer_may_rule_or_begin(tables):
    code, ids = opened(tables, *FOUR)
    for player in (ids[1], None):
        for asked in (
            lambda player=player: organizer.begin(tables, code, player),
            lambda player=player: organizer.rule(tables, code, player, Ruling(Verb.PAUSE)),
        ):
            with pytest.raises(NotPermitted, match=r"^Only the organiser can do that"):
                asked()


def test_ruling_on_an_entrant_needs_a_reason(tables, cup):
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


def test_self_explanatory_ruling_needs_no_reason(tables, swiss):
    for verb, more in (
        (Verb.PAUSE, {}),
        (Verb.CLOSE, {}),
        (Verb.APART, {"entrants": (1, 2)}),
        (Verb.EXTEND, {"round": 1, "minutes": 5}),
    ):
        rule(tables, swiss, verb, **more)
        assert len(get_tournament(tables, swiss[0]).of.standing(verb)) == 1
        rule(tables, swiss, Verb.UNDO, undone=get_tournament(tables, swiss[0]).of.seq)
        assert get_tournament(tables, swiss[0]).of.standing(verb) == []


def test_reason_is_kept_to_200_characters_with_the_time(tables, cup, fake_clock):
    fake_clock.sleep(7)
    rule(tables, cup, Verb.ANNOUNCE, " tea " + "x" * 200)
    (ruling,) = get_tournament(tables, cup[0]).of.rulings.values()
    assert ruling.why == "tea " + "x" * 196 and ruling.at == fake_clock.time


def test_number_of_rulings_is_limited(tables, cup, monkeypatch):
    monkeypatch.setattr(organizer, "MOST_RULINGS", 2)
    for _ in range(2):
        rule(tables, cup, Verb.ANNOUNCE, "tea")
    refused(tables, cup, "There are too many rulings.", Verb.ANNOUNCE, "tea")


# Impossible rulings


def test_impossible_knockout_ruling_is_refused_with_a_reason(tables, cup):
    for sentence, verb, more in (
        (NO_LIMIT, Verb.EXTEND, {"round": 1, "minutes": 5}),
        (NOT_PLAYED, Verb.EXTEND, {"round": 2, "minutes": 5}),
        (NOT_PLAYED, Verb.EXTEND, {"round": 0, "minutes": 5}),
        (NO_NUMBER, Verb.REMOVE, {}),
        (NO_NUMBER, Verb.REMOVE, {"entrants": (0,)}),
        (NO_NUMBER, Verb.REMOVE, {"entrants": (5,)}),
        (NO_NUMBER, Verb.REMOVE, {"entrants": (1, 2)}),
        (NOT_TWO, Verb.APART, {"entrants": (1,)}),
        (NOT_TWO, Verb.APART, {"entrants": (2, 2)}),
        (NOT_TWO, Verb.APART, {"entrants": (1, 5)}),
        (NOT_TWO, Verb.APART, {"entrants": (1, 2, 3)}),
        (NOT_TWO, Verb.SWAP, {"entrants": (2, 2)}),
        (NOT_TWO, Verb.SWAP, {"entrants": (1, 5)}),
        (
            "A knockout cannot be re-paired, but you can swap two players.",
            Verb.PAIR,
            {},
        ),
        ("There is no such ruling to undo.", Verb.UNDO, {"undone": 1}),
    ):
        refused(tables, cup, sentence, verb, "x", **more)


def test_round_can_be_extended_by_1_to_600_minutes(tables, swiss):
    for minutes in (0, 601):
        refused(tables, swiss, MINUTES, Verb.EXTEND, round=1, minutes=minutes)
    for minutes in (1, 600):
        before = get_tournament(tables, swiss[0]).of
        rule(tables, swiss, Verb.EXTEND, round=1, minutes=minutes)
        after = get_tournament(tables, swiss[0]).of
        ends = [of.ends_at(of.rounds[0], 0) for of in (before, after)]
        assert ends[1] - ends[0] == 60 * minutes


def test_only_a_running_round_is_extended(tables, swiss):
    code, ids = opened(tables, *FOUR, format=Format.SWISS, limit=10)
    refused(tables, (code, ids), NOT_PLAYED, Verb.EXTEND, round=1, minutes=5)
    all_ready(tables, swiss[0])
    rule(tables, swiss, Verb.PAUSE)
    ended(tables, swiss[0])
    settled(tables, swiss[0])
    refused(tables, swiss, NOT_PLAYED, Verb.EXTEND, round=1, minutes=5)


def test_standing_ruling_cannot_be_repeated_until_undone(tables, swiss):
    for verb in (Verb.PAUSE, Verb.CLOSE):
        rule(tables, swiss, verb)
        refused(tables, swiss, ALREADY, verb)
        rule(tables, swiss, Verb.UNDO, undone=get_tournament(tables, swiss[0]).of.seq)
        rule(tables, swiss, verb)
        assert len(get_tournament(tables, swiss[0]).of.standing(verb)) == 1


def test_entrant_is_removed_once(tables, cup):
    rule(tables, cup, Verb.REMOVE, "rude", entrants=(2,))
    refused(tables, cup, ALREADY, Verb.REMOVE, "rude", entrants=(2,))
    rule(tables, cup, Verb.REMOVE, "rude", entrants=(3,))
    assert get_tournament(tables, cup[0]).of.removed() == {2, 3}


def test_separated_pairs_are_limited_but_can_be_exchanged(tables, cup, monkeypatch):
    monkeypatch.setattr(organizer, "MOST_APART", 2)
    rule(tables, cup, Verb.APART, entrants=(1, 2))
    rule(tables, cup, Verb.APART, entrants=(1, 3))
    sentence = "At most 2 pairs can be kept apart."
    refused(tables, cup, sentence, Verb.APART, entrants=(1, 4))
    rule(tables, cup, Verb.SWAP, "cousins", entrants=(1, 4))


def test_finished_tournament_allows_only_remarks(tables, swiss):
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


def test_end_cannot_be_undone(tables, swiss):
    rule(tables, swiss, Verb.END, "rain")
    number = get_tournament(tables, swiss[0]).of.seq
    refused(tables, swiss, "There is no such ruling to undo.", Verb.UNDO, undone=number)


# Results


def test_result_for_an_unknown_round_or_table_is_refused(tables, cup):
    for sentence, more in (
        (NO_ROUND, {"round": 0}),
        (NO_ROUND, {"round": 2}),
        (NO_TABLE, {"round": 1, "pod": -1}),
        (NO_TABLE, {"round": 1, "pod": 2}),
        (NO_PLACES, {"round": 1, "pod": 1}),
    ):
        refused(tables, cup, sentence, Verb.RESULT, "x", **more)


def test_result_names_exactly_the_seated_entrants(tables, cup):
    there = get_tournament(tables, cup[0]).of.rounds[0].pods
    for shown in (there[1].entrants, there[0].entrants[:1], (*there[0].entrants, 5)):
        given = result(tables, cup, 0, (1, 2, 3), shown=shown)
        refused(tables, cup, NO_PLACES, Verb.RESULT, "x", **given)


def test_places_run_from_one_to_the_number_seated(tables, cup):
    for places in ((-1, 1), (1, 3), (3, 3)):
        refused(tables, cup, BAD_PLACES, Verb.RESULT, "x", **result(tables, cup, 0, places))


def test_set_result_places_all_but_no_shows(tables, cup):
    for places in ((1, 2), (2, 1), (1, 1), (0, 1), (0, 0)):
        rule(tables, cup, Verb.RESULT, "seen by all", **result(tables, cup, 1, places))
        of = get_tournament(tables, cup[0]).of
        pod = of.rounds[0].pods[1]
        assert of.result(of.rounds[0], 1) == tuple(
            SeatResult(it, How.RULED if place else How.ABSENT, place)
            for it, place in zip(pod.entrants, places, strict=True)
        )
        assert of.result(of.rounds[0], 0) is None


def test_knockout_result_stands_once_the_next_round_is_made(tables, cup):
    rule(tables, cup, Verb.RESULT, "x", **result(tables, cup, 0, (1, 2)))
    given, number = result(tables, cup, 1, (1, 2)), get_tournament(tables, cup[0]).of.seq
    rule(tables, cup, Verb.RESULT, "x", **given)
    assert len(settled(tables, cup[0]).of.rounds) == 2
    sentence = "The next knockout round already depends on that result."
    refused(tables, cup, sentence, Verb.RESULT, "x", **given)
    refused(tables, cup, sentence, Verb.UNDO, undone=number)
    rule(tables, cup, Verb.RESULT, "the final", **result(tables, cup, 0, (2, 1), round=2))


def test_other_formats_set_and_undo_results_in_any_round(tables, swiss):
    given = result(tables, swiss, 0, (1, 2))
    rule(tables, swiss, Verb.RESULT, "x", **given)
    number = get_tournament(tables, swiss[0]).of.seq
    rule(tables, swiss, Verb.RESULT, "x", **result(tables, swiss, 1, (1, 2)))
    assert len(settled(tables, swiss[0]).of.rounds) == 2
    rule(tables, swiss, Verb.UNDO, undone=number)
    rule(tables, swiss, Verb.RESULT, "x", **given)


# Re-pairing


def test_exchanged_entrants_play_or_sit_out_in_this_round(tables):
    of = begun(tables, *FOUR, "Eve", format=Format.SWISS)
    round = get_tournament(tables, of[0]).of.rounds[0]
    (out,), first = round.byes, round.pods[0].entrants[0]
    rule(tables, of, Verb.SWAP, "she came", entrants=(first, out))
    after = get_tournament(tables, of[0]).of.rounds[0]
    assert after.byes == (first,) and after.pods[0].entrants == (out, *round.pods[0].entrants[1:])
    assert after.pods[1] == round.pods[1] and after.wave == round.wave
    rule(tables, of, Verb.PAUSE)
    (late,) = players(tables, "Flo")
    tournaments.enter(tables, of[0], late, "Flo")
    sentence = "Both players must be in this round."
    refused(tables, of, sentence, Verb.SWAP, "x", entrants=(6, first))


def test_re_paired_round_follows_the_current_rules(tables, swiss):
    code, _ = swiss
    before = get_tournament(tables, code).of.rounds[0]
    (a, b) = before.pods[0].entrants
    rule(tables, swiss, Verb.APART, entrants=(a, b))
    rule(tables, swiss, Verb.PAIR, "they are married")
    of = get_tournament(tables, code).of
    assert [it.number for it in of.rounds] == [1]
    assert {a, b} not in [set(it.entrants) for it in of.rounds[0].pods]
    assert of.rounds[0].wave == before.wave
    settled(tables, code)
    assert [state for _, _, state in pods(tables, code)] == ["open", "open"]


def test_round_is_re_paired_only_before_play(tables, swiss):
    anew = ((Verb.PAIR, {}), (Verb.SWAP, {"entrants": (1, 2)}))
    open_ = opened(tables, *FOUR, format=Format.SWISS)
    for verb, more in anew:
        refused(tables, open_, NOT_PLAYED, verb, "x", **more)
    first, _ = pods(tables, swiss[0])
    for _, occupant in tables.get(first[1]).table.sitting():
        start_match.ready(tables, first[1], occupant.player)
    for verb, more in anew:
        refused(tables, swiss, "Play has already begun in this round.", verb, "x", **more)
    all_ready(tables, swiss[0])
    rule(tables, swiss, Verb.PAUSE)
    ended(tables, swiss[0])
    settled(tables, swiss[0])
    for verb, more in anew:
        refused(tables, swiss, NOT_PLAYED, verb, "x", **more)


# Beginning


def test_first_press_opens_check_in_and_second_begins(tables, fake_clock):
    code, ids = opened(tables, *FOUR, check_in=20)
    organizer.begin(tables, code, ids[0])
    of = get_tournament(tables, code).of
    assert of.check_in_until == fake_clock.time + 1200 and not of.begun
    tournaments.check_in(tables, code, ids[3])
    with pytest.raises(InvalidState, match=r"^At least two players must enter and check in\.$"):
        organizer.begin(tables, code, ids[0])
    assert not get_tournament(tables, code).of.begun
    tournaments.check_in(tables, code, ids[1])
    organizer.begin(tables, code, ids[0])
    assert sorted(get_tournament(tables, code).of.field) == [2, 4]
