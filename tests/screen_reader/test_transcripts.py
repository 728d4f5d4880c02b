"""Orca's speech during a round of each game in Firefox matches the transcripts.

Read the transcripts aloud: blind players depend on them. After an intended change of words,
`KABOOM_LONG=1 pytest --snapshot-update tests/screen_reader` updates them.
"""

import re
from pathlib import Path

import pytest

from kaboom.games import GAMES, sample
from tests.screen_reader.scenes import arrive, cut_off, round_of, written
from tests.support.effort import often

FOLDER = Path(__file__).parent / "transcripts"
# Spoken or not depending on the previous focus, and on when that player was last seen.
AROUND = re.compile(
    r"(leaving |Who is here |main content$|region |Loading|Finished|Page has|List with)"
)
OURS = sorted(key for key in GAMES if (FOLDER.parents[2] / "kaboom" / "games" / key).is_dir())
MOVES = {"kaboom": 20, "gops": 8, "karata": 20, "koth": 26, "taken": 16}
LONGEST = 12  # words in a sentence about frequent events
# Each control has its state and its group. A heading is the same before and after a confirmation.
# Orca repeats its description when that changes: the card just seen, "NAME’s … card: CARD."
SAID_AGAIN = re.compile(
    r"^(not )?(selected|checked)|check box|panel\.|leaving|heading level|card: CARD\.$"
)
RARE = re.compile(r"kaboom|scores|shuffled|Totals|[Tt]rump|is below every row")


@pytest.mark.nightly  # in the long runs
@pytest.mark.parametrize("game", OURS)
def test_transcript_is_as_recorded(game, reader, stage, line, snapshot):
    heard = list(round_of(game, reader, stage, MOVES[game], dict(sample(game).short)))
    heard += cut_off(reader, line)
    file = FOLDER / f"{game}.txt"
    if snapshot.update:
        file.write_text(written(heard), encoding="utf-8")
    kept = file.read_text(encoding="utf-8").split("## ")[1:]
    assert len(kept) >= len(heard)  # `make test` plays only the beginning and the end
    kept = [*kept[: len(heard) - 2], *kept[-2:]]
    for step, lines in zip(heard, kept, strict=True):
        what, *said = lines.splitlines()
        assert step.what == what
        assert told(step.said) == told(said), (what, "\n".join(step.said))


def told(lines):
    """Return the speech about the game itself; the first part may vary slightly.

    The number of repetitions may vary, too, because a changed heading is described again.
    """
    return sorted({line.rstrip(".") for line in lines if line and not AROUND.match(line)})


@pytest.mark.parametrize("game", OURS)
def test_recorded_transcripts_are_well_worded(game):
    steps = (FOLDER / f"{game}.txt").read_text(encoding="utf-8").split("## ")[1:]
    assert {step.splitlines()[0] for step in steps} >= {
        "on arrival",
        "to my move",
        "I am refused",
        "the connection goes",
        "the connection comes back",
    }
    turns = 0
    pressed = [step for step in steps if step.startswith("I press")]
    for step in pressed[:-1]:  # the last may end the match
        assert "heading level" in step, f"the current state is not announced: {step}"
    for step in steps:
        what, *lines = [line for line in step.splitlines() if line]
        for line in lines:
            assert not re.match(r"(statusbar|invalid entry|:$)", line), what
        if not what.startswith(("I press", "somebody else")):
            continue
        news = [line for line in lines if not SAID_AGAIN.search(line)]
        assert len(set(news)) == len(news), f"announced twice: {what}"
        for sentence in re.findall(r"[^.!?]+[.!?]", " ".join(lines)):
            if what.startswith("somebody else") and not RARE.search(sentence):
                assert len(sentence.split()) <= LONGEST, sentence
        mine = [line for line in lines if "It is your turn." in line]
        assert all(line.startswith("It is your turn.") for line in mine), "the turn comes first"
        turns += len(mine)
    assert turns


def test_simultaneous_announcements_are_not_lost(reader, stage):
    """Several moves of others within a moment: each line is announced once."""
    match = stage.begun("Ann", "Ben", game="gops")
    arrive(reader, stage, match)
    reader.press("ctrl+Home")
    seen = (
        "return [...document.querySelectorAll('#log li')].map(it => [it.id, it.textContent.trim()])"
    )
    before = dict(reader.look(seen))
    for _ in range(often(1, 6)):
        for seat in (0, 1):
            card = match.prompt(seat).offer("bid").options[0]
            match.play(seat, f"bid {card}")
        said = " ".join(reader.heard(0.8, 1.0, first=10))
        new = [text for number, text in reader.look(seen) if number not in before]
        before |= dict(reader.look(seen))
        assert len(new) >= 4
        for line in set(new):
            assert said.count(line) == new.count(line), (line, said)
