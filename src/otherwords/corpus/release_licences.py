"""The usual licences of data by their SPDX names, and whether a text under one may be released under another.

The name that somebody gives becomes a :class:`Licence` with its address; the licence of a source, however it is
spelled, becomes the duties that it puts on those who pass a text on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from otherwords.annotate.open_licences import is_open
from otherwords.errors import UsageError
from otherwords.registry import suggest

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
    **{
        name: f"https://spdx.org/licenses/{name}.html"
        for name in (
            *("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "C-UDA-1.0", "CDLA-Permissive-1.0", "CDLA-Permissive-2.0"),
            *("CDLA-Sharing-1.0", "DL-DE-BY-2.0", "etalab-2.0", "GFDL-1.3-only", "GFDL-1.3-or-later"),
            *("GPL-3.0-only", "GPL-3.0-or-later", "ISC", "MIT", "NLOD-2.0", "OGL-UK-3.0", "Unlicense"),
        )
    },
}
_SPELLED = {name.lower(): name for name in ADDRESSES}
_FREE_OF_DUTIES = re.compile(r"cc-?0|zero|public.?domain|pddl|pdm|unlicense")
_DUTIES = {
    "share alike": re.compile(r"(?<![a-z])sa(?![a-z])|share.?alike|odbl|gpl|g?fdl|sharing"),
    "non-commercial": re.compile(r"(?<![a-z])nc(?![a-z])|non.?commercial"),
    "no derivatives": re.compile(r"(?<![a-z])nd(?![a-z])|no.?deriv"),
}


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence that a release may have."""

    name: str  # by which SPDX lists it
    address: str

    @property
    def duties(self) -> frozenset[str]:
        return duties(self.name)


def licence(name: str) -> Licence:
    """A licence by its SPDX name, in capitals or not."""
    known = _SPELLED.get(name.strip().lower())
    if known is None:
        near = suggest(name.strip().upper(), list(ADDRESSES))
        hint = near if "did you mean" in near else "; the usual ones are CC-BY-4.0, CC-BY-SA-4.0 and CC0-1.0"
        raise UsageError(f"{name!r} is not the SPDX name of a licence that we know{hint}")
    return Licence(known, ADDRESSES[known])


def duties(spelled: str) -> frozenset[str]:
    """What a licence asks of those who pass a text on."""
    low = spelled.lower()
    if _FREE_OF_DUTIES.search(low):
        return frozenset()
    return frozenset({"attribution", *(duty for duty, pattern in _DUTIES.items() if pattern.search(low))})


def objection(source: str | None, chosen: Licence) -> str | None:
    """Why a text under the licence of its source cannot be released under the chosen one; None if it can."""
    if not source:
        return "has no licence"
    if not is_open(source) and source.strip().lower() not in _SPELLED:
        return f"is under {source!r}, which does not let us pass it on"
    theirs, ours = duties(source), chosen.duties
    if "share alike" in theirs and (theirs - {"attribution"} != ours - {"attribution"}):
        return f"is under {source}, which asks for the same licence"
    if lost := sorted(theirs - ours):
        return f"is under {source}; {chosen.name} leaves out its duty: {', '.join(lost)}"
    return None
