"""``python tools/docs``: build the guide into build/docs. Every link that leads nowhere is named, and the exit code 1."""

from __future__ import annotations

import sys

from guide import ROOT, build

OUT = ROOT / "build" / "docs"

if problems := build(OUT):
    sys.exit("\n".join(problems))
print(f"{OUT.relative_to(ROOT)}/index.html")
