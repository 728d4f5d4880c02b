"""What readers see as one character stays one in every field, page and format."""

import html
import re

import pytest

from kaboom.accounts.names import LONGEST
from kaboom.social.chat.service import LONGEST as LINE

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAG = "\U0001f1f0\U0001f1ea"
ZOE = f"{FAMILY} Zoë"


def at(person, path, voice, **asked):
    return person.client.get(f"{path}.{voice}", query_string=asked)


def test_emoji_name_is_whole_in_every_format(table):
    path, (zoe, ann) = table(ZOE, f"{FLAG * LONGEST}{FLAG}", game="gops")
    chairs = at(ann, path, "json").json["chairs"]
    assert [it["name"] for it in chairs] == [ZOE, FLAG * LONGEST]
    assert ZOE in html.unescape(ann.html)
    for voice in ("txt", "say"):
        assert ZOE in at(ann, path, voice).text
        assert FLAG * LONGEST in at(zoe, path, voice).text
    for line in at(zoe, path, "txt", width=20).text.splitlines():
        assert not line.startswith("\u200d") and not line.endswith("\u200d")


def test_emoji_line_is_counted_in_characters(table):
    path, (ann, _) = table("Ann", "Ben")
    for text, taken in [(FLAG * LINE, True), (FLAG * (LINE + 1), False), ("x" * (LINE + 1), False)]:
        assert ann.client.post(f"{path}/talk", json={"text": text}).status_code == (
            200 if taken else 422
        )
    assert FLAG * LINE in html.unescape(ann.client.get(f"{path}/talk").text)


def test_emoji_cut_is_counted_in_characters(table):
    path, (ann, _) = table("Ann", "Ben", ready=False)
    for cut, status in [(FAMILY * 11, 200), (FAMILY * 12, 422), ("x" * 61, 422)]:
        assert ann.client.post(f"{path}/cut", json={"cut": cut}).status_code == status, cut
    assert ann.open(path).text and FAMILY * 11 in html.unescape(ann.html)


# Browsers count what is typed into a field in UTF-16 units.
FIELDS = [
    ("/", "name", LONGEST),
    ("/start/gops", "name", LONGEST),
    ("/tournaments/new?game=gops", "name", 60),
]


@pytest.mark.parametrize(("path", "field", "most"), FIELDS)
def test_field_accepts_as_many_emoji_as_are_stored(path, field, most, browser):
    page = browser()
    page.open(path)
    (told,) = re.findall(rf'name="{field}"[^>]*maxlength="(\d+)"', page.html)[:1]
    assert int(told) >= len((FLAG * most).encode("utf-16-le")) // 2


def test_refused_choice_is_quoted_whole(table):
    path, (ann, _) = table("Ann", "Ben", game="gops", ready=False)
    answer = ann.client.post(f"{path}/options", json={"last_tie": FAMILY * 50})
    told = answer.json["fields"]["last_tie"]
    assert f"“{FAMILY * 40}”" in told
