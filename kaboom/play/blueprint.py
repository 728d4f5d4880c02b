"""A table: its page, and everything that can be done there.

One blueprint (responses.py), whose routes are in view_routes.py, routes.py and premove_routes.py
here, in records/note_routes.py and in lobby/routes.py.
"""

from kaboom.lobby import routes as seating
from kaboom.play import premove_routes, routes, view_routes
from kaboom.play.responses import bp
from kaboom.records import note_routes

opening = seating.opening

__all__ = ["bp", "note_routes", "opening", "premove_routes", "routes", "seating", "view_routes"]
