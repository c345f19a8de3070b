"""Pools that were mined within a project: where they are, and what becomes of them when words are withdrawn.

A pool is in the folder ``mined`` of the project, or is what a step ``mine`` wrote. Its vectors, neighbours and pairs
follow from all sentences together; so a pool with withdrawn words is deleted as a whole, and is mined again.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path

from otherwords.errors import WriteError
from otherwords.mining.mine import LISTS, PAIRS, POOL, SUMMARY, VECTORS
from otherwords.mining.pool.folder import Pool, is_pool, open_pool
from otherwords.project.project import Project
from otherwords.text.normalise import normalise

MINED, STEP = "mined", "mine"
FILES = (POOL, VECTORS, LISTS, PAIRS, SUMMARY)  # of a pool; its folder may hold other pools
SHOWN = 8  # digits of the key of a step


def mined_pools(project: Project) -> dict[str, Path]:
    """The folders of the pools, by name."""
    mined = project.folder / MINED
    folders = {MINED: mined, **{folder.name: folder for folder in sorted(mined.glob("*"))}}
    folders |= {f"{STEP}-{folder.name[:SHOWN]}": folder for folder in sorted(project.tables.glob(f"{STEP}/*"))}
    return {name: folder for name, folder in folders.items() if is_pool(folder / POOL)}


def erase_in_pools(project: Project, ids: Collection[str], texts: Collection[str]) -> int:
    """Delete the pools with a sentence of these texts, or a record of these names, and count them."""
    whole = "\n".join(sorted(normalise(text) for text in texts))
    count = 0
    for folder in mined_pools(project).values():
        if _holds(open_pool(folder / POOL), set(ids), whole):
            _delete(folder)
            count += 1
    return count


def _holds(pool: Pool, ids: set[str], texts: str) -> bool:
    for batch in pool.batches(["text", "name"], 0, pool.rows):
        sentences, names = (column.to_pylist() for column in batch.columns)
        if not ids.isdisjoint(names) or any(sentence in texts for sentence in sentences):
            return True
    return False


def _delete(folder: Path) -> None:
    try:
        for path in (folder / name for name in FILES):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
    except OSError as problem:
        raise WriteError(f"{folder}: cannot be deleted: {problem.strerror or problem}", code="cannot-erase") from None
