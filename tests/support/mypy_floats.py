"""A mypy plugin (pyproject.toml) against sums and powers of floats that differ between Pythons.

`sum` of floats rounds differently since Python 3.12, and a power of a float is the C library's. A
bot that depends on either would decide differently elsewhere. Numpy arrays are exempt; see
`kaboom/games/gops/values.py`. Integers summed as floats look like floats to mypy, so a function or
name typed `int` is needed.
"""

from collections.abc import Callable

from mypy.plugin import FunctionContext, MethodContext, Plugin
from mypy.types import Instance, Type, UnionType, get_proper_type

SUM = "Sum floats by math.fsum: sum() ends in other digits since Python 3.12"
POWER = "Raise floats by kaboom.engine.float_powers.raised: the last digit of ** is the C library's"


def has_float(kind: Type) -> bool:
    """Return True if a type is float, or may be."""
    kind = get_proper_type(kind)
    if isinstance(kind, UnionType):
        return any(map(has_float, kind.items))
    return isinstance(kind, Instance) and kind.type.fullname == "builtins.float"


def fail(context: FunctionContext | MethodContext, why: str) -> None:
    """Report an error at once. With overloads mypy suppresses errors, tries the next overload and
    finally reports what that one lacks.
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
    """Checks every call of sum() and every power."""

    def get_function_hook(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        return summed if fullname == "builtins.sum" else None

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        powers = ("builtins.float.__pow__", "builtins.int.__pow__", "builtins.float.__rpow__")
        return raised if fullname in powers else None


def plugin(version: str) -> type[Plugin]:
    """Return the plugin class for mypy."""
    return Exact
