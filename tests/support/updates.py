"""A table's page as a browser keeps it up to date: updates are applied to its contents."""

import re

PARTIAL = re.compile(r'<hx-partial id="([^"]+)" hx-swap="(\w+)">(.*?)</hx-partial>', re.DOTALL)
TITLE = re.compile(r"<title>.*?</title>", re.DOTALL)
HEAD = re.compile(
    r'<input type="hidden" id="ver" name="v" value="(\d*)" data-sight="([^"]*)"[^>]*>'
)
# The view that a form belongs to, which the page's script adds on sending.
SEEN = re.compile(r'(name="v" value="|name="cmd" value="(?:\w+ )?|/wait\?v=)\d+')
BY_PAGE = {"HX-Request": "true", "HX-Target": "input#ver"}  # headers of the page's script


def edition(html):
    """Return the edition of the table that a page shows."""
    return "".join(HEAD.search(html).groups())


def alike(page, anew):
    """Return True if a page equals a freshly rendered one, byte for byte."""
    return (
        edition(page) == edition(anew)
        and SEEN.sub(r"\1", page).rstrip() == SEEN.sub(r"\1", anew).rstrip()
    )


def applied(page, update):
    """Return a page (its title and its table) after an update."""
    head = PARTIAL.sub("", update)
    page = TITLE.sub(lambda _: TITLE.search(head)[0], page, count=1)
    page = HEAD.sub(lambda _: HEAD.search(head)[0], page, count=1)
    assert not HEAD.sub("", TITLE.sub("", head)).strip(), "it contains nothing else"
    for name, swap, html in PARTIAL.findall(update):
        start, inside_ends, end = element(page, name)
        if swap == "outerMorph":
            page = page[:start] + html + page[end:]
        elif swap == "delete":
            page = page[:start] + page[end:]
        else:
            assert swap == "beforeend"
            page = page[:inside_ends] + html + page[inside_ends:]
    return page


def element(html, name):
    """Return the positions of the element with that id: its start, the end of its content, and its
    end.
    """
    (begun,) = re.finditer(rf'<(\w+)[^<>]* id="{re.escape(name)}"[^<>]*>', html)
    depth = 0
    for tag in re.compile(rf"<(/?){begun[1]}\b[^<>]*>").finditer(html, begun.start()):
        depth += -1 if tag[1] else 1
        if not depth:
            return begun.start(), tag.start(), tag.end()
    raise AssertionError(f"{name} never ends")
