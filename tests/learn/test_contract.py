"""The lesson contract's messages about faulty lessons (kaboom.testing)."""

import pytest

from kaboom.games import GAMES
from kaboom.games.trial import Fault, Trial
from kaboom.testing import test_lessons
from tests.learn.test_lessons import SHORT

SOUND = SHORT.replace(', "bid Q*" = ["No.", ""]', "")
LONG = "A tie. " * 60


@pytest.fixture
def said(tmp_path, monkeypatch):
    """Return a function that runs the contract on GOPS with one lesson, given its name and text."""
    (tmp_path / "lessons").mkdir()
    monkeypatch.setattr("kaboom.learn.lessons.folder", lambda key: tmp_path)

    def told(text, name="ties"):
        (tmp_path / "lessons" / f"{name}.toml").write_text(text)
        trial, found = Trial("gops", GAMES["gops"]), []
        for check in (
            test_lessons.test_lessons_can_be_read_and_played_to_the_end,
            test_lessons.test_lessons_accept_only_the_expected_moves,
            test_lessons.test_lessons_cite_existing_rules_in_short_sentences,
        ):
            try:
                check.__wrapped__(trial)
            except Fault as fault:
                found.append(str(fault))
        return " ".join(found)

    return told


def test_contract_accepts_a_valid_lesson(said):
    assert said(SOUND) == ""


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("title = ", "titel = ", "unknown field `titel`"),
        ("1 bid 3C", "1 bid 3S", "step 1: 3S cannot be chosen now."),
        ('"bid 4S"]', '"bid 14S"]', "step 1 expects 'bid 14S', which the rules do not allow there"),
        (
            '"bid KS" =',
            '"bid 3S" =',
            "step 1 says why 'bid 3S' is wrong, but no legal move matches",
        ),
        (
            '"bid KS" =',
            '"take *" =',
            "step 1 says why 'take *' is wrong, but no legal move matches",
        ),
        ('much.", "bidding"', 'much.", "bids"', "cites the rule 'bids', which is not a heading"),
        (
            'chapters = ["ties"]',
            'chapters = ["tie"]',
            "cites the rule 'tie', which is not a heading",
        ),
        ("minutes = 2", "minutes = 20", "takes 20 minutes; it should take 1 to 10"),
        ("A tie: the prize stays.", LONG, "step 2 has 420 characters; it may have at most 330"),
    ],
)
def test_contract_names_the_fault_of_a_lesson(said, old, new, sentence):
    assert old in SOUND
    assert sentence in said(SOUND.replace(old, new))


def test_contract_requires_a_first_game_of_several_moves(said):
    assert "the first game asks for 1 moves; it should ask for 4 to 15" in said(SOUND, "first")


def test_contract_compares_minutes_with_words_and_moves(said):
    long = "\n".join([SOUND, *['[[step]]\nsay = "' + "A tie. " * 45 + '"'] * 6])
    assert "takes 3.1 minutes by its words and moves, more than 2" in said(long)
