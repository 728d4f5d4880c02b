"""The page of a puzzle: the game's table, the moves and their values."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from msgspec import structs

from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.bots.horizon import Unit
from kaboom.engine.engine import prompt
from kaboom.engine.game import Game
from kaboom.engine.i18n import figures, ngettext
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.table_view import MatchControls, SeatLine, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import joined
from kaboom.engine.views import Prompt, Saying, View
from kaboom.learn.pages import MATCH, levels_at, log_lines, names_at
from kaboom.puzzles.answers import asked, is_right, sent, state_after
from kaboom.puzzles.book import Position, Puzzle, Value, numbers
from kaboom.table_page.exercise_forms import revision_of
from kaboom.web.preferences import browser_settings
from kaboom.web.rules_pages import rules_of

LINES = 6  # the last events shown
BAR = 100  # width of the chart of a value
LARGE = 10  # from here on, values are shown without decimals
FIRST = 4  # moves that are shown at once; others are folded away
STRENGTHS = {"easy": N_("easy"), "medium": N_("medium"), "hard": N_("hard")}


@dataclass(frozen=True, slots=True)
class Line:
    """A move with its value, in words and as chart coordinates from 0 to BAR."""

    text: str  # the submitted text
    label: str
    right: bool
    chosen: bool
    told: str  # the value: compared with the best move, or games won
    margin: str  # its spread in figures, or ""
    to: int
    low: int
    high: int
    value: Value


@dataclass(frozen=True)
class PuzzlePage:
    """A puzzle as one reader sees it.

    `tried` is the text of the move that was tried, one of the puzzle's moves. `show` reveals the
    answer without one. `made` lists moves that only prepare another one.
    """

    puzzle: Puzzle
    position: Position
    at: str  # the page's URL
    tried: str = ""
    show: bool = False
    made: tuple[str, ...] = ()
    listed: bool = False  # the moves are in a list instead of on the table
    name: str = ""  # the reader's, or "" for an unknown visitor

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
        return names_at(self.puzzle.seats, self.puzzle.seat, self.name)

    @property
    def theme(self) -> str:
        """Return the heading of the rules that the puzzle is about, in the reader's language."""
        contents = rules_of(self.game, self.position.options).contents
        return next((text for _level, slug, text in contents if slug == self.puzzle.theme), "")

    @property
    def number(self) -> int:
        """Return the number of the puzzle among those of its game."""
        return numbers(self.game.key)[self.puzzle.id]

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
        """Return why the best move is the best, or why the tried one is as good."""
        own = next((it for it in self.lines if it.chosen), None)
        if own is None or own is self.lines[0]:
            return self._reason or f"{self._explained} {self._compared(self.lines[0])}".strip()
        if own.right:
            told = _("“{move}” is as good as “{other}”.", move=own.label, other=self.lines[0].label)
            return f"{told} {self._compared(own)}".strip()
        reason = self._reason or self._explained
        return f"{reason} {self._compared(self.lines[0], own)}".strip()

    @property
    def _reason(self) -> str:
        """Return the bot's reason for the best move, or "" if it explains nothing."""
        why, words = self.puzzle.why, self.game.words
        if why is not None and why.kind not in analysis_of(self.game).unconvincing:
            # Leave out what the bot says about another move; the values explain more.
            for kind in (why.kind.removesuffix("_and"), why.kind):
                if said := words.say(kind, why.facts, self.names):
                    return said
        return ""

    @property
    def _explained(self) -> str:
        """Return what the game itself says about the best move, or ""."""
        move = self.puzzle.move(self.lines[0].value)
        if move is None:
            return ""
        at = self.position
        saying = analysis_of(self.game).explained(at.state, at.memory, move)
        said = saying and self.game.words.say(saying.kind, saying.facts, self.names)
        return said or ""

    def _compared(self, right: Line, wrong: Line | None = None) -> str:
        """Return a sentence that compares a right move with a wrong one, by default the best of
        these, or "" if no move is wrong.
        """
        wrong = wrong or next((it for it in self.lines if not it.right), None)
        if wrong is None:
            return ""
        known = {"move": right.label[:1].upper() + right.label[1:], "other": wrong.label}
        more = rounded(_less(wrong.value) - _less(right.value))
        if self._counts_wins:
            return ngettext(
                "“{move}” wins about {count} more game in 100 than “{other}”.",
                "“{move}” wins about {count} more games in 100 than “{other}”.",
                round(more),
                **known,
            )
        return ngettext(
            "“{move}” is about {count} point better than “{other}”.",
            "“{move}” is about {count} points better than “{other}”.",
            more,
            **known,
        )

    @property
    def unit(self) -> str:
        """Return the meaning of the values in words."""
        if self._counts_wins:
            return _("Games won out of 100, if bots play on")
        return _("Compared with the best move, if bots play on")

    @property
    def _counts_wins(self) -> bool:
        return analysis_of(self.game).unit is Unit.WINS

    @property
    def known(self) -> list[str]:
        """Return what the seat remembers beyond its view, in sentences."""
        said = (self.game.words.say(it.kind, it.facts, self.names) for it in self._recalled)
        return [it for it in said if it]

    @cached_property
    def _recalled(self) -> list[Saying]:
        view = self.game.view(self.position.state, self.puzzle.seat)
        return list(analysis_of(self.game).recalls(self.position.memory, view))

    @cached_property
    def verb(self) -> str:
        """Return the action in words if all moves have the same one and differ in what they choose,
        else "".
        """
        words = map(self._words, self.puzzle.values)
        verbs = {verb if picked else "" for verb, picked in words}
        return verbs.pop() if len(verbs) == 1 else ""

    @cached_property
    def lines(self) -> list[Line]:
        """Return all moves with their values, the best first."""
        values = self.puzzle.values
        low = min(it.worth - it.spread for it in values)
        high = max(it.worth + it.spread for it in values)
        # The worst move has a short bar, too.
        low -= (high - low) / LARGE
        width = (high - low) or 1.0

        def place(worth: float) -> int:
            return round(BAR * (worth - low) / width)

        return [
            Line(
                text=sent(it),
                label=self._words(it)[1] if self.verb else self.label(it),
                right=is_right(self.puzzle, sent(it)),
                chosen=sent(it) == self.tried,
                told=self._told(it, best=not number),
                margin=self._margin(it, best=not number),
                to=place(it.worth),
                low=place(it.worth - it.spread),
                high=place(it.worth + it.spread),
                value=it,
            )
            for number, it in enumerate(values)
        ]

    @property
    def shown(self) -> list[Line]:
        """Return the lines to show at once: the best moves, and the one that was tried."""
        return [*self.lines[:FIRST], *(it for it in self.lines[FIRST:] if it.chosen)]

    @property
    def folded(self) -> list[Line]:
        """Return the lines that are folded away at first."""
        return [it for it in self.lines[FIRST:] if not it.chosen]

    def _told(self, value: Value, best: bool) -> str:
        """Return the value of a move in words."""
        if self._counts_wins:
            return _("{count} of 100", count=figures(round(value.worth)))
        if best:
            return _("the best")
        less = rounded(_less(value))
        if not less:
            return _("as good")
        return ngettext("{count} point less", "{count} points less", less)

    def _margin(self, value: Value, best: bool) -> str:
        """Return the margin of error of a value, with as many decimals as the value; "" if none."""
        if self._counts_wins:
            margin = float(round(value.spread))
        elif best:
            return ""
        else:
            margin = rounded((value.high - value.low) / 2, like=_less(value))
        return figures(margin) if margin else ""

    def table(self, asks: bool = True) -> TablePage:
        """Return the table. If it `asks`, a move can be chosen on it, the cards that the seat
        remembers lie face up and, once the puzzle is answered, the best move is marked.
        """
        position, names, seat = self.position, self.names, self.puzzle.seat
        heard = ((event, False) for event in position.heard)
        view = self.game.view(state_after(self.puzzle, position, self.made), seat)
        best = self.puzzle.values[0].move.split() if self.answered and asks else ()
        return TablePage(
            code="",
            at=self.at,
            game=self.game,
            options=position.options,
            revision=revision_of(1, self.made),
            seats=[SeatLine(seat, name, ready=True) for seat, name in enumerate(names.seats)],
            names=names,
            levels=levels_at(names),
            settings=browser_settings(),
            me=names.me,
            match=MATCH,
            view=with_recalled(view, self._recalled) if asks else view,
            waiting=[seat],
            log=log_lines(heard, self.game.words, names, LINES),
            controls=MatchControls(advised=best),
            prompt=asked(self.puzzle, position, self.made) if asks and not self.listed else None,
            replay=True,
            beside_text=True,
            board_only=self.answered,
        )


def with_recalled(view: View, told: Iterable[Saying]) -> View:
    """Return a view in which the recalled cards lie face up: those told with a `place` and a
    `card`.
    """
    known = {it.facts["place"]: it.facts["card"] for it in told if {"place", "card"} <= {*it.facts}}
    if not known:
        return view
    zones = []
    for zone in view.zones:
        if known.keys() & {*zone.places}:
            pairs = zip(zone.places, zone.cards, strict=True)
            cards = tuple(known.get(place, card) for place, card in pairs)
            zone = structs.replace(zone, cards=cards)
        zones.append(zone)
    return structs.replace(view, zones=tuple(zones))


def _less(value: Value) -> float:
    return -(value.low + value.high) / 2


def rounded(number: float, like: float | None = None) -> float:
    """Return a number rounded for readers: to a whole number if it is large, or if `like` is."""
    scale = number if like is None else like
    return float(round(number)) if abs(scale) >= LARGE else round(number, 1)
