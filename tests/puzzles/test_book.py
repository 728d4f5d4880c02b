"""The file of a game's puzzles, and their positions."""

from datetime import date, timedelta

import pytest
from msgspec import structs

from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.continued_match import redealt
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.learn.pages import names_at
from kaboom.puzzles.book import InvalidPuzzle, book, file_of, reached, read, written
from kaboom.puzzles.service import of_day, rating_of

WITH_PUZZLES = [key for key in GAMES if book(key)]


def first(key="gops"):
    return next(iter(book(key).values()))


def test_incomplete_last_line_is_ignored(tmp_path):
    whole = written(first())
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(whole + whole[:50])
    assert read(file) == [first()]


@pytest.mark.parametrize("line", [b"{}\n", b"[]\n", b'{"id":1}\n', b"\xff\n"])
def test_malformed_puzzle_line_is_refused(tmp_path, line):
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(written(first()) + line)
    with pytest.raises(InvalidPuzzle, match=r"puzzles\.jsonl"):
        read(file)


def test_a_game_without_a_file_has_no_puzzles(tmp_path):
    assert read(tmp_path / "puzzles.jsonl") == []


def test_puzzles_for_other_rules_versions_are_not_shown(tmp_path, monkeypatch):
    old = structs.replace(first(), game_version=99)
    file = tmp_path / "puzzles.jsonl"
    file.write_bytes(written(old))
    monkeypatch.setattr("kaboom.puzzles.book.file_of", lambda key: file)
    book.cache_clear()
    try:
        assert book("gops") == {}
    finally:
        monkeypatch.undo()
        book.cache_clear()


@pytest.mark.parametrize(
    "changes", [{"moves": "0 bid 2D"}, {"options": {"cards": 7}}, {"moves": "nonsense"}]
)
def test_unreachable_position_is_reported(changes):
    with pytest.raises(InvalidPuzzle, match=first().id):
        reached(GAMES["gops"], structs.replace(first(), **changes))


def test_puzzle_is_rated_easy_to_hard_by_the_bots_that_solve_it():
    strengths = [structs.replace(first(), found=it).strength for it in ((60, 0), (40, 50), (0, 40))]
    assert strengths == ["easy", "medium", "hard"]


def test_rarely_found_puzzle_is_rated_higher_at_first():
    hard, easy = (
        rating_of(structs.replace(first(), found=it), None) for it in ((0, 0), (100, 100))
    )
    assert hard.mu > easy.mu
    assert hard.sigma == easy.sigma


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_memory_matches_the_visible_cards(key):
    """A bot's memory of the position is consistent: redealing keeps the seat's view."""
    game = GAMES[key]
    for puzzle in list(book(key).values())[:5]:
        at = reached(game, puzzle)
        other = redealt(game, at.state, puzzle.seat, at.memory, Rng(b"other", 0, "again"))
        mine, theirs = (game.view(it, puzzle.seat).zones_named("hand") for it in (at.state, other))
        assert [it for it in mine if it.owner == puzzle.seat] == [
            it for it in theirs if it.owner == puzzle.seat
        ]


def test_each_day_has_one_puzzle_of_any_game():
    days = [date(2026, 1, 1) + timedelta(days=n) for n in range(60)]
    found = [of_day(day) for day in days]
    assert found == [of_day(day) for day in days]
    assert len({puzzle.id for _key, puzzle in found}) > 20
    assert {key for key, _puzzle in found} == set(WITH_PUZZLES)


def test_puzzle_files_are_in_canonical_form():
    for key in WITH_PUZZLES:
        data = file_of(key).read_bytes()
        assert data == b"".join(written(it) for it in read(file_of(key)))


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_every_puzzle_has_a_reason_in_favour_of_its_best_move(key):
    game = GAMES[key]
    told = analysis_of(game)
    for puzzle in book(key).values():
        at = reached(game, puzzle)
        reason, move = puzzle.why, puzzle.move(puzzle.values[0])
        if reason is None or reason.kind in told.unconvincing:
            assert move
            reason = told.explained(at.state, at.memory, move)
        assert reason, puzzle.id
        said = game.words.say(reason.kind, reason.facts, names_at(puzzle.seats, puzzle.seat))
        assert said, puzzle.id
        assert not said.startswith("Do not call yet"), puzzle.id
