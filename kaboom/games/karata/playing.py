"""Executing a play, and stopping it."""

from collections.abc import Iterator

from kaboom.engine.moves import Choices, IllegalMove, Pick
from kaboom.engine.play import Listener, Play
from kaboom.engine.toolkit.cards import Card
from kaboom.engine.views import Saying
from kaboom.games.karata.breaches import breach, refusal
from kaboom.games.karata.consequences import consequences, cuts, goes_out, stoppable, wins
from kaboom.games.karata.deck import take
from kaboom.games.karata.ending import count_hands, end_game
from kaboom.games.karata.legal_plays import effect_of, forbidden_finish
from kaboom.games.karata.passing import ask_last_card, fine, pass_turn
from kaboom.games.karata.state import State, begin, facing, seat_asked


def lay(play: Play[State], *cards: Card) -> None:
    """Play cards in this order; with fines on, a play that breaks a rule is fined instead."""
    if wrong := breach(play.state, cards):
        fine(play, wrong)
    else:
        carry_out(play, cards)


def carry_out(play: Play[State], cards: Choices, may_be_stopped: bool = True) -> None:
    """Execute a legal play by the seat whose turn it is."""
    s = play.state
    seat, hand = s.seat, s.hands[s.seat]
    effect = effect_of(s.house, facing(s), cards)
    won, cut = wins(s, cards), cuts(s, cards)
    play.tell("played", seat=seat, cards=cards)
    for saying in consequences(s, cards):
        play.tell(saying.kind, **saying.facts)
    put_down(s, cards)
    if won:  # the effects of the play do not apply
        end_game(play, seat)
        return
    if cut:
        count_hands(play)
        return
    s.request, s.pick, s.question = effect.request, effect.pick, effect.question
    if effect.draws and not take(play, seat, effect.draws):
        return
    if not hand:
        draw_for_silence(play)
    if effect.reverses:
        s.direction = -s.direction
    s.stop = stoppable(s, effect) if may_be_stopped else ""
    s.steps, s.level = effect.steps, effect.level
    if s.level:
        begin(play, "request")
    else:
        ask_last_card(play)


def put_down(s: State, cards: Choices) -> None:
    """Move cards from the hand of the seat whose turn it is to the pile."""
    for card in cards:
        s.hands[s.seat].remove(card)
    s.pile += cards
    s.played, s.played_by = list(cards), s.seat
    s.row = []


def draw_for_silence(play: Play[State]) -> None:
    """Draw the penalty for going out without calling last card, as far as the deck allows."""
    s = play.state
    if not s.last_card[s.seat]:
        count = min(s.options.forgot, len(s.deck) + len(s.pile) - 1)
        take(play, s.seat, count, "drew" if count else "")


# Stopping a play


def stopping(s: State, now: str) -> Iterator[Listener]:
    """Yield the options of the asked seat: stop the play with a card of the same kind, or not."""
    asked = seat_asked(s)
    kind = s.house.jumps if s.stop == "jump" else s.house.kickbacks
    cards = tuple(card for card in s.hands[asked] if card in kind)
    several = s.stop == "jump" and s.options.stops == "pass_on" and s.options.sets
    if cards:
        most = len(cards) if several else 1
        can = Pick(cards, 1, most, several, lambda cards: why_not_stop(s, cards))
        yield Listener(asked, "stop", stop, can, about=now)
    yield Listener(asked, "let", let, about=now)


def why_not_stop(s: State, cards: Choices) -> IllegalMove | None:
    """Return the reason why these cards cannot stop a play, or None.

    The only possible reason is strict finish.
    """
    hand, called = s.hands[seat_asked(s)], s.last_card[seat_asked(s)]
    if s.options.strict_finish and forbidden_finish(s.house, hand, cards, called):
        return refusal(Saying("broke_finish"))
    return None


def stop(play: Play[State], *cards: Card) -> None:
    """Stop a jump or a kickback: pass it on with another play, or undo it and take a turn.

    A king that reverses a kickback cannot be stopped itself, because no player loses a turn by it.
    """
    s = play.state
    stopped, s.seat, s.asked, s.stop = s.stop, seat_asked(s), None, ""
    if s.options.stops == "pass_on":
        carry_out(play, cards, may_be_stopped=stopped == "jump")
        return
    won = wins(s, cards)
    play.tell("played", seat=s.seat, cards=cards)
    play.tell("undone" if stopped == "jump" else "turned_back", seat=s.seat)
    put_down(s, cards)
    if won:
        play.tell("wins" if s.house.call != "none" else "wins_out", seat=s.seat)
        end_game(play, s.seat)
        return
    if stopped == "kickback":
        s.direction = -s.direction
    if not s.hands[s.seat]:
        out = goes_out(s, cards)
        play.tell(out.kind, **out.facts)
        draw_for_silence(play)
        s.last_card[s.seat] = False
    begin(play, "turn")


def let(play: Play[State]) -> None:
    """Decline to stop a jump or a kickback."""
    s = play.state
    play.tell("let", seat=seat_asked(s))
    s.stop, s.asked = "", None
    pass_turn(play)
