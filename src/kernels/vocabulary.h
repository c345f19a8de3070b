/* All n-grams of a collection, numbered, with their document frequencies and later their weights.

   As in grams.h, an n-gram is identified by the number of its first n−1 characters and by its last one, so the keys
   are exact; unlike there, one table has all orders and grows. */
#ifndef OTHERWORDS_VOCABULARY_H
#define OTHERWORDS_VOCABULARY_H

#include "padded.h"

typedef struct {
    uint64_t key;
    uint32_t number; /* 1, 2, 3 … in order of appearance; 0: the place is empty */
} Entry;

/* The data of an n-gram while documents are counted, and afterwards. */
typedef union {
    struct {
        uint32_t frequency;
        uint32_t last; /* the document that was counted last */
    } seen;
    double weight;
} Term;

typedef struct {
    Entry *slots;
    size_t capacity;
    unsigned shift;
    Block terms; /* by number */
    uint32_t count;
    uint32_t documents;
    int weighed;            /* weights have replaced the frequencies */
    int busy;               /* a thread is counting */
    struct WordCache *idle; /* a list of caches for the next call; only used with the GIL held */
} Vocabulary;

/* The vocabulary in a capsule; an error if it is not weighted, or weighted, as required, or if a thread uses it. */
Vocabulary *vocabulary_of(PyObject *capsule, int weighed);

/* All functions with a result return -1 when out of memory. Merging gives the new number of every one in `from`. */
int vocabulary_init(Vocabulary *vocabulary);
int vocabulary_reserve(Vocabulary *vocabulary, size_t more);
int vocabulary_merge(Vocabulary *into, const Vocabulary *from, uint32_t *numbers);
int vocabulary_digest(const Vocabulary *vocabulary, uint64_t *digest);
void vocabulary_weigh(Vocabulary *vocabulary, const double *weights);
void vocabulary_free(Vocabulary *vocabulary);

/* Represents the first n−1 characters: 0 for an n-gram of one character, the character itself for two, otherwise
   the number of the previous n-gram, shifted beyond the range of characters. */
#define ROOT UINT32_MAX
#define MOST_TERMS (UINT32_MAX - CODE_POINTS - 2)

static inline uint32_t prefix_of(uint32_t number)
{
    return number + CODE_POINTS;
}

static inline Term *term_of(const Vocabulary *vocabulary, uint32_t number)
{
    return (Term *)vocabulary->terms.at + number;
}

/* Where the search for an n-gram begins. */
static inline size_t entry_place(const Vocabulary *vocabulary, uint64_t key)
{
    return (size_t)((key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> vocabulary->shift);
}

/* Where the n-gram is or would be. */
static inline Entry *vocabulary_find(const Vocabulary *vocabulary, uint64_t key)
{
    for (size_t at = entry_place(vocabulary, key);; at = (at + 1) & (vocabulary->capacity - 1)) {
        Entry *entry = vocabulary->slots + at;
        if (entry->number == 0 || entry->key == key)
            return entry;
    }
}

/* The number of an n-gram, a new one if necessary; call vocabulary_reserve first. */
static inline uint32_t vocabulary_number(Vocabulary *vocabulary, uint64_t key)
{
    Entry *entry = vocabulary_find(vocabulary, key);
    if (entry->number == 0) {
        entry->key = key;
        entry->number = ++vocabulary->count;
        *term_of(vocabulary, entry->number) = (Term){{0, 0}};
    }
    return entry->number;
}

#endif
