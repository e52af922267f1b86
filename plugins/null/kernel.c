/* Kernels: arguments are checked but not kept, because a launch does nothing. */
#include "../checks/arguments.h"
#include "../objects/driver.h"
#include "../objects/launch_kernel.h"

pi_result driver_kernel_create(pi_kernel kernel) {
  const struct driver_build *build = &kernel->build->driver;
  const spirv_kernel *found = NULL;
  for (pi_uint32 i = 0; i < build->count && !found; i++)
    TRY(spirv_code_find_kernel(build->codes[i], kernel->name, &found));
  if (!found)
    return refuse_kernel_name(kernel->name);
  TRY(kernel_make_arguments(kernel, found->argument_count));
  for (pi_uint32 i = 0; i < found->argument_count; i++) {
    const spirv_argument *argument = &found->arguments[i];
    const bool is_sized = argument->size && (argument->kind == SPIRV_ARGUMENT_VALUE ||
                                             argument->kind == SPIRV_ARGUMENT_POINTER);
    kernel->arguments[i].kind = argument->kind;
    kernel->arguments[i].size = is_sized ? argument->size : KERNEL_ANY_SIZE;
  }
  kernel->driver.limits = (kernel_limits){
      .max_group = {NULL_MAX_GROUP, NULL_MAX_GROUP, NULL_MAX_GROUP},
      .max_groups = {NULL_MAX_GROUPS, NULL_MAX_GROUPS, NULL_MAX_GROUPS},
      .max_items = NULL_MAX_GROUP,
      .max_device_items = NULL_MAX_GROUP,
      .preferred_multiple = 1,
      .max_sub_group = 1,
      .max_sub_groups = NULL_MAX_GROUP,
  };
  return PI_SUCCESS;
}
