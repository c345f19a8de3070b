/* Products of a few rows with 64 columns, in whole numbers: the inner loop of the search for neighbours.

   Rows hold bytes or 16-bit numbers, padded with zeros to `stride` elements, a multiple of 64. The columns are packed
   into a panel. Which instructions are used is decided at run time; all give the same integers. */
#ifndef OTHERWORDS_TILES_H
#define OTHERWORDS_TILES_H

#include <stddef.h>
#include <stdint.h>

#define TILE_ROWS 6
#define TILE_COLUMNS 64
#define STRIDE_UNIT 64

enum { PLAIN = 0, AVX2 = 1, VNNI = 2 };

/* The best that this processor has, or what tests ask for. */
int tiles_level(void);
int tiles_limit(int level);

typedef struct {
    int level;
    size_t width, stride; /* bytes of a number, numbers of a row */
    void *panel;          /* the packed columns */
    int16_t *wide;        /* rows of bytes as 16-bit numbers, where the processor has no products of bytes */
} Tiles;

int tiles_open(Tiles *tiles, size_t width, size_t stride);
void tiles_close(Tiles *tiles);

/* Packs up to 64 columns, each a row of a matrix. */
void tiles_pack(Tiles *tiles, const void *const *columns, size_t count);

/* out[r * 64 + c] = rows[r] · column c, for six rows. */
void tiles_product(Tiles *tiles, const void *const *rows, int32_t *out);

/* Which of 64 scores reach the threshold of the row or that of their column. A score is the product, doubled if
   `shift` is 1, less both squares; scores take the place of the products. */
uint64_t tiles_reached(const Tiles *tiles, int32_t *products, int shift, int32_t square, const int32_t *squares,
                       int32_t threshold, const int32_t *thresholds);

/* The product of two rows of bytes. */
int32_t tiles_dot(int level, const int8_t *one, const int8_t *two, size_t stride);

/* As list_insert of nearest.h, for a number of slots divisible by 8; only where the level is VNNI. */
void tiles_insert(uint64_t *list, size_t slots, uint64_t key);

#endif
