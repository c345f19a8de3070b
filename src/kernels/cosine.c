/* Cosine of raw counts of character n-grams: the result of a row is the dot product, the two squared norms, and
   whether the row has to be lower-cased in context and counted again.

   Most pairs are counted by packed.h. The others have very long texts, very many different characters, or are asked for
   long n-grams. */
#include "interning.h"
#include "packed.h"
#include "statistics.h"

typedef struct {
    Token token;
    uint64_t added; /* count in the first text and, shifted by 32 bits, in the second */
} Word;

typedef struct {
    Packed packed;
    TokenList one, two; /* for what cannot be packed: the words between blanks */
    TypeTable types;
    Block words; /* the distinct words of both */
    Sequence sequence; /* all words, padded, */
    Block added;       /* per symbol the counts of its word, */
    Block places;      /* and the places of the n-grams of one order in the table */
    GramTable grams;
    Orders orders;
    Folding folding;
} State;

/* Adds the words of one text to those of the pair. */
static void collect(State *state, const TokenList *list, uint64_t side)
{
    Word *words = state->words.at;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t known = state->types.count;
        uint32_t number = find_type(&state->types, list->tokens[i], careful_start(list->tokens[i]))->number;
        if (number == known)
            words[number] = (Word){list->tokens[i], 0};
        words[number].added += side;
    }
}

static int read_words(State *state, Text one, Text two)
{
    state->one.count = state->two.count = 0;
    if (split_blanks(one, &state->one) < 0 || split_blanks(two, &state->two) < 0 ||
        types_begin(&state->types, state->one.count + state->two.count) < 0 ||
        block_reserve(&state->words, state->one.count + state->two.count + 1, sizeof(Word)) < 0)
        return -1;
    collect(state, &state->one, IN_FIRST);
    collect(state, &state->two, IN_SECOND);
    return 0;
}

static int pad_words(State *state)
{
    Sequence *sequence = &state->sequence;
    const Word *words = state->words.at;
    size_t characters = 0; /* or bytes, which are more */
    for (uint32_t i = 0; i < state->types.count; i++)
        characters += words[i].token.length + 2;
    if (sequence_reserve(sequence, characters) < 0 ||
        block_reserve(&state->added, characters + 1, sizeof(uint64_t)) < 0 ||
        block_reserve(&state->places, characters + 1, sizeof(uint32_t)) < 0)
        return -1;
    uint64_t *added = state->added.at;
    sequence->count = 0;
    for (uint32_t i = 0; i < state->types.count; i++) {
        size_t at = sequence->count;
        if (padded_word(sequence, (Text){words[i].token.at, words[i].token.length}, state->folding) != READ)
            return NEEDS_CONTEXT;
        while (at < sequence->count)
            added[at++] = words[i].added;
    }
    sequence_begin(sequence);
    return READ;
}

/* In the next order a single character is its own prefix. */
static void skip_characters(Sequence *sequence)
{
    size_t kept = 0;
    for (size_t window = 0; window < sequence->windows; window++)
        kept = keep_window(sequence, kept, window, 1, sequence->symbols[window]);
    sequence->windows = kept;
}

/* Counts the n-grams of one order and lists the places of the new ones. */
static size_t count_order(GramTable table, Sequence *sequence, const uint64_t *added, uint32_t order, Orders orders,
                          uint32_t *places)
{
    size_t listed = 0, kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint64_t counted = is_counted(sequence, window, order, orders) ? added[sequence->start[window]] : 0;
        uint32_t place;
        uint64_t before = gram_add(table, gram_key(&table, sequence, window, order), counted, &place);
        places[listed] = place;
        listed += before == 0;
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
    return listed;
}

/* A place may be listed twice, if its n-gram was not counted at first; its counts are cleared once summed. */
static void sum_up(GramTable table, const uint32_t *places, size_t listed, Sums *sums)
{
    for (size_t i = 0; i < listed; i++) {
        Gram *gram = table.slots + places[i];
        int64_t one = first_count(gram->counts), two = second_count(gram->counts);
        gram->counts = 0;
        sums->dot += one * two;
        sums->square1 += one * one;
        sums->square2 += two * two;
    }
}

static int count_unpacked(State *state, Text one, Text two, Sums *sums)
{
    *sums = (Sums){0, 0, 0};
    if (read_words(state, one, two) < 0)
        return -1;
    int status = pad_words(state);
    if (status != READ)
        return status;
    uint32_t order = 1;
    if (state->orders.shortest > 1) {
        skip_characters(&state->sequence);
        order = 2;
    }
    for (; order <= state->orders.longest; order++) {
        if (grams_begin(&state->grams, state->sequence.windows, GRAM_KEY) < 0)
            return -1;
        size_t listed = count_order(state->grams, &state->sequence, state->added.at, order, state->orders,
                                    state->places.at);
        sum_up(state->grams, state->places.at, listed, sums);
    }
    return READ;
}

static int cosine_row(void *memory, Text one, Text two, int64_t *out)
{
    State *state = memory;
    Sums sums = {0, 0, 0};
    int status = state->orders.longest > MOST_PACKED ? NOT_PACKED : packed_sums(&state->packed, one, two, &sums);
    if (status == NOT_PACKED)
        status = count_unpacked(state, one, two, &sums);
    if (status < 0)
        return -1;
    out[0] = sums.dot;
    out[1] = sums.square1;
    out[2] = sums.square2;
    out[3] = status == NEEDS_CONTEXT;
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
    Orders orders = {(uint32_t)shortest, (uint32_t)longest};
    State state = {.orders = orders,
                   .folding = folding.buf,
                   .packed.orders = orders,
                   .packed.alphabet.folding = folding.buf};
    PyObject *result = pairs_run(&pairs, cosine_row, &state);
    tokens_free(&state.one);
    tokens_free(&state.two);
    types_free(&state.types);
    block_free(&state.words);
    packed_free(&state.packed);
    sequence_free(&state.sequence);
    block_free(&state.added);
    block_free(&state.places);
    grams_free(&state.grams);
    PyBuffer_Release(&folding);
    return result;
}
