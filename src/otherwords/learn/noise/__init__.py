"""Labels that a model doubts: filtered out, flipped or looked at again by people (Dou et al. 2022, §3.2)."""
