"""What a look in another voice costs, beside the fragment that an open page fetches."""

from pathlib import Path
from statistics import median

from bench.moves import between
from bench.room import Room, kaboom_room
from bench.table import Row, at_most

ROUNDS = 9
LOOKS = 60
WAYS = {
    "the fragment": "/view?v=0",
    "JSON": ".json",
    "text": ".txt",
    "speech": ".say",
}


def rows(folder: Path) -> list[Row]:
    """Compare the processor time of looks at one table, each as somebody there finds it."""
    room = kaboom_room(folder)
    try:
        spent = [[cost(room, ending) for ending in WAYS.values()] for _ in range(ROUNDS)]
    finally:
        room.close()
    found = []
    for place, name in enumerate(list(WAYS)[1:], 1):
        ratios = [row[place] / row[0] for row in spent]
        more = f"{between(ratios)}; {median(row[place] for row in spent) / LOOKS:.2f} ms"
        found.append(at_most(f"a look as {name}, × the fragment", median(ratios), 1, more=more))
    return found


def cost(room: Room, ending: str) -> float:
    """Return the milliseconds of processor time that looks of everybody there take."""
    before = room.server.cpu()
    for number in range(LOOKS):
        person = room.people[number % len(room.people)]
        person.send("GET", f"{person.table}{ending}")
        assert person.answer().status == 200
    return room.server.cpu() - before
