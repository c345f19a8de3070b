/* Cosine of tf-idf weights: a row gives the weighted dot product, the two squared norms, and whether the row has
   to be lower-cased in its context and counted again. An n-gram that the vocabulary does not have counts for
   nothing, as in scikit-learn. */
#include "statistics.h"
#include "word_cache.h"

typedef struct {
    WordCache *cache;
    WordList one, two;
    GramTable grams;
} State;

/* Counts the n-grams of one side; gives their squared norm and, for the second, the dot product with the first.
   (c+1)² − c² = 2c + 1, so the squared norm grows with every occurrence. */
static inline double weigh_side(GramTable table, const WordCache *cache, const WordList *list, int side, double *dot)
{
    double square = 0.0, product = 0.0;
    for (size_t word = 0; word < list->count; word++) {
        const uint32_t *numbers = gram_numbers(cache, list->words[word]);
        for (uint32_t i = 0; i < list->words[word].count; i++) {
            uint32_t place;
            double weight = term_of(cache->vocabulary, numbers[i])->weight;
            uint64_t counts = gram_add(table, table.stamp | numbers[i], side, &place);
            if (side == SECOND)
                product += weight * count_in(counts, FIRST);
            square += weight * (2.0 * count_in(counts, side) + 1.0);
        }
    }
    if (side == SECOND)
        *dot = product;
    return square;
}

static int tfidf_row(void *memory, Text one, Text two, int64_t *numbers)
{
    State *state = memory;
    double *out = (double *)numbers;
    out[0] = out[1] = out[2] = out[3] = 0.0;
    cache_begin(state->cache);
    int status = cache_read(state->cache, one, &state->one);
    if (status == READ)
        status = cache_read(state->cache, two, &state->two);
    out[3] = status == NEEDS_CONTEXT;
    if (status != READ)
        return status < 0 ? -1 : 0;
    if (grams_begin(&state->grams, state->one.grams + state->two.grams, NUMBER_KEY) < 0)
        return -1;
    out[1] = weigh_side(state->grams, state->cache, &state->one, FIRST, out);
    out[2] = weigh_side(state->grams, state->cache, &state->two, SECOND, out);
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
    block_free(&state.one.memory);
    block_free(&state.two.memory);
    grams_free(&state.grams);
    PyBuffer_Release(&folding);
    return result;
}
