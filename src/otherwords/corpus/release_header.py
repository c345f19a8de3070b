"""The front matter of a release's README: the lines of YAML by which the Hub and ``load_dataset`` find its files.

``load_dataset`` keeps what it has read of a folder under the folder's name and a digest of these lines. So they hold
the digest of the files themselves: two corpora whose folders have the same name are never taken for each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from otherwords.corpus.configs import DEFAULT, data_file
from otherwords.corpus.released import Config, Released

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGEST = "1M<n<10M"
TASKS = ("text-classification", "sentence-similarity", "text-generation")


def front_matter(released: Released) -> str:
    """The header of the README, with the lines that open and close it."""
    return "".join(f"{line}\n" for line in ("---", *_lines(released), "---"))


def _lines(released: Released) -> Iterator[str]:
    yield f"pretty_name: {_quoted(f'{released.name} {released.version}')}"
    yield f"license: {released.licence.lower()}"
    yield f"language:\n- {_quoted(released.lang)}"
    yield "task_categories:\n" + "\n".join(f"- {task}" for task in TASKS)
    yield f"tags:\n- paraphrase\nsize_categories:\n- {_size(released.pairs)}"
    yield "configs:"
    for config in released.configs:
        yield from _files(config)
    yield "dataset_info:"
    for config in released.configs:
        yield from _columns(config)


def _files(config: Config) -> Iterator[str]:
    yield f"- config_name: {config.name}"
    if config.name == DEFAULT:
        yield "  default: true"
    yield "  data_files:"
    for split in config.splits:
        yield f"  - split: {split}\n    path: {data_file(config.name, split)}"


def _columns(config: Config) -> Iterator[str]:
    yield f"- config_name: {config.name}\n  features:"
    for name, dtype in config.features.items():
        yield f"  - name: {name}\n    dtype: {dtype}"
    yield "  splits:"
    for split, rows in config.splits.items():
        yield f"  - name: {split}\n    num_bytes: {config.sizes.get(split, 0)}\n    num_examples: {rows}"
    size = sum(config.sizes.values())
    yield f"  download_size: {size}\n  dataset_size: {size}\n  description: {_quoted(f'sha256 {config.sha256}')}"


def _size(pairs: int) -> str:
    return next((name for most, name in SIZES if pairs < most), LARGEST)


def _quoted(text: str) -> str:
    """JSON's strings are YAML's."""
    return msgspec.json.encode(text).decode()
