"""Lives of tables and of those who sit at them: each step, and all that follows from it.

They lie in `lives/`, and are told anew by `python -m tests.lives tests/unit/tables/lives/*.txt`.
"""

from pathlib import Path

import pytest

from tests.lives import must_be_as_told

FOLDER = Path(__file__).with_name("lives")


@pytest.fixture
def told(request, sqlite_url):
    """Tells the life that a test is called after."""
    name = request.node.name.removeprefix("test_")
    return lambda: must_be_as_told(FOLDER / f"{name}.txt", sqlite_url)


def test_every_life_is_told():
    named = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {path.stem for path in FOLDER.glob("*.txt")} <= named


def test_a_match(told):
    told()


def test_bots(told):
    told()


def test_broken_logs(told):
    told()


def test_called_at_ones_turn(told):
    told()


def test_coming_and_going(told):
    told()


def test_keys_and_devices(told):
    told()


def test_lots_and_boards(told):
    told()


def test_over_days(told):
    told()


def test_people_and_clubs(told):
    told()


def test_ratings(told):
    told()


def test_taking_back_and_ahead(told):
    told()


def test_talk(told):
    told()


def test_votes_and_pauses(told):
    told()


def test_watching(told):
    told()


def test_what_the_host_sets(told):
    told()


def test_a_knockout(told):
    told()


def test_a_swiss(told):
    told()


def test_the_same_cards_for_all(told):
    told()


def test_one_player_of_two(told):
    told()


def test_records_and_upkeep(told):
    told()
