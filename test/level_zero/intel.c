/*
 * Intel's own driver. Without a GPU it ends the process that calls it, and the plugin must report
 * that and survive. In capture mode it has a device that computes nothing.
 */
#include "world.h"

#include "../../plugins/base/error.h"
#include "../../plugins/level_zero/probe.h"

#include <stdio.h>
#include <unistd.h>

static bool has_gpu(void) {
  return access("/dev/dri", F_OK) == 0;
}

static probe_answer ask(void) {
  probe_answer answer = {.outcome = PROBE_UNKNOWN};
  probe_ask(&ze, &answer);
  return answer;
}

TEST(without_a_gpu_there_are_no_platforms) {
  if (has_gpu()) {
    print_message("this machine has a GPU\n");
    skip();
  }
  pi_uint32 count = 77;
  must(piPlatformsGet(0, NULL, &count));
  assert_int_equal(count, 0);
  const char *note = "";
  assert_int_equal(plugin_error_last(&note), PI_NOTE_DRIVER_BROKEN);
  assert_non_null(strstr(note, "zeInit failed with 0x78000001"));
  assert_non_null(strstr(note, "libze_intel_gpu.so"));
  assert_non_null(strstr(note, " is not used: after that it ends a process with signal "));
  const probe_answer answer = ask();
  assert_int_equal(answer.outcome, PROBE_SIGNAL);
  assert_int_equal(answer.file_count, 1);
}

static void in_capture_mode_there_is_a_gpu(void **state) {
  (void)state;
  pi_platform platform = NULL;
  pi_uint32 count = 0;
  must(piPlatformsGet(1, &platform, &count));
  assert_int_equal(count, 1);
  pi_device device = NULL;
  must(piDevicesGet(platform, PI_DEVICE_TYPE_GPU, 1, &device, &count));
  assert_int_equal(count, 1);
  pi_uint32 vendor = 0;
  char text[2048];
  must(piDeviceGetInfo(device, PI_DEVICE_INFO_VENDOR_ID, sizeof vendor, &vendor, NULL));
  assert_int_equal(vendor, 0x8086);
  must(piDeviceGetInfo(device, PI_DEVICE_INFO_EXTENSIONS, sizeof text, text, NULL));
  assert_non_null(strstr(text, "cl_khr_il_program"));
  const probe_answer answer = ask();
  assert_int_equal(answer.outcome, PROBE_WORKS);
  pi_context context = NULL;
  must(piContextCreate(NULL, 1, &device, NULL, NULL, &context));
  must(piContextRelease(context));
}

int main(int argc, char **argv) {
  const struct CMUnitTest captured[] = {cmocka_unit_test(in_capture_mode_there_is_a_gpu)};
  if (argc == 2 && strcmp(argv[1], "capture") == 0)
    return cmocka_run_group_tests(captured, NULL, NULL);
  return has_gpu() ? 77 : tests_run(NULL, NULL);
}
