"""Private notes: stored per seat and match, shown to no one else, found again in the record."""

import pytest
from sqlalchemy import select

from kaboom.records import note_queries as store
from kaboom.records.models import notes
from kaboom.records.notes import LONGEST

SECRET = "Ben bluffs with Jacks"


def write(person, path, text):
    person.open(f"{path}/notes")
    form = person.page.form("/notes")
    form.hidden["text"] = text
    return person.send(form)


@pytest.fixture
def seated(table):
    return table("Ann", "Ben", game="gops")


def stored(service):
    return service.database.read(lambda c: list(c.execute(select(notes.c.text)).scalars()))


def test_note_is_readable_by_its_author_only(seated, service, browser):
    path, (ann, ben) = seated
    ann.open(path)
    assert any(href == f"{path}/notes" for href, _ in ann.page.links)
    write(ann, path, f"{SECRET}\n\nand <b>more</b>")
    assert ann.status == 200
    assert "Saved." in ann.page.text
    assert f"{SECRET}\n\nand &lt;b&gt;more" in ann.html
    for person in (ben, browser()):
        for address in (path, f"{path}/view", f"{path}/notes", f"{path}/now", f"{path}/talk"):
            assert SECRET not in person.client.get(address).text
    assert all(SECRET.encode() not in text for text in stored(service)), "it is stored encrypted"


def test_new_note_replaces_the_old_and_an_empty_one_deletes(seated, service):
    path, (ann, ben) = seated
    write(ann, path, "one")
    write(ben, path, "his")
    write(ann, path, "two")
    ann.open(f"{path}/notes")
    assert "two" in ann.page.text
    assert len(stored(service)) == 2
    write(ann, path, "  \n ")
    assert len(stored(service)) == 1


@pytest.mark.parametrize(("length", "status"), [(LONGEST, 200), (LONGEST + 1, 422), (9_999, 422)])
def test_overlong_note_is_refused_and_stays_in_the_field(seated, service, length, status):
    path, (ann, _) = seated
    write(ann, path, "x" * length)
    assert ann.status == status
    assert "x" * length in ann.html
    assert len(stored(service)) == (status == 200)
    assert ("characters, please" in ann.page.text) == (status == 422)


def test_a_note_of_a_megabyte_is_refused_in_a_sentence(seated, service):
    path, (ann, _) = seated
    write(ann, path, "x" * 1_000_000)
    assert ann.status == 413
    assert len(ann.page.text.split()) > 8
    assert stored(service) == []


def test_strangers_have_no_notes_and_outdated_forms_are_refused(seated, service, browser):
    path, (ann, _) = seated
    stranger = browser()
    stranger.open(f"{path}/notes")
    assert stranger.status == 403
    assert (
        stranger.client.post(f"{path}/notes", data={"text": "x", "match": "1"}).status_code == 403
    )
    ann.open(f"{path}/notes")
    form = ann.page.form("/notes")
    form.hidden |= {"match": "7", "text": "x"}
    ann.send(form)
    assert ann.status == 422
    assert stored(service) == []


def test_note_is_shown_to_its_author_in_record_and_replay(seated, service):
    path, (ann, ben) = seated
    write(ann, path, SECRET)
    write(ben, path, "his")
    service.change(path[3:], lambda transaction: transaction.stop())
    code = service.get(path[3:]).table.record
    for address in (f"/m/{code}", f"/m/{code}/0"):
        assert SECRET in ann.client.get(address).text
        assert SECRET not in ben.client.get(address).text
    for address in (f"/m/{code}.json", f"/m/{code}/print"):
        assert SECRET not in ann.client.get(address).text
    ann.client.post("/account/delete", data={"what": "statistics", "sure": "1"})
    assert len(stored(service)) == 1
    assert SECRET not in ann.client.get(f"/m/{code}").text
    ben.client.post("/account/delete", data={"what": "all", "sure": "1"})
    assert stored(service) == []


def test_undecryptable_note_counts_as_none(seated, service):
    path, (ann, _) = seated
    write(ann, path, SECRET)
    player = service.get(path[3:]).table.chairs[0].player
    match = service.get(path[3:]).table.match_id

    def spoiled(connection):
        connection.execute(notes.update().values(text=b"nonsense"))
        return store.note(connection, match, player)

    assert service.database.write(spoiled) == ""
