/* Tests of compiler/host/host.h: bad arguments, outputs that an error leaves alone, threads. */
#include "../../../compiler/host/host.h"
#include "../../support/tests.h"

#include <string.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *file;    /* C++ with constants */
static const char *include; /* the compiler option for file's headers */

typedef host_result writer(const host_options *options, host_text *ret);
/* Writes header and footer in one call; ret gets the footer. */
static host_result write_parts(const host_options *options, host_text *ret) {
  host_text header;
  memset(&header, 0x5a, sizeof header);
  const host_text before = header;
  const host_result result = host_write_parts(options, ret ? &header : NULL, ret);
  if (result == HOST_SUCCESS)
    host_text_release(&header);
  else
    assert_memory_equal(&header, &before, sizeof header);
  return result;
}
static writer *const writers[] = {host_write_header, host_write_footer, host_write_file,
                                  host_write_list, write_parts};
#define WRITER_COUNT (sizeof writers / sizeof writers[0])

/* Checks that every writer fails with this result and these words, and leaves its output alone. */
static void expect(const host_options *options, host_result expected, const char *words) {
  for (size_t i = 0; i < WRITER_COUNT; i++) {
    host_text text;
    memset(&text, 0x5a, sizeof text);
    host_text before = text;
    assert_int_equal(writers[i](options, &text), expected);
    assert_memory_equal(&text, &before, sizeof text);
    if (strstr(host_get_last_error(), words) == NULL)
      fail_msg("'%s' is not in '%s'", words, host_get_last_error());
  }
}

TEST(wrong_arguments_are_refused) {
  const char *const one[] = {NULL};
  expect(NULL, HOST_ERROR_INVALID_ARGUMENT, "options are NULL");
  expect(&(host_options){0}, HOST_ERROR_INVALID_ARGUMENT, "no file");
  expect(&(host_options){.file = ""}, HOST_ERROR_INVALID_ARGUMENT, "no file");
  expect(&(host_options){.file = file, .argument_count = 2}, HOST_ERROR_INVALID_ARGUMENT,
         "2 arguments are announced");
  expect(&(host_options){.file = file, .arguments = one, .argument_count = 1},
         HOST_ERROR_INVALID_ARGUMENT, "argument 0 is NULL");
  expect(&(host_options){.file = file, .arguments = one, .argument_count = SIZE_MAX},
         HOST_ERROR_INVALID_ARGUMENT, "too many");
  expect(&(host_options){.file = file, .unit_id = ""}, HOST_ERROR_INVALID_ARGUMENT, "unit id ''");
  char long_id[HOST_UNIT_ID_MAX + 2] = {0};
  memset(long_id, 'a', HOST_UNIT_ID_MAX + 1);
  expect(&(host_options){.file = file, .unit_id = long_id}, HOST_ERROR_INVALID_ARGUMENT,
         "unit id 'aaa");
  expect(&(host_options){.file = "/nowhere/file.cpp"}, HOST_ERROR_FILE, "/nowhere/file.cpp");
  expect(&(host_options){.file = file}, HOST_ERROR_INVALID_SOURCE, "file not found");
  for (size_t i = 0; i < WRITER_COUNT; i++)
    assert_int_equal(writers[i](&(host_options){.file = file}, NULL), HOST_ERROR_INVALID_ARGUMENT);
}

TEST(results_have_names_and_texts) {
  assert_string_equal(host_result_get_name(HOST_SUCCESS), "HOST_SUCCESS");
  assert_string_equal(host_result_get_name(HOST_ERROR_INTERNAL), "HOST_ERROR_INTERNAL");
  assert_string_equal(host_result_get_text(HOST_ERROR_FILE), "a file cannot be read");
  assert_string_equal(host_result_get_name((host_result)99), "?");
  assert_string_equal(host_result_get_text((host_result)-1), "?");
}

static void read_footer(const char *unit_id, host_text *ret) {
  const host_options options = {
      .file = file, .unit_id = unit_id, .arguments = &include, .argument_count = 1};
  if (host_write_footer(&options, ret) != HOST_SUCCESS)
    fprintf(stderr, "%s\n", host_get_last_error());
}

TEST(header_and_footer_come_from_one_call) {
  const host_options options = {
      .file = file, .unit_id = "unit", .arguments = &include, .argument_count = 1};
  host_text header = {0};
  host_text footer = {0};
  host_text alone = {0};
  assert_int_equal(host_write_parts(&options, &header, &footer), HOST_SUCCESS);
  assert_int_equal(host_write_header(&options, &alone), HOST_SUCCESS);
  assert_string_equal(header.data, alone.data);
  assert_int_equal(header.size, alone.size);
  host_text_release(&alone);
  assert_int_equal(host_write_footer(&options, &alone), HOST_SUCCESS);
  assert_string_equal(footer.data, alone.data);
  assert_string_equal(footer.warnings, alone.warnings);
  host_text_release(&alone);
  host_text_release(&header);
  host_text_release(&footer);
  memset(&alone, 0x5a, sizeof alone);
  const host_text before = alone;
  assert_int_equal(host_write_parts(&options, &alone, NULL), HOST_ERROR_INVALID_ARGUMENT);
  assert_int_equal(host_write_parts(&options, NULL, &alone), HOST_ERROR_INVALID_ARGUMENT);
  assert_memory_equal(&alone, &before, sizeof alone);
}

/* Uses the longest unit id. The text's size is its length. */
TEST(a_text_has_its_size_and_unit_id) {
  char id[HOST_UNIT_ID_MAX + 1] = {0};
  memset(id, 'z', HOST_UNIT_ID_MAX);
  host_text text = {0};
  read_footer(id, &text);
  assert_non_null(text.data);
  assert_int_equal(strlen(text.data), text.size);
  assert_non_null(strstr(text.data, id));
  assert_string_equal(text.warnings, "");
  host_text_release(&text);
  assert_null(text.data);
  host_text_release(&text);
  host_text_release(NULL);
}

typedef struct work {
  host_text text;
  bool own_sentence; /* the thread's last error is its own */
} work;

static void *in_thread(void *data) {
  work *work = data;
  host_text none;
  const host_result failed = host_write_list(&(host_options){.file = ""}, &none);
  read_footer("same", &work->text);
  work->own_sentence = failed == HOST_ERROR_INVALID_ARGUMENT &&
                       strcmp(host_get_last_error(), "no file is given") == 0;
  return NULL;
}

TEST(threads_have_their_own_results) {
  enum { COUNT = 6 };
  pthread_t threads[COUNT];
  work works[COUNT] = {0};
  expect(&(host_options){.file = "/nowhere"}, HOST_ERROR_FILE, "/nowhere");
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, in_thread, &works[i]), 0);
  for (int i = 0; i < COUNT; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_non_null(strstr(host_get_last_error(), "/nowhere"));
  for (int i = 0; i < COUNT; i++) {
    assert_non_null(works[i].text.data);
    assert_string_equal(works[i].text.data, works[0].text.data);
    assert_true(works[i].own_sentence);
  }
  for (int i = 0; i < COUNT; i++)
    host_text_release(&works[i].text);
}

int main(int count, char **values) {
  if (count != 3) {
    fputs("usage: host-api FILE INCLUDE-OPTION\n", stderr);
    return 2;
  }
  file = values[1];
  include = values[2];
  return tests_run(NULL, NULL);
}
