"""How measures are spelled, and how a wrong spelling is refused."""

from __future__ import annotations

import subprocess
import sys

import pytest

from otherwords.measures import MEASURES, complete_measures, describe_measure, measure
from tests.errors import raises
from tests.processes import SECONDS

NAMES = "char-cosine char-cosine-tfidf jaccard dice overlap bleu chrf pinc edit lcs length-ratio cosine"


def test_the_measures() -> None:
    assert list(MEASURES) == NAMES.split()


@pytest.mark.parametrize("name", NAMES.split())
def test_every_measure_describes_itself(name: str) -> None:
    description = describe_measure(name)
    assert description["name"] == name
    assert description["title"]
    assert description["signature"].startswith(f"{name}|")
    assert description["signature"].endswith("|version:0.1.0")
    if name in complete_measures():
        assert measure(name).name == name


def test_only_the_cosine_of_an_encoder_needs_a_parameter() -> None:
    assert [name for name in MEASURES if name not in complete_measures()] == ["cosine"]


def test_the_name_is_the_spelling() -> None:
    assert measure("bleu:tok=intl,smooth=floor,k=0.1").name == "bleu:tok=intl,smooth=floor,k=0.1"
    assert measure("char-cosine: n = 3 , case=mixed").signature() == "char-cosine|n:3-3|case:mixed|version:0.1.0"


@pytest.mark.parametrize(
    ("spec", "code", "fact"),
    [
        ("jacard", "unknown-measure", "did you mean jaccard"),
        ("jaccard:tok", "not-key-value", "'tok'"),
        ("jaccard:", "not-key-value", "''"),
        ("jaccard:tok=blank,tok=words", "repeated-parameter", "'tok'"),
        ("jaccard:colour=red", "unknown-parameter", "known: tok, case"),
        ("jaccard:tokk=red", "unknown-parameter", "did you mean tok"),
        ("jaccard:tok=wrods", "unknown-tokeniser", "did you mean words"),
        ("jaccard:case=upper", "wrong-parameter", "case=upper .* mixed, lc"),
        ("bleu:smooth=no", "wrong-parameter", "none, floor, add-k, exp"),
        ("bleu:smooth=floor,k=zero", "wrong-parameter", "k=zero .* greater than 0"),
        ("bleu:smooth=floor,k=nan", "wrong-parameter", "greater than 0"),
        ("overlap:n=3-1", "wrong-parameter", "n=3-1 .* from 1 to 16"),
        ("overlap:n=0-2", "wrong-parameter", "n=0-2"),
        ("char-cosine:n=two", "wrong-parameter", "n=two"),
        ("char-cosine:tok=blank", "unknown-parameter", "known: n, case"),
        ("cosine", "missing-parameter", "cosine:model="),
    ],
)
def test_wrong_requests_say_what_is_known(spec: str, code: str, fact: str) -> None:
    with raises(code, match=fact):
        measure(spec)


def test_listing_names_imports_nothing_heavy() -> None:
    program = (
        "import sys; from otherwords.measures import MEASURES; list(MEASURES)\n"
        "sys.exit(bool({'numpy', 'pyarrow'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=SECONDS).returncode == 0
