"""Random seats: drawn at the start, stored, announced, and verified by both verifiers."""

import pytest

from kaboom.engine.codec import from_json
from kaboom.games import GAMES
from kaboom.records.service import MatchArchive
from kaboom.tables import queries, start_match
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.match_record import text_of
from static import verify
from tests.tables.test_service import opened

NAMES = ("Ann", "Ben", "Cid", "Dee")


def begun(tables, way, bots=0):
    """Return the code of a table whose match has just begun with its seats drawn."""
    options = GAMES["kaboom"].options(seating=way)
    code, ids = opened(tables, *NAMES[: 4 - bots], bots=bots, options=options)
    for player in ids:
        start_match.cut(tables, code, player, f"cut of {player}")
        start_match.ready(tables, code, player)
    assert tables.get(code).table.playing
    return code, ids


def drawn_at(tables, code):
    """Return the stored seat draw of a table's match."""
    match_id = tables.get(code).table.match_id
    match = tables.database.read(lambda c: queries.match(c, match_id))
    return from_json(match.drawn, list)


@pytest.mark.parametrize("way", ["lot", "first"])
def test_players_move_to_drawn_seats_with_their_cuts(tables, way):
    code, ids = begun(tables, way)
    table, drawn = tables.get(code).table, drawn_at(tables, code)
    assert table.seats == [NAMES[place] for place in drawn]
    assert [table.seat_of(player) for player in ids] == [drawn.index(n) for n in range(4)]
    if way == "first":
        assert drawn == [(drawn[0] + n) % 4 for n in range(4)]
    told = [said for said in table.told if said.kind == "table.drawn"]
    assert [from_json(bytes(said.facts), dict) for said in told] == [{"names": table.seats}]


def test_players_keep_their_seats_if_none_are_drawn(tables):
    code, _ = begun(tables, "sat")
    table = tables.get(code).table
    assert table.seats == list(NAMES)
    assert drawn_at(tables, code) == []
    assert not any(said.kind == "table.drawn" for said in table.told)


@pytest.mark.parametrize("way", ["lot", "first"])
def test_each_match_redraws_seats_and_has_a_valid_record(tables, way):
    code, ids = begun(tables, way, bots=1)
    library = MatchArchive(tables)
    for number in range(4):
        stop(tables, code)
        replay, _ = library.find(tables.get(code).table.record)
        assert replay.wrong == []
        raw = text_of(replay.record).encode()
        assert verify.problems(raw, verify.read(raw)) == []
        assert len(replay.record.drawn) == 4
        for player in ids:
            start_match.ready(tables, code, player)
        assert tables.get(code).table.match == number + 2


def test_rebuilt_table_has_players_in_their_drawn_seats(tables):
    code, _ = begun(tables, "lot")
    before = tables.get(code).table.seats
    table = tables.database.read(lambda c: queries.table(c, code))
    tables.database.write(lambda c: queries.save_table(c, table.id, {"body": b"damaged"}))
    tables.seen.unchecked(code)
    tables.database.write(
        lambda c: queries.save_table(c, table.id, {"body": b"damaged", "version": 99})
    )
    assert tables.get(code).table.seats == before
