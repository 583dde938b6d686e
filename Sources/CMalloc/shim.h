#ifndef MYNAH_CMALLOC_SHIM_H
#define MYNAH_CMALLOC_SHIM_H

#include <malloc.h>

#endif
