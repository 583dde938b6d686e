#include "cnats.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#if __has_include(<nats/nats.h>)
#include <nats/nats.h>
#define CHECK(result, name, parameters)                                                                                \
    _Static_assert(                                                                                                    \
        __builtin_types_compatible_p(__typeof__(&name), result(*) parameters), #name " is declared otherwise");
MYNAH_NATS_FUNCTIONS(CHECK)
_Static_assert(NATS_OK == 0, "success is another number");
#endif

// Debian's names come first, of the version that is tried most.
static const char *const names[] = {
    "libnats.so.3.4", "libnats.so.3.10", "libnats.so.3.9", "libnats.so.3.8",  "libnats.so.3.7", "libnats.so.3.6",
    "libnats.so.3.5", "libnats.so.3.11", "libnats.so.3.12", "libnats.so", "libnats.dylib",
};

static mynah_nats_functions functions;

const mynah_nats_functions *mynah_nats(void) { return &functions; }

const char *mynah_nats_open(void) {
    static char problem[512];
    void *library = NULL;
    for (size_t index = 0; library == NULL && index < sizeof(names) / sizeof(*names); ++index) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (library == NULL && index == 0) {
            const char *reason = dlerror();
            snprintf(problem, sizeof(problem), "%s", reason == NULL ? "it can't be opened" : reason);
        }
    }
    if (library == NULL) return problem;
#define LOAD(result, name, parameters)                                                                                 \
    {                                                                                                                  \
        void *function = dlsym(library, #name);                                                                        \
        if (function == NULL) return "it has no function " #name;                                                      \
        memcpy(&functions.name, &function, sizeof(function));                                                         \
    }
    MYNAH_NATS_FUNCTIONS(LOAD)
    return NULL;
}
