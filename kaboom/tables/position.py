"""A state of a match, with everything that can be derived from it by the rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kaboom.engine.engine import prompts
from kaboom.engine.game import Game
from kaboom.engine.moves import Choices, Seat
from kaboom.engine.play import Listener
from kaboom.engine.premoves import Premove
from kaboom.engine.rng import Rng
from kaboom.engine.views import OPEN, Prompt, View, with_hands


@dataclass(frozen=True)
class Position:
    """An immutable state of a match. What is derived from it is computed once, on first use.

    `state` is None if no match has begun or its state cannot be read.
    """

    game: Game[Any]
    state: Any
    seats: int = 0  # seats of the match while moves can be made in it, else 0
    hands: bool = False  # are all hands shown to spectators?
    _views: dict[Seat | None, View] = field(default_factory=dict, init=False, repr=False)
    _ahead: dict[Seat, Sequence[Premove]] = field(default_factory=dict, init=False, repr=False)
    _some: dict[tuple[Seat, str], Sequence[Sequence[Choices]]] = field(
        default_factory=dict, init=False, repr=False
    )

    @cached_property
    def listeners(self) -> Sequence[Listener]:
        """Return the listeners of the match; empty while no moves can be made in it."""
        return tuple(self.game.listeners(self.state)) if self.seats else ()

    @cached_property
    def prompts(self) -> Sequence[Prompt]:
        """Return the prompt of every seat; empty while no moves can be made."""
        return prompts(self.listeners, self.seats)

    def view(self, viewer: Seat | None) -> View:
        """Return the view of a seat, or of a spectator (None)."""
        if viewer not in self._views:
            view = self.game.view(self.state, viewer)
            if self.hands and viewer is None:
                view = with_hands(view, self.game.view(self.state, OPEN))
            self._views[viewer] = view
        return self._views[viewer]

    def ahead(self, seat: Seat) -> Sequence[Premove]:
        """Return the premoves open to a seat, whether or not it is prompted now."""
        if seat >= self.seats:
            return ()
        if seat not in self._ahead:
            self._ahead[seat] = tuple(self.game.ahead(self.state, seat))
        return self._ahead[seat]

    def some(self, seat: Seat, drawn_by: str) -> Sequence[Sequence[Choices]]:
        """Return a few legal selections for each offer to a seat, in the order of its prompt.

        They are drawn with the seed `drawn_by`, which the seat knows, and never with the randomness
        of the match.
        """
        if (seat, drawn_by) not in self._some:
            rng = Rng(drawn_by.encode(), 0, "some")
            self._some[seat, drawn_by] = [
                listener.pick.some(rng) for listener in self.listeners if listener.seat == seat
            ]
        return self._some[seat, drawn_by]
