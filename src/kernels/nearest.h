/* Lists of nearest neighbours, and the kernels that fill them, as methods of the module. */
#ifndef OTHERWORDS_NEAREST_H
#define OTHERWORDS_NEAREST_H

#include <Python.h>
#include <stdint.h>

PyObject *join_rows(PyObject *module, PyObject *args);
PyObject *join_cells(PyObject *module, PyObject *args);
PyObject *refine_lists(PyObject *module, PyObject *args);
PyObject *snapshot_lists(PyObject *module, PyObject *args);
PyObject *offer_keys(PyObject *module, PyObject *args);
PyObject *probing_rows(PyObject *module, PyObject *args);
PyObject *instructions(PyObject *module, PyObject *args);
PyObject *halves_open(PyObject *module, PyObject *args);
PyObject *halves_squares(PyObject *module, PyObject *args);
PyObject *halves_products(PyObject *module, PyObject *args);
PyObject *halves_quantise(PyObject *module, PyObject *args);
PyObject *halves_read_ahead(PyObject *module, PyObject *args);
PyObject *halves_rescore(PyObject *module, PyObject *args);
void halves_load(void);

/* A neighbour as one number: the score in the high half, the complement of its id in the low one, so that a greater
   number is a nearer neighbour, and of equal scores the lower id. 0 is an empty slot. */
static inline uint64_t neighbour_key(int32_t score, uint32_t id)
{
    return (uint64_t)((uint32_t)score ^ 0x80000000u) << 32 | (uint32_t)~id;
}

static inline int32_t key_score(uint64_t key)
{
    return (int32_t)((uint32_t)(key >> 32) ^ 0x80000000u);
}

static inline uint32_t key_id(uint64_t key)
{
    return ~(uint32_t)key;
}

/* Puts a key into a list that is sorted from the greatest down; a key that is there already changes nothing. */
static inline void list_insert(uint64_t *list, size_t slots, uint64_t key)
{
    size_t at = slots;
    while (at > 0 && list[at - 1] < key)
        at--;
    if (at == slots || (at > 0 && list[at - 1] == key))
        return;
    for (size_t i = slots - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = key;
}

#endif
