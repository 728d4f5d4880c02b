"""Records: finished matches as JSON documents. docs/record.md describes each field."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, DecodeError, Struct, UnsetType, convert, to_builtins

from kaboom.accounts.names import cleaned, fits
from kaboom.engine.bots.bot import Level
from kaboom.engine.codec import from_json
from kaboom.engine.continued_match import Origin
from kaboom.engine.fairness.commitment import board_seed, commitment, match_key
from kaboom.engine.fairness.hash_chain import canonical, digest_of
from kaboom.engine.game import Game
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.options import InvalidOptions, read, written
from kaboom.engine.rng import SEED_BYTES
from kaboom.engine.views import Outcome
from kaboom.games import GAMES
from kaboom.tables.queries import MatchRow, MoveRow
from kaboom.tables.shared_deals.queries import BoardRow

FORMAT = "kaboom record"
VERSION = 1

LARGEST = 1_000_000  # bytes of an uploaded record
MOST_MOVES = 5000  # in an uploaded record
LONGEST_MOVE = 400  # characters of a move
LONGEST_CUT = 60  # characters of a cut, the text that a player adds to the shuffle
CUT_POINTS = 80  # code points of a cut
NAME = (40, 80)  # characters and code points of a name
LONGEST_LABEL = 64
DEEPEST = 5  # matches in a chain of continuations
LATEST = 253_402_300_799.0  # the last second of the year 9999


class Made(Struct, forbid_unknown_fields=True):
    """A logged move: its text, its time (seconds since 1970), and its command id."""

    text: str
    at: float
    cmd: str


class RecordBoard(Struct, forbid_unknown_fields=True):
    """The source of the seed if several tables played the same deal (/api/chance).

    `secret` is hexadecimal; its SHA-256 was published before the cut was drawn.
    """

    label: str
    secret: str
    cut: str

    @property
    def promise(self) -> str:
        """Return the commitment: the SHA-256 of the secret."""
        return commitment(bytes.fromhex(self.secret))

    @property
    def seed(self) -> bytes:
        """Return the seed that all matches on this board share."""
        return board_seed(bytes.fromhex(self.secret), self.label, self.cut)


class Record(Struct, forbid_unknown_fields=True, kw_only=True):
    """A finished match. `names`, `cuts`, `levels` and the lists of the outcome are by seat.

    `levels` has the level of each bot, is empty for people, and is omitted if there are no bots.
    `drawn` has the place that each seat's player had before, if the seats were drawn by lot.
    `board` is present if other tables played the same deal, `origin` if the match continues from a
    step of another one.
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
    origin: Origin | UnsetType = UNSET

    @property
    def key(self) -> bytes:
        """Return the key from which all random draws of the match are derived."""
        return match_key(bytes.fromhex(self.seed), self.cuts)

    @property
    def came_from(self) -> Origin | None:
        """Return the step of another match from which this one continues, or None."""
        return None if self.origin is UNSET else self.origin


class InvalidRecord(ValueError):
    """A document that is not an acceptable record; str() gives the reason in a sentence."""


def record_of(match: MatchRow, log: Sequence[MoveRow], board: BoardRow | None = None) -> Record:
    """Return the record of a finished match; `board` is its shared deal, if any."""
    assert match.ended_at is not None
    outcome = from_json(match.outcome or "", Outcome)
    chain = log[-1].chain if log else commitment(match.seed)
    fields = frame(match, chain, match.ended_at, outcome, board)
    rest = {
        "moves": [{"text": row.text, "at": row.at, "cmd": row.cmd} for row in log],
        # A match that ended before digests existed has none stored.
        "digest": match.digest or digest_of(match.key, fields),
    }
    return convert(fields | rest, Record)


def frame(
    match: MatchRow, chain: str, ended_at: float, outcome: Outcome, board: BoardRow | None
) -> dict[str, Any]:
    """Return all fields of a match's record except the moves and the digest, as plain JSON
    values.
    """
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
        "origin": match.origin and to_builtins(match.origin),
    }
    return fields | {name: value for name, value in more.items() if value}


def text_of(record: Record) -> str:
    """Return the text of a record's file: one line of JSON in ASCII."""
    return canonical(to_builtins(record))


def record_from(text: str) -> Record:
    """Return the record in a file; raises InvalidRecord if it is not acceptable.

    kaboom.records.replay verifies it. Only what the rules do not check is checked here: options,
    names and numbers.
    """
    if len(text) > LARGEST:
        raise InvalidRecord(_("The record is too long."))
    try:
        record = from_json(text, Record)
    except (DecodeError, RecursionError, UnicodeError):
        raise InvalidRecord(
            _(
                "This is not the record of a match. The page of a finished match offers it under "
                "“Download the record”."
            )
        ) from None
    if (record.format, record.version) != (FORMAT, VERSION):
        raise InvalidRecord(_("This record has a different format, or comes from a newer server."))
    game = GAMES.get(record.game)
    if game is None:
        raise InvalidRecord(_("There is no game with that name."))
    if sentence := _unreasonable(record, game):
        raise InvalidRecord(_(sentence))
    return record


def options_of(record: Record, game: Game[Any]) -> Any:
    """Return a record's options as the game's own type; raises InvalidOptions.

    Options that the game did not have at the time get their defaults.
    """
    options = read(game.options, written(record.options))
    if to_builtins(options) != to_builtins(game.options()) | record.options:
        raise InvalidOptions({"": _("The options do not belong to this game.")})
    return options


def _unreasonable(record: Record, game: Game[Any]) -> str | None:
    """Return the reason why a record cannot come from a server, or None."""
    if not _is_secret(record.seed):
        return N_("The seed must be 32 bytes long.")
    if len(record.moves) > MOST_MOVES:
        return N_("It has more moves than this server will check.")
    if any(len(made.text) > LONGEST_MOVE for made in record.moves):
        return N_("One of its moves is too long.")
    if not all(0 <= at <= LATEST for at in (record.started_at, record.ended_at)):
        return N_("Its dates are not valid.")
    seats = len(record.names)
    if any(not name or cleaned(name, *NAME) != name for name in record.names):
        return N_("It contains a name that is not valid.")
    whole = all(fits(cut, LONGEST_CUT, CUT_POINTS) for cut in record.cuts)
    if not whole or len(record.cuts) not in (0, seats):
        return N_("It must have one cut for each seat.")
    if record.levels is not UNSET and not _are_levels(record.levels, seats):
        return N_("It must have one level for each bot.")
    if record.drawn is not UNSET and sorted(record.drawn) != list(range(seats)):
        return N_("The drawn seats do not match its players.")
    if record.board is not UNSET:
        if game.board is None:
            return N_("This game has no shared deals.")
        if not _is_secret(record.board.secret) or len(record.board.label) > LONGEST_LABEL:
            return N_("That is not a shared deal.")
    if (origin := record.came_from) is not None and not _fits(origin, seats):
        return N_("The match that it continues is not valid.")
    if {len(record.outcome.scores), len(record.outcome.places)} != {seats}:
        return N_("It must have one result for each seat.")
    try:
        options = options_of(record, game)
    except InvalidOptions:
        return N_("The options do not belong to this game.")
    if seats not in game.seats(options) or game.why_not(options, seats):
        return N_("With these options, this game cannot be played by that many players.")
    return None


def _fits(origin: Origin, seats: int, deep: int = 1) -> bool:
    """Return True if a match with `seats` seats can continue from this origin."""
    before = origin.before
    return (
        deep <= DEEPEST
        and _is_secret(origin.seed)
        and 0 <= origin.seat < seats
        and origin.step == len(origin.moves) <= MOST_MOVES
        and all(len(text) <= LONGEST_MOVE for text in origin.moves)
        and len(origin.cuts) in (0, seats)
        and all(fits(cut, LONGEST_CUT, CUT_POINTS) for cut in origin.cuts)
        and len(origin.code) <= LONGEST_LABEL
        and (before is None or _fits(before, seats, deep + 1))
    )


def _is_secret(text: str) -> bool:
    """Return True if a text is the hexadecimal form of 32 bytes."""
    try:
        return len(bytes.fromhex(text)) == SEED_BYTES
    except ValueError:
        return False


def _are_levels(levels: Sequence[str], seats: int) -> bool:
    return len(levels) == seats and any(levels) and {*levels} <= {"", *Level}
