"""5.2 Patient flips: collected after each discard, settled together (house rule, an option).

`collect` (turns.py) begins it: it puts the step Collecting on top of the one it interrupts.
"""

from collections.abc import Iterator

from kaboom.engine.moves import CLOCK, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.games.kaboom.flipping import give_or_resume, matches, resume, right_flip, wrong_flip
from kaboom.games.kaboom.places import flippers, open_cards
from kaboom.games.kaboom.state import PASS, Collecting, Place, State, current, on_top


def collecting(s: State, step: Collecting) -> Iterator[Listener]:
    """Yield what each seat may answer. The game waits, but nobody is told for whom."""
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
    if after := s.options.flip_seconds:  # a pace, since nobody is told whom the game waits for
        pick = one_of([f"{step.number}.{int(step.longer)}"])
        yield Listener(CLOCK, "settle", time_is_up, pick, after=after)


def unanswered(s: State, step: Collecting) -> list[Seat]:
    """Return the seats that may flip and have neither chosen a card nor passed."""
    return [seat for seat in flippers(s) if step.answers[seat] is None]


def seal_flip(play: Play[State], place: Place) -> None:
    """Choose a card to flip; it can be changed or taken back until all are settled."""
    play.whisper(play.seat, "flip_sealed", seat=play.seat, place=place)
    seal(play, place)


def seal_pass(play: Play[State]) -> None:
    """Flip nothing this time."""
    play.whisper(play.seat, "pass_sealed", seat=play.seat)
    seal(play, PASS)


def withdraw(play: Play[State]) -> None:
    """Take the chosen flip back: a pass, until another is chosen."""
    play.whisper(play.seat, "flip_withdrawn", seat=play.seat)
    seal(play, PASS)


def seal(play: Play[State], answer: str) -> None:
    """Keep a seat's answer. Only its own page changes, unless it was the last one missing."""
    s = play.state
    s.seen[play.seat].clear()
    current(s, Collecting).answers[play.seat] = answer


def ask_more(play: Play[State]) -> None:
    """Ask for more time; the others learn of it when the usual time is over, and not who asked."""
    current(play.state, Collecting).asked[play.seat] = True
    play.whisper(play.seat, "more_asked", seat=play.seat, seconds=play.state.options.flip_seconds)


def time_is_up(play: Play[State], window: str) -> None:
    """Settle; but if anybody has asked for more time, first wait as long again, once."""
    s = play.state
    step = current(s, Collecting)
    if any(step.asked[seat] for seat in flippers(s)):
        step.longer, step.asked = True, [False] * len(step.asked)
        play.tell("longer", seconds=s.options.flip_seconds)
    else:
        settle(play)


def settle(play: Play[State]) -> None:
    """Judge all chosen flips in the order that was drawn.

    All were aimed at the same card. The first of its rank wins; a later one of that rank is too
    late and costs nothing, as in a race; one of another rank is a wrong flip wherever it comes.
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
    """Redraw the order and the others' answers; one is missing, or all would be settled."""
    s = play.state
    step.order = play.shuffled(range(len(s.grids)))
    others = [seat for seat in flippers(s) if seat != viewer]
    possible = [None, PASS, *open_cards(s)]
    for seat in others:
        step.answers[seat] = play.chance.one_of(possible)
        step.asked[seat] = not step.longer and play.chance.below(2) == 1
    if others and not unanswered(s, step):
        step.answers[play.chance.one_of(others)] = None
