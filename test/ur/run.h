/* Programs and launches in any release: each function calls the release's own functions. */
#ifndef TEST_UR_RUN_H
#define TEST_UR_RUN_H

#include "world.h"

#include <stdbool.h>

/*
 * A context with one device and a queue of it. With UR_TEST_TWO_DEVICES the context has two
 * devices, and the queue is of the second one.
 */
typedef struct run_place {
  ur_device_handle_t device;
  ur_context_handle_t context;
  ur_queue_handle_t queue;
  uint32_t device_count;
} run_place;

extern run_place place;

/* Create and release the place: setup and teardown of a group of tests. */
int run_open(void **state);
int run_close(void **state);

/* Allocates size zero bytes of shared memory, which run_free frees. */
void *run_memory(size_t size);
void run_free(void *memory);

/* Names of modules in test/conformance/kernels; run_code returns their SPIR-V. */
#define RUN_MODULES(X)                                                                             \
  X(scalars)                                                                                       \
  X(arguments)                                                                                     \
  X(global_variable)                                                                               \
  X(host_names)                                                                                    \
  X(link_main)                                                                                     \
  X(link_part)
typedef enum run_module {
#define RUN_MODULE(name) MODULE_##name,
  RUN_MODULES(RUN_MODULE)
#undef RUN_MODULE
} run_module;
const unsigned char *run_code(run_module module, size_t *size);

/* Create a program of SPIR-V, build it, and create a kernel, which keeps the program. */
ur_program_handle_t run_program(run_module module);
ur_result_t run_build(ur_program_handle_t program, const char *options);
ur_kernel_handle_t run_kernel(run_module module, const char *name);

/* An argument of a launch, in the structure of the newest releases. */
typedef ur_exp_kernel_arg_properties_t run_argument;
run_argument run_value(uint32_t index, size_t size, const void *value);
run_argument run_pointer(uint32_t index, const void *pointer);
run_argument run_memory_object(uint32_t index, ur_mem_handle_t memory);
run_argument run_local(uint32_t index, size_t size);

/* Set arguments, and launch with the release's functions. run_launch waits for the kernel. */
ur_result_t run_set(ur_kernel_handle_t kernel, uint32_t count, const run_argument *arguments);
ur_result_t run_launch(ur_kernel_handle_t kernel, uint32_t dimensions, const size_t *global,
                       const size_t *local, uint32_t count, const run_argument *arguments);

#endif
