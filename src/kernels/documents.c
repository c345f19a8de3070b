/* The n-grams of whole documents, to be compared with many others.

   An n-gram is identified by its rank, which Python assigns by frequency and spelling, so that it does not depend
   on the order in which documents were counted. The entries of a block of documents are sorted by rank with one
   counting sort; reading them in that order fills the rows, which are then sorted too. */
#include "documents.h"

#include <string.h>

#include "word_cache.h"

static inline uint64_t mix(uint64_t one, uint64_t other)
{
    uint64_t mixed = (one ^ (other + UINT64_C(0x9e3779b97f4a7c15) + (one << 6))) * UINT64_C(0xd6e8feb86659fd93);
    return mixed ^ mixed >> 32;
}

/* A hash of the characters of every n-gram; that of its first n−1 characters comes before it. */
static int hash_spellings(const Vocabulary *vocabulary, uint64_t *spellings)
{
    uint64_t *keys = calloc((size_t)vocabulary->count + 1, sizeof(uint64_t));
    if (keys == NULL)
        return -1;
    for (size_t i = 0; i < vocabulary->capacity; i++)
        if (vocabulary->slots[i].number)
            keys[vocabulary->slots[i].number] = vocabulary->slots[i].key;
    for (uint32_t i = 1; i <= vocabulary->count; i++) {
        uint32_t prefix = (uint32_t)(keys[i] >> 32);
        int stands_on_number = prefix >= CODE_POINTS && prefix != ROOT;
        spellings[i - 1] = mix(stands_on_number ? spellings[prefix - CODE_POINTS - 1] : prefix, (uint32_t)keys[i]);
    }
    free(keys);
    return 0;
}

PyObject *gram_table(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 1);
    if (vocabulary == NULL)
        return NULL;
    PyObject *spellings = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(vocabulary->count * sizeof(uint64_t)));
    PyObject *weights = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(vocabulary->count * sizeof(double)));
    PyObject *result = NULL;
    if (spellings != NULL && weights != NULL) {
        for (uint32_t i = 1; i <= vocabulary->count; i++)
            ((double *)PyBytes_AsString(weights))[i - 1] = term_of(vocabulary, i)->weight;
        if (hash_spellings(vocabulary, (uint64_t *)PyBytes_AsString(spellings)) == 0)
            result = PyTuple_Pack(2, spellings, weights);
        else
            PyErr_NoMemory();
    }
    Py_XDECREF(spellings);
    Py_XDECREF(weights);
    return result;
}

typedef struct {
    uint32_t rank, row, count;
} Occurrence;

typedef struct {
    WordCache *cache;
    const uint32_t *ranks; /* by number − 1 */
    uint32_t *counts;      /* by number, of the current document */
    Block occurrences;
    size_t listed;
} State;

/* Counts the n-grams of the current document and lists them in order of appearance. */
static int list_document(State *state, uint32_t row)
{
    const WordCache *cache = state->cache;
    if (block_reserve(&state->occurrences, state->listed + cache->gram_count + 1, sizeof(Occurrence)) < 0)
        return -1;
    Occurrence *first = (Occurrence *)state->occurrences.at + state->listed, *next = first;
    for (const Item *item = cache_items(cache), *end = item + cache->item_count; item < end; item++) {
        const uint32_t *numbers = item_numbers(cache, item);
        uint32_t added = first_count(item->added);
        for (uint32_t i = 0; i < item->count; i++) {
            next->rank = numbers[i]; /* its number, for now */
            next += state->counts[numbers[i]] == 0;
            state->counts[numbers[i]] += added;
        }
    }
    for (Occurrence *each = first; each < next; each++) {
        uint32_t number = each->rank;
        *each = (Occurrence){state->ranks[number - 1], row, state->counts[number]};
        state->counts[number] = 0;
    }
    state->listed += (size_t)(next - first);
    return 0;
}

/* The length of every row; -1 for a document that has to be lower-cased in context. */
static int list_column(State *state, const Column *column, int64_t *lengths)
{
    int status = 0;
    for (Py_ssize_t row = 0; row < column->count && status >= 0; row++) {
        size_t before = state->listed;
        cache_begin(state->cache);
        status = cache_read(state->cache, column_text(column, row), IN_FIRST);
        if (status == READ)
            status = list_document(state, (uint32_t)row);
        lengths[row] = status == NEEDS_CONTEXT ? -1 : (int64_t)(state->listed - before);
    }
    return status < 0 ? -1 : 0;
}

/* Where the sorted entries go. */
typedef struct {
    uint32_t *ranks, *counts, *by_rank;
} Sorted;

static int sort(const State *state, const int64_t *lengths, Py_ssize_t rows, Sorted out)
{
    size_t most = (size_t)state->cache->vocabulary->count + 2;
    const Occurrence *from = state->occurrences.at;
    size_t *starts = calloc(most, sizeof(size_t)), *next = malloc(((size_t)rows + 1) * sizeof(size_t));
    uint32_t *order = malloc((state->listed + 1) * sizeof(uint32_t));
    int status = starts != NULL && next != NULL && order != NULL ? 0 : -1;
    if (status == 0) {
        for (size_t i = 0; i < state->listed; i++)
            starts[from[i].rank + 1]++;
        for (size_t rank = 1; rank < most; rank++)
            starts[rank] += starts[rank - 1];
        for (size_t i = 0; i < state->listed; i++)
            order[starts[from[i].rank]++] = (uint32_t)i;
        next[0] = 0;
        for (Py_ssize_t row = 0; row < rows; row++)
            next[row + 1] = next[row] + (size_t)(lengths[row] > 0 ? lengths[row] : 0);
        for (size_t i = 0; i < state->listed; i++) {
            Occurrence entry = from[order[i]];
            size_t at = next[entry.row]++;
            out.ranks[at] = entry.rank;
            out.counts[at] = entry.count;
            out.by_rank[i] = (uint32_t)at;
        }
    }
    free(starts);
    free(next);
    free(order);
    return status;
}

/* Ranks and counts, document by document and by rank in each; and all entries in the order of ranks. */
static PyObject *sorted_entries(const State *state, const int64_t *lengths, Py_ssize_t rows)
{
    PyObject *entries[3];
    Py_ssize_t size = (Py_ssize_t)(state->listed * sizeof(uint32_t));
    int status = 0;
    for (int i = 0; i < 3; i++)
        status |= (entries[i] = PyBytes_FromStringAndSize(NULL, size)) == NULL ? -1 : 0;
    if (status == 0) {
        Sorted out = {(uint32_t *)PyBytes_AsString(entries[0]), (uint32_t *)PyBytes_AsString(entries[1]),
                      (uint32_t *)PyBytes_AsString(entries[2])};
        Py_BEGIN_ALLOW_THREADS
        status = state->listed > UINT32_MAX ? -1 : sort(state, lengths, rows, out);
        Py_END_ALLOW_THREADS
    }
    PyObject *result = status == 0 ? PyTuple_Pack(3, entries[0], entries[1], entries[2]) : PyErr_NoMemory();
    for (int i = 0; i < 3; i++)
        Py_XDECREF(entries[i]);
    return result;
}

static PyObject *read_documents(Vocabulary *vocabulary, WordCache *cache, const uint32_t *ranks, const Column *column,
                                int64_t *lengths)
{
    State state = {.cache = cache, .ranks = ranks};
    state.counts = calloc((size_t)vocabulary->count + 1, sizeof(uint32_t));
    int status = state.counts != NULL ? 0 : -1;
    if (status == 0) {
        Py_BEGIN_ALLOW_THREADS
        status = list_column(&state, column, lengths);
        Py_END_ALLOW_THREADS
    }
    PyObject *result = status == 0 ? sorted_entries(&state, lengths, column->count) : PyErr_NoMemory();
    free(state.counts);
    block_free(&state.occurrences);
    return result;
}

/* Every n-gram that documents can have must have a rank below the number of n-grams. */
static int ranks_open(Py_buffer *buffer, PyObject *ranks, const Vocabulary *vocabulary)
{
    if (PyObject_GetBuffer(ranks, buffer, PyBUF_SIMPLE) < 0)
        return -1;
    int sound = buffer->len == (Py_ssize_t)(vocabulary->count * sizeof(uint32_t));
    for (uint32_t i = 0; sound && i < vocabulary->count; i++) {
        uint32_t rank = ((const uint32_t *)buffer->buf)[i];
        sound = rank < vocabulary->count;
    }
    if (sound)
        return 0;
    PyErr_SetString(PyExc_ValueError, "every n-gram needs a rank below their number");
    PyBuffer_Release(buffer);
    return -1;
}

PyObject *document_grams(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *numbered, *offsets, *bytes, *out, *table, *result = NULL;
    int shortest, longest;
    if (!PyArg_ParseTuple(args, "OOOOOOii", &capsule, &numbered, &offsets, &bytes, &out, &table, &shortest, &longest) ||
        orders_check(shortest, longest) < 0)
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 1);
    Py_buffer ranks, lengths, folding;
    Column column;
    if (vocabulary == NULL || column_open(&column, offsets, bytes) < 0)
        return NULL;
    if (ranks_open(&ranks, numbered, vocabulary) < 0)
        goto column;
    if (table_open(&lengths, out, column.count, sizeof(int64_t)) < 0)
        goto ranks;
    if (folding_open(&folding, table) < 0)
        goto lengths;
    WordCache *cache = cache_borrow(vocabulary, folding.buf, (Orders){(uint32_t)shortest, (uint32_t)longest});
    if (cache != NULL) {
        result = read_documents(vocabulary, cache, ranks.buf, &column, lengths.buf);
        cache_return(vocabulary, cache);
    } else {
        PyErr_NoMemory();
    }
    PyBuffer_Release(&folding);
lengths:
    PyBuffer_Release(&lengths);
ranks:
    PyBuffer_Release(&ranks);
column:
    column_close(&column);
    return result;
}
