/* A context of two devices: what they share, and what each device has of its own. */
#include "launch.h"

#include "../../plugins/code/ptx_image.h"
#include "../../plugins/cuda/kernel.h"

#include <stdio.h>
#include <time.h>

enum { COUNT = 256, BYTES = COUNT * 4 };

/* A context of both devices, and a queue for each device. */
typedef struct pair {
  pi_context context;
  pi_device devices[2];
  pi_queue queues[2];
} pair;

static pair open_pair(void) {
  pair pair;
  get_two_devices(pair.devices);
  must(piContextCreate(NULL, 2, pair.devices, NULL, NULL, &pair.context));
  for (int i = 0; i < 2; i++)
    must(piextQueueCreate(pair.context, pair.devices[i],
                          (pi_queue_properties[]){PI_QUEUE_FLAGS, 0, 0}, &pair.queues[i]));
  return pair;
}

static void close_pair(const pair *pair) {
  for (int i = 0; i < 2; i++) {
    must(piQueueFinish(pair->queues[i]));
    must(piQueueRelease(pair->queues[i]));
  }
  must(piContextRelease(pair->context));
}

static pi_mem buffer_of(const pair *pair, const void *bytes) {
  pi_mem made = NULL;
  const pi_mem_flags copied = bytes ? PI_MEM_FLAGS_HOST_PTR_COPY : 0;
  must(piMemBufferCreate(pair->context, PI_MEM_FLAGS_ACCESS_RW | copied, BYTES,
                         (void *)(size_t)bytes, &made, NULL));
  return made;
}

/* Builds the program for the first count devices. */
static pi_program program_of(const pair *pair, pi_uint32 count) {
  pi_program made = NULL;
  must(piProgramCreate(pair->context, launch_text, sizeof launch_text, &made));
  must(piProgramBuild(made, count, pair->devices, "", NULL, NULL));
  return made;
}

/* Launches buffer[i] = value for count elements. */
static void write_value(pi_queue queue, pi_kernel kernel, pi_mem buffer, unsigned value,
                        size_t count, pi_event wait, pi_event *event) {
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &buffer));
  must(piKernelSetArg(kernel, 1, sizeof value, &value));
  must(piEnqueueKernelLaunch(queue, kernel, 1, (size_t[]){0}, &count, NULL, wait != NULL,
                             wait ? &wait : NULL, event));
}

static void expect_values(pi_queue queue, pi_mem buffer, unsigned first, unsigned second,
                          pi_event wait) {
  unsigned got[COUNT] = {0};
  must(piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, BYTES, got, wait != NULL,
                              wait ? &wait : NULL, NULL));
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(got[i], i < COUNT / 2 ? first : second);
}

/* ---- */

/* Creating a context opens none of its devices. */
WORLD_TEST(a_device_is_opened_when_it_is_used) {
  pi_device devices[2];
  pi_context context = NULL;
  get_two_devices(devices);
  const size_t before = fake_cuda_live(FAKE_CONTEXT);
  const unsigned long retained = fake_cuda_calls("cuDevicePrimaryCtxRetain");
  must(piContextCreate(NULL, 2, devices, NULL, NULL, &context));
  must(piContextRelease(context));
  assert_int_equal(fake_cuda_calls("cuDevicePrimaryCtxRetain"), retained);
  must(piContextCreate(NULL, 2, devices, NULL, NULL, &context));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), before);
  void *memory = NULL;
  must(piextUSMDeviceAlloc(&memory, context, devices[1], NULL, BYTES, 0));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), before + 1);
  must(piextUSMFree(context, memory));
  must(piContextRelease(context));
  assert_int_equal(fake_cuda_live(FAKE_CONTEXT), before);
}

/* Kernels on the two devices write to one buffer, first in turn and then at the same time. */
WORLD_TEST(both_devices_write_to_one_buffer) {
  const pair pair = open_pair();
  const pi_program program = program_of(&pair, 2);
  const pi_mem buffer = buffer_of(&pair, NULL);
  pi_kernel kernel = NULL;
  must(piKernelCreate(program, "write", &kernel));
  pi_event events[2];
  write_value(pair.queues[0], kernel, buffer, 7, COUNT, NULL, &events[0]);
  write_value(pair.queues[1], kernel, buffer, 8, COUNT / 2, events[0], &events[1]);
  expect_values(pair.queues[0], buffer, 8, 7, events[1]);
  for (int i = 0; i < 2; i++)
    must(piEventRelease(events[i]));
  pi_mem halves[2];
  for (int i = 0; i < 2; i++) {
    const pi_buffer_region_struct half = {(size_t)i * BYTES / 2, BYTES / 2};
    must(piMemBufferPartition(buffer, PI_MEM_FLAGS_ACCESS_RW, PI_BUFFER_CREATE_TYPE_REGION,
                              (void *)(size_t)&half, &halves[i]));
    write_value(pair.queues[i], kernel, halves[i], 10 + (unsigned)i, COUNT / 2, NULL, &events[i]);
  }
  must(piEventsWait(2, events));
  expect_values(pair.queues[1], buffer, 10, 11, NULL);
  for (int i = 0; i < 2; i++) {
    must(piEventRelease(events[i]));
    must(piMemRelease(halves[i]));
  }
  must(piMemRelease(buffer));
  must(piKernelRelease(kernel));
  must(piProgramRelease(program));
  close_pair(&pair);
}

/* One device copies and fills the other device's memory, and each allocation names its device. */
WORLD_TEST(each_allocation_names_its_device) {
  const pair pair = open_pair();
  void *memory[2] = {NULL};
  unsigned got[COUNT];
  for (int i = 0; i < 2; i++)
    must(piextUSMDeviceAlloc(&memory[i], pair.context, pair.devices[i], NULL, BYTES, 0));
  for (int i = 0; i < 2; i++) {
    pi_device owner = NULL;
    must(piextUSMGetMemAllocInfo(pair.context, memory[i], PI_MEM_ALLOC_DEVICE, sizeof owner, &owner,
                                 NULL));
    assert_ptr_equal(owner, pair.devices[i]);
  }
  must(piextUSMEnqueueMemset(pair.queues[1], memory[0], 0x11, BYTES, 0, NULL, NULL));
  must(piQueueFinish(pair.queues[1]));
  must(piextUSMEnqueueMemcpy(pair.queues[0], PI_TRUE, memory[1], memory[0], BYTES, 0, NULL, NULL));
  must(piextUSMEnqueueMemcpy(pair.queues[1], PI_TRUE, got, memory[1], BYTES, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(got[i], 0x11111111);
  /* Memory is unknown in a context of the other device. */
  pi_context other = NULL;
  must(piContextCreate(NULL, 1, &pair.devices[1], NULL, NULL, &other));
  fails(PI_ERROR_INVALID_VALUE, piextUSMFree(other, memory[0]));
  must(piContextRelease(other));
  for (int i = 0; i < 2; i++)
    must(piextUSMFree(pair.context, memory[i]));
  close_pair(&pair);
}

/* Memory that the other device still uses is not allocated again. */
WORLD_TEST(freed_memory_waits_for_both_devices) {
  const pair pair = open_pair();
  void *first = NULL, *second = NULL;
  pi_event gate = NULL;
  must(piEventCreate(pair.context, &gate));
  must(piextUSMDeviceAlloc(&first, pair.context, pair.devices[0], NULL, BYTES, 0));
  must(piextUSMEnqueueMemset(pair.queues[1], first, 1, BYTES, 1, &gate, NULL));
  must(piextUSMFree(pair.context, first));
  must(piextUSMDeviceAlloc(&second, pair.context, pair.devices[0], NULL, BYTES, 0));
  assert_ptr_not_equal(second, first);
  must(piextUSMFree(pair.context, second));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piQueueFinish(pair.queues[1]));
  /* The queue has ended, but the memory's own event may not have been seen yet. */
  for (const time_t end = time(NULL) + 30; second != first && time(NULL) < end;) {
    must(piextUSMDeviceAlloc(&second, pair.context, pair.devices[0], NULL, BYTES, 0));
    must(piextUSMFree(pair.context, second));
  }
  assert_ptr_equal(second, first);
  must(piEventRelease(gate));
  close_pair(&pair);
}

/* A kernel runs on the devices that its program was built for. */
WORLD_TEST(a_kernel_runs_only_where_it_was_built) {
  const pair pair = open_pair();
  const pi_program program = program_of(&pair, 1);
  const pi_mem buffer = buffer_of(&pair, NULL);
  pi_kernel kernel = NULL;
  must(piKernelCreate(program, "write", &kernel));
  write_value(pair.queues[0], kernel, buffer, 3, COUNT, NULL, NULL);
  expect_values(pair.queues[0], buffer, 3, 3, NULL);
  fails(PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
        piEnqueueKernelLaunch(pair.queues[1], kernel, 1, (size_t[]){0}, (size_t[]){COUNT}, NULL, 0,
                              NULL, NULL));
  pi_program_build_status status = 0;
  must(piProgramGetBuildInfo(program, pair.devices[1], PI_PROGRAM_BUILD_INFO_STATUS, sizeof status,
                             &status, NULL));
  assert_int_equal(status, PI_PROGRAM_BUILD_STATUS_NONE);
  must(piKernelRelease(kernel));
  must(piMemRelease(buffer));
  must(piProgramRelease(program));
  close_pair(&pair);
}

/* e(out, buffer): out[id] = the constant of id 0, which is in the buffer. */
#define CONSTANT_TEXT                                                                              \
  ".version 7.8\n.target sm_80\n.address_size 64\n"                                                \
  ".visible .entry e(.param .u64 out, .param .u64 buffer)\n"                                       \
  "{\n.reg .b32 %r<6>; .reg .b64 %rd<5>;\n"                                                        \
  "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1;\n"                                     \
  "ld.param.u64 %rd4, [buffer]; cvta.to.global.u64 %rd4, %rd4; ld.global.u32 %r1, [%rd4];\n"       \
  "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"                            \
  "mad.lo.s32 %r5, %r2, %r3, %r4;\n" LAUNCH_END
#define CONSTANT_LINES                                                                             \
  "//!specpi 1 emulate 1 1 4 0 1\n//!specpi constant a scalar 0 4 1\n//!specpi leaf 0 0 4\n"       \
  "//!specpi bytes 01000000\n//!specpi kernel e 1 0 0 0\n"

static pi_program constant_program(const pair *pair, unsigned value) {
  char image[2048];
  const size_t lines = strlen(CONSTANT_LINES) + 53;
  int length = snprintf(image, sizeof image, "%s%s//!specpi end %010zu %010zu ", CONSTANT_TEXT,
                        CONSTANT_LINES, strlen(CONSTANT_TEXT), lines);
  length += snprintf(image + length, sizeof image - (size_t)length, "%016llx\n",
                     (unsigned long long)ptx_image_hash(image, (size_t)length));
  pi_program made = NULL;
  must(piProgramCreate(pair->context, image, (size_t)length, &made));
  must(piextProgramSetSpecializationConstant(made, 0, sizeof value, &value));
  must(piProgramBuild(made, 2, pair->devices, "", NULL, NULL));
  return made;
}

/* Each device reads the constants from memory of its own. */
WORLD_TEST(each_device_has_its_own_constants) {
  const pair pair = open_pair();
  const pi_program program = constant_program(&pair, 41);
  const pi_mem buffer = buffer_of(&pair, NULL);
  const size_t count = COUNT;
  pi_kernel kernel = NULL;
  must(piKernelCreate(program, "e", &kernel));
  must(piextKernelSetArgMemObj(kernel, 0, NULL, &buffer));
  assert_int_not_equal(kernel->driver.instances[0].constants,
                       kernel->driver.instances[1].constants);
  for (int i = 0; i < 2; i++) {
    kernel_launch launch = {.kernel = kernel, .device = pair.devices[i]};
    CUdeviceptr constants = 0;
    must(driver_kernel_limits(kernel, pair.devices[i], NULL, &launch.limits));
    memcpy(&constants, launch_parameters(&launch)[1], sizeof constants);
    assert_int_equal(constants, kernel->driver.instances[i].constants);
    must(piEnqueueMemBufferFill(pair.queues[i], buffer, &i, sizeof i, 0, BYTES, 0, NULL, NULL));
    must(piEnqueueKernelLaunch(pair.queues[i], kernel, 1, (size_t[]){0}, &count, NULL, 0, NULL,
                               NULL));
    expect_values(pair.queues[i], buffer, 41, 41, NULL);
  }
  must(piKernelRelease(kernel));
  must(piMemRelease(buffer));
  must(piProgramRelease(program));
  close_pair(&pair);
}

/* A command sees the image's latest pixels, even if the other device wrote them. */
WORLD_TEST(images_move_between_devices) {
  const pair pair = open_pair();
  pi_image_format format = {PI_IMAGE_CHANNEL_ORDER_RGBA, PI_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8};
  pi_image_desc description = {
      .image_type = PI_MEM_TYPE_IMAGE2D, .image_width = 16, .image_height = 16};
  unsigned pixels[COUNT], got[COUNT];
  for (unsigned i = 0; i < COUNT; i++)
    pixels[i] = i * 0x01010101u;
  pi_mem image = NULL;
  must(piMemImageCreate(pair.context, PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY, &format,
                        &description, pixels, &image));
  const struct pi_image_offset_struct origin = {0, 0, 0};
  const struct pi_image_region_struct whole = {16, 16, 1};
  for (int round = 0; round < 4; round++) {
    const pi_queue queue = pair.queues[1 - round % 2];
    memset(got, 0, sizeof got);
    must(piEnqueueMemImageRead(queue, image, PI_TRUE, (pi_image_offset)(size_t)&origin,
                               (pi_image_region)(size_t)&whole, 0, 0, got, 0, NULL, NULL));
    assert_memory_equal(got, pixels, sizeof got);
    pixels[round] = 0xdeadbeef;
    must(piEnqueueMemImageWrite(queue, image, PI_TRUE, (pi_image_offset)(size_t)&origin,
                                (pi_image_region)(size_t)&whole, 0, 0, pixels, 0, NULL, NULL));
  }
  must(piMemRelease(image));
  close_pair(&pair);
}

/* Peer access that the application enables is counted apart from the contexts' own. */
WORLD_TEST(the_application_s_peer_access_is_counted_apart) {
  const pair both = open_pair();
  must(piextEnablePeerAccess(both.devices[0], both.devices[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextEnablePeerAccess(both.devices[0], both.devices[1]));
  close_pair(&both);
  const pair again = open_pair();
  must(piextDisablePeerAccess(both.devices[0], both.devices[1]));
  fails(PI_ERROR_INVALID_OPERATION, piextDisablePeerAccess(both.devices[0], both.devices[1]));
  close_pair(&again);
}

/* A context works even if the driver refuses peer access, or peer access is enabled already. */
WORLD_TEST(a_context_works_without_peer_access) {
  static const CUresult codes[] = {CUDA_ERROR_TOO_MANY_PEERS,
                                   CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED};
  for (int i = 0; i < 2; i++) {
    fake_cuda_fail("cuCtxEnablePeerAccess", 1, codes[i]);
    const pair pair = open_pair();
    assert_non_null(fake_cuda_unfail());
    const pi_mem buffer = buffer_of(&pair, NULL);
    must(piEnqueueMemBufferFill(pair.queues[1], buffer, "1234", 4, 0, BYTES, 0, NULL, NULL));
    must(piQueueFinish(pair.queues[1]));
    must(piMemRelease(buffer));
    close_pair(&pair);
  }
}

/* If opening a device fails for another reason, a later attempt can succeed. */
WORLD_TEST(a_device_can_be_opened_after_a_failure) {
  pi_device devices[2];
  pi_context context = NULL;
  pi_queue queues[2] = {NULL, NULL};
  pi_queue_properties in_order[] = {PI_QUEUE_FLAGS, 0, 0};
  get_two_devices(devices);
  must(piContextCreate(NULL, 2, devices, NULL, NULL, &context));
  must(piextQueueCreate(context, devices[0], in_order, &queues[0]));
  fake_cuda_fail("cuCtxEnablePeerAccess", 2, CUDA_ERROR_OUT_OF_MEMORY);
  fails(PI_ERROR_OUT_OF_RESOURCES, piextQueueCreate(context, devices[1], in_order, &queues[1]));
  assert_non_null(fake_cuda_unfail());
  assert_null(queues[1]);
  must(piextQueueCreate(context, devices[1], in_order, &queues[1]));
  for (int i = 0; i < 2; i++)
    must(piQueueRelease(queues[i]));
  must(piContextRelease(context));
}
