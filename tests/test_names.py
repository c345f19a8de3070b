"""Names are plain and unique, folders stay small enough to look through, and few modules are smaller than an idea."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SRC = ROOT / "src" / "otherwords"
MODULES = sorted(SRC.rglob("*.py"))
ALL_MODULES = [path for folder in ("src", "tests", "bench", "tools") for path in sorted((ROOT / folder).rglob("*.py"))]
MOST_MODULES = 25
FEWEST_LINES, MOST_SMALL = 60, 60  # of a module, and how many may have fewer: an idea is seldom that short
MOST_OPEN_DICTS = 150  # lines of the package on which a value may be anything
PRIVATE_WORDS = {"told", "wishes", "wish", "said", "of"}


def test_class_names_are_unique() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SRC)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def bound_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Parameters, variables and attributes; a constructor such as ``Ratio.of`` is a word in its place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def test_no_private_vocabulary() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in ALL_MODULES
        for line, name in bound_names(ast.parse(path.read_text(encoding="utf-8")))
        if name.lstrip("_").lower() in PRIVATE_WORDS
    ]
    assert not found


def test_a_folder_can_be_looked_through() -> None:
    counts = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_few_modules_are_small() -> None:
    lines = {
        path: text.count("\n")
        for path in MODULES
        if (text := path.read_text(encoding="utf-8")) and (path.name != "__init__.py" or len(ast.parse(text).body) > 1)
    }
    small = [f"{path.relative_to(SRC)}: {count}" for path, count in lines.items() if count < FEWEST_LINES]
    assert len(small) < MOST_SMALL, "fold them into the modules that use them"


def test_few_values_may_be_anything() -> None:
    counts = {str(path.relative_to(SRC)): path.read_text(encoding="utf-8").count("dict[str, Any]") for path in MODULES}
    assert sum(counts.values()) < MOST_OPEN_DICTS, sorted(counts.items(), key=lambda item: -item[1])[:10]
