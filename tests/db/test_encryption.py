"""Data about cards is encrypted at rest, and only the server's secret decrypts it."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import text

from kaboom.accounts import players
from kaboom.db.database import Database
from kaboom.db.encryption import Cipher, Unreadable, cipher_for
from kaboom.engine.bots.delays import Pace
from kaboom.engine.fairness.commitment import new_seed
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match
from kaboom.tables import queries, start_match
from tests.support.server import SECRET

OTHER = "another-secret-that-is-just-as-long-as-it-must-be"


def test_encrypted_value_decrypts_and_differs_each_time():
    cipher = Cipher([SECRET])
    once, twice = cipher.encrypt(b"0 bid KS", "move"), cipher.encrypt(b"0 bid KS", "move")
    assert once != twice
    assert b"KS" not in once
    assert cipher.decrypt(once, "move") == cipher.decrypt(twice, "move") == b"0 bid KS"


def test_ciphertext_with_a_changed_byte_or_kind_is_unreadable():
    cipher = Cipher([SECRET])
    sealed = cipher.encrypt(b"0 bid KS", "move")
    for number in range(len(sealed)):
        changed = bytearray(sealed)
        changed[number] ^= 1
        with pytest.raises(Unreadable):
            cipher.decrypt(bytes(changed), "move")
    with pytest.raises(Unreadable):
        cipher.decrypt(sealed, "seed")


def test_new_secret_listed_before_the_old_one_decrypts_both():
    sealed = Cipher([SECRET]).encrypt(b"x", "move")
    assert Cipher([OTHER, SECRET]).decrypt(sealed, "move") == b"x"
    with pytest.raises(Unreadable, match="SECRET_KEY"):
        Cipher([OTHER]).decrypt(sealed, "move")


def test_database_server_needs_a_secret_of_32_characters():
    with pytest.raises(ValueError, match="needs SECRET_KEY"):
        cipher_for("postgresql://somewhere/kaboom", "")
    with pytest.raises(ValueError, match="at least 32"):
        cipher_for("postgresql://somewhere/kaboom", "short")


def test_sqlite_secret_file_is_private_to_its_owner(tmp_path):
    url = f"sqlite:///{tmp_path}/kaboom.sqlite3"
    sealed = cipher_for(url, "").encrypt(b"x", "move")
    assert cipher_for(url, "").decrypt(sealed, "move") == b"x"
    kept = tmp_path / "kaboom.sqlite3.key"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [kept.name]


def test_sqlite_folder_is_created_with_its_secret(tmp_path):
    url = f"sqlite:///{tmp_path}/new/folder/kaboom.sqlite3"
    sealed = cipher_for(url, "").encrypt(b"x", "move")
    assert cipher_for(url, "").decrypt(sealed, "move") == b"x"


def test_files_of_a_running_match_are_unreadable(open_tables, sqlite_url, fake_ids):
    fake_ids.seed = new_seed  # a short value would be found by chance
    tables = open_tables(sqlite_url, pace=Pace.INSTANT)
    ann, _ = players.player(tables, "a" * 64, "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann", bots=1)
    start_match.start(tables, code, ann)
    seen = tables.get(code)
    prompt = seen.prompts[0]
    card = prompt.offers[0].options[0]
    match.submit(
        tables, code, ann, f"bid {card}", prompt.offers[0].token, "a", 1, seen.table.revision(0)
    )
    files = b"".join(file.read_bytes() for file in Path(sqlite_url[10:]).parent.glob("*sqlite3*"))
    assert code.encode() in files, "the files are those of this table"
    for secret in (b" bid ", b'"hands"', seen.seed, seen.seed.hex().encode()):
        assert secret not in files


def test_table_cannot_be_read_with_another_secret(tables, store_url):
    ann, _ = players.player(tables, "a" * 64, "Ann")
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    stolen = Database(store_url, OTHER)
    assert stolen.read(lambda c: queries.table(c, code)).body == b""
    assert stolen.read(lambda c: c.execute(text("SELECT count(*) FROM tables")).scalar()) == 1
    stolen.close()
