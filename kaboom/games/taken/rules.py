"""TakeN: secret cards, sorted into rows; the player who plays one card too many takes the row."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from kaboom.engine.decisions import Decision
from kaboom.engine.i18n import gettext as _
from kaboom.engine.moves import Seat, one_of
from kaboom.engine.options import choice, number
from kaboom.engine.play import Listener, Play
from kaboom.engine.premoves import Premove
from kaboom.engine.toolkit.readiness import readying, still_to_be_ready
from kaboom.engine.toolkit.resample import Unknown, redeal
from kaboom.engine.toolkit.simultaneous import missing, redraw, seal
from kaboom.engine.views import Outcome, places

# The cards

HIGHEST = 104


def points_of(card: int) -> int:
    """Return the penalty points of a card; the first rule that applies counts."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    if card % 5 == 0:
        return 2
    return 1


POINTS = (0, *(points_of(card) for card in range(1, HIGHEST + 1)))


def cost(cards: Iterable[int]) -> int:
    """Return the points of the cards together."""
    return sum(POINTS[card] for card in cards)


# Options


@dataclass(frozen=True)
class Options:
    """The options of a table of TakeN."""

    threshold: int = number(
        66, 1, 500, "Points that end the match", "Checked only after each game.", "points"
    )
    max_games: int = number(
        0,
        0,
        50,
        "Maximum games in a match",
        "1 means a single game; 0 means no limit.",
        "games",
        zero="no limit",
    )
    hand_size: int = number(
        10, 1, 20, "Cards in a hand", "This is also the number of rounds in a game.", "cards"
    )
    rows: int = number(4, 1, 8, "Rows", "How many rows are on the table.", "rows")
    row_size: int = number(
        5, 2, 10, "Cards a row holds", "The next card played to a full row takes it.", "cards"
    )
    deck: str = choice(
        "full",
        {"full": "all 104 cards", "tight": "only as many as are needed"},
        "Cards in play",
        "With only as many as needed, every card from 1 up is in a hand or a row.",
    )
    choose_seconds: int = number(
        0,
        0,
        300,
        "Time to choose a card",
        "When time is up, a random card is chosen for you. 0 means no limit.",
        "seconds",
        zero="no limit",
    )
    take_seconds: int = number(
        0,
        0,
        300,
        "Time to take a row",
        "When time is up, the cheapest row is taken for you. 0 means no limit.",
        "seconds",
        zero="no limit",
    )

    def times(self) -> dict[str, float]:
        """Return the time limits in seconds by option; 0 is no limit."""
        return {"choose_seconds": self.choose_seconds, "take_seconds": self.take_seconds}


def why_not(options: Options, seats: int) -> str | None:
    """Return the reason why this many players cannot be dealt these hands, or None."""
    needed = seats * options.hand_size + options.rows
    if needed <= HIGHEST:
        return None
    return _(
        "{hands} hands of {cards} cards, plus a card for each row, need {needed} cards, but "
        "there are only {all}.",
        hands=seats,
        cards=options.hand_size,
        needed=needed,
        all=HIGHEST,
    )


# The state


class Played(Struct, frozen=True):
    """A revealed card still waiting to be placed."""

    card: int
    seat: Seat


class Turn(Struct, frozen=True):
    """How a card was placed: what it took, and whether its player chose the row."""

    card: int
    seat: Seat
    row: int
    taken: list[int]
    chosen: bool = False


class State(Struct):
    """A match between moves. Cards are numbers here, and text in moves and views."""

    options: Options
    scores: list[int]  # points of the match, by seat
    past: list[list[int]] = []  # points of the games before this one, by seat
    round: int = 0
    stage: Literal["choose", "take", "ready", "over"] = "choose"
    hands: list[list[int]] = []  # ascending; a chosen card stays in its hand until the reveal
    chosen: list[int | None] = []  # by seat; sealed until the last one is in
    rows: list[list[int]] = []
    queue: list[Played] = []  # ascending
    taken: list[list[int]] = []  # cards taken in this game, by seat
    undealt: list[int] = []
    before: list[list[int]] = []  # the rows before the last reveal
    turns: list[Turn] = []  # since the last reveal
    ready: list[Seat] = []
    absent: list[Seat] = []
    board: bool = False


def game_number(s: State) -> int:
    """Return the number of the current game, from 1."""
    return len(s.past) + 1


def unready(s: State) -> list[Seat]:
    """Return the seats the next game is waiting for."""
    return still_to_be_ready(len(s.hands), s.ready, s.absent)


# The deal


def setup(play: Play[State], seats: int, options: Options) -> None:
    """Begin a match with its first game."""
    play.state = State(options, [0] * seats)
    deal(play)


def deal(play: Play[State]) -> None:
    """Shuffle all cards, deal the hands and turn up the rows; the scores are kept."""
    s = play.state
    seats, size, rows = len(s.scores), s.options.hand_size, s.options.rows
    dealt = seats * size
    highest = dealt + rows if s.options.deck == "tight" else HIGHEST
    deck = play.lot("deal", game_number(s)).shuffled(range(1, highest + 1))
    s.hands = [sorted(deck[seat * size : (seat + 1) * size]) for seat in range(seats)]
    s.rows = [[card] for card in deck[dealt : dealt + rows]]
    s.undealt = deck[dealt + rows :]
    s.taken = [[] for _unused in range(seats)]
    s.round, s.before, s.turns, s.ready = 0, [], [], []
    play.tell("game_started", game=game_number(s), cards=size, rows=rows)
    start_round(play)


# Offers


def offers(s: State) -> Iterator[Listener]:
    """Yield the current offers: choosing a card, taking a row, or getting ready."""
    match s.stage:
        case "choose":
            for seat in missing(s.chosen):
                hand = one_of([str(card) for card in s.hands[seat]])
                yield Listener(seat, "choose", choose, hand, about=this_round(s), confirm=True)
        case "take":
            rows = one_of([str(row) for row in range(len(s.rows))])
            seat = s.queue[0].seat
            yield Listener(seat, "take", take, rows, about=this_round(s), confirm=True)
        case "ready":
            yield from readying(unready(s), about=str(game_number(s)))


def ahead(s: State, seat: Seat) -> Iterator[Premove]:
    """Yield a seat's possible premoves: its card for the next round.

    The premove stays valid if only choosing lies in between; a player who must take a row decides
    again.
    """
    if s.stage not in ("choose", "take") or (s.stage == "take" and s.queue[0].seat == seat):
        return
    chosen = s.chosen[seat]
    free = s.stage == "choose" and chosen is None
    cards = [str(card) for card in s.hands[seat] if card != chosen]
    about = f"{game_number(s)}.{s.round if free else s.round + 1}"
    if cards:
        yield Premove(verb="choose", about=about, pick=one_of(cards))


def decisions(s: State) -> Iterator[Decision[State]]:
    """Yield what the table waits for: all to choose, one to take a row, or all to be ready."""
    match s.stage:
        case "choose":
            yield Decision(
                name=this_round(s),
                seats=missing(s.chosen),
                seconds=s.options.choose_seconds,
                default=choose_by_lot,
                late="lapsed",
                away="away",
                then=reveal,
            )
        case "take":
            yield Decision(
                name=f"{this_round(s)}.take",
                each=f"{this_round(s)}.{{seat}}.take",
                seats=[s.queue[0].seat],
                seconds=s.options.take_seconds,
                default=take_the_cheapest,
                late="lapsed_taking",
            )
        case "ready":
            yield Decision(seats=unready(s), then=next_game)


def this_round(s: State) -> str:
    """Return what identifies a card's or row's prompt: the game and the round."""
    return f"{game_number(s)}.{s.round}"


# Choosing


def start_round(play: Play[State]) -> None:
    """Begin the next round, with all choices open."""
    s = play.state
    s.round += 1
    s.stage = "choose"
    s.chosen = [None] * len(s.hands)


def choose(play: Play[State], card: str) -> None:
    """Place a card face down. The event is public, but only the player's copy has the card."""
    lay_down(play, play.seat, int(card))


def choose_by_lot(play: Play[State], seat: Seat) -> None:
    """Choose a random card for a seat that is late or has left."""
    s = play.state
    lay_down(play, seat, play.lot(f"lapse {seat}", this_round(s)).choice(s.hands[seat]))


def lay_down(play: Play[State], seat: Seat, card: int) -> None:
    """Store a seat's card, which stays hidden until all have chosen."""
    seal(play, play.state.chosen, seat, card, told="choice_made", whispered="choice_yours")


def reveal(play: Play[State]) -> None:
    """Reveal all chosen cards and sort them by number, which is the order of the turns."""
    s = play.state
    queue = [Played(card, seat) for seat, card in enumerate(s.chosen) if card is not None]
    for played in queue:
        s.hands[played.seat].remove(played.card)
    s.queue = sorted(queue, key=lambda played: played.card)
    s.chosen = [None] * len(s.hands)
    s.before = [row.copy() for row in s.rows]
    s.turns = []
    play.tell("revealed", cards=[[str(played.card), played.seat] for played in s.queue])
    place_the_queue(play)


# Placing


def appropriate_row(last: Sequence[int], card: int) -> int | None:
    """Return the row whose last card is the highest below this card, or None if there is none."""
    lower = [(end, row) for row, end in enumerate(last) if end < card]
    return max(lower)[1] if lower else None


def place_the_queue(play: Play[State]) -> None:
    """Place the revealed cards, lowest first, until a player has to take a row."""
    s = play.state
    while s.queue:
        card, seat = s.queue[0].card, s.queue[0].seat
        row = appropriate_row([cards[-1] for cards in s.rows], card)
        if row is None:
            s.stage = "take"
            play.tell("row_asked", seat=seat, card=str(card))
            return
        if len(s.rows[row]) == s.options.row_size:
            give_row(play, row, chosen=False)
        else:
            s.rows[row].append(card)
            s.turns.append(Turn(card, seat, row, []))
            play.tell("placed", seat=seat, card=str(card), row=row)
            del s.queue[0]
    end_round(play)


def give_row(play: Play[State], row: int, chosen: bool) -> None:
    """Give a row to the first player in the queue, whose card becomes its only one."""
    s = play.state
    card, seat = s.queue[0].card, s.queue[0].seat
    cards = s.rows[row]
    s.rows[row] = [card]
    s.taken[seat] += cards
    s.scores[seat] += cost(cards)  # the points count at once
    s.turns.append(Turn(card, seat, row, cards, chosen))
    play.tell(
        "row_taken",
        seat=seat,
        card=str(card),
        row=row,
        cards=[str(taken) for taken in cards],
        points=cost(cards),
        chosen=chosen,
    )
    del s.queue[0]


# Taking a row


def take(play: Play[State], row: str) -> None:
    """Take any row; then the remaining cards are placed on the changed table."""
    give_row(play, int(row), chosen=True)
    place_the_queue(play)


def take_the_cheapest(play: Play[State], seat: Seat) -> None:
    """Take the cheapest row for a seat that is late or has left."""
    take(play, str(cheapest_row(play.state.rows)))


def cheapest_row(rows: Sequence[Sequence[int]]) -> int:
    """Return the row with the fewest points; ties go to the fewest cards, then to the first row."""
    return min(range(len(rows)), key=lambda row: (cost(rows[row]), len(rows[row])))


# The end of a round


def end_round(play: Play[State]) -> None:
    """Start the next round or, if the hands are empty, end the game."""
    s = play.state
    play.tell("round_over", round=s.round)
    if s.hands[0]:  # all hands have the same size, even of seats that left
        start_round(play)
    else:
        end_game(play)


# The end of a game and of the match


def end_game(play: Play[State]) -> None:
    """End a game, and the match if it is decided."""
    s = play.state
    last = max(s.scores) >= s.options.threshold or game_number(s) == s.options.max_games
    s.stage = "over" if last else "ready"
    play.tell("game_over", game=game_number(s), scores=s.scores, game_points=game_points(s))
    if last:
        tell_the_end(play)


def game_points(s: State) -> list[int]:
    """Return the points taken in this game, by seat."""
    return [cost(cards) for cards in s.taken]


def next_game(play: Play[State]) -> None:
    """Store the points of the finished game, and deal the next one."""
    s = play.state
    s.past.append(game_points(s))
    deal(play)


def tell_the_end(play: Play[State]) -> None:
    """Announce the end of the match, whose stage must be "over"."""
    end = outcome(play.state)
    assert end is not None
    play.tell(
        "match_over",
        winners=end.winners,
        scores=end.scores,
        ranking=end.places,
        reason=end.reason,
    )


def outcome(s: State) -> Outcome | None:
    """Return the outcome, or None while the match goes on. A seat absent at the end cannot win."""
    if s.stage != "over":
        return None
    reason = "won" if len(s.hands) - len(s.absent) > 1 else "abandoned"
    return Outcome(tuple(s.scores), places(s.scores, lowest_wins=True, absent=s.absent), reason)


# Hidden information


def resample(play: Play[State], viewer: Seat | None) -> None:
    """Redeal the others' hands and the undealt cards, and redraw the others' choices."""
    s = play.state
    others = [hand for seat, hand in enumerate(s.hands) if seat != viewer]
    redeal(play.rng, [Unknown(cards) for cards in [*others, s.undealt]])
    for hand in others:
        hand.sort()
    redraw(play, s.chosen, s.hands, viewer)


def deal_again(play: Play[State], seat: Seat, memory: object) -> None:
    """Redeal the others' hands and the undealt cards; the others choose again."""
    s = play.state
    resample(play, seat)
    s.chosen = [card if other == seat else None for other, card in enumerate(s.chosen)]


# Leaving


def left(play: Play[State], seat: Seat) -> None:
    """Handle a player leaving: the seat still collects points; with fewer than two players, the
    match ends.
    """
    s = play.state
    s.absent.sort()  # kept in the order of the seats
    if len(s.hands) - len(s.absent) < 2:
        s.stage = "over"
        tell_the_end(play)
