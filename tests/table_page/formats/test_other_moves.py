"""Actions other than prompted moves in the numbered list: takebacks and premoves."""

import pytest

from kaboom.games import GAMES
from tests.support.api_clients import Program, at_table


@pytest.fixture
def taken(app):
    people = [Program(app) for _ in range(3)]
    return at_table("taken", *people), *people


@pytest.fixture
def karata(app):
    """Return a table of Karata, the player to move, and the next one."""
    people = [Program(app) for _ in range(3)]
    path = at_table("karata", *people)
    on_turn = app.config["TABLES"].get(path[3:]).state.seat
    by_seat = {person.table(path)["me"]: person for person in people}
    return path, by_seat[on_turn], by_seat[(on_turn + 1) % 3]


def named(table, verb):
    return next((it for it in table["moves"] if it["verb"] == verb), None)


def test_a_move_is_taken_back_by_its_number_or_in_words(taken):
    path, ann, *_ = taken
    before = ann.table(path)
    assert named(before, "take_back") is None
    for words in (False, True):
        chosen = ann.post(f"{path}/move", {"answers": before["menu"], "move": "1"}).json
        back = named(chosen, "take_back")
        card = before["moves"][0]["options"][0]["label"]
        assert back["label"] == f"Take back “Play the {card}”"
        assert (back["blocks"], back["confirm"], back["some"]) == (False, False, [[]])
        assert f"\n{back['n']} take_back: Take back “" in ann.get(f"{path}.txt").text
        assert "Take back" in ann.get(f"{path}.say").text
        move = "take_back" if words else str(back["n"])
        body = {"answers": back["answers"] if words else chosen["menu"], "move": move}
        dry = ann.post(f"{path}/move", {**body, "dry": True})
        assert dry.status_code == 200 and ann.table(path) == chosen
        body["cmd"] = f"mine {words}"
        answers = [ann.post(f"{path}/move", body) for _ in range(2)]
        assert [it.status_code for it in answers] == [200, 200], "sent twice, made once"
        after = answers[1].json
        assert after["menu"] == before["menu"]
        assert after["log"][-1]["text"] == "You take back your last move."


def test_takeback_number_is_stale_once_another_has_acted(taken):
    path, ann, ben, _ = taken
    ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "1"})
    chosen = ann.table(path)
    back = named(chosen, "take_back")
    ben.post(f"{path}/move", {"answers": ben.table(path)["menu"], "move": "1"})
    old = ann.post(f"{path}/move", {"answers": chosen["menu"], "move": str(back["n"])})
    assert (old.status_code, old.json["type"]) == (409, "/problems/too-late")
    assert named(ann.table(path), "take_back") is None


def test_premove_is_made_and_canceled_by_the_list(karata, app):
    path, ann, ben = karata
    service, code = app.config["TABLES"], path[3:]
    before = ben.table(path)
    assert not before["waited"]
    seat, lay, draw = before["me"], named(before, "plan_lay"), named(before, "plan_draw")
    assert lay["label"] == "In advance: Play" and not lay["blocks"]
    assert (draw["label"], draw["some"], "n" in draw) == ("In advance: Draw", [[]], True)
    number = lay["options"][1]
    by_number = {"answers": before["menu"], "move": str(number["n"])}
    assert ben.post(f"{path}/move", {**by_number, "dry": True}).status_code == 200
    assert service.get(code).table.plans == {}
    planned = ben.post(f"{path}/move", by_number).json
    assert service.get(code).table.plans[seat].choices == (number["choice"],)
    assert planned["revision"] > before["revision"]
    forget = named(planned, "plan_nothing")
    assert forget["label"] == f"Cancel the planned move “Play: {number['label']}”"
    others = ann.table(path)
    done = ben.post(f"{path}/move", {"answers": forget["answers"], "move": "plan_nothing"})
    assert done.status_code == 200 and service.get(code).table.plans == {}
    in_words = {"answers": draw["answers"], "move": "plan_draw"}
    assert ben.post(f"{path}/move", in_words).status_code == 200
    assert service.get(code).table.plans[seat].verb == "draw"
    assert ann.table(path) == others, "no other player can tell"


@pytest.mark.parametrize(
    ("move", "status"),
    [("plan_lay", 422), ("plan_lay 8S 8S", 422), ("plan_lay XX", 422), ("plan_dance", 422)],
)
def test_malformed_premove_is_refused(karata, app, move, status):
    path, _, ben = karata
    before = ben.table(path)
    for dry in (False, True):
        body = {"answers": before["menu"], "move": move, "dry": dry}
        assert ben.post(f"{path}/move", body).status_code == status
    assert ben.table(path) == before
    assert app.config["TABLES"].get(path[3:]).table.plans == {}


def test_refusal_names_its_heading_on_the_rules_page(karata):
    path, _, ben = karata
    body = {"answers": ben.table(path)["menu"], "move": "plan_lay XX"}
    rule = ben.post(f"{path}/move", body).json["rule"]
    assert rule == {"id": "h-ahead", "href": f"{path}/rules#h-ahead"}
    page = ben.client.get(f"{path}/rules").text
    assert 'id="h-ahead"' in page and 'id="h-back"' in page


def test_game_previews_only_its_own_moves(taken, monkeypatch):
    path, ann, *_ = taken
    asked = set()

    def preview(view, verb, choices):
        asked.add(verb)

    monkeypatch.setattr(type(GAMES["taken"]), "preview", property(lambda game: preview))
    chosen = ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "1"}).json
    assert named(chosen, "take_back") and asked and "take_back" not in asked


def test_pause_and_bot_turns_offer_no_other_moves(karata, app):
    path, ann, ben = karata
    assert named(ben.table(path), "plan_draw") is not None
    assert ben.post(f"{path}/hand-over").status_code == 200
    assert named(ben.table(path), "plan_draw") is None
    assert ben.post(f"{path}/take-over").status_code == 200
    service, code = app.config["TABLES"], path[3:]

    def pause(transaction):
        transaction.table.paused = True

    service.change(code, pause)
    assert [it.table(path)["moves"] for it in (ann, ben)] == [[], []]


def test_bot_choice_takeback_is_in_every_format(taken, app):
    """A player who returns before the others have chosen sees the offer in JSON, text and
    speech.
    """
    path, ann, *_ = taken
    service, before = app.config["TABLES"], ann.table(path)
    ann.post(f"{path}/hand-over")
    while not service.get(path[3:]).table.seq:
        service.now.sleep(20)
        service.run_due(path[3:])
    assert named(ann.table(path), "take_back") is None, "a bot still plays"
    ann.post(f"{path}/take-over")
    back = named(ann.table(path), "take_back")
    assert back["label"].startswith("Take back “Play the ")
    assert "take_back: Take back “Play the " in ann.get(f"{path}.txt").text
    assert "Take back" in ann.get(f"{path}.say").text
    taken_back = ann.post(f"{path}/move", {"answers": back["answers"], "move": "take_back"}).json
    assert taken_back["menu"] == before["menu"]
