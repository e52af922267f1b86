/* Programs: queries about a program and its latest build. */
#include "checks.h"
#include "program_table.h"

#include <stdlib.h>

static pi_result get_program_info(cl_program program, cl_program_info query,
                                  const pi_answer *answer) {
  size_t size = 0;
  size_t needed = 0;
  const cl_int code =
      cl.GetProgramInfo(program, query, answer->value ? answer->size : 0, answer->value, &size);
  if (code == CL_INVALID_VALUE)
    cl.GetProgramInfo(program, query, 0, NULL, &needed);
  return cl_answered(answer, code, "clGetProgramInfo", size, needed);
}

/* PI has no empty source: drivers answer a program without source by nothing at all, or by "". */
static pi_result get_source(cl_program program, const pi_answer *answer) {
  size_t size = 0;
  PI_TRY(
      cl_result(cl.GetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size), "clGetProgramInfo"));
  if (size <= 1)
    return pi_answer_unsupported("pi_program_info", PI_PROGRAM_INFO_SOURCE,
                                 "the program was not created from source");
  return get_program_info(program, CL_PROGRAM_SOURCE, answer);
}

/* The binaries of all devices one after the other, to be thrown away; freed by the caller. */
static pi_result make_scratch(cl_program program, size_t count, unsigned char **ret,
                              size_t **ret_sizes) {
  size_t *sizes = calloc(count, sizeof *sizes);
  PI_REQUIRE(sizes, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for the sizes of %zu binaries", count);
  const cl_int code =
      cl.GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
  size_t total = 1;
  for (size_t i = 0; i < count; i++)
    total += sizes[i];
  unsigned char *scratch = code == CL_SUCCESS ? malloc(total) : NULL;
  if (!scratch) {
    free(sizes);
    PI_TRY(cl_result(code, "clGetProgramInfo"));
    PI_REQUIRE(scratch, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu bytes of binaries", total);
  }
  *ret = scratch;
  *ret_sizes = sizes;
  return PI_SUCCESS;
}

/*
 * value is a list of places, and a NULL among them means that this binary is not wanted. Intel's
 * CPU runtime refuses it, so such a binary goes to a place that is thrown away.
 */
static pi_result get_binaries(cl_program program, const pi_answer *answer) {
  unsigned char **places = answer->value;
  const size_t count = places ? answer->size / sizeof *places : 0;
  size_t unwanted = 0;
  for (size_t i = 0; i < count; i++)
    unwanted += !places[i];
  if (unwanted == 0)
    return get_program_info(program, CL_PROGRAM_BINARIES, answer);

  cl_uint devices = 0;
  PI_TRY(
      cl_result(cl.GetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof devices, &devices, NULL),
                "clGetProgramInfo"));
  PI_REQUIRE(count >= devices, PI_ERROR_INVALID_VALUE,
             "param_value_size is %zu, the answer has %zu bytes", answer->size,
             devices * sizeof *places);
  unsigned char *scratch = NULL;
  size_t *sizes = NULL;
  PI_TRY(make_scratch(program, devices, &scratch, &sizes));
  unsigned char **list = calloc(devices, sizeof *list);
  pi_result result = PI_SUCCESS;
  if (list) {
    size_t offset = 0;
    for (cl_uint i = 0; i < devices; i++) {
      list[i] = places[i] ? places[i] : scratch + offset;
      offset += sizes[i];
    }
    const pi_answer all = {devices * sizeof *list, list, answer->size_ret};
    result = get_program_info(program, CL_PROGRAM_BINARIES, &all);
  } else {
    result = pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a list of %u binaries", devices);
  }
  free(list);
  free(sizes);
  free(scratch);
  return result;
}

/* A query of the latest build, whose binaries are those of the specialised code. */
static pi_result get_active_info(cl_program active, pi_program_info query,
                                 const pi_answer *answer) {
  if (query == PI_PROGRAM_INFO_BINARIES)
    return get_binaries(active, answer);
  if (query == PI_PROGRAM_INFO_NUM_KERNELS || query == PI_PROGRAM_INFO_KERNEL_NAMES)
    PI_TRY(opencl_program_check_built(active));
  return get_program_info(active, (cl_program_info)query, answer);
}

pi_result piProgramGetInfo(pi_program program, pi_program_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_PROGRAM_INFO_REFERENCE_COUNT:
    return get_program_info(cl_from_program(program), CL_PROGRAM_REFERENCE_COUNT, &answer);
  case PI_PROGRAM_INFO_SOURCE:
    return get_source(cl_from_program(program), &answer);
  /* PI's numbers are OpenCL's. */
  case PI_PROGRAM_INFO_CONTEXT:
  case PI_PROGRAM_INFO_NUM_DEVICES:
  case PI_PROGRAM_INFO_DEVICES:
  case PI_PROGRAM_INFO_BINARY_SIZES:
  case PI_PROGRAM_INFO_BINARIES:
  case PI_PROGRAM_INFO_NUM_KERNELS:
  case PI_PROGRAM_INFO_KERNEL_NAMES: {
    cl_program active;
    PI_TRY(opencl_program_hold(program, &active));
    const pi_result result = get_active_info(active, param_name, &answer);
    opencl_program_yield(program, active);
    return result;
  }
  }
  return pi_answer_unknown("pi_program_info", (pi_uint32)param_name);
}

static pi_result get_build_info(cl_program program, cl_device_id device,
                                cl_program_build_info query, const pi_answer *answer) {
  size_t size = 0;
  size_t needed = 0;
  const cl_int code = cl.GetProgramBuildInfo(
      program, device, query, answer->value ? answer->size : 0, answer->value, &size);
  if (code == CL_INVALID_VALUE)
    cl.GetProgramBuildInfo(program, device, query, 0, NULL, &needed);
  return cl_answered(answer, code, "clGetProgramBuildInfo", size, needed);
}

pi_result piProgramGetBuildInfo(pi_program program, pi_device device,
                                pi_program_build_info param_name, size_t param_value_size,
                                void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_PROGRAM(program);
  REQUIRE_DEVICE(device);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_PROGRAM_BUILD_INFO_STATUS:
  case PI_PROGRAM_BUILD_INFO_OPTIONS:
  case PI_PROGRAM_BUILD_INFO_LOG:
  case PI_PROGRAM_BUILD_INFO_BINARY_TYPE: {
    cl_program active;
    PI_TRY(opencl_program_hold(program, &active));
    const pi_result result =
        get_build_info(active, cl_from_device(device), (cl_program_build_info)param_name, &answer);
    opencl_program_yield(program, active);
    return result;
  }
  }
  return pi_answer_unknown("pi_program_build_info", (pi_uint32)param_name);
}
