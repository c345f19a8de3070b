"""Whatever a file holds, a reader returns records or raises one of our errors, and continues if that is the setting."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from otherwords.errors import OtherwordsError
from tests.sources.laws import read

SEEDS = {
    "tmup": "tmup/pairs.tsv",
    "pit2015": "pit2015/train.data",
    "twitter-url": "twitter-url/train.txt",
    "rupaws": "rupaws/numbered.csv",
    "paws": "paws/plain.tsv",
    "multi-mt": "multi-mt/engines/alpha.txt",
    "mrpc": "mrpc/train.txt",
    "qqp": "qqp/pairs.tsv",
    "sts": "sts/pairs.jsonl",
    "parade": "parade/train.txt",
    "tatoeba": "tatoeba/sample.eng-fin.txt",
    "opusparcus": "opusparcus/dev.txt",
    "tapaco": "tapaco/en.txt",
    "jsonl": "sts/pairs.jsonl",
    "csv": "qqp/pairs.csv",
    "tsv": "qqp/pairs.tsv",
}
TROUBLE = (
    *(b'"', b"\t", b"\n", b"\r", b",", b";", b"{", b"[" * 5000, b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe"),
    *(b"(3, 2)", b"===", b"nan", b"1e999", b"-1", b"true", b"null", b"\\ud800", "\u2028".encode(), "٣".encode()),
)
pieces = st.sampled_from(TROUBLE)
changes = st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 12), pieces | st.binary(max_size=4)), max_size=5)


@pytest.mark.parametrize("format", SEEDS)
def test_only_our_errors(format: str, fixtures: Path, tmp_path: Path) -> None:
    seed = (fixtures / SEEDS[format]).read_bytes()
    file = tmp_path / "x.txt"

    @settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(changes)
    def law(changed: list[tuple[int, int, bytes]]) -> None:
        content = seed
        for place, lost, piece in changed:
            at = place % (len(content) + 1)
            content = content[:at] + piece + content[at + lost :]
        file.write_bytes(content)
        for name in (format, None):
            for noun in ("pairs", "judgements"):
                with contextlib.suppress(OtherwordsError):
                    read(file, name, noun=noun, on_error="skip")

    law()
