"""Runs the benches named on the command line, or all: every module of this folder with a function ``run``.

``run() -> bool`` prints its measurements and says whether its targets were reached. Exit code 1 if any
was missed.
"""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from pathlib import Path


def benches() -> dict[str, str]:
    """Module by name; modules without ``run`` are parts of others."""
    folder = Path(__file__).parent
    named = (module.name for module in pkgutil.iter_modules([str(folder)]) if not module.name.startswith("_"))
    return {name: f"bench.{name}" for name in named if "\ndef run()" in (folder / f"{name}.py").read_text("utf-8")}


def main(names: list[str]) -> int:
    known = benches()
    if unknown := [name for name in names if name not in known]:
        print(f"unknown bench: {', '.join(unknown)}; known: {', '.join(known)}", file=sys.stderr)
        return 2
    reached = [import_module(known[name]).run() for name in names or known]
    return 0 if all(reached) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
