/* Large pages, where there are any. */
#define _DEFAULT_SOURCE
#include "memory.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#define PAGE 4096
#define LARGE_PAGE (2u << 20)

void memory_is_scattered(void *at, size_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size < 2 * LARGE_PAGE)
        return;
    uintptr_t start = ((uintptr_t)at + PAGE - 1) / PAGE * PAGE, end = ((uintptr_t)at + size) / PAGE * PAGE;
    (void)madvise((void *)start, end - start, MADV_HUGEPAGE); /* a wish: nothing depends on it */
#else
    (void)at;
    (void)size;
#endif
}
