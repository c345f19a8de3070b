/* Vocabularies as Python sees them: a capsule that is counted, joined with others, and then weighted. */
#include "statistics.h"
#include "word_cache.h"

static const char CAPSULE[] = "otherwords._kernels.vocabulary";

static void discard(PyObject *capsule)
{
    Vocabulary *vocabulary = PyCapsule_GetPointer(capsule, CAPSULE);
    if (vocabulary != NULL) {
        caches_free(vocabulary);
        vocabulary_free(vocabulary);
    }
    free(vocabulary);
}

Vocabulary *vocabulary_of(PyObject *capsule, int weighed)
{
    Vocabulary *vocabulary = PyCapsule_GetPointer(capsule, CAPSULE);
    if (vocabulary == NULL)
        return NULL;
    if (vocabulary->busy || vocabulary->weighed != weighed) {
        PyErr_SetString(PyExc_RuntimeError, vocabulary->busy ? "the vocabulary is being counted by another thread"
                                            : weighed        ? "the vocabulary has no weights yet"
                                                             : "the vocabulary has been weighed and is closed");
        return NULL;
    }
    return vocabulary;
}

PyObject *frequencies_new(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    Vocabulary *vocabulary = malloc(sizeof(Vocabulary));
    if (vocabulary == NULL || vocabulary_init(vocabulary) < 0) {
        free(vocabulary);
        return PyErr_NoMemory();
    }
    PyObject *capsule = PyCapsule_New(vocabulary, CAPSULE, discard);
    if (capsule == NULL) {
        vocabulary_free(vocabulary);
        free(vocabulary);
    }
    return capsule;
}

static void count_document(Vocabulary *vocabulary, const WordCache *cache)
{
    uint32_t document = ++vocabulary->documents;
    for (const Item *item = cache_items(cache), *end = item + cache->item_count; item < end; item++) {
        const uint32_t *numbers = item_numbers(cache, item);
        for (uint32_t i = 0; i < item->count; i++) {
            Term *term = term_of(vocabulary, numbers[i]);
            term->seen.frequency += term->seen.last != document;
            term->seen.last = document;
        }
    }
}

static int count_column(WordCache *cache, const Column *column, int64_t *needs_context)
{
    int status = READ;
    for (Py_ssize_t row = 0; row < column->count && status >= 0; row++) {
        cache_begin(cache);
        status = cache->vocabulary->documents == UINT32_MAX ? -1
                                                            : cache_read(cache, column_text(column, row), IN_FIRST);
        needs_context[row] = status == NEEDS_CONTEXT;
        if (status == READ)
            count_document(cache->vocabulary, cache);
    }
    return status < 0 ? -1 : 0;
}

PyObject *frequencies_add(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *offsets, *bytes, *out, *table;
    int shortest, longest;
    if (!PyArg_ParseTuple(args, "OOOOOii", &capsule, &offsets, &bytes, &out, &table, &shortest, &longest) ||
        orders_check(shortest, longest) < 0)
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 0);
    Column column;
    Py_buffer needs_context, folding;
    if (vocabulary == NULL || column_open(&column, offsets, bytes) < 0)
        return NULL;
    if (table_open(&needs_context, out, column.count, sizeof(int64_t)) < 0) {
        column_close(&column);
        return NULL;
    }
    int status = folding_open(&folding, table);
    if (status == 0) {
        WordCache *cache = cache_borrow(vocabulary, folding.buf, (Orders){(uint32_t)shortest, (uint32_t)longest});
        vocabulary->busy = 1;
        Py_BEGIN_ALLOW_THREADS
        status = cache == NULL ? -1 : count_column(cache, &column, needs_context.buf);
        Py_END_ALLOW_THREADS
        vocabulary->busy = 0;
        if (cache != NULL)
            cache_return(vocabulary, cache);
        PyBuffer_Release(&folding);
        if (status < 0)
            PyErr_NoMemory();
    }
    PyBuffer_Release(&needs_context);
    column_close(&column);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

PyObject *frequencies_join(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *one, *other;
    if (!PyArg_ParseTuple(args, "OO", &one, &other))
        return NULL;
    Vocabulary *into = vocabulary_of(one, 0), *from = into == NULL ? NULL : vocabulary_of(other, 0);
    if (from == NULL)
        return NULL;
    if (into == from)
        return PyErr_Format(PyExc_ValueError, "a vocabulary cannot be joined with itself");
    uint32_t *numbers = malloc(((size_t)from->count + 1) * sizeof(uint32_t));
    if (numbers == NULL)
        return PyErr_NoMemory();
    int status;
    into->busy = from->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    status = vocabulary_merge(into, from, numbers);
    Py_END_ALLOW_THREADS
    into->busy = from->busy = 0;
    if (status == 0)
        caches_adopt(into, from, numbers);
    free(numbers);
    return status < 0 ? PyErr_NoMemory() : Py_NewRef(Py_None);
}

PyObject *frequencies_size(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 0);
    if (vocabulary == NULL)
        return NULL;
    return Py_BuildValue("kk", (unsigned long)vocabulary->count, (unsigned long)vocabulary->documents);
}

PyObject *frequencies_digest(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule;
    uint64_t digest;
    if (!PyArg_ParseTuple(args, "O", &capsule))
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 0);
    if (vocabulary == NULL)
        return NULL;
    return vocabulary_digest(vocabulary, &digest) < 0 ? PyErr_NoMemory() : PyLong_FromUnsignedLongLong(digest);
}

/* Both tables have a number for every n-gram, in order of appearance. */
PyObject *frequencies_read(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *out;
    Py_buffer table;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &out))
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 0);
    if (vocabulary == NULL || table_open(&table, out, vocabulary->count, sizeof(int64_t)) < 0)
        return NULL;
    for (uint32_t i = 1; i <= vocabulary->count; i++)
        ((int64_t *)table.buf)[i - 1] = term_of(vocabulary, i)->seen.frequency;
    PyBuffer_Release(&table);
    Py_RETURN_NONE;
}

PyObject *frequencies_weigh(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *capsule, *weights;
    Py_buffer table;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &weights))
        return NULL;
    Vocabulary *vocabulary = vocabulary_of(capsule, 0);
    if (vocabulary == NULL || table_open(&table, weights, vocabulary->count, sizeof(double)) < 0)
        return NULL;
    vocabulary_weigh(vocabulary, table.buf);
    PyBuffer_Release(&table);
    Py_RETURN_NONE;
}
