"""What tells of cards is sealed at rest, and only the server's secret opens it."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from kaboom.accounts import players
from kaboom.db.database import Database
from kaboom.db.encryption import Seal, Unreadable, seal_of
from kaboom.engine.bots.delays import Pace
from kaboom.engine.rng import new_seed
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play import service as in_match
from kaboom.tables import queries
from tests.support.server import SECRET

OTHER = "another-secret-that-is-just-as-long-as-it-must-be"


def test_what_is_sealed_opens_again_and_looks_different_each_time():
    seal = Seal([SECRET])
    once, twice = seal.close(b"0 bid KS", "move"), seal.close(b"0 bid KS", "move")
    assert once != twice
    assert b"KS" not in once
    assert seal.open(once, "move") == seal.open(twice, "move") == b"0 bid KS"


def test_a_changed_byte_or_another_kind_does_not_open():
    seal = Seal([SECRET])
    sealed = seal.close(b"0 bid KS", "move")
    for number in range(len(sealed)):
        changed = bytearray(sealed)
        changed[number] ^= 1
        with pytest.raises(Unreadable):
            seal.open(bytes(changed), "move")
    with pytest.raises(Unreadable):
        seal.open(sealed, "seed")


def test_a_new_secret_in_front_of_the_old_opens_both():
    sealed = Seal([SECRET]).close(b"x", "move")
    assert Seal([OTHER, SECRET]).open(sealed, "move") == b"x"
    with pytest.raises(Unreadable, match="SECRET_KEY"):
        Seal([OTHER]).open(sealed, "move")


def test_a_database_server_needs_a_secret_of_some_length():
    with pytest.raises(ValueError, match="needs SECRET_KEY"):
        seal_of("postgresql://somewhere/kaboom", "")
    with pytest.raises(ValueError, match="at least 32"):
        seal_of("postgresql://somewhere/kaboom", "short")


def test_an_embedded_database_keeps_its_secret_beside_it_for_its_owner_only(tmp_path):
    url = f"sqlite:///{tmp_path}/kaboom.sqlite3"
    sealed = seal_of(url, "").close(b"x", "move")
    assert seal_of(url, "").open(sealed, "move") == b"x"
    kept = tmp_path / "kaboom.sqlite3.key"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [kept.name]


def test_the_folder_of_an_embedded_database_is_made_with_its_secret(tmp_path):
    url = f"sqlite:///{tmp_path}/new/folder/kaboom.sqlite3"
    sealed = seal_of(url, "").close(b"x", "move")
    assert seal_of(url, "").open(sealed, "move") == b"x"


def test_nothing_in_the_files_of_a_running_match_can_be_read(open_tables, sqlite_url, lots):
    lots.seed = new_seed  # a number would be found by chance
    tables = open_tables(sqlite_url, pace=Pace.INSTANT)
    ann, _ = players.player(tables, "a" * 64, "Ann")
    code = seating.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", bots=1)
    seating.start(tables, code, ann)
    seen = tables.look(code)
    prompt = seen.prompts[0]
    card = prompt.offers[0].options[0]
    in_match.submit(
        tables, code, ann, f"bid {card}", prompt.offers[0].token, "a", 1, seen.table.revision(0)
    )
    files = b"".join(file.read_bytes() for file in Path(sqlite_url[10:]).parent.glob("*sqlite3*"))
    assert code.encode() in files, "the files are those of this table"
    for secret in (b" bid ", b'"hands"', seen.seed, seen.seed.hex().encode()):
        assert secret not in files


def test_a_table_cannot_be_opened_with_another_secret(tables, store_url):
    ann, _ = players.player(tables, "a" * 64, "Ann")
    code = seating.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    stolen = Database(store_url, OTHER)
    assert stolen.read(lambda c: queries.table(c, code)).body == b""
    assert stolen.read(lambda c: c.execute(text("SELECT count(*) FROM tables")).scalar()) == 1
    stolen.close()
