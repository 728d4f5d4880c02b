"""Opening a tournament, entering, checking in, leaving and returning: when, and why not."""

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
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from tests.support.fake_ids import FakeIds
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
KEPT = "Only players with a secured account (“Secure your account”) can enter this tournament."


@pytest.fixture
def tables(open_tables, sqlite_url):
    """One store is enough, since other tests run these statements on both."""
    return open_tables(sqlite_url)


def refused(tables, code, kind, sentence, deed, *given):
    """Assert that a call raises this refusal with this sentence, and leaves the log unchanged."""
    before = get_tournament(tables, code)
    with pytest.raises(Refusal) as no:
        deed(tables, code, *given)
    assert (type(no.value), str(no.value)) == (kind, sentence)
    after = get_tournament(tables, code)
    assert (after.log, after.row) == (before.log, before.row)


# Opening


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": " \u200b"}, "The tournament’s name needs at least one visible character."),
        (
            {"size": 3},
            "With these options, the game cannot be played by that many players at a table.",
        ),
        ({"most": 1}, "Between 2 and 1024 players can take part."),
        ({"most": 1025}, "Between 2 and 1024 players can take part."),
    ],
)
def test_unplayable_tournament_is_not_created(tables, changes, sentence):
    (ann,) = players(tables, "Ann")
    with pytest.raises(InvalidState) as no:
        tournaments.open(tables, ann, structs.replace(settings(), **changes))
    assert str(no.value) == sentence
    assert tournaments.of_player(tables, ann) == []


def test_shared_cards_need_a_game_with_boards(tables, monkeypatch):
    (ann,) = players(tables, "Ann")
    monkeypatch.setitem(GAMES, "gops", replace(GAMES["gops"], board=None))
    tournaments.require_playable(settings())
    with pytest.raises(
        InvalidState, match=r"^In this game, tables cannot all have the same cards\.$"
    ):
        tournaments.open(tables, ann, settings(duplicate=True))


def test_shared_cards_match_is_one_deal_and_others_as_chosen(tables):
    (ann,) = players(tables, "Ann")
    options = to_json(GAMES["gops"].options(games=3, bid_seconds=30)).decode()
    for duplicate, games in ((False, 3), (True, 1)):
        made = structs.replace(settings(), options=options, duplicate=duplicate)
        assert get_tournament(tables, tournaments.open(tables, ann, made)).options.games == games


def test_tournament_allows_2_to_1024_entrants(tables):
    for most in (2, 1024):
        tournaments.require_playable(settings(most=most))


def test_player_may_run_at_most_ten_tournaments_at_a_time(tables, monkeypatch):
    monkeypatch.setattr(tournaments, "MOST_RUN", 2)
    ann, ben = players(tables, "Ann", "Ben")
    first, _ = (tournaments.open(tables, ann, settings()) for _ in range(2))
    with pytest.raises(
        InvalidState,
        match=r"^You are already running the maximum number of tournaments\. End one first\.$",
    ):
        tournaments.open(tables, ann, settings())
    tournaments.open(tables, ben, settings())
    organizer.rule(tables, first, ann, Ruling(Verb.END, "rain"))
    tournaments.open(tables, ann, settings())


def test_name_is_trimmed_and_cut_at_sixty_characters(tables):
    (ann,) = players(tables, "Ann")
    made = structs.replace(settings(), name="  Cup " + "x" * 60)
    code = tournaments.open(tables, ann, made)
    seen = get_tournament(tables, code)
    assert seen.of.settings.name == "Cup " + "x" * 56
    assert (seen.row.host_id, seen.row.listed, seen.row.ended) == (ann, False, False)
    assert tournaments.is_there(tables, code) and not tournaments.is_there(tables, "NOTHING2")


def test_lobby_shows_listed_tournaments_page_by_page(tables, fake_clock):
    (ann,) = players(tables, "Ann")
    codes = []
    for _ in range(5):
        fake_clock.sleep(1)
        codes.append(tournaments.open(tables, ann, settings(), listed=True))
        tournaments.open(tables, ann, settings())

    def page(number, size):
        found, more = tournaments.listed(tables, number, size)
        return [it.code for it in found], more

    pages = [page(number, 2) for number in range(3)]
    assert [code for found, _ in pages for code in found] == codes[::-1]
    assert [(len(found), more) for found, more in pages] == [(2, True), (2, True), (1, False)]
    assert page(0, 5)[1] is False and page(1, 5) == ([], False)
    assert len(tournaments.of_player(tables, ann, 7)) == 7


def test_open_tournaments_are_listed_before_finished_ones(tables, fake_clock):
    (ann,) = players(tables, "Ann")
    codes = []
    for _ in range(3):
        fake_clock.sleep(1)
        codes.append(tournaments.open(tables, ann, settings(), listed=True))
    organizer.rule(tables, codes[2], ann, Ruling(Verb.END, "rain"))
    wanted = [codes[1], codes[0], codes[2]]
    assert [it.code for it in tournaments.listed(tables, 0)[0]] == wanted
    assert [it.code for it in tournaments.of_player(tables, ann)] == wanted


# Entering


def test_entrant_enters_once_in_order_with_distinct_names(tables):
    code, _ = opened(tables, "Ann")
    for name, player in zip(FOUR, players(tables, *FOUR), strict=True):
        for _ in range(2):
            tournaments.enter(tables, code, player, "Ann" if name == "Ben" else name)
    seen = get_tournament(tables, code)
    assert [it.name for it in seen.entrants.values()] == ["Ann", "Ann 2", "Cat", "Dan"]
    assert seen.of.waiting() == [1, 2, 3, 4]


def test_draw_entropy_is_given_or_random_up_to_60_characters(open_tables, sqlite_url):
    tables = open_tables(sqlite_url, ids=FakeIds(cut=lambda: "drawn"))
    code, _ = opened(tables, "Ann")
    ben, cat = players(tables, "Ben", "Cat")
    tournaments.enter(tables, code, ben, "Ben", " " + "c" * 61)
    tournaments.enter(tables, code, cat, "Cat", " ")
    first, second = get_tournament(tables, code).cuts((2, 3))
    assert (first, second) == ("c" * 60, "drawn")


def test_a_waiting_list_is_as_long_as_the_field(tables):
    code, _ = opened(tables, *FOUR, most=2)
    eve, fay = players(tables, "Eve", "Fay")
    full = "This tournament is full, and so is its waiting list."
    refused(tables, code, InvalidState, full, tournaments.enter, eve, "Eve")
    tournaments.leave(tables, code, players(tables, "Ben")[0])
    tournaments.enter(tables, code, eve, "Eve")
    refused(tables, code, InvalidState, full, tournaments.enter, fay, "Fay")
    assert get_tournament(tables, code).of.waiting() == [1, 3, 4, 5]


def test_late_entry_of_a_swiss_lasts_until_half_and_capacity(tables):
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4, most=6)
    eve, fay, gus = players(tables, "Eve", "Fay", "Gus")
    tournaments.enter(tables, code, eve, "Eve")
    tournaments.enter(tables, code, fay, "Fay")
    refused(tables, code, InvalidState, "This tournament is full.", tournaments.enter, gus, "Gus")
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4)
    round_played(tables, code)
    tournaments.enter(tables, code, eve, "Eve")
    assert len(round_played(tables, code).of.rounds) == 3
    refused(tables, code, InvalidState, HAS_BEGUN, tournaments.enter, gus, "Gus")
    code, (ann, *_) = begun(tables, format=Format.SWISS, rounds=4)
    organizer.rule(tables, code, ann, Ruling(Verb.CLOSE))
    refused(tables, code, InvalidState, HAS_BEGUN, tournaments.enter, gus, "Gus")


@pytest.mark.parametrize(
    "more", [{}, {"format": Format.LEAGUE}, {"format": Format.SWISS, "late": False}]
)
def test_other_started_formats_refuse_entries(tables, more):
    code, (ann, *_) = begun(tables, **more)
    (eve,) = players(tables, "Eve")
    refused(tables, code, InvalidState, HAS_BEGUN, tournaments.enter, eve, "Eve")
    organizer.rule(tables, code, ann, Ruling(Verb.END, "rain"))
    refused(tables, code, InvalidState, IS_OVER, tournaments.enter, eve, "Eve")


def test_stranger_cannot_enter_where_accounts_are_required(tables):
    code = tournaments.open(tables, players(tables, "Ann")[0], settings(accounts=True))
    eve, fay = players(tables, "Eve", "Fay")
    refused(tables, code, InvalidState, KEPT, tournaments.enter, eve, "Eve")
    of = get_tournament(tables, code).of
    for player in (None, eve):
        with pytest.raises(InvalidState):
            tournaments.require_account(tables, of, player)
        assert not tournaments.has_kept(tables, player)
    tables.database.write(lambda c: accounts.change(c, fay, tables.now(), password="hash"))
    tournaments.enter(tables, code, fay, "Fay")
    assert tournaments.has_kept(tables, fay)
    tournaments.require_account(
        tables, get_tournament(tables, opened(tables, "Ann")[0]).of, None
    )  # other tournaments accept all


# Checking in, leaving, coming back


def test_check_in_counts_once_while_open(tables, fake_clock):
    code, (ann, ben, cat, dan) = opened(tables, *FOUR, check_in=5)
    (eve,) = players(tables, "Eve")
    closed = "Check-in is not open now."
    refused(tables, code, NotPermitted, NOT_ENTERED, tournaments.check_in, eve)
    refused(tables, code, InvalidState, closed, tournaments.check_in, ann)
    organizer.begin(tables, code, ann)
    for player in (ann, ben):
        tournaments.check_in(tables, code, player)
    before = get_tournament(tables, code).log
    tournaments.check_in(tables, code, ann)
    assert get_tournament(tables, code).log == before
    tournaments.leave(tables, code, cat)
    left = "You have left the tournament. Rejoin first."
    refused(tables, code, InvalidState, left, tournaments.check_in, cat)
    tournaments.come_back(tables, code, cat)
    tournaments.check_in(tables, code, cat)
    organizer.rule(tables, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(4,)))
    refused(tables, code, InvalidState, REMOVED, tournaments.check_in, dan)
    organizer.begin(tables, code, ann)
    refused(tables, code, InvalidState, closed, tournaments.check_in, dan)
    assert sorted(get_tournament(tables, code).of.field) == [1, 2, 3]
    ended_, (ann, *_) = opened(tables, *FOUR, check_in=5)
    organizer.begin(tables, ended_, ann)
    organizer.rule(tables, ended_, ann, Ruling(Verb.END, "rain"))
    refused(tables, ended_, InvalidState, closed, tournaments.check_in, ann)


def test_entrant_leaves_and_returns_once(tables):
    code, (_, ben, *_) = begun(tables, format=Format.SWISS)
    (eve,) = players(tables, "Eve")
    for deed in (tournaments.leave, tournaments.come_back):
        refused(tables, code, NotPermitted, NOT_ENTERED, deed, eve)
        deed(tables, code, ben)
        before = get_tournament(tables, code).log
        deed(tables, code, ben)
        assert get_tournament(tables, code).log == before
    assert 2 in get_tournament(tables, code).of.active()


def test_return_to_a_finished_or_started_tournament_is_refused(tables):
    code, (ann, ben, cat, dan) = opened(tables, *FOUR, format=Format.SWISS, late=False)
    tournaments.leave(tables, code, ben)
    organizer.begin(tables, code, ann)
    without = "This tournament has begun without you. You can watch."
    refused(tables, code, InvalidState, without, tournaments.come_back, ben)
    organizer.rule(tables, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(3,)))
    refused(tables, code, InvalidState, REMOVED, tournaments.come_back, cat)
    tournaments.leave(tables, code, dan)
    organizer.rule(tables, code, ann, Ruling(Verb.END, "rain"))
    for deed in (tournaments.leave, tournaments.come_back):
        refused(tables, code, InvalidState, IS_OVER, deed, dan)


def test_return_is_open_before_the_start_and_closed_in_knockout(tables):
    code, (ann, ben, *_) = opened(tables, *FOUR)
    tournaments.leave(tables, code, ben)
    tournaments.come_back(tables, code, ben)
    assert 2 in get_tournament(tables, code).of.waiting()
    organizer.begin(tables, code, ann)
    tournaments.leave(tables, code, ben)
    out = "You cannot rejoin a knockout once you are out."
    refused(tables, code, InvalidState, out, tournaments.come_back, ben)


def test_entrant_missing_two_rounds_is_out(tables, fake_clock):
    code, (_, ben, *_) = begun(tables, format=Format.SWISS, rounds=4)
    for missed in (1, 2):
        all_ready(tables, code, missing={ben})
        ended(tables, code)
        fake_clock.sleep(GRACE)
        settled(tables, code)
        if missed == 1:
            tournaments.come_back(tables, code, ben)
            round_played(tables, code)
    out = "You missed two rounds, so you are out."
    refused(tables, code, InvalidState, out, tournaments.come_back, ben)


def test_erased_player_leaves_all_and_ends_dependent_tournaments(tables, fake_clock):
    runs = {
        "entries": opened(tables, *FOUR),
        "timed": opened(tables, *FOUR, begins_at=fake_clock.time + 3600),
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
    log = get_tournament(tables, over).log
    tournaments.depart(tables, ben)
    for code, _ in runs.values():
        seen = get_tournament(tables, code)
        assert seen.of.entrants[2].left and not seen.of.ended and not seen.of.entrants[1].left
    tournaments.depart(tables, ann)
    ends = {
        name: bool(get_tournament(tables, code).of.standing(Verb.END))
        for name, (code, _) in runs.items()
    }
    assert ends == {
        "entries": True,
        "timed": False,
        "begun": False,
        "paused": True,
        "check-in": False,
    }
    of = get_tournament(tables, runs["entries"][0]).of
    assert [it.why for it in of.standing(Verb.END)] == ["The organiser is no longer here."]
    assert all(get_tournament(tables, code).of.entrants[1].left for code, _ in runs.values())
    assert get_tournament(tables, over).log == log


def test_merged_players_second_entry_leaves(tables):
    both, _ = opened(tables, *FOUR)
    alone, _ = opened(tables, "Ann", "Ben")
    ben, cat = players(tables, "Ben", "Cat")
    tournaments.depart(tables, ben, beside=cat)
    assert get_tournament(tables, both).of.entrants[2].left
    assert not get_tournament(tables, alone).of.entrants[2].left


def test_tournament_of_an_erased_organizer_has_no_organizer(tables):
    code, (ann, *_) = opened(tables, *FOUR)
    tables.database.write(lambda c: store.forget(c, ann))
    for player in (ann, None):
        with pytest.raises(NotPermitted):
            organizer.require_organizer(get_tournament(tables, code), player)


def test_tournament_that_begins_when_full_starts_with_last_entry(tables):
    ann, ben = players(tables, "Ann", "Ben")
    code = tournaments.open(tables, ann, settings(most=2, begins_full=True))
    tournaments.enter(tables, code, ann, "Ann")
    assert not get_tournament(tables, code).of.begun
    tournaments.enter(tables, code, ben, "Ben")
    assert get_tournament(tables, code).of.begun
