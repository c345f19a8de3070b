/* Cosine of raw counts of character n-grams: a row gives the dot product, the two squared norms, and whether
   the row has to be lower-cased in its context and counted again. */
#include "padded.h"
#include "statistics.h"

typedef struct {
    Sequence one, two;
    GramTable grams;
    Orders orders;
    Folding folding;
} State;

/* Counts the windows of one side; gives their squared norm and adds to the dot product with the first side.
   (c+1)² − c² = 2c + 1, so the squared norm grows with every occurrence. */
static inline int64_t count_side(GramTable table, Sequence *sequence, uint32_t order, Orders orders, int side,
                                 int64_t *dot)
{
    int64_t norm = 0, product = 0;
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place;
        int counted = is_counted(sequence, window, order, orders);
        uint64_t key = gram_key(&table, sequence, window, order);
        if (counted) {
            uint64_t counts = gram_add(table, key, side, &place);
            product += count_in(counts, FIRST);
            norm += 2 * (int64_t)count_in(counts, side) + 1;
        } else {
            place = gram_place(table, key);
        }
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
    *dot += product;
    return norm;
}

static void skip_characters(Sequence *sequence)
{
    size_t kept = 0;
    for (size_t window = 0; window < sequence->windows; window++)
        kept = keep_window(sequence, kept, window, 1, sequence->symbols[window]);
    sequence->windows = kept;
}

static int cosine_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    out[0] = out[1] = out[2] = out[3] = 0;
    int status = padded_words(&state->one, one, state->folding);
    if (status == READ)
        status = padded_words(&state->two, two, state->folding);
    if (status == NEEDS_CONTEXT)
        out[3] = 1;
    if (status != READ)
        return status < 0 ? -1 : 0;
    uint32_t order = 1;
    if (state->orders.shortest > 1) { /* a single character is known to the next order by itself */
        skip_characters(&state->one);
        skip_characters(&state->two);
        order = 2;
    }
    for (; order <= state->orders.longest; order++) {
        if (grams_begin(&state->grams, state->one.windows + state->two.windows, GRAM_KEY) < 0)
            return -1;
        int64_t with_itself = 0;
        out[1] += count_side(state->grams, &state->one, order, state->orders, FIRST, &with_itself);
        out[2] += count_side(state->grams, &state->two, order, state->orders, SECOND, out);
    }
    return 0;
}

PyObject *cosine(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *columns[4], *out, *table;
    int shortest, longest;
    Py_buffer folding;
    Pairs pairs;
    if (!PyArg_ParseTuple(args, "OOOOOOii", columns, columns + 1, columns + 2, columns + 3, &out, &table, &shortest,
                          &longest))
        return NULL;
    if (orders_check(shortest, longest) < 0 || folding_open(&folding, table) < 0)
        return NULL;
    if (pairs_open(&pairs, columns, out, 4) < 0) {
        PyBuffer_Release(&folding);
        return NULL;
    }
    State state = {.orders = {(uint32_t)shortest, (uint32_t)longest}, .folding = folding.buf};
    PyObject *result = pairs_run(&pairs, cosine_row, &state);
    sequence_free(&state.one);
    sequence_free(&state.two);
    grams_free(&state.grams);
    PyBuffer_Release(&folding);
    return result;
}
