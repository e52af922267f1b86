/* Ids of constants whose scalars are set one by one. */
#ifndef COMPILER_PASSES_LEAF_IDS_H
#define COMPILER_PASSES_LEAF_IDS_H

#include "spec_constants.h"

/*
 * Gives the recorded constants consecutive ranges of ids from first on and consecutive positions,
 * and completes their descriptors. LIMIT: ids or positions exceed 32 bits.
 */
specpi_compiler_result leaf_ids_assign(pass *p, uint64_t first);

#endif
