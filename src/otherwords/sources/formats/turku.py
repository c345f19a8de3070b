"""The Turku Paraphrase Corpus: a JSON list of pairs with flags, rewrites and, since 2022, document context.

A rewrite is a pair of its own here (``rewrite_of``); by the corpus's own rule its label is 4. The
texts of the documents lie beside it in ``texts.json.gz`` and are read as documents.
"""
