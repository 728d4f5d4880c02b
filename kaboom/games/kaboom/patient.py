"""Patient flips: collected after each discard and settled together (our choice, an option).

`collect` (turns.py) starts them: it puts the step Collecting on top of the interrupted one.
"""

from collections.abc import Iterator

from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.games.kaboom.flipping import give_or_resume, matches, resume, right_flip, wrong_flip
from kaboom.games.kaboom.places import flippers, open_cards
from kaboom.games.kaboom.state import PASS, Collecting, Place, State, current, on_top


def collecting(s: State, step: Collecting) -> Iterator[Listener]:
    """Yield each seat's possible answers. The game waits without revealing for whom."""
    this = on_top(s)
    cards = open_cards(s)
    for seat in flippers(s):
        answer = step.answers[seat]
        others = [place for place in cards if place != answer]
        if others:
            pick = one_of(others)
            yield Listener(seat, "flip", seal_flip, pick, this, blocks=False, confirm=True)
        if answer is None:
            yield Listener(seat, "pass", seal_pass, about=this, sealed=True)
        elif answer != PASS:
            yield Listener(seat, "withdraw", withdraw, about=f"{this}.{answer}", blocks=False)
        if s.options.flip_seconds and not step.longer and not step.asked[seat]:
            yield Listener(seat, "more", ask_more, about=this, blocks=False)
    if after := s.options.flip_seconds:  # fixed pace: the seats waited for are secret
        pick = one_of([f"{step.number}.{int(step.longer)}"])
        yield Listener(CLOCK, "settle", time_is_up, pick, after=after)


def unanswered(s: State, step: Collecting) -> list[Seat]:
    """Return the seats that may flip and have neither chosen a card nor passed."""
    return [seat for seat in flippers(s) if step.answers[seat] is None]


def seal_flip(play: Play[State], place: Place) -> None:
    """Select a card to flip; it can be changed or withdrawn until all are settled."""
    play.whisper(play.seat, "flip_sealed", seat=play.seat, place=place)
    seal(play, place)


def seal_pass(play: Play[State]) -> None:
    """Decline to flip."""
    play.whisper(play.seat, "pass_sealed", seat=play.seat)
    seal(play, PASS)


def withdraw(play: Play[State]) -> None:
    """Withdraw the selected flip; this counts as a pass until another one is selected."""
    play.whisper(play.seat, "flip_withdrawn", seat=play.seat)
    seal(play, PASS)


def seal(play: Play[State], answer: str) -> None:
    """Store a seat's answer. Only that seat's page changes, unless it was the last missing
    answer.
    """
    s = play.state
    s.seen[play.seat].clear()
    current(s, Collecting).answers[play.seat] = answer


def ask_more(play: Play[State]) -> None:
    """Ask for more time. The others learn of it only after the usual time, and never who asked."""
    current(play.state, Collecting).asked[play.seat] = True
    play.whisper(play.seat, "more_asked", seat=play.seat, seconds=play.state.options.flip_seconds)


def time_is_up(play: Play[State], window: str) -> None:
    """Settle the flips; if any seat has asked for more time, wait once more first."""
    s = play.state
    step = current(s, Collecting)
    if any(step.asked[seat] for seat in flippers(s)):
        step.longer, step.asked = True, [False] * len(step.asked)
        play.tell("longer", seconds=s.options.flip_seconds)
    else:
        settle(play)


def settle(play: Play[State]) -> None:
    """Judge all selected flips in the order that was drawn.

    All are aimed at the same card. The first of its rank wins. A later one of that rank is too late
    and costs nothing, as in a race. One of another rank is a wrong flip in any position.
    """
    s = play.state
    step = current(s, Collecting)
    s.steps.pop()
    s.seen[-1].clear()
    onto = s.discards[-1].card
    able = flippers(s)
    chosen = [
        (seat, answer)
        for seat in step.order
        if seat in able and (answer := step.answers[seat]) is not None and answer != PASS
    ]
    if not chosen:
        play.tell("no_flips", onto=onto)
    elif len(chosen) > 1:
        play.tell("flips_settled", onto=onto, order=[seat for seat, _ in chosen])
    right = [(seat, place) for seat, place in chosen if matches(s, place, onto)]
    for seat, place in chosen:
        if (seat, place) not in right:
            wrong_flip(play, seat, place, onto)
        elif (seat, place) == right[0]:
            right_flip(play, seat, place)
        else:
            if place != right[0][1]:
                s.marks[place] = "too late"
            play.tell("late_flip", seat=seat, place=place)
    if right:
        give_or_resume(play, *right[0])
    else:
        resume(play)


def resample_sealed(play: Play[State], step: Collecting, viewer: Seat | None) -> None:
    """Redraw the order and the others' answers. At least one stays missing, since otherwise the
    flips would be settled.
    """
    s = play.state
    step.order = play.shuffled(range(len(s.grids)))
    others = [seat for seat in flippers(s) if seat != viewer]
    possible = [None, PASS, *open_cards(s)]
    for seat in others:
        step.answers[seat] = play.rng.choice(possible)
        step.asked[seat] = not step.longer and play.rng.randrange(2) == 1
    if others and not unanswered(s, step):
        step.answers[play.rng.choice(others)] = None
