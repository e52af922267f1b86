/* UR's entries for programs. Building is in program_build.c, queries are in program_info.c. */
#include "../plugins/objects/program.h"

#include "../plugins/code/program_code.h"
#include "checks.h"
#include "metadata.h"

#include <stdlib.h>

/* Adds metadata to a new program; releases the program if that fails. */
static pi_result add_metadata(pi_program program, const metadata *all, pi_program *ret) {
  const pi_result result = code_read_metadata(&program->code, all->count, all->list);
  if (result == PI_SUCCESS)
    *ret = program;
  else
    program_release(program);
  return result;
}

static ur_result_t create_program(pi_context context, const void *code, size_t size,
                                  const metadata *all, pi_program *ret) {
  pi_program program;
  const pi_result result = program_create(context, code, size, &program);
  if (result != PI_SUCCESS)
    return face_result(result == PI_ERROR_INVALID_VALUE ? PI_ERROR_INVALID_BINARY : result);
  return face_result(add_metadata(program, all, ret));
}

ur_result_t urProgramCreateWithIL(ur_context_handle_t hContext, const void *pIL, size_t length,
                                  const ur_program_properties_t *pProperties,
                                  ur_program_handle_t *phProgram) {
  metadata all;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(pIL);
  UR_REQUIRE_POINTER(phProgram);
  UR_REQUIRE(length != 0, UR_RESULT_ERROR_INVALID_SIZE, "length is 0");
  UR_PASS(metadata_read(pProperties, &all));
  const ur_result_t result =
      create_program(context_of(hContext), pIL, length, &all, programs_of(phProgram));
  metadata_free(&all);
  return result;
}

/* ---- Binaries ---- */

static ur_result_t check_lists(uint32_t count, const size_t *lengths, const uint8_t **binaries) {
  for (uint32_t i = 0; i < count; i++) {
    UR_REQUIRE(binaries[i], UR_RESULT_ERROR_INVALID_NULL_POINTER, "binary %u of %u is NULL", i,
               count);
    UR_REQUIRE(lengths[i] != 0, UR_RESULT_ERROR_INVALID_SIZE, "binary %u of %u is 0 bytes long", i,
               count);
  }
  return UR_RESULT_SUCCESS;
}

static pi_result create_of_binaries(pi_context context, const binary_array *all, pi_program *ret) {
  const device_array devices = program_devices(context);
  TRY(check_binaries(&devices, all));
  return program_create_with_binary(context, all, NULL, ret);
}

ur_result_t urProgramCreateWithBinary(ur_context_handle_t hContext, uint32_t numDevices,
                                      ur_device_handle_t *phDevices, size_t *pLengths,
                                      const uint8_t **ppBinaries,
                                      const ur_program_properties_t *pProperties,
                                      ur_program_handle_t *phProgram) {
  metadata all;
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phDevices);
  UR_REQUIRE_POINTER(pLengths);
  UR_REQUIRE_POINTER(ppBinaries);
  UR_REQUIRE_POINTER(phProgram);
  UR_REQUIRE(numDevices != 0, UR_RESULT_ERROR_INVALID_SIZE, "numDevices is 0");
  UR_PASS(check_lists(numDevices, pLengths, ppBinaries));
  UR_PASS(metadata_read(pProperties, &all));
  const binary_array binaries = {numDevices, devices_of(phDevices), pLengths, ppBinaries, all.count,
                                 all.list};
  const pi_result result =
      create_of_binaries(context_of(hContext), &binaries, programs_of(phProgram));
  metadata_free(&all);
  return face_result(result);
}

ur_result_t urProgramCreateWithBinary_2025_0(ur_context_handle_t hContext,
                                             ur_device_handle_t hDevice, size_t size,
                                             const uint8_t *pBinary,
                                             const ur_program_properties_t *pProperties,
                                             ur_program_handle_t *phProgram) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_DEVICE(hDevice);
  return urProgramCreateWithBinary(hContext, 1, &hDevice, &size, &pBinary, pProperties, phProgram);
}

/* ---- Lifetime and native handles ---- */

ur_result_t urProgramRetain(ur_program_handle_t hProgram) {
  UR_REQUIRE_PROGRAM(hProgram);
  program_retain(program_of(hProgram));
  return UR_RESULT_SUCCESS;
}

ur_result_t urProgramRelease(ur_program_handle_t hProgram) {
  UR_REQUIRE_PROGRAM(hProgram);
  program_release(program_of(hProgram));
  return UR_RESULT_SUCCESS;
}

ur_result_t urProgramGetNativeHandle(ur_program_handle_t hProgram,
                                     ur_native_handle_t *phNativeProgram) {
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(phNativeProgram);
  return face_result(program_native(program_of(hProgram), phNativeProgram));
}

ur_result_t urProgramCreateWithNativeHandle(ur_native_handle_t hNativeProgram,
                                            ur_context_handle_t hContext,
                                            const ur_program_native_properties_t *pProperties,
                                            ur_program_handle_t *phProgram) {
  UR_REQUIRE_CONTEXT(hContext);
  UR_REQUIRE_POINTER(phProgram);
  UR_REQUIRE(hNativeProgram, UR_RESULT_ERROR_INVALID_NULL_HANDLE, "hNativeProgram is 0");
  return face_result(program_adopt(context_of(hContext), hNativeProgram,
                                   pProperties && pProperties->isNativeHandleOwned,
                                   programs_of(phProgram)));
}

/* ---- Constants ---- */

ur_result_t
urProgramSetSpecializationConstants(ur_program_handle_t hProgram, uint32_t count,
                                    const ur_specialization_constant_info_t *pSpecConstants) {
  UR_REQUIRE_PROGRAM(hProgram);
  UR_REQUIRE_POINTER(pSpecConstants);
  UR_REQUIRE(count != 0, UR_RESULT_ERROR_INVALID_SIZE, "count is 0");
  constant_setting *settings = malloc(count * sizeof *settings);
  UR_REQUIRE(settings, UR_RESULT_ERROR_OUT_OF_HOST_MEMORY,
             "no memory for the values of %u constants", count);
  for (uint32_t i = 0; i < count; i++)
    settings[i] =
        (constant_setting){pSpecConstants[i].id, pSpecConstants[i].size, pSpecConstants[i].pValue};
  const pi_result result = program_set_constants(program_of(hProgram), settings, count);
  free(settings);
  return face_result(result);
}

/* Not supported: constants are set before a build, and a kernel belongs to a built program. */
ur_result_t
urKernelSetSpecializationConstants(ur_kernel_handle_t hKernel, uint32_t count,
                                   const ur_specialization_constant_info_t *pSpecConstants) {
  UR_REQUIRE_KERNEL(hKernel);
  UR_REQUIRE_POINTER(pSpecConstants);
  UR_REQUIRE(count != 0, UR_RESULT_ERROR_INVALID_SIZE, "count is 0");
  return face_error(UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
                    "constants are set in a program before it is built, by "
                    "urProgramSetSpecializationConstants, and not in a kernel");
}
