"""The terminal client, and bots in other languages, as released, at a real server."""

import ast
import json
import os
import random
import re
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from html import unescape
from itertools import product
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import pexpect
import pytest

from kaboom.engine.options import written
from kaboom.games import GAMES, sample
from tests.formats.pythons import python_of
from tests.support.api_clients import JSON, TEXT, Program, at_table, keeps_the_protocol
from tests.support.effort import LONG
from tests.support.server import ROOT

PLAY = ROOT / "static" / "play.py"


def newest():
    """Return the newest installed Python."""
    found = Path.home().glob(".pyenv/versions/3.*/bin/python")
    numbered = {tuple(map(int, re.findall(r"\d+", it.parts[-3])[:2])): str(it) for it in found}
    numbered[sys.version_info[:2]] = sys.executable
    return numbered[max(numbered)]


PYTHON = python_of("3.8")
PLAYED = list(product(GAMES, [PYTHON, newest()])) if LONG else [("gops", PYTHON)]
BOTS = {"koth": "4", "hearts": "3", "oh_hell": "2"}
SHORT = (
    "hearts",
    "karata",
    "koth",
    "oh_hell",
    "taken",
)  # they usually take minutes, or an hour


def ask(server, path, key="", body=None):
    head = {"Accept": "application/json", "Content-Type": "application/json"}
    if key:
        head["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(server.url + path, data, head)
    with urllib.request.urlopen(request, timeout=40) as answer:
        return json.load(answer)


def as_called(option):
    """Return what a person types for an option: only programs count rows from 0."""
    number = re.search(r"\d+", option["label"])
    return number[0] if number and option["choice"].isdigit() else option["choice"]


class Person:
    """A person at a terminal; `all` is what has been written to it."""

    def __init__(self, server, keys, *more, table="", python=PYTHON):
        self.server, self.keys = server, keys
        environment = {**os.environ, "KABOOM_KEYS": str(keys), "LANG": "en_US.UTF-8"}
        command = [str(PLAY), server.url + table, *more]
        self.child = pexpect.spawn(
            python,
            command,
            env=environment,
            encoding="utf-8",
            timeout=30,
            dimensions=(24, 72),
            maxread=2**16,
        )
        self.child.delaybeforesend = 0.01
        self.child.logfile_read = self
        self.all = ""

    def write(self, text):
        self.all += text

    def flush(self):
        """Keep all output."""

    def begin(self, game):
        self.open(game, BOTS.get(game, "1"))
        self.child.sendline("start")

    def open(self, game, bots):
        if self.child.expect(["Your name: ", "q quits"]) == 0:
            self.child.sendline("Ann")
            self.child.expect("q quits")
        self.child.sendline(game)
        self.child.expect("How many bots")
        self.child.sendline(bots)
        self.child.expect(r"/t/(\w{8})")
        self.code = self.child.match[1]
        self.child.expect("help for the rest")
        (kept,) = json.loads(self.keys.read_text()).values()
        self.key = kept["key"]

    @classmethod
    def at_a_short_match(cls, server, keys, game, bots, *more, python=PYTHON):
        """Return the host of a table with a short match, opened with an existing key."""
        key = ask(server, "/guests", body={"name": "Ann"})["key"]
        body = {"game": game, "name": "Ann", "bots": bots, **written(sample(game).short)}
        code = ask(server, "/tables", key, body)["code"]
        keys.write_text(json.dumps({server.url: {"name": "Ann", "key": key}}))
        keys.chmod(0o600)
        ann = cls(server, keys, *more, table=f"/t/{code}", python=python)
        ann.code, ann.key = code, key
        ann.child.expect("help for the rest")
        ann.child.sendline("start")
        return ann

    def table(self, more=""):
        return ask(self.server, f"/t/{self.code}.json{more}", self.key)

    def play_on(self):
        """Type legal moves until the match is over."""
        table = self.table()
        while not table["outcome"]:
            self.child.expect(
                pexpect.TIMEOUT, timeout=0
            )  # reading: a full terminal blocks its program
            if table["waited"]:
                offers = [it for it in table["moves"] if it["blocks"] and it["some"]]
                offer = random.Random(table["revision"]).choice(offers)
                called = {it["choice"]: as_called(it) for it in offer["options"]}
                self.child.sendline(" ".join([offer["verb"], *map(called.get, offer["some"][0])]))
            table = self.table(f"?wait=25&v={table['revision']}")
        self.child.expect("Type again")


def test_player_script_is_one_file_for_python_3_8_without_deps():
    tree = ast.parse(PLAY.read_text(), feature_version=(3, 8))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
             for alias in node.names}  # fmt: skip
    names |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names


@pytest.mark.parametrize(("game", "python"), PLAYED)
def test_terminal_match_only_appends_to_its_output(server, tmp_path, game, python):
    keys, bots = tmp_path / "keys.json", int(BOTS.get(game, "1"))
    if game in SHORT:
        ann = Person.at_a_short_match(server, keys, game, bots, "--sure", python=python)
    else:
        ann = Person(server, keys, "--sure", python=python)
        ann.begin(game)
        ann.child.expect("1 ")
    ann.play_on()
    ann.child.sendline("new")
    ann.child.expect("q quits")
    ann.child.sendline("q")
    ann.child.expect(pexpect.EOF)
    assert "\x1b" not in ann.all
    assert not set(ann.all) - {"\r", "\n"} & {chr(code) for code in range(32)}
    assert stat.S_IMODE((tmp_path / "keys.json").stat().st_mode) == 0o600


def test_output_waits_while_a_line_is_typed(server, tmp_path):
    ann = Person(server, tmp_path / "keys.json")
    ann.open("gops", bots="")
    code = ann.code
    ann.child.send("talk hellp\x7fo")  # with a backspace
    ann.child.expect("talk hellp")
    ben = ask(server, "/guests", body={"name": "Ben"})["key"]
    table = ask(server, f"/t/{code}/sit", ben, {"name": "Ben"})
    ask(server, f"/t/{code}/ready", ben, {})
    time.sleep(1)  # no signal announces that nothing will come
    typed = ann.all.rpartition("talk hellp")[2]
    assert "Ben" not in typed and table["me"] is not None
    ann.child.sendline("")
    ann.child.expect("Ann: hello")
    ann.child.expect("Ben")
    ask(server, f"/t/{code}/talk", ben, {"text": "good evening"})
    ann.child.expect("Ben: good evening")
    ann.child.sendline("q")
    ann.child.expect("Come back with")
    ann.child.expect(pexpect.EOF)


class Line:
    """A session of play.py with `app` in place of a server; its output is kept."""

    home, language, key = "http://here", "", ""

    def __init__(self, app):
        self.program, self.said, self.typed = Program(app), [], []

    def get(self, path):
        return self.program.get(path, **JSON).json

    def text(self, path):
        answer = self.program.get(path, **TEXT)
        return answer.text, answer.headers.get("Kaboom-Menu", "")

    def say(self, text, **more):
        self.said.append(text.format(**more) if more else text)

    def question(self, text):
        return self.typed.pop(0)

    def told(self, play, typed):
        self.said.clear()
        assert play.obey(typed)
        return list(self.said)


def at_karata(app):
    """Return the player to move at a table of Karata, and play.py for that player."""
    lines = [Line(app), Line(app)]
    path = at_table("karata", *(it.program for it in lines), names=("Ann", "Ben"))
    line = next(it for it in lines if it.get(f"{path}.json")["waited"])
    other = next(it for it in lines if it is not line)
    at = [
        run_path(str(PLAY))["Play"](
            it, it, path[3:], "Ann", SimpleNamespace(width=0, bell=False, sure=True)
        )
        for it in (line, other)
    ]
    for it in at:
        it.take(it.server.get(f"{path}.json"))
    return line, at[0], other, at[1]


def test_typed_m_lists_the_moves_or_the_status(app):
    line, play, other, waits = at_karata(app)
    told = line.told(play, "m")
    assert told[0].startswith("add: ") and told[-1].endswith("draw: Draw")
    assert not any(it.startswith(("Pile", "Hand", "answers", "move")) for it in told)
    waits.table = other.get(f"{waits.path}.json")
    plans = [it for it in other.told(waits, "m") if "plan_" in it]
    assert plans or len(other.said) == 1
    assert not any("GET" in it for it in [*other.said, *other.told(waits, "t")])


def test_question_mark_shows_the_broken_rule(app):
    line, play, *_ = at_karata(app)
    play.rule = f"{play.path}/rules#the-first-card"
    told = line.told(play, "?")
    assert told[0] == f"The rules are at http://here{play.path}/rules#the-first-card"
    assert told[1] == "The first card" and len(told[2]) > 60
    assert not set("*`[]") & set(told[2])


def test_help_is_shown_at_the_start_and_games_by_name(app):
    line, play = Line(app), run_path(str(PLAY))
    line.typed = ["help", "q"]
    with pytest.raises(play["Quit"]):
        play["table_wished"](line, line, "Ann")
    assert play["HELP"] in line.said
    assert any("koth (King of the Hill)" in it for it in line.said)


def test_unsupported_request_lists_the_supported_ones(server, tmp_path):
    """A person who wants to chat types `say` as well as `talk`."""
    ann = Person(server, tmp_path / "keys.json")
    ann.begin("gops")
    ann.child.expect("KS")
    ann.child.sendline("say good morning")
    ann.child.expect("Send one of these: hand, table, moves")
    ann.child.sendline("say score")
    ann.child.expect("You have 0 points")
    ann.child.sendline("q")
    ann.child.expect("Come back with")


def test_interrupted_response_is_requested_again():
    def answer():
        for sent in (b'{"games', b'{"games": []}'):
            asked, _ = listening.accept()
            with asked:
                asked.recv(2**16)
                asked.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n" + sent)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        home = f"http://127.0.0.1:{listening.getsockname()[1]}"
        asked = run_path(str(PLAY))["Server"](home, "", patience=(0,))
        assert asked.get("/games.json") == {"games": []}
        thread.join(60)


@pytest.mark.parametrize(
    ("command", "said", "seated"),
    [("./nobody", "./nobody cannot be started", False), ("true", "true has ended", True)],
)
def test_bot_that_fails_to_start_takes_no_seat(server, tmp_path, command, said, seated):
    host = ask(server, "/guests", body={"name": "Ann"})["key"]
    table = ask(server, "/tables", host, {"game": "gops", "name": "Ann"})
    path = f"/t/{table['code']}"
    bot = subprocess.Popen(
        # Since 3.13 Python reports such failures on stderr, even after the test has ended.
        [PYTHON, "-X", "dev", str(PLAY), f"{server.url}{path}", "--name=Sly", f"--bot={command}"],
        env={**os.environ, "KABOOM_KEYS": str(tmp_path / "keys.json")},
        stderr=subprocess.PIPE,
        text=True,
    )
    if seated:
        while not [it for it in table["chairs"] if it.get("ready")]:
            table = ask(server, f"{path}.json?wait=25&v={table['revision']}", host)
        ask(server, f"{path}/start", host, {})
    _, wrong = bot.communicate(timeout=60)
    assert (bot.returncode, wrong.strip()) == (1, f"{said}.")
    table = ask(server, f"{path}.json", host)
    assert any(it.get("program") for it in table["chairs"]) == seated


def said_by(tree):
    """Yield the texts that a program prints or asks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("say", "question"):
            for text in node.args[:1]:
                found = [text.body, text.orelse] if isinstance(text, ast.IfExp) else [text]
                yield from (it.value for it in found if isinstance(it, ast.Constant) and it.value)


def test_all_terminal_texts_are_translated():
    """These are the client's own texts; the server translates its own."""
    play = run_path(str(PLAY))
    said = {*said_by(ast.parse(PLAY.read_text())), play["HELP"], "free"}
    for words in play["LANGUAGES"].values():
        assert words.keys() == said
        for text, told in words.items():
            assert set(re.findall(r"{\w+}", text)) == set(re.findall(r"{\w+}", told)), told
            assert text[-1:].isspace() == told[-1:].isspace(), told


def printed(server):
    """Return the runnable code blocks of the page for programs."""
    with urllib.request.urlopen(f"{server.url}/api") as answer:
        page = answer.read().decode()
    return [unescape(it) for it in re.findall(r"<pre[^>]*><code>(.*?)</code>", page, re.S)]


def in_a_shell(script, folder):
    """Run the blocks that need curl and jq."""
    for program in ("curl", "jq"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")
    return subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=300, cwd=folder
    )


# As printed, but a refusal ends it, and streams end after some seconds.
STRICT = """\
curl() { command curl -sS --fail-with-body --max-time 5 "$@" || [ $? = 28 ]; }
set -e
"""
TURN = """\
until command curl -s -b jar %s/t/$CODE.json | jq -e .waited > /dev/null; do sleep 0.1; done
"""
# These blocks need a finished match, a tournament, a person at a terminal or a checkout.
ELSEWHERE = re.compile(r"/m/RECORD|/tournaments/CODE|^python3 |^pip ")


def test_page_examples_run_as_printed_in_order(server, tmp_path):
    script = STRICT
    for block in printed(server):
        if block.startswith(("import", "HERE=")):
            continue
        script += TURN % server.url if "/move" in block else ""
        lines = [it for it in block.splitlines() if not ELSEWHERE.search(it)]
        script += "".join(f"{it}\n" for it in lines)
    done = in_a_shell(script, tmp_path)
    assert done.returncode == 0, done
    for said in ("King of the Hill", '{"kind":"table"', "event:table", "bot of Sly", "Ann: Hello"):
        assert said in done.stdout, said
    assert (tmp_path / "play.py").read_text() == PLAY.read_text()


def test_the_printed_shell_bot_plays_a_match(server, tmp_path):
    (script,) = (it for it in printed(server) if it.startswith("HERE="))
    assert len(script.splitlines()) <= 60
    done = in_a_shell(script, tmp_path)
    assert "over" in done.stdout, done


SLY = """
import json, sys
wrong = ["nonsense"]
for line in sys.stdin:
    open(sys.argv[1], "a").write(line)
    told = json.loads(line)
    if told["do"] == "hello":
        print(json.dumps({"name": "Sly", "protocol": 1}), flush=True)
    elif told["do"] == "choose":
        offer = next(it for it in told["table"]["moves"] if it["blocks"] and it["some"])
        print(wrong.pop() if wrong else " ".join([offer["verb"], *offer["some"][0]]), flush=True)
"""


def test_line_protocol_bot_plays_at_a_table_and_is_marked(server, tmp_path):
    sly, heard = tmp_path / "sly.py", tmp_path / "heard"
    sly.write_text(SLY)
    host = ask(server, "/guests", body={"name": "Ann"})["key"]
    opened = ask(server, "/tables", host, {"game": "gops", "name": "Ann"})
    code = opened["code"]
    command = f"{PYTHON} {sly} {heard}"
    bot = subprocess.Popen(
        [
            PYTHON,
            str(PLAY),
            f"{server.url}/t/{code}",
            "--name=Sly",
            f"--bot={command}",
        ],
        env={**os.environ, "KABOOM_KEYS": str(tmp_path / "keys.json")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    table = opened
    while len([it for it in table["chairs"] if it.get("ready")]) < 1:
        assert bot.poll() is None, bot.communicate()
        table = ask(server, f"/t/{code}.json?wait=25&v={table['revision']}", host)
    mine = next(it for it in table["chairs"] if it.get("name") == "bot of Sly")
    assert mine["program"]
    table = ask(server, f"/t/{code}/start", host, {})
    while not table["outcome"]:
        if table["waited"]:
            offer = next(it for it in table["moves"] if it["blocks"] and it["some"])
            move = " ".join([offer["verb"], *offer["some"][0]])
            body = {"answers": offer["answers"], "move": move}
            table = ask(server, f"/t/{code}/move", host, body)
        else:
            table = ask(server, f"/t/{code}.json?wait=25&v={table['revision']}", host)
    said, wrong = bot.communicate(timeout=30)
    assert "over" in said, wrong
    keeps_the_protocol(heard.read_text())
