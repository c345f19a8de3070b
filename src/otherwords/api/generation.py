"""Commands that write paraphrases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from otherwords.api.reading import Paths, ReadingOptions, StrPath, check_quarantine, one_quarantine
from otherwords.errors import DataError, UsageError

if TYPE_CHECKING:
    from otherwords.learn.generation.generate import GenerateSummary, SystemProgress

SHOTS = 4


def generate(
    sources: StrPath,
    out: StrPath,
    systems: Paths,
    *,
    prompt: StrPath | None = None,
    shots: StrPath | None = None,
    shot_count: int = SHOTS,
    samples: int = 1,
    beam: int | None = None,
    n_best: int = 1,
    choose: str = "bert-ibleu",
    limit: int | None = None,
    seed: int = 0,
    progress: SystemProgress = lambda system, done, total: None,
    **reading: Unpack[ReadingOptions],
) -> GenerateSummary:
    """Write paraphrases of sources with one or several systems, and put them into one file of pairs.

    ``sources`` is a file of sentences, or of pairs whose first texts are taken. A system is a generator (``smollm2``,
    ``hf:PATH``, ``openai:URL#MODEL``), the folder of a trained one, or translators that lead back to the language they
    begin with (``A>B``). ``prompt`` is a file with a place ``{source}``; ``shots`` are pairs of which ``shot_count``,
    drawn by ``seed``, are shown as examples. With ``samples``, a generator draws several outputs; with ``n_best``, it
    writes those of its best beams; the best of them by the measure ``choose`` comes first. ``beam`` is the number of
    beams: by default 4 for a trained generator, and none for others. For every source and system there is a pair; one
    without an output says why under ``meta.made.reason``.
    """
    from otherwords.learn.generation.generate import GenerateOptions, generate_paraphrases, read_sources
    from otherwords.learn.generation.systems import SearchOptions
    from otherwords.sources.reading import format_for

    format_for(out)
    check_quarantine(out, reading)
    options = one_quarantine(reading)
    names = [str(systems)] if isinstance(systems, str | Path) else [str(name) for name in systems]
    texts, copies, found = read_sources(sources, limit, **options)
    examples = _shots(shots, shot_count, seed, set(texts), options) if shots is not None else ()
    lang = options.get("lang") or found
    chosen = GenerateOptions(prompt, examples, SearchOptions(samples, beam, n_best), choose, lang)
    summary = generate_paraphrases(texts, names, Path(out), chosen, progress)
    summary.copies = copies
    return summary


def _shots(path: StrPath, count: int, seed: int, sources: set[str], options: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs to show as examples, none of which is a source; those that are labelled as no paraphrases are none."""
    import random

    from otherwords.corpus.corpus import open_corpus
    from otherwords.text.normalise import normalise

    if count < 1:
        raise UsageError(f"--shot-count {count}: at least 1 is needed", code="bad-shots")
    corpus = open_corpus(path, **options)
    pairs = [(pair.text1, pair.text2) for pair in corpus.pairs() if corpus.positive(pair) is not False]
    usable = sorted({pair for pair in pairs if all(text.strip() and normalise(text) not in sources for text in pair)})
    if len(usable) < count:
        raise DataError(
            f"has {len(usable)} examples that are no sources, and {count} are asked for", path, code="few-shots"
        )
    return random.Random(seed).sample(usable, count)  # noqa: S311
