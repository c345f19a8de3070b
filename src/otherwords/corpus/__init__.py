"""From judgements to a corpus: labels and views, clusters, splits, leaks, releases."""
