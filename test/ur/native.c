/*
 * Native handles of a platform named Level Zero. Libraries get them from a SYCL runtime, open
 * libze_loader.so.1 and call Level Zero on them. With the argument "refused" the process has
 * another Level Zero, and the adapter returns no handle.
 */
#define _POSIX_C_SOURCE 200809L /* dup2, fileno */
#include "native.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Creates a program that takes over a module's handle. */
static ur_program_handle_t adopt(ze_module_handle_t module) {
  const ur_program_native_properties_t owned = {UR_STRUCTURE_TYPE_PROGRAM_NATIVE_PROPERTIES, NULL,
                                                true};
  ur_program_handle_t program = NULL;
  assert_ok(UR(urProgramCreateWithNativeHandle)((ur_native_handle_t)module, place.context, &owned,
                                                &program));
  return program;
}

/* ---- Uses of handles in libraries ---- */

/* Like oneMKL, creates a module with constants and a kernel, which the runtime adopts and runs. */
TEST(a_module_and_its_kernel_are_adopted) {
  enum { ID_8 = 103, ID_32 = 105, ID_64 = 106 };
  const uint8_t small = 200;
  const uint32_t middle = 0xcafef00d;
  const uint64_t large = 0x0123456789abcdef;
  const uint32_t ids[] = {ID_64, ID_8, ID_32};
  const void *values[] = {&large, &small, &middle};
  const ze_module_constants_t constants = {3, ids, values};
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = "value"};
  ze_module_handle_t module = NULL;
  ze_kernel_handle_t native = NULL;
  ur_kernel_handle_t kernel = NULL;
  assert_int_equal(native_module(MODULE_scalars, &constants, &module, NULL), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeKernelCreate)(module, &description, &native), ZE_RESULT_SUCCESS);
  const ur_program_handle_t program = adopt(module);
  assert_ok(UR(urKernelCreateWithNativeHandle)((ur_native_handle_t)native, place.context, program,
                                               NULL, &kernel));
  assert_int_equal(ZE(zeKernelDestroy)(native), ZE_RESULT_SUCCESS);
  uint64_t *out = run_memory(7 * sizeof *out);
  const run_argument argument = run_pointer(0, out);
  assert_ok(run_launch(kernel, 1, &(size_t){1}, NULL, 1, &argument));
  assert_int_equal(out[0], 1);
  assert_int_equal(out[2], small);
  assert_int_equal(out[4], middle);
  assert_int_equal(out[5], large);
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urProgramRelease)(program));
}

/* Level Zero accepts a value that is too long, as the adapter does for adopted kernels alone. */
TEST(adopted_kernels_take_the_first_bytes_of_a_value) {
  ze_module_handle_t module = NULL;
  ur_kernel_handle_t kernel = NULL;
  assert_int_equal(native_module(MODULE_arguments, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  const ur_program_handle_t program = adopt(module);
  assert_ok(UR(urKernelCreate)(program, "values", &kernel));
  int64_t *out = run_memory(12 * sizeof *out);
  const int64_t number = 0x7700000005;
  const int64_t vector[4] = {0};
  run_argument all[11] = {run_pointer(0, out)};
  const size_t sizes[] = {8, 1, 1, 2, 2, 4, 4, 8, 4, 16, 16};
  for (uint32_t i = 1; i < 11; i++)
    all[i] = run_value(i, i == 5 ? 8 : sizes[i], i == 5 ? &number : vector);
  assert_ok(run_launch(kernel, 1, &(size_t){1}, NULL, 11, all));
  assert_int_equal(out[4], 5);
  assert_int_equal(out[5], 0);
  all[6] = run_value(6, 2, vector);
  assert_refused(run_launch(kernel, 1, &(size_t){1}, NULL, 11, all), INVALID_KERNEL_ARGUMENT_SIZE,
                 "has 4 bytes, 2 given");
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urProgramRelease)(program));
  kernel = run_kernel(MODULE_arguments, "values");
  all[6] = run_value(6, 4, vector);
  assert_refused(run_launch(kernel, 1, &(size_t){1}, NULL, 11, all), INVALID_KERNEL_ARGUMENT_SIZE,
                 "has 4 bytes, 8 given");
  assert_ok(UR(urKernelRelease)(kernel));
  run_free(out);
}

TEST(modules_answer_queries) {
  ze_module_handle_t module = NULL;
  assert_int_equal(native_module(MODULE_global_variable, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  uint32_t count = 0;
  assert_int_equal(ZE(zeModuleGetKernelNames)(module, &count, NULL), ZE_RESULT_SUCCESS);
  const char *names[8] = {NULL};
  assert_in_range(count, 1, 8);
  assert_int_equal(ZE(zeModuleGetKernelNames)(module, &count, names), ZE_RESULT_SUCCESS);
  bool is_there = false;
  for (uint32_t i = 0; i < count; i++)
    is_there |= strcmp(names[i], "read_counter") == 0;
  assert_true(is_there);
  void *pointer = NULL;
  size_t size = 0;
  assert_int_equal(ZE(zeModuleGetGlobalPointer)(module, "counter", &size, &pointer),
                   ZE_RESULT_SUCCESS);
  assert_int_equal(size, 4);
  assert_non_null(pointer);
  assert_int_equal(ZE(zeModuleGetGlobalPointer)(module, "none", &size, &pointer),
                   ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  assert_int_equal(ZE(zeModuleGetNativeBinary)(module, &size, NULL),
                   ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  const ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC,
                                        .pKernelName = "read_counter"};
  ze_kernel_handle_t kernel = NULL;
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  char name[16] = "";
  size = sizeof name;
  assert_int_equal(ZE(zeKernelCreate)(module, &description, &kernel), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeKernelGetName)(kernel, &size, name), ZE_RESULT_SUCCESS);
  assert_string_equal(name, "read_counter");
  assert_int_equal(ZE(zeKernelGetProperties)(kernel, &properties), ZE_RESULT_SUCCESS);
  assert_int_equal(properties.numKernelArgs, 1);
  assert_int_equal(properties.maxSubgroupSize, 32);
  assert_int_equal(ZE(zeKernelDestroy)(kernel), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeModuleDestroy)(module), ZE_RESULT_SUCCESS);
}

/* ---- Failures ---- */

/* If a module fails to build, its log has the reason. */
TEST(the_log_has_the_reason) {
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  char text[4096] = "";
  size_t size = sizeof text;
  assert_int_equal(native_module(MODULE_link_main, NULL, &module, &log),
                   ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  assert_null(module);
  assert_int_equal(ZE(zeModuleBuildLogGetString)(log, &size, text), ZE_RESULT_SUCCESS);
  assert_int_equal(size, strlen(text) + 1);
  assert_true(size > 20);
  size = 3;
  assert_int_equal(ZE(zeModuleBuildLogGetString)(log, &size, text), ZE_RESULT_ERROR_INVALID_SIZE);
  assert_int_equal(ZE(zeModuleBuildLogDestroy)(log), ZE_RESULT_SUCCESS);
}

TEST(wrong_modules_are_refused) {
  static const uint8_t junk[] = "no SPIR-V at all";
  const uint32_t id = 99;
  const void *value = &id;
  const ze_module_constants_t unknown = {1, &id, &value}, none = {1, NULL, &value};
  ze_module_handle_t module = NULL;
  ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                  .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                  .inputSize = sizeof junk,
                                  .pInputModule = junk};
  assert_int_equal(ZE(zeModuleCreate)(native_context, native_device, &description, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_NATIVE_BINARY);
  description.inputSize = 0;
  assert_int_equal(ZE(zeModuleCreate)(native_context, native_device, &description, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_SIZE);
  description.format = (ze_module_format_t)77;
  assert_int_equal(ZE(zeModuleCreate)(native_context, native_device, &description, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_ENUMERATION);
  assert_int_equal(ZE(zeModuleCreate)(native_context, native_device, NULL, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_int_equal(ZE(zeModuleCreate)((ze_context_handle_t)(void *)native_device, native_device,
                                      &description, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_int_equal(ZE(zeModuleCreate)(NULL, native_device, &description, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  assert_int_equal(native_module(MODULE_scalars, &unknown, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_sentence("no constant with id 99");
  assert_int_equal(native_module(MODULE_scalars, &none, &module, NULL),
                   ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_null(module);
}

/* Handles of dead objects and of other kinds are refused. */
TEST(dead_handles_are_refused) {
  ze_module_handle_t module = NULL;
  ur_program_handle_t program = NULL;
  assert_int_equal(native_module(MODULE_arguments, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  const ur_native_handle_t native = (ur_native_handle_t)module;
  ur_kernel_handle_t kernel = NULL;
  assert_refused(UR(urKernelCreateWithNativeHandle)(native, place.context, NULL, NULL, &kernel),
                 INVALID_VALUE, "is no live kernel of CUDA");
  assert_int_equal(ZE(zeModuleDestroy)(module), ZE_RESULT_SUCCESS);
  assert_refused(UR(urProgramCreateWithNativeHandle)(native, place.context, NULL, &program),
                 INVALID_VALUE, "is no live module of CUDA");
  assert_refused(
      UR(urDeviceCreateWithNativeHandle)(77, world_adapter, NULL, &(ur_device_handle_t){0}),
      INVALID_DEVICE, "0x4d");
}

/* ---- Other functions ---- */

TEST(devices_are_found) {
  uint32_t count = 0;
  ze_driver_handle_t driver = NULL;
  ze_device_handle_t all[3] = {NULL};
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  assert_int_equal(ZE(zeInit)(0), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeDriverGet)(&count, NULL), ZE_RESULT_SUCCESS);
  count = 1;
  assert_int_equal(ZE(zeDriverGet)(&count, &driver), ZE_RESULT_SUCCESS);
  ur_platform_handle_t platform = NULL;
  assert_ok(UR(urPlatformCreateWithNativeHandle)((ur_native_handle_t)driver, world_adapter, NULL,
                                                 &platform));
  assert_ptr_equal(platform, driver);
  count = 0;
  assert_int_equal(ZE(zeDeviceGet)(driver, &count, NULL), ZE_RESULT_SUCCESS);
  assert_in_range(count, place.device_count, 3);
  assert_int_equal(ZE(zeDeviceGet)(driver, &count, all), ZE_RESULT_SUCCESS);
  assert_ptr_equal(all[place.device_count - 1], native_device);
  count = 7;
  assert_int_equal(ZE(zeDeviceGetSubDevices)(native_device, &count, NULL), ZE_RESULT_SUCCESS);
  assert_int_equal(count, 0);
  assert_int_equal(ZE(zeDeviceGetProperties)(native_device, &properties), ZE_RESULT_SUCCESS);
  assert_int_equal(properties.type, ZE_DEVICE_TYPE_GPU);
  assert_int_equal(properties.vendorId, 0x10de);
  assert_true(strlen(properties.name) > 3);
  assert_int_equal(ZE(zeDeviceGetComputeProperties)(native_device, &compute), ZE_RESULT_SUCCESS);
  assert_int_equal(compute.maxGroupSizeZ, 64);
  assert_int_equal(compute.maxGroupCountX, 2147483647);
  assert_int_equal(compute.maxGroupCountZ, 65535);
}

TEST(memory_is_allocated_and_described) {
  const ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *pointers[3] = {NULL};
  static const ze_memory_type_t types[] = {ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED,
                                           ZE_MEMORY_TYPE_HOST};
  const size_t size = 1000, alignment = 64;
  assert_int_equal(ZE(zeMemAllocDevice)(native_context, &device_desc, size, alignment,
                                        native_device, &pointers[0]),
                   ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeMemAllocShared)(native_context, &device_desc, &host_desc, size, alignment,
                                        native_device, &pointers[1]),
                   ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeMemAllocHost)(native_context, &host_desc, size, alignment, &pointers[2]),
                   ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++) {
    ze_memory_allocation_properties_t properties = {
        .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    ze_device_handle_t owner = NULL;
    void *base = NULL;
    size_t have = 0;
    assert_int_equal(
        ZE(zeMemGetAllocProperties)(native_context, (char *)pointers[i] + 9, &properties, &owner),
        ZE_RESULT_SUCCESS);
    assert_int_equal(properties.type, types[i]);
    assert_ptr_equal(owner, i == 2 ? NULL : native_device);
    assert_int_equal(
        ZE(zeMemGetAddressRange)(native_context, (char *)pointers[i] + 9, &base, &have),
        ZE_RESULT_SUCCESS);
    assert_ptr_equal(base, pointers[i]);
    assert_true(have >= size);
    assert_int_equal(ZE(zeMemFree)(native_context, pointers[i]), ZE_RESULT_SUCCESS);
  }
  assert_int_equal(
      ZE(zeMemAllocDevice)(native_context, &device_desc, size, 3, native_device, &pointers[0]),
      ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  assert_int_equal(
      ZE(zeMemAllocDevice)(native_context, &device_desc, 0, alignment, native_device, &pointers[0]),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
}

TEST(events_and_contexts_are_used) {
  ur_event_handle_t event = NULL, again = NULL;
  ur_native_handle_t native = 0;
  char *bytes = run_memory(8);
  assert_ok(UR(urEnqueueUSMMemcpy)(place.queue, false, bytes, bytes + 4, 4, 0, NULL, &event));
  assert_ok(UR(urEventGetNativeHandle)(event, &native));
  assert_int_equal(ZE(zeEventHostSynchronize)((ze_event_handle_t)native, 1000000000),
                   ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeEventHostSynchronize)((ze_event_handle_t)native, UINT64_MAX),
                   ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeEventQueryStatus)((ze_event_handle_t)native), ZE_RESULT_SUCCESS);
  assert_ok(UR(urEventCreateWithNativeHandle)(native, place.context, NULL, &again));
  assert_ptr_equal(again, event);
  assert_answer(urEventGetInfo, again, UR_EVENT_INFO_COMMAND_TYPE, uint32_t, UR_COMMAND_USM_MEMCPY);
  assert_ok(UR(urEventRelease)(event));
  assert_ok(UR(urEventWait)(1, &again));
  assert_ok(UR(urEventRelease)(again));
  run_free(bytes);
  ur_context_handle_t same = NULL;
  assert_ok(UR(urContextCreateWithNativeHandle)((ur_native_handle_t)native_context, world_adapter,
                                                1, &place.device, NULL, &same));
  assert_ptr_equal(same, place.context);
  assert_ok(UR(urContextRelease)(same));
}

/* A function of Level Zero that the adapter lacks returns an error and prints its own name. */
TEST(a_missing_function_says_its_name) {
  assert_int_equal(ZE(zeImageCreate)(native_context, native_device, NULL, NULL),
                   ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  assert_sentence("zeImageCreate");
}

/* ---- Beside another Level Zero ---- */

/* Redirects stderr to a file until count_heard is called. */
static FILE *hear(int *saved) {
  FILE *heard = tmpfile();
  assert_non_null(heard);
  *saved = dup(STDERR_FILENO);
  dup2(fileno(heard), STDERR_FILENO);
  return heard;
}

static size_t count_heard(FILE *heard, int saved, const char *words) {
  char line[1024];
  size_t count = 0;
  dup2(saved, STDERR_FILENO);
  close(saved);
  rewind(heard);
  while (fgets(line, sizeof line, heard))
    count += strstr(line, words) != NULL;
  fclose(heard);
  return count;
}

static void beside_another_level_zero_handles_are_refused(void **state) {
  (void)state;
  ur_native_handle_t native = 77;
  ur_program_handle_t program = NULL;
  int saved;
  FILE *heard = hear(&saved);
  assert_refused(UR(urDeviceGetNativeHandle)(place.device, &native), UNSUPPORTED_FEATURE,
                 "goes by the name of Level Zero");
  assert_refused(UR(urContextGetNativeHandle)(place.context, &native), UNSUPPORTED_FEATURE,
                 "goes by the name of Level Zero");
  assert_int_equal(native, 77);
  assert_refused(UR(urProgramCreateWithNativeHandle)(77, place.context, NULL, &program),
                 UNSUPPORTED_FEATURE, "module");
  /* The advice how to start the program is printed once per process. */
  assert_int_equal(count_heard(heard, saved, "start the program with specpi run"), 1);
}

/* The other Level Zero still lists its devices. */
static void the_other_level_zero_lists_its_devices(void **state) {
  (void)state;
  uint32_t count = 0;
  native_library = dlopen("libze_loader.so.1", RTLD_NOW);
  assert_non_null(native_library);
  assert_int_equal(ZE(zeInit)(0), ZE_RESULT_SUCCESS);
  assert_int_equal(ZE(zeDriverGet)(&count, NULL), ZE_RESULT_SUCCESS);
  assert_int_equal(count, 1);
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  const struct CMUnitTest other[] = {
      cmocka_unit_test(beside_another_level_zero_handles_are_refused),
      cmocka_unit_test(the_other_level_zero_lists_its_devices)};
  if (argc > 3 && strcmp(argv[3], "refused") == 0)
    return cmocka_run_group_tests(other, run_open, run_close);
  return tests_run(native_open, run_close);
}
