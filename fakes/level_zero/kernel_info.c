/* Queries of the fake Level Zero driver's kernels. */
#include "kernel.h"

#include <stdlib.h>

ze_result_t zeKernelGetProperties(ze_kernel_handle_t handle, ze_kernel_properties_t *properties) {
  FAKE_ENTER(zeKernelGetProperties);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_STRUCT(properties, KERNEL_PROPERTIES);
  const fake_kernel_facts *facts = &kernel->facts;
  properties->numKernelArgs = (uint32_t)kernel->entry->argument_count;
  properties->requiredGroupSizeX = (uint32_t)facts->required_group[0];
  properties->requiredGroupSizeY = (uint32_t)facts->required_group[1];
  properties->requiredGroupSizeZ = (uint32_t)facts->required_group[2];
  properties->requiredNumSubGroups = (uint32_t)facts->required_sub_groups;
  properties->requiredSubgroupSize = (uint32_t)facts->required_sub_group;
  properties->maxSubgroupSize = (uint32_t)facts->largest_sub_group;
  properties->maxNumSubgroups = (uint32_t)facts->most_sub_groups;
  properties->localMemSize = (uint32_t)facts->local_memory;
  properties->privateMemSize = (uint32_t)facts->private_memory;
  properties->spillMemSize = 0;
  memset(&properties->uuid, 0, sizeof properties->uuid);
  memcpy(properties->uuid.kid, &kernel->head.serial, sizeof kernel->head.serial);
  memcpy(properties->uuid.mid, &kernel->module->head.serial, sizeof kernel->head.serial);
  ze_kernel_preferred_group_size_properties_t *preferred =
      fake_next(properties->pNext, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
  if (preferred)
    preferred->preferredMultiple = (uint32_t)facts->multiple;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetName(ze_kernel_handle_t handle, size_t *size, char *name) {
  FAKE_ENTER(zeKernelGetName);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(size, INVALID_NULL_POINTER, "zeKernelGetName: pSize is NULL");
  const size_t whole = strlen(kernel->entry->name) + 1;
  if (name) {
    FAKE_REQUIRE(*size >= whole, INVALID_SIZE, "zeKernelGetName: space for %zu bytes of %zu", *size,
                 whole);
    memcpy(name, kernel->entry->name, whole);
  }
  *size = whole;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelGetSourceAttributes(ze_kernel_handle_t handle, uint32_t *size, char **string) {
  FAKE_ENTER(zeKernelGetSourceAttributes);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(size, INVALID_NULL_POINTER, "zeKernelGetSourceAttributes: pSize is NULL");
  /* Returns the kernel's own string. */
  *size = (uint32_t)strlen(kernel->facts.attributes) + 1;
  if (string)
    *string = kernel->facts.attributes;
  return ZE_RESULT_SUCCESS;
}

/* Returns the largest divisor of a number that is at most limit. */
static uint32_t divisor(uint32_t number, uint32_t limit) {
  uint32_t result = number < limit ? number : limit;
  while (number % result != 0)
    result--;
  return result;
}

ze_result_t zeKernelSuggestGroupSize(ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z,
                                     uint32_t *ret_x, uint32_t *ret_y, uint32_t *ret_z) {
  FAKE_ENTER(zeKernelSuggestGroupSize);
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(ret_x && ret_y && ret_z, INVALID_NULL_POINTER,
               "zeKernelSuggestGroupSize: a result is NULL");
  FAKE_REQUIRE(x != 0 && y != 0 && z != 0, INVALID_GLOBAL_WIDTH_DIMENSION,
               "zeKernelSuggestGroupSize: global size %u * %u * %u", x, y, z);
  const size_t *required = kernel->facts.required_group;
  const uint32_t first = required[0] ? (uint32_t)required[0] : divisor(x, FAKE_GROUP_MAX);
  const uint32_t second = required[0] ? (uint32_t)required[1] : divisor(y, FAKE_GROUP_MAX / first);
  *ret_z = required[0] ? (uint32_t)required[2] : divisor(z, FAKE_GROUP_MAX / first / second);
  *ret_y = second;
  *ret_x = first;
  return ZE_RESULT_SUCCESS;
}

ze_result_t fake_kernel_most_groups(ze_kernel_handle_t handle, const char *function,
                                    uint32_t *ret) {
  FAKE_FIND(fake_kernel, kernel, handle, KERNEL);
  FAKE_REQUIRE(kernel->group[0] != 0, INVALID_GROUP_SIZE_DIMENSION,
               "%s: the group size of \"%s\" is not set", function, kernel->entry->name);
  /* One work-group per thread. OpenCL's own number exceeds the number of groups that run at once.
   */
  FAKE_TRY(fake_cl_enter());
  *ret = fake_cl.units;
  fake_cl_leave();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeKernelSuggestMaxCooperativeGroupCount(ze_kernel_handle_t handle, uint32_t *count) {
  FAKE_ENTER_ALONE(zeKernelSuggestMaxCooperativeGroupCount, handle);
  FAKE_REQUIRE(count, INVALID_NULL_POINTER,
               "zeKernelSuggestMaxCooperativeGroupCount: totalGroupCount is NULL");
  return fake_kernel_most_groups(handle, "zeKernelSuggestMaxCooperativeGroupCount", count);
}
