/* specpi/identifiable.h: finding registered variables until their library is unloaded. */
#define _GNU_SOURCE /* pthread_barrier_t */
#include "../support/tests.h"

#include <specpi/specpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>
#include <pthread.h>

static const char *directory; /* the libraries' directory */
static int early, others[64];
static const char *early_id;

/* Runs before all other constructors, so that it is the first user of libspecpi. */
__attribute__((constructor(101))) static void register_early(void) {
  __register_uniquely_identifiable_object(&early, "early", "first");
  early_id = specpiIdentifiableGetId(&early, "first");
}

TEST(a_constructor_can_register) {
  assert_non_null(early_id);
  assert_string_equal(early_id, "early");
  assert_ptr_equal(specpiIdentifiableGetAddress("early", NULL), &early);
}

TEST(registered_variables_are_found) {
  char id[] = "a \"quoted\"\n=id";
  __register_uniquely_identifiable_object(&others[0], id, "kind");
  __register_uniquely_identifiable_object(&others[1], "second", "kind");
  __register_uniquely_identifiable_object(&others[2], "third", "other");
  id[0] = 'b'; /* changes no copy */
  assert_string_equal(specpiIdentifiableGetId(&others[0], "kind"), "a \"quoted\"\n=id");
  assert_string_equal(specpiIdentifiableGetId(&others[0], NULL), "a \"quoted\"\n=id");
  assert_null(specpiIdentifiableGetId(&others[0], "other"));
  assert_null(specpiIdentifiableGetId((char *)&others[0] + 1, NULL));
  assert_null(specpiIdentifiableGetId(&others[3], NULL));
  assert_null(specpiIdentifiableGetId(NULL, NULL));
  assert_ptr_equal(specpiIdentifiableGetAddress("third", "other"), &others[2]);
  assert_null(specpiIdentifiableGetAddress("third", "kind"));
  assert_null(specpiIdentifiableGetAddress("fourth", NULL));
  assert_null(specpiIdentifiableGetAddress(NULL, NULL));

  specpi_identifiable list[3];
  memset(list, 0x5a, sizeof list);
  assert_int_equal(specpiIdentifiablesGet("kind", 3, list), 2);
  assert_ptr_equal(list[0].address, &others[0]);
  assert_string_equal(list[1].id, "second");
  assert_string_equal(list[1].kind, "kind");
  assert_int_equal(list[1].registrations, 1);
  assert_false(list[1].contradicted);
  specpi_identifiable one = {0};
  assert_int_equal(specpiIdentifiablesGet("kind", 1, &one), 2);
  assert_ptr_equal(one.address, &others[0]);
  assert_int_equal(specpiIdentifiablesGet(NULL, 0, NULL), 4);
  assert_int_equal(specpiIdentifiablesGet(NULL, 7, NULL), 4);
  assert_int_equal(specpiIdentifiablesGet("none", 0, NULL), 0);

  __unregister_uniquely_identifiable_object(&others[0], "a \"quoted\"\n=id", "kind");
  __unregister_uniquely_identifiable_object(&others[1], "second", "kind");
  __unregister_uniquely_identifiable_object(&others[2], "third", "other");
  assert_null(specpiIdentifiableGetId(&others[0], NULL));
  assert_null(specpiIdentifiableGetAddress("third", NULL));
}

/* Equal registrations are counted; the last unregistration removes the variable. */
TEST(equal_registrations_are_counted) {
  specpi_identifiable one;
  for (int i = 0; i < 2; i++)
    __register_uniquely_identifiable_object(&others[0], "again", "kind");
  assert_int_equal(specpiIdentifiablesGet("kind", 1, &one), 1);
  assert_int_equal(one.registrations, 2);
  assert_false(one.contradicted);
  __unregister_uniquely_identifiable_object(&others[0], "again", "other");
  __unregister_uniquely_identifiable_object(&others[0], "else", "kind");
  __unregister_uniquely_identifiable_object(&others[1], "again", "kind");
  __unregister_uniquely_identifiable_object(NULL, "again", "kind");
  __unregister_uniquely_identifiable_object(&others[0], NULL, "kind");
  __unregister_uniquely_identifiable_object(&others[0], "again", NULL);
  __unregister_uniquely_identifiable_object(&others[0], "again", "kind");
  assert_string_equal(specpiIdentifiableGetId(&others[0], "kind"), "again");
  __unregister_uniquely_identifiable_object(&others[0], "again", "kind");
  assert_null(specpiIdentifiableGetId(&others[0], "kind"));
  __unregister_uniquely_identifiable_object(&others[0], "again", "kind");
}

static void expect_sentence(const char *words) {
  if (strstr(specpiGetLastError(), words) == NULL)
    fail_msg("'%s' is not in '%s'", words, specpiGetLastError());
}

TEST(contradictions_are_reported) {
  __register_uniquely_identifiable_object(&others[0], "same", "kind");
  __register_uniquely_identifiable_object(&others[1], "same", "kind");
  expect_sentence("the id \"same\" is registered for the variable at ");
  __register_uniquely_identifiable_object(&others[2], "mine", "kind");
  __register_uniquely_identifiable_object(&others[2], "yours", "kind");
  expect_sentence("is registered with the ids \"mine\" and \"yours\"");
  __register_uniquely_identifiable_object(&others[3], "fine", "kind");
  specpi_identifiable list[8];
  assert_int_equal(specpiIdentifiablesGet("kind", 8, list), 5);
  for (int i = 0; i < 5; i++)
    assert_int_equal(list[i].contradicted, i < 4);
  assert_ptr_equal(specpiIdentifiableGetAddress("same", "kind"), &others[0]);
  assert_string_equal(specpiIdentifiableGetId(&others[2], "kind"), "mine");
  __unregister_uniquely_identifiable_object(&others[0], "same", "kind");
  assert_ptr_equal(specpiIdentifiableGetAddress("same", "kind"), &others[1]);
  assert_int_equal(specpiIdentifiablesGet("kind", 8, list), 4);
  assert_false(list[0].contradicted);
  __unregister_uniquely_identifiable_object(&others[1], "same", "kind");
  __unregister_uniquely_identifiable_object(&others[2], "mine", "kind");
  __unregister_uniquely_identifiable_object(&others[2], "yours", "kind");
  __unregister_uniquely_identifiable_object(&others[3], "fine", "kind");
}

TEST(bad_arguments_are_refused) {
  __register_uniquely_identifiable_object(NULL, "none", "kind");
  expect_sentence("its address is (nil), its id \"none\"");
  __register_uniquely_identifiable_object(&others[0], NULL, "kind");
  expect_sentence("its id \"(NULL)\"");
  __register_uniquely_identifiable_object(&others[0], "", "kind");
  expect_sentence("its id \"\"");
  __register_uniquely_identifiable_object(&others[0], "id", NULL);
  expect_sentence("its kind \"(NULL)\"");
  __register_uniquely_identifiable_object(&others[0], "id", "");
  expect_sentence("its kind \"\"");
  assert_null(specpiIdentifiableGetAddress("none", NULL));
  assert_null(specpiIdentifiableGetId(&others[0], NULL));
  char *id = malloc(100001);
  assert_non_null(id);
  memset(id, 'l', 100000);
  id[100000] = '\0';
  __register_uniquely_identifiable_object(&others[0], id, "kind");
  assert_string_equal(specpiIdentifiableGetId(&others[0], "kind"), id);
  __unregister_uniquely_identifiable_object(&others[0], id, "kind");
  free(id);
}

/* ---- Libraries ---- */

static void *load(const char *name, int **variables) {
  char path[4096];
  snprintf(path, sizeof path, "%s/libidentifiable-%s.so", directory, name);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fail_msg("%s", dlerror());
  *variables = dlsym(library, "identifiable_variables");
  assert_non_null(*variables);
  return library;
}

static void expect_loaded(int *variables) {
  assert_string_equal(specpiIdentifiableGetId(&variables[0], "library"), "library.first");
  assert_ptr_equal(specpiIdentifiableGetAddress("library.second", NULL), &variables[1]);
  assert_int_equal(specpiIdentifiablesGet("library", 0, NULL), 2);
}

static void expect_unloaded(const int *variables) {
  assert_null(specpiIdentifiableGetId(variables, NULL));
  assert_null(specpiIdentifiableGetAddress("library.first", NULL));
  assert_null(specpiIdentifiableGetAddress("library.second", NULL));
  assert_int_equal(specpiIdentifiablesGet("library", 0, NULL), 0);
}

static void unload(const char *name) {
  for (int i = 0; i < 3; i++) {
    int *variables;
    void *library = load(name, &variables);
    expect_loaded(variables);
    assert_int_equal(dlclose(library), 0);
    expect_unloaded(variables);
  }
}

TEST(an_unloaded_library_is_forgotten) {
  unload("leaves");
}

/* The library does not unregister its variables when it is unloaded. */
TEST(an_unload_without_unregistering_is_noticed) {
  unload("forgets");
}

/* The variables of an unloaded library are forgotten, even if another one has its addresses. */
TEST(a_replaced_library_is_forgotten) {
  int *variables, *plain;
  void *library = load("forgets", &variables);
  assert_int_equal(dlclose(library), 0);
  library = load("plain", &plain);
  expect_unloaded(variables);
  expect_unloaded(plain);
  assert_int_equal(dlclose(library), 0);
  library = load("leaves", &variables);
  expect_loaded(variables);
  assert_int_equal(dlclose(library), 0);
}

/* Two libraries register the same ids; one is unloaded, and the variables of the other remain. */
TEST(unloading_one_library_keeps_the_other) {
  int *first, *second;
  void *one = load("leaves", &first);
  void *two = load("forgets", &second);
  expect_sentence("the id \"library.second\" is registered for the variable at ");
  assert_ptr_equal(specpiIdentifiableGetAddress("library.first", NULL), &first[0]);
  assert_string_equal(specpiIdentifiableGetId(&second[0], NULL), "library.first");
  specpi_identifiable list[4];
  assert_int_equal(specpiIdentifiablesGet("library", 4, list), 4);
  assert_true(list[0].contradicted && list[3].contradicted);
  assert_int_equal(dlclose(two), 0);
  expect_loaded(first);
  assert_int_equal(specpiIdentifiablesGet("library", 4, list), 2);
  assert_false(list[0].contradicted);
  assert_int_equal(dlclose(one), 0);
  expect_unloaded(first);
}

/* ---- Threads ---- */

enum { THREADS = 4, ROUNDS = 300 };
static pthread_barrier_t start;

static void *work(void *data) {
  const size_t number = *(size_t *)data;
  char id[32];
  snprintf(id, sizeof id, "thread.%zu", number);
  int *mine = &others[number];
  size_t right = 0;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS; i++) {
    __register_uniquely_identifiable_object(mine, id, "thread");
    __register_uniquely_identifiable_object(&others[THREADS], "shared", "thread");
    const char *found = specpiIdentifiableGetId(mine, "thread");
    specpi_identifiable list[THREADS + 1];
    const size_t count = specpiIdentifiablesGet("thread", THREADS + 1, list);
    if (number == 0 && i % 30 == 0) { /* one thread loads and unloads a library */
      char path[4096];
      snprintf(path, sizeof path, "%s/libidentifiable-forgets.so", directory);
      void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      if (library == NULL || dlclose(library) != 0)
        found = NULL;
    }
    right += found != NULL && strcmp(found, id) == 0 && count >= 2 && count <= THREADS + 1 &&
             specpiIdentifiableGetAddress(id, NULL) == mine &&
             specpiIdentifiableGetAddress("shared", "thread") == &others[THREADS];
    __unregister_uniquely_identifiable_object(&others[THREADS], "shared", "thread");
    __unregister_uniquely_identifiable_object(mine, id, "thread");
  }
  *(size_t *)data = right;
  return NULL;
}

TEST(threads_find_their_variables) {
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  pthread_t threads[THREADS];
  size_t numbers[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, work, &numbers[i]), 0);
  }
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&start);
  for (size_t i = 0; i < THREADS; i++)
    assert_int_equal(numbers[i], ROUNDS);
  assert_int_equal(specpiIdentifiablesGet(NULL, 0, NULL), 1);
}

int main(int count, char **values) {
  if (count != 2) {
    fputs("usage: unit-identifiable DIRECTORY\n", stderr);
    return 2;
  }
  directory = values[1];
  return tests_run(NULL, NULL);
}
