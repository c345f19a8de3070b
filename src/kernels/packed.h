/* Counting character n-grams of up to four characters within words, as 64-bit numbers.

   Four characters of 16 bits make one exact key. Characters outside the Basic Multilingual Plane, and NUL, which
   would look empty, borrow the codes of the surrogates, which no text has; a pair with more of them than RARE is
   left to grams.h. Keys are cleared one by one when they are summed, so that every row starts with an empty table. */
#ifndef OTHERWORDS_PACKED_H
#define OTHERWORDS_PACKED_H

#include "padded.h"
#include "tokenise.h"

#define MOST_PACKED 4
#define RARE 64

typedef struct {
    uint64_t key;    /* 0: the place is empty */
    uint64_t counts; /* in the first text and, shifted by 32 bits, in the second */
} PackedGram;

typedef struct {
    PackedGram *slots;
    size_t capacity;
    uint32_t mask;
    unsigned shift;
    uint32_t *places; /* of the used places in the table */
    size_t listed, most;
    Block place_memory, code_memory;
    uint32_t rare[RARE]; /* characters with borrowed codes */
    unsigned rares;
    Folding folding;
    Orders orders;
} Packed;

/* Result of adding a word, besides READ and NEEDS_CONTEXT. */
enum { NOT_PACKED = 2 };

/* Dot product and squared norms. */
typedef struct {
    int64_t dot, square1, square2;
} Sums;

/* An empty table for padded words of `characters` characters in total. */
int packed_begin(Packed *packed, size_t characters, Orders orders);
int packed_word(Packed *packed, Token word, uint64_t added);
Sums packed_sums(Packed *packed);
void packed_free(Packed *packed);

#endif
