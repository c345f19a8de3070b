"""Labelled pairs as a model sees them: what is to be predicted, and which pairs are for training, dev and test."""
