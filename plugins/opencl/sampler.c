/* Samplers. */
#include "checks.h"
#include "device.h"

#include "../base/names.h"

#include <stdlib.h>

/* What a property list of piSamplerCreate asks for; each starts as OpenCL's default. */
typedef struct sampler_request {
  pi_sampler_properties normalized_coords;
  pi_sampler_properties addressing_mode;
  pi_sampler_properties filter_mode;
  pi_sampler_properties mip_filter_mode;
} sampler_request;

static pi_result read_property(pi_sampler_properties key, pi_sampler_properties value,
                               sampler_request *request) {
  const unsigned long long number = value;
  switch (key) {
  case PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS:
    PI_REQUIRE(value == PI_TRUE || value == PI_FALSE, PI_ERROR_INVALID_VALUE,
               "PI_SAMPLER_PROPERTIES_NORMALIZED_COORDS is 0x%llx, expected is 0 or 1", number);
    request->normalized_coords = value;
    return PI_SUCCESS;
  case PI_SAMPLER_PROPERTIES_ADDRESSING_MODE:
    PI_REQUIRE(value >= PI_SAMPLER_ADDRESSING_MODE_NONE &&
                   value <= PI_SAMPLER_ADDRESSING_MODE_MIRRORED_REPEAT,
               PI_ERROR_INVALID_VALUE, "0x%llx is not a pi_sampler_addressing_mode", number);
    request->addressing_mode = value;
    return PI_SUCCESS;
  case PI_SAMPLER_PROPERTIES_FILTER_MODE:
  case PI_SAMPLER_PROPERTIES_MIP_FILTER_MODE:
    PI_REQUIRE(value == PI_SAMPLER_FILTER_MODE_NEAREST || value == PI_SAMPLER_FILTER_MODE_LINEAR,
               PI_ERROR_INVALID_VALUE, "0x%llx is not a pi_sampler_filter_mode", number);
    *(key == PI_SAMPLER_PROPERTIES_FILTER_MODE ? &request->filter_mode
                                               : &request->mip_filter_mode) = value;
    return PI_SUCCESS;
  /* Not to be passed on: in OpenCL this number is the smallest level of detail. */
  case PI_SAMPLER_PROPERTIES_CUBEMAP_FILTER_MODE:
    PI_REQUIRE(value == PI_SAMPLER_CUBEMAP_FILTER_MODE_DISJOINTED ||
                   value == PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS,
               PI_ERROR_INVALID_VALUE, "0x%llx is not a pi_sampler_cubemap_filter_mode", number);
    if (value == PI_SAMPLER_CUBEMAP_FILTER_MODE_SEAMLESS)
      return OPENCL_UNSUPPORTED("OpenCL has no cube maps to filter across the edges of");
    return PI_SUCCESS;
  }
  return pi_error(PI_ERROR_INVALID_VALUE, "0x%llx is not a key of a sampler's properties",
                  (unsigned long long)key);
}

/* Whether every device of the context has mipmaps, which a linear filter among them needs. */
static pi_result require_mipmaps(cl_context context) {
  cl_device_id *devices;
  size_t count;
  PI_TRY(opencl_context_devices(context, &devices, &count));
  bool has = true;
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < count && has && result == PI_SUCCESS; i++)
    result = opencl_device_has_extension(devices[i], "cl_khr_mipmap_image", &has);
  free(devices);
  PI_TRY(result);
  PI_REQUIRE(has, PI_ERROR_UNSUPPORTED_FEATURE,
             "a device of the context has no cl_khr_mipmap_image for a linear mip filter");
  return PI_SUCCESS;
}

pi_result piSamplerCreate(pi_context context, const pi_sampler_properties *sampler_properties,
                          pi_sampler *result_sampler) {
  REQUIRE_CONTEXT(context);
  REQUIRE_POINTER(result_sampler);
  sampler_request request = {PI_TRUE, PI_SAMPLER_ADDRESSING_MODE_CLAMP,
                             PI_SAMPLER_FILTER_MODE_NEAREST, PI_SAMPLER_FILTER_MODE_NEAREST};
  for (const pi_sampler_properties *p = sampler_properties; p && *p != 0; p += 2) {
    for (const pi_sampler_properties *former = sampler_properties; former != p; former += 2)
      PI_REQUIRE(*former != *p, PI_ERROR_INVALID_VALUE, "property %s is given twice",
                 pi_name("pi_sampler_properties", (int64_t)*p));
    PI_TRY(read_property(p[0], p[1], &request));
  }
  const bool mip_linear = request.mip_filter_mode == PI_SAMPLER_FILTER_MODE_LINEAR;
  if (mip_linear)
    PI_TRY(require_mipmaps(cl_from_context(context)));

  const unsigned version = opencl_extensions_of_context(cl_from_context(context))->version;
  cl_int code;
  cl_sampler sampler;
  if (cl.CreateSamplerWithProperties && version >= 200) {
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS, request.normalized_coords, CL_SAMPLER_ADDRESSING_MODE,
        request.addressing_mode, CL_SAMPLER_FILTER_MODE, request.filter_mode,
        /* Ends the list where it asks for the default. */
        mip_linear ? CL_SAMPLER_MIP_FILTER_MODE_KHR : 0, request.mip_filter_mode, 0};
    sampler = cl.CreateSamplerWithProperties(cl_from_context(context), properties, &code);
    PI_TRY(cl_result(code, "clCreateSamplerWithProperties"));
  } else {
    PI_REQUIRE(!mip_linear, PI_ERROR_UNSUPPORTED_FEATURE,
               "a linear mip filter needs OpenCL 2.0, the context has %u.%u", version / 100,
               version / 10 % 10);
    sampler = cl.CreateSampler(cl_from_context(context), (cl_bool)request.normalized_coords,
                               (cl_addressing_mode)request.addressing_mode,
                               (cl_filter_mode)request.filter_mode, &code);
    PI_TRY(cl_result(code, "clCreateSampler"));
  }
  *result_sampler = pi_from_cl_sampler(sampler);
  return PI_SUCCESS;
}

/* Answers with 4 bytes of the driver's; one without mipmaps does not know about their levels. */
static pi_result answer_4bytes(cl_sampler sampler, pi_sampler_info query, const pi_answer *answer) {
  unsigned char value[4];
  const cl_int code = cl.GetSamplerInfo(sampler, query, sizeof value, value, NULL);
  if (code == CL_INVALID_VALUE)
    return pi_answer_unsupported("pi_sampler_info", query, "the OpenCL driver does not know it");
  PI_TRY(cl_result(code, "clGetSamplerInfo"));
  return pi_answer_bytes(answer, value, sizeof value);
}

pi_result piSamplerGetInfo(pi_sampler sampler, pi_sampler_info param_name, size_t param_value_size,
                           void *param_value, size_t *param_value_size_ret) {
  const pi_answer answer = {param_value_size, param_value, param_value_size_ret};
  REQUIRE_SAMPLER(sampler);
  PI_TRY(pi_answer_check(&answer));
  switch (param_name) {
  case PI_SAMPLER_INFO_CONTEXT: {
    void *context;
    PI_TRY(cl_result(
        cl.GetSamplerInfo(cl_from_sampler(sampler), param_name, sizeof context, &context, NULL),
        "clGetSamplerInfo"));
    return pi_answer_handle(&answer, context);
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
  return pi_answer_unknown("pi_sampler_info", param_name);
}

pi_result piSamplerRetain(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  return cl_result(cl.RetainSampler(cl_from_sampler(sampler)), "clRetainSampler");
}

pi_result piSamplerRelease(pi_sampler sampler) {
  REQUIRE_SAMPLER(sampler);
  return cl_result(cl.ReleaseSampler(cl_from_sampler(sampler)), "clReleaseSampler");
}
