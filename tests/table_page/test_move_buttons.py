"""Every button that makes a move belongs to a form, wherever it is on the table."""

import pytest

from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from tests.support.effort import often
from tests.support.html import Attributes, Markup

TICKS = (1, 1, 2, 8)  # cards played alone or as a pair, or buried
BESIDE_THE_HAND = {
    "kaboom": {"board"},
    "karata": {"from-deck"},
}  # forms of piles that can be pressed


class MoveButtons(Markup):
    """Reads the ids of a page's forms, and the form of each button that makes a move."""

    def __init__(self, html: str) -> None:
        self.inside = ""
        self.forms: set[str] = set()
        self.used: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Attributes) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = given.get("id") or "?"
            self.forms.add(self.inside)
        elif tag == "button" and given.get("name") == "move":
            self.used.append(given.get("form") or self.inside)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = ""


@pytest.mark.parametrize("game", GAMES)
def test_every_button_of_a_move_belongs_to_a_form(game, table, service, fake_clock):
    seats = GAMES[game].seats(GAMES[game].options())
    path, people = table(
        *["Ann", "Ben", "Cid", "Dot", "Eve"][: min(max(3, seats[0]), seats[-1])], game=game
    )
    used = set()
    for n in range(often(80, soak=500)):
        person, rng = people[n % len(people)], Rng(bytes(32), n, "presses")
        person.open(path)
        buttons = MoveButtons(person.html)
        assert buttons.forms.issuperset(buttons.used), person.html
        used.update(buttons.used)
        if moves := person.page.moves():
            form, button = rng.choice(moves)
            person.send(form, button, rng.sample(form.boxes, rng.choice(TICKS)))
            if "Yes, do it" in person.html:
                person.press("Yes, do it")
        else:
            fake_clock.sleep(5)
            service.run_due(path[3:])
    assert used >= BESIDE_THE_HAND.get(game, set())
