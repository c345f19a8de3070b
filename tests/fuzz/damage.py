"""Ways to damage files: bytes, lines, cells, values and structure, each described by a few numbers that shrink well.

In go the files of something readable and a list of :class:`Damage`, out come files that were through a bad copy, a
careless editor, the wrong program or somebody's malice.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

Files = dict[str, bytes]  # by path, with / between folders
DEEP = 100_000
PIECES: tuple[bytes, ...] = (
    *(b'"', b"'", b"\t", b"\n", b"\r", b",", b";", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\\"),
    *(b"{", b"}", b"[", b"]", b"<", b">", b"&", b"&#0;", b"&#xD800;", b"&bomb;", b"<![CDATA[", b"<!--", b"]]>", b"=="),
    *(b"nan", b"1e999", b"-1", b"true", b"null", b"\\ud800", b'"\\ud800"', b"\\u0000", b"\xed\xa0\x80", b"(3, 2)"),
    *(b"[" * DEEP, b'{"a":' * DEEP, b"<a>" * DEEP, b"[[[[[" * 40 + b"]]]]]" * 40, b"(" * DEEP, b"> " * 500),
    *(b"9" * 20, b"9" * 400, b"9" * 5000, b"0x" + b"f" * 5000, b"1" + b"_0" * 50, b"1e400", b"-0", b"99999-99-99"),
    *("\u2028".encode(), "\x85".encode(), "٣".encode(), "\u202e".encode(), "\U0010ffff".encode(), "e\u0301".encode()),
    *(b"<!DOCTYPE x [<!ENTITY bomb 'b'>]>", b"../../x", b"/etc/passwd", b"%s%n", b"${HOME}", b"x" * 70_000),
)
VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        2**31,
        2**63,
        -(2**63) - 1,
        10**400,
        0.5,
        1e308,
        "",
        " ",
        "x",
        "\0",
        "\ud800",
        "9" * 400,
    ),
    *([], [[]], [None], ["x", 1], {}, {"": None}, {"id": {}}, {"a": [{"b": []}]}, "2024-13-45", "../x", "x" * 70_000),
)
ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-8-sig",
    "latin-1",
    "cp1251",
    "cp1252",
    "shift_jis",
    "utf-7",
)
_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_VALUE = re.compile(rb"""(?<==)[ \t]*("[^"\n]*"|'[^'\n]*'|[^\s>,]+)""")
_CELL = re.compile(rb"[^\t\n,;|]+")


@dataclass(frozen=True, slots=True)
class Damage:
    """One change: which way, in which file, where in it (as a share), how much, and which of several choices."""

    way: str
    file: int
    place: float
    size: int
    choice: int


def damaged(files: Files, damages: Sequence[Damage], others: Sequence[bytes]) -> Files:
    """The files after all that was done to them; ``others`` is what else may get into one."""
    result = dict(files)
    for damage in damages:
        names = sorted(result)
        name = names[damage.file % len(names)]
        if damage.way == "lose file" and len(names) > 1:
            del result[name]
        elif damage.way == "exchange files":
            other = names[damage.choice % len(names)]
            result[name], result[other] = result[other], result[name]
        elif damage.way in WAYS:
            result[name] = WAYS[damage.way](result[name], damage, others)
    return result


def _at(content: bytes, damage: Damage) -> int:
    return int(damage.place * len(content))


def _cut(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    return content[: _at(content, damage)]


def _lose(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    at = _at(content, damage)
    return content[:at] + content[at + damage.size :]


def _insert(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    at = _at(content, damage)
    return content[:at] + PIECES[damage.choice % len(PIECES)] + content[at:]


def _overwrite(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    at, piece = _at(content, damage), PIECES[damage.choice % len(PIECES)]
    return content[:at] + piece + content[at + len(piece) :]


def _flip(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    at = _at(content, damage)
    return content[:at] + bytes(byte ^ (damage.choice % 255 + 1) for byte in content[at : at + 1]) + content[at + 1 :]


def _repeat(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    at = _at(content, damage)
    return content[:at] + content[at : at + damage.size] * (damage.choice % 200) + content[at:]


def _splice(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    other = others[damage.choice % len(others)]
    return content[: _at(content, damage)] + other[damage.size % (len(other) + 1) :]


def _recode(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    return content.decode("utf-8", "replace").encode(ENCODINGS[damage.choice % len(ENCODINGS)], "replace")


def _line_ends(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    return content.replace(
        b"\n", (b"\r", b"\r\n", b"\n\n", b"\0", b"\n ", "\u2028".encode(), b"\n\t", b"")[damage.choice % 8]
    )


def _lines(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    """A line doubled, gone, moved to the end, or in the middle of another."""
    lines = content.splitlines(keepends=True)
    if not lines:
        return content
    at = int(damage.place * (len(lines) - 1))
    taken = lines[at]
    if damage.choice % 4 == 0:
        lines[at : at + 1] = [taken] * (damage.size + 1)
    elif damage.choice % 4 == 1:
        del lines[at]
    elif damage.choice % 4 == 2:
        lines.append(lines.pop(at))
    else:
        lines[at - 1] = lines[at - 1][: damage.size] + taken + lines[at - 1][damage.size :]
    return b"".join(lines)


def _matches(pattern: re.Pattern[bytes]) -> Callable[[bytes, Damage, Sequence[bytes]], bytes]:
    """Put something else where a pattern matches."""

    def change(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
        matches = list(pattern.finditer(content))
        if not matches:
            return content
        match = matches[int(damage.place * (len(matches) - 1))]
        value = _plain(VALUES[damage.choice % len(VALUES)]) if damage.size % 2 else PIECES[damage.choice % len(PIECES)]
        return content[: match.start()] + value + content[match.end() :]

    return change


def _plain(value: Any) -> bytes:
    return json.dumps(value).encode()


def _structure(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    """Something else at one place of a JSON file, or of a line of JSON; what is not JSON stays as it is."""
    whole = _changed_json(content, damage)
    if whole is not None:
        return whole
    lines = content.split(b"\n")
    at = damage.size % len(lines)
    changed = _changed_json(lines[at], damage)
    return content if changed is None else b"\n".join([*lines[:at], changed, *lines[at + 1 :]])


def _changed_json(content: bytes, damage: Damage) -> bytes | None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    places = list(_places(value))
    if not places:
        return _plain(VALUES[damage.choice % len(VALUES)])
    holder, key = places[int(damage.place * (len(places) - 1))]
    if damage.choice % 7 == 0:
        del holder[key]
    elif damage.choice % 7 == 1 and isinstance(holder, dict):
        holder[f"{key} "] = holder.pop(key)
    elif damage.choice % 7 == 2 and isinstance(holder, list):
        holder.extend([holder[key]] * damage.size)
    else:
        holder[key] = VALUES[damage.choice % len(VALUES)]
    return _plain(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _pack(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    if damage.choice % 3 == 0:
        return gzip.compress(content, mtime=0)
    if damage.choice % 3 == 1:
        return bz2.compress(content)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("inside", content)
    return stream.getvalue()


def _empty(content: bytes, damage: Damage, others: Sequence[bytes]) -> bytes:
    return b"\n" * (damage.choice % 3)


WAYS: dict[str, Callable[[bytes, Damage, Sequence[bytes]], bytes]] = {
    "cut": _cut,
    "lose": _lose,
    "insert": _insert,
    "overwrite": _overwrite,
    "flip": _flip,
    "repeat": _repeat,
    "splice": _splice,
    "recode": _recode,
    "line ends": _line_ends,
    "lines": _lines,
    "number": _matches(_NUMBER),
    "value": _matches(_VALUE),
    "cell": _matches(_CELL),
    "structure": _structure,
    "pack": _pack,
    "empty": _empty,
}
# What is likely to be looked at by a reader comes more often than what every reader refuses at once.
OFTEN = ("structure", "structure", "structure", "cell", "cell", "value", "value", "number", "lines", "insert", "insert")
damages = st.lists(
    st.builds(
        Damage,
        way=st.sampled_from([*WAYS, *OFTEN, "lose file", "exchange files"]),
        file=st.integers(0, 50),
        place=st.floats(0, 1),
        size=st.integers(0, 40),
        choice=st.integers(0, 10_000),
    ),
    min_size=1,
    max_size=4,
)
