"""Tables brought to a moment: opened beside the running server, played over HTTP."""

import hashlib
import http.client
import itertools
import secrets
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from kaboom.accounts import players as keys
from kaboom.db.database import Database
from kaboom.engine.bots.delays import Pace
from kaboom.engine.engine import prompt, random_move, waiting_for
from kaboom.engine.moves import Seat
from kaboom.engine.rng import Chance, new_seed
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.views import Prompt, View
from kaboom.games import GAMES
from kaboom.lobby import service as seating
from kaboom.play.service import submit
from kaboom.tables.service import Tables
from kaboom.tables.snapshot import TableSnapshot
from tests.support.effort import PATIENCE
from tests.support.fake_ids import ChosenLots
from tests.support.server import SECRET

SEED = bytes(range(32))
COMMANDS = itertools.count(1)


class Stage:
    """The tables of a running server, seen through its own database."""

    def __init__(self, database_url: str, port: int) -> None:
        self.database = Database(database_url, SECRET)
        self.lots = ChosenLots()
        self.tables = Tables(self.database, lots=self.lots, pace=Pace.INSTANT)
        self.port = port

    def close(self) -> None:
        self.database.close()

    def get(self, path: str, key: str = "", **headers: str) -> str:
        """Return the text of a page as the one with that cookie is sent it."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers={"Cookie": f"kb={key}"} | headers)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def opened(self, *names: str, game: str = "kaboom", days: int = 0, **options) -> "Match":
        """Return a table where these people sit; the match has not begun."""
        cookies = [secrets.token_urlsafe(16) for _ in names]
        players = [
            keys.player(self.tables, hashlib.sha256(cookie.encode()).hexdigest(), name)[0]
            for cookie, name in zip(cookies, names, strict=True)
        ]
        wished = GAMES[game].options(**options)
        code = seating.open(self.tables, game, wished, players[0], names[0], days=days)
        for player, name in zip(players[1:], names[1:], strict=True):
            seating.sit(self.tables, code, player, name)
        return Match(self, code, cookies, players)

    def begun(self, *names: str, seed: bytes = SEED, **more) -> "Match":
        """Return a table whose match has begun, with cards that are the same in each run."""
        self.lots.seed = lambda: seed
        match = self.opened(*names, **more)
        self.lots.seed = new_seed
        seating.start(self.tables, match.code, match.players[0])
        return match


def value_at(now: TableSnapshot, seat: Seat, move: str) -> str:
    """Return what the button of a move sends in that position."""
    verb = move.split()[0]
    offers = prompt(now.game, now.state, seat).offers
    offer = next((offer for offer in offers if offer.verb == verb), None)
    assert offer, f"{move!r} is not among {[offer.verb for offer in offers]}"
    return f"{offer.token} {move}"


def any_move(now: TableSnapshot) -> tuple[Seat, str] | None:
    """Return a random move of somebody the table waits for, if there is one."""
    for seat in waiting_for(now.game, now.state) if now.table.playing else ():
        chance = Chance(bytes(32), now.version, f"drift {seat}")
        if move := random_move(now.game, now.state, seat, chance):
            return seat, str(move).split(" ", 1)[1]
    return None


class Match:
    """A table on the stage. `keys` are the cookies of those who sit there, by seat."""

    def __init__(self, stage: Stage, code: str, keys: list[str], players: list[int]) -> None:
        self.stage = stage
        self.code = code
        self.path = f"/t/{code}"
        self.keys = keys
        self.players = players

    def look(self) -> TableSnapshot:
        return self.stage.tables.look(self.code)

    @property
    def state(self):
        return self.look().state

    def view(self, seat: Seat | None) -> View:
        snapshot = self.look()
        return snapshot.game.view(snapshot.state, seat)

    def prompt(self, seat: Seat) -> Prompt:
        snapshot = self.look()
        return prompt(snapshot.game, snapshot.state, seat)

    @property
    def waiting(self) -> Sequence[Seat]:
        snapshot = self.look()
        return waiting_for(snapshot.game, snapshot.state) if snapshot.table.playing else ()

    def revision(self, seat: Seat) -> int:
        return self.look().table.revision(seat)

    def value(self, seat: Seat, move: str) -> str:
        """Return what the button of that move sends now: with the token of its offer."""
        return value_at(self.look(), seat, move)

    def play(self, seat: Seat, move: str) -> None:
        """Make a move over HTTP, so that every open page hears of it."""
        self._play_at(self.look(), seat, move)

    def _play_at(self, now: TableSnapshot, seat: Seat, move: str) -> None:
        self.post(
            seat,
            "move",
            move=value_at(now, seat, move),
            match=now.table.match,
            v=now.table.revision(seat),
            cmd=f"stage {next(COMMANDS)}",
            sure=1,
        )

    def drift(self) -> None:
        """Somebody the table waits for makes a random move; else time passes."""
        now = self.look()
        if move := any_move(now):
            self._play_at(now, *move)
        else:
            time.sleep(0.05)

    def drift_unseen(self, now: TableSnapshot) -> TableSnapshot:
        """The same without the server, in a third of its time: no open page hears of it. Return
        what is so then.
        """
        if found := any_move(now):
            seat, move = found
            token = value_at(now, seat, move).split(" ", 1)[0]
            cmd, table = f"stage {next(COMMANDS)}", now.table
            player, revision = self.players[seat], now.table.revision(seat)
            return submit(
                self.stage.tables, self.code, player, move, token, cmd, table.match, revision
            )
        time.sleep(0.05)
        return self.look()

    def all_are_here(self) -> None:
        """Let everybody ask for the page: who is here has a say in a vote."""
        for key in self.keys:
            self.stage.get(self.path, key)

    def post(self, seat: Seat, route: str, **fields: object) -> None:
        """Send one of the table's forms as the person of that seat."""
        self.send(self.keys[seat], route, **fields)

    def send(self, key: str, route: str, **fields: object) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.stage.port, timeout=PATIENCE)
        headers = {"Cookie": f"kb={key}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{self.path}/{route}", urlencode(fields), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status == 303, f"{route} {fields}: {answer.status} {text[-2000:]}"


# Kaboom: the seats do the same few things whatever the cards are


def all_ready(match: Match) -> None:
    """Everybody says that they are ready."""
    for seat in list(match.waiting):
        match.play(seat, "ready")


def pass_turn(match: Match) -> None:
    """Whoever is on turn draws a card and discards it."""
    seat = match.state.turn
    match.play(seat, "draw")
    match.play(seat, "discard")


def turns_until(match: Match, wanted: Callable[[], bool], most: int = 60) -> None:
    """Let turns pass until something is so."""
    for _ in range(most):
        if wanted():
            return
        pass_turn(match)
    raise AssertionError(f"not so after {most} turns")


def next_card(match: Match) -> str:
    """Return the card that would be drawn now."""
    return match.state.stock[-1]


def matching(match: Match, rank_matches: bool = True) -> list[str]:
    """Return all places whose card has the rank of the top discard (or has not)."""
    state = match.state
    top = rank_of(state.discards[-1].card)
    return [
        f"{owner}.{slot}"
        for owner, grid in enumerate(state.grids)
        for slot, card in enumerate(grid)
        if card and (rank_of(card) == top) == rank_matches
    ]
