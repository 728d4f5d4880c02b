"""What browsers were shown in answer to their presses, so that no stream sends it again.

It lives in memory: of what another process answers nothing is known, and it is sent twice. What a
browser chose for itself is told to the others, for nothing else would tell them.
"""

from collections import Counter
from math import inf

from kaboom.realtime.hub import Hub

MOST = 5000  # answers that are remembered; whoever's is forgotten is sent a view once too often
CHOSE = "chose "  # prefix of the topics saying that somebody set something: "chose <key>"


class Presses:
    """By table and browser: the number of the view that the last answer shows."""

    def __init__(self, hub: Hub) -> None:
        self._shown: dict[tuple[str, str], float] = {}
        self._choices: Counter[str] = Counter()
        self._hub = hub
        hub.hear(CHOSE, self._heard)

    def began(self, code: str, key: str) -> None:
        """Note that a press is being answered: with whatever is new until then."""
        self._note(code, key, inf)

    def answered(self, code: str, key: str, revision: int | None) -> None:
        """Note what the answer shows; None for an answer without a view."""
        self._note(code, key, -1 if revision is None else revision)

    def show(self, code: str, key: str, revision: int) -> bool:
        """Say whether an answer shows a browser this view, or a newer one."""
        return revision <= self._shown.get((code, key), -1)

    def chose(self, key: str) -> None:
        """Note that a browser wants something else of its pages from now on."""
        self._heard(f"{CHOSE}{key}")
        self._hub.tell_others(f"{CHOSE}{key}")

    def choices(self, key: str) -> int:
        """Return a count that rises whenever a browser chose something for itself."""
        return self._choices[key]

    def _heard(self, topic: str) -> None:
        self._choices[topic.removeprefix(CHOSE)] += 1
        if len(self._choices) > MOST:
            del self._choices[next(iter(self._choices))]

    def _note(self, code: str, key: str, revision: float) -> None:
        self._shown.pop((code, key), None)  # so that it goes to the end, as the youngest
        self._shown[code, key] = revision
        if len(self._shown) > MOST:
            del self._shown[next(iter(self._shown))]
