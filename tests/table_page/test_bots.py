"""Bots on the pages: level, speed and hints, and who can see them."""

import re

import pytest

from kaboom.engine.bots.bot import Level, Thought
from kaboom.engine.moves import Move
from kaboom.engine.views import Saying
from kaboom.games import GAMES
from kaboom.tables.table import Hints
from tests.support.browsing import table_path


def chairs(service, person):
    return [c for _, c in service.get(table_path(person)[3:]).table.sitting()]


@pytest.mark.parametrize("level", list(Level))
def test_play_now_uses_the_chosen_bot_level(browser, service, level):
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    assert form.hidden["level"] == "normal", "unless another is chosen"
    button = next(button for button in form.buttons if button[1] == "gops")
    ann.send(form, button, level=level)
    seated = chairs(service, ann)
    assert [occupant.level for occupant in seated if occupant.bot] == [level]
    assert level in ann.page.text, "it is beside the name"


def test_unknown_bot_level_is_normal(browser, service):
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    ann.send(form, ("game", "gops", ""), level="best")
    assert [occupant.level for occupant in chairs(service, ann) if occupant.bot] == ["normal"]


def test_table_opens_with_the_chosen_bots(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    form = ann.page.form("/tables")
    ann.send(
        form, ticked=[("listed", "0")], name="Ann", bots="2", level="hard", bot_pace="brisk",
        hints="none",
    )  # fmt: skip
    table = service.get(table_path(ann)[3:]).table
    assert [occupant.level for _, occupant in table.sitting() if occupant.bot] == ["hard", "hard"]
    assert (table.pace, table.hints, table.banter) == ("brisk", Hints.NONE, False)
    assert "The bots play quickly." in ann.page.text
    assert "Hints are off." in ann.page.text, "before any player sits down"


def test_waiting_room_shows_each_bots_character(browser, service):
    ann = browser()
    ann.open("/start/kaboom")
    ann.send(ann.page.form("/tables"), ticked=[("listed", "0")], name="Ann", bots="3", level="hard")
    seated = [occupant.name for occupant in chairs(service, ann) if occupant.bot]
    assert seated == ["Juma", "Olga", "Wanja"]
    text = " ".join(ann.page.text.split())
    shown = [re.search(rf"{name} bot hard ([a-z]+)", text)[1] for name in seated]
    assert shown == ["careful", "bold", "careful"]


def test_bot_level_is_set_by_one_press_and_visible_to_others(table, service):
    _, (ann, ben) = table("Ann", "Ben", ready=False)
    ann.open(table_path(ann))
    assert "Add a bot: easy normal hard" in re.sub(r"\s+", " ", ann.page.text)
    assert "Start when everyone is here" in ann.page.text
    for level in ("easy", "hard"):
        ann.press(f"Add a bot: {level}")
    assert "All seats are taken: start when you like" in ann.page.text
    assert [occupant.level for occupant in chairs(service, ann) if occupant.bot] == ["easy", "hard"]
    ben.open(table_path(ben))
    text = re.sub(r"\s+", " ", ben.page.text)
    assert "a bot that plays at the easy level, takes a seat." in text
    assert re.search(r"bot hard", text)


def test_host_changes_bot_settings_during_a_match(table, service):
    path, (ann, ben) = table("Ann", "Ben")
    ann.open(f"{path}/leave")
    assert (f"{path}/options#bots", "How fast the bots play") in ann.page.links
    ann.open(f"{path}/options")
    ann.send(ann.page.form("/bots"), bot_pace="instant", hints="all")
    kept = service.get(path[3:]).table
    assert (kept.pace, kept.hints, kept.banter) == ("instant", "all", True)
    ann.send(ann.page.form("/bots"), ticked=[("x", "y")])
    assert not service.get(path[3:]).table.banter, "a box that is not ticked"
    ben.open(f"{path}/options")
    assert "The bots play instantly." in ben.page.text
    with pytest.raises(LookupError):
        ben.page.form("/bots")


@pytest.fixture
def alone(browser, service):
    """Return Ann, at her turn at GOPS against a bot."""
    ann = browser()
    ann.open("/")
    form = next(form for form in ann.page.forms if "start" in form.hidden)
    ann.send(form, ("game", "gops", ""))
    return ann


def test_hint_shows_the_bots_move_for_this_turn_only(alone, service):
    alone.press("Hint (what would you do?)")
    text = re.sub(r"\s+", " ", alone.page.text)
    assert re.search(r"A hard bot says: Bid the \w+ of \w+", text)
    assert "You ask for a hint." in text
    with pytest.raises(LookupError):
        alone.press("Hint (what would you do?)")
    alone.open(table_path(alone))
    assert "A hard bot says" in alone.page.text, "it stays until the player has moved"
    form, button = next(it for it in alone.page.moves())
    alone.send(form, button, ticked=[form.boxes[0]] if form.boxes else ())
    alone.open(table_path(alone))
    assert "A hard bot says" not in alone.page.text


def test_hint_without_a_reason_names_the_move(alone, monkeypatch):
    def weigh(memory, view, own, rng, level):
        return [Thought(Move(own.seat, "bid", own.offers[0].options[:1]))]

    monkeypatch.setitem(vars(GAMES["gops"].bot), "weigh", weigh)
    alone.press("Hint (what would you do?)")
    text = re.sub(r"\s+", " ", alone.page.text)
    assert re.search(r"A hard bot says: Bid the Ace of \w+\.", text)


def test_hint_reason_uses_the_games_words(alone, monkeypatch):
    said = GAMES["gops"].words.sayings
    kind = next(kind for kind in said if "{card:card}" in said[kind] and "sealed" in said[kind])
    monkeypatch.setitem(
        vars(GAMES["gops"].bot),
        "weigh",
        lambda memory, view, own, rng, level: [
            Thought(
                Move(own.seat, "bid", own.offers[0].options[:1]),
                1.0,
                Saying(kind, {"card": own.offers[0].options[0], "seat": own.seat}),
            )
        ],
    )
    alone.press("Hint (what would you do?)")
    assert re.search(r"A hard bot says: Your sealed bid is", re.sub(r"\s+", " ", alone.page.text))


def test_log_says_you_to_the_player_who_hands_over(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ann.client.post(f"{path}/hand-over")
    for person, said in ((ann, "You hand over to a bot."), (ben, "Ann hands over to a bot.")):
        person.open(path)
        assert said in person.page.text
    ann.client.post(f"{path}/take-over")
    for person, said in ((ann, "You are back."), (ben, "Ann is back.")):
        person.open(path)
        assert said in person.page.text


def test_hint_is_not_offered_where_two_people_play(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    with pytest.raises(LookupError):
        ann.press("Hint (what would you do?)")
    assert ann.client.post(f"{path}/hint").status_code == 422


def test_hint_is_not_offered_for_a_forced_move(table):
    path, people = table("Ann", "Ben")
    people[0].open(f"{path}/options")
    people[0].send(people[0].page.form("/bots"), hints="all")
    people[1].open(path)
    assert "What would you do?" not in people[1].page.text, "to be ready"
    assert people[1].client.post(f"{path}/hint").status_code == 422


def test_result_and_record_show_the_bot_levels(alone, service):
    path = table_path(alone)
    alone.client.post(f"{path}/hand-over")
    while service.get(path[3:]).table.playing:
        service.now.sleep(10)
        service.run_due(path[3:])
    alone.open(path)
    bot = next(occupant.name for occupant in chairs(service, alone) if occupant.bot)
    assert re.search(rf"{bot} normal", re.sub(r"\s+", " ", alone.page.text))
    alone.open(f"/m/{service.get(path[3:]).table.record}")
    assert re.search(rf"{bot} normal", re.sub(r"\s+", " ", alone.page.text))
