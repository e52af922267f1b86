/* A kernel's failure makes its context fail. The fake driver must not be strict here. */
#define _DEFAULT_SOURCE /* usleep */
#include "world.h"

#include <stdatomic.h>
#include <unistd.h>

static const char writes_nowhere[] = ".version 7.0\n"
                                     ".target sm_60\n"
                                     ".address_size 64\n"
                                     ".visible .entry writes_nowhere()\n"
                                     "{\n"
                                     "  .reg .b64 %address;\n"
                                     "  .reg .b32 %value;\n"
                                     "  mov.u64 %address, 64;\n"
                                     "  mov.u32 %value, 1;\n"
                                     "  st.global.u32 [%address], %value;\n"
                                     "  ret;\n"
                                     "}\n";

/* Launches the kernel in a queue's stream. The queue's context must be current. */
static void launch_writes_nowhere(pi_queue queue) {
  CUmodule module = NULL;
  CUfunction function = NULL;
  pi_native_handle stream;
  must(piextQueueGetNativeHandle(queue, &stream, NULL));
  driver(cu.ModuleLoadDataEx(&module, writes_nowhere, 0, NULL, NULL));
  driver(cu.ModuleGetFunction(&function, module, "writes_nowhere"));
  driver(cu.LaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, (CUstream)stream, NULL, NULL));
}

static atomic_int noticed;

static void notice(pi_event event, pi_int32 status, void *user_data) {
  (void)event;
  (void)user_data;
  atomic_store(&noticed, status);
}

/* Every wait and every later call reports the kernel's failure. Needs a second device. */
WORLD_TEST(a_kernel_failure_persists) {
  static unsigned char bytes[64];
  pi_device devices[2];
  pi_context context = NULL;
  pi_queue queue = NULL;
  pi_mem buffer = NULL;
  pi_event event = NULL;
  get_two_devices(devices);
  must(piContextCreate(NULL, 1, &devices[1], NULL, NULL, &context));
  must(piQueueCreate(context, devices[1], 0, &queue));
  must(piMemBufferCreate(context, PI_MEM_FLAGS_ACCESS_RW, 64, NULL, &buffer, NULL));
  const pi_event gate = new_user_event();
  must(piEnqueueEventsWaitWithBarrier(queue, 1, &gate, NULL));
  launch_writes_nowhere(queue);
  must(piEnqueueEventsWait(queue, 0, NULL, &event));
  must(piEventSetCallback(event, PI_EVENT_COMPLETE, notice, NULL));
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  for (int i = 0; i < 2; i++) {
    fails(PI_ERROR_PLUGIN_SPECIFIC_ERROR, piEventsWait(1, &event));
    assert_int_equal(status_of(event), PI_ERROR_PLUGIN_SPECIFIC_ERROR);
    fails(PI_ERROR_PLUGIN_SPECIFIC_ERROR, piQueueFinish(queue));
    fails(PI_ERROR_PLUGIN_SPECIFIC_ERROR,
          piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, 64, bytes, 0, NULL, NULL));
  }
  for (int i = 0; i < 5000 && atomic_load(&noticed) == 0; i++)
    usleep(1000);
  assert_int_equal(atomic_load(&noticed), status_of(event));
  usleep(2000); /* the thread drops its reference after the call */
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
  must(piContextRelease(context));
}

/* Expects the latest message to have these words, and to say that the device is lost. */
static void expect_words(const char *words) {
  const char *message;
  plugin_error_last(&message);
  assert_non_null(strstr(message, words));
  assert_non_null(strstr(message, PLUGIN_DEVICE_LOST));
}

/* After a failure in the device every later wait and command reports it. */
WORLD_TEST(later_calls_report_a_lost_context) {
  const pi_queue queue = new_queue(IN_ORDER);
  const pi_mem buffer = new_buffer(4096, NULL);
  pi_event gate = new_user_event();
  pi_event event = NULL;
  fill_buffer(queue, buffer, 1, gate, &event);
  fake_cuda_fail("cuEventQuery", 1, CUDA_ERROR_ILLEGAL_ADDRESS);
  assert_int_equal(status_of(event), PI_ERROR_PLUGIN_SPECIFIC_ERROR);
  expect_words("CUDA_ERROR_ILLEGAL_ADDRESS (700): a kernel read or wrote outside of its memory");
  fake_cuda_unfail();
  for (int i = 0; i < 2; i++) {
    assert_true(status_of(event) < 0);
    fails(PI_ERROR_PLUGIN_SPECIFIC_ERROR, piEventsWait(1, &event));
    expect_words("because a kernel failed while it ran");
    fails(PI_ERROR_PLUGIN_SPECIFIC_ERROR, piEnqueueEventsWait(queue, 1, &event, NULL));
  }
  must(piEventSetStatus(gate, PI_EVENT_COMPLETE));
  must(piEventRelease(event));
  must(piEventRelease(gate));
  must(piMemRelease(buffer));
  must(piQueueRelease(queue));
}

/* Statuses of a failed kernel, and other statuses for which PI has a code. */
WORLD_TEST(every_code_has_its_result) {
  static const struct {
    CUresult driver;
    pi_result pi;
  } cases[] = {
      {CUDA_ERROR_ILLEGAL_ADDRESS, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_LAUNCH_TIMEOUT, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING, PI_ERROR_OUT_OF_RESOURCES},
      {CUDA_ERROR_ASSERT, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_HARDWARE_STACK_ERROR, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_ILLEGAL_INSTRUCTION, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_MISALIGNED_ADDRESS, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_INVALID_ADDRESS_SPACE, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_INVALID_PC, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_LAUNCH_FAILED, PI_ERROR_PLUGIN_SPECIFIC_ERROR},
      {CUDA_ERROR_DEVICE_UNAVAILABLE, PI_ERROR_DEVICE_NOT_AVAILABLE},
      {CUDA_ERROR_ECC_UNCORRECTABLE, PI_ERROR_DEVICE_NOT_AVAILABLE},
      {CUDA_ERROR_JIT_COMPILATION_DISABLED, PI_ERROR_COMPILER_NOT_AVAILABLE},
      {CUDA_ERROR_UNKNOWN, PI_ERROR_UNKNOWN},
  };
  const pi_mem buffer = new_buffer(64, NULL);
  fill_buffer(w.queue, buffer, 1, NULL, NULL);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fake_cuda_fail("cuStreamSynchronize", 1, cases[i].driver);
    fails(cases[i].pi, piQueueFinish(w.queue));
    assert_string_equal(fake_cuda_unfail(), "cuStreamSynchronize");
  }
  must(piMemRelease(buffer));
}
