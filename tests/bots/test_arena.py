"""Bots as programs in any language: a faulty program loses one match."""

import re
import shutil
import signal
import subprocess
import sys
from statistics import NormalDist

import pytest
from click.testing import CliRunner

from kaboom.cli import line_protocol
from kaboom.cli.arena import arena
from kaboom.engine.bots.evaluate import NORMAL_95
from kaboom.engine.views import Prompt
from kaboom.games import GAMES
from kaboom.records.verify import checked
from kaboom.tables.match_record import record_from
from tests.support.api_clients import keeps_the_protocol
from tests.support.effort import often
from tests.support.server import ROOT

PYTHON = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["do"] == "hello":
        print(json.dumps({"name": "Sly", "protocol": 1}), flush=True)
    elif told["do"] == "choose":
        offers = [it for it in told["table"]["moves"] if it["blocks"] and it["some"]]
        move = [offers[0]["verb"], *offers[0]["some"][0]] if offers else ["pass"]
        print(" ".join(move), flush=True)
"""
SHELL = """
while read -r line; do
    case $line in
        *'"do": "hello"'*) echo '{"name": "Shelly", "protocol": 1}' ;;
        *'"do": "choose"'*) echo 1 ;;
    esac
done
"""
C = r"""
#include <stdio.h>
#include <string.h>
int main(void) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"do\": \"hello\"")) puts("{\"name\": \"Cee\", \"protocol\": 1}");
        else if (strstr(line, "\"do\": \"choose\"")) puts("1");
        fflush(stdout);
    }
    return 0;
}
"""


def fight(bot, game="gops", *more):
    arguments = [game, "--bot", bot, "--pairs", "1", "--against", "random", *more]
    done = CliRunner().invoke(arena, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a program to a file and returns its command line."""

    def command(text, interpreter):
        path = tmp_path / "bot"
        path.write_text(text)
        return f"{interpreter} {path}"

    return command


def test_python_bot_report_is_the_same_for_the_same_seed(written):
    bot = written(PYTHON, sys.executable)
    told = fight(bot)
    assert told == fight(bot) and "in 2 matches" in told and "faults: none" in told


@pytest.mark.parametrize("game", ["kaboom", "taken", "karata", "koth"][: often(1, soak=4)])
def test_a_bot_that_knows_no_rules_plays_every_game(written, game):
    assert "faults: none" in fight(written(PYTHON, sys.executable), game)


def test_bot_written_in_shell_plays(written):
    assert "faults: none" in fight(written(SHELL, "sh"))


def test_bot_stderr_goes_to_the_given_file(written, tmp_path):
    complains, kept = SHELL.replace("do\n", "do\n    echo I wonder >&2\n", 1), tmp_path / "errors"
    fight(written(complains, "sh"), "gops", "--errors", str(kept))
    assert set(kept.read_text().splitlines()) == {"I wonder"}


def test_bot_written_in_c_plays(tmp_path):
    if not shutil.which("cc"):
        pytest.skip("no compiler for C is here")
    (tmp_path / "bot.c").write_text(C)
    subprocess.run(["cc", "-o", tmp_path / "bot", tmp_path / "bot.c"], check=True)
    assert "faults: none" in fight(str(tmp_path / "bot"))


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("sleep 60", "hang"),
        ("exit 3", "crash"),
        ("yes", "flood"),
        (SHELL.replace("echo 1", "echo 99"), "wrong answers"),
        (SHELL.replace("echo 1", r"printf '\377\n'"), "wrong answers"),  # it is no text at all
    ],
)
def test_each_bot_fault_counts_once_per_match(written, monkeypatch, script, fault):
    monkeypatch.setattr(line_protocol, "A_MOVE", 0.3)
    monkeypatch.setattr(line_protocol, "BANK", 0.0)
    told = fight(written(script + "\n", "sh"))
    assert f"faults: 2 {fault}\n" in told


def test_program_that_cannot_start_is_reported():
    assert "faults: 2 does not start" in fight("/no/such/program")


def test_program_that_fails_three_deals_in_a_row_is_stopped():
    told = fight("/no/such/program", "gops", "--pairs", "200")
    assert "3 deals in a row were left unfinished from both sides: the duel is over." in told
    assert "faults: 6 does not start" in told and "in 6 matches" in told


def test_bot_that_never_reads_its_input_counts_as_hung(monkeypatch):
    monkeypatch.setattr(line_protocol, "A_MOVE", 0.3)
    monkeypatch.setattr(line_protocol, "BANK", 0.0)
    gops = GAMES["gops"]
    deaf = line_protocol.Session(
        ["sleep", "60"], gops, {"much": "x" * 2**20}, 2, subprocess.DEVNULL
    )
    with pytest.raises(line_protocol.Fault, match="hang"):
        deaf.move(None, Prompt(0, ()), None)
    deaf.end(None)
    assert deaf.process.returncode == -signal.SIGKILL


def test_leftover_bot_process_does_not_block_the_arena(monkeypatch):
    """Its child keeps its output open, in a separate session that no signal reaches."""
    monkeypatch.setattr(line_protocol, "A_MOVE", 5.0)
    script = "setsid sleep 3 & echo Hello; sleep 60"
    left = line_protocol.Session(["sh", "-c", script], GAMES["gops"], {}, 2, subprocess.DEVNULL)
    left._begin(0)
    monkeypatch.setattr(left.process, "communicate", None)  # it would wait for that child
    left.end(None)
    assert left.process.returncode == -signal.SIGKILL and left.process.stdout.closed


@pytest.mark.parametrize("usual", [0.0, 60.0])
def test_reserve_pays_only_for_time_beyond_the_usual_seconds(monkeypatch, usual):
    monkeypatch.setattr(line_protocol, "A_MOVE", usual)
    script = "while read -r _; do echo 1; done"
    bot = line_protocol.Session(["sh", "-c", script], GAMES["gops"], {}, 2, subprocess.DEVNULL)
    bot._begin(0)
    bot._ask({})
    bot.end(None)
    spent = 0.0 if usual else sum(bot.seconds)
    assert len(bot.seconds) == 2 and bot.bank == pytest.approx(line_protocol.BANK - spent)


def test_bot_is_sent_only_what_its_seat_may_know(written, tmp_path):
    """The message to a seat holds none of its rival's bids, since it comes from that seat's
    view.
    """
    heard = tmp_path / "heard"
    bot = written(
        PYTHON.replace("told = ", f"open({str(heard)!r}, 'a').write(line); told = "), sys.executable
    )
    fight(bot, "gops")
    lines = [line for line in heard.read_text().splitlines() if '"do": "choose"' in line]
    assert lines and all('"seed"' not in line and '"state"' not in line for line in lines)


CLUMSY = """
import json, sys
moves = ["nonsense"]
for line in sys.stdin:
    open({heard!r}, "a").write(line)
    told = json.loads(line)
    if told["do"] == "hello":
        print(json.dumps({{"name": "Sly", "protocol": 1}}), flush=True)
    elif told["do"] == "choose":
        print(moves.pop() if moves else 1, flush=True)
"""


def test_bot_receives_everything_protocol_1_promises(written, tmp_path):
    heard = tmp_path / "heard"
    fight(written(CLUMSY.format(heard=str(heard)), sys.executable))
    match, _ = heard.read_text().split('"quit"}\n', 1)
    keeps_the_protocol(match + '"quit"}')


def test_worst_losses_are_saved_as_readable_records(written, tmp_path):
    """A bot that always bids its highest card first loses a deal from both sides."""
    worst = 'max(offers[0]["options"], key=lambda it: "A23456789TJQK".index(it["choice"][0]))'
    bot = written(PYTHON.replace('*offers[0]["some"][0]', f'{worst}["choice"]'), sys.executable)
    folder = tmp_path / "worst"
    told = fight(bot, "gops", "--against", "house-easy", "--pairs", "3", "--records", str(folder))
    deals = re.search(r"lost from both sides: deals ([\d, ]+)", told)[1].split(", ")
    names = {f"gops-{deal}-{side}.json" for deal in deals for side in (1, 2)}
    assert {it.name for it in folder.iterdir()} == names
    for file in folder.iterdir():
        record = record_from(file.read_text())
        assert not checked(record).wrong
        assert "House" in record.names[record.outcome.places.index(1)]


def may_be_half(told):
    """Return True if the win rate is compatible with one half; equal players fail once in 1,000."""
    low, high = map(float, re.search(r"95%: ([\d.]+)% to ([\d.]+)%", told).groups())
    wider = NormalDist().inv_cdf(0.9995) / NORMAL_95
    return abs((low + high) / 2 - 50) <= wider * (high - low) / 2


def test_may_be_half_rejects_only_distant_shares():
    assert may_be_half("41.0% (95%: 31.0% to 51.0%)")
    assert may_be_half("35.0% (95%: 25.0% to 45.0%)")
    assert not may_be_half("33.0% (95%: 23.0% to 43.0%)")


@pytest.mark.nightly  # many matches: in long runs
def test_random_program_wins_half_against_random(written):
    """A random program over the line protocol against the built-in random player."""
    fake_ids = PYTHON.replace("import json, sys", "import json, random, sys").replace(
        'offers[0]["some"][0]', 'random.choice(offers[0]["some"])'
    )
    told = fight(written(fake_ids, sys.executable), "gops", "--pairs", "100")
    assert may_be_half(told), told


# The built-in bot as a program over the line protocol. In GOPS it uses public information only. Its
# random draws are seeded by what it receives, so equal deals are played equally.
HOUSE = """
import json, sys
from hashlib import sha256
from msgspec import convert
from kaboom.engine.rng import Chance
from kaboom.engine.bots.bot import Level
from kaboom.engine.views import Offer, Prompt, Saying, View, Zone
from kaboom.games import GAMES

bot = GAMES["gops"].bot

def offer(me, it):
    choices = tuple(each["choice"] for each in it["options"])
    amount = (it["least"], it["most"], it["ordered"])
    return Offer(me, it["verb"], choices, *amount, "", it["blocks"], it["confirm"], "")

for line in sys.stdin:
    told = json.loads(line)
    if told["do"] == "hello":
        print(json.dumps({"name": "House", "protocol": 1}), flush=True)
    elif told["do"] == "choose":
        table = told["table"]
        me, zones = table["me"], tuple(convert(table["zones"], list[Zone]))
        view = View(me, zones, Saying(""), table["facts"])
        prompt = Prompt(me, tuple(offer(me, it) for it in table["moves"]))
        lots = Chance(sha256(line.encode()).digest(), 1)
        move = bot.choose(bot.memory(), view, prompt, lots, Level.HARD)
        print(" ".join((move.verb, *move.choices)), flush=True)
"""


@pytest.mark.nightly  # many matches: in long runs
def test_built_in_bot_as_a_program_wins_half_against_itself(written, monkeypatch):
    """A program receives enough information to play as well as the built-in bots."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    told = fight(written(HOUSE, sys.executable), "gops", "--against", "house", "--pairs", "100")
    assert may_be_half(told) and "faults: none" in told, told
    print(told)
