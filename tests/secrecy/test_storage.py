"""A reader of the log files or of a stolen database learns no card of a running match.

The tests search for text: cards as states and moves spell them, and seeds in any encoding. The
proofs of answers compare worlds, which finds more but does not work on encrypted bytes.
"""

import base64
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from kaboom.accounts import players
from kaboom.engine.bots.delays import Pace
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import JOKERS, RANKS, SUITS
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from tests.secrecy.paired_server import everything_logged, reached
from tests.secrecy.states import next_move, seed, tables_of
from tests.support.browsing import table_path
from tests.support.forms import Browser
from tests.support.server import HttpClient, Server

CARDS = [rank + suit for rank in RANKS for suit in SUITS] + list(JOKERS)
# "AS" is an SQL keyword; the other aces are searched for.
SPOKEN = re.compile(rf"\b({'|'.join(card for card in CARDS if card != 'AS')})\b")
SAID = re.compile(r"\b(Ace|Jack|Queen|King|10|[2-9]) of (Spades|Hearts|Diamonds|Clubs)\b")
STATES = (b'"hands"', b'"stock"', b'"deck":[', b'"grids"', b'"chosen"', b'"stack"', b'"bids"')


def spellings(secret: bytes) -> list[bytes]:
    """Return the encodings in which bytes may appear in a file."""
    url = base64.urlsafe_b64encode(secret).rstrip(b"=")
    return [secret, secret.hex().encode(), base64.b64encode(secret).rstrip(b"="), url]


def seeds_of(snapshot) -> list[bytes]:
    """Return every encoding of a table's random seeds."""
    secrets = [snapshot.seed, snapshot.key, snapshot.table.next_seed]
    return [spelling for secret in secrets if secret for spelling in spellings(secret)]


def played(app, game, most=20):
    """Play a match for a while; return the table and its last state."""
    options, seats = tables_of(game)[-1]
    *_, (table, _, _) = reached(app, game, options, seats, 3, most)
    return table, table.service.get(table.code)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_no_log_line_of_a_running_match_holds_a_card_or_a_seed(game, app):
    with everything_logged() as lines:
        table, snapshot = played(app, game)
        client = app.test_client(use_cookies=False)
        for seat in range(len(snapshot.table.seats)):
            cookies = {"Cookie": table.cookies(seat)}
            client.get(f"/t/{table.code}", headers=cookies)
            offer = {"move": "0 flip 9.9 nonsense", "cmd": "x", "match": "1", "v": "1"}
            client.post(f"/t/{table.code}/move", headers=cookies, data=offer)
    everything = "\n".join(lines)
    assert not SPOKEN.search(everything)
    assert not SAID.search(everything)
    for spelling in seeds_of(snapshot)[1:]:
        assert spelling.decode("latin-1") not in everything


def test_a_real_servers_log_of_refused_moves_holds_no_card(tmp_path, sqlite_url):
    """Under gevent moves run in a thread, whose exceptions may be logged."""
    server = Server(sqlite_url)
    server.imports = True  # in their order
    with (tmp_path / "server.log").open("wb") as server.log:
        server.start()
        try:
            ann, refused = Browser(HttpClient(server.url)), 0
            ann.open("/start/karata")
            ann.send(ann.page.form("/tables"), name="Ann", bots="1")
            path = table_path(ann)
            ann.send(ann.page.form("/start"))
            until = time.monotonic() + 20
            while refused < 3 and time.monotonic() < until:
                ann.open(path)
                moves = ann.page.moves()
                wrong = [move for move in moves if move[1][2].startswith("Play ")]
                adds = [move for move in moves if " add " in move[1][1]]
                wrong += [move for move in adds if not move[1][2].endswith("fits")]
                if moves:
                    ann.send(*(wrong or moves)[0])
                    refused += ann.status == 422 and SAID.search(ann.page.text) is not None
                time.sleep(0.1)
        finally:
            server.stop()
    log = (tmp_path / "server.log").read_text()
    assert refused == 3
    assert not SAID.search(log)
    assert not SPOKEN.search(log)
    assert "Traceback" not in log
    assert "Warning" not in log, "gevent must come before whatever it patches"


def test_unstorable_move_is_logged_without_its_cards(app):
    """A database error would log the values of its statement."""
    game = GAMES["gops"]
    table, snapshot = played(app, game, most=3)
    path = table.service.database.url.split("///")[1]
    with closing(sqlite3.connect(path)) as other:
        other.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON moves BEGIN SELECT RAISE(ABORT, 'broken'); END"
        )
    move = next_move(game, snapshot.state, len(snapshot.table.seats), Rng(seed(1), 1, "players"))
    offer = snapshot.prompts[move.seat].offer(move.verb)
    fields = {
        "move": " ".join((offer.token, move.verb, *move.choices)),
        "cmd": "once",
        "match": str(snapshot.table.match),
        "v": str(snapshot.table.revision(move.seat)),
        "sure": "1",
    }
    with everything_logged() as lines:
        response = app.test_client(use_cookies=False).post(
            f"/t/{table.code}/move", headers={"Cookie": table.cookies(move.seat)}, data=fields
        )
    everything = "\n".join(lines)
    assert response.status_code == 500
    assert "broken" in everything, "the error itself is logged"
    assert not SPOKEN.search(everything)
    for spelling in seeds_of(snapshot)[1:]:
        assert spelling.decode("latin-1") not in everything


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_sqlite_dump_has_no_card_or_seed_of_a_running_match(game, app):
    table, snapshot = played(app, game)
    assert snapshot.table.playing
    path = Path(table.service.database.url.split("///")[1])
    with closing(sqlite3.connect(path)) as stolen:
        dump = "\n".join(stolen.iterdump()).encode()
    files = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))
    look_through(dump, snapshot)
    look_through(files, snapshot)


def test_postgresql_dump_has_no_card_or_seed_of_a_running_match(
    open_tables, postgres_url, fake_clock
):
    tables = open_tables(postgres_url, pace=Pace.INSTANT)
    for key, game in GAMES.items():
        options = game.options()
        ann, _ = players.player(tables, f"key of {key}", "Ann")
        code = lobby.open(tables, key, options, ann, "Ann", bots=game.seats(options)[0] - 1)
        start_match.start(tables, code, ann)
        for _ in range(20):
            fake_clock.sleep(3)
            tables.run_due(code)
        snapshot = tables.get(code)
        look_through(tables.database.read(all_rows), snapshot)


def all_rows(connection) -> bytes:
    """Return every value of every table as text, like a dump."""
    names = connection.execute(
        text("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
    ).scalars()
    found = []
    for name in list(names):
        for row in connection.execute(text(f'SELECT * FROM "{name}"')):
            found += [bytes(v) if isinstance(v, (bytes, memoryview)) else str(v) for v in row]
    return b"\n".join(v if isinstance(v, bytes) else v.encode() for v in found)


def look_through(dump: bytes, snapshot) -> None:
    """Fail if anything of a running match can be read in a dump."""
    assert snapshot.code.encode() in dump, "the dump is that of this table"
    for spelling in (spelling for spelling in seeds_of(snapshot) if len(set(spelling)) > 4):
        assert spelling not in dump
    for name in STATES:
        assert name not in dump
    for card in CARDS:
        # Within JSON, or as a whole value: four bytes alone occur in encrypted data by chance.
        assert not re.search(rf"""[\[,:{{'\n] ?"{card}"[\],:}}'\n]""".encode(), dump), card
    for verb in {offer.verb for prompt in snapshot.prompts for offer in prompt.offers}:
        assert not re.search(rf"\b\d {verb} \S".encode(), dump), f"a move readable name: {verb}"
