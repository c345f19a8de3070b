"""Writing a folder that appears only when it is whole, for corpora that are several files."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from otherwords.errors import WriteError


@contextlib.contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """A folder to fill; it stands under ``path`` when the block ends well. A folder with files in it is left alone."""
    path = path.resolve()
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise WriteError(f"{path}: is not an empty folder; name a new one")
        aside.mkdir(parents=True)
        yield aside
        aside.replace(path)
    except OSError as problem:
        raise WriteError(f"{path}: cannot be written: {problem.strerror or problem}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
