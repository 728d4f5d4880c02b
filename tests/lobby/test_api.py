"""Opening a table, joining it and chatting: the answer has the client's format."""

import pytest

from kaboom.web.api.negotiation import MEDIA, Format
from tests.support.api_clients import Program

SAYS = {Format.TEXT: "1: Ann, host", Format.SAY: "At the table: Ann and Ben."}


@pytest.mark.parametrize("spoken", [Format.JSON, Format.TEXT, Format.SAY])
@pytest.mark.parametrize("by_form", [False, True])
def test_table_is_opened_joined_and_chatted_at_in_each_format(app, spoken, by_form):
    ann, ben = Program(app), Program(app)

    def send(who, path, **fields):
        body = {"data": fields} if by_form else {"json": fields}
        answer = who.client.post(path, headers={"Accept": MEDIA[spoken]}, **body)
        assert answer.status_code in (200, 201), answer.text
        assert answer.mimetype == MEDIA[spoken].partition(";")[0]
        return answer

    opened = send(ann, "/tables", game="kaboom", name="Ann")
    path, _, suffix = opened.headers["Location"].rpartition(".")
    assert suffix == spoken
    joined = send(ben, f"{path}/sit", name="Ben")
    talked = send(ben, f"{path}/talk", text="Hello")
    ready = send(ben, f"{path}/ready")
    left = send(ben, f"{path}/leave")
    if spoken is Format.JSON:
        assert path.endswith(opened.json["code"])
        assert [it.json["me"] for it in (opened, joined, ready, left)] == [0, 1, 1, None]
        assert [it["text"] for it in talked.json["lines"]] == ["Hello"]
    else:
        assert SAYS[spoken] in joined.text and "Hello" in talked.text
        assert "Ben" not in opened.text + left.text.partition("leaves")[2]
