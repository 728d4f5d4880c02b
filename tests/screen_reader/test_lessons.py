"""A lesson's step and a puzzle, as heard by a player who answers by keyboard."""

import pytest

from kaboom.engine.moves import Move
from kaboom.games import GAMES
from kaboom.learn.lessons import FIRST, found_of, lesson_of
from kaboom.puzzles.book import book
from tests.screen_reader.scenes import focus, press
from tests.support.effort import some

TRIES = 8
ROW = "lay"  # Karata's cards are put into a row one by one
TEACHES = [key for key in GAMES if found_of(key).lessons]


def heard(reader, text, before=()):
    """Listen until a text was said, and return the speech, with what was said before; on a busy
    machine it is read with pauses.
    """
    said = list(before)
    for _ in range(TRIES):
        if text in " ".join(said):
            break
        said += reader.heard(1.5, 2.0)
    return " ".join(said)


def opened(reader, stage, path):
    """Open a page, so that it is read from its beginning."""
    reader.firefox.navigate(f"http://127.0.0.1:{stage.port}{path}")


@pytest.mark.parametrize("game", some(TEACHES, every=4))
def test_step_is_read_and_answered_and_the_next_is_read(game, reader, stage):
    lesson = lesson_of(game, FIRST)
    number = next(
        n
        for n, step in enumerate(lesson.steps, 1)
        if step.ask and not step.expect[0].startswith(ROW)
    )
    asked, then = lesson.steps[number - 1], lesson.steps[number]
    opened(reader, stage, f"/learn/{game}/{FIRST}/{number}")
    speech = heard(reader, asked.text)
    assert f"step {number} of {len(lesson.steps)}" in speech
    assert asked.text in speech
    reader.press("ctrl+Home", silence=1.0, least=1.0)  # it stops reading
    said = press(reader, Move.parse(f"{lesson.file.me} {asked.expect[0]}"))
    assert then.text in heard(reader, then.text, said)


def test_puzzle_question_and_answer_are_read(reader, stage):
    puzzle = next(iter(book("gops").values()))
    opened(reader, stage, f"/puzzle/{puzzle.id}?list=1")
    assert "What do you play?" in heard(reader, "What do you play?")
    reader.press("ctrl+Home", silence=1.0, least=1.0)
    focus(reader, f'button[name=move][value="{puzzle.values[0].move}"]')
    reader.heard(0.5, 0.3)
    reader.desktop.press("Return")
    assert "Right." in heard(reader, "Right.")


def test_feedback_for_a_wrong_move_is_read(reader, stage):
    opened(reader, stage, "/learn/gops/first/3?tried=bid+JS")
    assert "Not quite." in heard(reader, "Not quite.")
