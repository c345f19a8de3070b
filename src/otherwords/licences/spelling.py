"""Which licences allow a text to be shown to everybody, however they are spelled.

A licence is open here if the text may be redistributed unchanged: Creative Commons with any of its clauses, the public
domain, and the usual licences of free data and software. A licence that is unknown, or has a remark that might restrict
it, is not open. Where several are named, each has to be open.
"""

from __future__ import annotations

import re

LONGEST = 200  # anything longer is not a name
_SEVERAL = re.compile(r"[();+|]|\s(?:or|and)\s")
_SEPARATOR = re.compile(r"[\s_/,-]+")
_CLOSING = re.compile(r"(-deed|-legalcode)?(\.[a-z]{2,4})?$")
_SPELLINGS = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"^https?:-(www\.)?creativecommons\.org-(licen[cs]es-)?", "cc-"),
        (r"^https?:-(www\.)?opendatacommons\.org-(licen[cs]es-)?", ""),
        (r"^https?:-(www\.)?opensource\.org-(licen[cs]es?-)?", ""),
        (r"^https?:-(www\.)?apache\.org-licen[cs]es-licen[cs]e", "apache"),
        (r"creative-commons", "cc"),
        (r"attribution", "by"),
        (r"share-?alike", "sa"),
        (r"non-?commercial", "nc"),
        (r"no-?deriv(ative)?s?(-works)?", "nd"),
        (r"^(cc-)?(public-?domain-)?zero", "cc0"),
        (r"^(cc-)?public-?domain(-mark|-dedication)?|^(cc-)?pdm|^pddl", "public-domain"),
    )
)
_WORDS = r"(-(international|intl|unported|generic|universal|public|licen[cs]e|igo))*"
_VERSION = r"(-(version-)?v?\d+(\.\d+)*)?"
_OPEN = re.compile(
    r"(the-)?("
    rf"cc-?by(-sa|-nc|-nd){{0,2}}{_WORDS}{_VERSION}{_WORDS}(-[a-z]{{2}})?"
    rf"|(cc-?0|public-domain|odc-by|(odc-)?odbl|ogl(-uk)?|mit|apache|isc){_WORDS}{_VERSION}{_WORDS}"
    rf"|bsd(-\d-clause)?{_WORDS}|unlicense|(gnu-)?([al]?gpl|gfdl|fdl){_VERSION}(-only|-or-later)?"
    r")"
)


def is_open(licence: str | None) -> bool:
    """Whether a text under this licence may be shown to everybody."""
    if licence is None or len(licence) > LONGEST:
        return False
    parts = [part for part in _SEVERAL.split(licence.lower()) if part.strip()]
    for part in parts:
        # With hyphens between its words, whether it was a name or an address.
        spelled = _SEPARATOR.sub("-", part).strip("-.")
        for pattern, name in _SPELLINGS:
            spelled = pattern.sub(name, spelled)
        if not _OPEN.fullmatch(_CLOSING.sub("", spelled).strip("-")):
            return False
    return bool(parts)
