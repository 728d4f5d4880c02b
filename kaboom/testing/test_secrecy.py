"""Secrets: no view, prompt, refusal or event shows what its reader cannot know."""

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from kaboom.engine import continued_match
from kaboom.engine.codec import to_json
from kaboom.engine.engine import prompts, timed, waiting_for
from kaboom.engine.game import Game
from kaboom.engine.moves import Move, Seat
from kaboom.engine.rng import Rng
from kaboom.engine.views import DOWN, OPEN, View
from kaboom.games.trial import Trial, seed, with_options
from kaboom.testing.cases import every_game, once_a_game, redealt, refusal


def seen(game: Game[Any], state: Any, viewer: Seat | None) -> bytes:
    """Return everything that the engine sends to a viewer."""
    return to_json(parts_seen(game, state, viewer))


def parts_seen(game: Game[Any], state: Any, viewer: Seat | None) -> dict[str, Any]:
    """Return everything that the engine sends to a viewer, by name."""
    listeners = list(game.listeners(state))
    return {
        "view": game.view(state, viewer),
        "prompt": prompts(listeners, game.seated(state))[viewer] if viewer is not None else None,
        "waiting": waiting_for(game, state),
        "clocks": [(li.verb, li.about, li.after, li.held, li.decision) for li in timed(listeners)],
    }


def no_leak(trial: Trial, game: Game[Any], state: Any, other: Any, viewer: Seat | None) -> None:
    """Fail if a viewer can tell apart two states that differ only in what is hidden from them."""
    if seen(game, state, viewer) == seen(game, other, viewer):
        return
    here, there = parts_seen(game, state, viewer), parts_seen(game, other, viewer)
    parts = [name for name in here if to_json(here[name]) != to_json(there[name])]
    if "view" in parts:
        one, two = here["view"], there["view"]
        parts += [
            f"view.{name}"
            for name in one.__struct_fields__
            if to_json(getattr(one, name)) != to_json(getattr(two, name))
        ]
        parts.remove("view")
    trial.fail(
        f"a leak: {', '.join(parts)} depends on what this viewer cannot know; show less, or make "
        "`resample` keep what is known",
        "leak",
    )


@every_game
def test_view_and_prompt_hide_what_the_viewer_cannot_know(trial: Trial) -> None:
    game, changed = trial.game, 0
    for state, seats in trial.positions():
        for viewer in trial.viewers(seats):
            for number in range(2):
                other = redealt(game, state, viewer, number)
                changed += to_json(other) != to_json(state)
                no_leak(trial, game, state, other, viewer)
    if not changed:
        trial.fail(
            "`resample` changes nothing, so secrecy is not proved; it must deal again what a "
            "viewer cannot know (kaboom.engine.toolkit.resample)"
        )


@once_a_game
def test_views_hide_secrets_under_other_options(trial: Trial) -> None:
    for values in trial.about.variants:
        varied = trial.under(with_options(trial.game, values))
        seats = varied.sizes[-1]
        for state, _, n in varied.walk(8, seats):
            if n % 11 == 0 or varied.game.outcome(state) is not None:
                for viewer in trial.viewers(seats):
                    other = redealt(varied.game, state, viewer, n)
                    no_leak(trial, varied.game, state, other, viewer)


@every_game
def test_resample_uses_only_what_the_seat_knows(trial: Trial) -> None:
    """Moves are judged in resampled deals (kaboom.engine.bots.analysis). With the same random
    numbers, two states that a seat cannot tell apart must give the same deals.
    """
    game, key = trial.game, seed(6)
    seats = trial.sizes[-1]
    memories = [game.bot.memory() if game.bot else None for _ in range(seats)]
    for state, events, n in trial.walk(6, seats):
        if game.bot:
            for seat in trial.seats(seats):
                game.bot.hear(memories[seat], events, seat)
        if n % 9 or game.outcome(state) is not None:
            continue
        for seat in trial.seats(seats):
            again = partial(continued_match.redealt, game, seat=seat, memory=memories[seat])
            twin = again(state, rng=Rng(seed(n), n))
            here, there = (again(it, rng=Rng(key, n)) for it in (state, twin))
            if to_json(here) != to_json(there):
                trial.fail(
                    "`deal_again` (or `resample`) depends on where cards were that this seat "
                    "cannot know; put them into a canonical order before shuffling, as "
                    "kaboom.engine.toolkit.resample does"
                )


@every_game
def test_refusal_reveals_only_what_its_seat_knows(trial: Trial) -> None:
    game = trial.game
    for state, seats in trial.positions(every=17):
        here = list(game.listeners(state))
        for viewer, asked in zip(trial.seats(seats), prompts(here, seats), strict=True):
            other = redealt(game, state, viewer, 1)
            there = list(game.listeners(other))
            for offer in asked.offers:
                for choices in [(), offer.options[:1], offer.options[-2:], ("nonsense",)]:
                    move = Move(viewer, offer.verb, tuple(choices))
                    if refusal(game, state, move, here) != refusal(game, other, move, there):
                        trial.fail(
                            f"a leak: whether {str(move)!r} is refused, or how, depends on what "
                            "this seat cannot know; its why_not may use only what the seat sees",
                            "leak",
                        )


@every_game
def test_a_spectator_sees_no_face_that_a_seat_does_not_see(trial: Trial) -> None:
    for state, seats in trial.positions():
        spectator = trial.game.view(state, None)
        if not isinstance(spectator, View):
            trial.fail(f"`view` returns {type(spectator).__name__}; it must return a View")
        for seat in trial.seats(seats):
            mine = list(trial.game.view(state, seat).zones)
            for zone in spectator.zones:  # several may have one name, in the same order
                at = f"the zone {zone.name!r} of {zone.owner}"
                own = next(
                    (it for it in mine if (it.name, it.owner) == (zone.name, zone.owner)), None
                )
                if own is None or len(own.cards) != len(zone.cards):
                    trial.fail(f"{at} differs for this seat; show all viewers the same zones")
                mine.remove(own)
                for there, here in zip(zone.cards, own.cards, strict=True):
                    if there not in ("?", here):
                        trial.fail(
                            f"a spectator sees {there} in {at}, and this seat {here}; hide it"
                        )


CARD = re.compile(r"[A23456789TJQK][SHDC]|[BR]J")


def cards_in(value: Any) -> Iterator[str]:
    """Yield every card in the facts, at any depth."""
    if isinstance(value, str) and CARD.fullmatch(value):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from cards_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from cards_in(item)


@every_game
def test_card_in_a_public_event_is_visible_to_all(trial: Trial) -> None:
    """All players receive public events, so a face in one must be on the table before or after."""
    for number, seats in enumerate(trial.sizes):
        before = ""
        for state, events, _ in trial.walk(number, seats):
            after = to_json(trial.game.view(state, None)).decode()
            for event in events:
                if event.to is None:
                    for card in cards_in(event.facts):
                        if f'"{card}"' not in before + after:
                            trial.fail(
                                f"the event {event.kind!r} tells all of {card}, which only its "
                                "owner sees; whisper it, show it in a zone, or wait until all "
                                "are ready before dealing again"
                            )
            before = after


@every_game
def test_spectator_of_open_hands_sees_no_face_down_card(trial: Trial) -> None:
    """A replay shows every card at every step, before the end of the match and after it."""
    game = trial.game
    for number, seats in enumerate(trial.sizes):
        for state, _, n in trial.walk(number, seats):
            if n % 5 and game.outcome(state) is None:
                continue
            view = game.view(state, OPEN)
            trial.place.viewer = "OPEN"
            if view.viewer != OPEN:
                trial.fail("View.viewer is another viewer; it must be the one `view` was given")
            for zone in view.zones:
                if DOWN in zone.cards:
                    trial.fail(
                        f"the zone {zone.name!r} of {zone.owner} is face down; show its faces"
                    )
            every = {(zone.name, zone.owner) for zone in view.zones}
            for seat in (*range(seats), None):
                zones = game.view(state, seat).zones  # an empty one has nothing to show
                for name, owner in {(it.name, it.owner) for it in zones if it.cards} - every:
                    trial.fail(
                        f"the zone {name!r} of {owner}, which {seat} sees, is missing; show it"
                    )
