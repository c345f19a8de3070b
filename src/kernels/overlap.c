/* Clipped matches (BLEU, chrF) and shared distinct n-grams (Jaccard, overlap, PINC) of two sequences. */
#include "overlap.h"

static void count_first(GramTable *table, Sequence *sequence, uint32_t order)
{
    size_t kept = 0;
    for (size_t window = 0; window < sequence->windows; window++) {
        uint32_t gram = gram_place(table, gram_key(table, sequence, window, order));
        table->slots[gram].one++;
        kept = keep_window(sequence, kept, window, order, gram);
    }
    sequence->windows = kept;
}

/* Each match uses up one of the first's; a window that the first does not have at all cannot match later. */
static int64_t match_second(GramTable *table, Sequence *sequence, uint32_t order)
{
    int64_t matches = 0;
    size_t kept = 0;
    for (size_t window = 0; window < sequence->windows; window++) {
        uint32_t gram = gram_find(table, gram_key(table, sequence, window, order));
        if (gram == NO_GRAM)
            continue;
        Gram *found = table->slots + gram;
        matches += found->two < found->one;
        found->two++;
        kept = keep_window(sequence, kept, window, order, gram);
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
        count_first(table, one, order);
        out[2] = match_second(table, two, order);
    }
    return 0;
}

int distinct_grams(GramTable *table, Sequence *one, Sequence *two, Span span, int64_t *out)
{
    for (uint32_t order = 1; order <= span.orders; order++, out += 3) {
        if (grams_begin(table, one->windows + two->windows, span.key_bits) < 0)
            return -1;
        out[0] = out[1] = out[2] = 0;
        size_t kept = 0;
        for (size_t window = 0; window < one->windows; window++) {
            uint32_t gram = gram_place(table, gram_key(table, one, window, order));
            out[0] += table->slots[gram].one++ == 0;
            kept = keep_window(one, kept, window, order, gram);
        }
        one->windows = kept;
        kept = 0;
        for (size_t window = 0; window < two->windows; window++) {
            uint32_t gram = gram_place(table, gram_key(table, two, window, order));
            int first = table->slots[gram].two++ == 0;
            out[1] += first;
            out[2] += first && table->slots[gram].one;
            kept = keep_window(two, kept, window, order, gram);
        }
        two->windows = kept;
    }
    return 0;
}
