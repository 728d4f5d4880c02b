"""No form is sent empty, because lynx would send GET instead of POST."""

import re

import pytest

from kaboom.config import ROOT

FORM = re.compile(r"<form\b.*?</form>", re.S)
FIELD = re.compile(r'<(?:input|select|textarea)\b(?![^>]*"(?:checkbox|radio)")[^>]*\bname=')
MACROS = re.compile(r"\{\{ ?\w*(once|options|more|name_field)\(")  # which hold fields
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def sent_empty(template):
    """Return the buttons whose form would be sent without a single field."""
    found = []
    for form in FORM.findall(template):
        if 'method="get"' in form or FIELD.search(form) or MACROS.search(form):
            continue
        buttons = re.findall(r"<button\b(?:\{%.*?%\}|[^>])*>[^<]*", form)
        found += [button for button in buttons if " name=" not in button]
    return found


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_every_form_sends_a_field(file):
    assert sent_empty(file.read_text()) == []


def test_form_without_fields_is_detected():
    assert sent_empty('<form method="post" action="/x"><button>Go</button></form>')
    assert sent_empty(
        '<form method="post"><input type="checkbox" name="a"><button>Go</button></form>'
    )
    assert not sent_empty('<form method="post"><input name="a"><button>Go</button></form>')
    assert not sent_empty('<form method="post"><button name="go" value="1">Go</button></form>')


@pytest.mark.parametrize("more", [{}, {"name": "ready", "value": "0"}, {"cmd": "c1"}])
def test_form_with_one_button_is_not_empty(app, more):
    with app.test_request_context():
        forms = app.jinja_env.get_template("macros/forms.html").module
        assert sent_empty(str(forms.press("/t/CODE/ready", "ready", "I am ready", **more))) == []
