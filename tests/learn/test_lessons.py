"""Lesson files: reading, playing and answering."""

import pytest

from kaboom.engine.i18n import ENGLISH, speak
from kaboom.games import GAMES, folder
from kaboom.learn.answers import feedback
from kaboom.learn.course import course_of, played
from kaboom.learn.lessons import (
    FIRST,
    InvalidLesson,
    beside_rules,
    found_in,
    lesson_from,
    lesson_of,
    texts_of,
)
from kaboom.translations.extract import extract_lessons

SHORT = """
title = "Ties"
teaches = "What equal bids do."
minutes = 2
seats = 2
seed = "7"
chapters = ["ties"]

[[step]]
play = ["1 bid 3C"]
ask = "Bid your 3."
expect = ["bid 3S", "bid 4S"]
hint = ["That is too much.", "bidding"]
wrong = { "bid KS" = ["Keep the King.", "bidding"], "bid Q*" = ["No.", ""] }
allowed = { "bid 2S" = ["It is as cheap.", "bidding"] }

[[step]]
say = "A tie: the prize stays."
"""


@pytest.fixture
def ties():
    return lesson_from("gops", "ties", SHORT.replace(', "bid Q*" = ["No.", ""]', ""))


def test_lesson_continues_with_the_first_expected_move(ties):
    course = course_of(ties)
    assert "stays" in {it.kind for it in course.heard(2)}
    assert course.moments[1].number == 2
    assert "3S" not in course.view(2).zone("hand", 0).cards


@pytest.mark.parametrize(
    ("move", "kind", "text", "rule"),
    [
        ("bid 3S", "good", "", ""),
        ("bid 4S", "also", "", ""),
        ("bid KS", "poor", "Keep the King.", "bidding"),
        ("bid 9S", "poor", "That is too much.", "bidding"),
        ("bid 3C", "refused", "3C cannot be chosen now.", "bidding"),
        ("bid 2S", "allowed", "It is as cheap.", "bidding"),
        ("bid", "empty", "", ""),
        ("nonsense", "refused", "You cannot do that now.", ""),
        ("", "refused", "That is not a move.", ""),
    ],
)
def test_wrong_answer_gets_its_explanation_and_rule(ties, move, kind, text, rule):
    speak(ENGLISH)
    answer = feedback(course_of(ties), 1, move)
    assert (answer.kind, answer.text, answer.rule) == (kind, text, rule)
    assert answer.right == (kind in ("good", "also"))


@pytest.mark.parametrize(
    ("move", "kind", "told"),
    [
        ("bury 8H 9H JH 3H 7H 8S 4S 3S", "good", ""),
        ("bury 3H 7H 8H 9H JH 3C 6C 7C", "allowed", "That is about as good."),
        ("bury 3H 7H 8H 9H JH 3C 6C TC", "poor", "These cards hold points."),
        ("bury 3C 6C 7C 8C 3H 7H 8H 9H", "poor", "You keep cards of every suit."),
        ("bury 3C", "refused", "Choose exactly 8, not 1."),
    ],
)
def test_pattern_of_unordered_choices_fits_in_any_order(move, kind, told):
    speak(ENGLISH)
    answer = feedback(course_of(lesson_of("koth", FIRST)), 3, move)
    assert answer.kind == kind and answer.text.startswith(told)


def test_feedback_does_not_change_the_position(ties):
    course = course_of(ties)
    before = course.moments[0].state
    for move in ("bid KS", "bid 3S", "bid 3S"):
        feedback(course, 1, move)
    assert course.moments[0].state == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("minutes = 2", 'minutes = "two"', "Expected `int`"),
        ("seats = 2\n", "", "missing required field `seats`"),
        ('seed = "7"', 'seed = "x"', "non-hexadecimal"),
        ("[[step]]", "[[stop]]", "unknown field `stop`"),
        ('say = "A tie: the prize stays."', "", "write either `say` or `ask`"),
        ('expect = ["bid 3S", "bid 4S"]', "", "write `expect` and `hint`"),
        ('say = "A tie', 'expect = ["bid 1S"]\nsay = "A tie', "it asks for no move"),
        ("title", "title title", "Expected"),
    ],
)
def test_malformed_lesson_file_is_refused_with_a_sentence(old, new, said):
    text = SHORT.replace(', "bid Q*" = ["No.", ""]', "").replace(old, new)
    with pytest.raises(InvalidLesson) as refused:
        lesson_from("gops", "ties", text)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1 bid 3C", "1 bid 3S", "step 1: 3S cannot be chosen now."),
        ('"bid 3S", ', '"bid 14S", ', "step 1: 14S cannot be chosen now."),
        ("seats = 2", "seats = 9", "the game cannot have 9 seats"),
        ('seed = "7"', 'seed = "7"\noptions = { gusto = 1 }', "gusto"),
    ],
)
def test_lesson_that_cannot_be_played_is_refused(old, new, said):
    speak(ENGLISH)
    text = SHORT.replace(', "bid Q*" = ["No.", ""]', "").replace(old, new)
    with pytest.raises(InvalidLesson) as refused:
        played(lesson_from("gops", "ties", text), GAMES["gops"])
    assert said in str(refused.value)


def test_folder_with_a_malformed_file_keeps_the_other_lessons(tmp_path, monkeypatch):
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    (lessons / "ties.toml").write_text(SHORT)
    (lessons / "first.toml").write_text(SHORT.replace("minutes = 2", "minutes = 3"))
    (lessons / "bad.toml").write_text("title = ")
    monkeypatch.setattr("kaboom.learn.lessons.folder", lambda key: tmp_path)
    found = found_in("gops")
    assert [it.name for it in found.lessons] == [FIRST, "ties"]
    (fault,) = found.faults
    assert fault.startswith("lesson 'bad': ") and fault.endswith("fix lessons/bad.toml")


def test_every_text_of_a_lesson_is_found_for_the_catalogs(tmp_path):
    path = folder("kaboom") / "lessons" / "first.toml"
    with path.open("rb") as file:
        found = {text for _line, _function, text, _comments in extract_lessons(file, (), (), {})}
    lesson = lesson_of("kaboom", FIRST)
    assert found == set(texts_of(lesson.file))
    assert lesson.steps[0].say in found and lesson.steps[3].wrong["kaboom"].text in found


def test_rules_are_accompanied_by_the_first_lesson(tmp_path, monkeypatch):
    assert beside_rules("kaboom")[""] == FIRST
