"""The example corpora and source texts that ship with the package: where they are, and a copy to work with.

They stand inside the package, so that an installed otherwords has them too; guides and demos use a copy in a folder of
one's own. In goes the name of a new folder, out come the files that are in it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from otherwords.sources.folders import replacing_folder

SHIPPED = Path(__file__).parent.parent / "examples"


def copy_examples(folder: str | Path) -> list[Path]:
    """Copy everything into a new folder; the files there, in order."""
    target = Path(folder)
    with replacing_folder(target) as aside:
        for path in sorted(SHIPPED.rglob("*")):
            if path.is_file():
                copy = aside / path.relative_to(SHIPPED)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)  # without its mode: an installed package may be read-only
    return sorted(path for path in target.rglob("*") if path.is_file())
