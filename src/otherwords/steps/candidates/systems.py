"""Translation systems of a step: by name, or by files of what they made elsewhere.

The files are read line by line beside the file that was translated, so that a machine without any translator can use
what another one made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from otherwords.errors import DataError
from otherwords.project.file_digests import FileDigests
from otherwords.project.pipeline.kind import PeopleWork
from otherwords.project.project import Project
from otherwords.sources.source import ReadLog, Source
from otherwords.steps.candidates.models import reversed_name
from otherwords.steps.candidates.pool import PoolParameters

NO_LINE = "the file has no line for it"


class SystemParameters(PoolParameters, frozen=True, kw_only=True):
    """Systems by name, or a file of ready-made outputs for each.

    ``backs`` are the systems that translate back; by default the same ones in the other direction. ``outputs`` are
    files with a line for each line of ``lines``, ``back_outputs`` the same for translations back, both in ``lang``
    and in the language of the sources.
    """

    systems: tuple[str, ...] = ()
    backs: tuple[str, ...] = ()
    lines: str = ""
    outputs: tuple[str, ...] = ()
    back_outputs: tuple[str, ...] = ()
    lang: str = ""

    def problem(self) -> str | None:
        if self.systems and self.outputs:
            return "name systems (that translate now) or outputs (files of what they made), not both"
        if self.outputs and not (self.lines and self.lang):
            return "outputs need lines (the file that was translated) and lang (the language of the outputs)"
        for name, backs in (("backs", self.backs), ("back_outputs", self.back_outputs)):
            if backs and len(backs) != (count := len(self.systems or self.outputs)):
                return f"{name}: {len(backs)} are named for {count} systems; name one for each"
        return None

    def back_names(self) -> list[str]:
        """The systems that translate back; none where the outputs are ready-made."""
        return list(self.backs) or [reversed_name(name) for name in self.systems]


def nobody_translates(project: Project, parameters: SystemParameters) -> PeopleWork | None:
    """Which systems translate into which language is for people to choose: a recipe waits for it."""
    if parameters.systems or parameters.outputs:
        return None
    then = (
        "name them with --set STEP.systems=A,B (otherwords models lists those that are installed), or files of what "
        f"they made: --set STEP.lines=FILE --set STEP.lang={project.config.lang} --set STEP.outputs=FILE,FILE "
        "--set STEP.back_outputs=FILE,FILE"
    )
    return PeopleWork("nobody has named the systems that translate", then)


@dataclass(frozen=True, slots=True)
class ReadyMadeOutputs:
    """What a system made elsewhere, by the text that it translated; None where nothing was translated back."""

    name: str
    outputs: Mapping[str, str]
    backs: Mapping[str, str] | None


def output_files(project: Project, parameters: SystemParameters) -> list[Path]:
    """The files of ready-made outputs; a relative path begins in the folder of the project."""
    named = [parameters.lines, *parameters.outputs, *parameters.back_outputs] if parameters.outputs else []
    files = [project.folder / name for name in named]
    for file in files:
        if not file.is_file():
            message = "there is no such file; a relative path begins in the folder of the project"
            raise DataError(message, file, code="no-such-file")
    return files


def file_facts(project: Project, parameters: SystemParameters) -> dict[str, object]:
    """What a step depends on by its files of outputs."""
    files = output_files(project, parameters)
    with FileDigests(project.folder) as digests:
        return {"files": [digests.digest(file) for file in files]} if files else {}


def ready_made_outputs(project: Project, parameters: SystemParameters) -> tuple[set[str], list[ReadyMadeOutputs]]:
    """The texts that were translated, and what each system made of them; an empty line is no translation."""
    lines, *columns = [_lines(file) for file in output_files(project, parameters)]
    for name, column in zip([*parameters.outputs, *parameters.back_outputs], columns, strict=True):
        if len(column) != len(lines):
            message = (
                f"{name} has {len(column):,} lines, {parameters.lines} {len(lines):,}; they must agree line by line"
            )
            raise DataError(message, project.folder, code="unequal-files")
    by_text = [{line: text for line, text in zip(lines, column, strict=True) if text} for column in columns]
    count = len(parameters.outputs)
    systems = [
        ReadyMadeOutputs(Path(name).stem, by_text[place], by_text[count + place] if parameters.back_outputs else None)
        for place, name in enumerate(parameters.outputs)
    ]
    return set(lines), systems


def _lines(file: Path) -> list[str]:
    return [" ".join(line.split()) for _, line in Source(file, ReadLog()).lines()]
