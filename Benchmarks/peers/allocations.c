/* Counts heap allocations of a program it is preloaded into (`causeway bench codec`): every malloc, calloc, realloc and aligned
   allocation, on whatever thread. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ulong count;

unsigned long causeway_allocations(void) { return atomic_load(&count); }

void *malloc(size_t size) { atomic_fetch_add(&count, 1); return __libc_malloc(size); }
void *calloc(size_t n, size_t size) { atomic_fetch_add(&count, 1); return __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { atomic_fetch_add(&count, 1); return __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { atomic_fetch_add(&count, 1); return __libc_memalign(alignment, size); }
void *memalign(size_t alignment, size_t size) { atomic_fetch_add(&count, 1); return __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    atomic_fetch_add(&count, 1);
    void *made = __libc_memalign(alignment, size);
    if (!made) return 12; /* ENOMEM */
    *result = made;
    return 0;
}
