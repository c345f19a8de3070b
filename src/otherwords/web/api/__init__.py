"""The API under ``/api/v1``: one module for each thing that there is."""

from otherwords.web.api import discussions, extract, judgements, me, pairs, people, seeds, triage, working

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
)
PUBLIC = (pairs.public,)
