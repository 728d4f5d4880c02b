"""HTML as tests read it."""

from html.parser import HTMLParser


class Markup(HTMLParser):
    """A parser that counts no lines: nobody asks for them, and they take a fifth of its time."""

    def updatepos(self, i: int, j: int) -> int:
        return j
