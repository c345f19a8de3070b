"""The pages that people see: one module for each."""

from otherwords.web.pages import (
    account,
    adjudicate,
    batches,
    browse,
    classify,
    crowd,
    discussions,
    extract,
    guidelines,
    home,
    links,
    login,
    new_batch,
    pair,
    people,
    people_log,
    public,
    seeds,
    triage,
)

ROUTERS = (
    login.router,
    links.router,
    account.router,
    people.router,
    people_log.router,
    classify.router,
    crowd.router,
    adjudicate.router,
    triage.router,
    seeds.router,
    extract.router,
    browse.router,
    pair.router,
    discussions.router,
    home.router,
    new_batch.router,  # before the batch that could be called so
    batches.router,
    guidelines.router,
)
PUBLIC = (public.router,)
