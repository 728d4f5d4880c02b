"""The small changes that can be made to the program."""

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path

from tests.support.rooms import ROOMS

# Left out: how well a bot plays is measured by matches, so most numbers in bot.py and the modules
# that only it imports could differ. The same holds for pictures, of which tests check the size and
# the contents. Samples and the pseudo-language exist for tests only.
NOT_CHANGED = ("bot.py", "images.py", "sample.py", "fixtures.py", "pseudo_language.py")
# Arguments without effect in a correct program: zip's strict flag, the buckets of /metrics, names
# of threads.
NO_MATTER = (("zip", "strict"), ("Histogram", "buckets"), ("threading.Thread", "name"))


@dataclass(frozen=True)
class Mutant:
    """A change: the file, the function, the bytes to replace, and their replacement."""

    file: str
    line: int
    function: str
    start: int
    end: int
    before: str
    after: str
    among: str  # the line that contains it
    nth: int = 0  # its index among equal changes in its file

    def __str__(self) -> str:
        nth = f" ({self.nth + 1})" if self.nth else ""
        return f"{self.file} {self.function}: {self.change}{nth}"

    @property
    def change(self) -> str:
        """Return the replaced text, the new text and the line."""
        return f"{self.before} → {self.after} in {self.among}".replace("\n", " ⏎ ")

    @property
    def known_as(self) -> tuple[str, str, str]:
        """Return a key that stays the same when lines move."""
        return self.file, self.function, self.change


OPPOSITE: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}

NOTHING = ast.Pass()


def changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield the possible replacements of a node."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in OPPOSITE:
            yield node, _with(node, ops=[OPPOSITE[type(op)]()])
        case ast.BoolOp():
            yield node, _with(node, op=OPPOSITE[type(node.op)]())
            for left_out in node.values:
                rest = [value for value in node.values if value is not left_out]
                yield node, _with(node, values=rest) if len(rest) > 1 else rest[0]
        case ast.BinOp() | ast.AugAssign() if type(node.op) in OPPOSITE:
            yield node, _with(node, op=OPPOSITE[type(node.op)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node, node.operand
        case ast.Constant(value=bool()):
            yield node, ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield node, ast.Constant(node.value + 1)
        case ast.Return(value=ast.expr()) if not isinstance(node.value, ast.Constant):
            yield node, ast.Return(ast.Constant(None))
        case ast.Break():
            yield node, ast.Continue()
        case ast.Continue():
            yield node, ast.Break()
        case ast.Call(func=ast.Name(id=name)) if name in OTHER_NAME:
            yield node.func, ast.Name(OTHER_NAME[name])
    if isinstance(node, ast.If | ast.IfExp):
        yield node.test, ast.Constant(False)
        yield node.test, ast.Constant(True)
    if isinstance(node, ast.comprehension):
        for condition in node.ifs:
            yield condition, ast.Constant(True)
    if isinstance(node, ast.Call):
        for keyword in node.keywords:
            if keyword.arg is not None and not _no_matter(keyword, node):
                rest = [other for other in node.keywords if other is not keyword]
                yield node, _with(node, keywords=rest)
    if isinstance(node, ast.Raise | ast.Delete | ast.AugAssign) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
    ):
        yield node, NOTHING
    if isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple):
        yield node, NOTHING


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """Return the node with other fields."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _no_matter(argument: ast.keyword, call: ast.AST | None) -> bool:
    return isinstance(call, ast.Call) and (ast.unparse(call.func), argument.arg) in NO_MATTER


def _means_nothing(node: ast.AST, parent: ast.AST | None) -> bool:
    """Return True if a node is not worth changing: types, texts, logging and assertions."""
    if isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(parent, ast.arg | ast.AnnAssign) and node is parent.annotation:
        return True
    if isinstance(parent, ast.FunctionDef) and (
        node is parent.returns or node in parent.decorator_list
    ):
        return True
    if isinstance(parent, ast.ClassDef) and node in (*parent.decorator_list, *parent.keywords):
        return True  # such as frozen=True, which the type checker verifies
    if isinstance(node, ast.keyword) and _no_matter(node, parent):
        return True
    called = node.func if isinstance(node, ast.Call) else None
    logs = isinstance(called, ast.Attribute) and ast.unparse(called.value) == "log"
    return logs or (isinstance(called, ast.Name) and called.id in ("say", "mark"))


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    """Yield every change that can be made to a file."""
    lines = text.encode().splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]

    def walk(node: ast.AST, parent: ast.AST | None, inside: str, dot: str) -> Iterator[Mutant]:
        if _means_nothing(node, parent):
            return
        if isinstance(node, ast.Expr) and _means_nothing(node.value, node):
            return
        within = inside  # Python's qualified name of the inner function
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            within = f"{inside}{dot}{node.name}"
            dot = ".<locals>." if isinstance(node, ast.FunctionDef) else "."
        # A number at the top of a module is a choice; one more or less works as well.
        choice = isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(parent, ast.Module)
        for old, new in () if choice else changes(node):
            start = starts[old.lineno - 1] + old.col_offset
            end = starts[old.end_lineno - 1] + old.end_col_offset
            after = f"({ast.unparse(new)})" if isinstance(new, ast.expr) else ast.unparse(new)
            among = lines[old.lineno - 1].decode().strip()
            yield Mutant(file, old.lineno, inside, start, end, ast.unparse(old), after, among)
        if choice and _is_figure(node.value):
            return
        for child in ast.iter_child_nodes(node):
            yield from walk(child, node, within, dot)

    yield from walk(ast.parse(text), None, "", "")


def _is_figure(node: ast.AST | None) -> bool:
    return all(
        isinstance(
            part,
            ast.Constant
            | ast.BinOp
            | ast.UnaryOp
            | ast.operator
            | ast.unaryop
            | ast.Tuple
            | ast.Load,
        )
        for part in ast.walk(node or NOTHING)
    )


def of_bots(folder: Path) -> set[Path]:
    """Return the files of a game that are imported only by its bot and by tests."""
    inside = {f"kaboom.games.{folder.name}.{path.stem}": path for path in folder.glob("*.py")}
    known, found = set(), [folder / "__init__.py"]
    while found:
        path = found.pop()
        if path in known or path.name in NOT_CHANGED:
            continue
        known.add(path)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{it.name}" for it in node.names)]
                found += [inside[name] for name in names if name in inside]
    return set(inside.values()) - known


def all_mutants(root: Path) -> list[Mutant]:
    """Return every change that can be made, file by file."""
    found, alike = [], Counter[tuple[str, str, str]]()
    games = [path.parent for path in root.glob("kaboom/games/*/__init__.py")]
    judgement = {path for folder in games for path in of_bots(folder)}
    for part in ROOMS:
        for path in sorted((root / "kaboom" / part).rglob("*.py")):
            if path.name not in NOT_CHANGED and path not in judgement:
                for mutant in mutants_of(str(path.relative_to(root)), path.read_text()):
                    found.append(replace(mutant, nth=alike[mutant.known_as]))
                    alike[mutant.known_as] += 1
    return found


def unchanged(mutant: Mutant) -> Mutant | None:
    """Return an equivalent expression in other words, which tests must not notice; None if the
    change is not an expression.
    """
    try:
        ast.parse(mutant.before, mode="eval")
    except SyntaxError:
        return None
    return replace(mutant, after=f"[{mutant.before}][0]", before="nothing is changed")


def ruined(mutant: Mutant) -> Mutant:
    """Return code that fails as soon as it is reached."""
    return replace(mutant, after="(1 / 0)", before="it is ruined")
