"""What the name of a subtitle file tells about it: which movie or episode it is, and which version.

In goes a path as the user's folder has it, out come the facts. Known are ``Series.S01E02.version.srt``,
``Movie (1994) [version].srt``, ``Movie.1994.version.srt``, a folder a movie with a file a version, and
the paths of OPUS, ``xml/fi/1994/110912/4214.xml.gz``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from otherwords.errors import UsageError
from otherwords.sources.files import bare_stem
from otherwords.text.languages import language, language_name


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a version of subtitles."""

    movie: str | None = None
    series: str | None = None
    season: int | None = None
    episode: int | None = None
    year: int | None = None
    version: str | None = None
    lang: str | None = None

    @property
    def group(self) -> str | None:
        """The movie or episode, the same for all of its versions."""
        if self.series:
            season = f"S{self.season:02}" if self.season is not None else ""
            episode = f"E{self.episode:02}" if self.episode is not None else ""
            return " ".join(part for part in (self.series, season + episode or self.movie) if part)
        return f"{self.movie} ({self.year})" if self.movie and self.year else self.movie


_OPUS = re.compile(r"(?:^|/)(?:xml|raw|parsed)/([a-z]{2,3})(?:_[a-z]+)?/(\d{1,4})/(\d+)/([^/]+)$")
_EPISODE = re.compile(
    r"(?P<name>.*?)[\s._-]*(?:s(?P<s>\d{1,2})[\s._-]?e(?P<e>\d{1,3})|\b(?P<x>\d{1,2})x(?P<y>\d{2,3})\b)", re.I
)
_IN_BRACKETS = re.compile(r"(?P<name>.+?)[\s._]*[(\[](?P<year>(?:18|19|20)\d\d)[)\]]")
_WITH_DOTS = re.compile(r"(?P<name>.+?)[\s._]+(?P<year>(?:19|20)\d\d)(?![0-9a-z])", re.I)
_EDGES = " ._-[](){}"


def opus_facts(path: Path) -> Facts | None:
    """The facts in a path of OPUS, wherever that lies; None for any other path."""
    found = _OPUS.search(path.with_name(bare_stem(path)).as_posix())
    if found is None:
        return None
    lang, year, movie, version = found.groups()
    return Facts(movie=movie, year=int(year) or None, version=version, lang=lang)


def facts_of(path: Path) -> Facts:
    """The facts that any other path tells; the folders in it count as far as they are given."""
    stem, lang = _without_language(bare_stem(path))
    own = _of_name(stem)
    folders = [name for name in path.parts[:-1] if name not in ("/", ".", "..")]
    if folders and (from_folder := _language_code(folders[-1])):
        lang, folders = lang or from_folder, folders[:-1]
    if own is not None and (own.movie or own.series):
        return replace(own, lang=lang)
    if own is not None and folders:
        return replace(own, series=_spoken(folders[0]), lang=lang)
    if folders:
        return replace(_of_folders(folders), version=stem, lang=lang)
    return Facts(movie=_spoken(stem), lang=lang)


def _of_name(stem: str) -> Facts | None:
    """An episode or a movie with its year; None if the name is of neither pattern."""
    if found := _EPISODE.match(stem):
        season, episode = int(found["s"] or found["x"]), int(found["e"] or found["y"])
        version = stem[found.end() :].strip(_EDGES) or None
        return Facts(series=_spoken(found["name"]), season=season, episode=episode, version=version)
    if found := _IN_BRACKETS.match(stem) or _WITH_DOTS.match(stem):
        version = stem[found.end() :].strip(_EDGES) or None
        return Facts(movie=_spoken(found["name"]), year=int(found["year"]), version=version)
    return None


def _of_folders(folders: list[str]) -> Facts:
    own = _of_name(folders[-1])
    if own is None:
        return Facts(movie=_spoken(folders[-1]))
    if own.series is None and own.episode is not None and len(folders) > 1:
        return replace(own, series=_spoken(folders[-2]))
    return own


def _spoken(name: str) -> str | None:
    """A name with blanks where file names have dots and underscores."""
    name = name.strip(_EDGES)
    return (name if " " in name else re.sub(r"[._]+", " ", name)).strip() or None


def _without_language(stem: str) -> tuple[str, str | None]:
    """The stem without a language at its end, as players expect it there: ``Movie.fi``."""
    rest, dot, last = stem.rpartition(".")
    code = _language_code(last) if dot and rest else None
    return (rest, code) if code else (stem, None)


def _language_code(name: str) -> str | None:
    """The language that a short name means, if it is one that we know by name."""
    if not re.fullmatch(r"[a-z]{2,3}(?:[-_][A-Za-z]{2})?", name):
        return None
    try:
        code = language(name)
    except UsageError:
        return None
    return code if language_name(code) != code else None
