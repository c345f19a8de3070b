"""Which files belong to a dataset of the Hub, as the front matter of its README says.

Only the few lines of YAML about configurations are read, in the form in which the Hub's own tools
write them:

    configs:
    - config_name: default
      default: true
      data_files:
      - split: train
        path: data/train-*
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from otherwords.sources.source import Source

MAX_FRONT_MATTER = 2000  # lines
_LINE = re.compile(r"(?P<indent> *)(?P<dash>- +)?(?P<key>[A-Za-z_]+):(?: +(?P<value>.*))?")


Named = tuple[str | None, str]  # a split, and the pattern of its files


@dataclass(slots=True)
class _Config:
    """One way of loading the dataset."""

    name: str
    default: bool = False
    files: list[Named] = field(default_factory=list)


def configured_files(card: Source) -> list[Named]:
    """Splits and the patterns of their files; empty if the README names none."""
    configs: list[_Config] = []
    split: str | None = None
    inside = False
    for number, line in card.lines():
        if (number == 1 and line.strip() != "---") or (number > 1 and line.strip() == "---"):
            break
        if number > MAX_FRONT_MATTER:
            raise card.error("the front matter does not end")
        found = _LINE.fullmatch(line.rstrip())
        if found is None:
            continue
        key, value = found["key"], (found["value"] or "").strip().strip("\"'")
        if not found["indent"] and not found["dash"]:
            inside = key == "configs"
        elif inside and key == "config_name":
            configs.append(_Config(value))
        elif inside and key == "default" and configs:
            configs[-1].default = value == "true"
        elif inside and key == "split":
            split = value
        elif inside and key in ("path", "data_files") and value and configs:
            configs[-1].files.append((split if key == "path" else None, _safe(value, card, number)))
    return _chosen(configs, card)


def _safe(pattern: str, card: Source, number: int) -> str:
    if pattern.startswith(("/", "~")) or ".." in pattern.split("/"):
        raise card.error(f"the path {pattern!r} leads out of the dataset", number)
    return pattern


def _chosen(configs: list[_Config], card: Source) -> list[Named]:
    if len(configs) < 2:
        return configs[0].files if configs else []
    for config in sorted(configs, key=lambda one: not one.default):
        if config.default or config.name == "default":
            return config.files
    names = ", ".join(config.name for config in configs)
    raise card.error(f"several configurations and none is the default ({names}); name the folder or file of one")
