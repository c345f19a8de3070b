"""The usual licences of data by their SPDX names, and whether a text under one may be released under another.

A release names its licence by SPDX; the licence of a source may be spelled in any way. Both are compared by the duties
that they put on those who redistribute a text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

from otherwords.errors import UsageError
from otherwords.licences.spelling import is_open
from otherwords.registry import nearest

_CLAUSES = ("BY", "BY-SA", "BY-NC", "BY-NC-SA", "BY-ND", "BY-NC-ND")
_VERSIONS = ("1.0", "2.0", "2.5", "3.0", "4.0")
_COMMONS = "https://creativecommons.org"
_OPEN_DATA = "https://opendatacommons.org/licenses"
ADDRESSES = {
    "CC0-1.0": f"{_COMMONS}/publicdomain/zero/1.0/",
    **{
        f"CC-{clause}-{version}": f"{_COMMONS}/licenses/{clause.lower()}/{version}/"
        for clause in _CLAUSES
        for version in _VERSIONS
    },
    "ODbL-1.0": f"{_OPEN_DATA}/odbl/1-0/",
    "ODC-By-1.0": f"{_OPEN_DATA}/by/1-0/",
    "PDDL-1.0": f"{_OPEN_DATA}/pddl/1-0/",
}
SPDX = "https://spdx.org/licenses"
USUAL = ("CC-BY-4.0", "CC-BY-SA-4.0", "CC0-1.0")
_REDISTRIBUTABLE = frozenset(
    name.lower()
    for name in (
        *ADDRESSES,
        *("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "C-UDA-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0"),
        *("CDLA-Sharing-1.0", "DL-DE-BY-2.0", "etalab-2.0", "GFDL-1.3-only", "GFDL-1.3-or-later", "GPL-3.0-only"),
        *("GPL-3.0-or-later", "ISC", "MIT", "NLOD-2.0", "OGL-UK-3.0", "Unlicense"),
    )
)
_FREE_OF_DUTIES = re.compile(r"cc-?0|zero|public.?domain|pddl|pdm|unlicense")
_DUTIES = {
    "share alike": re.compile(r"(?<![a-z])sa(?![a-z])|share.?alike|odbl|gpl|g?fdl|sharing"),
    "non-commercial": re.compile(r"(?<![a-z])nc(?![a-z])|non.?commercial"),
    "no derivatives": re.compile(r"(?<![a-z])nd(?![a-z])|no.?deriv"),
}


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence that a release may have."""

    name: str  # as SPDX lists it
    address: str


def licence(name: str) -> Licence:
    """A licence by its SPDX name, in upper or lower case."""
    try:
        known = str(canonicalize_license_expression(name.strip()))
    except InvalidLicenseExpression:
        known = ""
    if not known or " " in known or known.startswith("LicenseRef-"):
        near = nearest(name.strip().upper().replace(" ", "-"), list(ADDRESSES))
        hint = f"; did you mean {' or '.join(near)}?" if near else f"; the usual ones are {', '.join(USUAL)}"
        raise UsageError(f"{name!r} is not the SPDX name of a licence{hint}", code="unknown-licence")
    return Licence(known, address_of(known))


def address_of(name: str) -> str:
    """Where the text of a licence is."""
    return ADDRESSES.get(name, f"{SPDX}/{name}.html")


def duties(spelled: str) -> frozenset[str]:
    """What a licence, however it is spelled, asks of those who redistribute a text."""
    low = spelled.lower()
    if _FREE_OF_DUTIES.search(low):
        return frozenset()
    return frozenset({"attribution", *(duty for duty, pattern in _DUTIES.items() if pattern.search(low))})


def objection(source: str | None, chosen: Licence) -> str | None:
    """Why a text under the licence of its source cannot be released under the chosen one; None if it can."""
    if not source:
        return "has no licence"
    if not is_open(source) and source.strip().lower() not in _REDISTRIBUTABLE:
        return f"is under {source!r}, which is not known to allow redistribution"
    theirs, ours = duties(source), duties(chosen.name)
    if "share alike" in theirs and (theirs - {"attribution"} != ours - {"attribution"}):
        return f"is under {source}, which asks for the same licence"
    if lost := sorted(theirs - ours):
        return f"is under {source}, which asks for more than {chosen.name}: {', '.join(lost)}"
    return None
