/* Each release's record: every word is a function, but for functions that no header declares. */
#include "world.h"

#include <string.h>

static const struct {
  const char *name;
  const char *function;
  ur_table table;
  int places[UR_RELEASE_COUNT];
} entries[] = {
#define UR_FUNCTION(table, function, name, p0, p1, p2, p3, p4, p5, p6, parameters, arguments)      \
  {#name, #function, UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#define UR_ALSO(table, function, name, p0, p1, p2, p3, p4, p5, p6)                                 \
  {#name, #function, UR_TABLE_##table, {p0, p1, p2, p3, p4, p5, p6}},
#include <ur/ur_functions.def>
};
enum { ENTRIES = sizeof entries / sizeof entries[0] };

static const struct {
  const char *name;
  int places[2 * UR_RELEASE_COUNT];
} tables[] = {
#define UR_TABLE(name, ...) {#name, {__VA_ARGS__}},
#include <ur/ur_tables.def>
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static int first_of(int table) {
  return tables[table].places[2 * world.release];
}

static int count_of(int table) {
  return tables[table].places[2 * world.release + 1];
}

/* Returns whether a word of 2025.3 is for a function that no header declares. */
static bool is_hidden(unsigned word) {
  return world.release == UR_RELEASE_2025_3 &&
         (word == (unsigned)first_of(UR_TABLE_EnqueueExp) + 6 || word >= 212);
}

TEST(every_word_of_the_release_is_filled) {
  for (unsigned i = 0; i < LOADER_WORDS; i++)
    if (i >= world.words || is_hidden(i))
      assert_null(world.record[i]);
    else if (!world.record[i])
      fail_msg("word %u is empty", i);
}

/* Every word of the record belongs to one table, and every word of a table to one function. */
TEST(tables_and_functions_cover_the_record) {
  const char *table_at[LOADER_WORDS] = {NULL};
  const char *function_at[LOADER_WORDS] = {NULL};
  for (int i = 0; i < TABLES; i++)
    for (int k = 0; first_of(i) >= 0 && k < count_of(i); k++) {
      assert_null(table_at[first_of(i) + k]);
      table_at[first_of(i) + k] = tables[i].name;
    }
  for (size_t i = 0; i < ENTRIES; i++) {
    const int place = entries[i].places[world.release];
    if (place < 0)
      continue;
    assert_true(place < count_of((int)entries[i].table));
    const int word = first_of((int)entries[i].table) + place;
    if (function_at[word])
      fail_msg("%s and %s are word %d", function_at[word], entries[i].name, word);
    function_at[word] = entries[i].name;
  }
  for (unsigned i = 0; i < world.words; i++) {
    if (world.release != UR_RELEASE_2025_3 || i < 212)
      assert_non_null(table_at[i]);
    if (!is_hidden(i) != (function_at[i] != NULL))
      fail_msg("word %u is of %s", i, function_at[i] ? function_at[i] : "no function");
  }
}

/* In each release a function name has one signature. */
TEST(a_function_has_one_entry_in_a_release) {
  for (size_t i = 0; i < ENTRIES; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(entries[i].function, entries[k].function) == 0)
        assert_true(entries[i].places[world.release] < 0 || entries[k].places[world.release] < 0);
}

/* Checks some functions' words that were read from the real loaders. */
TEST(measured_words_are_in_their_places) {
  static const struct {
    const char *name;
    int words[UR_RELEASE_COUNT];
  } known[] = {
      {"urContextCreate", {6, 6, 6, 13, 13, 13, 13}},
      {"urDeviceGetInfo", {179, 184, 195, 204, 221, 226, 232}},
      {"urProgramSetSpecializationConstants", {32, 32, 32, 39, 39, 39, 40}},
      {"urEnqueueKernelLaunchWithArgsExp", {-1, -1, -1, -1, 121, 122, 118}},
      {"urUSMFree", {137, 138, 126, 127, 134, 135, 131}},
      {"urVirtualMemGetInfo", {177, 182, 193, 202, 219, 224, 230}},
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    const int word = known[i].words[world.release];
    world_entry_fn *const entry = world_entry(known[i].name);
    assert_int_equal(entry != NULL, word >= 0);
    if (word >= 0)
      assert_memory_equal(&entry, &world.record[word], sizeof entry);
  }
}
