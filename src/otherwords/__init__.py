"""otherwords: a workbench for paraphrase corpora.

``import otherwords`` is cheap: nothing heavy is loaded before it is used.
"""

__version__ = "0.1.0"
