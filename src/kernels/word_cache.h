/* The n-grams of words, remembered, as numbers of a vocabulary.

   N-grams do not cross words, and the words of a language come back: so most words of a text are looked up
   once instead of some twenty n-grams. The cache never decides anything; it is emptied when it is full. */
#ifndef OTHERWORDS_WORD_CACHE_H
#define OTHERWORDS_WORD_CACHE_H

#include "tokenise.h"
#include "vocabulary.h"

#define SHORT_WORD 32 /* bytes */

/* A word; with the spelling of a short one in it, it is one line of memory. Words stand in the order in which they
   were learnt, so that the frequent ones are close together. */
typedef struct {
    size_t length;
    size_t grams;   /* where in the cache's numbers */
    uint32_t count; /* of the n-grams */
    uint32_t mark;  /* the row that has used it last, */
    uint32_t item;  /* and as which of its words */
    union {
        unsigned char bytes[SHORT_WORD];
        size_t at; /* where in the cache's spellings */
    } spelling;
} Word;

/* A place in the index. */
typedef struct {
    uint32_t hash;
    uint32_t word; /* counted from 1; 0: the place is empty */
} Place;

/* A word of the present row. */
typedef struct {
    size_t grams;
    uint32_t count;
    uint64_t added; /* how often it is in the first text and, 32 bits up, in the second */
} Item;

typedef struct WordCache {
    Vocabulary *vocabulary; /* takes up new n-grams until it is weighed; then others than it has are left out */
    Folding folding;
    Orders orders;
    Place *index;
    size_t capacity;
    Block words, spellings, numbers;
    size_t learnt, spelled, listed; /* how much of these is used */
    Sequence sequence;
    TokenList tokens;
    Block hashes; /* of the tokens */
    Block items;  /* the distinct words of the present row */
    size_t item_count, gram_count;
    uint32_t mark;
    struct WordCache *next;
} WordCache;

/* With the GIL held: a cache for this vocabulary, perhaps with what it learnt in an earlier call, and back. NULL when
   there is no memory. */
WordCache *cache_borrow(Vocabulary *vocabulary, Folding folding, Orders orders);
void cache_return(Vocabulary *vocabulary, WordCache *cache);
void caches_free(Vocabulary *vocabulary);

/* The caches of a vocabulary that was merged into another serve that one from now on. */
void caches_adopt(Vocabulary *into, Vocabulary *from, const uint32_t *numbers);

/* A new row, and a text of it: READ, NEEDS_CONTEXT or -1. */
void cache_begin(WordCache *cache);
int cache_read(WordCache *cache, Text text, uint64_t side);

static inline const Item *cache_items(const WordCache *cache)
{
    return cache->items.at;
}

static inline const uint32_t *item_numbers(const WordCache *cache, const Item *item)
{
    return (const uint32_t *)cache->numbers.at + item->grams;
}

#endif
