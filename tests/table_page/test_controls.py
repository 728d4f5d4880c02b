"""Page values of votes, clocks, offers and hints, for each role of the viewer."""

import pytest

from kaboom.engine.table_view import Clock
from kaboom.table_page import page_data, vote_service
from kaboom.table_page import service as match
from kaboom.table_page.controls import match_controls_of, proposals
from kaboom.table_page.page_data import _asked_to_remove, _clock, _seat_lines, offered
from kaboom.tables import start_match
from kaboom.tables.table import Timer
from tests.tables.test_service import KABOOM, all_ready, opened, playing


@pytest.fixture
def service(open_tables, sqlite_url, app):
    with app.test_request_context():
        yield open_tables(sqlite_url)


@pytest.fixture
def three(service):
    code, ids = playing(service, "Ann", "Ben", "Cid", options=KABOOM.options(turn_seconds=30))
    all_ready(service, code, ids)
    service.here.players = set(ids)
    return code, ids


def seen_by(service, code, player):
    return service.get(code).asked_by(player, "")


def votes_of(service, code, players):
    """Return each player's role in the open vote, with who has agreed."""
    found = [match_controls_of(seen_by(service, code, it)).vote for it in players]
    return [it and it.mine for it in found], found[0] and (found[0].agreed, found[0].missing)


def test_vote_addresses_each_voter_by_role(service, three):
    code, (ann, ben, cid) = three
    eve = 999
    everyone = (ann, ben, cid, eve, None)
    assert votes_of(service, code, everyone) == ([None] * 5, None)
    vote_service.propose_vote(service, code, ann, "pause")
    parts = votes_of(service, code, everyone)
    assert parts == (["agreed", "asked", "asked", "", ""], (["Ann"], ["Ben", "Cid"]))
    vote_service.cast_vote(service, code, ben, 1, True)
    parts = votes_of(service, code, everyone)
    assert parts == (["agreed", "agreed", "asked", "", ""], (["Ann", "Ben"], ["Cid"]))
    vote_service.cast_vote(service, code, cid, 1, False)
    vote_service.propose_vote(service, code, ann, "bot", service.get(code).table.seat_of(cid))
    parts = votes_of(service, code, everyone)
    assert parts == (["agreed", "asked", "about", "", ""], (["Ann"], ["Ben"]))
    text = match_controls_of(seen_by(service, code, ben)).vote.text
    assert text == "Ann proposes letting a bot play for Cid."


def test_lone_vote_takes_two_presses_or_one_once_agreed(service, three):
    code, (ann, ben, cid) = three
    service.here.players = {ann}
    vote_service.propose_vote(service, code, ann, "end")
    assert votes_of(service, code, (ann, ben))[0] == ["alone", "asked"]
    service.here.players = {ann, ben, cid}
    vote_service.cast_vote(service, code, ben, 1, True)
    assert votes_of(service, code, (ann, ben))[0] == ["agreed", "agreed"]


def test_players_may_propose_but_not_bots_seats_or_spectators(service, three):
    code, (ann, ben, cid) = three
    names = {seat: it.name for seat, it in service.get(code).table.sitting()}
    mine = service.get(code).table.seat_of(ann)
    others = [
        (f"bot {seat}", f"Let a bot play for {it}") for seat, it in names.items() if seat != mine
    ]
    assert proposals(seen_by(service, code, ann)) == [
        ("pause", "Pause the match"),
        *others,
        ("end", "End the match without a result"),
    ]
    assert proposals(seen_by(service, code, 999)) == []
    match.start_stand_in(service, code, cid)
    assert proposals(seen_by(service, code, cid)) == []
    told = [match_controls_of(seen_by(service, code, it)) for it in (ann, cid, None)]
    assert [(it.away, it.bot, it.bots_for, it.may_propose) for it in told] == [
        (False, False, ["Cid"], True),
        (True, True, [], False),
        (False, False, ["Cid"], False),
    ]
    service.change(code, lambda transaction: setattr(transaction.table, "paused", True))
    paused = match_controls_of(seen_by(service, code, ben))
    assert paused.paused and proposals(seen_by(service, code, ben))[0] == (
        "go_on",
        ("Resume the match"),
    )


@pytest.mark.parametrize(
    ("timer", "clock"),
    [
        (Timer(30.0, decision=True, due=112.34), Clock(12.3, 30.0, held=False, more=True)),
        (Timer(30.0, decision=True, more=True, due=112.0), Clock(12.0, 30.0)),
        (Timer(30.0, due=112.0), Clock(12.0, 30.0)),
        (Timer(30.0, due=99.0), Clock(0.0, 30.0)),
        (Timer(30.0, left=7.0), Clock(7.0, 30.0, held=True)),
        (Timer(30.0), Clock(0.0, 30.0)),
    ],
)
def test_clock_is_formatted_and_never_negative(timer, clock):
    assert _clock(timer, 100.0) == clock


def test_button_answers_only_the_current_offer(service, three):
    code, ids = three
    snapshot = next(
        it for it in (seen_by(service, code, player) for player in ids) if it.prompt().offer("draw")
    )
    draw = snapshot.prompt().offer("draw")
    assert offered(snapshot, f"{draw.token} draw") == (draw, ())
    for wrong in (f"{draw.token} take", "x draw", f"{draw.token} draw KS", "", draw.token):
        assert offered(snapshot, wrong) is None, wrong
    flip = next(it for it in snapshot.prompt().offers if it.verb == "flip")
    place = flip.options[0]
    assert offered(snapshot, f"{flip.token} flip {place}") == (flip, (place,))
    for wrong in ("", f"{place} {place}", "9.9"):
        assert offered(snapshot, f"{flip.token} flip {wrong}".strip()) is None, wrong
    assert offered(seen_by(service, code, None), f"{draw.token} draw") is None


def test_only_the_host_confirms_removing_a_person(service):
    code, (ann, ben) = opened(service, "Ann", "Ben", bots=1)
    table = service.get(code).table
    seats = {occupant.name: seat for seat, occupant in table.sitting()}
    bot = next(seat for seat, occupant in table.sitting() if occupant.bot)

    def asked(player, value):
        return _asked_to_remove(seen_by(service, code, player), value)

    found = asked(ann, f"remove {seats['Ben']}")
    assert (found.question, found.action) == ("Remove Ben from the table?", "remove")
    assert found.fields == [("name", "Ben"), ("seat", str(seats["Ben"]))]
    for value in (f"remove {seats['Ann']}", f"remove {bot}", "remove 3", "remove", "remove x"):
        assert asked(ann, value) is None, value
    for player in (ben, None, 999):
        assert asked(player, f"remove {seats['Ben']}") is None
    for player in (ann, ben):
        start_match.ready(service, code, player)
    assert service.get(code).table.playing
    assert asked(ann, f"remove {seats['Ben']}") is None


def test_each_chair_names_its_player(service):
    code, (_, ben) = opened(service, "Ann", "Ben", bots=1)
    start_match.ready(service, code, ben)
    lines = _seat_lines(seen_by(service, code, ben))
    assert [it.seat for it in lines] == list(range(len(lines)))
    by_name = {it.name: it for it in lines}
    assert (by_name["Ann"].host, by_name["Ann"].mine, by_name["Ann"].ready) == (True, False, False)
    assert (by_name["Ben"].host, by_name["Ben"].mine, by_name["Ben"].ready) == (False, True, True)
    bot = next(it for it in lines if it.bot)
    assert (bot.level, bot.mine, bot.ready) == ("normal", False, True)
    assert not any(it.level for it in lines if not it.bot)


def test_date_is_localized_with_a_year_if_distant(service):
    assert page_data.day(0.0) == "Jan 1, 1970"
    assert page_data._short_day(0.0) == "Jan 1"
