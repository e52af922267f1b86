/* Contexts, queues and samplers of the fake OpenCL. */
#include "fake.h"

#include <stdlib.h>
#include <string.h>

/* Copies a list of pairs that ends with 0. *count is the number of elements including the 0. */
static void *copy_pairs(const void *list, size_t element, size_t *count) {
  static const unsigned char zero[16];
  const unsigned char *bytes = list;
  *count = 0;
  if (!list)
    return NULL;
  while (memcmp(bytes + *count * element, zero, element) != 0)
    *count += 2;
  ++*count;
  void *copy = malloc(*count * element);
  if (copy)
    memcpy(copy, list, *count * element);
  return copy;
}

bool fake_has_device(cl_context context, cl_device_id device) {
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i] == device)
      return true;
  return false;
}

cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                           const cl_device_id *devices,
                           void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                           void *user_data, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateContext);
  (void)user_data;
  FAKE_REQUIRE_CREATE(devices && num_devices != 0, CL_INVALID_VALUE);
  FAKE_REQUIRE_CREATE(notify || !user_data, CL_INVALID_VALUE);
  for (cl_uint i = 0; i < num_devices; i++)
    FAKE_REQUIRE_CREATE(fake_is(devices[i], FAKE_DEVICE) &&
                            devices[i]->platform == devices[0]->platform,
                        CL_INVALID_DEVICE);
  for (const cl_context_properties *p = properties; p && *p; p += 2) {
    FAKE_REQUIRE_CREATE(*p == CL_CONTEXT_PLATFORM, CL_INVALID_PROPERTY);
    FAKE_REQUIRE_CREATE((cl_platform_id)p[1] == devices[0]->platform, CL_INVALID_PLATFORM);
  }
  cl_context context = fake_new(FAKE_CONTEXT);
  FAKE_REQUIRE_CREATE(context, CL_OUT_OF_RESOURCES);
  context->platform = devices[0]->platform;
  context->device_count = num_devices;
  context->devices = malloc(num_devices * sizeof *context->devices);
  for (cl_uint i = 0; i < num_devices; i++)
    fake_pin(context->devices[i] = devices[i]);
  context->properties = copy_pairs(properties, sizeof *properties, &context->property_count);
  FAKE_CREATED(context);
}

void fake_end_context(cl_context context) {
  while (context->destructors) {
    fake_callback *callback = context->destructors;
    context->destructors = callback->next;
    fake_due(callback);
  }
  for (cl_uint i = 0; i < context->device_count; i++)
    fake_unpin(context->devices[i]);
  free(context->devices);
  free(context->properties);
}

cl_int clSetContextDestructorCallback(cl_context context,
                                      void(CL_CALLBACK *function)(cl_context, void *),
                                      void *user_data) {
  FAKE_ENTER(SetContextDestructorCallback);
  FAKE_REQUIRE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE(fake_version(context->platform) >= 300, CL_INVALID_OPERATION);
  FAKE_REQUIRE(function, CL_INVALID_VALUE);
  fake_callback *callback = malloc(sizeof *callback);
  FAKE_REQUIRE(callback, CL_OUT_OF_HOST_MEMORY);
  *callback = (fake_callback){.next = context->destructors,
                              .context = context,
                              .destructor = function,
                              .user_data = user_data};
  context->destructors = callback;
  return CL_SUCCESS;
}

cl_int clRetainContext(cl_context context) {
  FAKE_ENTER(RetainContext);
  FAKE_REQUIRE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  context->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseContext(cl_context context) {
  FAKE_ENTER(ReleaseContext);
  FAKE_REQUIRE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  fake_release(context);
  return CL_SUCCESS;
}

cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetContextInfo);
  FAKE_REQUIRE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  switch (param_name) {
  case CL_CONTEXT_REFERENCE_COUNT:
    return FAKE_ANSWER(context->object.references);
  case CL_CONTEXT_NUM_DEVICES:
    return FAKE_ANSWER(context->device_count);
  case CL_CONTEXT_DEVICES:
    return fake_answer(context->devices, context->device_count * sizeof *context->devices,
                       param_value_size, param_value, param_value_size_ret);
  case CL_CONTEXT_PROPERTIES:
    return fake_answer(context->properties, context->property_count * sizeof *context->properties,
                       param_value_size, param_value, param_value_size_ret);
  default:
    return CL_INVALID_VALUE;
  }
}

static cl_command_queue create_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties flags,
                                     const cl_queue_properties *properties, cl_int *errcode_ret) {
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(fake_is(device, FAKE_DEVICE) && fake_has_device(context, device),
                      CL_INVALID_DEVICE);
  FAKE_REQUIRE_CREATE(!(flags & ~(cl_command_queue_properties)0xf), CL_INVALID_VALUE);
  FAKE_REQUIRE_CREATE(!(flags & ~(cl_command_queue_properties)3), CL_INVALID_QUEUE_PROPERTIES);
  cl_command_queue queue = fake_new(FAKE_QUEUE);
  FAKE_REQUIRE_CREATE(queue, CL_OUT_OF_RESOURCES);
  fake_pin(queue->context = context);
  fake_pin(queue->device = device);
  queue->flags = flags;
  queue->properties = copy_pairs(properties, sizeof *properties, &queue->property_count);
  FAKE_CREATED(queue);
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties flags, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateCommandQueue);
  return create_queue(context, device, flags, NULL, errcode_ret);
}

cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                    const cl_queue_properties *properties,
                                                    cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateCommandQueueWithProperties);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(fake_version(context->platform) >= 200, CL_INVALID_OPERATION);
  cl_command_queue_properties flags = 0;
  for (const cl_queue_properties *p = properties; p && *p; p += 2) {
    FAKE_REQUIRE_CREATE(*p == CL_QUEUE_PROPERTIES, CL_INVALID_VALUE);
    flags = p[1];
  }
  return create_queue(context, device, flags, properties, errcode_ret);
}

void fake_end_queue(cl_command_queue queue) {
  fake_unpin(queue->device);
  fake_unpin(queue->context);
  free(queue->properties);
}

cl_int clRetainCommandQueue(cl_command_queue queue) {
  FAKE_ENTER(RetainCommandQueue);
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  queue->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseCommandQueue(cl_command_queue queue) {
  FAKE_ENTER(ReleaseCommandQueue);
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  fake_release(queue);
  return CL_SUCCESS;
}

cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                             size_t param_value_size, void *param_value,
                             size_t *param_value_size_ret) {
  FAKE_ENTER(GetCommandQueueInfo);
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  switch (param_name) {
  case CL_QUEUE_CONTEXT:
    return FAKE_ANSWER(queue->context);
  case CL_QUEUE_DEVICE:
    return FAKE_ANSWER(queue->device);
  case CL_QUEUE_REFERENCE_COUNT:
    return FAKE_ANSWER(queue->object.references);
  case CL_QUEUE_PROPERTIES:
    return FAKE_ANSWER(queue->flags);
  case CL_QUEUE_PROPERTIES_ARRAY:
    return fake_answer(queue->properties, queue->property_count * sizeof *queue->properties,
                       param_value_size, param_value, param_value_size_ret);
  case CL_QUEUE_DEVICE_DEFAULT:
    return FAKE_ANSWER_AS(cl_command_queue, NULL);
  default:
    /* CL_QUEUE_SIZE is only valid for on-device queues, which the fake lacks. */
    return param_name == CL_QUEUE_SIZE ? CL_INVALID_COMMAND_QUEUE : CL_INVALID_VALUE;
  }
}

cl_int clFlush(cl_command_queue queue) {
  FAKE_ENTER(Flush);
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  return CL_SUCCESS;
}

cl_int clFinish(cl_command_queue queue) {
  FAKE_ENTER(Finish);
  FAKE_REQUIRE(fake_is(queue, FAKE_QUEUE), CL_INVALID_COMMAND_QUEUE);
  fake_pin(queue);
  while (fake_queue_busy(queue))
    fake_wait();
  fake_unpin(queue);
  return CL_SUCCESS;
}

static cl_sampler create_sampler(cl_context context, cl_bool normalized,
                                 cl_addressing_mode addressing, cl_filter_mode filter,
                                 cl_int *errcode_ret) {
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(addressing >= CL_ADDRESS_NONE && addressing <= CL_ADDRESS_MIRRORED_REPEAT &&
                          (filter == CL_FILTER_NEAREST || filter == CL_FILTER_LINEAR),
                      CL_INVALID_VALUE);
  cl_sampler sampler = fake_new(FAKE_SAMPLER);
  FAKE_REQUIRE_CREATE(sampler, CL_OUT_OF_RESOURCES);
  fake_pin(sampler->context = context);
  sampler->normalized = normalized;
  sampler->addressing = addressing;
  sampler->filter = filter;
  FAKE_CREATED(sampler);
}

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateSampler);
  return create_sampler(context, normalized, addressing, filter, errcode_ret);
}

cl_sampler clCreateSamplerWithProperties(cl_context context,
                                         const cl_sampler_properties *properties,
                                         cl_int *errcode_ret) {
  FAKE_ENTER_CREATE(CreateSamplerWithProperties);
  FAKE_REQUIRE_CREATE(fake_is(context, FAKE_CONTEXT), CL_INVALID_CONTEXT);
  FAKE_REQUIRE_CREATE(fake_version(context->platform) >= 200, CL_INVALID_OPERATION);
  cl_bool normalized = CL_TRUE;
  cl_addressing_mode addressing = CL_ADDRESS_CLAMP;
  cl_filter_mode filter = CL_FILTER_NEAREST;
  for (const cl_sampler_properties *p = properties; p && *p; p += 2)
    switch (*p) {
    case CL_SAMPLER_NORMALIZED_COORDS:
      normalized = (cl_bool)p[1];
      break;
    case CL_SAMPLER_ADDRESSING_MODE:
      addressing = (cl_addressing_mode)p[1];
      break;
    case CL_SAMPLER_FILTER_MODE:
      filter = (cl_filter_mode)p[1];
      break;
    default:
      FAKE_REQUIRE_CREATE(false, CL_INVALID_VALUE);
    }
  return create_sampler(context, normalized, addressing, filter, errcode_ret);
}

void fake_end_sampler(cl_sampler sampler) {
  fake_unpin(sampler->context);
}

cl_int clRetainSampler(cl_sampler sampler) {
  FAKE_ENTER(RetainSampler);
  FAKE_REQUIRE(fake_is(sampler, FAKE_SAMPLER), CL_INVALID_SAMPLER);
  sampler->object.references++;
  return CL_SUCCESS;
}

cl_int clReleaseSampler(cl_sampler sampler) {
  FAKE_ENTER(ReleaseSampler);
  FAKE_REQUIRE(fake_is(sampler, FAKE_SAMPLER), CL_INVALID_SAMPLER);
  fake_release(sampler);
  return CL_SUCCESS;
}

cl_int clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t param_value_size,
                        void *param_value, size_t *param_value_size_ret) {
  FAKE_ENTER(GetSamplerInfo);
  FAKE_REQUIRE(fake_is(sampler, FAKE_SAMPLER), CL_INVALID_SAMPLER);
  switch (param_name) {
  case CL_SAMPLER_REFERENCE_COUNT:
    return FAKE_ANSWER(sampler->object.references);
  case CL_SAMPLER_CONTEXT:
    return FAKE_ANSWER(sampler->context);
  case CL_SAMPLER_NORMALIZED_COORDS:
    return FAKE_ANSWER(sampler->normalized);
  case CL_SAMPLER_ADDRESSING_MODE:
    return FAKE_ANSWER(sampler->addressing);
  case CL_SAMPLER_FILTER_MODE:
    return FAKE_ANSWER(sampler->filter);
  default:
    return CL_INVALID_VALUE;
  }
}
