"""Checks of bots' reasons by program, one module for each game.

A check receives a decision with its reason. It returns a description of the error, or None. It
knows the whole table (`state`), and uses the rules rather than the bot where possible.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from kaboom.engine.bots.bot import Thought
from kaboom.engine.views import Prompt, View

MANY = 400  # imagined deals with which a stated share is compared
NEAR = 10  # percentage points by which a share may differ


class Case(NamedTuple):
    """A bot's decision; `found` lists its thoughts, the chosen one first."""

    state: Any
    memory: Any
    view: View
    prompt: Prompt
    found: Sequence[Thought]

    @property
    def kind(self) -> str:
        return self.found[0].reason.kind.removeprefix("think.")

    @property
    def facts(self) -> dict[str, Any]:
        return self.found[0].reason.facts


Check = Callable[[Case], str | None]


def unless(right: bool, wrong: str) -> str | None:
    """Return the error unless a condition is met."""
    return None if right else wrong
