"""What tests read pages with tells the same as Python's own parser, which takes twice as long."""

from html.parser import HTMLParser

import pytest

from kaboom.games import GAMES
from tests.support.html import Markup


def telling(parser):
    """Return such a parser that keeps all it is told."""

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
    """Return all that a parser tells of a page."""
    reader = telling(parser)()
    reader.feed(html)
    if parser is HTMLParser:
        reader.close()
    return reader.told


@pytest.mark.parametrize("game", GAMES)
def test_pages_are_read_alike(game, table):
    players = GAMES[game].seats(GAMES[game].options())[0]
    path, (ann, *_) = table(*"ABCDE"[:players], game=game)
    paths = ("/", "/lobby", "/settings", "/me", f"/start/{game}", f"/rules/{game}", path)
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
def test_whatever_people_type_is_read_alike(html):
    assert told(Markup, html) == told(HTMLParser, html)
