"""Kaboom: keep six cards face down, remember what you saw, and flip when the rank matches."""

from kaboom.engine import views
from kaboom.engine.game import Game
from kaboom.games.kaboom.analysis import ANALYSIS
from kaboom.games.kaboom.bot import BOT
from kaboom.games.kaboom.options import Options, by_days
from kaboom.games.kaboom.presets import GROUPS, PRESETS, USUAL
from kaboom.games.kaboom.previews import preview
from kaboom.games.kaboom.regions import regions
from kaboom.games.kaboom.rules import deal_again, decisions, left, offers, resample, returned, setup
from kaboom.games.kaboom.scoring import outcome
from kaboom.games.kaboom.state import State
from kaboom.games.kaboom.tips import TIPS, tips
from kaboom.games.kaboom.view import now, result, standing, view
from kaboom.games.kaboom.vocabulary import DEALING, FACTS, MARKS, ZONES
from kaboom.games.kaboom.words import WORDS

GAME = Game(
    key="kaboom",
    name="Kaboom",
    tagline="A memory game for quick eyes: get rid of your points, then call kaboom.",
    version=1,
    options=Options,
    state=State,
    seats=lambda options: range(2, options.max_players + 1),
    setup=setup,
    offers=offers,
    seated=lambda state: len(state.grids),
    decisions=decisions,
    left=left,
    returned=returned,
    view=view,
    now=now,
    standing=standing,
    result=result,
    outcome=outcome,
    lowest_wins=True,
    resample=resample,
    deal_again=deal_again,
    words=WORDS,
    zones=ZONES,
    facts=FACTS,
    marks=MARKS,
    dealing=DEALING,
    board={"rounds": 1, "target": 0, "flips": "patient"},
    bot=BOT,
    analysis=ANALYSIS,
    landmarks={
        "dealt": "round",
        "took": "turn",
        "drew": "turn",
        "kaboom": "event",
        "flipped": "event",
        "wrong_flip": "event",
        "scored": "result",
    },
    fan=("AS", "?", "KH", "?", "7D"),
    deals=frozenset({"dealt"}),
    sounds={
        "dealt": "card",
        "turned_up": "flip",
        "drew": "card",
        "took": "card",
        "discarded": "card",
        "replaced": "card",
        "swapped": "card",
        "gave": "card",
        "flipped": "flip",
        "wrong_flip": "flip",
        "late_flip": "flip",
        "kaboom": "kaboom",
    },
    drawn=frozenset({"grid", "discard", "drawn"}),
    moments={"kaboom": "called"},
    # A look cannot be undone; sealed flips can be changed or withdrawn.
    drafts=frozenset({"peek", "flip", "pass", "withdraw", "more"}),
    regions=regions,
    preview=preview,
    tips=TIPS,
    tips_for=tips,
    by_days=by_days,
    over_days=(
        "In correspondence play, flips are patient: after each discard, all players choose a "
        "card or pass whenever they are online, and the order is drawn by lot."
    ),
    # Not imported by name, because `places` is also a module of this package.
    so_far=lambda state: views.places(state.totals, lowest_wins=True),
    contest={"flips": "patient", "turn_seconds": "60", "peek_seconds": "30"},
    usual=USUAL,
    presets=PRESETS,
    groups=GROUPS,
)
