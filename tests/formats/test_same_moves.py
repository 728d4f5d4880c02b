"""At one position all formats list the same moves, each within its limits."""

import random
import re
from itertools import count, product

import pytest
import regex

from kaboom.engine.i18n import ENGLISH
from kaboom.engine.options import written
from kaboom.engine.premoves import PLAN
from kaboom.engine.takeback import VERB as TAKE_BACK
from kaboom.engine.views import token_of
from kaboom.games import GAMES, sample
from kaboom.table_page.speech import plain
from kaboom.web.api.columns import width_of
from kaboom.web.i18n import LANGUAGES
from tests.support.api_clients import (
    Program,
    at_table,
    by_json,
    kept,
    listened,
    moves_heard,
)
from tests.support.effort import often
from tests.support.forms import Page

STATES = often(8, soak=5000)  # of each game
DRAWN = re.compile("[\N{BLACK SPADE SUIT}-\N{BLACK DIAMOND SUIT}\U0001f0a0-\U0001f0ff\t]")
CARD_BY_CARD = "lay"  # Karata's pages build a row with `add`, and `play` it


def positions(app, game):
    """Yield the people at a table before each move of random matches, STATES times."""
    rules, fake_ids = GAMES[game], random.Random(game)
    seats = max(2, rules.seats(rules.options())[0])
    tables, seen = app.config["TABLES"], count(1)
    while True:
        people = [Program(app) for _ in range(seats)]
        path = at_table(game, *people, **written(sample(game).short))
        for _ in range(400):
            for person in people:
                yield path, person
                if next(seen) >= STATES:
                    return
                by_json(person, path, fake_ids)
            tables.now.sleep(2)
            while any(tables.run_due(code) for code in tables.due()):
                pass
            if people[0].table(path)["outcome"]:
                break


def in_json(table):
    """Return the number, verb and choice of each move in JSON."""
    return {
        (option["n"], move["verb"], option["choice"])
        for move in table["moves"]
        for option in move["options"]
    } | {(move["n"], move["verb"], "") for move in table["moves"] if "n" in move}


def in_html(page):
    """Return the verb and choice of each button and checkbox, and the forms by verb."""
    found, answers = set(), {}
    for form, (name, value, _) in page.moves():
        if name == "move":
            token, verb, *choice = value.split()
            # In the list it is one move; the button's value identifies it, as the log does.
            found.add((verb, "" if verb == TAKE_BACK else " ".join(choice)))
            answers.setdefault(verb, set()).add(token)
        # Where two moves use the same checkboxes, the button identifies the move.
        offer = (value if name == "offer" else form.hidden.get("offer", "")).split()
        if len(offer) > 1:
            found |= {(offer[1], box) for _, box in form.boxes}
            answers.setdefault(offer[1], set()).add(offer[0])
        if name == "pick" and len(offer) > 1:
            found.add((offer[1], value))
    return found, answers


def to_be_pressed(table):
    """Return the verbs and choices that a page must offer: the parts of all legal moves."""
    found = set()
    for move in table["moves"]:
        if move["verb"].startswith(PLAN) or move["verb"] == CARD_BY_CARD:
            continue  # premoves have a separate page
        # A page need not show what no legal move contains, such as a card of another suit.
        found |= {(move["verb"], it) for choices in move["some"] for it in choices}
        found |= set() if move["options"] else {(move["verb"], "")}
    return found


def must_be_heard(table):
    """Return the numbers of the parts of all legal moves."""
    return {
        option["n"]
        for move in table["moves"]
        for option in move["options"]
        if any(option["choice"] in choices for choices in move["some"])
    } | {move["n"] for move in table["moves"] if "n" in move}


def called(table):
    """Yield the number of each move with its possible readings: in a list, or alone."""
    for move in table["moves"]:
        label = move["label"].removeprefix("In advance: ")  # said once before the list
        for it in move["options"]:
            alone = f"{label}, {it['label']}"
            if str(it["n"]) == it["label"] == it["choice"]:  # a number is its own name
                yield it["n"], *(f"{it['n']}{end}" for end in ENDS), f"{it['n']}: {plain(alone)}. "
                continue
            yield (
                it["n"],
                *(
                    f"{it['n']}: {plain(name)}{end}"
                    for name in (it["label"], alone)
                    for end in ENDS
                ),
            )
        if "n" in move:
            yield (
                move["n"],
                *(f"{move['n']}: {plain(it)}{end}" for it in (label, "nothing") for end in ENDS),
            )


ENDS = (";", ". ")


def in_text(text, words):
    """Return number, verb and choice of each move in the text; `words` maps words to choices."""
    found, verb = set(), ""
    for line in text.splitlines():
        if alone := re.match(r"(\d+) (\w+): ", line):
            found.add((int(alone[1]), alone[2], ""))
        elif heading := re.match(r"(\w+): .*\((?:choose .*)", line):
            verb = heading[1]
        elif verb and re.match(r" *\d+( |$)", line):
            for item in re.split(r"  +", line.strip()):
                number, _, shown = item.partition(" ")
                shown = (shown or number).removeprefix(f"{verb} ")
                choice = words.get(shown.split(" ")[0], words.get(shown, ""))
                found.add((int(number), verb, choice))
        elif line.startswith("move: "):
            break
    return found


@pytest.mark.parametrize("game", list(GAMES))
def test_all_formats_list_the_same_moves(app, game):
    compared = 0
    for path, person in positions(app, game):
        table = person.table(path)
        text = person.get(f"{path}.txt?width=200").text
        told = in_json(table)
        options = [it for move in table["moves"] for it in move["options"]]
        words = {it[name]: it["choice"] for name in ("label", "choice") for it in options}
        assert in_text(text, words) == told, text
        pressed, answered = in_html(Page(person.get(path).text))
        possible = {(verb, choice) for _, verb, choice in told}
        for verb, tokens in answered.items():  # a page's token is the JSON token without the match
            its = {it["answers"] for it in table["moves"] if it["verb"] == verb}
            assert verb == TAKE_BACK or its >= {token_of((table["match"], it)) for it in tokens}
        assert pressed <= possible, pressed - possible
        assert pressed >= (must := to_be_pressed(table)), must - pressed
        heard, menu = listened(person, path)
        said = {int(number) for *_, numbers in moves_heard(heard) for number in numbers}
        # Choices without a legal move are counted, not read out.
        assert said <= {number for number, _, _ in told}, heard
        assert said >= must_be_heard(table), heard
        for number, *names in called(table):
            assert number not in said or any(it in f"{heard} " for it in names), (names, heard)
        assert menu == table["menu"]
        assert (f"answers={table['menu']} " in text) == bool(told)
        compared += bool(told)
    assert compared


@pytest.mark.parametrize("game", list(GAMES))
def test_dry_run_responds_like_the_move_and_leaves_no_trace(app, game):
    fake_ids, answers = random.Random(game), set()
    for path, person in positions(app, game):
        before, whole = person.get(f"{path}.json").data, kept(app, path)
        table = person.table(path)
        if not table["moves"]:
            continue
        move = fake_ids.choice(table["moves"])
        any_of_it = [it["choice"] for it in move["options"]][: fake_ids.randint(0, 3)]
        choices = fake_ids.choice([any_of_it, *move["some"][:2]])
        body = {"answers": move["answers"], "move": " ".join([move["verb"], *choices])}
        lang = fake_ids.choice(list(LANGUAGES))
        door = f"{path}/move?lang={lang}"
        dry = person.post(door, body | {"dry": True})
        assert person.get(f"{path}.json").data == before and kept(app, path) == whole
        wet = person.post(door, body)
        told = [[it.status_code, *map(it.json.get, ("detail", "rule"))] for it in (dry, wet)]
        assert told[0] == told[1], body
        answers.add(wet.status_code)
        if wet.status_code != 200:  # each refusal of a known verb cites a rule of that table
            page = person.get(f"{path}/rules?lang={lang}").text
            assert f'id="{wet.json["rule"]["id"]}"' in page, body
    assert 200 in answers


# `make test` plays each game in English and one other language, by turns; `make soak` in all.
OTHERS = [it for it in LANGUAGES if it != ENGLISH.code]
SPOKEN = often(
    [(game, it) for n, game in enumerate(GAMES) for it in ("en", OTHERS[n % len(OTHERS)])],
    soak=list(product(GAMES, LANGUAGES)),
)


@pytest.mark.parametrize(("game", "language"), SPOKEN)
def test_speech_is_short_and_plain_and_text_keeps_its_width(app, game, language):
    for path, person in positions(app, game):
        for about in ("", "hand", "table", "moves", "last", "clock", "score", "would"):
            said = person.get(f"{path}.say?about={about}&lang={language}").text.strip()
            assert len(said.split()) <= 60, said
            assert not regex.search(r"[^\w\s\p{M}.,;:?!’']|_", said), said
        table = person.get(f"{path}.json?lang={language}").json
        said = person.get(f"{path}.say?lang={language}").text
        for part in (table["text"], table["log"][-1]["text"]):
            assert plain(part) in said
        for width, asked in ((40, "width=40&"), (72, "")):
            for cards in ("", "cards=words&"):
                text = person.get(f"{path}.txt?{asked}{cards}lang={language}").text
                assert max(map(width_of, text.splitlines())) <= width, text
                assert not DRAWN.search(text)
