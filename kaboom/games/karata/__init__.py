"""Karata, Kenyan street poker: get rid of your hand, and say “last card” beforehand."""

from kaboom.engine.game import Game
from kaboom.engine.views import places
from kaboom.games.karata.ahead import ahead
from kaboom.games.karata.analysis import ANALYSIS
from kaboom.games.karata.bot import BOT
from kaboom.games.karata.ending import outcome
from kaboom.games.karata.options import Options
from kaboom.games.karata.presets import CLASSIC, GROUPS, PRESETS
from kaboom.games.karata.previews import preview
from kaboom.games.karata.regions import regions
from kaboom.games.karata.rules import decisions, left, offers, resample, setup
from kaboom.games.karata.state import State
from kaboom.games.karata.tips import TIPS, tips
from kaboom.games.karata.view import now, standing, view
from kaboom.games.karata.vocabulary import DEALING, FACTS, ZONES
from kaboom.games.karata.words import WORDS

GAME: Game[State] = Game(
    key="karata",
    name="Karata",
    tagline="Kenya’s street game: get rid of your cards first, past bombs, jumps and questions.",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(2, options.max_players + 1),
    setup=setup,
    offers=offers,
    seated=lambda state: len(state.wins),
    decisions=decisions,
    left=left,
    view=view,
    now=now,
    standing=standing,
    outcome=outcome,
    resample=resample,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    dealing=DEALING,
    board={"games": 1},
    bot=BOT,
    analysis=ANALYSIS,
    landmarks={
        "dealt": "round",
        "played": "turn",
        "drew": "turn",
        "drew_away": "turn",
        "skipped": "turn",
        "bombed": "event",
        "asked": "event",
        "declared": "event",
        "fined": "event",
        "undone": "event",
        "turned_back": "event",
        "cuts": "event",
        "wins": "result",
        "wins_out": "result",
        "exhausted": "result",
    },
    deals=frozenset({"dealt"}),
    sounds={
        "dealt": "card",
        "played": "card",
        "drew": "card",
        "declared": "flip",
        "bombed": "kaboom",
        "bombed_here": "kaboom",
    },
    drawn=frozenset({"pile"}),
    ahead=ahead,
    preview=preview,
    moments={"declared": "called"},
    drafts=frozenset({"add", "back"}),
    pieces=frozenset({"add", "back"}),
    regions=regions,
    tips=TIPS,
    tips_for=tips,
    usual=CLASSIC,
    over_days=(
        "In correspondence play, each turn, and each question in it, waits for the one player "
        "who is asked: nothing has to be called in time."
    ),
    so_far=lambda state: places(state.wins),
    contest={"games": "3", "turn_seconds": "45"},
    presets=PRESETS,
    groups=GROUPS,
    fan=("QC", "2S", "8H", "JC", "AD"),
)
