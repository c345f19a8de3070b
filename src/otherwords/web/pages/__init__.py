"""The pages of the site: a module for each kind of work."""

from otherwords.web.pages import (
    about,
    account,
    adjudicate,
    batches,
    browse,
    classify,
    crowd,
    discussions,
    documents,
    guidelines,
    home,
    introductions,
    login,
    method,
    mining,
    models,
    nearest,
    new_batch,
    people,
    practice,
    public,
    sign_in,
)

MODULES = [login, sign_in, account, people, classify, crowd, adjudicate, documents, browse, nearest, discussions, home]
MODULES += [new_batch, batches]  # in this order: a batch could be called "new"
MODULES += [guidelines, about, introductions, practice, method, models, mining]
ROUTERS = (*(module.router for module in MODULES), account.texts_router)
PUBLIC = (public.router, account.texts_router)
