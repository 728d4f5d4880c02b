"""Jinja with faster attribute access, calls and imports: a table's fragment has hundreds of them
after every move.

Each class does the same as Jinja's own in fewer steps; docs/performance.md says how much they gain.
"""

from collections.abc import MutableMapping
from types import MethodType
from typing import Any

from flask.templating import Environment
from jinja2.runtime import Context, Macro


class PageContext(Context):
    """The context of one page."""

    def call(self, called: Any, *args: Any, **named: Any) -> Any:
        """Call a function in a template, without Jinja's overhead.

        Jinja asks every callable whether it takes the context. Macros only take the escaping mode
        of their caller, and methods of page objects take neither.
        """
        kind = type(called)
        if kind is not Macro and kind is not MethodType:
            return super().call(called, *args, **named)
        named.pop("_loop_vars", None)
        named.pop("_block_vars", None)
        return called(self.eval_ctx, *args, **named) if kind is Macro else called(*args, **named)


class Pages(Environment):
    """An environment in which `a.b` looks up the key "b" of a dict before its attributes."""

    context_class = PageContext

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return obj.attribute as a template expects it."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as one dict; later settings do not reach it.

        Jinja's chain of two dicts is walked key by key at every import of a macro.
        """
        return {**self.globals, **(d or {})}
