/* The search for the code generator: next to a library, and at the path in SPECPI_CODEGEN. */
#define _GNU_SOURCE /* mkdtemp, setenv */
#include "check.h"

#include "../../plugins/code/codegen_place.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/specpi-place-XXXXXX";
static const char *const directories[] = {"lib", "libexec", "libexec/specpi"};
static char program[256], library[256], sentence[512];

static int make_tree(void **state) {
  (void)state;
  if (!mkdtemp(root))
    return -1;
  for (size_t i = 0; i < sizeof directories / sizeof directories[0]; i++) {
    snprintf(program, sizeof program, "%s/%s", root, directories[i]);
    if (mkdir(program, 0700) != 0)
      return -1;
  }
  snprintf(program, sizeof program, "%s/libexec/specpi/specpi-codegen", root);
  snprintf(library, sizeof library, "%s/lib", root);
  return unsetenv("SPECPI_CODEGEN");
}

static int remove_tree(void **state) {
  (void)state;
  unlink(program);
  char directory[256];
  for (size_t i = sizeof directories / sizeof directories[0]; i-- > 0;) {
    snprintf(directory, sizeof directory, "%s/%s", root, directories[i]);
    rmdir(directory);
  }
  return rmdir(root);
}

static void make_program(mode_t mode) {
  const int file = open(program, O_CREAT | O_WRONLY | O_CLOEXEC, mode);
  assert_true(file >= 0);
  close(file);
}

static void assert_found(const char *directory, const char *path) {
  codegen_place place;
  assert_true(codegen_place_find(directory, &place));
  assert_string_equal(place.path, path);
  assert_string_equal(place.obstacle, "");
}

static void assert_missing(const char *directory, const char *obstacle) {
  codegen_place place;
  assert_false(codegen_place_find(directory, &place));
  assert_string_equal(place.path, "");
  assert_non_null(strstr(place.obstacle, obstacle));
}

TEST(the_generator_is_found_beside_a_library) {
  unlink(program);
  snprintf(sentence, sizeof sentence, "%s", program);
  assert_missing(library, sentence);
  assert_missing(library, "there is ");
  make_program(0600); /* not executable */
  assert_missing(library, sentence);
  unlink(program);
  make_program(0700);
  assert_found(library, program);
  snprintf(sentence, sizeof sentence, "%s///", library);
  assert_found(sentence, program);
  /* The root has no parent directory. */
  assert_missing("/", "/libexec/specpi/specpi-codegen");
  static char deep[2 * CODEGEN_PLACE_SIZE];
  memset(deep, 'd', sizeof deep - 1);
  deep[0] = '/';
  deep[CODEGEN_PLACE_SIZE - 10] = '/';
  assert_missing(deep, "the name of its directory is too long");
}

TEST(the_environment_names_the_generator) {
  unlink(program);
  make_program(0700);
  setenv("SPECPI_CODEGEN", program, 1);
  assert_found("/nowhere", program);
  setenv("SPECPI_CODEGEN", "", 1);
  assert_found(library, program);
  setenv("SPECPI_CODEGEN", "none", 1);
  assert_missing(library, "SPECPI_CODEGEN is none");
  setenv("SPECPI_CODEGEN", "specpi-codegen", 1);
  assert_missing(library,
                 "SPECPI_CODEGEN is \"specpi-codegen\", neither an absolute path nor none");
  setenv("SPECPI_CODEGEN", "/nowhere/it", 1);
  assert_missing(library, "SPECPI_CODEGEN is /nowhere/it: No such file or directory");
  static char deep[CODEGEN_PLACE_SIZE + 1];
  memset(deep, 'd', sizeof deep - 1);
  deep[0] = '/';
  setenv("SPECPI_CODEGEN", deep, 1);
  assert_missing(library, "SPECPI_CODEGEN has 4096 bytes, more than 4095");
  unsetenv("SPECPI_CODEGEN");
}

int main(void) {
  return tests_run(make_tree, remove_tree);
}
