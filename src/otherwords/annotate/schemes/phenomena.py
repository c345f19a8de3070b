"""Phenomena: which types of paraphrase a pair has, and where (Vila et al. 2014, §3).

What an annotator marked is brought to one canonical form: ranges of code points sorted and joined, phenomena in the
order of the text. What a type does not allow is an error: a projection is given exactly where the type demands one,
key elements lie within the scope of types that have them, a one-sided type has a scope in one of the texts only, and
nothing shares words with a type that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, get_args

from otherwords.errors import LabelError
from otherwords.registry import suggest

ProjectionKind = Literal["local", "global"]
Phenomenon = dict[str, Any]  # as JSON: type, scope1, scope2, and where the type has them projection, key1, key2, meta
Ranges = list[list[int]]
MAX_PHENOMENA = 200
MAX_RANGES = 100
MAX_TAG_CHARACTERS = 80
SIDES = ("1", "2")
PROJECTION_KINDS: tuple[ProjectionKind, ...] = get_args(ProjectionKind)
COLOURS = ("blue", "teal", "violet", "rose", "amber", "green", "grey")  # as the site draws them
_FIELDS = {"type", "scope1", "scope2", "projection", "key1", "key2", "meta"}
_TEXTS = ("tag", "name", "class", "subclass", "colour", "help")
_SWITCHES = ("keys", "one_sided", "overlap", "identical")


@dataclass(frozen=True, slots=True)
class ParaphraseType:
    """A type of paraphrase, and what has to be said of each case of it."""

    tag: str
    name: str
    projection: bool = False  # whether a case is local or entails other changes has to be said
    keys: bool = False  # the words that give rise to the change may be marked
    one_sided: bool = False  # a scope in one of the two texts only
    overlap: bool = True  # its words may belong to other phenomena as well
    identical: bool = False  # words that both texts share can be marked in advance

    def error(self, message: str, code: str) -> LabelError:
        """An error about a case of this type."""
        return LabelError(f"{self.name}: {message}", code=code)


@dataclass(frozen=True, slots=True)
class TagSet:
    """The types of a scheme, by their tags."""

    types: Mapping[str, ParaphraseType]

    def type_of(self, tag: Any) -> ParaphraseType:
        """A type by its tag."""
        if not isinstance(tag, str) or tag not in self.types:
            near = suggest(tag, list(self.types)) if isinstance(tag, str) and len(tag) <= MAX_TAG_CHARACTERS else ""
            raise LabelError(f"there is no type {tag!r:.{MAX_TAG_CHARACTERS}}{near}", code="no-such-type")
        return self.types[tag]


def tag_set(entries: Sequence[Mapping[str, Any]]) -> TagSet:
    """The tag set that the entries ``[[types]]`` of a scheme's file describe, checked."""
    if not entries:
        raise LabelError("a question about types needs at least one of [[types]]", code="no-types")
    types: dict[str, ParaphraseType] = {}
    for entry in entries:
        kind = _type(entry)
        if kind.tag in types:
            raise LabelError(f"type {kind.tag!r} is there twice", code="duplicate-type")
        types[kind.tag] = kind
    return TagSet(types)


def _type(entry: Mapping[str, Any]) -> ParaphraseType:
    tag = entry.get("tag")
    if not isinstance(tag, str) or not tag or not tag.isprintable():
        raise LabelError(f'a type needs a tag, as in tag = "order"; found {tag!r}', code="bad-tag")
    if unknown := sorted(set(entry) - {*_TEXTS, *_SWITCHES, "projection"}):
        raise LabelError(f"type {tag!r}: unknown setting {unknown[0]!r}", code="unknown-setting")
    if problem := _setting_problem(entry):
        raise LabelError(f"type {tag!r}: {problem}", code="bad-setting")
    switches = {name: entry[name] for name in _SWITCHES if name in entry}
    return ParaphraseType(tag, entry.get("name") or tag, entry.get("projection") == "required", **switches)


def _setting_problem(entry: Mapping[str, Any]) -> str | None:
    for name in _TEXTS:
        if not isinstance(entry.get(name, ""), str):
            return f"{name} has to be a text, not {entry[name]!r}"
    for name in _SWITCHES:
        if not isinstance(entry.get(name, False), bool):
            return f"{name} has to be true or false, not {entry[name]!r}"
    if entry.get("colour", COLOURS[-1]) not in COLOURS:
        return f"colour is one of {', '.join(COLOURS)}, not {entry['colour']!r}"
    if entry.get("projection", "none") not in ("required", "none"):
        return f'projection is "required" or "none", not {entry["projection"]!r}'
    return None


def normalise(tags: TagSet, answer: Any) -> list[Phenomenon]:
    """The canonical form of marked phenomena, checked as far as that is possible without the texts."""
    if not isinstance(answer, list) or not answer:
        raise LabelError("mark at least one phenomenon, with its type and its words in the texts", code="no-phenomena")
    if len(answer) > MAX_PHENOMENA:
        raise LabelError(f"a pair has at most {MAX_PHENOMENA} phenomena, not {len(answer)}", code="too-many-phenomena")
    phenomena = [_phenomenon(tags, marked) for marked in answer]
    order = ("scope1", "scope2", "type")  # after their first place in the texts
    phenomena.sort(key=lambda each: ((each["scope1"] or each["scope2"])[0][0], *(each[name] for name in order)))
    for left, right in combinations(phenomena, 2):
        _refuse_shared(tags, left, right)
    return phenomena


def _phenomenon(tags: TagSet, marked: Any) -> Phenomenon:
    if not isinstance(marked, dict) or not set(marked) <= _FIELDS:
        message = "a phenomenon has a type, scope1 and scope2, and perhaps a projection and keys"
        raise LabelError(f"{message}, not {marked!r:.200}", code="not-a-phenomenon")
    kind = tags.type_of(marked.get("type"))
    phenomenon: Phenomenon = {"type": kind.tag}
    for side in SIDES:
        phenomenon[f"scope{side}"] = _ranges(kind, f"scope{side}", marked.get(f"scope{side}"))
    _check_sides(kind, phenomenon)
    projection = marked.get("projection")
    if kind.projection and projection not in PROJECTION_KINDS:
        raise kind.error("say whether it is local or global (it entails other changes)", "missing-projection")
    if projection is not None and not kind.projection:
        raise kind.error("this type has no projection", "projection-not-allowed")
    if projection is not None:
        phenomenon["projection"] = projection
    phenomenon |= _keys(kind, marked, phenomenon)
    if meta := marked.get("meta"):  # whether it was marked in advance; nothing else is stored
        if meta != {"pre": True} or not kind.identical:
            raise kind.error('meta is {"pre": true} for what was marked in advance, and nothing else', "bad-meta")
        phenomenon["meta"] = {"pre": True}
    return phenomenon


def _ranges(kind: ParaphraseType, name: str, marked: Any) -> Ranges:
    """Ranges in their order, those that touch or overlap joined."""
    if marked is None:
        return []
    if not isinstance(marked, list | tuple) or len(marked) > MAX_RANGES:
        raise kind.error(f"{name} is a list of at most {MAX_RANGES} ranges, such as [[0, 4], [9, 12]]", "bad-ranges")
    joined: Ranges = []
    for start, end in sorted(_range(kind, name, span) for span in marked):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def _range(kind: ParaphraseType, name: str, marked: Any) -> tuple[int, int]:
    is_pair = isinstance(marked, list | tuple) and len(marked) == 2
    if not is_pair or any(isinstance(place, bool) or not isinstance(place, int) for place in marked):
        message = f"{name} has {marked!r:.100}, which is not a range of characters such as [0, 4]"
        raise kind.error(message, "bad-range")
    start, end = marked
    if not 0 <= start < end:
        raise kind.error(f"{name} has the range {start}–{end}, which is empty", "empty-range")
    return start, end


def _check_sides(kind: ParaphraseType, phenomenon: Phenomenon) -> None:
    marked = [side for side in SIDES if phenomenon[f"scope{side}"]]
    if not marked:
        raise kind.error("mark the words that it is about", "no-scope")
    if kind.one_sided and len(marked) == 2:
        raise kind.error("mark the words in one of the texts only, the one that has more", "two-scopes")
    if not kind.one_sided and len(marked) == 1:
        other = "second" if marked == ["1"] else "first"
        raise kind.error(f"mark what corresponds in the {other} text as well", "one-scope")


def _keys(kind: ParaphraseType, marked: Phenomenon, phenomenon: Phenomenon) -> dict[str, Ranges]:
    keys = {f"key{side}": _ranges(kind, f"key{side}", marked.get(f"key{side}")) for side in SIDES}
    keys = {name: ranges for name, ranges in keys.items() if ranges}
    if keys and not kind.keys:
        raise kind.error("this type has no key elements", "keys-not-allowed")
    for name, ranges in keys.items():
        scope = phenomenon[name.replace("key", "scope")]
        if not all(any(start <= first and last <= end for start, end in scope) for first, last in ranges):
            raise kind.error("its key elements have to lie within its scope", "key-outside-scope")
    return keys


def _refuse_shared(tags: TagSet, left: Phenomenon, right: Phenomenon) -> None:
    scopes = [(left[f"scope{side}"], right[f"scope{side}"]) for side in SIDES]
    kind1, kind2 = tags.types[left["type"]], tags.types[right["type"]]
    if kind1 == kind2 and all(first == second for first, second in scopes):
        raise kind1.error("marked twice on the same words", "duplicate-phenomenon")
    together = [pairwise(sorted(first + second)) for first, second in scopes]
    overlap = any(later[0] < earlier[1] for ranges in together for earlier, later in ranges)
    if overlap and (not kind1.overlap or not kind2.overlap):
        alone, other = (kind2, kind1) if kind1.overlap else (kind1, kind2)
        message = f"{alone.name} and {other.name} share words, and phenomena do not overlap here"
        raise LabelError(message, code="overlapping-phenomena")


def check_scopes(phenomena: Iterable[Mapping[str, Any]], text1: str, text2: str) -> None:
    """Refuse scopes that go beyond the texts."""
    for phenomenon in phenomena:
        for side, text in zip(SIDES, (text1, text2), strict=True):
            for start, end in phenomenon.get(f"scope{side}", []):
                if end > len(text):
                    length = f"text {side} has {len(text)} characters"
                    message = f"{phenomenon['type']}: the scope {start}–{end} goes beyond the text; {length}"
                    raise LabelError(message, code="scope-beyond-text")
