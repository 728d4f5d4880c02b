"""The tests' HTML parser reports the same as Python's own, which takes twice as long."""

from html.parser import HTMLParser

import pytest

from kaboom.games import GAMES
from tests.support.html import Markup


def telling(parser):
    """Return such a parser that records its events."""

    class Told(parser):
        def __init__(self):
            super().__init__()
            self.told = []

        def handle_starttag(self, tag, attrs):
            self.told.append(("<", tag, attrs))

        def handle_endtag(self, tag):
            self.told.append(("/", tag))

        def handle_data(self, data):
            self.told.append(("text", data))

        def handle_comment(self, data):
            self.told.append(("comment", data))

    return Told


def told(parser, html):
    """Return all events of a parser for a page."""
    reader = telling(parser)()
    reader.feed(html)
    if parser is HTMLParser:
        reader.close()
    return reader.told


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_pages_are_parsed_as_by_pythons_parser(game, table):
    players = GAMES[game].seats(GAMES[game].options())[0]
    path, (ann, *_) = table(*"ABCDE"[:players], game=game)
    paths = ("/", "/lobby", "/settings", "/account", f"/start/{game}", f"/rules/{game}", path)
    for each in (*paths, f"{path}/watch", f"{path}/rules", f"{path}/moves"):
        html = ann.client.get(each).text
        assert told(Markup, html) == told(HTMLParser, html), each


@pytest.mark.parametrize(
    "html",
    [
        "<p>1 < 2 &amp; 3 &lt; 4</p>",
        "<a href=/t/x title='it is &quot;so&quot;' HIDDEN>Go</A>",
        '<a title="1 > 0" data-x=\'a"b\'>x</a>',
        "<br/><img src=x onerror=alert(1)><x1 y1='z'>",
        '<?xml version="1.0"?><feed><id>1</id></feed>\n',
        "<!DOCTYPE html><!-- <b>not read</b> --><b>read</b>",
        "<script>if (1 < 2 && 3 > 2) '<b>'</script><style>a > b {}</style><i>i</i>",
        "\"><x1 y1='z'></p></title><x1>--><!--a-->",
    ],
)
def test_arbitrary_text_is_parsed_as_by_pythons_parser(html):
    assert told(Markup, html) == told(HTMLParser, html)
