"""A Flask hello-world page: the cost of the stack on this machine without Kaboom."""

from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    """Return the greeting."""
    return "hello"
