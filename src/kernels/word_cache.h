/* The n-grams of words, remembered, as numbers of a vocabulary.

   N-grams do not cross words, and the words of a language come back: so most words of a text are looked up
   once instead of some twenty n-grams. The cache never decides anything; it is emptied when it is full. */
#ifndef OTHERWORDS_WORD_CACHE_H
#define OTHERWORDS_WORD_CACHE_H

#include "tokenise.h"
#include "vocabulary.h"

typedef struct {
    size_t grams; /* where in the cache's numbers and weights */
    uint32_t count;
} WordGrams;

typedef struct {
    WordGrams grams;
    uint32_t hash;
    size_t spelling, length; /* the bytes of the word; no length: the place is empty */
} Word;

typedef struct {
    Vocabulary *growing;      /* takes up new n-grams, or */
    const Vocabulary *closed; /* has n-grams with weights; others are left out */
    Folding folding;
    Orders orders;
    Word *slots;
    size_t capacity, words;
    Block spellings, numbers, weights;
    size_t spelled, listed; /* how much of these is used */
    Sequence sequence;
    TokenList tokens;
    Block hashes; /* of the tokens */
} WordCache;

/* The words of one text. Their n-grams stay in the cache until cache_begin is called. */
typedef struct {
    Block memory;
    WordGrams *words;
    size_t count, grams;
} WordList;

void cache_begin(WordCache *cache);
int cache_read(WordCache *cache, Text text, WordList *list); /* READ, NEEDS_CONTEXT or -1 */
void cache_free(WordCache *cache);

static inline const uint32_t *gram_numbers(const WordCache *cache, WordGrams grams)
{
    return (const uint32_t *)cache->numbers.at + grams.grams;
}

static inline const double *gram_weights(const WordCache *cache, WordGrams grams)
{
    return (const double *)cache->weights.at + grams.grams;
}

#endif
