/*
 * Every allocation of compiler/host's own code fails once: the call reports that and leaves its
 * output alone, and the next call works. Sanitizers find leaks after a failure.
 */
#include "../../unit/memory.h"
#include "../../support/tests.h"

#include "../../../compiler/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TOO_MANY = 5000 };

static host_options options;

typedef host_result writer(const host_options *options, host_text *ret);

static void check(writer *write) {
  host_text expected = {0};
  assert_int_equal(write(&options, &expected), HOST_SUCCESS);
  long failing = 0;
  for (;; failing++) {
    assert_true(failing < TOO_MANY);
    host_text text = {0};
    memory_watch(failing);
    const host_result result = write(&options, &text);
    if (!memory_unwatch().failed) {
      assert_int_equal(result, HOST_SUCCESS);
      assert_string_equal(text.data, expected.data);
      assert_string_equal(text.warnings, expected.warnings);
      host_text_release(&text);
      break;
    }
    if (result != HOST_ERROR_OUT_OF_MEMORY)
      fail_msg("allocation %ld failed: %s: %s", failing, host_result_get_name(result),
               host_get_last_error());
    assert_string_equal(host_get_last_error(), "an allocation failed");
    assert_null(text.data);
    assert_null(text.warnings);
  }
  assert_true(failing > 10); /* the wraps do see the allocations */
  host_text_release(&expected);
}

TEST(the_header_reports_failed_allocations) {
  check(host_write_header);
}

TEST(the_footer_reports_failed_allocations) {
  check(host_write_footer);
}

TEST(the_list_reports_failed_allocations) {
  check(host_write_list);
}

int main(int count, char **values) {
  if (count != 3) {
    fputs("usage: host-memory FILE INCLUDE-OPTION\n", stderr);
    return 2;
  }
  static const char *arguments[1];
  arguments[0] = values[2];
  options = (host_options){.file = values[1], .arguments = arguments, .argument_count = 1};
  return tests_run(NULL, NULL);
}
