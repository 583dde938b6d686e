// Foundation, which Yams needs, brings along ICU and 30 MB of what the world's languages call their days and monies.
// Nothing here writes a date, a number or a sentence for a language. A release build, which has Foundation's archives
// linked in, gets an ICU package without items in their place, by the same name: the linker takes the first that it
// sees and leaves the archive's member out. (ICU's own "stubdata" does this for its users.) With Foundation as a shared
// library nothing would be won, so there the target is empty.
#ifdef MYNAH_WITHOUT_LOCALE_DATA

#include <stdint.h>

// The layout is ICU's DataHeader (ucmndata.h) and its table of contents, format "ToCP".
struct EmptyPackage {
    uint16_t headerSize;
    uint8_t magic1, magic2;
    uint16_t infoSize, reservedWord;
    uint8_t isBigEndian, charsetFamily, sizeofUChar, reservedByte;
    uint8_t dataFormat[4], formatVersion[4], dataVersion[4];
    uint8_t padding[8];
    uint32_t count, reserved;
    int32_t itemsThatAreNotThere[4];
};

#define EMPTY_PACKAGE                                                                                                  \
    {                                                                                                                  \
        .headerSize = 32, .magic1 = 0xda, .magic2 = 0x27, .infoSize = 20, .sizeofUChar = 2,                            \
        .isBigEndian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, .dataFormat = {'T', 'o', 'C', 'P'},                     \
        .formatVersion = {1},                                                                                          \
    }

// The number is ICU's version; each release of Swift refers to one of them.
const _Alignas(16) struct EmptyPackage icudt74_dat = EMPTY_PACKAGE;
const _Alignas(16) struct EmptyPackage icudt76_dat = EMPTY_PACKAGE;
const _Alignas(16) struct EmptyPackage icudt77_dat = EMPTY_PACKAGE;
const _Alignas(16) struct EmptyPackage icudt78_dat = EMPTY_PACKAGE;

#endif
