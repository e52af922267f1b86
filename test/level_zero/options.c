/* Build options: their translation for the driver, and refusals. */
#include "../unit/check.h"

#include "../../plugins/objects/driver.h"
#include "../../plugins/objects/program.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *options, const char *want) {
  struct driver_compilation compilation = {0};
  assert_success(driver_compilation_begin(options, PI_ERROR_INVALID_BUILD_OPTIONS, &compilation));
  assert_string_equal(compilation.flags, want);
  driver_compilation_end(&compilation);
}

TEST(options_of_the_driver_are_kept) {
  check("", "");
  check("  \t ", "");
  check("-ze-opt-level=2", "-ze-opt-level=2");
  check("-ze-opt-level 1 -g", "-ze-opt-level 1 -g");
  check("-ze-intel-enable-auto-large-GRF-mode", "-ze-intel-enable-auto-large-GRF-mode");
  check("  -g\t-ze-opt-disable ", "-g -ze-opt-disable");
  check("-igc_opts 'A=1, B=2' -g", "-igc_opts 'A=1, B=2' -g");
  check("-vc-codegen -disable-finalizer-msg", "-vc-codegen -disable-finalizer-msg");
  check("-cl-fast-relaxed-math", "-cl-fast-relaxed-math");
  check("'-ze-opt-disable' -Xfinalizer '-a b'", "-ze-opt-disable -Xfinalizer '-a b'");
  check("-cl-intel-no-prera-scheduling", "-cl-intel-no-prera-scheduling");
}

TEST(options_of_opencl_are_mapped) {
  check("-cl-opt-disable", "-ze-opt-disable");
  check("-O0 -g", "-ze-opt-disable -g");
  check("-O1", "-ze-opt-level=2");
  check("-O2", "-ze-opt-level=2");
  check("-O3", "-ze-opt-level=2");
  check("-cl-no-signed-zeroes -cl-no-signed-zeros", "-cl-no-signed-zeros -cl-no-signed-zeros");
  check("-cl-intel-greater-than-4GB-buffer-required", "-ze-opt-greater-than-4GB-buffer-required");
  check("-cl-intel-256-GRF-per-thread", "-ze-opt-large-register-file");
  check("-ftarget-compile-fast", "-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'");
}

TEST(options_of_others_are_dropped) {
  check("-w -Werror -cl-std=CL2.0 -cl-kernel-arg-info", "");
  check("-DA=1 -D B -I x -g -Iy", "-g");
  /* Those of other backends' compilers, whose values are no options. */
  check("-maxrregcount 32 --maxrregcount=64 -lineinfo -v -cl-nv-verbose -O4", "");
  check("-options '-ze-opt-disable -g' -device pvc -ftarget-register-alloc-mode=pvc:auto", "");
}

/* The shortest option with the longest flag, many times. */
TEST(many_options_have_space) {
  enum { COUNT = 1000 };
  char options[COUNT * 4 + 1] = "";
  for (int i = 0; i < COUNT; i++)
    memcpy(options + (size_t)i * 4, "-O2 ", 5);
  struct driver_compilation compilation = {0};
  assert_success(driver_compilation_begin(options, PI_ERROR_INVALID_BUILD_OPTIONS, &compilation));
  assert_int_equal(strlen(compilation.flags), COUNT * strlen("-ze-opt-level=2 ") - 1);
  driver_compilation_end(&compilation);
}

#define CHECK_REFUSED(options, sentence)                                                           \
  do {                                                                                             \
    struct driver_compilation compilation = {0};                                                   \
    assert_failure(                                                                                \
        driver_compilation_begin(options, PI_ERROR_INVALID_LINKER_OPTIONS, &compilation),          \
        PI_ERROR_INVALID_LINKER_OPTIONS, sentence);                                                \
    assert_null(compilation.flags);                                                                \
  } while (0)

TEST(unknown_options_are_refused) {
  CHECK_REFUSED("--no-such-option", "there is no build option --no-such-option");
  CHECK_REFUSED("-g main", "there is no build option main");
  CHECK_REFUSED("-G", "there is no build option -G");
  CHECK_REFUSED("-O22", "there is no build option -O22");
  CHECK_REFUSED("-igc_opts", "build option -igc_opts has no value after it");
  CHECK_REFUSED("-D  ", "build option -D has no value after it");
  CHECK_REFUSED("-igc_opts 'A=1", "the options end within a ' quote");
  CHECK_REFUSED("-maxrregcount", "build option -maxrregcount has no value after it");
  CHECK_REFUSED("-g \"", "the options end within a \" quote");
}
