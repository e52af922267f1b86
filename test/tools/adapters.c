/* What specpi doctor makes of adapters of Unified Runtime. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A library that is one, and a folder of ours with it. */
#define OURS "mkdir ours; ln -s " ADAPTER " ours/libur_adapter_cuda.so.0; "
#define DOCTOR "SPECPI_PLUGIN_PATH=$WORK/ours " TOOL " doctor"

static void says_what_is_in_the_way(void **state) {
  (void)state;
  static const struct {
    const char *environment;
    const char *words; /* "": nothing */
  } lines[] = {
      {"", "UR_ADAPTERS_SEARCH_PATH does not name its folder.\n    What to do: "},
      {"UR_ADAPTERS_SEARCH_PATH=/a,/b ", "UR_ADAPTERS_SEARCH_PATH does not name its folder."},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours/x ", "does not name its folder."},
      {"UR_ADAPTERS_SEARCH_PATH=/a,$WORK/ours ", ""},
      {"UR_ADAPTERS_FORCE_LOAD=/a.so ", "Runtimes load nothing but what UR_ADAPTERS_FORCE_LOAD"},
      {"UR_ADAPTERS_FORCE_LOAD=/a.so,$WORK/ours/libur_adapter_cuda.so.0 ", ""},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours ONEAPI_DEVICE_SELECTOR='level_zero:*;opencl:cpu' ",
       "because ONEAPI_DEVICE_SELECTOR=level_zero:*;opencl:cpu names no cuda."},
      {"UR_LOADER_PRELOAD_FILTER=0 UR_ADAPTERS_SEARCH_PATH=$WORK/ours "
       "ONEAPI_DEVICE_SELECTOR='level_zero:*' ",
       ""},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours ONEAPI_DEVICE_SELECTOR='*:gpu' ", ""},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours ONEAPI_DEVICE_SELECTOR='opencl:*; CUDA:0' ", ""},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours ONEAPI_DEVICE_SELECTOR='!opencl:*' ", ""},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run(OURS "%s" DOCTOR, lines[i].environment);
    /* It is the last one: the backend's place in the list is. */
    const char *list = strstr(done.output, "/ours/libur_adapter_cuda.so.0: can be loaded\n");
    assert_non_null(list);
    if (*lines[i].words)
      assert_contains(list, lines[i].words);
    else
      assert_contains_not(list, "    What to do: ");
    command_clear(&done);
  }
}

static void says_what_cannot_be_used(void **state) {
  (void)state;
  static const struct {
    const char *make;
    const char *words;
  } lines[] = {
      {"mkdir ours; : >ours/libur_adapter_cuda.so.0",
       "/ours/libur_adapter_cuda.so.0: cannot be used: "},
      {"mkdir ours; mkdir ours/libur_adapter_cuda.so.0",
       "/ours/libur_adapter_cuda.so.0: cannot be used: "},
      {"mkdir ours; cp " FAKE "/good/libpi_opencl.so ours/libur_adapter_level_zero.so.0",
       "/ours/libur_adapter_level_zero.so.0: cannot be used: it has no "
       "urGetPlatformProcAddrTable\n    What to do: Replace the file"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run("%s; " DOCTOR, lines[i].make);
    const char *list = strstr(done.output, "Adapters of Unified Runtime");
    assert_non_null(list);
    assert_contains(list, lines[i].words);
    command_clear(&done);
  }
}

/* Though no device is there, and with the reason that the doctor gives. */
static void lists_adapters(void **state) {
  (void)state;
  static const char make[] =
      OURS "cp " FAKE "/good/libpi_opencl.so ours/libur_adapter_level_zero.so.0; ";
  outcome done = command_run("%sSPECPI_PLUGIN_PATH=$WORK/ours " TOOL " ls --verbose", make);
  assert_contains(done.output, "/ours/libur_adapter_cuda.so.0: can be loaded\n");
  assert_contains(done.output, "\nAdapter level_zero: ");
  assert_contains(done.output, "cannot be used: it has no urGetPlatformProcAddrTable\n");
  command_clear(&done);
  done = command_run("%sSPECPI_PLUGIN_PATH=$WORK/ours " TOOL " ls --json", make);
  assert_contains(done.output, "/ours/libur_adapter_cuda.so.0\",\n      \"reason\": \"\"\n");
  assert_contains(done.output, "\"reason\": \"it has no urGetPlatformProcAddrTable\"\n");
  command_clear(&done);
}

/* Each once, in the order in which programs find them, with what each takes. */
static void lists_runtimes(void **state) {
  (void)state;
  static const char folders[] =
      RUNTIME "/seven:" RUNTIME "/eight:" RUNTIME "/beside:" RUNTIME "/eight";
  outcome done =
      command_run(OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_SEARCH_PATH=$WORK/ours " DOCTOR, folders);
  const char *list = strstr(done.output, "SYCL runtimes that programs find");
  assert_non_null(list);
  assert_contains(list, "/seven/libsycl.so.7: plugins of PI 15.47, of release 2024.2\n");
  assert_contains(list, "/eight/libsycl.so.8: Unified Runtime of release 2026.2\n"
                        "    opencl: no adapter\n    level_zero: no adapter\n    cuda: ");
  assert_contains(list, "/beside/libsycl.so.8: Unified Runtime of no release that the adapters are "
                        "known to serve: 2025.0, ");
  const char *eight = strstr(list, "/eight/libsycl.so.8");
  assert_non_null(eight);
  assert_contains(eight, "/ours/libur_adapter_cuda.so.0\n");
  assert_contains_not(eight + 1, "/eight/libsycl.so.8");
  command_clear(&done);
  done = command_run(OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_SEARCH_PATH=$WORK/ours "
                          "ONEAPI_DEVICE_SELECTOR='opencl:*' SPECPI_PLUGIN_PATH=$WORK/ours " TOOL
                          " ls --verbose",
                     folders);
  assert_contains(done.output, "/ours/libur_adapter_cuda.so.0, which it passes over: "
                               "ONEAPI_DEVICE_SELECTOR names no cuda\n");
  command_clear(&done);
  done = command_run(OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_SEARCH_PATH=$WORK/ours "
                          "SPECPI_PLUGIN_PATH=$WORK/ours " TOOL " ls --json",
                     folders);
  assert_contains(done.output, "/seven\",\n      \"library\": \"libsycl.so.7\",\n"
                               "      \"interface\": \"pi\",\n      \"release\": null,\n");
  assert_contains(done.output, "\"interface\": \"ur\",\n      \"release\": \"2026.2\",\n"
                               "      \"adapters\": {\n        \"opencl\": null,\n"
                               "        \"level_zero\": null,\n        \"cuda\": \"");
  command_clear(&done);
  done = command_run(
      OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_FORCE_LOAD=/a/libur_adapter_opencl.so.0 " DOCTOR,
      folders);
  assert_contains(done.output,
                  "\n    opencl: /a/libur_adapter_opencl.so.0\n    level_zero: no adapter\n"
                  "    cuda: no adapter\n");
  command_clear(&done);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_what_is_in_the_way),
      cmocka_unit_test(says_what_cannot_be_used),
      cmocka_unit_test(lists_adapters),
      cmocka_unit_test(lists_runtimes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
