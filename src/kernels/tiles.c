/* Products of rows and columns in whole numbers, with the instructions that the processor has.

   VNNI multiplies unsigned by signed bytes, so columns are stored 128 higher and every sum starts at −128 times the sum
   of its row: the result is exact. Without it bytes are widened to 16 bits, where two products fit into 32 bits. */
#include "tiles.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_X86 1
#include <immintrin.h>
#define FOR_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define FOR_AVX2 __attribute__((target("avx2")))
#else
#define HAS_X86 0
#endif

static int highest = VNNI;

int tiles_limit(int level)
{
    highest = level;
    return tiles_level();
}

int tiles_level(void)
{
    int found = PLAIN;
#if HAS_X86
    if (__builtin_cpu_supports("avx2"))
        found = AVX2;
    if (found && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found = VNNI;
#endif
    return found < highest ? found : highest;
}

int tiles_open(Tiles *tiles, size_t width, size_t stride)
{
    *tiles = (Tiles){.level = tiles_level(), .width = width, .stride = stride};
    tiles->panel = aligned_alloc(64, TILE_COLUMNS * stride * sizeof(int16_t));
    tiles->wide = aligned_alloc(64, TILE_ROWS * stride * sizeof(int16_t));
    if (tiles->panel != NULL && tiles->wide != NULL)
        return 0;
    tiles_close(tiles);
    return -1;
}

void tiles_close(Tiles *tiles)
{
    free(tiles->panel);
    free(tiles->wide);
    tiles->panel = tiles->wide = NULL;
}

static int has_byte_products(const Tiles *tiles)
{
    return tiles->width == 1 && tiles->level == VNNI;
}

/* Four dimensions of each column side by side, 128 higher. */
static void pack_bytes(uint8_t *panel, const void *const *columns, size_t count, size_t stride)
{
    for (size_t c = 0; c < TILE_COLUMNS; c++) {
        const uint8_t *column = c < count ? columns[c] : NULL;
        for (size_t d = 0; d < stride; d += 4) {
            uint32_t four = 0;
            if (column != NULL)
                memcpy(&four, column + d, 4);
            four ^= 0x80808080u;
            memcpy(panel + d * TILE_COLUMNS + c * 4, &four, 4);
        }
    }
}

/* Two dimensions of each column side by side. */
static void pack_words(int16_t *panel, const void *const *columns, size_t count, size_t width, size_t stride)
{
    for (size_t c = 0; c < TILE_COLUMNS; c++)
        for (size_t d = 0; d < stride; d += 2)
            for (size_t i = 0; i < 2; i++) {
                int16_t number = 0;
                if (c < count)
                    number = width == 1 ? ((const int8_t *)columns[c])[d + i] : ((const int16_t *)columns[c])[d + i];
                panel[d * TILE_COLUMNS + c * 2 + i] = number;
            }
}

void tiles_pack(Tiles *tiles, const void *const *columns, size_t count)
{
    if (has_byte_products(tiles))
        pack_bytes(tiles->panel, columns, count, tiles->stride);
    else
        pack_words(tiles->panel, columns, count, tiles->width, tiles->stride);
}

static void product_plain(const int16_t *const *rows, const int16_t *panel, size_t stride, int32_t *out)
{
    memset(out, 0, TILE_ROWS * TILE_COLUMNS * sizeof(int32_t));
    for (size_t d = 0; d < stride; d += 2)
        for (size_t r = 0; r < TILE_ROWS; r++) {
            const int16_t *columns = panel + d * TILE_COLUMNS;
            int32_t first = rows[r][d], second = rows[r][d + 1], *sums = out + r * TILE_COLUMNS;
            for (size_t c = 0; c < TILE_COLUMNS; c++)
                sums[c] += first * columns[2 * c] + second * columns[2 * c + 1];
        }
}

static int32_t dot_plain(const int8_t *one, const int8_t *two, size_t stride)
{
    int32_t sum = 0;
    for (size_t d = 0; d < stride; d++)
        sum += one[d] * two[d];
    return sum;
}

static uint64_t reached_plain(int32_t *products, int shift, int32_t square, const int32_t *squares, int32_t threshold,
                              const int32_t *thresholds)
{
    uint64_t reached = 0;
    for (size_t c = 0; c < TILE_COLUMNS; c++) {
        int32_t score = products[c] * (1 << shift) - square - squares[c];
        products[c] = score;
        reached |= (uint64_t)(score >= threshold || score >= thresholds[c]) << c;
    }
    return reached;
}

#if HAS_X86

/* Six rows by four registers of 16 columns; accumulators are named one by one so that they stay in registers. */
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)

static FOR_VNNI int32_t row_sum(const int8_t *row, size_t stride)
{
    __m512i sum = _mm512_setzero_si512(), ones = _mm512_set1_epi8(1);
    for (size_t d = 0; d < stride; d += 64)
        sum = _mm512_dpbusd_epi32(sum, ones, _mm512_loadu_si512(row + d));
    return _mm512_reduce_add_epi32(sum);
}

static inline int32_t four_bytes(const void *at)
{
    int32_t number;
    memcpy(&number, at, 4);
    return number;
}

#define OPEN_512(r) \
    __m512i start##r = _mm512_set1_epi32(-128 * row_sum(rows[r], stride)); \
    __m512i s##r##0 = start##r, s##r##1 = start##r, s##r##2 = start##r, s##r##3 = start##r;
#define ZERO_512(r) \
    __m512i s##r##0 = _mm512_setzero_si512(), s##r##1 = s##r##0, s##r##2 = s##r##0, s##r##3 = s##r##0;
#define BYTES_512(r) \
    row = _mm512_set1_epi32(four_bytes(rows[r] + d)); \
    s##r##0 = _mm512_dpbusd_epi32(s##r##0, c0, row); \
    s##r##1 = _mm512_dpbusd_epi32(s##r##1, c1, row); \
    s##r##2 = _mm512_dpbusd_epi32(s##r##2, c2, row); \
    s##r##3 = _mm512_dpbusd_epi32(s##r##3, c3, row);
#define WORDS_512(r) \
    row = _mm512_set1_epi32(four_bytes(rows[r] + d)); \
    s##r##0 = _mm512_dpwssd_epi32(s##r##0, c0, row); \
    s##r##1 = _mm512_dpwssd_epi32(s##r##1, c1, row); \
    s##r##2 = _mm512_dpwssd_epi32(s##r##2, c2, row); \
    s##r##3 = _mm512_dpwssd_epi32(s##r##3, c3, row);
#define STORE_512(r) \
    _mm512_storeu_si512(out + r * 64, s##r##0); \
    _mm512_storeu_si512(out + r * 64 + 16, s##r##1); \
    _mm512_storeu_si512(out + r * 64 + 32, s##r##2); \
    _mm512_storeu_si512(out + r * 64 + 48, s##r##3);
#define COLUMNS_512(panel) \
    __m512i c0 = _mm512_load_si512(panel), c1 = _mm512_load_si512((const char *)(panel) + 64), \
            c2 = _mm512_load_si512((const char *)(panel) + 128), c3 = _mm512_load_si512((const char *)(panel) + 192), \
            row;

static FOR_VNNI void product_bytes(const int8_t *const *rows, const uint8_t *panel, size_t stride, int32_t *out)
{
    EACH_ROW(OPEN_512)
    for (size_t d = 0; d < stride; d += 4) {
        COLUMNS_512(panel + d * TILE_COLUMNS)
        EACH_ROW(BYTES_512)
    }
    EACH_ROW(STORE_512)
}

static FOR_VNNI void product_words(const int16_t *const *rows, const int16_t *panel, size_t stride, int32_t *out)
{
    EACH_ROW(ZERO_512)
    for (size_t d = 0; d < stride; d += 2) {
        COLUMNS_512(panel + d * TILE_COLUMNS)
        EACH_ROW(WORDS_512)
    }
    EACH_ROW(STORE_512)
}

#define ZERO_256(r) __m256i s##r##0 = _mm256_setzero_si256(), s##r##1 = s##r##0;
#define WORDS_256(r) \
    row = _mm256_set1_epi32(four_bytes(rows[r] + d)); \
    s##r##0 = _mm256_add_epi32(s##r##0, _mm256_madd_epi16(c0, row)); \
    s##r##1 = _mm256_add_epi32(s##r##1, _mm256_madd_epi16(c1, row));
#define STORE_256(r) \
    _mm256_storeu_si256((__m256i *)(out + r * 64 + quarter), s##r##0); \
    _mm256_storeu_si256((__m256i *)(out + r * 64 + quarter + 8), s##r##1);

static FOR_AVX2 void product_avx2(const int16_t *const *rows, const int16_t *panel, size_t stride, int32_t *out)
{
    for (size_t quarter = 0; quarter < TILE_COLUMNS; quarter += 16) {
        EACH_ROW(ZERO_256)
        for (size_t d = 0; d < stride; d += 2) {
            const int16_t *columns = panel + d * TILE_COLUMNS + quarter * 2;
            __m256i c0 = _mm256_load_si256((const __m256i *)columns),
                    c1 = _mm256_load_si256((const __m256i *)(columns + 16)), row;
            EACH_ROW(WORDS_256)
        }
        EACH_ROW(STORE_256)
    }
}

static FOR_VNNI uint64_t reached_512(int32_t *products, int shift, int32_t square, const int32_t *squares,
                                     int32_t threshold, const int32_t *thresholds)
{
    uint64_t reached = 0;
    __m512i own = _mm512_set1_epi32(square), least = _mm512_set1_epi32(threshold);
    __m128i by = _mm_cvtsi32_si128(shift);
    for (int c = 0; c < TILE_COLUMNS; c += 16) {
        __m512i score = _mm512_sll_epi32(_mm512_loadu_si512(products + c), by);
        score = _mm512_sub_epi32(_mm512_sub_epi32(score, own), _mm512_loadu_si512(squares + c));
        _mm512_storeu_si512(products + c, score);
        __m512i lowest = _mm512_min_epi32(least, _mm512_loadu_si512(thresholds + c));
        reached |= (uint64_t)_mm512_cmpge_epi32_mask(score, lowest) << c;
    }
    return reached;
}

static FOR_AVX2 uint64_t reached_256(int32_t *products, int shift, int32_t square, const int32_t *squares,
                                     int32_t threshold, const int32_t *thresholds)
{
    uint64_t reached = 0;
    __m256i own = _mm256_set1_epi32(square), least = _mm256_set1_epi32(threshold);
    __m128i by = _mm_cvtsi32_si128(shift);
    for (int c = 0; c < TILE_COLUMNS; c += 8) {
        __m256i score = _mm256_sll_epi32(_mm256_loadu_si256((const __m256i *)(products + c)), by);
        score = _mm256_sub_epi32(_mm256_sub_epi32(score, own), _mm256_loadu_si256((const __m256i *)(squares + c)));
        _mm256_storeu_si256((__m256i *)(products + c), score);
        __m256i lowest = _mm256_min_epi32(least, _mm256_loadu_si256((const __m256i *)(thresholds + c)));
        int below = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(lowest, score)));
        reached |= (uint64_t)(uint8_t)~below << c;
    }
    return reached;
}

static FOR_VNNI int32_t dot_vnni(const int8_t *one, const int8_t *two, size_t stride)
{
    __m512i sum = _mm512_setzero_si512(), less = sum, high = _mm512_set1_epi8((char)0x80);
    for (size_t d = 0; d < stride; d += 64) {
        __m512i row = _mm512_loadu_si512(one + d);
        sum = _mm512_dpbusd_epi32(sum, _mm512_xor_si512(_mm512_loadu_si512(two + d), high), row);
        less = _mm512_dpbusd_epi32(less, high, row);
    }
    return _mm512_reduce_add_epi32(_mm512_sub_epi32(sum, less));
}

/* In a list that falls, each slot becomes the greater of itself and of the lesser of its left neighbour and the key. */
static FOR_VNNI void insert_512(uint64_t *list, size_t slots, uint64_t key)
{
    __m512i new = _mm512_set1_epi64((long long)key);
    for (size_t at = slots; at; at -= 8) {
        __m512i here = _mm512_loadu_si512(list + at - 8);
        if (_mm512_cmpeq_epu64_mask(here, new))
            return;
        if (_mm512_cmplt_epu64_mask(here, new) != 0xff)
            break;
    }
    for (size_t at = slots; at; at -= 8) {
        __m512i here = _mm512_loadu_si512(list + at - 8);
        __m512i before = at > 8 ? _mm512_loadu_si512(list + at - 16) : _mm512_set1_epi64(-1);
        __m512i left = _mm512_alignr_epi64(here, before, 7);
        _mm512_storeu_si512(list + at - 8, _mm512_max_epu64(here, _mm512_min_epu64(left, new)));
        if (_mm512_cmplt_epu64_mask(here, new) != 0xff)
            return;
    }
}

static FOR_AVX2 int32_t dot_avx2(const int8_t *one, const int8_t *two, size_t stride)
{
    __m256i sum = _mm256_setzero_si256();
    for (size_t d = 0; d < stride; d += 16) {
        __m256i row = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(one + d)));
        __m256i column = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(two + d)));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(row, column));
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
}

#endif

static const int16_t *widened(Tiles *tiles, size_t r, const void *row)
{
    int16_t *wide = tiles->wide + r * tiles->stride;
    for (size_t d = 0; d < tiles->stride; d++)
        wide[d] = ((const int8_t *)row)[d];
    return wide;
}

void tiles_product(Tiles *tiles, const void *const *rows, int32_t *out)
{
#if HAS_X86
    if (has_byte_products(tiles)) {
        product_bytes((const int8_t *const *)rows, tiles->panel, tiles->stride, out);
        return;
    }
#endif
    const int16_t *words[TILE_ROWS];
    for (size_t r = 0; r < TILE_ROWS; r++)
        words[r] = tiles->width == 1 ? widened(tiles, r, rows[r]) : rows[r];
#if HAS_X86
    if (tiles->level == VNNI) {
        product_words(words, tiles->panel, tiles->stride, out);
        return;
    }
    if (tiles->level == AVX2) {
        product_avx2(words, tiles->panel, tiles->stride, out);
        return;
    }
#endif
    product_plain(words, tiles->panel, tiles->stride, out);
}

uint64_t tiles_reached(const Tiles *tiles, int32_t *products, int shift, int32_t square, const int32_t *squares,
                       int32_t threshold, const int32_t *thresholds)
{
#if HAS_X86
    if (tiles->level == VNNI)
        return reached_512(products, shift, square, squares, threshold, thresholds);
    if (tiles->level == AVX2)
        return reached_256(products, shift, square, squares, threshold, thresholds);
#endif
    (void)tiles;
    return reached_plain(products, shift, square, squares, threshold, thresholds);
}

int32_t tiles_dot(int level, const int8_t *one, const int8_t *two, size_t stride)
{
#if HAS_X86
    if (level == VNNI)
        return dot_vnni(one, two, stride);
    if (level == AVX2)
        return dot_avx2(one, two, stride);
#endif
    (void)level;
    return dot_plain(one, two, stride);
}

void tiles_insert(uint64_t *list, size_t slots, uint64_t key)
{
#if HAS_X86
    insert_512(list, slots, key);
#else
    (void)list, (void)slots, (void)key;
#endif
}
