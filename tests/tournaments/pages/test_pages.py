"""Texts for players, spectators and organisers in short-lived situations."""

import html
import re

import pytest

from kaboom.accounts import current
from kaboom.lobby import seat_routes as lobby
from kaboom.records.pages import MatchPage
from kaboom.table_page import view_routes
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import GRACE
from kaboom.tournaments.pages import _by_place
from kaboom.tournaments.rules.events import Format, How, Ruling, SeatResult, Verb
from tests.support.tournaments import (
    FOUR,
    all_ready,
    begun,
    ended,
    opened,
    pods,
    round_played,
    settled,
)

READY, NO_MORE = "Press “I am ready” there.", "When all tables have played these cards"


@pytest.fixture
def ask(app, monkeypatch):
    """Return a function that makes a request as a player."""

    def answered(path, who=""):
        for module in (current, view_routes, lobby):
            monkeypatch.setattr(module, "key_hash", lambda: f"key of {who}" if who else "")
        answer = app.test_client().get(path)
        assert answer.status_code in (200, 204), path
        return answer

    return answered


def words(answer):
    main = re.sub(r"<(style|script|noscript).*?</\1>", "", answer.text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def one_over(tables, code):
    """End the first running match only."""
    table = next(at for _, at, state in pods(tables, code) if state == "playing")
    tables.change(table, lambda transaction: transaction.stop((1, 2)))
    return table


@pytest.mark.parametrize("duplicate", [False, True])
def test_player_in_a_match_is_not_asked_to_be_ready(service, ask, duplicate):
    code, _ = begun(service, format=Format.SWISS, duplicate=duplicate)
    assert READY in words(ask(f"/tournaments/{code}", "Ann"))
    version = re.search('name="seen" value="(.*?)"', ask(f"/tournaments/{code}", "Ann").text)[1]
    assert ask(f"/tournaments/{code}/view?seen={version}", "Ann").status_code == 204
    all_ready(service, code)
    if duplicate:
        settled(service, code)
    else:
        assert ask(f"/tournaments/{code}/view?seen={version}", "Ann").status_code == 200
    for name in FOUR:
        read = words(ask(f"/tournaments/{code}", name))
        assert "Your match is being played." in read and READY not in read
        assert (NO_MORE in read) == duplicate
    one_over(service, code)
    told = [words(ask(f"/tournaments/{code}", name)) for name in FOUR]
    assert sum("Your match is over." in read for read in told) == 2
    assert sum("Your match is being played." in read for read in told) == 2
    assert not any("Your match" in words(ask(f"/tournaments/{code}", who)) for who in ("", "Eve"))


def test_page_of_a_knockout_that_all_left_names_no_winner(service, ask):
    code, ids = begun(service)
    for player in ids:
        tournaments.leave(service, code, player)
    round_played(service, code)
    settled(service, code)
    assert "There is no winner." in words(ask(f"/tournaments/{code}"))
    assert "Round 2" not in words(ask(f"/tournaments/{code}"))


def test_eliminated_entrant_need_not_leave(service, ask, fake_clock):
    code, _ = begun(service, between=5)
    organisers_table = "Leave the tournament"
    assert organisers_table in words(ask(f"/tournaments/{code}", "Ann"))
    round_played(service, code)
    fake_clock.sleep(300)
    seen = settled(service, code)
    inside = {it for pod in seen.of.rounds[1].pods for it in pod.entrants}
    out = next(name for number, name in enumerate(FOUR, 1) if number not in inside)
    read = words(ask(f"/tournaments/{code}", out))
    assert "You are out of the knockout." in read and organisers_table not in read


@pytest.mark.parametrize("duplicate", [False, True])
def test_tournament_table_offers_no_next_match(service, ask, duplicate):
    code, _ = begun(service, format=Format.SWISS, duplicate=duplicate)
    (_, at, _), *_ = pods(service, code)
    name = service.get(at).table.chairs[0].name
    before = ask(f"/t/{at}", name).text
    assert ("The next shuffle is already fixed" in before) != duplicate
    assert bool(ask(f"/t/{at}.json", name).json["promise"]) != duplicate
    all_ready(service, code)
    settled(service, code)
    there = words(ask(f"/t/{at}", name)) + words(ask(f"/t/{at}/leave", name))
    assert "Pause" not in there and "Leave or verify the shuffles" in there
    ended(service, code)
    after = words(ask(f"/t/{at}", name))
    assert "Place 1 of 2" in after
    assert "ready for a new match" not in after and "The next shuffle" not in after
    assert "This table: tournament, options, rules" in after


def test_number_of_rounds_is_shown_once_known(service, ask):
    code, (ann, *_) = opened(service, "Ann", format=Format.SWISS)
    assert "Rounds as many as needed" in words(ask(f"/tournaments/{code}"))
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    assert "Rounds 3, with the players entered so far" in words(ask(f"/tournaments/{code}"))
    organizer.begin(service, code, ann)
    assert "Rounds 3 Capacity" in words(ask(f"/tournaments/{code}"))
    fixed, _ = opened(service, "Ann", format=Format.SWISS, rounds=5)
    assert "Rounds 5 Capacity" in words(ask(f"/tournaments/{fixed}"))


def test_entrants_pairing_is_marked_and_leads_to_their_table(service, ask):
    code, _ = begun(service, format=Format.SWISS)
    all_ready(service, code)
    page = f"/tournaments/{code}"
    for path, marks in ((page, 2), (f"{page}/round/1", 1), (f"{page}/standings", 1)):
        text = ask(path, "Ben").text
        assert re.findall(r'<bdi>(\w+)</bdi> <small class="tag on">you<', text) == ["Ben"] * marks
        assert "<!--you" not in text and "<!--at" not in text
        assert "tag on" not in ask(path, "Eve").text
    listed = ask(page, "Ben").text.partition('class="pods"')[2]
    own = re.search(r"<li value(?:(?!</li>).)*<bdi>Ben.*?</li>", listed, re.S)[0]
    assert ">Go to your table<" in own and "Watch" not in own
    assert listed.count("Go to your table") == 1 and "Watch" in listed
    assert ask(page, "Eve").text.count("Go to your table") == 0


def test_removed_entrant_is_not_sent_to_a_waiting_table(service, ask):
    code, (ann, *_) = begun(service, format=Format.SWISS)
    organizer.rule(service, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(2,)))
    read = words(ask(f"/tournaments/{code}", "Ben"))
    assert "The organiser has removed you" in read
    assert "Go to your table" not in read and READY not in read
    code, (ann, *_) = begun(service, format=Format.SWISS)
    all_ready(service, code)
    organizer.rule(service, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(2,)))
    assert "Go to your table" in words(
        ask(f"/tournaments/{code}", "Ben")
    )  # a running match continues


def test_no_show_is_told_that_the_match_goes_on_without_them(service, ask, fake_clock):
    code, ids = begun(service, game="kaboom", format=Format.SWISS)
    all_ready(service, code, missing=ids[1:2])
    fake_clock.sleep(GRACE + 1)
    settled(service, code)
    read = words(ask(f"/tournaments/{code}", "Ben"))
    assert "the match there is being played without you" in read
    assert "Go to your table" not in read and "Your match is" not in read
    assert "Your match is being played." in words(ask(f"/tournaments/{code}", "Ann"))


def test_maximum_length_of_a_rounds_matches_is_shown(service, ask, fake_clock):
    code, (ann, *_) = begun(service, format=Format.SWISS, limit=90)
    ends = "Matches in this round end in {} at the latest, as they stand."
    assert ends.format("90 minutes") in words(ask(f"/tournaments/{code}"))
    version = re.search('name="seen" value="(.*?)"', ask(f"/tournaments/{code}").text)[1]
    assert ask(f"/tournaments/{code}/view?seen={version}").status_code == 204
    fake_clock.sleep(61 * 60)
    assert ask(f"/tournaments/{code}/view?seen={version}").status_code == 200
    organizer.rule(service, code, ann, Ruling(Verb.EXTEND, round=1, minutes=20))
    assert ends.format("49 minutes") in words(ask(f"/tournaments/{code}"))
    organizer.rule(service, code, ann, Ruling(Verb.PAUSE))
    assert "at the latest" not in words(ask(f"/tournaments/{code}"))
    unlimited, _ = begun(service, format=Format.SWISS)
    assert "at the latest" not in words(ask(f"/tournaments/{unlimited}"))


def test_tournament_link_has_a_qr_code(service, ask):
    code, _ = opened(service, "Ann")
    assert re.search(
        '<img class="qr" src="data:image/png[^"]*"[^>]* alt="QR code',
        ask(f"/tournaments/{code}").text,
    )


def test_entrant_without_a_result_is_listed_last(service, ask):
    code, _ = begun(service, format=Format.SWISS)
    all_ready(service, code)
    one_over(service, code)
    settled(service, code)
    found = [it["points"] for it in ask(f"/tournaments/{code}.json").json["standings"]]
    assert found == ["1.00", "0.00", "–", "–"]


def test_shared_cards_are_not_described_as_cut_by_players(service, ask, monkeypatch):
    monkeypatch.setattr(MatchPage, "wrong", [])  # it was ended without moves
    code, _ = begun(service, format=Format.SWISS, duplicate=True)
    all_ready(service, code)
    settled(service, code)
    ended(service, code)
    record = settled(service, code).of.rounds[0].pods[0].record
    read = words(ask(f"/m/{record}/verify"))
    assert "at all tables" in read
    assert "If you made a cut" not in read and "the seed alone" not in read


def test_absent_entrant_is_listed_last():
    found = (
        SeatResult(1, How.ABSENT),
        SeatResult(2, How.PLAYED, 2),
        SeatResult(3, How.PLAYED, 1),
    )
    assert [it.entrant for it in _by_place(found, {2: 2, 3: 1})] == [3, 2, 1]
