"""What a text browser shows of a table: every visible card in words, whose turn, each option."""

import re
import shutil
import subprocess

import pytest

from kaboom.core.chance import Chance
from kaboom.games import GAMES
from tests.conftest import missing
from tests.unit.web.conftest import lots, table_path  # noqa: F401
from tests.unit.web.forms import Browser
from tests.unit.web.test_player import begin, waiting_lets_time_pass  # noqa: F401

RANKS = {"A": "Ace", "T": "10", "J": "Jack", "Q": "Queen", "K": "King"}
SUITS = {"S": "Spades", "H": "Hearts", "D": "Diamonds", "C": "Clubs"}
SAID = {"BJ": "Black Joker", "RJ": "Red Joker"} | {
    rank + suit: f"{RANKS.get(rank, rank)} of {name}"
    for suit, name in SUITS.items()
    for rank in "A23456789TJQK"
}
SCORED = ("won",)  # prizes of GOPS, all of one suit: the table of scores gives their ranks
TOPS = {"kaboom": "discard", "karata": "pile"}  # the piles one plays on


def dump(html):
    """Return what w3m shows of a page."""
    if not shutil.which("w3m"):
        missing("w3m (Debian's package)")
    command = ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "132"]
    shown = subprocess.run(
        command, input=html.encode(), capture_output=True, check=True, timeout=20
    )
    return shown.stdout.decode()


def lines_of(text):
    """Return the lines without what lists put before them."""
    return [
        re.sub(r"^\s*(•|\d+\.)?\s*(\[[ *]\])?\s*", "", line).rstrip() for line in text.splitlines()
    ]


def missing_from(text, person, snapshot):
    """Return what a page should name and does not."""
    lines, text = lines_of(text), " ".join(text.split())  # names go on on the next line
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
        if not any(re.match(rf"{re.escape(words)}($| [a-z0-9])", line) for line in lines):
            found.append(f"on a line of its own: {words}")
    return found


@pytest.mark.parametrize("game", list(GAMES))
def test_every_visible_card_the_turn_and_each_option_stand_there_in_words(game, app, service):
    ann = Browser(app.test_client())
    begin(ann, game)
    path, seen = table_path(ann), 0
    for n in range(60):
        if n % 3 == 0:
            ann.open(path)
            snapshot = service.look(path[3:])
            text = dump(ann.html)
            assert missing_from(text, ann, snapshot) == [], text
            seen += 1
        if not ann.play_on(Chance(bytes(32), n, "dump")):
            break
        assert ann.status in (200, 409, 422), ann.page.text
    assert seen > 2
