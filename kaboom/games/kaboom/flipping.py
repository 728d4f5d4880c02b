"""Flipping: the race, right and wrong flips, giving, and what happens afterwards.

Patient flips (patient.py) are judged by the same functions.
"""

from collections.abc import Iterator

from kaboom.engine.moves import Pick, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import Card, rank_of
from kaboom.games.kaboom.places import (
    can_draw,
    card_at,
    cards_of,
    flippers,
    next_card,
    open_cards,
    put,
    put_on_pile,
)
from kaboom.games.kaboom.scoring import end_round
from kaboom.games.kaboom.state import (
    PLACES,
    WHERE,
    AnyStep,
    FirstMove,
    Give,
    LastFlips,
    Place,
    ReplaceDrawn,
    ReplaceTaken,
    State,
    current,
    decided,
    is_patient,
    next_decision,
    on_top,
)
from kaboom.games.kaboom.turns import collect, discard, first_moves, next_turn

# The race


def flips(s: State, step: AnyStep) -> Iterator[Listener]:
    """Yield the standing offer to flip for every player who may flip (“Flipping” in rules.md)."""
    before_move = isinstance(step, (FirstMove, LastFlips))
    pick: Pick | None = None
    for seat in flippers(s):
        if seat != s.turn or before_move:
            pick = pick or one_of(open_cards(s))
            if pick.options:
                this = on_top(s)
                yield Listener(
                    seat, "flip", flip, pick, this, blocks=False, confirm=True, race=True
                )


def flip(play: Play[State], place: Place) -> None:
    """Flip a card onto the pile, where it stays if its rank matches the top discard."""
    s = play.state
    decided(s, play.seat)
    onto = s.discards[-1].card
    if matches(s, place, onto):
        right_flip(play, play.seat, place)
        give_or_resume(play, play.seat, place)
    else:
        wrong_flip(play, play.seat, place, onto)
        resume(play)


def matches(s: State, place: Place, onto: Card) -> bool:
    """Return True if the card at a place has the same rank as `onto`."""
    return rank_of(card_at(s, place)) == rank_of(onto)


def wrong_flip(play: Play[State], seat: Seat, place: Place, onto: Card) -> None:
    """Show the card to all and turn it back; the player draws penalty cards."""
    s = play.state
    card = card_at(s, place)
    for shown in s.seen:
        shown[place] = card
    s.marks[place] = "flipped"
    play.tell("wrong_flip", seat=seat, place=place, card=card, onto=onto)
    new: list[Place] = []
    while len(new) < s.options.flip_penalty and can_draw(s):
        grid = s.grids[seat]
        if len(grid) == len(PLACES[seat]):  # more slots than cards: at least one is empty
            slot = grid.index(None)
            grid[slot] = next_card(play, seat)
        else:
            slot = len(grid)
            grid.append(next_card(play, seat))
        new.append(PLACES[seat][slot])
        s.marks[new[-1]] = "penalty"
    if new:
        play.tell("penalty", seat=seat, places=new, count=len(new))


def right_flip(play: Play[State], seat: Seat, place: Place) -> None:
    """Leave the card on the pile."""
    s = play.state
    card, onto = card_at(s, place), s.discards[-1].card
    put(s, place, None, "flipped")
    put_on_pile(s, card, seat)
    play.tell("flipped", seat=seat, place=place, card=card, onto=onto)


def give_or_resume(play: Play[State], seat: Seat, place: Place) -> None:
    """Let a player who flipped another player's card give one of their own for it, or else
    resume.
    """
    s = play.state
    owner, slot = WHERE[place]
    is_gap = s.grids[owner][slot] is None  # a penalty card for a patient flip may be there already
    if owner != seat and is_gap and any(s.grids[seat]):
        s.steps.append(Give(number=next_decision(s), seat=seat, place=place))
    else:
        resume(play)


# Giving a card


def giving(s: State, step: Give) -> Iterator[Listener]:
    this = str(step.number)
    yield Listener(step.seat, "give", give, one_of(cards_of(s, step.seat)), this)
    yield Listener(step.seat, "no_give", no_give, about=this)


def give(play: Play[State], place: Place) -> None:
    """Put one of the player's own cards face down at the emptied place."""
    s = play.state
    step = current(s, Give)
    decided(s, step.seat)
    card = card_at(s, place)
    put(s, place, None, "given away")
    put(s, step.place, card, "given")
    play.tell("gave", seat=step.seat, place=place, to=step.place)
    end_give(play)


def no_give(play: Play[State]) -> None:
    """Leave the emptied place empty."""
    s = play.state
    step = current(s, Give)
    decided(s, step.seat)
    play.tell("gave_nothing", seat=step.seat, place=step.place)
    end_give(play)


def end_give(play: Play[State]) -> None:
    """Return to the interrupted step."""
    s = play.state
    s.steps.pop()
    s.steps[-1].resumed += 1
    resume(play)


# When a flip hits the player whose turn it is


def resume(play: Play[State]) -> None:
    """Resume after a flip; a player whose turn it is loses it if no choice is left."""
    if collect(play):  # the same player may flip again onto this card
        return
    s = play.state
    step = s.steps[-1]
    match step:
        case LastFlips() if is_patient(s):
            end_round(play)
        case FirstMove() if not first_moves(s):
            play.tell("passed", seat=s.turn)
            next_turn(play)
        case ReplaceTaken() if not any(s.grids[s.turn]):
            put_on_pile(s, step.card)
            play.tell("put_back", seat=s.turn, card=step.card)
            next_turn(play)
        case ReplaceDrawn() if not any(s.grids[s.turn]):
            discard(play)
