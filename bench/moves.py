"""What a move costs at a table of four, views included, beside a reference that knows no rules."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bench import reference
from bench.browser import Browser
from bench.room import Room, Took, at_least, database, kaboom_room, sat_down
from bench.server import Server
from bench.table import Row, at_most

ROUNDS = 9
MOVES = 40
PACED_ROUNDS = 4
PACED_MOVES = 40
RATE = 20  # moves a second
REVEALS = 40


def cost(folder: Path) -> list[Row]:
    """Compare the processor time of moves one after the other, everybody's stream open."""
    rooms = [kaboom_room(folder)]
    rooms += [reference_room(folder, rooms[0], today) for today in (False, True)]
    for room in rooms:
        room.listen()
    try:
        spent = in_turns(rooms, ROUNDS, lambda room: [room.play_by_streams() for _ in range(MOVES)])
        looks = in_turns(rooms[:2], ROUNDS, look_anew)
    finally:
        close(rooms)
    name = "CPU of a move, the 3 other views and 4 streams, × reference"
    of_today = [row[0] / row[2] for row in spent]
    today = Row(f"{name} of today", f"{median(of_today):.2f} ({between(of_today)})")
    ours, bare = (median(column) / MOVES for column in list(zip(*spent, strict=True))[:2])
    ratios = [row[0] / row[1] for row in spent]
    more = f"{between(ratios)}; {ours:.2f} ms beside {bare:.2f} ms"
    looked = [row[0] / row[1] for row in looks]
    return [
        at_most(name, median(ratios), 1.2, more=more),
        today,
        at_most("a changed view, × Flask's hello", median(looked), 3.5, more=between(looked)),
    ]


def between(ratios: list[float]) -> str:
    """Return how far ratios lie apart."""
    return f"{min(ratios):.2f} to {max(ratios):.2f} in {len(ratios)} rounds"


def look_anew(room: Room) -> None:
    """Let everybody fetch the table as if it had changed, or say hello where nothing is played."""
    for _ in range(MOVES):
        for person in room.people:
            if room.server.app == "wsgi:app":
                person.seen = "0"
                person.send_look()
                person.show(person.answer())
            else:
                person.ask("GET", "/hello")


def pace(folder: Path) -> list[Row]:
    """Play at a human rate with everybody's stream open."""
    ours = kaboom_room(folder)
    rooms = [ours, reference_room(folder, ours)]
    took: dict[Room, list[Took]] = {room: [] for room in rooms}
    for room in rooms:
        room.listen()

    def paced(room: Room) -> None:
        for _ in range(PACED_MOVES):
            with at_least(1 / RATE):
                took[room].append(room.play_by_streams())

    try:
        in_turns(rooms, PACED_ROUNDS, paced)
    finally:
        close(rooms)
    rows = []
    for room, name in zip(rooms, ("Kaboom", "reference"), strict=True):
        post = median(one.post for one in took[room])
        views = median(one.views for one in took[room])
        more = f"{views:.1f} ms, POST {post:.1f} ms"
        name = f"{RATE} moves/s, {name}: all other views p50, × the POST's own time"
        rows.append(at_most(name, views / post, 3, more=more))
    rows[1] = rows[1]._replace(target="", ok=None)
    return rows


def reveal(folder: Path) -> list[Row]:
    """Let ten people at a table of TakeN choose; the last choice shows all ten the reveal. Beside
    it, in turns, ten see a move of the reference.
    """
    server = Server(folder, DATABASE_URL=database(folder))
    people = sat_down(server, "taken", [f"P{n}" for n in range(10)], threshold="500")
    room = Room(server, people)
    bare = reference_room(folder, room)
    took: dict[Room, list[Took]] = {room: [], bare: []}
    for each in took:
        each.listen()
    try:
        while len(took[room]) < REVEALS:
            room.look()
            asked = [
                person for person in people if set(person.offers()) & {"choose", "take", "ready"}
            ]
            for person in asked[:-1]:
                person.send_move(next(iter(person.offers().values()))[0])
                person.show(person.answer())
            room.look()
            for person in people:
                person.catch_up()
            verb, moves = next(iter(asked[-1].offers().items()))
            one = room.press_by_streams(asked[-1], moves[0])
            if verb == "choose":
                took[room].append(one)
                took[bare].append(bare.play_by_streams())
    finally:
        close([*took])
    posts = [median(one.post for one in each) for each in took.values()]
    views = [median(one.views for one in each) for each in took.values()]
    name = "the reveal at ten players of TakeN: all other views p50, ×"
    more = f"{views[0]:.1f} ms beside {views[1]:.1f} ms"
    of_post = f"{views[0]:.1f} ms, POST {posts[0]:.1f} ms; reference {views[1] / posts[1]:.2f}"
    return [
        at_most(f"{name} the same at the reference", views[0] / views[1], 1.3, more=more),
        Row(f"{name} the POST's own time", f"{views[0] / posts[0]:.2f} ({of_post})"),
    ]


def reference_room(folder: Path, ours: Room, today: bool = False) -> Room:
    """Return a table of the reference with a body and a fragment like those of a table of Kaboom.

    `today`: with the store, push and headers Kaboom has today.
    """
    page = folder / "fragment.html"
    page.write_text(sorted((person.page for person in ours.people), key=len)[2])
    with sqlite3.connect(folder / "kaboom.sqlite3") as store:
        body = store.execute("SELECT body FROM tables").fetchone()[0]
    store.close()
    url = f"sqlite:///{folder / f'reference-{today}.sqlite3'}"
    names = [f"P{n}" for n in range(len(ours.people))]
    reference.fill(url, "REFERENC", names, body)
    app = f"bench.reference:create_app({today})"
    server = Server(folder, app, DATABASE_URL=url, FRAGMENT=str(page))
    people = [Browser(server.port, name) for name in names]
    for person in people:
        person.table = "/t/REFERENC"
    bare = Room(server, people)
    bare.look()
    for _ in range(20):
        bare.play()
    return bare


def in_turns(
    rooms: list[Room], rounds: int, work: Callable[[Room], object]
) -> list[tuple[float, ...]]:
    """Return the milliseconds of processor time of work(room), by round and room."""
    spent = []
    for _ in range(rounds):
        row = []
        for room in rooms:
            room.look()
            before = room.server.cpu()
            work(room)
            row.append(room.server.cpu() - before)
        spent.append(tuple(row))
    return spent


def close(rooms: list[Room]) -> None:
    """Stop both servers."""
    for room in rooms:
        room.close()
