#ifndef MYNAH_CYAML_SHIM_H
#define MYNAH_CYAML_SHIM_H

#include <yaml.h>

#endif
