"""The pages of a tournament from entry to end, for each kind of reader and for programs."""

import html
import re
from types import SimpleNamespace

import pytest

from kaboom.accounts import current
from kaboom.engine.fairness.commitment import commitment
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.changes import GRACE, get_tournament
from kaboom.tournaments.pages import bracket_of, standing_lines
from kaboom.tournaments.results_routes import INKS, _meetings
from kaboom.tournaments.rules.events import Format, Ruling, Verb
from kaboom.tournaments.rules.points import WHOLE
from kaboom.tournaments.texts import decimals, percent, points, rulings, worth, worth_against
from tests.support.tournaments import (
    all_ready,
    ended,
    opened,
    played,
    players,
    pods,
    settled,
)

FOUR = ("Ann", "Ben", "Cat", "Dan")
HOUR = 3600.0


@pytest.fixture
def read(app, monkeypatch):
    """Return a function that reads a tournament's page as words, as a player or anonymously."""

    def as_words(code, who="", page=""):
        monkeypatch.setattr(current, "key_hash", lambda: f"key of {who}" if who else "")
        answer = app.test_client().get(f"/tournaments/{code}{page}")
        assert answer.status_code == 200
        main = re.sub(r"<(style|script|noscript).*?</\1>", "", answer.text, flags=re.S)
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())

    return as_words


@pytest.fixture
def told(app):
    """Return a function that returns a tournament as JSON."""
    return lambda code, query="": app.test_client().get(f"/tournaments/{code}.json{query}").json


def stands(text, has=(), lacks=()):
    for it in has:
        assert it in text, it
    for it in lacks:
        assert it not in text, it


ENTER, HERE, RUN = "A word for the draw", "I am here: check in", "Run the tournament"
MY_TABLE, BACK, LEAVE = "Go to your table", "Rejoin", "Leave the tournament"


def test_entrant_sees_their_position_before_the_start(service, read, fake_clock):
    code, (ann, *_) = opened(service, *FOUR, most=2, begins_at=fake_clock.time + 2 * HOUR)
    players(service, "Eve")
    entries = ("Entries are open", "4 have entered.", "It begins in 2 hours")
    stands(read(code), (*entries, ENTER), (RUN, LEAVE, "The organiser will start it"))
    stands(read(code, "Eve"), (*entries, ENTER), (RUN, LEAVE))
    stands(read(code, "Ann"), ("You have entered as Ann.", RUN, LEAVE), (ENTER, "waiting list"))
    stands(read(code, "Ben"), ("You have entered as Ben.",), (RUN, "waiting list"))
    stands(read(code, "Cat"), ("You are on the waiting list.",), (ENTER,))
    organizer.rule(service, code, ann, Ruling(Verb.PAUSE))
    stands(read(code), ("The organiser has paused it",), ("It begins in",))
    of_hand, _ = opened(service, "Ann")
    stands(read(of_hand), ("1 has entered.", "The organiser will start it."))


def test_check_in_count_and_names_are_shown(service, read, fake_clock):
    times = {"begins_at": fake_clock.time + HOUR, "check_in": 20}
    code, (_, ben, *_) = opened(service, *FOUR, **times)
    stands(read(code, "Ben"), ("Check-in opens in 60 minutes",), (HERE,))
    fake_clock.sleep(HOUR)
    settled(service, code)
    open_ = ("Check-in is open: confirm that you want to play", "It begins in 20 minutes")
    stands(read(code, "Ben"), (*open_, HERE), ("You have checked in.",))
    tournaments.check_in(service, code, ben)
    stands(read(code, "Ben"), ("You have checked in.", "Ben here"), (HERE,))
    stands(read(code, "Ann"), (HERE, "Ben here"), ("Ann here",))


def test_entrant_sees_their_table_during_a_round(service, read):
    code, (ann, *_) = opened(service, *FOUR, "Eve", format=Format.SWISS, between=5)
    organizer.begin(service, code, ann)
    of = settled(service, code).of
    (out,) = of.rounds[0].byes
    name = dict(enumerate((*FOUR, "Eve"), 1))
    others = [it for number, it in name.items() if number != out]
    stands(read(code), ("Round 1 of 5", ENTER), (MY_TABLE, "Start"))
    stands(read(code, name[out]), ("You are sitting out this round",), (MY_TABLE,))
    for it in others:
        stands(
            read(code, it), (MY_TABLE, "Press “I am ready” there."), ("You are sitting out", ENTER)
        )
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    waits = "The next round begins in 5 minutes"
    stands(
        read(code, others[0]), (waits, "You have no table just now. The next round"), (MY_TABLE,)
    )


def test_entrant_of_a_later_wave_has_no_table_yet(service, read, monkeypatch):
    """On a server that opens a round's tables one after another."""
    monkeypatch.setattr(service, "tournament_tables", 1)
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    organizer.begin(service, code, ann)
    first, second = (
        [FOUR[it - 1] for it in pod.entrants] for pod in settled(service, code).of.rounds[0].pods
    )
    there = read(code)
    assert (there.count("Watch table"), there.count("waiting for its turn")) == (1, 1)
    for it in first:
        stands(read(code, it), (MY_TABLE,), ("You have no table just now.",))
    for it in second:
        stands(read(code, it), ("You have no table just now.",), (MY_TABLE,))
    all_ready(service, code)
    organizer.rule(service, code, ann, Ruling(Verb.END, "rain"))
    stands(read(code), ("Watch table 1", "not played"), ("waiting for its turn", "Watch table 2"))


def test_entrant_may_return_after_leaving_but_not_after_removal(service, read):
    for format, back in ((Format.SWISS, True), (Format.KNOCKOUT, False)):
        code, (ann, ben, *_) = opened(service, *FOUR, format=format)
        tournaments.leave(service, code, ben)
        stands(read(code, "Ben"), ("You have left the tournament.", BACK), (LEAVE, "still counts"))
        tournaments.come_back(service, code, ben)
        organizer.begin(service, code, ann)
        settled(service, code)
        tournaments.leave(service, code, ben)
        said = read(code, "Ben")
        stands(said, ("You have left the tournament. The match at your table still counts.",))
        assert (BACK in said) == back
        organizer.rule(service, code, ann, Ruling(Verb.REMOVE, "rude", entrants=(3,)))
        stands(read(code, "Cat"), ("The organiser has removed you",), (BACK, LEAVE))


def test_no_show_sees_the_absence_and_checks_in_again(service, read, fake_clock):
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS, rounds=4)
    organizer.begin(service, code, ann)
    settled(service, code)
    absent = {players(service, "Ben")[0]}
    all_ready(service, code, missing=absent)
    ended(service, code)
    fake_clock.sleep(GRACE)
    settled(service, code)
    stands(read(code, "Ben"), ("You missed your table", "I am back"), (LEAVE,))
    tournaments.come_back(service, code, *absent)
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    all_ready(service, code, missing=absent)
    ended(service, code)
    fake_clock.sleep(GRACE)
    settled(service, code)
    stands(read(code, "Ben"), ("You missed two rounds, so you are out.",), ("I am back",))


def test_eliminated_entrant_sees_so_and_the_end_names_the_winner(service, read):
    code, (ann, *_) = opened(service, *FOUR)
    organizer.begin(service, code, ann)
    settled(service, code)
    all_ready(service, code)
    ended(service, code)
    of = settled(service, code).of
    out = next(it for it in (2, 3, 4) if it not in of.rounds[1].pods[0].entrants)
    stands(read(code, FOUR[out - 1]), ("You are out of the knockout.",), (MY_TABLE, "has won"))
    stands(read(code, "Ann"), (MY_TABLE,), ("You are out", "has won"))
    played(service, code)
    over = read(code, "Ann")
    stands(over, ("It is over", "Ann has won.", "Bracket"), (MY_TABLE, LEAVE, ENTER))
    assert re.search(r"Ann has won\. Ann \S+ \w+ \S+ \w+ ", over), "the podium has names and points"


def test_players_still_in_a_knockout_have_no_place_yet(service, app):
    code, (ann, *_) = opened(service, *FOUR[:3])  # one of them has no opponent in the first round
    organizer.begin(service, code, ann)
    settled(service, code)

    def places():
        page = app.test_client().get(f"/tournaments/{code}/standings").text
        return re.findall(r"place p(\d)", page)

    assert places() == []
    page = app.test_client().get(f"/tournaments/{code}").text
    drawn = page[page.index('class="knockout columns pairs brief running"') :]
    assert drawn.count("</i> <bdi>") >= 3 and "✓" not in drawn
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    assert places() == ["3"]
    played(service, code)
    assert places() == ["1", "2", "3"]


def test_broken_tie_in_the_standings_is_explained(service, read):
    code, (ann, *_) = opened(service, *FOUR)
    organizer.begin(service, code, ann)
    played(service, code)
    stands(read(code), ("ranked by the round they reached", "Opponents’ points"))


def test_first_place_wins_and_ties_share_the_title(service, read):
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    organizer.begin(service, code, ann)
    played(service, code)
    stands(read(code), ("It is over", "Ann has won."))
    code, (ann, *_) = opened(service, "Ann", "Ben", format=Format.SWISS)
    organizer.begin(service, code, ann)
    played(service, code, strength=lambda entrant: 0)
    stands(read(code), ("share the title.",), ("has won",))


def test_early_end_has_winners_except_in_a_knockout(service, read):
    for format, wins in ((Format.SWISS, True), (Format.KNOCKOUT, False)):
        code, (ann, *_) = opened(service, *FOUR, format=format)
        organizer.begin(service, code, ann)
        settled(service, code)
        all_ready(service, code)
        ended(service, code)
        settled(service, code)
        organizer.rule(service, code, ann, Ruling(Verb.END, "rain"))
        assert ("has won" in read(code) or "share the title" in read(code)) == wins
    code, _ = opened(service, "Ann", begins_at=service.now() - 1)
    assert settled(service, code).of.cancelled
    stands(read(code), ("Cancelled: too few players",), ("has won", "share the title"))


# Programs


def test_program_gets_each_stage_as_a_word(service, told, app, fake_clock):
    code, (ann, *_) = opened(service, *FOUR, check_in=20)
    entries = told(code)
    assert entries == {
        "format": "kaboom standings",
        "version": 1,
        "code": code,
        "name": "Cup",
        "game": "gops",
        "state": "Entries are open.",
        "round": 0,
        "rounds": 2,
        "standings": [],
        "commitment": get_tournament(service, code).row.commitment,
        "stage": "entries",
        "paused": False,
        "entered": [{"number": at, "name": name} for at, name in enumerate(FOUR, 1)],
        "tables": [],
        "links": {
            "self": f"/tournaments/{code}.json",
            "text": f"/tournaments/{code}.txt",
            "page": f"/tournaments/{code}",
        },
    }
    text = app.test_client().get(f"/tournaments/{code}.txt").text
    assert text.startswith("Cup. Entries are open.\nEntered: Ann, Ben, Cat, Dan")
    assert app.test_client().get(f"/tournaments/{code}/draw.json").status_code == 404
    organizer.begin(service, code, ann)
    assert told(code)["stage"] == "check-in"
    for player in players(service, *FOUR):
        tournaments.check_in(service, code, player)
    organizer.begin(service, code, ann)
    settled(service, code)
    found = told(code)
    assert (found["stage"], found["state"], found["round"]) == ("playing", "Round 1 of 2.", 1)
    assert (found["entered"], found["paused"]) == ([], False)
    assert found["links"]["draw"] == f"/tournaments/{code}/draw.json"
    entrants = [list(it.entrants) for it in get_tournament(service, code).of.rounds[0].pods]
    assert found["tables"] == [
        {
            "number": at,
            "entrants": entrants[at - 1],
            "link": f"/tournaments/{code}/table/1/{at}",
            "over": False,
            "record": "",
        }
        for at in (1, 2)
    ]
    text = app.test_client().get(f"/tournaments/{code}.txt").text.splitlines()
    assert text[0] == "Cup. Round 1 of 2." and "Entered" not in text[1]
    organizer.rule(service, code, ann, Ruling(Verb.PAUSE))
    assert (told(code)["stage"], told(code)["paused"]) == ("playing", True)
    organizer.rule(service, code, ann, Ruling(Verb.END, "rain"))
    assert told(code)["stage"] == "over"
    few, _ = opened(service, "Ann", begins_at=fake_clock.time - 1)
    settled(service, few)
    assert told(few)["stage"] == "cancelled"


def test_program_gets_tables_of_any_round_with_records(service, told, app):
    code, (ann, *_) = opened(service, *FOUR)
    organizer.begin(service, code, ann)
    settled(service, code)
    all_ready(service, code)
    ended(service, code)
    seen = settled(service, code)
    records = [it.record for it in seen.of.rounds[0].pods]
    first = told(code, "?round=1")["tables"]
    assert [(it["over"], it["record"]) for it in first] == [
        (True, f"/m/{it}.json") for it in records
    ]
    assert [it["link"] for it in told(code)["tables"]] == [f"/tournaments/{code}/table/2/1"]
    assert told(code, "?round=3")["tables"] == []
    assert told(code, "?round=0")["type"] == "/problems/bad-options"
    client = app.test_client()
    assert client.get(f"/tournaments/{code}.txt?round=0").status_code == 422
    ((_, table, _),) = pods(service, code)
    assert client.get(f"/tournaments/{code}/table/2/1").location.endswith(f"/t/{table}")
    assert client.get(f"/tournaments/{code}/table/2/2").location.endswith(
        f"/tournaments/{code}/round/2"
    )
    for page in ("table/0/1", "table/3/1", "round/0", "round/3"):
        answer = client.get(f"/tournaments/{code}/{page}")
        assert answer.status_code == 404 and "There is no such round." in answer.text
    for round in (1, 2):
        assert client.get(f"/tournaments/{code}/round/{round}").status_code == 200


def test_draw_file_reveals_its_seed_at_the_end(service, app):
    code, (ann, *_) = opened(service, "Ann", "Ben")
    organizer.begin(service, code, ann)
    seen = settled(service, code)
    at = f"/tournaments/{code}/draw.json"
    answer = app.test_client().get(at)
    assert answer.mimetype == "application/json"
    name = f'attachment; filename="kaboom-draw-{code}.json"'
    assert answer.headers["Content-Disposition"] == name
    file = {
        "format": "kaboom draw",
        "version": 1,
        "code": code,
        "commitment": seen.row.commitment,
        "seed": "",
        "words": seen.words,
    }
    assert answer.json == file and len(file["words"]) == 2
    played(service, code)
    seed = app.test_client().get(at).json["seed"]
    assert commitment(bytes.fromhex(seed)) == seen.row.commitment


def test_standings_page_has_fifty_lines_and_can_show_the_viewer(service, read, app):
    code, (ann, *_) = opened(service, "Ann", bots=50, format=Format.SWISS)
    organizer.begin(service, code, ann)
    settled(service, code)
    first, second = read(code, "", "/standings"), read(code, "", "/standings?page=1")
    assert first != second
    for page in ("7", "-1", "x"):
        assert read(code, "", f"/standings?page={page}") in (first, second)
    with app.app_context():
        place = [it.entrant for it in standing_lines(get_tournament(service, code))].index(1) // 50
    assert read(code, "Ann", "/standings?find=me") == read(code, "Ann", f"/standings?page={place}")
    assert read(code, "Eve", "/standings?find=me") == first


def test_rulings_are_listed_latest_first_in_full(service, read):
    code, (ann, *_) = opened(service, *FOUR, limit=30, format=Format.SWISS)
    organizer.begin(service, code, ann)
    settled(service, code)
    pod = get_tournament(service, code).of.rounds[0].pods[1].entrants
    seats = organizer.places_of(pod, (0, 1))
    for ruling in (
        Ruling(Verb.ANNOUNCE, "tea"),
        Ruling(Verb.REMOVE, "rude", entrants=(2,)),
        Ruling(Verb.EXTEND, round=1, minutes=15),
        Ruling(Verb.RESULT, "asleep", round=1, pod=1, seats=seats),
    ):
        organizer.rule(service, code, ann, ruling)
    first = get_tournament(service, code).of.seq - 3
    organizer.rule(service, code, ann, Ruling(Verb.UNDO, undone=first + 1))
    found = rulings(get_tournament(service, code))
    names = [FOUR[it - 1] for it in pod]
    assert [
        (it["what"], it["about"], it["why"], it["undone"], it["may_be_undone"]) for it in found
    ] == [
        ("A ruling is undone", [], "", False, False),
        ("A result is set", [f"{names[0]} absent", f"{names[1]} 1"], "asleep", False, True),
        ("The round is extended", [], "", False, True),
        ("Removed", ["Ben"], "rude", True, False),
        ("Announcement", [], "tea", False, True),
    ]
    assert [it["seq"] for it in found] == [first + 4 - at for at in range(5)]
    told = [(it["minutes"], it["round"], it["table"], it["undoes"]) for it in found]
    assert told == [(0, 0, 0, first + 1), (0, 1, 2, 0), (15, 1, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)]
    text = read(code)
    assert text.index("A result is set") < text.index("Announcement")


@pytest.mark.parametrize(
    ("share", "rounds", "points_", "percent_"),
    [
        (None, 1, "–", "–"),
        (0, 1, "0.00", "0.0%"),
        (WHOLE, 1, "1.00", "100.0%"),
        (WHOLE, 2, "1.00", "50.0%"),
        (WHOLE // 3, 1, "0.33", "33.3%"),
        (2 * WHOLE // 3, 1, "0.67", "66.7%"),
        (3 * WHOLE // 2, 3, "1.50", "50.0%"),
        (WHOLE // 168, 1, "0.01", "0.6%"),
        (WHOLE // 40, 1, "0.03", "2.5%"),
    ],
)
def test_shares_are_written_in_hundredths_or_tenths_of_a_percent(
    app, share, rounds, points_, percent_
):
    with app.test_request_context():
        assert (points(share), percent(share, rounds)) == (points_, percent_)
        if rounds == 1:
            assert percent(share) == percent_


@pytest.mark.parametrize(
    ("shares", "places", "written"),
    [((WHOLE, 0, None), 0, "1"), ((WHOLE // 2,), 1, "0.5"), ((0, WHOLE // 3), 2, "0.00")],
)
def test_standings_have_as_few_decimals_as_they_need(shares, places, written):
    assert decimals(shares) == places
    assert points(shares[0], places) == written


@pytest.mark.parametrize(("duplicate", "written"), [(False, "0.50"), (True, "50.0%")])
def test_round_is_worth_points_or_a_share_on_shared_cards(app, duplicate, written):
    seen = SimpleNamespace(of=SimpleNamespace(settings=SimpleNamespace(duplicate=duplicate)))
    assert worth(seen)(WHOLE // 2) == written
    assert worth(seen)(None) == "–"


def test_shared_cards_tiebreak_is_opponents_mean_of_other_rounds(app):
    """Each opponent was met in one of three rounds, so two of their rounds count; after three
    rounds with results.
    """

    def worth(share, rounds, duplicate=True):
        of = SimpleNamespace(settings=SimpleNamespace(duplicate=duplicate), rounds=range(rounds))
        lines = [SimpleNamespace(rounds=(WHOLE,) * rounds)]
        return worth_against(SimpleNamespace(of=of), lines)(share)

    with app.test_request_context():
        assert worth(3 * WHOLE, 3) == "50.0%"
        assert worth(WHOLE, 1) == "100.0%"
        assert worth(0, 0) == "–"
        assert worth(3 * WHOLE, 3, duplicate=False) == "3.00"


def test_bracket_place_names_its_entrant_or_source_table(service, read, app):
    code, (ann, *_) = opened(service, *FOUR)
    for page in ("bracket", "bracket.svg"):
        answer = app.test_client().get(f"/tournaments/{code}/{page}")
        assert answer.status_code == 404 and "There is no bracket yet." in answer.text
    organizer.begin(service, code, ann)
    settled(service, code)
    comes = ("winner of ",)
    stands(read(code, "", "/bracket"), (*FOUR, *comes), ("second of table",))
    all_ready(service, code)
    ended(service, code)
    settled(service, code)
    stands(read(code, "", "/bracket"), FOUR, comes)
    swiss, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    organizer.begin(service, swiss, ann)
    assert app.test_client().get(f"/tournaments/{swiss}/bracket").status_code == 404


def test_entrant_without_an_opponent_is_in_the_next_round_and_has_no_table(service, read, app):
    code, (ann, *_) = opened(service, *FOUR[:3])
    organizer.begin(service, code, ann)
    settled(service, code)
    round = get_tournament(service, code).of.round
    (alone,) = [pod.entrants[0] for pod in round.pods if len(pod.entrants) == 1]
    with app.test_request_context():
        last = bracket_of(get_tournament(service, code)).rounds()[-1]
    assert [slot.entrant for pod in last for slot in pod.slots if not slot.feeder] == [alone]
    assert "0 of 1 table has finished." in read(code)


def test_bracket_image_uses_the_requested_themes_colors(service, app):
    code, (ann, *_) = opened(service, *FOUR)
    organizer.begin(service, code, ann)
    settled(service, code)
    drawn = {
        look: app.test_client().get(f"/tournaments/{code}/bracket.svg{look}")
        for look in ("", "?look=light", "?look=dark", "?look=x")
    }
    assert {it.mimetype for it in drawn.values()} == {"image/svg+xml"}
    texts = {look: it.text for look, it in drawn.items()}
    assert texts[""] == texts["?look=light"] == texts["?look=x"] != texts["?look=dark"]
    assert INKS["dark"]["ink"] in texts["?look=dark"] and INKS["light"]["ink"] in texts[""]


def test_league_counts_meetings_of_pairs(service, read, app):
    code, (ann, *_) = opened(service, *FOUR, format=Format.LEAGUE)
    organizer.begin(service, code, ann)
    played(service, code)
    league = read(code, "", "/standings")
    with app.app_context():
        assert _meetings(get_tournament(service, code)) == {0: 0, 1: 6}
    swiss, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    organizer.begin(service, swiss, ann)
    played(service, swiss)
    with app.app_context():
        assert _meetings(get_tournament(service, swiss)) == {}
    assert len(league) > len(read(swiss, "", "/standings"))


def test_opponents_scores_are_on_the_standings_page_only(service, read, app):
    code, (ann, *_) = opened(service, *FOUR, format=Format.SWISS)
    assert app.test_client().get(f"/tournaments/{code}/standings").status_code == 200
    organizer.begin(service, code, ann)
    played(service, code)
    assert "Opponents’ points" in read(code, "", "/standings") and "Opponents" not in read(code)
