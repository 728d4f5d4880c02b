"""After a restore, a viewer of undone moves is shown the restored table."""

import pytest

from kaboom.db.backup import save
from kaboom.db.metadata import all_tables
from tests.chaos.play import SHOWN
from tests.support.browsing import table_path
from tests.support.forms import Browser


@pytest.fixture
def sat_down(app):
    """Return a function that seats these players at a new table of GOPS and starts."""

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
    """Let each bid the first card this many times; return every revision their pages show."""
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
    """Return the revision of a player's page; a page with the current one is not sent again."""
    (shown,) = SHOWN.findall(person.client.get(path + "/view").text)
    assert person.client.get(f"{path}/view?v={shown}").status_code == 204
    return shown


def restored(app, service, file):
    """Restore a backup into this server's database, as a host would."""
    service.database.write(
        lambda c: [c.execute(table.delete()) for table in reversed(all_tables().sorted_tables)]
    )
    done = app.test_cli_runner().invoke(args=["restore", str(file)])
    assert done.exit_code == 0, done.output
    service.seen.clear()  # the server was stopped during the restore


def test_page_from_before_a_restore_is_out_of_date(app, service, sat_down, tmp_path):
    """The page may sleep, and wake exactly when the table's revision equals the old one."""
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


def test_player_created_after_the_backup_is_unknown(app, service, sat_down, tmp_path):
    sat_down("Ann", "Ben")
    save(service.database, tmp_path / "saved.gz")
    path, (_, dot) = sat_down("Cid", "Dot")
    restored(app, service, tmp_path / "saved.gz")
    dot.open(path)
    assert dot.status == 404
    dot.open("/")
    assert dot.status == 200
