"""Securing an account with a username and password, and signing in with them or a link."""

import hashlib
import json
import sqlite3
from contextlib import suppress

import pytest
from sqlalchemy.exc import OperationalError

from kaboom.accounts import credentials as keeping
from kaboom.accounts import login, login_limits, passkeys, players, recovery_words, session_queries
from kaboom.accounts.credentials import UsernameTaken
from kaboom.accounts.login import LinkExpired, WrongCredentials
from kaboom.accounts.login_limits import delay
from kaboom.accounts.passwords import HASHER
from kaboom.db.database import Unavailable
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import service as lobby

ANN, BEN, NEW = (hashlib.sha256(name).hexdigest() for name in (b"ann", b"ben", b"new"))
HOME = "2001:db8::/64"
PASSWORD = "seven tame herons"


@pytest.fixture
def ann(tables):
    return players.player(tables, ANN, "Ann")[0]


def test_unknown_browser_cannot_secure_an_account(tables):
    assert keeping.kept(tables, ANN) is None
    for work in (
        lambda: recovery_words.create(tables, ANN),
        lambda: keeping.keep_by_password(tables, "", "ann", PASSWORD, PASSWORD),
        lambda: login.new_link(tables, BEN),
    ):
        with pytest.raises(NotPermitted):
            work()


# Username and password


def test_username_and_password_sign_their_owner_in(tables, ann):
    keeping.keep_by_password(tables, ANN, " Ann.B ", PASSWORD, PASSWORD)
    assert keeping.kept(tables, ANN).handle == "Ann.B"
    assert login.by_password(tables, "ann.b", PASSWORD, HOME) == ann
    for handle, password in (("ann.b", "seven tame geese"), ("nobody", PASSWORD), ("", "")):
        with pytest.raises(WrongCredentials):
            login.by_password(tables, handle, password, HOME)
    keeping.drop_password(tables, ANN)
    with pytest.raises(WrongCredentials):
        login.by_password(tables, "ann.b", PASSWORD, HOME)


@pytest.mark.parametrize("alike", ["ann", "ANN", "a-n-n", "аnn", "Ann."])
def test_lookalike_username_is_refused(tables, ann, alike):
    keeping.keep_by_password(tables, ANN, "Ann", PASSWORD, PASSWORD)
    players.player(tables, BEN, "Ben")
    with pytest.raises(UsernameTaken):
        keeping.keep_by_password(tables, BEN, alike, PASSWORD, PASSWORD)


@pytest.mark.parametrize(
    ("handle", "password", "again"),
    [
        ("an", PASSWORD, PASSWORD),
        ("a" * 25, PASSWORD, PASSWORD),
        ("\u202e\u202e\u202e\u202e", PASSWORD, PASSWORD),
        ("benny", "too short", "too short"),
        ("benny", "Basketball", "Basketball"),
        ("benny", "abababababababab", "abababababababab"),
        ("benny", "benny1234567", "benny1234567"),
        ("benny", PASSWORD, PASSWORD + "!"),
        ("benny", "x1y2" * 26, "x1y2" * 26),
    ],
)
def test_invalid_username_or_password_is_refused_with_reason(tables, ann, handle, password, again):
    with pytest.raises(InvalidState, match=r"\w.*\."):
        keeping.keep_by_password(tables, ANN, handle, password, again)


@pytest.mark.slow
def test_unknown_username_costs_as_much_as_a_wrong_password(tables, ann, monkeypatch):
    """An unknown username costs the same work and gets the same sentence; no one is locked out."""
    keeping.keep_by_password(tables, ANN, "Ann", PASSWORD, PASSWORD)
    asked, slept = [], []
    hash_aside = tables.hash_in_thread
    tables.hash_in_thread = lambda *work: asked.append(work[0]) or hash_aside(*work)
    monkeypatch.setattr("kaboom.accounts.login.time.sleep", slept.append)
    said = set()
    for number, handle in enumerate(["ann", "nobody"] * 6):
        with pytest.raises(WrongCredentials) as no:
            login.by_password(tables, handle, "wrong password", f"address {number}")
        said.add(str(no.value))
    assert len(said) == 1
    assert len(asked) == 12
    assert slept[0::2] == slept[1::2] == [delay(wrong) for wrong in range(6)]
    assert login.by_password(tables, "ann", PASSWORD, HOME) == ann
    assert not HASHER.check_needs_rehash(login.NOBODYS)
    assert [delay(wrong) for wrong in (0, 2, 3, 4, 100)] == [0.0, 0.0, 0.25, 0.5, 4.0]


def test_concurrent_password_attempts_are_limited_as_if_serial(tables, ann, monkeypatch):
    keeping.keep_by_password(tables, ANN, "ann", PASSWORD, PASSWORD)
    judged = []

    def judging_while_another_comes(work, *args):
        judged.append(args)
        if len(judged) < 3 * login_limits.IN_A_QUARTER:
            with suppress(RateLimited, WrongCredentials):
                login.by_password(tables, "ann", "wrong from the start", HOME)
        return False

    monkeypatch.setattr(login.time, "sleep", lambda seconds: None)
    with monkeypatch.context() as patched:
        patched.setattr(tables, "hash_in_thread", judging_while_another_comes)
        with pytest.raises(WrongCredentials):
            login.by_password(tables, "ann", "wrong from the start", HOME)
    assert len(judged) == login_limits.IN_A_QUARTER
    assert login.by_password(tables, "ann", PASSWORD, "elsewhere") == ann


@pytest.mark.slow
def test_correct_passwords_are_not_counted_as_attempts(tables, ann):
    keeping.keep_by_password(tables, ANN, "ann", PASSWORD, PASSWORD)
    for _ in range(login_limits.IN_A_QUARTER + 1):
        assert login.by_password(tables, "ann", PASSWORD, HOME) == ann


@pytest.mark.parametrize("named", ["", "\0", "\ud800", "é", ["id"], None, "A" * 1401])
def test_invalid_passkey_id_is_refused(tables, named):
    secret, _ = passkeys.ask_to_come_in(tables, "https://cards.example.org")
    with pytest.raises(passkeys.InvalidPasskey):
        passkeys.by_passkey(
            tables, "https://cards.example.org", secret, json.dumps({"id": named, "type": "x"})
        )


def test_busy_database_is_not_reported_as_an_invalid_passkey(tables, monkeypatch):
    secret, _ = passkeys.ask_to_come_in(tables, "https://cards.example.org")

    def busy(connection, credential):
        raise OperationalError("", {}, sqlite3.OperationalError("database is locked"))

    monkeypatch.setattr(passkeys.store, "passkey", busy)
    monkeypatch.setattr("kaboom.db.database.TRIES", 1)
    with pytest.raises(Unavailable):
        passkeys.by_passkey(tables, "https://cards.example.org", secret, '{"id": "any"}')


# Links for another device, and confirmation


def test_device_link_signs_in_one_device_within_ten_minutes(tables, ann, fake_clock):
    code = lobby.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    secret = login.new_link(tables, ANN)
    assert login.name_on_link(tables, secret) == "Ann"  # viewing does not use up the link
    assert login.arrive(tables, login.by_link(tables, secret), "", NEW) is None
    assert tables.get(code, NEW).me == tables.get(code, ANN).me == 0
    for gone in (secret, "made up", login.new_link(tables, ANN)):
        fake_clock.sleep(601)
        with pytest.raises(LinkExpired):
            login.by_link(tables, gone)


def test_signing_in_as_another_player_needs_confirmation(tables, ann):
    ben = players.player(tables, BEN, "Ben")[0]
    arrival = login.arrive(tables, ann, BEN, NEW)
    assert (arrival.name, arrival.other) == ("Ann", "Ben")
    assert not players.knows(tables, NEW)
    with pytest.raises(LinkExpired):  # only the browser that was asked can confirm
        login.come_in(tables, arrival.secret, ANN, NEW)
    login.come_in(tables, arrival.secret, BEN, NEW)
    assert players.player(tables, NEW, "Ann")[0] == ann
    assert not players.knows(tables, BEN)
    assert tables.database.read(lambda c: session_queries.of_player(c, ben)) == []
    with pytest.raises(LinkExpired):
        login.come_in(tables, arrival.secret, BEN, NEW)


def test_sign_in_issues_a_new_key_and_revokes_the_old_one(tables, ann):
    assert login.arrive(tables, ann, ANN, NEW) is None
    assert players.knows(tables, NEW)
    assert not players.knows(tables, ANN)


@pytest.mark.parametrize(
    ("password", "handle", "weak"),
    [
        ("x7" * 5, "ann", "That password is too common"),  # of two letters
        ("x7q" * 4, "ann", "That password is too common"),
        ("x7qz" * 3, "ann", None),
        ("ann" + "x7qzw9kvb", "ann", "Your username"),  # the rest of it is too short
        ("ANN" + "x7qzw9kvb", "ann", "Your username"),
        ("ann" + "x7qzw9kvbd", "ann", None),
    ],
)
def test_password_is_weak_if_short_or_similar_to_the_username(password, handle, weak):
    assert keeping.SHORTEST == 10
    said = keeping.why_weak(password, handle)
    assert said is None if weak is None else said.startswith(weak)
