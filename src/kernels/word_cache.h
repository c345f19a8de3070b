/* The n-grams of words, remembered, as numbers of a vocabulary.

   N-grams do not cross words, and the words of a language come back: so most words of a text are looked up
   once instead of some twenty n-grams. The cache never decides anything; it is emptied when it is full. */
#ifndef OTHERWORDS_WORD_CACHE_H
#define OTHERWORDS_WORD_CACHE_H

#include "tokenise.h"
#include "vocabulary.h"

typedef struct {
    size_t grams; /* where in the cache's numbers */
    uint32_t count;
} WordGrams;

typedef struct {
    WordGrams grams;
    uint32_t hash;
    size_t spelling, length; /* the bytes of the word; no length: the place is empty */
} Word;

typedef struct WordCache {
    Vocabulary *vocabulary; /* takes up new n-grams until it is weighed; then others than it has are left out */
    Folding folding;
    Orders orders;
    Word *slots;
    size_t capacity, words;
    Block spellings, numbers;
    size_t spelled, listed; /* how much of these is used */
    Sequence sequence;
    TokenList tokens;
    Block hashes; /* of the tokens */
    struct WordCache *next;
} WordCache;

/* The words of one text. Their n-grams stay in the cache until cache_begin is called. */
typedef struct {
    Block memory;
    WordGrams *words;
    size_t count, grams;
} WordList;

/* With the GIL held: a cache for this vocabulary, perhaps with what it learnt in an earlier call, and back. NULL when
   there is no memory. */
WordCache *cache_borrow(Vocabulary *vocabulary, Folding folding, Orders orders);
void cache_return(Vocabulary *vocabulary, WordCache *cache);
void caches_free(Vocabulary *vocabulary);

void cache_begin(WordCache *cache);
int cache_read(WordCache *cache, Text text, WordList *list); /* READ, NEEDS_CONTEXT or -1 */

static inline const uint32_t *gram_numbers(const WordCache *cache, WordGrams grams)
{
    return (const uint32_t *)cache->numbers.at + grams.grams;
}

#endif
