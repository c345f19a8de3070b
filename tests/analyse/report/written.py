"""Options for quick reports, and the bytes that a report consists of."""

from __future__ import annotations

from pathlib import Path

from otherwords.analyse.catalogue import AnalysisOptions

QUICK = AnalysisOptions(replicates=20)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """All files of a folder by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
