"""The word lists that ship with the package, read-only: a file name in, its lines out."""

from __future__ import annotations

FOLDER = "data"


def listing(name: str) -> list[str]:
    """The lines of a list, without comments; an empty list where there is no such file."""
    from importlib.resources import files  # here, because it is slow to import and seldom needed

    resource = files(__package__) / FOLDER / name
    if not resource.is_file():
        return []
    return [line for line in resource.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
