"""A page of Flask that says hello: what this machine's stack costs without any card room."""

from flask import Flask

app = Flask(__name__)


@app.get("/")
def hello() -> str:
    """Return the greeting."""
    return "hello"
