/* The checks that the files of the plugin have in common. */
#ifndef LEVEL_ZERO_CHECKS_H
#define LEVEL_ZERO_CHECKS_H

#include "level_zero.h"

#include "../checks/arguments.h"
#include "../objects/handle_checks.h"

#endif
