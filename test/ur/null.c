/* Calls every function with zeros for all arguments. Each refuses that with a message. */
#include "world.h"

#include <stdio.h>
#include <string.h>

/* At least as many words as the longest parameter list, with structures passed by value. */
typedef struct zeros {
  uintptr_t words[32];
} zeros;
typedef ur_result_t any_fn(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, zeros);

static void check_entry(const char *name) {
  world_entry_fn *const entry = world_entry(name);
  if (!entry)
    return;
  any_fn *call;
  memcpy(&call, &entry, sizeof call);
  const ur_result_t result = call(0, 0, 0, 0, 0, 0, (zeros){{0}});
  if (result == UR_RESULT_SUCCESS)
    fail_msg("%s succeeded", name);
  const char *message = NULL;
  int32_t number = 0;
  assert_ok(UR(urAdapterGetLastError)(world_adapter, &message, &number));
  if (strlen(message) < 8)
    fail_msg("%s left no message, but \"%s\"", name, message);
  if (result == UR_RESULT_ERROR_UNSUPPORTED_FEATURE)
    printf("%s: %s\n", name, message);
}

TEST(calls_without_arguments_are_refused) {
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  check_entry(#name);
#include <ur/ur_functions.def>
}
