#include "kernel.h"

#include "../base/text_keep.h"
#include "driver.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

pi_result kernel_new(pi_program program, program_build *build, const char *name, pi_kernel *ret) {
  pi_kernel kernel = calloc(1, sizeof *kernel);
  const char *kept = kernel ? text_keep(name) : NULL;
  if (!kept) {
    free(kernel);
    build_release(build);
  }
  REQUIRE(kept, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for kernel %s", name);
  object_init(&kernel->handle, OBJECT_KERNEL);
  pthread_mutex_init(&kernel->lock, NULL);
  kernel->name = kept;
  kernel->build = build;
  kernel->context = build->context;
  kernel->program = program;
  program_retain(program);
  *ret = kernel;
  return PI_SUCCESS;
}

pi_result kernel_make_arguments(pi_kernel kernel, pi_uint32 count) {
  kernel->arguments = calloc((size_t)count + 1, sizeof *kernel->arguments);
  REQUIRE(kernel->arguments, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u arguments of kernel %s",
          count, kernel->name);
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
  TRY(program_hold_build(program, &build));
  TRY(kernel_new(program, build, name, &kernel));
  return kernel_finish_new(kernel, driver_kernel_create(kernel), ret);
}

static void destroy_kernel(deferred *node) {
  pi_kernel kernel = OWNER_OF(node, struct pi_kernel_object, deferred);
  driver_kernel_destroy(kernel);
  if (kernel->origin)
    kernel_release(kernel->origin);
  build_release(kernel->build);
  program_release(kernel->program);
  pthread_mutex_destroy(&kernel->lock);
  free(kernel->arguments);
  free(kernel);
}

void kernel_release(pi_kernel kernel) {
  if (!object_release(&kernel->handle))
    return;
  registry_forget(&kernel->noted);
  if (atomic_load_explicit(&kernel->is_used, memory_order_relaxed))
    deferred_free(kernel->context, &kernel->deferred, destroy_kernel);
  else
    destroy_kernel(&kernel->deferred);
}

pi_result kernel_native(pi_kernel kernel, pi_native_handle *ret) {
  if (native_is_foreign())
    return native_of_object("kernel", &kernel->noted, &kernel->handle, ret);
  TRY(driver_kernel_native(kernel, ret));
  registry_note(&kernel->noted, *ret, &kernel->handle);
  return PI_SUCCESS;
}

static pi_result check_ours(pi_kernel ours, pi_context context, pi_program program) {
  REQUIRE(ours->context->native == context->native, PI_ERROR_INVALID_CONTEXT,
          "native_handle is a kernel of another context");
  REQUIRE(!program || ours->program == program, PI_ERROR_INVALID_PROGRAM,
          "native_handle is a kernel of another program");
  return PI_SUCCESS;
}

/* Makes a second kernel with its own arguments; it takes the caller's reference to origin. */
static pi_result copy_kernel(pi_kernel origin, pi_kernel *ret) {
  pi_kernel kernel;
  build_retain(origin->build);
  TRY(kernel_new(origin->program, origin->build, origin->name, &kernel));
  kernel->origin = origin;
  const pi_result result = driver_kernel_create(kernel);
  if (result != PI_SUCCESS)
    kernel->origin = NULL;
  return kernel_finish_new(kernel, result, ret);
}

/* Both kernels are of one function, so they have the same number of arguments. */
static pi_result copy_arguments(pi_kernel to, pi_kernel from) {
  TRY(driver_kernel_copy_arguments(to, from));
  memcpy(to->arguments, from->arguments, from->argument_count * sizeof *from->arguments);
  to->missing = from->missing;
  to->local_memory = from->local_memory;
  return PI_SUCCESS;
}

pi_result kernel_copy(pi_kernel kernel, pi_kernel *ret) {
  pi_kernel made;
  build_retain(kernel->build);
  TRY(kernel_new(kernel->program, kernel->build, kernel->name, &made));
  pi_result result = driver_kernel_create(made);
  if (result == PI_SUCCESS)
    result = copy_arguments(made, kernel);
  return kernel_finish_new(made, result, ret);
}

pi_result kernel_adopt(pi_context context, pi_program program, pi_native_handle native,
                       bool is_owned, pi_kernel *ret) {
  object_head *found;
  TRY(native_find(OBJECT_KERNEL, "kernel", native, is_owned, &found));
  const pi_kernel ours = (pi_kernel)(void *)found;
  if (!ours)
    return driver_kernel_adopt(context, program, native, is_owned, ret);
  pi_kernel made = ours;
  pi_result result = check_ours(ours, context, program);
  if (result == PI_SUCCESS && !DRIVER_KEEPS_ARGUMENTS)
    result = copy_kernel(ours, &made);
  /* After a failure the caller keeps the reference that came with the handle. */
  if (result != PI_SUCCESS && !is_owned)
    kernel_release(ours);
  TRY(result);
  *ret = made;
  return PI_SUCCESS;
}
