/* Helpers of the fake Level Zero driver's tests of code and images. */
#ifndef SPECPI_TEST_LEVEL_ZERO_CODE_H
#define SPECPI_TEST_LEVEL_ZERO_CODE_H

#include "../../../test/support/tests.h"
#include "../fake_ze.h"

/* The first device, a context, and a synchronous immediate list. */
typedef struct code_world {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_list_handle_t list;
} code_world;
extern code_world world;

/* Group setup and teardown; teardown checks that no object is left. */
int code_begin(void **state);
int code_end(void **state);

/* Fails the test with the driver's reason unless the result is code. */
#define assert_ze(expression, code)                                                                \
  code_check((expression), (code), #expression, __FILE__, __LINE__)
#define assert_fine(expression) assert_ze(expression, ZE_RESULT_SUCCESS)
void code_check(ze_result_t result, ze_result_t expected, const char *expression, const char *file,
                int line);

/* Allocates zeroed memory that host and device can access. */
void *code_memory(size_t size);
void code_free(void *memory);

/* Returns a descriptor of a SPIR-V module. */
ze_module_desc_t code_module_desc(const void *il, size_t size);
ze_module_handle_t code_module(const void *il, size_t size);
ze_kernel_handle_t code_kernel(ze_module_handle_t module, const char *name);

#define code_set(kernel, index, value)                                                             \
  assert_fine(zeKernelSetArgumentValue(kernel, index, sizeof(value), &(value)))
/* Launches groups * 1 * 1 work-groups of size * 1 * 1 work-items. */
void code_launch(ze_kernel_handle_t kernel, uint32_t groups, uint32_t size);

/* Returns a build log's text, valid until the next call, and destroys the log. */
const char *code_log(ze_module_build_log_handle_t log);

#endif
