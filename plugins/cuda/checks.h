/* Includes the checks that many files of the plugin use. */
#ifndef CUDA_CHECKS_H
#define CUDA_CHECKS_H

#include "cuda.h"

#include "../checks/arguments.h"
#include "../objects/handle_checks.h"

#endif
