"""What is noted of a press, so that a stream does not send again what its answer shows."""

import pytest

from kaboom.realtime.acks import Presses
from tests.support.browsing import BY_HTMX


@pytest.mark.parametrize(("headers", "noted"), [(BY_HTMX, ["began", "answered"]), ({}, [])])
def test_only_a_press_of_a_script_is_noted_for_others_lead_to_another_page(
    table, monkeypatch, headers, noted
):
    path, (ann, _) = table("Ann", "Ben")
    seen = []
    for name in ("began", "answered"):
        monkeypatch.setattr(Presses, name, lambda *_, name=name: seen.append(name))
    ann.client.post(f"{path}/move", data={}, headers=headers)
    assert seen == noted
