"""Programs that know no rules, each with a voice of its own."""

import json
import random
import re

from werkzeug.datastructures import MultiDict

from kaboom.engine.codec import to_json
from kaboom.tables import queries
from tests.support.forms import Page

JSON = {"Accept": "application/json"}
TEXT = {"Accept": "text/plain"}


class Program:
    """Somebody who asks without a browser; `app` is asked directly."""

    def __init__(self, app) -> None:
        self.app = app
        self.client = app.test_client()
        self.refused = set()  # by menu and number: what it was told not to be possible

    @property
    def cookies(self) -> str:
        """Return the cookies it has got, as they are sent."""
        return "; ".join(f"{it.key}={it.value}" for it in self.client._cookies.values())

    def get(self, path, **headers):
        """Return an answer."""
        return self.client.get(path, headers=headers)

    def post(self, path, body=None, headers=JSON):
        """Return the answer to a JSON body."""
        return self.client.post(path, json=body or {}, headers=headers)

    def table(self, path):
        """Return the table as JSON."""
        return self.client.get(f"{path}.json").json


def kept(app, path):
    """Return all that is stored of a table and its match: the row, the state, the log."""
    tables = app.config["TABLES"]
    seen = tables.look(path[3:])
    log = tables.database.read(lambda c: list(map(str, queries.log(c, seen.table.match_id))))
    return to_json(seen.table), to_json(seen.state), log


# Of what a program over lines is told, the fields that version 1 of the protocol promises.
LINES = {
    "hello": {"protocol", "game", "seat", "options"},
    "choose": {"left", "table"},
    "refused": {"problem"},
    "over": {"outcome"},
    "quit": set(),
}


def keeps_the_protocol(heard):
    """Assert that a program was told all that is promised, in this order of the first of each."""
    told = [json.loads(line) for line in heard.splitlines()]
    assert list(dict.fromkeys(it["do"] for it in told)) == list(LINES)
    assert all(it.keys() >= LINES[it["do"]] for it in told)
    assert told[0]["protocol"] == 1
    assert all(it["table"]["version"] == 1 for it in told if it["do"] == "choose")


CALLED = tuple(f"P{number}" for number in range(10))


def at_table(game, *programs, names=CALLED, **options):
    """Let programs sit down and begin; return the address of their table."""
    opened = programs[0].post("/tables", {"game": game, "name": names[0], **options})
    assert opened.status_code == 201, opened.text
    path = f"/t/{opened.json['code']}"
    for number, program in enumerate(programs[1:], 1):
        assert program.post(f"{path}/sit", {"name": names[number]}).status_code == 200
    for program in programs:
        assert program.post(f"{path}/ready").status_code == 200
    assert programs[0].table(path)["stage"] == "playing"
    return path


# How each voice is read, and answered


def by_page(program, path, lots: random.Random):
    """Press a button of the page, and mean it."""
    moves = Page(program.get(path).text).moves()
    if not moves:
        return None
    form, button = lots.choice(moves)
    ticked = lots.sample(form.boxes, min(len(form.boxes), lots.choice(TICKS)))
    fields = MultiDict([*form.filled(button, ticked), ("sure", "1")])
    return program.client.post(form.action, data=fields, follow_redirects=True)


TICKS = (1, 1, 2, 3, 8)  # cards played alone or as a pair, cards passed or buried


def by_json(program, path, lots: random.Random):
    """Move as the JSON says; return the answer, None where there is nothing to do."""
    table = program.table(path)
    offers = [it for it in table["moves"] if it["some"]]
    must = [it for it in offers if it["blocks"]] if table["waited"] else []
    if not must and (not offers or lots.random() > 0.2):
        return None
    offer = lots.choice(rather(must if must and lots.random() < 0.8 else offers, lots))
    words = " ".join([offer["verb"], *lots.choice(offer["some"])])
    return program.post(f"{path}/move", {"answers": offer["answers"], "move": words})


def rather(offers, lots: random.Random):
    """Return mostly those offers in which something is chosen: who only draws never ends."""
    choosing = [it for it in offers if it["options"]]
    return choosing if choosing and lots.random() < 0.8 else offers


LISTED = re.compile(r"(?:^|  )(\d+)(?= |$)")
AMOUNT = re.compile(r"\(choose (\d+)(?: to (\d+))?(, in order)?\)")


def by_text(program, path, lots: random.Random):
    """Move by the numbers of the text."""
    text = program.get(f"{path}.txt").text
    answers = re.search(r"^answers=([0-9a-f]{10}) move=", text, re.M)
    if not answers:
        return None
    groups = groups_of(text)
    numbers = guess(groups, lots)
    fields = {"answers": answers[1], "move": " ".join(numbers)}
    return program.client.post(f"{path}/move", data=fields, headers=TEXT)


def groups_of(text):
    """Return the numbers of each move of a text, with how many are chosen."""
    found, least, most, inside = [], 1, 1, False
    for line in text.splitlines():
        alone = re.match(r"(\d+) \w+: ", line)
        if line.startswith(("move: ", "answers=")):
            break
        if amount := AMOUNT.search(line):
            least, most = int(amount[1]), int(amount[2] or amount[1])
            found.append((least, most, []))
            inside = True
        elif alone:
            found.append((1, 1, [alone[1]]))
            inside = False
        elif inside and LISTED.match(line.strip()):
            found[-1][2].extend(LISTED.findall(line.strip()))
    return [group for group in found if group[2]]


MORE = re.compile(r" More on page \d+\.$")
CONTINUED = re.compile(r"^[^;.]+, continued\. ")
NUMBERS = re.compile(r"(?:^|; (?:[Oo]r )?)(\d+)(?=: |;|$)")
AMONG = re.compile(r", (?:one|(\d+)(?: to (\d+))?) of \d+$")


def listened(program, path):
    """Return the moves that are read out, as one text, and the menu that their numbers answer."""
    pages, more = [], True
    while more:
        answer = program.get(f"{path}.say?about=moves&page={len(pages) + 1}")
        said = answer.text.strip()
        more = MORE.search(said)
        pages.append(CONTINUED.sub("", MORE.sub("", said)))
    return " ".join(pages), answer.headers["Kaboom-Menu"]


def moves_heard(text):
    """Return the moves in what was heard: what each is called, least, most and its numbers.

    A sentence without a number names a list, and among how many is chosen; the list is a sentence.
    """
    found, named = [], ("", 1, 1)
    for sentence in re.split(r"(?<=[.?]) ", text):
        sentence = sentence.rstrip(".")
        if numbers := NUMBERS.findall(sentence):
            found.append((*(named if named[0] else (sentence.split(": ", 1)[1], 1, 1)), numbers))
            named = ("", 1, 1)
        elif among := AMONG.search(sentence):
            least = int(among[1] or 1)
            named = (sentence[: among.start()], least, int(among[2] or least))
    return found


NOT_NOW = re.compile(r" (?:What follows only prepares a move|What follows you may decide ahead)")


def by_speech(program, path, lots: random.Random):
    """Move by the numbers that are read out, as somebody who understands what is said.

    They wait where only what comes later can be decided, prepare nothing, mostly choose rather
    than draw, and leave alone what was refused.
    """
    heard, menu = listened(program, path)
    moves = [
        (what, least, most, [it for it in numbers if (menu, it) not in program.refused])
        for what, least, most, numbers in moves_heard(NOT_NOW.split(heard, maxsplit=1)[0])
    ]
    left = [it for it in moves if it[3]]
    if not left:
        return None
    choosing = [it for it in left if len(it[3]) > 1 or ", " in it[0]]  # a choice, or the only one
    _, least, most, numbers = lots.choice(choosing if choosing and lots.random() < 0.8 else left)
    if least > 1:
        numbers = lots.sample(numbers, min(least, len(numbers)))
    else:  # one, or all of its rank
        rank = dict(re.findall(r"(\d+): (\w+)", heard))
        first = lots.choice(numbers)
        alike = [it for it in numbers if it != first and rank.get(it) == rank.get(first)]
        numbers = [first, *(alike[: most - 1] if lots.random() < 0.5 else [])]
    fields = {"answers": menu, "move": " ".join(numbers)}
    answer = program.client.post(
        f"{path}/move", data=fields, headers={"Accept": "text/plain;profile=say"}
    )
    if answer.status_code == 422 and len(numbers) == 1:
        program.refused.add((menu, *numbers))
    return answer


def guess(groups, lots: random.Random):
    """Return numbers of one move that might be legal."""
    least, most, numbers = lots.choice(groups)
    size = lots.choice([max(1, least), lots.randint(max(1, least), max(1, most))])
    return lots.sample(numbers, min(size, len(numbers)))
