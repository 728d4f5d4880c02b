"""Challenges: one deal for all, compared by players who have finished."""

import pytest

from kaboom.accounts import players
from kaboom.accounts.erase import erase
from kaboom.challenges import service as challenges
from kaboom.challenges.service import ChallengeNotFound
from kaboom.engine.bots.bot import Level
from kaboom.engine.engine import random_move
from kaboom.engine.rng import Rng
from kaboom.errors import InvalidState
from kaboom.records.access import RecordNotFound
from kaboom.records.play_on_service import Wish
from kaboom.records.service import MatchArchive
from tests.support.finished_matches import finish, play_to_the_end


@pytest.fixture
def archive(service):
    return MatchArchive(service)


@pytest.fixture
def challenged(service, archive):
    """Return a function that creates a challenge from a step of Ann's match, and returns
    its code.
    """

    def made(key="gops", step=0, seat=0, as_it_was=False):
        code, (ann,) = play_to_the_end(service, key)
        replay, around = archive.find(service.get(code).table.record, "key of Ann")
        wish = Wish(step, seat, Level.EASY, as_it_was)
        return challenges.make(service, replay, around, wish, ann)

    return made


def accepts(tables, code, name):
    """Open a player's table at a challenge; return its code."""
    player, name = players.player(tables, f"key of {name}", name)
    return challenges.play(tables, code, player, name)


def play(tables, at, number):
    """Play a table to its end: the person with this random seed, bots as usual."""
    seen = tables.get(at)
    seat = next(seat for seat, it in seen.table.sitting() if not it.bot)
    rng = Rng(bytes([number]) * 32, 0)
    for _ in range(2000):
        seen = tables.get(at)
        if not seen.table.playing:
            return
        move = random_move(seen.game, seen.state, seat, rng)
        if move is not None and seen.prompts[seat].waited_for:
            tables.change(at, lambda it, move=move: it.play(move, f"p {it.table.seq}"))
        else:
            tables.now.sleep(60)
            tables.run_due(at)
    raise AssertionError("it did not end")


def test_all_challengers_begin_in_the_same_state(challenged, service):
    code = challenged("kaboom", step=4)
    tables = [accepts(service, code, name) for name in ("Ann", "Ben", "Cat")]
    states = [service.get(at).state for at in tables]
    assert states[0] == states[1] == states[2]
    assert [service.get(at).table.board for at in tables] == [f"challenge {code}"] * 3
    assert accepts(service, code, "Ben") == tables[1], "only one attempt counts"


def test_identical_play_gives_identical_results(challenged, service, archive):
    code = challenged("gops")
    for name in ("Ann", "Ben"):
        play(service, accepts(service, code, name), 1)
    lines = challenges.find(service, code, "key of Ann").lines
    lines = challenges.compared(archive, lines, 0, "key of Ann")
    (mine,) = [line for line in lines if line.mine]
    (ben,) = [line for line in lines if not line.mine]
    assert ben.compared and ben.parted is None
    assert (ben.place, ben.points) == (mine.place, mine.points)


def test_comparison_shows_where_the_moves_diverged(challenged, service, archive):
    code = challenged("gops")
    for number, name in enumerate(("Ann", "Ben")):
        play(service, accepts(service, code, name), number)
    lines = challenges.find(service, code, "key of Ben").lines
    lines = challenges.compared(archive, lines, 0, "key of Ben")
    (ann,) = [line for line in lines if not line.mine]
    assert ann.parted is not None
    mine = next(line.record for line in lines if line.mine)
    one, other = (archive.find(it, "key of Ben")[0] for it in (mine, ann.record))
    moves = [str(it.steps[step].move) for it, step in
             ((one, ann.parted.one), (other, ann.parted.other))]  # fmt: skip
    assert moves[0] != moves[1] and all(move.startswith("0 bid") for move in moves)


def test_others_results_are_hidden_until_the_viewer_finishes(challenged, service, archive):
    code = challenged("gops")
    at = accepts(service, code, "Ann")
    play(service, at, 1)
    record = service.get(at).table.record
    for key in ("key of Ben", "key of nobody"):
        found = challenges.find(service, code, key)
        assert (found.lines, found.finished, found.secret) == ((), 1, "")
        with pytest.raises(RecordNotFound, match="still being played"):
            archive.find(record, key)
    mine = accepts(service, code, "Ben")
    with pytest.raises(RecordNotFound):
        archive.find(record, "key of Ben")
    play(service, mine, 2)
    _replay, around = archive.find(record, "key of Ben")
    assert around.own == 0 and not around.mine


def test_challenge_of_an_erased_player_is_no_visitors_own(challenged, service):
    code = challenged("gops")
    assert challenges.find(service, code, "key of Ann").own
    erase(service, "key of Ann")
    assert not challenges.find(service, code, "key of nobody").own


def test_closed_challenge_reveals_everything(challenged, service, archive, fake_clock):
    code = challenged("gops")
    at = accepts(service, code, "Ann")
    play(service, at, 1)
    fake_clock.time += (challenges.DAYS + 1) * 86400.0
    found = challenges.find(service, code, "key of nobody")
    assert found.closed and found.secret and len(found.lines) == 1
    replay, around = archive.find(service.get(at).table.record, "key of nobody")
    assert around.own is None and not replay.wrong
    late = accepts(service, code, "Dan")
    play(service, late, 3)
    assert challenges.find(service, code, "key of Dan").finished == 1


@pytest.mark.slow
@pytest.mark.parametrize("key", ["gops", "kaboom", "karata", "koth", "taken"])
def test_records_of_a_challenge_verify(challenged, service, archive, fake_clock, key):
    code = challenged(key, step=3, seat=1, as_it_was=True)
    at = accepts(service, code, "Ben")
    finish(service, at)
    replay, _around = archive.find(service.get(at).table.record, "key of Ben")
    assert list(replay.wrong) == []
    assert replay.record.board.label == f"challenge {code}"
    assert archive.statistics("key of Ben", 9).total == 0


def test_challenge_from_a_hidden_or_running_match_is_refused(service, archive):
    code, (ann,) = play_to_the_end(service, "gops")
    record = service.get(code).table.record
    archive.hide(record, "key of Ann", True)
    replay, around = archive.find(record, "key of Ann")
    with pytest.raises(InvalidState, match="hidden"):
        challenges.make(service, replay, around, Wish(0, 0, Level.EASY, False), ann)
    with pytest.raises(InvalidState, match="over at this step"):
        wish = Wish(replay.last, 0, Level.EASY, False)
        challenges.make(service, replay, around, wish, ann)


def test_unknown_challenge_is_not_found(service):
    with pytest.raises(ChallengeNotFound):
        challenges.find(service, "ABCDEFGH", "key of Ann")
    with pytest.raises(ChallengeNotFound):
        challenges.play(service, "ABCDEFGH", 1, "Ann")
