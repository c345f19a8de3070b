"""Models that write paraphrases, and how good what they write is."""
