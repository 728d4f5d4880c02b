"""The bare reference: what a move and its four views cost on this stack when nobody knows rules.

It runs under the same gunicorn settings, Flask, Jinja, gzip, SQLAlchemy Core and SQLite as Kaboom;
store, push and headers are frozen copies of Kaboom's (bench.frozen), so that it stays as it is. A
move is

* checks of the same kind: the form comes from our own pages, the cookie's key sits at this table;
* one transaction: the table and the player by code and key, the command id looked up, one row
  inserted, one row updated whose body is as long as that of a Kaboom table (only its version is
  read; nothing is parsed);
* an answer as long as a real Kaboom fragment, rendered by Jinja, packed with gzip, with the same
  headers. Its template is the plain one such a page has: a loop over four players' 24 cards with
  four values each and one over thirty log lines with two, no macro, no condition; what is missing
  to Kaboom's length is one ready piece of Kaboom's own HTML.

A view is one small read of version and player, 204 when the browser has it, else that fragment.
With streams it wakes them, as Kaboom does. It has no clock, no log, no words,
no hash chain, no view revisions of its own for each seat.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, make_response, render_template, request
from flask_compress import Compress
from markupsafe import Markup
from sqlalchemy import (
    Column,
    Connection,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    insert,
    select,
    update,
)

from bench import frozen, ours

metadata = MetaData()
tables = Table(
    "tables",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
)
players = Table(
    "players",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("table_id", Integer, nullable=False),
)
moves = Table(
    "moves",
    metadata,
    Column("table_id", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("cmd", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    UniqueConstraint("table_id", "cmd"),
)
sits = (tables.c.code == bindparam("code")) & (players.c.key_hash == bindparam("key"))
both = tables.join(players, players.c.table_id == tables.c.id)
LOAD = select(tables.c.id, tables.c.version, tables.c.body, players.c.id).select_from(both)
LOAD = LOAD.where(sits)
GLANCE = select(tables.c.version, players.c.id).select_from(both).where(sits)
DONE = select(moves.c.seq).where(
    moves.c.table_id == bindparam("table_id"), moves.c.cmd == bindparam("cmd")
)
ADD = insert(moves)
SAVE = update(tables).where(tables.c.id == bindparam("this"))

PAGE = """<div id="table"><input type="hidden" id="ver" name="v" value="{{ version }}">
<input type="hidden" name="v" value="{{ version }}"><button name="move" value="0 draw">Draw</button>
{% for card in cards %}<button id="c-{{ card.place }}" class="card {{ card.look }}" name="pick" \
value="{{ card.place }}" aria-label="{{ card.label }}">{{ card.text }}</button>
{% endfor %}<ol>{% for line in log %}<li id="ev-{{ line.number }}">{{ line.text }}</li>
{% endfor %}</ol>{{ rest }}</div>"""
CARDS = [
    {"place": f"{seat}.{slot}", "look": "down", "label": f"Ann’s card {slot}", "text": "face down"}
    for seat in range(4)
    for slot in range(6)
]
LOG = [{"number": n, "text": f"Ann draws a card and Ben’s is {n}."} for n in range(30)]


def key_hash() -> str:
    """Return the hash of the browser's key."""
    return hashlib.sha256(request.cookies.get("kb", "").encode()).hexdigest()


def create_app(today: bool = False) -> Flask:
    """Return the application, for the database and the fragment named by the environment.

    `today`: on Kaboom's own store, push and headers as they are now.
    """
    parts: Any = ours if today else frozen
    app = Flask(__name__)
    app.config.update(COMPRESS_ALGORITHM=["gzip"], COMPRESS_MIMETYPES=["text/html"])
    Compress(app)
    database = parts.Database(os.environ["DATABASE_URL"])
    page = app.jinja_env.from_string(PAGE)
    kaboom = Path(os.environ["FRAGMENT"]).read_text()
    own = page.render(version=1, cards=CARDS, log=LOG, rest="")
    rest = dead(kaboom)[: max(0, len(kaboom) - len(own))]
    hub = parts.Hub()
    app.extensions["kaboom.hub"] = hub
    streams = parts.TableEvents()

    def glance(code: str, key: str) -> int:
        def work(connection: Connection) -> Any:
            return connection.execute(GLANCE, {"code": code, "key": key}).first()

        row = database.read(work)
        return row[0] if row else abort(403)

    def fragment(version: int) -> Response:
        return make_response(
            render_template(page, version=version, cards=CARDS, log=LOG, rest=rest)
        )

    @app.before_request
    def same_site() -> None:
        if request.method == "POST" and request.headers.get("Sec-Fetch-Site") != "same-origin":
            abort(403)

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in parts.HEADERS.items():
            response.headers[name] = value
        response.headers["Cache-Control"] = "private, no-cache"
        response.headers["Vary"] = "Cookie, HX-Request"
        return response

    @app.get("/hello")
    def hello() -> str:
        return "hello"

    @app.get("/t/<code>/view")
    def view(code: str) -> Response:
        version = glance(code, key_hash())
        if request.args.get("v") == str(version):
            return Response(status=204)
        return fragment(version)

    @app.post("/t/<code>/move")
    def move(code: str) -> Response:
        key, text, cmd = key_hash(), request.form["move"], request.form["v"]

        def work(connection: Connection) -> int:
            row = connection.execute(LOAD, {"code": code, "key": key}).first()
            if row is None:
                abort(403)
            table_id, version, body, _ = row
            if connection.execute(DONE, {"table_id": table_id, "cmd": cmd}).first():
                return version
            added = {"table_id": table_id, "seq": version, "cmd": cmd, "text": text}
            connection.execute(ADD, {**added, "at": time.time()})
            connection.execute(SAVE, {"this": table_id, "version": version + 1, "body": body})
            return version + 1

        version = database.write(work)
        hub.publish(code)
        return fragment(version)

    @app.get("/t/<code>/events")
    def events(code: str) -> Response:
        key = key_hash()
        return streams.events(hub, code, lambda: glance(code, key))

    return app


def dead(html: str) -> Markup:
    """Return a fragment of Kaboom without anything that could be pressed."""
    return Markup(html.replace('name="', 'data-was="').replace(' id="', ' data="'))


def fill(url: str, code: str, keys: list[str], body: str) -> None:
    """Make the database: one table with a body, and those who sit at it by their keys."""
    database = frozen.Database(url)

    def work(connection: Connection) -> None:
        metadata.create_all(connection)
        connection.execute(insert(tables), {"id": 1, "code": code, "version": 1, "body": body})
        for key in keys:
            hashed = hashlib.sha256(key.encode()).hexdigest()
            connection.execute(insert(players), {"key_hash": hashed, "table_id": 1})

    database.write(work)
    database.close()
