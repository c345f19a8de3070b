"""Phenomena: what the types of paraphrase are in a pair, and where (Vila et al. 2014, §3).

In goes the tag set of a scheme and what an annotator marked, out comes the same in its one canonical form: ranges of
code points sorted and joined, phenomena in the order of the text. What a type does not allow is refused with the
reason: a projection is told exactly where the type demands one, key elements lie within the scope of types that have
them, a one-sided type has a scope in one of the texts only, and nothing shares words with a type that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, get_args

from otherwords.errors import LabelError
from otherwords.registry import suggest

Projection = Literal["local", "global"]
Ranges = list[list[int]]
MOST_PHENOMENA = 200
MOST_PARTS = 100
MOST_CHARACTERS = 80  # of a tag
SIDES = ("1", "2")
PROJECTIONS: tuple[Projection, ...] = get_args(Projection)
_FIELDS = {"type", "scope1", "scope2", "projection", "key1", "key2", "meta"}
_TEXTS = ("tag", "name", "class", "subclass", "colour", "help")
COLOURS = ("blue", "teal", "violet", "rose", "amber", "green", "grey")  # as the site draws them
_SWITCHES = ("keys", "one_sided", "overlap", "identical")


@dataclass(frozen=True, slots=True)
class Type:
    """A type of paraphrase, and what has to be told of each case of it."""

    tag: str
    name: str
    projection: bool = False  # whether a case is local or entails other changes has to be told
    keys: bool = False  # the words that give rise to the change may be told
    one_sided: bool = False  # a scope in one of the two texts only
    overlap: bool = True  # its words may belong to other phenomena as well
    identical: bool = False  # words that both texts share can be marked as such beforehand


@dataclass(frozen=True, slots=True)
class TagSet:
    """The types of a scheme, by their tags."""

    types: Mapping[str, Type]

    def type_of(self, tag: Any) -> Type:
        """A type by its tag."""
        if not isinstance(tag, str) or tag not in self.types:
            near = suggest(tag, list(self.types)) if isinstance(tag, str) and len(tag) <= MOST_CHARACTERS else ""
            raise LabelError(f"there is no type {tag!r:.{MOST_CHARACTERS}}{near}")
        return self.types[tag]


def tag_set(told: Sequence[Mapping[str, Any]]) -> TagSet:
    """The tag set that the entries of a scheme's file describe, checked."""
    if not told:
        raise LabelError("a question about types needs at least one of [[types]]")
    types: dict[str, Type] = {}
    for one in told:
        made = _type(one)
        if made.tag in types:
            raise LabelError(f"type {made.tag!r} is there twice")
        types[made.tag] = made
    return TagSet(types)


def _type(told: Mapping[str, Any]) -> Type:
    tag = told.get("tag")
    if not isinstance(tag, str) or not tag or not tag.isprintable():
        raise LabelError(f'a type needs a tag, as in tag = "order"; found {tag!r}')
    if unknown := sorted(set(told) - {*_TEXTS, *_SWITCHES, "projection"}):
        raise LabelError(f"type {tag!r}: unknown setting {unknown[0]!r}")
    for name in _TEXTS:
        if not isinstance(told.get(name, ""), str):
            raise LabelError(f"type {tag!r}: {name} has to be a text, not {told[name]!r}")
    for name in _SWITCHES:
        if not isinstance(told.get(name, False), bool):
            raise LabelError(f"type {tag!r}: {name} has to be true or false, not {told[name]!r}")
    if told.get("colour", COLOURS[-1]) not in COLOURS:
        raise LabelError(f"type {tag!r}: colour is one of {', '.join(COLOURS)}, not {told['colour']!r}")
    if told.get("projection", "none") not in ("required", "none"):
        raise LabelError(f'type {tag!r}: projection is "required" or "none", not {told["projection"]!r}')
    given = {name: told[name] for name in _SWITCHES if name in told}
    return Type(tag, told.get("name") or tag, told.get("projection") == "required", **given)


def normalise(tags: TagSet, answer: Any) -> list[dict[str, Any]]:
    """The canonical form of what somebody marked; what is wrong with it, as far as that shows without the texts."""
    if not isinstance(answer, list) or not answer:
        raise LabelError("mark at least one phenomenon, with its type and its words in the texts")
    if len(answer) > MOST_PHENOMENA:
        raise LabelError(f"a pair has at most {MOST_PHENOMENA} phenomena, not {len(answer):,}")
    made = [_phenomenon(tags, one) for one in answer]
    made.sort(key=lambda one: (_first(one), one["scope1"], one["scope2"], one["type"]))
    for one, two in combinations(made, 2):
        _refuse_shared(tags, one, two)
    return made


def _phenomenon(tags: TagSet, told: Any) -> dict[str, Any]:
    if not isinstance(told, dict) or not set(told) <= _FIELDS:
        raise LabelError(
            f"a phenomenon has a type, scope1 and scope2, and perhaps a projection and keys, not {told!r:.200}"
        )
    kind = tags.type_of(told.get("type"))
    made: dict[str, Any] = {"type": kind.tag}
    for side in SIDES:
        made[f"scope{side}"] = _ranges(kind, f"scope{side}", told.get(f"scope{side}"))
    _check_sides(kind, made)
    projection = told.get("projection")
    if kind.projection and projection not in PROJECTIONS:
        raise LabelError(f"{kind.name}: say whether it is local or global (it entails other changes)")
    if projection is not None and not kind.projection:
        raise LabelError(f"{kind.name}: this type has no projection")
    if projection is not None:
        made["projection"] = projection
    return made | _keys(kind, told, made) | _meta(kind, told.get("meta"))


def _ranges(kind: Type, name: str, told: Any) -> Ranges:
    """Ranges in their order, those that touch or overlap joined."""
    if told is None:
        return []
    if not isinstance(told, list | tuple) or len(told) > MOST_PARTS:
        raise LabelError(f"{kind.name}: {name} is a list of at most {MOST_PARTS} ranges, such as [[0, 4], [9, 12]]")
    joined: Ranges = []
    for start, end in sorted(_range(kind, name, one) for one in told):
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return joined


def _range(kind: Type, name: str, told: Any) -> tuple[int, int]:
    fits = isinstance(told, list | tuple) and len(told) == 2
    if not fits or any(isinstance(one, bool) or not isinstance(one, int) for one in told):
        raise LabelError(f"{kind.name}: {name} has {told!r:.100}, which is no range of characters such as [0, 4]")
    start, end = told
    if not 0 <= start < end:
        raise LabelError(f"{kind.name}: {name} has the range {start}–{end}, in which there is nothing")
    return start, end


def _check_sides(kind: Type, made: Mapping[str, Any]) -> None:
    marked = [side for side in SIDES if made[f"scope{side}"]]
    if not marked:
        raise LabelError(f"{kind.name}: mark the words that it is about")
    if kind.one_sided and len(marked) == 2:
        raise LabelError(f"{kind.name}: mark the words in one of the texts only, the one that has more")
    if not kind.one_sided and len(marked) == 1:
        other = "second" if marked == ["1"] else "first"
        raise LabelError(f"{kind.name}: mark what corresponds in the {other} text as well")


def _keys(kind: Type, told: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, Ranges]:
    keys = {f"key{side}": _ranges(kind, f"key{side}", told.get(f"key{side}")) for side in SIDES}
    keys = {name: ranges for name, ranges in keys.items() if ranges}
    if keys and not kind.keys:
        raise LabelError(f"{kind.name}: this type has no key elements")
    for name, ranges in keys.items():
        if not all(_within(one, made[name.replace("key", "scope")]) for one in ranges):
            raise LabelError(f"{kind.name}: its key elements have to lie within its scope")
    return keys


def _meta(kind: Type, told: Any) -> dict[str, Any]:
    """Whether it was marked beforehand; nothing else is told."""
    if not told:
        return {}
    if told != {"pre": True} or not kind.identical:
        raise LabelError(f'{kind.name}: meta says {{"pre": true}} of what was marked beforehand, and nothing else')
    return {"meta": {"pre": True}}


def _refuse_shared(tags: TagSet, one: Mapping[str, Any], two: Mapping[str, Any]) -> None:
    scopes = [(one[f"scope{side}"], two[f"scope{side}"]) for side in SIDES]
    kinds = [tags.types[each["type"]] for each in (one, two)]
    if kinds[0] == kinds[1] and all(first == second for first, second in scopes):
        raise LabelError(f"{kinds[0].name}: marked twice on the same words")
    alone = next((kind for kind in kinds if not kind.overlap), None)
    if alone and any(_overlap(first, second) for first, second in scopes):
        other = kinds[1] if alone is kinds[0] else kinds[0]
        raise LabelError(f"{alone.name} and {other.name} share words, and phenomena do not overlap here")


def _overlap(first: Ranges, second: Ranges) -> bool:
    return any(two[0] < one[1] for one, two in pairwise(sorted(first + second)))


def _within(one: Sequence[int], ranges: Ranges) -> bool:
    return any(start <= one[0] and one[1] <= end for start, end in ranges)


def _first(made: Mapping[str, Any]) -> int:
    return int((made["scope1"] or made["scope2"])[0][0])


def check_scopes(phenomena: Iterable[Mapping[str, Any]], text1: str, text2: str) -> None:
    """Refuse scopes that go beyond the texts."""
    for one in phenomena:
        for side, text in zip(SIDES, (text1, text2), strict=True):
            for start, end in one.get(f"scope{side}", []):
                if end > len(text):
                    where = f"text {side} has {len(text)} characters"
                    raise LabelError(f"{one['type']}: the scope {start}–{end} goes beyond the text; {where}")
