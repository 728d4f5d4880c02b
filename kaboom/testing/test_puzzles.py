"""Puzzles: each position is reachable and its moves legal."""

from collections import Counter

from kaboom.engine.engine import prompts
from kaboom.games.trial import Trial, names, refusal_of
from kaboom.puzzles.book import InvalidPuzzle, Puzzle, file_of, reached
from kaboom.puzzles.book import read as read_puzzles
from kaboom.testing.cases import once_a_game
from kaboom.web.rules_pages import rules_of


@once_a_game
def test_puzzles_are_reachable_and_their_moves_legal(trial: Trial) -> None:
    """Only the rules are checked; `kaboom puzzles mine` has verified that best moves are best."""
    game = trial.game
    try:
        puzzles = read_puzzles(file_of(game.key))
    except InvalidPuzzle as bad:
        trial.fail(f"its puzzles cannot be read ({bad}); mine them again")
    for number, count in Counter(it.id for it in puzzles).items():
        if count > 1:
            trial.fail(f"puzzle {number} occurs {count} times; keep one")
    for puzzle in puzzles:
        if puzzle.game_version == game.version:
            _check_puzzle(trial, puzzle)


def _check_puzzle(trial: Trial, puzzle: Puzzle) -> None:
    game, again = trial.game, "remove it, or mine it again"
    try:
        position = reached(game, puzzle)
    except InvalidPuzzle as bad:
        trial.fail(f"{bad}; {again}")
    state, listeners = position.state, list(game.listeners(position.state))
    for move in puzzle.choices:
        if move is None and prompts(listeners, puzzle.seats)[puzzle.seat].waited_for:
            trial.fail(f"puzzle {puzzle.id} lets the turn pass, which is not possible; {again}")
        if move is not None and (no := refusal_of(game, state, move)) is not None:
            trial.fail(f"puzzle {puzzle.id}: {str(move)!r} is refused ({no}); {again}")
    right, wrong = puzzle.values[: puzzle.accepted], puzzle.values[puzzle.accepted :]
    if not right or not wrong:
        trial.fail(f"puzzle {puzzle.id} has no right move, or no wrong one; {again}")
    if any(it.high >= 0 or it.worth > worst.worth for it in wrong for worst in right):
        trial.fail(f"puzzle {puzzle.id}: a wrong move may be as good as a right one; {again}")
    headings = {slug for _level, slug, _text in rules_of(game, position.options).contents}
    if puzzle.theme not in headings:
        trial.fail(
            f"puzzle {puzzle.id} is about {puzzle.theme!r}, which is not a heading of its rules; "
            f"{again}"
        )
    if (
        puzzle.why
        and game.words.say(puzzle.why.kind, puzzle.why.facts, names(puzzle.seats)) is None
    ):
        trial.fail(f"puzzle {puzzle.id}: there are no words for {puzzle.why.kind!r}; {again}")
