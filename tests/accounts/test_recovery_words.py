"""Securing an account with recovery words, and signing in with them."""

import hashlib

import pytest

from kaboom.accounts import credentials as keeping
from kaboom.accounts import login_limits, players, recovery_words
from kaboom.accounts import queries as accounts
from kaboom.accounts.login import WrongCredentials
from kaboom.accounts.recovery_words import BEGINNING, COUNT, all_words, hash_of_words, read_words
from kaboom.errors import InvalidState, RateLimited

ANN = hashlib.sha256(b"ann").hexdigest()
HOME = "2001:db8::/64"


@pytest.fixture
def ann(tables):
    return players.player(tables, ANN, "Ann")[0]


@pytest.fixture
def words(tables, ann):
    """Ann's valid recovery words."""
    return recovery_words.create(tables, ANN)


def test_word_list_has_2048_words_unique_by_four_letters():
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
def test_recovery_words_are_parsed_leniently(typed, read):
    assert read_words(typed) == read


def test_recovery_words_sign_in_their_owner_only(tables, ann, words):
    assert len(words) == COUNT
    assert recovery_words.sign_in(tables, " ".join(words).upper(), HOME) == ann
    wrong = [*words[:-1], "zoo" if words[-1] != "zoo" else "able"]
    for typed in (" ".join(wrong), " ".join(words[:8]), " ".join([*words, "zoo"]), "", "x" * 5000):
        with pytest.raises(WrongCredentials):
            recovery_words.sign_in(tables, typed, HOME)


def test_only_the_hash_of_recovery_words_is_stored(tables, ann, words):
    row = tables.database.read(lambda c: accounts.of_player(c, ann))
    assert row.words_hash == hash_of_words(words)
    assert not set(words) & set(str(row).split())


def test_three_wrong_recovery_words_revoke_nothing(tables, ann):
    words = recovery_words.create(tables, ANN)
    asked = recovery_words.asked_back(tables, ANN)
    assert len(set(asked)) == 3
    right = [words[number - 1] for number in asked]
    for three in (right[::-1], ["able", "able", "zoo"], ["", "", ""], right[:2]):
        if three != right:
            with pytest.raises(InvalidState):
                recovery_words.check(tables, ANN, three)
    assert recovery_words.sign_in(tables, " ".join(words), HOME) == ann
    recovery_words.check(tables, ANN, right)
    assert recovery_words.sign_in(tables, " ".join(words), HOME) == ann


def test_new_recovery_words_are_valid_at_once(tables, ann):
    words = recovery_words.create(tables, ANN)
    assert keeping.kept(tables, ANN).words
    assert recovery_words.sign_in(tables, " ".join(words), HOME) == ann


def test_new_recovery_words_revoke_the_old_ones(tables, words, fake_clock):
    recovery_words.create(tables, ANN)
    with pytest.raises(WrongCredentials):
        recovery_words.sign_in(tables, " ".join(words), HOME)
    recovery_words.create(tables, ANN)
    fake_clock.sleep(recovery_words.WORDS_FOR + 1)
    with pytest.raises(InvalidState):
        recovery_words.asked_back(tables, ANN)


def test_ten_failed_sign_ins_block_an_ip_for_15_minutes(tables, words, fake_clock):
    for _ in range(login_limits.IN_A_QUARTER):
        with pytest.raises(WrongCredentials):
            recovery_words.sign_in(tables, "zoo zoo", HOME)
    with pytest.raises(RateLimited):
        recovery_words.sign_in(tables, " ".join(words), HOME)
    assert recovery_words.sign_in(tables, " ".join(words), "elsewhere")
    fake_clock.sleep(login_limits.QUARTER + 1)
    assert recovery_words.sign_in(tables, " ".join(words), HOME)
