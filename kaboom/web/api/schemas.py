"""The shapes of what programs are sent. They are promised: a field may be added, and none is ever
renamed, given another type or dropped (docs/api.md). Texts for people may change any day.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kaboom.engine.table_view import Clock, VoteLine
from kaboom.engine.views import Outcome, Scores, Zone

VERSION = 1


class Chair(Struct, omit_defaults=True, kw_only=True):
    """One chair at the table; `name` is empty while it is free. `bot`: one of the house; `program`:
    one of a player's own, whose name says whose it is. `playing` says "bot" where a bot
    plays for whoever sits there, "gone" for who has left.
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


class Option(Struct, omit_defaults=True):
    """Something that can be chosen: its number in the list, how moves name it, and in words.
    `preview` says what it would do. `impossible`: no legal choice holds it as things are.
    """

    n: int
    choice: str
    label: str
    short: str
    preview: str = ""
    impossible: bool = False


class Move(Struct, omit_defaults=True, kw_only=True):
    """One thing that may be done now. `least` to `most` of the options are chosen, in order if
    `ordered`; `n` is the number of choosing nothing, where that is possible. Not every choice is
    legal: those in `some` are. `blocks`: the table waits for this. `confirm`: ask people first.
    `preview` says what it would do, where that does not depend on what is chosen. `prepares`: it
    only prepares another move, and nobody else sees it. `numbers`: the options are whole numbers.
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
    """A line of the log, by the number it has for this viewer. `fresh`: since the viewer's move.
    `facts` are those that the text tells: seats, and cards and places as moves name them.
    """

    n: int
    kind: str
    text: str
    fresh: bool
    facts: dict[str, Any] = {}


class HouseMove(Struct):
    """What a host may have the house do: the `move` to send, and what it says."""

    move: str
    label: str


class Affairs(Struct, omit_defaults=True, kw_only=True):
    """What goes on besides the game: pauses, votes, bots that play for people, hints. `plan` is the
    move you have decided ahead; with `plan_comes` it answers what is asked now, and will be made in
    a moment unless you move before. `house` is for the host alone.
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
    """Somebody for whom a match over days waits: the seconds left, null on vacation; in words."""

    seat: int
    left: float | None
    text: str
    nudge: bool


class Table(Struct, kw_only=True):
    """A table as one viewer finds it, whole. `stage` is open (no match is on), playing, over, or
    closed (not for this viewer's eyes). `me` is the viewer's seat, null for who only watches. With
    `days` the match is played over days: so many for each decision; `waits` says who has how long.
    `promise` is the SHA-256 of the seed of the next match, `commitment` that of this one's.
    `programs`: bots of players are welcome.
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
    """Why something was not done (RFC 9457), and the table as it is. Nothing has changed."""

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
    """A table in the lobby. `programs`: bots of players are welcome."""

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


class Lobby(Struct, kw_only=True):
    """A page of the lobby; the first is 0."""

    format: str = "kaboom lobby"
    version: int = VERSION
    tables: list[Listed]
    page: int
    more: bool


class Member(Struct):
    """Somebody in a club."""

    name: str
    officer: bool = False
    mine: bool = False


class Date(Struct):
    """When a club means to play; `at` is on the clocks of the reader's zone, `left` the seconds
    until then, `comes` says whether the reader does.
    """

    n: int
    game: str
    at: str
    left: float
    note: str = ""
    by: str = ""
    coming: list[str] = []
    comes: bool = False


class Cup(Struct):
    """A tournament in a list."""

    code: str
    name: str
    game: str


class Club(Struct, kw_only=True):
    """A club as its members find it; whoever is not `inside` is told its name, and whether one may
    ask to join.
    """

    format: str = "kaboom club"
    version: int = VERSION
    code: str
    name: str
    inside: bool
    called: str = ""
    asking: bool = False
    members: list[Member] = []
    tables: list[Listed] = []
    dates: list[Date] = []
    tournaments: list[Cup] = []


class Person(Struct):
    """Somebody with a chair: here, away, gone, deputy (a bot plays for them), vacation, bot, or
    unknown.
    """

    seat: int
    name: str
    word: str


class Line(Struct):
    """A line of the talk; `at` is in seconds since 1970."""

    n: int
    name: str
    text: str
    at: float
    own: bool
    watcher: bool
    deleted: bool
    seat: int | None


class Muted(Struct):
    """Somebody you do not hear; `who` is sent to hear them again."""

    who: str
    name: str


class Talk(Struct, kw_only=True):
    """What is said at a table, and who is there. It never comes with cards.

    `watch` are the minutes by which spectators lag behind, -1 where nobody watches; `audience` says
    whether they may write, `hush` that players read it when the match is over. `hands` are the
    seats that have said whether spectators may see all hands. `muted` and the address to `call` are
    your own. With `only_phrases` nothing but a `phrase` can be said.
    """

    format: str = "kaboom talk"
    version: int = VERSION
    code: str
    room: int
    people: list[Person]
    watchers: int
    lines: list[Line]
    more: bool
    silent: str
    phrases: dict[str, str]
    watch: int = 0
    audience: bool = True
    hush: bool = False
    hands: dict[int, bool] = {}
    muted: list[Muted] = []
    call: str = ""
    only_phrases: bool = False


class GameOption(Struct, omit_defaults=True, kw_only=True):
    """An option of a game: a number from `least` to `most`, a switch, or a choice of `values`.
    `least` and `most` that are not there are 0, a `step` 1.
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
    """A named way to play: the options that it changes."""

    key: str
    name: str
    help: str
    options: dict[str, Any]


class Game(Struct):
    """A game: how many play it as usual (an option may allow more), its options, its named ways to
    play. `lowest_wins`: the fewest points win, so that the places of an outcome follow its scores
    from below.
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
    """A move of a game: what its button says, the heading of the rules that explains it, and what
    kind of thing is chosen, if anything is. `host`: only who has opened the table may ask for it.
    `prepares`: it only prepares another move, and nobody else sees it.
    """

    label: str
    rule: str
    chooses: str = ""
    host: bool = False
    prepares: bool = False


class Vocabulary(Struct, kw_only=True):
    """The names a program meets in a game: its verbs, and what its zones, its facts and the marks
    on places of zones are (these in English). `plans`: some verbs can be decided ahead of one's
    turn. `besides` are the moves that a table adds to the game's own; VERB stands for a verb of the
    game. `dealing` tells in English how the first deal follows from the shuffle. In a label … is
    what only a table names. `log` has the sentence for each kind of line, and of what is happening,
    as it is today, in English, with the names of its facts.
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
    """A part of the rules under its heading; `id` is what refusals cite, `text` is Markdown in
    which code spans of cards stand for the cards. What comes before all headings has none.
    """

    id: str
    level: int
    heading: str
    text: str


class Rules(Struct, kw_only=True):
    """The rules of a game, as they are with these options."""

    format: str = "kaboom rules"
    version: int = VERSION
    game: str
    language: str
    options: Any
    sections: list[Section]


class Told(Struct):
    """Something that was said in a step."""

    kind: str
    text: str


class Forged(Struct, kw_only=True):
    """A record that is not true: `wrong` says in sentences why, `claims` is what was sent."""

    format: str = "not genuine"
    version: int = VERSION
    wrong: list[str] = []
    claims: Any


class Step(Struct, kw_only=True):
    """A finished match as it was after a step (0 is the deal). `seat` is whose eyes it is seen by,
    null for nobody's in particular; `open`: every card is shown. Where the record is not `genuine`,
    `wrong` says in sentences why, and all else is only what it claims.
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
    """A match one is in. `mine`: it waits for oneself; `left` seconds until somebody else decides,
    null without a clock. `number` is another one at each turn, which began at `since`.
    `days`: whether it is played over days (of how many, its Table says); `vacation`: one is on one,
    and the clock stands still. `opens`: it is a tournament's table that waits for one to be ready;
    the match has not begun. `vote`: what somebody has put to those at a table over days, which
    waits for one's answer; null: nothing does. `vote_left`: the seconds until that no longer
    counts.
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
    """A tournament (`/e/CODE`) whose check-in waits for one to say that one is here: for `left`
    seconds.
    """

    code: str
    name: str
    game: str
    left: float


class Turns(Struct, kw_only=True):
    """The matches one is in, and the check-ins that wait for one; the most urgent first."""

    format: str = "kaboom turns"
    version: int = VERSION
    tables: list[Turn]
    check_ins: list[ToCheckIn] = []


class Guest(Struct):
    """What a program is told that asked for a guest: the key, this once. It is sent as
    `Authorization: Bearer KEY`.
    """

    name: str
    key: str
    scopes: list[str]
    expires: str  # date and time, in UTC


class Standing(Struct):
    """A line of a tournament's standings. `points` has two places after the point, or is a mean per
    cent where all play the same cards; “–” while there is no result. `wins` are the rounds in which
    nobody at one's table was better: a tie for the first place is one for each of them.
    """

    place: int
    number: int
    name: str
    points: str
    wins: int


class Entered(Struct):
    """Somebody who has entered a tournament, by the number that the standings have, too."""

    number: int
    name: str


class Pod(Struct):
    """A table of a round of a tournament: who is at it, by their numbers. `link` leads to it once
    it is open; `over`: its result is known; `record` is where its record is, if there is one.
    """

    number: int
    entrants: list[int]
    link: str
    over: bool = False
    record: str = ""


class Standings(Struct, kw_only=True):
    """A tournament as it stands; `state` is for people. `stage` is entries, check-in, playing, over
    or cancelled, and nothing more comes after the last two. Who has entered is listed until the
    first round is made; from then on `standings` are. `tables` are those of the last round, or of
    the one that was asked for.
    """

    format: str = "kaboom standings"
    version: int = VERSION
    code: str
    name: str
    game: str
    state: str
    round: int
    rounds: int
    standings: list[Standing]
    commitment: str = ""  # SHA-256 of the seed of all that is drawn
    stage: str = ""
    paused: bool = False
    entered: list[Entered] = []
    tables: list[Pod] = []
    links: dict[str, str] = {}


class OtherDay(Struct):
    """A day of the calendar: to-come, today or over."""

    date: str
    game: str
    stage: str


class Day(Struct, kw_only=True):
    """The deal of a day (of UTC), against `bots`; `stage` is to-come, today, over, or empty where
    there is no deal. `table` is that of your own try; `others` and `worse` say how many have
    finished and how many of them did worse, once you have. The `cut` is there
    from the first deal on, the `secret` (hexadecimal) three hours after the day.
    """

    format: str = "kaboom day"
    version: int = VERSION
    date: str
    stage: str
    game: str
    bots: int
    table: str
    finished: bool
    others: int | None
    worse: int | None
    commitment: str
    cut: str
    secret: str
    days: list[OtherDay]
    links: dict[str, str]


class Rated(Struct):
    """Somebody's rating, which may be wrong by `spread` either way; `provisional`: it is too early
    to tell. `game` is in words.
    """

    name: str
    game: str
    points: int
    spread: int
    played: int
    provisional: bool
    mine: bool


class Leaderboard(Struct):
    """The best first; `of` friends, a club (its `name`), or everybody."""

    of: str
    name: str
    rated: list[Rated]


class Ratings(Struct, kw_only=True):
    """Your own ratings, of all games, and the leaderboards of one that you are shown; `days`: of
    its matches over days.
    """

    format: str = "kaboom ratings"
    version: int = VERSION
    game: str
    days: bool
    own: list[Rated]
    boards: list[Leaderboard]


class Draw(Struct, kw_only=True):
    """What all that a tournament draws follows from: the words of those who entered, in the order
    of the field, and the seed (hexadecimal) as soon as it may be told, empty until then.
    """

    format: str = "kaboom draw"
    version: int = VERSION
    code: str
    commitment: str
    seed: str
    words: list[str]
