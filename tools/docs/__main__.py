"""``python tools/docs``: build the guide into build/docs, or name every link that leads nowhere and exit with 1."""

from __future__ import annotations

import sys

from guide import ROOT, build

OUT = ROOT / "build" / "docs"

if problems := build(OUT):
    sys.exit("\n".join(problems))
print(f"{OUT.relative_to(ROOT)}/index.html")
