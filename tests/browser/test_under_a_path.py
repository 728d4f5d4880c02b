"""A match under a path of a host, in Chromium: every request stays below it."""

from urllib.parse import urlsplit

from tests.browser.chromium import Person
from tests.browser.conftest import started
from tests.support.server import free_port


def test_match_under_a_path_sends_all_requests_below_it(chromium):
    port = free_port()
    with started(port=port, PUBLIC_URL=f"http://localhost:{port}/cards") as server:
        ann = Person(chromium, f"http://localhost:{server.port}/cards")
        asked = []
        ann.context.on("request", lambda request: asked.append(urlsplit(request.url)))
        page = ann.page
        page.goto(f"http://localhost:{server.port}/cards/start/gops")
        page.fill("[name=name]", "Ann")
        page.locator("[name=bots]").first.select_option("1")
        page.locator("form[action$='/tables'] button").first.click()
        page.wait_for_url("**/cards/t/*")
        page.get_by_role("button", name="Start the match").click()
        for _ in range(3):
            with page.expect_response(lambda it: it.url.endswith("/move")):
                card = page.locator("form[action$='/move'] button").first
                card.evaluate("button => button.form.requestSubmit(button)")
            page.wait_for_timeout(500)  # milliseconds: the bot moves, and a stream tells it
        paths = {it.path for it in asked if it.scheme.startswith("http")}
        assert any(path.endswith("/move") for path in paths), paths
        assert any("/events" in path for path in paths), paths
        assert [path for path in paths if not path.startswith("/cards/")] == []
        assert {it["path"] for it in ann.context.cookies()} >= {"/cards"}
        assert not [it for it in ann.context.cookies() if not it["path"].startswith("/cards")]
        ann.close()
