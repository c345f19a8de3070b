"""How measures are asked for, and what a wrong request is told."""

from __future__ import annotations

import subprocess
import sys

import pytest

from otherwords.errors import UsageError
from otherwords.measures import MEASURES, described, measure

NAMES = "char-cosine char-cosine-tfidf jaccard dice overlap bleu chrf pinc edit lcs length-ratio"


def test_the_measures() -> None:
    assert list(MEASURES) == NAMES.split()


@pytest.mark.parametrize("name", NAMES.split())
def test_every_measure_describes_itself(name: str) -> None:
    found = described(name)
    assert found["name"] == name
    assert found["title"]
    assert found["signature"].startswith(f"{name}|")
    assert found["signature"].endswith("|version:0.1.0")
    assert measure(name).name == name


def test_the_name_is_what_was_asked_for() -> None:
    assert measure("bleu:tok=intl,smooth=floor,k=0.1").name == "bleu:tok=intl,smooth=floor,k=0.1"
    assert measure("char-cosine: n = 3 , case=mixed").signature() == "char-cosine|n:3-3|case:mixed|version:0.1.0"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("jacard", "unknown measure 'jacard'; did you mean jaccard"),
        ("jaccard:tok", "'tok' is not key=value"),
        ("jaccard:", "'' is not key=value"),
        ("jaccard:tok=blank,tok=words", "'tok' is given twice"),
        ("jaccard:colour=red", "unknown parameter 'colour'; known: tok, case"),
        ("jaccard:tokk=red", "unknown parameter 'tokk'; did you mean tok?"),
        ("jaccard:tok=wrods", "unknown tokeniser 'wrods'; did you mean words"),
        ("jaccard:case=upper", "case=upper cannot be used; give one of mixed, lc"),
        ("bleu:smooth=no", "give one of none, floor, add-k, exp"),
        ("bleu:smooth=floor,k=zero", "k=zero cannot be used; give a number greater than 0"),
        ("bleu:smooth=floor,k=nan", "give a number greater than 0"),
        ("overlap:n=3-1", "n=3-1 cannot be used; give lengths of n-grams from 1 to 16"),
        ("overlap:n=0-2", "n=0-2 cannot be used"),
        ("char-cosine:n=two", "n=two cannot be used"),
        ("char-cosine:tok=blank", "unknown parameter 'tok'; known: n, case"),
    ],
)
def test_wrong_requests_say_what_is_known(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        measure(spec)
    assert message in str(refused.value)


def test_asking_for_names_imports_nothing_heavy() -> None:
    program = (
        "import sys, otherwords.measures as m; list(m.MEASURES); sys.exit(bool({'numpy', 'pyarrow'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
