"""Under gevent nothing yields inside a write transaction, and languages are not mixed up."""

import json
import subprocess
import sys
import threading

import pytest
from babel.messages.pofile import read_po

from tests.support.browsing import BY_HTMX, table_path
from tests.support.forms import Browser
from tests.support.server import ROOT, HttpClient, Server

SWAHILI = ROOT / "kaboom/translations/sw/LC_MESSAGES/messages.po"
REFUSAL = "Only the host can start without waiting for the others."


def test_write_transaction_yields_only_on_the_database_socket(store_url):
    """A planted yield is detected, too."""
    command = [sys.executable, "-m", "tests.chaos.yields", store_url]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    seen, planted = map(json.loads, done.stdout.splitlines())
    assert seen["wrong"] == []
    assert seen["transactions"] > 40
    assert bool(seen.get("waits for the socket")) == store_url.startswith("postgresql")
    assert planted["wrong"]


@pytest.fixture(scope="module")
def in_swahili():
    with SWAHILI.open("rb") as file:
        return read_po(file, "sw").get(REFUSAL).string


def test_refusal_inside_a_write_uses_the_requests_language(store_url, in_swahili):
    """SQLite writes in a separate thread, and greenlets alternate: both must keep the language."""
    assert in_swahili
    assert in_swahili != REFUSAL
    server = Server(store_url).start()
    try:
        ann, ben = (Browser(HttpClient(server.url)) for _ in range(2))
        ann.open("/start/gops")
        ann.send(ann.page.form("/tables"), name="Ann")
        path = table_path(ann)
        ben.open(path)
        ben.send(ben.page.form("/sit"), name="Ben")
        mixed = []

        def ask(language, sentence):
            for _ in range(15):
                headers = {"Accept-Language": language, **BY_HTMX}
                answer = ben.client.post(path + "/start", headers=headers)
                if answer.status_code != 403 or sentence not in answer.text:
                    mixed.append((language, answer.status_code, answer.text))

        threads = [
            threading.Thread(target=ask, args=pair)
            for pair in [("sw", in_swahili), ("en", REFUSAL)] * 3
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert mixed == []
    finally:
        server.kill()
