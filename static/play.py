#!/usr/bin/env python3
"""Play at a Kaboom server in a terminal: one file, nothing but Python 3.8 or later.

    python3 play.py https://cards.example            create a table, or join one by its code
    python3 play.py https://cards.example/t/K7M2Q4XA sit down at that table
    python3 play.py URL --bot ./sly                  let a program of yours play there

Made for screen readers, braille displays and slow connections: output is only added. Nothing is
cleared, moved or coloured, and nothing is printed while a line is being typed. It knows no rules:
it prints what the server says, and sends what is typed, such as 3, or 7 8, or lay 8S JS. Type help
for the rest. Your key is kept in a file that only you can read.
"""

from __future__ import annotations

import argparse
import atexit
import codecs
import collections
import contextlib
import http.client
import json
import os
import re
import select
import shlex
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any

try:
    import termios
except ImportError:  # Windows
    termios = None

# Lines of the text format: moves, and lines that are only for programs.
MOVE = re.compile(r"(\d+ )?[a-z_]+: (?!POST|GET)")
DOOR = re.compile(r"[a-z]+: (POST|GET) |(answers|outcome)=")
MARKED = re.compile(r"\*\*|`|(?<=\])\([^)]*\)|[\[\]]")  # in the rules: bold text, cards, links
AGENT = "kaboom-play/1"
WAIT = 25  # seconds that the server holds a request for news
HELP = """\
A number plays that move. Several numbers, such as 7 8, choose several things.
Words work too, such as lay 8S JS.
t  the table again      m  your moves         h  your hand
l  what happened last   s  the score          c  the clock
w  who sits here        ?  the rule           say  all in short
d  what your moves would do
talk hello              say something to the others; talk alone reads
sit, ready, start, bot hard, leave, again     before and after a match
new  back to the beginning                    q  quit (your chair stays yours)"""
KISWAHILI = {
    HELP: """\
Namba hucheza hatua hiyo; namba kadhaa, kama 7 8, huchagua vitu kadhaa.
Maneno pia hufaa, kama lay 8S JS.
t  meza tena            m  hatua zako         h  karata zako
l  kilichotokea mwisho  s  alama              c  saa
w  walioketi hapa       ?  kanuni             say  yote kwa ufupi
d  hatua zako zingefanya nini
talk habari             waambie wengine; talk peke yake husoma
sit, ready, start, bot hard, leave, again     kabla na baada ya mchezo
new  rudi mwanzo                              q  acha (kiti chako hubaki chako)""",
    "Your name: ": "Jina lako: ",
    "Type a game's name to open a table, or the code of a table to join it. q quits.":
        "Andika jina la mchezo kufungua meza, au msimbo wa meza kujiunga nayo. q huacha.",
    "How many bots should play? Press Enter for none, so that friends can come.":
        "Roboti wangapi wacheze pia? Enter kwa hakuna, ili marafiki waweze kuja.",
    "Others join with: ": "Wengine hujiunga kwa: ",
    "Type start when all are here, bot to add a bot, help for the rest.":
        "Andika start wote wakiwa hapa, bot kuongeza roboti, help kwa mengine.",
    "Type ready when you are, help for the rest.": "Andika ready ukiwa tayari, help kwa mengine.",
    "Type sit to sit down, or stay and watch.": "Andika sit kuketi, au baki utazame.",
    "Type again for another match here, new for the beginning, q to quit.":
        "Andika again kwa mchezo mwingine hapa, new kurudi mwanzo, q kuacha.",
    "Waiting for {names}.": "Inasubiri {names}.",
    "Type y if you are sure.": "Andika y ukiwa na hakika.",
    "Not done.": "Haijafanyika.",
    "The rules are at {address}": "Kanuni ziko {address}",
    "The server does not answer. Trying again.": "Seva haijibu. Inajaribu tena.",
    "The server could not be reached.": "Seva haikufikiwa.",
    "Your chair stays yours. Come back with: ": "Kiti chako hubaki chako. Rudi kwa: ",
    "free": "huru",
}  # fmt: skip
FRENCH = {
    HELP: """\
Un numéro joue ce coup ; plusieurs, comme 7 8, choisissent plusieurs choses.
Les mots conviennent aussi, comme lay 8S JS.
t  encore la table      m  vos coups          h  votre main
l  ce qui vient d’arriver  s  les points      c  l’horloge
w  qui est assis ici    ?  la règle           say  tout en bref
d  ce que feraient vos coups
talk bonjour            parler aux autres ; talk seul lit
sit, ready, start, bot hard, leave, again     avant et après un match
new  retour au début                          q  quitter (votre place reste à vous)""",
    "Your name: ": "Votre nom : ",
    "Type a game's name to open a table, or the code of a table to join it. q quits.":
        "Tapez le nom d’un jeu pour ouvrir une table, ou le code d’une table pour la rejoindre. "
        "q quitte.",
    "How many bots should play? Press Enter for none, so that friends can come.":
        "Combien de robots jouent avec vous ? Entrée pour aucun, que des amis puissent venir.",
    "Others join with: ": "D’autres vous rejoignent par : ",
    "Type start when all are here, bot to add a bot, help for the rest.":
        "Tapez start quand tous sont là, bot pour ajouter un robot, help pour le reste.",
    "Type ready when you are, help for the rest.":
        "Tapez ready quand vous voulez commencer, help pour le reste.",
    "Type sit to sit down, or stay and watch.": "Tapez sit pour vous asseoir, ou regardez.",
    "Type again for another match here, new for the beginning, q to quit.":
        "Tapez again pour un autre match ici, new pour le début, q pour quitter.",
    "Waiting for {names}.": "On attend {names}.",
    "Type y if you are sure.": "Tapez y pour confirmer.",
    "Not done.": "Ce n’est pas fait.",
    "The rules are at {address}": "Les règles sont ici : {address}",
    "The server does not answer. Trying again.": "Le serveur ne répond pas. Nouvel essai.",
    "The server could not be reached.": "Le serveur n’a pas pu être joint.",
    "Your chair stays yours. Come back with: ": "Votre place reste à vous. Revenez par : ",
    "free": "libre",
}  # fmt: skip
LANGUAGES = {"fr": FRENCH, "sw": KISWAHILI}


class Broken(Exception):
    """The player's own program failed; str() is the reason."""


class Quit(Exception):
    """The player wants to stop."""


# ---- The connection: as in clients/python/kaboom_client/connection.py

LONGEST_PAUSE = 60  # seconds; if a server asks for a longer one, its refusal is final


class Refused(Exception):
    """The server refused a request; str() is the reason, `problem` the whole response."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail") or f"Error {status}")
        self.status, self.problem = status, problem
        self.slug: str = problem.get("type", "").rpartition("/")[2]
        self.rule: str = (problem.get("rule") or {}).get("href", "")


class Gone(Exception):
    """The server cannot be reached."""


class Server:
    """A Kaboom server: sends requests, and repeats them on bad connections."""

    def __init__(
        self, home: str, language: str, patience: tuple[float, ...] = (1, 2, 4, 8, 15)
    ) -> None:
        self.home, self.language, self.patience = home.rstrip("/"), language, patience
        self.key = ""

    def ask(
        self, path: str, body: dict[str, Any] | None = None, accept: str = "application/json"
    ) -> tuple[str, http.client.HTTPMessage]:
        """Return the response's text and headers. A repeated request keeps its Idempotency-Key, so
        it counts once.

        Raises Refused or Gone.
        """
        head = {"Accept": accept, **self._head()}
        data = None
        if body is not None:
            head.update({"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())})
            data = json.dumps(body).encode()
        for pause in (*self.patience, None):
            try:
                request = urllib.request.Request(self.home + path, data, head)
                with urllib.request.urlopen(request, timeout=WAIT + 15) as answer:
                    return answer.read().decode(), answer.headers
            except urllib.error.HTTPError as no:
                refused = _refused(no)
                if pause is None or no.code not in (429, 502, 503, 504):
                    raise refused from None
                with contextlib.suppress(ValueError):  # there is no delay, or it is a date
                    pause = float(no.headers.get("Retry-After", ""))
                if not 0 <= pause <= LONGEST_PAUSE:
                    raise refused from None
            except (OSError, http.client.HTTPException):  # the second: the response broke off
                if pause is None:
                    raise Gone() from None
            time.sleep(pause)
        raise Gone()

    def _head(self) -> dict[str, str]:
        """Return the headers of each request: the key and the language."""
        head = {"User-Agent": AGENT}
        if self.language:
            head["Accept-Language"] = self.language
        if self.key:
            head["Authorization"] = "Bearer " + self.key
        return head

    def get(self, path: str) -> Any:
        """Return the JSON at a path."""
        return _parsed(self.ask(path)[0])

    def stream(self, path: str) -> Any:
        """Yield the lines of a stream; silence means that the connection was lost.

        Raises Refused or Gone.
        """
        request = urllib.request.Request(self.home + path, None, self._head())
        try:
            with urllib.request.urlopen(request, timeout=WAIT) as answer:
                for line in answer:
                    yield json.loads(line)
        except urllib.error.HTTPError as no:
            raise _refused(no) from None
        except (OSError, ValueError, http.client.HTTPException):
            raise Gone() from None

    def post(self, path: str, **fields: Any) -> Any:
        """POST to a path, and return the JSON of the response."""
        return _parsed(self.ask(path, fields)[0])

    def text(self, path: str) -> tuple[str, str]:
        """Return the plain text at a path, and the menu to which its numbers belong."""
        text, headers = self.ask(path, accept="text/plain")
        return text, headers.get("Kaboom-Menu", "")


def _parsed(text: str) -> Any:
    """Return the data of a JSON response; raises Refused for any other response."""
    try:
        return json.loads(text)
    except ValueError:
        raise Refused(200, {"detail": "There is no Kaboom server at that address."}) from None


def _refused(no: urllib.error.HTTPError) -> Refused:
    """Return a refusal in its JSON form; for text or speech it is only a sentence."""
    try:
        text = no.read().decode(errors="replace")
    except (OSError, http.client.HTTPException):  # the response broke off
        text = ""
    if no.headers.get_content_type() == "text/plain":
        return Refused(no.code, {"detail": text.strip()})
    try:
        found = json.loads(text)
    except ValueError:
        found = {}
    return Refused(no.code, found if isinstance(found, dict) else {})


# Keys


def key_file() -> str:
    """Return the path of the file with the keys."""
    folder = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.environ.get("KABOOM_KEYS") or os.path.join(folder, "kaboom", "keys.json")


def kept_keys(path: str) -> dict[str, dict[str, str]]:
    """Return the stored keys by server."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def keep_key(path: str, home: str, name: str, key: str) -> None:
    """Store a key in a file that only its owner can read."""
    keys = kept_keys(path)
    keys[home] = {"name": name, "key": key}
    os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    part = path + ".part"
    if os.path.exists(part):
        os.remove(part)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(keys, file, indent=1)
    os.replace(part, path)


def known_key(server: Server, path: str, wished: str, bot: bool) -> str:
    """Use the stored key for a server, and return its player's name; "" if none works."""
    kept = kept_keys(path).get(server.home + (" bot" if bot else ""))
    if not kept or (wished and kept["name"] != wished):
        return ""
    server.key = kept["key"]
    try:
        server.get("/games.json")
        return kept["name"]
    except Refused as no:
        if no.status != 401:
            raise
        server.key = ""
    return ""


def new_key(server: Server, path: str, name: str, key_name: str, bot: bool) -> str:
    """Become a guest of a server, store the key, and return the guest's name."""
    scopes = ["look", "play", "table", "talk"] + (["bot"] if bot else [])
    made = server.post("/guests", name=name, key_name=key_name, scopes=scopes)
    server.key = made["key"]
    keep_key(path, server.home + (" bot" if bot else ""), made["name"], made["key"])
    return str(made["name"])


# ---- The end of the connection


# The terminal


class Terminal:
    """Reads and prints lines. While one is being typed, nothing is printed."""

    def __init__(self, language):
        self.words = LANGUAGES.get(language[:2], {})
        self.tty = termios is not None and sys.stdin.isatty()
        self.input = sys.stdin.fileno()
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.waiting = ""  # typed, but not read yet
        if self.tty:
            self._take()

    def _take(self):
        """Read each key as it is typed, to know when a line was begun."""
        before = termios.tcgetattr(self.input)
        atexit.register(termios.tcsetattr, self.input, termios.TCSADRAIN, before)
        mine = termios.tcgetattr(self.input)
        mine[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.input, termios.TCSADRAIN, mine)

    def say(self, text, **more):
        """Print a text: printable characters and line ends only."""
        text = self.words.get(text, text).format(**more) if more else self.words.get(text, text)
        clean = "".join(c for c in text if c == "\n" or (c.isprintable() and c != "\x1b"))
        self._write(clean + "\n")

    def _write(self, text):
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.buffer.write(text.encode(encoding, "replace"))
        sys.stdout.flush()

    def question(self, text):
        """Print a question and return the line typed; raises Quit at the end of input."""
        self._write(self.words.get(text, text))
        while True:
            line = self.line(None)
            if line is not None:
                return line.strip()

    def line(self, news):
        """Return the next line typed; None once there is `news` and no line was begun.

        `news` is a file number that becomes readable, or None to wait for a line only. Raises Quit.
        """
        typed = ""
        escaped = False
        while True:
            while self.waiting:
                key, self.waiting = self.waiting[0], self.waiting[1:]
                if escaped:
                    escaped = not (key.isalpha() or key == "~")
                elif key in "\r\n":
                    if self.tty:
                        self._write("\n")
                    return typed
                elif key == "\x1b":
                    escaped = self.tty
                elif key in "\x7f\b" or key == "\x15":
                    gone = len(typed) if key == "\x15" else min(1, len(typed))
                    typed = typed[: len(typed) - gone]
                    self._write("\b \b" * gone)
                elif key == "\x04" and not typed:
                    raise Quit()
                elif key.isprintable():
                    typed += key
                    if self.tty:
                        self._write(key)
            wanted = [self.input] if typed or news is None else [self.input, news]
            ready = select.select(wanted, [], [])[0] if os.name != "nt" else [self.input]
            if self.input in ready:
                data = os.read(self.input, 1024)
                if not data:
                    raise Quit()
                self.waiting += self.decoder.decode(data)
            else:
                return None


class News(threading.Thread):
    """Listens to a table; `table` is its current state, `talk` what others have said since."""

    def __init__(self, server, code):
        super().__init__(daemon=True)
        self.server, self.path = Server(server.home, server.language, patience=()), "/t/" + code
        self.server.key = server.key
        self.table, self.wrong, self.over = None, None, False
        self.known = None  # the revision that the player has been told about
        self.talk, self.line = collections.deque(), None  # the last line that was read
        self.bell, self._ring = os.pipe()

    def run(self):
        """Listen until the stream ends."""
        pause = 1
        while not self.over:
            wrong = None
            try:
                for message in self.server.stream(self.path + ".ndjson"):
                    if self.over:
                        return
                    pause = 1
                    self._take(message)
            except Gone:
                wrong = "gone"
            except Refused as no:
                wrong = str(no)
            if wrong and wrong != self.wrong:
                self.wrong = wrong
                self._tell()
            time.sleep(pause)
            pause = min(15, 2 * pause)

    def _take(self, message):
        table = message.get("table")
        if table and (self.wrong or table["revision"] != self.known):
            self.wrong, self.table, self.known = None, table, table["revision"]
            self._tell()
        elif message["kind"] == "room":
            self._listen()

    def _listen(self):
        """Add new chat lines; those from before the player came are not news."""
        try:
            lines = self.server.get(self.path + "/talk.json")["lines"]
        except (Refused, Gone):
            return  # the chat is hidden from this player, or comes with the next line
        if self.line is not None:
            new = [it for it in lines if it["n"] > self.line and not (it["own"] or it["deleted"])]
            self.talk.extend(f"{it['name']}: {it['text']}" for it in new)
            if new:
                self._tell()
        self.line = max((it["n"] for it in lines), default=self.line or 0)

    def _tell(self):
        os.write(self._ring, b".")

    def heard(self):
        """Mark the news as read."""
        os.read(self.bell, 1024)


# At a table


class Play:
    """A player at one table."""

    def __init__(self, server, terminal, code, name, options):
        self.server, self.terminal, self.options = server, terminal, options
        self.name, self.path = name, "/t/" + code
        self.news = News(server, code)
        self.table, self.menu, self.told, self.rule = None, "", 0, ""
        self.match = None
        self.said = ("", 0)

    def go(self):
        """Play until the player leaves the table."""
        self.take(self.server.get(self.path + ".json"))
        self.news.known = self.table["revision"]
        self.news.start()
        try:
            while True:
                line = self.terminal.line(self.news.bell)
                if line is None:
                    self.look()
                elif not self.obey(" ".join(line.split())):
                    return
        finally:
            self.news.over = True

    def look(self):
        """Print the news."""
        self.news.heard()
        while self.news.talk:
            self.terminal.say(self.news.talk.popleft())
        if self.news.wrong == "gone":
            self.terminal.say("The server does not answer. Trying again.")
        elif self.news.wrong:
            self.terminal.say(self.news.wrong)
        elif self.news.table is not None:
            self.take(self.news.table)

    def take(self, table):
        """Store the current table, and print what is new."""
        known = self.table
        if known and known["me"] == table["me"] and table["revision"] <= known["revision"]:
            return  # old news
        before, self.table = self.table, table
        if table["match"] != self.match:
            self.match = table["match"]
            self.told = min(self.told, len(table["log"]) and table["log"][0]["n"] - 1)
        first = before is None and table["stage"] == "playing"
        for line in table["log"]:
            if line["n"] > self.told:
                if not first:
                    self.terminal.say(line["text"])
                self.told = line["n"]
        stage = table["stage"]
        if table["waited"]:
            if before is None or before["menu"] != table["menu"] or not before["waited"]:
                self.whole()
                if self.options.bell:
                    self.terminal._write("\a")
        elif before is None or stage != before["stage"]:
            self.whole()
        elif stage == "playing":
            names = [table["names"][seat] for seat in table["waiting"]]
            said = (table["text"], tuple(names))
            if said != self.said:
                self.terminal.say(table["text"])
                if names and not any(name in table["text"] for name in names):
                    self.terminal.say("Waiting for {names}.", names=", ".join(names))
            self.said = said
        if before is None or stage != before["stage"] or table["me"] != before["me"]:
            self.hint()

    def hint(self):
        """Print what can be typed at this stage, if the server does not number it."""
        stage, me = self.table["stage"], self.table["me"]
        if stage == "over":
            self.terminal.say(
                "Type again for another match here, new for the beginning, q to quit."
            )
        elif me is None and stage == "open":
            self.terminal.say("Type sit to sit down, or stay and watch.")
        elif stage == "open":
            self.terminal.say("Others join with: ")
            self.terminal.say(f"python3 play.py {self.server.home}{self.path}")
            host = self.table["chairs"][me].get("host")
            self.terminal.say(
                "Type start when all are here, bot to add a bot, help for the rest."
                if host
                else "Type ready when you are, help for the rest."
            )

    def whole(self, moves_only=False):
        """Print the table as text, or its moves, without what has already been printed."""
        width = f"?width={self.options.width}" if self.options.width else ""
        text, self.menu = self.server.text(self.path + ".txt" + width)
        heard = False
        lines = text.splitlines()
        if moves_only:
            first = [number for number, line in enumerate(lines) if MOVE.match(line)]
            lines = lines[first[0] :] if first else lines[1:2]
        for line in lines:
            heard = line.startswith("- ") or (heard and line.startswith("  "))
            door = DOOR.match(line)
            if not heard and not door:
                self.terminal.say(line)

    def obey(self, line):
        """Execute a typed line; return False to go back to the beginning. Raises Quit."""
        word, _, rest = line.partition(" ")
        try:
            if not line:
                pass
            elif word.isdigit() or word in [move["verb"] for move in self.table["moves"]]:
                self.move(line)
            elif word in COMMANDS:
                COMMANDS[word](self, rest)
            elif word in ("new", "q", "quit"):
                if word != "new":
                    raise Quit()
                return False
            else:
                self.terminal.say(HELP)
        except Refused as no:
            self.terminal.say(str(no))
            self.rule = no.rule
            if no.slug in ("too-late", "not-on-offer"):
                self.take(self.server.get(self.path + ".json"))
        except Gone:
            self.terminal.say("The server could not be reached.")
        return True

    def move(self, line):
        """Send a move, after a question if it cannot be taken back."""
        ask = self.ask_first(line.split())
        if ask:
            self.terminal.say(ask)
            self.terminal.say("Type y if you are sure.")
            while True:
                answer = self.terminal.line(None)
                if answer is not None:
                    break
            if answer.strip().lower()[:1] not in ("y", "n") or answer.strip()[:1] in "nN":
                self.terminal.say("Not done.")
                return
        menu = self.menu or self.table["menu"]
        self.acted(self.server.post(self.path + "/move", answers=menu, move=line, typed=True))

    def ask_first(self, words):
        """Return the question before a move that needs one, else an empty text."""
        if self.options.sure or self.table["menu"] != self.menu:
            return ""
        for move in self.table["moves"]:
            numbers = [str(it["n"]) for it in move["options"]] + [str(move.get("n", ""))]
            if move["confirm"] and (words[0] == move["verb"] or words[0] in numbers):
                chosen = chosen_by(words, move)
                if chosen is not None:
                    return move.get("ask", move["label"]).replace("{choice}", ", ".join(chosen))
        return ""

    def acted(self, table):
        """Store the table that the player's own action led to."""
        self.news.known = table["revision"]
        self.take(table)

    def post(self, door, **fields):
        """POST to one of the table's endpoints."""
        self.acted(self.server.post(self.path + door, **fields))

    def about(self, what):
        """Print the short answer to one question."""
        page = 1
        while page:
            query = f"?about={urllib.parse.quote(what)}&page={page}" if what else ""
            text = self.server.text(self.path + ".say" + query)[0].strip()
            more = f" {page + 1}."
            self.terminal.say(text)
            page = page + 1 if what and text.endswith(more) and page < 20 else 0

    def moves(self, rest):
        """Print the current moves with their numbers; without any, what is going on."""
        self.whole(moves_only=True)

    def who(self, rest):
        """Print who sits where."""
        self.table = self.server.get(self.path + ".json")
        for chair in self.table["chairs"]:
            name = chair.get("name") or self.terminal.words.get("free", "free")
            self.terminal.say(f"{chair['seat'] + 1}: {name}")

    def rules(self, rest):
        """Print the address of the rules, and the text of the rule that was broken, if any."""
        address = self.server.home + self.path + "/rules"
        if self.rule:  # as the server writes it: with the path it is under, if any
            address = urllib.parse.urljoin(self.server.home, self.rule)
        self.terminal.say("The rules are at {address}", address=address)
        broken = self.rule.rpartition("#")[2]
        found = self.server.get(self.path + "/rules.json")["sections"] if broken else []
        for section in found:
            if section["id"] == broken:
                self.terminal.say(section["heading"])
                self.terminal.say(MARKED.sub("", section["text"]).strip())

    def talk(self, rest):
        """Send a chat line, or print the chat."""
        if rest:
            self.server.post(self.path + "/talk", text=rest)
        self.terminal.say(self.server.text(self.path + "/talk.txt")[0].rstrip())


COMMANDS = {
    "t": lambda play, rest: play.whole(),
    "m": Play.moves,
    "h": lambda play, rest: play.about("hand"),
    "d": lambda play, rest: play.about("would"),
    "l": lambda play, rest: play.about("last"),
    "s": lambda play, rest: play.about("score"),
    "c": lambda play, rest: play.about("clock"),
    "say": lambda play, rest: play.about(rest),
    "w": Play.who,
    "?": Play.rules,
    "talk": Play.talk,
    "sit": lambda play, rest: play.post("/sit", name=play.name),
    "ready": lambda play, rest: play.post("/ready"),
    "again": lambda play, rest: play.post("/rematch"),
    "start": lambda play, rest: play.post("/start"),
    "bot": lambda play, rest: play.post("/bot", level=rest or "normal"),
    "leave": lambda play, rest: play.post("/leave", sure="1"),
}


def chosen_by(words, move):
    """Return the choices that these words name in a move, as in the list; None if any is not in it,
    so that the server explains the error.

    After the move's verb, a number is one on the table, never one of the list.
    """
    options = move["options"]
    if words[0] != move["verb"]:
        names = {str(it["n"]): it["label"] for it in options}
        return [names[word] for word in words if word in names]
    typed = "".join(words[1:]).casefold()
    whole = [it["label"] for it in options if "".join(it["label"].split()).casefold() == typed]
    names = {}
    for it in options:
        number = re.search(r"\d+", it["label"]) if it["choice"].isdigit() else None
        names[number[0] if number else it["choice"]] = it["label"]
    if whole:
        return whole[:1]
    return [names[word] for word in words[1:]] if names.keys() >= set(words[1:]) else None


# The player's own program, line by line


def play_by(command, server, code, name):
    """Run a program that plays at a table: it reads a line of JSON and writes its move."""
    try:
        bot = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
    except OSError:
        raise Broken(f"{command} cannot be started.") from None
    try:
        return _played_by(bot, command, server, "/t/" + code, name)
    finally:
        _let_go(bot)


def _let_go(bot):
    """Close the pipes to a program, and give it a moment to exit."""
    for line in (bot.stdin, bot.stdout):
        with contextlib.suppress(OSError):  # it exited before reading everything
            line.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        bot.wait(5)


def _played_by(bot, command, server, path, name):
    """Sit down, and send each position to a program; return the table after the match."""
    table = server.post(path + "/sit", name=name)
    if table["stage"] != "playing":
        table = server.post(path + ("/rematch" if table["stage"] == "over" else "/ready"))

    def tell(answer=True, **message):
        try:
            bot.stdin.write(json.dumps(message) + "\n")
            bot.stdin.flush()
            line = bot.stdout.readline() if answer else "\n"
        except OSError:
            line = ""
        if not line:
            raise Broken(f"{command} has ended.")
        return line.strip()

    while table["stage"] != "playing":
        table = server.get(f"{path}.json?wait={WAIT}&v={table['revision']}")
    tell(do="hello", protocol=1, game=table["game"], seat=table["me"], options=table["options"])
    while not table["outcome"]:
        if table["waited"]:
            try:
                move = tell(do="choose", left=None, table=table)
                table = server.post(path + "/move", answers=table["menu"], move=move)
            except Refused as no:
                tell(answer=False, do="refused", problem={"detail": str(no), "type": no.slug})
                table = server.get(path + ".json")
        else:
            table = server.get(f"{path}.json?wait={WAIT}&v={table['revision']}")
    try:
        tell(answer=False, do="over", outcome=table["outcome"])
        tell(answer=False, do="quit")
    except Broken:
        pass  # it knew that the match was over
    return table


# The beginning


def known_player(server, terminal, path, wished, bot):
    """Return the player's name here; asks for it, and for a key, if there is none yet."""
    known = known_key(server, path, wished, bot)
    if known:
        return known
    name = wished or (terminal.question("Your name: ") if terminal else "")
    return new_key(server, path, name, "play.py", bot)


def table_wished(server, terminal, name):
    """Return the code of the table that the player opens or joins."""
    games = {game["key"]: game["name"] for game in server.get("/games.json")["games"]}
    while True:
        terminal.say(
            "Type a game's name to open a table, or the code of a table to join it. q quits."
        )
        named = (key if key == name.lower() else f"{key} ({name})" for key, name in games.items())
        terminal.say(", ".join(sorted(named)))
        typed = terminal.question("")
        if typed in ("q", "quit"):
            raise Quit()
        if typed in ("help", "?"):
            terminal.say(HELP)
            continue
        wished = typed.rstrip("/").rpartition("/")[2]
        low = wished.lower()
        key = next((k for k, n in games.items() if low and low in (k, n.lower())), "")
        try:
            if key:
                terminal.say(
                    "How many bots should play? Press Enter for none, so that friends can come."
                )
                bots = terminal.question("")
                return server.post(
                    "/tables", game=key, name=name, bots=bots if bots.isdigit() else "0"
                )["code"]
            if wished:
                return sat(server, wished, name)
        except Refused as no:
            terminal.say(str(no))


def sat(server, code, name):
    """Sit down at a table if a seat is free, and return its code."""
    path = "/t/" + urllib.parse.quote(code.upper())
    table = server.get(path + ".json")
    if table["me"] is None and table["stage"] != "playing":
        try:
            server.post(path + "/sit", name=name)
        except Refused as no:
            if no.status not in (403, 422):
                raise
    return table["code"]


def parsed(arguments):
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url", help="the address of a server, or of a table there")
    parser.add_argument("--name", default="", help="your name")
    parser.add_argument("--width", type=int, default=0, help="columns of a line, such as 40")
    parser.add_argument("--lang", default="", help="the language, such as fr or sw")
    parser.add_argument("--bell", action="store_true", help="ring when it is your turn")
    parser.add_argument("--sure", action="store_true", help="never ask whether you are sure")
    parser.add_argument("--bot", metavar="CMD", help="a program that plays, marked as a bot")
    return parser.parse_args(arguments)


def main(arguments=None):
    """Play; return the exit code."""
    options = parsed(arguments)
    url = options.url if "//" in options.url else "http://" + options.url
    home, _, code = url.partition("/t/")
    code = code.strip("/").partition(".")[0].partition("?")[0]
    language = options.lang or os.environ.get("LANG", "")[:2].replace("C", "")
    server = Server(home, language)
    terminal = Terminal(language) if not options.bot else None
    try:
        name = known_player(server, terminal, key_file(), options.name, bool(options.bot))
        if options.bot:
            print(play_by(options.bot, server, code, name)["text"])
            return 0
        while True:
            code = sat(server, code, name) if code else table_wished(server, terminal, name)
            play = Play(server, terminal, code, name, options)
            try:
                play.go()
            except Quit:
                terminal.say("Your chair stays yours. Come back with: ")
                terminal.say(f"python3 play.py {server.home}/t/{code}")
                return 0
            code = ""
    except (Quit, KeyboardInterrupt):
        return 0
    except (Refused, Broken) as no:
        print(no, file=sys.stderr)
        return 1
    except Gone:
        print(f"The server at {server.home} could not be reached.", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
