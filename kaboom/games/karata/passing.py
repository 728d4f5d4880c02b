"""The end of a turn: last card, fines, and the next turn."""

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.views import Saying
from kaboom.games.karata.deck import take
from kaboom.games.karata.legal_plays import may_declare
from kaboom.games.karata.state import State, begin, beside, neighbour

# Last card


def ask_last_card(play: Play[State]) -> None:
    """End a turn with the last-card question, if the hand allows it."""
    s = play.state
    if may_declare(s.house, s.hands[s.seat]):
        begin(play, "last_card")
    else:
        s.last_card[s.seat] = False
        pass_turn(play)


def answer(play: Play[State], yes: str) -> None:
    """Say last card, or not; "yes" lasts until the end of the player's next turn."""
    s = play.state
    s.last_card[s.seat] = yes == "yes"
    play.tell("declared" if s.last_card[s.seat] else "not_declared", seat=s.seat)
    pass_turn(play)


# Fines


def fine(play: Play[State], wrong: Saying) -> None:
    """Fine the seat whose turn it is: it draws, loses last-card status, and keeps its turn and any
    pick.

    If the fine ends the turn (as it does after a draw), the pending pick is drawn as well.
    Otherwise an illegal play would be a way to avoid a bomb.
    """
    s = play.state
    count = min(s.options.fine, len(s.deck) + len(s.pile) - 1)
    s.last_card[s.seat] = False
    s.fined[s.seat] += count
    s.tries += 1
    s.row = []
    play.whisper(s.seat, wrong.kind, **wrong.facts)
    play.tell("fined", seat=s.seat, count=count)
    take(play, s.seat, count)
    if s.options.fine_ends_turn or s.stage == "drawn":
        picked, s.pick = s.pick, 0
        s.question, s.steps = False, 1
        if not picked or take(play, s.seat, picked, "drew"):
            pass_turn(play)


# The next seat


def pass_turn(play: Play[State]) -> None:
    """Move the turn on by `steps` seats. Absent seats are skipped and do not count as jumped.

    A player may first be asked whether to stop a jump or a kickback.
    """
    s = play.state
    if s.stop:
        s.asked = who_may_stop(s)
        if s.asked is not None:
            begin(play, "stop")
            return
        s.stop = ""
    for _ in range(s.steps):
        s.seat = beside(s, s.seat)
        if not pass_absent(play):
            return
    if pass_absent(play):  # without steps, the same player continues, but may have left
        begin(play, "turn")


def who_may_stop(s: State) -> Seat | None:
    """Return the seat to ask: the first to be jumped, or the one that lost its turn, or None.

    The seat is asked whatever its hand is, so that being asked reveals nothing. With two players, a
    kickback costs no one a turn.
    """
    if s.stop == "jump":
        seat = neighbour(s, s.direction)
        return None if seat == s.seat else seat
    lost = neighbour(s, -s.direction)
    return None if lost == neighbour(s, s.direction) else lost


def pass_absent(play: Play[State]) -> bool:
    """Move on from an absent seat to a present one; a pick due to it is drawn first.

    Return False if the game ended for lack of cards.
    """
    s = play.state
    while s.seat in s.absent:
        if s.pick:
            count, s.pick = s.pick, 0
            s.last_card[s.seat] = False  # our choice: this was its turn, without an answer
            if not take(play, s.seat, count, "drew_away"):
                return False
        s.seat = beside(s, s.seat)
    return True
