"""Opening a tournament, entering, checking in, leaving and coming back: when, and why not."""

from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.accounts import queries as accounts
from kaboom.engine.codec import to_json
from kaboom.engine.moves import Refusal
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.tournaments import organizer
from kaboom.tournaments import queries as store
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE, look
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.fake_ids import ChosenLots
from tests.support.tournaments import (
    FOUR,
    all_ready,
    begun,
    ended,
    opened,
    played,
    players,
    round_played,
    settings,
    settled,
)

IS_OVER = "This tournament is over."
HAS_BEGUN = "This tournament has begun. You can watch."
NOT_ENTERED = "You have not entered this tournament."
REMOVED = "The organiser has removed you from the tournament."
KEPT = "Only people who have kept their seat (“Keep your seat”) can enter this."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough: no statement is asked about here that others do not ask on both."""
    return open_tables(sqlite_url)


def refused(tables, code, kind, sentence, deed, *given):
    """Demand that something is refused so, with that sentence, and leaves the log as it was."""
    before = look(tables, code)
    with pytest.raises(Refusal) as no:
        deed(tables, code, *given)
    assert (type(no.value), str(no.value)) == (kind, sentence)
    after = look(tables, code)
    assert (after.log, after.row) == (before.log, before.row)


# Opening


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": " \u200b"}, "Please give the tournament a name the others can read."),
        ({"size": 3}, "By these options the game cannot be played by so many at a table."),
        ({"most": 1}, "Between 2 and 1024 can play."),
        ({"most": 1025}, "Between 2 and 1024 can play."),
    ],
)
def test_what_could_not_be_played_is_not_opened(tables, changes, sentence):
    (ann,) = players(tables, "Ann")
    with pytest.raises(InvalidState) as no:
        commands.open(tables, ann, structs.replace(settings(), **changes))
    assert str(no.value) == sentence
    assert commands.of_player(tables, ann) == []


def test_the_same_cards_are_for_games_that_know_boards(tables, monkeypatch):
    (ann,) = players(tables, "Ann")
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], board=None))
    commands.require_playable(settings())
    with pytest.raises(
        InvalidState, match=r"^In this game not all tables can have the same cards\.$"
    ):
        commands.open(tables, ann, settings(duplicate=True))


def test_where_all_have_the_same_cards_a_match_is_one_deal_and_elsewhere_what_was_asked_for(tables):
    (ann,) = players(tables, "Ann")
    options = to_json(GAMES["gops"].options(games=3, bid_seconds=30)).decode()
    for duplicate, games in ((False, 3), (True, 1)):
        made = structs.replace(settings(), options=options, duplicate=duplicate)
        assert look(tables, commands.open(tables, ann, made)).options.games == games


def test_two_may_play_and_a_thousand_and_twenty_four(tables):
    for most in (2, 1024):
        commands.require_playable(settings(most=most))


def test_somebody_runs_ten_at_a_time(tables, monkeypatch):
    monkeypatch.setattr(commands, "MOST_RUN", 2)
    ann, ben = players(tables, "Ann", "Ben")
    first, _ = (commands.open(tables, ann, settings()) for _ in range(2))
    with pytest.raises(InvalidState, match=r"^You run many tournaments already\. End one first\.$"):
        commands.open(tables, ann, settings())
    commands.open(tables, ben, settings())
    organizer.rule(tables, first, ann, Ruling(Verb.END, "rain"))
    commands.open(tables, ann, settings())


def test_it_is_opened_under_a_readable_name_of_sixty_characters(tables):
    (ann,) = players(tables, "Ann")
    made = structs.replace(settings(), name="  Cup " + "x" * 60)
    code = commands.open(tables, ann, made)
    seen = look(tables, code)
    assert seen.of.settings.name == "Cup " + "x" * 56
    assert (seen.row.host_id, seen.row.listed, seen.row.ended) == (ann, False, False)
    assert commands.is_there(tables, code) and not commands.is_there(tables, "NOTHING2")


def test_the_lobby_shows_those_that_are_listed_page_by_page(tables, watch):
    (ann,) = players(tables, "Ann")
    codes = []
    for _ in range(5):
        watch.sleep(1)
        codes.append(commands.open(tables, ann, settings(), listed=True))
        commands.open(tables, ann, settings())

    def page(number, size):
        found, more = commands.listed(tables, number, size)
        return [it.code for it in found], more

    pages = [page(number, 2) for number in range(3)]
    assert [code for found, _ in pages for code in found] == codes[::-1]
    assert [(len(found), more) for found, more in pages] == [(2, True), (2, True), (1, False)]
    assert page(0, 5)[1] is False and page(1, 5) == ([], False)
    assert len(commands.of_player(tables, ann, 7)) == 7


def test_what_can_still_be_entered_stands_before_what_is_over(tables, watch):
    (ann,) = players(tables, "Ann")
    codes = []
    for _ in range(3):
        watch.sleep(1)
        codes.append(commands.open(tables, ann, settings(), listed=True))
    organizer.rule(tables, codes[2], ann, Ruling(Verb.END, "rain"))
    wanted = [codes[1], codes[0], codes[2]]
    assert [it.code for it in commands.listed(tables, 0)[0]] == wanted
    assert [it.code for it in commands.of_player(tables, ann)] == wanted


# Entering


def test_one_enters_once_and_in_their_order_with_names_told_apart(tables):
    code, _ = opened(tables, "Ann")
    for name, player in zip(FOUR, players(tables, *FOUR), strict=True):
        for _ in range(2):
            commands.enter(tables, code, player, "Ann" if name == "Ben" else name)
    seen = look(tables, code)
    assert [it.name for it in seen.entrants.values()] == ["Ann", "Ann 2", "Cat", "Dan"]
    assert seen.of.waiting() == [1, 2, 3, 4]


def test_a_word_for_the_draw_is_ones_own_or_drawn_and_at_most_sixty_characters(
    open_tables, sqlite_url
):
    tables = open_tables(sqlite_url, lots=ChosenLots(cut=lambda: "drawn"))
    code, _ = opened(tables, "Ann")
    ben, cat = players(tables, "Ben", "Cat")
    commands.enter(tables, code, ben, "Ben", " " + "c" * 61)
    commands.enter(tables, code, cat, "Cat", " ")
    first, second = look(tables, code).cuts((2, 3))
    assert (first, second) == ("c" * 60, "drawn")


def test_a_waiting_list_is_as_long_as_the_field(tables):
    code, _ = opened(tables, *FOUR, most=2)
    eve, fay = players(tables, "Eve", "Fay")
    full = "This tournament is full, and so is its waiting list."
    refused(tables, code, InvalidState, full, commands.enter, eve, "Eve")
    commands.leave(tables, code, players(tables, "Ben")[0])
    commands.enter(tables, code, eve, "Eve")
    refused(tables, code, InvalidState, full, commands.enter, fay, "Fay")
    assert look(tables, code).of.waiting() == [1, 3, 4, 5]


def test_late_ones_enter_a_swiss_until_half_of_it_is_made_and_as_long_as_there_is_room(tables):
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4, most=6)
    eve, fay, gus = players(tables, "Eve", "Fay", "Gus")
    commands.enter(tables, code, eve, "Eve")
    commands.enter(tables, code, fay, "Fay")
    refused(tables, code, InvalidState, "This tournament is full.", commands.enter, gus, "Gus")
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4)
    round_played(tables, code)
    commands.enter(tables, code, eve, "Eve")
    assert len(round_played(tables, code).of.rounds) == 3
    refused(tables, code, InvalidState, HAS_BEGUN, commands.enter, gus, "Gus")
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4)
    organizer.rule(tables, code, ann, Ruling(Verb.CLOSE))
    refused(tables, code, InvalidState, HAS_BEGUN, commands.enter, gus, "Gus")


@pytest.mark.parametrize(
    "more", [{}, {"format": Format.LEAGUE}, {"format": Format.SWISS, "late": False}]
)
def test_nobody_enters_anything_else_that_has_begun(tables, more):
    code, (ann, *_) = begun(tables, **more)
    (eve,) = players(tables, "Eve")
    refused(tables, code, InvalidState, HAS_BEGUN, commands.enter, eve, "Eve")
    organizer.rule(tables, code, ann, Ruling(Verb.END, "rain"))
    refused(tables, code, InvalidState, IS_OVER, commands.enter, eve, "Eve")


def test_where_only_kept_seats_enter_a_stranger_does_not(tables):
    code = commands.open(tables, players(tables, "Ann")[0], settings(accounts=True))
    eve, fay = players(tables, "Eve", "Fay")
    refused(tables, code, InvalidState, KEPT, commands.enter, eve, "Eve")
    of = look(tables, code).of
    for player in (None, eve):
        with pytest.raises(InvalidState):
            commands.require_account(tables, of, player)
        assert not commands.has_kept(tables, player)
    tables.database.write(lambda c: accounts.change(c, fay, tables.now(), password="hash"))
    commands.enter(tables, code, fay, "Fay")
    assert commands.has_kept(tables, fay)
    commands.require_account(
        tables, look(tables, opened(tables, "Ann")[0]).of, None
    )  # elsewhere all may


# Checking in, leaving, coming back


def test_one_checks_in_while_that_is_open_and_once(tables, watch):
    code, (ann, ben, cat, dan) = opened(tables, *FOUR, check_in=5)
    (eve,) = players(tables, "Eve")
    closed = "There is no check-in now."
    refused(tables, code, NotPermitted, NOT_ENTERED, commands.check_in, eve)
    refused(tables, code, InvalidState, closed, commands.check_in, ann)
    organizer.begin(tables, code, ann)
    for player in (ann, ben):
        commands.check_in(tables, code, player)
    before = look(tables, code).log
    commands.check_in(tables, code, ann)
    assert look(tables, code).log == before
    commands.leave(tables, code, cat)
    left = "You have left the tournament. Come back first."
    refused(tables, code, InvalidState, left, commands.check_in, cat)
    commands.come_back(tables, code, cat)
    commands.check_in(tables, code, cat)
    organizer.rule(tables, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(4,)))
    refused(tables, code, InvalidState, REMOVED, commands.check_in, dan)
    organizer.begin(tables, code, ann)
    refused(tables, code, InvalidState, closed, commands.check_in, dan)
    assert sorted(look(tables, code).of.field) == [1, 2, 3]
    ended_, (ann, *_) = opened(tables, *FOUR, check_in=5)
    organizer.begin(tables, ended_, ann)
    organizer.rule(tables, ended_, ann, Ruling(Verb.END, "rain"))
    refused(tables, ended_, InvalidState, closed, commands.check_in, ann)


def test_who_left_is_left_once_and_comes_back_once(tables):
    code, (_, ben, *_) = begun(tables, format=Format.SWISS)
    (eve,) = players(tables, "Eve")
    for deed in (commands.leave, commands.come_back):
        refused(tables, code, NotPermitted, NOT_ENTERED, deed, eve)
        deed(tables, code, ben)
        before = look(tables, code).log
        deed(tables, code, ben)
        assert look(tables, code).log == before
    assert 2 in look(tables, code).of.active()


def test_nobody_comes_back_to_what_is_over_or_was_begun_without_them(tables):
    code, (ann, ben, cat, dan) = opened(tables, *FOUR, format=Format.SWISS, late=False)
    commands.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    without = "This tournament has begun without you. You can watch."
    refused(tables, code, InvalidState, without, commands.come_back, ben)
    organizer.rule(tables, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(3,)))
    refused(tables, code, InvalidState, REMOVED, commands.come_back, cat)
    commands.leave(tables, code, dan)
    organizer.rule(tables, code, ann, Ruling(Verb.END, "rain"))
    for deed in (commands.leave, commands.come_back):
        refused(tables, code, InvalidState, IS_OVER, deed, dan)


def test_before_it_begins_one_comes_back_to_any_and_to_a_knockout_only_then(tables):
    code, (ann, ben, *_) = opened(tables, *FOUR)
    commands.leave(tables, code, ben)
    commands.come_back(tables, code, ben)
    assert 2 in look(tables, code).of.waiting()
    organizer.begin(tables, code, ann)
    commands.leave(tables, code, ben)
    out = "Nobody who is out of a knockout can come back."
    refused(tables, code, InvalidState, out, commands.come_back, ben)


def test_who_did_not_come_to_two_rounds_is_out(tables, watch):
    code, (_, ben, *_) = begun(tables, format=Format.SWISS, rounds=4)
    for missed in (1, 2):
        all_ready(tables, code, missing={ben})
        ended(tables, code)
        watch.sleep(GRACE)
        settled(tables, code)
        if missed == 1:
            commands.come_back(tables, code, ben)
            round_played(tables, code)
    out = "You did not come to two rounds, so you are out."
    refused(tables, code, InvalidState, out, commands.come_back, ben)


def test_who_is_forgotten_leaves_all_and_ends_what_only_they_could_let_go_on(tables, watch):
    runs = {
        "entries": opened(tables, *FOUR),
        "timed": opened(tables, *FOUR, begins_at=watch.time + 3600),
        "begun": begun(tables),
        "paused": begun(tables),
    }
    ann, ben = players(tables, "Ann", "Ben")
    organizer.rule(tables, runs["paused"][0], ann, Ruling(Verb.PAUSE))
    checked, _ = opened(tables, *FOUR, check_in=5)
    organizer.begin(tables, checked, ann)
    runs["check-in"] = (checked, None)
    over, _ = begun(tables)
    played(tables, over)
    log = look(tables, over).log
    commands.depart(tables, ben)
    for code, _ in runs.values():
        seen = look(tables, code)
        assert seen.of.entrants[2].left and not seen.of.ended and not seen.of.entrants[1].left
    commands.depart(tables, ann)
    ends = {
        name: bool(look(tables, code).of.standing(Verb.END)) for name, (code, _) in runs.items()
    }
    assert ends == {
        "entries": True,
        "timed": False,
        "begun": False,
        "paused": True,
        "check-in": False,
    }
    of = look(tables, runs["entries"][0]).of
    assert [it.why for it in of.standing(Verb.END)] == ["Whoever ran it is no longer here."]
    assert all(look(tables, code).of.entrants[1].left for code, _ in runs.values())
    assert look(tables, over).log == log


def test_of_two_who_become_one_the_second_leaves_where_both_had_entered(tables):
    both, _ = opened(tables, *FOUR)
    alone, _ = opened(tables, "Ann", "Ben")
    ben, cat = players(tables, "Ben", "Cat")
    commands.depart(tables, ben, beside=cat)
    assert look(tables, both).of.entrants[2].left
    assert not look(tables, alone).of.entrants[2].left


def test_whose_organiser_is_forgotten_is_run_by_nobody(tables):
    code, (ann, *_) = opened(tables, *FOUR)
    tables.database.write(lambda c: store.forget(c, ann))
    for player in (ann, None):
        with pytest.raises(NotPermitted):
            organizer.require_organizer(look(tables, code), player)
