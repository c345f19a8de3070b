"""What file names tell about movies, episodes and versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.sources.documents.subtitles.naming import Facts, facts_from_opus_path, facts_from_path
from tests.sources.documents.reading_documents import documents


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("Island.Life.S01E02.old.srt", Facts(series="Island Life", season=1, episode=2, version="old")),
        ("Island Life - s1e2.srt", Facts(series="Island Life", season=1, episode=2)),
        ("Island_Life.1x02.[rip].fi.srt", Facts(series="Island Life", season=1, episode=2, version="rip", lang="fi")),
        ("Island Life/Season 1/S01E02.v3.srt", Facts(series="Island Life", season=1, episode=2, version="v3")),
        ("Island Life/S01E02/v3.srt", Facts(series="Island Life", season=1, episode=2, version="v3")),
        ("Movie Name (1994) [v2].srt", Facts(movie="Movie Name", year=1994, version="v2")),
        ("Movie.Name.1994.team-x.srt.gz", Facts(movie="Movie Name", year=1994, version="team-x")),
        ("2001.A.Journey.1968.srt", Facts(movie="2001 A Journey", year=1968)),
        ("Movie Name/first try.srt", Facts(movie="Movie Name", version="first try")),
        ("Movie Name (1994)/first.en.srt", Facts(movie="Movie Name", year=1994, version="first", lang="en")),
        ("fi/Movie Name.srt", Facts(movie="Movie Name", lang="fi")),
        ("Movie Name.pt-BR.srt", Facts(movie="Movie Name", lang="pt")),
        ("Movie.Name.srt", Facts(movie="Movie Name")),
        ("1984.srt", Facts(movie="1984")),
    ],
)
def test_names(path: str, facts: Facts) -> None:
    assert facts_from_path(Path(path)) == facts


@pytest.mark.parametrize(
    ("path", "facts"),
    [
        ("xml/fi/1994/110912/4214.xml.gz", Facts(movie="110912", year=1994, version="4214", lang="fi")),
        ("/data/OpenSubtitles/raw/pt_br/0/55/7.xml", Facts(movie="55", version="7", lang="pt")),
        ("fi/1994/110912/4214.xml", None),
    ],
)
def test_paths_of_opus(path: str, facts: Facts | None) -> None:
    assert facts_from_opus_path(Path(path)) == facts


@pytest.mark.parametrize(
    ("facts", "group"),
    [
        (Facts(movie="A", year=1990), "A (1990)"),
        (Facts(movie="A"), "A"),
        (Facts(series="A", season=1, episode=12), "A S01E12"),
        (Facts(series="A", episode=3), "A E03"),
        (Facts(series="A", movie="The Pilot"), "A The Pilot"),
        (Facts(), None),
    ],
)
def test_groups(facts: Facts, group: str | None) -> None:
    assert facts.group == group


def test_the_folder_of_a_single_file_counts_only_if_asked(tmp_path: Path) -> None:
    file = tmp_path / "Some Film" / "mine.srt"
    file.parent.mkdir()
    file.write_text("1\n00:00:01,000 --> 00:00:02,000\nHello\n", encoding="utf-8")
    assert documents("subtitles", file)[0].group == "mine"
    assert documents("subtitles", file, folders=True)[0].group == "Some Film"
    assert documents("subtitles", tmp_path)[0].group == "Some Film"
