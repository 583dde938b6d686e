#ifndef MYNAH_CMALLOC_SHIM_H
#define MYNAH_CMALLOC_SHIM_H

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifdef __linux__
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#endif

/// Gives free memory back to the system, if the C library keeps any.
static inline void give_back_free_memory(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

#ifdef __linux__
static inline int mynah_is_traced(void)
{
    char line[256];
    int tracer = 0;
    FILE *const status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status) && sscanf(line, "TracerPid: %d", &tracer) != 1)
        ;
    if (status)
        fclose(status);
    return tracer != 0;
}
#endif

/// Takes the program's code out of the process's resident memory, on Linux and unless a debugger has put breakpoints
/// there: what runs again comes back from the file.
static inline void give_back_code(void)
{
#ifdef __linux__
    if (mynah_is_traced())
        return;
    const ElfW(Phdr) *const parts = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    const unsigned long count = parts ? getauxval(AT_PHNUM) : 0;
    const uintptr_t page = getauxval(AT_PAGESZ);
    uintptr_t base = 0;
    for (unsigned long i = 0; i < count; i++) {
        const ElfW(Phdr) *const part = &parts[i];
        /* This one comes first, and tells where the program is. */
        if (part->p_type == PT_PHDR)
            base = (uintptr_t)parts - part->p_vaddr;
        if (part->p_type == PT_LOAD && part->p_flags == (PF_R | PF_X) && base != 0) {
            const uintptr_t start = (base + part->p_vaddr) & ~(page - 1);
            madvise((void *)start, base + part->p_vaddr + part->p_filesz - start, MADV_DONTNEED);
        }
    }
#endif
}

#endif
