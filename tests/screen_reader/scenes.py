"""A round of each game as heard by the player in seat 0, step by step."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from kaboom.engine.moves import Move
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import RANK_NAMES
from kaboom.games import GAMES
from tests.browser.stage import Match, Stage
from tests.browser.test_every_game import PICK, picked, some_move
from tests.browser_engines.desktop import wait_until
from tests.screen_reader.reader import Reader
from tests.support.slow_network import Line

PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eve")
SUITS = "Spades|Hearts|Diamonds|Clubs"
RANKS = "|".join([*RANK_NAMES.values(), *map(str, range(2, 11))])
# Preferred moves: a transcript of nothing but draws would show little.
WANTED = {
    "kaboom": ("peek", "use", "swap", "look", "flip", "give", "draw"),
    "karata": ("suit", "card", "stop"),
    "koth": ("declare", "bury", "call", "play"),
}
TWICE = 2
CUTS = (
    (re.compile(r"\btable [A-Z0-9]{8}\b"), "table CODE"),
    (re.compile(rf"\b(?:the )?(?:(?:{RANKS}) of (?:{SUITS})|(?:Black|Red) Joker)\b"), "CARD"),
    (re.compile(rf"\b(?:{'|'.join(PEOPLE)})\b"), "NAME"),
    (re.compile(r"\d+"), "0"),
    (re.compile(r"\bpoint\b"), "points"),
    (re.compile(r"CARD(?:(?:, | and )CARD)+"), "CARDS"),
)


LINES = "return Number(document.querySelector('#log li:last-child')?.id.slice(3) || 0)"


@dataclass(frozen=True)
class Step:
    """An action and the speech that followed."""

    what: str
    said: Sequence[str]


def cut(line: str) -> str:
    """Return a line without the names, cards and numbers of one match."""
    for pattern, word in CUTS:
        line = pattern.sub(word, line)
    return line


def focus(reader: Reader, selector: str) -> None:
    """Focus a control, as Tab would; its speech counts with the press."""
    found = reader.look(
        "const it = document.querySelector(arguments[0]); it?.focus(); return !!it", selector
    )
    assert found, f"there is no {selector}"


def wanted_move(match: Match, seat: int, number: int, heard: Counter[str]) -> Move | None:
    """Return a random move of a kind heard less than TWICE, or else any move of the page.

    `heard` counts the kinds so far.
    """
    snapshot = match.look()
    rng = Rng(bytes(32), number, f"wanted {seat}")
    own = {li.verb: li for li in snapshot.game.listeners(snapshot.state) if li.seat == seat}
    for verb in WANTED.get(snapshot.game.key, ()):
        choices = own[verb].pick.random(rng) if verb in own and heard[verb] < TWICE else None
        if choices is not None:
            return Move(seat, verb, choices)
    if {"back", "play"} <= own.keys():  # Karata's row, built card by card
        return Move(seat, "play", own["play"].pick.random(rng))
    row = own["lay"].pick.random(rng) if "lay" in own else None
    if row:
        return Move(seat, "lay", row) if seat else Move(seat, "add", row[:1])
    return some_move(match, seat, number)


def press(reader: Reader, move: Move) -> list[str]:
    """Make a move by keyboard; return the speech from its control on."""
    words = " ".join((move.verb, *move.choices))
    button = f'#table button[name=move][value$=" {words}"]'
    said: list[str] = []

    def has(selector: str) -> bool:
        return bool(reader.look("return !!document.querySelector(arguments[0])", selector))

    if not has(button):
        for card in picked(move, has):
            focus(reader, f"{PICK.format(card)}:not(:checked)")
            said += reader.heard(0.4, 0.2)
            said += reader.press("space", silence=0.4)
        form = f'#table form:has(input[name=offer][value*=" {move.verb}"]) button'
        named = f'#table button[name=offer][value$=" {move.verb}"]'
        button = named if has(named) else form
    focus(reader, button)
    said += reader.heard(0.5, 0.3)
    reader.desktop.press("Return")
    said += reader.heard(1.0, 1.0)
    if reader.look("return !!document.getElementById('sure-go')"):
        focus(reader, "#sure-go")
        said += reader.heard(0.5, 0.3)
        said += reader.press("Return", silence=1.0, least=1.0)
    return said


def arrive(reader: Reader, stage: Stage, match: Match) -> list[str]:
    """Open a table as seat 0 with all tips dismissed; return what is read."""
    home = f"http://127.0.0.1:{stage.port}"
    reader.firefox.navigate(f"{home}/rules/kaboom")
    for name, value in (("kb", match.keys[0]), ("kb-tips", "&".join(GAMES))):
        reader.firefox.add_cookie({"name": name, "value": value})
    reader.press("ctrl+Home", silence=1.0, least=1.0)  # it stops reading
    reader.firefox.navigate(home + match.path)
    said = reader.heard(1.5, 3)
    for _ in range(5):  # on a busy machine it reads with pauses
        if any(line.startswith("Match ") for line in said):
            break
        said += reader.heard(1.5, 1.5)
    loaded = [number for number, line in enumerate(said) if line.startswith("Finished loading")]
    return said[loaded[-1] :] if loaded else said


def to_the_log(lines: Sequence[str]) -> Iterator[str]:
    """Return the speech up to the log; the rest is the same at each table."""
    for line in lines:
        if line.startswith("Match 0 begins"):
            return
        yield line


def round_of(
    game: str, reader: Reader, stage: Stage, most: int, options: dict[str, Any]
) -> Iterator[Step]:
    """Play some moves of a match, one at a time; yield each step's speech."""
    seats = GAMES[game].seats(GAMES[game].options(**options))
    names = PEOPLE[: max(seats[0], min(3, seats[-1]))]
    match = stage.begun(*names, game=game, **options)
    yield Step("on arrival", list(to_the_log([cut(it) for it in arrive(reader, stage, match)])))
    reader.press("ctrl+Home")
    yield Step("to my move", cuts(reader.press("Return", first=8)))
    yield refused(reader)
    arrive(reader, stage, match)  # including the status
    reader.press("ctrl+Home", silence=1.5, least=1.0)  # it stops reading
    if game == "karata":
        yield from against_the_rules(reader, match)
    kinds = Counter[str]()
    for number in range(most):
        snapshot = match.look()
        if snapshot.table.outcome is not None:
            return
        waited = match.waiting
        if not waited:
            yield Step("time passes", cuts(reader.heard(1.0, 1.0)))
            continue
        seat = waited[number % len(waited)]
        move = wanted_move(match, seat, number, kinds)
        if move is None:
            continue
        kinds[move.verb] += 1
        if seat == 0:
            yield Step(f"I press: {move.verb}", answered(reader, match, move))
        else:
            before = reader.look(LINES)
            match.play(seat, str(move).split(" ", 1)[1])
            caught_up(reader, match)
            patience = 8 if reader.look(LINES) > before else 0
            yield Step(f"somebody else: {move.verb}", cuts(reader.heard(0.8, 0.8, first=patience)))


def answered(reader: Reader, match: Match, move: Move) -> list[str]:
    """Make a move by keyboard; return its speech and the new status.

    The status comes with a heading, late on a busy machine.
    """
    said = press(reader, move)
    caught_up(reader, match)
    late = not any("heading level" in line for line in said)
    return cuts([*said, *reader.heard(1.0, 0.5, first=8 if late else 0)])


def caught_up(reader: Reader, match: Match) -> None:
    """Wait until the page is up to date, which causes its speech."""
    shown = "return document.getElementById('ver')?.value"
    wait_until(
        lambda: reader.look(shown) == str(match.revision(0)), 20, "the page does not catch up"
    )


def cuts(lines: Sequence[str]) -> list[str]:
    """Return lines without names, cards and numbers.

    Orca repeats a heading's description if it changes while the focus arrives; that counts once.
    """
    return [line for line, _ in groupby(cut(line) for line in lines)]


def refused(reader: Reader) -> Step:
    """Press a button of an outdated page on the viewer's turn."""
    reader.look(
        "document.querySelectorAll('#table [name=move], #table [name=offer]')"
        ".forEach(it => it.value = 'old' + it.value);"
        "(document.querySelector('#offers button, .go button') ||"
        " document.querySelector('#table [name=move]')).focus()"
    )
    reader.heard(0.5, 0.4)
    return Step("I am refused", cuts(reader.press("Return", silence=1.0, least=1.0, first=8)))


def against_the_rules(reader: Reader, match: Match) -> Iterator[Step]:
    """Karata: add a card that does not fit, play it, take it back, and note the speech
    each time.
    """
    fits, offer = match.view(0).facts["fits"], match.prompt(0).offer("add")
    assert offer
    unfit = next(card for card in offer.options if card not in fits)
    for what, move in (
        ("add, what does not fit", Move(0, "add", (unfit,))),
        ("play, against the rules", Move(0, "play")),
        ("back", Move(0, "back")),
    ):
        yield Step(f"I press: {what}", answered(reader, match, move))


def cut_off(reader: Reader, line: Line) -> Iterator[Step]:
    """Cut the connection, and restore it."""
    line.cut()
    yield Step("the connection goes", cuts(reader.heard(1.0, 4.0, first=15)))
    line.mend()
    yield Step("the connection comes back", cuts(reader.heard(1.0, 1.0, first=20)))


def written(steps: Sequence[Step]) -> str:
    """Return the steps as a transcript."""
    return "".join(
        f"## {step.what}\n" + "".join(f"{line}\n" for line in step.said) + "\n" for step in steps
    )
