"""Sentence pools into candidate pairs: vectors of every sentence, the nearest neighbours of each, and unique pairs."""
