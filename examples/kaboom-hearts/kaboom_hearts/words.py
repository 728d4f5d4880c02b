"""The words of Hearts."""

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.tricks import SAYINGS

# What the generic table shows beside marked cards and above the points, marked for the catalogue.
MARKS, HEADINGS = (N_("to pass"), N_("new")), (N_("This deal"), N_("Points"))
WAYS = {
    "left": N_("pass three cards to the left"),
    "right": N_("pass three cards to the right"),
    "across": N_("pass three cards across"),
    "none": N_("nobody passes"),
}

WORDS = Words(
    sayings={
        **SAYINGS,
        # status lines
        "lead.you": "Your turn: lead the 2 of Clubs.",
        "lead_unbroken": SAYINGS["lead_next"],
        "lead_unbroken.you": "Your turn: you took the trick. Lead, but not a heart.",
        "void_first": SAYINGS["void"],
        "void_first.you": "Your turn: you have no {led:suit}. Play a card without points.",
        "pass_now": "Your turn: choose three cards to pass to {taker:name}.",
        "passing": "Waiting for {waiting:names} to pass three cards.",
        "between_deals": "The Queen of Spades went to {queen:queen}.",
        "between_deals.you": "{points:points} for you. The Queen of Spades went to {queen:queen}.",
        # events
        "deal_started": "Deal {deal}: {way:way}.",
        "passed": "{seat:name} has chosen cards to pass.",
        "passed.you": "You have chosen cards to pass.",
        "passed.open": "",
        "passed_yours": "You pass the {cards:cards}.",
        "passed_yours.open": "{seat:name} passes the {cards:cards}.",
        "received": "{giver:name} passes you the {cards:cards}.",
        "begins": "{seat:name} holds the 2 of Clubs and leads.",
        "begins.you": "You hold the 2 of Clubs and lead.",
        "broken": "Hearts are broken.",
        "moon": "{seat:name} has shot the moon: 26 points for all others.",
        "moon.you": "You have shot the moon: 26 points for all others.",
    },
    offers={"pass": "Pass to {about:taker}", "play": "Play a card", "ready": "Next deal"},
    choices={"pass": "card", "play": "card"},
    rules={"pass": "passing", "play": "playing", "ready": "the-end"},
    spellers={
        "queen": lambda seats, names: "".join(map(names.you_or_name, seats)),
        "way": lambda way, names: _(WAYS[way]),
        "taker": lambda about, names: names.name(int(about.rpartition(".")[2])),
    },
)
