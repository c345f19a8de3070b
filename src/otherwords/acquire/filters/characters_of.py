"""How many characters of each class a text has: letters, digits, blanks, damaged ones.

The class of every code point is in a table, from the Unicode tables of Python and those of the tokeniser.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from otherwords import _kernels
from otherwords.measures.columns import Integers, column
from otherwords.text.scripts import script

OTHER, BLANK, DIGIT, DAMAGED, LETTER = range(5)  # classes; letters of scripts that look alike come after LETTER
LOOK_ALIKE = ("Latin", "Cyrillic", "Greek")
CODE_POINTS = 0x110000
REPLACEMENT = 0xFFFD
IDEOGRAPHS, TAGS, PRIVATE_PLANES = range(0x20000, 0x323B0), range(0xE0000, 0xE01F0), range(0xF0000, 0x10FFFE)
# Where the letters of these scripts are: the first planes, phonetic and historic extensions, full-width letters.
LOOK_ALIKE_BLOCKS = ((0x41, 0x530), (0x1C80, 0x1C90), (0x1D00, 0x2190), (0x2C60, 0x2C80), (0x2DE0, 0x2E00))
MORE_BLOCKS = ((0xA640, 0xA6A0), (0xA720, 0xA800), (0xAB30, 0xAB70), (0xFB00, 0xFB07), (0xFF21, 0xFF5B))


@cache
def character_classes() -> npt.NDArray[np.uint8]:
    """The class of every code point, by its Unicode category."""
    kinds = {"L": LETTER, "M": LETTER, "Z": BLANK}
    table = np.zeros(CODE_POINTS, np.uint8)
    table[IDEOGRAPHS.start : IDEOGRAPHS.stop] = LETTER
    table[PRIVATE_PLANES.start : PRIVATE_PLANES.stop] = DAMAGED
    for point in (*range(IDEOGRAPHS.start), *TAGS):
        category = unicodedata.category(chr(point))
        if category in ("Cc", "Co"):
            table[point] = BLANK if chr(point).isspace() else DAMAGED
        else:
            table[point] = DIGIT if category == "Nd" else kinds.get(category[0], OTHER)
    table[REPLACEMENT] = DAMAGED
    for start, end in (*LOOK_ALIKE_BLOCKS, *MORE_BLOCKS):
        for point in range(start, end):
            if table[point] == LETTER and (name := script(chr(point))) in LOOK_ALIKE:
                table[point] = LETTER + 1 + LOOK_ALIKE.index(name)
    table.flags.writeable = False
    return table


@dataclass(frozen=True, slots=True)
class CharacterCounts:
    """How many characters of each class every text has."""

    characters: Integers
    blanks: Integers
    digits: Integers
    damaged: Integers
    letters: Integers
    mixed: Integers  # where a letter stands directly beside one of another script that looks alike: a Latin a in москвa

    @classmethod
    def of(cls, texts: pa.Array) -> CharacterCounts:
        texts_column = column(texts)
        out = np.empty((len(texts_column), len(cls.__slots__)), np.int64)
        _kernels.character_counts(*texts_column.buffers, out, character_classes())
        return cls(*out.T)
