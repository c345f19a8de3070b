"""The API under ``/api/v1``: one module for each thing that there is."""

from otherwords.web.api import judgements, me, working

ROUTERS = (me.router, working.router, judgements.router)
PUBLIC = ()
