"""A plugin of mypy (pyproject.toml): no sums and powers of floats that differ between Pythons.

`sum` of floats goes another way since Python 3.12, and a power of a float is the C library's; bots
that decide by either decide otherwise elsewhere. Numpy's arrays are left alone: what is added up
there is told in `kaboom/games/gops/values.py`. Whole numbers whose sum is wanted as a float look
like floats to mypy: a function or name that is `int` says what they are.
"""

from collections.abc import Callable

from mypy.plugin import FunctionContext, MethodContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

SUM = "Sum floats by math.fsum: sum() ends in other digits since Python 3.12"
POWER = "Raise floats by kaboom.engine.exact.raised: the last digit of ** is the C library's"


def has_float(kind: Type) -> bool:
    """Say whether a type is float, or may be."""
    kind = get_proper_type(kind)
    if isinstance(kind, UnionType):
        return any(map(has_float, kind.items))
    return isinstance(kind, Instance) and kind.type.fullname == "builtins.float"


def fail(context: FunctionContext | MethodContext, why: str) -> None:
    """Tell an error at once: where there are overloads, mypy keeps errors back, tries the next one,
    and tells in the end what that lacks.
    """
    errors = context.api.msg.errors
    watchers, errors._watchers = errors._watchers, []
    context.api.fail(why, context.context)
    errors._watchers = watchers


def summed(context: FunctionContext) -> Type:
    if has_float(context.default_return_type):
        fail(context, SUM)
    return context.default_return_type


def raised(context: MethodContext) -> Type:
    if has_float(context.type) or any(
        has_float(kind) for each in context.arg_types for kind in each
    ):
        fail(context, POWER)
    return context.default_return_type


class Exact(Plugin):
    """Looks at every call of sum() and at every power."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return summed if fullname == "builtins.sum" else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        powers = ("builtins.float.__pow__", "builtins.int.__pow__", "builtins.float.__rpow__")
        return raised if fullname in powers else None


def plugin(version: str) -> type[Plugin]:
    """Return the plugin, as mypy asks for it."""
    return Exact
