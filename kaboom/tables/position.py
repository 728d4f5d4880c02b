"""A state of a match with all that follows from it by the rules of its game."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kaboom.engine.engine import prompts
from kaboom.engine.game import Game
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.play import Listener
from kaboom.engine.premoves import Ahead
from kaboom.engine.rng import Chance
from kaboom.engine.views import OPEN, Prompt, View, with_hands


@dataclass(frozen=True)
class Position:
    """A state that is never changed. What follows from it is worked out once, when first asked for.
    `state` is None if no match has begun, or its state cannot be read.
    """

    game: Game[Any]
    state: Any
    seats: int = 0  # of the match while moves can be made in it, else 0
    hands: bool = False  # are all hands shown to spectators?
    _views: dict[Seat | None, View] = field(default_factory=dict, init=False, repr=False)
    _ahead: dict[Seat, Sequence[Ahead]] = field(default_factory=dict, init=False, repr=False)
    _some: dict[tuple[Seat, str], Sequence[Sequence[Choices]]] = field(
        default_factory=dict, init=False, repr=False
    )

    @cached_property
    def listeners(self) -> Sequence[Listener]:
        """Return the listener map of the match; nothing while no moves are made in it."""
        return tuple(self.game.listeners(self.state)) if self.seats else ()

    @cached_property
    def prompts(self) -> Sequence[Prompt]:
        """Return the prompt of every seat; nothing while no moves are made."""
        return prompts(self.listeners, self.seats)

    def view(self, viewer: Seat | None) -> View:
        """Return what a seat may see, or a spectator (None)."""
        if viewer not in self._views:
            view = self.game.view(self.state, viewer)
            if self.hands and viewer is None:
                view = with_hands(view, self.game.view(self.state, OPEN))
            self._views[viewer] = view
        return self._views[viewer]

    def ahead(self, seat: Seat) -> Sequence[Ahead]:
        """Return what a seat may decide ahead, whether it is asked that now or not."""
        if seat >= self.seats:
            return ()
        if seat not in self._ahead:
            self._ahead[seat] = tuple(self.game.ahead(self.state, seat))
        return self._ahead[seat]

    def some(self, seat: Seat, drawn_by: str) -> Sequence[Sequence[Choices]]:
        """Return a few legal selections for each thing a seat may do, in the order of its prompt.

        They are drawn with the text `drawn_by`, which the seat knows, as seed: never by the chance
        of the match.
        """
        if (seat, drawn_by) not in self._some:
            chance = Chance(drawn_by.encode(), 0, "some")
            self._some[seat, drawn_by] = [
                listener.pick.some(chance) for listener in self.listeners if listener.seat == seat
            ]
        return self._some[seat, drawn_by]
