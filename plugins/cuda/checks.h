/* The checks that the files of the plugin have in common. */
#ifndef CUDA_CHECKS_H
#define CUDA_CHECKS_H

#include "cuda.h"

#include "../checks/arguments.h"
#include "../objects/handle_checks.h"

#endif
