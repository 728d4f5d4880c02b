"""Whole matches by links and forms alone, from the home page to the rematch."""

import pytest

from kaboom.engine.options import written
from kaboom.engine.rng import Rng
from kaboom.games import GAMES, sample
from tests.support.browsing import table_path
from tests.support.effort import LONG

TICKS = (1, 1, 2, 3, 8)  # cards played alone or as a pair, cards passed or buried


def play_on(service, fake_clock, people, path, most=4000):
    """Press random buttons until the match is over; return the number of presses."""
    code = path.rsplit("/", 1)[-1]
    for n in range(most):
        if service.get(code).table.outcome is not None:
            return n
        rng = Rng(bytes(32), n, "presses")
        moved = False
        for person in rng.shuffled(people):
            person.open(path)
            moves = person.page.moves()
            if not moves or (not person.page.title.startswith("Your turn") and rng.randrange(6)):
                continue
            form, button = rng.choice(moves)
            ticked = rng.sample(form.boxes, rng.choice(TICKS))
            person.send(form, button, ticked)
            assert person.status in (200, 409, 422), person.page.text
            if "Yes, do it" in person.html:
                person.press("Yes, do it")
            moved = True
            break
        if not moved:
            fake_clock.sleep(20)
            service.run_due(code)
    raise AssertionError(f"the match did not end in {most} presses")


# The two longest are also played by forms in tests/table_page/games/.
PLAYED = [game for game in GAMES if LONG or game not in ("karata", "koth")]


@pytest.mark.parametrize("game", PLAYED)
def test_a_match_is_played_from_the_home_page_to_its_end(game, table, service, fake_clock):
    rules = GAMES[game]
    count = max(2, rules.seats(rules.options())[0])
    names = ["Ann", "Ben", "Cid", "Dot", "Eve"][:count]
    short = written(sample(game).short)
    path, people = table(*names, game=game, **short)
    play_on(service, fake_clock, people, path)
    for person in people:
        person.open(path)
        assert service.get(path[3:]).seed.hex() in person.html
        assert "rematch" in person.html.lower()


@pytest.mark.parametrize("game", [key for key, game in GAMES.items() if game.bot])
def test_play_now_against_bots_takes_one_press(game, browser, service):
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    ann.send(form, next(button for button in form.buttons if button[1] == game))
    table = service.get(table_path(ann)[3:]).table
    assert table.playing
    assert [occupant.bot for _, occupant in table.sitting()].count(False) == 1


def test_a_rematch_takes_one_press_per_player(table, service, fake_clock):
    path, (ann, ben) = table("Ann", "Ben", rounds="1")
    play_on(service, fake_clock, [ann, ben], path)
    for person in (ann, ben):
        person.open(path)
        person.send(person.page.form("/rematch"))
    snapshot = service.get(path[3:])
    assert snapshot.table.match == 2
    assert snapshot.table.playing
    assert snapshot.table.seats == ["Ben", "Ann"]
