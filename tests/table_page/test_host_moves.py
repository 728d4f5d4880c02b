"""A game's requests for the host: in every game, for the host alone, and nothing else."""

import pytest

from kaboom.games import GAMES

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve")


@pytest.fixture(params=list(GAMES))
def begun(request, table, service):
    """Return a match of each game: its path, the people (the host first), the possible requests."""
    game = GAMES[request.param]
    least = game.seats(game.options())[0]
    path, people = table(*NAMES[:least], game=game.key)
    state = service.get(path[3:]).state
    offered = [li for li in game.listeners(state) if li.verb in game.hosts]
    return path, people, [f"{li.verb} {option}" for li in offered for option in li.pick.options]


def asked(person, path, move, match="1"):
    answer = person.client.post(f"{path}/house", data={"move": move, "match": match})
    return answer.status_code


def moves_made(service, path):
    return service.get(path[3:]).table.seq


def test_host_moves_are_refused_for_others(begun, browser, service):
    path, (host, *others), offered = begun
    before = moves_made(service, path)
    for person in (*others, browser()):
        for move in (*offered[:3], "leave 0", "nonsense 1"):
            assert asked(person, path, move) == 403
        assert person.client.get(f"{path}/house").status_code == 403
    assert moves_made(service, path) == before
    assert host.client.get(f"{path}/house").status_code == 200


@pytest.mark.slow
def test_host_gets_exactly_the_offered_moves(begun, service):
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


def test_no_host_move_exists_before_a_match(table, service):
    for key in GAMES:
        path, (host, _) = table("Ann", "Ben", game=key, ready=False)
        assert asked(host, path, "fix_rounds 1", match="0") == 422
        host.open(f"{path}/house")
        assert "nothing to decide" in host.page.text


@pytest.mark.parametrize("minutes", ["-1", "5"])
def test_host_only_refusal_names_the_host(minutes, table, browser):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    ann.client.post(f"{path}/watching", data={"watch": minutes})
    answer = browser().client.get(f"{path}/house")
    assert answer.status_code == 403
    assert "Only the host can do that." in answer.text
