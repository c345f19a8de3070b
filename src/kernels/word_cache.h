/* A cache of the n-grams of words, as numbers of a vocabulary.

   N-grams do not cross words, and words are repeated: so most words of a text are looked up once instead of some
   twenty n-grams. The cache never changes a result; it is emptied when it is full. */
#ifndef OTHERWORDS_WORD_CACHE_H
#define OTHERWORDS_WORD_CACHE_H

#include "tokenise.h"
#include "vocabulary.h"

#define SHORT_WORD 32 /* bytes */

/* A word; with the spelling of a short word included, it is one cache line. Words are in the order in which they
   were added, so that the frequent ones are close together. */
typedef struct {
    size_t length;
    size_t grams;   /* where in the cache's numbers */
    uint32_t count; /* of the n-grams */
    uint32_t mark;  /* the last row that used it, */
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

/* A word of the current row. */
typedef struct {
    size_t grams;
    uint32_t count;
    uint64_t added; /* count in the first text and, shifted by 32 bits, in the second */
} Item;

typedef struct WordCache {
    Vocabulary *vocabulary; /* accepts new n-grams until it is weighted; then unknown ones are left out */
    Folding folding;
    Orders orders;
    Place *index;
    size_t capacity;
    Block words, spellings, numbers;
    size_t learnt, spelled, listed; /* how much of these is used */
    Sequence sequence;
    TokenList tokens;
    Block hashes; /* of the tokens */
    Block items;  /* the distinct words of the current row */
    size_t item_count, gram_count;
    uint32_t mark;
    struct WordCache *next;
} WordCache;

/* With the GIL held: takes a cache for this vocabulary, possibly filled by an earlier call, and returns it. NULL when
   out of memory. */
WordCache *cache_borrow(Vocabulary *vocabulary, Folding folding, Orders orders);
void cache_return(Vocabulary *vocabulary, WordCache *cache);
void caches_free(Vocabulary *vocabulary);

/* Moves the caches of a merged vocabulary to the one that it was merged into. */
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
