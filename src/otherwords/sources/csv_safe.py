"""Cells that a spreadsheet shows as they are. A text that begins like a formula would be worked out when somebody opens
the file, and can fetch or send what its writer likes; an apostrophe before it makes it a text.

The formats that read back without loss leave texts as they are; what people are given to open goes through here.
"""

from __future__ import annotations

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # the wide ones count as well in East Asia


def safe_cell(value: object) -> str:
    """A value as a cell: nothing for None, true or false, numbers as they are, and texts never as formulas."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return f"'{text}" if isinstance(value, str) and text.startswith(FORMULA) else text
