/* Modules of the fake Level Zero driver: builds, constants, flags, binaries, names, links. */
#include "code.h"

#include "../../../test/support/embed.h"

#include <stdlib.h>
#include <string.h>

SPECPI_EMBED(code_il, "code.spv")
SPECPI_EMBED(user_il, "user.spv")
SPECPI_EMBED(library_il, "library.spv")

static ze_module_desc_t code_desc(void) {
  return code_module_desc(code_il_begin, SPECPI_EMBED_SIZE(code_il));
}

/* Runs the module's kernel "constants", and checks the constants' values. */
static void expect_constants(ze_module_handle_t module, const double expected[5]) {
  ze_kernel_handle_t kernel = code_kernel(module, "constants");
  double *out = code_memory(5 * sizeof *out);
  code_set(kernel, 0, out);
  code_launch(kernel, 1, 1);
  for (int i = 0; i < 5; i++)
    assert_true(out[i] == expected[i]);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

static void expect_build(const ze_module_desc_t *desc, const double expected[5]) {
  ze_module_handle_t module = NULL;
  assert_fine(zeModuleCreate(world.context, world.device, desc, &module, NULL));
  expect_constants(module, expected);
  assert_fine(zeModuleDestroy(module));
}

/* Checks that the build fails with a log that contains these words. */
static void expect_failure(const ze_module_desc_t *desc, ze_result_t code, const char *words) {
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  assert_ze(zeModuleCreate(world.context, world.device, desc, &module, &log), code);
  assert_null(module);
  const char *text = code_log(log);
  if (!strstr(text, words))
    fail_msg("no \"%s\" in \"%s\"", words, text);
}

TEST(constants_keep_their_defaults) {
  const ze_module_desc_t desc = code_desc();
  expect_build(&desc, (const double[]){100, 200, 3, 0, 0.5});
}

TEST(constants_take_the_given_values) {
  /* Each value is at the end of its memory, so that sanitizers find reads of too many bytes. */
  int *integer = malloc(4);
  int64_t *large = malloc(8);
  signed char *small = malloc(1);
  unsigned char *flag = malloc(1);
  double *real = malloc(8);
  *integer = -7;
  *large = INT64_C(1) << 40;
  *small = -8;
  *flag = 0xff;
  *real = -0.25;
  const uint32_t ids[] = {4, 0, 2, 1, 3};
  const void *values[] = {real, integer, small, large, flag};
  const ze_module_constants_t constants = {5, ids, values};
  ze_module_desc_t desc = code_desc();
  desc.pConstants = &constants;
  expect_build(&desc, (const double[]){-7, 1099511627776.0, -8, 1, -0.25});
  free(integer);
  free(large);
  free(small);
  free(flag);
  free(real);
}

TEST(the_last_value_of_a_constant_wins) {
  const int first = 1, second = 2, third = 3;
  const uint32_t ids[] = {0, 0, 0};
  const void *values[] = {&first, &third, &second};
  const ze_module_constants_t constants = {3, ids, values};
  ze_module_desc_t desc = code_desc();
  desc.pConstants = &constants;
  expect_build(&desc, (const double[]){2, 200, 3, 0, 0.5});
}

TEST(wrong_constants_are_refused) {
  const int value = 1;
  const uint32_t ids[] = {0, 77};
  const void *values[] = {&value, &value};
  const void *nothing[] = {NULL};
  ze_module_desc_t desc = code_desc();
  desc.pConstants = &(const ze_module_constants_t){2, ids, values};
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "no specialization constant 77");
  desc.pConstants = &(const ze_module_constants_t){1, ids, nothing};
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "constant 0 has no value");
  desc.pConstants = &(const ze_module_constants_t){1, NULL, values};
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "without ids or values");
}

TEST(unknown_build_flags_are_refused) {
  static const double defaults[] = {100, 200, 3, 0, 0.5};
  ze_module_desc_t desc = code_desc();
  desc.pBuildFlags = "-ze-opt-disable";
  expect_build(&desc, defaults);
  desc.pBuildFlags = " -ze-opt-level=2  -cl-fast-relaxed-math -ze-opt-large-register-file "
                     "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000' -g";
  expect_build(&desc, defaults);
  desc.pBuildFlags = "-ze-opt-level=2 -ze-nonsense";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "unknown build flag: -ze-nonsense");
  desc.pBuildFlags = "-ze-opt-level=7";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "-ze-opt-level=7");
  desc.pBuildFlags = "-O2";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "unknown build flag: -O2");
  desc.pBuildFlags = "-ze-opt-level 1 -g";
  expect_build(&desc, defaults);
  desc.pBuildFlags = "-ze-opt-level 12";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "unknown build flag: -ze-opt-level");
  desc.pBuildFlags = "-g -ze-opt-level ";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "without a value: -ze-opt-level");
  desc.pBuildFlags = "-igc_opts";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "without a value: -igc_opts");
}

TEST(damaged_modules_are_refused) {
  const size_t size = SPECPI_EMBED_SIZE(code_il);
  unsigned char *copy = malloc(size);
  memcpy(copy, code_il_begin, size);
  ze_module_desc_t desc = code_module_desc(copy, size - 1);
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "no SPIR-V module");
  desc.inputSize = size / 8 * 4;
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "");
  copy[0] ^= 1;
  desc.inputSize = size;
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "magic");
  free(copy);
}

TEST(wrong_calls_create_no_module) {
  ze_module_handle_t module = NULL;
  ze_module_desc_t desc = code_desc();
  assert_ze(zeModuleCreate(world.context, world.device, NULL, &module, NULL),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  assert_ze(zeModuleCreate(world.context, world.device, &desc, NULL, NULL),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.pInputModule = NULL;
  assert_ze(zeModuleCreate(world.context, world.device, &desc, &module, NULL),
            ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc = code_desc();
  desc.format = (ze_module_format_t)7;
  assert_ze(zeModuleCreate(world.context, world.device, &desc, &module, NULL),
            ZE_RESULT_ERROR_INVALID_ENUMERATION);
  desc = code_desc();
  desc.inputSize = 0;
  assert_ze(zeModuleCreate(world.context, world.device, &desc, &module, NULL),
            ZE_RESULT_ERROR_INVALID_SIZE);
  desc = code_desc();
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  assert_ze(zeModuleCreate(world.context, world.device, &desc, &module, NULL),
            ZE_RESULT_ERROR_INVALID_ARGUMENT);
  assert_null(module);
}

TEST(a_native_binary_loads_unless_it_is_damaged) {
  const int value = 31;
  const uint32_t id = 0;
  const void *values[] = {&value};
  ze_module_desc_t desc = code_desc();
  desc.pConstants = &(const ze_module_constants_t){1, &id, values};
  desc.pBuildFlags = "-ze-opt-level=2";
  ze_module_handle_t module = NULL;
  assert_fine(zeModuleCreate(world.context, world.device, &desc, &module, NULL));
  size_t size = 0;
  assert_fine(zeModuleGetNativeBinary(module, &size, NULL));
  unsigned char *binary = malloc(size);
  size_t less = size - 1;
  assert_ze(zeModuleGetNativeBinary(module, &less, binary), ZE_RESULT_ERROR_INVALID_SIZE);
  assert_fine(zeModuleGetNativeBinary(module, &size, binary));
  assert_fine(zeModuleDestroy(module));
  desc = code_module_desc(binary, size);
  desc.format = ZE_MODULE_FORMAT_NATIVE;
  expect_build(&desc, (const double[]){31, 200, 3, 0, 0.5});
  for (size_t at = 0; at < size; at += size / 7) {
    binary[at] ^= 0x40;
    expect_failure(&desc, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, "no binary of this driver");
    binary[at] ^= 0x40;
  }
  for (size_t cut = 0; cut < size; cut += size / 5) {
    desc.inputSize = cut ? cut : 3;
    expect_failure(&desc, ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, "no binary of this driver");
  }
  free(binary);
}

TEST(kernels_are_listed_by_name) {
  ze_module_handle_t module = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  uint32_t count = 0;
  assert_fine(zeModuleGetKernelNames(module, &count, NULL));
  assert_true(count >= 9);
  const char *names[32];
  uint32_t room = 32;
  assert_fine(zeModuleGetKernelNames(module, &room, names));
  assert_int_equal(room, count);
  bool found = false;
  for (uint32_t i = 0; i < count; i++)
    found |= strcmp(names[i], "reversed") == 0;
  assert_true(found);
  room = 1;
  assert_fine(zeModuleGetKernelNames(module, &room, names));
  assert_int_equal(room, 1);
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  assert_fine(zeModuleGetProperties(module, &properties));
  assert_int_equal(properties.flags, 0);
  assert_fine(zeModuleDestroy(module));
}

TEST(host_and_kernels_share_global_variables) {
  ze_module_handle_t module = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  void *address = NULL, *again = NULL;
  size_t size = 0;
  assert_fine(zeModuleGetGlobalPointer(module, "counter", &size, &address));
  assert_int_equal(size, 4);
  assert_fine(zeModuleGetGlobalPointer(module, "counter", NULL, &again));
  assert_ptr_equal(address, again);
  int value = 100;
  assert_fine(zeCommandListAppendMemoryCopy(world.list, address, &value, 4, NULL, 0, NULL));
  ze_kernel_handle_t kernel = code_kernel(module, "count");
  int *out = code_memory(4);
  code_set(kernel, 0, out);
  code_launch(kernel, 1, 1);
  assert_int_equal(*out, 122);
  assert_fine(zeCommandListAppendMemoryCopy(world.list, &value, address, 4, NULL, 0, NULL));
  assert_int_equal(value, 122);
  assert_ze(zeModuleGetGlobalPointer(module, "nothing", &size, &address),
            ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  assert_ze(zeModuleGetGlobalPointer(module, "three_times", &size, &address),
            ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
  assert_fine(zeModuleDestroy(module));
}

TEST(functions_are_found_by_name) {
  ze_module_handle_t module = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  void *address = NULL;
  assert_fine(zeModuleGetFunctionPointer(module, "three_times", &address));
  int (*function)(int);
  memcpy(&function, &address, sizeof function);
  assert_int_equal(function(14), 42); /* callable, because the device is this machine's CPU */
  assert_fine(zeModuleGetFunctionPointer(module, "add", &address));
  assert_non_null(address);
  assert_ze(zeModuleGetFunctionPointer(module, "counter", &address),
            ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  assert_ze(zeModuleGetFunctionPointer(module, "nothing", &address),
            ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  assert_fine(zeModuleDestroy(module));
}

/* Checks the kernel "use" of linked modules. */
static void expect_use(ze_module_handle_t module, int helped, int shared) {
  ze_kernel_handle_t kernel = code_kernel(module, "use");
  int *out = code_memory(2 * sizeof *out);
  code_set(kernel, 0, out);
  code_launch(kernel, 1, 1);
  assert_int_equal(out[0], helped);
  assert_int_equal(out[1], shared);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
}

TEST(a_program_links_its_modules) {
  const uint8_t *modules[] = {user_il_begin, library_il_begin};
  const size_t sizes[] = {SPECPI_EMBED_SIZE(user_il), SPECPI_EMBED_SIZE(library_il)};
  const int first = 5, second = 9;
  const uint32_t id = 0;
  const void *first_values[] = {&first};
  const void *second_values[] = {&second};
  const ze_module_constants_t constants[] = {{1, &id, first_values}, {1, &id, second_values}};
  const ze_module_constants_t *both[] = {&constants[0], &constants[1]};
  const char *flags[] = {"-ze-opt-level=2", NULL};
  ze_module_program_exp_desc_t program = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
                                          .count = 2,
                                          .inputSizes = sizes,
                                          .pInputModules = modules,
                                          .pBuildFlags = flags,
                                          .pConstants = both};
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                           .pNext = &program,
                           .format = ZE_MODULE_FORMAT_IL_SPIRV,
                           .inputSize = sizes[0], /* for the validation layer */
                           .pInputModule = modules[0]};
  ze_module_handle_t module = NULL;
  assert_fine(zeModuleCreate(world.context, world.device, &desc, &module, NULL));
  expect_use(module, 5009, 40);
  size_t size = 0;
  assert_fine(zeModuleGetNativeBinary(module, &size, NULL));
  unsigned char *binary = malloc(size);
  assert_fine(zeModuleGetNativeBinary(module, &size, binary));
  assert_fine(zeModuleDestroy(module));
  ze_module_desc_t native = code_module_desc(binary, size);
  native.format = ZE_MODULE_FORMAT_NATIVE;
  assert_fine(zeModuleCreate(world.context, world.device, &native, &module, NULL));
  expect_use(module, 5009, 40);
  assert_fine(zeModuleDestroy(module));
  free(binary);
  flags[1] = "-ze-wrong";
  expect_failure(&desc, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "-ze-wrong");
  program.count = 0;
  assert_ze(zeModuleCreate(world.context, world.device, &desc, &module, NULL),
            ZE_RESULT_ERROR_INVALID_SIZE);
}

TEST(a_link_resolves_imports_between_modules) {
  ze_module_handle_t modules[2] = {
      code_module(user_il_begin, SPECPI_EMBED_SIZE(user_il)),
      code_module(library_il_begin, SPECPI_EMBED_SIZE(library_il)),
  };
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
  assert_fine(zeModuleGetProperties(modules[0], &properties));
  assert_int_equal(properties.flags, ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "use"};
  ze_kernel_handle_t kernel = NULL;
  assert_ze(zeKernelCreate(modules[0], &desc, &kernel), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  ze_module_build_log_handle_t log = NULL;
  ze_linkage_inspection_ext_desc_t inspect = {
      .stype = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC, .flags = 7};
  assert_fine(zeModuleInspectLinkageExt(&inspect, 1, modules, &log));
  const char *text = code_log(log);
  assert_non_null(strstr(strstr(text, "Unresolvable"), "helper"));
  assert_fine(zeModuleInspectLinkageExt(&inspect, 2, modules, &log));
  text = code_log(log);
  assert_ptr_equal(strstr(strstr(text, "Unresolvable"), "helper"),
                   strstr(strstr(text, "Exports"), "helper"));
  log = NULL;
  assert_ze(zeModuleDynamicLink(1, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  assert_non_null(strstr(code_log(log), "helper"));
  log = NULL;
  assert_fine(zeModuleDynamicLink(2, modules, &log));
  code_log(log);
  /* The two modules share the variable of one of them. */
  kernel = code_kernel(modules[1], "change");
  int *out = code_memory(sizeof *out);
  code_set(kernel, 0, out);
  code_launch(kernel, 1, 1);
  assert_int_equal(*out, 41);
  code_free(out);
  assert_fine(zeKernelDestroy(kernel));
  expect_use(modules[0], 1002, 41);
  assert_fine(zeModuleDestroy(modules[0]));
  assert_fine(zeModuleDestroy(modules[1]));
}

TEST(a_module_with_kernels_is_not_destroyed) {
  ze_module_handle_t module = code_module(code_il_begin, SPECPI_EMBED_SIZE(code_il));
  ze_kernel_handle_t kernel = code_kernel(module, "add");
  assert_ze(zeModuleDestroy(module), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  assert_fine(zeKernelDestroy(kernel));
  assert_fine(zeModuleDestroy(module));
  assert_ze(zeModuleDestroy(module), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
  return tests_run(code_begin, code_end);
}
