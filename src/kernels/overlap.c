/* Clipped matches (BLEU, chrF) and shared distinct n-grams (Jaccard, overlap, PINC) of two sequences. */
#include "overlap.h"

static void count_first(GramTable table, Sequence *sequence, uint32_t order)
{
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place;
        gram_add(table, gram_key(&table, sequence, window, order), IN_FIRST, &place);
        kept = keep_window(sequence, kept, window, order, place);
    }
    sequence->windows = kept;
}

/* Each match uses up one n-gram of the first; a window that the first does not have cannot match in later orders. */
static int64_t match_second(GramTable table, Sequence *sequence, uint32_t order)
{
    int64_t matches = 0;
    size_t kept = 0, windows = sequence->windows;
    for (size_t window = 0; window < windows; window++) {
        uint32_t place = gram_find(&table, gram_key(&table, sequence, window, order));
        if (place == NO_GRAM)
            continue;
        uint64_t counts = table.slots[place].counts;
        matches += second_count(counts) < first_count(counts);
        table.slots[place].counts = counts + IN_SECOND;
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
    sequence_whole(one);
    sequence_whole(two);
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

/* Where an n-gram occurs in the first is a set of bits: those where its first symbol occurs, and one place further its
   second, and so on. Each match uses up the first of these places that is left. */
void clipped_short(uint64_t *places, const Sequence *one, const Sequence *two, uint32_t orders, int64_t *out)
{
    uint64_t used[MOST_SHORT_ORDERS] = {0};
    for (size_t i = 0; i < one->count; i++)
        places[one->symbols[i]] |= UINT64_C(1) << i;
    for (uint32_t order = 1; order <= orders; order++) {
        out[3 * order - 3] = windows_of(one, order);
        out[3 * order - 2] = windows_of(two, order);
        out[3 * order - 1] = 0;
    }
    for (size_t start = 0; start < two->count; start++) {
        uint64_t found = ~UINT64_C(0);
        size_t most = two->count - start < orders ? two->count - start : orders;
        for (size_t i = 0; i < most; i++) {
            found &= places[two->symbols[start + i]] >> i;
            uint64_t left = found & ~used[i];
            out[3 * i + 2] += left != 0;
            used[i] |= left & (~left + 1);
        }
    }
}

int distinct_grams(GramTable *memory, Sequence *one, Sequence *two, Span span, int64_t *out)
{
    sequence_whole(one);
    sequence_whole(two);
    for (uint32_t order = 1; order <= span.orders; order++, out += 3) {
        if (grams_begin(memory, one->windows + two->windows, span.key_bits) < 0)
            return -1;
        GramTable table = *memory;
        int64_t of_one = 0, of_two = 0, of_both = 0;
        uint32_t place;
        size_t kept = 0, windows = one->windows;
        for (size_t window = 0; window < windows; window++) {
            of_one += gram_add(table, gram_key(&table, one, window, order), IN_FIRST, &place) == 0;
            kept = keep_window(one, kept, window, order, place);
        }
        one->windows = kept;
        windows = two->windows;
        kept = 0;
        for (size_t window = 0; window < windows; window++) {
            uint64_t counts = gram_add(table, gram_key(&table, two, window, order), IN_SECOND, &place);
            of_two += second_count(counts) == 0;
            of_both += second_count(counts) == 0 && first_count(counts);
            kept = keep_window(two, kept, window, order, place);
        }
        two->windows = kept;
        out[0] = of_one;
        out[1] = of_two;
        out[2] = of_both;
    }
    return 0;
}
