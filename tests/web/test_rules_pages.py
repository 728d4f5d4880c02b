"""Rules pages show real cards: code spans of rules.md that hold nothing but cards are drawn."""

import re
from dataclasses import replace

import pytest
from html5lib import HTMLParser

from kaboom.engine.i18n import ENGLISH, speak
from kaboom.engine.options import declared
from kaboom.games import GAMES, folder, sample
from kaboom.games.taken.rules import POINTS
from kaboom.web.i18n import LANGUAGES, language
from kaboom.web.rules_pages import drawn, rules_of
from tests.support.builtin_games import OURS

SOURCES = [page for key in GAMES for page in sorted(folder(key).glob("rules*.md"))]
SPAN = re.compile(r"`([^`\n]+)`")


@pytest.fixture(autouse=True)
def english_again():
    yield
    speak(ENGLISH)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", list(GAMES))
def test_every_games_rules_show_cards_in_every_language(app, key, code):
    client = app.test_client()
    client.set_cookie("kb-settings", f"language={code}")
    page = client.get(f"/rules/{key}").text
    HTMLParser(strict=True).parse(page)
    assert len(re.findall('<span class="card [^"]+"', page)) >= 3
    assert page.count('<span class="cards">') >= 3
    assert "style=" not in page


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_code_span_of_the_rules_is_of_real_cards(source):
    spans = SPAN.findall(source.read_text(encoding="utf-8"))
    assert len(spans) >= 3
    assert [span for span in spans if not drawn(span)] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_translation_shows_the_same_cards_in_the_same_order(source):
    english = source.with_name("rules.md").read_text(encoding="utf-8")
    assert SPAN.findall(source.read_text(encoding="utf-8")) == SPAN.findall(english)


@pytest.mark.parametrize("text", ["10H", "KX", "ks", "KS QX", "55", "105/1", "55/", "KS, QS", "/"])
def test_what_is_no_card_is_not_drawn(text):
    assert drawn(text) == ""


def test_cards_are_named_for_readers_and_drawn_by_their_class():
    assert drawn("KS ? _ RJ") == (
        '<span class="cards"><span class="card S court" data-i="K">King of Spades</span>'
        '<span class="visually-hidden">, </span><span class="card back">face down</span>'
        '<span class="visually-hidden">, </span><span class="card none">empty</span>'
        '<span class="visually-hidden">, </span>'
        '<span class="card J RJ" data-i="★">Red Joker</span></span>'
    )


def test_cards_have_their_names_in_the_language_of_the_reader():
    """Also after the page was read in another language: pages are kept."""
    game = GAMES["gops"]
    for code, name, other in [
        ("sw", "Malkia wa Uru", "Queen of Diamonds"),
        ("en", "Queen of Diamonds", "Malkia wa Uru"),
        ("sw", "Malkia wa Uru", "Queen of Diamonds"),
    ]:
        speak(language(code))
        html = rules_of(game, game.options(games=7)).html
        assert f">{name}</span>" in html
        assert other not in html


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_number_cards_carry_the_points_they_have(source):
    shown = re.findall(r"\b(\d+)/(\d+)\b", " ".join(SPAN.findall(source.read_text("utf-8"))))
    assert bool(shown) == (source.parent.name == "taken")
    assert [(n, p) for n, p in shown if POINTS[int(n)] != int(p)] == []


def test_number_cards_say_their_points():
    assert drawn("55/7 12/1") == (
        '<span class="cards"><span class="card N" data-i="55" data-p="7">55, 7 points</span>'
        '<span class="visually-hidden">; </span>'
        '<span class="card N" data-i="12" data-p="1">12, 1 point</span></span>'
    )


@pytest.mark.parametrize("key", list(GAMES))
def test_only_rules_whose_cards_need_it_load_the_sheet_of_the_games_tables(app, key):
    page = app.test_client().get(f"/rules/{key}").text
    assert (f"games/{key}.css" in page) == ("data-p=" in page)


@pytest.mark.parametrize("key", OURS)
def test_what_the_printed_rules_leave_open_is_marked_and_the_mark_explained_at_the_top(key):
    for name, mark in (("rules.md", "our choice"), ("rules.fr.md", "notre choix")):
        text = (folder(key) / name).read_text("utf-8")
        assert "house reading" not in text.lower()
        top, _, rest = text.partition("\n## ")
        assert mark in " ".join(top.split()).lower()
        assert mark in rest.lower()


# Every option


def values_of(option):
    """Return the values of an option to try: all of a choice, of a number both ends."""
    if option.kind == "switch":
        return (True, False)
    return tuple(option.values or (option.least, option.most))


def told(html):
    """Return the rules as they are told, without the table of options at their end."""
    return html.split('<h2 id="options">')[0]


OPTIONS = [(key, o.name) for key, game in GAMES.items() for o in declared(game.options)]
# The languages each game has rules in: that of rules.md is English, that of rules.fr.md French.
WRITTEN = {key: [page.stem[6:] or "en" for page in sorted(folder(key).glob("rules*.md"))]
           for key in GAMES}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "key", "name"), [(code, *option) for option in OPTIONS for code in WRITTEN[option[0]]]
)
def test_every_option_changes_the_rules_that_are_told(key, name, code):
    speak(language(code))
    game = GAMES[key]
    usual = game.options(**sample(key).needs.get(name, {}))
    (option,) = (o for o in declared(game.options) if o.name == name)
    default = told(rules_of(game, usual).html)
    same = [
        value
        for value in values_of(option)
        if value != getattr(usual, name)
        and told(rules_of(game, replace(usual, **{name: value})).html) == default
    ]
    assert not same
