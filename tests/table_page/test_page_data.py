"""The parts of a table's page for given values."""

from dataclasses import replace

import pytest
from markupsafe import Markup

from kaboom.engine.table_view import (
    Ask,
    Clock,
    DayWait,
    LogLine,
    MatchControls,
    SeatLine,
    Settings,
    Shown,
    TablePage,
)
from kaboom.engine.texts import Names
from kaboom.engine.toolkit.tips import TipLine
from kaboom.engine.views import Offer, Outcome, Prompt, Saying, View, Zone
from kaboom.table_page.table_html import game_table
from tests.engine.sealed_bids import SEALED_BIDS, Options

BOARD = Markup('<div class="table-area">the board</div>')
ASK = Ask("Are you sure?", "1 bid 9C", "move", [("move", "1 bid 9C")])
OVER = Outcome((3, 1), (1, 2), "won")
STOPPED = Outcome((0, 0), (1, 1), "stopped")
TIP = TipLine("first", "Bid low at first.", "bidding", False)
MINE = DayWait(0, "Ann", True, "2 days", "", 172800.0, False)
BENS = DayWait(1, "Ben", False, "3 hours", "", 10800.0, True)
OF_HER = Prompt(0, (Offer(0, "bid", (), 0, 0, False, "", True, False, "tttt"),))
CARDS = View(0, (Zone.up("hand", 0, ("9C",)),), Saying("bidding"))
OF_CARDS = Prompt(
    0, (Offer(0, "bid", ("9C",), 1, 1, False, "", True, False, "cccc", playable=("9C",)),)
)
SCROLLS = 'tabindex="0" role="group" aria-label="In the middle"'


@pytest.fixture
def drawn(app):
    """Return a function that opens Ann's and Ben's table of a game with these regions."""

    def table(shown=(), **page):
        board = Shown("any", **{"board": BOARD, "standing": "3 won", **dict(shown)})
        game = replace(SEALED_BIDS, key="gops", regions=lambda page, draw: board)
        told = {
            "me": 0,
            "playing": True,
            "match": 1,
            "view": View(0, (), Saying("bidding")),
            "waiting": (1,),
            "seats": [SeatLine(0, "Ann", mine=True), SeatLine(1, "Ben")],
        }
        page = TablePage(
            "CODE",
            "/t/CODE",
            game,
            Options(),
            "7",
            names=Names(("Ann", "Ben"), page.get("me", 0)),
            **({"settings": Settings()} | told | page),
        )
        with app.test_request_context():
            return game_table(page)

    return table


def has_and_lacks(html, has, lacks):
    """Assert what a page contains and what it lacks."""
    for text in (has,) if isinstance(has, str) else has:
        assert text in html, text
    for text in (lacks,) if isinstance(lacks, str) else lacks:
        assert text not in html, text


def lines(*fresh):
    return tuple(
        LogLine(number, f"line {number}", it, "kind", "", f"<li>line {number}</li>")
        for number, it in enumerate(fresh)
    )


PARTS = {
    "a game's announcement and note are beside the status": (
        {"heard": " Ben has bid.", "told": '<p id="told">first bids</p>'},
        {},
        (' aria-describedby="told"', "Ben has bid.</h2>", "first bids"),
        "hint-",
    ),
    "a game's note without an id is not announced": (
        {"told": "<p>first bids</p>"},
        {},
        "first bids",
        "aria-describedby",
    ),
    "a hint is announced instead of the game's note": (
        {"told": '<p id="told">first bids</p>'},
        {"controls": MatchControls(hint="Bid nine.")},
        ('aria-describedby="hint-7"', 'id="hint-7"><b>A hard bot says:</b> Bid nine.'),
        ('aria-describedby="told"', 'class="note"', SCROLLS),
    ),
    "a question replaces the game's note and the buttons": (
        {"told": '<p id="told">first bids</p>'},
        {"ask": ASK, "prompt": OF_HER, "waits": (MINE,), "plan": "bid 9"},
        (' aria-describedby="asks"', 'id="asks">Are you sure?', "Yes, do it", SCROLLS),
        (
            "first bids",
            'aria-describedby="told"',
            'id="offers"',
            "Waiting for",
            'class="hint">You',
            "In advance:",
        ),
    ),
    "an answer to a press is shown beside the question": (
        {},
        {"ask": ASK, "notice": "Too late."},
        ("Are you sure?", 'role="alert">Too late.'),
        (),
    ),
    "without a note or a question the middle does not scroll": (
        {},
        {},
        'class="table-area"',
        (SCROLLS, 'class="note"'),
    ),
    "a game's note is above the board": (
        {"note": Markup("<b>points</b>")},
        {},
        ('<div class="note"><b>points</b></div>', SCROLLS),
        (),
    ),
    "the notice that a bot plays for others takes no space": (
        {},
        {"controls": MatchControls(bots_for=("Ben", "Cid"))},
        ("A bot plays for Ben, Cid.",),
        ('class="note"', SCROLLS),
    ),
    "a newcomer is given a tip": ({}, {"tip": TIP}, ("Bid low at first.", "#bidding"), ()),
    "the player on turn has buttons": (
        {},
        {"prompt": OF_HER, "waiting": (0,)},
        ('class="action-bar mine"', 'value="tttt bid"', 'id="offers"'),
        ("Waiting for", "/wait?"),
    ),
    "the effect of pressing a card is explained if the game says nothing": (
        {},
        {"view": CARDS, "prompt": OF_CARDS, "settings": Settings(confirm=False)},
        "press the card",
        (),
    ),
    "a game's sentence replaces the explanation of a press": (
        {"told": "<p>first bids</p>"},
        {"view": CARDS, "prompt": OF_CARDS, "settings": Settings(confirm=False)},
        "first bids",
        "press the card",
    ),
    "so does the reason for a refusal": (
        {},
        {
            "view": CARDS,
            "prompt": OF_CARDS,
            "settings": Settings(confirm=False),
            "notice": "Too late.",
        },
        "Too late.",
        "press the card",
    ),
    "where cards are lifted the page says how they are played": (
        {"lifting": "Bid it"},
        {"view": CARDS, "prompt": OF_CARDS},
        "Press a card, then press it again or press “Bid it”.",
        "press the card",
    ),
    "a waiting player sees for whom, and can wait without scripts": (
        {},
        {},
        ("Waiting for Ben.", "/wait?v=7"),
        ('class="action-bar mine"', 'id="offers"', "Move in advance"),
    ),
    "an awaited player is not named twice": (
        {"names_waited_for": False},
        {},
        "/wait?v=7",
        "Waiting for",
    ),
    "a game's own prompt replaces the buttons": (
        {"prompt": ("<p>own prompt</p>",)},
        {"prompt": OF_HER},
        "own prompt",
        'value="tttt bid"',
    ),
    "a premove is shown with a link that cancels it": (
        {},
        {"plan": "bid 9", "may_plan": True},
        "In advance: bid 9. Cancel",
        '/ahead">Decide',
    ),
    "a waiting player may premove": ({}, {"may_plan": True}, "Move in advance", "In advance:"),
    "the player on turn has no premove": (
        {},
        {"may_plan": True, "prompt": OF_HER},
        (),
        "Move in advance",
    ),
    "a player can end a pause": (
        {},
        {"controls": MatchControls(paused=True, may_propose=True)},
        ('id="go-on"', "The match is paused"),
        (),
    ),
    "a viewer without a say cannot end a pause": (
        {},
        {"controls": MatchControls(paused=True)},
        "The match is paused",
        'id="go-on"',
    ),
    "a running match offers no resumption": (
        {},
        {"controls": MatchControls(may_propose=True)},
        (),
        'id="go-on"',
    ),
    "in correspondence each player sees the time left": (
        {},
        {"waits": (MINE, BENS)},
        ('<p class="hint">You have 2 days left.</p>', "Remind Ben", "Correspondence play"),
        "Remind Ann",
    ),
    "in correspondence a waiting player is not told twice": (
        {"told": "<p>Ben thinks</p>"},
        {"waits": (BENS,)},
        "<li>Ben has 3 hours left.</li>",
        '<p class="hint">Ben has',
    ),
    "in correspondence a waiting player sees the other's time": (
        {},
        {"waits": (BENS,)},
        '<p class="hint">Ben has 3 hours left.</p>',
        (),
    ),
    "in correspondence the viewer's time is beside the game's sentence": (
        {"told": "<p>you think</p>"},
        {"waits": (MINE,)},
        '<p class="hint">You have 2 days left.</p>',
        (),
    ),
    "a running clock is shown, with more time where offered": (
        {},
        {"clocks": (Clock(9.0, 30.0, more=True),)},
        ('data-left="9.0"', "<b>9</b>", 'id="more-1"'),
        ('id="more-2"', " held"),
    ),
    "a hidden clock is not shown": (
        {"clocks": False},
        {"clocks": (Clock(9.0, 30.0, more=True),)},
        (),
        ("data-left", 'id="more-1"'),
    ),
    "a player has a plate with their score": ({}, {}, ("<b>You</b>", "3 won"), ()),
    "a spectator has neither plate nor exit nor bot": (
        {},
        {"me": None},
        "Waiting for Ben.",
        ("<b>You</b>", 'id="hand-over"', "/leave"),
    ),
    "a player who sat down during the match has an exit but no plate": (
        {},
        {"me": 2},
        "Pause, leave",
        "<b>You</b>",
    ),
    "a player may let a bot play, and leave": (
        {},
        {},
        ('id="hand-over"', "Pause, leave or verify the shuffles"),
        'id="hint"',
    ),
    "a player who may ask for a hint has a button": (
        {},
        {"may_ask_hint": True},
        ('id="hint"', 'value="7"'),
        (),
    ),
    "a player with a substitute bot is offered no other": (
        {},
        {"controls": MatchControls(away=True, bot=True), "may_ask_hint": True},
        'I am back<span class="tail"> and want to play</span>',
        ('id="hand-over"', 'id="hint"'),
    ),
    "no player lets a bot play at a table of the house": (
        {},
        {"by_house": True},
        (),
        'id="hand-over"',
    ),
    "but at a tournament table they do": (
        {},
        {"by_house": True, "tournament": "/tournaments/CUP"},
        'id="hand-over"',
        (),
    ),
    "a step of a replay has no controls": (
        {},
        {"replay": True, "waits": (BENS,), "may_ask_hint": True, "promise": "abc"},
        (),
        ('id="hand-over"', "Correspondence play", "/leave", "Cut the cards", 'id="hint"'),
    ),
    "the lines since the viewer's move are counted and linked": (
        {},
        {"log": lines(False, True, True)},
        ("<li>line 0</li><li>line 1</li>", 'href="#ev-1">Since your last move: 2 lines'),
        (),
    ),
    "without new lines nothing is counted": (
        {},
        {"log": lines(False)},
        "<li>line 0</li>",
        "Since your last move",
    ),
    "a game's side panel precedes the log": (
        {"beside": "<p>round 3</p>"},
        {},
        "<p>round 3</p>",
        (),
    ),
    "the end says who won and how, and drops earlier notes": (
        {"heard": " heard", "told": '<p id="told">told</p>', "how": "By two cards."},
        {"outcome": OVER, "playing": False},
        ("Place ", "By two cards.", "3 points", "ring last any", 'class="ending won"'),
        (" heard", ">told<", "aria-describedby", "Waiting for"),
    ),
    "the end gives the points where the game has no words for them": (
        {},
        {"outcome": OVER, "playing": False},
        ("3 points", "Place "),
        (),
    ),
    "final amounts need not be points": (
        {"counted": ("nine tricks", "one trick")},
        {"outcome": OVER, "playing": False},
        ("nine tricks", "one trick"),
        "3 points",
    ),
    "the winning card is shown": (
        {"last": "9C"},
        {"outcome": OVER, "playing": False},
        ('class="last-card"', "9 of Clubs"),
        (),
    ),
    "a stopped match has no winner": (
        {"told": '<p id="told">told</p>'},
        {"outcome": STOPPED, "playing": False},
        ("The match ended without a result.", ">told<", 'class="ring any"'),
        'class="ending',
    ),
    "a finished match offers a rematch and its record": (
        {},
        {"outcome": OVER, "playing": False, "record": "REC0RD", "commitment": "c0mm1t"},
        ('id="rematch"', "/m/REC0RD", "Verify this match", "c0mm1t", "/leave"),
        ("The previous match", 'id="hand-over"'),
    ),
    "before the end the previous match's record is linked": (
        {},
        {"before": "BEF0RE", "commitment": "c0mm1t"},
        "/m/BEF0RE",
        ("Verify this match", "c0mm1t"),
    ),
    "a spectator sees the hash of the cards": (
        {},
        {"me": None, "commitment": "c0mm1t"},
        ("c0mm1t", "Verify the shuffles", "The seed itself is shown when"),
        (),
    ),
    "the next shuffle is promised, and cut": (
        {},
        {"promise": "pr0mise", "outcome": OVER, "playing": False},
        ("pr0mise", "Cut the cards"),
        (),
    ),
}


@pytest.mark.parametrize("what", PARTS)
def test_table_page_has_the_expected_parts(drawn, what):
    shown, page, has, lacks = PARTS[what]
    has_and_lacks(drawn(shown, **page), has, lacks)
