"""The schemas of responses to programs. They are guaranteed: fields may be added, but none is ever
renamed, retyped or removed (docs/api.md). Texts for people may change at any time.

The schemas of a single feature are in its schemas.py.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kaboom.engine.table_view import Clock, VoteLine
from kaboom.engine.views import Outcome, Scores, Zone

VERSION = 1


class Chair(Struct, omit_defaults=True, kw_only=True):
    """A seat at the table; `name` is empty while it is free. `bot`: a built-in bot; `program`: a
    player's own bot, whose name includes its owner's. `playing` is "bot" while a bot substitutes
    for the player, and "gone" once the player has left. `page` is the URL of the player's public
    page, if there is one.
    """

    seat: int
    name: str = ""
    bot: bool = False
    level: str = ""
    program: bool = False
    mine: bool = False
    host: bool = False
    ready: bool = False
    playing: str = ""
    page: str = ""


class Option(Struct, omit_defaults=True):
    """An option of a move: its number in the list, its name in moves, and its label. `preview`
    describes its effect. `impossible`: no legal choice contains it at present.
    """

    n: int
    choice: str
    label: str
    short: str
    preview: str = ""
    impossible: bool = False


class Move(Struct, omit_defaults=True, kw_only=True):
    """A possible move. Choose `least` to `most` of the options, in order if `ordered`; `n` is the
    number that stands for choosing nothing, if that is possible. Not every choice is legal; those
    in `some` are. `blocks`: the table waits for this. `confirm`: ask people first. `preview`
    describes the effect, if it does not depend on the choice. `prepares`: it only prepares another
    move, invisibly to other players. `numbers`: the options are whole numbers.
    """

    verb: str
    label: str
    answers: str
    least: int
    most: int
    ordered: bool
    blocks: bool
    confirm: bool
    options: list[Option]
    some: list[tuple[str, ...]]
    n: int | UnsetType = UNSET
    rule: str = ""
    ask: str = ""
    preview: str = ""
    prepares: bool = False
    numbers: bool = False


class Heard(Struct):
    """A log line, with its number for this viewer. `fresh`: since the viewer's last move. `facts`
    are those in its text: seats, and cards and places by their names in moves.
    """

    n: int
    kind: str
    text: str
    fresh: bool
    facts: dict[str, Any] = {}


class HouseMove(Struct):
    """A move the host may request from the game: the `move` to send, and its label."""

    move: str
    label: str


class Affairs(Struct, omit_defaults=True, kw_only=True):
    """What happens besides the game: pauses, votes, substitute bots, hints. `plan` is your premove;
    with `plan_comes` it answers the current prompt, and will be made in a moment unless you move
    first. `house` is for the host only.
    """

    paused: bool = False
    vote: VoteLine | None = None
    away: bool = False
    done: list[str] = []
    hint: str = ""
    bots_for: list[str] = []
    may_propose: bool = False
    may_ask: bool = False
    frozen: str = ""
    late: bool = False
    plan: str = ""
    plan_comes: bool = False
    house: list[HouseMove] = []


class Waited(Struct):
    """A player for whom a correspondence match waits: the seconds left, null on vacation, and the
    same in words. `bank` of these seconds come from the time bank.
    """

    seat: int
    left: float | None
    text: str
    nudge: bool
    bank: float = 0


class Table(Struct, kw_only=True):
    """A whole table as one viewer sees it. `stage` is open (no match is on), playing, over, or
    closed (hidden from this viewer). `me` is the viewer's seat, null for a spectator. `days` are
    the days per decision of a correspondence match; `bank` has the days of each player's time bank,
    and `waits` has the remaining times. `promise` is the SHA-256 hash of the next match's seed,
    `commitment` that of this match's seed. `programs`: players' bots are welcome.
    """

    format: str = "kaboom table"
    version: int = VERSION
    code: str
    game: str
    game_version: int
    stage: str
    match: int
    revision: int
    me: int | None
    names: list[str]
    chairs: list[Chair]
    least: int
    most: int
    options: Any
    waited: bool
    waiting: list[int]
    menu: str
    text: str
    say: str
    zones: tuple[Zone, ...]
    facts: dict[str, Any]
    scores: Scores | None
    moves: list[Move]
    log: list[Heard]
    clocks: list[Clock]
    days: int = 0
    bank: int = 0
    waits: list[Waited] = []
    affairs: Affairs
    outcome: Outcome | None
    record: str
    links: dict[str, str]
    promise: str = ""
    commitment: str = ""
    programs: bool = False


class Rule(Struct):
    """A heading of the rules page that explains a refusal."""

    id: str
    href: str


class Problem(Struct, omit_defaults=True, kw_only=True):
    """The reason for a refusal (RFC 9457), and the unchanged table."""

    type: str
    title: str
    status: int
    detail: str
    changed: bool | UnsetType = UNSET
    rule: Rule | None = None
    fields: dict[str, str] = {}
    over: bool = False
    now: Table | None = None


class Listed(Struct):
    """A table in the lobby. `programs`: players' bots are welcome. `length` is the usual length of
    a match in words, empty if unknown. `manner`: whether the host finishes matches, in words.
    `reliable`: players who often leave may not sit down.
    """

    code: str
    game: str
    host: str
    taken: int
    least: int
    most: int
    playing: bool
    locked: bool
    timed: bool
    options: str
    programs: bool = False
    length: str = ""
    manner: str = ""
    reliable: bool = False


class Lobby(Struct, kw_only=True):
    """A page of the lobby; the first page is 0."""

    format: str = "kaboom lobby"
    version: int = VERSION
    tables: list[Listed]
    page: int
    more: bool


class GameOption(Struct, omit_defaults=True, kw_only=True):
    """An option of a game: a number from `least` to `most`, a switch, or a choice of `values`.
    Missing `least` and `most` are 0, and a missing `step` is 1.
    """

    name: str
    label: str
    help: str
    kind: str
    default: Any
    least: float = 0
    most: float = 0
    step: float = 1
    values: dict[str, str] = {}


class Way(Struct):
    """A preset: the options that it changes."""

    key: str
    name: str
    help: str
    options: dict[str, Any]


class Game(Struct):
    """A game: its usual numbers of players (an option may allow more), its options and its presets.
    `lowest_wins`: the player with the fewest points wins.
    """

    key: str
    name: str
    tagline: str
    version: int
    least: int
    most: int
    options: list[GameOption]
    ways: list[Way]
    lowest_wins: bool = False


class Games(Struct, kw_only=True):
    """The games of this server."""

    format: str = "kaboom games"
    version: int = VERSION
    games: list[Game]


class Verb(Struct, omit_defaults=True, kw_only=True):
    """A move of a game: the label of its button, the rules heading that explains it, and what is
    chosen, if anything. `host`: only the host may make it. `prepares`: it only prepares another
    move, invisibly to other players.
    """

    label: str
    rule: str
    chooses: str = ""
    host: bool = False
    prepares: bool = False


class Vocabulary(Struct, kw_only=True):
    """The names a program meets in a game: its verbs, zones, facts and marks, described in English.
    `plans`: some verbs can be premoves. `besides` lists the moves that a table adds to the game's
    own; VERB stands for a verb of the game. `dealing` describes in English how the first deal is
    derived from the shuffle. In a label, … stands for a value that depends on the table. `log` has
    the current English sentence for each kind of line and status, with the names of its facts.
    """

    format: str = "kaboom vocabulary"
    version: int = VERSION
    game: str
    name: str
    game_version: int
    plans: bool
    verbs: dict[str, Verb]
    zones: dict[str, str]
    facts: dict[str, str]
    besides: dict[str, Verb] = {}
    dealing: str = ""
    marks: dict[str, str] = {}
    log: dict[str, str] = {}


class Section(Struct):
    """A section of the rules; `id` is its name in refusals, and `text` is Markdown in which code
    spans of cards stand for the cards. The text before the first heading has no `id`.
    """

    id: str
    level: int
    heading: str
    text: str


class Rules(Struct, kw_only=True):
    """The rules of a game under these options."""

    format: str = "kaboom rules"
    version: int = VERSION
    game: str
    language: str
    options: Any
    sections: list[Section]


class Told(Struct):
    """A log line of a step."""

    kind: str
    text: str


class Forged(Struct, kw_only=True):
    """An invalid record: `wrong` gives the reasons in sentences, and `claims` is what was sent."""

    format: str = "not genuine"
    version: int = VERSION
    wrong: list[str] = []
    claims: Any


class Step(Struct, kw_only=True):
    """A finished match after a step (0 is the deal). `seat` is the viewpoint, null for a
    spectator's; `open`: every card is shown. If the record is not `genuine`, `wrong` gives the
    reasons in sentences, and everything else is only claimed.
    """

    format: str = "kaboom step"
    version: int = VERSION
    code: str
    game: str
    game_version: int
    genuine: bool = True
    wrong: list[str] = []
    step: int
    last: int
    seat: int | None
    open: bool
    names: list[str]
    text: str
    zones: tuple[Zone, ...]
    facts: dict[str, Any]
    scores: Scores | None
    said: list[Told]
    links: dict[str, str]


class Turn(Struct):
    """One of your matches. `mine`: it is your turn; `left` is the seconds until the turn is
    decided for you, null without a clock. `number` changes with each turn, which began at
    `since`. `days`: it is a correspondence match (its Table has the number); `vacation`: you are
    on vacation, and the clock stands still. `opens`: a tournament's table waits for you to be
    ready, and the match has not begun. `vote`: an open vote of a correspondence match that you
    have not answered, or null; `vote_left` is the seconds until it lapses.
    """

    code: str
    game: str
    mine: bool
    waiting: tuple[str, ...]
    left: float | None
    number: int
    since: float
    paused: bool
    days: bool
    vacation: bool
    opens: bool = False
    vote: str | None = None
    vote_left: float | None = None


class ToCheckIn(Struct):
    """A tournament (`/tournaments/CODE`) whose check-in you have not answered; `left` is the
    seconds until it closes.
    """

    code: str
    name: str
    game: str
    left: float


class Turns(Struct, kw_only=True):
    """Your matches and open check-ins, most urgent first."""

    format: str = "kaboom turns"
    version: int = VERSION
    tables: list[Turn]
    check_ins: list[ToCheckIn] = []


class Guest(Struct):
    """A new guest's key, shown only once. Send it as `Authorization: Bearer KEY`."""

    name: str
    key: str
    scopes: list[str]
    expires: str  # date and time, in UTC
