"""API keys: a program plays as its player, within the key's scopes; only the header counts."""

import time
from functools import partial

import pytest

from kaboom.accounts.api_keys import queries as api_key_queries
from kaboom.accounts.api_keys.scopes import needed
from kaboom.accounts.api_keys.service import DAYS, MOST, is_key, new_key
from kaboom.engine.menu import answers_of
from kaboom.web.api.scopes import FREE, NEVER, Scope
from tests.secrecy.requests import VALUES, ways
from tests.support.browsing import table_path
from tests.support.effort import LONG, often

DAY = 24 * 3600


@pytest.fixture
def guest(app):
    """Return a function that creates a guest with a key for these scopes, and returns its
    client.
    """
    return partial(a_guest, app)


def a_guest(app, name="Ann", *scopes):
    asked = {"name": name, **({"scopes": list(scopes)} if scopes else {})}
    answer = app.test_client().post("/guests", json=asked)
    assert answer.status_code == 201, answer.text
    return Program(app, answer.json["key"])


class Program:
    """A client that shows a key."""

    def __init__(self, app, key):
        self.client, self.key = app.test_client(), key

    def open(self, path, method="GET", headers=None, **more):
        shown = {"Authorization": f"Bearer {self.key}", **(headers or {})}
        return self.client.open(path, method=method, headers=shown, **more)

    def post(self, path, idempotent="", **fields):
        headers = {"Idempotency-Key": idempotent} if idempotent else {}
        return self.open(path, "POST", headers, data=fields)

    def opened(self, game="gops", **fields):
        answer = self.post("/tables", game=game, name="Ann", **fields)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]


def keys_in(service):
    return service.database.read(
        lambda c: c.exec_driver_sql("SELECT key_hash, name, scopes FROM program_keys").all()
    )


def test_api_key_with_a_wrong_checksum_is_rejected():
    key = new_key()
    assert len(key) == 3 + 43 + 6 and is_key(key)
    wrong = [key[:-1] + ("A" if key[-1] != "A" else "B"), key[:20] + "~" + key[21:], key[1:], ""]
    assert not any(map(is_key, [*wrong, key + "A", key.upper()]))


def test_api_key_page_shows_a_new_key_once_and_revokes_it(browser, app, service):
    ann = browser()
    ann.open("/account")
    ann.follow("API keys")
    form = ann.page.form("/settings/api-keys")
    boxes = [box for box in form.boxes if box[1] in ("look", "play")]
    ann.send(form, ticked=boxes, key_name="terminal", name="Ann")
    key = next(word for word in ann.html.split('"') if is_key(word))
    assert [(row[1], row[2]) for row in keys_in(service)] == [("terminal", "look play")]
    assert key not in str(keys_in(service)) and app.test_client().get("/settings/api-keys").text
    program = Program(app, key)
    assert program.open("/lobby").status_code == 200
    ann.open("/settings/api-keys")
    assert key not in ann.html
    ann.press("Revoke terminal")
    assert ann.status == 200 and "You have none" in ann.page.text
    assert program.open("/lobby").status_code == 401


def test_guest_created_without_a_browser_gets_no_cookie(app):
    client = app.test_client()
    answer = client.post("/guests", json={"name": "Ann", "scopes": ["look", "bot"]})
    assert answer.status_code == 201 and answer.json["scopes"] == ["look", "bot"]
    assert answer.json["expires"].endswith("+00:00") and "Set-Cookie" not in answer.headers
    for bad in ({"name": ""}, {"name": "Ann", "scopes": ["all"]}):
        assert client.post("/guests", json=bad).status_code == 422
    broken = client.post("/guests", data="{", content_type="application/json")
    assert broken.status_code == 400 and "Set-Cookie" not in broken.headers


def test_ip_address_may_create_five_guests_a_minute(limited):
    client = limited.test_client()
    answers = [client.post("/guests", json={"name": "Ann"}) for _ in range(7)]
    assert [it.status_code for it in answers] == [201] * 5 + [429] * 2
    assert "can create at most 5 guests a minute" in answers[-1].json["detail"]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60


def test_program_gets_the_list_of_games(guest):
    games = {game["key"]: game for game in guest().open("/games.json").json["games"]}
    assert games["gops"]["name"] == "GOPS"


def test_program_opens_a_table_and_plays_as_its_player(guest, app):
    ann, ben = guest("Ann"), guest("Ben")
    path = ann.opened().partition("?")[0]
    assert ben.post(f"{path}/sit", name="Ben").status_code == 303
    assert ben.post(f"{path}/ready").status_code == 303
    assert ann.post(f"{path}/start").status_code == 303
    page = ann.open(path).text
    assert "Your turn" in page and "Set-Cookie" not in ann.open(path).headers
    answer = ann.post("/tables", game="gops", name="Ann")
    assert "Set-Cookie" not in answer.headers


def test_api_key_takes_precedence_over_the_cookie(guest, browser, app):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Cookie")
    path = table_path(ann)
    zoe = guest("Zoe")
    answer = ann.client.post(f"{path}/leave", headers={"Authorization": f"Bearer {zoe.key}"})
    assert answer.status_code == 403
    assert "Cookie" in app.test_client().get(path).text


@pytest.mark.parametrize("key", ["", "kb_", "nonsense", None])  # None: a well-formed key
def test_invalid_key_is_refused_despite_a_valid_cookie(browser, key):
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    answer = ann.client.get(
        table_path(ann), headers={"Authorization": f"Bearer {new_key() if key is None else key}"}
    )
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer"


def test_api_key_in_a_url_or_form_is_ignored(guest, app):
    ann = guest()
    path = ann.opened()
    stranger = app.test_client()
    for name in ("key", "token", "access_token", "authorization", "Authorization"):
        assert "Your turn" not in stranger.get(path, query_string={name: ann.key}).text
        answer = stranger.post(f"{path}/leave", data={name: f"Bearer {ann.key}"})
        assert answer.status_code == 403


def test_cross_site_form_is_accepted_only_with_an_api_key(guest, app):
    ann = guest()
    path = ann.opened()
    cross = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert app.test_client().post(f"{path}/leave", headers=cross).status_code == 403
    assert ann.open(f"{path}/ready", "POST", headers=cross).status_code == 303
    preflight = ann.open(path, "OPTIONS", headers=cross)
    for answer in (preflight, ann.open(path, headers=cross)):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]


def rule_of(app, endpoint, method):
    """Return the first rule of an endpoint that takes a method."""
    return next(it for it in app.url_map.iter_rules(endpoint) if method in it.methods)


@pytest.mark.slow
def test_every_route_requires_its_scope(guest, app):
    """Each route is requested with keys of one scope each, and refused unless the scope is right.
    `make test` tries the right key and one other, in turn.
    """
    programs = {scope: guest("Ann", scope) for scope in Scope}
    names, asked = {*VALUES}, 0
    for number, way in enumerate(ways(app)):
        if (
            way.endpoint.startswith(("health.", "metrics."))
            or not way.arguments <= names
            or not way.shows
        ):
            continue
        scope = needed(rule_of(app, way.endpoint, way.method), way.method)
        values = dict.fromkeys(way.arguments, "AAAAAAAA") | {
            name: 4
            for name in ("number", "seats", "taken", "round", "pod", "bot")
            if name in way.arguments
        }
        values |= {"page": "login.show"} if "page" in way.arguments else {}
        path = app.url_map.bind("localhost").build(way.endpoint, values, method=way.method)
        others = [held for held in programs if held != scope]
        turn = others if LONG else [others[number % len(others)]]
        for held in [*({scope} & {*programs}), *turn]:
            answer = programs[held].open(path, way.method)
            refused = answer.status_code == 403 and "key" in answer.text
            assert refused == (scope not in (FREE, held)), (way, held, answer.status_code)
            asked += 1
    assert asked > often(250, soak=300)


@pytest.mark.parametrize(
    "endpoint",
    ["programs.make", "programs.revoke", "programs.guest", "me.forget", "pages.set_them"],
)
def test_api_key_cannot_do_owner_only_actions(endpoint, app):
    assert needed(rule_of(app, endpoint, "POST"), "POST") == NEVER


def test_api_key_can_be_limited_to_one_table(guest, browser, app):
    ann = guest()
    mine, other = ann.opened(), ann.opened()
    code = mine.rpartition("/")[2][:8]
    page = browser()
    page.open("/settings/api-keys")
    form = page.page.form("/settings/api-keys")
    page.send(form, ticked=form.boxes[:2], key_name="one", name="Ben", table=code.lower())
    program = Program(app, next(word for word in page.html.split('"') if is_key(word)))
    assert program.open(mine).status_code == 200
    assert program.open(other).status_code == program.open("/lobby").status_code == 403
    page.send(form, ticked=form.boxes[:2], key_name="one", table="nowhere")
    assert page.status == 422 and "not a table code" in page.page.text


def test_api_key_expires(guest, fake_clock, service):
    ann = guest()
    fake_clock.sleep(DAYS * DAY - 1)
    assert ann.open("/lobby").status_code == 200
    fake_clock.sleep(1)
    assert ann.open("/lobby").status_code == 401
    service.database.write(lambda c: api_key_queries.drop_old(c, fake_clock()))
    assert not keys_in(service)


def test_number_of_api_keys_is_limited(browser):
    ann = browser()
    ann.open("/settings/api-keys")
    for _ in range(MOST):
        ann.send(ann.page.form("/settings/api-keys"), key_name="bot", name="Ann")
        assert ann.status == 200
    ann.send(ann.page.form("/settings/api-keys"), key_name="bot")
    assert ann.status == 422 and "Revoke one first" in ann.page.text


def test_deleting_the_account_revokes_all_keys(browser, app, service):
    ann = browser()
    ann.open("/settings/api-keys")
    ann.send(ann.page.form("/settings/api-keys"), key_name="bot", name="Ann")
    program = Program(app, next(word for word in ann.html.split('"') if is_key(word)))
    assert program.open("/lobby").status_code == 200
    ann.open("/account")
    form = ann.page.form("/account/delete")
    ann.send(form, ("what", "all", ""), ticked=form.boxes)
    assert program.open("/lobby").status_code == 401 and not keys_in(service)


def test_bot_is_labeled_as_a_bot_once_it_sits_down(guest, browser):
    sly = guest("Sly", "look", "play", "bot")
    ann = browser()
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann")
    path = table_path(ann)
    assert sly.post(f"{path}/sit", name="Sly").status_code == 303
    ann.open(path)
    assert "bot of Sly" in ann.page.text
    for suffix in (".txt", ".json", ".say"):
        assert "bot of Sly" in ann.client.get(path + suffix).text
    chairs = ann.client.get(f"{path}.json").json["chairs"]
    assert [it["seat"] for it in chairs if it.get("program")] == [1]
    sly.post(f"{path}/ready")
    ann.client.post(f"{path}/ready")
    for address in (path, f"{path}.txt", f"{path}.json", f"{path}.say?about=score"):
        assert "bot of sly" in ann.client.get(address).text.lower()


def test_built_in_bots_are_marked_in_every_format(guest):
    ann = guest("Ann")
    path = ann.opened(bots="1").partition("?")[0]
    for begun in (False, True):
        (name,) = (it["name"] for it in ann.open(f"{path}.json").json["chairs"] if it.get("bot"))
        marked = {
            f"{path}.txt": (f"{name} (bot)", f"Bots: {name}."),
            f"{path}.say{'?about=table&page=9' if begun else ''}": (
                f"{name}, bot.",
                f"Bots: {name}.",
            ),
        }
        for address, said in marked.items():
            assert said[begun] in ann.open(address).text
        assert f">{name}</bdi> <small>bot</small>" in ann.open(path).text
        ann.post(f"{path}/start")


def test_a_bot_takes_its_players_chair_only_before_a_match(guest, browser, service):
    ann = browser()
    ann.open("/settings/api-keys")
    form = ann.page.form("/settings/api-keys")
    ann.send(form, ticked=form.boxes, key_name="bot", name="Ann")
    bot = Program(ann.client.application, next(w for w in ann.html.split('"') if is_key(w)))
    ann.open("/start/gops")
    ann.send(ann.page.form("/tables"), name="Ann", bots="1")
    path = table_path(ann)
    assert (
        bot.post(f"{path}/ready").status_code == 403
    )  # the table was not told that a bot sits there
    assert bot.post(f"{path}/sit", name="Ann").status_code == 303
    assert "bot of Ann" in ann.open(path).text
    assert bot.post(f"{path}/ready").status_code == 303


def test_bot_cannot_take_over_a_seat_mid_match(guest, browser):
    ann = browser()
    ann.open("/settings/api-keys")
    form = ann.page.form("/settings/api-keys")
    ann.send(form, ticked=form.boxes, key_name="bot", name="Ann")
    bot = Program(ann.client.application, next(w for w in ann.html.split('"') if is_key(w)))
    fields = {"game": "gops", "name": "Ann", "bots": "1", "start": "1"}
    path = ann.client.post("/tables", data=fields).headers["Location"]
    assert bot.post(f"{path}/sit", name="Ann").status_code == 422
    assert bot.post(f"{path}/move", move="x bid AS", match="1").status_code == 403
    assert "bot of" not in ann.open(path).text


@pytest.mark.parametrize(
    ("listed", "programs", "welcome"),
    [("0", None, True), ("1", None, False), ("1", "always", True), ("0", "never", False)],
)
def test_player_bots_may_sit_down_where_they_are_welcome(guest, listed, programs, welcome):
    ann, sly = guest("Ann"), guest("Sly", "look", "play", "bot")
    path = ann.opened(listed=listed, **({"programs": programs} if programs else {}))
    assert sly.post(f"{path}/sit", name="Sly").status_code == (303 if welcome else 403)
    assert ("Players’ bots are welcome." in sly.open(f"{path}/options").text) == welcome


def test_reads_and_refused_moves_by_api_key_are_rate_limited(limited):
    ann = a_guest(limited)
    path = ann.opened(bots="1", start="1").partition("?")[0]
    looked = [ann.open(f"{path}.json").status_code for _ in range(25)]
    assert 429 in looked and looked[:10] == [200] * 10
    asked = {"answers": "0123456789", "move": "9"}
    json = {"Accept": "application/json"}
    refused = [ann.open(f"{path}/move", "POST", json, data=asked) for _ in range(25)]
    codes = [answer.status_code for answer in refused]
    assert 429 not in codes[:20] and 429 in codes[20:]
    assert refused[-1].headers["Retry-After"]
    table = refused[0].json["now"]
    move = table["moves"][0]
    legal = {"answers": move["answers"], "move": f"{move['verb']} {move['some'][0][0]}"}
    assert ann.open(f"{path}/move", "POST", json, data=legal).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(("door", "free"), [(".json", 10), ("/move", 20), ("/guests", 4)])
def test_client_that_waits_for_retry_after_is_served_again(limited, monkeypatch, door, free):
    ann = a_guest(limited)
    path = ann.opened(bots="1", start="1").partition("?")[0]
    clock = time.time()
    monkeypatch.setattr(time, "time", lambda: clock)

    def ask():
        if door == ".json":
            return ann.open(path + door)
        if door == "/guests":
            return limited.test_client().post(door, json={"name": "Ben"})
        asked = {"answers": "0123456789", "move": "9"}
        return ann.open(path + door, "POST", {"Accept": "application/json"}, data=asked)

    for _ in range(3):
        answers = [ask() for _ in range(21)]
        codes = [it.status_code for it in answers]
        assert codes[:free] == [codes[0]] * free and codes[-1] == 429 != codes[0]
        clock += int(answers[-1].headers["Retry-After"])
    assert ask().status_code == answers[0].status_code != 429


def test_hundreds_of_legal_moves_in_a_row_are_all_accepted(limited):
    ann, ben = a_guest(limited), a_guest(limited, "Ben")
    path = ann.opened().partition("?")[0]
    ben.post(f"{path}/sit", name="Ben")
    for person in (ann, ben):
        person.post(f"{path}/ready")
    service, made = limited.config["TABLES"], 0
    while made < often(100, soak=2000):
        found = service.get(path.rpartition("/")[2])
        for seat, person in enumerate(found.table.chairs):
            player = ann if person.name == "Ann" else ben
            if found.table.outcome:
                assert player.post(f"{path}/rematch").status_code == 303
                continue
            offer = found.prompts[seat].offers[0]
            answers = answers_of(found.table.match, offer)
            move = {"answers": answers, "move": f"bid {offer.options[0]}"}
            assert player.post(f"{path}/move", **move).status_code == 303
            made += 1


def test_api_key_problem_is_reported_in_json(guest, app):
    ann = guest("Ann", "look")
    answer = ann.open("/tables", "POST", json={"game": "gops", "name": "Ann"})
    assert answer.content_type == "application/problem+json"
    assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-yours")
    ann.key = new_key()
    answer = ann.open("/games.json")
    assert (answer.status_code, answer.json["type"]) == (401, "/problems/no-key")


def test_a_stream_sends_nothing_more_once_its_key_is_revoked(guest, browser, service, app):
    """A revoked key receives nothing more about the table."""
    ann = guest()
    path = ann.opened()
    code = path.rpartition("/")[2].partition("?")[0]
    stream = ann.open(f"/t/{code}.ndjson")
    first = next(stream.response)
    assert b"kaboom table" in first
    service.database.write(lambda c: c.exec_driver_sql("DELETE FROM program_keys"))
    ben = app.test_client()
    ben.post(f"/t/{code}/sit", data={"name": "Ben"})
    rest = b"".join(stream.response)
    assert b"Ben" not in rest
    stream.close()
