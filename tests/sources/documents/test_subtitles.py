"""Subtitle files of every format, orderly and not: their text, their times and what is said about them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwords.sources.documents import KINDS
from otherwords.sources.documents.subtitles import _recognise
from otherwords.sources.documents.subtitles.cues import (
    Cue,
    milliseconds,
    ordered_cues,
    text_and_times,
    visible_lines,
    visible_styled_lines,
)
from otherwords.sources.source import ReadLog, Source
from tests.errors import raises
from tests.sources.documents.reading_documents import documents, read, rejected


@pytest.fixture
def subtitles(fixtures: Path) -> Path:
    return fixtures / "documents" / "subtitles"


def srt(tmp_path: Path, content: str | bytes, name: str = "x.srt") -> Path:
    file = tmp_path / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def test_two_versions_in_the_folder_of_a_movie(subtitles: Path) -> None:
    (first, second), log = read("subtitles", subtitles / "films", lang="en")
    assert first.text == "Who lit the lamp?\n- Not me.\n[WIND HOWLS]\n♪ Row the boat ♪"
    assert first.meta == {
        "movie": "Lighthouse",
        "year": 1987,
        "version": "first",
        "cues": [[0, 1000, 3500], [2, 4000, 6000], [3, 7250, 9000]],
        "file": str(subtitles / "films" / "Lighthouse (1987)" / "first.srt"),
        "line": 2,
    }
    assert second.text == "Who has lit the lamp?\n- It was not me & not you.\n[The wind howls]\nRow the boat"
    assert second.meta["cues"] == [[0, 1100, 3400], [2, 4100, 6000], [3, 7200, 9100]]
    assert {document.group for document in (first, second)} == {"Lighthouse (1987)"}
    assert {(document.lang, document.source) for document in (first, second)} == {("en", "subtitles")}
    assert not log.marked
    assert not log.skipped


def test_an_episode_in_two_formats_one_of_them_in_an_old_encoding(subtitles: Path) -> None:
    (old, new), log = read("subtitles", subtitles / "series")
    assert old.text == "First line\nSecond, with a comma\nand a break."
    assert old.meta["cues"] == [[0, 1000, 2250], [1, 5000, 7500]]
    assert new.text == "Älä huoli, äiti.\nHyvää yötä, söpö kissanpentu!"
    assert (new.lang, new.meta["version"], old.meta["version"]) == ("fi", "uusi", "old")
    assert {document.group for document in (old, new)} == {"Island Life S01E02"}
    assert {
        (document.meta["series"], document.meta["season"], document.meta["episode"]) for document in (old, new)
    } == {("Island Life", 1, 2)}
    assert log.marked == {
        "read as cp1252": 1,
        "a cue that starts before the one above it, moved": 1,
        "a cue without text, left out": 1,
    }


def test_opus_cut_into_words(subtitles: Path) -> None:
    (result,) = documents("subtitles", subtitles / "opus" / "xml" / "fi" / "1994" / "110912" / "4214.xml.gz")
    assert result.text == 'Missä olet, Aino?\n- Täällä\npuun alla.\nHän sanoi "ei" (taas)...'
    assert result.meta["cues"] == [[0, 1000, 3000], [2, 3500, 5000], [3, 6000, 8000]]
    assert (result.lang, result.group) == ("fi", "110912 (1994)")
    assert (result.meta["movie"], result.meta["year"], result.meta["version"]) == ("110912", 1994, "4214")


def test_opus_as_whole_sentences(subtitles: Path) -> None:
    (result,) = documents("subtitles", subtitles / "opus" / "raw")
    assert result.text == "Where are you, Aino?\n- Here,\nunder the tree & its leaves."
    assert result.meta["cues"] == [[0, 1100, 3100], [2, 3400, 5100]]
    assert (result.lang, result.group, result.meta["version"]) == ("en", "110912 (1994)", "77")


def test_opus_by_its_header(subtitles: Path, tmp_path: Path) -> None:
    packed = subtitles / "opus" / "xml" / "fi" / "1994" / "110912" / "4214.xml.gz"
    (tmp_path / "Puu.xml.gz").write_bytes(packed.read_bytes())
    (result,) = documents("subtitles", tmp_path / "Puu.xml.gz")
    assert (result.lang, result.group) == ("fi", "Puu (1994)")


def test_frames(subtitles: Path) -> None:
    (result,), log = read("subtitles", subtitles / "frames.sub")
    assert result.text == "Joe sent me.\n- Who is Joe?\nNo end at all"
    assert result.meta["cues"] == [[0, 1000, 3000], [2, 4000, 4000]]
    assert log.marked == {"a cue of no length": 1}
    (faster,) = documents("subtitles", subtitles / "frames.sub", fps=50)
    assert faster.meta["cues"] == [[0, 500, 1500], [2, 2000, 2000]]


def test_frames_without_a_rate(tmp_path: Path) -> None:
    (result,), log = read("subtitles", srt(tmp_path, "{24}{48}Hello\n{72}{96}42\n"))
    assert (result.text, result.meta["cues"]) == ("Hello\n42", [[0, 1001, 2002], [1, 3003, 4004]])
    assert log.marked == {"no frame rate, read at 23.976 frames a second; name another with the option fps": 1}


@pytest.mark.parametrize("fps", ["fast", 0, -25, float("nan"), 10**9])
def test_a_rate_that_is_none(fps: object, subtitles: Path) -> None:
    with raises("bad-option"):
        documents("subtitles", subtitles / "frames.sub", fps=fps)


def test_messy_cues_survive_and_are_counted(subtitles: Path) -> None:
    (result,), log = read("subtitles", subtitles / "messy.srt")
    assert result.text.split("\n") == [
        "Before the film.",
        "First comes second.",
        "It has a blank line inside.",
        "No number, no length, and it overlaps.",
        "Second comes first.",
        "It ends before it starts.",
        "42",
        "42",
        "<Laughs> It lasted all day.",
    ]
    assert result.meta["cues"] == [
        [0, -5000, -4000],
        [1, 1000, 3000],
        [3, 2500, 2500],
        [4, 10000, 12000],
        [5, 20000, 20000],
        [6, 30500, 31000],
        [7, 30500, 31000],
        [8, 43198000, 43201000],
    ]
    assert log.marked == {
        "text before the first cue, left out": 1,
        "a cue without its number": 1,
        "a cue of no length": 1,
        "a cue that ends before it starts, read as of no length": 1,
        "a cue without text, left out": 1,
        "a cue that starts before the one above it, moved": 2,
        "a cue that starts before the last one ends": 2,
        "the same cue twice": 1,
        "a cue before time 0": 1,
    }


def test_a_table_says_what_files_are(subtitles: Path) -> None:
    results, log = read("subtitles", subtitles, table=str(subtitles / "table.csv"))
    by_name = {Path(document.meta["file"]).name: document for document in results}
    messy, frames = by_name["messy.srt"], by_name["frames.sub"]
    assert (messy.group, messy.lang, messy.meta["version"]) == ("The Long Day (2001)", "en", "hasty")
    assert (frames.group, frames.lang, frames.meta["version"]) == ("Harbour Nights S02E11", "en", "framed")
    assert "movie" not in frames.meta
    assert log.marked["a row of the table whose file was not there"] == 1
    assert log.marked["a file that is not in the table, named by its path"] == 6
    assert log.marked["a file of another kind in the folder, not read (.csv)"] == 1


@pytest.mark.parametrize(
    ("table", "code", "place"),
    [
        ("movie,year\nA,1990\n", "missing-column", r"t\.csv: line 2: .* column file"),
        ("file,year\nx.srt,long ago\n", "bad-number", r"t\.csv: line 2: year: .*'long ago'"),
        ("file,year\nx.srt,1990\nx.srt,1991\n", "duplicate-file", r"t\.csv: line 3: .*'x.srt'"),
    ],
)
def test_a_bad_table(table: str, code: str, place: str, tmp_path: Path, subtitles: Path) -> None:
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    with raises(code, match=place):
        documents("subtitles", subtitles / "messy.srt", table=tmp_path / "t.csv")


def test_a_subtitle_with_no_cue_is_rejected_and_the_others_are_read(tmp_path: Path) -> None:
    srt(tmp_path, "", "a.srt")
    srt(tmp_path, "WEBVTT\n\nNOTE nothing here\n", "b.vtt")
    srt(tmp_path, "1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n", "c.srt")
    srt(tmp_path, "1\n00:00:01,000 --> 00:00:02,000\nHello\n", "d.srt")
    srt(tmp_path, "<document><s id='1'>Hello", "e.xml")
    assert rejected("subtitles", tmp_path, tmp_path) == [
        ("a.srt", None, "the file has no cues; is it a subtitle file?"),
        ("b.vtt", None, "the file has no cues; is it a subtitle file?"),
        ("c.srt", None, "no cue of the file has any text"),
        ("e.xml", 1, "the XML is cut short: an element is not closed"),
    ]
    assert [document.text for document in documents("subtitles", tmp_path)] == ["Hello"]


def test_a_subtitle_with_no_cue_stops_a_strict_reading(tmp_path: Path) -> None:
    kind = KINDS.get("subtitles")
    file = srt(tmp_path, "just a text\n")
    with raises("bad-row", match=r"x\.srt: the file has no cues"):
        list(kind.read(Source(file, ReadLog("stop")), kind.checked({})))


def test_a_file_too_large_for_subtitles(tmp_path: Path) -> None:
    file = tmp_path / "huge.srt"
    with file.open("wb") as stream:
        stream.truncate(2 * 2**30)  # sparse: it takes no room on disk
    assert rejected("subtitles", file, tmp_path) == [
        ("huge.srt", None, "the file is larger than 32 MB, which is too large for subtitles")
    ]


def test_the_id_is_of_the_content(subtitles: Path, tmp_path: Path) -> None:
    content = (subtitles / "messy.srt").read_bytes()
    (document,) = documents("subtitles", subtitles / "messy.srt")
    (copy,) = documents("subtitles", srt(tmp_path, content, "messy.srt"))
    (later,) = documents("subtitles", srt(tmp_path, content.replace(b"00:00:10,000", b"00:00:10,001"), "messy.srt"))
    (other,) = documents("subtitles", srt(tmp_path, content, "another film.srt"))
    assert document.id == copy.id
    assert len({document.id, later.id, other.id}) == 3


def test_a_named_encoding(tmp_path: Path) -> None:
    cue = "1\n00:00:01,000 --> 00:00:02,000\nПривет\n"
    file = srt(tmp_path, cue.encode("cp866"))
    assert documents("subtitles", file, encoding="cp866")[0].text == "Привет"
    assert rejected("subtitles", file, tmp_path) == []


@pytest.mark.parametrize(
    ("clock", "time"),
    [
        ("00:00:01,000", 1000),
        ("0:00:01.25", 1250),
        ("00:01.100", 1100),
        ("1:02:03", 3723000),
        ("00:00:01:500", 1500),
        ("11:59:58,9", 43198900),
        ("100:00:00,000", 360000000),
        ("-00:00:05,000", -5000),
        ("00:00:01,1234", 1123),
        ("5", None),
        ("soon", None),
    ],
)
def test_clocks(clock: str, time: int | None) -> None:
    assert milliseconds(clock) == time


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("<font color='#ff0000'>Red</font> and < i >slanted</ i>", ("Red and slanted",)),
        ("{\\an8}Up here{\\i0}", ("Up here",)),
        ("{y:b}Bold", ("Bold",)),
        ("one<br/>two", ("one", "two")),
        ("<3 you, x<y & {really}", ("<3 you, x<y & {really}",)),
        ("&lt;i&gt; is how it &quot;starts&quot;", ('<i> is how it "starts"',)),
        ("  - Yes.\u200b \u00a0 ", ("- Yes.",)),
        ("♪ la la ♪ (SIGHS) #hymn#", ("♪ la la ♪ (SIGHS) #hymn#",)),
        ("e\u0301te\u0301\x00", ("été",)),
        ("<i></i>", ()),
    ],
)
def test_markup(line: str, lines: tuple[str, ...]) -> None:
    assert visible_lines([line]) == lines


def test_styled_markup() -> None:
    assert visible_styled_lines(r"{\k20}One {comment}two\Nthree{\p1}m 0 0 l 5 5{\p0} four") == ("One two", "three four")


@pytest.mark.parametrize(
    ("text", "form"),
    [("WEBVTT\n", "vtt"), ("{1}{2}a", "microdvd"), ("\n[Script Info]\n", "ass"), ("1\n00:00:01,0 --> 0:0:2\n", "srt")],
)
def test_formats_are_told_by_content(text: str, form: str) -> None:
    assert _recognise(text) == form


times = st.integers(-(10**6), 10**8)
cues = st.builds(
    Cue,
    start=times,
    end=times,
    lines=st.lists(st.text("ab ", min_size=1, max_size=3), max_size=3).map(tuple),
    place=st.integers(1, 9),
)


@given(st.lists(cues, max_size=12))
def test_no_line_is_lost_and_times_are_in_order(cues_of_file: list[Cue]) -> None:
    ordered = ordered_cues(Source(None, ReadLog()), cues_of_file)
    text, shown_times = text_and_times(ordered)
    assert sorted(line for cue in cues_of_file for line in cue.lines) == sorted(text.split("\n") if ordered else [])
    assert [start for _, start, _ in shown_times] == sorted(cue.start for cue in cues_of_file if cue.lines)
    assert all(start <= end for _, start, end in shown_times)
    firsts = [line for line, _, _ in shown_times]
    assert firsts == sorted(set(firsts))


@given(st.integers(0, 999), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_clocks_tell_what_was_written(hours: int, minutes: int, seconds: int, rest: int) -> None:
    time = ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
    for point in ",.:":
        assert milliseconds(f"{hours:02}:{minutes:02}:{seconds:02}{point}{rest:03}") == time
