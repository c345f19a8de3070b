"""The answers of models that a project keeps: one cache for all its steps, which a withdrawal reaches."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from otherwords.models.cache import AnswerCache, CachedModel
from otherwords.models.endpoints.budget import EndpointSpending, spending
from otherwords.project.project import Project

CACHE = "cache"  # in the folder of a project
FILE = "answers.sqlite"


@contextmanager
def answer_cache(project: Project) -> Iterator[AnswerCache]:
    """The cache of a project, open for the length of a block."""
    cache = AnswerCache(_file(project))
    try:
        yield cache
    finally:
        cache.close()


def cached_models(project: Project) -> list[CachedModel]:
    """How many answers of each model are kept, and how large they are."""
    if not _file(project).is_file():
        return []
    with answer_cache(project) as cache:
        return cache.sizes()


def spent_on_models(project: Project) -> list[EndpointSpending]:
    """What was spent on each endpoint, in all runs."""
    return spending(project.folder / CACHE)


def forget_answers(project: Project, texts: Collection[str]) -> int:
    """Delete the answers that follow from texts; how many there were."""
    if not texts or not _file(project).is_file():
        return 0
    with answer_cache(project) as cache:
        return cache.forget(texts)


def _file(project: Project) -> Path:
    return project.folder / CACHE / FILE
