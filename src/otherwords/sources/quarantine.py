"""The file for rejected rows: one for everything that a command reads, however many files, kinds of records and passes.

A corpus may be read several times, for its pairs and for its judgements, and a command may read several corpora. Every
rejected row is in the file once, with its file, line and reason.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import IO

from otherwords.sources.io.files import atomic_write, is_stream, open_binary


class Quarantine:
    """A file for rejected rows, which grows with every reading that is complete."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._written: Counter[bytes] = Counter()  # by the digest of a row: how often it is in the file
        self._exists = False
        self._beside: dict[str, Quarantine] = {}

    @classmethod
    def at(cls, path: str | Path | Quarantine | None) -> Quarantine | None:
        """The file at a path; one that is open already stays the same."""
        return path if path is None or isinstance(path, cls) else cls(str(path))

    def beside(self, name: str) -> Quarantine:
        """The file for rows of one kind, which has that name before its suffix."""
        path = self.path.with_name(f"{self.path.stem}.{name}{self.path.suffix}")
        return self._beside.setdefault(name, Quarantine(path))

    def __str__(self) -> str:
        return str(self.path)

    @contextlib.contextmanager
    def rows(self) -> Iterator[IO[bytes]]:
        """A stream for the rejected rows of one reading, which are added to the file at its end."""
        with tempfile.TemporaryFile() as rows:
            yield rows
            rows.seek(0)
            self._add(rows)

    def _add(self, rows: IO[bytes]) -> None:
        """Add rows; of those that an earlier reading rejected as well, only what was not there as often."""
        seen: Counter[bytes] = Counter()
        with tempfile.TemporaryFile() as earlier:
            if self._exists and not is_stream(self.path):
                with open_binary(self.path) as stream:
                    shutil.copyfileobj(stream, earlier)
                earlier.seek(0)
            with atomic_write(self.path) as stream:
                shutil.copyfileobj(earlier, stream)
                for row in rows:
                    digest = blake2b(row, digest_size=16).digest()
                    seen[digest] += 1
                    if seen[digest] > self._written[digest]:
                        stream.write(row)
        self._written |= seen
        self._exists = True
