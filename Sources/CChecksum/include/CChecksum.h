#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has an instruction for CRC-32C.
bool crc32c_has_instruction(void);

/// The state of a CRC-32C after further bytes, by that instruction: only where the processor has it.
uint32_t crc32c_update(uint32_t state, const uint8_t *bytes, size_t count);
