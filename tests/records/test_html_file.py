"""A match as one self-contained HTML file: its contents, and detection of changes."""

import random
import re

import pytest

from kaboom.records.service import MatchArchive
from tests.records.test_match_record import verify
from tests.support.effort import LONG
from tests.support.finished_matches import finish, play_to_the_end

FLIPS = 10_000 if LONG else 1_000


@pytest.fixture
def file(service, app):
    """Return a function that creates the file of a match of Ann's against bots, with its code."""

    def made(key="gops", name="Ann", **asked):
        code, _ids = play_to_the_end(service, key, names=(name,))
        record = service.get(code).table.record
        answer = app.test_client().get(f"/m/{record}.html", **asked)
        assert answer.status_code == 200
        return answer.get_data(), record

    return made


def accepts(raw):
    """Return True if verify.py accepts the bytes of a file."""
    try:
        found = verify.inside(raw)
        return not verify.problems(found, verify.read(found))
    except verify.NoRecord:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gops", "kaboom", "karata", "koth", "taken"])
def test_file_holds_all_sentences_and_its_record(file, app, key):
    raw, code = file(key)
    html = raw.decode()
    assert len(raw) <= 300_000
    assert accepts(raw)
    steps = app.test_client().get(f"/m/{code}.txt").get_data(as_text=True).splitlines()
    assert len(steps) > 5
    last = [int(it) for it in re.findall(r'<li id="s(\d+)">', html)]
    assert last == sorted(last) and last[0] == 0
    found = verify.inside(raw)
    assert found == app.test_client().get(f"/m/{code}.json").get_data()


def test_file_refers_to_nothing_outside_itself(file):
    html = file()[0].decode()
    links = re.findall(r"""(?:href|src|action|srcset)=["']?([^"' >]+)""", html)
    assert links and all(link.startswith("#") for link in links)
    assert "url(" not in html and "@import" not in html and "fetch(" not in html
    assert "default-src 'none'" in html


def test_name_that_closes_a_script_stays_text(file):
    raw, _code = file(name="</script><b>")
    html = raw.decode()
    assert html.count("</script>") == 1 and "<b>" not in html
    assert "&lt;/script&gt;" in html and accepts(raw)


def test_verify_program_detects_every_flipped_bit(file):
    raw = file()[0]
    dice = random.Random(50)
    missed = []
    for _unused in range(FLIPS):
        at, bit = dice.randrange(len(raw)), dice.randrange(8)
        changed = bytearray(raw)
        changed[at] ^= 1 << bit
        if accepts(bytes(changed)):
            missed.append((at, bit))
    assert missed == []


def test_file_is_in_the_requested_language(file):
    raw, _code = file(headers={"Accept-Language": "ar"})
    assert b'dir="rtl"' in raw and accepts(raw)


def test_file_of_a_hidden_or_running_match_is_refused(service, app, browser, table):
    code, _ids = play_to_the_end(service, "gops")
    record = service.get(code).table.record
    MatchArchive(service).hide(record, "key of Ann", True)
    assert app.test_client().get(f"/m/{record}.html").status_code == 404
    path, (ann, _ben) = table("Ann", "Ben", game="gops")
    at = path.rsplit("/", 1)[1]
    assert ann.client.get(f"/m/{service.get(at).table.record}.html").status_code == 404
    finish(service, at)
    assert ann.client.get(f"/m/{service.get(at).table.record}.html").status_code == 200
