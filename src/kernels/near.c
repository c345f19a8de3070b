/* Pairs of texts that may be near copies: prefix, size and position filter of PPJoin (Xiao et al. 2008), then
   signatures of 128 bits.

   A feature is a trigram of the first or of the second text. Of every text the index has the rarest ones (its prefix),
   by feature and then by the size of the text, so that the texts of fitting sizes are neighbours. Both texts of a pair
   need a partner, so a pair has to be found by both: the text with fewer possible partners marks them, the other one
   collects those that are marked. In text without rare trigrams that leaves a tenth to be compared by signature. The
   two loops have no branches, because nobody could predict them. */
#include "near.h"

#include <stdint.h>
#include <string.h>

#include "arrays.h"
#include "memory.h"

#define CAPSULE "otherwords.near_index"
#define SLACK 1e-9 /* for rounding errors of bounds */
#define NOWHERE UINT32_MAX

/* Pairs with the sizes and signatures of both texts. */
typedef struct {
    const int32_t *sizes;       /* two per pair */
    const uint64_t *signatures; /* two per text */
    size_t count;
} Signed;

typedef struct {
    Arrays arrays;
    const uint64_t *features;
    const int64_t *starts;                  /* of the entries of each feature */
    const int32_t *texts, *sizes, *reach; /* of each entry; its reach is the size of the largest partner */
    size_t feature_count;
    Signed pairs;
    uint32_t *slots; /* numbers of features */
    unsigned shift;
} Index;

/* The prefixes of a block of pairs, pair by pair. */
typedef struct {
    const uint64_t *features;
    const int32_t *texts, *places;
    size_t entry_count;
    Signed pairs;
} Queries;

typedef struct {
    int64_t start, stop;
} Range;

static size_t slot_of(const Index *index, uint64_t feature)
{
    size_t mask = ((size_t)1 << (64 - index->shift)) - 1;
    size_t at = (size_t)((feature ^ feature >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> index->shift);
    while (index->slots[at] != NOWHERE && index->features[index->slots[at]] != feature)
        at = (at + 1) & mask;
    return at;
}

static int fill_slots(Index *index)
{
    unsigned bits = 4;
    while ((size_t)1 << bits < 2 * index->feature_count)
        bits++;
    index->shift = 64 - bits;
    index->slots = malloc(sizeof(uint32_t) << bits);
    if (index->slots == NULL)
        return -1;
    memset(index->slots, 0xff, sizeof(uint32_t) << bits);
    for (size_t i = 0; i < index->feature_count; i++)
        index->slots[slot_of(index, index->features[i])] = (uint32_t)i;
    return 0;
}

static int is_sound(const Index *index, size_t entries)
{
    int sound = index->feature_count < NOWHERE / 4 && index->starts[0] == 0 &&
                index->starts[index->feature_count] == (int64_t)entries;
    for (size_t i = 0; sound && i < index->feature_count; i++)
        sound = index->starts[i] <= index->starts[i + 1] && index->starts[i + 1] <= (int64_t)entries;
    for (size_t i = 0; sound && i < entries; i++)
        sound = index->texts[i] >= 0 && (size_t)index->texts[i] / 2 < index->pairs.count;
    return sound;
}

static int pairs_open_at(Signed *pairs, const Arrays *arrays, int first)
{
    size_t texts = array_length(arrays, first, sizeof(int32_t));
    *pairs = (Signed){arrays->buffers[first].buf, arrays->buffers[first + 1].buf, texts / 2};
    return texts % 2 == 0 && array_length(arrays, first + 1, sizeof(uint64_t)) == 2 * texts ? 0 : -1;
}

static void discard(PyObject *capsule)
{
    Index *index = PyCapsule_GetPointer(capsule, CAPSULE);
    arrays_close(&index->arrays);
    free(index->slots);
    free(index);
}

/* features, starts; of each entry its text, size and reach; of each pair two sizes, two signatures. */
PyObject *near_index(PyObject *module, PyObject *args)
{
    (void)module;
    static const size_t widths[] = {8, 8, 4, 4, 4, 4, 8};
    Index *index = calloc(1, sizeof(Index));
    if (index == NULL)
        return PyErr_NoMemory();
    if (arrays_open(&index->arrays, args, widths, 7, 0) < 0) {
        free(index);
        return NULL;
    }
    Arrays *arrays = &index->arrays;
    size_t entries = array_length(arrays, 2, sizeof(int32_t));
    index->features = arrays->buffers[0].buf, index->starts = arrays->buffers[1].buf;
    index->texts = arrays->buffers[2].buf, index->sizes = arrays->buffers[3].buf;
    index->reach = arrays->buffers[4].buf, index->feature_count = array_length(arrays, 0, sizeof(uint64_t));
    int sound = array_length(arrays, 1, sizeof(int64_t)) == index->feature_count + 1 &&
                array_length(arrays, 3, sizeof(int32_t)) == entries &&
                array_length(arrays, 4, sizeof(int32_t)) == entries && pairs_open_at(&index->pairs, arrays, 5) == 0 &&
                is_sound(index, entries);
    if (!sound) {
        refuse(arrays, "an index needs rising starts, entries of its pairs, and sizes and signatures of both texts");
        free(index);
        return NULL;
    }
    PyObject *capsule = fill_slots(index) < 0 ? PyErr_NoMemory() : PyCapsule_New(index, CAPSULE, discard);
    if (capsule == NULL) {
        arrays_close(arrays);
        free(index->slots);
        free(index);
    }
    return capsule;
}

/* The first entry from `start` on whose size is at least, or more than, a bound. */
static int64_t first_of_size(const Index *index, Range range, double bound, int more)
{
    while (range.start < range.stop) {
        int64_t middle = range.start + (range.stop - range.start) / 2;
        double size = index->sizes[middle];
        if (more ? size <= bound : size < bound)
            range.start = middle + 1;
        else
            range.stop = middle;
    }
    return range.start;
}

/* The entries of the index that have the feature of an entry, and a size that fits. */
static Range partners(const Index *index, const Queries *queries, size_t entry, double threshold)
{
    uint32_t feature = index->slots[slot_of(index, queries->features[entry])];
    if (feature == NOWHERE)
        return (Range){0, 0};
    Range all = {index->starts[feature], index->starts[feature + 1]};
    double own = queries->pairs.sizes[queries->texts[entry]], left = own - queries->places[entry];
    double smallest = own * (threshold / (2 - threshold)) - SLACK;
    double largest = 2 * left / threshold - own + SLACK; /* a larger one needs more trigrams than are left */
    Range fitting = {first_of_size(index, all, smallest, 0), first_of_size(index, all, largest, 1)};
    if (fitting.stop < fitting.start)
        fitting.stop = fitting.start;
    return fitting;
}

static inline int count_bits(const uint64_t words[2])
{
    uint64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        uint64_t word = words[i];
        word -= word >> 1 & UINT64_C(0x5555555555555555);
        word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
        sum += (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    }
    return (int)(sum * UINT64_C(0x0101010101010101) >> 56);
}

/* Whether both texts have sizes that fit and signatures that do not rule them out: a bit that one lacks is a trigram
   that it lacks. */
static int is_likely(const Signed *one, size_t place1, const Signed *two, size_t place2, double threshold)
{
    for (size_t side = 0; side < 2; side++) {
        size_t text1 = 2 * place1 + side, text2 = 2 * place2 + side;
        int32_t size1 = one->sizes[text1], size2 = two->sizes[text2];
        double needed = threshold * (size1 + size2) / 2 - SLACK;
        const uint64_t *bits1 = one->signatures + 2 * text1, *bits2 = two->signatures + 2 * text2;
        uint64_t alone1[2] = {bits1[0] & ~bits2[0], bits1[1] & ~bits2[1]};
        uint64_t alone2[2] = {bits2[0] & ~bits1[0], bits2[1] & ~bits1[1]};
        if (size1 < needed || size2 < needed || size1 - count_bits(alone1) < needed ||
            size2 - count_bits(alone2) < needed)
            return 0;
    }
    return 1;
}

#define FACTOR 8 /* so many entries are marked or collected in the time in which two signatures are compared */

typedef struct {
    Block ranges, met, found;
    size_t met_count, count;
    uint32_t *seen; /* by pair of the index: the mark of the last pair that it was compared with */
} Search;

/* Marks the pairs that share a feature with a text, and collects them. */
static void mark_partners(Search *search, const Index *index, Range range, int32_t own, uint32_t mark)
{
    uint32_t *met = (uint32_t *)search->met.at, *seen = search->seen;
    size_t count = search->met_count;
    for (int64_t i = range.start; i < range.stop; i++) {
        uint32_t pair = (uint32_t)index->texts[i] / 2, before = seen[pair];
        int fits = own <= index->reach[i];
        met[count] = pair;
        count += fits & (before != mark);
        seen[pair] = fits ? mark : before;
    }
    search->met_count = count;
}

/* Collects the marked pairs that share a feature with the other text, too; their mark is raised by one. */
static void collect_marked(Search *search, const Index *index, Range range, int32_t own, uint32_t mark)
{
    uint32_t *met = (uint32_t *)search->met.at, *seen = search->seen;
    size_t count = search->met_count;
    for (int64_t i = range.start; i < range.stop; i++) {
        uint32_t pair = (uint32_t)index->texts[i] / 2;
        int fits = (own <= index->reach[i]) & (seen[pair] == mark);
        met[count] = pair;
        count += (size_t)fits;
        seen[pair] += (uint32_t)fits;
    }
    search->met_count = count;
}

/* The partners of one pair, whose entries are those from `start` to `stop`. */
static int search_pair(Search *search, const Index *index, const Queries *queries, size_t start, size_t stop,
                       double threshold)
{
    Range *ranges = search->ranges.at;
    size_t partner_counts[2] = {0, 0}, own_pair = (size_t)queries->texts[start] / 2;
    for (size_t entry = start; entry < stop; entry++) {
        ranges[entry] = partners(index, queries, entry, threshold);
        partner_counts[queries->texts[entry] % 2] += (size_t)(ranges[entry].stop - ranges[entry].start);
    }
    int side = partner_counts[1] < partner_counts[0];
    int by_both = partner_counts[!side] < FACTOR * partner_counts[side];
    if (block_reserve(&search->met, partner_counts[0] + partner_counts[1] + 1, sizeof(uint32_t)) < 0)
        return -1;
    uint32_t mark = 2 * (uint32_t)own_pair + 1;
    search->met_count = 0;
    for (size_t entry = start; entry < stop; entry++)
        if (queries->texts[entry] % 2 == side)
            mark_partners(search, index, ranges[entry], queries->pairs.sizes[queries->texts[entry]], mark);
    if (by_both) {
        search->met_count = 0;
        for (size_t entry = start; entry < stop; entry++)
            if (queries->texts[entry] % 2 != side)
                collect_marked(search, index, ranges[entry], queries->pairs.sizes[queries->texts[entry]], mark);
    }
    if (block_reserve(&search->found, search->count + search->met_count, sizeof(int64_t)) < 0)
        return -1;
    for (size_t i = 0; i < search->met_count; i++) {
        size_t pair = ((uint32_t *)search->met.at)[i];
        if (is_likely(&index->pairs, pair, &queries->pairs, own_pair, threshold))
            ((int64_t *)search->found.at)[search->count++] = (int64_t)(pair * queries->pairs.count + own_pair);
    }
    return 0;
}

static int search_all(Search *search, const Index *index, const Queries *queries, double threshold)
{
    int status = block_reserve(&search->ranges, queries->entry_count, sizeof(Range));
    for (size_t start = 0, stop = 0; start < queries->entry_count && status == 0; start = stop) {
        while (stop < queries->entry_count && queries->texts[stop] / 2 == queries->texts[start] / 2)
            stop++;
        status = search_pair(search, index, queries, start, stop, threshold);
    }
    return status;
}

static int queries_open(Queries *queries, const Arrays *arrays)
{
    size_t entries = array_length(arrays, 0, sizeof(uint64_t));
    *queries = (Queries){arrays->buffers[0].buf, arrays->buffers[1].buf, arrays->buffers[2].buf, entries, {0}};
    int sound = array_length(arrays, 1, sizeof(int32_t)) == entries &&
                array_length(arrays, 2, sizeof(int32_t)) == entries && pairs_open_at(&queries->pairs, arrays, 3) == 0;
    for (size_t i = 0; sound && i < entries; i++)
        sound = queries->texts[i] >= 0 && (size_t)queries->texts[i] / 2 < queries->pairs.count;
    return sound ? 0 : -1;
}

/* The index; of each entry its feature, text and place; of each pair two sizes and signatures; the threshold. */
PyObject *near_candidates(PyObject *module, PyObject *args)
{
    (void)module;
    static const size_t widths[] = {8, 4, 4, 4, 8};
    PyObject *capsule = PyTuple_GetItem(args, 0), *last = capsule ? PyTuple_GetItem(args, 6) : NULL;
    Index *index = last ? PyCapsule_GetPointer(capsule, CAPSULE) : NULL;
    double threshold = index ? PyFloat_AsDouble(last) : 0.0;
    PyObject *given = index && !PyErr_Occurred() ? PyTuple_GetSlice(args, 1, 6) : NULL;
    Arrays arrays;
    int status = given ? arrays_open(&arrays, given, widths, 5, 0) : -1;
    Py_XDECREF(given);
    if (status < 0)
        return NULL;
    Queries queries;
    if (!(threshold > 0 && threshold <= 1) || queries_open(&queries, &arrays) < 0)
        return refuse(&arrays, "entries need the text of a pair with two sizes and signatures, and a threshold up to 1");
    Search search = {{0}, {0}, {0}, 0, 0, calloc(index->pairs.count + 1, sizeof(uint32_t))};
    Py_BEGIN_ALLOW_THREADS
    status = search.seen ? search_all(&search, index, &queries, threshold) : -1;
    Py_END_ALLOW_THREADS
    PyObject *found =
        status < 0 ? PyErr_NoMemory()
                   : PyBytes_FromStringAndSize(search.found.at, (Py_ssize_t)(search.count * sizeof(int64_t)));
    free(search.seen);
    block_free(&search.ranges);
    block_free(&search.met);
    block_free(&search.found);
    arrays_close(&arrays);
    return found;
}
