#ifndef MYNAH_CLIBYAML_SHIM_H
#define MYNAH_CLIBYAML_SHIM_H

#include <yaml.h>

#endif
