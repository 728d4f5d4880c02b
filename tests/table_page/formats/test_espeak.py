"""The speech synthesizer eSpeak NG pronounces the spoken text of each game correctly.

Its phonemes must match those of the same sentence with numbers written as words, and no word may be
spelled letter by letter. So nothing is mistaken for a symbol, an abbreviation, a date or a formula.
"""

import ctypes
import random
import re
from ctypes.util import find_library
from functools import cache
from itertools import product

import pytest

from kaboom.engine.i18n import ENGLISH, Language, speak
from kaboom.engine.options import written
from kaboom.games import sample
from kaboom.table_page import speech
from kaboom.table_page.speech import plain
from tests.conftest import missing
from tests.support.api_clients import Program, at_table, by_json
from tests.support.effort import often

OURS = ("gops", "kaboom", "karata", "koth", "taken")
ROUNDS = often(4, soak=60)
SIGN = re.compile(r"[^\w\s.,;:?!’']|_")
QUESTIONS = ("", "hand", "table", "moves", "last", "clock", "score", "would")
PEOPLE = ("Ann", "Ben", "Cat", "Dan", "Eve")

ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
ONES = [*ONES.split(), *["fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
MOJA = ["sifuri", "moja", "mbili", "tatu", "nne", "tano", "sita", "saba", "nane", "tisa"]
KUMI = ["kumi", "ishirini", "thelathini", "arobaini", "hamsini", "sitini", "sabini"]
KUMI += ["themanini", "tisini"]


def in_english(number):
    """Return a number below 1000 in words."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return " ".join([TENS[number // 10 - 2], *([ONES[number % 10]] if number % 10 else [])])
    rest = [f"an {in_english(number % 100)}"] if number % 100 else []  # "and" loses its d in speech
    return " ".join([f"{ONES[number // 100]} hundred", *rest])


def in_swahili(number):
    """Return a number below 1000 in words."""
    if number < 10:
        return MOJA[number]
    if number < 100:
        ones = [f"na {MOJA[number % 10]}"] if number % 10 else []
        return " ".join([KUMI[number // 10 - 1], *ones])
    hundreds = f"mia {MOJA[number // 100]}"
    if number % 100 == 0:
        return hundreds
    rest = in_swahili(number % 100)
    return (
        f"{hundreds} {rest}" if " na " in rest else f"{hundreds} na {rest}"
    )  # a single "na", the last


UN = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
UN = [*UN.split(), "dix-sept", "dix-huit", "dix-neuf"]
VINGT = ["vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vin"]
VINGT += ["quatre-vin"]  # its t is silent


def in_french(number):
    """Return a number below 1000 in words."""
    if number < 20:
        return UN[number]
    if number < 100:
        tens, ones = VINGT[number // 10 - 2], number % 10 + (10 if number // 10 in (7, 9) else 0)
        if not ones:
            return tens
        between = " et " if ones in (1, 11) and number < 80 else "-"
        return f"{tens}{between}{UN[ones]}"
    hundreds = "cent" if number < 200 else f"{UN[number // 100]} cent"
    return " ".join([hundreds, *([in_french(number % 100)] if number % 100 else [])])


IN_WORDS = {"en": in_english, "fr": in_french, "sw": in_swahili}


@cache
def espeak():
    """Return eSpeak's library, ready to pronounce."""
    name = find_library("espeak-ng")
    if name is None:
        missing("espeak-ng (Debian's package)")
    library = ctypes.CDLL(name)
    assert library.espeak_Initialize(2, 0, None, 0) > 0  # without sound output
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    return library


def sound(text, language):
    """Return the consonants of a text's pronunciation, in eSpeak's letters.

    Vowels are left out, because their clarity depends on stress, and therefore on neighbouring
    words.
    """
    assert espeak().espeak_SetVoiceByName(language.encode()) == 0
    rest, told = ctypes.c_char_p(text.encode()), b""
    while rest.value:
        told += espeak().espeak_TextToPhonemes(ctypes.byref(rest), 1, 0) + b" "
    return re.sub(r"[^bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTWXZ]", "", told.decode())


def meant(text, language):
    """Return a text with its numbers in words."""
    if language == "fr":  # no liaison between "un", as a figure, and the next word
        text = re.sub(r"\b1 ", "1, ", text)
    return re.sub(r"\d+", lambda number: IN_WORDS[language](int(number[0])), text)


def wrong(lines, language):
    """Return the lines with a wrong pronunciation or a spelled-out word."""
    return [
        (it, sound(it, language), sound(meant(it, language), language))
        for it in lines
        if SIGN.search(it)
        or letters_for_words(it)
        or sound(it, language) != sound(meant(it, language), language)
    ]


def letters_for_words(line):
    """Return what would be spelled out: a single capital, capitals only, or no vowel."""
    words = re.findall(r"\b[^\W\d_]+", re.sub(r"’s|\b(?:qu|[cdjlmnst])’", "", line, flags=re.I))
    return [
        it
        for it in words
        if (it.isupper() and it not in ("A", "I", "À"))
        or not re.search("[aeiouyàâéèêëîïôùû]", it, re.I)
    ]


def heard(app, game):
    """Return all texts sent to a player during a match, by language."""
    fake_ids, found = random.Random(game), {language: {} for language in IN_WORDS}
    people = [Program(app) for _ in range(5 if game == "koth" else 2)]
    path = at_table(game, *people, names=PEOPLE, **written(sample(game).short))
    tables = app.config["TABLES"]
    for _ in range(ROUNDS):
        for about, language in product(QUESTIONS, IN_WORDS):
            said = people[0].get(f"{path}.say?about={about}&lang={language}").text.strip()
            found[language] |= dict.fromkeys(re.split(r"(?<=[.?!]) ", said))
        for person in people:
            by_json(person, path, fake_ids)
        tables.now.sleep(2)
        while any(tables.run_due(code) for code in tables.due()):
            pass
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", OURS)
def test_table_is_read_aloud_as_intended(app, game):
    for language, lines in heard(app, game).items():
        assert len(lines) > 10
        assert wrong(lines, language) == [], language


@pytest.mark.parametrize("language", IN_WORDS)
def test_numbers_are_pronounced_like_their_words(language):
    numbers = [*range(100, 200, often(5, soak=1)), 101, 111, 125, 999]
    assert wrong([f"{number}." for number in numbers], language) == []


@pytest.mark.parametrize("line", ["You are at K.", "3 pts.", "2/3 of it.", "The 2nd.", "-1"])
def test_unspeakable_signs_and_abbreviations_are_detected(line):
    assert wrong([line], "en")


@pytest.mark.parametrize("text", ["-2 points, 60 %", "−2 points, 60%"])
def test_negative_numbers_and_fractions_are_spoken_in_words(text):
    """A red king is worth minus one point in Kaboom."""
    assert plain(text) == "minus 2 points, 60 percent"
    speak(Language("sw", lambda said: {"minus {number}": "hasi {number}"}.get(said, said)))
    try:
        assert plain(text).startswith("hasi 2 points")
    finally:
        speak(ENGLISH)
    assert plain("3-4 and A-2") == "3 4 and A 2"
    assert wrong([plain("You have -1 points.")], "en") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Take back “Keep it”.", "Take back: Keep it."),
        ("Reprendre « Choisir : 2 » ; jouer", "Reprendre: Choisir: 2; jouer"),
        ("“I am ready” was pressed.", "I am ready was pressed."),
    ],
)
def test_quotation_is_spoken_with_a_pause(text, said):
    assert plain(text) == said


@pytest.mark.parametrize(
    "name",
    ["क्षितिज", "สมศักดิ์", "نمی\u200cخواهم", "\U0001f1f0\U0001f1ea", "\u2764\ufe0f",
     "\U0001f44d\U0001f3fd", "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 Zoë"],
    ids=ascii,
)  # fmt: skip
def test_plain_text_keeps_marks_joiners_and_emoji(name):
    assert plain(f"★ {name} wins: 2♠") == f"{name} wins: 2"


def test_long_list_breaks_between_cards_into_whole_sentences(
    monkeypatch,
):
    cards = ", ".join(["queen of diamonds"] * 40)
    monkeypatch.setitem(speech.ABOUT, "hand", lambda page: [f"Hand, yours: {cards}."])
    pages = [speech.about(None, "hand", number) for number in (1, 2, 3)]
    assert all(re.match("(?:Hand, yours: )?queen of diamonds", it) for it in pages)
    listed = [speech.Part(f"{n}: queen of diamonds;", "Play, continued.") for n in range(12)]
    last = speech.Part("or 12: king of clubs.", "Play, continued.")
    monkeypatch.setitem(speech.ABOUT, "moves", lambda page: [*listed, last])
    told = [speech.about(None, "moves", number) for number in (1, 2)]
    assert told[1] == "Play, continued. Or 12: king of clubs." or "; or 12: king" in told[1]


def test_more_is_announced_only_if_lines_remain(monkeypatch):
    monkeypatch.setitem(speech.ABOUT, "last", lambda page: ["Ann bids the ace of spades."] * 30)
    pages = [speech.about(None, "last", number) for number in range(1, 9)]
    many = sum("More on page" in it for it in pages)
    assert pages[0].endswith("spades. More on page 2.") and 0 < many < 7
    assert [it.endswith(f"More on page {n + 2}.") for n, it in enumerate(pages[:many])] == [
        True
    ] * many
    assert pages[many].endswith("spades.") and set(pages[many:]) == {pages[many]}


@pytest.mark.parametrize(
    ("sentence", "parts"),
    [
        ("one two three", ["one two three"]),
        ("one two three four", ["one two three", "four"]),
        ("one two, three four", ["one two,", "three four"]),
        ("one; two, three four five", ["one; two,", "three four five"]),
    ],
)
def test_long_sentence_is_broken_after_the_last_pause_that_fits(sentence, parts):
    assert list(speech._parts(sentence, 3)) == parts
