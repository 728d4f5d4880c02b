"""The contents of a page as text, speech and JSON: each part, present and absent."""

from dataclasses import replace

import pytest
from msgspec import UNSET

from kaboom.engine.table_view import (
    Clock,
    DayWait,
    LogLine,
    MatchControls,
    SeatLine,
    Settings,
    TablePage,
    VoteLine,
)
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.tips import TipLine
from kaboom.engine.views import Offer, Outcome, Prompt, Saying, Scores, View, Zone
from kaboom.table_page import speech
from kaboom.table_page.api import short, table_of
from kaboom.table_page.table_html import REVISION
from kaboom.table_page.text import _wrapped, lines_of, text_of
from tests.engine.sealed_bids import SEALED_BIDS, Options

WORDS = replace(
    SEALED_BIDS.words,
    offers={"bid": "Bid a card", "give": "Give cards", "pass": "Pass"},
    rules={"bid": "bidding"},
)
GAME = replace(
    SEALED_BIDS,
    words=WORDS,
    now=lambda view: [Saying("turned", {"card": "KS"})],
    standing=lambda view: [Saying("won.you", {"cards": ["KS"]})],
)
ZONES = (
    Zone("pot", None, ("KS",)),
    Zone.down("prizes", None, 3),
    Zone("hand", 0, ("9C", "9C", "?"), ("0.0", "0.1", "0.2"), marks={"0.1": "seen"}),
    Zone("hand", 1, ("?", "?", "_")),
    Zone("won", 0, ()),
)
VIEW = View(0, ZONES, Saying("bidding"), scores=Scores(("Won", "Left"), ((3, 9), (1, 9))))
LOG = (
    LogLine(1, "Ann bids.", False, "bid"),
    LogLine(2, "Ben bids.", True, "bid"),
    LogLine(3, "The king is on offer.", True, "turned"),
)
CHAIRS = [
    SeatLine(0, "Ann", mine=True, host=True),
    SeatLine(1, "Bo", bot=True, level="hard", ready=True),
    SeatLine(2),
]


def offer(verb, options=(), least=0, most=0, *, ordered=False, blocks=True, confirm=False):
    token = f"{verb}-token"
    return Offer(
        0, verb, options, least, most, ordered, "", blocks, confirm, token, playable=options
    )


BID = offer("bid", ("9C", "9H"), 1, 1, confirm=True)
GIVE = offer("give", ("9C", "9H", "KS"), 0, 2, ordered=True, blocks=False)
BOTH = offer("give", ("9C", "9H"), 2, 2, ordered=True)
PASS = offer("pass", blocks=False)


def page(**more):
    told = {
        "seats": CHAIRS[:2],
        "names": Names(("Ann", "Bo"), more.get("me", 0)),
        "settings": Settings(),
        "me": 0,
        "playing": True,
        "match": 2,
        "view": VIEW,
        "log": LOG,
        "waiting": (1,),
        "marks": {REVISION: "17"},
    }
    return TablePage("CODE", "/t/CODE", GAME, Options(), "v", **(told | more))


@pytest.fixture(autouse=True)
def asked(app):
    with app.test_request_context():
        yield


LYING = [
    "Pot: KS  Prizes: 3 face down",
    "Hand, yours: 9C 9C (seen) ?",
    "Hand, Bo: ? ? _",
    "Won, yours: -",
    "Bots: Bo.",
]
STANDS = "As it stands: You win King of Spades."
BIDDING = ["Sealed bids CODE, match 2", "Both players bid."]
HEARD = ["- Ben bids.", "- The king is on offer."]
WAIT = ["wait: GET /t/CODE.txt?wait=25&v=17"]
MINE = DayWait(0, "Ann", True, "2 days", "", 9.0, False)
WON, STOPPED = Outcome((3, 1), (1, 2), "won"), Outcome((0, 0), (1, 1), "stopped")
BEFORE = {"view": None, "playing": False, "match": 0, "log": (), "seats": CHAIRS}
OPEN = [
    "Sealed bids CODE",
    "The match has not begun. At the table: Ann and Bo (bot).",
    "1: Ann, host, you",
    "2: Bo, bot, ready",
    "3: free",
]
AFFAIRS = MatchControls(
    vote=VoteLine(1, "Bo proposes a pause.", ("Bo",), ("Ann",)),
    hint="Bid 9.",
    away=True,
    done=("Bid 2",),
    bots_for=("Bo",),
)

TEXT = {
    "a waiting player is told where to wait": ({}, [*BIDDING, *HEARD, *LYING, STANDS, *WAIT]),
    "spectators read whose cards they see": (
        {"me": None, "view": View(None, ZONES[2:4], Saying("bidding"))},
        [
            *BIDDING,
            *HEARD,
            "Hand, Ann: 9C 9C (seen) ?",
            "Hand, Bo: ? ? _",
            "Bots: Bo.",
            STANDS.replace(": You", ": King of Spades is on offer. You"),
            *WAIT,
        ],
    ),
    "moves are numbered continuously, with their choices": (
        {"prompt": Prompt(0, (BID, GIVE, PASS))},
        [
            *BIDDING,
            *HEARD,
            *LYING,
            STANDS,
            "bid: Bid a card (choose 1)",
            "1 9C  2 9H",
            "give: Give cards (choose 0 to 2, in order)",
            "3 9C  4 9H  5 KS  6 nothing",
            "7 pass: Pass",
            "move: POST /t/CODE/move",
            "answers=259d024650 move=",
            *WAIT,
        ],
    ),
    "a fixed number of cards is named": (
        {"prompt": Prompt(0, (BOTH,))},
        [
            *BIDDING,
            *HEARD,
            *LYING,
            STANDS,
            "give: Give cards (choose 2, in order)",
            "1 9C  2 9H",
            "move: POST /t/CODE/move",
            "answers=389b52496c move=",
            *WAIT,
        ],
    ),
    "a player who may move out of turn may also wait": (
        {"prompt": Prompt(0, (PASS,))},
        [
            *BIDDING,
            *HEARD,
            *LYING,
            STANDS,
            "1 pass: Pass",
            "move: POST /t/CODE/move",
            "answers=e306fee764 move=",
            *WAIT,
        ],
    ),
    "before the match a seated player can be ready": (
        BEFORE,
        [*OPEN, "ready: POST /t/CODE/ready"],
    ),
    "a ready player is asked nothing": (
        BEFORE | {"seats": [replace(CHAIRS[0], ready=True)]},
        [
            OPEN[0],
            "The match has not begun. At the table: Ann.",
            "1: Ann, host, you, ready",
        ],
    ),
    "a visitor may take a free chair": (
        BEFORE | {"me": None},
        [*OPEN, "sit: POST /t/CODE/sit name="],
    ),
    "without a free chair they may not": (
        BEFORE | {"me": None, "seats": CHAIRS[:2]},
        OPEN[:-1],
    ),
    "the end says who won, in words and in numbers, and where its record is": (
        {"playing": False, "outcome": WON, "record": "RECORD"},
        [
            *BIDDING,
            "You win! 3 points, 2 more than Bo.",
            *HEARD,
            *LYING,
            "outcome=won places=1,2 scores=3,1",
            "record: GET /m/RECORD.txt",
            "rematch: POST /t/CODE/rematch",
        ],
    ),
    "a stopped match has no winner": (
        {"playing": False, "outcome": STOPPED},
        [
            BIDDING[0],
            "The match ended without a result.",
            *HEARD,
            *LYING,
            "outcome=stopped places=1,1 scores=0,0",
            "rematch: POST /t/CODE/rematch",
        ],
    ),
    "a viewer who may not see a match is told only that": (
        {"closed": True, "view": None, "log": (), "me": None, "outcome": WON},
        [BIDDING[0], "A match is being played at this table, and you cannot watch it."],
    ),
    "a match that cannot continue says so": (
        {"frozen": "The match cannot go on.", "view": None, "log": (), "seats": ()},
        [BIDDING[0], "The match cannot go on.", *WAIT],
    ),
    "a tip, the last line if none is new, and the time left": (
        {
            "tip": TipLine("a", "Bid low.", "bidding"),
            "clocks": (Clock(9.7, 30.0), Clock(1.0, 30.0)),
            "log": LOG[:1],
        },
        [
            *BIDDING,
            "Bid low.",
            "- Ann bids.",
            *LYING,
            STANDS,
            "9 seconds left.",
            "1 second left.",
            *WAIT,
        ],
    ),
    "matters beside the game": (
        {"controls": AFFAIRS, "waits": (MINE,)},
        [
            *BIDDING,
            *HEARD,
            *LYING,
            STANDS,
            "Bo proposes a pause.",
            "Bid 9.",
            "You are not playing yourself now.",
            "Bid 2",
            "A bot plays for Bo.",
            "You have 2 days left.",
            *WAIT,
        ],
    ),
}


@pytest.mark.parametrize("what", TEXT)
def test_text_of_a_table_has_the_expected_lines(what):
    more, lines = TEXT[what]
    assert text_of(page(**more)).splitlines() == lines


def test_cards_of_an_empty_seat_have_no_owner():
    zones = tuple(Zone("won", owner, ("KS",)) for owner in (None, 0, 1, 2))
    asked = page(view=View(0, zones, Saying("bidding")))
    assert [speech.whose(asked, it) for it in zones] == ["Won", "Won, yours", "Won, Bo", "Won"]


def test_text_names_cards_in_words_on_request():
    lines = text_of(page(prompt=Prompt(0, (BID,))), words=True).splitlines()
    assert lines[4:12] == [
        "Pot: King of Spades  Prizes: 3 face down",
        "Hand, yours: 9 of Clubs, 9 of Clubs (seen), ?",
        "Hand, Bo: ?, ?, _",
        "Won, yours: -",
        "Bots: Bo.",
        STANDS,
        "bid: Bid a card (choose 1)",
        "1 9 of Clubs  2 9 of Hearts",
    ]


def test_finished_matchs_step_has_its_lines_and_cards():
    assert list(lines_of(page())) == [BIDDING[1], *HEARD, *LYING[:-1]]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a" * 20, ["a" * 20]),
        ("one two three four fi", ["one two three four", "  fi"]),
        ("1 9C  2 9H  3 KS  4 2C", ["1 9C  2 9H  3 KS", "  4 2C"]),
        ("1 9C  2 9H  3 KS 4 5 6", ["1 9C  2 9H", "  3 KS 4 5 6"]),
        ("one two three four five  six", ["one two three four", "    five", "  six"]),
    ],
)
def test_lines_break_between_items_and_indent(text, lines):
    assert _wrapped(text, 20) == lines


# For the ear

NOW, WAITS = "King of Spades is on offer.", "Waiting for Bo."
EVENT = "The king is on offer. Both players bid."
ALL_MOVES = {"prompt": Prompt(0, (BID, GIVE, PASS)), "besides": (offer("pass"),)}
ENDS = {"playing": False, "outcome": WON}
NOTHING = "There is nothing to say about that now."
BY_SEAT = "Ann: Won 3, Left 9. Bo: Won 1, Left 9. You win King of Spades."

SPEECH = {
    "the situation, and for whom it waits": ({}, "", f"{EVENT} {NOW} {WAITS}"),
    "each move once, with the number of choices": (
        ALL_MOVES,
        "",
        f"{EVENT} {NOW} You have 3 moves: Bid a card, one of 2; Give cards, 0 to 2 of 3; Pass."
        " Also: Pass.",
    ),
    "a fixed number of choices": (
        {"prompt": Prompt(0, (BOTH,))},
        "",
        f"{EVENT} {NOW} You have 1 move: Give cards, 2 of 2.",
    ),
    "a single choice is named": (
        {"prompt": Prompt(0, (offer("give", ("9C",), 1, 1),))},
        "",
        f"{EVENT} {NOW} You have 1 move: Give cards, 9C.",
    ),
    "a player who may move out of turn is told who is awaited": (
        {"prompt": Prompt(0, (PASS,))},
        "",
        f"{EVENT} {NOW} {WAITS} You have 1 move: Pass.",
    ),
    "before the match": (BEFORE, "", "The match has not begun. At the table: Ann and Bo, bot."),
    "the end": (ENDS, "", f"{EVENT} You win! 3 points, 2 more than Bo."),
    "a stopped match": (
        {"playing": False, "outcome": STOPPED},
        "",
        f"The king is on offer. The match ended without a result. {NOW}",
    ),
    "the player's own cards": (
        {},
        "hand",
        "Hand, yours: 9 of Clubs, 9 of Clubs, seen, 1 face down. Won, yours: nothing.",
    ),
    "a spectator has none": ({"me": None}, "hand", NOTHING),
    "the table without the player's own cards": (
        {},
        "table",
        f"{NOW} Pot: King of Spades. Prizes: 3 face down. Hand, Bo: 2 face down, 1 empty place. "
        "Bots: Bo.",
    ),
    "the moves by number, with moves beside the game": (
        ALL_MOVES,
        "moves",
        "You have 3 moves. Bid a card, one of 2. 1: 9 of Clubs; or 2: 9 of Hearts."
        " Give cards, 0 to 2 of 3. 3: 9C; 4: 9H; 5: KS; or 6: nothing. 7: Pass. 8: Pass.",
    ),
    "the number of choices": (
        {"prompt": Prompt(0, (BOTH,))},
        "moves",
        "You have 1 move. Give cards, 2 of 2. 1: 9C; or 2: 9H.",
    ),
    "without a move, the situation": ({}, "moves", "Both players bid."),
    "what is new": ({}, "last", "Ben bids. The king is on offer."),
    "the last line if nothing is new": ({"log": LOG[:1]}, "last", "Ann bids."),
    "nothing has happened yet": ({"log": ()}, "last", NOTHING),
    "no time runs": ({}, "clock", "No clock is running."),
    "how long it runs": ({"clocks": (Clock(9.7, 30.0),)}, "clock", "9 seconds left."),
    "how many days": ({"waits": (MINE,)}, "clock", "You have 2 days left."),
    "the standings": ({}, "score", BY_SEAT),
    "the final standings": (ENDS, "score", f"You win! 3 points, 2 more than Bo. {BY_SEAT}"),
    "no standings before the match": (BEFORE, "score", NOTHING),
    "moves without a preview": (
        ALL_MOVES,
        "would",
        "Both players bid. Bid a card, one of 2. Give cards, 0 to 2 of 3. Pass.",
    ),
    "a player without a move hears the situation": ({}, "would", "Both players bid."),
    "a spectator hears it, too": ({"me": None}, "would", "Both players bid."),
    "an unknown question is answered with the situation": ({}, "whist", f"{EVENT} {NOW} {WAITS}"),
}


@pytest.mark.parametrize("what", SPEECH)
def test_speech_of_a_table_has_the_expected_words(what):
    more, about, said = SPEECH[what]
    asked = page(**more)
    assert (speech.about(asked, about, 1) if about else speech.said(asked)) == said


def test_note_on_one_of_identical_cards_spares_the_others():
    places = ("1.0", "1.1", "1.2", "1.3", "1.4")
    marks = {"1.1": "looked at", "1.2": "looked at", "1.4": "replaced"}
    grid = Zone("grid", 1, ("?",) * 4 + ("_",), places, marks)
    said = speech.about(page(view=View(0, (grid,), Saying("bidding"))), "table", 1)
    assert said.endswith(
        "Grid, Bo: 1 face down, 2 face down, looked at, 1 face down, 1 empty place, replaced."
        " Bots: Bo."
    )


def test_table_and_prompt_are_spoken_within_sixty_words():
    long = replace(GAME, now=lambda view: [Saying("turned", {"card": card}) for card in MANY])
    said = speech.said(replace(page(), game=long))
    assert len(said.split()) == 59, "another sentence of six words would be too long"
    assert said.endswith(f"{MANY_SAID} {WAITS}") and said.count("is on offer") == 1 + 8
    moves = speech.said(replace(page(**ALL_MOVES), game=long))
    assert moves.endswith("You have 3 moves.") and len(moves.split()) <= 60


MANY = ("KS",) * 20
MANY_SAID = " ".join([NOW] * 8)


def test_speech_response_stops_after_sixty_words():
    words = ["word"] * 60
    assert speech.cut(" ".join(words)) == " ".join(words)
    assert speech.cut(" ".join([*words[:-1], "word,", "more"])) == " ".join(words) + "."


def test_speech_list_is_paged_by_sixty_words():
    log = tuple(LogLine(at, f"Line {at} has five words.", True) for at in range(25))
    asked = page(log=log)
    pages = [speech.about(asked, "last", number) for number in (1, 2, 3)]
    assert pages[0].startswith("Line 0 ") and pages[0].endswith(" More on page 2.")
    assert pages[2].endswith("Line 24 has five words.") and "More on" not in pages[2]
    assert [len(it.split()) for it in pages] == [54, 54, 25]
    assert speech.about(asked, "last", 0) == pages[0]
    assert speech.about(asked, "last", 4) == pages[2]


# As JSON


def test_a_choice_is_short_enough_for_six_braille_cells():
    said = [short("9C", "9 of Clubs"), short("0.0", "first"), short("clubs", "Clubs!")]
    assert said == ["9C", "first", "Clubs!"]
    assert short("diamonds", "Diamonds") == "diamon"


def test_moves_are_listed_with_all_of_their_choices():
    told = table_of(page(prompt=Prompt(0, (BID, GIVE, PASS))), 17)
    bid, give, pass_ = told.moves
    assert [(it.n, it.choice, it.label, it.short) for it in bid.options] == [
        (1, "9C", "9 of Clubs", "9C"),
        (2, "9H", "9 of Hearts", "9H"),
    ]
    assert (bid.verb, bid.label, bid.rule, bid.least, bid.most) == (
        *("bid", "Bid a card", "bidding", 1, 1),
    )
    assert (bid.blocks, bid.confirm, bid.ordered, bid.n) == (True, True, False, UNSET)
    assert bid.ask and not give.ask
    assert (give.n, give.least, give.most, give.ordered, give.blocks) == (6, 0, 2, True, False)
    assert (pass_.n, pass_.options, pass_.rule) == (7, [], "")
    assert told.menu == "259d024650" and table_of(page(), 17).menu == ""


def test_log_is_sent_from_a_given_line():
    heard = table_of(page(), 17, after=1).log
    assert [(it.n, it.kind, it.text, it.fresh) for it in heard] == [
        (2, "bid", "Ben bids.", True),
        (3, "turned", "The king is on offer.", True),
    ]
    assert len(table_of(page(), 17).log) == 3


STAGES = [
    ({}, "playing", {"move", "propose", "vote"}),
    (BEFORE, "open", {"sit", "ready", "cut"}),
    (ENDS, "over", {"sit", "rematch", "remove"}),
    ({"closed": True}, "closed", set()),
    ({"host": True}, "playing", {"door", "bots"}),
    (BEFORE | {"host": True}, "open", {"options", "seats", "door", "bots"}),
    (ENDS | {"record": "REC"}, "over", {"record"}),
]


@pytest.mark.parametrize(("more", "stage", "doors"), STAGES)
def test_each_stage_has_its_links_and_extra_ones_for_the_host(more, stage, doors):
    told = table_of(page(**more), 17)
    assert told.stage == stage
    assert doors <= told.links.keys()
    assert ("options" in told.links) == bool(more.get("host") and stage == "open")
    assert told.links["self"] == "/t/CODE.json" and told.links["rules"] == "/t/CODE/rules"
    assert told.links.get("record") == ("/m/REC.json" if "record" in more else None)


def test_chairs_name_their_players():
    seats = [
        *CHAIRS,
        SeatLine(3, "Cid", stand_in=True, program=True),
        SeatLine(4, "Dot", present=False),
    ]
    told = table_of(page(seats=seats), 17).chairs
    assert [(it.seat, it.name, it.bot, it.level, it.playing) for it in told] == [
        (0, "Ann", False, "", ""),
        (1, "Bo", True, "hard", ""),
        (2, "", False, "", ""),
        (3, "Cid", False, "", "bot"),
        (4, "Dot", False, "", "gone"),
    ]
    assert [(it.mine, it.host, it.ready, it.program) for it in told] == [
        (True, True, False, False),
        (False, False, True, False),
        (False, False, False, False),
        (False, False, False, True),
        (False, False, False, False),
    ]


def test_votes_and_pauses_are_included():
    controls = replace(AFFAIRS, paused=True, may_propose=True, plan="bid 9C", plan_comes=True)
    told = table_of(
        page(controls=controls, may_ask_hint=True, frozen="gone", late=True, waits=(MINE,), days=3),
        17,
    )
    it = told.affairs
    assert (it.paused, it.away, it.may_propose, it.may_ask, it.late) == (True,) * 5
    assert (it.hint, it.done, it.bots_for, it.frozen) == ("Bid 9.", ["Bid 2"], ["Bo"], "gone")
    assert (it.plan, it.plan_comes, it.vote) == ("bid 9C", True, AFFAIRS.vote)
    (waited,) = told.waits
    assert (waited.seat, waited.left, waited.nudge) == (0, 9.0, False)
    assert (told.days, told.revision, told.match, told.me) == (3, 17, 2, 0)
