/* Statistics of the n-grams that two sequences share. */
#ifndef OTHERWORDS_OVERLAP_H
#define OTHERWORDS_OVERLAP_H

#include "grams.h"

/* The highest order, and how many bits the keys need. */
typedef struct {
    uint32_t orders;
    unsigned key_bits;
} Span;

/* For each order 1 … `orders`: n-grams of the first, of the second, and the matches clipped to the first's
   counts. Three numbers per order. */
int clipped_matches(GramTable *table, Sequence *one, Sequence *two, Span span, int64_t *out);

/* The same for a first of at most SHORT symbols and few orders; `places` has a zero for every symbol. */
#define SHORT 64
#define MOST_SHORT_ORDERS 8
void clipped_short(uint64_t *places, const Sequence *one, const Sequence *two, uint32_t orders, int64_t *out);

/* For each order 1 … `orders`: distinct n-grams of the first, of the second, of both. */
int distinct_grams(GramTable *table, Sequence *one, Sequence *two, Span span, int64_t *out);

#endif
