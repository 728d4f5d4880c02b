"""Hearts: avoid hearts and, above all, the queen of spades."""

from kaboom.engine.attendance import over_when_alone
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset
from kaboom.engine.toolkit.tricks import MARKS, ZONES
from kaboom_hearts import rules
from kaboom_hearts.bot import BOT
from kaboom_hearts.view import result, view
from kaboom_hearts.words import WORDS

GAME = Game(
    key="hearts",
    name="Hearts",
    tagline="Avoid hearts and the queen of spades, or shoot the moon.",
    version=1,
    options=rules.Options,
    state=rules.State,
    seats=lambda options: range(rules.SEATS, rules.SEATS + 1),
    seated=lambda state: rules.SEATS,
    setup=rules.setup,
    offers=rules.offers,
    decisions=rules.decisions,
    left=over_when_alone,
    view=view,
    outcome=rules.outcome,
    result=result,
    to_be_seen=lambda state: state.stage == "play" and state.complete,
    lowest_wins=True,
    ranking=lambda view: rules.RANKING,
    resample=rules.resample,
    words=WORDS,
    bot=BOT,
    landmarks={
        "deal_started": "round",
        "trick_taken": "turn",
        "moon": "event",
        "deal_over": "result",
    },
    deals=frozenset({"deal_started"}),
    sounds={"deal_started": "card", "played": "card"},
    over_days="In correspondence play, cards are passed in secret, and all play when they are "
    "online.",
    usual=Preset("usual", "Standard", "The match ends at 100 points.", {}),
    presets=(
        Preset("short", "Short", "The match ends at 50 points.", {"limit": 50}),
        Preset(
            "clock",
            "With a clock",
            "A minute to pass three cards, 20 seconds to play one.",
            {"pass_seconds": 60, "play_seconds": 20},
        ),
    ),
    groups={N_("Length"): ("limit",), N_("Time"): ("pass_seconds", "play_seconds")},
    fan=("QS", "AH", "?", "TH", "2C"),
    zones=ZONES,
    marks=MARKS
    | {
        "to pass": "You have chosen to pass this card, and not all have chosen yet.",
        "new": "You have been passed this card, and have not played since.",
    },
    facts={
        "deal": "The number of the deal, from 1.",
        "way": "In which direction cards are passed in this deal, or none.",
        "broken": "Whether hearts may be led.",
        "limit": "The points that end the match.",
    },
    dealing="A pack without jokers is shuffled. From the front each seat is dealt one card in "
    "turn, seat 0 first: seat 0 gets the 1st, the 5th and so on.",
)
