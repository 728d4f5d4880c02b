"""Bots on the pages: how well and how fast they play, what they may be asked, and who is told."""

import re

import pytest

from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.moves import Move
from kaboom.engine.views import Saying
from kaboom.games import GAMES
from kaboom.tables.table import Hints
from tests.support.browsing import table_path


def chairs(service, person):
    return [c for _, c in service.look(table_path(person)[3:]).table.sitting()]


@pytest.mark.parametrize("level", list(Level))
def test_play_now_is_against_bots_of_the_level_one_chooses(browser, service, level):
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    assert form.hidden["level"] == "normal", "unless another is chosen"
    button = next(button for button in form.buttons if button[1] == "gops")
    ann.send(form, button, level=level)
    seated = chairs(service, ann)
    assert [chair.level for chair in seated if chair.bot] == [level]
    assert level in ann.page.text, "it stands beside the name"


def test_a_level_that_there_is_not_is_the_normal_one(browser, service):
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    ann.send(form, ("game", "gops", ""), level="best")
    assert [chair.level for chair in chairs(service, ann) if chair.bot] == ["normal"]


def test_a_table_is_opened_with_bots_as_one_wishes_them(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    form = ann.page.form("/tables")
    ann.send(
        form, ticked=[("listed", "0")], name="Ann", bots="2", level="hard", bot_pace="brisk",
        hints="none",
    )  # fmt: skip
    table = service.look(table_path(ann)[3:]).table
    assert [chair.level for _, chair in table.sitting() if chair.bot] == ["hard", "hard"]
    assert (table.pace, table.hints, table.banter) == ("brisk", Hints.NONE, False)
    assert "The bots play briskly." in ann.page.text
    assert "Nobody is told what a bot would do." in ann.page.text, "before anybody sits down"


def test_a_bot_of_each_level_is_one_press_away_and_the_others_read_which(table, service):
    _, (ann, ben) = table("Ann", "Ben", ready=False)
    ann.open(table_path(ann))
    assert "Add a bot: easy normal hard" in re.sub(r"\s+", " ", ann.page.text)
    assert "Start when everybody is here" in ann.page.text
    for level in ("easy", "hard"):
        ann.press(f"Add a bot: {level}")
    assert "Every chair is taken: start when you like" in ann.page.text
    assert [chair.level for chair in chairs(service, ann) if chair.bot] == ["easy", "hard"]
    ben.open(table_path(ben))
    text = re.sub(r"\s+", " ", ben.page.text)
    assert "a bot that plays at the easy level, takes a seat." in text
    assert re.search(r"bot hard", text)


def test_the_host_arranges_the_bots_also_during_a_match(table, service):
    path, (ann, ben) = table("Ann", "Ben")
    ann.open(f"{path}/leave")
    assert (f"{path}/options#bots", "How fast the bots play") in ann.page.links
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/bots"), bot_pace="instant", hints="all")
    kept = service.look(path[3:]).table
    assert (kept.pace, kept.hints, kept.banter) == ("instant", "all", True)
    ann.send(ann.page.form("/bots"), ticked=[("x", "y")])
    assert not service.look(path[3:]).table.banter, "a box that is not ticked"
    ben.open(f"{path}/options")
    assert "The bots play at once." in ben.page.text
    with pytest.raises(LookupError):
        ben.page.form("/bots")


@pytest.fixture
def alone(browser, service):
    """Ann, at her turn at GOPS against a bot."""
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    ann.send(form, ("game", "gops", ""))
    return ann


def test_what_a_bot_would_do_is_told_in_words_for_this_turn_alone(alone, service):
    alone.press("Hint (what would you do?)")
    text = re.sub(r"\s+", " ", alone.page.text)
    assert re.search(r"A hard bot says: Bid the \w+ of \w+", text)
    assert "Ann asks what a bot would do." in text or "Guest asks what a bot would do." in text
    with pytest.raises(LookupError):
        alone.press("Hint (what would you do?)")
    alone.open(table_path(alone))
    assert "A hard bot says" in alone.page.text, "it stays until one has moved"
    form, button = next(it for it in alone.page.moves())
    alone.send(form, button, ticked=[form.boxes[0]] if form.boxes else ())
    alone.open(table_path(alone))
    assert "A hard bot says" not in alone.page.text


def test_without_a_reason_the_move_is_named(alone, monkeypatch):
    def weigh(memory, view, own, chance, level):
        return [Thought(Move(own.seat, "bid", own.offers[0].options[:1]))]

    monkeypatch.setitem(vars(GAMES["gops"].bot), "weigh", weigh)
    alone.press("Hint (what would you do?)")
    text = re.sub(r"\s+", " ", alone.page.text)
    assert re.search(r"A hard bot says: Bid a card: Ace of \w+\.", text)


def test_the_reason_is_said_in_the_games_words(alone, monkeypatch):
    said = GAMES["gops"].words.sayings
    kind = next(kind for kind in said if "{card:card}" in said[kind] and "sealed" in said[kind])
    monkeypatch.setitem(
        vars(GAMES["gops"].bot),
        "weigh",
        lambda memory, view, own, chance, level: [
            Thought(
                Move(own.seat, "bid", own.offers[0].options[:1]),
                1.0,
                Saying(kind, {"card": own.offers[0].options[0], "seat": own.seat}),
            )
        ],
    )
    alone.press("Hint (what would you do?)")
    assert re.search(r"A hard bot says: Your sealed bid is", re.sub(r"\s+", " ", alone.page.text))


def test_where_two_people_play_nobody_finds_the_question(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    with pytest.raises(LookupError):
        ann.press("Hint (what would you do?)")
    assert ann.client.post(f"{path}/hint").status_code == 422


def test_nobody_asks_what_needs_no_thought(table):
    path, people = table("Ann", "Ben")
    people[0].open(f"{path}/options")
    people[0].send(people[0].page.form("/bots"), hints="all")
    people[1].open(path)
    assert "What would you do?" not in people[1].page.text, "to be ready"
    assert people[1].client.post(f"{path}/hint").status_code == 422


def test_the_result_and_the_record_say_how_well_the_bots_played(alone, service):
    path = table_path(alone)
    alone.client.post(f"{path}/hand-over")
    while service.look(path[3:]).table.playing:
        service.now.sleep(10)
        service.lapse(path[3:])
    alone.open(path)
    bot = next(chair.name for chair in chairs(service, alone) if chair.bot)
    assert re.search(rf"{bot} normal", re.sub(r"\s+", " ", alone.page.text))
    alone.open(f"/m/{service.look(path[3:]).table.record}")
    assert re.search(rf"{bot} normal", re.sub(r"\s+", " ", alone.page.text))
