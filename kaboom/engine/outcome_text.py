"""What is said at the end of a match, in every game: who won, and how."""

from collections.abc import Sequence

from kaboom.engine.i18n import figures, mark, say
from kaboom.engine.moves import Seat
from kaboom.engine.texts import Names, in_points
from kaboom.engine.toolkit.cards import joined
from kaboom.engine.views import Outcome


def title(outcome: Outcome, names: Names) -> str:
    """Return who won, "you" for whoever reads it."""
    winners = outcome.winners
    if not winners:
        return say("Nobody wins")
    if len(winners) > 1:
        # Whoever reads it comes first: "You and Ben win together".
        mine_first = sorted(winners, key=lambda seat: seat != names.me)
        called = joined([_called(seat, names) for seat in mine_first])
        return say("{names} win together", names=called[0].upper() + called[1:])
    if winners[0] == names.me:
        return say("You win!")
    return say("{name} wins", name=names.name(winners[0]))


def how(outcome: Outcome, names: Names, counted: Sequence[str] = ()) -> str:
    """Return how the match was won, in a line; empty where there is nothing to add.

    `counted` is what each seat has, in words, where the game counts something else than points.
    """
    special = {
        "abandoned": say("The match was stopped."),
        "draw": say("A draw."),
        "forfeit": say("Won by forfeit."),
        "deck_exhausted": say("No cards are left."),
    }
    if outcome.reason != "won":
        return special.get(outcome.reason, "")
    first, *others = sorted(range(len(outcome.places)), key=outcome.places.__getitem__)
    has = counted[first] if counted else in_points(outcome.scores[first])
    if len(outcome.winners) > 1:
        return say("{points} each.", points=has)
    ahead = outcome.scores[first] - outcome.scores[others[0]] if others else 0
    name = _called(others[0], names) if others else ""
    if not ahead:
        return f"{has}."
    if counted:
        return say(
            "{points}, ahead of {name}: {other}.", points=has, name=name, other=counted[others[0]]
        )
    text = (
        mark("{points}, {number} more than {name}.")
        if ahead > 0
        else mark("{points}, {number} fewer than {name}.")
    )
    return say(text, points=has, number=figures(abs(ahead)), name=name)


def _called(seat: Seat, names: Names) -> str:
    return say("you") if seat == names.me else names.name(seat)
