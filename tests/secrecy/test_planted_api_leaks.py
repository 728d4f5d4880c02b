"""Leaks planted in answers to programs and listeners: each must make the proof fail."""

import pkgutil
from dataclasses import replace

import pytest
from msgspec import structs

from kaboom.engine.moves import NotOnOffer
from kaboom.web.api.negotiation import Format
from tests.secrecy.paired_server import CURRENT
from tests.secrecy.test_planted_leaks import bit_now, card_now, server_finds
from tests.support.effort import often


def hidden() -> list[str]:
    """Return the cards of the stock."""
    state = CURRENT[-1].now.state
    return list(getattr(state, "stock", ())) if state is not None else []


def sorted_stock(table_of):
    def planted(page, *more):
        found = table_of(page, *more)
        stock = tuple(sorted(hidden()))
        zones = [
            structs.replace(it, cards=stock) if it.name == "stock" else it for it in found.zones
        ]
        return structs.replace(found, zones=tuple(zones))

    return planted


def by_the_cards(some):
    return lambda position, seat, drawn_by: some(position, seat, f"{drawn_by} {card_now()}")


def only_for(spoken):
    def change(body_of):
        def planted(snapshot, voice):
            body, page = body_of(snapshot, voice)
            return body + b" " * bit_now() if voice is spoken else body, page

        return planted

    return change


def counted(now):
    return lambda page: [*now(page), f"{len(hidden()) + bit_now()} of them."]


def picky(try_move):
    def planted(*given):
        if bit_now():
            raise NotOnOffer("You cannot do that now.")
        return try_move(*given)

    return planted


VOICES = {
    "hidden cards in order": ("kaboom.table_page.responses_api.table_of", sorted_stock),
    "a rank in a short text": (
        "kaboom.table_page.api.short",
        lambda short: lambda option, label: f"{short(option, label)}{card_now()[:1]}",
    ),
    "a count in speech": ("kaboom.table_page.speech.now", counted),
    "legal choices drawn by the cards": ("kaboom.tables.position.Position.some", by_the_cards),
    "a menu that knows the cards": (
        "kaboom.engine.table_view.menu_of",
        lambda menu_of: lambda match, offers: menu_of(f"{match} {card_now()}", offers),
    ),
    "an offer's answers": (
        "kaboom.table_page.api.answers_of",
        lambda answers_of: lambda match, offer: answers_of(f"{match} {card_now()}", offer),
    ),
    "a validator": (
        "kaboom.table_page.responses_api.tag_of",
        lambda tag_of: lambda snapshot, spoken: f"{tag_of(snapshot, spoken)}{card_now()}",
    ),
    "the length of a text": (
        "kaboom.table_page.responses_api.text_of",
        lambda text_of: lambda *given: text_of(*given) + "\n" * bit_now(),
    ),
    "the answer to one question": (
        "kaboom.table_page.speech.whose",
        lambda whose: lambda page, zone: f"{whose(page, zone)} {card_now()}",
    ),
    "the reason for a refusal": (
        "kaboom.table_page.responses_api.sentence_of",
        lambda sentence_of: lambda no: f"{sentence_of(no)} {card_now()}",
    ),
    "the refusal of a tried move": ("kaboom.table_page.service.try_move", picky),
    "a stream": ("kaboom.table_page.responses_api.body_of", only_for(Format.LINES)),
    "the preview of a move": (
        "kaboom.engine.table_view.foretold",
        lambda foretold: lambda *given: f"{foretold(*given)} {card_now()}",
    ),
    "a log that knows more": (
        "kaboom.table_page.responses_api.page_of",
        lambda page_of: lambda *given, **more: replace(page_of(*given, **more), record=card_now()),
    ),
}
SOME = slice(often(4, soak=0), None, often(5, soak=1))


@pytest.mark.parametrize(("target", "planted"), list(VOICES.values())[SOME], ids=list(VOICES)[SOME])
def test_leak_in_a_format_is_detected(target, planted, app, monkeypatch):
    monkeypatch.setattr(target, planted(pkgutil.resolve_name(target)))
    assert server_finds(app, monkeypatch)
