"""The coach's pages: the results of a match, and each decision as a question at the table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from kaboom.coach import texts
from kaboom.coach.decisions import memory_before
from kaboom.coach.judged_decision import Judged, Weighed, kind_of
from kaboom.coach.service import Coached
from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.engine import prepared, prompt
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.table_view import LogLine, MatchControls, SeatLine, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import DOWN, Prompt, View
from kaboom.records.pages import Line, MatchPage, retold
from kaboom.table_page.exercise_forms import revision_of
from kaboom.table_page.table_html import log_line

LINES = 12  # log lines shown beside a decision
WIDE = 100  # a third of the width of the chart, in SVG units


@dataclass(frozen=True)
class Listed:
    """A row in the list of a match's decisions; `number` counts from 1, `move` is in words, `began`
    is the sentence that began its round, `only` True if the round had no other decision.
    """

    number: int
    judged: Judged
    move: str
    verdict: str
    began: str
    only: bool

    @property
    def chose(self) -> str:
        """Return what was chosen, as a sentence."""
        return _("You chose: {move}.", move=self.move)


@dataclass(frozen=True)
class Bar:
    """The bar of a candidate move in the chart; positions are from 0 (left) to 100."""

    move: str
    told: str
    best: bool
    mine: bool
    left: float
    middle: float
    right: float


@dataclass(frozen=True)
class CoachPage:
    """The coach's page about a match, for one of its players."""

    match: MatchPage  # seen from the player's seat
    seat: Seat
    coached: Coached

    @property
    def game(self) -> Game[Any]:
        """Return the game."""
        return self.match.replay.game

    @property
    def at(self) -> str:
        """Return the URL of the coach's page."""
        return f"{self.match.at}/coach"

    @property
    def names(self) -> Names:
        """Return the names of the players."""
        return self.match.names

    def prompt(self, judged: Judged) -> Prompt:
        """Return the prompt the player had at a decision."""
        return prompt(self.game, self.match.replay.state(judged.before), self.seat)

    @cached_property
    def listed(self) -> Sequence[Listed]:
        """Return the decisions judged so far."""
        judged, rounds = self.coached.judged, self.match.chapters()[::-1]  # the last one first
        began = [next((r.sentence for r in rounds if r.step <= it.before), "") for it in judged]
        return [
            self._listed(number, it, text, bool(text) and began.count(text) == 1)
            for number, (it, text) in enumerate(zip(judged, began, strict=True), 1)
        ]

    def _listed(self, number: int, judged: Judged, began: str, only: bool) -> Listed:
        move = texts.move_in_words(self.game, judged.move, judged.about, self.names)
        return Listed(number, judged, move, texts.verdict(self.game, judged), began, only)

    @property
    def mistakes(self) -> list[Listed]:
        """Return the mistakes, most costly first."""
        return [self.listed[place] for place in self.coached.mistakes]

    def cards(self, judged: Judged) -> list[Card]:
        """Return the cards that a decision chose, as the player saw them, or a back."""
        view = self.game.view(self.match.replay.state(judged.before), self.seat)
        there = {
            at: card for it in view.zones for at, card in zip(it.places, it.cards, strict=False)
        }
        return [there[it] for it in Move.parse(judged.move).choices if it in there][:3] or [DOWN]

    @property
    def summary(self) -> str:
        """Return the results in one line."""
        return texts.summary(self.coached)

    @property
    def why_nothing(self) -> str:
        """Return the sentences that say why no decision is listed as a mistake, or ""."""
        return texts.why_nothing(self.game, self.coached)

    @property
    def progress(self) -> str:
        """Return the progress of the coaching as a sentence."""
        return texts.progress(self.coached)

    @property
    def threshold(self) -> str:
        """Return the sentences that say how decisions are judged and which are listed as costly."""
        return texts.threshold(self.game, self.coached)

    @property
    def average(self) -> str:
        """Return the mean cost of a decision as a sentence, or "" if there is none."""
        cost = self.coached.average
        return "" if cost is None else texts.average(self.game, cost)

    def amount(self, number: float) -> str:
        """Return a cost in words, with the game's unit."""
        return texts.amount(self.game, number)

    def curve(self) -> list[tuple[float, float]]:
        """Return the mean cost in each coached match as points of a chart 100 units high."""
        costs = [it.cost for it in self.coached.costs]
        most, last = max(costs, default=0.0) or 1.0, max(1, len(costs) - 1)
        return [
            (round(WIDE * 3 * place / last, 1), round(90 - 80 * cost / most, 1))
            for place, cost in enumerate(costs)
        ]


@dataclass(frozen=True)
class QuestionPage:
    """A decision as a question to the player.

    `tried` is the player's answer, in log notation without the seat. `show` reveals the values of
    all moves. `made` lists the preparatory moves of the next answer.
    """

    coach: CoachPage
    number: int
    tried: str = ""
    show: bool = False
    made: tuple[str, ...] = ()

    @property
    def judged(self) -> Judged:
        """Return the decision."""
        return self.coach.coached.judged[self.number - 1]

    @property
    def game(self) -> Game[Any]:
        """Return the game."""
        return self.coach.game

    @property
    def at(self) -> str:
        """Return the URL of the question."""
        return f"{self.coach.at}/{self.number}"

    @property
    def last(self) -> int:
        """Return the number of the last decision."""
        return len(self.coach.coached.judged)

    @property
    def asks(self) -> bool:
        """Return True if the player is asked for a better move than the one made."""
        return self.judged.is_mistake

    @property
    def open(self) -> bool:
        """Return True if the values of the moves are shown."""
        return self.show or not self.asks

    def neighbours(self) -> tuple[int | None, int | None]:
        """Return the numbers of the mistakes before and after this decision, or None."""
        numbers = sorted(place + 1 for place in self.coach.coached.mistakes)
        before = [it for it in numbers if it < self.number]
        after = [it for it in numbers if it > self.number]
        return (before[-1] if before else None), (after[0] if after else None)

    @cached_property
    def state(self) -> Any:
        """Return the state before the decision, with the preparatory moves applied up to the
        first illegal one.
        """
        state = self.coach.match.replay.state(self.judged.before)
        rng = Rng(bytes(32), 0, "preparing")
        return prepared(self.game, state, self.coach.seat, self.made, rng)

    @cached_property
    def own(self) -> Prompt:
        """Return the prompt after the preparatory moves."""
        return prompt(self.game, self.state, self.coach.seat)

    @cached_property
    def asked(self) -> Prompt:
        """Return the prompt at the time of the decision."""
        return self.coach.prompt(self.judged)

    @property
    def chosen(self) -> str:
        """Return the move that was made, in words."""
        return self.in_words(self.judged.move)

    def in_words(self, text: str) -> str:
        """Return a move in log notation as words."""
        offer = self.asked.offer(Move.parse(text).verb)
        return texts.move_in_words(self.game, text, offer.about if offer else "", self.coach.names)

    @property
    def where(self) -> str:
        """Return the step of the match as text, as in its replay: “step 24 of 26”."""
        return _(
            "step {number} of {last}", number=self.judged.step, last=self.coach.match.replay.last
        )

    @property
    def sentence(self) -> str:
        """Return the move that was made and the verdict on it."""
        chose = _("You chose: {move}.", move=self.chosen)
        return f"{chose} {texts.verdict(self.game, self.judged)}"

    @cached_property
    def kind(self) -> str:
        """Return the verdict on the tried move (a constant of kaboom.coach.judged_decision), or ""
        without one.
        """
        if not self.tried:
            return ""
        move = Move.parse(f"{self.coach.seat} {self.tried}")
        return kind_of(self.judged, move, [it.move for it in self._alike])

    @cached_property
    def _alike(self) -> list[Weighed]:
        """Return the candidates with the same effect as the tried move."""
        move = Move.parse(f"{self.coach.seat} {self.tried}")
        return [it for it in self.judged.moves if self.asked.are_same(Move.parse(it.move), move)]

    @property
    def said(self) -> list[str]:
        """Return the sentences about the tried move."""
        if not self.kind:
            return []
        move = self.in_words(f"{self.coach.seat} {self.tried}")
        answer = self._alike[0] if self._alike else None
        return list(texts.told_of(self.game, self.judged, self.kind, move, answer))

    @property
    def how(self) -> str:
        """Return the sentence that says how the decision was judged."""
        return texts.how(self.judged)

    @property
    def reason(self) -> str:
        """Return the bot's reason for the best move, or "" if it gives none."""
        saying = self.judged.reason
        if saying is None or not self.judged.is_mistake:
            return ""
        return self.game.words.say(saying.kind, saying.facts, self.coach.names) or ""

    def bars(self) -> list[Bar]:
        """Return the bars that show the values of the moves."""
        moves = self.judged.moves
        most = max((it.high for it in moves if it.less is not None), default=0.0)
        least = min((it.low for it in moves if it.less is not None), default=0.0)
        return [self._bar(it, least, max(most, least + 0.001)) for it in moves]

    def _bar(self, it: Weighed, least: float, most: float) -> Bar:
        def at(less: float) -> float:
            return round(96 - 92 * (less - least) / (most - least), 1)  # the best is on the right

        return Bar(
            self.in_words(it.move),
            texts.cost_of(self.game, it),
            it.equal,
            it.move == self.judged.move,
            at(it.high),
            at(it.less or 0.0),
            at(it.low),
        )

    def recalled(self) -> list[str]:
        """Return what the seat could remember beyond its view, in words."""
        recalls = analysis_of(self.game).recalls
        if self.game.bot is None:
            return []
        coach, words = self.coach, self.game.words
        memory = memory_before(coach.match.replay, coach.seat, self.judged.before)
        found = (words.say(it.kind, it.facts, coach.names) for it in recalls(memory, self.view))
        return [text for text in found if text]

    @property
    def view(self) -> View:
        """Return the seat's view."""
        return self.game.view(self.state, self.coach.seat)

    def table(self, pieces: bool = True) -> TablePage:
        """Return the table at the time of the decision, where the player can answer.

        It contains no later event. With `pieces` false, it offers no preparatory moves.
        """
        coach, own = self.coach, self.own
        if not pieces:
            own = own.without(self.game.pieces)
        prompts = own if self.asks and not self.kind else None
        advised: Sequence[str] = ()
        if self.open and self.asks:
            prompts, advised = own, self.judged.moves[0].move.split()[1:]
        match = coach.match.at_step(self.judged.before)
        drawn = match.table()
        return replace(
            drawn,
            code="",
            at=self.at,
            revision=revision_of(self.number, self.made),
            seats=[SeatLine(it, name, ready=True) for it, name in enumerate(coach.names.seats)],
            view=self.view if prompts else retold(self.view, self._public),
            asks_nothing=not prompts,
            waiting=[coach.seat],
            log=tuple(self._log(match.near_lines())),
            controls=MatchControls(advised=advised),
            prompt=prompts,
            heading="" if prompts else drawn.heading,
            beside_text=True,
        )

    @property
    def _public(self) -> View:
        return self.game.view(self.state, None)

    def _log(self, lines: Sequence[Line]) -> Iterator[LogLine]:
        for place, line in enumerate(lines[-LINES:], 1):
            yield log_line(place, line.text, line.step == self.judged.before, "", "")
