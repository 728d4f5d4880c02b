"""Mining puzzles: what counts as clear, what is still needed, and resuming after a kill."""

from math import inf

import pytest
from click.testing import CliRunner
from msgspec import structs

from kaboom.engine.bots.analysis import LEAST, MoveValue, analysis_of
from kaboom.engine.moves import Move
from kaboom.games import GAMES
from kaboom.puzzles import mining
from kaboom.puzzles.book import Puzzle, book, file_of, reached, read, written
from kaboom.puzzles.cli import puzzles, reported
from kaboom.puzzles.mining import DEALS, GIVEN_UP, Wanted, accepted, mined, seed_of
from tests.support.effort import LONG
from tests.support.judging import judge

WITH_PUZZLES = [key for key in GAMES if book(key)]
SECOND = b"a seed that the miner never saw"
SHARE = 0.98  # of the puzzles on which a second seed agrees
SAMPLE = 1  # of each game, in `make test`


def value(name, behind, half):
    move = Move(0, "bid", (name,))
    return MoveValue(move, 10 - behind, half, behind, (-behind - half, -behind + half), 400)


@pytest.mark.parametrize(
    ("values", "right"),
    [
        ([("a", 0, 0), ("b", 5, 1), ("c", 6, 1)], 1),
        ([("a", 0, 0), ("b", 0.1, 0.5), ("c", 6, 1), ("d", 7, 1)], 2),
        ([("a", 0, 0), ("b", 2, 1.9), ("c", 6, 1)], 0),  # not clear
        ([("a", 0, 0), ("b", 0.5, 0.01), ("c", 6, 1)], 0),  # clear, but with a negligible margin
        ([("a", 0, 0), ("b", 0.1, 0.5), ("c", 6, 1)], 0),  # two of three moves would be right
        ([("a", 0, 0), ("b", 0.9, 1), ("c", 1.5, 0.1), ("d", 9, 1)], 0),  # too close to one of them
        ([("a", 0, 0)], 0),
    ],
)
def test_accepted_puzzle_has_few_clearly_best_moves(values, right):
    assert accepted([value(*it) for it in values], 3.3, 1.0) == right


def test_constant_difference_has_infinite_certainty():
    assert value("b", 2, 0).errors == inf
    assert value("b", 0, 0).errors == 0


def like(theme, verb, found):
    """Return a puzzle of this theme and strength, whose best move is this action."""
    puzzle = next(iter(book("gops").values()))
    best, *others = puzzle.values
    values = (structs.replace(best, move=verb), *others)
    return structs.replace(puzzle, theme=theme, found=found, values=values)


EASY, MEDIUM = (100, 100), (0, 100)


@pytest.mark.parametrize(
    ("many", "same", "others"),
    [
        # few puzzles of a kind, however many of its theme or strength are still needed
        ([("a", "bid", EASY)] * 2, ("a", "bid", EASY), [("a", "bid", MEDIUM), ("a", "pass", EASY)]),
        ([("a", str(n), (n, 50)) for n in range(6)], ("a", "x", EASY), [("b", "x", EASY)]),
        ([(str(n), "bid", EASY) for n in range(6)], ("a", "bid", EASY), [("a", "bid", MEDIUM)]),
    ],
)
def test_puzzles_too_similar_are_rejected(many, same, others):
    wanted = Wanted.beside(10, [like(*it) for it in many])
    assert not wanted.takes(like(*same).kind)
    assert all(wanted.takes(like(*it).kind) for it in others)
    assert not wanted.done


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Mine with few deals, into a temporary folder."""
    monkeypatch.setattr(mining, "DEALS", LEAST)
    monkeypatch.setattr(mining, "HURDLES", {16: 1.0, LEAST: 2.0})
    file = tmp_path / "puzzles.jsonl"
    monkeypatch.setattr("kaboom.puzzles.cli.file_of", lambda key: file)
    return file


@pytest.mark.slow
def test_command_writes_puzzles_and_resumes_after_a_kill(quick):
    ran = CliRunner().invoke(puzzles, ["mine", "gops", "--count", "2"])
    assert ran.exit_code == 0, ran.output
    whole = quick.read_bytes()
    first, second = read(quick)
    assert [line.split()[1] for line in ran.output.splitlines()] == [first.id, second.id]
    quick.write_bytes(whole + written(first)[:99])  # killed while writing
    ran = CliRunner().invoke(puzzles, ["mine", "gops", "--count", "3"])
    assert ran.exit_code == 0, ran.output
    found = read(quick)
    assert found[:2] == [first, second]
    assert len({it.id for it in found}) == 3
    assert int(found[2].seed, 16) > int(second.seed, 16)
    assert "has 3 puzzles" in CliRunner().invoke(puzzles, ["mine", "gops", "--count", "3"]).output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["mine", "chess"], "Invalid value for 'GAME'"),
        (["mine", "gops", "--seats", "9"], "GOPS cannot be played by 9 players"),
    ],
)
def test_command_reports_what_it_cannot_do(quick, arguments, sentence):
    ran = CliRunner().invoke(puzzles, arguments)
    assert ran.exit_code
    assert sentence in ran.output


@pytest.mark.slow
def test_mined_puzzle_replays_to_its_position(quick):
    game = GAMES["taken"]
    found = next(mined(game, 3, {"max_games": 1}, range(1, 99), Wanted(1)))
    assert isinstance(found, Puzzle)
    at = reached(game, found)
    own = {
        str(it.move)[2:] for it in judge(game, at.state, found.seat, at.memory, found.choices, b"")
    }
    assert own == {it.move for it in found.values}


def agrees(key, puzzle):
    """Return True if another 400 deals rate the same move best, or one as good, and no refused move
    is significantly better than an accepted one.
    """
    game = GAMES[key]
    at = reached(game, puzzle)
    seed = seed_of(int(puzzle.seed, 16), at.number, SECOND)
    values = judge(
        game, at.state, puzzle.seat, at.memory, puzzle.choices, seed, deals=DEALS, errors=GIVEN_UP
    )
    right = set(puzzle.choices[: puzzle.accepted])
    return values[0].move in right and not any(it.as_good for it in values if it.move not in right)


@pytest.mark.slow
@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_a_second_seed_agrees_with_the_shipped_puzzles(key):
    own = list(book(key).values())
    some = own if LONG else own[:: max(1, len(own) // SAMPLE)][:SAMPLE]
    agreed = sum(agrees(key, it) for it in some)
    assert agreed >= SHARE * len(some), f"{agreed} of {len(some)}"


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_shipped_puzzles_cover_several_themes_and_strengths(key):
    own = book(key).values()
    assert file_of(key).stat().st_size < 400_000
    assert len({it.theme for it in own}) >= 2
    assert len({it.strength for it in own}) >= 2
    for puzzle in own:
        wrong = puzzle.values[puzzle.accepted]
        assert wrong.high < 0
        assert -(wrong.low + wrong.high) / 2 >= analysis_of(GAMES[key]).least - 0.01


def test_search_reports_its_progress(capsys):
    assert list(reported(range(21), Wanted(5))) == list(range(21))
    progress = "10 matches searched, 0 of 5 puzzles\n20 matches searched, 0 of 5 puzzles\n"
    assert capsys.readouterr().err == progress
