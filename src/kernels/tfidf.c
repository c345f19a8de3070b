/* Cosine of tf-idf weights: a row gives the weighted dot product, the two squared norms, and whether the row has
   to be lower-cased in its context and counted again. An n-gram that the vocabulary does not have counts for
   nothing, as in scikit-learn. */
#include "statistics.h"
#include "word_cache.h"

typedef struct {
    WordCache cache;
    WordList one, two;
    GramTable grams;
} State;

/* (c+1)² − c² = 2c + 1, so the squared norm grows with every occurrence. */
static double weigh_first(State *state)
{
    double square = 0.0;
    for (size_t word = 0; word < state->one.count; word++) {
        const uint32_t *numbers = gram_numbers(&state->cache, state->one.words[word]);
        const double *weights = gram_weights(&state->cache, state->one.words[word]);
        for (uint32_t i = 0; i < state->one.words[word].count; i++) {
            Gram *gram = state->grams.slots + gram_place(&state->grams, state->grams.stamp | numbers[i]);
            square += weights[i] * (2.0 * gram->one++ + 1.0);
        }
    }
    return square;
}

static double weigh_second(State *state, double *dot)
{
    double square = 0.0, product = 0.0;
    for (size_t word = 0; word < state->two.count; word++) {
        const uint32_t *numbers = gram_numbers(&state->cache, state->two.words[word]);
        const double *weights = gram_weights(&state->cache, state->two.words[word]);
        for (uint32_t i = 0; i < state->two.words[word].count; i++) {
            Gram *gram = state->grams.slots + gram_place(&state->grams, state->grams.stamp | numbers[i]);
            product += weights[i] * gram->one;
            square += weights[i] * (2.0 * gram->two++ + 1.0);
        }
    }
    *dot = product;
    return square;
}

static int tfidf_row(void *memory, Text one, Text two, int64_t *numbers)
{
    State *state = memory;
    double *out = (double *)numbers;
    out[0] = out[1] = out[2] = out[3] = 0.0;
    cache_begin(&state->cache);
    int status = cache_read(&state->cache, one, &state->one);
    if (status == READ)
        status = cache_read(&state->cache, two, &state->two);
    out[3] = status == NEEDS_CONTEXT;
    if (status != READ)
        return status < 0 ? -1 : 0;
    if (grams_begin(&state->grams, state->one.grams + state->two.grams, NUMBER_KEY) < 0)
        return -1;
    out[1] = weigh_first(state);
    out[2] = weigh_second(state, out);
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
    const Vocabulary *vocabulary = vocabulary_of(capsule, 1);
    Py_buffer folding;
    Pairs pairs;
    if (vocabulary == NULL || folding_open(&folding, table) < 0)
        return NULL;
    if (pairs_open(&pairs, columns, out, 4) < 0) {
        PyBuffer_Release(&folding);
        return NULL;
    }
    State state = {.cache = {.closed = vocabulary,
                             .folding = folding.buf,
                             .orders = {(uint32_t)shortest, (uint32_t)longest}}};
    PyObject *result = pairs_run(&pairs, tfidf_row, &state);
    cache_free(&state.cache);
    block_free(&state.one.memory);
    block_free(&state.two.memory);
    grams_free(&state.grams);
    PyBuffer_Release(&folding);
    return result;
}
