/* Memory that grows and is reused for the next row. Every kernel runs with the GIL released, so this is
   plain malloc; a failure is passed up as -1 and becomes a MemoryError. */
#ifndef OTHERWORDS_MEMORY_H
#define OTHERWORDS_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* PREFETCH asks for memory that will be needed soon. OPAQUE hides where a number comes from, so that the compiler does
   not turn arithmetic on it into a branch. */
#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#define OPAQUE(number) __asm__("" : "+r"(number))
#else
#define PREFETCH(address) (void)(address)
#define OPAQUE(number) (void)(number)
#endif

typedef struct {
    void *at;
    size_t size;
} Block;

/* Makes room for `count` elements of `width` bytes; the content stays. */
static inline int block_reserve(Block *block, size_t count, size_t width)
{
    if (count > (size_t)-1 / 2 / width)
        return -1;
    size_t wanted = count * width;
    if (wanted <= block->size)
        return 0;
    wanted += wanted / 2 + 64;
    void *grown = realloc(block->at, wanted);
    if (grown == NULL)
        return -1;
    block->at = grown;
    block->size = wanted;
    return 0;
}

static inline void block_free(Block *block)
{
    free(block->at);
    block->at = NULL;
    block->size = 0;
}

#endif
