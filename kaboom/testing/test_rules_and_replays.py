"""The rules page, and the landmarks of replays."""

from kaboom.games import folder
from kaboom.games.trial import Trial
from kaboom.testing.cases import every_game, once_a_game
from kaboom.testing.test_options import ways
from kaboom.web.rules_pages import rules_of


@every_game
def test_rules_page_has_the_name_of_the_game(trial: Trial) -> None:
    page = folder(trial.game.key) / "rules.md"
    if not page.is_file():
        return  # the check of the game's declaration reports it
    if not page.read_text(encoding="utf-8").startswith(f"# {trial.game.name}"):
        trial.fail(f"rules.md does not begin with “# {trial.game.name}”; add that title")


@once_a_game
def test_rules_page_renders_with_every_named_heading(trial: Trial) -> None:
    """Otherwise the page would show an error, or the link “The rule” in a refusal would lead
    nowhere.
    """
    game = trial.game
    for verb in {verb for verb in game.words.offers if "." not in verb} - set(game.words.rules):
        trial.fail(
            f"words.rules names no heading of rules.md for the verb {verb!r}; add the one that "
            "explains it"
        )
    if not (folder(game.key) / "rules.md").is_file():
        return
    found: list[set[str]] = [
        {slug for _, slug, _ in rules_of(game, options).contents} for options in ways(trial)
    ]
    for slug in set(game.words.rules.values()) - found[0].intersection(*found):
        trial.fail(
            f"words.rules names a heading {slug!r} that rules.md does not have, or not under all "
            "options; fix it: lower-case letters with hyphens"
        )
    for slug in {tip.rule for tip in game.tips.values()} - found[0].union(*found):
        trial.fail(f"a tip names a heading {slug!r} that rules.md does not have; fix it")


@every_game
def test_landmarks_are_event_kinds_with_a_sentence(trial: Trial) -> None:
    game = trial.game
    for kind, what in game.landmarks.items():
        if what not in ("round", "turn", "event", "result"):
            trial.fail(
                f"Game.landmarks calls {kind!r} a {what!r}; say round, turn, event or result"
            )
        if kind not in game.words.sayings:
            trial.fail(f"Game.landmarks names {kind!r}, which has no sentence in words.sayings")
    if "round" not in game.landmarks.values():
        trial.fail('Game.landmarks names no event that begins a round; add one, {"KIND": "round"}')
    kinds = {
        game.landmarks.get(event.kind)
        for _, events, _ in trial.walk(1, trial.sizes[0])
        for event in events
    }
    if "round" not in kinds:
        trial.fail(
            "no event that begins a round is ever emitted; emit those that Game.landmarks names"
        )
