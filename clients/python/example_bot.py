"""A bot that plays any game without knowing its rules.

    python3 example_bot.py https://cards.example/t/K7M2Q4XA

The table's host must allow programs, and must start the match. Write your own `choose`: it sees the
table as a person in that seat does.
"""

import random
import sys

from kaboom_client import Client, Gone, Move, Refused, Table


def choose(table: Table) -> tuple[Move | str, ...] | None:
    """Return a random legal move among those the table waits for."""
    if not table.blocking:
        return None
    move = random.choice(table.blocking)
    return (move, *random.choice(move.some))


def main(url: str) -> int:
    """Play a match; return the exit status."""
    home, _, code = url.partition("/t/")
    try:
        client = Client.remembered(home, "Random", bot=True)
        table = client.play(client.join(code), choose)
    except (Refused, ValueError) as no:
        print(no, file=sys.stderr)
        return 1
    except Gone:
        print(f"The server at {home} could not be reached.", file=sys.stderr)
        return 1
    print(table.text)
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Usage: python3 example_bot.py https://cards.example/t/CODE")
    sys.exit(main(sys.argv[1]))
