/* Includes the checks that the plugin's files share. */
#ifndef LEVEL_ZERO_CHECKS_H
#define LEVEL_ZERO_CHECKS_H

#include "level_zero.h"

#include "../checks/arguments.h"
#include "../objects/handle_checks.h"

#endif
