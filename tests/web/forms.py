"""A player that knows only links, forms and redirects: what a browser without scripts can do."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit


@dataclass
class Form:
    """A form as a browser would send it: hidden fields, boxes to tick, buttons to press."""

    action: str
    method: str = "get"
    hidden: dict[str, str] = field(default_factory=dict)
    boxes: list[tuple[str, str]] = field(default_factory=list)  # of checkboxes and radios
    buttons: list[tuple[str, str, str]] = field(default_factory=list)  # name, value, words

    def filled(self, button: tuple[str, str, str], ticked=(), **typed: str):
        """Return the fields that pressing the button sends."""
        fields = [*self.hidden.items(), *ticked]
        fields = [(name, typed.get(name, value)) for name, value in fields]
        return [*fields, (button[0], button[1])] if button[0] else fields


class Page(HTMLParser):
    """A page as links, forms and text. What is inside <script> and <style> is not text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []  # address, words
        self.text = ""
        self.title = ""
        self._button: tuple[str, str] | None = None
        self._link: str | None = None
        self._words = ""
        self._inside: Form | None = None
        self._select = ""
        self._skip = False
        self._in_title = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        a = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = Form(a.get("action", ""), a.get("method", "get").lower())
            self.forms.append(self._inside)
        elif tag == "input" and self._inside is not None:
            kind = a.get("type", "text")
            if kind in ("checkbox", "radio"):
                self._inside.boxes.append((a.get("name", ""), a.get("value", "on")))
                if "checked" in a:
                    self._inside.hidden[a["name"]] = a.get("value", "on")
            elif a.get("name"):
                self._inside.hidden[a["name"]] = a.get("value", "")
        elif tag == "select" and self._inside is not None:
            self._select = a["name"]
        elif tag == "option" and self._inside is not None:
            if "selected" in a or self._select not in self._inside.hidden:
                self._inside.hidden[self._select] = a.get("value", "")
        elif tag == "button" and self._inside is not None:
            self._button, self._words = (a.get("name", ""), a.get("value", "")), ""
        elif tag == "a":
            self._link, self._words = a.get("href", ""), ""
        self._skip = tag in ("script", "style")
        self._in_title = tag == "title"
        label = a.get("aria-label")
        if label and tag in ("button", "a"):
            self._words = label

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = None
        elif tag == "button" and self._inside is not None and self._button is not None:
            self._inside.buttons.append((*self._button, self._words.strip()))
            self._button = None
        elif tag == "a" and self._link is not None:
            self.links.append((self._link, self._words.strip()))
            self._link = None
        self._skip = self._in_title = False

    def handle_data(self, data):
        if self._in_title:
            self.title += data
        elif not self._skip:
            self.text += data
            self._words += data

    def form(self, ending: str) -> Form:
        """Return the form whose action ends so; raises LookupError when there is none."""
        for form in self.forms:
            if urlsplit(form.action).path.endswith(ending):
                return form
        raise LookupError(f"no form posts to …{ending}")

    def moves(self) -> list[tuple[Form, tuple[str, str, str]]]:
        """Return every button that makes a move, with its form."""
        return [
            (form, button)
            for form in self.forms
            if urlsplit(form.action).path.endswith("/move")
            for button in form.buttons
        ]


class Browser:
    """One browser: a client with cookies, and the page it shows."""

    def __init__(self, client) -> None:
        self.client = client
        self.page = Page("")
        self.status = 0
        self.html = ""

    def open(self, address: str) -> Page:
        """Follow a link."""
        return self._show(self.client.get(_path(address), follow_redirects=True))

    def send(self, form: Form, button=("", "", ""), ticked=(), **typed: str) -> Page:
        """Press a button of a form, with these boxes ticked and these fields typed."""
        fields: dict[str, list[str]] = {}
        for name, value in form.filled(button, ticked, **typed):
            fields.setdefault(name, []).append(value)
        if form.method == "get":
            answer = self.client.get(form.action, query_string=fields, follow_redirects=True)
        else:
            answer = self.client.post(form.action, data=fields, follow_redirects=True)
        return self._show(answer)

    def press(self, words: str) -> Page:
        """Press the first button with these words on it; raises LookupError."""
        for form in self.page.forms:
            for button in form.buttons:
                if words.lower() in button[2].lower():
                    return self.send(form, button)
        raise LookupError(f"no button says “{words}” on: {self.page.text[:300]}")

    def _show(self, answer) -> Page:
        self.status, self.html = answer.status_code, answer.get_data(as_text=True)
        self.page = Page(self.html)
        return self.page


def _path(address: str) -> str:
    parts = urlsplit(urljoin("http://localhost/", address))
    return parts.path + (f"?{parts.query}" if parts.query else "")
