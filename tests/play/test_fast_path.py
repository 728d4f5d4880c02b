"""Looks at a table, of open pages and of programs, are answered by a short way: as Flask's own
would answer.
"""

from itertools import chain, product

import pytest
from limits import parse
from prometheus_client import REGISTRY
from werkzeug.datastructures import Headers

from kaboom.accounts.api_keys import service as program_keys
from kaboom.db.database import Unavailable
from kaboom.db.encryption import hash_of
from kaboom.engine.options import written
from kaboom.engine.rng import Chance
from kaboom.games import GAMES, sample
from kaboom.play import fast_path
from kaboom.web import limits
from kaboom.web.api.scopes import Scope
from kaboom.web.session import PASSED
from tests.support.api_clients import Program, at_table
from tests.support.browsing import BY_HTMX
from tests.support.effort import often

pytestmark = pytest.mark.usefixtures("waiting_lets_time_pass")

# What browsers may send with it.
SENT = [
    {},
    {"Accept-Language": "sw", "Accept-Encoding": "gzip, deflate, br, zstd"},
    {"Accept-Language": "fr, ar;q=0.5", "Accept-Encoding": "gzip"},
    {"Accept-Encoding": "br"},
    {"Accept-Encoding": "zstd;q=0.1, identity", "HX-Request": "false"},
    {"Cookie": "kb-settings=language=ar&sound=2&confirm=0&keys=1; kb-tips=kaboom&gops"},
    {"Cookie": "kb-settings=language=sw&sound=0&look=dark; kb-read=7"},
    {"Accept": "application/json", "If-None-Match": "*", "Range": "bytes=0-9"},
]
ASKED = ["", "?v=0", "?v={seen}", "?lang=sw&v=1", "?ask=remove+1", "?ask=none", "?v={seen}&v=0"]
# What programs ask for.
TOLD = [
    ".json",
    ".txt",
    ".say",
    ".json?after=3&lang=fr",
    ".txt?width=40&cards=words&would=1",
    ".say?about=moves&page=2",
    ".json?v={seen}",
    ".txt?lang=ar",
    ".json?after=many",
]


@pytest.fixture
def ways(monkeypatch):
    """A function: what an application answers to a look by the short way and by Flask's own, and
    whether there was a short way.
    """

    def answered(app, path, sent, **more):
        client = app.test_client(use_cookies=False)
        response = client.get(path, headers=Headers(sent), **more)
        return response.status, sorted(response.headers), response.get_data()

    def both(app, path, sent=(), **more):
        found = []
        sent = {**(BY_HTMX if "/view" in path else {}), **dict(sent)}
        look = fast_path.look

        def noted():
            found.append(look())
            return found[-1]

        with monkeypatch.context() as patch:
            patch.setattr(fast_path, "look", noted)
            short = answered(app, path, sent, **more)
            patch.setattr(fast_path, "fits", lambda: False)
            return short, answered(app, path, sent, **more), found not in ([], [None])

    return both


def cookies_of(person):
    """Return the header of a browser's key."""
    cookie = person.client.get_cookie("kb")
    return f"kb={cookie.value}" if cookie else ""


@pytest.mark.parametrize("game", list(GAMES))
def test_both_ways_answer_alike_whatever_is_played(app, table, browser, ways, game):
    seats = max(2, GAMES[game].seats(GAMES[game].options(**sample(game).short))[0])
    names = ["Ann", "Ben", "Cid", "Dot", "Eve"][:seats]
    path, people = table(*names, game=game, **written(sample(game).short))
    watching, took, told = browser(), 0, 0
    for number in range(often(5, 400)):
        for seat in Chance(bytes(32), number, "who").shuffled(range(seats)):
            people[seat].open(path)
            if people[seat].page.moves():
                people[seat].play_on(Chance(bytes(32), number, "what"))
                break
        for viewer, person in enumerate([*people, watching]):
            sent = dict(SENT[(number + 3 * viewer) % len(SENT)])
            sent["Cookie"] = "; ".join(filter(None, [cookies_of(person), sent.get("Cookie", "")]))
            seen = (
                app.config["TABLES"]
                .look(path[3:])
                .table.revision(viewer if viewer < seats else None)
            )
            asked = ASKED[(number + viewer) % len(ASKED)].format(seen=seen)
            secure = {"base_url": "https://cards.example"} if number % 5 == 4 else {}
            if secure:
                sent["Cookie"] = sent["Cookie"].replace("kb", "__Host-kb")
            short, long, taken = ways(app, f"{path}/view{asked}", sent, **secure)
            assert short == long, (number, viewer, sent, asked)
            took += taken
            asked = TOLD[(number + viewer) % len(TOLD)].format(seen=seen)
            short, long, taken = ways(app, f"{path}{asked}", sent, **secure)
            assert short == long, (number, viewer, sent, asked)
            told += taken
    assert min(took, told) > number + 1, "there was hardly ever a short way"


def test_what_is_unusual_or_wrong_is_answered_by_flask(app, table, browser, ways, monkeypatch):
    path, (ann, ben) = table("Ann", "Ben")
    own = {"Cookie": cookies_of(ann)}
    code = path[3:]
    passed = f"{PASSED}{code}=-.{cookies_of(ben)[3:]}"
    unusual = {
        "the curtain is down": (path, {"Cookie": f"{own['Cookie']}; {passed}"}),
        "no key that is known": (path, {"Authorization": "Bearer kb_nothing"}),
        "no such table": ("/t/NOTATABL", own),
        "no code at all": ("/t/no-code", own),
        "small letters": (f"/t/{code.lower()}", own),
        "another password": (path, own | {"Authorization": "Basic YTpi"}),
        "a host that is none": (path, own | {"Host": "a b"}),
        "no host": (path, own | {"Host": ""}),
    }
    looks = "/view?v=0", ".json?v=0"
    for (what, (at, sent)), look in product(unusual.items(), looks):
        short, long, _ = ways(app, f"{at}{look}", sent)
        assert short == long, (what, look)
    for look in looks:
        short, long, _ = ways(app, f"{path}{look}%ff", own)
        assert short == long and short[0].startswith("400")
    for method in ("head", "options", "post"):
        answer = getattr(app.test_client(), method)(f"{path}/view", headers=BY_HTMX)
        assert answer.status_code == (405 if method == "post" else 200)
    for error, status in ((Unavailable("now"), "503"), (RuntimeError("planted"), "500")):

        def fails(*_, error=error):
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(app.config["TABLES"], "look", fails)
            for look in looks:
                short, long, _ = ways(app, f"{path}{look}", own)
                assert short == long and short[0].startswith(status)


def test_who_shows_a_key_goes_the_short_way_to_other_voices(app, table, ways):
    path, (ann, _) = table("Ann", "Ben")
    service = app.config["TABLES"]
    player = service.look(path[3:], hash_of(ann.client.get_cookie("kb").value)).player
    for scope, table_of, status in (
        (Scope.LOOK, path[3:], "200"),
        (Scope.PLAY, "", "403"),
        (Scope.LOOK, "NTHERTBL", "403"),
    ):
        shown = program_keys.make(service, player, "bot", {scope}, table_of)
        sent = {"Authorization": f"Bearer {shown}"}
        for look in (".json", ".txt", ".say"):
            short, long, taken = ways(app, f"{path}{look}", sent)
            assert short == long and short[0].startswith(status)
            assert taken == (status == "200")
        short, long, taken = ways(app, f"{path}/view", sent)
        assert short == long and short[0].startswith(status) and not taken


def test_who_waits_or_has_an_answer_is_answered_by_flask(app, table, ways):
    path, (ann, _) = table("Ann", "Ben")
    own = {"Cookie": cookies_of(ann)}
    tag = ann.client.get(f"{path}.json").headers["ETag"]
    for asked, sent, status in (
        (".json", {"If-None-Match": tag}, "304"),
        (".json", {"If-None-Match": "*"}, "304"),
        (".json", {"If-None-Match": '"another"'}, "200"),
        (".json?w%61it=1&v=0", {}, "200"),
        (".json", BY_HTMX, "200"),
    ):
        short, long, taken = ways(app, f"{path}{asked}", own | sent)
        assert short == long and short[0].startswith(status) and not taken, (asked, sent)


def test_a_look_too_many_is_refused_either_way(limited, ways, monkeypatch):
    monkeypatch.setattr(limits, "LOOKS", parse("10 per hour"))
    path = at_table("gops", ann := Program(limited), Program(limited))
    while ann.get(f"{path}.json").status_code == 200:
        pass
    short, long, _ = ways(limited, f"{path}.json", {"Cookie": ann.cookies})
    assert short == long and short[0].startswith("429")


def test_who_asks_for_another_voice_is_here(app, table):
    path, (ann, _) = table("Ann", "Ben")
    present, code = app.extensions["kaboom.presence"], path[3:]
    player = app.config["TABLES"].look(code, hash_of(ann.client.get_cookie("kb").value)).player
    present.gone(code, player)
    ann.client.get(f"{path}.json")
    assert player in present.here(code)


def test_a_deal_is_seen_to_be_dealt_once(app, table, ways):
    path, (ann, _) = table("Ann", "Ben")
    short, long, taken = ways(app, f"{path}/view", {"Cookie": cookies_of(ann)})
    assert short == long and not taken
    dealt = next(value for name, value in short[1] if name == "Set-Cookie").partition(";")[0]
    assert dealt.startswith("kb-dealt=")
    short, long, taken = ways(app, f"{path}/view", {"Cookie": f"{cookies_of(ann)}; {dealt}"})
    assert short == long and taken and b"dealt" not in short[2].split(b">")[2]


def test_who_guesses_codes_is_refused_either_way(limited, ways):
    for number in range(31):
        limited.test_client().get(f"/t/WRONG{number:03}/view", headers=BY_HTMX)
    short, long, _ = ways(limited, "/t/RIGHTONE/view")
    assert short[0] == long[0] == "429 TOO MANY REQUESTS"
    assert short[2] == long[2]


def test_looks_are_counted_either_way(app, table, ways):
    path, (ann, _) = table("Ann", "Ben")
    sample = ("kaboom_requests_total", {"route": "table.view", "status": "204"})
    seen = app.config["TABLES"].look(path[3:]).table.revision(0)
    before = REGISTRY.get_sample_value(*sample) or 0
    assert ways(app, f"{path}/view?v={seen}", {"Cookie": cookies_of(ann)})[2]
    assert REGISTRY.get_sample_value(*sample) == before + 2


# What the short way does as well, or by going Flask's.
SHARED = {
    "api_auth.know",
    "security.add_headers",
    "security.refuse_no_host",
    "security.refuse_unreadable_text",
    "code_attempts.refuse",
    "health._count",
    "health.begin",
    "i18n._fall_silent",
    "i18n._say_which",
    "i18n._speak",
    "compression.compress",
    "hot_seat.behind_the_curtain",
    "room._note_asker",
    "context.clean_code",
    "requests.read",
}
# What does nothing to a GET that succeeds, on a route without limits of its own.
NOT_FOR_LOOKS = {
    "api_auth.without_cookies",
    "session_routes.init_app.<locals>.note",
    "errors.say_when",
    "security.refuse_other_sites",
    "code_attempts.count",
    "idempotency_routes.reserve",
    "idempotency_routes.take_back",
    "session.give_key",
    "limiter",
    "hot_seat.fall_after_a_turn",
    "acks._answered",
    "acks._began",
}


def test_every_hook_is_on_the_short_way_or_not_for_looks(limited):
    """Whoever adds a hook decides about it here."""
    kinds = (
        limited.url_value_preprocessors,
        limited.before_request_funcs,
        limited.after_request_funcs,
        limited.teardown_request_funcs,
    )
    whose = (None, "table", "voices")
    hooks = chain.from_iterable(kind.get(name, ()) for kind in kinds for name in whose)
    found = set()
    for hook in hooks:
        hook = getattr(hook, "func", hook)
        ours = hook.__module__.startswith("kaboom.")
        name = f"{hook.__module__.rpartition('.')[2]}.{hook.__qualname__}"
        found.add(name if ours else "limiter")
    assert found == SHARED | NOT_FOR_LOOKS
