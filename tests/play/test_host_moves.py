"""What a game lets its host ask for: at every game, of nobody else, and nothing more."""

import pytest

from kaboom.games import GAMES

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")


@pytest.fixture(params=list(GAMES))
def begun(request, table, service):
    """A match of each game: its table's path, the people (the host first), what can be asked."""
    game = GAMES[request.param]
    least = game.seats(game.options())[0]
    path, people = table(*NAMES[:least], game=game.key)
    state = service.look(path[3:]).state
    offered = [li for li in game.listeners(state) if li.verb in game.hosts]
    return path, people, [f"{li.verb} {option}" for li in offered for option in li.pick.options]


def asked(person, path, move, match="1"):
    answer = person.client.post(f"{path}/house", data={"move": move, "match": match})
    return answer.status_code


def moves_made(service, path):
    return service.look(path[3:]).table.seq


def test_only_the_host_is_heard(begun, browser, service):
    path, (host, *others), offered = begun
    before = moves_made(service, path)
    for person in (*others, browser()):
        for move in (*offered[:3], "leave 0", "nonsense 1"):
            assert asked(person, path, move) == 403
        assert person.client.get(f"{path}/house").status_code == 403
    assert moves_made(service, path) == before
    assert host.client.get(f"{path}/house").status_code == 200


def test_the_host_gets_what_is_offered_and_nothing_else(begun, service):
    path, (host, *_), offered = begun
    before = moves_made(service, path)
    for number, move in enumerate(offered, start=1):
        assert asked(host, path, move) == 303
        assert moves_made(service, path) == before + number
    before = moves_made(service, path)
    for move in ("leave 0", "leave 1", "return 0", "lapse 1", "deal 1", "nonsense 1"):
        assert asked(host, path, move) == 422
    for move in ("", "nonsense", "a b c", "leave\n0", "x" * 90 + " 1", "é 1"):
        assert asked(host, path, move) == 400
    for move in offered[:1]:
        assert asked(host, path, move, match="2") == 409
    assert moves_made(service, path) == before


def test_before_a_match_there_is_nothing_to_ask_for(table, service):
    for key in GAMES:
        path, (host, _) = table("Ann", "Ben", game=key, ready=False)
        assert asked(host, path, "fix_rounds 1", match="0") == 422
        host.open(f"{path}/house")
        assert "nothing to decide" in host.page.text


@pytest.mark.parametrize("minutes", ["-1", "5"])
def test_whoever_is_shut_out_is_told_that_only_the_host_may_ask(minutes, table, browser):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    ann.client.post(f"{path}/watching", data={"watch": minutes})
    answer = browser().client.get(f"{path}/house")
    assert answer.status_code == 403
    assert "Only the host can do that." in answer.text
