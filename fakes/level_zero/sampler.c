/* Samplers of the fake Level Zero driver. */
#include "image.h"

/* X(MODE, OpenCL's name) */
#define ADDRESS_MODES(X)                                                                           \
  X(NONE, CL_ADDRESS_NONE)                                                                         \
  X(REPEAT, CL_ADDRESS_REPEAT)                                                                     \
  X(CLAMP, CL_ADDRESS_CLAMP_TO_EDGE)                                                               \
  X(CLAMP_TO_BORDER, CL_ADDRESS_CLAMP)                                                             \
  X(MIRROR, CL_ADDRESS_MIRRORED_REPEAT)

/* Returns OpenCL's mode; 0 for an unknown mode. */
static cl_addressing_mode address_mode(ze_sampler_address_mode_t mode) {
  switch (mode) {
#define CASE(name, cl)                                                                             \
  case ZE_SAMPLER_ADDRESS_MODE_##name:                                                             \
    return cl;
    ADDRESS_MODES(CASE)
#undef CASE
  default:
    return 0;
  }
}

ze_result_t zeSamplerCreate(ze_context_handle_t context_handle, ze_device_handle_t device_handle,
                            const ze_sampler_desc_t *desc, ze_sampler_handle_t *ret) {
  FAKE_ENTER(zeSamplerCreate);
  FAKE_FIND(fake_context, context, context_handle, CONTEXT);
  FAKE_FIND(fake_device, device, device_handle, DEVICE);
  FAKE_STRUCT(desc, SAMPLER_DESC);
  FAKE_REQUIRE(ret, INVALID_NULL_POINTER, "zeSamplerCreate: phSampler is NULL");
  FAKE_REQUIRE(fake_context_has(context, device), INVALID_ARGUMENT,
               "zeSamplerCreate: the device is none of the context's");
  const cl_addressing_mode mode = address_mode(desc->addressMode);
  FAKE_REQUIRE(mode != 0 && (unsigned)desc->filterMode <= ZE_SAMPLER_FILTER_MODE_LINEAR,
               INVALID_ENUMERATION, "zeSamplerCreate: address mode %d, filter mode %d",
               (int)desc->addressMode, (int)desc->filterMode);
  const cl_sampler_properties properties[] = {
      CL_SAMPLER_NORMALIZED_COORDS,
      desc->isNormalized ? CL_TRUE : CL_FALSE,
      CL_SAMPLER_ADDRESSING_MODE,
      mode,
      CL_SAMPLER_FILTER_MODE,
      desc->filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
      0,
  };
  cl_int code = CL_SUCCESS;
  FAKE_TRY(fake_cl_enter());
  cl_sampler made = fake_cl.CreateSamplerWithProperties(fake_cl.context, properties, &code);
  fake_cl_leave();
  if (code != CL_SUCCESS)
    return fake_deny(fake_cl_result(code), "zeSamplerCreate: OpenCL makes no such sampler: %s",
                     fake_cl_code(code));
  fake_context *owner = fake_find(context_handle, FAKE_CONTEXT);
  if (!owner) {
    fake_cl_drop_sampler(made);
    return fake_refuse(ZE_RESULT_ERROR_INVALID_ARGUMENT,
                       "zeSamplerCreate: the context was destroyed meanwhile");
  }
  fake_sampler *sampler = fake_new(FAKE_SAMPLER, sizeof *sampler, owner, false);
  sampler->device = device;
  sampler->sampler = made;
  *ret = FAKE_HANDLE(ze_sampler_handle_t, sampler);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeSamplerDestroy(ze_sampler_handle_t handle) {
  FAKE_ENTER_ALONE(zeSamplerDestroy, handle);
  FAKE_FIND(fake_sampler, sampler, handle, SAMPLER);
  FAKE_TRY(fake_check_unused(&sampler->head, "zeSamplerDestroy"));
  fake_cl_drop_sampler(sampler->sampler);
  fake_delete(sampler);
  return ZE_RESULT_SUCCESS;
}
