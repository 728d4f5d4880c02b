"""Finished matches: records created in memory, and matches played to the end at a table."""

import pytest
from msgspec import to_builtins

from kaboom.accounts import players
from kaboom.engine.codec import to_json
from kaboom.engine.fairness.commitment import commitment, match_key, places_drawn
from kaboom.engine.fairness.hash_chain import linked
from kaboom.engine.options import seating_of
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.playthrough import NAMES, random_match, random_turn
from kaboom.games import GAMES, sample
from kaboom.lobby import service as lobby
from kaboom.tables import start_match
from kaboom.tables.match_record import record_of
from kaboom.tables.queries import MatchRow, MoveRow

AT_ONCE = 20  # moves


def made(key, number, seats=None, cuts=(), most=2000, levels=(), played=random_match, **options):
    """Return the record of a match that ended by the rules, `played` by random players or others.

    `cuts` are by seat, or by place before the seats are drawn if `options` ask for a draw. None if
    it has not ended after `most` moves.
    """
    game = GAMES[key]
    chosen = game.options(**{**sample(key).short, **options})
    seed = number.to_bytes(32, "big")
    seats = seats or game.seats(chosen)[0]
    names = list(NAMES[:seats])
    cuts = list(cuts) or [""] * seats
    drawn = places_drawn(seed, cuts, seating_of(chosen))
    if drawn:
        names, cuts = [names[it] for it in drawn], [cuts[it] for it in drawn]
    secret = match_key(seed, cuts)
    moves, last = played(game, seats, chosen, secret, most)
    outcome = game.outcome(last)
    if outcome is None:
        return None
    match = MatchRow(
        id=1,
        code="ABCDEFGH",
        table_id=1,
        number=1,
        game=key,
        game_version=game.version,
        options=to_json(to_builtins(chosen)).decode(),
        names=to_json(names).decode(),
        seed=seed,
        cuts=to_json(cuts).decode(),
        started_at=1_000_000.25,
        ended_at=1_000_900.5,
        outcome=to_json(outcome).decode(),
        digest=None,
        hidden=False,
        levels=to_json(list(levels)).decode(),
        drawn=to_json(drawn).decode(),
    )
    log, chain = [], commitment(seed)
    for seq, text in enumerate(moves, start=1):
        at, cmd = 1_000_000.25 + 1.3 * seq, f"{seq} {text[:9]}"
        chain = linked(secret, chain, seq, cmd, text, at)
        log.append(MoveRow(seq, cmd, text, at, chain))
    return record_of(match, log)


def play_to_the_end(tables, key, bots=None, names=("Ann",), **options):
    """Seat people and bots, and play at random to the end; return the table's code and the people's
    ids.
    """
    game = GAMES[key]
    chosen = game.options(**{**sample(key).short, **options})
    most = game.seats(chosen)
    ids = [players.player(tables, f"key of {name}", name)[0] for name in names]
    code = lobby.open(tables, key, chosen, ids[0], names[0])
    for player, name in zip(ids[1:], names[1:], strict=True):
        lobby.sit(tables, code, player, name)
    for _ in range(bots if bots is not None else max(0, most[0] - len(names))):
        lobby.add_bot(tables, code, ids[0])
    for player in ids:
        start_match.ready(tables, code, player)
    finish(tables, code)
    return code, ids


def finish(tables, code, most=6000):
    """Play a table's match to its end, some moves in each transaction: one for each takes long."""
    game, made = tables.get(code).game, 0

    def moves(transaction):
        nonlocal made
        for _ in range(AT_ONCE):
            if not transaction.table.playing:
                return
            rng = Rng(b"\5" * 32, made, "players")
            move = random_turn(game, transaction.state, len(transaction.table.seats), rng)
            transaction.play(move, f"test {made}")
            made += 1

    while tables.get(code).table.playing:
        assert made < most, "the match does not end"
        tables.change(code, moves)


@pytest.fixture
def finished_match(service, table):
    """A finished match of Ann and Ben: their browsers, and the address of its record."""
    path, people = table("Ann", "Ben", game="gops")
    code = path.rsplit("/", 1)[1]
    finish(service, code)
    return people, f"/m/{service.get(code).table.record}"
