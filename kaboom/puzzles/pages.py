"""The page of a puzzle: the game's table, the moves and their values."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.bots.horizon import Unit
from kaboom.engine.engine import prompt
from kaboom.engine.game import Game
from kaboom.engine.i18n import figures, gettext_noop
from kaboom.engine.i18n import gettext as _
from kaboom.engine.table_view import SeatLine, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import joined
from kaboom.engine.views import Prompt
from kaboom.learn.pages import MATCH, log_lines, names_at
from kaboom.puzzles.answers import is_right, sent
from kaboom.puzzles.book import Position, Puzzle, Value
from kaboom.web.preferences import browser_settings
from kaboom.web.rules_pages import rules_of

N_ = gettext_noop

LINES = 40  # the last events shown
BAR = 100  # width of the chart of a value
STRENGTHS = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


@dataclass(frozen=True, slots=True)
class Line:
    """A move with its value, in words and as chart coordinates from 0 to BAR."""

    text: str  # the submitted text
    label: str
    right: bool
    chosen: bool
    worth: str
    behind: str  # the difference from the best move with its spread; empty for the best
    to: float
    low: float
    high: float
    value: Value


@dataclass(frozen=True)
class PuzzlePage:
    """A puzzle as one reader sees it.

    `tried` is the text of the move that was tried, one of the puzzle's moves. `show` reveals the
    answer without one.
    """

    puzzle: Puzzle
    position: Position
    at: str  # the page's address
    tried: str = ""
    show: bool = False

    @property
    def game(self) -> Game[Any]:
        """Return the game."""
        return self.position.game

    @property
    def answered(self) -> bool:
        """Return True if the answer is shown."""
        return bool(self.tried) or self.show

    @cached_property
    def names(self) -> Names:
        """Return the names of the players, as seen from the seat to move."""
        return names_at(self.puzzle.seats, self.puzzle.seat)

    @property
    def theme(self) -> str:
        """Return the heading of the rules that the puzzle is about, in the reader's language."""
        contents = rules_of(self.game, self.position.options).contents
        return next((text for _level, slug, text in contents if slug == self.puzzle.theme), "")

    @property
    def strength(self) -> str:
        """Return the difficulty in words."""
        return _(STRENGTHS[self.puzzle.strength])

    @property
    def moves(self) -> list[tuple[str, str]]:
        """Return the moves to choose from as (submitted text, words), in the game's order."""
        return [(sent(it), self.label(it)) for it in self._in_order()]

    @property
    def groups(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the moves to choose from by action: its words, and (submitted text, choices in
        words). An action without choices has no words of its own.
        """
        found: dict[str, list[tuple[str, str]]] = {}
        for value in self._in_order():
            verb, picked = self._words(value)
            found.setdefault(verb if picked else "", []).append((sent(value), picked or verb))
        return list(found.items())

    def _in_order(self) -> list[Value]:
        """Return the values in the order in which the game offers the moves."""
        order = {
            (offer.verb, option): (place, number)
            for place, offer in enumerate(self._prompt.offers)
            for number, option in enumerate((*offer.options, ""))
        }

        def place(value: Value) -> list[tuple[int, int]]:
            verb, *choices = value.move.split() or [""]
            return [order.get((verb, it), (len(order), 0)) for it in choices or [""]]

        return sorted(self.puzzle.values, key=place)

    def label(self, value: Value) -> str:
        """Return a move in words."""
        move = self.puzzle.move(value)
        if move is None:
            return _("Do nothing")
        return self.game.words.move(move.verb, move.choices, self.names, self._about(move.verb))

    def _about(self, verb: str) -> str:
        offer = self._prompt.offer(verb)
        return offer.about if offer else ""

    def _words(self, value: Value) -> tuple[str, str]:
        """Return the action and the choices of a move, in words."""
        move, words = self.puzzle.move(value), self.game.words
        if move is None:
            return _("Do nothing"), ""
        verb = words.offer(move.verb, self.names, self._about(move.verb))
        picked = [words.choice(move.verb, it, self.names) for it in move.choices]
        return verb, joined(picked) if picked else ""

    @cached_property
    def _prompt(self) -> Prompt:
        return prompt(self.game, self.position.state, self.puzzle.seat)

    @property
    def right(self) -> bool:
        """Return True if the tried move is correct."""
        return is_right(self.puzzle, self.tried)

    @property
    def why(self) -> str:
        """Return a sentence about the best move, or ""."""
        why, words = self.puzzle.why, self.game.words
        if why is not None:
            # Omit the bot's reason for another move; the table of values explains more.
            for kind in (why.kind.removesuffix("_and"), why.kind):
                if said := words.say(kind, why.facts, self.names):
                    return said
        return _("{move} is worth most.", move=self.label(self.puzzle.values[0]))

    @property
    def unit(self) -> str:
        """Return a sentence with the unit of the values."""
        if analysis_of(self.game).unit is Unit.WINS:
            return _("Games won out of a hundred, if bots play on.")
        return _("Lead in points at the end, if bots play on.")

    @property
    def known(self) -> list[str]:
        """Return what the seat remembers beyond its view, in sentences."""
        view = self.game.view(self.position.state, self.puzzle.seat)
        told = analysis_of(self.game).recalls(self.position.memory, view)
        said = (self.game.words.say(it.kind, it.facts, self.names) for it in told)
        return [it for it in said if it]

    @cached_property
    def lines(self) -> list[Line]:
        """Return all moves with their values, the best first."""
        values = self.puzzle.values
        low = min(it.worth - it.spread for it in values)
        high = max(it.worth + it.spread for it in values)
        width = (high - low) or 1.0

        def place(worth: float) -> float:
            return round(BAR * (worth - low) / width, 1)

        return [
            Line(
                text=sent(it),
                label=self.label(it),
                right=is_right(self.puzzle, sent(it)),
                chosen=sent(it) == self.tried,
                worth=figures(round(it.worth, 1)),
                behind=_behind(it) if number else "",
                to=place(it.worth),
                low=place(it.worth - it.spread),
                high=place(it.worth + it.spread),
                value=it,
            )
            for number, it in enumerate(values)
        ]

    def table(self) -> TablePage:
        """Return the table without controls."""
        position, names = self.position, self.names
        heard = ((event, False) for event in position.heard)
        return TablePage(
            code="",
            at=self.at,
            game=self.game,
            options=position.options,
            revision="1",
            seats=[SeatLine(seat, name, ready=True) for seat, name in enumerate(names.seats)],
            names=names,
            settings=browser_settings(),
            me=names.me,
            match=MATCH,
            view=self.game.view(position.state, self.puzzle.seat),
            waiting=[self.puzzle.seat],
            log=log_lines(heard, self.game.words, names, LINES),
            replay=True,
            beside_text=True,
        )


def _behind(value: Value) -> str:
    mean = round(-(value.low + value.high) / 2, 1)
    half = round((value.high - value.low) / 2, 1)
    return f"{figures(mean)} ± {figures(half)}" if half else figures(mean)
