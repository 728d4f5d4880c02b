"""Tables played to a given moment: opened in the running server's database, played over HTTP."""

import hashlib
import http.client
import itertools
import secrets
import time
from collections.abc import Callable, Sequence
from urllib.parse import urlencode

from kaboom.accounts import players as players_module
from kaboom.db.database import Database
from kaboom.engine.bots.delays import Pace
from kaboom.engine.engine import prompt, random_move, waiting_for
from kaboom.engine.fairness.commitment import new_seed
from kaboom.engine.moves import Seat
from kaboom.engine.rng import Rng
from kaboom.engine.toolkit.cards import rank_of
from kaboom.engine.views import Prompt, View
from kaboom.games import GAMES
from kaboom.lobby import service as lobby
from kaboom.table_page.service import submit
from kaboom.tables import start_match
from kaboom.tables.service import TableService
from kaboom.tables.snapshot import TableSnapshot
from tests.support.effort import PATIENCE
from tests.support.fake_ids import FakeIds
from tests.support.server import SECRET

SEED = bytes(range(32))
COMMANDS = itertools.count(1)


class Stage:
    """The tables of a running server, accessed through its database."""

    def __init__(self, database_url: str, port: int) -> None:
        self.database = Database(database_url, SECRET)
        self.ids = FakeIds()
        self.tables = TableService(self.database, ids=self.ids, pace=Pace.INSTANT)
        self.port = port

    def close(self) -> None:
        self.database.close()

    def get(self, path: str, key: str = "", **headers: str) -> str:
        """Return the text of a page for the viewer with that cookie."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET", path, headers={"Cookie": f"kb={key}"} | headers)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def opened(self, *names: str, game: str = "kaboom", days: int = 0, **options) -> "Match":
        """Return a table with these people seated; the match has not begun."""
        cookies = [secrets.token_urlsafe(16) for _ in names]
        players = [
            players_module.player(self.tables, hashlib.sha256(cookie.encode()).hexdigest(), name)[0]
            for cookie, name in zip(cookies, names, strict=True)
        ]
        wished = GAMES[game].options(**options)
        code = lobby.open(self.tables, game, wished, players[0], names[0], days=days)
        for player, name in zip(players[1:], names[1:], strict=True):
            lobby.sit(self.tables, code, player, name)
        return Match(self, code, cookies, players)

    def begun(self, *names: str, seed: bytes = SEED, **more) -> "Match":
        """Return a table whose match has begun, with the same cards in each run."""
        self.ids.seed = lambda: seed
        match = self.opened(*names, **more)
        self.ids.seed = new_seed
        start_match.start(self.tables, match.code, match.players[0])
        return match


def value_at(now: TableSnapshot, seat: Seat, move: str) -> str:
    """Return the form value of a move's button in that position."""
    verb = move.split()[0]
    offers = prompt(now.game, now.state, seat).offers
    offer = next((offer for offer in offers if offer.verb == verb), None)
    assert offer, f"{move!r} is not among {[offer.verb for offer in offers]}"
    return f"{offer.token} {move}"


def any_move(now: TableSnapshot) -> tuple[Seat, str] | None:
    """Return a random move of a player the table waits for, if there is one."""
    for seat in waiting_for(now.game, now.state) if now.table.playing else ():
        rng = Rng(bytes(32), now.version, f"drift {seat}")
        if move := random_move(now.game, now.state, seat, rng):
            return seat, str(move).split(" ", 1)[1]
    return None


class Match:
    """A table of the stage. `keys` are the players' cookies, by seat."""

    def __init__(self, stage: Stage, code: str, keys: list[str], players: list[int]) -> None:
        self.stage = stage
        self.code = code
        self.path = f"/t/{code}"
        self.keys = keys
        self.players = players

    def look(self) -> TableSnapshot:
        return self.stage.tables.get(self.code)

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
        """Return the current form value of a move's button, with its token."""
        return value_at(self.look(), seat, move)

    def play(self, seat: Seat, move: str) -> None:
        """Make a move over HTTP, so that every open page is updated."""
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
        """Let a player the table waits for make a random move, or let time pass."""
        now = self.look()
        if move := any_move(now):
            self._play_at(now, *move)
        else:
            time.sleep(0.05)

    def drift_unseen(self, now: TableSnapshot) -> TableSnapshot:
        """Make moves directly through the service, in a third of the time; open pages are not
        notified. Return the new state.
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
        """Let every player request the page, because votes count present players."""
        for key in self.keys:
            self.stage.get(self.path, key)

    def post(self, seat: Seat, route: str, **fields: object) -> None:
        """Send one of the table's forms as the player in that seat."""
        self.send(self.keys[seat], route, **fields)

    def send(self, key: str, route: str, **fields: object) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.stage.port, timeout=PATIENCE)
        headers = {"Cookie": f"kb={key}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"{self.path}/{route}", urlencode(fields), headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        assert answer.status == 303, f"{route} {fields}: {answer.status} {text[-2000:]}"


# Kaboom: the seats do the same few things, whatever the cards


def all_ready(match: Match) -> None:
    """Make every player ready."""
    for seat in list(match.waiting):
        match.play(seat, "ready")


def pass_turn(match: Match) -> None:
    """Let the active player draw a card and discard it."""
    seat = match.state.turn
    match.play(seat, "draw")
    match.play(seat, "discard")


def turns_until(match: Match, wanted: Callable[[], bool], most: int = 60) -> None:
    """Play turns until a condition holds."""
    for _ in range(most):
        if wanted():
            return
        pass_turn(match)
    raise AssertionError(f"the condition was not met in {most} turns")


def next_card(match: Match) -> str:
    """Return the next card of the stock."""
    return match.state.stock[-1]


def matching(match: Match, rank_matches: bool = True) -> list[str]:
    """Return all places whose card has (or lacks) the rank of the top discard."""
    state = match.state
    top = rank_of(state.discards[-1].card)
    return [
        f"{owner}.{slot}"
        for owner, grid in enumerate(state.grids)
        for slot, card in enumerate(grid)
        if card and (rank_of(card) == top) == rank_matches
    ]
