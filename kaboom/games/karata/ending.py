"""The end of a game and of a match."""

from kaboom.engine.moves import Seat
from kaboom.engine.play import Play
from kaboom.engine.toolkit.readiness import still_to_be_ready
from kaboom.engine.views import Outcome, places
from kaboom.games.karata.house import points_of
from kaboom.games.karata.state import State, begin, present


def count_hands(play: Play[State]) -> None:
    """End a game that was cut: the lowest hand wins, and tied ones share the win."""
    s = play.state
    s.counted = [sum(points_of(card) for card in hand) for hand in s.hands]
    lowest = min(s.counted[seat] for seat in present(s))
    play.tell("counted", points=s.counted)
    end_game(play, *(seat for seat in present(s) if s.counted[seat] == lowest))


def end_game(play: Play[State], *winners: Seat) -> None:
    """End a game; the next one begins when all are ready, unless the match is over."""
    s = play.state
    s.winner = winners[0] if len(winners) == 1 else None
    s.shared = list(winners) if len(winners) > 1 else []
    s.pick, s.request, s.question = 0, None, False
    for winner in winners:
        s.wins[winner] += 1
    begin(play, "over" if s.game == s.options.games else "ready")


def unready(s: State) -> list[Seat]:
    """Return the seats the next game is waiting for."""
    ready = [seat for seat, is_ready in enumerate(s.ready) if is_ready]
    return still_to_be_ready(len(s.wins), ready, s.absent)


def make_ready(play: Play[State]) -> None:
    """Mark a seat as ready for the next game."""
    be_ready(play, play.seat)


def be_ready(play: Play[State], seat: Seat) -> None:
    play.state.ready[seat] = True
    play.tell("ready", seat=seat)


def outcome(s: State) -> Outcome | None:
    """Return the outcome by games won, most first, or None while the match goes on."""
    if s.stage != "over":
        return None
    reason = "won" if any(s.wins) else "deck_exhausted"
    return Outcome(tuple(s.wins), places(s.wins), "abandoned" if s.abandoned else reason)
