"""What is kept of finished matches, on both stores."""

import pytest
from sqlalchemy import text as sql

from kaboom.accounts import player_queries, players
from kaboom.accounts.erase import erase
from kaboom.errors import InvalidState, NotPermitted
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.records.access import RecordNotFound
from kaboom.records.service import IMPORT_DAYS, MOST_IMPORTS, REWRITTEN, MatchArchive
from kaboom.records.verify import checked
from kaboom.tables import start_match
from kaboom.tables.match_record import InvalidRecord, record_from, text_of
from tests.support.finished_matches import finish, made, play_to_the_end

ANN, BEN = "key of Ann", "key of Ben"
GOPS = GAMES["gops"].options()


@pytest.fixture
def library(tables):
    return MatchArchive(tables)


@pytest.fixture
def match(tables):
    """Return the table's code and the record's code of a finished match of Ann and Ben."""
    code, _ = play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    return code, tables.get(code).table.record


def test_finished_match_has_a_valid_record(library, match):
    replay, around = library.find(match[1])
    assert replay.wrong == []
    assert replay.record.names == ["Ann", "Ben"]
    assert not around.mine and not around.table
    assert checked(record_from(text_of(replay.record))).wrong == []


def test_record_contains_cuts_and_the_committed_seed(tables, library):
    ann, ben = (players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben"))
    code = lobby.open(tables, "gops", GOPS, ann, "Ann")
    lobby.sit(tables, code, ben, "Ben")
    start_match.cut(tables, code, ann, "three  cards\u202e down")
    promised = tables.get(code).table.next_seed
    start_match.ready(tables, code, ann)
    start_match.ready(tables, code, ben)
    finish(tables, code)
    replay, _ = library.find(tables.get(code).table.record)
    assert replay.record.cuts == ["three cards down", ""]
    assert replay.record.seed == promised.hex()
    assert replay.wrong == []


def test_a_running_match_has_no_record_yet(tables, library):
    ann, ben = (players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben"))
    code = lobby.open(tables, "gops", GOPS, ann, "Ann")
    lobby.sit(tables, code, ben, "Ben")
    start_match.ready(tables, code, ann)
    start_match.ready(tables, code, ben)
    running = tables.get(code).table.record
    with pytest.raises(RecordNotFound, match="still being played"):
        library.find(running, ANN)
    with pytest.raises(RecordNotFound, match="no match with that code"):
        library.find("AAAAAAAA")


TAMPERED = [
    ('UPDATE matches SET names = \'["Eve","Ben"]\'', "changed after it was closed"),
    ("UPDATE matches SET started_at = started_at + 1", "changed after it was closed"),
    (
        'UPDATE matches SET outcome = \'{"scores":[91,0],"places":[1,2],"reason":"won"}\'',
        "does not follow from the moves",
    ),
    ('UPDATE matches SET cuts = \'["x",""]\'', "chain is broken"),
    ("DELETE FROM moves WHERE seq = 26", "chain is broken|not over|changed after"),
]


@pytest.mark.parametrize(("change", "said"), TAMPERED)
def test_record_changed_in_the_store_is_reported(tables, library, match, change, said):
    tables.database.write(lambda connection: connection.execute(sql(change)))
    replay, _ = library.find(match[1])
    assert any(part in " ".join(replay.wrong) for part in said.split("|"))


def test_any_player_hides_a_match_and_any_player_shows_it_again(library, match):
    code = match[1]
    library.hide(code, ANN, True)
    with pytest.raises(RecordNotFound, match="players have hidden this match"):
        library.find(code)
    with pytest.raises(RecordNotFound):
        library.find(code, "key of a stranger")
    assert library.find(code, BEN)[1].hidden
    assert library.find(code, host=True)[1].hidden
    library.hide(code, BEN, False)
    assert not library.find(code)[1].hidden


def test_other_player_cannot_hide_a_match(tables, library, match):
    players.player(tables, "key of Eve", "Eve")
    for key in ("key of Eve", "key of nobody", ""):
        with pytest.raises(NotPermitted):
            library.hide(match[1], key, True)
    assert not library.find(match[1])[1].hidden


def test_matches_of_a_table_are_linked_in_order(tables, library, match):
    code, first = match
    for player in ("Ann", "Ben"):
        start_match.ready(tables, code, players.player(tables, f"key of {player}", player)[0])
    second = tables.get(code).table.record
    assert tables.get(code).table.before == first
    finish(tables, code)
    assert library.find(first, ANN)[1].after == second
    assert library.find(second, ANN)[1].before == first
    assert library.find(second, ANN)[1].table == code
    assert library.find(second)[1].table == ""
    assert library.find(second)[0].record.names == ["Ben", "Ann"]  # the first player changes


def test_stopped_match_has_a_valid_record_without_places(tables, library):
    ann, ben = (players.player(tables, f"key of {name}", name)[0] for name in ("Ann", "Ben"))
    code = lobby.open(tables, "gops", GOPS, ann, "Ann")
    lobby.sit(tables, code, ben, "Ben")
    start_match.ready(tables, code, ann)
    start_match.ready(tables, code, ben)
    tables.change(code, lambda transaction: transaction.stop())
    replay, _ = library.find(tables.get(code).table.record)
    assert replay.wrong == []
    assert library.statistics(ANN, 9).games == {"gops": {None: 1}}


def test_match_of_a_missing_game_is_reported_in_a_sentence(tables, library, match):
    tables.database.write(lambda c: c.execute(sql("UPDATE matches SET game = 'whist'")))
    with pytest.raises(RecordNotFound, match="no longer available"):
        library.find(match[1])


# Statistics


def test_statistics_count_matches_and_places(tables, library, match):
    code, first = match
    outcome = tables.get(code).table.outcome
    mine = library.statistics(ANN, 9)
    assert mine.name == "Ann"
    assert mine.games == {"gops": {outcome.places[0]: 1}}
    assert mine.total == 1
    assert [(it.code, it.seat, it.place) for it in mine.matches] == [(first, 0, outcome.places[0])]
    assert library.statistics("key of nobody", 9).total == 0
    assert library.statistics("", 9).total == 0


def test_statistics_are_paginated_latest_first(tables, library):
    for _ in range(5):
        play_to_the_end(tables, "gops", names=("Ann", "Ben"))
    pages = [library.statistics(ANN, 2, first) for first in (0, 2, 4)]
    assert [len(page.matches) for page in pages] == [2, 2, 1]
    assert [page.more for page in pages] == [True, True, False]
    assert len({it.code for page in pages for it in page.matches}) == 5
    ended = [it.ended_at for page in pages for it in page.matches]
    assert ended == sorted(ended, reverse=True)


def test_deleting_statistics_spares_those_of_others(tables, library, match):
    library.forget_statistics(ANN)
    assert library.statistics(ANN, 9).total == 0
    assert library.statistics(BEN, 9).total == 1
    assert library.find(match[1])[0].record.names == ["Ann", "Ben"]
    with pytest.raises(NotPermitted):
        library.hide(match[1], ANN, True)


def test_erasing_a_player_leaves_no_name_and_no_key(tables, library, match):
    erase(tables, ANN)
    known = tables.database.read(lambda c: player_queries.player(c, ANN))
    assert known is None
    assert [occupant.name for _, occupant in tables.get(match[0]).table.sitting()] == ["Ben"]
    new, _ = players.player(tables, ANN, "Ann")
    assert library.statistics(ANN, 9).total == 0
    assert tables.get(match[0]).table.seat_of(new) is None


def test_player_in_a_match_cannot_be_erased(tables, library, match):
    for player in ("Ann", "Ben"):
        start_match.ready(tables, match[0], players.player(tables, f"key of {player}", player)[0])
    with pytest.raises(InvalidState):
        erase(tables, ANN)
    assert library.statistics(ANN, 9).total == 1


def test_shared_browser_player_of_a_match_is_not_erased(tables, library, match):
    for player in ("Ann", "Ben"):
        start_match.ready(tables, match[0], players.player(tables, f"key of {player}", player)[0])
    zoe, _ = players.player(tables, "key of Zoe", "Zoe")
    with pytest.raises(InvalidState):
        erase(tables, "key of Zoe", ANN)
    assert tables.database.read(lambda c: player_queries.player(c, "key of Zoe"))[0] == zoe
    erase(tables, "key of Zoe")
    assert tables.database.read(lambda c: player_queries.player(c, "key of Zoe")) is None


def test_players_sharing_a_browser_are_erased_together(tables, library, match):
    erase(tables, ANN, BEN)
    for key in (ANN, BEN):
        assert tables.database.read(lambda c, key=key: player_queries.player(c, key)) is None
    assert not list(tables.get(match[0]).table.sitting())


# Uploaded records


def test_record_from_another_server_is_kept_for_a_week(library, fake_clock):
    text = text_of(made("gops", 5))
    code = library.bring(text + "\n")
    replay, around = library.brought(code)
    assert around.imported and not replay.wrong
    assert text_of(replay.record) == text
    fake_clock.sleep(IMPORT_DAYS * 24 * 3600)
    with pytest.raises(RecordNotFound):
        library.brought(code)


def test_record_from_another_server_is_not_a_match_of_this_one(tables, library):
    record = made("gops", 5)
    library.bring(text_of(record))
    with pytest.raises(RecordNotFound):
        library.find(record.code)


def test_edited_record_from_another_server_shows_its_faults(library):
    record = made("gops", 5)
    record.names[0] = "Eve"
    replay, _ = library.brought(library.bring(text_of(record)))
    assert replay.wrong == ["It was changed after it was closed."]
    spaced = text_of(made("gops", 5)).replace(",", ", ")
    assert MatchArchive(library.tables).brought(library.bring(spaced))[0].wrong == [REWRITTEN]


def test_a_record_with_an_impossible_move_is_not_kept(library):
    record = made("gops", 5)
    record.moves[4].text = "7 bid ZZ"
    with pytest.raises(InvalidRecord, match="only up to step 4"):
        library.bring(text_of(record))


def test_viewed_record_from_another_server_is_stored_encrypted(tables, library):
    library.bring(text_of(made("gops", 5)))
    kept = tables.database.read(lambda c: c.execute(sql("SELECT text FROM imports")).scalar())
    assert b"kaboom record" not in bytes(kept)


def test_number_of_records_from_other_servers_is_limited(tables, library, fake_clock, monkeypatch):
    monkeypatch.setattr("kaboom.records.service.MOST_IMPORTS", 3)
    codes = []
    for number in range(5):
        codes.append(library.bring(text_of(made("gops", number + 1))))
        fake_clock.sleep(1)
    kept = tables.database.read(lambda c: c.execute(sql("SELECT count(*) FROM imports")).scalar())
    assert kept == 3 < MOST_IMPORTS
    assert library.brought(codes[-1])
    with pytest.raises(RecordNotFound):
        library.brought(codes[0])
