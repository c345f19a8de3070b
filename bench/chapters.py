"""Two English translations of the Bible: do chapters find their counterparts by content alone?

Reads the public-domain King James Version and World English Bible of the Debian packages
``sword-text-kjv`` and ``sword-text-web`` through ``diatheke``. All chapters of one are shuffled among each
other, without book or number; at least 99 % of the 1,189 must be paired with the same chapter of the
other. Then the same as groups of texts: a group a chapter, two translations each.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import time
from collections import defaultdict

from otherwords.align.groups import group_pairs
from otherwords.align.partners import best_partners
from otherwords.records import Document

VERSIONS = ("engKJV2006eb", "engWEB2015eb")  # as the packages name them
CHAPTERS = 1_189
TARGET = 0.99
INSTALL = "apt-get install sword-text-kjv sword-text-web diatheke"
_VERSE = re.compile(r"^ *(?P<chapter>[I1-3]* ?[A-Z][A-Za-z ]+ \d+):\d+: ?(?P<text>.*)$")
_MARKUP = re.compile(r"<[^>]*>|\([A-Z]+\)$")


def chapters(version: str) -> dict[str, str]:
    """The text of every chapter by its name; empty where the version is not installed."""
    if shutil.which("diatheke") is None:
        return {}
    command = ["diatheke", "-b", version, "-f", "plain", "-k", "Genesis 1:1 - Revelation 22:21"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    # Each line once: the title of a psalm stands before every verse of it.
    verses: dict[str, dict[str, None]] = defaultdict(dict)
    chapter = ""
    for line in done.stdout.splitlines():
        found = _VERSE.match(line)
        chapter = found["chapter"] if found else chapter
        if chapter and (text := _MARKUP.sub("", found["text"] if found else line).strip()):
            verses[chapter][text] = None
    return {name: " ".join(texts) for name, texts in verses.items()}


def run() -> bool:
    """Print how many chapters are paired rightly; whether the target was reached."""
    one, two = map(chapters, VERSIONS)
    names = sorted(one.keys() & two.keys())  # the second also has books that the first leaves out
    if len(names) != CHAPTERS:
        print(f"skipped: {len(names)} chapters of {CHAPTERS} found in both translations; {INSTALL}")
        return True
    lots = random.Random(1).sample(range(CHAPTERS), CHAPTERS)  # ids that tell nothing
    first = [Document(id=f"a{number:04}", text=one[name]) for number, name in enumerate(names)]
    second = [Document(id=f"b{lot:04}", text=two[name]) for lot, name in zip(lots, names, strict=True)]
    gold = {(f"a{number:04}", f"b{lot:04}") for number, lot in enumerate(lots)}
    start = time.perf_counter()
    pairs = best_partners(first, second)
    seconds = time.perf_counter() - start
    right = sum((pair.doc1, pair.doc2) in gold for pair in pairs)
    print(
        f"{right:,} of {CHAPTERS:,} chapters with their counterparts ({right / CHAPTERS:.2%}, target {TARGET:.0%}), "
        f"{len(pairs) - right} with others, {seconds:.1f} s   {'ok' if right >= TARGET * CHAPTERS else 'MISSED'}"
    )
    return as_groups(names, {"KJV": one, "WEB": two}) and right >= TARGET * CHAPTERS


def as_groups(names: list[str], versions: dict[str, dict[str, str]]) -> bool:
    """A group a chapter: one pair each."""
    documents = [
        Document(id=f"{version} {name}", text=texts[name], source="translations", group=name)
        for version, texts in versions.items()
        for name in names
    ]
    start = time.perf_counter()
    found = group_pairs(documents)
    print(f"{len(found.pairs):,} pairs of {CHAPTERS:,} groups in {time.perf_counter() - start:.1f} s")
    return len(found.pairs) == CHAPTERS
