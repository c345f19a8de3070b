/* Products of the sparse vectors of documents, whose entries are sorted by rank.

   All pairs of two blocks at once, in single precision, by the n-grams that both blocks have; and chosen pairs in
   double precision, added up in the order of the ranks, so that equal documents have equal sums to the last bit. */
#include <stdint.h>

#include "arrays.h"
#include "documents.h"

/* Entries of a block, by rank and then by row. */
typedef struct {
    const uint32_t *ranks, *rows;
    const float *weights;
    size_t count;
} Entries;

static Entries entries_at(const Arrays *arrays, int first)
{
    return (Entries){arrays->buffers[first].buf, arrays->buffers[first + 1].buf, arrays->buffers[first + 2].buf,
                     array_length(arrays, first, sizeof(uint32_t))};
}

static int entries_sound(const Arrays *arrays, int first, size_t rows)
{
    Entries entries = entries_at(arrays, first);
    int sound = array_length(arrays, first + 1, sizeof(uint32_t)) == entries.count &&
                array_length(arrays, first + 2, sizeof(float)) == entries.count;
    for (size_t i = 0; sound && i < entries.count; i++)
        sound = entries.rows[i] < rows;
    return sound;
}

static inline size_t end_of_rank(const Entries *entries, size_t at)
{
    uint32_t rank = entries->ranks[at];
    while (at < entries->count && entries->ranks[at] == rank)
        at++;
    return at;
}

static void add_products(Entries one, Entries two, float *out, size_t width)
{
    size_t i = 0, j = 0;
    while (i < one.count && j < two.count) {
        if (one.ranks[i] != two.ranks[j]) {
            uint32_t behind = one.ranks[i] < two.ranks[j];
            i += behind;
            j += !behind;
            continue;
        }
        size_t i_end = end_of_rank(&one, i), j_end = end_of_rank(&two, j);
        for (; i < i_end; i++) {
            float *row = out + one.rows[i] * width, weight = one.weights[i];
            for (size_t k = j; k < j_end; k++)
                row[two.rows[k]] += weight * two.weights[k];
        }
        j = j_end;
    }
}

/* out (rows1 × width), ranks1, rows1, weights1, ranks2, rows2, weights2; then the width. */
PyObject *shared_products(PyObject *module, PyObject *args)
{
    (void)module;
    static const size_t widths[] = {4, 4, 4, 4, 4, 4, 4};
    PyObject *given = PyTuple_GetSlice(args, 0, 7), *last = PyTuple_GetItem(args, 7);
    Arrays arrays;
    size_t width = last == NULL ? 0 : PyLong_AsSize_t(last);
    int status = given == NULL || PyErr_Occurred() ? -1 : arrays_open(&arrays, given, widths, 7, 1);
    Py_XDECREF(given);
    if (status < 0)
        return NULL;
    size_t cells = array_length(&arrays, 0, sizeof(float));
    if (cells && (width == 0 || cells % width))
        return refuse(&arrays, "the table for the products has no such width");
    if (!entries_sound(&arrays, 1, width ? cells / width : 0) || !entries_sound(&arrays, 4, width))
        return refuse(&arrays, "entries need a rank, a row of the table and a weight each");
    Entries one = entries_at(&arrays, 1), two = entries_at(&arrays, 4);
    Py_BEGIN_ALLOW_THREADS
    add_products(one, two, arrays.buffers[0].buf, width);
    Py_END_ALLOW_THREADS
    arrays_close(&arrays);
    Py_RETURN_NONE;
}

/* Documents one after the other; each has the entries from one start to the next. */
typedef struct {
    const int64_t *starts;
    const uint32_t *ranks, *counts;
    size_t documents;
} Batch;

static Batch batch_at(const Arrays *arrays, int first)
{
    size_t starts = array_length(arrays, first, sizeof(int64_t));
    return (Batch){arrays->buffers[first].buf, arrays->buffers[first + 1].buf, arrays->buffers[first + 2].buf,
                   starts ? starts - 1 : 0};
}

static int batch_sound(const Arrays *arrays, int first, size_t grams)
{
    Batch batch = batch_at(arrays, first);
    size_t entries = array_length(arrays, first + 1, sizeof(uint32_t));
    int sound = array_length(arrays, first + 2, sizeof(uint32_t)) == entries && arrays->buffers[first].len > 0 &&
                batch.starts[0] == 0;
    for (size_t i = 0; sound && i < batch.documents; i++)
        sound = batch.starts[i] <= batch.starts[i + 1];
    sound = sound && (size_t)batch.starts[batch.documents] == entries;
    for (size_t i = 0; sound && i < entries; i++)
        sound = batch.ranks[i] < grams;
    return sound;
}

static int places_sound(const Arrays *arrays, int i, size_t pairs, size_t documents)
{
    const int64_t *places = arrays->buffers[i].buf;
    int sound = array_length(arrays, i, sizeof(int64_t)) == pairs;
    for (size_t pair = 0; sound && pair < pairs; pair++)
        sound = places[pair] >= 0 && (size_t)places[pair] < documents;
    return sound;
}

static double product(Batch one, Batch two, int64_t place1, int64_t place2, const double *squares)
{
    int64_t i = one.starts[place1], j = two.starts[place2];
    int64_t i_end = one.starts[place1 + 1], j_end = two.starts[place2 + 1];
    double sum = 0.0;
    while (i < i_end && j < j_end) {
        uint32_t rank1 = one.ranks[i], rank2 = two.ranks[j];
        if (rank1 == rank2)
            sum += squares[rank1] * ((double)one.counts[i] * (double)two.counts[j]);
        i += rank1 <= rank2;
        j += rank2 <= rank1;
    }
    return sum;
}

/* out, starts1, ranks1, counts1, starts2, ranks2, counts2, places1, places2, squared weights by rank. */
PyObject *pair_products(PyObject *module, PyObject *args)
{
    (void)module;
    static const size_t widths[] = {8, 8, 4, 4, 8, 4, 4, 8, 8, 8};
    Arrays arrays;
    if (arrays_open(&arrays, args, widths, 10, 1) < 0)
        return NULL;
    size_t pairs = array_length(&arrays, 0, sizeof(double)), grams = array_length(&arrays, 9, sizeof(double));
    Batch one = batch_at(&arrays, 1), two = batch_at(&arrays, 4);
    if (!batch_sound(&arrays, 1, grams) || !batch_sound(&arrays, 4, grams))
        return refuse(&arrays, "documents need rising starts, and entries with a rank and a count each");
    if (!places_sound(&arrays, 7, pairs, one.documents) || !places_sound(&arrays, 8, pairs, two.documents))
        return refuse(&arrays, "a pair needs the places of two documents");
    const int64_t *places1 = arrays.buffers[7].buf, *places2 = arrays.buffers[8].buf;
    Py_BEGIN_ALLOW_THREADS
    for (size_t pair = 0; pair < pairs; pair++)
        ((double *)arrays.buffers[0].buf)[pair] =
            product(one, two, places1[pair], places2[pair], arrays.buffers[9].buf);
    Py_END_ALLOW_THREADS
    arrays_close(&arrays);
    Py_RETURN_NONE;
}
