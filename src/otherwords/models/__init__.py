"""Models behind plain names: translators, encoders, language models, generators, classifiers.

Each is one method over a batch of texts with ids (:mod:`otherwords.models.edges`), found by name
(:mod:`otherwords.models.catalogue`) and asked through one door that loses nothing (:mod:`otherwords.models.asking`).
"""
