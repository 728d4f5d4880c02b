"""Programs without rules, one for each format."""

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
    """A player without a browser; `app` is called directly."""

    def __init__(self, app) -> None:
        self.app = app
        self.client = app.test_client()
        self.refused = set()  # moves that were refused, by menu and number

    @property
    def cookies(self) -> str:
        """Return the cookies received, as they are sent."""
        return "; ".join(f"{it.key}={it.value}" for it in self.client._cookies.values())

    def get(self, path, **headers):
        """Return the answer to a GET request."""
        return self.client.get(path, headers=headers)

    def post(self, path, body=None, headers=JSON):
        """Return the answer to a JSON body."""
        return self.client.post(path, json=body or {}, headers=headers)

    def table(self, path):
        """Return the table as JSON."""
        return self.client.get(f"{path}.json").json


def kept(app, path):
    """Return everything stored of a table and its match: the row, the state, the log."""
    tables = app.config["TABLES"]
    seen = tables.get(path[3:])
    log = tables.database.read(lambda c: list(map(str, queries.log(c, seen.table.match_id))))
    return to_json(seen.table), to_json(seen.state), log


# The fields that version 1 of the line protocol promises.
LINES = {
    "hello": {"protocol", "game", "seat", "options"},
    "choose": {"left", "table"},
    "refused": {"problem"},
    "over": {"outcome"},
    "quit": set(),
}


def keeps_the_protocol(heard):
    """Assert that a program received every promised field, in the promised order."""
    told = [json.loads(line) for line in heard.splitlines()]
    assert list(dict.fromkeys(it["do"] for it in told)) == list(LINES)
    assert all(it.keys() >= LINES[it["do"]] for it in told)
    assert told[0]["protocol"] == 1
    assert all(it["table"]["version"] == 1 for it in told if it["do"] == "choose")


CALLED = tuple(f"P{number}" for number in range(10))


def at_table(game, *programs, names=CALLED, **options):
    """Let programs sit down and start; return the address of their table."""
    opened = programs[0].post("/tables", {"game": game, "name": names[0], **options})
    assert opened.status_code == 201, opened.text
    path = f"/t/{opened.json['code']}"
    for number, program in enumerate(programs[1:], 1):
        assert program.post(f"{path}/sit", {"name": names[number]}).status_code == 200
    for program in programs:
        assert program.post(f"{path}/ready").status_code == 200
    assert programs[0].table(path)["stage"] == "playing"
    return path


# How each format is read and answered


def by_page(program, path, rng: random.Random):
    """Press a button of the page, and confirm."""
    moves = Page(program.get(path).text).moves()
    if not moves:
        return None
    form, button = rng.choice(moves)
    ticked = rng.sample(form.boxes, min(len(form.boxes), rng.choice(TICKS)))
    fields = MultiDict([*form.filled(button, ticked), ("sure", "1")])
    return program.client.post(form.action, data=fields, follow_redirects=True)


TICKS = (1, 1, 2, 3, 8)  # cards played alone or as a pair, cards passed or buried


def by_json(program, path, rng: random.Random):
    """Make a move of the JSON; return the answer, or None if there is no move."""
    table = program.table(path)
    offers = [it for it in table["moves"] if it["some"]]
    must = [it for it in offers if it["blocks"]] if table["waited"] else []
    if not must and (not offers or rng.random() > 0.2):
        return None
    offer = rng.choice(rather(must if must and rng.random() < 0.8 else offers, rng))
    words = " ".join([offer["verb"], *rng.choice(offer["some"])])
    return program.post(f"{path}/move", {"answers": offer["answers"], "move": words})


def rather(offers, rng: random.Random):
    """Return mostly offers with a choice, because a program that only draws never ends."""
    choosing = [it for it in offers if it["options"]]
    return choosing if choosing and rng.random() < 0.8 else offers


LISTED = re.compile(r"(?:^|  )(\d+)(?= |$)")
AMOUNT = re.compile(r"\(choose (\d+)(?: to (\d+))?(, in order)?\)")


def by_text(program, path, rng: random.Random):
    """Make a move by the numbers of the text."""
    text = program.get(f"{path}.txt").text
    answers = re.search(r"^answers=([0-9a-f]{10}) move=", text, re.M)
    if not answers:
        return None
    groups = groups_of(text)
    numbers = guess(groups, rng)
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
    """Return the spoken moves as one text, and the menu to which their numbers refer."""
    pages, more = [], True
    while more:
        answer = program.get(f"{path}.say?about=moves&page={len(pages) + 1}")
        said = answer.text.strip()
        more = MORE.search(said)
        pages.append(CONTINUED.sub("", MORE.sub("", said)))
    return " ".join(pages), answer.headers["Kaboom-Menu"]


def moves_heard(text):
    """Return the moves of a spoken text: each label, minimum, maximum and numbers.

    A sentence without a number names a list and how many are chosen; the list is a sentence, too.
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


def by_speech(program, path, rng: random.Random):
    """Make a move by the spoken numbers, like a player who understands them.

    The player waits where only premoves are possible, mostly chooses rather than draws, and does
    not repeat what was refused.
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
    _, least, most, numbers = rng.choice(choosing if choosing and rng.random() < 0.8 else left)
    if least > 1:
        numbers = rng.sample(numbers, min(least, len(numbers)))
    else:  # one card, or all of its rank
        rank = dict(re.findall(r"(\d+): (\w+)", heard))
        first = rng.choice(numbers)
        alike = [it for it in numbers if it != first and rank.get(it) == rank.get(first)]
        numbers = [first, *(alike[: most - 1] if rng.random() < 0.5 else [])]
    fields = {"answers": menu, "move": " ".join(numbers)}
    answer = program.client.post(
        f"{path}/move", data=fields, headers={"Accept": "text/plain;profile=say"}
    )
    if answer.status_code == 422 and len(numbers) == 1:
        program.refused.add((menu, *numbers))
    return answer


def guess(groups, rng: random.Random):
    """Return numbers of one move that may be legal."""
    least, most, numbers = rng.choice(groups)
    size = rng.choice([max(1, least), rng.randint(max(1, least), max(1, most))])
    return rng.sample(numbers, min(size, len(numbers)))
