"""A backup is restored: whoever saw what is now undone is shown the table as it is."""

import pytest

from kaboom.db.backup import save
from kaboom.db.models import metadata
from tests.chaos.play import SHOWN
from tests.support.browsing import table_path
from tests.support.forms import Browser


@pytest.fixture
def sat_down(app):
    """A function: these people sit at a new table of GOPS and begin."""

    def sit(*names):
        people = [Browser(app.test_client()) for _ in names]
        host = people[0]
        host.open("/start/gops")
        host.send(host.page.form("/tables"), name=names[0])
        path = table_path(host)
        for person, name in zip(people[1:], names[1:], strict=True):
            person.open(path)
            person.send(person.page.form("/sit"), name=name)
        host.open(path)
        host.send(host.page.form("/start"))
        return path, people

    return sit


def numbers_while_bidding(people, path, bids):
    """Let each bid so often what comes first; return every number their pages show meanwhile."""
    shown = set()
    for _ in range(bids):
        for person in people:
            person.open(path)
            if moves := person.page.moves():
                form, button = moves[0]
                person.send(form, button, form.boxes[:1])
            shown |= {number(each, path) for each in people}
    return shown


def number(person, path):
    """Return the number of somebody's page; a page that shows it is not sent the same again."""
    (shown,) = SHOWN.findall(person.client.get(path + "/view").text)
    assert person.client.get(f"{path}/view?v={shown}").status_code == 204
    return shown


def restored(app, service, file):
    """Restore a backup into this server's database, as a host would."""
    service.database.write(
        lambda c: [c.execute(table.delete()) for table in reversed(metadata.sorted_tables)]
    )
    done = app.test_cli_runner().invoke(args=["restore", str(file)])
    assert done.exit_code == 0, done.output
    service.seen.clear()  # the server was stopped meanwhile


def test_no_page_takes_its_old_number_for_what_is_there_after_a_restore(
    app, service, sat_down, tmp_path
):
    """It may have slept since, and wake just when the table's number has grown to the old one."""
    path, people = sat_down("Ann", "Ben")
    numbers_while_bidding(people, path, 3)
    save(service.database, tmp_path / "saved.gz")
    undone = numbers_while_bidding(people, path, 6)
    assert len(undone) > 10
    restored(app, service, tmp_path / "saved.gz")
    for person in people:
        person.open(path)
        person.send(person.page.form("/rematch"))
    assert not undone & numbers_while_bidding(people, path, 12)


def test_who_came_after_the_backup_is_a_stranger(app, service, sat_down, tmp_path):
    sat_down("Ann", "Ben")
    save(service.database, tmp_path / "saved.gz")
    path, (_, dot) = sat_down("Cid", "Dot")
    restored(app, service, tmp_path / "saved.gz")
    dot.open(path)
    assert dot.status == 404
    dot.open("/")
    assert dot.status == 200
