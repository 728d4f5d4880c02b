"""The options of a table of Karata, and their conflicts."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset, choice, number, seats_by_lot, switch
from kaboom.games.karata.presets import RULE_SETS


@dataclass(frozen=True)
class Options:
    """A table's options; the defaults are Karata classic."""

    fine: int = number(
        0,
        0,
        2,
        "Fine",
        "Cards drawn for an illegal play. 0 means no fine: the play is simply refused.",
        "cards",
        zero="none",
    )
    deal: int = number(4, 3, 7, "Cards dealt", "How many cards each player starts with.", "cards")
    games: int = number(
        1, 1, 9, "Games", ("Games in a match; the player who wins the most wins the match.")
    )
    turn_seconds: int = number(
        0,
        0,
        300,
        "Time for a turn",
        "When time is up, the player draws. 0 means no limit.",
        "seconds",
        zero="no limit",
    )
    joker_ignores_request: bool = switch(
        False, "Jokers ignore requests", "A joker may start a play whatever was asked for."
    )
    strict_finish: bool = switch(False, "Strict finish", "No one may go out without winning.")
    jokers: bool = switch(True, "Jokers", "Play with the two jokers.")
    opener: str = choice(
        "plain",
        {"plain": "a plain card", "mild": "a plain card, a jack or an 8"},
        "Card that opens",
        "Which card may start the pile. It has no effect there.",
    )
    starter: str = choice(
        "turns",
        {"turns": "each in turn", "winner": "the last winner", "random": "drawn by lot"},
        "Who starts",
        "Who begins a game. If there is no last winner, players take turns.",
    )
    sets: bool = switch(True, "Equal ranks together", "Cards of one rank can be laid in one play.")
    answer: str = choice(
        "any",
        {
            "any": "any card that matches",
            "ace": "a plain card or an ace",
            "plain": "a plain card",
        },
        "Answers to a question",
        "Which cards answer a queen or an 8. One question may always follow another.",
    )
    open_question: str = choice(
        "draw",
        {
            "draw": "costs a card",
            "refuse": "is not allowed",
            "next": "goes to the next player",
        },
        "A question without an answer",
        "What happens to a question that ends a play.",
    )
    counter: str = choice(
        "near",
        {
            "near": "same rank or suit, joker",
            "face": "same rank only",
            "any": "any bomb",
            "none": "none",
        },
        "Bombs that counter a bomb",
        "Which cards pass a bomb on to the next player.",
    )
    add_up: bool = switch(
        False, "Bombs add up", "All bombs in a play count, and so do those they counter."
    )
    stops: str = choice(
        "no",
        {
            "no": "nothing",
            "pass_on": "a jack or king, passing it on",
            "cancel": "a jack or king, undoing it",
        },
        "What stops a jump or kickback",
        "The first player to be jumped, or the one who loses a turn, is asked. Passing it on is "
        "a play; a player who undoes it takes a turn.",
    )
    kings_again: bool = switch(
        True, "Two kings play again", "An even number of kings gives another turn."
    )
    aces: str = choice(
        "wild",
        {
            "wild": "go on anything, take anything",
            "own": "go on anything, then match",
            "match": "have to match",
        },
        "Aces",
        "What an ace goes on, and what goes on an ace while nothing is asked for. If aces have "
        "to match, the suit of a bomb that one blocks must be played next.",
    )
    asks: str = choice(
        "card",
        {
            "card": "a suit, or with two a card",
            "renew": "the same, and ask again",
            "suit": "only a suit, and ask again",
        },
        "Aces ask for",
        "“Ask again”: an ace played on a request for a suit replaces the request. If only suits "
        "are asked for, the Ace of Spades counts as one ace.",
    )
    joker_match: str = choice(
        "free",
        {
            "free": "anything",
            "colour": "cards of its colour",
            "under": "as the card under it",
        },
        "What goes with a joker",
        "A joker itself goes on anything, unless it is limited to its colour.",
    )
    call: str = choice(
        "harmless",
        {
            "harmless": "with harmless cards",
            "any": "with any hand",
            "one": "with one card",
            "none": "never: it is not needed",
        },
        "Last card is called",
        "At the end of a turn, so that the next one can win. Questions and cards that win are "
        "harmless.",
    )
    forgot: int = number(
        0,
        0,
        2,
        "Last card not called",
        "Cards drawn immediately for going out without calling it.",
        "cards",
        zero="none",
    )
    end_on: str = choice(
        "plain",
        {
            "plain": "a plain card",
            "ace": "a plain card or an ace",
            "any": "any but an open question",
        },
        "The last card that wins",
        "Going out with any other card does not win.",
    )
    wait_cardless: bool = switch(
        False, "Wait for players without cards", "No one wins while another player has no cards."
    )
    play_drawn: bool = switch(
        False, "Lay a drawn card", "A single card that was drawn may be laid at once."
    )
    fine_ends_turn: bool = switch(False, "A fine ends the turn", "A fined play uses up the turn.")
    ranks: str = choice(
        "kenya",
        {
            "kenya": "as in Kenya",
            "uganda": "as in Uganda",
        },
        "What the cards do",
        "In Kenya, jacks jump, kings reverse the direction, and queens and 8s ask. In Uganda, 8s "
        "jump, jacks reverse the direction, and kings and queens are plain; so are 3s if there "
        "are no jokers.",
    )
    cut: int = number(
        0,
        0,
        30,
        "Cut with a 7",
        "A 7 of the opening suit ends the game if its player holds at most this many points; the "
        "lowest hand wins. 0: never.",
        "points",
        zero="never",
    )
    max_players: int = number(4, 4, 5, "Seats", "The maximum number of players.")
    seating: str = seats_by_lot("first")

    @property
    def rule_set(self) -> Preset | None:
        """Return the known rule set of these options, or None; length, time and seats do not
        matter.
        """
        played = replace(self, games=1, turn_seconds=0, max_players=4, seating="sat")
        return next((way for way in RULE_SETS if Options(**way.values) == played), None)

    def contradictions(self) -> dict[str, str]:
        """Return the conflicts between options: the option to change, and the reason as a
        sentence.
        """
        return {name: _(why) for name, is_wrong, why in CONTRADICTIONS if is_wrong(self)}

    def times(self) -> dict[str, float]:
        """Return the time limits in seconds by option; 0 is no limit."""
        return {"turn_seconds": self.turn_seconds}


def is_always_won(options: Options) -> bool:
    """Return True if going out always wins, so that no player ever has an empty hand."""
    return options.call == "none" and options.end_on == "any"


# Conflicting options: the option to change, the condition, and the reason.
CONTRADICTIONS: tuple[tuple[str, Callable[[Options], bool], str], ...] = (
    (
        "joker_ignores_request",
        lambda o: not o.jokers and o.joker_ignores_request,
        N_("Without jokers, no joker can ignore a request."),
    ),
    (
        "joker_match",
        lambda o: not o.jokers and o.joker_match != "free",
        N_("Without jokers, there is nothing to choose about what goes with one."),
    ),
    (
        "forgot",
        lambda o: o.call == "none" and o.forgot > 0,
        N_("If last card is never called, it cannot be forgotten."),
    ),
    (
        "strict_finish",
        lambda o: o.strict_finish and o.forgot > 0,
        N_(
            "With strict finish, no one goes out without calling it, so there is no penalty for it."
        ),
    ),
    (
        "wait_cardless",
        lambda o: o.strict_finish and o.wait_cardless,
        N_("With strict finish, no one is without cards, so there is no one to wait for."),
    ),
    (
        "fine_ends_turn",
        lambda o: o.fine_ends_turn and not o.fine,
        N_("Without fines, no fine can end the turn."),
    ),
    (
        "cut",
        lambda o: o.cut > 0 and o.ranks == "kenya",
        N_("A 7 cuts only with Ugandan card effects."),
    ),
    (
        "stops",
        lambda o: o.ranks == "uganda" and o.stops != "no",
        N_("With Ugandan card effects, nothing stops a jump or a kickback."),
    ),
    (
        "answer",
        lambda o: o.ranks == "uganda" and o.answer != "any",
        N_("With Ugandan card effects, there is no question to answer."),
    ),
    (
        "open_question",
        lambda o: o.ranks == "uganda" and o.open_question != "draw",
        N_("With Ugandan card effects, there is no question to leave open."),
    ),
    (
        "kings_again",
        lambda o: o.ranks == "uganda" and not o.kings_again,
        N_("With Ugandan card effects, kings are plain."),
    ),
    (
        "end_on",
        lambda o: is_always_won(o) and (o.strict_finish or o.wait_cardless),
        N_("If going out always wins, no player without cards is still in the game."),
    ),
    (
        "seating",
        lambda o: o.seating == "first" and o.starter == "random",
        N_("Who starts is drawn in each game, so the first seat means nothing."),
    ),
)
