"""An API key's permissions in a tournament, as documented: playing at its tables only."""

import re

from kaboom.tournaments import organizer
from tests.support.api_clients import JSON
from tests.support.tournaments import opened, pods, settled


def test_entrants_key_plays_but_neither_enters_nor_leaves(app, service):
    code, ids = opened(service, "Ann")
    ben = app.test_client()
    assert ben.post(f"/tournaments/{code}", json={"do": "enter", "name": "Ben"}).status_code == 303
    keys = [key_for(ben, "look", "play"), key_for(ben, "look", "play", "bot")]
    organizer.begin(service, code, ids[0])
    settled(service, code)
    ((_, table, _),) = pods(service, code)
    for key, status in zip(keys, (200, 403), strict=True):
        program, shown = app.test_client(), JSON | {"Authorization": f"Bearer {key}"}
        assert program.post(f"/t/{table}/ready", json={}, headers=shown).status_code == status
        for body in ({"do": "leave"}, {"do": "enter", "name": "Cat"}):
            refused = program.post(f"/tournaments/{code}", json=body, headers=shown)
            assert (refused.status_code, refused.json["type"]) == (403, "/problems/not-yours")


def key_for(client, *scopes):
    """Return a key that a player has created."""
    page = client.post("/settings/api-keys", data={"key_name": "mine", "scope": list(scopes)}).text
    return re.search(r"kb_[\w-]{10,}", page)[0]
