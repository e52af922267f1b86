#include "launch_properties.h"

#include "../plugins/objects/driver.h"

/* The releases 2025.0 to 2025.3 use the same numbers; later releases add properties. */
_Static_assert((int)UR_EXP_LAUNCH_PROPERTY_ID_COOPERATIVE ==
                       (int)UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE &&
                   (int)UR_EXP_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION ==
                       (int)UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION &&
                   (int)UR_EXP_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY ==
                       (int)UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY,
               "numbers of properties of a launch");

/* Accepts only clusters of one work-group, which need no support. */
static ur_result_t check_cluster(const uint32_t size[3]) {
  UR_REQUIRE(size[0] == 1 && size[1] == 1 && size[2] == 1, UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
             "clusters of %ux%ux%u work-groups are not supported by %s", size[0], size[1], size[2],
             driver_name);
  return UR_RESULT_SUCCESS;
}

/* Accepts only size 0: launches cannot add memory to work-groups. */
static ur_result_t check_memory(size_t size) {
  UR_REQUIRE(size == 0, UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
             "%zu bytes of memory of a work-group which are no argument's are not supported by %s",
             size, driver_name);
  return UR_RESULT_SUCCESS;
}

/* Reads one property of a list. The property that allows a launch to start early is ignored. */
static ur_result_t read_property(uint32_t id, const uint32_t *cluster, int cooperative,
                                 size_t memory, launch_properties *ret) {
  switch (id) {
  case UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE:
  case UR_KERNEL_LAUNCH_PROPERTY_ID_OPPORTUNISTIC_QUEUE_SERIALIZE:
    return UR_RESULT_SUCCESS;
  case UR_KERNEL_LAUNCH_PROPERTY_ID_COOPERATIVE:
    ret->is_cooperative = cooperative != 0;
    return UR_RESULT_SUCCESS;
  case UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION:
    return check_cluster(cluster);
  case UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY:
    return check_memory(memory);
  }
  return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION, "0x%x is no property of a launch", id);
}

static ur_result_t check_list(uint32_t count, const void *list) {
  UR_REQUIRE(list || count == 0, UR_RESULT_ERROR_INVALID_NULL_POINTER,
             "launchPropList is NULL, and numPropsInLaunchPropList is %u", count);
  return UR_RESULT_SUCCESS;
}

ur_result_t launch_properties_of_2025_0(uint32_t count, const ur_exp_launch_property_t_2025_0 *list,
                                        launch_properties *ret) {
  UR_PASS(check_list(count, list));
  for (uint32_t i = 0; i < count; i++)
    UR_PASS(read_property((uint32_t)list[i].id, list[i].value.clusterDim, list[i].value.cooperative,
                          0, ret));
  return UR_RESULT_SUCCESS;
}

ur_result_t launch_properties_of_2025_1(uint32_t count, const ur_exp_launch_property_t *list,
                                        launch_properties *ret) {
  UR_PASS(check_list(count, list));
  for (uint32_t i = 0; i < count; i++)
    UR_PASS(read_property((uint32_t)list[i].id, list[i].value.clusterDim, list[i].value.cooperative,
                          list[i].value.workgroup_mem_size, ret));
  return UR_RESULT_SUCCESS;
}

ur_result_t launch_properties_of_2025_3(uint32_t count, const ur_kernel_launch_property_t *list,
                                        launch_properties *ret) {
  UR_PASS(check_list(count, list));
  for (uint32_t i = 0; i < count; i++)
    UR_PASS(read_property((uint32_t)list[i].id, list[i].value.clusterDim, list[i].value.cooperative,
                          list[i].value.workgroup_mem_size, ret));
  return UR_RESULT_SUCCESS;
}

static ur_result_t read_flags(ur_kernel_launch_flags_t flags, launch_properties *ret) {
  const ur_kernel_launch_flags_t known =
      UR_KERNEL_LAUNCH_FLAG_COOPERATIVE | UR_KERNEL_LAUNCH_FLAG_OPPORTUNISTIC_QUEUE_SERIALIZE;
  UR_REQUIRE((flags & ~known) == 0, UR_RESULT_ERROR_INVALID_ENUMERATION,
             "flags 0x%x has bits outside of 0x%x, UR's ur_kernel_launch_flags_t", flags, known);
  ret->is_cooperative = (flags & UR_KERNEL_LAUNCH_FLAG_COOPERATIVE) != 0;
  return UR_RESULT_SUCCESS;
}

ur_result_t launch_properties_of_chain(const ur_kernel_launch_ext_properties_t *first,
                                       launch_properties *ret) {
  const void *object = first;
  while (object) {
    const ur_base_properties_t *base = object;
    switch ((int)base->stype) {
    case UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES:
      UR_PASS(read_flags(((const ur_kernel_launch_ext_properties_t *)object)->flags, ret));
      break;
    case UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY:
      UR_PASS(check_cluster(((const ur_kernel_launch_cluster_property_t *)object)->clusterDim));
      break;
    case UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY:
      UR_PASS(check_memory(
          ((const ur_kernel_launch_workgroup_property_t *)object)->workgroup_mem_size));
      break;
    default:
      return face_error(UR_RESULT_ERROR_INVALID_ENUMERATION,
                        "structure 0x%x is no property of a launch", (unsigned)base->stype);
    }
    object = base->pNext;
  }
  return UR_RESULT_SUCCESS;
}
