"""The words of TakeN."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import joined


def plays_in_words(plays: list[tuple[str, int]], names: Names) -> str:
    """Return the revealed cards with their players: "2 (Cid) and 33 (you)"."""
    return joined([f"{card} ({names.you_or_name(seat)})" for card, seat in plays])


def row_in_words(row: int | str, names: Names) -> str:
    """Return a row in words, counted from 1: "row 1" is the first."""
    return _("row {number}", number=int(row) + 1)


def took_in_words(took: list[tuple[int, int, int]], names: Names) -> str:
    """Return the taken rows in words: "row 1 by you (4 points)"."""
    told = [
        _(
            "{row} by {name} ({points})",
            row=row_in_words(row, names),
            name=names.you_or_name(seat),
            points=ngettext("{count} point", "{count} points", points),
        )
        for seat, row, points in took
    ]
    return joined(told)


# The position of a card in its row; a row holds at most ten,
# and the next card takes it.
PLACES = (
    "",
    N_("first"),
    N_("second"),
    N_("third"),
    N_("fourth"),
    N_("fifth"),
    N_("sixth"),
    N_("seventh"),
    N_("eighth"),
    N_("ninth"),
    N_("tenth"),
    N_("eleventh"),
)

# The names of the zones.
ZONE_NAMES = (N_("Row"), N_("Hand"), N_("Chosen"), N_("Taken"))

WORDS = Words(
    sayings={
        # status lines
        "choose_now": "Your turn: choose a card to play.",
        "choosing": "Waiting for {waiting:names} to choose a card.",
        "taking": "The {card} is below every row: waiting for {seat:name} to take one.",
        "taking.you": "Your turn: your {card} is below every row, so take one.",
        "be_ready": "Game {game} is over. Fewest points: {lowest:names}, {least}. "
        "Ready for the next one?",
        "be_ready.mine": "Game {game} is over. You have the fewest points, {least}. "
        "Ready for the next one?",
        "between_games": "Game {game} is over: {scores:scores}. Waiting for {waiting:names} to be "
        "ready.",
        "ended": "The match is over: {winners:winners} ({scores:scores}).",
        # the last result, while it is shown
        "result": "Rows taken: {took:took}.",
        "result.full": "{seat:whose} {card} was the {place:place} card in {row:row}, for "
        "{points:points}.",
        "result.full.you": "Your {card} was the {place:place} card in {row:row}: you take "
        "{points:points}.",
        "result.below": "{seat:whose} {card} was below every row and took {row:row}, for "
        "{points:points}.",
        "result.below.you": "Your {card} was below every row: you take {row:row}, for "
        "{points:points}.",
        "result.many": "Rows were taken {times:times}, for {points:points} in all.",
        "result.none": "No one took a row.",
        # for players who do not see the table
        "now.row": "{row:row}: {cards:numbers}.",
        "now.points": "{seat:name} has {points:points}.",
        "now.points.you": "You have {points:points}.",
        # events
        "game_started": "The game begins with {cards:count} each.",
        "choice_made": "{seat:name} has chosen.",
        "choice_made.you": "You have chosen.",
        "choice_made.open": "",
        "choice_yours": "Your sealed card is the {card}.",
        "choice_yours.open": "{seat:name} chooses the {card}.",
        "lapsed": "{seat:name} is out of time, so a random card is played.",
        "lapsed.you": "You are out of time, so a random card is played for you.",
        "away": "{seat:name} is away, so a random card is played.",
        "away.you": "You were away, so a random card was chosen for you.",
        "revealed": "The cards: {cards:plays}.",
        "revealed.open": "",
        "row_asked": "{seat:whose} {card} is below every row, so {seat:name} must take one.",
        "row_asked.you": "Your {card} is below every row, so you must take one.",
        "lapsed_taking": "{seat:name} is out of time, so the cheapest row is taken.",
        "lapsed_taking.you": "You are out of time, so the cheapest row is taken for you.",
        "placed": "{seat:whose} {card} goes to {row:row}.",
        "row_taken": "{seat:whose} {card} takes {row:row}: {cards:cards} ({points:points}).",
        "round_over": "Round {round} is over.",
        "game_over": "The game is over: {scores:scores}.",
        "match_over": "The match is over: {winners:winners}.",
        # previews
        "preview.fits": "{card} would be last in {row:row}, as the rows are now.",
        "preview.full": "{card} would take {row:row}, as the rows are now: {points:points}.",
        "preview.below": "{card} is below every row, as the rows are now: you would take one.",
        "preview.take": "You take {row:row} ({points:points}), and your card starts it again.",
        # a bot's reasons for a card or a row
        "think.fits": "Play {card}: it should come {place:place} in the row of the {end}.",
        "think.fits_and": "Play {card}: it should come {place:place} in the row of the {end}; "
        "{other} would cost about {more:points} more.",
        "think.full": "Play {card}: the row of the {end} is full and costs {points:points}, but "
        "no other card is likely to cost less.",
        "think.full_and": "Play {card}: the row of the {end} is full and costs {points:points}, "
        "but {other} would cost about {more:points} more.",
        "think.below": "Play {card}: it may take a row, the cheapest for {points:points}, but "
        "no other card is likely to cost less.",
        "think.below_and": "Play {card}: it may take a row, the cheapest for {points:points}, but "
        "{other} would cost about {more:points} more.",
        "think.row": "Take {row:row} for {points:points}: no other row is likely to cost less "
        "in the end.",
        "think.row_and": "Take {row:row} for {points:points}: {other:row} would cost about "
        "{more:points} more in the end.",
    },
    offers={
        "choose": "Choose a card",
        "choose.one": "Play the {choice}",
        "choose.ahead": "In the next round, play",
        "choose.ask": "Play the {choice}? Once another player has chosen, it cannot be taken back.",
        "take": "Take a row",
        "take.one": "Take {choice}",
        "take.ask": "{choice}: take it?",  # previews name the consequence
        "ready": "Ready for the next game",
    },
    choices={"choose": "card", "take": "row_button"},
    rules={"choose": "choosing", "take": "taking-a-row", "ready": "the-end"},
    spellers={
        "numbers": lambda cards, names: ", ".join(cards),
        "plays": plays_in_words,
        "took": took_in_words,
        "times": lambda number, names: ngettext("once", "{count} times", number),
        "row": row_in_words,
        "place": lambda place, names: _(PLACES[place]),
        "row_button": lambda row, names: _("Row {number}", number=int(row) + 1),
    },
)
