"""The files of a project's folder that its owner put there and its work needs: schemes, guidelines, recipe, wordnets.

They are the folder of schemes, the recipe, and every file or folder inside the project that the recipe or a step names
(sources, topics, synonyms). Outputs such as reports and releases are not among them, nor keys, nor hidden files, nor
sources of which something was withdrawn.
Backups and exports have them under ``files/``, so that no name of theirs can be that of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from sqlalchemy import Connection, select, union

from otherwords.project.config import CONFIG_FILE
from otherwords.project.file_digests import file_digest
from otherwords.project.ledger import schema
from otherwords.project.project import RECIPE, SCHEMES, SECRETS, TABLES, Project
from otherwords.sources.io.toml import parse_toml

FOLDER = "files"
PARAMETERS_SET = "parameters set"  # the event of an option --set of run, which is remembered
_NOT_OWN = (CONFIG_FILE, TABLES, SECRETS, "releases")
_LEDGER = ("ledger.db", "search.db")  # with whatever SQLite adds to these names
_NOT_FILES = ("out", "name", "do", "from", "after", "like")  # keys of a step that name steps or what it writes
LONGEST_NAME = 255


def own_files(connection: Connection, project: Project) -> list[str]:
    """The names of these files, relative to the folder of the project."""
    names = {RECIPE, SCHEMES, *_named_in_recipe(project.folder), *_named_by_steps(connection)}
    root, withdrawn = project.folder.resolve(), _withdrawn_imports(connection)
    found: set[str] = set()
    for name in names:
        path = (root / name).resolve()
        inside = path != root and path.is_relative_to(root) and path.exists()
        if inside and not (withdrawn and file_digest(path) in withdrawn):
            files = path.rglob("*") if path.is_dir() else [path]
            plain = (file for file in files if file.is_file() and not file.is_symlink())
            found.update(file.relative_to(root).as_posix() for file in plain)
    return sorted(filter(is_own_name, found))


def _withdrawn_imports(connection: Connection) -> set[str]:
    """The digests of imported files of which something was withdrawn: the files still have the words."""
    imports = schema.imports
    erased = [
        select(imports.c.sha256).join(text.table, text.table.c.import_id == imports.c.id).where(text == "")
        for text in (schema.documents.c.text, schema.pairs.c.text1)
    ]
    return set(connection.execute(union(*erased)).scalars())


def is_own_file(name: str) -> bool:
    """Whether a name is that of such a file in a backup or an export."""
    return name.startswith(f"{FOLDER}/") and is_own_name(name.removeprefix(f"{FOLDER}/"))


def is_own_name(name: str) -> bool:
    """Whether a name, which may come from anybody, can be that of such a file: inside the folder and not reserved."""
    parts = name.split("/")
    plain = all(part and not part.startswith(".") and len(part.encode()) <= LONGEST_NAME for part in parts)
    reserved = parts[0] in _NOT_OWN or parts[0].startswith(_LEDGER)
    return plain and not reserved and name.isprintable() and "\\" not in name and str(PurePosixPath(name)) == name


def _named_in_recipe(folder: Path) -> Iterator[str]:
    try:
        recipe = parse_toml((folder / RECIPE).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # none, or one that cannot be read: it is copied and says so itself when it is run
        return
    yield from _texts(recipe)


def _named_by_steps(connection: Connection) -> Iterator[str]:
    for parameters in connection.execute(select(schema.steps.c.parameters)).scalars():
        yield from _texts(parameters)
    events = schema.events
    for detail in connection.execute(select(events.c.detail).where(events.c.action == PARAMETERS_SET)).scalars():
        yield from _texts(detail)


def _texts(value: object) -> Iterator[str]:
    """All texts in a value of TOML or JSON, except names of steps and of outputs."""
    if isinstance(value, str):
        if len(value.encode("utf-8", "replace")) <= LONGEST_NAME and "\0" not in value:
            yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name.rpartition(".")[2] not in _NOT_FILES:
                yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)
