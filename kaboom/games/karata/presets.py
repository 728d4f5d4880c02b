"""Presets of Karata, and its options by heading.

The rule sets are documented ways of playing. Where a source is silent, they follow Karata classic.
"""

from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import Preset

CLASSIC = Preset(
    "usual",
    "Karata classic",
    "As described on the rules page.",
    {},
    source="the rules of the program karata by Peter Mghendi",
)
RULE_SETS = (
    CLASSIC,
    Preset(
        "karatah",
        "Karata (karatah.com)",
        "No jokers, five cards, and last card is not called.",
        {
            "jokers": False,
            "deal": 5,
            "opener": "mild",
            "starter": "random",
            "call": "none",
            "end_on": "any",
        },
        source="karatah.com, for the pack, the deal and the start; the rest is standard",
    ),
    Preset(
        "jcardif",
        "Kadi (Jcardif)",
        "Jacks answer jacks, aces must match, and an illegal play ends the turn.",
        {
            "starter": "winner",
            "answer": "ace",
            "counter": "face",
            "stops": "pass_on",
            "kings_again": False,
            "aces": "match",
            "asks": "suit",
            "joker_match": "under",
            "call": "any",
            "end_on": "ace",
            "wait_cardless": True,
            "fine": 1,
            "fine_ends_turn": True,
        },
        source="the program Kadi by Jcardif, which others have copied",
    ),
    Preset(
        "w3ndo",
        "Kadi (w3ndo)",
        "Every question needs a plain answer; last card is not called.",
        {"answer": "plain", "open_question": "refuse", "asks": "suit", "call": "none"},
        source="“Building Kadi” by w3ndo, 2022",
    ),
    Preset(
        "wufwuf",
        "Kadi (wufwuf)",
        "A jack undoes a jump, and an ace renews a request.",
        {
            "answer": "ace",
            "stops": "cancel",
            "kings_again": False,
            "aces": "own",
            "asks": "renew",
            "joker_ignores_request": True,
            "call": "any",
            "end_on": "ace",
        },
        source="Kadi on wufwuf.io, and its program KingKadi, 2025",
    ),
    Preset(
        "street",
        "Kadi (street and school)",
        "Bombs add up, any bomb counters, and last card is called with one card.",
        {
            "answer": "ace",
            "counter": "any",
            "add_up": True,
            "kings_again": False,
            "asks": "suit",
            "call": "one",
            "forgot": 1,
        },
        source="as in most of the sources in which bombs add up",
    ),
    Preset(
        "matatu",
        "Matatu (Uganda)",
        "Seven cards, no jokers; an 8 jumps and a 7 may end the game.",
        {
            "ranks": "uganda",
            "jokers": False,
            "deal": 7,
            "starter": "random",
            "sets": False,
            "asks": "suit",
            "call": "none",
            "end_on": "any",
            "play_drawn": True,
            "cut": 25,
        },
        source="Matatu as several Ugandan programs play it",
    ),
)
PRESETS = (
    Preset(
        "long", "Long", "Five games; the player who wins the most wins the match.", {"games": 5}
    ),
    Preset("brisk", "With a clock", "Twenty seconds for each turn.", {"turn_seconds": 20}),
    Preset("fines", "With fines", "Two cards for an illegal play.", {"fine": 2}),
    *RULE_SETS[1:],
)
GROUPS = {
    N_("Length and seats"): ("games", "deal", "max_players", "seating"),
    N_("Cards and start"): ("ranks", "jokers", "opener", "starter"),
    N_("Playing cards"): ("sets", "aces", "joker_match", "play_drawn"),
    N_("Questions"): ("answer", "open_question"),
    N_("Bombs, jumps and kickbacks"): ("counter", "add_up", "stops", "kings_again"),
    N_("Requests"): ("asks", "joker_ignores_request"),
    N_("Going out"): ("call", "forgot", "end_on", "wait_cardless", "strict_finish", "cut"),
    N_("Fines"): ("fine", "fine_ends_turn"),
    N_("Time"): ("turn_seconds",),
}
