"""A text browser's view of a table: every visible card in words, the turn, each option."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache

import pytest

from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.tables.snapshot import TableSnapshot
from tests.conftest import missing
from tests.support.browsing import fake_ids, table_path  # noqa: F401
from tests.support.effort import PATIENCE, often
from tests.support.forms import Browser, Page
from tests.table_page.test_many_matches import begin

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")

RANKS = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
SUITS = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
SAID = {"BJ": "Black Joker", "RJ": "Red Joker"} | {
    rank + suit: f"{RANKS.get(rank, rank)} of {name}"
    for suit, name in SUITS.items()
    for rank in "A23456789TJQK"
}
SCORED = ("won",)  # prizes of GOPS, all of one suit: the score table gives their ranks
TOPS = {"kaboom": "discard", "karata": "pile"}  # the piles that players play on


@cache
def dump(html, columns=132):
    """Return w3m's rendering of a page."""
    if not shutil.which("w3m"):
        missing("w3m (Debian's package)")
    command = [
        "w3m",
        "-dump",
        "-T",
        "text/html",
        "-I",
        "UTF-8",
        "-O",
        "UTF-8",
        "-cols",
        str(columns),
    ]
    shown = subprocess.run(
        command, input=html.encode(), capture_output=True, check=True, timeout=PATIENCE
    )
    return shown.stdout.decode()


def lines_of(text):
    """Return the lines without their list markers."""
    return [
        re.sub(r"^\s*(•|\d+\.)?\s*(\[[ *]\])?\s*", "", line).rstrip() for line in text.splitlines()
    ]


def missing_from(text, person, snapshot):
    """Return required words that are missing on a page."""
    lines, text = lines_of(text), " ".join(text.split())  # names continue on the next line
    view = snapshot.game.view(snapshot.state, 0)
    zones = [zone for zone in view.zones if zone.name not in SCORED]
    cards = {card for zone in zones for card in zone.cards if card not in ("?", "_")}
    found = [card for card in cards if not re.search(rf"\b{SAID.get(card, card)}\b", text)]
    top = view.zone(TOPS[snapshot.game.key]).cards if snapshot.game.key in TOPS else ()
    if top and not re.search(
        rf"(Discard|On top:)\s+(\d+ cards?\s+)?(Take the )?{SAID[top[-1]]}", text
    ):
        found.append(f"the top of the pile, {top[-1]}")
    heading = re.search(r'<h2 id="status".*?>(.*?)</h2>', person.html, re.S)[1]
    if re.sub(r"<.*?>|\s+", " ", heading).strip().split(".")[0] not in text:
        found.append(f"whose turn it is: {heading}")
    for _, button in person.page.moves():
        words = re.sub(r"\s+", " ", button[2])
        row = rf"(\d+ )*{words}( \d+)*$"  # numbers are in a row, under one label
        alone = row if words.isdecimal() else rf"{re.escape(words)}($| [a-z0-9])"
        if not any(re.match(alone, line) for line in lines):
            found.append(f"on a line of its own: {words}")
    return found


# What is played on or for: the middle zones of each game, whose cards must all be visible.
MIDDLES = {"kaboom": "discard", "karata": "pile", "gops": "offer", "taken": "row", "koth": "trick"}
LARGE = 13  # cards; more of them, with a line between suits, would fill the screen alone
CALLING = "call"  # when one of all 54 cards is called, which takes 14 lines


def left_out_of_the_first_screen(person, snapshot):
    """Return what is missing in the 24 lines of 80 characters that begin with the status."""
    lines = dump(person.html, 80).splitlines()
    heading = re.search(r'<h2 id="status".*?>(.*?)</h2>', person.html, re.S)[1].split("<br>")[0]
    first = " ".join(re.sub(r"<.*?>", "", heading).split())[:30]
    begins = next(n for n, line in enumerate(lines) if first in line)
    screen = " ".join(" ".join(lines[begins : begins + 24]).split())
    view = snapshot.game.view(snapshot.state, 0)
    zones = view.zones_named(MIDDLES.get(snapshot.game.key, "trick"))
    middle = [card for zone in zones for card in zone.cards]
    if snapshot.game.key == "karata":
        middle = middle[-1:]
    own = [card for it in view.zones if (it.name, it.owner) == ("hand", 0) for card in it.cards]
    if len(own) > LARGE:  # the heading says what was led, and the trick is on the next screen
        middle = []
    found = [begins] if begins > 8 else []
    for card in middle + (own if view.facts.get("stage") != CALLING else []):
        if card not in ("?", "_") and not re.search(rf"\b{SAID.get(card, card)}\b", screen):
            found.append(card)
    if snapshot.game.key == "kaboom" and "bottom right" not in screen:
        found.append("the own grid")
    return found


@dataclass(frozen=True)
class Seen:
    """Ann's page of a table, and the state at that time."""

    html: str
    page: Page
    snapshot: TableSnapshot


WALKS: dict[tuple[str, str], list[Seen]] = {}


@pytest.fixture
def walk(app, service):
    """A function that returns what Ann sees in her first steps at a table, by random choices.

    `make test` plays one sequence for all tests, `make soak` a longer one for each.
    """

    def walked(game, way):
        way = often("all", soak=way)
        if (game, way) not in WALKS:
            WALKS[game, way] = list(steps(game, way))
        return WALKS[game, way]

    def steps(game, way):
        ann = Browser(app.test_client())
        begin(ann, game)
        path = table_path(ann)
        for n in range(often(40, soak=60)):
            ann.open(path)
            yield Seen(ann.html, ann.page, service.get(path[3:]))
            if not ann.play_on(Rng(bytes(32), n, way)):
                break
            assert ann.status in (200, 409, 422), ann.page.text

    return walked


@pytest.mark.parametrize("game", list(GAMES))
def test_screen_of_24_lines_holds_status_own_cards_and_table(game, walk):
    asked = [
        seen
        for seen in walk(game, "screen")[:40:2]
        if seen.snapshot.table.playing and 0 in seen.snapshot.waiting_for()
    ]
    for seen in asked:
        assert left_out_of_the_first_screen(seen, seen.snapshot) == [], dump(seen.html, 80)
    assert len(asked) > 2


@pytest.mark.parametrize("game", list(GAMES))
def test_text_does_not_refer_to_appearance(game, walk):
    for seen in walk(game, "words")[:40]:
        words = dump(seen.html)
        assert not re.search(r"(?i)marked|raised|coloured|glow|shaded", words), seen.html


@pytest.mark.parametrize("game", list(GAMES))
def test_visible_cards_turn_and_options_are_in_words(game, walk):
    asked = walk(game, "dump")[::3]
    for seen in asked:
        text = dump(seen.html)
        assert missing_from(text, seen, seen.snapshot) == [], text
    assert len(asked) > 2
