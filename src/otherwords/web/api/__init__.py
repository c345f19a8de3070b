"""The API under ``/api/v1``: one module for each thing that there is."""

from otherwords.web.api import discussions, exporting, extract, judgements, me, pairs, people, seeds, triage, working

ROUTERS = (
    me.router,
    people.router,
    working.router,
    judgements.router,
    triage.router,
    seeds.router,
    extract.router,
    discussions.router,
    pairs.router,
    exporting.router,
)
PUBLIC = (pairs.public,)
