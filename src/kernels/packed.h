/* Counting character n-grams of up to four characters within the words of a pair.

   Four characters of 8 bits (codes.h) make one exact key; with 16 bits for the count in each text it is one number,
   so that the table of a pair fits into the fastest memory. N-grams do not cross words, so a word is read once however
   often the two texts have it. */
#ifndef OTHERWORDS_PACKED_H
#define OTHERWORDS_PACKED_H

#include "codes.h"

#define MOST_PACKED 4

typedef struct {
    uint64_t low, high;     /* the first 16 codes of a word */
    uint32_t start, length; /* in the codes of the pair */
    uint32_t added;         /* count in the first text and, shifted by 16 bits, in the second */
    uint32_t stamp;         /* an older one than that of the current pair: the place is empty */
} PackedWord;

typedef struct {
    Alphabet alphabet;
    Block codes;  /* of both texts, with a blank before and after each */
    Block ends;   /* of the words */
    Block used;   /* places of the distinct words */
    PackedWord *words;
    size_t word_capacity;
    uint32_t stamp;
    uint64_t *grams; /* key, count in the second text, count in the first; 0: the place is empty */
    size_t gram_capacity;
    Orders orders;
} Packed;

/* Dot product and squared norms. */
typedef struct {
    int64_t dot, square1, square2;
} Sums;

/* READ, NEEDS_CONTEXT, NOT_PACKED or -1. The folding is in the alphabet, the orders are at most MOST_PACKED. */
int packed_sums(Packed *packed, Text one, Text two, Sums *sums);
void packed_free(Packed *packed);

#endif
