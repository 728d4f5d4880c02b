"""Oh Hell: bid the number of tricks you will take, and take exactly that many."""

from kaboom.engine.attendance import over_when_alone
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset
from kaboom.engine.toolkit.tricks import MARKS
from kaboom_oh_hell import rules
from kaboom_oh_hell.bot import BOT
from kaboom_oh_hell.tips import TIPS, tips
from kaboom_oh_hell.view import FACTS, ZONES, ranking, result, view
from kaboom_oh_hell.words import WORDS

GAME = Game(
    key="oh_hell",
    name="Oh Hell",
    tagline="Say how many tricks you will take, and take exactly that many.",
    version=1,
    options=rules.Options,
    state=rules.State,
    seats=lambda options: range(3, 8),
    seated=lambda state: len(state.scores),
    setup=rules.setup,
    offers=rules.offers,
    decisions=rules.decisions,
    left=over_when_alone,
    view=view,
    outcome=rules.outcome,
    result=result,
    to_be_seen=lambda state: state.stage == "play" and len(state.trick) == len(state.scores),
    ranking=ranking,
    resample=rules.resample,
    words=WORDS,
    tips=TIPS,
    tips_for=tips,
    bot=BOT,
    landmarks={"deal_started": "round", "trick_taken": "turn", "deal_over": "result"},
    deals=frozenset({"deal_started"}),
    sounds={"deal_started": "card", "played": "card"},
    usual=Preset("usual", "Standard", "Seven deals.", {}),
    presets=(
        Preset("short", "Short", "Five deals.", {"cards": 5}),
        Preset("kind", "Free bids", "The last to bid may bid any number.", {"hook": False}),
    ),
    groups={N_("Deals"): ("cards",), N_("Bidding"): ("hook",), N_("Time"): ("turn_seconds",)},
    over_days="In correspondence play, each player bids and plays a card whenever they are online.",
    zones=ZONES,
    marks=MARKS,
    facts=FACTS,
    dealing="A pack without jokers is shuffled. From the front each seat is dealt one card in "
    "turn, seat 0 first, until all have as many as this deal gives; the next one is turned up.",
)
