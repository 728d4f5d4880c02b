"""The table as sent to a bot: what a program in its seat receives over HTTP, without names; and the
move in its answer.
"""

import json
from collections.abc import Sequence
from typing import Any

from kaboom.engine.codec import to_json
from kaboom.engine.engine import find, prompts
from kaboom.engine.game import Game
from kaboom.engine.menu import chosen, menu_of
from kaboom.engine.moves import Move
from kaboom.engine.play import Listener
from kaboom.engine.rng import Rng
from kaboom.engine.table_view import SeatLine, Settings, TablePage
from kaboom.engine.texts import Names
from kaboom.engine.views import Prompt
from kaboom.table_page.api import table_of

PROTOCOL = 1
LONGEST = 4096  # bytes of a response


def table_json(
    game: Game[Any],
    options: Any,
    seats: int,
    state: Any,
    prompt: Prompt,
    listeners: Sequence[Listener],
    rng: Rng,
) -> Any:
    """Return the table as a program receives it over HTTP, for the seat of a prompt."""
    names = tuple(f"Player {seat + 1}" for seat in range(seats))
    whole = prompts(listeners, seats)[prompt.seat].offers
    own = [it.pick for it in listeners if it.seat == prompt.seat]
    picks = {(it.token, it.verb): pick for it, pick in zip(whole, own, strict=True)}
    page = TablePage(
        code="ARENA",
        at="",
        game=game,
        options=options,
        revision="",
        seats=[SeatLine(seat, name) for seat, name in enumerate(names)],
        names=Names(names, prompt.seat),
        settings=Settings(),
        me=prompt.seat,
        playing=True,
        match=1,
        view=game.view(state, prompt.seat),
        prompt=prompt,
        waiting=(prompt.seat,) if prompt.waited_for else (),
        some=[picks[it.token, it.verb].some(rng) for it in prompt.offers],
    )
    return json.loads(to_json(table_of(page, 0)))


def move_of(
    answer: str, game: Game[Any], state: Any, prompt: Prompt, listeners: Sequence[Listener]
) -> Move | None:
    """Return the move in a bot's answer to a prompt, or None if it passes. Raises Refusal."""
    verbs = {offer.verb for offer in prompt.offers}
    if answer == "pass" and not prompt.waited_for and "pass" not in verbs:
        return None
    offer, choices = chosen(1, prompt.offers, menu_of(1, prompt.offers), answer)
    move = Move(prompt.seat, offer.verb, choices)
    find(game, state, move, listeners=listeners)
    return move
