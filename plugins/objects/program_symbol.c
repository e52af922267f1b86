#include "program_symbol.h"

#include "../checks/rect.h"

/* Finds a variable of a build; the caller holds a reference to the build. */
static pi_result find_variable(pi_program program, program_build *build, pi_device device,
                               const char *name, size_t *size, void **ret) {
  void *pointer = NULL;
  TRY(driver_build_find_variable(program, build, context_root(program->context, device), name, size,
                                 &pointer));
  REQUIRE(pointer, PI_ERROR_INVALID_VALUE, "the program has no variable \"%s\"", name);
  *ret = pointer;
  return PI_SUCCESS;
}

pi_result program_find_variable(pi_program program, pi_device device, const char *name,
                                size_t *size, void **ret) {
  program_build *build;
  TRY(program_hold_build(program, &build));
  const pi_result result = find_variable(program, build, device, name, size, ret);
  build_release(build);
  return result;
}

pi_result program_find_function(pi_program program, pi_device device, const char *name,
                                pi_uint64 *ret) {
  program_build *build;
  bool is_there = false;
  pi_uint64 pointer = 0;
  TRY(program_hold_build(program, &build));
  const pi_result result = driver_build_find_function(build, context_root(program->context, device),
                                                      name, &is_there, &pointer);
  build_release(build);
  TRY(result);
  REQUIRE(pointer || !is_there, PI_ERROR_FUNCTION_ADDRESS_IS_NOT_AVAILABLE,
          "%s returns no address of kernel \"%s\" in the device's memory", driver_name, name);
  REQUIRE(pointer, PI_ERROR_INVALID_KERNEL_NAME, "the program has no function \"%s\"", name);
  *ret = pointer;
  return PI_SUCCESS;
}

/* Enqueues a copy. build_is_used then keeps the build's variables until the copy has ended. */
static pi_result enqueue_copy(sink *sink, const variable_copy *variable_copy,
                              program_build *build) {
  void *pointer;
  size_t size = 0;
  TRY(find_variable(variable_copy->program, build, sink->device, variable_copy->name, &size,
                    &pointer));
  REQUIRE(variable_copy->offset <= size && variable_copy->count <= size - variable_copy->offset,
          PI_ERROR_INVALID_VALUE,
          "%zu bytes from offset %zu on are not all inside of variable \"%s\", which has %zu",
          variable_copy->count, variable_copy->offset, variable_copy->name, size);
  build_is_used(build);
  const uintptr_t variable = (uintptr_t)pointer + variable_copy->offset;
  const transfer copy =
      variable_copy->from
          ? transfer_plain(variable, (uintptr_t)variable_copy->from, variable_copy->count)
          : transfer_plain((uintptr_t)variable_copy->to, variable, variable_copy->count);
  return driver_copy(sink, &copy, variable_copy->from ? COPY_FROM_HOST : COPY_TO_HOST);
}

pi_result program_copy_variable(sink *sink, const variable_copy *copy) {
  REQUIRE(sink->context->native == copy->program->context->native &&
              context_has(copy->program->context, sink->device),
          PI_ERROR_INVALID_CONTEXT, "the program is of another context than the queue");
  program_build *build;
  TRY(program_hold_build(copy->program, &build));
  const pi_result result = enqueue_copy(sink, copy, build);
  build_release(build);
  return result;
}
