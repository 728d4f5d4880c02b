"""Every text a person reads is in the language of their browser."""

import ast
import hashlib
import re
from calendar import month_abbr, month_name
from collections import Counter
from dataclasses import replace
from inspect import signature
from io import BytesIO
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from kaboom.accounts import players
from kaboom.config import ROOT
from kaboom.engine.bots.names import CHARACTERS
from kaboom.engine.i18n import ENGLISH, ngettext, speak
from kaboom.engine.i18n import gettext as _
from kaboom.engine.options import declared
from kaboom.engine.rng import Rng
from kaboom.engine.texts import FORMATTERS, Names, Words
from kaboom.engine.toolkit.cards import joined, spoken
from kaboom.games import GAMES, folder, sample
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.texts import AROUND
from kaboom.translations import update
from kaboom.translations.extract import DATA, extract
from kaboom.web.i18n import LANGUAGES, TRANSLATIONS, directed, language
from kaboom.web.pseudo_language import PSEUDO, stretched
from kaboom.web.rules_pages import rules_of
from tests.support.browsing import settle, table_path
from tests.support.builtin_games import OURS
from tests.support.effort import LONG, often, some
from tests.support.forms import Page
from tests.support.random_players import press_at_random
from tests.support.readable import Readable, outside_brackets
from tests.table_page.test_many_matches import begin, play

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")

OTHERS = [code for code in LANGUAGES if code != "en"]
# Built-in games exist in every language, others in those they have rules in.
RULES = [
    (code, key)
    for key in GAMES
    for code in OTHERS
    if key in OURS or (folder(key) / f"rules.{code}.md").exists()
]


# Which language


@pytest.mark.parametrize(
    ("asked", "setting", "spoken_then"),
    [
        ("", "", "en"),
        ("sw", "", "sw"),
        ("sw-KE,sw;q=0.9,en;q=0.8", "", "sw"),
        ("en-GB,en;q=0.9,sw;q=0.8", "", "en"),
        ("fr-CA,de;q=0.7", "", "fr"),
        ("fr;q=0.3,sw", "", "sw"),
        ("ar,de;q=0.7", "", "ar"),
        ("ar,sw;q=0.3", "", "ar"),
        ("sw", "language=fr", "fr"),
        ("en", "language=ar", "ar"),
        ("xx", "", "en"),
        ("sw", "language=en", "en"),
        ("en", "language=sw", "sw"),
        ("sw", "language=auto", "sw"),
        ("sw", "language=klingon", "sw"),
        ("", "language=xx", "en"),
        ("*", "", "en"),
        ("nonsense;;q=x", "", "en"),
    ],
)
def test_language_setting_precedes_accept_language(app, asked, setting, spoken_then):
    client = app.test_client()
    if setting:
        client.set_cookie("kb-settings", f"confirm=1&{setting}")
    for path in ("/", "/no-such-page", "/t/!!!!"):
        answer = client.get(path, headers={"Accept-Language": asked} if asked else {})
        assert f'<html lang="{spoken_then}"' in answer.text, path
        assert answer.headers["Content-Language"] == spoken_then
        vary = ", ".join(answer.headers.getlist("Vary"))
        assert "Accept-Language" in vary
        assert "Cookie" in vary


def test_the_language_is_set_in_the_settings_form_and_kept(browser):
    ann = browser()
    ann.open("/")
    assert "Start a table" in ann.page.text
    settle(ann, language="sw")
    assert "Anzisha meza" in ann.page.text
    settle(ann, colours="2")
    assert 'lang="sw" data-look="auto" data-colours="2"' in ann.html
    settle(ann, language="auto")
    assert "Start a table" in ann.page.text


def test_rtl_language_sets_dir_and_loads_its_sheet(app):
    client = app.test_client()
    for code in ("ar", "fr", "en"):
        client.set_cookie("kb-settings", f"language={code}")
        page = client.get("/").text
        assert (f'<html lang="{code}" dir="rtl"' in page) == (code == "ar")
        assert ("rtl.css" in page) == (code == "ar")
        assert ' dir="rtl"' in page or "dir=" not in page.split("<body")[0]
    client.set_cookie("kb-settings", "language=ar")
    assert '<div lang="en" dir="ltr"><h1>Hearts</h1>' in client.get("/rules/hearts").text


def test_untranslated_text_keeps_its_direction_in_rtl_text():
    speak(language("ar"))
    assert _("Start a table") == "افتح طاولة"
    assert _("No text of ours.") == "\u2066No text of ours.\u2069"
    speak(language("fr"))
    assert _("No text of ours.") == "No text of ours."


@pytest.mark.parametrize(
    ("code", "name", "said"),
    [
        ("en", "Ann", "Ann plays"),
        ("en", "Zoë", "Zoë plays"),
        ("en", "سلمى", "\u2068سلمى\u2069 plays"),
        ("en", "אבי 7", "\u2068אבי 7\u2069 plays"),
        ("ar", "سلمى", "سلمى plays"),
        ("ar", "Ann", "\u2068Ann\u2069 plays"),
        ("ar", "007", "007 plays"),
    ],
)
def test_opposite_direction_name_is_isolated(code, name, said):
    speak(language(code))
    words = Words({"plays": "{seat:name} plays"}, {})
    apart = f"\u2066{said}\u2069" if code == "ar" else said  # the sentence is not translated
    assert words.say("plays", {"seat": 0}, Names((name,))) == apart
    assert _("{who} plays", who=name) == apart


def test_items_of_a_list_are_isolated_one_by_one():
    items = ("Ann 4", "سلمى 13", "Cid 5")
    speak(language("ar"))
    assert joined(items) == "\u2068Ann 4\u2069، سلمى 13 و\u2068Cid 5\u2069"
    speak(language("en"))
    assert joined(items) == "Ann 4, \u2068سلمى 13\u2069 and Cid 5"


@pytest.mark.parametrize(
    ("code", "text", "mark"),
    [
        ("en", "GOPS: 3", ""),
        ("en", "سلمى: 3", "\u200e"),
        ("ar", "GOPS: فاز", "\u200f"),
        ("ar", "فاز Ann", ""),
        ("ar", "7", ""),
    ],
)
def test_text_to_send_has_the_direction_of_its_language(code, text, mark):
    speak(language(code))
    assert directed(text) == mark + text


def test_names_and_chat_have_automatic_direction(table):
    path, (ann, ben) = table("Ann", "سلمى", game="kaboom")
    ben.open(path)
    assert '<b dir="auto">Ann' in ben.html
    ann.open(path)
    assert '<b dir="auto">سلمى' in ann.html
    ann.press("Look at your bottom row")
    ann.press("I am ready")
    assert "Waiting for \u2068سلمى\u2069." in ann.html
    ann.open(f"{path}/talk")
    assert re.search('<bdi class="c.">سلمى</bdi>', ann.html)
    assert re.search(r'<input id="say-in-0"[^>]* dir="auto"', ann.html)


def test_language_of_one_response_does_not_leak_into_the_next(app):
    client = app.test_client()
    assert "Anzisha" in client.get("/", headers={"Accept-Language": "sw"}).text
    assert _("Start a table") == "Start a table"
    assert "Anzisha" not in client.get("/").text


def test_two_players_read_a_table_in_their_own_languages(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    ann.open(path)
    settle(ben, language="sw")
    ben.open(path)
    assert "Your turn: bid a card for the" in ann.page.text
    assert "Zamu yako: weka dau kwa" in ben.page.text
    assert ann.page.title.startswith("Your turn – GOPS at table")
    assert ben.page.title.startswith("Zamu yako – GOPS kwenye meza")


def test_revision_is_independent_of_the_language(table, service):
    path, (ann, _unused) = table("Ann", "Ben", game="gops")
    ann.open(path)
    before = re.findall(r'id="ver" name="v" value="(\d+)"', ann.html)
    settle(ann, language="sw")
    ann.open(path)
    assert re.findall(r'id="ver" name="v" value="(\d+)"', ann.html) == before
    assert before == [str(service.get(path[3:]).table.revision(0))]


def test_refusals_are_in_the_readers_language(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    settle(ben, language="sw")
    ben.open(path)
    form, button = ben.page.moves()[0]
    form.hidden["match"] = "99"
    form.hidden["sure"] = "1"
    ben.send(form, button)
    assert ben.status == 409
    assert "Umechelewa: mechi hiyo imekwisha." in ben.page.text
    stranger = ann.client.application.test_client()
    stranger.set_cookie("kb-settings", "language=sw")
    answer = stranger.post(f"{path}/ready")
    assert answer.status_code == 403
    assert "Hujakaa kwenye meza hii." in answer.text
    assert "Hakuna ukurasa kama huo." in stranger.get("/nowhere").text
    assert "Hakuna meza yenye msimbo huo." in stranger.get("/t/AAAAAAAA").text


# Sentences

SWAHILI = [
    (lambda: spoken("QH"), "Malkia wa Kopa"),
    (lambda: spoken("AS"), "Ree ya Shupaza"),
    (lambda: spoken("TD"), "10 ya Uru"),
    (lambda: spoken("RJ"), "Joka Jekundu"),
    (lambda: joined(["Ann", "Ben", "Cid"]), "Ann, Ben na Cid"),
    (lambda: joined([]), "hakuna"),
    (lambda: Names(("Ann", "Ben"), 0).whose(0), "yako"),
    (lambda: Names(("Ann", "Ben"), 0).whose(1), "ya Ben"),
    (lambda: ngettext("{count} card", "{count} cards", 5), "karata 5"),
    (lambda: FORMATTERS["points"](1, Names(())), "pointi 1"),
]


@pytest.mark.parametrize(("saying", "swahili"), SWAHILI, ids=[words for _unused, words in SWAHILI])
def test_cards_names_and_counts_are_spoken_in_swahili(saying, swahili):
    speak(language("sw"))
    assert saying() == swahili


@pytest.mark.parametrize(
    ("game", "kind", "facts", "english", "swahili"),
    [
        (
            "karata",
            "played",
            {"seat": 1, "cards": ["QH", "8H"]},
            "Ben plays the Queen of Hearts and 8 of Hearts.",
            "Ben anacheza Malkia wa Kopa na 8 ya Kopa.",
        ),
        (
            "karata",
            "bombed",
            {"seat": 0, "count": 2},
            "A bomb: you pick 2 cards, unless you block or counter it.",
            "Bomu: unaokota karata 2, usipolizuia au kulijibu.",
        ),
        ("karata", "declared", {"seat": 1}, "Ben is on last card!", "Ben yuko kadi!"),
        (
            "gops",
            "prizes_won",
            {"seat": 1, "cards": ["KD"], "points": 13},
            "Ben wins the King of Diamonds: 13 points.",
            "Ben anashinda Mfalme wa Uru: pointi 13.",
        ),
        (
            "taken",
            "placed",
            {"seat": 1, "card": 33, "row": 1},
            "Ben’s 33 goes to row 2.",
            "33 ya Ben inaenda safu ya 2.",
        ),
        (
            "taken",
            "placed",
            {"seat": 0, "card": 33, "row": 1},
            "Your 33 goes to row 2.",
            "33 yako inaenda safu ya 2.",
        ),
    ],
)
def test_log_is_shown_in_english_and_in_swahili(game, kind, facts, english, swahili):
    names, words = Names(("Ann", "Ben"), 0), GAMES[game].words
    assert words.say(kind, facts, names) == english
    speak(language("sw"))
    assert words.say(kind, facts, names) == swahili


def test_name_is_never_parsed_as_markup_or_placeholder(table):
    path, (ann, _unused) = table("{seat:name}%(x)s", "<b>&amp;", game="gops")
    ann.open(path)
    assert "{seat:name}%(x)s" in ann.page.text
    assert "<b>&amp;" in ann.page.text
    assert "<b>&amp;" not in ann.html


@pytest.mark.parametrize("game", [key for code, key in RULES if code == "sw"][:: often(2, soak=1)])
def test_swahili_match_is_played_by_links_and_forms(game, browser, service):
    ann = browser()
    ann.open("/")
    settle(ann, language="sw")
    begin(ann, game)
    play(ann, 0)
    assert service.get(table_path(ann)[3:]).table.outcome is not None
    assert '<html lang="sw"' in ann.html
    assert "Cheza tena" in ann.page.text
    assert "The match is over" not in ann.page.text


# The catalogues


@pytest.fixture(scope="module")
def texts() -> Catalog:
    """Every text found in the project's Python and templates."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file, "babel.cfg")
    found = Catalog()
    for top in ("kaboom/", "templates/"):
        inside, more = _under(top, methods, options)
        for name, line, text, _unused, _unused in extract_from_dir(ROOT / top, inside, more):
            found.add(text, locations=[(f"{top}{name}", line)])
    return found


@pytest.fixture(scope="module")
def found() -> Catalog:
    """Every text as `make translations` finds it."""
    return update.found()


def _under(folder, methods, options):
    """Return the mapping relative to a folder, so that the virtual environment is not searched."""
    inside = [(pattern.removeprefix(folder), how) for pattern, how in methods if folder in pattern]
    return inside, {pattern.removeprefix(folder): value for pattern, value in options.items()}


def catalogue(code: str) -> Catalog:
    with (TRANSLATIONS / code / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=code)


def forms(string) -> list[str]:
    return [string] if isinstance(string, str) else list(string)


def test_texts_are_found_in_templates_games_and_sentences(texts):
    for text in (
        "Start a table",
        "That seat is taken.",
        "{seat:name} has bid.",
        "Games in a match",
        "no one gets them",
        GAMES["karata"].tagline,
        ("{count} card", "{count} cards"),
        "Page not found.",
    ):
        assert text in texts
    assert len(texts) > 700


def found_in(source: str) -> list[str]:
    return [
        text for _unused, _unused, text, _unused in extract(BytesIO(source.encode()), (), (), {})
    ]


@pytest.mark.parametrize(
    ("call", "held"),
    [
        ('number(1, 0, 9, "Rows", "How many.", "rows", 1, "none")', "Rows|How many.|rows|none"),
        (
            'number(zero="none", unit="rows", help="How many.", label="Rows", most=9, least=0,'
            " default=1)",
            "Rows|How many.|rows|none",
        ),
        ('switch(False, help="Or not.", label="Fines")', "Fines|Or not."),
        ('choice("a", {"a": "one way"}, "Way", "Which.")', "one way|Way|Which."),
        ('Preset(values={}, help="Two hands.", name="Long", key="long")', "Long|Two hands."),
        ('Preset("long", "Long", "Two hands.", {})', "Long|Two hands."),
        ('Words(offers={"bid": "Bid"}, sayings={"won": "Won."})', "Won.|Bid"),
        ('Game("gops", "GOPS", "No luck.")', "No luck."),
    ],
)
def test_text_is_found_by_argument_position_and_keyword(call, held):
    assert found_in(call) == held.split("|")


def test_text_is_found_at_its_position_in_the_signature(monkeypatch):
    def switch(help, default, label): ...

    monkeypatch.setitem(DATA, "switch", (switch, ("label", "help")))
    assert found_in('switch("Or not.", False, "Fines")') == ["Fines", "Or not."]


def test_text_parameters_are_those_of_the_signatures():
    for called, holding in DATA.values():
        assert set(holding) <= set(signature(called).parameters)


def missing_from(has: Catalog, texts) -> list:
    return [m.id for m in texts if m.id and not (m.id in has and all(forms(has[m.id].string)))]


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code, texts):
    missing = missing_from(catalogue(code), texts)
    assert not missing, "run `make translations` and translate these: docs/languages.md"


@pytest.mark.parametrize("code", OTHERS)
def test_catalog_has_no_unused_or_draft_translation(code, texts):
    has = catalogue(code)
    assert not [m.id for m in has if m.id and m.id not in texts], "run `make translations`"
    assert not has.obsolete, "run `make translations ARGS=--forget` when all drafts are confirmed"
    drafts = [m.id for m in has if m.fuzzy]
    assert not drafts, f"{code}: correct these and remove “#, fuzzy”: docs/languages.md\n{drafts}"


@pytest.mark.parametrize("code", OTHERS)
def test_updating_the_catalogs_changes_nothing(code, found):
    """It fails after an edit by hand, or if `make translations` was forgotten."""
    path = TRANSLATIONS / code / "LC_MESSAGES" / "messages.po"
    again = update.written(update.updated(update.read(path), found))
    assert again == path.read_bytes(), "run `make translations`"


PO = b"""
msgid ""
msgstr ""
"Language: fr\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

msgid "You have come back in time."
msgstr "Vous voici."

msgid "Ann"
msgstr "Anne"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} carte"
msgstr[1] "{count} cartes"
"""


def brought_up_to_date(po, *texts, forget=False):
    found = Catalog()
    for text in texts:
        found.add(text)
    after = update.updated(read_po(BytesIO(po), locale="fr"), found, forget)
    return update.written(after), after


CARDS = ("{count} card", "{count} cards")


def test_a_reworded_text_keeps_its_translation_as_draft():
    po, after = brought_up_to_date(PO, "You are back in time.", "Ann", CARDS)
    assert b"# Draft, made for: You have come back in time.\n#, fuzzy\nmsgid" in po
    assert after["You are back in time."].string == "Vous voici." and not after.obsolete
    assert b"Vous voici" not in update.compiled(after)  # drafts are not shown
    assert brought_up_to_date(po, "You are back in time.", "Ann", CARDS)[0] == po
    confirmed = po.replace(b"#, fuzzy\n", b"")
    po, after = brought_up_to_date(confirmed, "You are back in time.", "Ann", CARDS)
    assert b"Draft" not in po and b"Vous voici" in update.compiled(after)


def test_translation_of_a_removed_text_waits_for_its_return():
    po, after = brought_up_to_date(PO, "You have come back in time.", "Something else entirely")
    assert [*after.obsolete] == ["Ann", "{count} card"] and b'#~ msgid "Ann"' in po
    assert not after["Something else entirely"].string
    po, after = brought_up_to_date(po, "Ann", "You have come back in time.", CARDS)
    assert (after["Ann"].string, after["Ann"].fuzzy, [*after.obsolete]) == ("Anne", False, [])
    assert after["{count} card"].string == ("{count} carte", "{count} cartes")
    _unused, after = brought_up_to_date(PO, "Ann", forget=True)
    assert not after.obsolete


def test_draft_of_one_language_appears_in_no_other():
    found = Catalog()
    found.add("You are back in time.")
    french = update.updated(read_po(BytesIO(PO), locale="fr"), found)
    assert french["You are back in time."].string
    other = update.updated(Catalog(locale="sw"), found)
    assert not other["You are back in time."].string


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_is_duplicated_within_itself(code):
    """A line-by-line merge of two branches once caused this."""
    said = [form for m in catalogue(code) if m.id for form in forms(m.string)]
    assert not [it for it in said if re.fullmatch(r"(.{8,}?)\s*\1", it, re.S)]


# Words that are only spoken, or hidden where there is little room.
HIDDEN_PART = re.compile(
    r'<span class="(?:visually-hidden|tail|unit)\b(?![^>]*aria-hidden)[^>]*>([^<]*)'
)


@pytest.mark.parametrize("code", ["en", *OTHERS])
def test_no_hidden_part_begins_with_punctuation(code, texts):
    """Screen readers put a space between parts of a name: "I am back : let me play"."""
    said = [f for m in texts if m.id for f in forms(m.id)]
    if code != "en":
        said = [f for m in catalogue(code) if m.id for f in forms(m.string)]
    else:
        said += [it.read_text() for it in ROOT.glob("templates/**/*.html")]
        said += [it.read_text() for it in ROOT.glob("kaboom/games/*/templates/*.html")]
    parts = [part for text in said for part in HIDDEN_PART.findall(text)]
    assert parts
    assert [it for it in parts if re.match(r"[\s\u00a0\u202f]*[:;,.?!؛،]\s*\w", it)] == []


def test_languages_are_named_on_one_line_of_python():
    """No other line names a language except English: a new language needs a catalogue, rules and a
    line.
    """
    named = [
        (file.name, node.lineno)
        for file in sorted((ROOT / "kaboom").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in OTHERS
    ]
    assert {name for name, _unused in named} == {"i18n.py"}
    assert len({line for _unused, line in named}) == 1


# Texts whose number is never one, so that they need no singular.
NEVER_ONE = {
    "After %(enough)s matches, you are listed with your friends and clubs if you show them your "
    "rating.",  # 10
    "At most {count} characters, please.",  # 300
    "A password can have at most {most} characters.",  # 100
    "{game} needs {count} players. Invite friends or add bots.",  # no game is for one player
    "Notifications failed %(n)s times in a row and have stopped. Save the URL again to "
    "restart them.",
    # At least three minutes; the longest note; there are always many trumps.
    "If spectators are at least %(num)s minutes behind, the players can agree to show them all "
    "hands.",
    "For that, spectators must be at least {minutes} minutes behind. The host can set this.",
    "No other player or spectator can see this, and it is stored encrypted. When the match is "
    "over, you will find it in the record and the replay, as long as you use this browser. At most "
    "%(count)s characters.",
    "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps.",
    "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps, unless another player "
    "overrides it.",
    "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps, and you are king, "
    "unless another player overrides it.",
    "Pick %(num)s cards",  # a bomb is worth at least two
    "For %(number)s players.",
    "For %(least)s to %(most)s players.",
    "With these options there are {most} seats, but more people are seated.",
    "Between {least} and {most} players can take part.",
    "{count} players have entered: there must be room for them.",  # more than the minimum, two
    "{worse} of the {others} other players did worse.",  # another text is used for one other
    "every %(number)s seconds",  # 10, 30, 60
    "The last ten of %(rounds)s rounds",
    "{hands} hands of {cards} cards, plus a card for each row, need {needed} cards, but there are "
    "only {all}.",  # with fewer than ten cards the pack is large enough
    "Password, at least %(least)s characters",  # 10
    "A password needs at least {least} characters.",
    "A username must have {least} to {most} characters.",  # 3 to 24
    "You have already sent {most} reports today.",  # 5
    "The host of this server reads this, with the last %(lines)s chat messages, even deleted ones. "
    "The report is deleted after %(days)s days. %(name)s is not told.",  # 30 and 90
    "Players are listed once they have played %(n)s matches.",  # 5
    "You are listed once you have played %(n)s matches.",  # 5
    "No player has %(n)s rated matches this month yet.",
    "You already have {most} bots. Delete one first.",  # 5
    "The coach tried {count} times and failed. You can ask again.",  # 3
    "Your %(game)s matches",  # a game's name
    "You have %(n)s seconds.",  # announced by the browser at 30 and at 10
}
THINGS = (
    "bots|cards|characters|games|lines|matches|messages|minutes|moves|players|points|reports|rounds"
    "|rows|seats|seconds|steps|times"
)


def test_every_possible_singular_has_a_plural_form(texts):
    """A number followed by "cards" needs a second text with "card": say_counted, ngettext."""
    number = r"(\{\w+\}|%\(\w+\)s)"
    many = re.compile(rf"{number}(?: \w+)? (?:{THINGS})\b")
    assert {m.id for m in texts if isinstance(m.id, str) and many.search(m.id)} == NEVER_ONE


def facts_of(text: str) -> set[str]:
    """Return the facts in a text: for {seat:name} "seat", for %(card)s "%card"."""
    if percent := set(re.findall(r"%\((\w+)\)s", text)):
        return {f"%{name}" for name in percent}
    return {
        name
        for _unused, name, _unused, _unused in Formatter().parse(text.replace("%%", ""))
        if name
    }


@pytest.mark.parametrize("code", OTHERS)
def test_translations_keep_the_placeholders_and_markup(code):
    spellers = {"", "g", *FORMATTERS, *AROUND.spellers}
    spellers.update(*(game.words.spellers for game in GAMES.values()))
    wrong = []
    for message in catalogue(code):
        if not message.id:
            continue
        wanted = forms(message.id)[-1]
        *fewer, said = forms(message.string)
        for text in fewer:  # "the last call" need not contain the number
            if not facts_of(text) <= facts_of(wanted):
                wrong.append((wanted, text))
        used = {spec or "" for _unused, name, spec, _unused in Formatter().parse(said) if name}
        if facts_of(said) != facts_of(wanted) or not used <= spellers:
            wrong.append((wanted, said))
        if sorted(re.findall(r"<[^>]*>", said)) != sorted(re.findall(r"<[^>]*>", wanted)):
            wrong.append((wanted, said))
    assert not wrong


@pytest.mark.parametrize("code", OTHERS)
def test_compiled_catalog_is_up_to_date(code):
    compiled = BytesIO()
    write_mo(compiled, catalogue(code))
    path = TRANSLATIONS / code / "LC_MESSAGES" / "messages.mo"
    assert path.read_bytes() == compiled.getvalue(), "run `make translations`"


@pytest.mark.parametrize(("code", "key"), RULES)
def test_rules_of_every_game_are_translated_by_heading(app, code, key):
    client = app.test_client()
    english = client.get(f"/rules/{key}").text
    client.set_cookie("kb-settings", f"language={code}")
    other = client.get(f"/rules/{key}").text
    anchors = re.compile(r'<h[23] id="([^"]+)"')
    assert anchors.findall(other) == anchors.findall(english)
    contents = re.compile(r'<li><a href="#([^"]+)">([^<]+)')
    here, there = contents.findall(english), contents.findall(other)
    assert [anchor for anchor, _unused in there] == [anchor for anchor, _unused in here]
    assert not {text for _unused, text in there} & {text for _unused, text in here} - {
        GAMES[key].name
    }
    assert '<div lang="en"' not in other


def test_untranslated_rules_are_shown_in_english_with_a_note(pseudo):
    page = pseudo.get("/rules/gops").text
    assert stretched("These rules have not been translated yet. Here they are in English.") in page
    assert '<div lang="en"><h1>GOPS</h1>' in page
    assert '<li><a href="#bidding">Bidding</a>' in page


def variants(game):
    """Yield the game's options, first the defaults, then with each one at its extremes."""
    usual = game.options()
    yield usual
    for option in declared(game.options):
        if option.kind == "switch":
            values = [not option.default]
        elif option.kind == "choice":
            values = list(option.values)
        else:
            values = [int(option.least), int(option.least) + 1, int(option.most)]
        yield from (replace(usual, **{option.name: value}) for value in values)


@pytest.mark.parametrize(("code", "key"), some(RULES, every=4))
def test_translated_rules_follow_options_like_the_english(code, key):
    for options in variants(GAMES[key]):
        pages = []
        for spoken_there in (ENGLISH, language(code)):
            speak(spoken_there)
            pages.append(rules_of(GAMES[key], options))
        english, other = pages
        assert [heading[:2] for heading in other.contents] == [
            heading[:2] for heading in english.contents
        ]
        for element in ("<tr>", "<li>", "<blockquote>", "<pre>", "<strong>"):
            assert other.html.count(element) == english.html.count(element), (element, options)
        anchors = {anchor for _unused, anchor, _unused in other.contents}
        assert set(re.findall(r'href="#([^"]+)"', other.html)) <= anchors


# No text stays untranslated


def test_pseudo_language_lengthens_texts_and_keeps_values():
    text = "Waiting for {waiting:names} to bid."
    assert stretched(text).startswith("[Ŵàîţ"[:1])
    assert "{waiting:names}" in stretched(text)
    plain = "Waiting for everybody to bid."
    assert len(stretched(plain)) - 2 - len(plain) in (
        int(0.4 * len(plain)),
        round(0.4 * len(plain)),
    )
    assert stretched("<b>%(card)s</b> 100 %%").count("%") == 3


def test_untranslated_text_is_detected():
    page = '<p>[Ýöû··] <b>[x <i>Ann</i>·]</b> Leave</p><img alt="A card"><p lang="en">Free</p>'
    texts = [outside_brackets(text).strip() for text in Readable(page).texts]
    assert [text for text in texts if text] == ["Leave", "A card"]
    assert "brackets" in outside_brackets("[Cut o")


# The headings of rules are translated with the rules, and months and days (M, W, F, S) by Babel.
HEADINGS = {
    heading
    for game in GAMES.values()
    for _level, _slug, heading in rules_of(game, game.options()).contents
}
MONTHS = {*month_name, *month_abbr} - {""}
NAMES = "|".join(
    [
        *(game.name for game in GAMES.values()),
        *(it.name for it in CHARACTERS),
        *sorted(map(re.escape, HEADINGS | MONTHS), key=len, reverse=True),
    ]
)
NOT_WORDS = re.compile(
    rf"\b({NAMES}|kaboom|[A-Z0-9]{{8}}|[AJQKMWFS]|SHA-256|QR|WhatsApp|Telegram|Signal|P\d)\b"
    r"|https?://\S*|[A-Z][a-z][a-z] \d+, \d{4}"
)


def untranslated(html: str) -> list[str]:
    """Return the plain English texts on a page in the pseudo-language."""
    found = []
    html = re.sub(r'<pre id="record">.*?</pre>', "", html, flags=re.DOTALL)  # for programs
    for text in Readable(html).texts:
        rest = NOT_WORDS.sub(" ", outside_brackets(text))
        if re.search(r"[^\W\d_]", rest):
            found.append(f"{rest.strip()!r} in {text!r}")
    return found


@pytest.fixture
def pseudo(app, monkeypatch):
    """A browser that reads the pseudo-language."""
    monkeypatch.setitem(app.config, "LANGUAGES", [*LANGUAGES, PSEUDO.code])
    client = app.test_client()
    client.set_cookie("kb-settings", "language=xx")
    return client


PAGES = ["/", "/no-such-page", "/t/AAAAAAAA", *(f"/{page}/{key}" for key in GAMES
         for page in ("start", "rules"))]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_text_that_cannot_be_translated(pseudo, path):
    page = pseudo.get(path).text
    assert '<html lang="xx"' in page
    assert not untranslated(page)


@pytest.mark.parametrize("key", list(GAMES))
def test_no_moment_of_a_game_has_untranslatable_text(key, service, pseudo):
    """Every seat's page and a spectator's, at many positions of a match between random players,
    with all linked pages. In `make test`, pages that do not belong to the table are read for the
    first game only, and only some of many similar ones (puzzles)."""
    found: dict[str, str] = {}
    seen: set[str] = set()
    alike: Counter[str] = Counter()
    for path, cookies in moments(service, GAMES[key]):
        for cookie in cookies:
            if cookie:
                pseudo.set_cookie("kb", cookie)
            else:
                pseudo.delete_cookie("kb")
            addresses = [path]
            while addresses:
                answer = pseudo.get(addresses.pop(), follow_redirects=True)
                html = answer.text if answer.mimetype == "text/html" else ""
                for text in untranslated(html):
                    found.setdefault(re.sub(r"\d+", "0", text), text)
                for address, _unused in Page(html).links:
                    kind = re.sub(r"[A-Z0-9]{8}|\d+", "0", f"{bool(cookie)} {address}")
                    kind = re.sub(r"\bnext=[^&]*", "next=", kind)
                    if address.startswith("/") and "/wait" not in address and kind not in seen:
                        seen.add(kind)
                        own = address.startswith(("/t/", "/m/")) or key in address
                        alike[folder_of := re.sub(r"[^/ ]*$|=[^&]*", "", kind)] += 1
                        few = alike[folder_of] <= ALIKE
                        if own or (few and (LONG or key == next(iter(GAMES)))):
                            addresses.append(address)
    assert any("/rules" in kind for kind in seen)
    assert not found, "\n".join(sorted(found.values()))


EVERY = often(200, soak=3)  # moves
ALIKE = often(30, soak=10**9)  # linked pages in the same folder


def moments(service, game, most=400):
    """Let random players play a match at a real table; yield its address and the viewers' cookies.

    The viewers are a player the table waits for, another player, and a stranger.
    """
    options = game.options(**sample(game.key).short)
    cookies = [f"cookie-of-seat-{seat}-and-long-enough" for seat in range(game.seats(options)[0])]
    ids = [
        players.player(service, hashlib.sha256(cookie.encode()).hexdigest(), f"P{seat}")[0]
        for seat, cookie in enumerate(cookies)
    ]
    code = lobby.open(service, game.key, options, ids[0], "P0")
    for seat, player in enumerate(ids[1:], start=1):
        yield f"/t/{code}", [*cookies[:seat], ""]
        lobby.sit(service, code, player, f"P{seat}")
    start_match.start(service, code, ids[0])
    for n in range(most):
        snapshot = service.get(code)
        if n % EVERY == 0 or snapshot.table.outcome is not None:
            first = (snapshot.waiting_for() or [n % len(ids)])[0]
            yield f"/t/{code}", [cookies[first], cookies[first - 1], ""]
        if snapshot.table.outcome is not None:
            return
        press_at_random(service, snapshot, ids, Rng(bytes(32), n, "presses"))


def test_spoken_texts_are_extractable():
    """A text that is put together at run time can never be in a catalogue."""
    wrong = []
    for path in sorted((ROOT / "kaboom").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(getattr(node, "func", None), "id", "")
            if name in ("_", "N_", "ngettext") and isinstance(node.args[0], ast.JoinedStr):
                wrong.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert not wrong
