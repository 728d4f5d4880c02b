"""The score of a round, ranks and the next king, and the end of the match."""

from kaboom.engine.moves import Seat, one_of
from kaboom.engine.play import Play
from kaboom.engine.toolkit.tricks import LOW_TO_HIGH
from kaboom.engine.views import Outcome, places
from kaboom.games.koth.cards import ACE, card_points
from kaboom.games.koth.state import SEATS, Result, State, enter, make_king

ENOUGH = 80  # points with which the challengers take the hill
A_STEP = 40  # points from each gain in rank to the next one

# Scoring a round


def score_round(play: Play[State]) -> None:
    """Add up the challengers' points, change ranks, and name the next king."""
    s = play.state
    assert s.trump_suit is not None
    buried = card_points(s.dead_hand)
    taken = 0 if s.leader in s.defenders else 2 * buried  # the leader won the last trick
    score = taken + sum(p for seat, p in enumerate(s.points) if seat not in s.defenders)
    gains = [rank_gain(s, seat, score) for seat in range(SEATS)]
    teammate = s.defenders[1] if len(s.defenders) == 2 else None
    s.results.append(
        Result(s.round, s.king, teammate, s.trump_rank, s.trump_suit, s.points, taken, score, gains)
    )
    play.tell("dead_hand_shown", seat=s.king, cards=s.dead_hand, points=buried)
    if taken:
        play.tell("dead_hand_taken", seat=s.leader, points=taken)
    play.tell("round_scored", round=s.round, points=score)
    for seat, gain in enumerate(gains):
        if gain:
            s.ranks[seat] += gain
            play.tell("rose", seat=seat, gain=gain, rank=s.ranks[seat])
    if not any(gains):
        play.tell("nobody_rose")
    if match_is_over(s):
        enter(s, "over")
        play.tell("match_over", seats=result(s).winners)
    else:
        prepare_round(play, next_king(s, score))


def team_gains(score: int) -> tuple[int, int]:
    """Return the gain in ranks of the defenders and of the challengers at this score."""
    if score < ENOUGH:
        return (3 if score == 0 else 2 if score <= A_STEP else 1), 0
    return 0, min(3, (score - ENOUGH) // A_STEP)


def rank_gain(s: State, seat: Seat, score: int) -> int:
    """Return the gain in ranks of a seat; it is limited if the ace must be defended."""
    defending = seat in s.defenders
    gain = team_gains(score)[0 if defending else 1]
    if s.options.must_defend_ace:
        if s.ranks[seat] < ACE:
            gain = min(gain, ACE - s.ranks[seat])
        elif s.ranks[seat] == ACE and not defending:
            gain = 0
    return gain


def next_king(s: State, score: int) -> Seat:
    """Return the next king. If the hill was held, that is the teammate or, without one, the same
    king; otherwise it is the next challenger.
    """
    if score < ENOUGH:
        return s.defenders[-1]
    after = ((s.king + step) % SEATS for step in range(1, SEATS))
    return next(seat for seat in after if seat not in s.defenders)


def prepare_round(play: Play[State], koth: Seat) -> None:
    """Clear the table for the next round; its king receives the first card and sets the trump
    rank.
    """
    s = play.state
    s.round += 1
    make_king(s, koth)
    s.leader = koth
    s.trump_rank = LOW_TO_HIGH[min(s.ranks[koth], ACE) - 2]
    s.trump_suit = None
    s.declarations = []
    s.called = None
    play.tell("next_king", seat=koth, rank=s.trump_rank)
    enter(s, "ready_round")


# The end of the match

FIX_ROUNDS = one_of(tuple(str(n) for n in range(10)))


def fix_rounds(play: Play[State], more: str) -> None:
    """Limit the match to this many rounds after the current one."""
    s = play.state
    s.last_round = s.round + int(more)
    play.tell("rounds_fixed", round=s.last_round)


def match_is_over(s: State) -> bool:
    """Return True if the round just scored was the last."""
    past_ace = s.options.end == "past_ace" and max(s.ranks) > ACE
    return past_ace or (s.last_round is not None and s.round >= s.last_round)


def result(s: State) -> Outcome:
    """Return the places by rank; steps beyond the ace also count."""
    return Outcome(tuple(s.ranks), places(s.ranks))


def outcome(s: State) -> Outcome | None:
    """Return the outcome, or None while the match goes on."""
    if s.stage == "abandoned":
        return Outcome(tuple(s.ranks), (1,) * SEATS, "abandoned")
    return result(s) if s.stage == "over" else None
