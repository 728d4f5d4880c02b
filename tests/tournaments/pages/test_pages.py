"""What players, watchers and organisers read in moments that are soon over."""

import html
import re

import pytest

from kaboom.accounts import current as who_asks
from kaboom.lobby import routes as seating
from kaboom.play import view_routes
from kaboom.records.pages import MatchPage
from kaboom.tournaments import organizer
from kaboom.tournaments import service as commands
from kaboom.tournaments.changes import GRACE
from kaboom.tournaments.rules.events import Format, Ruling, Verb
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
    """A function: what somebody is answered."""

    def answered(path, who=""):
        for module in (who_asks, view_routes, seating):
            monkeypatch.setattr(module, "key_hash", lambda: f"key of {who}" if who else "")
        answer = app.test_client().get(path)
        assert answer.status_code in (200, 204), path
        return answer

    return answered


def words(answer):
    main = re.sub(r"<(style|script|noscript).*?</\1>", "", answer.text, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def one_over(tables, code):
    """Let the first match that is on end, not the others."""
    table = next(at for _, at, state in pods(tables, code) if state == "playing")
    tables.change(table, lambda transaction: transaction.stop((1, 2)))
    return table


@pytest.mark.parametrize("duplicate", [False, True])
def test_who_plays_is_not_told_to_press_ready_and_who_has_played_reads_so(service, ask, duplicate):
    code, _ = begun(service, format=Format.SWISS, duplicate=duplicate)
    assert READY in words(ask(f"/e/{code}", "Ann"))
    version = re.search('name="seen" value="(.*?)"', ask(f"/e/{code}", "Ann").text)[1]
    assert ask(f"/e/{code}/view?seen={version}", "Ann").status_code == 204
    all_ready(service, code)
    if duplicate:
        settled(service, code)
    else:
        assert ask(f"/e/{code}/view?seen={version}", "Ann").status_code == 200
    for name in FOUR:
        read = words(ask(f"/e/{code}", name))
        assert "Your match is being played." in read and READY not in read
        assert (NO_MORE in read) == duplicate
    one_over(service, code)
    told = [words(ask(f"/e/{code}", name)) for name in FOUR]
    assert sum("Your match is over." in read for read in told) == 2
    assert sum("Your match is being played." in read for read in told) == 2
    assert not any("Your match" in words(ask(f"/e/{code}", who)) for who in ("", "Eve"))


def test_of_a_knockout_that_all_have_left_it_is_said_that_nobody_has_won(service, ask):
    code, ids = begun(service)
    for player in ids:
        commands.leave(service, code, player)
    round_played(service, code)
    settled(service, code)
    assert "Nobody has won." in words(ask(f"/e/{code}"))
    assert "Round 2" not in words(ask(f"/e/{code}"))


def test_who_is_knocked_out_need_not_leave(service, ask, watch):
    code, _ = begun(service, between=5)
    organisers_table = "Leave the tournament"
    assert organisers_table in words(ask(f"/e/{code}", "Ann"))
    round_played(service, code)
    watch.sleep(300)
    seen = settled(service, code)
    inside = {it for pod in seen.of.rounds[1].pods for it in pod.entrants}
    out = next(name for number, name in enumerate(FOUR, 1) if number not in inside)
    read = words(ask(f"/e/{code}", out))
    assert "You are out of the knockout." in read and organisers_table not in read


@pytest.mark.parametrize("duplicate", [False, True])
def test_a_table_of_a_tournament_promises_no_other_match(service, ask, duplicate):
    code, _ = begun(service, format=Format.SWISS, duplicate=duplicate)
    (_, at, _), *_ = pods(service, code)
    name = service.look(at).table.chairs[0].name
    before = ask(f"/t/{at}", name).text
    assert ("The next shuffle is already fixed" in before) != duplicate
    assert bool(ask(f"/t/{at}.json", name).json["promise"]) != duplicate
    all_ready(service, code)
    settled(service, code)
    there = words(ask(f"/t/{at}", name)) + words(ask(f"/t/{at}/leave", name))
    assert "Pause" not in there and "Leave, verify the shuffles" in there
    ended(service, code)
    after = words(ask(f"/t/{at}", name))
    assert "The match is over" in after
    assert "free for a new match" not in after and "The next shuffle" not in after
    assert "This table: tournament, options, rules" in after


def test_how_many_rounds_there_are_is_said_when_it_is_known(service, ask):
    code, (ann, *_) = opened(service, "Ann", format=Format.SWISS)
    assert "Rounds as many as the field needs" in words(ask(f"/e/{code}"))
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    assert "Rounds 3, with those who have entered so far" in words(ask(f"/e/{code}"))
    organizer.begin(service, code, ann)
    assert "Rounds 3 Room for" in words(ask(f"/e/{code}"))
    fixed, _ = opened(service, "Ann", format=Format.SWISS, rounds=5)
    assert "Rounds 5 Room for" in words(ask(f"/e/{fixed}"))


def test_who_was_removed_is_not_sent_to_a_table_that_has_not_begun(service, ask):
    code, (ann, *_) = begun(service, format=Format.SWISS)
    organizer.rule(service, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(2,)))
    read = words(ask(f"/e/{code}", "Ben"))
    assert "The organiser has removed you" in read
    assert "Go to your table" not in read and READY not in read
    code, (ann, *_) = begun(service, format=Format.SWISS)
    all_ready(service, code)
    organizer.rule(service, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(2,)))
    assert "Go to your table" in words(ask(f"/e/{code}", "Ben"))  # a match that is on goes on


def test_who_did_not_come_reads_that_the_match_is_played_without_them(service, ask, watch):
    code, ids = begun(service, game="kaboom", format=Format.SWISS)
    all_ready(service, code, missing=ids[1:2])
    watch.sleep(GRACE + 1)
    settled(service, code)
    read = words(ask(f"/e/{code}", "Ben"))
    assert "the match there is played without you" in read
    assert "Go to your table" not in read and "Your match is" not in read
    assert "Your match is being played." in words(ask(f"/e/{code}", "Ann"))


def test_it_is_said_how_long_the_matches_of_a_round_last_at_most(service, ask, watch):
    code, (ann, *_) = begun(service, format=Format.SWISS, limit=90)
    ends = "Matches of this round end in {} at the latest, by how they stand."
    assert ends.format("90 minutes") in words(ask(f"/e/{code}"))
    version = re.search('name="seen" value="(.*?)"', ask(f"/e/{code}").text)[1]
    assert ask(f"/e/{code}/view?seen={version}").status_code == 204
    watch.sleep(61 * 60)
    assert ask(f"/e/{code}/view?seen={version}").status_code == 200
    organizer.rule(service, code, ann, Ruling(Verb.EXTEND, round=1, minutes=20))
    assert ends.format("49 minutes") in words(ask(f"/e/{code}"))
    organizer.rule(service, code, ann, Ruling(Verb.PAUSE))
    assert "at the latest" not in words(ask(f"/e/{code}"))
    unlimited, _ = begun(service, format=Format.SWISS)
    assert "at the latest" not in words(ask(f"/e/{unlimited}"))


def test_the_link_of_a_tournament_is_there_as_a_code_for_cameras(service, ask):
    code, _ = opened(service, "Ann")
    assert re.search(
        '<img class="qr" src="data:image/png[^"]*"[^>]* alt="QR code', ask(f"/e/{code}").text
    )


def test_who_has_no_result_yet_stands_below_who_has(service, ask):
    code, _ = begun(service, format=Format.SWISS)
    all_ready(service, code)
    one_over(service, code)
    settled(service, code)
    found = [it["points"] for it in ask(f"/e/{code}.json").json["standings"]]
    assert found == ["1.00", "0.00", "–", "–"]


def test_the_cards_of_several_tables_are_not_said_to_have_been_cut_by_players(
    service, ask, monkeypatch
):
    monkeypatch.setattr(MatchPage, "wrong", [])  # it was ended without its moves
    code, _ = begun(service, format=Format.SWISS, duplicate=True)
    all_ready(service, code)
    settled(service, code)
    ended(service, code)
    record = settled(service, code).of.rounds[0].pods[0].record
    read = words(ask(f"/m/{record}/verify"))
    assert "at all tables alike" in read
    assert "If you made a cut" not in read and "the seed alone" not in read
