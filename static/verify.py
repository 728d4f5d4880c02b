#!/usr/bin/env python3
"""Check the record of a Kaboom match: python3 verify.py kaboom-CODE.json, or kaboom-CODE.html

Given the draw file of a tournament and records of its matches, it checks that their cards follow
from the draw: python3 verify.py kaboom-draw-CODE.json kaboom-CODE.json …

It is one file, needs only Python 3.7 or later, and uses no network. It was written from
docs/chance.md and docs/record.md alone and shares no code with the server.

It checks that the file is as the server wrote it, that the seed has the hash promised before the
deal (compare it with the one you noted then), that no move was changed, added or removed, and that
nothing else in the record was changed. It prints the cards of the first deal. It knows no rules:
the server's own page (/m/CODE/verify) checks whether each move was allowed.

The exit code is 0 if all is well, 1 if the record is wrong, 2 if the file cannot be read.
"""

import hashlib
import hmac
import html
import json
import sys

FIELDS = {
    "format": str,
    "version": int,
    "code": str,
    "number": int,
    "game": str,
    "game_version": int,
    "options": dict,
    "names": list,
    "commitment": str,
    "seed": str,
    "cuts": list,
    "started_at": float,
    "ended_at": float,
    "outcome": dict,
    "moves": list,
    "chain": str,
    "digest": str,
}
MORE = {
    "levels": list,  # if bots played: their levels
    "drawn": list,  # if seats were drawn by lot: each seat's previous place
    "board": dict,  # if other tables played the same deal: what it follows from
    "origin": dict,  # if it continues another match: that match up to the step
}
ORIGIN = {
    "code": str,
    "digest": str,
    "step": int,
    "seat": int,
    "as_it_was": bool,
    "seed": str,
    "cuts": list,
    "board": bool,
    "moves": list,
}
DEEPEST = 5  # matches that continue one another
RANKS = "A23456789TJQK"
SUITS = "SHDC"


class NoRecord(Exception):
    """The file is not a record."""


def inside(raw):
    """Return the record in the bytes of a file, which may be an HTML page; raises NoRecord if
    a byte of that page was changed.
    """
    if not raw.lstrip().lower().startswith(b"<"):
        return raw
    body, mark, rest = raw.rpartition(b"<!--")
    if not mark or rest != hashlib.sha256(body).hexdigest().encode() + b"-->\n":
        raise NoRecord("This page was changed: its last line is not the hash of the rest.")
    _before, mark, rest = body.partition(b'<pre id="record">')
    text, end, _after = rest.partition(b"</pre>")
    if not mark or not end:
        raise NoRecord("There is no record in this page.")
    return html.unescape(text.decode("utf-8", "replace")).encode()


def canonical(value):
    """Return the canonical JSON of a value, as in records."""
    return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))


def keyed(key, message):
    """Return HMAC-SHA-256 of a message, in hexadecimal."""
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()


def read(raw):
    """Return the record in the bytes of a file; raises NoRecord."""
    try:
        record = json.loads(raw.decode())
    except (ValueError, RecursionError):
        raise NoRecord("This file is not JSON text.") from None
    if not isinstance(record, dict) or set(record) - set(MORE) != set(FIELDS):
        raise NoRecord("This file does not have the fields of a record.")
    for name, kind in [*FIELDS.items(), *((name, MORE[name]) for name in record if name in MORE)]:
        if type(record[name]) is not kind:
            raise NoRecord(f"The field {name} is not valid.")
    if record["format"] != "kaboom record" or record["version"] != 1:
        raise NoRecord("This is a record of another format.")
    for move in record["moves"]:
        if not isinstance(move, dict) or set(move) != {"text", "at", "cmd"}:
            raise NoRecord("A move does not have the right fields.")
    texts = record["names"] + record["cuts"] + record.get("levels", [])
    if not all(isinstance(text, str) for text in texts):
        raise NoRecord("A name, a cut or a level is not a text.")
    if len(record["cuts"]) not in (0, len(record["names"])):
        raise NoRecord("It must have one cut for each seat.")
    drawn = record.get("drawn", list(range(len(record["names"]))))
    if not all(type(place) is int for place in drawn) or sorted(drawn) != list(
        range(len(record["names"]))
    ):
        raise NoRecord("The drawn seats do not match its players.")
    board = record.get("board", {"label": "", "secret": record["seed"], "cut": ""})
    if set(board) != {"label", "secret", "cut"} or not all(type(v) is str for v in board.values()):
        raise NoRecord("The data of the deal shared by several tables is not valid.")
    if "origin" in record:
        read_origin(record["origin"], len(record["names"]), 1)
    try:
        if any(len(bytes.fromhex(text)) != 32 for text in (record["seed"], board["secret"])):
            raise ValueError
    except ValueError:
        raise NoRecord("The seed must be 32 bytes long.") from None
    return record


def read_origin(origin, seats, deep):
    """Raise NoRecord unless a match with this many seats can continue from there."""
    kinds = dict(ORIGIN, origin=dict) if "origin" in origin else ORIGIN
    if set(origin) != set(kinds) or any(type(origin[name]) is not kinds[name] for name in kinds):
        raise NoRecord("The match that it continues does not have the right fields.")
    texts = origin["cuts"] + origin["moves"]
    fits = (
        all(isinstance(text, str) for text in texts)
        and origin["step"] == len(origin["moves"])
        and 0 <= origin["seat"] < seats
        and len(origin["cuts"]) in (0, seats)
        and deep <= DEEPEST
    )
    try:
        fits = fits and len(bytes.fromhex(origin["seed"])) == 32
    except ValueError:
        fits = False
    if not fits:
        raise NoRecord("The match that it continues is not valid.")
    if "origin" in origin:
        read_origin(origin["origin"], seats, deep + 1)


def cut_by(seed, cuts):
    """Return the key: the seed after the players' cuts."""
    return bytes.fromhex(keyed(seed, "kaboom/v1|cuts|" + canonical(cuts))) if any(cuts) else seed


def key_of(record):
    """Return the key of all random draws of the match: the seed, cut by the players."""
    return cut_by(bytes.fromhex(record["seed"]), record["cuts"])


def board_seed(board):
    """Return the seed of all matches of a deal that several tables play."""
    message = "kaboom/v1|board|" + canonical([board["label"], board["cut"]])
    return keyed(bytes.fromhex(board["secret"]), message)


def seats_of(record):
    """Return each seat's previous place if seats are drawn by lot; else an empty list."""
    way, places = record["options"].get("seating", "sat"), list(range(len(record["names"])))
    if way not in ("lot", "first") or not places or "board" in record or "origin" in record:
        return []
    cuts = sorted(record["cuts"] or [""] * len(places))
    stream = words(cut_by(bytes.fromhex(record["seed"]), cuts), 0, "seats")
    if way == "lot":
        return shuffled(stream, places)
    first = below(stream, len(places))
    return places[first:] + places[:first]


def problems(raw, record):
    """Return the faults of a record as sentences; `raw` holds the bytes of its file."""
    found = []
    if raw not in (canonical(record).encode(), canonical(record).encode() + b"\n"):
        found.append("This file has been edited: a server would write it differently.")
    if hashlib.sha256(bytes.fromhex(record["seed"])).hexdigest() != record["commitment"]:
        found.append("The seed is not the one promised before the deal.")
    if "board" in record and (board_seed(record["board"]) != record["seed"] or any(record["cuts"])):
        found.append("The deal is not the one promised for all tables with these cards.")
    origin = record.get("origin")
    stays = origin and origin["as_it_was"] and "board" not in record
    if stays and key_of(origin) != key_of(record):
        found.append("The cards are not those of the match that it continues.")
    if seats_of(record) != record.get("drawn", []):
        found.append("The seats do not match the draw.")
    key = key_of(record)
    chain = record["commitment"]
    for number, move in enumerate(record["moves"], start=1):
        chain = keyed(key, canonical([chain, number, move["cmd"], move["text"], move["at"]]))
    if chain != record["chain"]:
        found.append("The moves do not match the log: their hash chain is broken.")
    rest = {name: record[name] for name in record if name not in ("moves", "digest")}
    if keyed(key, "kaboom/v1|record|" + canonical(rest)) != record["digest"]:
        found.append("Something in the record was changed after it was closed.")
    return found


def safe(text):
    """Return a text without unprintable characters, for a terminal."""
    return "".join(letter for letter in text if letter.isprintable())


def words(key, number, purpose="play"):
    """Yield the 32-bit words that move `number` draws from."""
    block = 0
    while True:
        digest = bytes.fromhex(keyed(key, f"kaboom/v1|{purpose}|{number}|{block}"))
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def below(stream, limit):
    """Return the next number below a limit, each equally likely."""
    fair = 2**32 - 2**32 % limit
    while True:
        word = next(stream)
        if word < fair:
            return word % limit


def shuffled(stream, items):
    """Return the items shuffled by the next words."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = below(stream, last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def pack(jokers):
    """Return a pack in its order before the shuffle."""
    return [rank + suit for suit in SUITS for rank in RANKS] + (["BJ", "RJ"] if jokers else [])


def standing(moves):
    """Return the moves that were not taken back, each with its number in the log."""
    found = {}
    for number, move in enumerate(moves, start=1):
        parts = move["text"].split()
        if parts[1:2] == ["take_back"]:
            found.pop(int(parts[2]) if parts[2:] and parts[2].isdigit() else 0, None)
        else:
            found[number] = move["text"]
    return list(found.items())


def stream_of(record, occasion, number, move):
    """Return the words that an occasion draws from: on a board its own, else those of a move."""
    key = key_of(record)
    return words(key, number, occasion) if "board" in record else words(key, move)


def as_lists(record, stock, whole, drawers, name="deck"):
    """Return what is left after a deal as (heading, cards): on a board, by who draws it."""
    if "board" not in record:
        return [(name + ", top first", stock[::-1])]
    lists = [(d, shuffled(words(key_of(record), 1, "list " + str(d)), whole)) for d in drawers]
    return [
        ("drawn by " + str(drawer), [card for card in listed if card in stock])
        for drawer, listed in lists
    ]


def deal(record):
    """Return the first deal as (heading, cards); of a game that this program does not know, packs
    as they were shuffled for it.
    """
    stream = stream_of(record, "deal", 1, 0)
    options, names = record["options"], record["names"]
    return DEALS.get(record["game"], deal_unknown)(stream, options, names, record)


def deal_unknown(stream, options, names, record):
    headings = {False: "a pack without jokers, first card first", True: "a pack with jokers"}
    return [
        (heading, shuffled(stream_of(record, "deal", 1, 0), pack(jokers)))
        for jokers, heading in headings.items()
    ]


def deal_kaboom(stream, options, names, record):
    whole = pack(options["jokers"])
    stock = shuffled(stream, whole)
    dealt = [(name, [stock.pop() for _ in range(6)]) for name in names]
    return dealt + as_lists(record, stock, whole, ["discard", *range(len(names))], "stock")


def deal_taken(stream, options, names, record):
    size, rows = options["hand_size"], options["rows"]
    needed = len(names) * size + rows
    if needed > 104:
        raise ValueError("there are 104 cards")
    deck = shuffled(stream, range(1, (needed if options["deck"] == "tight" else 104) + 1))
    dealt = [(name, sorted(deck[i * size : (i + 1) * size])) for i, name in enumerate(names)]
    start = len(names) * size
    return [*dealt, ("rows", deck[start : start + rows])]


def deal_gops(stream, options, names, record):
    return [("prizes, first one first", shuffled(stream, [rank + "D" for rank in RANKS])[::-1])]


def may_open(card, options):
    """Return True if Karata may begin with a card."""
    if options["opener"] == "mild" and card[0] in "8J":
        return True
    if options["cut"] and card[0] == "7":
        return False
    special = "A238JQK" if options["ranks"] == "kenya" else "A238J" if options["jokers"] else "A28J"
    return card not in ("BJ", "RJ") and card[0] not in special


def deal_karata(stream, options, names, record):
    whole = pack(options["jokers"])
    deck = shuffled(stream, whole)
    while not may_open(deck[-1], options):
        deck = shuffled(stream, deck)
    first = deck.pop()
    dealt = [(name, [deck.pop() for _ in range(options["deal"])]) for name in names]
    left = as_lists(record, deck, whole, range(len(names)))
    return [("pile", [first]), *dealt, *left]


def deal_koth(stream, options, names, record):
    seat = below(stream_of(record, "first", 1, 0), 5)
    first = [("the first card goes to", [names[seat]])]
    ready = standing(record["moves"])[:5]
    if sorted(text for _, text in ready) != [f"{seat} ready" for seat in range(5)]:
        return first
    packs = shuffled(stream_of(record, "deal", 1, ready[-1][0]), pack(True) * 2)
    dealt = [(name, packs[::-1][(i - seat) % 5 : 100 : 5]) for i, name in enumerate(names)]
    return [*first, *dealt, ("left for the king", packs[:8])]


DEALS = {
    "kaboom": deal_kaboom,
    "taken": deal_taken,
    "gops": deal_gops,
    "karata": deal_karata,
    "koth": deal_koth,
}


def read_draw(raw):
    """Return the draw of a tournament, or None if the file is something else."""
    try:
        draw = json.loads(raw.decode())
    except (ValueError, RecursionError):
        return None
    kinds = {"format": str, "version": int, "code": str, "commitment": str, "seed": str}
    if not isinstance(draw, dict) or set(draw) != {*kinds, "words"}:
        return None
    if (draw["format"], draw["version"]) != ("kaboom draw", 1):
        return None
    fit = all(type(draw[name]) is kind for name, kind in kinds.items())
    if not fit or not isinstance(draw["words"], list):
        return None
    return draw if all(isinstance(word, str) for word in draw["words"]) else None


def draw_problems(draw, board=None):
    """Return as sentences what does not follow from a tournament's seed and words. The seed may not
    be public yet; `board` is that of a record.
    """
    found = []
    try:
        seed = bytes.fromhex(draw["seed"])
    except ValueError:
        return ["The seed of the tournament is not a number."]
    if seed and hashlib.sha256(seed).hexdigest() != draw["commitment"]:
        found.append("The seed of the tournament is not the one that was promised.")
    if board is None:
        return found
    if not board["label"].startswith("tournament " + draw["code"] + " "):
        found.append("The deal does not belong to this tournament.")
    if hashlib.sha256(canonical(draw["words"]).encode()).hexdigest() != board["cut"]:
        found.append("The deal was not cut by the words of the field.")
    if seed and keyed(seed, "kaboom/v1|secret|" + board["label"]) != board["secret"]:
        found.append("The secret of the deal does not follow from the tournament's seed.")
    return found


def of_table(draw, record):
    """Return the round and table of a tournament to which a record's seed belongs, both from 1;
    None if there is none. All possible ones are tried: fewer tables than entrants, up to 99 rounds.
    """
    key = cut_by(bytes.fromhex(draw["seed"]), draw["words"])
    for round in range(1, 100):
        for table in range(len(draw["words"])):
            if keyed(key, f"kaboom/v1|pod|{round}|{table}") == record["seed"]:
                return round, table + 1
    return None


def table_problems(draw, name, record):
    """Return as sentences the faults of a record of a table with cards of its own."""
    if not draw["seed"]:
        print(
            safe(name)
            + ": Its table has its own cards; they can be checked once the seed is public."
        )
        return []
    found = of_table(draw, record)
    if found is None:
        return ["Its seed does not follow from that of the tournament."]
    where = "round {}, table {}, of the tournament".format(*found)
    print(safe(name) + ": Its seed is that of " + where + ".")
    return []


def check_draw(draw, names):
    """Check records against the draw of their tournament; return the exit code."""
    wrong = draw_problems(draw)
    promised = not wrong
    for sentence in wrong:
        print("WRONG: " + sentence)
    print("Promised when the tournament was opened (compare): " + draw["commitment"])
    if not draw["seed"]:
        print("Its seed is published when it is over; until then only the cut can be checked.")
    for name in names:
        try:
            with open(name, "rb") as file:
                record = read(inside(file.read()))
        except (OSError, NoRecord) as error:
            print(f"Not a record: {error}")
            return 2
        if "board" in record:
            found = draw_problems(draw, record["board"])
        else:
            found = table_problems(draw, name, record) if promised else []
        for sentence in found:
            print(f"WRONG: {name}: {sentence}")
        wrong += found
    return 1 if wrong else max([main([name]) for name in names] or [0])


def main(arguments):
    """Check the named files; return the exit code."""
    if not arguments:
        print(__doc__)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            draw = read_draw(file.read())
    except OSError as error:
        print(f"Not a record: {error}")
        return 2
    if draw is not None:
        return check_draw(draw, arguments[1:])
    if len(arguments) != 1:
        print(__doc__)
        return 2
    try:
        with open(arguments[0], "rb") as file:
            raw = inside(file.read())
        record = read(raw)
    except (OSError, NoRecord) as error:
        print(f"Not a record: {error}")
        return 2
    wrong = problems(raw, record)
    for sentence in wrong:
        print("WRONG: " + sentence)
    if wrong:
        return 1
    said = "{game}, {code}, match {number}: the record is as it was closed.".format(**record)
    print(safe(said))
    print("Players: " + ", ".join(record["names"]))
    if record.get("drawn"):
        before = [record["names"][record["drawn"].index(i)] for i in range(len(record["names"]))]
        print("Seats drawn by lot; the places before that: " + ", ".join(before))
    if "board" in record:
        secret = hashlib.sha256(bytes.fromhex(record["board"]["secret"])).hexdigest()
        print("A deal shared by several tables, {label}; cut: {cut}".format(**record["board"]))
        print("Published before it could be dealt (compare with what you noted): " + secret)
    else:
        print("Promised before the deal (compare with what you noted): " + record["commitment"])
    print(f"{len(record['moves'])} moves, each chained to all before it.")
    print("Result: " + canonical(record["outcome"]))
    if "origin" in record:
        origin = record["origin"]
        where = "It continues from step {step} of match {code}".format(**origin)
        print(safe(where) + (": as it was." if origin["as_it_was"] else ": dealt again."))
        print("Not checked here: where the cards were then. The server's own page checks that.")
        return 0
    if record["game"] in DEALS:
        print("The first deal:")
    else:
        print("How this game deals: see its server at /api/games/" + safe(record["game"]) + ".")
        print("Shuffled by the first draw:")
    try:
        dealt = deal(record)
    except (LookupError, TypeError, ValueError):
        print("WRONG: With these options no deal is possible.")
        return 1
    for heading, cards in dealt:
        print("  {}: {}".format(heading, " ".join(map(str, cards))))
    print("Not checked here: whether each move was allowed. The server's own page checks that.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
