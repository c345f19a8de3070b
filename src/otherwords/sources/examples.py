"""The example corpora and source texts that ship with the package, and a way to copy them.

They are part of the package, so that an installed otherwords has them too. Guides and demos work on a copy.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from otherwords.sources.io.files import atomic_folder

SHIPPED = Path(__file__).parent.parent / "examples"


def copy_examples(folder: str | Path) -> list[Path]:
    """Copy all examples into a new folder and list its files in order."""
    target = Path(folder)
    with atomic_folder(target) as aside:
        for path in sorted(SHIPPED.rglob("*")):
            if path.is_file():
                copy = aside / path.relative_to(SHIPPED)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)  # without its mode: an installed package may be read-only
    return sorted(path for path in target.rglob("*") if path.is_file())
