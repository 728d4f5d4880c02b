"""Random players who press what they may at real tables."""

from kaboom.core.chance import Chance
from kaboom.core.engine import must_answer
from kaboom.core.moves import CLOCK
from kaboom.core.playthrough import random_turn


def positions(service, game, seats, number, most=250, every=6):
    """Play a match of random players at a real table; yield it loaded, every few moves."""
    ids = [service.player(f"{game.key} {number} {n}", f"P{n}")[0] for n in range(seats)]
    options = game.options()
    if game.seats(options)[-1] < seats:
        return
    code = service.open(game.key, options, ids[0], "P0")
    for n in range(1, seats):
        service.sit(code, ids[n], f"P{n}")
    service.start(code, ids[0])
    for n in range(most):
        loaded = service.look(code)
        if n % every == 0 or loaded.table.outcome is not None:
            yield loaded, ids
        if loaded.table.outcome is not None:
            return
        press_at_random(service, loaded, ids, Chance(bytes([number] * 32), n, "presses"))


def press_at_random(service, loaded, ids, chance):
    game, table = loaded.game, loaded.table
    move = random_turn(game, loaded.state, len(ids), chance)
    if move.seat == CLOCK or not must_answer(game, loaded.state):
        service.now.sleep(400)
        service.lapse(loaded.code)
        return
    words = " ".join((move.verb, *move.choices))
    token = next(li.token for li in game.listeners(loaded.state) if _fits(li, move))
    revision = table.revision(move.seat)
    player = table.chairs[move.seat].player
    service.submit(loaded.code, player, words, token, f"c {table.seq}", table.match, revision)


def _fits(listener, move):
    return (listener.seat, listener.verb) == (move.seat, move.verb)
