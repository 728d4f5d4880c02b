"""Version 1 is a promise: responses keep their form, and nothing is dropped.

The golden files were written together with version 1 and are never rewritten: fields may only be
added (`KABOOM_GOLDEN=1` writes missing files).
"""

import os
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import msgspec
import pytest
from sqlalchemy import insert

from kaboom.daily import service as daily
from kaboom.daily.schemas import Day
from kaboom.db.times import DAY
from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from kaboom.ratings.models import ratings
from kaboom.ratings.schemas import Ratings
from kaboom.social.chat.schemas import Talk
from kaboom.social.clubs.schemas import Club
from kaboom.tables.match_record import Record
from kaboom.tournaments import organizer
from kaboom.tournaments.rules.events import Format
from kaboom.tournaments.schemas import Draw, Standings
from kaboom.web.api import schemas
from tests.daily.test_service import NOON
from tests.support.api_clients import JSON, TEXT, Program, at_table, by_json
from tests.support.tournaments import opened, played, pods, settled

GOLDEN = Path(__file__).parent / "version_1"
FOUR = ["Ann", "Ben", "Cat", "Dan"]
OURS = ("gops", "kaboom", "karata", "koth", "taken")


def answers(app, game):
    """Return version 1's answers about a table, by name."""
    rules = GAMES[game]
    seats = max(2, rules.seats(rules.options())[0])
    people = [Program(app) for _ in range(seats)]
    path = at_table(game, *people, **written(sample(game).short))
    ann = people[0]
    wrong = ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "999"})
    said = ann.post(f"{path}/move", {"answers": ann.table(path)["menu"], "move": "999"}, TEXT)
    found = {
        f"{game}.table": (ann.get(f"{path}.json").data, schemas.Table),
        f"{game}.problem": (wrong.data, schemas.Problem),
        f"{game}.talk": (ann.get(f"{path}/talk.json").data, Talk),
    }
    texts = {"table": ann.get(f"{path}.txt").text, "refusal": said.text}
    for person in people[1:]:
        person.post(f"{path}/leave")
    return found, texts | {"over": ann.get(f"{path}.txt").text}


@pytest.mark.parametrize("game", OURS)
def test_version_1_responses_still_parse_and_keep_their_form(app, game):
    found, texts = answers(app, game)
    for name, (today, shape) in found.items():
        keeps_its_promise(name, today, shape)
    for name, today in texts.items():
        file = GOLDEN / f"{game}.{name}.txt"
        if os.environ.get("KABOOM_GOLDEN") and not file.exists():
            file.write_text(today)
        assert kinds(file.read_text()) <= kinds(today)
    table = msgspec.json.decode(found[f"{game}.table"][0])
    listed = {it["n"] for move in table["moves"] for it in [move, *move["options"]] if "n" in it}
    assert numbers(texts["table"]) == numbers(texts["refusal"]) == listed
    assert re.findall("^answers=(.*) move=$", texts["table"], re.M) == [table["menu"]]
    assert "where to wait" in kinds(texts["table"])


# The lines in the text of version 1, in English; there may be other lines between them.
LINES = {
    "which table": r"\w.* [A-Z0-9]{8}(, match \d+)?",
    "heard": r"- \w.*",
    "a zone": r"\w+(, \w+)?: ([A-Z0-9?_]+ ?)+(  .*)?",
    "a move": r"\d+ [a-z_]+: \S.*",
    "a move with choices": r"[a-z_]+: \S.* \(choose \d+( to \d+)?(, in order)?\)",
    "choices": r" *\d+ \S.*",
    "where to move": r"move: POST /t/[A-Z0-9]{8}/move",
    "what is answered": r"answers=[0-9a-f]{10} move=",
    "why not": r"Refused: .*",
}
# Promised later; the golden tables are older.
LATER = {
    "where to wait": r"wait: GET /t/[A-Z0-9]{8}\.txt\?wait=25&v=\d+",
    "how it ended": r"outcome=[a-z_]+ places=\d+(,\d+)* scores=-?\d+(,-?\d+)*",
    "its record": r"record: GET /m/[A-Z0-9]{8}\.txt",
}


def kinds(text):
    """Return which of those kinds of lines a text has."""
    return {
        kind
        for line in text.splitlines()
        for kind, pattern in (LINES | LATER).items()
        if re.fullmatch(pattern, line)
    }


def numbers(text):
    """Return the numbers of the moves in a text, read as version 1 promises."""
    found, inside = set(), False
    for line in text.splitlines():
        if re.fullmatch(LINES["a move with choices"], line):
            inside = True
        elif alone := re.fullmatch(r"(\d+) [a-z_]+: .*", line):
            found.add(int(alone[1]))
            inside = False
        elif inside and re.fullmatch(LINES["choices"], line):
            found |= {int(it) for it in re.findall(r"(?:^ *|  )(\d+) ", line)}
        elif line.startswith("move: "):
            break
    return found


def test_dropped_log_line_kind_is_detected():
    then = (GOLDEN / "karata.table.txt").read_text()
    assert kinds(then) == LINES.keys() - {"why not"}
    assert kinds((GOLDEN / "karata.refusal.txt").read_text()) == LINES.keys()
    assert kinds((GOLDEN / "karata.over.txt").read_text()) >= LATER.keys() - {"where to wait"}
    for first in ("- ", "4 9C", "7 draw", "answers=", "move: "):
        less = "\n".join(line for line in then.splitlines() if not line.startswith(first))
        assert kinds(less) < kinds(then) or numbers(less) < numbers(then), first


def keeps_its_promise(name, today, shape):
    """Assert that the golden answer of that name still parses, and that today's lacks nothing."""
    file = GOLDEN / f"{name}.json"
    if os.environ.get("KABOOM_GOLDEN") and not file.exists():
        file.write_bytes(msgspec.json.format(today, indent=1))
    then = file.read_bytes()
    msgspec.json.decode(then, type=shape)
    found = missing(msgspec.json.decode(then), msgspec.json.decode(today))
    assert not found, f"{name} lacks {found}"


def lists(app):
    """Return version 1's answers without a match, or while two play."""
    ann, ben = Program(app), Program(app)
    listed = ann.post("/tables", {"game": "karata", "name": "Ann", "listed": True}).json["code"]
    days = at_table("taken", ann, ben, days=2)
    return {
        "guest": (ann.post("/guests", {"name": "Ann"}).data, schemas.Guest),
        "games": (ann.get("/games.json").data, schemas.Games),
        "lobby": (ann.get("/lobby.json").data, schemas.Lobby),
        "turns": (ann.get("/turns.json").data, schemas.Turns),
        "rules": (ann.get("/rules/gops.json").data, schemas.Rules),
        "rules.table": (ann.get(f"/t/{listed}/rules.json").data, schemas.Rules),
        "open.table": (ann.get(f"/t/{listed}.json").data, schemas.Table),
        # A correspondence table, with awaited players and previews of each card.
        "days.table": (ann.get(f"{days}.json").data, schemas.Table),
        "problem": (ann.get("/problems/too-late", **JSON).data, schemas.Problem),
    }


def test_version_1_lists_keys_rules_and_days_parse(app):
    for name, (today, shape) in lists(app).items():
        keeps_its_promise(name, today, shape)


@pytest.mark.parametrize("game", OURS)
def test_version_1_names_of_a_game_parse(app, game):
    answer = Program(app).get(f"/api/games/{game}.json")
    keeps_its_promise(f"{game}.vocabulary", answer.data, schemas.Vocabulary)


def test_version_1_finished_match_and_steps_parse(app):
    ann, ben = Program(app), Program(app)
    path, fake_ids = at_table("gops", ann, ben), Random(1)
    while ann.table(path)["facts"]["round"] < 3:
        for person in (ann, ben):
            by_json(person, path, fake_ids)
    ben.post(f"{path}/leave")
    table = ann.table(path)
    assert table["outcome"]
    record = f"/m/{table['record']}"
    keeps_its_promise("over.table", ann.get(f"{path}.json").data, schemas.Table)
    keeps_its_promise("record", ann.get(f"{record}.json").data, Record)
    keeps_its_promise("step", ann.get(f"{record}/2.json").data, schemas.Step)


def test_version_1_tournament_parses(app, service):
    code, ids = opened(service, "Ann", "Ben", "Cat", "Dan", format=Format.SWISS)
    organizer.begin(service, code, ids[0])
    settled(service, code)
    program = Program(app)
    keeps_its_promise("standings", program.get(f"/e/{code}.json").data, Standings)
    keeps_its_promise("draw", program.get(f"/e/{code}/draw.json").data, Draw)
    text = program.get(f"/e/{code}.txt?width=40").text
    assert text.startswith("Cup.") and max(map(len, text.splitlines())) <= 40


def test_version_1_club_parses(app, service):
    ann = Program(app)
    founded = ann.client.post("/me/clubs", data={"club": "The Gulls", "called": "Ann"})
    club = founded.location.rsplit("/", 1)[1]
    ann.client.post("/tables", data={"game": "gops", "club": club, "name": "Ann"})
    day = datetime.fromtimestamp(service.now() + 9 * DAY, UTC).date().isoformat()
    plan = {"do": "plan", "game": "gops", "day": day, "time": "19:30", "zone": "UTC"}
    assert ann.client.post(f"/c/{club}/dates", data=plan).status_code == 303
    cup = {"game": "gops", "who": "Ann", "name": "Cup", "club": club}
    assert ann.client.post("/e", data=cup).status_code == 303
    told = ann.get(f"/c/{club}.json")
    assert all(told.json[it] for it in ("members", "tables", "dates", "tournaments"))
    keeps_its_promise("club", told.data, Club)


def test_version_1_daily_deal_parses(app, service, fake_clock):
    fake_clock.time = NOON
    daily.promise_ahead(service)
    keeps_its_promise("day", Program(app).get("/day.json").data, Day)


def test_version_1_ratings_parse(app):
    keeps_its_promise("ratings", Program(app).get("/ratings/gops.json").data, Ratings)


def test_version_1_leaderboards_with_people_parse(app, service, monkeypatch):
    """Ann is visible to friends and to all players, so that every field has a value."""
    monkeypatch.setitem(app.config, "SERVER", replace(app.config["SERVER"], leaderboard=True))
    ann, ben = Program(app), Program(app)
    code = at_table("gops", ann, ben, names=("Ann", "Ben")).removeprefix("/t/")
    today = int(service.now() // DAY)
    chairs = filter(None, service.get(code).table.chairs)
    rows = [
        {"player_id": chair.player, "game": "gops", "mu": mu, "sigma": 4_000, "played": 30}
        for chair, mu in zip(chairs, (30_000, 24_000), strict=True)
    ]
    service.database.write(
        lambda c: c.execute(insert(ratings), [it | {"last_day": today} for it in rows])
    )
    for person in (ann, ben):
        sent = {"counts": "1", "shown": "everybody", "do": "keep"}
        assert person.client.post("/me/ratings", data=sent).status_code in (200, 303)
    answer = ann.get("/ratings/gops.json")
    told = answer.json
    assert [it["name"] for it in told["own"]] == ["Ann"]
    friends, everybody = told["boards"]
    assert [it["name"] for it in friends["rated"]] == ["Ann"]
    assert [(it["name"], it["mine"]) for it in everybody["rated"]] == [
        ("Ann", True),
        ("Ben", False),
    ]
    keeps_its_promise("rated", answer.data, Ratings)


def test_program_follows_a_tournament_from_entry_to_end(app, service):
    code, ids = opened(service, *FOUR, format=Format.KNOCKOUT)
    program = Program(app)

    def told():
        return program.get(f"/e/{code}.json").json

    first = told()
    assert (first["stage"], first["standings"], first["tables"]) == ("entries", [], [])
    assert [it["name"] for it in first["entered"]] == FOUR
    assert "draw" not in first["links"]
    assert ", ".join(FOUR) in program.get(f"/e/{code}.txt").text
    organizer.begin(service, code, ids[0])
    settled(service, code)
    second = told()
    assert (second["stage"], second["entered"], len(second["standings"])) == ("playing", [], 4)
    numbers = [it for pod in second["tables"] for it in pod["entrants"]]
    assert sorted(numbers) == [it["number"] for it in first["entered"]]
    for pod, (_, table, _) in zip(second["tables"], pods(service, code), strict=True):
        assert program.get(pod["link"], **JSON).location.endswith(f"/t/{table}")
        assert not pod["over"]
    assert program.get(second["links"]["draw"]).json["code"] == code
    played(service, code)
    last = told()
    assert (last["stage"], last["round"], len(last["tables"])) == ("over", 2, 1)
    assert told_round(program, code, 1) == [True, True] and told_round(program, code, 9) == []


def told_round(program, code, number):
    return [it["over"] for it in program.get(f"/e/{code}.json?round={number}").json["tables"]]


def missing(then, today, where=""):
    """Return the fields that a current answer lacks or gives another type; values may differ."""
    if isinstance(then, dict) and isinstance(today, dict):
        found = [f"{where}.{name}" for name in then if name not in today]
        both = [name for name in then if name in today]
        return found + [it for n in both for it in missing(then[n], today[n], f"{where}.{n}")]
    if isinstance(then, list) and isinstance(today, list):
        lacks = [missing(then[0], it, f"{where}[]") for it in today] if then else []
        return min(lacks, key=len, default=[])  # items may differ in their optional fields
    same = then is None or today is None or kind(then) == kind(today)
    return [] if same else [f"{where}: {kind(then)}"]


def kind(value):
    return "number" if type(value) in (int, float) else type(value).__name__


@pytest.mark.parametrize("field", ["menu", "moves", "facts", "revision"])
def test_dropped_field_is_detected(field):
    then = msgspec.json.decode((GOLDEN / "gops.table.json").read_bytes())
    less = {name: value for name, value in then.items() if name != field}
    assert missing(then, less) == [f".{field}"]
    assert missing(then, {**then, field: "another type" if field != "menu" else 7})
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(less, schemas.Table)
