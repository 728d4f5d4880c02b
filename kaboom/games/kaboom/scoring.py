"""The end of a round, its scores, and the end of the match."""

from collections.abc import Sequence

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.views import Outcome, places
from kaboom.games.kaboom.cards import points
from kaboom.games.kaboom.state import RoundOver, State, enter

DECLARER_FINE = 10

# Scoring


def end_round(play: Play[State]) -> None:
    """Turn up all cards and score the round."""
    s = play.state
    assert s.declared_by is not None
    for shown in s.seen:
        shown.clear()
    s.sums = [sum(points(card) for card in grid if card) for grid in s.grids]
    s.scores = round_scores(s.sums, s.declared_by, s.options.keep_negative)
    s.totals = [total + score for total, score in zip(s.totals, s.scores, strict=True)]
    s.ready = []
    enter(s, RoundOver())
    lowest = s.sums[s.declared_by] == min(s.sums)
    play.tell("made" if lowest else "missed", seat=s.declared_by, sum=s.sums[s.declared_by])
    play.tell("scored", round=s.round, sums=s.sums, scores=s.scores, totals=s.totals)
    if (result := outcome(s)) is not None:
        play.tell("won", winners=result.winners, points=min(s.totals))


def round_scores(sums: Sequence[int], declared_by: Seat, keep_negative: bool) -> list[int]:
    """Return the scores of a round from the sums of the grids."""
    scores = list(sums)
    own = sums[declared_by]
    if own > min(sums):
        scores[declared_by] = own + DECLARER_FINE
    else:
        scores[declared_by] = min(0, own) if keep_negative else 0
    return scores


# The match


def rounds_of(s: State) -> int:
    """Return the number of rounds; 0 means until the target is reached."""
    if s.options.target:
        return 0
    return s.options.rounds or len(s.totals)


def is_last_round(s: State) -> bool:
    """Return True if this round is the last one of the match."""
    if s.options.target:
        return max(s.totals) >= s.options.target
    return s.round >= rounds_of(s)


def outcome(s: State) -> Outcome | None:
    """Return the outcome, lowest total first, or None while the match goes on."""
    if s.abandoned:
        reason = "abandoned"
    elif isinstance(s.steps[-1], RoundOver) and is_last_round(s):
        reason = "won"
    else:
        return None
    return Outcome(tuple(s.totals), places(s.totals, lowest_wins=True), reason)
