/* Checks of arguments that do not depend on a driver. */
#include "check.h"

#include "../../plugins/checks/arguments.h"
#include "../../plugins/checks/launch.h"

#include <string.h>

TEST(bad_mem_flags_are_refused) {
  int host = 0;
  assert_success(check_mem_flags(PI_MEM_FLAGS_ACCESS_RW, NULL));
  assert_success(check_mem_flags(PI_MEM_FLAGS_HOST_PTR_USE, &host));
  assert_success(check_mem_flags(PI_MEM_FLAGS_HOST_PTR_ALLOC | PI_MEM_FLAGS_HOST_PTR_COPY, &host));
  assert_failure(check_mem_flags((pi_mem_flags)1 << 40, NULL), PI_ERROR_INVALID_VALUE,
                 "flags 0x10000000000 has bits outside 0x3d, PI's pi_mem_flags");
  assert_failure(check_mem_flags(PI_MEM_FLAGS_ACCESS_RW | PI_MEM_ACCESS_READ_ONLY, NULL),
                 PI_ERROR_INVALID_VALUE,
                 "flags 0x5 has both PI_MEM_FLAGS_ACCESS_RW and PI_MEM_ACCESS_READ_ONLY");
  assert_failure(check_mem_flags(PI_MEM_FLAGS_HOST_PTR_USE | PI_MEM_FLAGS_HOST_PTR_COPY, &host),
                 PI_ERROR_INVALID_VALUE,
                 "flags 0x28 has PI_MEM_FLAGS_HOST_PTR_USE, which excludes ALLOC and COPY");
  assert_failure(check_mem_flags(PI_MEM_FLAGS_HOST_PTR_COPY, NULL), PI_ERROR_INVALID_HOST_PTR,
                 "host_ptr is NULL and flags 0x20 asks to use or copy it");
  assert_failure(check_mem_flags(PI_MEM_FLAGS_HOST_PTR_ALLOC, &host), PI_ERROR_INVALID_HOST_PTR,
                 "host_ptr is not NULL and flags 0x10 has neither PI_MEM_FLAGS_HOST_PTR_USE nor "
                 "PI_MEM_FLAGS_HOST_PTR_COPY");
}

TEST(bad_sub_buffers_are_refused) {
  assert_success(check_sub_buffer(PI_MEM_ACCESS_READ_ONLY, PI_BUFFER_CREATE_TYPE_REGION));
  assert_failure(check_sub_buffer((pi_mem_flags)1 << 40, PI_BUFFER_CREATE_TYPE_REGION),
                 PI_ERROR_INVALID_VALUE,
                 "flags 0x10000000000 has bits outside 0x3d, PI's pi_mem_flags");
  assert_failure(check_sub_buffer(PI_MEM_FLAGS_HOST_PTR_ALLOC, PI_BUFFER_CREATE_TYPE_REGION),
                 PI_ERROR_INVALID_VALUE,
                 "flags 0x10 has host pointer bits, which a sub-buffer has from its buffer");
  assert_failure(check_sub_buffer(0, (pi_buffer_create_type)7), PI_ERROR_INVALID_VALUE,
                 "buffer_create_type is 0x7, not PI_BUFFER_CREATE_TYPE_REGION (0x1220)");
}

TEST(bad_accesses_are_refused) {
  pi_mem_obj_property property = {.type = PI_KERNEL_ARG_MEM_OBJ_ACCESS};
  for (unsigned access = PI_ACCESS_READ_WRITE; access <= PI_ACCESS_READ_ONLY; access *= 2) {
    property.mem_access = (pi_mem_obj_access)access;
    assert_success(check_mem_access(&property, 0));
  }
  property.mem_access = (pi_mem_obj_access)3;
  assert_failure(check_mem_access(&property, 4), PI_ERROR_INVALID_VALUE,
                 "mem_access of argument 4 is 3, not 1, 2 or 4");
  property.pNext = &property;
  assert_failure(check_mem_access(&property, 4), PI_ERROR_INVALID_VALUE,
                 "property of argument 4 has a pNext, there is no second property");
  property.type = (pi_mem_obj_property_type)0;
  assert_int_equal(check_mem_access(&property, 4), PI_ERROR_INVALID_VALUE);
}

TEST(bad_command_buffers_are_refused) {
  const pi_queue_properties none[] = {0}, some[] = {5, 0};
  pi_ext_command_buffer_desc desc = {.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC};
  assert_success(check_command_buffer_desc(NULL));
  assert_success(check_command_buffer_desc(&desc));
  desc.properties = (pi_queue_properties *)(uintptr_t)none;
  assert_success(check_command_buffer_desc(&desc));
  desc.properties = (pi_queue_properties *)(uintptr_t)some;
  assert_failure(check_command_buffer_desc(&desc), PI_ERROR_INVALID_PROPERTY,
                 "0x5 is not a property of a command buffer");
  desc.pNext = &desc;
  assert_failure(check_command_buffer_desc(&desc), PI_ERROR_INVALID_VALUE,
                 "desc->pNext is not NULL");
  desc.stype = (pi_ext_structure_type)-1;
  assert_int_equal(check_command_buffer_desc(&desc), PI_ERROR_INVALID_VALUE);
}

TEST(bad_queries_for_devices_are_refused) {
  pi_device device = NULL;
  pi_uint32 count = 0;
  assert_success(check_devices_get(PI_DEVICE_TYPE_ALL, 0, NULL, &count));
  assert_success(check_devices_get(PI_DEVICE_TYPE_GPU | PI_DEVICE_TYPE_CPU, 1, &device, NULL));
  assert_int_equal(check_devices_get((pi_device_type)0, 1, &device, NULL),
                   PI_ERROR_INVALID_DEVICE_TYPE);
  assert_int_equal(
      check_devices_get((pi_device_type)(PI_DEVICE_TYPE_GPU | 0x100), 1, &device, NULL),
      PI_ERROR_INVALID_DEVICE_TYPE);
  assert_failure(check_devices_get(PI_DEVICE_TYPE_GPU, 1, NULL, NULL), PI_ERROR_INVALID_VALUE,
                 "devices and num_devices are both NULL");
  assert_failure(check_devices_get(PI_DEVICE_TYPE_GPU, 0, &device, &count), PI_ERROR_INVALID_VALUE,
                 "num_entries is 0 although devices is not NULL");
}

TEST(unknown_callback_types_are_refused) {
  for (pi_int32 type = PI_EVENT_COMPLETE; type <= PI_EVENT_SUBMITTED; type++)
    assert_success(check_callback_type(type));
  assert_failure(
      check_callback_type(3), PI_ERROR_INVALID_VALUE,
      "command_exec_callback_type 3 is none of complete (0), running (1), submitted (2)");
}

TEST(sizes_are_printed_in_full) {
  const size_t small[] = {64, 4, 1}, large[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};
  assert_string_equal(text_of_sizes(small, 3).text, "64x4x1");
  assert_string_equal(text_of_sizes(small, 1).text, "64");
  assert_int_equal(strlen(text_of_sizes(large, 3).text), 62);
}

/* The largest accepted ranges and the smallest refused ones. No driver could run them. */
TEST(too_large_launches_are_refused) {
  const size_t most[3] = {PTRDIFF_MAX, 1, 1};
  const size_t more[3] = {PTRDIFF_MAX, 1, 2};
  const size_t wide[3] = {(size_t)1 << 62, (size_t)1 << 62, 0};
  const size_t last[3] = {SIZE_MAX - PTRDIFF_MAX, SIZE_MAX - 1, SIZE_MAX - 1};
  const size_t over[3] = {0, SIZE_MAX, 0};
  assert_success(check_launch(3, NULL, most));
  assert_success(check_launch(3, last, most));
  assert_success(check_launch(3, NULL, wide));
  assert_success(check_launch(1, over, most));
  assert_failure(check_launch(3, NULL, more), PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
                 "global_work_size 9223372036854775807x1x2 has more than 9223372036854775807 "
                 "work-items");
  assert_failure(check_launch(2, NULL, wide), PI_ERROR_INVALID_GLOBAL_WORK_SIZE,
                 "global_work_size 4611686018427387904x4611686018427387904 has more than "
                 "9223372036854775807 work-items");
  assert_failure(check_launch(2, over, most), PI_ERROR_INVALID_GLOBAL_OFFSET,
                 "the sum of global_work_offset 0x18446744073709551615 and global_work_size "
                 "9223372036854775807x1 exceeds the largest id in entry 1");
  assert_int_equal(check_launch(0, NULL, most), PI_ERROR_INVALID_WORK_DIMENSION);
  assert_int_equal(check_launch(4, NULL, most), PI_ERROR_INVALID_WORK_DIMENSION);
  assert_int_equal(check_launch(1, NULL, NULL), PI_ERROR_INVALID_VALUE);
}
