"""Finished matches in a browser without scripts: records, replays, verification, deletion."""

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
from kaboom.records.replay import Replay
from kaboom.tables.match_record import LARGEST, text_of
from tests.support.api_clients import JSON, TEXT
from tests.support.finished_matches import finish, made, play_to_the_end


@cache
def file_of(key):
    """Return the file of a finished match of a game."""
    cuts = ("three cards", "") if key in ("gops", "kaboom") else ()
    whole = {"hand_size": 10} if key == "taken" else {}  # long enough for several printed pages
    found = made(key, 3, cuts=cuts, most=4500, **whole)
    assert found is not None, f"no short match of {key}"
    return text_of(found)


@pytest.fixture
def looked(browser):
    """Return a function that opens a record's file at /replay: the browser and the address."""

    def opened(key="gops", text=None):
        one = browser()
        assert one.open("/replay").form("/replay").method == "post"
        form = {"text": text or file_of(key)}
        answer = one.client.post("/replay", data=form, content_type="multipart/form-data")
        assert answer.status_code == 303, answer.get_data(as_text=True)
        return one, answer.headers["Location"].replace("http://localhost", "")

    return opened


@pytest.fixture
def match(service, browser, table):
    """Return a finished match of Ann and Ben: the table's address, their browsers, the record's
    address.
    """
    path, people = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    return path, people, f"/m/{service.get(code).table.record}"


def no_buttons(browser):
    """Return True if no button on this page's table can be pressed."""
    at_table = browser.html[browser.html.index('<div id="table"') :]
    at_table = at_table[: at_table.index("</main>")]
    return "<button" not in at_table and "data-hx-trigger" not in at_table


# The record and its steps


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_every_step_has_a_page_from_every_viewpoint(looked, key):
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
            assert 'id="h-ending"' not in one.html, "the last step is shown without a celebration"
    one.open(f"{at}/{last + 1}")
    assert one.status == 404 and "no such step" in one.page.text


HELD = re.compile(r'class="[^"]*\bheld\b[^"]*">(.*?)</ul>', re.S)  # an open hand at its seat


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_open_replay_names_hidden_cards(looked, key):
    one, at = looked(key)
    one.open(f"{at}/1")
    seen, held = one.page.text, HELD.findall(one.html)
    names = json.loads(file_of(key))["names"]
    one.open(f"{at}/1?seat=watch")
    watched = one.page.text
    assert all(name in seen for name in names)
    # The hands of King of the Hill are not dealt yet.
    assert "What was hidden" in seen or len(held) == len(names) or key == "koth"
    assert "What was hidden" not in watched
    assert not HELD.search(one.html)


def test_open_replay_shows_every_koth_hand_and_buried_cards(looked):
    one, at = looked("koth")
    moves = json.loads(file_of("koth"))["moves"]
    buried = next(n for n, move in enumerate(moves, 1) if "bury" in move["text"].split())
    one.open(f"{at}/{buried}")
    hidden = one.html[one.html.index("What was hidden") : one.html.index("</main>")]
    zones = re.findall(r"<h3>([\w :]+)</h3>(.*?)</ul>", hidden, re.S)
    assert {name: zone.count("<li>") for name, zone in zones} == {"Dead hand": 8}
    assert [hand.count("<li>") for hand in HELD.findall(one.html)] == [20] * 5
    assert "card back" not in one.html


def test_replay_from_a_seat_shows_only_what_it_saw_then(looked):
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


def test_sealed_choice_is_visible_in_the_open_replay_only(looked):
    one, at = looked("gops")
    text = json.loads(file_of("gops"))["moves"][0]["text"]
    seat, _, card = text.split()
    who = json.loads(file_of("gops"))["names"][int(seat)]
    assert spoken(card) and ENGLISH
    one.open(f"{at}/1")
    assert f"{who} bids the {spoken(card)}." in one.page.text
    assert f"{who} has bid." not in one.page.text
    pile = rf'id="bid-[-\d]+-{seat}">(.*?)</div>'
    assert spoken(card) in re.search(pile, one.html)[1], "it lies open on the table, too"
    one.open(f"{at}/1?seat=watch")
    assert f"{who} has bid." in one.page.text
    assert f"{who} bids" not in one.page.text
    assert "card back" in re.search(pile, one.html)[1]
    one.open(f"{at}/1?seat={seat}")
    assert f"Your sealed bid is the {spoken(card)}." in one.page.text


@pytest.mark.parametrize("key", list(GAMES))
def test_match_in_sentences_has_no_button_labels(looked, key):
    one, at = looked(key)
    one.open(f"{at}/print")
    lines = re.findall(r'<p.*?><a href="[^"]+" aria-label="Step \d+">(\d+)</a> (.*)</p>', one.html)
    assert len(lines) == len(set(lines)) > 1
    offers = GAMES[key].words.offers.values()
    labels = [label for label in offers if "{" not in label and not label.endswith("?")]
    assert not [text for _, text in lines if any(f": {label}" in text for label in labels)]


def test_round_is_titled_by_its_first_sentence(looked):
    one, at = looked("karata")
    one.open(at)
    rounds = one.html[one.html.index('class="chapters"') :]
    assert "Game 1 of 1: Ann starts on the" in rounds
    assert "is dealt" not in rounds


def test_links_go_forward_back_and_to_rounds(looked):
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


def test_first_step_shows_everything_since_the_deal(looked):
    one, at = looked("gops")
    one.open(f"{at}/1")
    assert "Round 1: the" in one.page.text


def test_replay_does_not_say_since_your_last_move(looked):
    one, at = looked("gops")
    one.open(f"{at}/3?seat=0")
    assert 'class="fresh"' in one.html  # the current step
    assert "Since your last move" not in one.html


def test_forward_and_back_pass_over_players_who_get_ready(looked):
    one, at = looked("koth")
    one.open(f"{at}/0")
    last, there, seen = int(re.search(r"step 0 of (\d+)", one.page.text)[1]), 0, [0]
    while there < last:
        one.open({words: href for href, words in one.page.links}["Forward"])
        there = int(re.search(r"step (\d+) of", one.page.text)[1])
        seen.append(there)
    for step in range(1, last):
        happened = re.search(
            r'aria-labelledby="h-step".*?</section>', one.open(f"{at}/{step}") and one.html, re.S
        )[0]
        sentences = re.findall(r"<p>(.*?)</p>", happened)
        assert (step in seen) != all(it.endswith("is ready.") for it in sentences), sentences
    one.open(f"{at}/{seen[3]}")
    assert {words: href for href, words in one.page.links}["Back"] == f"{at}/{seen[2]}"


def test_moments_of_a_replay_link_to_their_steps(looked):
    one, at = looked("kaboom")
    one.open(f"{at}/0")
    links = [(link, text) for link, text in one.page.links if "calls kaboom" in text]
    assert links and "Autoplay" not in one.page.text
    one.open(links[0][0])
    assert "calls kaboom" in one.page.text and one.status == 200
    step = int(links[0][0].rsplit("/", 1)[1])
    assert f"step {step} of" in one.page.text


def test_chosen_viewpoint_persists_between_steps(looked):
    one, at = looked("gops")
    one.open(f"{at}/3")
    ann = json.loads(file_of("gops"))["names"][0]
    links = {words: href for href, words in one.page.links}
    one.open(links[ann])
    links = {words: href for href, words in one.page.links}
    assert links["Forward"].endswith("/4?seat=0")
    one.send(one.page.form("/go"), step="7")
    assert "step 7 of 26" in one.page.text
    assert any(href.endswith("/8?seat=0") for href, _ in one.page.links)


@pytest.mark.parametrize(
    ("typed", "step"), [("9", 9), ("999", 26), ("123456", 26), ("", 0), ("x", 0), ("-1", 0)]
)
def test_step_field_accepts_any_input(looked, typed, step):
    one, at = looked("gops")
    one.open(f"{at}/go?step={typed}")
    assert f"step {step} of 26" in one.page.text


def test_whole_match_is_printed_on_several_pages(looked, monkeypatch):
    one, at = looked("taken")
    one.open(f"{at}/print")
    assert "Page" not in one.page.text
    whole = one.html.count(" goes to row ")
    monkeypatch.setattr("kaboom.records.routes.PRINTED", 10)
    found, number = 0, 1
    while True:
        one.open(f"{at}/print?page={number}")
        found += one.html.count(" goes to row ")
        number += 1
        if "Forward" not in one.page.text:
            break
    assert found == whole > 10
    assert number == 4
    assert "Result" in one.page.text


@pytest.mark.parametrize(
    ("key", "has"), [("gops", "points?"), ("koth", "Rank"), ("karata", "cards?|games? won")]
)
def test_record_shows_the_podium_with_final_scores(looked, key, has):
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


def test_record_counts_rounds_in_the_order_of_its_story(looked):
    one, at = looked("gops")
    one.open(at)
    points = one.html.partition('id="points"')[2].partition("</section>")[0]
    assert "<h2>Points</h2>" in points and "Round 13 of 13" not in one.html
    numbers = [int(it) for it in re.findall(r'id="round-\d+-(\d+)"', points)]
    assert numbers == list(range(1, 14))
    banner = one.html.partition('class="ring"')[2].partition("</section>")[0]
    assert "<h1>" in banner


@pytest.mark.parametrize(("key", "has"), [("gops", 'class="scores rounds"'), ("taken", "Total")])
def test_record_shows_its_day_and_the_points_of_its_rounds(looked, key, has):
    one, at = looked(key)
    one.open(at)
    assert re.search(r"<h1>.*Jan 12, 1970.*</h1>", one.html)
    points = one.html.partition('id="points"')[2].partition("</section>")[0]
    assert has in points and "Ann" in points


def test_the_table_links_to_its_record_when_the_match_is_over(match):
    path, (ann, _), at = match
    ann.open(path)
    links = [href for href, _ in ann.page.links]
    assert at in links
    steps = [href for href in links if re.fullmatch(rf"{at}/\d+", href)]
    assert f"{at}/26" in steps
    ann.open(steps[-1])
    assert ann.status == 200


def test_running_match_has_no_record_and_its_lines_no_links(service, table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    code = service.get(path.rsplit("/", 1)[1]).table.record
    ann.open(path)
    assert f"/m/{code}" not in ann.html
    for more in ("", "/0", "/print", "/verify", "/go", "/rules", ".json"):
        ann.open(f"/m/{code}{more}")
        assert ann.status == 404
        assert "still being played" in ann.page.text


@pytest.mark.parametrize(
    "path", ["/m/AAAAAAAA", "/m/x", "/m/AAAAAAAA.json", "/replay/ABC", "/m/ /0"]
)
def test_unknown_match_is_reported_in_a_sentence(browser, path):
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
    assert service.get(code).table.match == 2
    ann.open(path)
    assert first in [href for href, _ in ann.page.links]
    second = f"/m/{service.get(code).table.record}"
    ann.open(first)
    assert second in [href for href, _ in ann.page.links]
    ann.open(second)
    assert ann.status == 404
    service.change(code, lambda transaction: transaction.stop())
    ann.open(second)
    assert "ended without a result" in ann.page.text
    assert first in [href for href, _ in ann.page.links]


def test_only_players_get_a_link_from_the_record_to_the_table(match, browser):
    path, (ann, _), at = match
    ann.open(at)
    assert path in ann.html
    stranger = browser()
    stranger.open(at)
    assert path not in stranger.html


def test_a_result_can_be_shared_when_the_match_ends(match, looked):
    path, (ann, _ben), at = match
    ann.open(path)
    assert f"{at}#share" in [address for address, _ in ann.page.links]
    ann.open(at)
    (text,) = re.findall(r'<textarea id="shared".*?>(GOPS: .+?)</textarea>', ann.html)
    assert text.endswith(f"http://localhost{at}")
    assert f'og:title" content="{text.split(". ")[0]}"' in ann.html
    ann.send(ann.page.form(f"{at}/hide"))
    ann.open(at)
    assert ("og:title" in ann.html, 'id="shared"' in ann.html) == (False, False)
    one, other = looked()
    one.open(other)
    assert 'id="shared"' not in one.html


def test_record_calls_its_reader_you_but_not_in_what_is_shared(match, browser):
    _, (ann, _ben), at = match
    stranger = browser()
    for one, called in ((ann, "You"), (stranger, "Ann")):
        one.open(at)
        podium = one.html.partition('class="podium"')[2].partition("</ol>")[0]
        points = one.html.partition('id="points"')[2].partition("</section>")[0]
        rounds = one.html.partition('class="chapters"')[2].partition("</ol>")[0]
        assert f"<b>{called}</b>" in podium
        assert f">{called}</th>" in points
        assert "Ann wins" not in rounds or one is stranger
        (text,) = re.findall(r'<textarea id="shared".*?>(.+?)</textarea>', one.html)
        assert "you" not in text.lower()


def test_player_hides_a_match_and_shows_it_again(match, browser):
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


# The file, and uploaded files


def test_downloaded_record_can_be_uploaded_and_viewed(match, browser):
    _, (ann, _), at = match
    ann.open(at)
    href = ann.page.link("Download the record")
    answer = ann.client.get(href)
    assert answer.mimetype == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    other = browser()
    sent = {"file": (io.BytesIO(answer.data), "record.json")}
    looked = other.client.post("/replay", data=sent, content_type="multipart/form-data")
    assert looked.status_code == 303
    other.open(looked.headers["Location"])
    assert "not dealt by this server" in other.page.text
    assert "Verified" in other.page.text
    assert "Hide this match" not in other.page.text
    assert "Ann" in other.page.text


def test_edited_record_is_reported_on_every_checking_page(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"Eve"'))
    for more in ("", "/verify", "/0", "/3", "/print"):
        one.open(at + more)
        assert "This record is not genuine: It was changed" in one.page.text
        assert "✓ Verified" not in one.page.text


MARK = "Not genuine:"
# Parts of a page that may be quoted or photographed alone.
PARTS = ("title", "h1", "h2", "section", "table", "caption", "li")


def unmarked(tree, besides):
    """Return the texts of a page without the warning that they are unverified."""
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


def test_forged_record_is_marked_in_every_format(looked):
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


def test_valid_record_has_no_mark(looked):
    one, at = looked(text=file_of("gops"))
    for more in ("", "/0", "/print", "/verify"):
        one.open(at + more)
        assert MARK not in one.html and "data-forged" not in one.html
    assert one.client.get(f"{at}/0", headers=JSON).json["genuine"] is True
    assert one.client.get(at, headers=JSON).json["format"] == "kaboom record"


WRONG = ["", "nonsense", "{}", "[1]", "\x00", file_of("gops")[:-9], file_of("gops") * 2]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_malformed_record_is_refused_with_a_sentence(browser, text):
    one = browser()
    answer = one.client.post("/replay", data={"text": text}, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.get_data(as_text=True)


def test_binary_file_is_refused(browser):
    sent = {"file": (io.BytesIO(b"\xff\xfe" * 20), "record.json")}
    answer = browser().client.post("/replay", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 400


def test_percent_sign_in_a_name_does_not_corrupt_the_file(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"50%ff"'))
    one.open(at)
    assert one.status == 200 and "50%ff" in one.page.text


def test_overlong_record_is_refused_and_other_forms_stay_short(browser):
    one = browser()
    long = b"text=" + b"x" * (LARGEST + 200_000)
    kind = "application/x-www-form-urlencoded"
    assert one.client.post("/replay", data=long, content_type=kind).status_code == 413
    assert one.client.post("/account/delete", data={"sure": "x" * 70_000}).status_code == 413


def test_markup_in_a_record_is_shown_as_text(looked):
    one, at = looked(text=file_of("gops").replace('"Ann"', '"<b>x</b>"'))
    for more in ("", "/3", "/3?seat=0", "/print", "/verify"):
        one.open(at + more)
        assert "<b>x</b>" not in one.html
        assert "&lt;b&gt;x" in one.html


# Verifying


def test_verification_page_shows_seed_cuts_and_verifier(looked):
    one, at = looked("gops")
    one.open(f"{at}/verify")
    record = json.loads(file_of("gops"))
    assert record["seed"] in one.page.text and record["commitment"] in one.page.text
    assert "Cut made by Ann" in one.page.text and "three cards" in one.page.text
    href = next(href for href, words in one.page.links if "verify.py" in words)
    answer = one.client.get(href)
    assert answer.status_code == 200 and b"def problems(" in answer.data


def test_cut_made_in_the_lobby_is_shown_in_the_record(service, table):
    path, (ann, ben) = table("Ann", "Ben", game="gops", ready=False)
    code = path.rsplit("/", 1)[1]
    ann.open(path)
    promised = re.search(r"<code>([0-9a-f]{64})</code>", ann.html)[1]
    ann.send(ann.page.form("/cut"), cut="my own")
    ann.open(path)
    assert "Your text now: my own" in ann.page.text
    assert promised in ann.html
    ben.open(path)
    assert "my own" not in ben.html
    assert promised in ben.html
    assert service.get(code).table.chairs[0].cut == "my own"
    for player in (ann, ben):
        player.open(path)
    ben.send(ben.page.form("/ready"))
    ann.open(path)
    ann.send(ann.page.form("/start"))
    assert service.get(code).table.commitment == promised
    ann.open(path)
    assert "my own" not in ann.html
    finish(service, code)
    ann.open(f"/m/{service.get(code).table.record}/verify")
    assert "my own" in ann.page.text and promised in ann.page.text


# A player's own matches


def test_statistics_are_shown_and_deleted(match, browser):
    _, (ann, ben), at = match
    ann.open("/")
    ann.open(next(href for href, words in ann.page.links if words.startswith("Your profile")))
    assert at in ann.html
    form = ann.page.form("/account/delete")
    ann.send(form, next(button for button in form.buttons if button[1] == "statistics"))
    assert ann.status == 422 and at in ann.html
    form = ann.page.form("/account/delete")
    statistics = next(button for button in form.buttons if button[1] == "statistics")
    ann.send(form, statistics, ticked=[("sure", "1")])
    assert "No match has been finished" in ann.page.text and at not in ann.html
    ben.open("/account")
    assert at in ben.html
    stranger = browser()
    stranger.open("/account")
    assert stranger.status == 200 and "No match has been finished" in stranger.page.text


def test_name_is_changed_on_the_own_page(match):
    _, (ann, _), at = match
    ann.open("/account")
    ann.send(ann.page.form("/account/name"), name=" ")
    assert ann.status == 422 and "at least one visible character" in ann.page.text
    ann.send(ann.page.form("/account/name"), name="Anna")
    assert ann.status == 200 and 'value="Anna"' in ann.html
    assert "GOPS Ann, Ben" in ann.open(at).text, "a finished match keeps its names"


def test_changed_name_is_used_in_clubs_that_had_the_old_one(match):
    _, (ann, ben), _ = match
    at = [ann.client.post("/clubs", data={"club": "Gulls", "called": it}) for it in ("Ann", "A.")]
    ann.open(at[0].location)
    ann.send(ann.page.form("/link"))
    join = re.search(r"/clubs/join/[\w-]+", ann.html)[0]
    ben.client.post(join, data={"name": "Anna"})
    ann.open("/account")
    ann.send(ann.page.form("/account/name"), name="Anna")
    assert [
        f"as {name}." in ann.open(it.location).text
        for it, name in zip(at, ("Anna 2", "A."), strict=True)
    ] == [True, True]


def test_erasing_a_player_revokes_the_key(match, service):
    path, (ann, _), _ = match
    ann.open("/account")
    form = ann.page.form("/account/delete")
    everything = next(button for button in form.buttons if button[1] == "all")
    ann.send(form, everything, ticked=[("sure", "1")])
    assert ann.client.get_cookie("kb") is None
    names = [occupant.name for _, occupant in service.get(path.rsplit("/", 1)[1]).table.sitting()]
    assert names == ["Ben"]


def test_erasing_during_a_match_is_refused_naming_the_match(match, service):
    path, (ann, ben), at = match
    for person in (ann, ben):
        person.open(path)
        person.send(person.page.form("/rematch"))
    assert service.get(path.rsplit("/", 1)[1]).table.playing
    ann.open("/account")
    form = ann.page.form("/account/delete")
    everything = next(button for button in form.buttons if button[1] == "all")
    ann.send(form, everything, ticked=[("sure", "1")])
    assert ann.status == 422
    assert "still in a match" in ann.page.text
    assert at in ann.html, "the first page of them"


def test_match_of_removed_rules_is_still_shown(service, browser):
    code, _ = play_to_the_end(service, "gops")
    record = service.get(code).table.record

    def age(connection):
        connection.exec_driver_sql("UPDATE matches SET game_version = 0, options = '{\"x\": 1}'")

    service.database.write(age)
    one = browser()
    one.open(f"/m/{record}")
    assert one.status == 200
    assert "rules that this server no longer has" in one.page.text
    for more in ("/0", "/rules"):
        one.open(f"/m/{record}{more}")
        assert one.status == 404
    for more in ("/print", "/verify", ".json"):
        one.open(f"/m/{record}{more}")
        assert one.status == 200


@pytest.mark.parametrize(("wrong", "steps"), [(["It was changed."], ["deal"]), ([], [])])
def test_wrong_or_unplayable_record_shows_no_final_scores(wrong, steps):
    replay = Replay(None, None, b"", wrong=wrong, steps=steps)
    assert records._at_the_end(SimpleNamespace(replay=replay)) is None


@pytest.mark.slow
@pytest.mark.parametrize("key", list(GAMES))
def test_replay_of_others_never_says_you(looked, key):
    one, at = looked(key)
    last = len(json.loads(file_of(key))["moves"])
    for number in (last // 3, last // 2, last):
        one.open(f"{at}/{number}?seat=0")
        assert "(you)" not in one.page.text and "Your turn" not in one.page.text
