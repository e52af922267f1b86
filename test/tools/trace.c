/* SPECPI_TRACE: each of its words, unknown words, and no word. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static outcome list(const char *trace) {
  return command_run("SPECPI_TRACE='%s' SPECPI_PLUGIN_PATH=%s/good "
                     "ONEAPI_DEVICE_SELECTOR= %s ls",
                     trace, FAKE, TOOL);
}

TEST(no_word_traces_nothing) {
  static const char *const words[] = {"", ",", ",,"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    outcome done = list(words[i]);
    assert_status(done, 0);
    assert_string_equal(done.errors, "");
    command_clear(&done);
  }
}

/* An unknown word traces nothing, and a message names it. */
TEST(unknown_words_are_named) {
  static const char *const words[] = {"call", "callsx", "xall", "CALLS"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    outcome done = list(words[i]);
    assert_status(done, 0);
    char line[160];
    snprintf(line, sizeof line,
             "specpi: SPECPI_TRACE: there is nothing to trace by the name \"%s\", only calls, "
             "errors, loader, cache, all\n",
             words[i]);
    assert_string_equal(done.errors, line);
    command_clear(&done);
  }
}

TEST(calls_are_traced) {
  static const char *const words[] = {"calls", "loader,calls", "nothing,calls,", "all"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    outcome done = list(words[i]);
    assert_status(done, 0);
    assert_contains(
        done.errors,
        "specpi: opencl piPlatformsGet(num_entries=0, platforms=NULL, num_platforms=0x");
    assert_contains(done.errors, " -> 2) = PI_SUCCESS (0), ");
    assert_contains(done.errors, " us\n");
    assert_contains(done.errors, "specpi: level_zero piDevicesGet(platform=0x");
    assert_contains(done.errors, "device_type=PI_DEVICE_TYPE_ALL, num_entries=2, devices=0x");
    assert_contains(done.errors, "param_name=PI_DEVICE_INFO_NAME, param_value_size=11, ");
    assert_contains(done.errors, " = PI_ERROR_INVALID_VALUE (-30), ");
    /* Every line is complete. */
    for (const char *line = done.errors; *line; line = strchr(line, '\n') + 1)
      assert_int_equal(strncmp(line, "specpi: ", 8), 0);
    command_clear(&done);
  }
}

TEST(the_loader_is_traced) {
  outcome done = list("loader");
  assert_status(done, 0);
  assert_contains(done.errors,
                  "specpi: loader: " FAKE "/good/libpi_opencl.so (15.47.1) is ready\n");
  assert_contains(done.errors,
                  "specpi: loader: " FAKE "/good/libpi_cuda.so is absent: there is no such file\n");
  assert_contains_not(done.errors, "piPlatformsGet(");
  command_clear(&done);
}

TEST(errors_are_traced) {
  outcome done = command_run("SPECPI_TRACE=errors ONEAPI_DEVICE_SELECTOR=x:y %s ls", TOOL);
  assert_status(done, 1);
  assert_contains(done.errors, "specpi: SPECPI_ERROR_INVALID_SELECTOR: device selector \"x:y\"");
  command_clear(&done);
}
