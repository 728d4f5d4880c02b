"""A client that knows links, forms and redirects only, like a browser without scripts."""

from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

from tests.support.html import Markup

Button = tuple[str, str, str]  # name, value, words


@dataclass
class Form:
    """A form as a browser would send it: hidden fields, boxes to tick, buttons to press."""

    action: str
    method: str = "get"
    hidden: dict[str, str] = field(default_factory=dict)
    boxes: list[tuple[str, str]] = field(default_factory=list)  # checkboxes and radio buttons
    ticked: list[tuple[str, str]] = field(default_factory=list)  # the ticked ones
    buttons: list[Button] = field(default_factory=list)

    def filled(self, button: Button, ticked=(), **typed: str):
        """Return the fields that a button sends, with these boxes ticked, if any."""
        fields = [*self.hidden.items(), *(ticked or self.ticked)]
        fields = [(name, typed.get(name, value)) for name, value in fields]
        return [*fields, (button[0], button[1])] if button[0] else fields


class Page(Markup):
    """A page as links, forms and text, parsed on first use, because many pages are never read.

    Text inside <script> and <style> is ignored.
    """

    def __init__(self, html: str) -> None:
        super().__init__()
        self._html = html

    def __getattr__(self, name: str):
        if name not in ("forms", "links", "text", "title"):
            raise AttributeError(name)
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []  # address, words
        self.text = self.title = self._words = self._label = self._select = ""
        self._pressed: tuple[str, str] | None = None  # name and value of the open button
        self._link: str | None = None
        self._inside: Form | None = None
        self._tag = ""
        self.feed(self._html)
        return getattr(self, name)

    def handle_starttag(self, tag, attrs):
        a = {name: value or "" for name, value in attrs}
        self._tag = tag
        form = self._inside
        if tag == "form":
            self._inside = Form(a.get("action", ""), a.get("method", "get").lower())
            self.forms.append(self._inside)
        elif tag == "a":
            self._link, self._label, self._words = a.get("href", ""), a.get("aria-label", ""), ""
        elif form is None or "disabled" in a:
            return
        elif tag == "input" and a.get("type") in ("checkbox", "radio"):
            form.boxes.append((a.get("name", ""), a.get("value", "on")))
            if "checked" in a:
                form.ticked.append(form.boxes[-1])
        elif tag == "input" and a.get("name"):
            form.hidden[a["name"]] = a.get("value", "")
        elif tag == "select":
            self._select = a["name"]
        elif tag == "option" and ("selected" in a or self._select not in form.hidden):
            form.hidden[self._select] = a.get("value", "")
        elif tag == "button":
            self._pressed = a.get("name", ""), a.get("value", "")
            self._label, self._words = a.get("aria-label", ""), ""

    def handle_endtag(self, tag):
        if tag == "form":
            self._inside = None
        elif tag == "button" and self._inside is not None and self._pressed is not None:
            self._inside.buttons.append((*self._pressed, (self._label or self._words).strip()))
            self._pressed = None
        elif tag == "a" and self._link is not None:
            self.links.append((self._link, (self._label or self._words).strip()))
            self._link = None
        self._tag = ""

    def handle_data(self, data):
        if self._tag == "title":
            self.title += data
        elif self._tag not in ("script", "style"):
            self.text += data
            self._words += data

    def form(self, ending: str) -> Form:
        """Return the form whose action ends like this; raises LookupError if there is none."""
        for form in self.forms:
            if urlsplit(form.action).path.endswith(ending):
                return form
        raise LookupError(f"no form posts to …{ending}")

    def link(self, words: str) -> str:
        """Return the address of the first link with these words; raises LookupError."""
        for address, read in self.links:
            if read == words:
                return address
        raise LookupError(f"no link reads “{words}” on: {self.text[:300]}")

    def moves(self) -> list[tuple[Form, Button]]:
        """Return every button that makes a move, with its form."""
        moving = [form for form in self.forms if urlsplit(form.action).path.endswith("/move")]
        return [(form, button) for form in moving for button in form.buttons]


class Browser:
    """One browser: a client with cookies, and the page it shows."""

    def __init__(self, client) -> None:
        self.client = client
        self.page = Page("")
        self.status = 0
        self.html = ""

    def open(self, address: str) -> Page:
        """Open an address, and follow its redirects."""
        parts = urlsplit(urljoin("http://localhost/", address))
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        return self._show(self.client.get(path, follow_redirects=True))

    def follow(self, words: str) -> Page:
        """Follow the first link with these words; raises LookupError."""
        return self.open(self.page.link(words))

    def send(self, form: Form, button: Button = ("", "", ""), ticked=(), **typed: str) -> Page:
        """Press a button of a form, with these boxes ticked and these fields filled in."""
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
        raise LookupError(f"no button reads “{words}” on: {self.page.text[:300]}")

    def play_on(self, rng) -> bool:
        """Press a random move button, or wait; return False when the match is over.

        `rng` draws a form, its button, and one, two, three or eight boxes to tick.
        """
        forms = list({id(form): form for form, _ in self.page.moves()}.values())
        waits = [address for address, _ in self.page.links if "/wait?" in address]
        if waits and (not forms or rng.randrange(4)):  # some moves are possible out of turn
            self.open(waits[0])
        elif forms:
            form = rng.choice([form for form in forms if "sure" in form.hidden] or forms)
            ticked = rng.sample(form.boxes, rng.choice((1, 1, 2, 3, 8)))
            self.send(form, rng.choice(form.buttons), ticked)
        return bool(forms or waits)

    def _show(self, answer) -> Page:
        self.status, self.html = answer.status_code, answer.get_data(as_text=True)
        self.page = Page(self.html)
        return self.page
