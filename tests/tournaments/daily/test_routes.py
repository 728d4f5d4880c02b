"""The deal of the day in browsers without scripts."""

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest

from kaboom.db.encryption import hash_of
from kaboom.records import queries as records
from kaboom.tournaments.daily import service as daily
from kaboom.tournaments.daily.service import day_of
from tests.support.api_clients import JSON, TEXT, Program
from tests.support.finished_matches import finish
from tests.tournaments.daily.test_service import NOON, TODAY

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def promised(service, watch):
    watch.time = NOON
    daily.promise_ahead(service)


def code_of(person):
    return next(link for link, _ in person.page.links if link.startswith("/t/")).split("/")[2]


def test_the_first_page_of_a_server_says_when_to_look_again(browser):
    ann = browser()
    ann.open("/")
    assert ("/day", "Deal of the day: the same cards for all") in ann.page.links
    assert "Look again in an hour" in ann.open("/day").text
    assert ann.status == 200


def test_a_deal_is_played_once_for_its_result_and_then_for_fun(promised, browser, service):
    ann = browser()
    ann.open("/day")
    assert "counts, even if you leave it" in ann.page.text
    ann.press("Play today’s deal")
    assert "(easy)" not in ann.page.text and ann.page.moves()
    ann.open("/day")
    assert "You have begun" in ann.page.text
    first = code_of(ann)
    finish(service, first)
    at_table = ann.open(f"/t/{first}")
    assert ("/day/2026-11-25", "Deal of the day") in at_table.links
    assert not [form for form in at_table.forms if form.action.endswith(("/rematch", "/sit"))]
    ann.open("/day")
    assert "To share; it gives away nothing of the cards:" in ann.page.text
    assert "deal of" in ann.page.text and "/day/2026-11-25" in ann.html
    ann.press("Play it again, for fun")
    ann.open("/day")
    assert code_of(ann) == first


def test_a_finished_try_is_seen_the_same_day_by_own_eyes(promised, browser, service, watch):
    ann, ben = browser(), browser()
    assert "you see the result" in ann.open("/day").text
    ann.press("Play today’s deal")
    ann.open("/day")
    code = code_of(ann)
    finish(service, code)
    assert "You are the first to have finished it." in ann.open("/day").text
    at = next(link for link, text in ann.page.links if text == "Look at it again, step by step")
    board = daily.look(service, TODAY, "").board
    seed = service.database.read(lambda c: records.match_by_code(c, at.split("/")[-1])).seed.hex()
    pages = [at, f"{at}/0", f"{at}/0?seat=1", f"{at}/0?seat=watch", f"{at}/print", f"{at}/rules"]
    pages += [f"{at}.txt", f"{at}/0.json", f"{at}/0.txt", f"{at}/0.json?seat=1"]
    for page in pages:
        answer = ann.client.get(page)
        assert answer.status_code == 200, page
        assert board.secret.hex() not in answer.text and seed not in answer.text, page
    views = [ann.client.get(f"{at}/0.json{asked}").json for asked in ("", "?seat=1", "?seat=watch")]
    assert views[0] == views[1] == views[2] and (views[0]["seat"], views[0]["open"]) == (0, False)
    for page in (f"{at}.json", f"{at}/verify"):  # they tell all cards
        assert ann.client.get(page).status_code == 404, page
    for page in [*pages, f"{at}.json"]:
        assert ben.client.get(page).status_code == 404, page
    ben.open("/day")
    ben.press("Play today’s deal")
    assert ben.client.get(at).status_code == 404  # whoever plays it may not look it up
    watch.time = daily.begins(TODAY) + daily.DAY + daily.GRACE
    assert ann.client.get(f"{at}/0.json").json["zones"] != views[0]["zones"]  # all cards are open
    assert ann.client.get(f"{at}.json").json["board"]["secret"] == board.secret.hex()


def test_what_is_shared_names_no_card_place_order_or_player(promised, browser, service):
    ann = browser()
    ann.open("/day")
    ann.press("Play today’s deal")
    ann.open("/day")
    finish(service, code_of(ann))
    ann.open("/day")
    shared = ann.html.partition("<blockquote>")[2].partition("</blockquote>")[0]
    game = daily.game_of(TODAY).name
    assert shared == f"{game}, deal of Nov 25, 2026<br>http://localhost/day/2026-11-25"


def test_the_days_to_come_show_a_promise_and_past_ones_what_it_was(
    promised, browser, service, watch
):
    tomorrow = TODAY + timedelta(days=1)
    ann = browser()
    ann.open(f"/day/{tomorrow}")
    board = daily.look(service, tomorrow, "").board
    assert board.commitment in ann.page.text and board.secret.hex() not in ann.html
    assert not [form for form in ann.page.forms if form.action.startswith("/day")]
    ann.client.post(f"/day/{tomorrow}", data={"name": "Ann"})
    assert daily.look(service, tomorrow, "").board.cut == ""
    ann.open("/day")
    ann.press("Play today’s deal")
    cut = daily.look(service, TODAY, "").board.cut
    watch.time = daily.begins(TODAY) + daily.DAY + daily.GRACE
    ann.open(f"/day/{TODAY}")
    assert daily.look(service, TODAY, "").board.secret.hex() in ann.page.text
    assert cut in ann.page.text
    ben = browser()
    ben.open("/day")
    assert day_of(watch()) == tomorrow
    ben.open(next(link for link, _ in ben.page.links if link.endswith(str(TODAY))))
    ben.press("Play this deal")
    assert ben.page.moves()


@pytest.mark.parametrize(
    "when",
    ["2026-13-01", TODAY.strftime("%Y%m%d"), "2026-11-25x", "x", "9999-12-31", "0001-01-01", "²"],
)
def test_no_other_address_is_a_day(promised, browser, when):
    ann = browser()
    ann.open(f"/day/{when}")
    assert ann.status == 404
    answer = ann.client.post(f"/day/{when}", data={"name": "Ann"})
    assert answer.status_code in (404, 422)


def test_a_program_is_answered_in_its_voice_as_at_every_door(promised, app, service):
    ann = Program(app)
    opened = ann.post(f"/day/{TODAY}", {"name": "Ann"})
    table = opened.json
    assert (opened.status_code, table["format"], table["stage"]) == (201, "kaboom table", "playing")
    assert opened.location.endswith(f"/t/{table['code']}.json")
    assert ann.post(f"/day/{TODAY}").json["code"] == table["code"]  # one's own try
    once = JSON | {"Idempotency-Key": "one"}
    again = [ann.post(f"/day/{TODAY}", {"again": True}, once).json["code"] for _ in range(2)]
    assert again[0] == again[1] != table["code"]
    text = ann.post(f"/day/{TODAY}", headers=TEXT)
    assert text.status_code == 201 and table["code"] in text.text.splitlines()[0]
    tomorrow = ann.post(f"/day/{TODAY + timedelta(days=1)}")
    assert (tomorrow.status_code, tomorrow.json["type"]) == (422, "/problems/not-now")
    wrong = ann.post(f"/day/{TODAY}", {"agian": True})
    assert (wrong.json["type"], list(wrong.json["fields"])) == ("/problems/bad-options", ["agian"])
    nobody = Program(app).post(f"/day/{TODAY}", {"name": "\u200b"}, headers=TEXT)
    assert nobody.status_code == 422 and nobody.text.startswith("Refused: ")


def test_a_deal_that_nobody_could_be_told_of_is_not_for_bots_of_players(promised, app, service):
    ann = Program(app)
    scopes = ["look", "play", "table", "bot"]
    key = ann.post("/guests", {"name": "Ann", "scopes": scopes}).json["key"]
    answer = ann.post(f"/day/{TODAY}", headers=JSON | {"Authorization": f"Bearer {key}"})
    assert (answer.status_code, answer.json["type"]) == (403, "/problems/not-yours")
    assert daily.look(service, TODAY, hash_of(key)).at == ""


@pytest.mark.parametrize("name", ["", "\u200b", "x" * 10_000])
def test_bad_names_get_a_sentence(promised, app, name):
    answer = app.test_client().post(f"/day/{TODAY}", data={"name": name})
    assert answer.status_code in (303, 422)
    assert answer.status_code == (303 if name.startswith("x") else 422)


def test_the_feed_is_atom_and_tells_commitments_and_nothing_else(promised, app, service):
    answer = app.test_client().get("/day.atom")
    feed = ET.fromstring(answer.get_data())
    found = {entry.find(f"{ATOM}id").text: entry for entry in feed.iter(f"{ATOM}entry")}
    assert len(found) == len(set(found)) == 8
    for it in daily.calendar(service):
        entry = found[f"tag:localhost,2026:day/{it.date}"]
        assert entry.find(f"{ATOM}summary").text == f"SHA-256: {it.board.commitment}"
        assert it.board.secret.hex() not in answer.text


def test_looking_changes_nothing(promised, app, service):
    before = [it.board for it in daily.calendar(service)]
    for address in ("/day", f"/day/{TODAY}", "/day.atom"):
        assert "Set-Cookie" not in app.test_client().get(address).headers
    assert [it.board for it in daily.calendar(service)] == before


def test_the_page_that_verifies_shows_what_was_published_beforehand(
    promised, browser, service, watch
):
    ann = browser()
    ann.open("/day")
    ann.press("Play today’s deal")
    ann.open("/day")
    code = code_of(ann)
    finish(service, code)
    record = service.look(code).table.record
    assert ann.open(f"/m/{record}/verify") and ann.status == 404
    watch.time = daily.begins(TODAY) + daily.DAY + daily.GRACE
    board = daily.look(service, TODAY, "").board
    ann.open(f"/m/{record}/verify")
    for shown in (board.label, board.commitment, board.secret.hex(), board.cut):
        assert shown in ann.page.text
    assert ann.client.get(f"/m/{record}.json").json["board"]["label"] == board.label


def test_who_has_not_finished_is_sent_the_same_bytes_whatever_others_have_done(
    promised, browser, service
):
    ann, ben, cid = browser(), browser(), browser()
    for person in (ann, ben):
        person.open("/day")
        person.press("Play today’s deal")
    path = "/t/" + service.look(code_after(ben)).code
    before = [masked(person, page) for person in (ben, cid) for page in ("/day", "/ratings", path)]
    finish(service, code_after(ann))
    after = [masked(person, page) for person in (ben, cid) for page in ("/day", "/ratings", path)]
    assert before == after


def code_after(person):
    person.open("/day")
    return code_of(person)


def masked(person, page):
    """Return a page without what is drawn anew for each form."""
    person.open(page)
    return re.sub('name="cmd" value="[^"]+"', "", person.html)


def test_programs_and_readers_look_at_the_deal_of_a_day_as_people_do(promised, app, service):
    ann = Program(app)
    told = ann.get("/day.json").json
    assert told == ann.get("/day", **JSON).json == ann.get("/day/2026-11-25.json").json
    assert (told["stage"], told["date"], told["table"]) == ("today", "2026-11-25", "")
    assert {it["stage"] for it in told["days"]} == {"today", "to-come"}
    assert told["commitment"] and not told["secret"]
    text = ann.get("/day.txt?width=40").text
    assert "play: POST /day/2026-11-25 name=" in text
    assert f" {told['commitment']}\n" in ann.get("/day.txt?width=200").text
    assert max(map(len, text.splitlines())) <= 40
    assert ann.get("/day/2026-11-26.json").json["links"].keys() == {"self", "text", "page"}
    code = ann.post(told["links"]["play"], {"name": "Ann"}).json["code"]
    begun = ann.get("/day.json").json
    assert (begun["table"], begun["finished"], begun["worse"]) == (code, False, None)
    assert "You have begun." in ann.get("/day.txt").text
    finish(service, code)
    ended = ann.get("/day.json").json
    assert ended["finished"] and (ended["others"], ended["worse"]) == (0, 0) and not ended["secret"]
    assert ann.get(ended["links"]["replay"]).json["format"] == "kaboom step"
    assert Program(app).get("/day.json").json["table"] == ""


def test_aloud_nothing_is_said_of_hashes_and_addresses(promised, app):
    said = Program(app).get("/day", Accept="text/plain;profile=say").text.strip()
    assert said.startswith("Deal of Nov 25, 2026: ") and "counts, even if you leave it" in said
    assert not re.search(r"[^\w\s.,;:?!’']", said) and len(said.split()) <= 60
    assert "SHA" not in said


def test_a_day_without_a_deal_is_said_in_every_voice(app, service, watch):
    ann = Program(app)
    told = ann.get("/day.json")
    assert (told.status_code, told.json["stage"], told.json["game"]) == (200, "", "")
    assert "Look again in an hour" in ann.get("/day.txt").text
    assert ann.get("/day/2001-01-01.json").json["type"].startswith("/problems/")


def test_the_secret_is_told_to_programs_three_hours_after_the_day(promised, app, watch):
    watch.time += 86400 + 3 * 3600
    told = Program(app).get("/day/2026-11-25.json").json
    assert told["stage"] == "over"
    assert hash_of(bytes.fromhex(told["secret"])) == told["commitment"]
