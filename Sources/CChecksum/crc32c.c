#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define ADD_BYTE(state, byte) _mm_crc32_u8(state, byte)
#define ADD_WORD(state, word) (uint32_t) _mm_crc32_u64(state, word)
#elif defined(__aarch64__)
#include <arm_acle.h>
#if defined(__ARM_FEATURE_CRC32)
#define WITH_INSTRUCTION
#else
#define WITH_INSTRUCTION __attribute__((target("crc")))
#endif
#define ADD_BYTE(state, byte) __crc32cb(state, byte)
#define ADD_WORD(state, word) __crc32cd(state, word)
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#endif

bool crc32c_has_instruction(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("sse4.2");
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
    return true;
#elif defined(__aarch64__) && defined(__linux__)
    // HWCAP_CRC32 of the kernel's <asm/hwcap.h>, which not every C library brings along.
    return (getauxval(AT_HWCAP) & (1 << 7)) != 0;
#else
    return false;
#endif
}

#ifdef WITH_INSTRUCTION
WITH_INSTRUCTION
uint32_t crc32c_update(uint32_t state, const uint8_t *bytes, size_t count)
{
    for (; count >= sizeof(uint64_t); count -= sizeof(uint64_t), bytes += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, bytes, sizeof(word));
        state = ADD_WORD(state, word);
    }
    for (; count > 0; count--, bytes++) {
        state = ADD_BYTE(state, *bytes);
    }
    return state;
}
#else
uint32_t crc32c_update(uint32_t state, const uint8_t *bytes, size_t count)
{
    // Nobody may call it here.
    (void)state;
    (void)bytes;
    (void)count;
    __builtin_trap();
}
#endif
