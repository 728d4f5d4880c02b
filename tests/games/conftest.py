"""Every event of a game has a sentence."""

import pytest

from kaboom.engine.play import Play
from kaboom.engine.texts import Names

SEATS = tuple(f"player {seat}" for seat in range(10))


@pytest.fixture(autouse=True, scope="package")
def whatever_is_told_can_be_said():
    """Check that every event can be put into words: a missing fact would break pages and
    replays.
    """

    def saying(tell):
        def told(play, *what, **facts):
            tell(play, *what, **facts)
            event, game = play.events[-1], getattr(play, "game", None)
            if game is not None:
                for reader in (event.to, event.facts.get("seat")):
                    game.words.say(event.kind, event.facts, Names(SEATS, reader))
                game.words.look_back(event.kind, event.facts, event.to, Names(SEATS))

        return told

    with pytest.MonkeyPatch.context() as patched:
        for name in ("tell", "whisper"):
            patched.setattr(Play, name, saying(getattr(Play, name)))
        yield
