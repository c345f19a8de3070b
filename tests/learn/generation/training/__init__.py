"""Trained generators, on models that are made in a moment."""
