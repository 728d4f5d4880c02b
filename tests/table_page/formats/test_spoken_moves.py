"""Spoken moves: where each begins and ends, which choices are legal, and how many."""

from random import Random
from types import SimpleNamespace

import pytest

from kaboom.engine.i18n import ENGLISH, speak
from kaboom.engine.views import Offer
from kaboom.games import GAMES
from kaboom.table_page.speech import about
from kaboom.web.i18n import LANGUAGES, language
from tests.support.api_clients import Program, at_table, by_json, listened, moves_heard

LABELS = {"lay": "Play cards in order", "draw": "Draw", "ask": "Ask for a suit", "add": "Add one"}
ADDING = SimpleNamespace(pieces=frozenset({"add"}))


def offer(verb, options="", least=1, most=1, playable=None):
    options = tuple(options)
    least, most = (least, most) if options else (0, 0)
    return Offer(
        0,
        verb,
        options,
        least,
        most,
        most > 1,
        "",
        True,
        False,
        verb,
        playable=options if playable is None else tuple(playable),
    )


def heard(*offers, page=1):
    """Return the sentences about these moves."""
    table = SimpleNamespace(
        game=ADDING,
        offers=offers,
        prompt=SimpleNamespace(offers=offers),
        label=lambda it: LABELS[it.verb],
        choice=lambda it, option: f"card {option}",
    )
    return about(table, "moves", page)


def test_the_choices_of_a_move_end_with_or_and_a_stop():
    assert heard(offer("lay", "abc", most=3), offer("draw")) == (
        "You have 2 moves. Play cards in order, 1 to 3 of 3. "
        "1: card a; 2: card b; or 3: card c. 4: Draw."
    )


def test_illegal_options_are_counted_and_not_read_out():
    said = heard(offer("ask", "abcd", playable="bd"))
    assert said == (
        "You have 1 move. Ask for a suit, one of 2. 2: card b; or 4: card d. "
        "2 others are not possible now."
    )
    assert heard(offer("ask", "ab", playable="b")) == (
        "You have 1 move. 2: Ask for a suit, card b. 1 other is not possible now."
    )


def test_move_without_a_legal_choice_is_omitted():
    assert heard(offer("lay", "ab", most=2, playable=""), offer("draw")) == (
        "You have 1 move. 3: Draw."
    )


def test_no_more_can_be_chosen_than_is_legal():
    said = heard(offer("lay", "abcd", most=4, playable="bd"))
    assert "Play cards in order, 1 to 2 of 2. 2:" in said


def test_preparing_moves_come_last_labeled_and_uncounted():
    said = heard(offer("add", "ab"), offer("lay", "ab", most=2), offer("draw"))
    assert said == (
        "You have 2 moves. Play cards in order, 1 to 2 of 2. 3: card a; or 4: card b. 5: Draw. "
        "The following only prepares a move; no one else sees it. Add one, one of 2. 1: card a; "
        "or 2: card b."
    )


def test_premoves_come_last_and_are_labeled_once(
    app,
):
    people, path = at_karata(app, "Ann", "Ben")
    for person in people:
        table, said = person.table(path), person.get(f"{path}.say?about=moves").text
        if table["waited"]:
            assert "ahead" not in said + table["say"]
            continue
        asked, lead, ahead = said.partition("You can plan the following in advance")
        assert "Play" not in asked and lead and "Play, one of" in ahead and ": Draw." in ahead
        assert said.count("in advance") == 1
        assert table["say"].endswith(" Also: Move in advance.") and "Play" not in table["say"]


def test_awaited_players_are_named_once(app):
    ann, ben = Program(app), Program(app)
    path = at_table("taken", ann, ben, names=("Ann", "Ben"))
    ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "1"})
    assert ann.table(path)["say"].count("Waiting for Ben") == 1


def test_empty_choice_is_the_last_choice():
    said = heard(offer("lay", "ab", least=0, most=2))
    assert said.endswith("0 to 2 of 2. 1: card a; 2: card b; or 3: nothing.")


def test_continued_list_names_its_subject():
    first, second = (heard(offer("lay", "abcdefghijklmnop", most=8), page=n) for n in (1, 2))
    assert first.endswith("; More on page 2.")
    assert second.startswith("Play cards in order, continued. ")


def at_karata(app, *names):
    """Return programs by seat and their table's address; the starter moves first."""
    people = [Program(app) for _ in names]
    path = at_table("karata", *people, names=names)
    return sorted(people, key=lambda it: it.table(path)["me"]), path


def test_spoken_status_is_one_page_of_whole_sentences(app):
    """A long list of moves is counted rather than shortened."""
    people, path = at_karata(app, "Ann", "Bernadette of the Hill", "Christina with the Hat")
    for _ in range(12):
        for person in people:
            said = person.get(f"{path}.say").text.strip()
            assert said == person.table(path)["say"]
            assert said.endswith(".") and len(said.split()) <= 60
            by_json(person, path, Random(said))


def test_table_prompt_is_not_repeated_if_the_log_has_it(app):
    """After an ace, "Ann may ask for a suit." is both news and the current status."""
    heard_twice = 0
    people, path = at_karata(app, "Ann", "Ben")
    fake_ids = Random(5)
    for _ in range(300):
        for person in people:
            table = person.table(path)
            heard_twice += table["text"] in [it["text"] for it in table["log"] if it["fresh"]]
            assert table["say"].count(table["text"]) == 1
            lines = person.get(f"{path}.txt?width=200").text.splitlines()
            assert f"- {table['text']}" not in lines and table["text"] in lines
            assert any(line.startswith("- ") for line in lines)
            by_json(person, path, fake_ids)
        if heard_twice:
            return
    raise AssertionError("no player played an ace")


@pytest.mark.slow
def test_choices_in_no_legal_move_are_marked_in_json_and_text(app):
    people, path = at_karata(app, "Ann", "Ben")
    fake_ids, marked = Random(3), 0
    for _ in range(30):
        for person in people:
            text = person.get(f"{path}.txt?width=200").text
            for move in person.table(path)["moves"]:
                no = [it for it in move["options"] if it.get("impossible")]
                assert move.get("prepares", False) == (move["verb"] in GAMES["karata"].pieces)
                heading = f"{move['verb']}: {move['label']}"
                lead = text.partition(f"\n{heading} ")[2].splitlines()[1:2]
                assert (lead == ["(only prepares a move)"]) == (move["verb"] == "add")
                legal = {it for some in move["some"] for it in some}
                assert legal.isdisjoint(it["choice"] for it in no)
                told = f"(not possible now: {', '.join(str(it['n']) for it in no)})"
                assert (told in text) == bool(no)
                marked += bool(no) and len(no) < len(move["options"])
            by_json(person, path, fake_ids)
    assert marked


def test_spoken_moves_match_the_json(app):
    ann = Program(app)
    path = at_table("gops", ann, Program(app))
    (bid,) = ann.table(path)["moves"]
    heard_moves, menu = listened(ann, path)
    assert menu == ann.table(path)["menu"]
    assert moves_heard(heard_moves) == [
        (bid["label"], 1, 1, [str(it["n"]) for it in bid["options"]])
    ]


@pytest.mark.parametrize("code", [it for it in LANGUAGES if it != "en"])
def test_end_of_a_list_is_announced_in_each_language(app, code):
    with app.test_request_context():
        speak(language(code))
        said = heard(offer("ask", "abcd", playable="bd"))
        speak(ENGLISH)
    assert not {"or", "others", "possible", "have"} & set(said.split())
