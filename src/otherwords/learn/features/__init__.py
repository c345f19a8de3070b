"""What a pair of texts is reduced to before a model sees it: numbers with names, the same on one thread and many."""
