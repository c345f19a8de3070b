"""The API under ``/api/v1``: a module for each kind of resource."""

from otherwords.web.api import (
    about,
    adjudication,
    batches,
    crowd,
    discussions,
    exporting,
    extract,
    guidelines,
    home,
    introductions,
    judgements,
    me,
    nearest,
    pairs,
    people,
    practice,
    seeds,
    triage,
    working,
)

MODULES = [me, people, working, practice, judgements, triage, seeds, adjudication]
MODULES += [discussions]  # before modules whose paths would match a discussion as part of a name
MODULES += [extract, nearest, pairs, exporting, home, batches, crowd, introductions, guidelines, about]
ROUTERS = tuple(module.router for module in MODULES)
PUBLIC = (pairs.public,)
