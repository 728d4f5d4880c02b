"""Random players who press what they may at real tables."""

from kaboom.accounts import players
from kaboom.db.encryption import hash_of
from kaboom.engine.engine import must_answer
from kaboom.engine.moves import CLOCK
from kaboom.engine.rng import Chance
from kaboom.engine.toolkit.playthrough import random_turn
from kaboom.lobby import service as seating
from kaboom.play import service as in_match


def key_at(seat):
    """Return the key of the browser of who sits there in the matches played at random."""
    return f"at-random-{seat}"


def positions(service, game, seats, number, most=250, every=6):
    """Play a match of random players at a real table; yield it loaded, every few moves."""
    ids = [players.player(service, hash_of(key_at(n)), f"P{n}")[0] for n in range(seats)]
    options = game.options()
    if game.seats(options)[-1] < seats:
        return
    code = seating.open(service, game.key, options, ids[0], "P0")
    for n in range(1, seats):
        seating.sit(service, code, ids[n], f"P{n}")
    seating.start(service, code, ids[0])
    for n in range(most):
        snapshot = service.look(code)
        if n % every == 0 or snapshot.table.outcome is not None:
            yield snapshot, ids
        if snapshot.table.outcome is not None:
            return
        press_at_random(service, snapshot, ids, Chance(bytes([number] * 32), n, "presses"))


def press_at_random(service, snapshot, ids, chance):
    game, table = snapshot.game, snapshot.table
    move = random_turn(game, snapshot.state, len(ids), chance)
    if move.seat == CLOCK or not must_answer(game, snapshot.state):
        service.now.sleep(400)
        service.lapse(snapshot.code)
        return
    words = " ".join((move.verb, *move.choices))
    token = next(li.token for li in game.listeners(snapshot.state) if _fits(li, move))
    revision = table.revision(move.seat)
    player = table.chairs[move.seat].player
    in_match.submit(
        service, snapshot.code, player, words, token, f"c {table.seq}", table.match, revision
    )


def _fits(listener, move):
    return (listener.seat, listener.verb) == (move.seat, move.verb)
