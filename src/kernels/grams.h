/* Counting n-grams of two sequences exactly, order by order.

   An n-gram is identified by the place of its first n−1 symbols in the table of the previous order and by its last
   symbol, which together are exact for every character and every order. Each order has a table of its own,
   small enough to stay in the cache. The rest of the 64 bits of a key is a stamp: increasing it empties the table. */
#ifndef OTHERWORDS_GRAMS_H
#define OTHERWORDS_GRAMS_H

#include <stdint.h>

#include "memory.h"

#define NO_GRAM UINT32_MAX

/* Bits of a key below its stamp. A place is one of at most 2³¹, a character or type one of 2²¹ unless a text has
   more types than that. */
enum { PLACE_BITS = 31, NUMBER_KEY = 32, GRAM_KEY = PLACE_BITS + 21, LARGE_GRAM_KEY = PLACE_BITS + 32 };

#define FEW_TYPES (1u << 21)

typedef struct {
    uint64_t key;    /* stamp, place of the prefix of the n-gram, last symbol */
    uint64_t counts; /* count in the first sequence and, shifted by 32 bits, in the second */
} Gram;

#define IN_FIRST UINT64_C(1)
#define IN_SECOND (UINT64_C(1) << 32)

static inline uint32_t first_count(uint64_t counts)
{
    return (uint32_t)counts;
}

static inline uint32_t second_count(uint64_t counts)
{
    return (uint32_t)(counts >> 32);
}

typedef struct {
    Gram *slots;
    size_t capacity, used; /* number of places, and of those used since the last clearing */
    uint32_t mask;
    unsigned shift, key_bits;
    uint64_t stamp; /* shifted to its place in a key */
} GramTable;

/* Symbols, and the windows over them that are n-grams of the current order. */
typedef struct {
    uint32_t *symbols;
    uint32_t *room;  /* the largest number of symbols of a window that starts here */
    uint32_t *start; /* of each window */
    uint32_t *gram;  /* of each window: its n-gram of the previous order */
    size_t count, windows;
    Block memory;
} Sequence;

/* An empty table for `windows` n-grams, with keys of `key_bits` bits. */
int grams_begin(GramTable *table, size_t windows, unsigned key_bits);
void grams_free(GramTable *table);
int sequence_reserve(Sequence *sequence, size_t symbols);
void sequence_free(Sequence *sequence);

/* To be called after the symbols are added: every window of one symbol. With `sequence_whole` windows may
   extend to the end. */
void sequence_begin(Sequence *sequence);
void sequence_whole(Sequence *sequence);

static inline uint64_t gram_key(const GramTable *table, const Sequence *sequence, size_t window, uint32_t order)
{
    uint32_t last = sequence->symbols[sequence->start[window] + order - 1];
    return table->stamp | (uint64_t)sequence->gram[window] << (table->key_bits - PLACE_BITS) | last;
}

static inline uint32_t gram_hash(const GramTable *table, uint64_t key)
{
    return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> table->shift);
}

/* Adds to the counts of the n-gram and returns their previous value; `place` is set to its place. Whether it
   is new is hard to predict, so there is no branch. Stale keys have lower stamps than the current one. */
static inline uint64_t gram_add(GramTable table, uint64_t key, uint64_t added, uint32_t *place)
{
    for (uint32_t at = gram_hash(&table, key);; at = (at + 1) & table.mask) {
        Gram *gram = table.slots + at;
        uint64_t present = (uint64_t)(gram->key < table.stamp) - 1; /* all bits, or none if the key is stale */
        OPAQUE(present);
        if (((gram->key ^ key) & present) == 0) {
            uint64_t counts = gram->counts & present;
            gram->key = key;
            gram->counts = counts + added;
            *place = at;
            return counts;
        }
    }
}

static inline uint32_t gram_find(const GramTable *table, uint64_t key)
{
    for (uint32_t at = gram_hash(table, key);; at = (at + 1) & table->mask) {
        uint64_t found = table->slots[at].key;
        if (found == key)
            return at;
        if (found < table->stamp)
            return NO_GRAM;
    }
}

/* Keeps a window for the next order if it has room to grow; `kept` counts those kept so far. */
static inline size_t keep_window(Sequence *sequence, size_t kept, size_t window, uint32_t order, uint32_t gram)
{
    uint32_t start = sequence->start[window];
    sequence->start[kept] = start;
    sequence->gram[kept] = gram;
    return kept + (sequence->room[start] > order);
}

#endif
