"""Rules pages show real cards: code spans of cards in rules.md are rendered as pictures."""

import re
from dataclasses import replace

import pytest
from html5lib import HTMLParser

from kaboom.engine.i18n import speak
from kaboom.engine.options import declared
from kaboom.games import GAMES, folder, sample
from kaboom.games.taken.rules import POINTS
from kaboom.web.i18n import LANGUAGES, language
from kaboom.web.rules_pages import drawn, rules_of
from tests.support.builtin_games import OURS

SOURCES = [page for key in GAMES for page in sorted(folder(key).glob("rules*.md"))]
SPAN = re.compile(r"`([^`\n]+)`")


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", list(GAMES))
def test_every_games_rules_show_cards_in_every_language(app, key, code):
    client = app.test_client()
    client.set_cookie("kb-settings", f"language={code}")
    page = client.get(f"/rules/{key}").text
    HTMLParser(strict=True).parse(page)
    assert len(re.findall('<span class="card [^"]+"', page)) >= 3
    assert page.count('<span class="cards') >= 3
    assert "style=" not in page


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_every_code_span_of_the_rules_shows_real_cards(source):
    spans = SPAN.findall(source.read_text(encoding="utf-8"))
    assert len(spans) >= 3
    assert [span for span in spans if not drawn(span)] == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_translations_show_the_same_cards_in_the_same_order(source):
    english = source.with_name("rules.md").read_text(encoding="utf-8")
    assert SPAN.findall(source.read_text(encoding="utf-8")) == SPAN.findall(english)


@pytest.mark.slow
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", OURS)
def test_rules_begin_with_the_game_at_a_glance(app, key, code):
    client = app.test_client()
    client.set_cookie("kb-settings", f"language={code}")
    page = HTMLParser(namespaceHTMLElements=False).parse(client.get(f"/rules/{key}").text)
    (glance,) = page.findall(".//section[@class='glance']")
    assert glance.find("h2").get("id") == "at-a-glance"
    assert len(glance.findall("ol/li")) >= 3
    items = glance.findall("ul/li")
    assert len(items) >= 5
    for item in items:
        (cards,) = item
        assert (cards.get("class"), item.text) == ("cards", None)
        assert cards.tail.strip()
    main = [it.get("class") for it in page.find(".//main")]
    assert main.index("glance") < main.index("toc")


def test_inline_cards_are_tiny(app):
    page = app.test_client().get("/rules/karata").text
    assert "Every card has" in page
    line = page.split("(4, 10, ace, king and so on)")[1].split("</p>")[0]
    assert line.count('<span class="cards tiny">') == line.count('<span class="cards') == 2


@pytest.mark.parametrize("text", ["10H", "KX", "ks", "KS QX", "55", "105/1", "55/", "KS, QS", "/"])
def test_code_span_that_is_not_a_card_is_not_rendered_as_one(text):
    assert drawn(text) == ""


def test_cards_are_named_in_words_and_rendered_by_their_class():
    assert drawn("KS ? _ RJ") == (
        '<span class="cards"><span class="card S court" data-i="K">King of Spades</span>'
        '<span class="visually-hidden">, </span><span class="card back">face down</span>'
        '<span class="visually-hidden">, </span><span class="card none">empty</span>'
        '<span class="visually-hidden">, </span>'
        '<span class="card J RJ" data-i="★">Red Joker</span></span>'
    )


def test_card_names_are_in_the_readers_language():
    """Also after the page was requested in another language, since pages are cached."""
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
def test_number_cards_in_rules_have_correct_points(source):
    shown = re.findall(r"\b(\d+)/(\d+)\b", " ".join(SPAN.findall(source.read_text("utf-8"))))
    assert bool(shown) == (source.parent.name == "taken")
    assert [(n, p) for n, p in shown if POINTS[int(n)] != int(p)] == []


def test_number_card_markup_includes_points():
    assert drawn("55/7 12/1") == (
        '<span class="cards"><span class="card N" data-i="55" data-p="7">55, 7 points</span>'
        '<span class="visually-hidden">; </span>'
        '<span class="card N" data-i="12" data-p="1">12, 1 point</span></span>'
    )


@pytest.mark.parametrize("key", list(GAMES))
def test_only_rules_with_cards_load_the_games_table_sheet(app, key):
    page = app.test_client().get(f"/rules/{key}").text
    assert (f"games/{key}.css" in page) == ("data-p=" in page)


@pytest.mark.parametrize("key", OURS)
def test_choices_beyond_printed_rules_are_marked(key):
    for name, mark in (("rules.md", "our choice"), ("rules.fr.md", "notre choix")):
        text = (folder(key) / name).read_text("utf-8")
        assert "house reading" not in text.lower()
        top, _, rest = text.partition("\n## ")
        assert mark in " ".join(top.split()).lower()
        assert mark in rest.lower()


# Every option


def values_of(option):
    """Return the values of an option to try: all of a choice, or both ends of a range."""
    if option.kind == "switch":
        return (True, False)
    return tuple(option.values or (option.least, option.most))


def told(html):
    """Return the rules without the table of options at their end."""
    return html.split('<h2 id="options">')[0]


OPTIONS = [(key, o.name) for key, game in GAMES.items() for o in declared(game.options)]
# The languages of each game's rules: rules.md is in English, rules.fr.md in French.
WRITTEN = {key: [page.stem[6:] or "en" for page in sorted(folder(key).glob("rules*.md"))]
           for key in GAMES}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "key", "name"), [(code, *option) for option in OPTIONS for code in WRITTEN[option[0]]]
)
def test_every_option_changes_its_rules_text(key, name, code):
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
