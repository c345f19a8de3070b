"""The plan of the house is true: every file that it draws is there, and every room is in its table."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rooms import ROOMS

ROOT = Path(__file__).resolve().parent.parent
PLAN = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SRC = ROOT / "src" / "otherwords"


def test_every_file_that_is_drawn_is_there() -> None:
    drawn = re.findall(r"\b((?:[a-z_]+/)+[a-z_]+\.(?:py|js))\b", PLAN)
    assert len(drawn) > 40
    places = (SRC, SRC / "web", ROOT, ROOT / "src")
    assert [name for name in drawn if not any((place / name).is_file() for place in places)] == []


def test_every_room_is_in_the_table() -> None:
    listed = re.findall(r"^\| `([a-z_]+)(?:\.py|/)?` \|", PLAN, re.MULTILINE)
    assert listed == list(ROOMS)
