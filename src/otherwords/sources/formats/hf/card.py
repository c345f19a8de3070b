"""What the front matter of the README of a dataset of the Hub says: which files belong to it, and its licence.

Only the few lines of YAML about these are read, in the form in which the tools of the Hub write them:

    license: cc-by-4.0
    configs:
    - config_name: default
      default: true
      data_files:
      - split: train
        path: data/train-*
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from otherwords.sources.source import Source

MAX_FRONT_MATTER = 2000  # lines
_LINE = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?P<key>[A-Za-z_]+):(?: +(?P<value>.*))?")

SplitPattern = tuple[str | None, str]  # a split, and the pattern of its files


@dataclass(slots=True)
class _Config:
    """A configuration: one way of loading the dataset."""

    name: str
    default: bool = False
    files: list[SplitPattern] = field(default_factory=list)


def configured_files(card: Source) -> list[SplitPattern]:
    """The splits and the patterns of their files; empty if the README names none."""
    configs: list[_Config] = []
    split: str | None = None
    in_configs = False
    for number, match in _front_matter(card):
        key, value = match["key"], _value(match)
        if not match["indent"] and not match["dash"]:
            in_configs = key == "configs"
        elif in_configs and key == "config_name":
            configs.append(_Config(value))
        elif in_configs and key == "default" and configs:
            configs[-1].default = value == "true"
        elif in_configs and key == "split":
            split = value
        elif in_configs and key in ("path", "data_files") and value and configs:
            if value.startswith(("/", "~")) or ".." in value.split("/"):
                message = f"a path inside the dataset is expected, found {value!r}"
                raise card.error(message, number, code="not-a-dataset")
            configs[-1].files.append((split if key == "path" else None, value))
    return _default_config(configs, card)


def stated_licence(card: Source) -> str | None:
    """The licence that the README names; None if it names none, or says that it is another or not known."""
    for _, match in _front_matter(card):
        if match["key"] == "license" and not match["indent"] and not match["dash"]:
            value = _value(match)
            return value if value and value not in ("unknown", "other") else None
    return None


def _front_matter(card: Source) -> Iterator[tuple[int, re.Match[str]]]:
    """The lines of the front matter that have a key, with their numbers."""
    for number, line in card.lines():
        if (number == 1 and line.strip() != "---") or (number > 1 and line.strip() == "---"):
            break
        if number > MAX_FRONT_MATTER:
            message = f"the end of the front matter, ---, is expected within {MAX_FRONT_MATTER} lines"
            raise card.error(message, number, code="not-a-dataset")
        if match := _LINE.fullmatch(line.rstrip()):
            yield number, match


def _value(match: re.Match[str]) -> str:
    return (match["value"] or "").strip().strip("\"'")


def _default_config(configs: list[_Config], card: Source) -> list[SplitPattern]:
    if len(configs) < 2:
        return configs[0].files if configs else []
    for config in sorted(configs, key=lambda config: not config.default):
        if config.default or config.name == "default":
            return config.files
    names = ", ".join(config.name for config in configs)
    message = f"several configurations ({names}) and none is the default; name the folder or file of one"
    raise card.error(message, code="no-default-configuration")
