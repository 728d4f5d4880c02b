"""Lists as text, as speech and as JSON: the contents of each line."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest

from kaboom.daily import api as daily_api
from kaboom.daily.service import Day
from kaboom.games import GAMES
from kaboom.lobby import api as lobby_api
from kaboom.lobby.turns import OpenVote, TurnLine, _urgent, atom
from kaboom.notifications.channels import Hook
from kaboom.ratings import api as leaderboards
from kaboom.ratings.leaderboards import Ratings, Standing
from kaboom.social.chat import api as chat_api
from kaboom.social.chat.room import Arranged, ChatMessage, Person, Room
from kaboom.tables.forms.listing import LobbyTable
from tests.support.builtin_games import OURS

DAY = 24 * 3600.0
NOTHING = Arranged(0, True, False, {}, (), Hook())


@pytest.fixture
def answer(app):
    """A function that returns an answer in a format: its lines, or its parsed JSON."""

    def answered(make, *given, ending="txt", query=""):
        with app.test_request_context(f"/some.{ending}{query}"):
            told = make(*given)
        return told.json if ending == "json" else told.get_data(as_text=True).splitlines()

    return answered


def turn(**more):
    told = {"mine": False, "names": (), "left": None, "number": 3, "since": 100.0}
    return TurnLine("CODE", "gops", "GOPS", **(told | more))


VOTE = OpenVote("Ben proposes a pause.", 5, 3 * 3600.0, 100.0)


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ({}, ["CODE GOPS"]),
        ({"names": ("Ben", "Cid")}, ["CODE GOPS, waiting for Ben, Cid"]),
        ({"mine": True}, ["CODE GOPS, your turn"]),
        ({"mine": True, "left": 2 * DAY}, ["CODE GOPS, your turn, 2 days left"]),
        ({"mine": True, "left": 0.0, "names": ("Ben",)}, None),
        ({"paused": True, "names": ("Ben",)}, ["CODE GOPS, paused, waiting for Ben"]),
        (
            {"vacation": True, "left": 2 * DAY, "mine": True},
            ["CODE GOPS, your turn, you are on vacation: your clock is paused"],
        ),
        (
            {"opens": True, "mine": True, "left": 60.0, "vacation": True},
            ["CODE GOPS, your tournament table is open: say that you are ready"],
        ),
        (
            {"vote": VOTE},
            [
                "CODE GOPS",
                "CODE GOPS, a vote is waiting for your answer, 3 hours left: Ben proposes a pause.",
            ],
        ),
    ],
)
def test_current_match_is_one_line_and_a_vote_another(answer, more, lines):
    told = answer(lobby_api.turns, [turn(**more)], query="?width=200")
    if lines is None:
        assert told[0].startswith("CODE GOPS, your turn, ") and told[0].endswith("for Ben")
    else:
        assert told == lines


def test_player_in_no_match_gets_an_empty_list_message(answer):
    assert answer(lobby_api.turns, []) == ["You are not in a match now."]
    assert answer(lobby_api.turns, [], ending="json")["tables"] == []


def test_program_gets_every_field_of_a_turn(answer):
    line = turn(mine=True, names=("Ben",), left=60.0, days=True, vote=VOTE)
    (told,) = answer(lobby_api.turns, [line], ending="json")["tables"]
    keys = ("code", "game", "mine", "waiting", "left", "number", "since", "vote_left")
    assert [told[key] for key in keys] == [
        *("CODE", "gops", True, ["Ben"], 60.0, 3, 100.0, VOTE.left),
    ]
    assert (told["days"], told["paused"], told["vote"]) == (True, False, VOTE.text)


def test_the_most_urgent_turn_comes_first():
    """The player's turns come first, then votes, then the rest: by time left, then waiting time."""
    order = [
        turn(mine=True, left=10.0),
        turn(mine=True, left=20.0, vote=VOTE, since=1.0),
        turn(mine=True, since=1.0),
        turn(mine=True, since=2.0),
        turn(vote=VOTE, left=1.0),
        turn(vote=OpenVote("later", 6, 4 * 3600.0, 100.0), left=0.5),
        turn(left=10.0),
        turn(since=1.0),
        turn(since=2.0),
    ]
    order[0], order[1] = order[1], order[0]
    shuffled = [*order[1::2], *order[::2]]
    assert sorted(shuffled, key=_urgent) == order


# The lobby, chat, the games


def listed(**more):
    told = {"playing": False, "locked": False, "options": "", "timed": False, "programs": True}
    return LobbyTable("CODE", "gops", "GOPS", "Ann", 1, 2, 3, **(told | more))


def test_a_table_of_the_lobby_is_a_line(answer):
    rooms = [listed(), listed(playing=True, locked=True, options="30 seconds to bid")]
    assert answer(lobby_api.lobby, rooms, 0, True) == [
        "CODE GOPS, Ann, 1/3",
        "CODE GOPS, Ann, 1/3, playing, with a password, 30 seconds to bid",
    ]
    assert answer(lobby_api.lobby, [], 0, False) == ["There are no tables in the lobby now."]
    told = answer(lobby_api.lobby, rooms[1:], 2, True, ending="json")
    assert (told["page"], told["more"]) == (2, True)
    (table,) = told["tables"]
    keys = ("code", "game", "host", "taken", "least", "most", "playing", "locked", "timed")
    assert [table[key] for key in keys] == ["CODE", "gops", "Ann", 1, 2, 3, True, True, False]
    assert table["programs"]
    assert listed().free == 2


def test_chat_text_has_presence_and_the_line_numbers_of_json(answer):
    people = [Person(0, "Ann", "here"), Person(1, "Ben", "")]
    said = [
        ChatMessage(1, "Ann", "Hello", "10:00", True, False, False, seat=0),
        ChatMessage(2, "Ben", "Oops", "10:01", False, False, True, seat=1),
        ChatMessage(3, "Eve", "Hi", "10:02", False, True, False),
    ]
    room = Room("CODE", 9, people, 1, said, 1, True, None, False, "Ann", True, others=3)
    assert room.last == 3
    earlier = replace(room, lines=said[:2])
    assert earlier.last == 2, "reading an earlier page changes no progress"
    assert answer(chat_api.talk, room, NOTHING) == [
        "Ann: here, Ben, 1 is watching",
        "1 Ann: Hello",
        "2 Ben: deleted",
        "3 Eve (watching): Hi",
        "earlier: GET /t/CODE/talk.txt?before=1",
    ]
    (aloud,) = answer(chat_api.talk, room, NOTHING, ending="say")
    assert aloud.startswith("Ann: here, Ben, 1 is watching. 1 Ann: Hello. 2 Ben: deleted. 3")
    empty = Room("CODE", 9, (), 0, said[1:2], 0, False, "You may not write.", False, "", False)
    deleted = ["2 Ben: deleted", "You may not write."]
    assert answer(chat_api.talk, empty, NOTHING) == deleted
    nothing = replace(empty, lines=(), silent=None, only_phrases=True)
    assert answer(chat_api.talk, nothing, NOTHING) == [
        "No messages yet.",
        "Only quick phrases can be sent at this table.",
    ]
    assert empty.last == 0
    told = answer(chat_api.talk, room, NOTHING, ending="json")
    assert [(it["seat"], it["name"]) for it in told["people"]] == [(0, "Ann"), (1, "Ben")]
    assert (told["room"], told["watchers"], told["more"], told["silent"]) == (9, 1, True, "")
    assert answer(chat_api.talk, empty, NOTHING, ending="json")["silent"] == "You may not write."
    assert answer(chat_api.talk, nothing, NOTHING, ending="json")["only_phrases"]
    assert [it["text"] for it in told["lines"]] == ["Hello", "Oops", "Hi"]


def test_chat_settings_are_shown_only_if_not_default(answer):
    people = [Person(0, "Ann", "here"), Person(1, "Ben", "")]
    room = Room("CODE", 9, people, 0, (), 0, False, None, False, "Ann", True)
    call = Hook("https://example.com/turn")
    all_of_it = Arranged(5, True, True, {0: True, 1: False}, [("0a1b", "Eve")], call)
    assert answer(chat_api.talk, room, all_of_it, query="?width=200")[2:] == [
        "Who may watch: Anyone with the link, with a delay of 5 minutes",
        "Spectators’ messages are hidden from the players until the match is over.",
        "All hands for spectators: Ann: yes, Ben: no",
        "You have muted: Eve (0a1b)",
        "Notify me when it is my turn: https://example.com/turn",
    ]
    shut = replace(NOTHING, watch=-1, audience=False)
    assert answer(chat_api.talk, room, shut)[2:] == [
        "Who may watch: No one during a match",
        "Only players can write.",
    ]
    (aloud,) = answer(chat_api.talk, room, replace(NOTHING, muted=all_of_it.muted), ending="say")
    assert "Eve" in aloud and "0a1b" not in aloud


def test_game_shows_its_player_counts(answer):
    games = answer(lobby_api.games, [GAMES[key] for key in OURS], query="?width=200")
    line = {it.partition(":")[0]: it for it in games if ": " in it}
    assert line["koth"].startswith("koth: King of the Hill, 5 players. ")
    assert line["gops"].startswith("gops: GOPS, 2 players. ")
    assert line["kaboom"].startswith("kaboom: Kaboom, 2 to 4 players. ")


@pytest.mark.parametrize(
    ("width", "longest"), [("", 72), ("20", 20), ("19", 20), ("0", 20), ("999", 200), ("x", 72)]
)
def test_list_lines_follow_the_requested_width(answer, width, longest):
    room = listed(options="word " * 100)
    lines = answer(lobby_api.lobby, [room], 0, False, query=f"?width={width}")
    assert longest - 6 < max(map(len, lines)) <= longest
    assert all(it.startswith("  ") for it in lines[1:])


def test_spoken_list_is_cut_after_sixty_words(answer):
    (said,) = answer(lobby_api.lobby, [listed() for _ in range(40)], 0, False, ending="say")
    assert len(said.split()) == 60 and said.endswith(".")


TODAY = date(2026, 11, 28)
LATER = TODAY + timedelta(1)


@pytest.mark.parametrize(
    ("day", "said"),
    [
        (Day(TODAY, None, True, False), "Your first attempt counts"),
        (Day(LATER, None, False, False), "The cards do not exist yet"),
        (Day(TODAY - timedelta(1), None, True, True), "This deal no longer counts."),
        (Day(TODAY, None, True, False, at="ABCDEFGH"), "You have started."),
        (Day(TODAY, None, True, False, result=1, tries=1), "You have played this deal."),
    ],
)
def test_progress_of_a_daily_deal_is_shown(day, said):
    assert daily_api._of_yours(day, TODAY).startswith(said)


@pytest.mark.parametrize(
    ("tries", "worse", "said"),
    [
        (1, 0, "No one else has finished yet."),
        (2, 1, "One other player has finished, and did worse."),
        (2, 0, "One other player has finished, and did as well or better."),
        (4, 2, "2 of the 3 other players did worse."),
    ],
)
def test_daily_result_counts_the_players_who_did_worse(tries, worse, said):
    day = Day(TODAY, None, True, False, result=1, tries=tries, worse=worse)
    assert daily_api.beside_others(day) == said


def test_leaderboard_names_its_pool_and_the_readers_place():
    ann = Standing("Ann", "gops", 1500, 90, 20, provisional=False, mine=True)
    found = Ratings(wish=object(), own=[], friends=[], everybody=[])
    boards = [
        ("friends", "", [ann, Standing("", "gops", 1400, 200, 3, provisional=True)]),
        ("club", "The Gulls", []),
        ("everybody", "", []),
    ]
    assert list(leaderboards._told("GOPS", found, {}, boards)) == [
        "Ratings",
        "None of your matches has counted yet.",
        "GOPS, among friends",
        "1: Ann (you), 1500, plus or minus 90",
        "2: a player without a name, 1400, plus or minus 200, too early to tell",
        "GOPS, in the club The Gulls: no one",
        "GOPS, on this server: no one",
    ]


@pytest.mark.parametrize(
    ("more", "title", "path"),
    [
        ({}, "GOPS: it is your turn", "/t/CODE"),
        ({"opens": True}, "GOPS: your tournament table is open", "/t/CODE"),
        ({"tournament": "Cup"}, "Cup: check-in is open", "/tournaments/CODE"),
    ],
)
def test_turn_feed_lists_prompts_latest_first(app, more, title, path):
    lines = [turn(mine=True, since=50.0, **more), turn(vote=VOTE)]
    with app.test_request_context():
        told = atom(lines, "https://a.example", "https://a.example/turns.atom", 10 * DAY).decode()
    titles = re.findall("<title>(.*?)</title>", told)
    assert titles == ["Kaboom: your turns", "GOPS: a vote is waiting for your answer", title]
    assert f'href="https://a.example{path}"' in told
    with app.test_request_context():
        nothing = atom([], "https://a.example", "https://a.example/turns.atom", 10.5 * DAY).decode()
    assert "<updated>1970-01-11T00:00:00" in nothing
