"""The options of a table of Kaboom, and its time limits."""

from dataclasses import dataclass, replace

from kaboom.engine.options import choice, number, seats_by_lot, switch, untimed


@dataclass(frozen=True)
class Options:
    rounds: int = number(
        0,
        0,
        20,
        "Rounds",
        "How many rounds a match has. 0: as many as there are players.",
        zero="as many as there are players",
    )
    target: int = number(
        0,
        0,
        500,
        "Play up to",
        "If more than 0, the match ends after the round in which a player’s total reaches this "
        "many points, however many rounds that takes.",
        "points",
        zero="no limit",
    )
    flips: str = choice(
        "race",
        {
            "race": "a race: the fastest wins",
            "patient": "patient: all choose in secret, and chance decides whose flip comes first",
        },
        "Flipping",
        "In a race, cards can be flipped at almost any time, and the fastest hand wins. "
        "Patient flips stop the game after each discard until all players have chosen a "
        "card or passed, so that slow hands and slow networks have the same chance.",
    )
    flip_seconds: int = number(
        8,
        0,
        300,
        "Time for patient flips",
        "Flips are collected for at most this long; any player can ask for the same time again. "
        "0: until all have chosen or passed.",
        "seconds",
        zero="until all have chosen or passed",
    )
    flip_penalty: int = number(
        1,
        0,
        2,
        "Penalty cards",
        "Unseen cards you get for flipping a card of the wrong rank.",
        zero="none",
    )
    jokers: bool = switch(True, "Jokers", "Play with the two jokers, which are worth nothing.")
    keep_negative: bool = switch(
        False,
        "Below zero counts",
        "A player who calls kaboom and is lowest with a score below 0 keeps that score.",
    )
    lock_declarer: bool = switch(
        False,
        "Kaboom locks your cards",
        "Once you have called kaboom, no one can swap, look at or flip your cards.",
    )
    last_flips: int = number(
        0,
        0,
        10,
        "Last flips",
        "How long cards can still be flipped after the last turn. Patient flips are then collected "
        "once more, for their usual time.",
        "seconds",
        zero="none",
    )
    max_players: int = number(4, 4, 6, "Seats", "The maximum number of players.")
    turn_seconds: int = number(
        0,
        0,
        300,
        "Time to decide",
        "Seconds for each decision of a turn. 0: no limit.",
        "seconds",
        zero="no limit",
    )
    peek_seconds: int = number(
        0,
        0,
        300,
        "Time to peek",
        "Seconds to look at your bottom row before a round. 0: no limit.",
        "seconds",
        zero="no limit",
    )
    give_seconds: int = number(
        15,
        0,
        60,
        "Time to give a card",
        "Seconds to give a card after flipping another player’s. 0: no limit.",
        "seconds",
        zero="no limit",
    )

    seating: str = seats_by_lot("first")

    def times(self) -> dict[str, float]:
        """Return the time limits in seconds by option; 0 is no limit."""
        flips = "flip_seconds" if self.flips == "patient" else "last_flips"
        names = ("turn_seconds", "peek_seconds", "give_seconds", flips)
        return {name: getattr(self, name) for name in names}


def by_days(options: Options) -> Options:
    """Return the options without clocks and with patient flips, because a race needs all players
    to be online.
    """
    return untimed(replace(options, flips="patient"))
