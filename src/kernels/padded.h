/* Character n-grams within words, each word with a blank before and after it (scikit-learn's char_wb). */
#ifndef OTHERWORDS_PADDED_H
#define OTHERWORDS_PADDED_H

#include "grams.h"
#include "rows.h"
#include "unicode.h"

/* Which n-grams count: those of `shortest` … `longest` characters, and a padded word that is shorter than
   `shortest`, once and whole. */
typedef struct {
    uint32_t shortest, longest;
} Orders;

/* What each code point becomes: its lower case or itself, a blank for white space, or CONTEXT where one
   character is not enough and the whole text has to go through str.lower(). */
typedef const uint32_t *Folding;
#define CONTEXT UINT32_MAX

enum { READ = 0, NEEDS_CONTEXT = 1 }; /* or -1: no memory */

/* Adds a word, without white space, to a sequence with room for its characters and two blanks. */
int padded_word(Sequence *sequence, Text word, Folding folding);
int orders_check(int shortest, int longest);
int folding_open(Py_buffer *buffer, PyObject *table);

/* Whether the window, of `order` characters, is to be counted at this order. */
static inline int is_counted(const Sequence *sequence, size_t window, uint32_t order, Orders orders)
{
    uint32_t start = sequence->start[window];
    return order >= orders.shortest ||
           (order > 1 && sequence->symbols[start] == ' ' && sequence->room[start] == order);
}

#endif
