"""An invented script in two subtitle versions, whose true alignment is known line by line."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

# Each word has another wording; the second version takes it about every third time.
WORDINGS = {
    "harbour": "port", "lantern": "lamp", "letter": "note", "captain": "skipper", "bread": "loaf",
    "garden": "orchard", "quickly": "fast", "answered": "replied", "tomorrow": "next day", "children": "kids",
    "began": "started", "huge": "enormous", "silent": "quiet", "bought": "purchased", "doctor": "physician",
    "street": "road", "afraid": "scared", "house": "cottage", "remember": "recall", "storm": "gale",
    "kitchen": "pantry", "hurry": "rush", "angry": "furious", "river": "stream", "forest": "woods",
    "finished": "completed", "question": "query", "brother": "sibling", "beautiful": "lovely", "strange": "odd",
}  # fmt: skip
NAMES = ("Ilse", "Marten", "Oona", "Pelle", "Quirin", "Runa", "Sanna", "Tove", "Ulrik", "Vilja")
SHORT = ("Yes.", "No.", "Well.", "What?")
SMALL = ("the", "a", "of", "to", "and", "in", "was", "is", "with", "for", "that", "at")


@dataclass
class Version:
    """One version: its lines, its cues, and the first line of every utterance that it has."""

    lines: list[str] = field(default_factory=list)
    cues: list[list[int]] = field(default_factory=list)
    first_line: dict[int, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(frozen=True)
class Utterance:
    words: tuple[str, ...]
    start: float  # ms
    end: float


def utterances(count: int, seed: int, short: float = 0.2) -> list[Utterance]:
    """What is said, and when."""
    rng = random.Random(seed)
    clock, spoken = 20_000.0, []
    for _ in range(count):
        if rng.random() < short:
            words: tuple[str, ...] = (rng.choice(SHORT),)
        else:
            stock = [*WORDINGS, *SMALL, *SMALL, *NAMES, str(rng.randrange(100, 999))]
            words = tuple(rng.choice(stock) for _ in range(rng.randint(5, 14)))
        length = 900 + 55 * len(" ".join(words))
        spoken.append(Utterance(words, clock, clock + length))
        clock += length + rng.choice([80, 200, 900, 2500, 6000])
    return spoken


def version(
    spoken: list[Utterance],
    seed: int,
    *,
    width: int,
    other_words: float = 0.0,
    omitted: float = 0.0,
    drift: float = 1.0,
    offset: float = 0.0,
    jitter: float = 0.0,
    split_cues: float = 0.0,
) -> Version:
    """One subtitler's version: lines of some width, some cues split in two, times of another clock."""
    rng = random.Random(seed)
    subtitles = Version()
    for number, utterance in enumerate(spoken):
        if rng.random() < omitted:
            continue
        words = [WORDINGS[w] if w in WORDINGS and rng.random() < other_words else w for w in utterance.words]
        lines = wrapped(words, width)
        subtitles.first_line[number] = len(subtitles.lines)
        start = drift * utterance.start + offset + rng.uniform(-jitter, jitter)
        end = drift * utterance.end + offset + rng.uniform(-jitter, jitter)
        cut = rng.randrange(1, len(lines)) if len(lines) > 1 and rng.random() < split_cues else len(lines)
        middle = start + (end - start) * len(" ".join(lines[:cut])) / len(" ".join(lines))
        for part, begin, stop in ((lines[:cut], start, middle), (lines[cut:], middle, end)):
            if part:
                subtitles.cues.append([len(subtitles.lines), round(begin), round(stop)])
                subtitles.lines += part
    return subtitles


def wrapped(words: list[str], width: int) -> list[str]:
    """The words as lines of at most about that width."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) < width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
