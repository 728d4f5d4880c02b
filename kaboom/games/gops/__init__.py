"""GOPS: sealed bids for a suit of prizes."""

from kaboom.engine.game import Game
from kaboom.engine.views import places
from kaboom.games.gops.analysis import ANALYSIS
from kaboom.games.gops.bot import BOT
from kaboom.games.gops.presets import GROUPS, PRESETS, USUAL
from kaboom.games.gops.previews import preview
from kaboom.games.gops.regions import regions
from kaboom.games.gops.rules import (
    Options,
    State,
    deal_again,
    decisions,
    left,
    offers,
    outcome,
    resample,
    setup,
    totals,
)
from kaboom.games.gops.tips import TIPS, tips
from kaboom.games.gops.view import now, result, standing, view
from kaboom.games.gops.vocabulary import DEALING, FACTS, ZONES
from kaboom.games.gops.words import WORDS

GAME = Game(
    key="gops",
    name="GOPS",
    tagline="Bid in secret for thirteen prizes, each card once. No luck of the draw.",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(options.players, options.players + 1),
    setup=setup,
    offers=offers,
    seated=lambda state: len(state.hands),
    decisions=decisions,
    left=left,
    view=view,
    now=now,
    standing=standing,
    outcome=outcome,
    resample=resample,
    deal_again=deal_again,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    dealing=DEALING,
    board={"games": 1},
    bot=BOT,
    analysis=ANALYSIS,
    landmarks={
        "round_started": "round",
        "prizes_won": "result",
        "tie": "result",
        "stays": "result",
        "game_over": "event",
    },
    told_again={"bid_made": "bids_revealed", "bid_yours": "bids_revealed"},
    deals=frozenset({"game_started"}),
    sounds={"bid_made": "card", "round_started": "flip", "bids_revealed": "flip"},
    drawn=frozenset({"offer", "bid", "hand", "won"}),
    regions=regions,
    tips=TIPS,
    tips_for=tips,
    preview=preview,
    result=result,
    over_days=(
        "In correspondence play, bids are sealed as always, and shown when the last one is in."
    ),
    so_far=lambda state: places(totals(state)),
    pod=2,
    contest={"games": "3", "bid_seconds": "60"},
    usual=USUAL,
    presets=PRESETS,
    groups=GROUPS,
    fan=("AS", "?", "QD", "?", "5C"),
)
