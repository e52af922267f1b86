/* Programs: queries about a program and its latest build. */
#include "checks.h"
#include "program_table.h"

#include "../code/elf_hash.h"

#include <stdlib.h>

static pi_result get_program_info(cl_program program, cl_program_info query,
                                  const info_answer *answer) {
  CL_ANSWER(answer, GetProgramInfo, program, query);
}

/* Answers with the source. Fails if a program has none, for which drivers answer nothing or "". */
static pi_result get_source(cl_program program, const info_answer *answer) {
  size_t size = 0;
  TRY(CL_CALL(GetProgramInfo, program, CL_PROGRAM_SOURCE, 0, NULL, &size));
  if (size <= 1)
    return answer_unsupported("pi_program_info", PI_PROGRAM_INFO_SOURCE, PROGRAM_WITHOUT_SOURCE);
  return get_program_info(program, CL_PROGRAM_SOURCE, answer);
}

/* Sizes and places of the binaries that the driver writes, one for each device. */
typedef struct binaries {
  cl_uint count;
  size_t *sizes;
  unsigned char **places;
  unsigned char *scratch; /* place of all binaries that the caller does not want */
} binaries;

/*
 * Chooses the places. NULL in wanted means that the caller does not want this binary. Such a binary
 * goes to scratch memory, because Intel's CPU runtime refuses NULL.
 */
static pi_result make_places(cl_program program, unsigned char *const *wanted, binaries *binaries) {
  binaries->sizes = calloc(binaries->count, sizeof *binaries->sizes);
  binaries->places = calloc(binaries->count, sizeof *binaries->places);
  REQUIRE_MEMORY(binaries->sizes && binaries->places, "a list of %u binaries", binaries->count);
  TRY(CL_CALL(GetProgramInfo, program, CL_PROGRAM_BINARY_SIZES,
              binaries->count * sizeof *binaries->sizes, binaries->sizes, NULL));
  size_t largest = 1;
  for (cl_uint i = 0; i < binaries->count; i++)
    if (!wanted[i] && binaries->sizes[i] > largest)
      largest = binaries->sizes[i];
  binaries->scratch = malloc(largest);
  REQUIRE_MEMORY(binaries->scratch, "%zu bytes of a binary", largest);
  for (cl_uint i = 0; i < binaries->count; i++)
    binaries->places[i] = wanted[i] ? wanted[i] : binaries->scratch;
  return PI_SUCCESS;
}

/* Gets the binaries, and writes its hash into each wanted one that has space for a hash. */
static pi_result fill_places(cl_program program, unsigned char *const *wanted,
                             const binaries *binaries, const info_answer *answer) {
  const info_answer all = {binaries->count * sizeof *binaries->places, binaries->places,
                           answer->size_ret};
  TRY(get_program_info(program, CL_PROGRAM_BINARIES, &all));
  for (cl_uint i = 0; i < binaries->count; i++)
    if (wanted[i])
      elf_hash_write(wanted[i], binaries->sizes[i]);
  return PI_SUCCESS;
}

static pi_result get_binaries(cl_program program, const info_answer *answer) {
  unsigned char *const *wanted = answer->value;
  binaries binaries = {0};
  if (!wanted)
    return get_program_info(program, CL_PROGRAM_BINARIES, answer);
  TRY(CL_GET(Program, program, CL_PROGRAM_NUM_DEVICES, &binaries.count));
  TRY(answer_check_room(answer, binaries.count * sizeof *wanted));
  pi_result result = make_places(program, wanted, &binaries);
  if (result == PI_SUCCESS)
    result = fill_places(program, wanted, &binaries, answer);
  free(binaries.sizes);
  free(binaries.places);
  free(binaries.scratch);
  return result;
}

/* Answers a query about the latest build, whose binaries have the constants' values. */
static pi_result get_active_info(cl_program active, pi_program_info query,
                                 const info_answer *answer) {
  if (query == PI_PROGRAM_INFO_BINARIES)
    return get_binaries(active, answer);
  if (query == PI_PROGRAM_INFO_NUM_KERNELS || query == PI_PROGRAM_INFO_KERNEL_NAMES)
    TRY(opencl_program_check_built(active));
  return get_program_info(active, (cl_program_info)query, answer);
}

pi_result piProgramGetInfo(pi_program program, pi_program_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_PROGRAM_INFO_REFERENCE_COUNT:
    return get_program_info(cl_from_program(program), CL_PROGRAM_REFERENCE_COUNT, &answer);
  case PI_PROGRAM_INFO_SOURCE:
    return get_source(cl_from_program(program), &answer);
  /* The following queries have the same numbers in PI and OpenCL. */
  case PI_PROGRAM_INFO_CONTEXT:
  case PI_PROGRAM_INFO_NUM_DEVICES:
  case PI_PROGRAM_INFO_DEVICES:
  case PI_PROGRAM_INFO_BINARY_SIZES:
  case PI_PROGRAM_INFO_BINARIES:
  case PI_PROGRAM_INFO_NUM_KERNELS:
  case PI_PROGRAM_INFO_KERNEL_NAMES: {
    cl_program active;
    TRY(opencl_program_hold(program, &active));
    const pi_result result = get_active_info(active, param_name, &answer);
    opencl_program_yield(program, active);
    return result;
  }
  }
  return answer_unknown("pi_program_info", (pi_uint32)param_name);
}

static pi_result get_build_info(cl_program program, cl_device_id device,
                                cl_program_build_info query, const info_answer *answer) {
  CL_ANSWER(answer, GetProgramBuildInfo, program, device, query);
}

pi_result piProgramGetBuildInfo(pi_program program, pi_device device,
                                pi_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE(device);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_PROGRAM_BUILD_INFO_STATUS:
  case PI_PROGRAM_BUILD_INFO_OPTIONS:
  case PI_PROGRAM_BUILD_INFO_LOG:
  case PI_PROGRAM_BUILD_INFO_BINARY_TYPE: {
    cl_program active;
    TRY(opencl_program_hold(program, &active));
    const pi_result result =
        get_build_info(active, cl_from_device(device), (cl_program_build_info)param_name, &answer);
    opencl_program_yield(program, active);
    return result;
  }
  }
  return answer_unknown("pi_program_build_info", (pi_uint32)param_name);
}
