"""Jinja, sped up for our pages: a table's fragment takes hundreds of its steps after every move.

Each of these does what Jinja does by a shorter route; docs/performance.md says what that gains.
"""

from collections.abc import MutableMapping
from types import MethodType
from typing import Any

from flask.templating import Environment
from jinja2.runtime import Context, Macro


class Drawing(Context):
    """The context of one page."""

    def call(self, called: Any, *args: Any, **named: Any) -> Any:
        """Return what a call in a template returns, without Jinja's detours.

        Jinja asks every callable whether it wants the context. Macros want the escaping in force
        where they are called, and methods of the objects pages are given want nothing.
        """
        kind = type(called)
        if kind is not Macro and kind is not MethodType:
            return super().call(called, *args, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(self.eval_ctx, *args, **named) if kind is Macro else called(*args, **named)


class Pages(Environment):
    """The environment, told that a fact of a view is first of all a key of a dict."""

    context_class = Drawing

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return obj.attribute as a template means it."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as one dict; later settings do not reach it.

        Jinja's chain of two is walked key by key at every import of a macro.
        """
        return {**self.globals, **(d or {})}
