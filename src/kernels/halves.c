/* Rows of half-precision numbers, in shards that may be mapped from files: their lengths, their products with a query,
   their numbers in whole steps of bytes or 16 bits, and exact scores of neighbours.

   A number is multiplied by the factor of its row and rounded to the nearest whole number, halves to even: the same
   on every processor, whether it reads half-precision numbers itself or looks them up in a table. */
#include "nearest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"
#include "tiles.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_X86 1
#include <immintrin.h>
#define FOR_AVX2 __attribute__((target("avx2,f16c")))
#else
#define HAS_X86 0
#endif

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
        number = exponent == 31 ? NAN : number; /* infinite ones too: neither can be searched */
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

#if HAS_X86

static FOR_AVX2 __m256i eight_quantised(const uint16_t *from, float factor, float most)
{
    __m256 scaled = _mm256_mul_ps(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from)), _mm256_set1_ps(factor));
    scaled = _mm256_max_ps(_mm256_min_ps(scaled, _mm256_set1_ps(most)), _mm256_set1_ps(-most));
    return _mm256_cvtps_epi32(scaled);
}

/* Sixteen at a time; returns how many are done. */
static FOR_AVX2 size_t words_avx2(const uint16_t *from, size_t count, float factor, int32_t most, int16_t *out)
{
    size_t d = 0;
    for (; d + 16 <= count; d += 16) {
        __m256i low = eight_quantised(from + d, factor, (float)most);
        __m256i high = eight_quantised(from + d + 8, factor, (float)most);
        __m256i words = _mm256_permute4x64_epi64(_mm256_packs_epi32(low, high), 0xd8);
        _mm256_storeu_si256((__m256i *)(out + d), words);
    }
    return d;
}

static FOR_AVX2 int32_t product_avx2(const int16_t *one, const int16_t *two, size_t count)
{
    int32_t sums[8], total = 0;
    __m256i sum = _mm256_setzero_si256();
    size_t d = 0;
    for (; d + 16 <= count; d += 16)
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(one + d)),
                                                      _mm256_loadu_si256((const __m256i *)(two + d))));
    _mm256_storeu_si256((__m256i *)sums, sum);
    for (size_t i = 0; i < 8; i++)
        total += sums[i];
    for (; d < count; d++)
        total += one[d] * two[d];
    return total;
}

#endif

static int has_halves(void)
{
#if HAS_X86
    return tiles_level() >= AVX2 && __builtin_cpu_supports("f16c");
#else
    return 0;
#endif
}

/* Numbers of a row as whole ones; `fast` is what has_halves says. */
static void to_words(const uint16_t *from, size_t count, float factor, int32_t most, int fast, int16_t *out)
{
    size_t d = 0;
#if HAS_X86
    if (fast)
        d = words_avx2(from, count, factor, most, out);
#endif
    (void)fast;
    for (; d < count; d++)
        out[d] = (int16_t)quantised(from[d], factor, most);
}

static int32_t product(const int16_t *one, const int16_t *two, size_t count, int fast)
{
#if HAS_X86
    if (fast)
        return product_avx2(one, two, count);
#endif
    (void)fast;
    int32_t sum = 0;
    for (size_t d = 0; d < count; d++)
        sum += one[d] * two[d];
    return sum;
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

#define LANES 32 /* sums side by side: the same order of additions everywhere */

#if HAS_X86

FOR_AVX2 static size_t lanes_avx2(const uint16_t *row, const float *query, size_t dimension, float *sums)
{
    __m256 parts[LANES / 8];
    for (size_t i = 0; i < LANES / 8; i++)
        parts[i] = _mm256_setzero_ps();
    size_t d = 0;
    for (; d + LANES <= dimension; d += LANES)
        for (size_t i = 0; i < LANES / 8; i++) {
            __m256 numbers = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(row + d + 8 * i)));
            parts[i] = _mm256_add_ps(parts[i], _mm256_mul_ps(numbers, _mm256_loadu_ps(query + d + 8 * i)));
        }
    for (size_t i = 0; i < LANES / 8; i++)
        _mm256_storeu_ps(sums + 8 * i, parts[i]);
    return d;
}

#endif

static float product_with(const uint16_t *row, const float *query, size_t dimension, int fast)
{
    float sums[LANES] = {0};
    size_t d = 0;
#if HAS_X86
    if (fast)
        d = lanes_avx2(row, query, dimension, sums);
#endif
    (void)fast;
    for (; d < dimension; d++)
        sums[d % LANES] += float_of[row[d]] * query[d];
    float sum = 0;
    for (size_t i = 0; i < LANES; i++)
        sum += sums[i];
    return sum;
}

/* halves, first, last, query, out: the product of each row with the numbers of a query */
PyObject *halves_products(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    Py_ssize_t first, last;
    Py_buffer query, out;
    if (!PyArg_ParseTuple(args, "Onny*w*", &capsule, &first, &last, &query, &out))
        return NULL;
    Halves *halves = halves_at(capsule, first, last);
    int sound = halves != NULL && (size_t)query.len == halves->dimension * sizeof(float) &&
                (size_t)out.len >= (size_t)(last - first) * sizeof(float);
    int fast = has_halves();
    if (sound) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++)
            ((float *)out.buf)[row - first] =
                product_with(halves_row(halves, (size_t)row), query.buf, halves->dimension, fast);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&query);
    PyBuffer_Release(&out);
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a query of the dimension and room for the products are needed");
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
    int fast = has_halves();
    int16_t *words = sound && width == 1 ? malloc((size_t)stride * sizeof(int16_t)) : NULL;
    int no_memory = sound && width == 1 && words == NULL;
    if (sound && !no_memory) {
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i < count; i++) {
            const uint16_t *row = halves_row(halves, (size_t)((const int64_t *)rows.buf)[i]);
            float factor = ((const float *)factors.buf)[i];
            char *to = (char *)out.buf + i * (size_t)(stride * width);
            memset(to, 0, (size_t)(stride * width));
            to_words(row, halves->dimension, factor, width == 1 ? 127 : 32767, fast,
                     width == 1 ? words : (int16_t *)to);
            for (size_t d = 0; width == 1 && d < halves->dimension; d++)
                ((int8_t *)to)[d] = (int8_t)words[d];
        }
        Py_END_ALLOW_THREADS
    }
    free(words);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&factors);
    PyBuffer_Release(&out);
    if (no_memory)
        return PyErr_NoMemory();
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "rows, a factor for each and room for their numbers are needed");
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}

/* halves, rows: the system is asked for the pages of rows, which rise, before they are read. It reads what is mapped
   from files and is not in memory, many pages at a time; for what is there already this does nothing. */
PyObject *halves_read_ahead(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    Py_buffer rows;
    if (!PyArg_ParseTuple(args, "Oy*", &capsule, &rows))
        return NULL;
    Halves *halves = halves_at(capsule, 0, 0);
    size_t count = (size_t)rows.len / sizeof(int64_t);
    const int64_t *chosen = rows.buf;
    int sound = halves != NULL;
    for (size_t i = 0; sound && i < count; i++)
        sound = chosen[i] >= 0 && (size_t)chosen[i] < halves->starts[halves->count];
    if (sound) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begun = 0, done = 0;
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i <= count; i++) {
            uintptr_t from = 0, to = 0;
            if (i < count) {
                uintptr_t row = (uintptr_t)halves_row(halves, (size_t)chosen[i]);
                from = row / page * page, to = (row + halves->dimension * sizeof(uint16_t) + page - 1) / page * page;
            }
            if (i < count && from >= begun && from <= done) {
                done = to > done ? to : done;
                continue;
            }
            if (done > begun) /* memory that is no file is there */
                (void)posix_madvise((void *)begun, done - begun, POSIX_MADV_WILLNEED);
            begun = from, done = to;
        }
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&rows);
    if (!sound && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a chosen row is no row");
    if (!sound)
        return NULL;
    Py_RETURN_NONE;
}

/* The product, or less the squared distance; by the factors both stay within 32 bits. */
static int32_t exact_score(const int16_t *one, const int16_t *two, size_t count, int shift, int fast)
{
    int32_t both = product(one, two, count, fast);
    if (shift == 0)
        return both;
    return 2 * both - product(one, one, count, fast) - product(two, two, count, fast);
}

static inline void prefetch_row(const uint16_t *row, size_t count)
{
    for (size_t d = 0; d < count; d += 32)
        PREFETCH(row + d);
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
    for (Py_ssize_t row = first; sound && row < last; row++)
        sound = (uint64_t)((const int64_t *)owners.buf)[row] < rows;
    int16_t *words = sound ? malloc(2 * halves->dimension * sizeof(int16_t)) : NULL;
    if (sound && words != NULL) {
        const int64_t *id_of = ids.buf; /* one that is no row is left out */
        const float *factor_of = factors.buf;
        int16_t *other = words + halves->dimension;
        size_t dimension = halves->dimension;
        int fast = has_halves();
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++) {
            uint64_t *list = (uint64_t *)lists.buf + row * slots;
            int64_t owner = ((const int64_t *)owners.buf)[row];
            to_words(halves_row(halves, (size_t)owner), dimension, factor_of[owner], 32767, fast, words);
            for (Py_ssize_t i = 0, filled = 0; i < slots; i++) {
                uint64_t key = list[i];
                list[i] = 0;
                if (key == 0 || key_id(key) >= count || (uint64_t)id_of[key_id(key)] >= rows)
                    continue;
                if (i + 1 < slots && list[i + 1] && key_id(list[i + 1]) < count &&
                    (uint64_t)id_of[key_id(list[i + 1])] < rows)
                    prefetch_row(halves_row(halves, (size_t)id_of[key_id(list[i + 1])]), dimension);
                int64_t id = id_of[key_id(key)];
                to_words(halves_row(halves, (size_t)id), dimension, factor_of[id], 32767, fast, other);
                int32_t score = exact_score(words, other, dimension, shift, fast);
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
