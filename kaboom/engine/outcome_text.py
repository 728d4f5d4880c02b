"""Sentences about the end of a match, the same for all games: the winner and the reason."""

from collections.abc import Sequence

from kaboom.engine.i18n import figures
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Seat
from kaboom.engine.texts import Names, in_points
from kaboom.engine.toolkit.cards import joined
from kaboom.engine.views import Outcome


def title(outcome: Outcome, names: Names) -> str:
    """Return a line that names the winners, "you" for the reader."""
    winners = outcome.winners
    if not winners:
        return _("No winner")
    if len(winners) == len(outcome.places) > 1:
        return _("A tie")
    if len(winners) > 1:
        # The reader comes first: "You and Ben win together".
        mine_first = sorted(winners, key=lambda seat: seat != names.me)
        called = joined([names.you_or_name(seat) for seat in mine_first])
        return _("{names} win together", names=called[0].upper() + called[1:])
    if winners[0] == names.me:
        return _("You win!")
    return _("{name} wins", name=names.name(winners[0]))


def how(outcome: Outcome, names: Names, counted: Sequence[str] = ()) -> str:
    """Return a line about how the match was won; "" if there is nothing to add.

    `counted` is what each seat has, in words, if the game counts something other than points.
    """
    special = {
        "abandoned": _("The match was stopped."),
        "forfeit": _("Won by forfeit."),
        "deck_exhausted": _("The deck is used up."),
    }
    if not outcome.played_out:
        return special.get(outcome.reason, "")
    first, *others = sorted(range(len(outcome.places)), key=outcome.places.__getitem__)
    has = counted[first] if counted else in_points(outcome.scores[first])
    if len(outcome.winners) > 1:
        return _("{points} each.", points=has)
    ahead = outcome.scores[first] - outcome.scores[others[0]] if others else 0
    name = names.you_or_name(others[0]) if others else ""
    if not ahead:
        return f"{has}."
    if counted:
        return _(
            "{points}, ahead of {name} ({other}).", points=has, name=name, other=counted[others[0]]
        )
    text = (
        N_("{points}, {number} more than {name}.")
        if ahead > 0
        else N_("{points}, {number} fewer than {name}.")
    )
    return _(text, points=has, number=figures(abs(ahead)), name=name)


def place_of(seat: Seat | None, outcome: Outcome, names: Names, counted: Sequence[str] = ()) -> str:
    """Return a seat's place, and by how much it is ahead or behind; "" for spectators, and where
    there are no places.
    """
    places, winners = outcome.places, outcome.winners
    if seat is None or not outcome.played_out or len(winners) in (0, len(places)):
        return ""
    place, players = figures(places[seat]), figures(len(places))
    others = [it for it in range(len(places)) if it not in winners]
    other = min(others, key=places.__getitem__) if seat in winners else winners[0]
    ahead = abs(outcome.scores[seat] - outcome.scores[other])
    if counted or not ahead:
        has = counted[seat] if counted else in_points(outcome.scores[seat])
        text = (
            N_("Place {place} of {players}, shared: {points}.")
            if places.count(places[seat]) > 1
            else N_("Place {place} of {players}: {points}.")
        )
        return _(text, place=place, players=players, points=has)
    text = (
        N_("Place {place} of {players}: {points} ahead of {name}.")
        if seat in winners
        else N_("Place {place} of {players}: {points} behind {name}.")
    )
    name = names.name(other)
    return _(text, place=place, players=players, points=in_points(ahead), name=name)
