"""What a move would do is told before it is made, in every voice, and to who may make it alone."""

import pytest

from tests.unit.web.voices.programs import Program, at_table


def offer(table, verb):
    return next(it for it in table["moves"] if it["verb"] == verb)


@pytest.fixture
def two(app):
    return Program(app), Program(app)


def heard(person, path):
    """Return all that the ear is told of what one's moves would do."""
    said, page = "", 1
    while f"page {page}." in (said or "page 1."):
        said = said.rpartition("More on")[0]
        said += person.get(f"{path}.say?about=would&page={page}").text
        page += 1
    return said


def test_of_each_card_of_taken_it_is_told_beside_it(two):
    path = at_table("taken", *two)
    for person in two:
        choices = offer(person.table(path), "choose")["options"]
        text = " ".join(person.get(f"{path}.txt?width=200&would=1").text.split())
        page = person.get(f"{path}/now").text
        for it in choices:
            assert it["preview"].startswith(f"{it['label']} "), it
            assert f"({it['n']}) {it['preview']}" in text
            assert it["preview"] in page
            assert it["preview"].split(",")[0] in heard(person, path)
        assert choices[0]["preview"] not in person.get(f"{path}.txt?width=200").text
    watching = Program(two[0].app).table(path)
    assert "would" not in str(watching)


def test_of_a_turn_of_kaboom_every_move_is_told_and_all_flips_in_one_sentence(browser, table):
    path, people = table("Ann", "Ben")
    for person in people:
        person.open(path)
        person.press("I am ready")
    [at_turn] = [it for it in people if "Call kaboom" in it.open(path).text]
    told = at_turn.open(f"{path}/now").text
    for sentence in (
        "You alone see the top card of the stock.",
        "Everybody else has one more turn. If one of them has fewer points, it costs you 10.",
        "If it is of the pile’s rank, you are rid of it;",
    ):
        assert told.count(sentence) == 1, told


def test_of_a_move_without_a_choice_it_is_told_beside_the_move(app, two):
    path = at_table("karata", *two)
    ann = next(it for it in two if it.table(path)["waited"])
    before = ann.table(path)
    card = offer(before, "lay")["some"][0][0] if offer(before, "lay")["some"] else None
    card = card or offer(before, "add")["options"][0]["choice"]
    body = {"answers": before["menu"], "move": f"add {card}"}
    table = ann.post(f"{path}/move", body).json
    told = offer(table, "play")["preview"]
    assert told
    assert told in " ".join(ann.get(f"{path}.txt?would=1&width=200").text.split())
    assert told in ann.get(f"{path}/now?lang=en").text.replace("&#39;", "'")
    swahili = ann.get(f"{path}.json?lang=sw").json
    assert offer(swahili, "play")["preview"] not in ("", told)
    # A dry try of it is answered with the same.
    dry = ann.post(f"{path}/move", {"answers": table["menu"], "move": "play", "dry": True}).json
    assert offer(dry.get("now", dry), "play")["preview"] == told
    assert not any("preview" in it for it in next(p for p in two if p != ann).table(path)["moves"])
