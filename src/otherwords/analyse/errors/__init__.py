"""Where a model is wrong: its mistakes by what the pairs are like, and the mistakes themselves to read."""
