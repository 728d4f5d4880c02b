"""Tips for newcomers to Oh Hell, based on their view."""

from collections.abc import Iterator

from kaboom.engine.toolkit.tips import AIM, Tip, Told
from kaboom.engine.views import Prompt, View
from kaboom_oh_hell.rules import Options

TIPS = {
    AIM: Tip("An exact bid scores 10, plus 1 for each trick.", "scoring"),
    "count": Tip("High trumps and aces take tricks: count them.", "bidding"),
}


def tips(view: View, prompt: Prompt | None, options: Options) -> Iterator[Told]:
    """Yield the tips for this moment, most urgent first; the last one says how to win."""
    if prompt and prompt.offer("bid"):
        yield "count", {}
    yield AIM, {}
