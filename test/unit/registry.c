/* The registry of numbers that the driver assigns: entries of two contexts, and notes of native
 * handles. */
#include "check.h"

#include "../../plugins/objects/context.h"

typedef struct thing {
  registry_entry entry;
  int value;
} thing;

static struct pi_context_object contexts[3];

/* The first two have the same native context. */
static int set_up(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    object_init(&contexts[i].handle, OBJECT_CONTEXT);
    contexts[i].native = i < 2 ? 1 : 2;
  }
  return 0;
}

static thing *new_thing(registry_kind kind, uint64_t number, pi_context context, int value) {
  registry_entry *entry = NULL;
  assert_int_equal(registry_new(kind, number, context, sizeof(thing), &entry), PI_SUCCESS);
  thing *made = (thing *)(void *)entry;
  made->value = value;
  return made;
}

static int value_of(registry_kind kind, uint64_t number, pi_context context) {
  thing found;
  return registry_read(kind, number, context, &found, sizeof found) ? found.value : -1;
}

TEST(entries_belong_to_a_context) {
  thing *image = new_thing(REGISTRY_IMAGE_MEMORY, 64, &contexts[0], 7);
  thing *again = new_thing(REGISTRY_IMAGE_MEMORY, 64, &contexts[2], 8);
  thing *import = new_thing(REGISTRY_IMPORT, 64, &contexts[0], 9);
  assert_int_equal(value_of(REGISTRY_IMAGE_MEMORY, 64, NULL), -1);
  assert_true(registry_add(&image->entry));
  assert_false(registry_add(&again->entry));
  assert_true(registry_add(&import->entry));
  assert_int_equal(registry_count(), 2);
  assert_int_equal(value_of(REGISTRY_IMAGE_MEMORY, 64, &contexts[1]), 7);
  assert_int_equal(value_of(REGISTRY_IMAGE_MEMORY, 64, &contexts[2]), -1);
  assert_int_equal(value_of(REGISTRY_IMAGE_MEMORY, 64, NULL), 7);
  assert_int_equal(value_of(REGISTRY_IMPORT, 64, NULL), 9);
  assert_int_equal(value_of(REGISTRY_SAMPLED, 64, NULL), -1);
  assert_null(registry_take(REGISTRY_IMAGE_MEMORY, 64, &contexts[2]));
  registry_entry *taken = registry_take(REGISTRY_IMAGE_MEMORY, 64, &contexts[1]);
  assert_ptr_equal(taken, &image->entry);
  assert_null(registry_take(REGISTRY_IMAGE_MEMORY, 64, NULL));
  /* If the driver's call failed, the entry stays in the registry; otherwise it is removed. */
  assert_int_equal(registry_end(taken, PI_ERROR_INVALID_VALUE), PI_ERROR_INVALID_VALUE);
  assert_int_equal(registry_count(), 2);
  assert_ptr_equal(registry_take(REGISTRY_IMAGE_MEMORY, 64, NULL), taken);
  assert_int_equal(registry_end(taken, PI_SUCCESS), PI_SUCCESS);
  registry_free(registry_take(REGISTRY_IMPORT, 64, NULL));
  registry_free(&again->entry);
  assert_int_equal(registry_count(), 0);
  for (int i = 0; i < 3; i++)
    assert_int_equal(object_references(&contexts[i].handle), 1);
}

/* Adds more entries than there are buckets. Some belong to another entry and are taken by it. */
TEST(parts_are_taken_by_their_owner) {
  for (uint64_t i = 1; i <= 2000; i++) {
    thing *made = new_thing(REGISTRY_IMAGE_MEMORY, i << 12, &contexts[0], (int)i);
    made->entry.owner = i % 100 == 0 ? 4096 : 0;
    assert_true(registry_add(&made->entry));
  }
  for (uint64_t i = 1; i <= 2000; i++)
    assert_int_equal(value_of(REGISTRY_IMAGE_MEMORY, i << 12, NULL), i);
  assert_null(registry_take_part(REGISTRY_SAMPLED, 4096));
  int count = 0;
  for (registry_entry *part; (part = registry_take_part(REGISTRY_IMAGE_MEMORY, 4096)); count++)
    registry_free(part);
  assert_int_equal(count, 20);
  for (uint64_t i = 1; i <= 2000; i++)
    if (i % 100)
      registry_free(registry_take(REGISTRY_IMAGE_MEMORY, i << 12, &contexts[0]));
  assert_int_equal(registry_count(), 0);
}

/* Objects of several kinds may have one number. Of several notes of a kind the latest one whose
 * object is alive counts. */
TEST(the_latest_note_of_a_live_object_counts) {
  object_head mem, part, event;
  registry_link links[3] = {{0}};
  object_init(&mem, OBJECT_MEM);
  object_init(&part, OBJECT_MEM);
  object_init(&event, OBJECT_EVENT);
  thing *same = new_thing(REGISTRY_IMPORT, 64, &contexts[0], 1);
  registry_note(&links[0], 64, &mem);
  assert_true(registry_add(&same->entry));
  registry_note(&links[1], 64, &part);
  registry_note(&links[2], 64, &event);
  assert_int_equal(registry_count(), 1);
  assert_ptr_equal(registry_find(OBJECT_MEM, 64, true), &part);
  assert_int_equal(object_references(&part), 1);
  assert_ptr_equal(registry_find(OBJECT_EVENT, 64, false), &event);
  assert_int_equal(object_references(&event), 2);
  assert_null(registry_find(OBJECT_QUEUE, 64, false));
  assert_true(object_release(&part));
  assert_ptr_equal(registry_find(OBJECT_MEM, 64, false), &mem);
  registry_forget(&links[1]);
  registry_forget(&links[1]);
  registry_note(&links[0], 128, &mem);
  assert_null(registry_find(OBJECT_MEM, 64, false));
  assert_ptr_equal(registry_find(OBJECT_MEM, 128, true), &mem);
  registry_forget(&links[0]);
  registry_forget(&links[2]);
  assert_null(registry_find(OBJECT_MEM, 128, true));
  assert_null(registry_find(OBJECT_EVENT, 64, true));
  assert_int_equal(value_of(REGISTRY_IMPORT, 64, NULL), 1);
  registry_free(registry_take(REGISTRY_IMPORT, 64, NULL));
}

int main(void) {
  return tests_run(set_up, NULL);
}
