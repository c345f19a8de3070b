"""The figures of a project, computed a second time from its export by a few lines of plain Python.

``exported.py``, ``coefficients.py``, ``decisions.py`` and ``units.py`` share no code with the product, and a test
keeps it so. They follow the papers and the documentation, not the source.
"""
