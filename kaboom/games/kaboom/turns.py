"""A turn of Kaboom: its first move, the use of the card, abilities, and the next turn."""

from collections.abc import Iterator, Sequence
from functools import partial

from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Choices, IllegalMove, Seat, one_of
from kaboom.engine.play import Listener, Play
from kaboom.games.kaboom.cards import ability_of
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
    WHERE,
    Ability,
    AfterAbility,
    AnyStep,
    Collecting,
    Drawn,
    FirstMove,
    LastFlips,
    Place,
    ReplaceDrawn,
    ReplaceTaken,
    State,
    about,
    current,
    decided,
    enter,
    is_patient,
    next_decision,
    on_top,
)

# The stages of a turn


def turn_offers(s: State, step: AnyStep) -> Iterator[Listener]:
    seat = s.turn
    this = about(step)
    match step:
        case FirstMove():
            moves = first_moves(s)
            if "kaboom" in moves:
                yield Listener(seat, "kaboom", kaboom, about=this, confirm=True)
            if "take" in moves:
                yield Listener(seat, "take", take, about=on_top(s))
            if "draw" in moves:
                yield Listener(seat, "draw", draw, about=this)
        case ReplaceTaken() | ReplaceDrawn():
            yield Listener(seat, "replace", replace, one_of(cards_of(s, seat)), this)
        case Drawn() | AfterAbility():
            kind = ability_of(step.card)
            if isinstance(step, Drawn) and kind and targets(s, kind):
                yield Listener(seat, "use", use, about=f"{this}.{kind}")
            if any(s.grids[seat]):
                yield Listener(seat, "keep", keep, about=this)
                yield Listener(seat, "replace", replace, one_of(cards_of(s, seat)), this)
            yield Listener(seat, "discard", discard, about=this)
        case Ability():
            yield from ability_offers(s, step)


def first_moves(s: State) -> list[str]:
    """Return the first moves of the player whose turn it is; with none, the turn passes."""
    moves = []
    if s.declared_by is None:
        moves.append("kaboom")
    if s.discards and any(s.grids[s.turn]):
        moves.append("take")
    if can_draw(s):
        moves.append("draw")
    return moves


def begin_turn(s: State, seat: Seat) -> None:
    """Start the turn with its first move: earlier changes to places are no longer marked, except
    of cards that came from others and whose owners have had no turn since.
    """
    decided(s, seat)
    last = (seat - 1) % len(s.grids)
    s.marks = {
        place: mark
        for place, mark in s.marks.items()
        if mark in ("swapped", "given") and WHERE[place][0] != last
    }


def kaboom(play: Play[State]) -> None:
    """Call kaboom: all other players have one more turn."""
    s = play.state
    begin_turn(s, s.turn)
    s.declared_by = s.turn
    play.tell("kaboom", seat=s.turn)
    next_turn(play)


def take(play: Play[State]) -> None:
    """Take the top discard, which must replace one of the player's own cards."""
    s = play.state
    begin_turn(s, s.turn)
    card = s.discards.pop().card
    play.tell("took", seat=s.turn, card=card)
    enter(s, ReplaceTaken(card=card))


def draw(play: Play[State]) -> None:
    """Draw the top card of the stock, seen only by the drawer."""
    s = play.state
    begin_turn(s, s.turn)
    card = next_card(play, s.turn)
    play.tell("drew", seat=s.turn)
    play.whisper(s.turn, "draw_shows", card=card)
    enter(s, Drawn(card=card))


def keep(play: Play[State]) -> None:
    """Keep the drawn card; the next move selects the player's own card that it replaces.

    A player who has already decided selects that card directly (`replace`).
    """
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (Drawn, AfterAbility))
    decided(s, s.turn)
    play.tell("kept", seat=s.turn)
    enter(s, ReplaceDrawn(card=step.card, used=isinstance(step, AfterAbility)))


def discard(play: Play[State]) -> None:
    """Put the drawn card on the discard pile, which ends the turn."""
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (Drawn, AfterAbility, ReplaceDrawn))
    decided(s, s.turn)
    put_on_pile(s, step.card)
    play.tell("discarded", seat=s.turn, card=step.card)
    next_turn(play)


def replace(play: Play[State], place: Place) -> None:
    """Discard one of the player's own cards, and replace it with the taken or drawn card, which
    ends the turn.
    """
    s = play.state
    step = s.steps[-1]
    assert isinstance(step, (ReplaceTaken, ReplaceDrawn, Drawn, AfterAbility))
    decided(s, s.turn)
    old = card_at(s, place)
    put(s, place, step.card, "replaced")
    put_on_pile(s, old)
    if isinstance(step, ReplaceTaken):
        play.tell("replaced", seat=s.turn, place=place, card=old, taken=step.card)
    else:
        play.tell("replaced", seat=s.turn, place=place, card=old)
    next_turn(play)


def next_turn(play: Play[State]) -> None:
    """Pass the turn; the round ends when it comes back to the declarer."""
    s = play.state
    while True:
        s.turn = (s.turn + 1) % len(s.grids)
        if s.turn == s.declared_by:
            return last_flips(play)
        if first_moves(s):
            return before_first_move(play)
        play.tell("passed", seat=s.turn)  # nothing is left to do


def before_first_move(play: Play[State]) -> None:
    """Give the player whose turn it is the first move, once patient flips are settled."""
    enter(play.state, FirstMove())
    collect(play)


def last_flips(play: Play[State]) -> None:
    """End the round, at once or after a last chance to flip."""
    s = play.state
    if s.options.last_flips and is_patient(s):
        enter(s, LastFlips())
        if collect(play):
            play.tell("last_window")
        else:
            end_round(play)
    elif s.options.last_flips:
        play.tell("last_flips", seconds=s.options.last_flips)
        enter(s, LastFlips())
    else:
        end_round(play)


# Abilities


def targets(s: State, kind: str, picks: Sequence[Place] = ()) -> list[Place]:
    """Return the places that the player whose turn it is may select next for the ability."""
    cards = open_cards(s)
    if kind == "own":
        return [place for place in cards if WHERE[place][0] == s.turn]
    if kind == "other":
        return [place for place in cards if WHERE[place][0] != s.turn]
    if kind == "any":
        return [place for place in cards if place not in picks]
    if picks:
        return [place for place in cards if WHERE[place][0] != WHERE[picks[0]][0]]
    return cards if len({WHERE[place][0] for place in cards}) > 1 else []


def use(play: Play[State]) -> None:
    """Use the ability of the drawn card, which makes its kind public."""
    s = play.state
    step = current(s, Drawn)
    decided(s, s.turn)
    play.tell("used", seat=s.turn, ability=ability_of(step.card))
    enter(s, Ability(card=step.card))


def ability_offers(s: State, step: Ability) -> Iterator[Listener]:
    kind = ability_of(step.card)
    assert kind
    legal = targets(s, kind, step.picks)
    this = f"{about(step)}.{kind}"
    if legal and kind == "swap":
        this += f".{len(step.picks)}"
        options = [place for place in open_cards(s) if place not in step.picks]
        pick = one_of(options, partial(two_owners, step.picks[0]) if step.picks else None)
        yield Listener(s.turn, "swap", swap, pick, this)
    elif legal:
        yield Listener(s.turn, "look", look, one_of(legal), this)
    yield Listener(s.turn, "skip", skip, about=this)


def two_owners(first: Place, choices: Choices) -> IllegalMove | None:
    """Return the reason why the chosen card cannot be swapped with the first, or None."""
    if WHERE[choices[0]][0] != WHERE[first][0]:
        return None
    return IllegalMove(_("A swap is between cards of two different players."), "abilities")


def look(play: Play[State], place: Place) -> None:
    """Look at a card; a black king may look at a second one if there is one."""
    s = play.state
    step = current(s, Ability)
    decided(s)  # the card stays visible to the player until keep or discard
    card = card_at(s, place)
    s.seen[s.turn][place] = card
    s.marks[place] = "looked at"
    play.tell("looked", seat=s.turn, place=place)
    play.whisper(s.turn, "look_shows", place=place, card=card)
    picks = [*step.picks, place]
    if ability_of(step.card) == "any" and len(picks) == 1 and targets(s, "any", picks):
        enter(s, Ability(card=step.card, picks=picks))
    else:
        enter(s, AfterAbility(card=step.card))


def swap(play: Play[State], place: Place) -> None:
    """Select the first, then the second of two cards that are swapped unseen."""
    s = play.state
    step = current(s, Ability)
    decided(s, s.turn)
    if step.picks:
        first = step.picks[0]
        one, other = card_at(s, first), card_at(s, place)
        put(s, first, other, "swapped")
        put(s, place, one, "swapped")
        play.tell("swapped", seat=s.turn, first=first, second=place)
        enter(s, AfterAbility(card=step.card))
    else:
        s.marks[place] = "chosen"
        play.tell("chosen", seat=s.turn, place=place)
        enter(s, Ability(card=step.card, picks=[place]))


def skip(play: Play[State]) -> None:
    """End the ability, or the rest of it, unused. Cards that were shown stay visible."""
    s = play.state
    step = current(s, Ability)
    decided(s)
    for place in step.picks:
        if s.marks.get(place) == "chosen":
            del s.marks[place]
    play.tell("skipped", seat=s.turn)
    enter(s, AfterAbility(card=step.card))


# Patient flips interrupt the turn; the rest is in patient.py.


def collect(play: Play[State]) -> bool:
    """Start collecting flips for a new top discard, once; return True if a player can choose.

    The order is drawn here, by the move that discarded the card. No player has chosen yet, so no
    answer can affect it.
    """
    s = play.state
    top = s.discards[-1] if s.discards else None
    if not is_patient(s) or top is None or top.number <= s.collected:
        return False
    s.collected = top.number
    if not flippers(s) or not open_cards(s):
        return False
    seats = len(s.grids)
    s.steps.append(
        Collecting(
            number=next_decision(s),
            order=play.lot("flips", top.number).shuffled(range(seats)),
            answers=[None] * seats,
            asked=[False] * seats,
        )
    )
    return True
