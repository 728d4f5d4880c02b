"""Puzzles in browsers without scripts, as JSON and as text, and the stored attempts."""

import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from sqlalchemy import select

from kaboom.engine.codec import copied, to_json
from kaboom.engine.moves import CLOCK
from kaboom.engine.play import Play
from kaboom.engine.rng import Rng
from kaboom.games import GAMES
from kaboom.puzzles import pages, routes
from kaboom.puzzles.book import book, numbers, reached
from kaboom.puzzles.models import puzzle_tries
from kaboom.puzzles.service import rating_of
from kaboom.ratings.openskill import Rating
from tests.learn.test_routes import made
from tests.support.api_clients import JSON, TEXT, Program
from tests.support.effort import often, some
from tests.support.finished_matches import finish

WITH_PUZZLES = [key for key in GAMES if book(key)]
START = Rating().points


def first(key="gops", place=0):
    return list(book(key).values())[place]


def right(puzzle):
    return puzzle.values[0].move


def wrong(puzzle):
    return puzzle.values[-1].move


def address(puzzle, ending=""):
    return f"/puzzle/{puzzle.id}{ending}"


def without_form_ids(page):
    """Return a page without the values that are new in each form."""
    return re.sub(r'name="cmd" value="[^"]*"', "", page)


def tries(service):
    """Return all stored attempts."""
    return service.database.read(lambda at: at.execute(select(puzzle_tries)).mappings().all())


def answer(browser, puzzle, move):
    """Press the button of a move in the list of a puzzle."""
    browser.open(address(puzzle, "?list=1"))
    form = browser.page.form("/answer")
    return browser.send(form, ("move", move, ""))


@pytest.fixture
def two(table):
    """The browsers of Ann and Ben, who have keys."""
    return table("Ann", "Ben", game="gops")[1]


@pytest.fixture
def ann(two):
    """A browser whose player has a key."""
    return two[0]


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_puzzle_is_answered_through_its_forms_and_explained(browser, key):
    one, puzzle = browser(), first(key)
    one.open(f"/puzzles/{key}")
    one.open(address(puzzle))
    assert "What do you play?" in one.page.text
    assert "<svg viewBox" not in one.html
    one.follow("As a list")
    assert len(re.findall('name="move"', one.html)) == len(puzzle.values)
    answer(one, puzzle, right(puzzle))
    assert "Right." in one.page.text
    assert one.html.count("<svg viewBox") == min(len(puzzle.values), pages.FIRST)
    assert one.html.count('<th scope="row">') == len(puzzle.values)
    answer(one, puzzle, wrong(puzzle))
    assert "Another move is worth more." in one.page.text
    assert "yours" in one.page.text


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_puzzle_is_answered_by_pressing_its_cards(browser, key):
    one, puzzle = browser(), first(key)
    one.open(address(puzzle))
    made(one, right(puzzle))
    assert "Right." in one.page.text


def test_row_of_cards_is_built_before_it_is_played(browser):
    puzzle = next(it for it in book("karata").values() if len(right(it).split()) > 2)
    one = browser()
    one.open(address(puzzle))
    made(one, right(puzzle))
    assert "Right." in one.page.text


def test_moves_that_were_not_compared_cannot_be_made(browser):
    """In Kaboom a card may be flipped at any time, but hardly any flip is compared."""
    of_all = book("kaboom").values()
    puzzle = next(it for it in of_all if {v.move for v in it.values} == {"draw", "take", "kaboom"})
    one = browser()
    one.open(address(puzzle))
    verbs = {button[1].split(" ")[1] for _form, button in one.page.moves()}
    assert verbs == {"draw", "take", "kaboom"}
    told = one.client.post(address(puzzle, "/move"), data={"move": "x flip 0.3", "match": "1"})
    assert told.status_code == 422


def test_remembered_cards_are_face_up_on_the_page_only(browser, app):
    puzzle = book("kaboom")["2951107c8c"]
    text = browser().open(address(puzzle)).text
    assert "top left: 6 of Diamonds" in text
    assert "The cards that lie face up are those you remember." in text
    zones = Program(app).get(address(puzzle, ".json")).json["zones"]
    own = next(it for it in zones if it["name"] == "grid" and it["owner"] == puzzle.seat)
    assert "6D" not in own["cards"]


def test_reason_fits_the_move_that_was_tried(browser):
    """Row 1 is as good as row 4, so a player who takes row 1 is not told to take row 4."""
    one, puzzle = browser(), book("taken")["7bd819f79a"]
    answer(one, puzzle, "take 0")
    assert "“Row 1” is as good as “Row 4”. “Row 1” is about 4.3 points better" in one.page.text
    assert "no other row is likely" not in one.page.text
    answer(one, puzzle, "take 1")
    assert "no other row is likely to cost less" in one.page.text
    assert "“Row 4” is about 7.2 points better than “Row 2”." in one.page.text


def test_reason_never_speaks_against_the_best_move(app):
    client = app.test_client()
    of_all = book("gops").values()
    puzzle = next(it for it in of_all if it.why and it.why.kind == "think.worse")
    text = client.get(address(puzzle, ".txt?show=1")).text
    assert "less than the best bid" not in text
    assert re.search(r"is about [\d.]+ points? better than", " ".join(text.split()))


@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_puzzle_is_solved_as_json_and_as_text(app, key):
    program, puzzle = Program(app), first(key)
    asked = program.get(address(puzzle, ".json")).json
    assert asked["values"] == []
    assert asked["right"] is None
    assert {it["move"] for it in asked["moves"]} == {it.move or "-" for it in puzzle.values}
    said = program.post(address(puzzle, "/answer"), {"move": wrong(puzzle)}).json
    assert said["right"] is False
    assert [it["move"] for it in said["values"]] == [it.move or "-" for it in puzzle.values]
    assert sum(it["right"] for it in said["values"]) == puzzle.accepted
    tried = f".txt?tried={quote(wrong(puzzle))}"
    text = program.get(address(puzzle, tried), Accept="text/plain").text
    assert said["why"] in " ".join(text.split())
    assert f"POST {address(puzzle)}/answer" in text


@pytest.mark.slow
def test_best_move_is_shown_only_after_an_answer(app):
    program, puzzle = Program(app), first()
    for ending in ("", ".json", ".txt"):
        plain = program.get(address(puzzle, ending)).text
        assert str(puzzle.values[0].worth) not in plain
        assert "±" not in plain
    orders = [
        [it["move"] for it in program.get(address(it, ".json")).json["moves"]]
        for it in book("gops").values()
    ]
    best = [right(it) for it in book("gops").values()]
    assert any(order[0] != move for order, move in zip(orders, best, strict=True))


@pytest.mark.parametrize(
    "move", ["bid 2D", "nonsense", "", "-", "bid", "bid AS KS", "x" * 500, "\x00"]
)
def test_unplayable_answer_is_refused_and_changes_nothing(app, service, move):
    program, puzzle = Program(app), first()
    for headers in (JSON, TEXT):
        said = program.post(address(puzzle, "/answer"), {"move": move}, headers)
        assert said.status_code == 422
    page = app.test_client().post(address(puzzle, "/answer"), data={"move": move})
    assert page.status_code == 422
    assert "What do you play?" in page.text
    assert tries(service) == []


@pytest.mark.parametrize("path", ["/puzzle/nothing", "/puzzle/nothing.json", "/puzzles/nothing"])
def test_unknown_puzzle_or_game_is_not_found(app, path):
    assert app.test_client().get(path).status_code == 404


def test_stranger_solving_a_puzzle_leaves_no_trace(browser, service):
    answer(browser(), first(), right(first()))
    assert tries(service) == []


def figures(person):
    """Return the reader's results on a page of puzzles, by their names."""
    return dict(re.findall(r"<dt>(.*?)</dt><dd>(\d+)", person.html))


def test_first_try_of_a_player_counts_and_later_ones_do_not(ann, service):
    one, other = first(), first(place=1)
    answer(ann, one, wrong(one))
    ann.open("/puzzles/gops")
    assert re.search(rf'href="/puzzle/{one.id}" class="tried">.*?tried</small>', ann.html)
    answer(ann, one, right(one))
    (kept,) = tries(service)
    assert not kept["right"] and kept["solved"]
    ann.open("/puzzles/gops")
    lower = int(figures(ann)["Rating"])
    assert lower < START
    assert figures(ann)["Tried"] == "1" and figures(ann)["Solved at the first attempt"] == "0"
    assert re.search(rf'href="/puzzle/{one.id}" class="on">.*?✓<span[^>]*> solved', ann.html)
    answer(ann, other, right(other))
    ann.open("/puzzles/gops")
    assert int(figures(ann)["Rating"]) > lower
    assert len(tries(service)) == 2


def test_puzzle_rating_falls_when_the_puzzle_is_solved(two, service):
    puzzle = first()
    for player in two:
        answer(player, puzzle, right(puzzle))
    one, two = tries(service)
    assert two["puzzle_mu"] < one["puzzle_mu"]


def test_missed_puzzles_are_listed_until_they_are_solved(ann):
    puzzle = first()
    answer(ann, puzzle, wrong(puzzle))
    ann.open("/puzzles")
    assert "Missed" in ann.page.text
    assert address(puzzle) in {link for link, _text in ann.page.links}
    answer(ann, puzzle, right(puzzle))
    ann.open("/puzzles")
    assert "Missed" not in ann.page.text


def test_streak_counts_consecutive_right_tries(ann, app):
    for place in range(3):
        puzzle = first(place=place)
        answer(ann, puzzle, right(puzzle))
    ann.open("/puzzles/gops")
    assert figures(ann)["In a row"] == "3"
    puzzle = first(place=3)
    answer(ann, puzzle, wrong(puzzle))
    ann.open("/puzzles/gops")
    assert figures(ann)["In a row"] == "0"


def test_gops_answer_says_how_many_cards_a_bid_beats(ann):
    told = ("varies", "worse", "best")  # reasons of bots that explain nothing
    puzzle = next(it for it in book("gops").values() if it.why.kind.removeprefix("think.") in told)
    ann.open(f"{address(puzzle)}?show=1")
    assert re.search(r"Bid the .*: of the cards that \w+ still holds, it beats", ann.html)


FURTHER = ("First puzzle", "Next puzzle")


def next_of(browser):
    """Return the puzzle to which the page of an answer leads."""
    link = next(link for link, words in browser.page.links if words in FURTHER)
    return book("gops")[link.removeprefix("/puzzle/")]


def test_newcomer_gets_easy_puzzles_next(ann, browser):
    hard = next(it for it in book("gops").values() if it.strength == "hard")
    stranger = browser()
    for one in (ann, stranger):
        answer(one, hard, wrong(hard))
        assert next_of(one).strength == "easy"
    stranger.open("/puzzles/gops")
    easy = next_of(stranger)
    answer(stranger, easy, right(easy))
    assert next_of(stranger).strength == "easy"
    assert next_of(stranger) != easy


def test_next_puzzle_is_harder_after_many_right_answers(ann, service):
    seen = []
    ann.open("/puzzles/gops")
    for _ in range(8):
        puzzle = next_of(ann)
        assert puzzle not in seen
        seen.append(puzzle)
        answer(ann, puzzle, right(puzzle))
    first, last = (rating_of(it, None).mu for it in (seen[0], next_of(ann)))
    assert last > first


def test_list_shows_results_and_links_to_themes_and_next_puzzle(ann):
    ann.open("/puzzles")
    assert "How a puzzle works" in ann.page.text and "First puzzle" in ann.page.text
    one = first()
    answer(ann, one, right(one))
    page = ann.open("/puzzles")
    assert f"1 of {len(book('gops'))} tried, 1 solved" in page.text
    assert "Your puzzles" in page.text and "How a puzzle works" not in page.text
    assert f"/puzzles/gops#{one.theme}" in {link for link, _text in page.links}
    assert any(words == "Next puzzle: GOPS" for _link, words in page.links)
    assert f'id="{one.theme}"' in ann.client.get("/puzzles/gops").text


def test_puzzle_of_the_day_is_on_the_home_page_and_in_a_feed(browser, app):
    one = browser()
    one.open("/")
    assert "/puzzles/day" in {link for link, _text in one.page.links}
    one.open("/puzzles/day")
    assert "What do you play?" in one.page.text
    feed = app.test_client().get("/puzzles.atom")
    assert feed.content_type == "application/atom+xml"
    assert feed.text.count("<entry>") == 7


def test_server_without_puzzles_says_that_it_has_none(app, monkeypatch):
    monkeypatch.setattr("kaboom.puzzles.service.book", lambda key: {})
    monkeypatch.setattr("kaboom.puzzles.routes.book", lambda key: {})
    client = app.test_client()
    assert "There are no puzzles yet." in client.get("/puzzles").text
    assert client.get("/puzzles/day").status_code == 404
    assert "/puzzles/day" not in client.get("/").text
    assert "no puzzles for this game" in client.get("/puzzles/gops").text


@pytest.mark.slow
@pytest.mark.parametrize("key", some(WITH_PUZZLES))
def test_play_on_from_a_puzzle_continues_from_its_position(browser, service, app, key):
    one, puzzle = browser(), first(key)
    one.open(address(puzzle) + "?show=1")
    one.send(one.page.form("/play"), ("level", "easy", ""), name="Zoe")
    code = re.search(r"/t/(\w+)/", one.html)[1]
    table = service.get(code).table
    assert table.origin.step == len(puzzle.texts)
    assert table.chairs[puzzle.seat].name == "Zoe"
    assert {it.level for it in table.chairs if it.bot} == {"easy"}
    finish(service, code)
    one.open(f"/t/{code}")
    assert address(puzzle) in {link for link, _text in one.page.links}
    one.open(f"/m/{service.get(code).table.record}")
    assert "played on from a puzzle" in one.page.text
    assert "Verified" in one.page.text
    assert address(puzzle) in {link for link, _text in one.page.links}


@pytest.mark.parametrize("form", [{"level": "godlike"}, {"name": "\u202e"}])
def test_play_on_with_invalid_values_opens_no_table(app, form):
    client = app.test_client()
    answer = client.post(address(first(), "/play"), data={"name": "Zoe", **form})
    assert answer.status_code == 422
    assert "What do you play?" in answer.text


@pytest.mark.slow
@pytest.mark.parametrize("key", WITH_PUZZLES)
def test_puzzle_page_shows_only_what_its_seat_may_know(app, monkeypatch, key):
    """Two positions that a seat cannot distinguish give the same pages in all formats."""
    game = GAMES[key]
    client, changed = app.test_client(), False
    for puzzle in list(book(key).values())[: often(2, soak=4)]:
        at = reached(game, puzzle)
        play = Play(CLOCK, Rng(bytes(32), 7, "resample"))
        play.game, play.state = game, copied(at.state)
        game.resample(play, puzzle.seat)
        changed |= to_json(play.state) != to_json(at.state)
        twin = replace(at, state=play.state)
        for ending in ("", ".json", ".txt", "?show=1", ".json?show=1", ".txt?show=1"):
            here = client.get(address(puzzle, ending))
            with monkeypatch.context() as patched:
                patched.setattr(routes, "reached", lambda game, puzzle, twin=twin: twin)
                there = client.get(address(puzzle, ending))
            assert here.status_code == 200
            assert without_form_ids(here.text) == without_form_ids(there.text)
    assert changed


def test_move_without_choices_has_only_its_label(app):
    puzzle = next(it for it in book("karata").values() if any(v.move == "draw" for v in it.values))
    program, client = Program(app), app.test_client()
    labels = [it["label"] for it in program.get(address(puzzle, ".json")).json["moves"]]
    assert "Draw" in {it.split(" 1")[0] for it in labels}
    assert not [it for it in labels if it.endswith(": nothing")]
    form = client.get(address(puzzle, "?list=1")).text.split("/answer", 1)[1].split("</form>", 1)[0]
    assert form.count("<span>Play these cards in this order:</span>") == 1
    assert ">Draw</button>" in form


def test_guest_keeps_an_answer_under_a_name(browser, service):
    guest, puzzle = browser(), first()
    answer(guest, puzzle, right(puzzle))
    assert not tries(service)
    guest.send(guest.page.form("/answer"), name="Zed")
    assert [it["puzzle"] for it in tries(service)] == [puzzle.id]
    guest.open("/puzzles/gops")
    assert "1 of " in guest.page.text and "Enter a name" not in guest.page.text


def test_puzzles_are_numbered_through_their_game():
    for key in WITH_PUZZLES:
        assert sorted(numbers(key).values()) == [*range(1, len(book(key)) + 1)]
