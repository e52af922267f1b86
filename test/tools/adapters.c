/* Reports of specpi doctor on adapters of Unified Runtime. */
#include "command.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a directory like ours, with an adapter that can be loaded. */
#define OURS "mkdir ours; ln -s " ADAPTER " ours/libur_adapter_cuda.so.0; "
#define DOCTOR "SPECPI_PLUGIN_PATH=$WORK/ours " TOOL " doctor"

TEST(says_what_is_in_the_way) {
  static const struct {
    const char *environment;
    const char *words; /* expected advice; "": none */
  } lines[] = {
      {"", "UR_ADAPTERS_SEARCH_PATH does not name its directory.\n    What to do: "},
      {"UR_ADAPTERS_SEARCH_PATH=/a,/b ", "UR_ADAPTERS_SEARCH_PATH does not name its directory."},
      {"UR_ADAPTERS_SEARCH_PATH=$WORK/ours/x ", "does not name its directory."},
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
    /* CUDA's adapter comes last, so that the rest of the output is about it. */
    const char *list = strstr(done.output, "/ours/libur_adapter_cuda.so.0: can be loaded\n");
    assert_non_null(list);
    if (*lines[i].words)
      assert_contains(list, lines[i].words);
    else
      assert_contains_not(list, "    What to do: ");
    command_clear(&done);
  }
}

/* Makes a virtual environment with a runtime that would find an adapter in lib. */
#define ENVIRONMENT                                                                                \
  OURS "mkdir -p e/lib; ln -s " RUNTIME "/inside/libsycl.so.9 e/lib; export VIRTUAL_ENV=$PWD/e; "

TEST(nothing_is_to_be_done_where_runtimes_find_a_copy) {
  static const struct {
    const char *make;
    const char *words;
    bool advises;
  } cases[] = {
      {"cp " ADAPTER " e/lib/libur_adapter_cuda.so.0; ",
       "    Runtimes take it: %s/e/lib/libur_adapter_cuda.so.0\n", false},
      {": >e/lib/libur_adapter_cuda.so.0; ",
       "    Runtimes take another one, %s/e/lib/libur_adapter_cuda.so.0; under specpi run they "
       "take "
       "this one.\n",
       false},
      {"", "    UR_ADAPTERS_SEARCH_PATH does not name its directory.\n", true},
      /* One of two runtimes does not find the copy. */
      {"cp " ADAPTER " e/lib/libur_adapter_cuda.so.0; mkdir -p c/lib; ln -s " RUNTIME
       "/eight/libsycl.so.8 c/lib; export CONDA_PREFIX=$PWD/c; ",
       "    UR_ADAPTERS_SEARCH_PATH does not name its directory.\n", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome done = command_run(ENVIRONMENT "%s pwd; " DOCTOR, cases[i].make);
    char directory[512];
    char expected[1024];
    snprintf(directory, sizeof directory, "%.*s", (int)strcspn(done.output, "\n"), done.output);
    // NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): from the table above
    snprintf(expected, sizeof expected, cases[i].words, directory);
    const char *list = strstr(done.output, "/ours/libur_adapter_cuda.so.0: can be loaded\n");
    assert_non_null(list);
    assert_contains(list, expected);
    if (cases[i].advises)
      assert_contains(list, "    What to do: Start the program with specpi run");
    else
      assert_contains_not(list, "    What to do: Start");
    command_clear(&done);
  }
}

TEST(an_adapter_inside_libsycl_is_one) {
  outcome done = command_run(ENVIRONMENT DOCTOR);
  assert_contains(done.output, "/e/lib/libsycl.so.9: Unified Runtime of release 2026.2\n"
                               "    opencl: ");
  assert_contains(done.output, "/e/lib/libsycl.so.9, which has it inside\n"
                               "    level_zero: no adapter\n");
  command_clear(&done);
  done = command_run(ENVIRONMENT "UR_ADAPTERS_FORCE_LOAD=/a/libur_adapter_opencl.so.0 " DOCTOR);
  assert_contains(done.output, "\n    opencl: /a/libur_adapter_opencl.so.0\n");
  command_clear(&done);
}

/* With a GPU, specpi ls has a line with the device's name in SYCL programs. */
TEST(the_name_in_sycl_programs_is_listed) {
  static const char gpu[] = "export LD_LIBRARY_PATH=" FAKE_CUDA "; cp " CUDA_PLUGIN
                            " ours; cp ours/libur_adapter_cuda.so.0 e/lib; ";
  static const struct {
    const char *environment, *row; /* expected line; "": none */
  } cases[] = {
      {"", "\nSYCL programs: [level_zero:gpu] CUDA by specpi\n"},
      {"ONEAPI_DEVICE_SELECTOR='*:gpu' ", "\nSYCL programs: [level_zero:gpu] CUDA by specpi\n"},
      {"ONEAPI_DEVICE_SELECTOR=level_zero:gpu ",
       "\nSYCL programs under specpi run: [level_zero:gpu] CUDA by specpi\n"},
      {"ONEAPI_DEVICE_SELECTOR=cuda:gpu ",
       "\nSYCL programs: [cuda:gpu] NVIDIA CUDA BACKEND, for kernels in PTX alone\n"},
      {"SPECPI_CUDA_BACKEND=opencl ", "\nSYCL programs: [opencl:gpu] CUDA by specpi\n"},
      {"UR_ADAPTERS_FORCE_LOAD=/a.so ",
       "\nSYCL programs under specpi run: [level_zero:gpu] CUDA by specpi\n"},
      {"VIRTUAL_ENV= ", ""},
      {"FAKE_CUDA_DEVICES=0 ", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome done = command_run(ENVIRONMENT "%s%s SPECPI_PLUGIN_PATH=$PWD/ours " TOOL " ls", gpu,
                               cases[i].environment);
    if (*cases[i].row)
      assert_contains(done.output, cases[i].row);
    else
      assert_contains_not(done.output, "SYCL programs");
    command_clear(&done);
  }
  static const char *const json[][2] = {
      {"", "\"sycl\": {\n    \"selector\": \"level_zero:gpu\",\n    \"platform\": \"CUDA by "
           "specpi\",\n    \"needs_run\": false,\n    \"takes_ptx_alone\": false\n  }"},
      {"VIRTUAL_ENV= ", "\"sycl\": null"},
      {"FAKE_CUDA_DEVICES=0 ", "\"sycl\": null"},
  };
  for (size_t i = 0; i < sizeof json / sizeof json[0]; i++) {
    outcome done = command_run(ENVIRONMENT "%s%s SPECPI_PLUGIN_PATH=$PWD/ours " TOOL " ls --json",
                               gpu, json[i][0]);
    assert_contains(done.output, json[i][1]);
    command_clear(&done);
  }
}

TEST(says_what_cannot_be_used) {
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

/* specpi ls lists adapters even without a device, with the same reasons as specpi doctor. */
TEST(lists_adapters) {
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

/* Lists each runtime once, in the order in which programs find them, with its adapters. */
TEST(lists_runtimes) {
  static const char directories[] =
      RUNTIME "/seven:" RUNTIME "/eight:" RUNTIME "/beside:" RUNTIME "/eight";
  outcome done = command_run(OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_SEARCH_PATH=$WORK/ours " DOCTOR,
                             directories);
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
                     directories);
  assert_contains(done.output, "/ours/libur_adapter_cuda.so.0, which it passes over: "
                               "ONEAPI_DEVICE_SELECTOR names no cuda\n");
  command_clear(&done);
  done = command_run(OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_SEARCH_PATH=$WORK/ours "
                          "SPECPI_PLUGIN_PATH=$WORK/ours " TOOL " ls --json",
                     directories);
  assert_contains(done.output, "/seven\",\n      \"library\": \"libsycl.so.7\",\n"
                               "      \"interface\": \"pi\",\n      \"release\": null,\n");
  assert_contains(done.output, "\"interface\": \"ur\",\n      \"release\": \"2026.2\",\n"
                               "      \"adapters\": {\n        \"opencl\": null,\n"
                               "        \"level_zero\": null,\n        \"cuda\": \"");
  command_clear(&done);
  done = command_run(
      OURS "LD_LIBRARY_PATH=%s UR_ADAPTERS_FORCE_LOAD=/a/libur_adapter_opencl.so.0 " DOCTOR,
      directories);
  assert_contains(done.output,
                  "\n    opencl: /a/libur_adapter_opencl.so.0\n    level_zero: no adapter\n"
                  "    cuda: no adapter\n");
  command_clear(&done);
}
