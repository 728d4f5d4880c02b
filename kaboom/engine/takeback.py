"""Takebacks: when a move can be taken back, and the match without that move.

A player can take a move back as long as

1. it has shown no player a card that they had not seen before;
2. it made no random draw;
3. the turn has not passed on: the others have the same prompts as before;
4. no player has done anything since, as far as the player can tell.

All of this follows from the events and draws of the move and from the prompts, so games need no
code for it. Nothing is deleted: the log continues with "2 take_back 17", and the match is then as
if move 17 had not been made.

A decision made for a player who had left ("-1 lapse 1.4.2") counts as that player's own move. The
player can take it back even if it was drawn by lot, and then decides. Leaving and returning do not
count as moves made since.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol

from kaboom.engine.attendance import LEAVE, RETURN
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import CLOCK, Move, NotOnOffer, Seat
from kaboom.engine.play import Event, Listener, S
from kaboom.engine.texts import TAKEN_BACK
from kaboom.engine.timeouts import timed_out
from kaboom.engine.views import DOWN, EMPTY, OPEN, View

VERB = "take_back"
MOST = 100  # takebacks in a match, because each makes the replay longer


class Sight(Protocol):
    """A moment of a match: its listeners and views."""

    @property
    def state(self) -> Any: ...

    @property
    def listeners(self) -> Sequence[Listener]: ...

    def view(self, viewer: Seat | None) -> View: ...


@dataclass
class Moment(Generic[S]):
    """A state as a Sight."""

    game: Game[S]
    state: S

    @cached_property
    def listeners(self) -> Sequence[Listener]:
        """Return the listener map."""
        return tuple(self.game.listeners(self.state))

    def view(self, viewer: Seat | None) -> View:
        """Return the view of a viewer."""
        return self.game.view(self.state, viewer)


def maker(game: Game[Any], state: Any, move: Move) -> Seat:
    """Return the seat that makes a move, or CLOCK.

    For a clock move, this is the player who has left and for whom it decides, or the player who
    leaves or returns.
    """
    if move.seat != CLOCK:
        return move.seat
    if move.verb in (LEAVE, RETURN):
        return Seat(move.choices[0])
    if move.verb == "lapse":
        found = timed_out(game.decisions(state), state.absent, move.choices[0])
        if found is not None and len(found[1]) == 1:
            return found[1][0]
    return CLOCK


def only_tells_who_is_there(move: Move, events: Sequence[Event]) -> bool:
    """Return True if a move only reports that a player has left or returned."""
    return move.seat == CLOCK and move.verb in (LEAVE, RETURN) and len(events) == 1


def as_made_by(
    game: Game[Any], state: Any, move: Move, seat: Seat, events: Sequence[Event]
) -> Move | None:
    """Return a move as its maker would have made it.

    A decision made for a player who had left becomes the move that its private events report.
    Returns None if the seat did not have exactly one offer.
    """
    if move.seat == seat:
        return move
    asked = [listener for listener in game.offers(state) if listener.seat == seat]
    if move.verb != "lapse" or len(asked) != 1:
        return None
    told = [event.facts for event in events if event.to == seat]
    options = asked[0].pick.options
    return Move(seat, asked[0].verb, tuple(it for it in _leaves(told) if it in options))


def can_be_taken_back(
    game: Game[Any],
    seats: int,
    move: Move,
    drew: bool,
    events: Sequence[Event],
    before: Sight,
    after: Sight,
) -> bool:
    """Return True if a move that was just made meets the first three conditions.

    `drew` is True if it made a random draw. Moves whose results other moves of the game can change
    (`Game.drafts`) are left to the game. The cheap conditions are checked first, so views are
    hardly ever compared.
    """
    seat = maker(game, before.state, move)
    if seat == CLOCK or (drew and move.seat == seat):
        return False
    made = as_made_by(game, before.state, move, seat, events)
    if made is None or made.verb in game.drafts:
        return False
    if any(_tells_others(event, seat) for event in events):
        return False
    if not after.listeners or _of_others(before, seat, move) != _of_others(after, seat, move):
        return False
    viewers = sorted((*range(seats), None), key=lambda it: it != seat)  # its maker first
    if any(_shows(viewer, made, before.view(viewer), after.view(viewer)) for viewer in viewers):
        return False
    cards = _faces(before.view(OPEN)).keys() | _faces(after.view(OPEN)).keys()
    return not any(
        _tells(viewer, cards, made, events, before.view(viewer), after.view(viewer))
        for viewer in viewers
    )


def _tells_others(event: Event, seat: Seat) -> bool:
    """Return True if an event reveals to others more than that the seat has made a move."""
    if event.to is not None:
        return event.to != seat
    leaves = _leaves(list(event.facts.values()))
    return any(leaf is not None and type(leaf) is not bool and leaf != seat for leaf in leaves)


def _of_others(sight: Sight, seat: Seat, move: Move) -> list[tuple[Any, ...]]:
    """Return the possible moves of all other players and of the clock, without deadlines or the
    move itself.
    """
    return [
        (li.token, li.pick.options, li.pick.least, li.pick.most, li.blocks, li.after)
        for li in sight.listeners
        if li.seat != seat and not li.decision and li.clock_move != move
    ]


def _shows(viewer: Seat | None, move: Move, old: View, new: View) -> bool:
    """Return True if a viewer now sees a card that they had not seen before."""
    return bool(_faces(new) - _faces(old) - Counter(_chosen(viewer, move)))


def _chosen(viewer: Seat | None, move: Move) -> Sequence[str]:
    """Return the cards that a viewer has chosen, which they know already."""
    return move.choices if viewer == move.seat else ()


def _tells(
    viewer: Seat | None,
    cards: Collection[str],
    move: Move,
    events: Iterable[Event],
    old: View,
    new: View,
) -> bool:
    """Return True if an event told a viewer about a card that they had not seen before."""
    known = {*_faces(old), *_leaves((old.facts, old.saying.facts)), *_chosen(viewer, move)}
    told: list[Any] = [new.facts, new.saying.facts]
    told += [event.facts for event in events if event.to is not None and event.to == viewer]
    return any(leaf in cards and leaf not in known for leaf in _leaves(told))


def _faces(view: View) -> Counter[str]:
    return Counter(card for zone in view.zones for card in zone.cards if card not in (DOWN, EMPTY))


def _leaves(value: Any) -> Iterator[Any]:
    """Yield every leaf of a value made of dicts and lists, including dict keys."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value


def noticed(seat: Seat, events: Iterable[Event], before: Sight, after: Sight) -> bool:
    """Return True if a seat can tell that another player has made a move."""
    if any(event.heard_by(seat) for event in events) or before.view(seat) != after.view(seat):
        return True
    return [li.token for li in before.listeners if li.seat == seat] != [
        li.token for li in after.listeners if li.seat == seat
    ]


def not_taken_back() -> NotOnOffer:
    """Return the refusal of a move that cannot be taken back."""
    return NotOnOffer(_("That can no longer be taken back."))


def number_in(text: str) -> int:
    """Return the number of the move that a log line takes back, or 0 for other lines."""
    match text.split():
        case [_, verb, number] if verb == VERB and re.fullmatch("[1-9][0-9]{0,7}", number):
            return int(number)
    return 0


def takes_back(text: str) -> bool:
    """Return True if a log line takes a move back."""
    return f" {VERB} " in text


def standing(texts: Iterable[str]) -> list[tuple[int, str]]:
    """Return the moves of a log that have not been taken back, with their numbers."""
    found: dict[int, str] = {}
    for number, text in enumerate(texts, start=1):
        if takes_back(text):
            found.pop(number_in(text), None)
        else:
            found[number] = text
    return list(found.items())


def taking(seat: Seat, events: Iterable[Event]) -> Event:
    """Return the event of taking a move back, for the viewers who were notified of the move."""
    public = any(event.to is None for event in events)
    return Event(TAKEN_BACK, {"seat": seat}, None if public else seat)
