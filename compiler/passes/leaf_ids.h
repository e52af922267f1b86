/* The ids of constants whose scalars are set one by one. */
#ifndef COMPILER_PASSES_LEAF_IDS_H
#define COMPILER_PASSES_LEAF_IDS_H

#include "spec_constants.h"

/*
 * Gives the recorded constants consecutive ranges of ids from first on, and positions one after
 * the other, and makes their descriptors final. LIMIT: there are no more of 32 bits.
 */
specpi_compiler_result leaf_ids_assign(pass *p, uint64_t first);

#endif
