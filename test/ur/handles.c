/*
 * Calls every function with handles and otherwise zeros. All handles are live but one, which is
 * NULL, of another kind, released, or of another adapter (the program's last argument). No function
 * accepts a handle of the last three sorts, and none ends the process.
 */
#include "objects.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  const char *parameters;
} entries[] = {
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  {#name, #parameters},
#include <ur/ur_functions.def>
};

static void *objects[KIND_COUNT];
static void *foreign[KIND_COUNT]; /* of another adapter */

/* A released object starts with a null pointer. */
static void *dead[64];

static ur_result_t call_with(const char *name, const parameter *parameters, int count,
                             int bad_index, void *bad) {
  uintptr_t words[3 * PARAMETERS] = {0};
  int at = 0;
  for (int i = 0; i < count; at += parameters[i].words, i++)
    if (parameters[i].kind < KIND_COUNT)
      words[at] = (uintptr_t)(i == bad_index ? bad : objects[parameters[i].kind]);
  objects_retain(objects);
  return parameters_call(world_entry(name), parameters, count, words);
}

static void check_entry(const char *name, const char *text) {
  parameter parameters[PARAMETERS];
  const int count = parameters_read(text, parameters);
  call_with(name, parameters, count, -1, NULL);
  for (int i = 0; i < count; i++) {
    const int kind = parameters[i].kind;
    if (kind == KIND_COUNT)
      continue;
    call_with(name, parameters, count, i, NULL);
    void *const other = objects[kind == KIND_adapter ? KIND_platform : KIND_adapter];
    if (call_with(name, parameters, count, i, dead) == UR_RESULT_SUCCESS)
      fail_msg("%s takes a dead handle for parameter %d", name, i);
    if (call_with(name, parameters, count, i, other) == UR_RESULT_SUCCESS)
      fail_msg("%s takes a handle of another kind for parameter %d", name, i);
    if (foreign[kind] && call_with(name, parameters, count, i, foreign[kind]) == UR_RESULT_SUCCESS)
      fail_msg("%s takes another adapter's handle for parameter %d", name, i);
  }
}

TEST(wrong_handles_are_refused) {
  for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
    if (world_entry(entries[i].name))
      check_entry(entries[i].name, entries[i].parameters);
}

/* Each object starts with a pointer to the release's record. */
TEST(each_object_has_the_record_of_the_release) {
  assert_non_null(objects[KIND_kernel]);
  assert_non_null(foreign[KIND_queue]);
  for (int i = 0; i < KIND_COUNT; i++) {
    if (!objects[i])
      continue;
    void **record;
    memcpy(&record, objects[i], sizeof record);
    assert_memory_equal(record, world.record, sizeof world.record);
  }
}

int main(int argc, char **argv) {
  /* Objects of the other adapter come first, because world_open replaces the adapter in use. */
  char *other[] = {argv[0], argv[argc - 1], argv[2], NULL};
  world_open(3, other);
  objects_make(foreign);
  world_open(argc, argv);
  objects_make(objects);
  return tests_run(NULL, NULL);
}
