"""Sentence encoders trained on paraphrases, and how well encoders find known ones (Kanerva et al. 2023, §8)."""
