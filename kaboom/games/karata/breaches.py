"""Legal plays, and the rule that an illegal play breaks."""

from collections.abc import Iterator
from typing import Any

from kaboom.engine.moves import Choices, IllegalMove, Pick
from kaboom.engine.rng import Rng
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.cards import is_joker
from kaboom.engine.views import Saying
from kaboom.games.karata.legal_plays import (
    Broken,
    broken,
    following,
    forbidden_finish,
    legal_plays,
    within_reach,
)
from kaboom.games.karata.state import State, facing, ground, top
from kaboom.games.karata.words import WORDS

ALL_TRIED = 5  # hand size up to which all rows (at most 325) are tried

RULES = {  # the name of the broken rule, and the heading of rules.md that explains it
    "request": "meeting-a-request",
    "request_joker": "meeting-a-request",
    "bomb": "answering-a-bomb",
    "bomb_here": "answering-a-bomb",
    "question": "questions",
    "first_card": "the-first-card",
    "first_ace": "the-first-card",
    "first_colour": "the-first-card",
    "first_under": "the-first-card",
    "answer": "questions",
    "answer_kind": "questions",
    "answer_colour": "questions",
    "open": "questions",
    "ace_or_joker_order": "several-cards-in-one-play",
    "ace_order": "several-cards-in-one-play",
    "no_order": "several-cards-in-one-play",
    "sequence": "several-cards-in-one-play",
    "single": "several-cards-in-one-play",
    "finish": "strict-finish",
}


def breach(s: State, cards: Choices) -> Saying | None:
    """Return the rule that a play breaks, as a saying, or None."""
    wrong = broken(s.house, facing(s), cards)
    if wrong is None:
        return None
    return Saying(f"broke_{cited(s, wrong, cards)}", breach_facts(s, wrong, cards))


def cited(s: State, wrong: Broken, cards: Choices) -> str:
    """Return the name of the broken rule in this table's version, a key of RULES."""
    options, card = s.options, cards[wrong.index]
    match wrong.rule:
        case "request" if options.joker_ignores_request:
            return "request_joker"
        case "bomb" if bombs_here(s):
            return "bomb_here"
        case "first_card" if s.house.by_colour and (is_joker(card) or is_joker(top(s))):
            return "first_colour"
        case "first_card" if ground(s) != top(s):
            return "first_under"
        case "first_card" if card in s.house.aces:
            return "first_ace"
        case "answer" if card not in s.house.answers:
            return "answer_kind"
        case "answer" if is_joker(card):
            return "answer_colour"
        case "ace_or_joker_order" if not s.house.questions or options.answer == "plain":
            return "no_order"
        case "ace_or_joker_order" if options.answer == "ace":
            return "ace_order"
        case rule:
            return rule


def breach_facts(s: State, wrong: Broken, cards: Choices) -> dict[str, Any]:
    """Return the facts used in the sentence about a broken rule."""
    card = cards[wrong.index]
    match wrong.rule:
        case "request":
            return {"card": card, "request": s.request}
        case "bomb":
            return {"card": card, "top": top(s), **bombs_here(s)}
        case "question":
            return {"card": card, "top": top(s), "answer": s.options.answer}
        case "first_card":
            under = {"ground": ground(s)} if ground(s) != top(s) else {}
            return {"card": card, "top": top(s)} | under
        case "answer":
            kind = {} if card in s.house.answers else {"answer": s.options.answer}
            return {"card": card, "before": cards[wrong.index - 1]} | kind
        case "open":
            return {"card": card}
        case _:
            return {"card": card, "before": cards[wrong.index - 1]}


def bombs_here(s: State) -> dict[str, str]:
    """Return the aces that block a bomb here ("aces", "spades", "none") and what counters one.

    The result is empty in the usual case: all aces block, and neighbouring bombs counter.
    """
    house = s.house
    block = "none" if not house.blocks else "aces" if house.blocks == house.aces else "spades"
    if (block, house.counter) == ("aces", "near"):
        return {}
    return {"block": block, "counter": house.counter}


def why_not(s: State, cards: Choices) -> IllegalMove | None:
    """Return the reason why these cards may not be played in this order now, or None.

    With fines on, a play that breaks a rule of RULES, other than strict finish, is not refused: it
    is accepted and fined.
    """
    if wrong := breach(s, cards):
        return None if s.options.fine else refusal(wrong)
    hand, called = s.hands[s.seat], s.last_card[s.seat]
    if s.options.strict_finish and forbidden_finish(s.house, hand, cards, called):
        return refusal(Saying("broke_finish"))
    return None


def refusal(wrong: Saying) -> IllegalMove:
    """Return the refusal that names the broken rule and its heading in rules.md."""
    sentence = WORDS.say(wrong.kind, wrong.facts, Names(()))
    return IllegalMove(sentence or "", RULES[wrong.kind.removeprefix("broke_")])


class RowPick(Pick, frozen=True):
    """A pick of cards in order, whose legal rows are generated by the rules, not by trial."""

    state: State | None = None

    @classmethod
    def of(cls, s: State) -> "RowPick":
        """Return the pick for a play by the seat whose turn it is."""
        hand = tuple(s.hands[s.seat])
        return cls(hand, 1, len(hand), True, lambda cards: why_not(s, cards), state=s)

    def legal(self) -> Iterator[Choices]:
        """Yield the plays that break no rule; plays that would be fined are not included."""
        s = self.state
        assert s
        for cards in legal_plays(s.house, facing(s), self.options):
            if self.refusal(cards) is None:
                yield cards

    def playable(self) -> Choices:
        """Return the cards in any legal play; with fines on, all cards, so that legality stays
        hidden.

        For a large hand, it includes cards that can be reached but cannot end a row.
        """
        s = self.state
        assert s
        if s.options.fine:
            return self.options
        if len(self.options) > ALL_TRIED:
            found = set(within_reach(s.house, facing(s), self.options))
        else:
            found = {card for cards in self.legal() for card in cards}
        return tuple(card for card in self.options if card in found)

    def random(self, rng: Rng) -> Choices | None:
        """Return a random play that is not refused; with fines on, often one that will be fined."""
        s = self.state
        assert s
        row: Choices = ()
        if s.options.fine and rng.randrange(2):
            row = tuple(rng.sample(self.options, 1 + rng.randrange(2)))
        while more := following(s.house, facing(s), row, self.options):
            row = (*row, rng.choice(more))
            if rng.randrange(2):
                break
        while row and self.refusal(row):
            row = row[:-1]
        return row or None
