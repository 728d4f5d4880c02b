"""King of the Hill: your own rank, and a secret partner."""

from kaboom.engine.game import Game
from kaboom.engine.views import places
from kaboom.games.koth.analysis import ANALYSIS
from kaboom.games.koth.bot import BOT
from kaboom.games.koth.options import Options, by_days
from kaboom.games.koth.presets import GROUPS, PRESETS, USUAL
from kaboom.games.koth.previews import preview
from kaboom.games.koth.regions import regions
from kaboom.games.koth.rules import ahead, deal_again, decisions, left, offers, resample, setup
from kaboom.games.koth.scoring import outcome
from kaboom.games.koth.state import SEATS, State
from kaboom.games.koth.tips import TIPS, tips
from kaboom.games.koth.view import now, ranking, result, standing, view
from kaboom.games.koth.vocabulary import DEALING, FACTS, ZONES
from kaboom.games.koth.words import WORDS

GAME = Game(
    key="koth",
    name="King of the Hill",
    tagline="Five players, two packs, a secret teammate: win points, rise in rank.",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(SEATS, SEATS + 1),
    setup=setup,
    offers=offers,
    seated=lambda state: SEATS,
    decisions=decisions,
    left=left,
    view=view,
    now=now,
    standing=standing,
    outcome=outcome,
    result=result,
    resample=resample,
    deal_again=deal_again,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    dealing=DEALING,
    board={"end": "rounds", "rounds": 1, "deal_interval": 0},
    bot=BOT,
    analysis=ANALYSIS,
    landmarks={
        "round_begins": "round",
        "trick_won": "turn",
        "declared": "event",
        "trump_is": "event",
        "called": "event",
        "no_call": "event",
        "joined": "event",
        "round_scored": "result",
    },
    sounds={"declared": "flip", "buried": "card", "played": "card", "joined": "kaboom"},
    drawn=frozenset({"trick"}),
    opened=frozenset({"hand"}),
    hosts=("fix_rounds",),
    to_be_seen=lambda state: state.between_tricks,
    ahead=ahead,
    moments={"declared": "called"},
    drafts=frozenset({"draft"}),
    pieces=frozenset({"draft"}),
    regions=regions,
    ranking=ranking,
    preview=preview,
    tips=TIPS,
    tips_for=tips,
    by_days=by_days,
    over_days=(
        "In correspondence play, all cards are dealt together; all players declare or pass in the "
        "last call, whenever they are online."
    ),
    so_far=lambda state: places(state.ranks),
    pod=5,
    contest={"end": "rounds", "ready_seconds": "30"},
    usual=USUAL,
    presets=PRESETS,
    groups=GROUPS,
    fan=("KD", "RJ", "2D", "AS", "BJ"),
)
