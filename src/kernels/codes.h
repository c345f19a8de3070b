/* Texts in 8-bit codes, one for every different character.

   A character gets the next code when it is first seen and keeps it for the rows that follow, so that most texts are
   translated by one table, eight bytes at a time. When no code is left, all are taken back. Characters that become the
   same when folded share a code. */
#ifndef OTHERWORDS_CODES_H
#define OTHERWORDS_CODES_H

#include "padded.h"

#define CODES 256

enum { NO_CODE, BLANK_CODE }; /* of characters that have none yet, and of white space */

typedef struct {
    uint8_t *codes;         /* by code point */
    uint32_t symbols[CODES]; /* by code: the folded character */
    unsigned given;          /* how many codes are in use, with NO_CODE */
    Block points;            /* which code points have one */
    size_t pointed;
    Folding folding;
} Alphabet;

/* Result of reading a text, besides READ and NEEDS_CONTEXT: a pair has more characters than there are codes, or a text
   is too long. */
enum { NOT_PACKED = 2 };

/* Writes a byte for every character, from a table by code point, and returns the end: they are at most as many as the
   bytes of the text. */
unsigned char *translate(const uint8_t *table, Text text, unsigned char *out);

/* Writes the codes of a text, which are at most as many as its bytes, and returns where they end in `end`. */
int codes_write(Alphabet *alphabet, Text text, unsigned char *codes, unsigned char **end);

/* Takes all codes back. */
int alphabet_begin(Alphabet *alphabet);
void alphabet_free(Alphabet *alphabet);

#endif
