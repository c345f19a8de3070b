"""The API under ``/api/v1``: one module for each thing that there is."""

from otherwords.web.api import (
    adjudication,
    batches,
    crowd,
    discussions,
    exporting,
    extract,
    guidelines,
    home,
    judgements,
    me,
    pairs,
    people,
    seeds,
    triage,
    types,
    working,
)

ROUTERS = (
    me.router,
    people.router,
    working.router,
    types.router,
    judgements.router,
    triage.router,
    seeds.router,
    adjudication.router,
    discussions.router,  # before those whose paths would take a discussion for a part of a name
    extract.router,
    pairs.router,
    exporting.router,
    home.router,
    batches.router,
    crowd.router,
    guidelines.router,
)
PUBLIC = (pairs.public,)
