/* The types of specialization constants from SPIR-V, because device images do not record them. */
#ifndef SPECPI_SCALAR_TYPES_H
#define SPECPI_SCALAR_TYPES_H

#include <stddef.h>
#include <stdint.h>

typedef struct scalar_types scalar_types;

/*
 * Reads a SPIR-V module. It stops at the first place that it cannot parse; types found before
 * count. NULL when host memory is exhausted.
 */
scalar_types *scalar_types_read(const void *module, size_t size);

/* NULL is allowed. */
void scalar_types_free(scalar_types *types);

/*
 * The type of the constant with a SpecId: "bool", "i8" to "i64", "f16" to "f64". NULL if the module
 * has no constant with that id, if it is of another type, and if types is NULL.
 */
const char *scalar_types_find(const scalar_types *types, uint32_t id);

#endif
