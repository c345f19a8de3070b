"""Every message of an error in the source, with its code.

``python -m tests.messages`` writes the golden file, and the page of the guide that lists them for users.

Messages are read from the syntax tree, so that all of them are there, also those that no test provokes. What is filled
in when they are raised stands in braces.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from otherwords.errors import OtherwordsError

SRC = Path(__file__).resolve().parent.parent / "src" / "otherwords"
GOLDEN = Path(__file__).resolve().parent / "golden" / "messages.txt"
DOCS = SRC.parent.parent / "docs"
PAGE = DOCS / "errors.md"
QUOTED = re.compile(r"^### `(.+)`$", re.MULTILINE)  # a message in troubleshooting.md
OWN_CODE = {"MissingExtra", "NotReleased"}  # errors whose class has the code
HEAD = """\
# Every message of an error, by its code; {…} is filled in when it is raised.
# Written by `make messages`. Read them aloud when they change.
"""
PAGE_HEAD = """\
# Errors by code

Written by `make messages` from the code. Every error ends with a code in brackets, such as `[no-such-scheme]`; the API
sends it as `code`. It stays the same when a message is reworded. Here are all codes with their messages; `…` stands for
your own names and numbers. Where [troubleshooting](troubleshooting.md) says more, the code leads there.

| code | what it says |
|---|---|
"""


@dataclass(frozen=True, slots=True, order=True)
class Message:
    """A place where an error is made. ``code`` is None where it is taken from another error."""

    code: str | None
    text: str
    place: str


def error_names(trees: Iterable[ast.Module]) -> set[str]:
    """The classes of errors, our own and those that rooms derive from them."""
    own = vars(sys.modules[OtherwordsError.__module__])
    found = {name for name, value in own.items() if isinstance(value, type) and issubclass(value, Exception)}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(
                isinstance(base, ast.Name) and base.id in found for base in node.bases
            ):
                found.add(node.name)
    return found


@cache
def messages() -> tuple[Message, ...]:
    """All places where an error is made."""
    return tuple(_messages())


def _messages() -> Iterator[Message]:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SRC.rglob("*.py"))}
    names = error_names(trees.values())
    for path, tree in trees.items():
        for function in [*_functions(tree), tree]:
            for call in _calls(function, names):
                yield _message(call, function, f"{path.relative_to(SRC)}:{call.lineno}")


def _functions(tree: ast.Module) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _calls(scope: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    """Errors made in a function or at the top of a module, not in functions inside it."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.Call) and _called(node) in names | {"error"} and _is_error(node, names):
            yield node
        yield from _calls(node, names)


def _called(call: ast.Call) -> str:
    target = call.func
    return target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""


def _is_error(call: ast.Call, names: set[str]) -> bool:
    """``source.error(…)`` makes one too; other things called error do not."""
    if _called(call) in names:
        return _called(call) not in OWN_CODE
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in ("source", "self", "file") and bool(call.args)


def _message(call: ast.Call, scope: ast.AST, place: str) -> Message:
    code_value = next((keyword.value for keyword in call.keywords if keyword.arg == "code"), None)
    code = code_value.value if isinstance(code_value, ast.Constant) else "…" if code_value is not None else None
    texts = [_text(argument, scope, call.lineno) for argument in call.args[:2]]
    return Message(code, next((text for text in texts if not text.isdecimal()), ""), place)


def _text(node: ast.AST, scope: ast.AST, line: int) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{…}" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left, scope, line) + _text(node.right, scope, line)
    if isinstance(node, ast.Name):
        assigned = _assigned(node.id, scope, line)
        return _text(assigned, scope, line) if assigned is not None else "{…}"
    return "{…}"


def _assigned(name: str, scope: ast.AST, line: int) -> ast.AST | None:
    """What a variable was set to last before a line, unless to another variable."""
    assignments = [node for node in ast.walk(scope) if isinstance(node, ast.Assign) and node.lineno < line]
    values = [
        (node.lineno, node.value)
        for node in assignments
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    last = max(values, key=lambda entry: entry[0], default=None)
    return None if last is None or isinstance(last[1], ast.Name) else last[1]


def as_text() -> str:
    """The golden file."""
    lines = sorted({f"{message.code}: {message.text}" for message in messages()})
    return HEAD + "\n".join(lines) + "\n"


def is_quoted(quotation: str, text: str) -> bool:
    """Whether a text has all pieces of a quotation, in their order."""
    pieces = [re.escape(piece.strip()) for piece in quotation.split("…") if piece.strip()]
    return re.search(".*".join(pieces), text, re.DOTALL) is not None


def as_page() -> str:
    """The page of all codes, each with its messages and the section about it."""
    quotations = QUOTED.findall((DOCS / "troubleshooting.md").read_text(encoding="utf-8"))
    texts: dict[str, set[str]] = defaultdict(set)
    for message in messages():
        if message.code not in (None, "…") and message.text != "{…}":
            texts[str(message.code)].add(message.text)
    return PAGE_HEAD + "".join(_row(code, sorted(texts[code]), quotations) for code in sorted(texts))


def _row(code: str, texts: list[str], quotations: list[str]) -> str:
    quoted = next((each for each in quotations if any(is_quoted(each, text) for text in texts)), None)
    name = f"`{code}`" if quoted is None else f"[`{code}`](troubleshooting.md#{_anchor(quoted)})"
    shown = "<br>".join(_code(text.replace("{…}", "…")) for text in texts)
    return f"| {name} | {shown} |\n"


def _anchor(heading: str) -> str:
    """The anchor that the guide gives a heading."""
    from pymdownx.slugs import slugify

    return str(slugify(case="lower")(heading, "-"))


def _code(text: str) -> str:
    """A text in a cell of a table, as it is."""
    one_line = " ".join(text.split()).replace("|", r"\|")
    return f"`` {one_line} ``" if "`" in one_line else f"`{one_line}`"


if __name__ == "__main__":
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(as_text(), encoding="utf-8")
    PAGE.write_text(as_page(), encoding="utf-8")
