/*
 * Kernels over the fake driver: their arguments, the driver's calls that set them, queries, exec
 * info, native handles, several devices. Needs two root devices.
 */
#include "programs.h"

#include "../../plugins/level_zero/kernel.h"

#define SET_ARGUMENT "zeKernelSetArgumentValue"

/* ---- Arguments ---- */

WORLD_TEST(wrong_kinds_are_refused) {
  const pi_kernel kernel = built_kernel(MODULE_arguments, "group_sum");
  const pi_kernel values = built_kernel(MODULE_arguments, "slow");
  const pi_mem buffer = new_buffer(64, NULL);
  const uint64_t number = 0;
  const pi_mem none = NULL;
  /* Local memory takes a size and nothing else. */
  fails(PI_ERROR_INVALID_ARG_VALUE, piKernelSetArg(kernel, 2, 8, &number));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgPointer(kernel, 2, 8, &number));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgMemObj(kernel, 2, NULL, &buffer));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgMemObj(kernel, 2, NULL, &none));
  fails(PI_ERROR_INVALID_ARG_SIZE, piKernelSetArg(kernel, 2, 0, NULL));
  fails(PI_ERROR_INVALID_ARG_SIZE, piKernelSetArg(kernel, 2, (size_t)1 << 30, NULL));
  must(piKernelSetArg(kernel, 2, 64, NULL));
  /* A number needs a value. */
  fails(PI_ERROR_INVALID_ARG_VALUE, piKernelSetArg(values, 1, 4, NULL));
  fails(PI_ERROR_INVALID_ARG_SIZE, piextKernelSetArgMemObj(values, 1, NULL, &buffer));
  /* No object is the pointer NULL. */
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &none));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, NULL));
  must(piKernelSetArg(kernel, 0, sizeof(void *), NULL));
  fails(PI_ERROR_INVALID_ARG_SIZE, piKernelSetArg(kernel, 0, 4, NULL));
  fails(PI_ERROR_INVALID_ARG_SIZE, piextKernelSetArgPointer(kernel, 0, 4, &number));
  fails(PI_ERROR_INVALID_VALUE, piextKernelSetArgPointer(kernel, 0, 8, NULL));
  pi_mem_obj_property access = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, (pi_mem_obj_access)99};
  fails(PI_ERROR_INVALID_VALUE, piextKernelSetArgMemObj(kernel, 0, &access, &buffer));
  const pi_mem stale = (pi_mem)(void *)kernel;
  fails(PI_ERROR_INVALID_MEM_OBJECT, piextKernelSetArgMemObj(kernel, 0, NULL, &stale));
  must(piMemRelease(buffer));
  must(piKernelRelease(values));
  must(piKernelRelease(kernel));
}

static pi_sampler new_sampler(void) {
  const pi_sampler_properties properties[] = {PI_SAMPLER_INFO_NORMALIZED_COORDS,
                                              PI_FALSE,
                                              PI_SAMPLER_INFO_ADDRESSING_MODE,
                                              PI_SAMPLER_ADDRESSING_MODE_CLAMP_TO_EDGE,
                                              PI_SAMPLER_INFO_FILTER_MODE,
                                              PI_SAMPLER_FILTER_MODE_NEAREST,
                                              0};
  pi_sampler sampler = NULL;
  must(piSamplerCreate(w.context, properties, &sampler));
  return sampler;
}

static pi_mem new_image(const unsigned char *pixels) {
  const pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};
  const pi_image_desc desc = {.image_type = PI_MEM_TYPE_IMAGE2D,
                              .image_width = 2,
                              .image_height = 1,
                              .image_depth = 1,
                              .image_array_size = 1};
  union {
    const void *from;
    void *to;
  } host = {pixels};
  pi_mem image = NULL;
  must(piMemImageCreate(w.context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, &format,
                        &desc, host.to, &image));
  return image;
}

WORLD_TEST(images_and_samplers_are_arguments) {
  static const unsigned char pixels[8] = {11, 0, 0, 0, 22, 0, 0, 0};
  const pi_kernel kernel = built_kernel(MODULE_images, "sample");
  const pi_sampler sampler = new_sampler();
  const pi_mem image = new_image(pixels);
  const pi_mem out = new_buffer(16 * sizeof(pi_uint32), NULL);
  const uint64_t number = 0;
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgMemObj(kernel, 0, NULL, &out));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgMemObj(kernel, 1, NULL, &image));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgMemObj(kernel, 2, NULL, &image));
  fails(PI_ERROR_INVALID_ARG_VALUE, piextKernelSetArgSampler(kernel, 0, &sampler));
  fails(PI_ERROR_INVALID_ARG_VALUE, piKernelSetArg(kernel, 0, 8, &number));
  fails(PI_ERROR_INVALID_ARG_VALUE, piKernelSetArg(kernel, 1, 8, &number));
  fails(PI_ERROR_INVALID_VALUE, piextKernelSetArgSampler(kernel, 1, NULL));
  const pi_sampler none = NULL;
  fails(PI_ERROR_INVALID_SAMPLER, piextKernelSetArgSampler(kernel, 1, &none));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &image));
  must(piextKernelSetArgSampler(kernel, 1, &sampler));
  must(piextKernelSetArgMemObj(kernel, 2, NULL, &out));
  launch(kernel, 1);
  pi_uint32 got[2] = {0};
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  assert_int_equal(got[0], 11);
  assert_int_equal(got[1], 22);
  must(piKernelRelease(kernel));
  must(piSamplerRelease(sampler));
  must(piMemRelease(image));
  must(piMemRelease(out));
}

/*
 * An unchanged value is not set again; the same pointer is, as it may be another allocation by now.
 */
WORLD_TEST(an_unchanged_value_is_not_set_again) {
  const pi_kernel kernel = built_kernel(MODULE_arguments, "slow");
  const pi_mem data = new_buffer(64, NULL);
  pi_uint32 rounds = 3;
  set_buffer(kernel, 0, data);
  must(piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  unsigned long before = fake_ze_calls(SET_ARGUMENT);
  for (int i = 0; i < 10; i++)
    must(piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), before);
  set_buffer(kernel, 0, data);
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), before + 1);
  rounds = 4;
  must(piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), before + 2);
  /* An argument that the driver refuses stays as it was. */
  rounds = 5;
  fake_ze_fail(SET_ARGUMENT, 1, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  fails(PI_ERROR_INVALID_ARG_SIZE, piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  fake_ze_unfail();
  before = fake_ze_calls(SET_ARGUMENT);
  rounds = 4;
  must(piKernelSetArg(kernel, 1, sizeof rounds, &rounds));
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), before);
  must(piKernelRelease(kernel));
  must(piMemRelease(data));
}

/* Native code does not name its arguments, so the driver checks them. */
WORLD_TEST(the_driver_checks_arguments_of_native_code) {
  const pi_program program = built_program(MODULE_arguments);
  size_t size;
  unsigned char *binary = binary_of(program, &size);
  const unsigned char *list = binary;
  pi_program loaded = NULL;
  must(piProgramCreateWithBinary(w.context, 1, &w.device, &size, &list, 0, NULL, NULL, &loaded));
  build(loaded);
  free(binary);
  const pi_kernel kernel = new_kernel(loaded, "group_sum");
  pi_int32 in[64];
  pi_int32 got[4] = {0};
  for (int i = 0; i < 64; i++)
    in[i] = i;
  const pi_mem data = new_buffer(sizeof in, in);
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(kernel, 0, data);
  set_buffer(kernel, 1, out);
  must(piKernelSetArg(kernel, 2, 16 * sizeof(pi_int32), NULL));
  const size_t global[1] = {64};
  const size_t local[1] = {16};
  must(piEnqueueKernelLaunch(w.queue, kernel, 1, NULL, global, local, 0, NULL, NULL));
  must(piEnqueueMemBufferRead(w.queue, out, PI_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int g = 0; g < 4; g++)
    assert_int_equal(got[g], 16 * 16 * g + 120);
  must(piMemRelease(data));
  must(piMemRelease(out));
  must(piKernelRelease(kernel));
  must(piProgramRelease(loaded));
  must(piProgramRelease(program));
}

/* Arguments are set once for every device of the context. */
WORLD_TEST(arguments_are_set_for_every_device) {
  const pi_context all = context_of_all();
  pi_device devices[2];
  must(piContextGetInfo(all, PI_CONTEXT_INFO_DEVICES, sizeof devices, devices, NULL));
  const module_bytes code = module_of(MODULE_basic);
  pi_program program = NULL;
  must(piProgramCreate(all, code.bytes, code.size, &program));
  build(program);
  const pi_kernel kernel = new_kernel(program, "increment");
  pi_mem data = NULL;
  must(piMemBufferCreate(all, PI_MEM_FLAGS_ACCESS_RW, sizeof(pi_uint32), NULL, &data, NULL));
  const pi_uint32 zero = 0;
  pi_queue queues[2];
  for (int i = 0; i < 2; i++) {
    pi_queue_properties flags[] = {PI_QUEUE_FLAGS, 0, 0};
    must(piextQueueCreate(all, devices[i], flags, &queues[i]));
  }
  must(piEnqueueMemBufferWrite(queues[0], data, PI_TRUE, 0, sizeof zero, &zero, 0, NULL, NULL));
  set_buffer(kernel, 0, data);
  const unsigned long before = fake_ze_calls(SET_ARGUMENT);
  const size_t one[3] = {1, 1, 1};
  for (int i = 0; i < 6; i++) {
    must(piEnqueueKernelLaunch(queues[i % 2], kernel, 3, NULL, one, NULL, 0, NULL, NULL));
    must(piQueueFinish(queues[i % 2]));
  }
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), before + 1);
  pi_uint32 got = 0;
  must(piEnqueueMemBufferRead(queues[1], data, PI_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
  assert_int_equal(got, 6);
  /* The second device had the latest launch; the handle is the first device's. */
  pi_native_handle native = 0;
  set_buffer(kernel, 0, data);
  const unsigned long set = fake_ze_calls(SET_ARGUMENT);
  must(piextKernelGetNativeHandle(kernel, &native));
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), set + 1);
  must(piextKernelGetNativeHandle(kernel, &native));
  assert_int_equal(fake_ze_calls(SET_ARGUMENT), set + 1);
  for (int i = 0; i < 2; i++)
    must(piQueueRelease(queues[i]));
  must(piMemRelease(data));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  must(piContextRelease(all));
}

/* ---- Queries ---- */

/* Local memory of the arguments counts, too. */
WORLD_TEST(local_memory_of_arguments_counts) {
  const pi_kernel kernel = built_kernel(MODULE_arguments, "group_sum");
  pi_uint64 before = 0;
  pi_uint64 after = 0;
  must(piKernelGetGroupInfo(kernel, w.device, PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, sizeof before,
                            &before, NULL));
  must(piKernelSetArg(kernel, 2, 256, NULL));
  must(piKernelSetArg(kernel, 2, 128, NULL));
  must(piKernelGetGroupInfo(kernel, w.device, PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, sizeof after,
                            &after, NULL));
  assert_int_equal(after, before + 128);
  must(piKernelRelease(kernel));
}

WORLD_TEST(exec_info_reaches_the_driver) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "numbers");
  const pi_bool yes = PI_TRUE;
  void *pointers[2] = {NULL, NULL};
  pi_uint32 config = PI_EXT_KERNEL_EXEC_INFO_CACHE_LARGE_SLM;
  const unsigned long before = fake_ze_calls("zeKernelSetIndirectAccess");
  must(piKernelSetExecInfo(kernel, PI_USM_INDIRECT_ACCESS, sizeof yes, &yes));
  must(piKernelSetExecInfo(kernel, PI_USM_PTRS, sizeof pointers, pointers));
  assert_int_equal(fake_ze_calls("zeKernelSetIndirectAccess"), before + 2);
  must(piKernelSetExecInfo(kernel, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, sizeof config, &config));
  fake_ze_fail("zeKernelSetCacheConfig", 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  must(piKernelSetExecInfo(kernel, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, sizeof config, &config));
  assert_string_equal(fake_ze_unfail(), "zeKernelSetCacheConfig");
  config = 9;
  fails(PI_ERROR_INVALID_VALUE,
        piKernelSetExecInfo(kernel, PI_EXT_KERNEL_EXEC_INFO_CACHE_CONFIG, sizeof config, &config));
  fails(PI_ERROR_INVALID_VALUE, piKernelSetExecInfo(kernel, PI_USM_INDIRECT_ACCESS, 1, &yes));
  fails(PI_ERROR_INVALID_VALUE, piKernelSetExecInfo(kernel, PI_USM_PTRS, 0, pointers));
  fails(PI_ERROR_INVALID_VALUE, piKernelSetExecInfo(kernel, PI_USM_PTRS, 12, pointers));
  must(piKernelRelease(kernel));
}

/* ---- Creation and native handles ---- */

WORLD_TEST(a_native_handle_is_its_kernel) {
  const pi_kernel kernel = built_kernel(MODULE_basic, "numbers");
  pi_native_handle native = 0;
  pi_kernel same = NULL;
  must(piextKernelGetNativeHandle(kernel, &native));
  must(piextKernelCreateWithNativeHandle(native, w.context, NULL, false, &same));
  assert_ptr_equal(same, kernel);
  must(piKernelRelease(kernel));
  must(piextKernelCreateWithNativeHandle(native, w.context, NULL, true, &same));
  const pi_program other = built_program(MODULE_basic);
  pi_kernel wrong = NULL;
  fails(PI_ERROR_INVALID_PROGRAM,
        piextKernelCreateWithNativeHandle(native, w.context, other, false, &wrong));
  const pi_context all = context_of_all();
  fails(PI_ERROR_INVALID_CONTEXT,
        piextKernelCreateWithNativeHandle(native, all, NULL, false, &wrong));
  assert_null(wrong);
  pi_uint32 references = 0;
  must(piKernelGetInfo(same, PI_KERNEL_INFO_REFERENCE_COUNT, sizeof references, &references, NULL));
  assert_int_equal(references, 1);
  must(piContextRelease(all));
  must(piProgramRelease(other));
  must(piKernelRelease(same));
}
