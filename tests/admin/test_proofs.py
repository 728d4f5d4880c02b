"""The host's acts and pages: each act is listed, nothing hidden is shown, and nothing breaks."""

import random
from contextlib import contextmanager

import pytest
from sqlalchemy import Engine, event, select

from kaboom.admin import queries, sanctions
from kaboom.admin import service as admin
from kaboom.db.metadata import metadata
from kaboom.ratings import maintenance
from kaboom.social.chat.service import speak
from kaboom.social.friends import queries as friends
from kaboom.tables.models import matches, moves, tables
from tests.admin.test_host_pages import PAGES, number_of
from tests.fuzz.requests import CANARY, as_form, bent
from tests.support.effort import often

DAY = 86_400


class Killed(BaseException):
    """A process that dies at this point."""


def everything(service):
    """Return every row of the database."""
    return service.database.read(
        lambda c: {
            it.name: sorted(map(repr, c.execute(select(it)))) for it in metadata.sorted_tables
        }
    )


@pytest.fixture
def room(hal, table, service, fake_clock):
    """A match with a chat, a report and a sanction; return its code and Ben's number."""
    path, _ = table("Ann", "Ben", game="gops")
    code, ben = path.rsplit("/", 1)[1], number_of(service, "Ben")
    speak(service, code, ben, "Ben", "you fool")
    values = {"by_id": number_of(service, "Ann"), "about_id": ben, "code": code}
    values |= {"evidence": '[["about", "you fool"]]', "reason": "insults", "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    sanctions.sanction(service, "Hal", ben, sanctions.MUTE, "shouting", 90)
    fake_clock.sleep(40 * DAY)
    return code, ben


ACTS = {
    "link": lambda s, code, ben: admin.new_link(s),
    "note": lambda s, code, ben: admin.note(s, "Hal", "player", "why"),
    "warn": lambda s, code, ben: sanctions.sanction(s, "Hal", ben, sanctions.WARN, "why"),
    "mute": lambda s, code, ben: sanctions.sanction(
        s, "Hal", number_of(s, "Ann"), sanctions.MUTE, "why", 3
    ),
    "out": lambda s, code, ben: sanctions.sanction(s, "Hal", ben, sanctions.OUT, "why", 3),
    "lift": lambda s, code, ben: sanctions.lift(s, "Hal", 1, "why"),
    "rename": lambda s, code, ben: admin.rename(s, "Hal", ben, "Benny", "why"),
    "line": lambda s, code, ben: admin.delete_line(s, "Hal", code, 1, "why"),
    "close": lambda s, code, ben: admin.close_report(s, "Hal", 1, "why"),
    "say": lambda s, code, ben: admin.say(s, "Hal", "halt", "Back at 8"),
    "end": lambda s, code, ben: admin.end_table(s, "Hal", code, "why"),
    "void": lambda s, code, ben: admin.void(s, "Hal", s.get(code).table.record, "why"),
    "expire": lambda s, code, ben: admin.expire(s, "Hal", 30, "why"),
    "remove": lambda s, code, ben: admin.remove_host(
        s, admin.COMMAND_LINE, number_of(s, "Hal"), "why"
    ),
    "host": lambda s, code, ben: admin.make_host(s, "Hal", ben, "why"),
    "reopen": lambda s, code, ben: admin.close_report(s, "Hal", 1, "why", closed=False),
}


@pytest.mark.slow
@pytest.mark.parametrize("act", ACTS)
def test_host_act_interrupted_before_its_listing_leaves_nothing(act, room, service, monkeypatch):
    real_add, real_void = queries.add_act, maintenance.void

    def dies(connection, line):
        real_add(connection, line)
        raise Killed

    before = everything(service)
    with monkeypatch.context() as patched:
        patched.setattr(queries, "add_act", dies)
        if act == "void":  # no match is rated here
            patched.setattr(maintenance, "void", lambda c, code: real_void(c, code) or True)
        with pytest.raises(Killed):
            ACTS[act](service, *room)
    assert everything(service) == before


@contextmanager
def caught():
    """Yield a list that collects the executed statements."""
    found = []

    def note(connection, cursor, statement, parameters, context, many):
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_host_pages_read_no_hidden_column(hal, room):
    with caught() as read:
        for path in (it for it in PAGES if it != "/host/link"):  # leads elsewhere
            assert hal.client.get(path.replace("people/1", f"people/{room[1]}")).status_code == 200
    assert len(read) > 20
    hidden = [f"{it.table.name}.{it.name}" for it in (tables.c.body, matches.c.seed)]
    assert [it for it in read if moves.name in it.split() or any(map(it.count, hidden))] == []


def muted_and_reported(service, table, name):
    number, values = number_of(service, name), {"evidence": "[]", "reason": "spam", "code": "A"}
    sanctions.sanction(service, "Hal", number, sanctions.MUTE, "shouting", 2)
    values |= {"by_id": number, "about_id": number, "at": service.now()}
    service.database.write(lambda c: friends.add_report(c, values))
    admin.end_table(service, "Hal", table, "stuck")


def statements(hal, path):
    with caught() as read:
        hal.open(path)
    return len(read)


@pytest.mark.parametrize("path", ["/host", "/host/people", "/host/reports", "/host/matches"])
def test_host_list_asks_as_often_for_one_as_for_many(path, hal, table, service):
    tables, counts = [table(name, "Zoe", game="gops")[0] for name in ("Ann", "Ben", "Cleo")], []
    for it, name in zip(tables, ("Ann", "Ben", "Cleo"), strict=True):
        muted_and_reported(service, it.rsplit("/", 1)[1], name)
        hal.open(path)  # what is cached now was not before
        counts.append(min(statements(hal, path), statements(hal, path)))  # unless it ran out
    assert hal.status == 200 and len(set(counts)) == 1, counts


@pytest.mark.slow
def test_malformed_host_forms_break_nothing(hal, room, service):
    dice, forms = random.Random(51), []
    for path in PAGES:
        hal.open(path.replace("people/1", f"people/{room[1]}"))
        forms += [
            (form, form.filled(button))
            for form in hal.page.forms
            if form.method == "post"
            for button in form.buttons or [("", "", "")]
        ]
    assert len(forms) >= 20
    statuses = set()
    for _ in range(often(150, soak=5_000)):
        form, fields = dice.choice(forms)
        fields = [(name, value or dice.choice(["why", CANARY])) for name, value in fields]
        answer = hal.client.post(
            form.action,
            data=as_form(bent(fields, dice), dice),
            content_type="application/x-www-form-urlencoded",
        )
        statuses.add(answer.status_code)
        assert answer.status_code < 500
        assert b"<kb-canary" not in answer.data or form.action.endswith("/backup")
        hal.open("/host/acts")
        if hal.status != 200:  # a host has removed themselves
            number = number_of(service, "Hal")
            service.database.write(lambda c: queries.add_host(c, number, service.now()))  # noqa: B023
        assert "<kb-canary" not in hal.html
    assert {303, 422} <= statuses
