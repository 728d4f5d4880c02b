"""Codes and secrets of halls: none of one hall can be taken for another's."""

import re

import pytest

from kaboom.accounts.api_keys import is_key, new_key
from kaboom.db.ids import (
    can_be_code,
    can_be_import_code,
    hall_of,
    lots_of,
    new_import_code,
    new_secret,
)
from tests.server import ROOT

MAPS = re.findall(r'"~(\*?)(\^/.*)" (\w+);', (ROOT / "docs/hosting/nginx-halls.conf").read_text())


def led(path):
    """Return where the proxy of the example leads an address by itself."""
    found = {
        hall for any_case, line, hall in MAPS if re.search(line, path, re.I if any_case else 0)
    }
    assert len(found) <= 1, path
    return found.pop() if found else None


@pytest.mark.parametrize(("letter", "place"), [("", "first_hall"), ("B", "hall_b"), ("C", None)])
def test_every_address_is_of_one_hall(letter, place):
    for _ in range(50):
        code, brought, secret = (
            lots_of(letter).code(),
            new_import_code(letter),
            new_secret(letter),
        )
        assert can_be_code(code) and hall_of(code) == letter
        assert can_be_import_code(brought) and hall_of(brought) == letter
        for path in (
            f"/t/{code}", f"/t/{code.lower()}", f"/t/{code}.json", f"/m/{code}/12",
            f"/e/{code}/run", f"/c/{code}/ask", f"/t/{code}/carry/x",
            f"/look/{brought}", f"/look/{brought}/3",
            f"/in/{secret}", f"/friend/{secret}", f"/club/{secret}", f"/feed/{secret}.atom",
            f"/turns/{secret}.atom", f"/calls/mail/{secret}/stop",
        ):  # fmt: skip
            assert led(path) == place, path


def test_addresses_without_codes_are_of_no_hall():
    for path in ("/", "/lobby", "/in/as", "/in/passkey/answer", "/me/devices", "/tables", "/t/x"):
        assert led(path) is None


def test_keys_of_programs_tell_their_hall():
    key = new_key("B")
    assert key.startswith("kbB_") and is_key(key)
    assert not is_key(key[:-1]) and not is_key("kbBB_" + key[4:])
