"""The daily deal in browsers without scripts."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest

from kaboom.daily import service as daily
from kaboom.db.encryption import hash_of
from kaboom.db.times import DAY, begins, day_of
from kaboom.records import queries as records
from tests.daily.test_service import NOON, TODAY
from tests.support.api_clients import JSON, TEXT, Program
from tests.support.finished_matches import finish

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def promised(service, fake_clock):
    fake_clock.time = NOON
    daily.promise_ahead(service)


def code_of(person):
    return next(link for link, _ in person.page.links if link.startswith("/t/")).split("/")[2]


def test_new_servers_daily_page_says_when_to_return(browser):
    ann = browser()
    ann.open("/")
    assert ("/daily", "Deal of the day") in ann.page.links
    assert "Try again in an hour" in ann.open("/daily").text
    assert ann.status == 200


def test_a_deal_is_played_once_for_its_result_and_then_for_fun(promised, browser, service):
    ann = browser()
    ann.open("/daily")
    assert "counts, even if you leave" in ann.page.text
    ann.press("Play today’s deal")
    assert "(easy)" not in ann.page.text and ann.page.moves()
    ann.open("/daily")
    assert "You have started" in ann.page.text
    first = code_of(ann)
    finish(service, first)
    at_table = ann.open(f"/t/{first}")
    assert ("/daily/2026-11-25", "Deal of the day") in at_table.links
    assert not [form for form in at_table.forms if form.action.endswith(("/rematch", "/sit"))]
    ann.open("/daily")
    assert "Share the result" in ann.page.text
    assert re.search(r"daily deal for .*: \d+ points?, place \d of \d", ann.page.text)
    assert "/daily/2026-11-25" in ann.html
    own = re.search(r'<th scope="row">([^<]*) <span class="tag on">you</span>', ann.html)
    assert own[1] == "Guest"
    ann.press("Play it again, for fun")
    ann.open("/daily")
    assert code_of(ann) == first


def test_finisher_sees_their_own_viewpoint_the_same_day(promised, browser, service, fake_clock):
    ann, ben = browser(), browser()
    assert "you can compare your result" in ann.open("/daily").text
    ann.press("Play today’s deal")
    ann.open("/daily")
    code = code_of(ann)
    finish(service, code)
    assert "No one else has finished yet." in ann.open("/daily").text
    at = ann.page.link("Replay it step by step")
    board = daily.get(service, TODAY, "").board
    seed = service.database.read(lambda c: records.match_by_code(c, at.split("/")[-1])).seed.hex()
    pages = [at, f"{at}/0", f"{at}/0?seat=1", f"{at}/0?seat=watch", f"{at}/print", f"{at}/rules"]
    pages += [f"{at}.txt", f"{at}/0.json", f"{at}/0.txt", f"{at}/0.json?seat=1"]
    for page in pages:
        answer = ann.client.get(page)
        assert answer.status_code == 200, page
        assert board.secret.hex() not in answer.text and seed not in answer.text, page
    views = [ann.client.get(f"{at}/0.json{asked}").json for asked in ("", "?seat=1", "?seat=watch")]
    assert views[0] == views[1] == views[2] and (views[0]["seat"], views[0]["open"]) == (0, False)
    for page in (f"{at}.json", f"{at}/verify"):  # they show all cards
        assert ann.client.get(page).status_code == 404, page
    for page in [*pages, f"{at}.json"]:
        assert ben.client.get(page).status_code == 404, page
    ben.open("/daily")
    ben.press("Play today’s deal")
    assert ben.client.get(at).status_code == 404  # a player in the match may not read its record
    fake_clock.time = begins(TODAY) + DAY + daily.GRACE
    assert ann.client.get(f"{at}/0.json").json["zones"] != views[0]["zones"]  # all cards are open
    assert ann.client.get(f"{at}.json").json["board"]["secret"] == board.secret.hex()


def test_daily_page_shows_last_days_a_streak_and_yesterday(promised, browser, service, fake_clock):
    ann, eve = browser(), browser()
    ann.open("/daily")
    ann.press("Play today’s deal")
    ann.open("/daily")
    finish(service, code_of(ann))
    fake_clock.sleep(DAY)
    daily.promise_ahead(service)
    read = " ".join(ann.open("/daily").text.split())
    assert "1 day in a row" in read
    assert "✓ finished" in read
    assert "Yesterday GOPS" in read
    assert "No one else has finished this deal." in read
    read = " ".join(eve.open("/daily").text.split())
    assert "in a row" not in read
    assert "finished" not in read
    assert "This deal no longer counts." in read


def test_shared_result_names_points_and_place_but_no_card_or_bot(promised, browser, service):
    ann = browser()
    ann.open("/daily")
    ann.press("Play today’s deal")
    ann.open("/daily")
    finish(service, code_of(ann))
    ann.open("/daily")
    shared = ann.html.partition('<blockquote dir="auto">')[2].partition("</blockquote>")[0]
    game = daily.game_of(TODAY).name
    deal, _, made = shared.partition(": ")
    assert deal == f"{game}, daily deal for Nov 25, 2026"
    assert re.fullmatch(r"\d+ points?, place \d of \d<br>http://localhost/daily/2026-11-25", made)


def test_future_days_show_a_commitment_and_past_days_its_seed(
    promised, browser, service, fake_clock
):
    tomorrow = TODAY + timedelta(days=1)
    ann = browser()
    ann.open(f"/daily/{tomorrow}")
    board = daily.get(service, tomorrow, "").board
    assert board.commitment in ann.page.text and board.secret.hex() not in ann.html
    assert not [form for form in ann.page.forms if form.action.startswith("/daily")]
    ann.client.post(f"/daily/{tomorrow}", data={"name": "Ann"})
    assert daily.get(service, tomorrow, "").board.cut == ""
    ann.open("/daily")
    ann.press("Play today’s deal")
    cut = daily.get(service, TODAY, "").board.cut
    fake_clock.time = begins(TODAY) + DAY + daily.GRACE
    ann.open(f"/daily/{TODAY}")
    assert daily.get(service, TODAY, "").board.secret.hex() in ann.page.text
    assert cut in ann.page.text
    ben = browser()
    ben.open("/daily")
    assert day_of(fake_clock()) == tomorrow
    ben.open(next(link for link, _ in ben.page.links if link.endswith(str(TODAY))))
    ben.press("Play this deal")
    assert ben.page.moves()


@pytest.mark.parametrize(
    "when",
    ["2026-13-01", TODAY.strftime("%Y%m%d"), "2026-11-25x", "x", "9999-12-31", "0001-01-01", "²"],
)
def test_daily_url_without_a_deal_is_not_found(promised, browser, when):
    ann = browser()
    ann.open(f"/daily/{when}")
    assert ann.status == 404
    answer = ann.client.post(f"/daily/{when}", data={"name": "Ann"})
    assert answer.status_code in (404, 422)


def test_program_gets_the_requested_format(promised, app, service):
    ann = Program(app)
    opened = ann.post(f"/daily/{TODAY}", {"name": "Ann"})
    table = opened.json
    assert (opened.status_code, table["format"], table["stage"]) == (201, "kaboom table", "playing")
    assert opened.location.endswith(f"/t/{table['code']}.json")
    assert ann.post(f"/daily/{TODAY}").json["code"] == table["code"]  # her own attempt
    once = JSON | {"Idempotency-Key": "one"}
    again = [ann.post(f"/daily/{TODAY}", {"again": True}, once).json["code"] for _ in range(2)]
    assert again[0] == again[1] != table["code"]
    text = ann.post(f"/daily/{TODAY}", headers=TEXT)
    assert text.status_code == 201 and table["code"] in text.text.splitlines()[0]
    tomorrow = ann.post(f"/daily/{TODAY + timedelta(days=1)}")
    assert (tomorrow.status_code, tomorrow.json["type"]) == (422, "/problems/not-now")
    wrong = ann.post(f"/daily/{TODAY}", {"agian": True})
    assert (wrong.json["type"], list(wrong.json["fields"])) == ("/problems/bad-options", ["agian"])
    unnamed = Program(app).post(f"/daily/{TODAY}", {"name": "\u200b"}, headers=TEXT)
    assert unnamed.status_code == 422 and unnamed.text.startswith("Refused: ")


def test_unannounced_deal_excludes_player_bots(promised, app, service):
    ann = Program(app)
    scopes = ["look", "play", "table", "bot"]
    key = ann.post("/guests", {"name": "Ann", "scopes": scopes}).json["key"]
    answer = ann.post(f"/daily/{TODAY}", headers=JSON | {"Authorization": f"Bearer {key}"})
    assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-yours")
    assert daily.get(service, TODAY, hash_of(key)).at == ""


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 10_000])
def test_invisible_name_is_refused_an_empty_one_a_guests(promised, app, name):
    answer = app.test_client().post(f"/daily/{TODAY}", data={"name": name})
    assert answer.status_code in (303, 422)
    assert answer.status_code == (422 if name == "\u200b" else 303)


def test_atom_feed_contains_commitments_only(promised, app, service):
    answer = app.test_client().get("/daily.atom")
    feed = ET.fromstring(answer.get_data())
    found = {entry.find(f"{ATOM}id").text: entry for entry in feed.iter(f"{ATOM}entry")}
    assert len(found) == len(set(found)) == 8
    for it in daily.calendar(service):
        entry = found[f"tag:localhost,2026:day/{it.date}"]
        assert entry.find(f"{ATOM}summary").text == f"SHA-256: {it.board.commitment}"
        assert it.board.secret.hex() not in answer.text


def test_get_requests_change_no_deal(promised, app, service):
    before = [it.board for it in daily.calendar(service)]
    for address in ("/daily", f"/daily/{TODAY}", "/daily.atom"):
        assert "Set-Cookie" not in app.test_client().get(address).headers
    assert [it.board for it in daily.calendar(service)] == before


def test_verification_page_shows_the_prior_publication(promised, browser, service, fake_clock):
    ann = browser()
    ann.open("/daily")
    ann.press("Play today’s deal")
    ann.open("/daily")
    code = code_of(ann)
    finish(service, code)
    record = service.get(code).table.record
    assert ann.open(f"/m/{record}/verify") and ann.status == 404
    fake_clock.time = begins(TODAY) + DAY + daily.GRACE
    board = daily.get(service, TODAY, "").board
    ann.open(f"/m/{record}/verify")
    for shown in (board.label, board.commitment, board.secret.hex(), board.cut):
        assert shown in ann.page.text
    assert ann.client.get(f"/m/{record}.json").json["board"]["label"] == board.label


def test_unfinished_players_pages_are_independent_of_others(promised, browser, service):
    ann, ben, cid = browser(), browser(), browser()
    for person in (ann, ben):
        person.open("/daily")
        person.press("Play today’s deal")
    path = "/t/" + service.get(code_after(ben)).code
    before = [
        masked(person, page) for person in (ben, cid) for page in ("/daily", "/leaderboards", path)
    ]
    finish(service, code_after(ann))
    after = [
        masked(person, page) for person in (ben, cid) for page in ("/daily", "/leaderboards", path)
    ]
    assert before == after


def code_after(person):
    person.open("/daily")
    return code_of(person)


def masked(person, page):
    """Return a page without the values that are new in each form."""
    person.open(page)
    return re.sub('name="cmd" value="[^"]+"', "", person.html)


def test_daily_deal_is_playable_in_json_and_text(promised, app, service):
    ann = Program(app)
    told = ann.get("/daily.json").json
    assert told == ann.get("/daily", **JSON).json == ann.get("/daily/2026-11-25.json").json
    assert (told["stage"], told["date"], told["table"]) == ("today", "2026-11-25", "")
    assert {it["stage"] for it in told["days"]} == {"today", "to-come"}
    assert told["commitment"] and not told["secret"]
    text = ann.get("/daily.txt?width=40").text
    assert "play: POST /daily/2026-11-25 name=" in text
    assert f" {told['commitment']}\n" in ann.get("/daily.txt?width=200").text
    assert max(map(len, text.splitlines())) <= 40
    assert ann.get("/daily/2026-11-26.json").json["links"].keys() == {"self", "text", "page"}
    code = ann.post(told["links"]["play"], {"name": "Ann"}).json["code"]
    begun = ann.get("/daily.json").json
    assert (begun["table"], begun["finished"], begun["worse"]) == (code, False, None)
    assert "You have started." in ann.get("/daily.txt").text
    finish(service, code)
    ended = ann.get("/daily.json").json
    assert ended["finished"] and (ended["others"], ended["worse"]) == (0, 0) and not ended["secret"]
    assert ann.get(ended["links"]["replay"]).json["format"] == "kaboom step"
    assert Program(app).get("/daily.json").json["table"] == ""


def test_speech_omits_hashes_and_urls(promised, app):
    said = Program(app).get("/daily", Accept="text/plain;profile=say").text.strip()
    assert said.startswith("Daily deal for Nov 25, 2026: ") and "counts, even if you leave" in said
    assert not re.search(r"[^\w\s.,;:?!’']", said) and len(said.split()) <= 60
    assert "SHA" not in said


def test_day_without_a_deal_says_so_in_every_format(app, service, fake_clock):
    ann = Program(app)
    told = ann.get("/daily.json")
    assert (told.status_code, told.json["stage"], told.json["game"]) == (200, "", "")
    assert "Try again in an hour" in ann.get("/daily.txt").text
    assert ann.get("/daily/2001-01-01.json").json["type"].startswith("/problems/")


def test_secret_is_published_three_hours_after_the_day(promised, app, fake_clock):
    fake_clock.time += 86400 + 3 * 3600
    told = Program(app).get("/daily/2026-11-25.json").json
    assert told["stage"] == "over"
    assert hash_of(bytes.fromhex(told["secret"])) == told["commitment"]
