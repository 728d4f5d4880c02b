"""The options of a table of King of the Hill, and its time limits."""

from dataclasses import dataclass, replace

from kaboom.engine.options import choice, number, seats_by_lot, switch, untimed

PACES = {"seed": 1, "relaxed": 3, "untimed": 0}
STAGE_TIMES = {  # the option with a stage's time limit; all other stages use "ready_seconds"
    "last_call": "last_call_seconds",
    "choose_trump": "trump_seconds",
    "dead_hand": "dead_hand_seconds",
    "call": "call_seconds",
    "trick": "play_seconds",
}


@dataclass(frozen=True)
class Options:
    """The options of a table. 0 seconds means no limit."""

    end: str = choice(
        "past_ace",
        {
            "past_ace": "when a player’s rank passes the ace",
            "rounds": "after a fixed number of rounds",
        },
        "End of the match",
        "The highest rank wins either way.",
    )
    rounds: int = number(
        5,
        1,
        50,
        "Rounds",
        "Used only when the match ends after a fixed number of rounds.",
        "rounds",
    )
    pace: str = choice(
        "relaxed",
        {
            "seed": "fast: the times below",
            "relaxed": "relaxed: three times the times below",
            "untimed": "untimed: no hurry",
        },
        "Pace",
        "Multiplies all times below except the time between two dealt cards.",
    )
    deal_interval: float = number(
        0.1,
        0,
        2,
        "Dealing",
        "Time between two dealt cards; 0 deals all together.",
        "seconds",
        0.1,
        zero="all together",
    )
    last_call_seconds: int = number(
        3,
        0,
        30,
        "Last call",
        "0 keeps it open until all five have passed.",
        "seconds",
        zero="until all five have passed",
    )
    trump_seconds: int = number(
        5,
        0,
        60,
        "Choosing trump",
        "For the king when no one has declared; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    dead_hand_seconds: int = number(
        60,
        0,
        300,
        "Burying eight cards",
        "For the king; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    call_seconds: int = number(
        15,
        0,
        300,
        "Calling a card",
        "For the king; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    play_seconds: int = number(
        10,
        0,
        300,
        "Playing to a trick",
        "For each player in turn; 0: no limit.",
        "seconds",
        zero="no limit",
    )
    ready_seconds: int = number(
        0,
        0,
        300,
        "Getting ready",
        "A player who does not answer for that long counts as ready; 0: wait for all.",
        "seconds",
        zero="no limit",
    )
    pair_over_pair: bool = switch(
        True,
        "A pair may override a pair",
        "A pair is two of the same card. When off, a suit declared with a pair stands.",
    )
    follow_rule: str = choice(
        "no_renege",
        {
            "no_renege": "always follow suit as far as you can",
            "literal": "without a pair of the suit, any two cards",
        },
        "Following a pair",
        "What you must play to a led pair when you hold no pair of its suit.",
    )
    koth_cancels_call: bool = switch(
        True,
        "The king can use up the call",
        "When on, a king who plays the called card first plays on alone.",
    )
    call_rule: str = choice(
        "any",
        {"any": "any card", "no_trump": "any card that is not a trump"},
        "Cards that may be called",
        "Whether the king may also call a trump.",
    )
    must_defend_ace: bool = switch(
        False,
        "The ace must be defended",
        "When on, rising stops at the ace, and only a defender gets past it.",
    )

    seating: str = seats_by_lot()

    def times(self) -> dict[str, float]:
        """Return the time limits in seconds by option; 0 is no limit."""
        names = [*STAGE_TIMES.values(), "ready_seconds"]
        return {name: getattr(self, name) * PACES[self.pace] for name in names}


def by_days(options: Options) -> Options:
    """Return the options without clocks and with all cards dealt together, so that players declare
    in the last call.
    """
    return replace(untimed(options), deal_interval=0)
