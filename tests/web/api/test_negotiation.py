"""The format of a response: by suffix, otherwise by the Accept header, and HTML when in doubt."""

import pytest
from flask import g

from kaboom.web.api.negotiation import Format, accepted, response_format
from tests.support.browsing import BY_HTMX

HTML, JSON, TEXT, SAY = Format.HTML, Format.JSON, Format.TEXT, Format.SAY

# What browsers, libraries and tools really send.
HEADERS = {
    "": HTML,
    "*/*": HTML,  # curl, wget, HTTPie, Chrome's and Firefox's fetch, images
    "text/html": HTML,
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": HTML,  # Firefox, Safari
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8": HTML,
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
    "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7": HTML,  # Chrome, Edge
    "text/html, application/xhtml+xml, image/jxr, */*": HTML,  # Internet Explorer
    "text/html, application/xml;q=0.9, application/xhtml+xml, image/png, image/webp, image/jpeg, "
    "image/gif, image/x-xbitmap, */*;q=0.1": HTML,  # Opera
    "text/html, text/plain, text/sgml, text/css, application/xhtml+xml, */*;q=0.01": HTML,  # Lynx
    "text/html, text/*;q=0.5, image/*, application/*, audio/*, */*": HTML,  # w3m
    "text/html,text/plain;q=0.8,*/*;q=0.5": HTML,
    "text/plain, text/html, */*": HTML,
    "text/vnd.reddit+html, text/html;q=0.9": HTML,
    "application/xhtml+xml": HTML,
    "application/xml;q=0.9,*/*": HTML,
    "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5": HTML,
    "text/css,*/*;q=0.1": HTML,
    "application/json, text/plain, */*": HTML,  # axios
    "application/json, text/javascript, */*; q=0.01": JSON,  # jQuery asks for JSON
    "application/json, */*;q=0.5": JSON,  # HTTPie with a body
    "application/json": JSON,
    "application/json; charset=utf-8": JSON,
    "application/json;version=2": JSON,
    "application/json;q=0.9": JSON,
    "application/problem+json, application/json": JSON,
    "Application/JSON": JSON,
    "application/json, text/html;q=0.9": JSON,
    "application/json;q=0.8, text/html;q=0.9": HTML,
    "application/json, text/html": HTML,
    "application/json;q=0, text/html": HTML,
    "application/vnd.github+json": HTML,
    "application/ld+json, application/activity+json": HTML,  # other servers
    "text/event-stream": HTML,
    "text/plain": TEXT,
    "text/plain, */*;q=0.1": TEXT,
    "text/plain;q=0.9, text/html;q=0.5": TEXT,
    "text/plain;profile=say": SAY,
    'text/plain; profile="say", text/plain;q=0.5': SAY,
    "text/*": HTML,
    "text/*;q=0.5, application/json": JSON,
    "text/markdown, text/plain;q=0.8, text/html;q=0.7": TEXT,
    "application/pdf": HTML,
    "nonsense;;;q=x,,": HTML,
    "text/plain;q=2": HTML,
}


@pytest.mark.parametrize("header", HEADERS)
def test_accept_header_may_prefer_a_format_to_html(header):
    assert accepted(header) is HEADERS[header]


def test_many_accept_headers_are_covered():
    assert len(HEADERS) >= 40


# What libraries and tools send with JSON, without a body, or to addresses without a page.
BY_PROGRAMS = {
    "": JSON,
    "*/*": JSON,
    "application/json, text/plain, */*": JSON,  # axios
    "application/json, text/html": JSON,
    "text/event-stream": JSON,
    "text/plain": TEXT,
    "text/plain, */*;q=0.1": TEXT,
    "text/plain;profile=say": SAY,
    "text/html": HTML,
    "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": HTML,
}


@pytest.mark.parametrize("header", BY_PROGRAMS)
def test_ambiguous_accept_header_of_a_program_gets_json(header):
    assert accepted(header, by_program=True) is BY_PROGRAMS[header]


@pytest.mark.parametrize("accept", ["*/*", "application/json, text/plain, */*"])
@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/t/ZZZZZZZZ/ready", {"content_type": ""}, 404),
        ("/t/ZZZZZZZZ/ready", {"json": {}}, 404),
        ("/t/ZZZZZZZZ/ready", {"data": "1", "content_type": "text/plain"}, 415),
        ("/tables", {"content_type": ""}, 422),
        ("/guests", {"data": {"name": ""}}, 422),
    ],
)
def test_a_post_that_no_page_sends_gets_a_json_response(app, path, sent, status, accept):
    answer = app.test_client().post(path, headers={"Accept": accept}, **sent)
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


def test_a_form_without_fields_gets_a_page(app):
    answer = app.test_client().post("/t/ZZZZZZZZ/ready", headers={"Accept": "*/*"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.mark.parametrize("accept", ["", "*/*", "text/event-stream"])
def test_unavailable_stream_is_reported_in_json(app, accept):
    answer = app.test_client().get("/t/ZZZZZZZZ/events", headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")


@pytest.mark.parametrize(
    ("suffix", "accept", "htmx", "mimetype"),
    [
        (".json", "text/html", False, "application/json"),
        (".txt", "application/json", False, "text/plain"),
        (".say", "text/html", True, "text/plain"),
        ("", "application/json", False, "application/json"),
        ("", "application/json", True, "text/html"),
        ("", "text/plain", False, "text/plain"),
        ("", "*/*", False, "text/html"),
    ],
)
def test_a_suffix_beats_the_header_and_htmx_gets_html(table, suffix, accept, htmx, mimetype):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    headers = {"Accept": accept} | (BY_HTMX if htmx else {})
    answer = ann.client.get(path + suffix, headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, mimetype)
    assert depends(answer) >= ALL
    assert answer.headers["Content-Language"] == "en"


ALL = {"Accept", "Accept-Language", "Authorization", "Cookie", "HX-Request"}


def depends(answer):
    """Return an answer's Vary header."""
    return {name.strip() for line in answer.headers.getlist("Vary") for name in line.split(",")}


def test_suffix_beats_accept_header_and_vary_is_set(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    others = ("/lobby", "/turns", "/daily", "/rules/gops", "/leaderboards/gops", "/api/games/gops")
    for address in (path, f"{path}/rules", f"{path}/talk", *others):
        for suffix, mimetype in ((".json", "application/json"), (".txt", "text/plain"), ("", "")):
            for accept in ("application/json", "text/plain", "text/html"):
                answer = ann.client.get(address + suffix, headers={"Accept": accept})
                assert (answer.status_code, answer.mimetype) == (200, mimetype or accept), address
                assert depends(answer) >= ALL, address + suffix


def test_client_with_the_current_table_gets_304(table):
    path, (ann, ben) = table("Ann", "Ben", game="gops")
    first = ann.client.get(f"{path}.json")
    again = {"If-None-Match": first.headers["ETag"]}
    assert ann.client.get(f"{path}.json", headers=again).status_code == 304
    assert ann.client.get(f"{path}.txt", headers=again).status_code == 200
    assert ben.client.get(f"{path}.json", headers=again).status_code == 200
    assert ann.client.get(f"{path}.json?lang=sw", headers=again).status_code == 200


def test_lang_query_chooses_the_language(table):
    path, (ann, _) = table("Ann", "Ben", game="gops")
    answer = ann.client.get(f"{path}.txt?lang=sw")
    assert answer.headers["Content-Language"] == "sw"
    assert "Zamu yako" in answer.text


def test_format_chosen_by_a_route_replaces_the_accepted_one(app):
    with app.test_request_context("/t/AAAAAAAA/events?full=1", headers={"Accept": "text/html"}):
        assert response_format() is HTML
        g.format = JSON
        assert response_format() is JSON
