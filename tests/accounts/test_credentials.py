"""Keeping a seat by nine words, or by a handle and a password, and coming in with them."""

import hashlib
import json
import sqlite3
from contextlib import suppress

import pytest
from sqlalchemy.exc import OperationalError

from kaboom.accounts import credentials as keeping
from kaboom.accounts import login as coming_in
from kaboom.accounts import passkeys, players, session_queries
from kaboom.accounts import queries as accounts
from kaboom.accounts.credentials import UsernameTaken
from kaboom.accounts.login import LinkExpired, WrongCredentials, delay
from kaboom.accounts.passwords import HASHER
from kaboom.accounts.recovery_codes import BEGINNING, COUNT, all_words, hash_of_words, read_words
from kaboom.db.database import Unavailable
from kaboom.errors import InvalidState, NotPermitted, RateLimited
from kaboom.games import GAMES
from kaboom.lobby import service as seating

ANN, BEN, NEW = (hashlib.sha256(name).hexdigest() for name in (b"ann", b"ben", b"new"))
HOME = "2001:db8::/64"
PASSWORD = "seven tame herons"


@pytest.fixture
def ann(tables):
    return players.player(tables, ANN, "Ann")[0]


@pytest.fixture
def words(tables, ann):
    """Ann's nine words, which hold."""
    return keeping.new_recovery_words(tables, ANN)


# Nine words


def test_the_list_has_2048_different_words_told_apart_by_four_letters():
    assert len(set(all_words())) == 2048 == len({word[:BEGINNING] for word in all_words()})


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("abandon ability", ["abandon", "ability"]),
        ("1. ABANDON,\n2. Abil", ["abandon", "ability"]),
        ("aban  abilities", ["abandon", "ability"]),
        ("abandon xylophone", None),
        ("", None),
        ("ábandon", None),
        ("a" * 10_000, None),
        ("\u202eabandon", ["abandon"]),
    ],
)
def test_words_are_read_as_people_write_them(typed, read):
    assert read_words(typed) == read


def test_nine_words_let_their_owner_in_and_nobody_else(tables, ann, words):
    assert len(words) == COUNT
    assert coming_in.by_words(tables, " ".join(words).upper(), HOME) == ann
    wrong = [*words[:-1], "zoo" if words[-1] != "zoo" else "able"]
    for typed in (" ".join(wrong), " ".join(words[:8]), " ".join([*words, "zoo"]), "", "x" * 5000):
        with pytest.raises(WrongCredentials):
            coming_in.by_words(tables, typed, HOME)


def test_only_the_hash_of_words_is_stored(tables, ann, words):
    row = tables.database.read(lambda c: accounts.of_player(c, ann))
    assert row.words_hash == hash_of_words(words)
    assert not set(words) & set(str(row).split())


def test_three_words_can_be_tried_and_a_slip_changes_nothing(tables, ann):
    words = keeping.new_recovery_words(tables, ANN)
    asked = keeping.asked_back(tables, ANN)
    assert len(set(asked)) == 3
    right = [words[number - 1] for number in asked]
    for three in (right[::-1], ["able", "able", "zoo"], ["", "", ""], right[:2]):
        if three != right:
            with pytest.raises(InvalidState):
                keeping.try_words(tables, ANN, three)
    assert coming_in.by_words(tables, " ".join(words), HOME) == ann
    keeping.try_words(tables, ANN, right)
    assert coming_in.by_words(tables, " ".join(words), HOME) == ann


def test_new_words_hold_at_once(tables, ann):
    words = keeping.new_recovery_words(tables, ANN)
    assert keeping.kept(tables, ANN).words
    assert coming_in.by_words(tables, " ".join(words), HOME) == ann


def test_new_words_replace_the_old_ones_and_old_questions_are_not_answered(tables, words, watch):
    keeping.new_recovery_words(tables, ANN)
    with pytest.raises(WrongCredentials):
        coming_in.by_words(tables, " ".join(words), HOME)
    keeping.new_recovery_words(tables, ANN)
    watch.sleep(keeping.WORDS_FOR + 1)
    with pytest.raises(InvalidState):
        keeping.asked_back(tables, ANN)


def test_who_has_not_played_has_nothing_to_keep(tables):
    assert keeping.kept(tables, ANN) is None
    for work in (
        lambda: keeping.new_recovery_words(tables, ANN),
        lambda: keeping.keep_by_password(tables, "", "ann", PASSWORD, PASSWORD),
        lambda: coming_in.new_link(tables, BEN),
    ):
        with pytest.raises(NotPermitted):
            work()


# Handle and password


def test_a_handle_and_a_password_let_their_owner_in(tables, ann):
    keeping.keep_by_password(tables, ANN, " Ann.B ", PASSWORD, PASSWORD)
    assert keeping.kept(tables, ANN).handle == "Ann.B"
    assert coming_in.by_password(tables, "ann.b", PASSWORD, HOME) == ann
    for handle, password in (("ann.b", "seven tame geese"), ("nobody", PASSWORD), ("", "")):
        with pytest.raises(WrongCredentials):
            coming_in.by_password(tables, handle, password, HOME)
    keeping.drop_password(tables, ANN)
    with pytest.raises(WrongCredentials):
        coming_in.by_password(tables, "ann.b", PASSWORD, HOME)


@pytest.mark.parametrize("alike", ["ann", "ANN", "a-n-n", "аnn", "Ann."])
def test_no_two_handles_look_alike(tables, ann, alike):
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
def test_a_bad_handle_or_password_is_refused_with_a_sentence(tables, ann, handle, password, again):
    with pytest.raises(InvalidState, match=r"\w.*\."):
        keeping.keep_by_password(tables, ANN, handle, password, again)


def test_a_wrong_handle_is_checked_as_a_wrong_password_is(tables, ann, monkeypatch):
    """The same work, counted, and the same sentence; nobody is locked out."""
    keeping.keep_by_password(tables, ANN, "Ann", PASSWORD, PASSWORD)
    asked, slept = [], []
    hash_aside = tables.hash_aside
    tables.hash_aside = lambda *work: asked.append(work[0]) or hash_aside(*work)
    monkeypatch.setattr("kaboom.accounts.login.time.sleep", slept.append)
    said = set()
    for number, handle in enumerate(["ann", "nobody"] * 6):
        with pytest.raises(WrongCredentials) as no:
            coming_in.by_password(tables, handle, "wrong password", f"address {number}")
        said.add(str(no.value))
    assert len(said) == 1
    assert len(asked) == 12
    assert slept[0::2] == slept[1::2] == [delay(wrong) for wrong in range(6)]
    assert coming_in.by_password(tables, "ann", PASSWORD, HOME) == ann
    assert not HASHER.check_needs_rehash(coming_in.NOBODYS)
    assert [delay(wrong) for wrong in (0, 2, 3, 4, 100)] == [0.0, 0.0, 0.25, 0.5, 4.0]


def test_ten_wrong_tries_from_an_address_are_enough_for_a_quarter_of_an_hour(tables, words, watch):
    for _ in range(coming_in.IN_A_QUARTER):
        with pytest.raises(WrongCredentials):
            coming_in.by_words(tables, "zoo zoo", HOME)
    with pytest.raises(RateLimited):
        coming_in.by_words(tables, " ".join(words), HOME)
    assert coming_in.by_words(tables, " ".join(words), "elsewhere")
    watch.sleep(coming_in.QUARTER + 1)
    assert coming_in.by_words(tables, " ".join(words), HOME)


def test_of_many_passwords_tried_at_once_no_more_are_judged_than_one_by_one(
    tables, ann, monkeypatch
):
    keeping.keep_by_password(tables, ANN, "ann", PASSWORD, PASSWORD)
    judged = []

    def judging_while_another_comes(work, *args):
        judged.append(args)
        if len(judged) < 3 * coming_in.IN_A_QUARTER:
            with suppress(RateLimited, WrongCredentials):
                coming_in.by_password(tables, "ann", "wrong from the start", HOME)
        return False

    monkeypatch.setattr(coming_in.time, "sleep", lambda seconds: None)
    with monkeypatch.context() as patched:
        patched.setattr(tables, "hash_aside", judging_while_another_comes)
        with pytest.raises(WrongCredentials):
            coming_in.by_password(tables, "ann", "wrong from the start", HOME)
    assert len(judged) == coming_in.IN_A_QUARTER
    assert coming_in.by_password(tables, "ann", PASSWORD, "elsewhere") == ann


def test_right_passwords_count_as_no_tries(tables, ann):
    keeping.keep_by_password(tables, ANN, "ann", PASSWORD, PASSWORD)
    for _ in range(coming_in.IN_A_QUARTER + 1):
        assert coming_in.by_password(tables, "ann", PASSWORD, HOME) == ann


@pytest.mark.parametrize("named", ["", "\0", "\ud800", "é", ["id"], None, "A" * 1401])
def test_what_is_no_id_of_a_passkey_is_no_passkey(tables, named):
    secret, _ = passkeys.ask_to_come_in(tables, "https://cards.example.org")
    with pytest.raises(passkeys.InvalidPasskey):
        passkeys.by_passkey(
            tables, "https://cards.example.org", secret, json.dumps({"id": named, "type": "x"})
        )


def test_that_the_store_is_busy_is_not_told_as_a_bad_passkey(tables, monkeypatch):
    secret, _ = passkeys.ask_to_come_in(tables, "https://cards.example.org")

    def busy(connection, credential):
        raise OperationalError("", {}, sqlite3.OperationalError("database is locked"))

    monkeypatch.setattr(passkeys.store, "passkey", busy)
    monkeypatch.setattr("kaboom.db.database.TRIES", 1)
    with pytest.raises(Unavailable):
        passkeys.by_passkey(tables, "https://cards.example.org", secret, '{"id": "any"}')


# A link for another device, and being admitted


def test_a_link_lets_one_device_in_once_for_ten_minutes(tables, ann, watch):
    code = seating.open(tables, "gops", GAMES["gops"].options(), ann, "Ann")
    secret = coming_in.new_link(tables, ANN)
    assert coming_in.name_on_link(tables, secret) == "Ann"  # looking uses nothing up
    assert coming_in.arrive(tables, coming_in.by_link(tables, secret), "", NEW) is None
    assert tables.look(code, NEW).me == tables.look(code, ANN).me == 0
    for gone in (secret, "made up", coming_in.new_link(tables, ANN)):
        watch.sleep(601)
        with pytest.raises(LinkExpired):
            coming_in.by_link(tables, gone)


def test_where_somebody_else_is_known_they_are_asked_first(tables, ann):
    ben = players.player(tables, BEN, "Ben")[0]
    arrival = coming_in.arrive(tables, ann, BEN, NEW)
    assert (arrival.name, arrival.other) == ("Ann", "Ben")
    assert not players.knows(tables, NEW)
    with pytest.raises(LinkExpired):  # only the browser that was asked answers
        coming_in.come_in(tables, arrival.secret, ANN, NEW)
    coming_in.come_in(tables, arrival.secret, BEN, NEW)
    assert players.player(tables, NEW, "Ann")[0] == ann
    assert not players.knows(tables, BEN)
    assert tables.database.read(lambda c: session_queries.of_player(c, ben)) == []
    with pytest.raises(LinkExpired):
        coming_in.come_in(tables, arrival.secret, BEN, NEW)


def test_whoever_comes_in_again_gets_a_fresh_key_and_the_old_one_is_nobodys(tables, ann):
    assert coming_in.arrive(tables, ann, ANN, NEW) is None
    assert players.knows(tables, NEW)
    assert not players.knows(tables, ANN)


@pytest.mark.parametrize(
    ("password", "handle", "weak"),
    [
        ("x7" * 5, "ann", "Many people"),  # of two letters
        ("x7q" * 4, "ann", "Many people"),
        ("x7qz" * 3, "ann", None),
        ("ann" + "x7qzw9kvb", "ann", "Your handle"),  # what is besides it is too short
        ("ANN" + "x7qzw9kvb", "ann", "Your handle"),
        ("ann" + "x7qzw9kvbd", "ann", None),
    ],
)
def test_a_password_is_weak_by_few_letters_or_where_little_is_besides_the_handle(
    password, handle, weak
):
    assert keeping.SHORTEST == 10
    said = keeping.why_weak(password, handle)
    assert said is None if weak is None else said.startswith(weak)
