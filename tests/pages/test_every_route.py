"""The tours visit every route."""

import re
from pathlib import Path

from werkzeug.exceptions import HTTPException

FILES = Path(__file__).with_name("snapshots").glob("*.txt")
ASKED = re.compile(r"^## \S+ (GET|POST) ([^\s?]+)", re.M)
STREAMS = {("table.events", "GET"), ("voices.lines", "GET")}  # endless streams


def test_every_route_is_visited_by_some_tour(app):
    """Add a new page or form to a tour; `make snapshots` then records its answer."""
    routes = app.url_map.bind("localhost")
    asked = set()
    for file in FILES:
        for method, path in ASKED.findall(file.read_text()):
            try:
                asked.add((routes.match(path, method)[0], method))
            except HTTPException:
                continue  # a tour shows the missing page, too
    every = {
        (rule.endpoint, method)
        for rule in app.url_map.iter_rules()
        for method in rule.methods & {"GET", "POST"}
    }
    assert every - asked == STREAMS
