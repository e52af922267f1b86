/* Each allocation of a registration, and of a look-up after an unload, fails once; the next attempt
 * succeeds. */
#include "memory.h"

#include "../support/tests.h"

#include <specpi/specpi.h>

#include <stdio.h>
#include <string.h>

#include <dlfcn.h>

static const char *path; /* a library that does not unregister its variables */
static int variables[200];

TEST(a_failed_registration_can_be_repeated) {
  size_t failures = 0;
  for (int i = 0; i < 200; i++) {
    char id[32];
    snprintf(id, sizeof id, "variable.%d", i);
    for (long failing = 0;; failing++) {
      memory_watch(failing);
      __register_uniquely_identifiable_object(&variables[i], id, "kind");
      if (!memory_unwatch().failed)
        break;
      failures++;
      assert_string_equal(specpiGetLastError(), "an allocation failed");
      assert_null(specpiIdentifiableGetId(&variables[i], NULL));
    }
    assert_string_equal(specpiIdentifiableGetId(&variables[i], NULL), id);
  }
  assert_true(failures > 200); /* allocations for each id, the kind, and the growing list */
  assert_int_equal(specpiIdentifiablesGet("kind", 0, NULL), 200);
}

TEST(a_failed_look_up_can_be_repeated) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  assert_non_null(library);
  const void *variable = dlsym(library, "identifiable_variables");
  assert_non_null(specpiIdentifiableGetId(variable, NULL));
  assert_int_equal(dlclose(library), 0);
  memory_watch(0);
  const char *id = specpiIdentifiableGetId(&variables[0], NULL); /* fails */
  assert_true(memory_unwatch().failed);
  assert_null(id);
  assert_string_equal(specpiGetLastError(), "an allocation failed");
  assert_null(specpiIdentifiableGetId(variable, NULL));
  assert_string_equal(specpiIdentifiableGetId(&variables[0], NULL), "variable.0");
}

int main(int count, char **values) {
  if (count != 2) {
    fputs("usage: unit-identifiable-memory LIBRARY\n", stderr);
    return 2;
  }
  path = values[1];
  return tests_run(NULL, NULL);
}
