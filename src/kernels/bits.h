/* Eight bytes at once: which of them have a property, as bits. */
#ifndef OTHERWORDS_BITS_H
#define OTHERWORDS_BITS_H

#include <stddef.h>
#include <stdint.h>

#define ONES UINT64_C(0x0101010101010101)
#define TOPS UINT64_C(0x8080808080808080) /* the highest bit of every byte */

/* The first byte is the lowest; compilers make one load of it. */
static inline uint64_t load_eight(const unsigned char *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* In the following, the top of a byte is set if it has the property. */
static inline uint64_t equal_to(uint64_t eight, uint8_t byte)
{
    eight ^= byte * ONES;
    return ~(((eight & ~TOPS) + ~TOPS) | eight) & TOPS;
}

static inline uint64_t not_ascii(uint64_t eight)
{
    return eight & TOPS;
}

/* First bytes of characters of three or four bytes. */
static inline uint64_t begins_wide(uint64_t eight)
{
    return eight & eight << 1 & eight << 2 & TOPS;
}

static inline uint64_t ascii_letters(uint64_t eight)
{
    uint64_t lower = (eight | 0x20 * ONES) & ~TOPS;
    return (lower + (0x80 - 'a') * ONES) & ~(lower + (0x80 - 'z' - 1) * ONES) & ~eight & TOPS;
}

/* The tops of eight bytes as eight bits. */
static inline uint64_t gather(uint64_t tops)
{
    return (tops >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

static inline unsigned lowest_bit(uint64_t bits)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(bits);
#else
    unsigned number = 0;
    while (!(bits >> number & 1))
        number++;
    return number;
#endif
}

/* Finds bytes of interest in a text that may be read 64 bytes beyond its end. */
typedef struct {
    const unsigned char *base;
    uint64_t bits; /* of the 64 bytes from there on */
} Scanner;

/* The first of the bytes from `at` on that `among` has a bit for, or `end`. */
static inline const unsigned char *scan(Scanner *scanner, const unsigned char *at, const unsigned char *end,
                                        uint64_t (*among)(const unsigned char *))
{
    while (at < end) {
        if (scanner->base == NULL || at - scanner->base >= 64) {
            scanner->base = at;
            scanner->bits = among(at);
        }
        uint64_t bits = scanner->bits >> (at - scanner->base);
        if (bits) {
            at += lowest_bit(bits);
            return at < end ? at : end;
        }
        at = scanner->base + 64;
    }
    return end;
}

#endif
