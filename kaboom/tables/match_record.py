"""A record: one finished match as a JSON document. docs/record.md describes it field by field."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, DecodeError, Struct, UnsetType, convert, to_builtins

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.game import Game
from kaboom.engine.hash_chain import canonical, digest_of
from kaboom.engine.i18n import mark, say
from kaboom.engine.options import InvalidOptions, read, written
from kaboom.engine.rng import SEED_BYTES, board_seed, commitment, match_key
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.tables.queries import MatchRow, MoveRow
from kaboom.tables.shared_deals.queries import BoardRow

FORMAT = "kaboom record"
VERSION = 1

LARGEST = 1_000_000  # bytes of a record from elsewhere
MOST_MOVES = 5000  # of a record from elsewhere
LONGEST_MOVE = 400  # characters
LONGEST_CUT = 60  # of a player's words for the shuffle
CUT_POINTS = 80  # code points of them
NAME = (40, 80)  # characters and code points of a name
LONGEST_LABEL = 64
LATEST = 253_402_300_799.0  # the last second of the year 9999


class Made(Struct, forbid_unknown_fields=True):
    """A move as it was logged: its text, when (seconds since 1970), and its command id."""

    text: str
    at: float
    cmd: str


class RecordBoard(Struct, forbid_unknown_fields=True):
    """From what the seed follows where many tables played the same deal (/api/chance).

    `secret` is hexadecimal; its SHA-256 was published before there was the cut.
    """

    label: str
    secret: str
    cut: str

    @property
    def promise(self) -> str:
        """Return what was published beforehand: the SHA-256 of the secret."""
        return commitment(bytes.fromhex(self.secret))

    @property
    def seed(self) -> bytes:
        """Return the seed of each of the matches."""
        return board_seed(bytes.fromhex(self.secret), self.label, self.cut)


class Record(Struct, forbid_unknown_fields=True, kw_only=True):
    """A finished match. `names`, `cuts`, `levels` and what the outcome holds are by seat.

    `levels` says how well its bots play, and is empty for people; it is there if there were bots.
    `drawn` is there if the seats were drawn by lot: the place that each seat's player had before.
    `board` is there if other tables played the same deal.
    """

    format: str
    version: int
    code: str
    number: int  # of the match at its table
    game: str
    game_version: int
    options: dict[str, bool | int | float | str]
    names: list[str]
    commitment: str
    seed: str  # hexadecimal
    cuts: list[str]
    started_at: float
    ended_at: float
    outcome: Outcome
    moves: list[Made]
    chain: str
    digest: str
    levels: list[str] | UnsetType = UNSET
    drawn: list[int] | UnsetType = UNSET
    board: RecordBoard | UnsetType = UNSET

    @property
    def key(self) -> bytes:
        """Return the key of all random draws of the match."""
        return match_key(bytes.fromhex(self.seed), self.cuts)


class InvalidRecord(ValueError):
    """Something that cannot be shown as a record; str() says why in a sentence."""


def record_of(match: MatchRow, log: Sequence[MoveRow], board: BoardRow | None = None) -> Record:
    """Return the record of a finished match; `board` is the one it was a match of."""
    assert match.ended_at is not None
    outcome = from_json(match.outcome or "", Outcome)
    chain = log[-1].chain if log else commitment(match.seed)
    fields = frame(match, chain, match.ended_at, outcome, board)
    key = match_key(match.seed, fields["cuts"])
    rest = {
        "moves": [{"text": row.text, "at": row.at, "cmd": row.cmd} for row in log],
        "digest": match.digest or digest_of(key, fields),  # none: ended before records had one
    }
    return convert(fields | rest, Record)


def frame(
    match: MatchRow, chain: str, ended_at: float, outcome: Outcome, board: BoardRow | None
) -> dict[str, Any]:
    """Return all fields of a match's record but the moves and the digest, as plain JSON values."""
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "code": match.code,
        "number": match.number,
        "game": match.game,
        "game_version": match.game_version,
        "options": from_json(match.options, dict),
        "names": from_json(match.names, list),
        "commitment": commitment(match.seed),
        "seed": match.seed.hex(),
        "cuts": from_json(match.cuts, list),
        "started_at": match.started_at,
        "ended_at": ended_at,
        "outcome": to_builtins(outcome),
        "chain": chain,
    }
    more = {
        "levels": from_json(match.levels, list),
        "drawn": from_json(match.drawn, list),
        "board": board and {"label": board.label, "secret": board.secret.hex(), "cut": board.cut},
    }
    return fields | {name: value for name, value in more.items() if value}


def text_of(record: Record) -> str:
    """Return a record as a file: one line of JSON in ASCII."""
    return canonical(to_builtins(record))


def record_from(text: str) -> Record:
    """Return the record a file holds; raises InvalidRecord when it cannot be shown.

    Whether it is true is another question (kaboom.records.replay). Everything the rules
    would take on trust is limited here: options, names, numbers.
    """
    if len(text) > LARGEST:
        raise InvalidRecord(say("This is too long for a record."))
    try:
        record = from_json(text, Record)
    except (DecodeError, RecursionError, UnicodeError):
        raise InvalidRecord(say("This is not a record of a match: see /api/records.")) from None
    if (record.format, record.version) != (FORMAT, VERSION):
        raise InvalidRecord(say("This is a record of another format, or of a later server."))
    game = GAMES.get(record.game)
    if game is None:
        raise InvalidRecord(say("There is no game of that name here."))
    if sentence := _unreasonable(record, game):
        raise InvalidRecord(say(sentence))
    return record


def options_of(record: Record, game: Game[Any]) -> Any:
    """Return a record's options as the game's own type; raises InvalidOptions.

    Options the game did not have yet are as usual.
    """
    options = read(game.options, written(record.options))
    if to_builtins(options) != to_builtins(game.options()) | record.options:
        raise InvalidOptions({"": say("The options are not those of this game.")})
    return options


def _unreasonable(record: Record, game: Game[Any]) -> str | None:
    """Return what shows that no server wrote a record, or None."""
    if not _is_secret(record.seed):
        return mark("The seed is not 32 bytes long.")
    if len(record.moves) > MOST_MOVES:
        return mark("It has more moves than this server will check.")
    if any(len(made.text) > LONGEST_MOVE for made in record.moves):
        return mark("One of its moves is too long.")
    if not all(0 <= at <= LATEST for at in (record.started_at, record.ended_at)):
        return mark("Its dates cannot be right.")
    seats = len(record.names)
    if any(not name or cleaned(name, *NAME) != name for name in record.names):
        return mark("One of its names is one that nobody could have here.")
    whole = all(fits(cut, LONGEST_CUT, CUT_POINTS) for cut in record.cuts)
    if not whole or len(record.cuts) not in (0, seats):
        return mark("There is not one cut for each seat.")
    if record.levels is not UNSET and not _are_levels(record.levels, seats):
        return mark("There is not one level for each bot.")
    if record.drawn is not UNSET and sorted(record.drawn) != list(range(seats)):
        return mark("The seats that were drawn are not those of its players.")
    if record.board is not UNSET:
        if game.board is None:
            return mark("This game is not dealt the same at several tables.")
        if not _is_secret(record.board.secret) or len(record.board.label) > LONGEST_LABEL:
            return mark("That is no deal for several tables.")
    if {len(record.outcome.scores), len(record.outcome.places)} != {seats}:
        return mark("There is not one result for each seat.")
    try:
        options = options_of(record, game)
    except InvalidOptions:
        return mark("The options are not those of this game.")
    if seats not in game.seats(options) or game.why_not(options, seats):
        return mark("This game cannot be played by that many with these options.")
    return None


def _is_secret(text: str) -> bool:
    """Say whether a text is 32 bytes in hexadecimal."""
    try:
        return len(bytes.fromhex(text)) == SEED_BYTES
    except ValueError:
        return False


def _are_levels(levels: Sequence[str], seats: int) -> bool:
    return len(levels) == seats and any(levels) and {*levels} <= {"", *Level}
