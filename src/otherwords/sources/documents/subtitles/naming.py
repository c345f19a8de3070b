"""Facts from the path of a subtitle file: the movie or episode, and the version.

Known forms are ``Series.S01E02.version.srt``, ``Movie (1994) [version].srt``, ``Movie.1994.version.srt``, one folder
per movie with one file per version, and the paths of OPUS, ``xml/fi/1994/110912/4214.xml.gz``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from otherwords.sources.documents.table_rows import known_language
from otherwords.sources.io.files import bare_stem


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known about a version of subtitles."""

    movie: str | None = None
    series: str | None = None
    season: int | None = None
    episode: int | None = None
    year: int | None = None
    version: str | None = None
    lang: str | None = None

    @property
    def group(self) -> str | None:
        """The movie or episode; the same for all of its versions."""
        if self.series:
            season = f"S{self.season:02}" if self.season is not None else ""
            episode = f"E{self.episode:02}" if self.episode is not None else ""
            return " ".join(part for part in (self.series, season + episode or self.movie) if part)
        return f"{self.movie} ({self.year})" if self.movie and self.year else self.movie


PATHS = (  # the known forms, by example
    "Harbour Street S01E02 [late].srt",
    "harbour.street.1x02.v2.fi.srt",
    "Harbour Street/Season 1/S01E02.v1.srt",
    "The Ferry (1994) [second].srt",
    "The.Ferry.1994.second.fi.srt",
    "The Ferry (1994)/second.srt",
    "The Ferry/fi/second.srt",
    "xml/fi/1994/110912/4214.xml.gz",
)
_OPUS = re.compile(r"(?:^|/)(?:xml|raw|parsed)/([a-z]{2,3})(?:_[a-z]+)?/(\d{1,4})/(\d+)/([^/]+)$")
_EPISODE = re.compile(
    r"(?P<name>.*?)[\s._-]*(?:s(?P<s>\d{1,2})[\s._-]?e(?P<e>\d{1,3})|\b(?P<x>\d{1,2})x(?P<y>\d{2,3})\b)", re.I
)
_IN_BRACKETS = re.compile(r"(?P<name>.+?)[\s._]*[(\[](?P<year>(?:18|19|20)\d\d)[)\]]")
_WITH_DOTS = re.compile(r"(?P<name>.+?)[\s._]+(?P<year>(?:19|20)\d\d)(?![0-9a-z])", re.I)
_EDGES = " ._-[](){}"


def facts_from_opus_path(path: Path) -> Facts | None:
    """The facts in a path of OPUS, in any folder; None for other paths."""
    match = _OPUS.search(path.with_name(bare_stem(path)).as_posix())
    if match is None:
        return None
    lang, year, movie, version = match.groups()
    return Facts(movie=movie, year=int(year) or None, version=version, lang=lang)


def path_examples() -> dict[str, str]:
    """What each of the known forms says, in words."""
    examples = {}
    for name in PATHS:
        facts = facts_from_opus_path(Path(name)) or facts_from_path(Path(name))
        known = (("version", facts.version), ("language", facts.lang))
        examples[name] = ", ".join([facts.group or "", *(f"{noun} {value}" for noun, value in known if value)])
    return examples


def facts_from_path(path: Path) -> Facts:
    """The facts in any other path, including its folders."""
    stem = bare_stem(path)
    rest, _, last = stem.rpartition(".")
    lang = _language_code(last) if rest else None
    if lang:  # at the end of the stem, where players expect it: Movie.fi
        stem = rest
    facts = _facts_from_name(stem)
    folders = [name for name in path.parts[:-1] if name not in ("/", ".", "..")]
    if folders and (folder_lang := _language_code(folders[-1])):
        lang, folders = lang or folder_lang, folders[:-1]
    if facts is not None and (facts.movie or facts.series):
        return replace(facts, lang=lang)
    if facts is not None and folders:
        return replace(facts, series=_readable_name(folders[0]), lang=lang)
    if not folders:
        return Facts(movie=_readable_name(stem), lang=lang)
    by_folder = _facts_from_name(folders[-1]) or Facts(movie=_readable_name(folders[-1]))
    if by_folder.series is None and by_folder.episode is not None and len(folders) > 1:
        by_folder = replace(by_folder, series=_readable_name(folders[-2]))
    return replace(by_folder, version=stem, lang=lang)


def _facts_from_name(stem: str) -> Facts | None:
    """An episode, or a movie with its year; None for other names."""
    if match := _EPISODE.match(stem):
        season, episode = int(match["s"] or match["x"]), int(match["e"] or match["y"])
        version = stem[match.end() :].strip(_EDGES) or None
        return Facts(series=_readable_name(match["name"]), season=season, episode=episode, version=version)
    if match := _IN_BRACKETS.match(stem) or _WITH_DOTS.match(stem):
        version = stem[match.end() :].strip(_EDGES) or None
        return Facts(movie=_readable_name(match["name"]), year=int(match["year"]), version=version)
    return None


def _readable_name(name: str) -> str | None:
    """A name with blanks instead of dots and underscores."""
    name = name.strip(_EDGES)
    return (name if " " in name else re.sub(r"[._]+", " ", name)).strip() or None


def _language_code(name: str) -> str | None:
    """The language of a short name, if it is one with a known name."""
    return known_language(name) if re.fullmatch(r"[a-z]{2,3}(?:[-_][A-Za-z]{2})?", name) else None
