"""Random players at real tables."""

from kaboom.accounts import players
from kaboom.db.encryption import hash_of
from kaboom.engine.engine import must_answer
from kaboom.engine.moves import CLOCK
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.lobby import service as lobby
from kaboom.table_page import service as match
from kaboom.tables import start_match


def key_at(seat):
    """Return the browser's key of the player in a seat of the random matches."""
    return f"at-random-{seat}"


def positions(service, game, seats, number, most=250, every=6):
    """Play a match between random players at a real table; yield it loaded, every few moves."""
    ids = [players.player(service, hash_of(key_at(n)), f"P{n}")[0] for n in range(seats)]
    options = game.options()
    if game.seats(options)[-1] < seats:
        return
    code = lobby.open(service, game.key, options, ids[0], "P0")
    for n in range(1, seats):
        lobby.sit(service, code, ids[n], f"P{n}")
    start_match.start(service, code, ids[0])
    for n in range(most):
        snapshot = service.get(code)
        if n % every == 0 or snapshot.table.outcome is not None:
            yield snapshot, ids
        if snapshot.table.outcome is not None:
            return
        press_at_random(service, snapshot, ids, Rng(bytes([number] * 32), n, "presses"))


def press_at_random(service, snapshot, ids, rng):
    game, table = snapshot.game, snapshot.table
    move = random_turn(game, snapshot.state, len(ids), rng)
    if move.seat == CLOCK or not must_answer(game, snapshot.state):
        service.now.sleep(400)
        service.run_due(snapshot.code)
        return
    words = " ".join((move.verb, *move.choices))
    token = next(li.token for li in game.listeners(snapshot.state) if _fits(li, move))
    revision = table.revision(move.seat)
    player = table.chairs[move.seat].player
    match.submit(
        service, snapshot.code, player, words, token, f"c {table.seq}", table.match, revision
    )


def _fits(listener, move):
    return (listener.seat, listener.verb) == (move.seat, move.verb)
