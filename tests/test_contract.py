"""Faults planted in Hearts: each fails the contract with a sentence that says what to do."""

import importlib
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint
from pkgutil import iter_modules

import pytest
from msgspec import structs

from kaboom import testing
from kaboom.engine.options import Preset, switch
from kaboom.engine.toolkit.fixtures import Sample
from kaboom.engine.views import OPEN, Saying, Scores, View, places
from kaboom.games import GROUP, PACKAGES, folder, found, trial
from kaboom.games.trial import Trial
from kaboom.testing import test_declaration
from kaboom.web.rules_pages import _rendered
from tests.support.builtin_games import EXAMPLES
from tests.support.effort import some

pytestmark = pytest.mark.skipif("hearts" not in EXAMPLES, reason="make test installs Hearts")

MODULES = [
    importlib.import_module(f"kaboom.testing.{it.name}") for it in iter_modules(testing.__path__)
]
CHECKS = [
    check.__wrapped__
    for module in MODULES
    for name, check in vars(module).items()
    if name.startswith("test_") and hasattr(check, "__wrapped__")
]
PLANTED = """
from kaboom_hearts import GAME as HEARTS
from tests.test_contract import FAULTS

GAME = FAULTS[{name!r}](HEARTS)
"""
FAULTS = {}


def fault(plant):
    """Register a function that plants a fault into Hearts, by its name."""
    FAULTS[plant.__name__] = plant
    return plant


def ending(game, change):
    """Return the game with another outcome."""
    right = game.outcome
    return replace(game, outcome=lambda s: right(s) and change(right(s)))


@fault
def sound(game):
    return game


@fault
def no_scores(game):
    return ending(game, lambda outcome: structs.replace(outcome, scores=()))


@fault
def two_scores(game):
    return ending(game, lambda outcome: structs.replace(outcome, scores=outcome.scores[:2]))


@fault
def scores_of_none(game):
    return ending(game, lambda outcome: structs.replace(outcome, scores=(None,) * 4))


@fault
def ranking_reversed(game):
    return ending(game, lambda it: structs.replace(it, places=places(it.scores)))


@fault
def direction_forgotten(game):
    return replace(game, lowest_wins=False)


@fault
def nobody_first(game):
    return ending(
        game, lambda it: structs.replace(it, places=tuple(place + 1 for place in it.places))
    )


@fault
def all_first(game):
    return ending(game, lambda it: structs.replace(it, places=(1,) * 4))


@fault
def one_place(game):
    return ending(game, lambda it: structs.replace(it, places=(1,)))


@fault
def strange_reason(game):
    return ending(game, lambda it: structs.replace(it, reason="victory"))


@fault
def version_in_letters(game):
    return replace(game, version="one")


@fault
def heading_of_nothing(game):
    return replace(game, groups={**game.groups, "Trumps": ("trumps",)})


@fault
def option_under_two_headings(game):
    return replace(game, groups={**game.groups, "Points": ("limit",)})


@fault
def preset_of_nothing(game):
    return replace(game, presets=(Preset("odd", "Odd", "Odd.", {"trumps": 1}),))


@fault
def preset_out_of_range(game):
    return replace(game, presets=(Preset("odd", "Odd", "Odd.", {"limit": 1000}),))


@fault
def name_of_another(game):
    return replace(game, name="Gops")


@fault
def idle_option(game):
    """An option that the rules page mentions and no rule reads."""

    @dataclass(frozen=True)
    class Options(game.options):
        trumps: bool = switch(False, "Trumps", "Spades are trumps.")

    class State(game.state):
        options: Options

    def setup(play, seats, options):
        game.setup(play, seats, options)
        play.state = State(**structs.asdict(play.state))

    State.__annotations__["options"] = Options
    setup.__module__ = game.setup.__module__
    return replace(game, options=Options, state=State, setup=setup)


@fault
def option_unexplained(game):
    return game


@fault
def rules_page_missing(game):
    return game


@fault
def rules_heading_missing(game):
    return replace(game, words=replace(game.words, rules={**game.words.rules, "pass": "giving"}))


@fault
def label_missing(game):
    offers = {verb: label for verb, label in game.words.offers.items() if verb != "play"}
    return replace(game, words=replace(game.words, offers=offers))


@fault
def sentence_missing(game):
    sayings = {kind: text for kind, text in game.words.sayings.items() if kind != "broken"}
    return replace(game, words=replace(game.words, sayings=sayings))


@fault
def sentence_of_another_fact(game):
    sayings = {**game.words.sayings, "broken": "{who:name} breaks hearts."}
    return replace(game, words=replace(game.words, sayings=sayings))


@fault
def setup_broken(game):
    def setup(play, seats, options):
        raise ZeroDivisionError("no cards")

    setup.__module__ = game.setup.__module__
    return replace(game, setup=setup)


@fault
def offers_broken(game):
    def offers(s):
        if s.stage == "play":
            raise KeyError("choose")
        return game.offers(s)

    return replace(game, offers=offers)


@fault
def nobody_asked(game):
    return replace(game, offers=lambda s: (), decisions=lambda s: ())


def playing(game, change):
    """Return the game with an action after each played card."""

    def offers(s):
        for listener in game.offers(s):
            yield listener if listener.verb != "play" else structs.replace(listener, then=played)

    def played(play, card):
        right = next(it for it in game.offers(play.state) if it.verb == "play")
        right.then(play, card)
        change(play.state, play.seat, card)

    played.__qualname__ = "played"
    return replace(game, offers=offers)


@fault
def hand_from_which_nothing_is_taken(game):
    """The deal never ends: after the first trick players keep their cards."""
    return playing(game, lambda s, seat, card: any(s.taken) and s.hands[seat].append(card))


@fault
def card_that_vanishes(game):
    return playing(game, lambda s, seat, card: s.taken[seat] and s.taken[seat].pop())


@fault
def match_without_end(game):
    """In a short match points never reach the limit."""

    def never(s, seat, card):
        if s.options.limit == 10:
            s.scores = [-1000] * 4

    return playing(game, never)


@fault
def leak(game):
    """All hands are visible to any viewer."""

    def view(s, viewer):
        return structs.replace(game.view(s, OPEN), viewer=viewer)

    return replace(game, view=view)


@fault
def points_of_two(game):
    def view(s, viewer):
        shown: View = game.view(s, viewer)
        return structs.replace(shown, scores=Scores(("Match",), ((0,), (0,))))

    return replace(game, view=view)


@fault
def standing_of_two(game):
    def view(s, viewer):
        said = Saying("lead", {"seat": 0})
        return structs.replace(game.view(s, viewer), standing=(said, None))

    return replace(game, view=view)


@fault
def standing_without_words(game):
    def view(s, viewer):
        return structs.replace(game.view(s, viewer), standing=(Saying("unsaid"),) * 4)

    return replace(game, view=view)


@fault
def bot_against_the_rules(game):
    def weigh(memory, view, prompt, rng, level):
        (thought, *_) = game.bot.weigh(memory, view, prompt, rng, level)
        return [structs.replace(thought, move=structs.replace(thought.move, choices=()))]

    return replace(game, bot=replace(game.bot, weigh=weigh, decide=None))


# Replacements in rules.md.
PAGES = {
    "idle_option": lambda text: text + "\n{% if options.trumps %}Spades are trumps.{% endif %}\n",
    "option_unexplained": lambda text: text.replace("{{ options.limit }}", "100"),
    "rules_page_missing": lambda text: None,
    "name_of_another": lambda text: text.replace("# Hearts", "# Gops", 1),
}
# By fault: the check that reports it, and its sentence after the name of the game.
SAID = {
    "no_scores": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        r"seed 0, 4 players, move \d+: the outcome has 0 scores for 4 seats; Outcome",
    ),
    "two_scores": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        "the outcome has 2 scores for 4 seats; Outcome.scores must have one for each seat",
    ),
    "scores_of_none": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        r"the outcome has the scores \(None, None, None, None\); each must be a number",
    ),
    "ranking_reversed": (
        "test_places_in_the_outcome_follow_the_scores",
        r"seat \d has \d+ points and place \d, .*; rank them by their scores, the lowest first",
    ),
    "direction_forgotten": (
        "test_places_in_the_outcome_follow_the_scores",
        "the highest first, or set Game.lowest_wins to True",
    ),
    "nobody_first": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        "one seat is first",
    ),
    "all_first": ("test_places_in_the_outcome_follow_the_scores", "and place 1"),
    "one_place": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        "the outcome has 1 places for 4 seats",
    ),
    "strange_reason": (
        "test_outcome_gives_each_seat_a_score_and_a_place",
        "the reason 'victory'; it must be one of won",
    ),
    "heading_of_nothing": (
        "test_game_declarations_are_consistent",
        "the heading 'Trumps' in `groups` names an option 'trumps' that does not exist; remove it",
    ),
    "option_under_two_headings": (
        "test_game_declarations_are_consistent",
        "`groups` names the option 'limit' twice; name it once",
    ),
    "preset_of_nothing": (
        "test_game_declarations_are_consistent",
        "the preset 'odd' sets an option 'trumps' that does not exist; remove it, or name one of "
        "limit",
    ),
    "preset_out_of_range": (
        "test_game_declarations_are_consistent",
        "the preset 'odd' sets the option 'limit' to 1000, .*; it must be a number from 10 to 200",
    ),
    "name_of_another": (
        "test_game_declarations_are_consistent",
        "its name 'Gops' is also that of the game 'gops'; give it another",
    ),
    "idle_option": (
        "test_every_option_changes_something",
        "the option 'trumps' changed nothing in .* matches; use it, remove it",
    ),
    "option_unexplained": (
        "test_every_option_changes_the_rules_page",
        "rules.md says the same whatever the option 'limit' is; it must use options.limit",
    ),
    "rules_page_missing": (
        "test_game_declarations_are_consistent",
        "there is no rules page; write .*/rules.md",
    ),
    "rules_heading_missing": (
        "test_rules_page_renders_with_every_named_heading",
        "words.rules names a heading 'giving' that rules.md does not have",
    ),
    "label_missing": (
        "test_every_saying_offer_and_option_has_words",
        r"seed 0, 4 players, move \d+, viewer \d: the verb 'play' has no label; add 'play' to",
    ),
    "sentence_missing": (
        "test_every_public_event_has_a_sentence",
        r"seed \d, 4 players, move \d+: the event 'broken' has no sentence; add it to words",
    ),
    "sentence_of_another_fact": (
        "test_every_public_event_has_a_sentence",
        r"the sentence for 'broken' in words.sayings cannot be filled in \(KeyError: 'who'\); use",
    ),
    "setup_broken": (
        "test_match_of_random_players_ends",
        "seed 0, 4 players, move 0: .* raised ZeroDivisionError: no cards .*; fix it there",
    ),
    "offers_broken": (
        "test_match_of_random_players_ends",
        r"seed 0, 4 players, move \d+: .* raised KeyError: 'choose' .*; fix it there",
    ),
    "nobody_asked": (
        "test_match_of_random_players_ends",
        "seed 0, 4 players, move 1: no seat can move and there is no outcome|no seat can move",
    ),
    "card_that_vanishes": (
        "test_no_card_is_lost_or_duplicated",
        r"seed 0, 4 players, move \d+: 51 cards are in hands, trick, taken, where Sample.count",
    ),
    "match_without_end": (
        "test_match_of_random_players_ends",
        "seed 0, 4 players, move 500: there is no outcome after 500 moves; make sure that each",
    ),
    "leak": (
        "test_view_and_prompt_hide_what_the_viewer_cannot_know",
        "seed 0, 4 players, move 0, viewer 0: a leak: view.zones depends on what this viewer",
    ),
    "points_of_two": (
        "test_each_seat_has_points_beside_the_table",
        "View.scores has 2 rows for 4 seats, .*; give each seat a row",
    ),
    "standing_of_two": (
        "test_what_each_seat_has_is_said_in_words",
        "View.standing has 2 entries for 4 seats; give each seat a saying, or None",
    ),
    "standing_without_words": (
        "test_what_each_seat_has_is_said_in_words",
        "'unsaid' has no text; add it to words.sayings",
    ),
    "bot_against_the_rules": (
        "test_bots_play_a_match_from_their_seats_view",
        r"seed 5, 4 players, move 1, seat 0: the bot’s '0 pass' is refused \(.*\); choose from",
    ),
}


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return a function that installs Hearts with a fault and returns the contract's findings: the
    sentence of each failed check, and the check that reported its cause.
    """
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(trial, "MOST", 60)  # a deal, and the beginning of the next
    monkeypatch.setattr(trial, "LONGEST", 500)
    monkeypatch.setattr(trial, "ENDS", 1)
    monkeypatch.setattr(trial, "TRIES", 1)
    monkeypatch.setattr(trial, "TOLD", {})

    def plant(name, about=None):
        package = tmp_path / f"planted_{name}"
        package.mkdir()
        (package / "__init__.py").write_text(PLANTED.format(name=name))
        (package / "sample.py").write_text("from kaboom_hearts.sample import SAMPLE as SAMPLE\n")
        page = PAGES.get(name, str)((folder("hearts") / "rules.md").read_text())
        if page is not None:
            (package / "rules.md").write_text(page)
        importlib.invalidate_caches()
        known, packages, left_out, wrong = found(
            [EntryPoint("hearts", f"{package.name}:GAME", GROUP)]
        )
        if left_out:
            return known, left_out
        monkeypatch.setitem(PACKAGES, "hearts", packages["hearts"])
        monkeypatch.setattr(test_declaration, "FAULTS", wrong)
        _rendered.cache_clear()
        one = Trial("hearts", known["hearts"])
        if about is not None:
            one.about = about
        said = {}
        for check in CHECKS:
            with suppress(pytest.skip.Exception):
                if (it := one.wrong(check)) is not None:
                    said[check.__name__] = it
        return known, said

    yield plant
    _rendered.cache_clear()
    for name in [name for name in sys.modules if name.startswith("planted_")]:
        del sys.modules[name]


@pytest.fixture
def page_of_sealed_bids(tmp_path, monkeypatch):
    """Return the folder of a package that gives the shortest game a rules page."""
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "planted_bids"
    package.mkdir()
    (package / "__init__.py").write_text(
        "from tests.engine.sealed_bids import SEALED_BIDS as GAME\n"
    )
    (package / "rules.md").write_text(
        "# Sealed bids\n\n## Bidding\n\nYou have {{ options.bid_seconds }} seconds.\n"
    )
    importlib.invalidate_caches()
    point = EntryPoint("sealed_bids", "planted_bids:GAME", GROUP)
    known, packages, left_out, wrong = found([point])
    assert (left_out, wrong) == ({}, {})
    monkeypatch.setitem(PACKAGES, "sealed_bids", packages["sealed_bids"])
    yield known["sealed_bids"]
    del sys.modules["planted_bids"]


def test_tutorial_game_keeps_the_contract(page_of_sealed_bids):
    one, wrong = Trial("sealed_bids", page_of_sealed_bids), []
    for check in CHECKS:
        with suppress(pytest.skip.Exception):
            wrong += [it] if (it := one.wrong(check)) else []
    assert wrong == []


def told(said):
    """Return the reported sentences: one per cause, by the check that reports it."""
    return {check: text for check, (text, teller) in said.items() if teller == check}


def test_sound_game_satisfies_the_contract(planted):
    assert planted("sound")[1] == {}


@pytest.mark.parametrize("name", some(SAID))
def test_fault_in_a_game_is_reported_in_one_sentence(planted, name):
    _, said = planted(name)
    check, pattern = SAID[name]
    (text,) = told(said).values()  # one cause
    sentence = text.splitlines()[0]
    assert list(told(said)) == [check], sentence
    assert re.search(pattern, sentence), sentence
    assert sentence.startswith(("Hearts (hearts)", "Gops (hearts)")) and sentence.endswith(".")
    assert ";" in sentence  # the fault; what to do


def test_broken_function_is_reported_once(planted):
    said = planted("setup_broken")[1]
    assert Counter(teller for _, teller in said.values()) == {
        "test_match_of_random_players_ends": len(said)
    }
    assert len(said) > 25


def test_never_empty_hand_is_reported_by_cards_and_end(planted):
    said = told(planted("hand_from_which_nothing_is_taken")[1])
    assert re.search(
        r"\w\w is in hands, trick, taken more than 1 times; remove a card from its place",
        said["test_no_card_is_lost_or_duplicated"],
    )
    assert "there is no outcome after 500 moves" in (said["test_match_of_random_players_ends"])


def test_vanishing_cards_are_found_in_zones_without_a_sample(planted):
    said = planted("card_that_vanishes", Sample(short={"limit": 10}))[1]
    text = said["test_no_card_is_lost_or_duplicated"][0]
    assert re.search(r"the cards are not those that were dealt \(gone: \w\w; new: none\)", text)
    assert "conserved=False" in text


def test_sample_may_allow_cards_to_come_and_go(planted):
    said = planted("card_that_vanishes", Sample(short={"limit": 10}, conserved=False))[1]
    assert "test_no_card_is_lost_or_duplicated" not in said


def test_non_numeric_version_excludes_the_game(planted, monkeypatch):
    known, left_out = planted("version_in_letters")
    assert "hearts" not in known
    monkeypatch.setattr(test_declaration, "LEFT_OUT", left_out)
    with pytest.raises(pytest.fail.Exception) as failed:
        test_declaration.test_installed_game_is_playable("hearts")
    assert str(failed.value) == (
        "The game hearts is left out: Broken: its version is 'one'; it must be a whole number, "
        "1 or more; fix what its entry point refers to."
    )


@pytest.mark.parametrize("name", ["preset_of_nothing", "heading_of_nothing"])
def test_game_is_played_without_its_faulty_parts(planted, name):
    known, _ = planted(name)
    assert [preset.key for preset in known["hearts"].presets if preset.key == "odd"] == []
    assert list(known["hearts"].groups) == ["Length", "Time"]


def test_every_planted_fault_is_expected_somewhere():
    apart = {"sound", "version_in_letters", "hand_from_which_nothing_is_taken"}
    assert set(FAULTS) == set(SAID) | apart
