"""The pages and moments that tests check and screenshots show.

A page is an address. A moment is a table in a certain situation, with its viewer and the open
question. A game's sample names those of its own table; `drifted` plays any game at random until the
status line is of a certain kind.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from kaboom.accounts import login
from kaboom.correspondence import vacations
from kaboom.daily import service as daily
from kaboom.db.encryption import hash_of
from kaboom.db.times import DAY, day_of
from kaboom.engine.bots.bot import Level
from kaboom.engine.engine import waiting_for
from kaboom.engine.moves import Seat
from kaboom.games import GAMES, sample
from kaboom.games.gops.rules import HANDS
from kaboom.games.kaboom.cards import ability_of
from kaboom.lobby import service as lobby
from kaboom.ratings import queries as ratings
from kaboom.records import feed
from kaboom.social.clubs import events, invitations
from kaboom.social.clubs import service as clubs
from kaboom.social.friends import queries as friends
from kaboom.social.friends import service as friends_service
from kaboom.tables import start_match
from kaboom.tables.maintenance.interventions import stop
from kaboom.tables.premoves import can_plan
from kaboom.tables.snapshot import TableSnapshot
from kaboom.tables.table import Hints, PlannedMove
from kaboom.tables.transaction import TableTransaction
from kaboom.tournaments import organizer
from kaboom.tournaments import service as tournaments
from kaboom.tournaments.rules.events import Ruling, Verb
from tests.browser.stage import Match, Stage, all_ready, matching, next_card, pass_turn, turns_until
from tests.support.tournaments import all_ready as people_ready
from tests.support.tournaments import ended, settled
from tests.support.tournaments import settings as tournament_settings

NAMES = ("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")
ASKED, STRANGER = -1, -2  # the first player asked at that time; a player without a chair


@dataclass(frozen=True)
class Scene:
    """An address with the viewer's cookie (empty for a stranger)."""

    path: str
    key: str = ""


def the_table(match: Match) -> str:
    """Return the address of a match's table."""
    return match.path


@dataclass(frozen=True)
class Moment:
    """A moment of a match: `reach` leads there; `seat` is the viewer (or ASKED or STRANGER)."""

    game: str
    name: str
    reach: Callable[[Match], None]
    seat: Seat = 0
    people: int = 4
    begun: bool = True
    ask: Callable[[Match], str] | None = None  # the move that the page asks to confirm
    options: tuple[tuple[str, object], ...] = ()
    at: Callable[[Match], str] = the_table  # the address to show

    def scene(self, stage: Stage) -> Scene:
        """Open a table, play to the moment, and return the scene."""
        bring = stage.begun if self.begun else stage.opened
        match = bring(*NAMES[: self.people], game=self.game, **dict(self.options))
        self.reach(match)
        seat = match.waiting[0] if self.seat == ASKED else self.seat
        path = self.at(match)
        if self.ask is not None:
            path += "?ask=" + match.value(seat, self.ask(match)).replace(" ", "+")
        return Scene(path, "" if seat == STRANGER else match.keys[seat])


def nothing(match: Match) -> None:
    """The moment exists from the start."""


def drifted(kind: str, after: int = 0, most: int = 600) -> Callable[[Match], None]:
    """Play at random until a prompted player sees that status line.

    "over" is the end of the match, whatever the status. `after` is the minimum number of moves.
    """

    def there(now: TableSnapshot) -> bool:
        if not now.table.playing:
            assert kind == "over", f"the match ended without {kind}"
            return True
        if kind == "over" or now.table.seq < after:
            return False
        asked = waiting_for(now.game, now.state)[:1]
        return any(now.game.view(now.state, seat).saying.kind == kind for seat in asked)

    def reach(match: Match) -> None:
        now = match.look()
        for _ in range(most):
            if there(now):
                return
            now = match.drift_unseen(now)
        raise AssertionError(f"{kind} did not occur in {most} moves")

    return reach


def known_to_play(match: Match) -> None:
    """Three friends have settled ratings."""
    tables = match.stage.tables

    def rated(connection) -> None:
        today = int(tables.now() // 86400)
        for player, mu in zip(match.players, (27_000, 29_500, 24_000), strict=False):
            ratings.save_wish(connection, player, ratings.PreferenceRow(True, ratings.FRIENDS))
            row = ratings.RatingRow(player, "kaboom", mu, 3_000, 14, today)
            ratings.save(connection, row)
        for friend in match.players[1:]:
            friends.befriend(connection, match.players[0], friend, tables.now())

    tables.database.write(rated)


def will_count(match: Match) -> None:
    """All players here want rated matches, and one usually finishes them."""

    def want(transaction) -> None:
        for _, occupant in transaction.table.sitting():
            occupant.counts = True
        transaction.table.chairs[1].manner = "finishes"

    match.stage.tables.change(match.code, want)


def day_over(match: Match) -> None:
    """The first player has finished the deal of the day."""
    tables, today = match.stage.tables, day_of(match.stage.tables.now())
    daily.promise_ahead(tables)
    stop(tables, daily.play(tables, today, match.players[0], NAMES[0]))


# Kaboom


def peeking(match: Match) -> None:
    match.play(0, "peek")
    match.play(1, "ready")


def my_turn(match: Match) -> None:
    """A few cards have changed places, and the first seat is on turn."""
    all_ready(match)
    for slot in (0, 4, 2, 1):
        seat = match.state.turn
        match.play(seat, "draw")
        match.play(seat, "keep")
        match.play(seat, f"replace {seat}.{slot}")
    assert match.state.turn == 0


def drawn(match: Match) -> None:
    my_turn(match)
    match.play(0, "draw")


def with_ability(*kinds: str) -> Callable[[Match], None]:
    """Return a function that plays turns until the first seat draws such a card and uses it."""

    def reach(match: Match) -> None:
        all_ready(match)
        turns_until(match, lambda: match.state.turn == 0 and ability_of(next_card(match)) in kinds)
        match.play(0, "draw")
        match.play(0, "use")

    return reach


def looked(match: Match) -> None:
    with_ability("own", "other")(match)
    offer = match.prompt(0).offers[0]
    match.play(0, f"look {offer.options[0]}")


def waiting(match: Match) -> None:
    """Another player is on turn and has drawn."""
    all_ready(match)
    pass_turn(match)
    match.play(1, "draw")


def flippable(match: Match) -> None:
    """Another player's card matches the top of the pile, and the first seat knows it."""
    all_ready(match)
    turns_until(match, lambda: match.state.turn != 0 and bool(others_match(match)))


def others_match(match: Match) -> list[str]:
    return [place for place in matching(match) if not place.startswith("0.")]


def giving(match: Match) -> None:
    flippable(match)
    match.play(0, f"flip {others_match(match)[0]}")


def wrongly_flipped(match: Match) -> None:
    all_ready(match)
    pass_turn(match)
    match.play(0, f"flip {next(p for p in matching(match, False) if p.startswith('0.'))}")


def flip_sealed(match: Match) -> None:
    """Flips are collected, and the first seat has chosen one."""
    all_ready(match)
    match.play(0, "flip 1.4")
    match.play(2, "pass")


def chosen(match: Match) -> None:
    """The first seat has chosen a card, and can take it back."""
    offer = match.prompt(0).offers[0]
    match.play(0, f"{offer.verb} {offer.options[0]}")


def tied(match: Match) -> None:
    """Two rounds of GOPS were tied: three prizes are on offer."""
    for rank in "23":
        for seat, suit in enumerate(HANDS[:2]):
            match.play(seat, f"bid {rank}{suit}")


def tied_often(match: Match) -> None:
    """Four rounds of GOPS among three were tied: the last one was for four prizes."""
    for rank in "2345":
        for seat, suit in enumerate(HANDS):
            match.play(seat, f"bid {rank}{suit}")


def decided(match: Match) -> None:
    """The second seat has a premove."""
    found = match.stage.tables.get(match.code)
    (it, *_) = can_plan(found.table, found.position, 1)
    plan = PlannedMove(it.verb, (it.pick.options[0],), it.token(1))
    match.stage.tables.change(match.code, lambda t: t.table.plans.update({1: plan}))


def round_over(match: Match) -> None:
    my_turn(match)
    match.play(0, "kaboom")
    for _ in range(3):
        pass_turn(match)


def match_over(match: Match) -> None:
    round_over(match)


def crowded(match: Match) -> None:
    """Six people, and a player with many penalty cards."""
    all_ready(match)
    for _ in range(3):
        wrong = [place for place in matching(match, False) if place.startswith("0.")]
        match.play(0, f"flip {wrong[0]}")
    wrong = [place for place in matching(match, False) if place.startswith("2.")]
    match.play(2, f"flip {wrong[0]}")


def voting(match: Match) -> None:
    """Ben proposes a bot for Cid."""
    all_ready(match)
    match.all_are_here()
    match.post(1, "propose", about="bot 2")


def advised(before: Callable[[Match], None]) -> Callable[[Match], None]:
    """Reach a moment, then let the first player asked request a hint."""

    def reach(match: Match) -> None:
        before(match)
        match.stage.tables.change(match.code, lambda t: setattr(t.table, "hints", Hints.ALL))
        match.post(match.waiting[0], "hint")

    return reach


def voted_on(before: Callable[[Match], None]) -> Callable[[Match], None]:
    """Reach a moment, then let another player propose a pause to the first one."""

    def reach(match: Match) -> None:
        before(match)
        match.all_are_here()
        first = match.waiting[0]
        match.post((first + 1) % len(match.keys), "propose", about="pause")

    return reach


def paused(match: Match) -> None:
    """All present players agree to a pause."""
    match.all_are_here()
    match.post(0, "propose", about="pause")
    if vote := match.look().table.vote:
        match.post(1, "vote", vote=vote.number, answer="yes")


def reminding(match: Match) -> None:
    """Correspondence: Ann has chosen, Ben has used most of his time, and Cid is on vacation."""
    chosen(match)
    tables = match.stage.tables
    vacations.go_on_vacation(tables, match.players[2], 5)

    def late(transaction: TableTransaction) -> None:
        timer = transaction.table.day_clock(1)
        assert timer is not None
        assert timer.due is not None
        timer.due -= 1.5 * DAY

    tables.change(match.code, late)


def laid_wrong(match: Match) -> None:
    """Karata: a player under a bomb has added an illegal card to the row."""
    drifted("turn_pick")(match)
    seat = match.waiting[0]
    fits = match.view(seat).facts["fits"]
    match.play(seat, f"add {next(it for it in match.state.hands[seat] if it not in fits)}")


def beside(page: str) -> Callable[[Match], str]:
    """Return a function that gives the address of another of the table's pages."""
    return lambda match: match.path + page


def own(page: str) -> Callable[[Match], str]:
    """Return a function that gives the address of a page about the player."""
    return lambda match: page


def club(match: Match) -> str:
    """Return the address of the page of Ann's club."""
    (found,) = clubs.clubs_of(match.stage.tables, hash_of(match.keys[0]))
    return f"/clubs/{found.code}"


def settings_of_the_club(match: Match) -> str:
    """Return the address of the settings of Ann's club."""
    return f"{club(match)}/settings"


def link_into_the_club(match: Match) -> str:
    """Return a function that gives a link by which a player joins Ann's club."""
    code = club(match).removeprefix("/clubs/")
    return f"/clubs/join/{invitations.new_link(match.stage.tables, code, hash_of(match.keys[0]))}"


def link_of_a_friend(match: Match) -> str:
    """Return a function that gives a link by which a player becomes Ann's friend."""
    return f"/friends/add/{friends_service.new_link(match.stage.tables, hash_of(match.keys[0]))}"


def link_for_a_device(match: Match) -> str:
    """Return a function that gives a link that signs in another device of Ann's."""
    return f"/login/{login.new_link(match.stage.tables, hash_of(match.keys[0]))}"


def reporting_ben(match: Match) -> str:
    """Return the address of the page on which Ann reports Ben."""
    seen = match.stage.tables.get(match.code, hash_of(match.keys[0]))
    ben = next(it for it in friends_service.people_at(match.stage.tables, seen) if it.name == "Ben")
    return f"{match.path}/report?who={ben.word}"


def record(page: str = "") -> Callable[[Match], str]:
    """Return the address of a page of the finished match's record."""
    return lambda match: f"/m/{match.look().table.record}{page}"


def talked(match: Match) -> None:
    """The players have chatted."""
    all_ready(match)
    for seat, text in ((1, "Hello everybody"), (0, "Good luck!"), (2, "Whose turn is it?")):
        match.post(seat, "talk", text=text)


def listed(match: Match) -> None:
    """The table is shown in the lobby."""
    match.post(0, "door", listed=1, password="")


def in_a_club(match: Match) -> None:
    """Ann has a club with Ben as a member; Cleo asks to join. Ann and Ben share their results."""
    tables, (ann, ben, cleo) = match.stage.tables, match.players
    hashes = [hash_of(key) for key in match.keys]
    code = clubs.found(tables, ann, "The Gulls of the Harbour", "Ann")
    invitations.join(tables, invitations.new_link(tables, code, hashes[0]), ben, "Ben")
    clubs.settle(tables, code, hashes[0], "The Gulls of the Harbour", asking=True, phrases=False)
    invitations.ask(tables, code, cleo, "Cleo")
    for key in hashes[:2]:
        feed.share(tables, key, True)
    options = GAMES["gops"].options()
    for _ in range(3):
        table = lobby.open(tables, "gops", options, ann, "Ann", club=code)
        lobby.sit(tables, table, ben, "Ben")
        start_match.start(tables, table, ann)
        stop(tables, table)
    start_match.start(tables, table, ann)
    lobby.open(tables, "kaboom", GAMES["kaboom"].options(), ben, "Ben", club=code)
    for key, game, days in ((hashes[0], "koth", 2), (hashes[1], "karata", 9)):
        day = datetime.fromtimestamp(tables.now() + days * DAY, UTC)
        when = (f"{day:%Y-%m-%d}", "19:30", "Africa/Nairobi")
        events.plan(tables, code, key, game, when, "Bring tea, I bring the biscuits.")
    (soonest, _) = events.of_club(tables, code, hashes[1]).planned
    events.come(tables, code, hashes[1], soonest.number, True)


def locked(match: Match) -> None:
    """The table has a password."""
    match.post(0, "door", listed=0, password="open sesame")


TWO = (("rounds", 2),)
ONE = (("rounds", 1),)
PATIENT = (("flips", "patient"), ("flip_seconds", 300), *TWO)
NOTED = ("own-turn", "bid", "turn", "follow", "choose", "play")


def cup(path: str, rounds: int = 0) -> Callable[[Match], str]:
    """Return a function that opens a knockout for the players at the table and some bots, plays
    that many rounds (-1: not started), and returns the scene.
    """

    def at(match: Match) -> str:
        tables = match.stage.tables
        host = match.players[0]
        code = tournaments.open(tables, host, tournament_settings())
        for player, name in zip(match.players, NAMES, strict=False):
            tournaments.enter(tables, code, player, name)
        tournaments.add_bots(tables, code, host, 9, Level.EASY)
        if rounds >= 0:
            organizer.begin(tables, code, host)
            organizer.rule(tables, code, host, Ruling(Verb.ANNOUNCE, "Tea at five, for all."))
            settled(tables, code)
        for _ in range(rounds):
            people_ready(tables, code)
            ended(tables, code)
            if settled(tables, code).of.ended:
                break
        return f"/tournaments/{code}{path}"

    return at


PAGES = {
    "home": Scene("/"),
    "settings": Scene("/settings"),
    "start": Scene("/start/kaboom"),
    "rules": Scene("/rules/kaboom"),
    "reference": Scene("/api/reference"),
    "own-rules": Scene("/settings/presets?game=karata&set=deal:6"),
    "error": Scene("/t/NOTABLES"),
    "lobby": Scene("/lobby"),
    "play": Scene("/play"),
    "look": Scene("/replay"),
    "in": Scene("/login"),
    "day": Scene("/daily"),
    "ratings": Scene("/leaderboards"),
    "learn": Scene("/learn"),
    "lessons": Scene("/learn/kaboom"),
    "lesson": Scene("/learn/kaboom/first/2"),
    "lesson-done": Scene("/learn/kaboom/first/done"),
    "puzzles": Scene("/puzzles"),
    "puzzles-of-a-game": Scene("/puzzles/koth"),
    "puzzle": Scene("/puzzle/2951107c8c"),
    "puzzle-answer": Scene("/puzzle/2951107c8c?show=1"),
    "keys": Scene("/settings/api-keys"),
    "tournaments": Scene("/tournaments"),
    "tournament-new": Scene("/tournaments/new?game=kaboom"),
}
TABLES = [
    Moment("kaboom", "lobby", nothing, people=3, begun=False),
    Moment("kaboom", "invited", nothing, seat=STRANGER, people=2, begun=False),
    Moment("kaboom", "peek", peeking, options=TWO),
    Moment("kaboom", "own-turn", my_turn, options=TWO),
    Moment("kaboom", "drawn", drawn, options=TWO),
    Moment("kaboom", "ability", with_ability("swap", "any"), options=TWO),
    Moment("kaboom", "looked", looked, options=TWO),
    Moment("kaboom", "waiting", waiting, options=TWO),
    Moment(
        "kaboom",
        "flip-question",
        flippable,
        ask=lambda match: f"flip {others_match(match)[0]}",
        options=TWO,
    ),
    Moment("kaboom", "give", giving, options=(*TWO, ("give_seconds", 0))),
    Moment("kaboom", "wrong-flip", wrongly_flipped, options=TWO),
    Moment("kaboom", "collecting", all_ready, options=PATIENT),
    Moment("kaboom", "flip-sealed", flip_sealed, options=PATIENT),
    Moment("taken", "chosen", chosen, people=4),
    Moment("gops", "chosen", chosen, people=2),
    Moment("gops", "tied", tied, people=2),
    Moment("gops", "tied-often", tied_often, people=3, options=(("players", 3),)),
    Moment("karata", "decided-ahead", decided, seat=1, people=3),
    Moment("karata", "deciding-ahead", nothing, seat=1, people=3, at=beside("/ahead")),
    Moment("kaboom", "vote", voting, options=TWO),
    Moment("karata", "wrong-row", laid_wrong, ASKED),
    Moment("karata", "paused", paused, people=2),
    Moment("taken", "over-days", reminding, people=3, options=(("days", 2),)),
    Moment("kaboom", "over-days", all_ready, options=(("days", 2), *TWO)),
    Moment("kaboom", "turns", all_ready, at=own("/turns"), options=(("days", 2), *TWO)),
    Moment("kaboom", "vacation", nothing, at=own("/settings/vacation"), begun=False),
    Moment("kaboom", "crowded", crowded, people=6, options=(("max_players", 6), *TWO)),
    Moment("kaboom", "round-over", round_over, options=TWO),
    Moment("kaboom", "match-over", match_over, options=ONE),
    Moment("kaboom", "talk", talked, at=beside("/talk"), options=TWO),
    Moment("kaboom", "going-on", my_turn, at=beside("/now"), options=TWO),
    Moment("kaboom", "leave", my_turn, at=beside("/leave"), options=TWO),
    Moment("kaboom", "carry", my_turn, at=beside("/carry"), options=TWO),
    Moment("kaboom", "people", my_turn, at=beside("/people"), options=TWO),
    Moment("kaboom", "me", nothing, at=own("/account"), begun=False),
    Moment("kaboom", "keep", nothing, at=own("/settings/account"), begun=False),
    Moment("kaboom", "devices", nothing, at=own("/settings/devices"), begun=False),
    Moment("kaboom", "friends", nothing, at=own("/friends"), begun=False),
    Moment("kaboom", "ratings", known_to_play, at=own("/leaderboards"), begun=False),
    Moment("kaboom", "counts", will_count, begun=False, people=3),
    Moment("kaboom", "day-over", day_over, at=own("/daily"), begun=False),
    Moment("kaboom", "clubs", in_a_club, at=own("/clubs"), people=3, begun=False),
    Moment("kaboom", "club", in_a_club, at=club, people=3, begun=False),
    Moment("kaboom", "club-outside", in_a_club, STRANGER, at=club, people=3, begun=False),
    Moment("kaboom", "club-settings", in_a_club, at=settings_of_the_club, people=3, begun=False),
    Moment("kaboom", "club-link", in_a_club, STRANGER, 3, False, at=link_into_the_club),
    Moment("kaboom", "friend-link", nothing, STRANGER, at=link_of_a_friend, begun=False),
    Moment("kaboom", "device-link", nothing, STRANGER, at=link_for_a_device, begun=False),
    Moment("kaboom", "report", my_turn, at=reporting_ben, options=TWO),
    Moment("kaboom", "feed", in_a_club, at=own("/feed"), people=3, begun=False),
    Moment("kaboom", "options", nothing, at=beside("/options"), begun=False),
    Moment("kaboom", "chairs", nothing, STRANGER, begun=False, at=beside("/screen"), people=2),
    Moment("kaboom", "screen", my_turn, STRANGER, at=beside("/screen"), options=TWO),
    Moment("kaboom", "notes", my_turn, at=beside("/notes"), options=TWO),
    Moment("kaboom", "passing", nothing, at=beside("/pass"), begun=False),
    Moment("kaboom", "calls", nothing, at=own("/settings/notifications"), begun=False),
    Moment("kaboom", "here", my_turn, at=beside("/rules"), options=TWO),
    Moment("kaboom", "locked", locked, STRANGER, people=2, begun=False),
    Moment("kaboom", "rooms", listed, people=2, begun=False, at=lambda match: "/lobby"),
    Moment("kaboom", "record", match_over, options=ONE, at=record()),
    Moment("kaboom", "replay", match_over, options=ONE, at=record("/9")),
    Moment("kaboom", "print", match_over, options=ONE, at=record("/print")),
    Moment("kaboom", "verify", match_over, options=ONE, at=record("/verify")),
    Moment("kaboom", "me-played", match_over, options=ONE, at=lambda match: "/account"),
    Moment("kaboom", "statistics", match_over, options=ONE, at=own("/statistics/kaboom")),
    Moment("kaboom", "coach", match_over, options=ONE, at=record("/coach")),
    Moment("kaboom", "challenge", match_over, options=ONE, at=record("/challenge-friends")),
    Moment("gops", "tournament-open", nothing, people=2, begun=False, at=cup("", rounds=-1)),
    Moment("gops", "tournament", nothing, people=2, begun=False, at=cup("")),
    Moment("gops", "tournament-run", nothing, people=2, begun=False, at=cup("/manage")),
    Moment("gops", "tournament-bracket", nothing, people=2, begun=False, at=cup("/bracket", 1)),
    Moment("gops", "tournament-round", nothing, people=2, begun=False, at=cup("/round/1", 1)),
    Moment("gops", "tournament-over", nothing, people=2, begun=False, at=cup("", 9)),
    Moment("gops", "standings", nothing, people=2, begun=False, at=cup("/standings", 9)),
]


def glimpsed() -> Iterator[Moment]:
    """Yield the moments that each game's sample names."""
    for key, game in GAMES.items():
        for it in sample(key).glimpses:
            options = tuple(it.options.items())
            usual = game.seats(game.options(**it.options))
            yield Moment(
                key,
                it.name,
                drifted(it.kind, it.after, most=900),
                0 if it.kind == "over" else ASKED,
                people=min(max(4, usual[0]), usual[-1]),
                options=options,
            )


def noted() -> Iterator[Moment]:
    """Yield each game's usual moment with an additional block: a vote, a bot's hint."""
    usual = {it.game: it for it in (*glimpsed(), *TABLES) if it.name in NOTED}
    for it in usual.values():
        yield replace(it, name=f"{it.name}-vote", reach=voted_on(it.reach), seat=ASKED)
        yield replace(it, name=f"{it.name}-advice", reach=advised(it.reach), seat=ASKED)


def moments() -> Iterator[Moment]:
    """Yield the moments of the installed games."""
    return (moment for moment in (*TABLES, *glimpsed(), *noted()) if moment.game in GAMES)
