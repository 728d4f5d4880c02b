"""The tours go everywhere."""

import re
from pathlib import Path

from werkzeug.exceptions import HTTPException

FILES = Path(__file__).with_name("snapshots").glob("*.txt")
ASKED = re.compile(r"^## \S+ (GET|POST) ([^\s?]+)", re.M)
STREAMS = {("table.events", "GET"), ("voices.lines", "GET")}  # they never end


def test_every_route_is_asked_in_some_tour(app):
    """A new page or form is added to one, and `make snapshots` shows how it answers."""
    routes = app.url_map.bind("localhost")
    asked = set()
    for file in FILES:
        for method, path in ASKED.findall(file.read_text()):
            try:
                asked.add((routes.match(path, method)[0], method))
            except HTTPException:
                continue  # there is no such page, which a tour shows, too
    every = {
        (rule.endpoint, method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST"}
    }
    assert every - asked == STREAMS
