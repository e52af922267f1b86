/*
 * Programs: constants of several types, which are set all or none; building, compiling and linking
 * with each release's functions; queries; variables; native handles.
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

/* The ids of scalars.spvasm, and the default output of its kernel. */
enum { ID_TRUE = 101, ID_FALSE, ID_8, ID_16, ID_32, ID_64, ID_FLOAT, VALUES = 7 };
static const uint64_t defaults[VALUES] = {1, 0, 43, 3000, 43, 200, 0x406ccccd};

static void check_values(ur_program_handle_t program, const uint64_t expected[VALUES]) {
  uint64_t *out = run_memory(VALUES * sizeof *out);
  ur_kernel_handle_t kernel = NULL;
  const size_t one = 1;
  const run_argument argument = run_pointer(0, out);
  assert_ok(run_build(program, ""));
  assert_ok(UR(urKernelCreate)(program, "value", &kernel));
  assert_ok(run_launch(kernel, 1, &one, NULL, 1, &argument));
  for (int i = 0; i < VALUES; i++)
    assert_int_equal(out[i], expected[i]);
  assert_ok(UR(urKernelRelease)(kernel));
  run_free(out);
}

static const uint8_t number_8 = 200, no = 0, yes = 1;
static const uint16_t number_16 = 54321;
static const uint32_t number_32 = 0xcafef00d;
static const uint64_t number_64 = 0x0123456789abcdef;
static const float number_float = -0.5f;
static const ur_specialization_constant_info_t all[VALUES] = {
    {ID_TRUE, 1, &no},           {ID_FALSE, 1, &yes},    {ID_8, 1, &number_8},
    {ID_16, 2, &number_16},      {ID_32, 4, &number_32}, {ID_64, 8, &number_64},
    {ID_FLOAT, 4, &number_float}};

TEST(constants_keep_their_latest_values) {
  const uint64_t expected[VALUES] = {0, 1, 200, 54321, 0xcafef00d, 0x0123456789abcdef, 0xbf000000};
  const ur_program_handle_t program = run_program(MODULE_scalars);
  check_values(program, defaults);
  assert_ok(UR(urProgramSetSpecializationConstants)(program, VALUES, all));
  check_values(program, expected);
  /* Values of other constants stay. If an id occurs twice, the last value counts. */
  const uint32_t first = 1, second = 2;
  const ur_specialization_constant_info_t twice[] = {{ID_32, 4, &first}, {ID_32, 4, &second}};
  assert_ok(UR(urProgramSetSpecializationConstants)(program, 2, twice));
  uint64_t changed[VALUES];
  memcpy(changed, expected, sizeof changed);
  changed[4] = 2;
  check_values(program, changed);
  assert_ok(UR(urProgramRelease)(program));
}

/* If any constant in the list is wrong, none is set. */
TEST(all_constants_are_set_or_none) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  for (int at = 0; at < VALUES; at++) {
    ur_specialization_constant_info_t list[VALUES];
    memcpy(list, all, sizeof list);
    list[at].id = 9;
    assert_refused(UR(urProgramSetSpecializationConstants)(program, VALUES, list), INVALID_SPEC_ID,
                   "no constant with id 9");
    list[at] = all[at];
    list[at].size++;
    assert_refused(UR(urProgramSetSpecializationConstants)(program, VALUES, list), INVALID_VALUE,
                   "given");
    list[at] = all[at];
    list[at].pValue = NULL;
    assert_refused(UR(urProgramSetSpecializationConstants)(program, VALUES, list), INVALID_VALUE,
                   "is NULL");
  }
  assert_refused(UR(urProgramSetSpecializationConstants)(program, 0, all), INVALID_SIZE,
                 "count is 0");
  assert_refused(UR(urProgramSetSpecializationConstants)(program, 1, NULL), INVALID_NULL_POINTER,
                 "pSpecConstants is NULL");
  check_values(program, defaults);
  assert_ok(UR(urProgramRelease)(program));
}

TEST(a_kernel_takes_no_constants) {
  const ur_kernel_handle_t kernel = run_kernel(MODULE_scalars, "value");
  assert_refused(UR(urKernelSetSpecializationConstants)(kernel, 1, all), UNSUPPORTED_FEATURE,
                 "before it is built");
  assert_refused(UR(urKernelSetSpecializationConstants)(kernel, 0, all), INVALID_SIZE,
                 "count is 0");
  assert_ok(UR(urKernelRelease)(kernel));
}

/* ---- Creation ---- */

TEST(wrong_il_is_refused) {
  static const unsigned char noise[64] = {1, 2, 3, 4};
  size_t size;
  const unsigned char *code = run_code(MODULE_scalars, &size);
  ur_program_handle_t program = NULL;
  assert_refused(UR(urProgramCreateWithIL)(place.context, NULL, size, NULL, &program),
                 INVALID_NULL_POINTER, "pIL is NULL");
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, NULL, NULL),
                 INVALID_NULL_POINTER, "phProgram is NULL");
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, 0, NULL, &program), INVALID_SIZE,
                 "length is 0");
  assert_refused(UR(urProgramCreateWithIL)(place.context, noise, 64, NULL, &program),
                 INVALID_BINARY, "neither");
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size - 1, NULL, &program),
                 INVALID_BINARY, "multiple");
  assert_null(program);
}

TEST(metadata_is_read_and_checked) {
  size_t size;
  const unsigned char *code = run_code(MODULE_scalars, &size);
  /* UR puts the number of bits before the bytes. */
  struct {
    uint64_t bits;
    uint32_t sizes[3];
  } group = {96, {2, 1, 1}};
  ur_program_metadata_t entries[] = {
      {.pName = "value@reqd_work_group_size",
       .type = UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY,
       .size = 8 + sizeof group.sizes,
       .value.pData = &group},
      {.pName = "what", .type = UR_PROGRAM_METADATA_TYPE_UINT32, .size = 4, .value.data32 = 1},
      {.pName = "else", .type = UR_PROGRAM_METADATA_TYPE_UINT64, .size = 8, .value.data64 = 1}};
  ur_program_properties_t properties = {
      .stype = UR_STRUCTURE_TYPE_PROGRAM_PROPERTIES, .count = 3, .pMetadatas = entries};
  ur_program_handle_t program = NULL;
  assert_ok(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program));
  assert_ok(UR(urProgramRelease)(program));
  program = NULL;
  properties.count = 0;
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program),
                 INVALID_SIZE, "count is 0");
  properties = (ur_program_properties_t){.count = 1};
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program),
                 INVALID_NULL_POINTER, "pMetadatas is NULL");
  properties.pMetadatas = entries;
  entries[0].type = (ur_program_metadata_type_t)9;
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program),
                 INVALID_ENUMERATION, "type 0x9");
  entries[0].type = UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY;
  entries[0].pName = NULL;
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program),
                 INVALID_NULL_POINTER, "has no name");
  entries[0].pName = "value@reqd_work_group_size";
  group.sizes[1] = 0;
  assert_refused(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program),
                 INVALID_VALUE, "is 0");
  assert_null(program);
}

static ur_result_t create_binary(size_t size, const uint8_t *binary, ur_program_handle_t *ret) {
  if (HAS(urProgramCreateWithBinary))
    return UR(urProgramCreateWithBinary)(place.context, 1, &place.device, &size, &binary, NULL,
                                         ret);
  return UR(urProgramCreateWithBinary_2025_0)(place.context, place.device, size, binary, NULL, ret);
}

/* A program created from another one's binary has the values of the other's constants. */
TEST(a_binary_has_the_values) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  assert_ok(UR(urProgramSetSpecializationConstants)(program, 1, &all[4]));
  assert_ok(run_build(program, ""));
  size_t sizes[2] = {0, 0};
  unsigned char *list[2] = {NULL, NULL};
  const uint32_t last = place.device_count - 1;
  assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_BINARY_SIZES,
                                 place.device_count * sizeof sizes[0], sizes, NULL));
  const size_t size = sizes[last];
  assert_true(size > 0);
  unsigned char *bytes = list[last] = malloc(size);
  assert_non_null(bytes);
  assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_BINARIES,
                                 place.device_count * sizeof list[0], list, NULL));
  ur_program_handle_t copy = NULL;
  assert_ok(create_binary(size, bytes, &copy));
  uint64_t expected[VALUES];
  memcpy(expected, defaults, sizeof expected);
  expected[4] = number_32;
  check_values(copy, expected);
  assert_refused(UR(urProgramSetSpecializationConstants)(copy, 1, all), INVALID_PROGRAM,
                 "cannot be set");
  assert_ok(UR(urProgramRelease)(copy));
  copy = NULL;
  assert_refused(create_binary(0, bytes, &copy), INVALID_SIZE, "0 bytes");
  assert_refused(create_binary(size, NULL, &copy), INVALID_NULL_POINTER, "NULL");
  bytes[size / 2] ^= 0xff;
  assert_int_not_equal(create_binary(size, bytes, &copy), UR_RESULT_SUCCESS);
  assert_null(copy);
  free(bytes);
  assert_ok(UR(urProgramRelease)(program));
}

/* ---- Building ---- */

static ur_result_t link_programs(uint32_t count, const ur_program_handle_t *programs,
                                 ur_program_handle_t *ret) {
  if (HAS(urProgramLinkExp))
    return UR(urProgramLinkExp)(place.context, 1, &place.device, 0, count, programs, "", ret);
  return UR(urProgramLinkExp_2025_0)(place.context, 1, &place.device, count, programs, "", ret);
}

static ur_result_t compile_program(ur_program_handle_t program) {
  if (HAS(urProgramCompileExp))
    return UR(urProgramCompileExp)(program, 1, &place.device, 0, "");
  return UR(urProgramCompileExp_2025_0)(program, 1, &place.device, "");
}

static int32_t status_of(ur_program_handle_t program) {
  int32_t status = -1;
  assert_ok(UR(urProgramGetBuildInfo)(program, place.device, UR_PROGRAM_BUILD_INFO_STATUS,
                                      sizeof status, &status, NULL));
  return status;
}

static int32_t type_of(ur_program_handle_t program) {
  int32_t type = -1;
  assert_ok(UR(urProgramGetBuildInfo)(program, place.device, UR_PROGRAM_BUILD_INFO_BINARY_TYPE,
                                      sizeof type, &type, NULL));
  return type;
}

TEST(builds_have_a_status_and_a_type) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  char text[64];
  assert_int_equal(status_of(program), UR_PROGRAM_BUILD_STATUS_NONE);
  assert_int_equal(type_of(program), UR_PROGRAM_BINARY_TYPE_NONE);
  assert_ok(UR(urProgramBuild)(place.context, program, NULL));
  assert_int_equal(status_of(program), UR_PROGRAM_BUILD_STATUS_SUCCESS);
  assert_int_equal(type_of(program), UR_PROGRAM_BINARY_TYPE_EXECUTABLE);
  assert_ok(UR(urProgramCompile)(place.context, program, ""));
  assert_int_equal(type_of(program), UR_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
  assert_ok(run_build(program, "-cl-mad-enable"));
  assert_ok(UR(urProgramGetBuildInfo)(program, place.device, UR_PROGRAM_BUILD_INFO_OPTIONS,
                                      sizeof text, text, NULL));
  assert_string_equal(text, "-cl-mad-enable");
  /* After an unknown option or an unfinished quote the program stays as it was. */
  assert_refused(run_build(program, "\"x"), INVALID_VALUE, "option");
  assert_int_equal(status_of(program), UR_PROGRAM_BUILD_STATUS_SUCCESS);
  assert_ok(UR(urProgramRelease)(program));
}

TEST(wrong_builds_are_refused) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  ur_device_handle_t stranger = world_device(place.device_count);
  ur_context_handle_t other = NULL;
  assert_ok(UR(urContextCreate)(1, &stranger, NULL, &other));
  if (HAS(urProgramBuildExp)) {
    assert_refused(UR(urProgramBuildExp)(program, 0, &place.device, 0, ""), INVALID_SIZE,
                   "numDevices is 0");
    assert_refused(UR(urProgramBuildExp)(program, 1, NULL, 0, ""), INVALID_NULL_POINTER, "NULL");
    assert_refused(UR(urProgramBuildExp)(program, 1, &stranger, 0, ""), INVALID_DEVICE,
                   "not a device of the context");
    assert_refused(UR(urProgramBuildExp)(program, 1, &place.device, 2, ""), INVALID_ENUMERATION,
                   "0x2");
    assert_refused(UR(urProgramBuildExp)(program, 1, &place.device,
                                         UR_EXP_PROGRAM_FLAG_ALLOW_UNRESOLVED_SYMBOLS, ""),
                   UNSUPPORTED_FEATURE, "resolved");
    assert_refused(UR(urProgramDynamicLinkExp)(place.context, 1, &program), UNSUPPORTED_FEATURE,
                   "resolved");
  } else {
    assert_refused(UR(urProgramBuildExp_2025_0)(program, 0, &place.device, ""), INVALID_SIZE,
                   "numDevices is 0");
    assert_refused(UR(urProgramBuildExp_2025_0)(program, 1, &stranger, ""), INVALID_DEVICE,
                   "not a device of the context");
  }
  assert_refused(UR(urProgramBuild)(other, program, ""), INVALID_CONTEXT, "another context");
  assert_ok(UR(urContextRelease)(other));
  assert_ok(UR(urProgramRelease)(program));
}

/* Two modules with a constant of the same id, each with its own value. */
TEST(linked_modules_keep_their_values) {
  ur_program_handle_t parts[2] = {run_program(MODULE_link_main), run_program(MODULE_link_part)};
  const uint32_t seven = 7, nine = 9;
  const ur_specialization_constant_info_t values[] = {{101, 4, &seven}, {101, 4, &nine}};
  ur_program_handle_t linked = NULL;
  for (int i = 0; i < 2; i++) {
    assert_ok(UR(urProgramSetSpecializationConstants)(parts[i], 1, &values[i]));
    assert_ok(compile_program(parts[i]));
  }
  assert_ok(link_programs(2, parts, &linked));
  uint32_t *out = run_memory(sizeof *out);
  const run_argument argument = run_pointer(0, out);
  const size_t one = 1;
  ur_kernel_handle_t kernel = NULL;
  assert_ok(UR(urKernelCreate)(linked, "value", &kernel));
  assert_ok(run_launch(kernel, 1, &one, NULL, 1, &argument));
  assert_int_equal(*out, 7009);
  run_free(out);
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urProgramRelease)(linked));
  /* Without the other part the link fails. It returns a program that has only a log, or none. */
  linked = parts[0];
  const ur_result_t result = link_programs(1, parts, &linked);
  assert_int_equal(result, UR_RESULT_ERROR_PROGRAM_LINK_FAILURE);
  if (linked) {
    size_t size = 0;
    assert_ptr_not_equal(linked, parts[0]);
    assert_ok(
        UR(urProgramGetBuildInfo)(linked, place.device, UR_PROGRAM_BUILD_INFO_LOG, 0, NULL, &size));
    assert_true(size > 1);
    assert_ok(UR(urProgramRelease)(linked));
  }
  ur_program_handle_t nothing[] = {parts[0], NULL};
  assert_refused(link_programs(2, nothing, &linked), INVALID_NULL_HANDLE, "phPrograms[1] is NULL");
  assert_refused(link_programs(0, parts, &linked), INVALID_SIZE, "count is 0");
  assert_refused(link_programs(1, NULL, &linked), INVALID_NULL_POINTER, "phPrograms is NULL");
  for (int i = 0; i < 2; i++)
    assert_ok(UR(urProgramRelease)(parts[i]));
}

/* ---- Queries, variables, native handles ---- */

TEST(programs_answer_queries) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  uint32_t number = 0;
  void *handle = NULL;
  size_t size = 0, code_size;
  const unsigned char *code = run_code(MODULE_scalars, &code_size);
  assert_ok(UR(urProgramRetain)(program));
  assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_REFERENCE_COUNT, 4, &number, &size));
  assert_int_equal(number, 2);
  assert_int_equal(size, 4);
  assert_ok(UR(urProgramRelease)(program));
  assert_answer(urProgramGetInfo, program, UR_PROGRAM_INFO_CONTEXT, void *, place.context);
  void *devices[2] = {NULL, NULL};
  assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_DEVICES,
                                 place.device_count * sizeof devices[0], devices, NULL));
  assert_ptr_equal(devices[place.device_count - 1], place.device);
  size = 0;
  assert_refused(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_CONTEXT, 4, &handle, &size),
                 INVALID_SIZE, "propSize is 4");
  assert_refused(UR(urProgramGetInfo)(program, (ur_program_info_t)77, 4, &number, NULL),
                 UNSUPPORTED_ENUMERATION, "0x4d");
  assert_refused(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_CONTEXT, 0, NULL, NULL),
                 INVALID_NULL_POINTER, "NULL");
  assert_refused(
      UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_NUM_KERNELS, sizeof size, &size, NULL),
      INVALID_PROGRAM_EXECUTABLE, "not built");
  unsigned char il[8192];
  assert_true(code_size <= sizeof il);
  if (SINCE(2025_1)) {
    assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_IL, sizeof il, il, &size));
    assert_int_equal(size, code_size);
    assert_memory_equal(il, code, code_size);
  } else {
    assert_refused(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_SOURCE, sizeof il, il, &size),
                   UNSUPPORTED_ENUMERATION, "source");
  }
  char names[16];
  assert_ok(run_build(program, ""));
  assert_ok(UR(urProgramGetInfo)(program, UR_PROGRAM_INFO_KERNEL_NAMES, sizeof names, names, NULL));
  assert_string_equal(names, "value");
  assert_answer(urProgramGetInfo, program, UR_PROGRAM_INFO_NUM_KERNELS, size_t, 1);
  assert_refused(UR(urProgramGetBuildInfo)(program, place.device, (ur_program_build_info_t)9, 4,
                                           &number, NULL),
                 UNSUPPORTED_ENUMERATION, "0x9");
  assert_ok(UR(urProgramRelease)(program));
}

TEST(variables_are_read_and_written) {
  const ur_program_handle_t program = run_program(MODULE_global_variable);
  size_t size = 0;
  void *address = NULL;
  int32_t value = 0;
  const int32_t other = 11;
  assert_refused(
      UR(urProgramGetGlobalVariablePointer)(place.device, program, "counter", &size, &address),
      INVALID_PROGRAM_EXECUTABLE, "not built");
  assert_ok(run_build(program, ""));
  assert_ok(
      UR(urProgramGetGlobalVariablePointer)(place.device, program, "counter", &size, &address));
  assert_int_equal(size, 4);
  assert_non_null(address);
  assert_refused(
      UR(urProgramGetGlobalVariablePointer)(place.device, program, "none", &size, &address),
      INVALID_VALUE, "no variable \"none\"");
  assert_ok(UR(urEnqueueDeviceGlobalVariableRead)(place.queue, program, "counter", true, 4, 0,
                                                  &value, 0, NULL, NULL));
  assert_int_equal(value, 7);
  assert_ok(UR(urEnqueueDeviceGlobalVariableWrite)(place.queue, program, "counter", true, 4, 0,
                                                   &other, 0, NULL, NULL));
  assert_ok(UR(urEnqueueDeviceGlobalVariableRead)(place.queue, program, "counter", true, 4, 0,
                                                  &value, 0, NULL, NULL));
  assert_int_equal(value, 11);
  assert_refused(UR(urEnqueueDeviceGlobalVariableRead)(place.queue, program, "counter", true, 4, 1,
                                                       &value, 0, NULL, NULL),
                 INVALID_VALUE, "not all inside");
  assert_refused(UR(urEnqueueDeviceGlobalVariableRead)(place.queue, program, NULL, true, 4, 0,
                                                       &value, 0, NULL, NULL),
                 INVALID_NULL_POINTER, "name is NULL");
  assert_refused(UR(urEnqueueDeviceGlobalVariableWrite)(place.queue, program, "counter", true, 4, 0,
                                                        NULL, 0, NULL, NULL),
                 INVALID_NULL_POINTER, "pSrc is NULL");
  assert_refused(UR(urProgramGetFunctionPointer)(place.device, program, "none", &address),
                 INVALID_KERNEL_NAME, "no function \"none\"");
  assert_refused(
      UR(urEnqueueReadHostPipe)(place.queue, program, "pipe", true, &value, 4, 0, NULL, NULL),
      UNSUPPORTED_FEATURE, "FPGA");
  assert_ok(UR(urProgramRelease)(program));
}

/* SYCL programs name variables by the host's names; metadata maps one to the compiler's name. */
TEST(variables_have_the_host_s_names) {
  static const char kept[] = "1f2e____ZL5eight";
  struct {
    uint64_t bits;
    char name[5];
  } internal = {40, {'s', 'e', 'v', 'e', 'n'}};
  ur_program_metadata_t entry = {.pName = "_Z5seven@global_id_mapping",
                                 .type = UR_PROGRAM_METADATA_TYPE_BYTE_ARRAY,
                                 .size = 8 + sizeof internal.name,
                                 .value.pData = &internal};
  const ur_program_properties_t properties = {
      .stype = UR_STRUCTURE_TYPE_PROGRAM_PROPERTIES, .count = 1, .pMetadatas = &entry};
  size_t size;
  const unsigned char *const code = run_code(MODULE_host_names, &size);
  ur_program_handle_t program = NULL;
  assert_ok(UR(urProgramCreateWithIL)(place.context, code, size, &properties, &program));
  assert_ok(run_build(program, ""));
  uint32_t value = 0, other = 9;
  assert_ok(UR(urEnqueueDeviceGlobalVariableRead)(place.queue, program, "_Z5seven", true, 4, 0,
                                                  &value, 0, NULL, NULL));
  assert_int_equal(value, 7);
  assert_ok(UR(urEnqueueDeviceGlobalVariableWrite)(place.queue, program, kept, true, 4, 0, &other,
                                                   0, NULL, NULL));
  ur_kernel_handle_t kernel = NULL;
  uint32_t *const numbers = run_memory(8);
  const run_argument argument = run_pointer(0, numbers);
  assert_ok(UR(urKernelCreate)(program, "numbers", &kernel));
  assert_ok(run_launch(kernel, 1, &(size_t){1}, NULL, 1, &argument));
  assert_int_equal(numbers[0], 7);
  assert_int_equal(numbers[1], 9);
  run_free(numbers);
  assert_ok(UR(urKernelRelease)(kernel));
  assert_ok(UR(urProgramRelease)(program));
}

TEST(a_native_handle_is_its_program) {
  const ur_program_handle_t program = run_program(MODULE_scalars);
  ur_native_handle_t native = 0;
  ur_program_handle_t again = NULL;
  assert_refused(UR(urProgramGetNativeHandle)(program, &native), INVALID_PROGRAM_EXECUTABLE,
                 "not built");
  assert_ok(run_build(program, ""));
  assert_ok(UR(urProgramGetNativeHandle)(program, &native));
  assert_ok(UR(urProgramCreateWithNativeHandle)(native, place.context, NULL, &again));
  assert_ptr_equal(again, program);
  assert_ok(UR(urProgramRelease)(again));
  assert_refused(UR(urProgramCreateWithNativeHandle)(0, place.context, NULL, &again),
                 INVALID_NULL_HANDLE, "hNativeProgram is 0");
  assert_ok(UR(urProgramRelease)(program));
}

int main(int argc, char **argv) {
  world_open(argc, argv);
  return tests_run(run_open, run_close);
}
