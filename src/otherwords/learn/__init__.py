"""Models that identify paraphrases: trained on labelled pairs, tested on pairs that share no sentence with them.

``data/`` reads labelled pairs and says what is to be predicted, ``classifiers/`` has the rungs of the ladder from a
word overlap to a transformer, ``metrics/`` the scores and tables, ``runs/`` the folder of a training, which repeats it,
``encoders/`` what finds paraphrases instead of judging them.
"""
