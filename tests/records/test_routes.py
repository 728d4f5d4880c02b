"""Afterwards, in a browser without scripts: records, replays, verifying, looking, forgetting."""

import io
import json
import re
from functools import cache
from types import SimpleNamespace

import html5lib
import pytest

from kaboom.engine.i18n import ENGLISH
from kaboom.engine.toolkit.cards import spoken
from kaboom.games import GAMES
from kaboom.records import routes as records
from kaboom.tables.match_record import LARGEST, text_of
from tests.support.api_clients import JSON, TEXT
from tests.support.finished_matches import finish, made, play_to_the_end


@cache
def file_of(key):
    """Return the file of a finished match of a game."""
    cuts = ("three cards", "") if key in ("gops", "kaboom") else ()
    whole = {"hand_size": 10} if key == "taken" else {}  # enough to be printed on several pages
    found = made(key, 3, cuts=cuts, most=4500, **whole)
    assert found is not None, f"no short match of {key}"
    return text_of(found)


@pytest.fixture
def looked(browser):
    """A function: open a record's file at /look; return the browser and the record's address."""

    def opened(key="gops", text=None):
        one = browser()
        assert one.open("/look").form("/look").method == "post"
        form = {"text": text or file_of(key)}
        answer = one.client.post("/look", data=form, content_type="multipart/form-data")
        assert answer.status_code == 303, answer.get_data(as_text=True)
        return one, answer.headers["Location"].replace("http://localhost", "")

    return opened


@pytest.fixture
def match(service, browser, table):
    """A match of Ann and Ben that is over: the table's address, their browsers, the record's."""
    path, people = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    return path, people, f"/m/{service.look(code).table.record}"


def no_buttons(browser):
    """Say whether nothing on this page's table can be pressed."""
    at_table = browser.html[browser.html.index('<div id="table"') :]
    at_table = at_table[: at_table.index("</main>")]
    return "<button" not in at_table and "data-hx-trigger" not in at_table


# The record and its steps


@pytest.mark.parametrize("key", list(GAMES))
def test_every_step_of_every_game_has_a_page_for_all_eyes(looked, key):
    one, at = looked(key)
    one.open(at)
    assert one.status == 200 and "Verified" in one.page.text
    last = len(json.loads(file_of(key))["moves"])
    for number in sorted({0, 1, last // 3, last // 2, last - 1, last}):
        for eyes in ("", "?seat=watch", "?seat=0", "?seat=1", "?seat=nonsense"):
            one.open(f"{at}/{number}{eyes}")
            assert one.status == 200, (number, eyes, one.page.text)
            assert f"step {number} of {last}" in one.page.text
            assert no_buttons(one)
            assert 'id="h-ending"' not in one.html, "the last step is looked at, not celebrated"
    one.open(f"{at}/{last + 1}")
    assert one.status == 404 and "no such step" in one.page.text


@pytest.mark.parametrize("key", list(GAMES))
def test_open_eyes_see_every_hidden_card_by_name(looked, key):
    one, at = looked(key)
    one.open(f"{at}/1")
    seen = one.page.text
    names = json.loads(file_of(key))["names"]
    one.open(f"{at}/1?seat=watch")
    watched = one.page.text
    assert all(name in seen for name in names)
    assert "What was hidden" in seen or key == "koth"  # whose cards are not yet dealt
    assert "What was hidden" not in watched


def test_open_eyes_see_every_hand_of_king_of_the_hill_and_what_was_buried(looked):
    one, at = looked("koth")
    moves = json.loads(file_of("koth"))["moves"]
    buried = next(n for n, move in enumerate(moves, 1) if "bury" in move["text"].split())
    one.open(f"{at}/{buried}")
    hidden = one.html[one.html.index("What was hidden") : one.html.index("</main>")]
    zones = re.findall(r"<h3>([\w :]+)</h3>(.*?)</ul>", hidden, re.S)
    assert {name: zone.count("<li>") for name, zone in zones} == {
        **{f"{name}: Hand": 20 for name in json.loads(file_of("koth"))["names"]},
        "Dead hand": 8,
    }
    assert "card back" not in hidden


def test_seats_see_only_what_they_saw_then(looked):
    one, at = looked("taken")
    shown = {}
    for seat in (0, 1):
        one.open(f"{at}/0?seat={seat}")
        own = one.html[one.html.index("Your hand") : one.html.index("The rows")]
        shown[seat] = set(re.findall(r">(\d+), \d point", own))
        assert len(shown[seat]) == 10
    assert not shown[0] & shown[1]
    one.open(f"{at}/0?seat=watch")
    assert "Your hand" not in one.page.text


def test_what_was_chosen_in_secret_is_told_to_open_eyes_only(looked):
    one, at = looked("gops")
    text = json.loads(file_of("gops"))["moves"][0]["text"]
    seat, _, card = text.split()
    who = json.loads(file_of("gops"))["names"][int(seat)]
    assert spoken(card) and ENGLISH
    one.open(f"{at}/1")
    assert f"{who} bids the {spoken(card)}." in one.page.text
    assert f"{who} has bid." not in one.page.text
    one.open(f"{at}/1?seat=watch")
    assert f"{who} has bid." in one.page.text
    assert f"{who} bids" not in one.page.text
    one.open(f"{at}/1?seat={seat}")
    assert f"Your sealed bid is the {spoken(card)}." in one.page.text


@pytest.mark.parametrize("key", list(GAMES))
def test_a_match_in_sentences_has_no_words_of_buttons(looked, key):
    one, at = looked(key)
    one.open(f"{at}/print")
    lines = re.findall(r'<li><a href="[^"]+">(\d+)</a> (.*)</li>', one.html)
    assert len(lines) == len(set(lines))
    offers = GAMES[key].words.offers.values()
    labels = [label for label in offers if "{" not in label and not label.endswith("?")]
    assert not [text for _, text in lines if any(f": {label}" in text for label in labels)]


def test_a_round_is_called_by_the_sentence_that_begins_it(looked):
    one, at = looked("karata")
    one.open(at)
    rounds = one.html[one.html.index('class="chapters"') :]
    assert "Game 1 of 1: Ann starts on the" in rounds
    assert "is dealt" not in rounds


def test_links_lead_forward_and_back_and_to_rounds(looked):
    one, at = looked("gops")
    one.open(f"{at}/0")
    for _ in range(3):
        one.open({words: href for href, words in one.page.links}["Forward"])
    assert "step 3 of 26" in one.page.text
    links = {words: href for href, words in one.page.links}
    assert links["First"].endswith("/0") and links["Last"].endswith("/26")
    one.open(links["Next round"])
    assert "step 4 of 26" in one.page.text and "Round 3: the" in one.page.text
    links = {words: href for href, words in one.page.links}
    one.open(links["Previous round"])
    assert "step 2 of 26" in one.page.text
    links = {words: href for href, words in one.page.links}
    one.open(links["Back"])
    assert "step 1 of 26" in one.page.text


def test_a_step_shows_what_came_before_from_the_deal_on(looked):
    one, at = looked("gops")
    one.open(f"{at}/1")
    assert "Round 1: the" in one.page.text


def test_nothing_of_a_record_is_new_since_a_move_of_ones_own(looked):
    one, at = looked("gops")
    one.open(f"{at}/3?seat=0")
    assert 'class="fresh"' in one.html  # where one stands in it
    assert "Since your last move" not in one.html


def test_other_eyes_are_kept_from_step_to_step(looked):
    one, at = looked("gops")
    one.open(f"{at}/3")
    ann = json.loads(file_of("gops"))["names"][0]
    links = {words: href for href, words in one.page.links}
    one.open(links[f"as {ann} saw it"])
    links = {words: href for href, words in one.page.links}
    assert links["Forward"].endswith("/4?seat=0")
    one.send(one.page.form("/go"), step="7")
    assert "step 7 of 26" in one.page.text
    assert any(href.endswith("/8?seat=0") for href, _ in one.page.links)


@pytest.mark.parametrize(
    ("typed", "step"), [("9", 9), ("999", 26), ("123456", 26), ("", 0), ("x", 0), ("-1", 0)]
)
def test_go_to_a_step_goes_somewhere_whatever_is_typed(looked, typed, step):
    one, at = looked("gops")
    one.open(f"{at}/go?step={typed}")
    assert f"step {step} of 26" in one.page.text


def test_the_whole_match_is_printed_in_pages(looked, monkeypatch):
    one, at = looked("taken")
    one.open(f"{at}/print")
    assert "Page" not in one.page.text
    whole = one.html.count("<li><a")
    monkeypatch.setattr("kaboom.records.routes.PRINTED", 10)
    found, number = 0, 1
    while True:
        one.open(f"{at}/print?page={number}")
        found += one.html.count("<li><a")
        number += 1
        if "Forward" not in one.page.text:
            break
    assert found == whole > 50
    assert number == 4
    assert "The result" in one.page.text


@pytest.mark.parametrize(
    ("key", "has"), [("gops", "points?"), ("koth", "Rank"), ("karata", "cards?|games? won")]
)
def test_a_record_shows_the_podium_with_what_each_seat_had_in_the_end(looked, key, has):
    one, at = looked(key)
    one.open(at)
    steps = re.findall(
        r'<li value="(\d)".*?<b>(.*?)</b>.*?data-place="(\d)">(.*?)</span>', one.html
    )
    record = json.loads(file_of(key))
    assert sorted(int(place) for place, *_ in steps) == sorted(record["outcome"]["places"])
    assert {name for _, name, *_ in steps} >= set(record["names"])
    assert all(re.search(has, text) for *_, text in steps)
    assert ' class="first"' in one.html or not record["outcome"]["winners"]


def test_the_table_links_to_its_record_when_the_match_is_over(match):
    path, (ann, _), at = match
    ann.open(path)
    links = [href for href, _ in ann.page.links]
    assert at in links
    steps = [href for href in links if re.fullmatch(rf"{at}/\d+", href)]
    assert f"{at}/26" in steps
    ann.open(steps[-1])
    assert ann.status == 200


def test_while_it_is_played_the_record_is_not_there_and_no_line_is_a_link(service, table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code = service.look(path.rsplit("/", 1)[1]).table.record
    ann.open(path)
    assert f"/m/{code}" not in ann.html
    for more in ("", "/0", "/print", "/verify", "/go", "/rules", ".json"):
        ann.open(f"/m/{code}{more}")
        assert ann.status == 404
        assert "still being played" in ann.page.text


@pytest.mark.parametrize("path", ["/m/AAAAAAAA", "/m/x", "/m/AAAAAAAA.json", "/look/ABC", "/m/ /0"])
def test_what_is_not_there_is_said_in_a_sentence(browser, path):
    one = browser()
    one.open(path)
    assert one.status == 404
    assert "There is no" in one.page.text


def test_matches_of_one_table_are_linked_both_ways(service, match):
    path, (ann, ben), first = match
    for person in (ann, ben):
        person.open(path)
        person.send(person.page.form("/rematch"))
    code = path.rsplit("/", 1)[1]
    assert service.look(code).table.match == 2
    ann.open(path)
    assert first in [href for href, _ in ann.page.links]
    second = f"/m/{service.look(code).table.record}"
    ann.open(first)
    assert second in [href for href, _ in ann.page.links]
    ann.open(second)
    assert ann.status == 404
    service.change(code, lambda transaction: transaction.stop())
    ann.open(second)
    assert "ended without a result" in ann.page.text
    assert first in [href for href, _ in ann.page.links]


def test_only_players_are_led_from_the_record_to_the_table(match, browser):
    path, (ann, _), at = match
    ann.open(at)
    assert path in ann.html
    stranger = browser()
    stranger.open(at)
    assert path not in stranger.html


def test_a_player_hides_the_match_and_shows_it_again(match, browser):
    _, (ann, ben), at = match
    stranger = browser()
    ann.open(at)
    ann.press("Hide this match")
    assert "This match is hidden" in ann.page.text
    for more in ("", "/3", ".json", "/verify"):
        stranger.open(at + more)
        assert stranger.status == 404
        assert "have hidden this match" in stranger.page.text
    ben.open(at)
    ben.press("Show this match again")
    stranger.open(at)
    assert stranger.status == 200
    assert "Hide this match" not in stranger.page.text
    answer = stranger.client.post(at + "/hide")
    assert answer.status_code == 403


# The file, and looking at files from elsewhere


def test_the_record_is_downloaded_and_looked_at_again(match, browser):
    _, (ann, _), at = match
    ann.open(at)
    href = next(href for href, words in ann.page.links if words == "Download the record")
    answer = ann.client.get(href)
    assert answer.mimetype == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    other = browser()
    sent = {"file": (io.BytesIO(answer.data), "record.json")}
    looked = other.client.post("/look", data=sent, content_type="multipart/form-data")
    assert looked.status_code == 303
    other.open(looked.headers["Location"])
    assert "not dealt by this server" in other.page.text
    assert "Verified" in other.page.text
    assert "Hide this match" not in other.page.text
    assert "Ann" in other.page.text


def test_an_edited_record_says_so_on_every_page_that_shows_its_check(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"Eve"'))
    for more in ("", "/verify", "/0", "/3", "/print"):
        one.open(at + more)
        assert "This record is not genuine: Something in it was changed" in one.page.text
        assert "✓ Verified" not in one.page.text


MARK = "Not genuine:"
# What may be cut out of a picture of a page, or be read alone.
PARTS = ("title", "h1", "h2", "section", "table", "caption", "li")


def unmarked(tree, besides):
    """Return the parts of a page, in its text, that do not say that they are not true."""
    main = tree.find(".//main")
    stamped = {it for part in main.iter() if part.get("data-forged") for it in part.iter()}
    whole = [tree.find(".//title"), tree.find(".//h1")]
    seen = [it for it in main.iter() if it.tag in PARTS and it.get("class") != "visually-hidden"]
    parts = whole + [it for it in seen if it not in stamped]
    texts = {" ".join("".join(it.itertext()).split()) for it in parts}
    return {it for it in texts if MARK not in it and not it.startswith(besides)}


@pytest.mark.parametrize("more", ["", "/0", "/26", "/26?seat=0", "/print", "/verify"])
def test_every_part_of_a_forged_record_is_marked(looked, more):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"Eve"'))
    one.open(at + more)
    tree = html5lib.parse(one.html, namespaceHTMLElements=False)
    said = " ".join("".join(tree.find(".//main").itertext()).split())
    checks = ("Is this match genuine?", "Is this", "Without this server")
    assert said.startswith("Is this" if more == "/verify" else "This record is not genuine: ")
    assert unmarked(tree, checks if more == "/verify" else "What happened") == set()
    assert "podium" not in one.html and MARK in one.html
    log = tree.findall(".//div[@id='log']/ol/li")
    assert all(MARK in "".join(it.itertext()) for it in log) and (log or "/0" not in more)
    felt = tree.find(".//div[@id='table']")
    assert felt is None or felt.get("data-forged")


def test_a_forged_record_is_marked_in_every_voice(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"Eve"'))
    told = one.client.get(at, headers=JSON).json
    assert (told["format"], list(told)[2]) == ("not genuine", "wrong") and told["wrong"]
    step = one.client.get(f"{at}/0", headers=JSON).json
    assert step["genuine"] is False and step["wrong"] == told["wrong"]
    for path in (at, f"{at}/0"):
        first, *lines = one.client.get(f"{path}?width=200", headers=TEXT).text.splitlines()
        assert first.startswith("This record is not genuine: ")
        assert all(MARK in line or line.startswith("  ") for line in lines)
        aloud = {"Accept": "text/plain; profile=say"}
        assert one.client.get(path, headers=aloud).text.startswith("This record is not genuine: ")


def test_a_true_record_has_no_mark(looked):
    one, at = looked(text=file_of("gops"))
    for more in ("", "/0", "/print", "/verify"):
        one.open(at + more)
        assert MARK not in one.html and "data-forged" not in one.html
    assert one.client.get(f"{at}/0", headers=JSON).json["genuine"] is True
    assert one.client.get(at, headers=JSON).json["format"] == "kaboom record"


WRONG = ["", "nonsense", "{}", "[1]", "\x00", file_of("gops")[:-9], file_of("gops") * 2]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_no_record_is_refused_with_a_sentence(browser, text):
    one = browser()
    answer = one.client.post("/look", data={"text": text}, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.get_data(as_text=True)


def test_a_file_of_bytes_that_are_no_text_is_refused(browser):
    sent = {"file": (io.BytesIO(b"\xff\xfe" * 20), "record.json")}
    answer = browser().client.post("/look", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 400


def test_a_percent_sign_in_a_name_does_not_spoil_a_file(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"50%ff"'))
    one.open(at)
    assert one.status == 200 and "50%ff" in one.page.text


def test_what_is_too_long_is_refused_and_other_forms_stay_short(browser):
    one = browser()
    long = b"text=" + b"x" * (LARGEST + 200_000)
    kind = "application/x-www-form-urlencoded"
    assert one.client.post("/look", data=long, content_type=kind).status_code == 413
    assert one.client.post("/me/forget", data={"sure": "x" * 70_000}).status_code == 413


def test_markup_in_a_record_is_shown_as_text(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"<b>x</b>"'))
    for more in ("", "/3", "/3?seat=0", "/print", "/verify"):
        one.open(at + more)
        assert "<b>x</b>" not in one.html
        assert "&lt;b&gt;x" in one.html


# Verifying


def test_the_check_shows_seed_cuts_and_the_verifier(looked):
    one, at = looked("gops")
    one.open(f"{at}/verify")
    record = json.loads(file_of("gops"))
    assert record["seed"] in one.page.text and record["commitment"] in one.page.text
    assert "The cut of Ann" in one.page.text and "three cards" in one.page.text
    href = next(href for href, words in one.page.links if "verify.py" in words)
    answer = one.client.get(href)
    assert answer.status_code == 200 and b"def problems(" in answer.data


def test_one_cuts_the_cards_in_the_lobby_and_finds_the_cut_in_the_record(service, table):
    path, (ann, ben) = table("Ann", "Ben", game="gops", ready=False)
    code = path.rsplit("/", 1)[1]
    ann.open(path)
    promised = re.search(r"<code>([0-9a-f]{64})</code>", ann.html)[1]
    ann.send(ann.page.form("/cut"), cut="my own")
    ann.open(path)
    assert "yours: my own" in ann.page.text
    assert promised in ann.html
    ben.open(path)
    assert "my own" not in ben.html
    assert promised in ben.html
    assert service.look(code).table.chairs[0].cut == "my own"
    for player in (ann, ben):
        player.open(path)
    ben.send(ben.page.form("/ready"))
    ann.open(path)
    ann.send(ann.page.form("/start"))
    assert service.look(code).table.commitment == promised
    ann.open(path)
    assert "my own" not in ann.html
    finish(service, code)
    ann.open(f"/m/{service.look(code).table.record}/verify")
    assert "my own" in ann.page.text and promised in ann.page.text


# One's own


def test_statistics_are_shown_and_forgotten(match, browser):
    _, (ann, ben), at = match
    ann.open("/")
    ann.open(next(href for href, words in ann.page.links if words == "Your matches"))
    assert "1 match" in ann.page.text and at in ann.html
    form = ann.page.form("/me/forget")
    ann.send(form, next(button for button in form.buttons if button[1] == "statistics"))
    assert ann.status == 422 and at in ann.html
    form = ann.page.form("/me/forget")
    statistics = next(button for button in form.buttons if button[1] == "statistics")
    ann.send(form, statistics, ticked=[("sure", "1")])
    assert "No match has been finished" in ann.page.text and at not in ann.html
    ben.open("/me")
    assert at in ben.html
    stranger = browser()
    stranger.open("/me")
    assert stranger.status == 200 and "No match has been finished" in stranger.page.text


def test_forgetting_oneself_takes_the_key_away(match, service):
    path, (ann, _), _ = match
    ann.open("/me")
    form = ann.page.form("/me/forget")
    everything = next(button for button in form.buttons if button[1] == "all")
    ann.send(form, everything, ticked=[("sure", "1")])
    assert ann.client.get_cookie("kb") is None
    names = [chair.name for _, chair in service.look(path.rsplit("/", 1)[1]).table.sitting()]
    assert names == ["Ben"]


def test_one_who_is_in_a_match_is_told_so_beside_the_own_matches(match, service):
    path, (ann, ben), at = match
    for person in (ann, ben):
        person.open(path)
        person.send(person.page.form("/rematch"))
    assert service.look(path.rsplit("/", 1)[1]).table.playing
    ann.open("/me")
    form = ann.page.form("/me/forget")
    everything = next(button for button in form.buttons if button[1] == "all")
    ann.send(form, everything, ticked=[("sure", "1")])
    assert ann.status == 422
    assert "still in a match" in ann.page.text
    assert at in ann.html, "the first page of them"


def test_a_match_of_rules_that_are_gone_is_still_shown(service, browser):
    code, _ = play_to_the_end(service, "gops")
    record = service.look(code).table.record

    def age(connection):
        connection.exec_driver_sql("UPDATE matches SET game_version = 0, options = '{\"x\": 1}'")

    service.database.write(age)
    one = browser()
    one.open(f"/m/{record}")
    assert one.status == 200
    assert "rules this server no longer has" in one.page.text
    for more in ("/0", "/rules"):
        one.open(f"/m/{record}{more}")
        assert one.status == 404
    for more in ("/print", "/verify", ".json"):
        one.open(f"/m/{record}{more}")
        assert one.status == 200


@pytest.mark.parametrize(("wrong", "steps"), [(["It was changed."], ["deal"]), ([], [])])
def test_what_each_had_in_the_end_is_not_said_of_a_record_that_is_wrong_or_cannot_be_played(
    wrong, steps
):
    replay = SimpleNamespace(wrong=wrong, steps=steps)
    assert records._counted(SimpleNamespace(replay=replay)) == ()
