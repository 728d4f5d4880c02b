"""A match as one HTML file: all its sentences, the hands after the first deals and at the end, and
its record, which the file itself verifies.

The file has no external parts, so it can be opened from a disk without a server. Its script checks
the record's seed, cuts, chain and digest, and that no sentence was changed. The last line is a hash
of everything before it, which verify.py checks.
"""

import hashlib
import re
from base64 import b64encode
from dataclasses import replace
from functools import cache
from html import unescape
from typing import NamedTuple

from flask import render_template as render
from markupsafe import Markup, escape

from kaboom.config import ROOT
from kaboom.engine.i18n import spoken_now
from kaboom.engine.outcome_text import how, title
from kaboom.engine.views import OPEN
from kaboom.records.pages import MatchPage
from kaboom.table_page.text import zone_lines
from kaboom.tables.match_record import text_of

MOST_HANDS = 40  # deals after which all hands are listed


class FileStep(NamedTuple):
    """A step in the file; `hands` are lines that list every card."""

    number: int
    sentences: list[str]
    hands: list[str]


def self_checking(page: MatchPage) -> str:
    """Return a match as one HTML file, in the reader's language."""
    page = replace(page, seat=OPEN)
    shown = _with_hands(page)
    steps = [
        FileStep(step, said, _hands(page, step) if step in shown else [])
        for step in range(page.replay.last + 1)
        if (said := page.said(step)) or step in shown
    ]
    outcome, names = page.record.outcome, page.names
    told = render(
        "records/file_match.html",
        page=page,
        record=page.record,
        steps=steps,
        title=title(outcome, names),
        how=how(outcome, names, ()),
    )
    script, style = _script(), _style()
    html = render(
        "records/file.html",
        page=page,
        told=Markup(told),
        sum=hashlib.sha256(_text(told).encode()).hexdigest(),
        raw=escape(text_of(page.replay.record)),
        script=Markup(f"<script>{script}</script>"),
        style=Markup(f"<style>{style}</style>"),
        script_hash=_hash(script),
        style_hash=_hash(style),
        language=spoken_now(),
    )
    return f"{html}<!--{hashlib.sha256(html.encode()).hexdigest()}-->\n"


def _with_hands(page: MatchPage) -> set[int]:
    """Return the steps after which all hands are listed: the first few deals and the last step."""
    game, replay = page.replay.game, page.replay
    deals = [
        number
        for number, step in enumerate(replay.steps)
        if number == 0 or any(event.kind in game.deals for event in step.events)
    ]
    return {*deals[:MOST_HANDS], replay.last}


def _hands(page: MatchPage, step: int) -> list[str]:
    return list(zone_lines(replace(page, step=step).table(), words=True))


def _text(html: str) -> str:
    """Return the text of our own HTML, as a browser shows it."""
    inside = html[html.index(">") + 1 : html.rindex("</main>")]
    return unescape(re.sub(r"<[^>]*>", "", inside))


@cache
def _script() -> str:
    return (ROOT / "static" / "records" / "file.js").read_text(encoding="utf-8")


@cache
def _style() -> str:
    return (ROOT / "static" / "records" / "file.css").read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the hash with which a content security policy allows a script or a style."""
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
