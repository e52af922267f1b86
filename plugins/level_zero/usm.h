/* Unified shared memory for internal use by the plugin. */
#ifndef LEVEL_ZERO_USM_H
#define LEVEL_ZERO_USM_H

#include "../objects/usm.h"
#include "context.h"

/* The parameters of an allocation, as those of driver_usm_allocate. */
typedef struct usm_request {
  pi_context context;
  pi_device device; /* NULL: host memory, or shared memory of no device */
  pi_usm_type type;
  unsigned flags; /* bits of PI_MEM_ALLOC_FLAGS */
  size_t size;
  pi_uint32 alignment;
} usm_request;

/*
 * Allocates memory from the driver, to be freed by zeMemFree. If the driver is short of memory, the
 * idle blocks of the context's pools go back to it first; the caller holds no lock of a queue.
 * Device memory is resident on all devices of the context that reach it. PI_ERROR_OUT_OF_RESOURCES:
 * there is too little memory; or the code for another failure of the driver.
 */
pi_result usm_take(const usm_request *request, void **ret);

/* Returns whether the request has flags that change the allocation. */
bool usm_has_flags(const usm_request *request);

/* Returns the bytes of a device's largest allocation without a relaxed limit; NULL: of all
 * devices. */
size_t usm_largest(pi_context context, pi_device device);

#endif
