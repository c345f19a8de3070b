/* The nearest neighbours of many rows at once: products of two sets of rows in tiles, with the comparison to what each
   row has found so far fused in, and lists of a fixed length that keep the best.

   A list is the best of the set of all neighbours that were offered to it, by score and then by id; so it does not
   depend on the order of the offers, and threads may share the work. A lock of one byte guards each list. */
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "tiles.h"

enum { ANY_GROUP = 0, SAME_GROUP = 1, OTHER_GROUP = 2 };

/* Rows of a matrix that take part in a join. */
typedef struct {
    const char *matrix;
    const int32_t *rows; /* which rows; NULL for those from `first` on */
    size_t first, count;
    const int64_t *ids; /* of the rows of the matrix; NULL where the number of the row is its id */
    const int32_t *squares, *groups;
    uint64_t *lists; /* NULL where nothing is kept */
    uint8_t *locks;
} Side;

typedef struct {
    size_t width, stride, slots;
    int shift, rule;
    int by_eight; /* whether eight slots of a list are compared at a time */
} Shape;

static inline size_t side_row(const Side *side, size_t i)
{
    return side->rows != NULL ? (size_t)side->rows[i] : side->first + i;
}

static inline uint32_t side_id(const Side *side, size_t row)
{
    return side->ids != NULL ? (uint32_t)side->ids[row] : (uint32_t)row;
}

static inline int32_t side_threshold(const Side *side, size_t row, size_t slots)
{
    if (side->lists == NULL)
        return INT32_MAX;
    return key_score(__atomic_load_n(&side->lists[row * slots + slots - 1], __ATOMIC_RELAXED));
}

/* Offers a neighbour to a row; returns the score that the next one needs. */
static inline int32_t side_offer(const Shape *shape, const Side *side, size_t row, int32_t score, uint32_t id)
{
    size_t slots = shape->slots;
    uint64_t *list = side->lists + row * slots, key = neighbour_key(score, id);
    if (key > __atomic_load_n(&list[slots - 1], __ATOMIC_RELAXED)) {
        while (__atomic_test_and_set(&side->locks[row], __ATOMIC_ACQUIRE))
            ;
        if (shape->by_eight)
            tiles_insert(list, slots, key);
        else
            list_insert(list, slots, key);
        __atomic_clear(&side->locks[row], __ATOMIC_RELEASE);
    }
    return side_threshold(side, row, slots);
}

static inline int groups_fit(const Shape *shape, const Side *one, size_t row1, const Side *two, size_t row2)
{
    if (shape->rule == ANY_GROUP)
        return 1;
    return (one->groups[row1] == two->groups[row2]) == (shape->rule == SAME_GROUP);
}

/* The columns of a panel: which rows they are, and what their lists need. */
typedef struct {
    size_t count, rows[TILE_COLUMNS];
    uint32_t ids[TILE_COLUMNS];
    int32_t squares[TILE_COLUMNS], thresholds[TILE_COLUMNS];
} Panel;

static void panel_open(Panel *panel, Tiles *tiles, const Shape *shape, const Side *side, size_t start)
{
    const void *columns[TILE_COLUMNS];
    panel->count = side->count - start < TILE_COLUMNS ? side->count - start : TILE_COLUMNS;
    for (size_t c = 0; c < TILE_COLUMNS; c++) {
        size_t row = panel->rows[c] = side_row(side, start + (c < panel->count ? c : 0));
        columns[c] = side->matrix + row * shape->stride * shape->width;
        panel->ids[c] = side_id(side, row);
        panel->squares[c] = side->squares != NULL ? side->squares[row] : 0;
        panel->thresholds[c] = side_threshold(side, row, shape->slots);
    }
    tiles_pack(tiles, columns, panel->count);
}

static void take_reached(const Shape *shape, const Side *one, size_t row, const Side *two, Panel *panel,
                         const int32_t *scores, uint64_t reached)
{
    uint32_t id = side_id(one, row);
    int32_t threshold = side_threshold(one, row, shape->slots);
    for (; reached; reached &= reached - 1) {
        size_t c = (size_t)__builtin_ctzll(reached);
        int32_t score = scores[c];
        if (panel->ids[c] == id || !groups_fit(shape, one, row, two, panel->rows[c]))
            continue;
        if (score >= threshold && one->lists != NULL)
            threshold = side_offer(shape, one, row, score, panel->ids[c]);
        if (score >= panel->thresholds[c] && two->lists != NULL)
            panel->thresholds[c] = side_offer(shape, two, panel->rows[c], score, id);
    }
}

/* Rows that are scattered in memory are asked for one tile ahead, with the ends of their lists. */
static inline void prefetch_tile(const Shape *shape, const Side *side, size_t start)
{
    size_t stop = start + TILE_ROWS < side->count ? start + TILE_ROWS : side->count;
    for (size_t i = start; i < stop; i++) {
        size_t row = side_row(side, i), bytes = shape->stride * shape->width;
        for (size_t at = 0; at < bytes; at += 64)
            PREFETCH(side->matrix + row * bytes + at);
        if (side->lists != NULL)
            PREFETCH(&side->lists[row * shape->slots + shape->slots - 1]);
    }
}

/* Whether all of some rows, which rise, are among the other side's and behind its columns from `start` on: the same
   pairs come from these columns as rows. */
static inline int is_mirrored(const Side *one, size_t i, size_t count, const Side *two, size_t start, size_t columns)
{
    size_t first = side_row(one, i), last = side_row(one, i + count - 1);
    return first >= two->first + start + columns && last >= first && last - first == count - 1 &&
           last < two->first + two->count;
}

/* Every row of one side with every row of the other; with `within`, both are rows of one matrix, and all rows of the
   second side are among those of the first. */
static void join(const Shape *shape, Tiles *tiles, const Side *one, const Side *two, int within)
{
    Panel panel;
    int32_t products[TILE_ROWS * TILE_COLUMNS];
    for (size_t start = 0; start < two->count; start += TILE_COLUMNS) {
        panel_open(&panel, tiles, shape, two, start);
        uint64_t present = panel.count == TILE_COLUMNS ? ~0ull : (1ull << panel.count) - 1;
        for (size_t i = 0; i < one->count; i += TILE_ROWS) {
            const void *rows[TILE_ROWS];
            size_t count = one->count - i < TILE_ROWS ? one->count - i : TILE_ROWS;
            if (within && is_mirrored(one, i, count, two, start, panel.count))
                continue;
            for (size_t r = 0; r < TILE_ROWS; r++)
                rows[r] = one->matrix + side_row(one, i + (r < count ? r : 0)) * shape->stride * shape->width;
            prefetch_tile(shape, one, i + TILE_ROWS);
            tiles_product(tiles, rows, products);
            for (size_t r = 0; r < count; r++) {
                size_t row = side_row(one, i + r);
                int32_t *scores = products + r * TILE_COLUMNS;
                uint64_t reached = present & tiles_reached(tiles, scores, shape->shift,
                                                           one->squares != NULL ? one->squares[row] : 0, panel.squares,
                                                           side_threshold(one, row, shape->slots), panel.thresholds);
                if (reached)
                    take_reached(shape, one, row, two, &panel, scores, reached);
            }
        }
    }
}

/* Buffers that a call holds until it returns. */
#define MOST_HELD 16

typedef struct {
    Py_buffer buffers[MOST_HELD];
    int count;
} Held;

static void held_close(Held *held)
{
    while (held->count)
        PyBuffer_Release(&held->buffers[--held->count]);
}

/* An array with at least `least` elements; NULL for None. Sets `failed` on error. */
static void *held_array(Held *held, PyObject *object, size_t width, size_t least, int written, int *failed)
{
    if (*failed || object == Py_None)
        return NULL;
    Py_buffer *buffer = &held->buffers[held->count];
    if (PyObject_GetBuffer(object, buffer, written ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0) {
        *failed = 1;
        return NULL;
    }
    held->count++;
    if ((size_t)buffer->len / width < least) {
        PyErr_Format(PyExc_ValueError, "an array has %zd bytes, but %zu elements of %zu bytes are needed", buffer->len,
                     least, width);
        *failed = 1;
    }
    return buffer->buf;
}

static int shape_sound(Shape *shape)
{
    shape->by_eight = tiles_level() == VNNI && shape->slots % 8 == 0;
    if ((shape->width == 1 || shape->width == 2) && shape->stride && shape->stride % STRIDE_UNIT == 0 && shape->slots &&
        (shape->shift == 0 || shape->shift == 1) && shape->rule >= ANY_GROUP && shape->rule <= OTHER_GROUP)
        return 1;
    PyErr_SetString(PyExc_ValueError, "numbers of 1 or 2 bytes, a stride divisible by 64, slots, and a rule are needed");
    return 0;
}

/* (matrix, first, stop, ids, squares, groups, lists, locks) */
static int side_open(Side *side, Held *held, PyObject *given, const Shape *shape)
{
    PyObject *matrix, *ids, *squares, *groups, *lists, *locks;
    Py_ssize_t first, stop;
    if (!PyArg_ParseTuple(given, "OnnOOOOO", &matrix, &first, &stop, &ids, &squares, &groups, &lists, &locks))
        return -1;
    if (first < 0 || stop < first || (shape->rule != ANY_GROUP && groups == Py_None) ||
        (lists == Py_None) != (locks == Py_None)) {
        PyErr_SetString(PyExc_ValueError, "a side needs a range of rows, groups if they count, and locks for its lists");
        return -1;
    }
    int failed = 0;
    size_t rows = (size_t)stop;
    *side = (Side){.first = (size_t)first, .count = (size_t)(stop - first)};
    side->matrix = held_array(held, matrix, shape->width, rows * shape->stride, 0, &failed);
    side->ids = held_array(held, ids, sizeof(int64_t), rows, 0, &failed);
    side->squares = held_array(held, squares, sizeof(int32_t), rows, 0, &failed);
    side->groups = held_array(held, groups, sizeof(int32_t), rows, 0, &failed);
    side->lists = held_array(held, lists, sizeof(uint64_t), rows * shape->slots, 1, &failed);
    side->locks = held_array(held, locks, 1, rows, 1, &failed);
    return failed ? -1 : 0;
}

/* Chosen rows of a side instead of its range. */
static int side_choose(Side *side, Held *held, PyObject *given)
{
    int failed = 0;
    size_t rows = side->first + side->count;
    side->rows = held_array(held, given, sizeof(int32_t), 0, 0, &failed);
    if (failed || side->rows == NULL)
        return failed ? -1 : 0;
    side->count = (size_t)held->buffers[held->count - 1].len / sizeof(int32_t);
    for (size_t i = 0; i < side->count; i++)
        if (side->rows[i] < 0 || (size_t)side->rows[i] >= rows) {
            PyErr_SetString(PyExc_ValueError, "a chosen row is no row");
            return -1;
        }
    return 0;
}

/* width, stride, slots, shift, rule, side, side, and which rows of the first side if not all */
PyObject *join_rows(PyObject *module, PyObject *args)
{
    (void)module;
    Py_ssize_t width, stride, slots;
    Shape shape;
    PyObject *given1, *given2, *chosen = Py_None;
    Side one, two;
    Tiles tiles;
    Held held = {.count = 0};
    if (!PyArg_ParseTuple(args, "nnniiOO|O", &width, &stride, &slots, &shape.shift, &shape.rule, &given1, &given2,
                          &chosen))
        return NULL;
    shape.width = (size_t)width, shape.stride = (size_t)stride, shape.slots = (size_t)slots;
    if (!shape_sound(&shape) || side_open(&one, &held, given1, &shape) < 0 ||
        side_open(&two, &held, given2, &shape) < 0 || side_choose(&one, &held, chosen) < 0) {
        held_close(&held);
        return NULL;
    }
    int status = tiles_open(&tiles, shape.width, shape.stride);
    if (status == 0) {
        Py_BEGIN_ALLOW_THREADS
        join(&shape, &tiles, &one, &two, 0);
        Py_END_ALLOW_THREADS
        tiles_close(&tiles);
    }
    held_close(&held);
    if (status < 0)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static int starts_sound(const int64_t *starts, size_t first, size_t last, size_t end)
{
    int sound = starts[first] >= 0;
    for (size_t i = first; sound && i < last; i++)
        sound = starts[i] <= starts[i + 1] && (size_t)starts[i + 1] <= end;
    return sound;
}

/* stride, slots, shift, rule, side, starts of cells, starts of probes, probes, first cell, last cell, within: in each
   cell the rows that probe it with the rows that are in it; `within` where rows in a cell probe it only all together. */
PyObject *join_cells(PyObject *module, PyObject *args)
{
    (void)module;
    Py_ssize_t stride, slots, first, last;
    int within;
    Shape shape = {.width = 1};
    PyObject *given, *cells, *starts, *probes;
    Side one;
    Tiles tiles;
    Held held = {.count = 0};
    if (!PyArg_ParseTuple(args, "nniiOOOOnni", &stride, &slots, &shape.shift, &shape.rule, &given, &cells, &starts,
                          &probes, &first, &last, &within))
        return NULL;
    shape.stride = (size_t)stride, shape.slots = (size_t)slots;
    if (first < 0 || last < first || !shape_sound(&shape) || side_open(&one, &held, given, &shape) < 0) {
        held_close(&held);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a range of cells is needed");
        return NULL;
    }
    int failed = 0;
    size_t rows = one.first + one.count;
    const int64_t *cell_starts = held_array(&held, cells, sizeof(int64_t), (size_t)last + 1, 0, &failed);
    const int64_t *probe_starts = held_array(&held, starts, sizeof(int64_t), (size_t)last + 1, 0, &failed);
    const int32_t *probing = held_array(&held, probes, sizeof(int32_t), 0, 0, &failed);
    size_t probe_count = failed ? 0 : (size_t)held.buffers[held.count - 1].len / sizeof(int32_t);
    if (!failed && (!starts_sound(cell_starts, (size_t)first, (size_t)last, rows) ||
                    !starts_sound(probe_starts, (size_t)first, (size_t)last, probe_count))) {
        PyErr_SetString(PyExc_ValueError, "cells and probes need rising starts");
        failed = 1;
    }
    for (int64_t i = failed ? 0 : probe_starts[first]; !failed && i < probe_starts[last]; i++)
        if (probing[i] < 0 || (size_t)probing[i] >= rows) {
            PyErr_SetString(PyExc_ValueError, "a probe is no row");
            failed = 1;
        }
    if (!failed && tiles_open(&tiles, 1, shape.stride) < 0) {
        PyErr_NoMemory();
        failed = 1;
    }
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t cell = first; cell < last; cell++) {
            Side in_cell = one, probe = one;
            in_cell.first = (size_t)cell_starts[cell];
            in_cell.count = (size_t)(cell_starts[cell + 1] - cell_starts[cell]);
            probe.rows = probing + probe_starts[cell];
            probe.count = (size_t)(probe_starts[cell + 1] - probe_starts[cell]);
            join(&shape, &tiles, &probe, &in_cell, within);
        }
        Py_END_ALLOW_THREADS
        tiles_close(&tiles);
    }
    held_close(&held);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* Rows that were looked at for one row: a table of ids stamped with the round. */
#define SEEN_BITS 12

typedef struct {
    uint32_t ids[1 << SEEN_BITS], stamps[1 << SEEN_BITS], stamp;
} Seen;

/* Whether an id is new; where the table has no place near its own it counts as new, which only costs time. */
static inline int seen_new(Seen *seen, uint32_t id)
{
    size_t at = (id * 2654435761u) >> (32 - SEEN_BITS);
    for (size_t tries = 0; tries < 8; tries++, at = (at + 1) & ((1 << SEEN_BITS) - 1)) {
        if (seen->stamps[at] != seen->stamp) {
            seen->stamps[at] = seen->stamp;
            seen->ids[at] = id;
            return 1;
        }
        if (seen->ids[at] == id)
            return 0;
    }
    return 1;
}

#define AHEAD 4
#define OLD_NEIGHBOUR 0x80000000u /* in a snapshot: the neighbour was looked at in the round before */
#define NO_NEIGHBOUR 0xffffffffu

/* What a round reads: the lists as they were before it, and what was compared before. */
typedef struct {
    const uint32_t *ids; /* by row, from the nearest on */
    size_t kept, outer, inner;
    const int32_t *probes; /* cells of rows, the first being their own; NULL if not known */
    const uint8_t *done;   /* how many of them each row was compared with */
    size_t width;
} Snapshot;

static inline int was_probed(const Snapshot *snapshot, const int32_t *probes, size_t done, uint32_t id)
{
    int32_t cell = snapshot->probes[id * snapshot->width];
    int found = 0;
    for (size_t i = 0; i < done; i++)
        found |= probes[i] == cell;
    return found;
}

/* The neighbours of the neighbours of a row that were not compared with it before. */
static size_t refine_candidates(const Shape *shape, const Side *side, size_t row, const Snapshot *snapshot, Seen *seen,
                                uint32_t *found)
{
    const uint32_t *own = snapshot->ids + row * snapshot->kept;
    size_t count = 0;
    seen->stamp++;
    seen_new(seen, (uint32_t)row);
    for (size_t i = 0; i < snapshot->kept && own[i] != NO_NEIGHBOUR; i++)
        seen_new(seen, own[i] & ~OLD_NEIGHBOUR);
    for (size_t i = 0; i < snapshot->outer && own[i] != NO_NEIGHBOUR; i++) {
        const uint32_t *others = snapshot->ids + (size_t)(own[i] & ~OLD_NEIGHBOUR) * snapshot->kept;
        if (i + 1 < snapshot->outer && own[i + 1] != NO_NEIGHBOUR)
            PREFETCH(snapshot->ids + (size_t)(own[i + 1] & ~OLD_NEIGHBOUR) * snapshot->kept);
        for (size_t j = 0; j < snapshot->inner && others[j] != NO_NEIGHBOUR; j++) {
            uint32_t id = others[j] & ~OLD_NEIGHBOUR;
            if (!(own[i] & others[j] & OLD_NEIGHBOUR) && seen_new(seen, id) &&
                groups_fit(shape, side, row, side, (size_t)id))
                found[count++] = id;
        }
    }
    if (snapshot->probes == NULL)
        return count;
    const int32_t *probes = snapshot->probes + row * snapshot->width;
    size_t kept = 0, done = snapshot->done[row] < snapshot->width ? snapshot->done[row] : snapshot->width;
    for (size_t i = 0; i < count; i++)
        if (!was_probed(snapshot, probes, done, found[i]))
            found[kept++] = found[i];
    return kept;
}

/* Looks at the neighbours of the neighbours of a row, and offers the row to them. */
static void refine_row(const Shape *shape, const Side *side, size_t row, const uint32_t *found, size_t count, int level)
{
    const int8_t *matrix = (const int8_t *)side->matrix, *at = matrix + row * shape->stride;
    int32_t threshold = side_threshold(side, row, shape->slots);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            size_t next = found[i + AHEAD];
            for (size_t d = 0; d < shape->stride; d += 64)
                PREFETCH(matrix + next * shape->stride + d);
            PREFETCH(&side->lists[next * shape->slots + shape->slots - 1]);
        }
        int32_t score = tiles_dot(level, at, matrix + found[i] * shape->stride, shape->stride) * (1 << shape->shift);
        if (side->squares != NULL)
            score -= side->squares[row] + side->squares[found[i]];
        if (score >= threshold)
            threshold = side_offer(shape, side, row, score, side_id(side, found[i]));
        if (score >= side_threshold(side, found[i], shape->slots))
            side_offer(shape, side, found[i], score, side_id(side, row));
    }
}

static int snapshot_sound(const Snapshot *snapshot, const Side *side, Py_ssize_t first, Py_ssize_t last)
{
    if (first >= 0 && last >= first && (size_t)last <= side->first + side->count && snapshot->kept &&
        snapshot->outer <= snapshot->kept && snapshot->inner <= snapshot->kept && side->lists != NULL &&
        (snapshot->probes == NULL || (snapshot->done != NULL && snapshot->width)))
        return 1;
    PyErr_SetString(PyExc_ValueError, "rows with lists, and how many neighbours to look at, are needed");
    return 0;
}

/* stride, slots, shift, rule, side, snapshot (from snapshot_lists), kept, outer, inner, probes, width, done (by row),
   first, last */
PyObject *refine_lists(PyObject *module, PyObject *args)
{
    (void)module;
    Py_ssize_t stride, slots, kept, outer, inner, width, first, last;
    Shape shape = {.width = 1};
    PyObject *given, *ids, *probes, *done;
    Side side;
    Held held = {.count = 0};
    if (!PyArg_ParseTuple(args, "nniiOOnnnOnOnn", &stride, &slots, &shape.shift, &shape.rule, &given, &ids, &kept,
                          &outer, &inner, &probes, &width, &done, &first, &last))
        return NULL;
    shape.stride = (size_t)stride, shape.slots = (size_t)slots;
    int failed = !shape_sound(&shape) || side_open(&side, &held, given, &shape) < 0;
    Snapshot snapshot = {.kept = (size_t)kept, .outer = (size_t)outer, .inner = (size_t)inner};
    size_t rows = failed ? 0 : side.first + side.count;
    snapshot.width = (size_t)width;
    snapshot.ids = held_array(&held, ids, sizeof(uint32_t), rows * snapshot.kept, 0, &failed);
    snapshot.probes = held_array(&held, probes, sizeof(int32_t), rows * snapshot.width, 0, &failed);
    snapshot.done = held_array(&held, done, 1, rows, 0, &failed);
    failed = failed || !snapshot_sound(&snapshot, &side, first, last);
    Seen *seen = failed ? NULL : calloc(1, sizeof(Seen));
    uint32_t *found = failed ? NULL : malloc((snapshot.outer * snapshot.inner + 1) * sizeof(uint32_t));
    if (!failed && (seen == NULL || found == NULL)) {
        PyErr_NoMemory();
        failed = 1;
    }
    if (!failed) {
        int level = tiles_level();
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++) {
            size_t count = refine_candidates(&shape, &side, (size_t)row, &snapshot, seen, found);
            refine_row(&shape, &side, (size_t)row, found, count, level);
        }
        Py_END_ALLOW_THREADS
    }
    free(seen);
    free(found);
    held_close(&held);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* lists, slots, looked at, first, last, snapshot: the neighbours in the lists take the place of those in the snapshot;
   those that were among the first `looked at` there are marked as old. */
PyObject *snapshot_lists(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer lists, snapshot;
    Py_ssize_t slots, looked_at, first, last;
    if (!PyArg_ParseTuple(args, "y*nnnnw*", &lists, &slots, &looked_at, &first, &last, &snapshot))
        return NULL;
    int sound = slots > 0 && looked_at >= 0 && looked_at <= slots && first >= 0 && last >= first &&
                (size_t)lists.len >= (size_t)(last * slots) * sizeof(uint64_t) &&
                (size_t)snapshot.len >= (size_t)(last * slots) * sizeof(uint32_t);
    uint32_t *before = sound ? malloc((size_t)slots * sizeof(uint32_t)) : NULL;
    if (before != NULL) {
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t row = first; row < last; row++) {
            const uint64_t *list = (const uint64_t *)lists.buf + row * slots;
            uint32_t *ids = (uint32_t *)snapshot.buf + row * slots;
            for (Py_ssize_t i = 0; i < looked_at; i++)
                before[i] = ids[i] == NO_NEIGHBOUR ? NO_NEIGHBOUR : ids[i] & ~OLD_NEIGHBOUR;
            for (Py_ssize_t i = 0; i < slots; i++) {
                uint32_t id = list[i] ? key_id(list[i]) : NO_NEIGHBOUR, old = 0;
                for (Py_ssize_t j = 0; j < looked_at; j++)
                    old |= before[j] == id;
                ids[i] = old ? id | OLD_NEIGHBOUR : id;
            }
        }
        Py_END_ALLOW_THREADS
    }
    free(before);
    PyBuffer_Release(&lists);
    PyBuffer_Release(&snapshot);
    if (!sound)
        PyErr_SetString(PyExc_ValueError, "lists and a snapshot of the same rows are needed");
    else if (before == NULL)
        PyErr_NoMemory();
    else
        Py_RETURN_NONE;
    return NULL;
}

/* lists, slots, rows, keys: each key is offered to the list of its row. */
PyObject *offer_keys(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer lists, rows, keys;
    Py_ssize_t slots;
    if (!PyArg_ParseTuple(args, "w*ny*y*", &lists, &slots, &rows, &keys))
        return NULL;
    size_t count = (size_t)keys.len / sizeof(uint64_t);
    size_t most = slots > 0 ? (size_t)lists.len / sizeof(uint64_t) / (size_t)slots : 0;
    int sound = slots > 0 && (size_t)rows.len / sizeof(int64_t) == count;
    for (size_t i = 0; sound && i < count; i++)
        sound = (uint64_t)((const int64_t *)rows.buf)[i] < most;
    if (sound) {
        Py_BEGIN_ALLOW_THREADS
        for (size_t i = 0; i < count; i++)
            list_insert((uint64_t *)lists.buf + ((const int64_t *)rows.buf)[i] * slots, (size_t)slots,
                        ((const uint64_t *)keys.buf)[i]);
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&lists);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&keys);
    if (!sound) {
        PyErr_SetString(PyExc_ValueError, "lists, and a row of them for each key, are needed");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* probes (cells by row), width, from, to (by row), cells, starts, out: the rows that probe each cell with one of their
   probes between `from` and `to`, those with nearer probes first, and where those of each cell start. */
PyObject *probing_rows(PyObject *module, PyObject *args)
{
    (void)module;
    Py_buffer probes, from, to, starts, out;
    Py_ssize_t width, cells;
    if (!PyArg_ParseTuple(args, "y*ny*y*nw*w*", &probes, &width, &from, &to, &cells, &starts, &out))
        return NULL;
    size_t rows = width > 0 ? (size_t)probes.len / sizeof(int32_t) / (size_t)width : 0, count = 0, last = 0;
    const int32_t *cell_of = probes.buf;
    const uint8_t *first = from.buf, *stop = to.buf;
    int64_t *at = starts.buf;
    int sound = width > 0 && cells > 0 && (size_t)from.len >= rows && (size_t)to.len >= rows &&
                (size_t)starts.len >= (size_t)(cells + 1) * sizeof(int64_t);
    if (sound) {
        Py_BEGIN_ALLOW_THREADS
        memset(at, 0, (size_t)(cells + 1) * sizeof(int64_t));
        for (size_t row = 0; sound && row < rows; row++) {
            sound = stop[row] <= width;
            last = sound && stop[row] > last ? stop[row] : last;
            for (size_t i = first[row]; sound && i < stop[row]; i++, count++) {
                int32_t cell = cell_of[row * (size_t)width + i];
                sound = cell >= 0 && cell < cells;
                if (sound)
                    at[cell + 1]++;
            }
        }
        sound = sound && (size_t)out.len >= count * sizeof(int32_t);
        for (Py_ssize_t cell = 0; cell < cells; cell++)
            at[cell + 1] += at[cell];
        for (size_t i = 0; sound && i < last; i++)
            for (size_t row = 0; row < rows; row++)
                if (i >= first[row] && i < stop[row])
                    ((int32_t *)out.buf)[at[cell_of[row * (size_t)width + i]]++] = (int32_t)row;
        for (Py_ssize_t cell = cells; sound && cell > 0; cell--)
            at[cell] = at[cell - 1]; /* each has moved to the start of the next */
        at[0] = 0;
        Py_END_ALLOW_THREADS
    }
    PyBuffer_Release(&probes);
    PyBuffer_Release(&from);
    PyBuffer_Release(&to);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&out);
    if (!sound) {
        PyErr_SetString(PyExc_ValueError, "probes of known cells, and room for starts and rows, are needed");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* The level of instructions in use; a number limits it from now on, which tests need. */
PyObject *instructions(PyObject *module, PyObject *args)
{
    (void)module;
    int limit = -1;
    if (!PyArg_ParseTuple(args, "|i", &limit))
        return NULL;
    return PyLong_FromLong(limit < 0 ? tiles_level() : tiles_limit(limit));
}
