/* The map from a driver's handles to the plugin's data about them. */
#include "check.h"
#include "memory.h"

#include "../../plugins/base/side_table.h"

#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 2 << SIDE_TABLE_BITS, MANY = 3 * PLACES };

/* Keys and values are addresses, spaced like those of real objects. */
static struct object {
  char bytes[80];
} objects[MANY];
static int values[MANY];

TEST(finds_what_was_put) {
  static side_table table;
  assert_null(side_table_find(&table, &objects[0]));
  assert_true(side_table_put(&table, &objects[0], &values[0]));
  assert_true(side_table_put(&table, &objects[1], &values[1]));
  assert_ptr_equal(side_table_find(&table, &objects[0]), &values[0]);
  assert_ptr_equal(side_table_find(&table, &objects[1]), &values[1]);
  assert_null(side_table_find(&table, &objects[2]));

  side_table_remove(&table, &objects[0]);
  side_table_remove(&table, &objects[2]);
  side_table_remove(&table, NULL);
  assert_null(side_table_find(&table, NULL));
  assert_null(side_table_find(&table, &objects[0]));
  assert_ptr_equal(side_table_find(&table, &objects[1]), &values[1]);
  assert_true(side_table_put(&table, &objects[0], &values[2]));
  assert_ptr_equal(side_table_find(&table, &objects[0]), &values[2]);
}

/* The map takes more keys than it has static places. Removing keys keeps the others. */
TEST(holds_more_than_its_places) {
  static side_table table;
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < MANY; i++)
      assert_true(side_table_put(&table, &objects[i], &values[i]));
    for (int i = 0; i < MANY; i += 2)
      side_table_remove(&table, &objects[i]);
    for (int i = 0; i < MANY; i++)
      assert_ptr_equal(side_table_find(&table, &objects[i]), i % 2 ? &values[i] : NULL);
    for (int i = 1; i < MANY; i += 2)
      side_table_remove(&table, &objects[i]);
  }
}

/* The map allocates only when its static places are full, reuses places, and survives a failed
 * allocation. */
TEST(allocates_little) {
  static side_table table;
  memory_watch(0);
  int put = 0;
  while (put < MANY && side_table_put(&table, &objects[put], &values[put]))
    put++;
  memory_use use = memory_unwatch();
  assert_true(use.failed);
  assert_int_equal(use.held, 0);
  assert_true(put > 1 << SIDE_TABLE_BITS);
  assert_null(side_table_find(&table, &objects[put]));
  for (int i = 0; i < put; i++)
    assert_ptr_equal(side_table_find(&table, &objects[i]), &values[i]);

  assert_true(side_table_put(&table, &objects[put], &values[put]));
  memory_watch(MEMORY_NEVER);
  for (int i = 0; i <= put; i++)
    side_table_remove(&table, &objects[i]);
  for (int i = 0; i <= put; i++)
    assert_true(side_table_put(&table, &objects[i], &values[i]));
  use = memory_unwatch();
  assert_int_equal(use.calls, 0);
}

static side_table shared;
static atomic_bool done;

/* Looks for a key that stays, while other keys are added and removed. */
static void *look(void *argument) {
  (void)argument;
  while (!atomic_load(&done))
    if (side_table_find(&shared, &objects[0]) != &values[0])
      return &values[0];
  return NULL;
}

TEST(readers_need_no_lock) {
  assert_true(side_table_put(&shared, &objects[0], &values[0]));
  pthread_t readers[2];
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&readers[i], NULL, look, NULL), 0);
  for (int round = 0; round < 4; round++) {
    for (int i = 1; i < MANY; i++)
      assert_true(side_table_put(&shared, &objects[i], &values[i]));
    for (int i = 1; i < MANY; i++)
      side_table_remove(&shared, &objects[i]);
  }
  atomic_store(&done, true);
  for (int i = 0; i < 2; i++) {
    void *wrong;
    assert_int_equal(pthread_join(readers[i], &wrong), 0);
    assert_null(wrong);
  }
}
