/* Functions of the cases about USM that one backend's own cases use too. */
#ifndef SPECPI_TEST_PLUGINS_USM_H
#define SPECPI_TEST_PLUGINS_USM_H

#include "world.h"

/* PLAIN is the process's own memory. */
typedef enum kind { HOST, DEVICE, SHARED, PLAIN, KINDS } kind;

extern pi_usm_mem_properties none[];

pi_result try_alloc(kind kind, pi_usm_mem_properties *properties, size_t size, pi_uint32 alignment,
                    void **ret);
unsigned char *new_memory(kind kind, size_t size);
void free_memory(kind kind, void *memory);

/* Queries the plugin about a pointer in w.context; expect_info asks all four questions. */
pi_result info(const void *pointer, pi_mem_alloc_info query, size_t size, void *value);
void expect_info(const void *pointer, pi_uint32 type, const void *base, size_t size,
                 pi_device device);

#endif
