"""Fields of a table that are not part of the game: the commitment, premoves, the host's
requests."""

import re
from html import unescape

import pytest

from kaboom.engine.engine import start
from kaboom.engine.fairness.commitment import commitment
from kaboom.engine.texts import Names
from kaboom.games import GAMES
from kaboom.table_page import speech
from kaboom.web.api.negotiation import MEDIA, Format
from tests.accounts.test_api_keys import a_guest
from tests.support.api_clients import JSON, TEXT, Program, at_table
from tests.support.browsing import BY_HTMX
from tests.support.finished_matches import play_to_the_end


def test_commitment_is_shown_before_and_during_the_deal(app):
    ann, ben = Program(app), Program(app)
    path = "/t/" + ann.post("/tables", {"game": "gops", "name": "Ann"}).json["code"]
    promised = ann.table(path)["promise"]
    seen = app.config["TABLES"].get(path[3:])
    assert promised == commitment(seen.table.next_seed)
    assert ann.table(path)["commitment"] == ""
    ben.post(f"{path}/sit", {"name": "Ben"})
    for person in (ann, ben):
        person.post(f"{path}/ready")
    table = ann.table(path)
    assert (table["commitment"], table["promise"]) == (promised, "")
    assert Program(app).table(path)["commitment"] == promised
    ben.post(f"{path}/leave")
    over = ann.table(path)
    record = ann.get(f"/m/{over['record']}.json").json
    assert record["commitment"] == over["commitment"] == promised
    assert over["promise"] not in ("", promised)


def test_table_and_lobby_say_whether_player_bots_are_welcome(app):
    for sent, welcome in (({}, True), ({"listed": True}, False), ({"programs": "never"}, False)):
        ann, bot = Program(app), Program(app)
        code = ann.post("/tables", {"game": "gops", "name": "Ann", **sent}).json["code"]
        assert bot.table(f"/t/{code}")["programs"] == welcome
        if sent.get("listed"):
            (listed,) = bot.get("/lobby.json").json["tables"]
            assert listed["code"] == code and not listed["programs"]
        key = bot.post("/guests", {"name": "Sly", "scopes": ["look", "play", "bot"]}).json["key"]
        shown = {**JSON, "Authorization": f"Bearer {key}"}
        sat = bot.post(f"/t/{code}/sit", {"name": "Sly"}, headers=shown)
        assert sat.status_code == (200 if welcome else 403), sat.text
        assert welcome or sat.json["type"] == "/problems/not-yours"


def test_bot_opens_a_lobby_table_labeled_with_its_owner(app):
    bot = Program(app)
    scopes = ["look", "play", "table", "bot"]
    key = bot.post("/guests", {"name": "Sly", "scopes": scopes}).json["key"]
    body = {"game": "gops", "name": "Sly", "listed": True}
    opened = bot.post("/tables", body, headers={**JSON, "Authorization": f"Bearer {key}"})
    assert opened.status_code == 201
    assert opened.json["chairs"][0]["program"] and not opened.json["programs"]
    (listed,) = Program(app).get("/lobby.json").json["tables"]
    assert listed["host"] == opened.json["chairs"][0]["name"] == "bot of Sly"


def test_log_lines_have_their_facts_as_data(app):
    ann, ben = Program(app), Program(app)
    path = at_table("gops", ann, ben, names=("Ann", "Ben"))
    for person in (ann, ben):
        table = person.table(path)
        move = {"answers": table["menu"], "move": f"bid {table['moves'][0]['some'][0][0]}"}
        assert person.post(f"{path}/move", move).status_code == 200
    for person in (ann, ben, Program(app)):
        log = person.table(path)["log"]
        assert all(isinstance(it["facts"], dict) for it in log)
        (revealed,) = [it["facts"] for it in log if it["kind"] == "bids_revealed"]
        assert len(revealed["bids"]) == 2


def test_spectator_gets_no_player_links(app):
    ann, watching = Program(app), Program(app)
    path = at_table("gops", ann, Program(app))
    assert {"move", "leave", "vote"} <= ann.table(path)["links"].keys()
    looks = {"self", "text", "say", "events", "rules", "talk"}
    assert watching.table(path)["links"].keys() == looks
    ann.post(f"{path}/leave")
    assert watching.table(path)["links"].keys() == looks | {"sit", "record"}


def test_move_during_a_pause_is_a_not_now_problem(app):
    ann = Program(app)
    path = at_table("gops", ann, Program(app))
    menu = ann.table(path)["menu"]

    def pause(transaction):
        transaction.table.paused = True

    app.config["TABLES"].change(path[3:], pause)
    told = ann.post(f"{path}/move", {"answers": menu, "move": "1"})
    assert (told.status_code, told.json["type"]) == (422, "/problems/not-now")
    assert "paused" in told.json["detail"]


@pytest.mark.parametrize(
    ("game", "seats", "told"),
    [
        ("gops", 2, "As it stands: You have 0 points. P1 has 0 points."),
        ("taken", 2, "As it stands: You have 0 points. P1 has 0 points."),
        ("koth", 5, "As it stands: Trumps: jokers, 2s."),
    ],
)
def test_text_shows_standings_and_hidden_counts(app, game, seats, told):
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people)
    first = next(it for it in people if it.table(path)["me"] == 0)
    text = first.get(f"{path}.txt?width=200").text
    assert told in text.replace("P0 has", "P1 has"), text
    (line,) = (it for it in text.splitlines() if it.startswith("As it stands: "))
    sentences = re.findall(r"[^.]+\.", line)
    assert len(set(sentences)) == len(sentences), "it is announced twice"
    for card in re.findall(r"\b\d+\b", line if game == "taken" else ""):
        assert card == "0"  # rows lie there


def test_karata_fields_have_last_cards_and_direction():
    game = GAMES["karata"]
    state = start(game, 3, game.options(), bytes(32)).state
    words, names = game.words, Names(("Ann", "Ben", "Cat"))
    state.direction, state.last_card[1] = -1, True
    told = [words.say(it.kind, it.facts, names) for it in game.now(game.view(state, None))]
    assert "Ben is on last card!" in told
    assert "The direction of play is reversed." in told
    assert any(it.startswith("Then it is ") for it in told)


def test_premove_about_to_be_played_is_flagged(app):
    people = [Program(app) for _ in range(3)]
    path = at_table("karata", *people)
    service, code = app.config["TABLES"], path[3:]
    by_seat = {person.table(path)["me"]: person for person in people}
    on_turn = service.get(code).state.seat
    ann, ben = by_seat[on_turn], by_seat[(on_turn + 1) % 3]
    affairs = ben.table(path)["affairs"]
    assert "plan" not in affairs and "plan_comes" not in affairs
    answers = ben.table(path)["menu"]
    planned = ben.post(f"{path}/move", {"answers": answers, "move": "plan_draw"}).json["affairs"]
    assert (planned["plan"], planned.get("plan_comes", False)) == ("draw", False)
    while service.get(code).state.seat == on_turn:  # drawing does not end the turn
        menu, moves = ann.table(path)["menu"], [it["verb"] for it in ann.table(path)["moves"]]
        said = next(it for it in ("draw", "keep", "last_card no") if it.split()[0] in moves)
        assert ann.post(f"{path}/move", {"answers": menu, "move": said}).status_code == 200
    table = ben.table(path)
    assert table["waited"] and table["affairs"]["plan_comes"]
    assert "plan" not in ann.table(path)["affairs"]


def test_host_gets_the_settings_links(app):
    ann, ben = Program(app), Program(app)
    path = "/t/" + ann.post("/tables", {"game": "gops", "name": "Ann"}).json["code"]
    ben.post(f"{path}/sit", {"name": "Ben"})
    arranged = {name: f"{path}/{name}" for name in ("options", "seats", "door", "bots")}
    assert arranged.items() <= ann.table(path)["links"].items()
    assert not arranged.keys() & ben.table(path)["links"].keys()
    for person in (ann, ben):
        person.post(f"{path}/ready")
    links = ann.table(path)["links"]
    assert "bots" in links and "door" in links and "options" not in links


def test_chat_scope_alone_allows_reading_the_chat(app):
    ann = a_guest(app)
    path = ann.opened().partition("?")[0]
    looking, talking = a_guest(app, "Ben", "look", "play", "bot"), a_guest(app, "Cat", "talk")
    for suffix in ("json", "txt"):
        assert looking.open(f"{path}/talk.{suffix}").status_code == 403
        assert talking.open(f"{path}/talk.{suffix}").status_code == 200


def test_lobby_page_shows_chat_only_to_keys_with_chat_scope(app):
    ann = a_guest(app)
    path = ann.opened().partition("?")[0]
    ann.post(f"{path}/talk", text="Good morning")
    reading, looking = a_guest(app, "Ben", "look", "talk"), a_guest(app, "Cat", "look", "play")
    assert "Good morning" in reading.open(path).text
    assert 'class="tag on">new<' not in looking.open(path).text
    answers = [looking.open(path), looking.post(f"{path}/ready")]
    assert [it.status_code for it in answers] == [200, 403]
    for answer in answers:
        assert "Ann" in answer.text and "Good morning" not in answer.text


def test_chat_is_in_no_response_about_the_table(app):
    ann, ben = Program(app), Program(app)
    path = at_table("gops", ann, ben)
    said = ben.post(f"{path}/talk", {"text": "Abracadabra"})
    answers = [ann.get(f"{path}{it}") for it in (".json", ".txt?would=1", "", "/view")]
    answers += [ann.get(f"{path}.say?about={it}") for it in ("", *speech.ABOUT)]
    move = {"answers": ann.table(path)["menu"], "move": "99"}
    answers += [ann.post(f"{path}/move", move, {"Accept": MEDIA[it]}) for it in Format]
    streams = [ann.get(f"{path}{it}") for it in (".ndjson", "/events?full=1")]
    for answer in answers:
        assert "Abracadabra" not in answer.text
    for stream in streams:
        assert b"Abracadabra" not in next(stream.response)
        stream.close()
    cards = {it["choice"] for it in ann.table(path)["moves"][0]["options"]} | {"of Spades"}
    talks = [said, *(ann.get(f"{path}/talk{it}") for it in (".json", ".txt"))]
    for answer in talks:
        assert "Abracadabra" in answer.text
        without_code = answer.text.replace(
            path[3:], ""
        )  # the code may happen to contain a card's name
        assert not any(card in without_code for card in cards)


def test_chat_settings_response_by_key_omits_the_chat(app):
    ann = a_guest(app, "Ann", "look", "play", "table")
    path = ann.opened().partition("?")[0]
    ben = a_guest(app, "Ben")
    ben.post(f"{path}/sit", name="Ben")
    ben.post(f"{path}/talk", text="Good morning")
    wish = {"watch": 3, "audience": True, "hush": False}
    for door, body in (("watching", wish), ("hands", {"answer": "no"}), ("call", {})):
        for headers in (JSON, {**JSON, "Accept": "text/plain"}, BY_HTMX):
            answer = ann.open(f"{path}/{door}", "POST", headers, json=body)
            assert answer.status_code == 200 and "Good morning" not in answer.text
    assert ann.open(f"{path}/watching", "POST", JSON, json=wish).json["watch"] == 3


def test_chat_settings_are_stored_and_returned(app):
    ann, ben = Program(app), Program(app)
    path = "/t/" + ann.post("/tables", {"game": "gops", "name": "Ann"}).json["code"]
    ben.post(f"{path}/sit", {"name": "Ben"})
    wish = {"watch": 3, "audience": False, "hush": True}
    told = ann.post(f"{path}/watching", wish).json
    assert {name: told[name] for name in wish} == wish
    assert ann.post(f"{path}/hands", {"answer": "yes", "minutes": 3}).json["hands"] == {"0": True}
    assert ben.post(f"{path}/hands", {"answer": "no"}).json["hands"] == {"0": True, "1": False}
    assert Program(app).get(f"{path}/talk.json").json["hands"] == {}
    called = ann.post(f"{path}/call", {"address": "https://example.org/a"}).json["call"]
    assert called == ann.get(f"{path}/talk.json").json["call"] == "https://example.org/a"
    assert ben.get(f"{path}/talk.json").json["call"] == ""
    assert ann.post(f"{path}/call", {}).json["call"] == ""


def test_muted_player_is_shown_with_the_unmute_word(app):
    ann, ben = Program(app), Program(app)
    path = "/t/" + ann.post("/tables", {"game": "gops", "name": "Ann"}).json["code"]
    ben.post(f"{path}/sit", {"name": "Ben"})
    (line,) = ben.post(f"{path}/talk", {"text": "Pssst"}).json["lines"]
    muted = ann.post(f"{path}/talk/mute", {"line": line["n"]}).json
    assert (muted["lines"], [it["name"] for it in muted["muted"]]) == ([], ["Ben"])
    assert ben.get(f"{path}/talk.json").json["muted"] == []
    heard = ann.post(f"{path}/talk/unmute", {"who": muted["muted"][0]["who"]}).json
    assert (len(heard["lines"]), heard["muted"]) == (1, [])
    emptied = ann.post(f"{path}/talk/delete", {"line": line["n"]}).json
    assert [it["deleted"] for it in emptied["lines"]] == [True]


def test_host_gets_the_possible_host_moves(app):
    people = [Program(app) for _ in range(5)]
    path = at_table("koth", *people)
    table = people[0].table(path)
    assert people[1].table(path)["affairs"].get("house") is None
    assert "house" not in people[1].table(path)["links"]
    first = table["affairs"]["house"][0]
    assert first["move"].startswith("fix_rounds ") and first["label"]
    body = {"move": first["move"], "match": table["match"]}
    assert people[1].post(f"{path}/house", body).status_code == 403
    assert people[0].post(f"{path}/house", body | {"match": 9}).status_code == 409
    before = table["facts"]
    assert people[0].post(table["links"]["house"], body).json["facts"] != before


def test_refused_client_gets_a_retry_time(limited):
    ann = a_guest(limited)
    path = ann.opened(bots="1", start="1").partition("?")[0]
    move = {"answers": "0123456789", "move": "9"}
    for _ in range(21):
        answer = ann.open(f"{path}/move", "POST", JSON, data=move)
    assert answer.status_code == 429
    assert 1 <= int(answer.headers["Retry-After"]) <= 11


def test_record_and_draw_are_described_in_openapi(app):
    schemas = Program(app).get("/openapi.json").json["components"]["schemas"]
    assert {"commitment", "seed", "moves", "chain"} <= schemas["Record"]["properties"].keys()
    assert {"commitment", "seed", "words"} <= schemas["Draw"]["properties"].keys()


def test_last_mover_gets_the_consequences(app):
    """The next move at the table is the viewer's own, so no other message would report the
    reveal."""
    ann, ben = Program(app), Program(app)
    path = at_table("gops", ann, ben, names=("Ann", "Ben"))

    def bid(person):
        table = person.table(path)
        sent = {"answers": table["menu"], "move": f"bid {table['moves'][0]['some'][0][0]}"}
        return person.post(f"{path}/move", sent, TEXT)

    assert "The bids:" not in bid(ann).text
    told = bid(ben).text
    assert "\n- The bids: " in told
    assert "You have bid" not in told  # one's own bid is not news
    assert told == ben.get(f"{path}.txt").text
    fresh = [line["text"] for line in ben.table(path)["log"] if line["fresh"]]
    assert any(text.startswith("The bids: ") for text in fresh)
    assert "The bids: " in ben.get(f"{path}.say?about=last").text


def test_every_format_has_the_revision_to_wait_for(app):
    ann = Program(app)
    path = at_table("gops", ann, Program(app))
    revision = ann.table(path)["revision"]
    for voice in ("json", "txt", "say"):
        assert ann.get(f"{path}.{voice}").headers["Kaboom-Revision"] == str(revision)
    assert f"\nwait: GET {path}.txt?wait=25&v={revision}\n" in ann.get(f"{path}.txt").text


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_text_and_speech_describe_the_ending_as_the_page_does(app, game):
    """In the game's unit: ranks in King of the Hill, cards in Karata."""
    code, _ = play_to_the_end(app.config["TABLES"], game)
    ann = Program(app)
    page = re.search(r'id="h-ending"[^>]*>(.+?)</h2>\s*<p>(.*?)</p>', ann.get(f"/t/{code}").text)
    who, how = map(unescape, page.groups())
    assert f"\n{who}. {how}".rstrip() + "\n" in ann.get(f"/t/{code}.txt?width=200").text
    assert speech.plain(f"{who}. {how}") in ann.get(f"/t/{code}.say").text
    counts = {"koth": ("Rank ",), "karata": ("card", "Out with", "The deck is used up")}
    assert any(it in how for it in counts.get(game, ("point",)))
