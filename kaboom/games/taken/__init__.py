"""TakeN: all players play a card together; the player of one card too many takes the row."""

from kaboom.engine.game import Game
from kaboom.engine.views import places
from kaboom.games.taken.analysis import ANALYSIS
from kaboom.games.taken.bot import BOT
from kaboom.games.taken.presets import GROUPS, PRESETS, USUAL
from kaboom.games.taken.previews import preview
from kaboom.games.taken.regions import regions
from kaboom.games.taken.rules import (
    Options,
    State,
    ahead,
    deal_again,
    decisions,
    left,
    offers,
    outcome,
    resample,
    setup,
    why_not,
)
from kaboom.games.taken.tips import TIPS, tips
from kaboom.games.taken.view import now, result, standing, view
from kaboom.games.taken.vocabulary import DEALING, FACTS, ZONES
from kaboom.games.taken.words import WORDS

GAME = Game(
    key="taken",
    name="TakeN",
    tagline="Pick a card in secret, and hope it is not the one that takes the row.",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(2, 11),
    setup=setup,
    offers=offers,
    seated=lambda state: len(state.hands),
    decisions=decisions,
    ahead=ahead,
    left=left,
    view=view,
    now=now,
    standing=standing,
    outcome=outcome,
    lowest_wins=True,
    resample=resample,
    deal_again=deal_again,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    dealing=DEALING,
    board={"max_games": 1},
    bot=BOT,
    analysis=ANALYSIS,
    landmarks={
        "game_started": "round",
        "revealed": "turn",
        "row_taken": "event",
        "game_over": "result",
    },
    deals=frozenset({"game_started"}),
    sounds={
        "game_started": "card",
        "choice_made": "card",
        "revealed": "flip",
        "row_taken": "kaboom",
    },
    drawn=frozenset({"row", "taken"}),
    regions=regions,
    preview=preview,
    result=result,
    tips=TIPS,
    tips_for=tips,
    why_not=why_not,
    over_days=(
        "In correspondence play, cards are chosen in secret as always, and shown when the last "
        "one is in."
    ),
    so_far=lambda state: places(state.scores, lowest_wins=True),
    pod=8,
    contest={"choose_seconds": "60", "take_seconds": "30"},
    usual=USUAL,
    presets=PRESETS,
    groups=GROUPS,
    fan=("8", "12", "55", "88", "104"),
)
