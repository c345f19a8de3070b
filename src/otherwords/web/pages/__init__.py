"""The pages that people see: one module for each."""

from otherwords.web.pages import classify

ROUTERS = (classify.router,)
PUBLIC = ()
