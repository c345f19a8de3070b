"""Neural classifiers: one training loop, the networks that it trains, and what makes them fast afterwards."""
