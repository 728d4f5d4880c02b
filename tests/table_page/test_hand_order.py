"""A player's own order of the hand on the page, for every game, without changing moves."""

import re

import pytest

from kaboom.games import GAMES
from tests.support.browsing import settle, table_path
from tests.support.random_players import key_at, positions

OWN = {"Cookie": "kb={}; kb-settings=order=rank&trumps=last"}
HANDS = ("gops", "karata", "hearts", "koth", "oh_hell", "taken")
OFFERED = re.compile(r'name="(?:offer|move)" value="[0-9a-f]+ [^"]*"|name="pick" value="[^"]+"')


def seen(app, path, seat, cookie="kb={}"):
    return app.test_client(use_cookies=False).get(
        path, headers={"Cookie": cookie.format(key_at(seat))}
    )


@pytest.mark.slow
@pytest.mark.parametrize("game", list(GAMES))
def test_hand_order_changes_no_move_and_no_other_page(app, service, game):
    played, changed = GAMES[game], 0
    seats = max(2, played.seats(played.options())[0])
    for snapshot, _ in positions(service, played, seats, 3, most=60, every=2):
        if not snapshot.table.playing:
            break
        path = f"/t/{snapshot.code}"
        usual, own = seen(app, path, 0).text, seen(app, path, 0, OWN["Cookie"]).text
        assert sorted(OFFERED.findall(usual)) == sorted(OFFERED.findall(own))
        changed += OFFERED.findall(usual) != OFFERED.findall(own)
        plain = seen(app, f"{path}.json", 0).json
        ordered = seen(app, f"{path}.json", 0, OWN["Cookie"]).json
        assert plain["moves"] == ordered["moves"]
        assert plain["menu"] == ordered["menu"]
        assert ('id="order-hand"' in usual) == (game in HANDS)
    # King of the Hill has no playable card so early: tests/table_page/games/test_koth.py.
    assert bool(changed) == (game in HANDS and game != "koth")


def test_form_beside_the_hand_sets_its_order(table):
    _, (ann, _) = table("Ann", "Ben", game="karata")
    form = ann.page.form("/settings")
    assert form.hidden["order"] == ""
    ann.send(form, order="rank", high="right")
    assert ann.page.title.endswith("at table " + table_path(ann)[3:])
    assert '<option value="rank" selected>' in ann.html
    assert '<option value="right" selected>' in ann.html


def test_trump_order_is_offered_only_in_games_with_trumps(table, service):
    path, (ann, *_) = table("Ann", "Ben", "Cid", "Dot", "Eve", game="koth", deal_interval="0")
    for _ in range(5):
        service.now.sleep(1)
        service.run_due(path[3:])
    ann.open(path)
    assert 'id="hand-trumps"' in ann.html
    _, (fay, _) = table("Fay", "Gus", game="karata")
    assert 'id="order-hand"' in fay.html
    assert 'id="hand-trumps"' not in fay.html
    settle(fay, trumps="last")
    assert "trumps=last" in str(fay.client.get_cookie("kb-settings"))
