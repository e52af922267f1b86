/* A live object of each kind, and the parameters of functions, for tests that call all of them. */
#ifndef TEST_UR_OBJECTS_H
#define TEST_UR_OBJECTS_H

#include "world.h"

/* X(type, noun, retain): a handle type, the noun of its KIND_, the function that retains it. */
#define OBJECTS(X)                                                                                 \
  X(ur_adapter_handle_t, adapter, urAdapterRetain)                                                 \
  X(ur_platform_handle_t, platform, NULL)                                                          \
  X(ur_device_handle_t, device, urDeviceRetain)                                                    \
  X(ur_context_handle_t, context, urContextRetain)                                                 \
  X(ur_queue_handle_t, queue, urQueueRetain)                                                       \
  X(ur_event_handle_t, event, urEventRetain)                                                       \
  X(ur_mem_handle_t, mem, urMemRetain)                                                             \
  X(ur_program_handle_t, program, urProgramRetain)                                                 \
  X(ur_kernel_handle_t, kernel, urKernelRetain)                                                    \
  X(ur_sampler_handle_t, sampler, urSamplerRetain)                                                 \
  X(ur_exp_command_buffer_handle_t, command_buffer, urCommandBufferRetainExp)                      \
  X(ur_usm_pool_handle_t, pool, urUSMPoolRetain)                                                   \
  X(ur_physical_mem_handle_t, physical_mem, urPhysicalMemRetain)

typedef enum object_kind {
#define OBJECT(type, noun, retain) KIND_##noun,
  OBJECTS(OBJECT)
#undef OBJECT
      KIND_COUNT
} object_kind;

/* Creates one object of each kind; NULL if the adapter does not support the kind. */
void objects_make(void *ret[KIND_COUNT]);

/* Retains each object, so that it survives a function that releases it. */
void objects_retain(void *const objects[KIND_COUNT]);

/* A parameter of a function. */
typedef struct parameter {
  int words; /* 3 for a structure that is passed by value, else 1 */
  int kind;  /* of a handle; KIND_COUNT for other parameters */
} parameter;

enum { PARAMETERS = 32 };

/* Reads a list of parameters as in ur_functions.def; returns their number. */
int parameters_read(const char *text, parameter ret[PARAMETERS]);

/* Calls a function with words, which has one or three words for each parameter. */
ur_result_t parameters_call(world_entry_fn *entry, const parameter *parameters, int count,
                            const uintptr_t *words);

#endif
