#ifndef MYNAH_CMALLOC_SHIM_H
#define MYNAH_CMALLOC_SHIM_H

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// Gives free memory back to the system, if the C library keeps any.
static inline void give_back_free_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#endif
