"""A text may be shown to everybody only under a licence that is known to allow it."""

from __future__ import annotations

import time

import pytest

from otherwords.licences.spelling import is_open

OPEN = """
CC0 | cc0-1.0 | CC0 1.0 Universal (CC0 1.0) Public Domain Dedication | CC BY 4.0 | cc-by-sa-4.0 | CC_BY_SA | ccby
CC BY-NC-ND 3.0 DE | cc by nc | Creative Commons Attribution-ShareAlike 4.0 International (CC BY-SA 4.0)
Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International Public License
https://creativecommons.org/licenses/by-sa/4.0/ | http://creativecommons.org/licenses/by/3.0/deed.fi
https://creativecommons.org/publicdomain/zero/1.0/ | https://creativecommons.org/publicdomain/mark/1.0/deed.en
https://creativecommons.org/licenses/by/4.0/legalcode | public domain | Public Domain Mark 1.0 | PDDL-1.0
ODC-BY-1.0 | ODbL | MIT | The MIT License | Apache-2.0 | Apache License, Version 2.0
https://www.apache.org/licenses/LICENSE-2.0 | https://opensource.org/licenses/MIT | BSD-3-Clause
GPL-3.0-or-later | GFDL 1.3 | CC-BY-SA-3.0 + GFDL | MIT or Apache-2.0 | OGL-UK-3.0
"""
CLOSED = """
proprietary | all rights reserved | unknown | CC | mitigated | CC BY 4.0, annotations only | none
CC BY 4.0 (texts are proprietary) | research only | CLARIN ACA | not public domain | Apache-ish | public domain?
cc by 4.0 but ask | () | + | licence CC BY | cc-by-4.0 OR proprietary | MITRE | copyright | fair use
"""


def names(lines: str) -> list[str]:
    return [name.strip() for line in lines.split("\n") for name in line.split(" | ") if name.strip()]


@pytest.mark.parametrize("licence", names(OPEN))
def test_known_licences_are_open_however_they_are_spelled(licence: str) -> None:
    assert is_open(licence)
    assert is_open(f"  {licence.upper()} ")


@pytest.mark.parametrize("licence", [None, "", "  ", "\0", *names(CLOSED)])
def test_unknown_licences_and_remarks_are_not_open(licence: str | None) -> None:
    assert not is_open(licence)


def test_a_very_long_name_takes_no_time() -> None:
    start = time.perf_counter()
    assert not is_open("cc-by" + "-license" * 20_000 + "!")
    assert not is_open("cc-by" + "-license" * 24 + "!")
    assert time.perf_counter() - start < 1
