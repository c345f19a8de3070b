/* The kernels that Python calls for measures on tokens and characters; the result of each row is integers only. */
#include "statistics.h"

#include <string.h>

#include "interning.h"
#include "overlap.h"
#include "unicode.h"

typedef struct {
    TokenPair tokens;
    GramTable grams;
    Block places; /* of short texts: where each type is in the first */
    uint32_t orders;
} State;

static PyObject *run_on_tokens(PyObject *args, PairKernel kernel, Py_ssize_t numbers_per_order)
{
    PyObject *columns[4], *out;
    int tokeniser, orders;
    if (!PyArg_ParseTuple(args, "OOOOOii", columns, columns + 1, columns + 2, columns + 3, &out, &tokeniser, &orders))
        return NULL;
    if (tokeniser < 0 || tokeniser >= TOKENISERS || orders < 1)
        return PyErr_Format(PyExc_ValueError, "tokeniser %d, orders %d", tokeniser, orders);
    Pairs pairs;
    if (pairs_open(&pairs, columns, out, numbers_per_order * orders) < 0)
        return NULL;
    State state = {.tokens.tokeniser = tokeniser, .orders = (uint32_t)orders};
    PyObject *result = pairs_run(&pairs, kernel, &state);
    token_pair_free(&state.tokens);
    grams_free(&state.grams);
    block_free(&state.places);
    return result;
}

static Span token_span(const State *state)
{
    return (Span){state->orders, state->tokens.types.count <= FEW_TYPES ? GRAM_KEY : LARGE_GRAM_KEY};
}

static int clipped_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (token_pair_read(&state->tokens, one, two) < 0)
        return -1;
    if (state->tokens.one.count > SHORT || state->orders > MOST_SHORT_ORDERS)
        return clipped_matches(&state->grams, &state->tokens.one, &state->tokens.two, token_span(state), out);
    size_t types = state->tokens.types.count;
    if (block_reserve(&state->places, types + 1, sizeof(uint64_t)) < 0)
        return -1;
    memset(state->places.at, 0, types * sizeof(uint64_t));
    clipped_short(state->places.at, &state->tokens.one, &state->tokens.two, state->orders, out);
    return 0;
}

PyObject *clipped_tokens(PyObject *module, PyObject *args)
{
    (void)module;
    return run_on_tokens(args, clipped_row, 3);
}

static int distinct_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (state->orders == 1)
        return token_sets(&state->tokens, one, two, out);
    if (token_pair_read(&state->tokens, one, two) < 0)
        return -1;
    return distinct_grams(&state->grams, &state->tokens.one, &state->tokens.two, token_span(state), out);
}

PyObject *distinct_tokens(PyObject *module, PyObject *args)
{
    (void)module;
    return run_on_tokens(args, distinct_row, 3);
}

PyObject *token_counts(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *offsets, *bytes, *out;
    int tokeniser, status = 0;
    if (!PyArg_ParseTuple(args, "OOOi", &offsets, &bytes, &out, &tokeniser))
        return NULL;
    if (tokeniser < 0 || tokeniser >= TOKENISERS)
        return PyErr_Format(PyExc_ValueError, "tokeniser %d", tokeniser);
    Column column;
    Py_buffer table;
    if (column_open(&column, offsets, bytes) < 0)
        return NULL;
    if (table_open(&table, out, column.count, sizeof(int64_t)) < 0) {
        column_close(&column);
        return NULL;
    }
    TokenList list = {0};
    Py_BEGIN_ALLOW_THREADS
    for (Py_ssize_t row = 0; row < column.count && status == 0; row++) {
        status = tokenise(tokeniser, column_text(&column, row), &list);
        ((int64_t *)table.buf)[row] = (int64_t)list.count;
    }
    Py_END_ALLOW_THREADS
    tokens_free(&list);
    PyBuffer_Release(&table);
    column_close(&column);
    if (status < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* The characters of a text without its white space. */
static int read_characters(Sequence *sequence, Text text)
{
    if (sequence_reserve(sequence, text.length) < 0)
        return -1;
    sequence->count = 0;
    const unsigned char *at = text.bytes, *end = at + text.length;
    while (at < end) {
        Char c = char_at(at, end);
        sequence->symbols[sequence->count] = c.point;
        sequence->count += !is_blank(c.point);
        at += c.length;
    }
    return 0;
}

static int character_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    if (read_characters(&state->tokens.one, one) < 0 || read_characters(&state->tokens.two, two) < 0)
        return -1;
    Span span = {state->orders, GRAM_KEY};
    return clipped_matches(&state->grams, &state->tokens.one, &state->tokens.two, span, out);
}

PyObject *clipped_characters(PyObject *module, PyObject *args)
{
    (void)module;
    return run_on_tokens(args, character_row, 3);
}
