/* Rows of half-precision numbers, in shards that may be mapped from files: their lengths, their numbers in whole steps
   of bytes or 16 bits, and exact scores of neighbours.

   A number is multiplied by the factor of its row and rounded to the nearest whole number, halves to even. The table of
   all half-precision numbers makes this the same on every processor. */
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS (1 << 16)
#define ROUNDING 12582912.0f /* adding it leaves no bits after the point: 1.5 · 2^23 */

static float float_of[MOST_NUMBERS];

void halves_load(void)
{
    for (uint32_t half = 0; half < MOST_NUMBERS; half++) {
        uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
        float number = (float)(exponent ? fraction + 1024 : fraction) / 16777216.0f;
        for (uint32_t i = 1; i < exponent; i++)
            number *= 2.0f;
        float_of[half] = half >> 15 ? -number : number;
    }
}

typedef struct {
    Py_buffer *shards;
    size_t *starts; /* the first row of each shard, and the end */
    size_t count, dimension;
} Halves;

static const char NAME[] = "otherwords._kernels.halves";

static void halves_free(Halves *halves)
{
    for (size_t i = 0; i < halves->count; i++)
        PyBuffer_Release(&halves->shards[i]);
    free(halves->shards);
    free(halves->starts);
    free(halves);
}

static void halves_delete(PyObject *capsule)
{
    halves_free(PyCapsule_GetPointer(capsule, NAME));
}

/* shards (a list of arrays of half-precision rows), dimension */
PyObject *halves_open(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *list;
    Py_ssize_t dimension;
    if (!PyArg_ParseTuple(args, "On", &list, &dimension))
        return NULL;
    Py_ssize_t count = PyList_Size(list);
    if (count < 0 || dimension < 1) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "shards and a dimension are needed");
        return NULL;
    }
    Halves *halves = calloc(1, sizeof(Halves));
    if (halves == NULL)
        return PyErr_NoMemory();
    halves->dimension = (size_t)dimension;
    halves->shards = calloc((size_t)count + 1, sizeof(Py_buffer));
    halves->starts = calloc((size_t)count + 1, sizeof(size_t));
    int status = halves->shards == NULL || halves->starts == NULL ? -1 : 0;
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        status = PyObject_GetBuffer(PyList_GetItem(list, i), &halves->shards[i], PyBUF_SIMPLE);
        if (status == 0) {
            halves->count++;
            halves->starts[i + 1] = halves->starts[i] + (size_t)halves->shards[i].len / (halves->dimension * 2);
        }
    }
    PyObject *capsule = status < 0 ? NULL : PyCapsule_New(halves, NAME, halves_delete);
    if (capsule == NULL) {
        halves_free(halves);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    return capsule;
}

static const uint16_t *halves_row(const Halves *halves, size_t row)
{
    size_t low = 0, high = halves->count;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (halves->starts[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return (const uint16_t *)halves->shards[low].buf + (row - halves->starts[low]) * halves->dimension;
}

static inline int32_t quantised(uint16_t half, float factor, int32_t most)
{
    float scaled = float_of[half] * factor;
    scaled = scaled > (float)most ? (float)most : scaled < -(float)most ? -(float)most : scaled;
    return (int32_t)((scaled + ROUNDING) - ROUNDING);
}

/* Eight sums side by side: the same order of additions everywhere. */
static double sum_of_squares(const uint16_t *row, size_t dimension)
{
    double sums[8] = {0};
    for (size_t d = 0; d < dimension; d++) {
        double number = float_of[row[d]];
        sums[d % 8] += number * number;
    }
    double sum = 0;
    for (size_t i = 0; i < 8; i++)
        sum += sums[i];
    return sum;
}

static Halves *halves_at(PyObject *capsule, Py_ssize_t first, Py_ssize_t last)
{
    Halves *halves = PyCapsule_GetPointer(capsule, NAME);
    if (halves != NULL && (first < 0 || last < first || (size_t)last > halves->starts[halves->count])) {
        PyErr_SetString(PyExc_ValueError, "no such rows");
        return NULL;
    }
    return halves;
}

/* halves, first, last, out: the sum of squares of each row */
PyObject *halves_squares(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    Py_ssize_t first, last;
    Py_buffer out;
    if (!PyArg_ParseTuple(args, "Onnw*", &capsule, &first, &last, &out))
        return NULL;
    Halves *halves = halves_at(capsule, first, last);
    int sound = halves != NULL && (size_t)out.len >= (size_t)(last - first) * sizeof(double);
    if (sound) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++)
            ((double *)out.buf)[row - first] = sum_of_squares(halves_row(halves, (size_t)row), halves->dimension);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&out);
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "there is no room for the squares");
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}

/* halves, rows, factors of these rows, width of a number, stride, out */
PyObject *halves_quantise(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    Py_ssize_t width, stride;
    Py_buffer rows, factors, out;
    if (!PyArg_ParseTuple(args, "Oy*y*nnw*", &capsule, &rows, &factors, &width, &stride, &out))
        return NULL;
    Halves *halves = halves_at(capsule, 0, 0);
    size_t count = (size_t)rows.len / sizeof(int64_t);
    int sound = halves != NULL && (width == 1 || width == 2) && stride >= (Py_ssize_t)halves->dimension &&
                (size_t)factors.len >= count * sizeof(float) && (size_t)out.len >= count * (size_t)(stride * width);
    for (size_t i = 0; sound && i < count; i++) {
        int64_t row = ((const int64_t *)rows.buf)[i];
        sound = row >= 0 && (size_t)row < halves->starts[halves->count];
    }
    if (sound) {
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i < count; i++) {
            const uint16_t *row = halves_row(halves, (size_t)((const int64_t *)rows.buf)[i]);
            float factor = ((const float *)factors.buf)[i];
            char *to = (char *)out.buf + i * (size_t)(stride * width);
            memset(to, 0, (size_t)(stride * width));
            if (width == 1)
                for (size_t d = 0; d < halves->dimension; d++)
                    ((int8_t *)to)[d] = (int8_t)quantised(row[d], factor, 127);
            else
                for (size_t d = 0; d < halves->dimension; d++)
                    ((int16_t *)to)[d] = (int16_t)quantised(row[d], factor, 32767);
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&out);
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "rows, a factor for each and room for their numbers are needed");
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}

static void to_words(const Halves *halves, size_t row, float factor, int16_t *out)
{
    const uint16_t *from = halves_row(halves, row);
    for (size_t d = 0; d < halves->dimension; d++)
        out[d] = (int16_t)quantised(from[d], factor, 32767);
}

/* The product, or less the squared distance; by the factors both stay within 32 bits. */
static int32_t exact_score(const int16_t *one, const int16_t *two, size_t dimension, int shift)
{
    int32_t product = 0, squares = 0;
    for (size_t d = 0; d < dimension; d++)
        product += one[d] * two[d];
    if (shift == 0)
        return product;
    for (size_t d = 0; d < dimension; d++)
        squares += one[d] * one[d] + two[d] * two[d];
    return 2 * product - squares;
}

/* halves, factors by id, ids of the rows that neighbours are, ids of the rows that have the lists, lists, slots, shift,
   first, last: the scores of the neighbours are computed again from 16 bits, ids take the place of rows, and the lists
   are sorted anew. */
PyObject *halves_rescore(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    Py_ssize_t slots, first, last;
    int shift;
    Py_buffer factors, ids, owners, lists;
    if (!PyArg_ParseTuple(args, "Oy*y*y*w*ninn", &capsule, &factors, &ids, &owners, &lists, &slots, &shift, &first,
                          &last))
        return NULL;
    Halves *halves = halves_at(capsule, 0, 0);
    size_t count = (size_t)ids.len / sizeof(int64_t), rows = halves == NULL ? 0 : halves->starts[halves->count];
    int sound = halves != NULL && slots > 0 && first >= 0 && last >= first && 
                (size_t)last <= (size_t)owners.len / sizeof(int64_t) &&
                (size_t)factors.len >= rows * sizeof(float) &&
                (size_t)lists.len >= (size_t)last * (size_t)slots * sizeof(uint64_t);
    for (size_t i = 0; sound && i < count; i++)
        sound = (uint64_t)((const int64_t *)ids.buf)[i] < rows;
    for (Py_ssize_t row = first; sound && row < last; row++)
        sound = (uint64_t)((const int64_t *)owners.buf)[row] < rows;
    int16_t *words = sound ? malloc(2 * halves->dimension * sizeof(int16_t)) : NULL;
    if (sound && words != NULL) {
        const int64_t *id_of = ids.buf;
        const float *factor_of = factors.buf;
        int16_t *other = words + halves->dimension;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++) {
            uint64_t *list = (uint64_t *)lists.buf + row * slots;
            int64_t owner = ((const int64_t *)owners.buf)[row];
            to_words(halves, (size_t)owner, factor_of[owner], words);
            for (Py_ssize_t i = 0, filled = 0; i < slots; i++) {
                uint64_t key = list[i];
                list[i] = 0;
                if (key == 0 || key_id(key) >= count)
                    continue;
                int64_t id = id_of[key_id(key)];
                to_words(halves, (size_t)id, factor_of[id], other);
                int32_t score = exact_score(words, other, halves->dimension, shift);
                list_insert(list, (size_t)++filled, neighbour_key(score, (uint32_t)id));
            }
        }
        Py_END_ALLOW_THREADS
    }
    free(words);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&owners);
    PyBuffer_Release(&lists);
    if (sound && words == NULL)
        return PyErr_NoMemory();
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "lists of rows, their ids and a factor for each are needed");
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}
