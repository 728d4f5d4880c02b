"""Hearts: take no hearts, and above all not the queen of spades."""

from kaboom.core.game import Game
from kaboom_hearts import rules
from kaboom_hearts.bot import BOT
from kaboom_hearts.presets import GROUPS, PRESETS
from kaboom_hearts.view import view
from kaboom_hearts.vocabulary import DEALING, FACTS, MARKS, ZONES
from kaboom_hearts.words import WORDS

GAME = Game(
    key="hearts",
    name="Hearts",
    tagline="Take no hearts, beware of the queen of spades, or shoot the moon.",
    version=1,
    options=rules.Options,
    state=rules.State,
    seats=lambda options: range(rules.SEATS, rules.SEATS + 1),
    seated=lambda state: rules.SEATS,
    setup=rules.setup,
    offers=rules.offers,
    decisions=rules.decisions,
    left=rules.left,
    view=view,
    outcome=rules.outcome,
    lowest_wins=True,
    resample=rules.resample,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    marks=MARKS,
    dealing=DEALING,
    bot=BOT,
    landmarks={"deal_started": "round", "trick_taken": "turn", "moon": "event"},
    deals=frozenset({"deal_started"}),
    sounds={"deal_started": "card", "played": "card"},
    over_days="Over days cards are passed in secret as always, and each plays to the trick "
    "whenever they come by.",
    presets=PRESETS,
    groups=GROUPS,
    fan=("QS", "AH", "?", "TH", "2C"),
)
