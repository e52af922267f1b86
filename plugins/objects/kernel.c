#include "kernel.h"

#include "driver.h"

#include <stdlib.h>
#include <string.h>

pi_result kernel_new(pi_program program, program_build *build, const char *name, pi_kernel *ret) {
  const size_t size = strlen(name) + 1;
  pi_kernel kernel = calloc(1, sizeof *kernel);
  char *copy = kernel ? malloc(size) : NULL;
  if (!copy) {
    free(kernel);
    build_release(build);
  }
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for kernel %s", name);
  memcpy(copy, name, size);
  pi_handle_init(&kernel->handle, PI_HANDLE_KERNEL);
  kernel->name = copy;
  kernel->build = build;
  kernel->program = program;
  program_retain(program);
  *ret = kernel;
  return PI_SUCCESS;
}

pi_result kernel_make_arguments(pi_kernel kernel, pi_uint32 count) {
  kernel->arguments = calloc((size_t)count + 1, sizeof *kernel->arguments);
  PI_REQUIRE(kernel->arguments, PI_ERROR_OUT_OF_HOST_MEMORY,
             "no memory for %u arguments of kernel %s", count, kernel->name);
  kernel->argument_count = kernel->missing = count;
  return PI_SUCCESS;
}

pi_result kernel_finish_new(pi_kernel kernel, pi_result result, pi_kernel *ret) {
  if (result == PI_SUCCESS)
    *ret = kernel;
  else
    kernel_release(kernel);
  return result;
}

pi_result kernel_create(pi_program program, const char *name, pi_kernel *ret) {
  program_build *build;
  pi_kernel kernel;
  PI_TRY(program_hold_build(program, &build));
  PI_TRY(kernel_new(program, build, name, &kernel));
  return kernel_finish_new(kernel, driver_kernel_create(kernel), ret);
}

static void destroy_kernel(deferred *node) {
  pi_kernel kernel = DEFERRED_OWNER(node, struct pi_kernel_object, deferred);
  driver_kernel_destroy(kernel);
  build_release(kernel->build);
  program_release(kernel->program);
  free(kernel->arguments);
  free(kernel->name);
  free(kernel);
}

void kernel_release(pi_kernel kernel) {
  if (!pi_handle_release(&kernel->handle))
    return;
  registry_forget(&kernel->noted);
  if (atomic_load_explicit(&kernel->is_used, memory_order_relaxed))
    deferred_free(kernel->build->context, &kernel->deferred, destroy_kernel);
  else
    destroy_kernel(&kernel->deferred);
}

pi_result kernel_native(pi_kernel kernel, pi_native_handle *ret) {
  PI_TRY(driver_kernel_native(kernel, ret));
  registry_note(&kernel->noted, *ret, &kernel->handle);
  return PI_SUCCESS;
}
