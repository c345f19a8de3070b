"""What people do with a corpus: schemes, batches, judgements, extraction, discussion."""
