/* Samplers. */
#include "checks.h"
#include "device.h"

#include "../checks/sampler_state.h"

#include <stdlib.h>

/* Checks that every device of the context has mipmaps, which a linear mip filter needs. */
static pi_result require_mipmaps(cl_context context) {
  cl_device_id *devices;
  size_t count;
  TRY(opencl_context_devices(context, &devices, &count));
  bool has = true;
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && has && result == PI_SUCCESS; i++)
    result = opencl_device_has_extension(devices[i], "cl_khr_mipmap_image", &has);
  free(devices);
  TRY(result);
  REQUIRE(has, PI_ERROR_UNSUPPORTED_FEATURE,
          "a device of the context has no cl_khr_mipmap_image for a linear mip filter");
  return PI_SUCCESS;
}

pi_result piSamplerCreate(pi_context context, const pi_sampler_properties *sampler_properties,
                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_state state;
  TRY(sampler_state_read(sampler_properties, &state));
  /* Must not be passed on: in OpenCL the property's number means the smallest level of detail. */
  if (state.is_seamless)
    return OPENCL_UNSUPPORTED("OpenCL has no cube maps to filter across the edges of");
  const cl_filter_mode filter = state.is_linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST;
  if (state.is_mip_linear)
    TRY(require_mipmaps(cl_from_context(context)));

  const unsigned version = opencl_extensions_of_context(cl_from_context(context))->version;
  cl_int code;
  cl_sampler sampler;
  if (cl.CreateSamplerWithProperties && version >= 200) {
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS, state.is_normalized, CL_SAMPLER_ADDRESSING_MODE,
        state.addressing[0], CL_SAMPLER_FILTER_MODE, filter,
        /* A 0 here ends the list, so that the driver uses its default filter. */
        state.is_mip_linear ? CL_SAMPLER_MIP_FILTER_MODE_KHR : 0, CL_FILTER_LINEAR, 0};
    sampler = cl.CreateSamplerWithProperties(cl_from_context(context), properties, &code);
    TRY(cl_result(code, "clCreateSamplerWithProperties"));
  } else {
    REQUIRE(!state.is_mip_linear, PI_ERROR_UNSUPPORTED_FEATURE,
            "a linear mip filter needs OpenCL 2.0, the context has %u.%u", version / 100,
            version / 10 % 10);
    sampler = cl.CreateSampler(cl_from_context(context), state.is_normalized,
                               (cl_addressing_mode)state.addressing[0], filter, &code);
    TRY(cl_result(code, "clCreateSampler"));
  }
  *result_sampler = pi_from_cl_sampler(sampler);
  return PI_SUCCESS;
}

/* Answers with 4 bytes from the driver. A driver without mipmaps does not know the queries about
 * levels. */
static pi_result answer_4bytes(cl_sampler sampler, pi_sampler_info query,
                               const info_answer *answer) {
  unsigned char value[4];
  const cl_int code = cl.GetSamplerInfo(sampler, query, sizeof value, value, NULL);
  if (code == CL_INVALID_VALUE)
    return answer_unsupported("pi_sampler_info", query, "the OpenCL driver does not know it");
  TRY(cl_result(code, "clGetSamplerInfo"));
  return answer_bytes(answer, value, sizeof value);
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const info_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  TRY(answer_check(&answer));
  switch (param_name) {
  case PI_SAMPLER_INFO_CONTEXT: {
    void *context;
    TRY(CL_GET(Sampler, cl_from_sampler(sampler), param_name, &context));
    return answer_handle(&answer, context);
  }
  case PI_SAMPLER_INFO_REFERENCE_COUNT:
  case PI_SAMPLER_INFO_NORMALIZED_COORDS:
  case PI_SAMPLER_INFO_ADDRESSING_MODE:
  case PI_SAMPLER_INFO_FILTER_MODE:
  case PI_SAMPLER_INFO_MIP_FILTER_MODE:
  case PI_SAMPLER_INFO_LOD_MIN:
  case PI_SAMPLER_INFO_LOD_MAX:
    return answer_4bytes(cl_from_sampler(sampler), param_name, &answer);
  }
  return answer_unknown("pi_sampler_info", param_name);
}
