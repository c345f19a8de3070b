"""Pairs that share their words and not their meaning: two things in a sentence change places, or a word is replaced.

The method of PAWS (Zhang et al. 2019), as Martynov et al. 2022, §3.1 and §5, describe it. Tagged sentences go in, and
for each of them candidates come out or the reason why there are none (:mod:`otherwords.acquire.swap.swaps`).
"""
