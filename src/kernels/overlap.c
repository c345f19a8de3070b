/* Clipped matches (BLEU, chrF) and shared distinct n-grams (Jaccard, overlap, PINC) of two sequences. */
#include "overlap.h"

static void count_first(GramTable table, Sequence *sequence, uint32_t order)
{
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place;
        gram_add(table, gram_key(&table, sequence, window, order), FIRST, &place);
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
}

/* Each match uses up one of the first's; a window that the first does not have at all cannot match later. */
static int64_t match_second(GramTable table, Sequence *sequence, uint32_t order)
{
    int64_t matches = 0;
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place = gram_find(&table, gram_key(&table, sequence, window, order));
        if (place == NO_GRAM)
            continue;
        uint64_t counts = table.slots[place].counts;
        matches += count_in(counts, SECOND) < count_in(counts, FIRST);
        table.slots[place].counts = counts + (UINT64_C(1) << SECOND);
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
    return matches;
}

static int64_t windows_of(const Sequence *sequence, uint32_t order)
{
    return sequence->count < order ? 0 : (int64_t)(sequence->count - order + 1);
}

int clipped_matches(GramTable *table, Sequence *one, Sequence *two, Span span, int64_t *out)
{
    for (uint32_t order = 1; order <= span.orders; order++, out += 3) {
        if (grams_begin(table, one->windows, span.key_bits) < 0)
            return -1;
        out[0] = windows_of(one, order);
        out[1] = windows_of(two, order);
        count_first(*table, one, order);
        out[2] = match_second(*table, two, order);
    }
    return 0;
}

/* Counts the windows of one side; gives how many are distinct, and of these how many the first side has. */
static int64_t distinct_in(GramTable table, Sequence *sequence, uint32_t order, int side, int64_t *shared)
{
    int64_t distinct = 0, in_first = 0;
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place;
        uint64_t counts = gram_add(table, gram_key(&table, sequence, window, order), side, &place);
        int first_time = count_in(counts, side) == 0;
        distinct += first_time;
        in_first += first_time && count_in(counts, FIRST);
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
    *shared = in_first;
    return distinct;
}

int distinct_grams(GramTable *table, Sequence *one, Sequence *two, Span span, int64_t *out)
{
    for (uint32_t order = 1; order <= span.orders; order++, out += 3) {
        if (grams_begin(table, one->windows + two->windows, span.key_bits) < 0)
            return -1;
        out[0] = distinct_in(*table, one, order, FIRST, out + 2);
        out[1] = distinct_in(*table, two, order, SECOND, out + 2);
    }
    return 0;
}
