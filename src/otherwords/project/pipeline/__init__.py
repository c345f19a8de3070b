"""Steps and what they write: typed parameters, keys, datasets in shards, resumable runs."""
