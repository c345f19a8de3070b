/* Cosine of tf-idf weights: the result of a row is the weighted dot product, the two squared norms, and whether
   the row has to be lower-cased in context and counted again. An n-gram that the vocabulary does not have counts for
   nothing, as in scikit-learn. */
#include <string.h>

#include "statistics.h"
#include "word_cache.h"

/* In short texts no n-gram, not even a blank, occurs more than 65,535 times, so its number, which is never 0, and 16
   bits for its count in each text make one word. Places are cleared when they are summed, so that every row starts
   with an empty table. */
#define SHORT_TEXT 0x7fff /* bytes */

typedef struct {
    WordCache *cache;
    Block slots;     /* of short texts */
    size_t wiped;    /* how many of them are known to be empty */
    GramTable grams; /* of long texts */
    Block places;    /* of the n-grams */
} State;

static int slots_begin(State *state, size_t grams, unsigned *bits)
{
    size_t capacity = 256;
    for (*bits = 8; capacity < 2 * grams; capacity *= 2)
        ++*bits;
    if (*bits > 31 || block_reserve(&state->slots, capacity, sizeof(uint64_t)) < 0)
        return -1;
    if (capacity > state->wiped)
        memset((uint64_t *)state->slots.at + state->wiped, 0, (capacity - state->wiped) * sizeof(uint64_t));
    state->wiped = capacity > state->wiped ? capacity : state->wiped;
    return 0;
}

/* Counts the n-grams of both texts and lists their places. Whether one is new is hard to predict: no branch. */
static size_t count_short(uint64_t *slots, unsigned bits, const WordCache *cache, uint32_t *places)
{
    uint32_t *place = places, mask = (UINT32_C(1) << bits) - 1;
    for (const Item *item = cache_items(cache), *end = item + cache->item_count; item < end; item++) {
        const uint32_t *number = item_numbers(cache, item), *last = number + item->count;
        uint64_t added = first_count(item->added) | second_count(item->added) << 16;
        for (; number < last; number++) {
            uint64_t wanted = *number;
            uint32_t at = (uint32_t)wanted * UINT32_C(0x9e3779b9) >> (32 - bits);
            for (;; at = (at + 1) & mask) {
                uint64_t found = slots[at], present = (uint64_t)(found == 0) - 1; /* all bits, or none if empty */
                OPAQUE(present);
                if ((((found >> 32) ^ wanted) & present) == 0) {
                    slots[at] = (wanted << 32 | (uint32_t)found) + added;
                    *place = at;
                    place += present + 1;
                    break;
                }
            }
        }
    }
    return (size_t)(place - places);
}

static size_t count_long(GramTable table, const WordCache *cache, uint32_t *places)
{
    size_t listed = 0;
    for (const Item *item = cache_items(cache), *end = item + cache->item_count; item < end; item++) {
        const uint32_t *numbers = item_numbers(cache, item);
        for (uint32_t i = 0; i < item->count; i++)
            listed += gram_add(table, table.stamp | numbers[i], item->added, places + listed) == 0;
    }
    return listed;
}

/* Dot product and squared norms. */
typedef struct {
    double dot, square1, square2;
} Sums;

static inline void weigh(Sums *sums, const Vocabulary *vocabulary, uint32_t number, uint64_t one, uint64_t two)
{
    double weight = term_of(vocabulary, number)->weight;
    sums->dot += weight * (double)(int64_t)(one * two);
    sums->square1 += weight * (double)(int64_t)(one * one);
    sums->square2 += weight * (double)(int64_t)(two * two);
}

static int sum_short(State *state, Sums *sums)
{
    unsigned bits;
    if (slots_begin(state, state->cache->gram_count, &bits) < 0)
        return -1;
    uint64_t *slots = state->slots.at;
    const uint32_t *places = state->places.at;
    size_t listed = count_short(slots, bits, state->cache, state->places.at);
    for (size_t i = 0; i < listed; i++) {
        uint64_t found = slots[places[i]];
        slots[places[i]] = 0;
        weigh(sums, state->cache->vocabulary, (uint32_t)(found >> 32), found & 0xffff, found >> 16 & 0xffff);
    }
    return 0;
}

static int sum_long(State *state, Sums *sums)
{
    if (grams_begin(&state->grams, state->cache->gram_count, NUMBER_KEY) < 0)
        return -1;
    const uint32_t *places = state->places.at;
    size_t listed = count_long(state->grams, state->cache, state->places.at);
    for (size_t i = 0; i < listed; i++) {
        Gram gram = state->grams.slots[places[i]];
        weigh(sums, state->cache->vocabulary, (uint32_t)gram.key, first_count(gram.counts), second_count(gram.counts));
    }
    return 0;
}

static int tfidf_row(void *memory, Text one, Text two, int64_t *numbers)
{
    State *state = memory;
    WordCache *cache = state->cache;
    double *out = (double *)numbers;
    Sums sums = {0.0, 0.0, 0.0};
    cache_begin(cache);
    int status = cache_read(cache, one, IN_FIRST);
    if (status == READ)
        status = cache_read(cache, two, IN_SECOND);
    if (status < 0 || block_reserve(&state->places, cache->gram_count + 1, sizeof(uint32_t)) < 0)
        return -1;
    int is_short = one.length <= SHORT_TEXT && two.length <= SHORT_TEXT;
    if (status == READ && (is_short ? sum_short(state, &sums) : sum_long(state, &sums)) < 0)
        return -1;
    out[0] = sums.dot;
    out[1] = sums.square1;
    out[2] = sums.square2;
    out[3] = status == NEEDS_CONTEXT;
    return 0;
}

PyObject *tfidf(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *columns[4], *out, *table;
    int shortest, longest;
    if (!PyArg_ParseTuple(args, "OOOOOOOii", &capsule, columns, columns + 1, columns + 2, columns + 3, &out, &table,
                          &shortest, &longest) ||
        orders_check(shortest, longest) < 0)
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 1);
    Py_buffer folding;
    Pairs pairs;
    if (vocabulary == NULL || folding_open(&folding, table) < 0)
        return NULL;
    if (pairs_open(&pairs, columns, out, 4) < 0) {
        PyBuffer_Release(&folding);
        return NULL;
    }
    Orders orders = {(uint32_t)shortest, (uint32_t)longest};
    State state = {.cache = cache_borrow(vocabulary, folding.buf, orders)};
    PyObject *result = NULL;
    if (state.cache != NULL) {
        result = pairs_run(&pairs, tfidf_row, &state);
        cache_return(vocabulary, state.cache);
    } else {
        pairs_close(&pairs);
        PyErr_NoMemory();
    }
    block_free(&state.places);
    block_free(&state.slots);
    grams_free(&state.grams);
    PyBuffer_Release(&folding);
    return result;
}
