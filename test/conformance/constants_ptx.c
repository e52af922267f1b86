/*
 * piextProgramSetSpecializationConstant on PTX images: cases that SPIR-V does not have. The plugin
 * refuses a damaged trailer and names the wrong entry (row 36). In mode emulate the values lie in a
 * buffer that is an argument of the kernel.
 */
#include "fixture.h"
#include "ptx.h"

#include "../../plugins/base/error.h"

#include <stdlib.h>

static void need_ptx(void) {
  if (!code_is_ptx())
    skip_test("about PTX images");
}

static void need_places(void) {
  if (code_in_use != CODE_PTX_PATCH)
    skip_test("about places in the text, which only PTX of mode patch has");
}

static pi_result create_binary(module image, pi_program *program) {
  const pi_device device = the_device();
  pi_int32 status = PI_SUCCESS;
  return pi.piProgramCreateWithBinary(the_context(), 1, &device, &image.size, &image.bytes, 0, NULL,
                                      &status, program);
}

/* Checks that the undamaged scalars still work, with a value set. */
static void check_right_one(void) {
  const pi_program program = new_program(module_scalars());
  const pi_uint32 value = 25;
  uint64_t got[7];
  expect_success(pi.piextProgramSetSpecializationConstant(program, 105, sizeof value, &value));
  build_program(program, NULL);
  run_for_output(program, "value", 1, sizeof got, got);
  expect_equal(25, got[4]);
  expect_equal(200, got[5]);
}

/* Both entries that create programs refuse the image, with a message that contains this word. */
static void check_damaged(module image, const char *word) {
  pi_program program;
  char *text = NULL;
  expect_refused_keeps(program,
                       pi.piProgramCreate(the_context(), image.bytes, image.size, &program));
  pi.piPluginGetLastError(&text);
  expect(text && strstr(text, word), "\"%s\" has no \"%s\"", text ? text : "", word);
  expect_refused_keeps(program, create_binary(image, &program));
  pi.piPluginGetLastError(&text);
  expect(text && strstr(text, word), "\"%s\" has no \"%s\"", text ? text : "", word);
  free((void *)(uintptr_t)image.bytes);
  check_right_one();
}

/* Checks that the scalars with one line of the trailer replaced are refused. */
static void check_with_line(const char *kind, unsigned nth, const char *words, const char *word) {
  check_damaged(ptx_with_line(module_scalars(), kind, nth, words), word);
}

/* Returns the three numbers of a line. */
static void numbers_of(const char *kind, unsigned nth, unsigned long numbers[3]) {
  char words[128];
  ptx_line(module_scalars(), kind, nth, words);
  char *at = words;
  for (int i = 0; i < 3; i++)
    numbers[i] = strtoul(at, &at, 10);
}

/* Replaces one of a line's three numbers; the refusal's message has the new number. */
static void check_number(const char *kind, unsigned nth, int which, unsigned long number) {
  unsigned long numbers[3];
  char words[128];
  char word[32];
  numbers_of(kind, nth, numbers);
  numbers[which] = number;
  snprintf(words, sizeof words, "%lu %lu %lu", numbers[0], numbers[1], numbers[2]);
  snprintf(word, sizeof word, "%lu", number);
  check_with_line(kind, nth, words, word);
}

TEST(constants, row36_ptx_place_outside) {
  need_places();
  check_number("place", 6, 1, 999999);
  check_number("place", 6, 1, ptx_text_size(module_scalars()) - 2);
}

TEST(constants, row36_ptx_place_without_digits) {
  unsigned long numbers[3];
  need_places();
  numbers_of("place", 3, numbers);
  check_number("place", 3, 1, numbers[1] + 1);
  check_number("place", 3, 1, numbers[1] - 5);
}

TEST(constants, row36_ptx_places_overlap) {
  unsigned long before[3];
  need_places();
  numbers_of("place", 3, before);
  check_number("place", 4, 1, before[1]);
  check_number("place", 4, 1, before[1] + 2);
}

TEST(constants, row36_ptx_place_of_nothing) {
  need_places();
  check_number("place", 2, 0, 999);
  check_number("place", 2, 2, 8);
}

/* The trailer's default differs from the one in the text. */
TEST(constants, row36_ptx_other_default) {
  char words[128];
  unsigned long place[3];
  char word[32];
  need_places();
  numbers_of("place", 0, place);
  snprintf(word, sizeof word, "%lu", place[1]);
  ptx_line(module_scalars(), "bytes", 0, words);
  words[1] = words[1] == '0' ? '1' : '0';
  check_with_line("bytes", 0, words, word);
}

/* A leaf has the same id as the one before it. */
TEST(constants, row36_ptx_id_twice) {
  unsigned long before[3];
  need_ptx();
  numbers_of("leaf", 0, before);
  check_number("leaf", 1, 0, before[0]);
}

TEST(constants, row36_ptx_leaf_outside) {
  need_ptx();
  check_number("leaf", 0, 1, 77777);
  check_number("leaf", 0, 2, 0);
}

/* A line lacks one number; the message has the line's number. */
TEST(constants, row36_ptx_truncated_line) {
  need_ptx();
  check_with_line("constant", 0, "id_101 scalar 0 1", "line 2");
  check_with_line("leaf", 0, "101 0", "line 3");
  check_with_line("kernel", 0, "value -", "line ");
}

TEST(constants, row36_ptx_missing_line) {
  need_ptx();
  check_with_line("leaf", 0, NULL, "line 3");
  check_with_line("bytes", 0, NULL, "line ");
}

TEST(constants, row36_ptx_other_version) {
  char words[128];
  need_ptx();
  ptx_line(module_scalars(), "1", 0, words);
  const module image = ptx_with_line(module_scalars(), "1", 0, words);
  char *head = (char *)(uintptr_t)image.bytes + ptx_text_size(image) + sizeof "//!specpi " - 1;
  expect_equal('1', *head);
  *head = '2';
  ptx_line(image, "bytes", 0, words);
  check_damaged(ptx_with_line(image, "bytes", 0, words), "line 1"); /* with the hash of the '2' */
  free((void *)(uintptr_t)image.bytes);
}

/* One byte is changed: in a comment of the text, or in the hash itself. */
TEST(constants, row36_ptx_wrong_hash) {
  need_ptx();
  const module right = module_scalars();
  for (int i = 0; i < 2; i++) {
    unsigned char *copy = malloc(right.size);
    expect(copy, "no memory");
    memcpy(copy, right.bytes, right.size);
    unsigned char *comment = memchr(copy, 'G', right.size); /* "Generated by" */
    unsigned char *digit = copy + right.size - 2;
    expect(comment, "the text does not begin as expected");
    if (i == 0)
      *comment = 'g';
    else
      *digit = *digit == '0' ? '1' : '0';
    check_damaged((module){copy, right.size}, "hash");
  }
}

/* The head's counts are larger than the number of lines in the trailer. */
TEST(constants, row36_ptx_wrong_counts) {
  need_ptx();
  const char *mode = code_in_use == CODE_PTX_PATCH ? "patch" : "emulate";
  static const char *const numbers[] = {"4294967295 7 21 7 1", "7 4294967295 21 7 1",
                                        "7 7 4294967295 7 1", "7 7 21 7 4294967295", "8 7 21 7 1"};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char words[128];
    snprintf(words, sizeof words, "%s %s", mode, numbers[i]);
    check_with_line("1", 0, words, "line ");
  }
}

/*
 * Plain PTX, without a trailer, has no constants to set, and runs. In mode emulate its launch is
 * refused instead, because nobody sets the argument for the buffer of constants.
 */
static void check_plain(size_t size) {
  const pi_uint32 value = 7;
  const module plain = {module_extreme_ids().bytes, size};
  const pi_program program = new_program(plain);
  char *text = NULL;
  expect_error(PI_ERROR_INVALID_PROGRAM,
               pi.piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
  pi.piPluginGetLastError(&text);
  expect(text && *text, "the refusal says nothing");
  build_program(program, NULL);
  pi_uint32 got[2] = {0};
  if (code_in_use == CODE_PTX_PATCH) {
    run_for_output(program, "value", 1, sizeof got, got);
    expect_equal(1000, got[0]);
    expect_equal(2000, got[1]);
    return;
  }
  const size_t one[3] = {1, 1, 1};
  const pi_kernel kernel = new_kernel(program, "value");
  set_buffer(kernel, 0, new_buffer(sizeof got, NULL));
  expect_error(PI_ERROR_INVALID_KERNEL_ARGS,
               pi.piEnqueueKernelLaunch(the_queue(), kernel, 1, NULL, one, NULL, 0, NULL, NULL));
}

TEST(constants, row17_plain_ptx) {
  need_ptx();
  check_plain(ptx_text_size(module_extreme_ids()));
}

/* With its last line cut short the trailer cannot be recognised; its other lines are comments. */
TEST(constants, row36_ptx_truncated_image) {
  need_ptx();
  check_plain(module_extreme_ids().size - 10);
  check_right_one();
}

/* Zero bytes after the image are ignored, because runtimes pad the images that they store. */
TEST(constants, row36_ptx_zeros_behind) {
  need_ptx();
  const module right = module_extreme_ids();
  unsigned char *copy = calloc(1, right.size + 7);
  expect(copy, "no memory");
  memcpy(copy, right.bytes, right.size);
  const pi_program program = new_program((module){copy, right.size + 7});
  free(copy);
  const pi_uint32 value = 5;
  pi_uint32 got[2] = {0};
  expect_success(pi.piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
  build_program(program, NULL);
  run_for_output(program, "value", 1, sizeof got, got);
  expect_equal(5, got[0]);
}

/* Runtimes pass PTX to the entry for binaries, which has to read the trailer, too. */
TEST(constants, row02_ptx_as_binary) {
  need_ptx();
  pi_program program = NULL;
  const pi_uint32 value = 5;
  pi_uint32 got[2] = {0};
  expect_success(create_binary(module_extreme_ids(), &program));
  release_program_later(program);
  expect_success(pi.piextProgramSetSpecializationConstant(program, 0, sizeof value, &value));
  expect_error(PI_ERROR_INVALID_SPEC_ID,
               pi.piextProgramSetSpecializationConstant(program, 1, sizeof value, &value));
  build_program(program, NULL);
  run_for_output(program, "value", 1, sizeof got, got);
  expect_equal(5, got[0]);
  expect_equal(2000, got[1]);
}

/* --- mode emulate: the buffer */

/*
 * The numbers that the kernels of module `buffers` write: the address of the buffer of constants,
 * and the constant in it.
 */
typedef struct found {
  uint64_t address;
  uint64_t value;
} found;

enum { WHERE_BUFFER = 1, THERE_BUFFER = 0 };
static const uint64_t default_value = UINT64_C(0x1122334455667788);

static found look(pi_kernel kernel, pi_uint32 out_index) {
  found got = {0, 0};
  const pi_mem out = new_buffer(sizeof got, NULL);
  set_buffer(kernel, out_index, out);
  run_kernel(kernel, 1);
  read_buffer(out, sizeof got, &got);
  return got;
}

/* Where nobody sets the argument, all launches of all kernels of a build use one buffer. */
TEST(constants, emulate_one_buffer_for_a_build) {
  const pi_program program = new_built_program(module_buffers());
  const pi_kernel where = new_kernel(program, "where");
  const pi_kernel there = new_kernel(program, "there");
  const found first = look(where, 0);
  const found again = look(where, 0);
  const found other = look(there, 1);
  expect(first.address, "the buffer lies at 0");
  expect_equal(default_value, first.value);
  expect_equal(default_value, other.value);
  expect_equal(first.address, again.address);
  expect_equal(first.address, other.address);
}

/* A kernel of an older build keeps its buffer and the values in it. */
TEST(constants, emulate_buffer_of_older_build) {
  const pi_program program = new_built_program(module_buffers());
  const pi_kernel older = new_kernel(program, "where");
  const found before = look(older, 0);
  const uint64_t value = UINT64_C(0xfedcba9876543210);
  expect_success(pi.piextProgramSetSpecializationConstant(program, 1, sizeof value, &value));
  expect_equal(default_value, look(older, 0).value);
  build_program(program, NULL);
  const found now = look(new_kernel(program, "where"), 0);
  const found after = look(older, 0);
  expect_equal(value, now.value);
  expect_equal(default_value, after.value);
  expect_equal(before.address, after.address);
  expect(now.address != before.address, "both builds have the same buffer");
}

/* A buffer that the runtime sets as the argument replaces the plugin's for all later launches of
 * the kernel. libsycl sets one on platforms that report CUDA. */
TEST(constants, emulate_own_buffer_wins) {
  const pi_program program = new_program(module_buffers());
  const uint64_t value = 77;
  const uint64_t own_value = 99;
  expect_success(pi.piextProgramSetSpecializationConstant(program, 1, sizeof value, &value));
  build_program(program, NULL);
  const pi_kernel kernel = new_kernel(program, "there");
  const pi_mem_obj_property read_only = {PI_KERNEL_ARG_MEM_OBJ_ACCESS, NULL, PI_ACCESS_READ_ONLY};
  const pi_mem own = new_buffer(sizeof own_value, &own_value);
  expect_equal(value, look(kernel, 1).value);
  expect_success(pi.piextKernelSetArgMemObj(kernel, THERE_BUFFER, &read_only, &own));
  expect_equal(own_value, look(kernel, 1).value);
  expect_equal(value, look(new_kernel(program, "where"), 0).value);
}

TEST(constants, emulate_own_pointer_wins) {
  const pi_program program = new_built_program(module_buffers());
  const pi_kernel kernel = new_kernel(program, "where");
  uint64_t *own = new_usm(USM_SHARED, sizeof *own);
  *own = 99;
  expect_success(pi.piextKernelSetArgPointer(kernel, WHERE_BUFFER, sizeof own, &own));
  const found got = look(kernel, 0);
  expect_equal(99, got.value);
  expect_equal((uintptr_t)own, got.address);
}

/* A kernel may outlive its program; the buffer lives as long as the kernel. */
TEST(constants, emulate_buffer_outlives_program) {
  const module code = module_buffers();
  pi_program program = NULL;
  const uint64_t value = 4711;
  expect_success(pi.piProgramCreate(the_context(), code.bytes, code.size, &program));
  expect_success(pi.piextProgramSetSpecializationConstant(program, 1, sizeof value, &value));
  build_program(program, NULL);
  const pi_kernel kernel = new_kernel(program, "where");
  expect_success(pi.piProgramRelease(program));
  expect_equal(value, look(kernel, 0).value);
}
