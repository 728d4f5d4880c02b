"""How a tour records responses."""

from tests.pages.plain import Node, Printed, of_body
from tests.pages.tour import differences

PAGE = """<!doctype html><html lang="en"><body><main id="main" class="page wide">
<h1>Friends</h1><p>You have <b>two</b> <a href="/friends">friends</a>.</p>
<ul><li>Ann<li>Ben</ul></main></body></html>"""


def told(kind, text):
    return "\n".join(node.text for node in of_body(kind, text.encode()))


def test_page_is_recorded_as_a_tree_without_closing_tags():
    long = PAGE.replace("two", "a number of " * 12)
    assert told("text/html; charset=utf-8", long).split("\n")[:5] == [
        'html [lang="en"]',
        " body",
        "  main#main.page.wide",
        "   h1 Friends",
        "   p",
    ]


def test_short_elements_stay_on_one_line():
    assert told("text/html", "<p id='w'>Go <a href='/x'>on</a>\n now</p>") == (
        'p#w Go <a href="/x">on</> now'
    )


def test_json_and_text_are_recorded_line_by_line():
    assert told("application/json", '{"a": 1, "b": [1, 2]}') == "a: 1 | b: [1, 2]"
    assert told("text/plain", "one\ntwo\n\nthree\n") == "¶\n one\n two\n¶\n three"


def test_repeated_tree_is_recorded_by_reference():
    lines = [Node(f"a line of some length, number {n}") for n in range(9)]
    printed = Printed()
    for children in (lines, lines[1:], lines, lines[1:]):
        printed.add(Node("part", children))
    heads = [line for line in printed.lines if line.startswith("part")]
    assert heads == ["part", "part ‹2›", "part ‹as above›", "part ‹as above 2›"]


def test_difference_is_shown_below_its_parent_line():
    old = ["page", " list", "  Ann", "  Ben", " foot"]
    new = ["page", " list", "  Ann", "  Cat", "  Dan", " foot"]
    assert differences(old, new) == ["  list", "- Ben", "+ Cat", "+ Dan"]
    assert differences(old, [*old[:3], "  Cat", " foot"]) == ["~ Cat"]
    assert differences(old, old) == []


def test_removed_line_is_shown_by_its_beginning():
    assert differences(["x" * 99, "b"], ["b"]) == ["- " + "x" * 50 + "…"]
    assert differences(["a", "b", "c"], ["c"]) == ["- a and 1 more"]
