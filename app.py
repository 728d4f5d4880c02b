"""Play now: `python app.py` prepares the database, prints the link, and serves."""

from kaboom.cli.play import play

if __name__ == "__main__":
    play()
