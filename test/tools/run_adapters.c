/* specpi run over a fake runtime of Unified Runtime: the program's environment. */
#include "command.h"

#include "../../plugins/base/level_zero_served.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes a directory like ours, with an adapter. */
#define ADAPTER "mkdir -p ours; : >ours/libur_adapter_cuda.so.0; "
#define RUN TOOL " run --plugins ours "
#define RUN_WITH RUN "--sycl-rt " RUNTIME "/eight "

static void check_output(const char *command, const char *words) {
  outcome done = command_run(ADAPTER "%s", command);
  assert_status(done, 0);
  assert_contains(done.output, words);
  command_clear(&done);
}

static void check_absence(const char *command, const char *words) {
  outcome done = command_run(ADAPTER "%s", command);
  assert_status(done, 0);
  assert_contains_not(done.output, words);
  command_clear(&done);
}

TEST(names_the_directory) {
  check_output(RUN_WITH "sh -c 'echo $UR_ADAPTERS_SEARCH_PATH; cd ours; pwd'", "/ours\n/");
  check_output("UR_ADAPTERS_SEARCH_PATH=/a,/b " RUN_WITH "sh -c 'echo $UR_ADAPTERS_SEARCH_PATH'",
               "/ours,/a,/b\n");
}

/* Nothing is preloaded, and the program's own search paths do not change. */
TEST(leaves_the_rest_alone) {
  check_absence("LD_LIBRARY_PATH=" RUNTIME "/eight " RUN "env", "LD_PRELOAD");
  check_output("LD_LIBRARY_PATH=" RUNTIME "/eight:/b " RUN "env",
               "\nLD_LIBRARY_PATH=" RUNTIME "/eight:/b\n");
  check_absence(RUN_WITH "env", "SPECPI_CUDA_BACKEND");
  check_absence(RUN_WITH "env", "UR_LOADER_PRELOAD_FILTER");
  check_absence(RUN_WITH "sh -c 'ls -A $WORK/.cache 2>/dev/null || :'", "specpi");
  /* A runtime passed with --sycl-rt is in LD_LIBRARY_PATH; the program would not find it. */
  check_output(RUN_WITH "env", "\nLD_LIBRARY_PATH=" RUNTIME "/eight\n");
}

/* LD_LIBRARY_PATH begins with our Level Zero loader, unless another Level Zero has devices. */
TEST(puts_level_zero_first) {
  const char generator[] = "mkdir -p gen/ze; : >gen/specpi-codegen; chmod +x gen/specpi-codegen; "
                           "export SPECPI_CODEGEN=$PWD/gen/specpi-codegen LD_LIBRARY_PATH=/b; ";
  char command[1024];
  snprintf(command, sizeof command, "%s" RUN "--sycl-rt " RUNTIME "/eight env", generator);
  if (level_zero_is_served())
    check_output(command, "\nLD_LIBRARY_PATH=/b:");
  else
    check_output(command, "/gen/ze:/b:" RUNTIME "/eight\n");
  snprintf(command, sizeof command,
           "%sZE_ENABLE_ALT_DRIVERS=/d " RUN "--sycl-rt " RUNTIME "/eight env", generator);
  check_output(command, "\nLD_LIBRARY_PATH=/b:" RUNTIME "/eight\n");
}

/* A libsycl that an outer specpi run preloads is removed. */
TEST(undoes_a_preload) {
  check_output("export ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0\n"
               "LD_PRELOAD=" RUNTIME "/seven/libsycl.so.7:libm.so.6 " TOOL
               " run --plugins ours --sycl-rt " RUNTIME "/eight env",
               "\nLD_PRELOAD=libm.so.6\n");
}

/* A plugin next to the adapter says why there is no device. */
TEST(has_cuda) {
  outcome done = command_run(
      ADAPTER "cp " FAKE "/no-device/libpi_opencl.so ours/libpi_cuda.so; " RUN_WITH "--cuda true");
  assert_status(done, 0);
  assert_contains(done.errors, "--cuda: the CUDA plugin has no device: ");
  command_clear(&done);
  check_output(RUN_WITH "--cuda sh -c 'echo $SPECPI_CUDA_BACKEND $UR_LOADER_PRELOAD_FILTER'",
               "level_zero 0\n");
  check_output("ONEAPI_DEVICE_SELECTOR='cuda:1' " RUN_WITH
               "--cuda sh -c 'echo $ONEAPI_DEVICE_SELECTOR'",
               "level_zero:1\n");
}

/* dpctl selects the device by the name level_zero, for which a loader would not open CUDA's
 * adapter. */
TEST(a_selector_of_level_zero_has_cuda) {
  static const struct {
    const char *selector, *filter;
    bool warns; /* about GPUs that are left out */
  } cases[] = {{"level_zero:gpu", "0", false},
               {"opencl:*;level_zero:0", "0", false},
               {"opencl:gpu", "0", true},
               {"opencl:*", "0", true},
               {"opencl:cpu", "0", false},
               {"!opencl:*", "-", false},
               {"*:gpu", "-", false},
               {"cuda:gpu", "-", false},
               {"", "-", false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    outcome done = command_run(ADAPTER "ONEAPI_DEVICE_SELECTOR='%s' " RUN_WITH
                                       "sh -c 'echo ${UR_LOADER_PRELOAD_FILTER--}'",
                               cases[i].selector);
    assert_status(done, 0);
    char expected[8];
    snprintf(expected, sizeof expected, "%s\n", cases[i].filter);
    assert_string_equal(done.output, expected);
    if (cases[i].warns)
      assert_contains(done.errors, "leaves out NVIDIA's GPUs, which are devices of level_zero in "
                                   "SYCL programs; *:gpu takes all GPUs\n");
    else
      assert_contains_not(done.errors, "NVIDIA's GPUs");
    command_clear(&done);
  }
}

TEST(says_what_it_sets) {
  outcome done = command_run(ADAPTER RUN_WITH "-v true");
  assert_status(done, 0);
  assert_contains(done.errors, "specpi: SYCL runtime " RUNTIME "/eight/libsycl.so.8\n");
  assert_contains(done.errors, "/ours/libur_adapter_cuda.so.0\n");
  assert_contains(done.errors, "specpi: UR_ADAPTERS_SEARCH_PATH=/");
  command_clear(&done);
}

/* The release follows from the loader's version that libsycl requires, and from its functions. */
TEST(finds_the_release) {
  static const struct {
    const char *loader;
    const char *words;
  } lines[] = {
      {"", "release 2025.2\n"},
      {"urGetAdapterProcAddrTable", "release 2025.3\n"},
      {"urGetAdapterProcAddrTable\\0urGraphCreateExp", "release 2026.0\n"},
      {"urGraphCreateExp\\0urGraphGetIdExp", "release 2026.1\n"},
      /* Only the whole name counts. */
      {"urGraphCreateExpress", "release 2025.2\n"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run(ADAPTER "cp -r " RUNTIME "/beside rt; printf 'ELF%s\\0' >"
                                       "rt/libur_loader.so.0; " RUN "-v --sycl-rt rt true",
                               lines[i].loader);
    assert_status(done, 0);
    assert_contains(done.errors, lines[i].words);
    command_clear(&done);
  }
  outcome done = command_run(ADAPTER RUN_WITH "-v true");
  assert_contains(done.errors, "release 2026.2\n");
  command_clear(&done);
}

/* A runtime without its loader, and one that requires a later version of the loader. */
TEST(warns_of_other_releases) {
  outcome done = command_run(ADAPTER RUN "--sycl-rt " RUNTIME "/beside true");
  assert_status(done, 0);
  assert_contains(done.errors, "/beside/libsycl.so.8 is of no release that the adapters are known "
                               "to serve: 2025.0, 2025.1, ");
  command_clear(&done);
  done = command_run(ADAPTER "cp -r " RUNTIME "/beside rt; echo x >rt/libur_loader.so.0; sed -i "
                             "s/LOADER_0.12/LOADER_0.13/ rt/libsycl.so.8; " RUN
                             "-v --sycl-rt rt true");
  assert_status(done, 0);
  assert_contains(done.errors, "is of no release");
  command_clear(&done);
}

TEST(passes_on_the_exit_status) {
  outcome done = command_run(ADAPTER RUN_WITH "sh -c 'exit 42'");
  assert_status(done, 42);
  command_clear(&done);
}

TEST(refuses_bad_arguments) {
  static const struct {
    const char *command;
    const char *words;
  } lines[] = {
      {"mkdir none; " TOOL " run --plugins none --sycl-rt " RUNTIME "/eight true",
       "there is no adapter of Unified Runtime, such as libur_adapter_cuda.so.0, in none"},
      {TOOL " run --plugins /nowhere --sycl-rt " RUNTIME "/eight true",
       "--plugins /nowhere: No such file or directory"},
      {"mkdir a,b; : >a,b/libur_adapter_cuda.so.0; " TOOL " run --plugins a,b --sycl-rt " RUNTIME
       "/eight true",
       "/a,b: UR_ADAPTERS_SEARCH_PATH cannot have a directory with a comma"},
      {"mv ours/libur_adapter_cuda.so.0 ours/libur_adapter_level_zero.so.0; " RUN_WITH
       "--cuda true",
       "--cuda: there is no adapter of CUDA in "},
      {"SPECPI_CUDA_BACKEND=rocm " RUN_WITH "--cuda true", "expected is one of "},
      {"mkdir a:b; cp " RUNTIME "/eight/libsycl.so.8 a:b; " RUN "--sycl-rt a:b true",
       "/a:b: LD_LIBRARY_PATH cannot have a directory with a colon"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    outcome done = command_run(ADAPTER "%s", lines[i].command);
    assert_status(done, 1);
    assert_contains(done.errors, lines[i].words);
    command_clear(&done);
  }
}
