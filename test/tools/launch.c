/* specpi launch, on the real CPU runtime. */
#include "command.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * IMAGES and EMULATED are libraries linked from specpi-cc's output, OBJECT is such an output. CACHE
 * is the directory of built programs, empty at first, so that each program is built once.
 */
#define RUN ENVIRONMENT " SPECPI_CACHE_DIR='" CACHE "' '" TOOL "' launch "
#define SCALE RUN "'" IMAGES "' scale --global 8 --arg 'f32[8]=iota' --arg f32=0.5 "

/* Returns the numbers of buffer n in the last line of the output. */
static json_t *buffer_of(const outcome *outcome, json_t **root, size_t n) {
  const char *last = outcome->output;
  for (const char *end; (end = strchr(last, '\n')) && end[1];)
    last = end + 1;
  *root = json_loads(last, 0, NULL);
  assert_non_null(*root);
  json_t *time = json_object_get(*root, "ns");
  assert_true(json_is_integer(time) && json_integer_value(time) >= 0);
  json_t *list = json_array_get(json_object_get(*root, "args"), n);
  assert_true(json_is_array(list));
  return list;
}

/* Asserts that buffer n has these numbers. */
static void check_buffer(const outcome *outcome, size_t n, size_t count, const double *expected) {
  json_t *root;
  json_t *list = buffer_of(outcome, &root, n);
  assert_int_equal(json_array_size(list), count);
  for (size_t i = 0; i < count; i++) {
    const double found = json_number_value(json_array_get(list, i));
    if (found != expected[i])
      fail_msg("number %zu is %g, not %g", i, found, expected[i]);
  }
  json_decref(root);
}

/* Runs the kernel scale with these options and asserts that element i becomes a * i + b. */
static void check_scale(const char *library, const char *options, double a, double b) {
  double expected[8];
  for (int i = 0; i < 8; i++)
    expected[i] = a * i + b;
  outcome done = command_run(
      RUN "'%s' scale --global 8 --arg 'f32[8]=iota' --arg f32=0.5 --json %s", library, options);
  assert_status(done, 0);
  assert_string_equal(done.errors, "");
  check_buffer(&done, 0, 8, expected);
  command_clear(&done);
}

TEST(sets_constants) {
  static const char *const libraries[] = {IMAGES, EMULATED};
  for (size_t i = 0; i < 2; i++) {
    check_scale(libraries[i], "", 2, 0.5);
    check_scale(libraries[i], "--set times=i32:-3", -3, 0.5);
    check_scale(libraries[i], "--set times=i32:7 --set times=i32:5 --local 4", 5, 0.5);
    check_scale(libraries[i], "--set negate=bool:true", -2, -0.5);
    check_scale(libraries[i], "--set filter=hex:0000003f00000000fdffffff", 1, -2.5);
    check_scale(libraries[i], "--set filter@0=f32:4 --set filter@8=i32:10", 8, 10.5);
    check_scale(libraries[i], "--set filter@4=hex:00000000ffffffff --set times=hex:01000000", 1,
                -0.5);
  }
}

/* Runs a command and asserts that it fails with this status and message. */
static void check_failure(const char *line, int status, const char *part) {
  outcome done = command_run("%s", line);
  if (done.status != status)
    print_error("%s\n", line);
  assert_status(done, status);
  assert_contains(done.errors, part);
  assert_string_equal(done.output, "");
  command_clear(&done);
}

/* SPIR-V contains the types of constants; other code does not. */
TEST(knows_types) {
  check_scale(IMAGES, "--set times=-3", -3, 0.5);
  check_scale(IMAGES, "--set times=0x10 --set negate=true", -16, -0.5);
  check_scale(IMAGES, "--set filter@0=4 --set filter@8=10", 8, 10.5);
  check_scale(EMULATED, "--set times=f32:0", 0, 0.5);
#define SET(library, value) RUN "'" library "' scale --global 8 --set " value
  static const struct {
    const char *line;
    const char *sentence;
  } cases[] = {
      {SET(IMAGES, "times=f32:3"), "specpi: constant \"times\" is i32, f32 given\n"},
      {SET(IMAGES, "times=i64:3"), "specpi: constant \"times\" is i32, i64 given\n"},
      {SET(IMAGES, "times=bool:1"), "specpi: constant \"times\" is i32, bool given\n"},
      {SET(IMAGES, "times=1.5"), "constant \"times\": \"1.5\" is not a number of type i32\n"},
      {SET(IMAGES, "times="), "constant \"times\": \"\" is not a number of type i32\n"},
      {SET(IMAGES, "times@0=f32:3"), "constant \"times\" is i32 at byte 0, f32 given\n"},
      {SET(IMAGES, "filter=f32:3"), "constant \"filter\" is {f32, i32, i32}, f32 given\n"},
      {SET(IMAGES, "filter=3"), "is {f32, i32, i32}: set its scalars, as filter@OFFSET=VALUE, or"},
      {SET(IMAGES, "filter@4=f32:3"), "constant \"filter\" is i32 at byte 4, f32 given\n"},
      {SET(IMAGES, "filter@2=f32:3"), "is {f32, i32, i32}, and no scalar begins at byte 2; hex"},
      {SET(IMAGES, "filter@12=3"), "is {f32, i32, i32}, and no scalar begins at byte 12\n"},
      {SET(IMAGES, "tims=3"), "\"tims\""},
      {SET(EMULATED, "times=3"),
       "the image does not tell the type of constant \"times\": give one, "
       "times=TYPE:3\n"},
      {SET(EMULATED, "times=i64:1"), "constant \"times\" takes 4 bytes, 8 given"},
  };
#undef SET
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_failure(cases[i].line, 1, cases[i].sentence);
}

/* The kernel writes far past its buffer and crashes. AddressSanitizer must not catch the signal. */
TEST(survives_the_kernel) {
  outcome done = command_run("export ASAN_OPTIONS=handle_segv=0; " RUN "'" IMAGES
                             "' scale --global 1073741824 --arg 'f32[8]=iota' --arg f32=0 --json");
  assert_status(done, 1);
  assert_string_equal(done.output, "");
  assert_contains(done.errors,
                  "specpi: the kernel ended the process (SIGSEGV): is a buffer too small?\n");
  command_clear(&done);
}

TEST(fills_arguments) {
  outcome done =
      command_run(RUN "'" IMAGES "' group_sum --global 16 --local 4 --arg 'i32[16]=iota' "
                      "--arg 'i32[4]=zero' --arg local:16 --json");
  assert_status(done, 0);
  check_buffer(&done, 1, 4, (const double[]){6, 22, 38, 54});
  command_clear(&done);

  /* Elements of every width, a structure by value, and lists of numbers. */
  done = command_run(RUN "'" IMAGES "' widths --global 1 --arg 'i8[2]=127,-1' "
                         "--arg 'i16[1]=0x7fff' --arg 'i32[1]=-2' --arg 'i64[1]=40' "
                         "--arg 'bool[3]=false,true,1' "
                         "--arg hex=0100000000000000feffffffffffffff --json");
  assert_status(done, 0);
  check_buffer(&done, 0, 2, (const double[]){-128, -1});
  check_buffer(&done, 1, 1, (const double[]){-32768});
  check_buffer(&done, 2, 1, (const double[]){-1});
  check_buffer(&done, 3, 1, (const double[]){38});
  check_buffer(&done, 4, 3, (const double[]){1, 1, 1});
  command_clear(&done);

  /* Contents of a file. */
  done = command_run("printf '\\000\\000\\200?\\000\\000\\000@' >numbers\n" RUN "'" IMAGES
                     "' scale --global 2 --arg 'f32[2]=@numbers' --arg f32=0 --json");
  assert_status(done, 0);
  check_buffer(&done, 0, 2, (const double[]){2, 4});
  command_clear(&done);
}

TEST(launches_in_three_dimensions) {
  double expected[24];
  for (int i = 0; i < 24; i++) {
    const int position = i % 4 + 10 * (i / 4 % 3) + 100 * (i / 12);
    expected[i] = position;
  }
  outcome done = command_run(RUN "'" IMAGES "' positions --global 4,3,2 --local 2,1,2 --json "
                                 "--arg 'i32[24]=zero'");
  assert_status(done, 0);
  check_buffer(&done, 0, 24, expected);
  command_clear(&done);
}

TEST(has_words_for_what_is_no_number) {
  outcome done = command_run(RUN "'" IMAGES "' special --global 1 --arg 'f32[3]=zero' --json");
  assert_status(done, 0);
  assert_contains(done.output, "{\"args\":[[\"nan\",\"inf\",\"-inf\"]],\"ns\":");
  command_clear(&done);
}

/* If a buffer's elements have another type than the parameter, a warning is printed and the kernel
 * runs. */
TEST(warns_of_other_elements) {
  static const double halves[2] = {0.5, 0.5};
  outcome done =
      command_run(RUN "'" IMAGES "' scale --global 2 --arg 'i32[2]=zero' --arg f32=0.5 --json");
  assert_status(done, 0);
  assert_string_equal(done.errors,
                      "specpi: warning: argument 0 of scale is global f32*, and i32[2]=zero has "
                      "elements of i32: their bytes are taken as they are\n");
  assert_contains(done.output, "\"warnings\":[\"argument 0 of scale is global f32*, and ");
  command_clear(&done);
  done = command_run(RUN "'" IMAGES "' scale --global 2 --arg 'f32[2]=zero' --arg f32=0.5 --json");
  assert_string_equal(done.errors, "");
  assert_contains_not(done.output, "warnings");
  check_buffer(&done, 0, 2, halves);
  command_clear(&done);
  /* Parameters of type char* take every type without a warning. */
  done = command_run(RUN "'" IMAGES "' widths --global 1 --arg 'f64[1]=zero' --arg 'i16[1]=zero' "
                         "--arg 'i32[1]=zero' --arg 'i32[2]=zero' --arg 'bool[1]=zero' "
                         "--arg hex=00000000000000000100000000000000");
  assert_status(done, 0);
  assert_contains(done.errors, "specpi: warning: argument 3 of widths is global i64*, and ");
  assert_contains_not(done.errors, "argument 0");
  assert_contains_not(done.errors, "argument 4");
  command_clear(&done);
}

/* Each run starts with the original buffers. With --repeat, JSON has only the times. */
TEST(repeats_a_run) {
  static const double once[8] = {0.5, 2.5, 4.5, 6.5, 8.5, 10.5, 12.5, 14.5};
  outcome done = command_run(SCALE "--repeat 5 --output 0=five >&2; " SCALE
                                   "--output 0=one --json && cmp five one");
  assert_status(done, 0);
  check_buffer(&done, 0, 8, once);
  command_clear(&done);
  done = command_run(SCALE "--repeat 5 --json");
  assert_status(done, 0);
  assert_contains_not(done.output, "\"args\"");
  assert_contains(done.output, "\"fastest_ns\":");
  assert_contains(done.output, "\"slowest_ns\":");
  command_clear(&done);
  done = command_run(SCALE "--repeat 5");
  assert_status(done, 0);
  assert_contains(done.output, " ms, the median of 5 runs: ");
  command_clear(&done);
}

TEST(writes_a_buffer) {
  static const double scaled[8] = {1.5, 5.5, 9.5, 13.5, 17.5, 21.5, 25.5, 29.5};
  outcome done = command_run(SCALE "--output 0=scaled && " RUN "'" IMAGES "' scale --global 8 "
                                   "--arg 'f32[8]=@scaled' --arg f32=0.5 --json");
  assert_status(done, 0);
  check_buffer(&done, 0, 8, scaled);
  command_clear(&done);
}

TEST(prints_a_table) {
  outcome done = command_run(SCALE);
  assert_status(done, 0);
  assert_contains(done.output, "Kernel  scale\n");
  assert_contains(done.output, "[opencl:0]");
  assert_contains(done.output, "Global  8\nLocal   chosen by the runtime\nTime    ");
  assert_contains(done.output, "Argument 0  f32[8]=iota, after the run:\n"
                               "    0.5 2.5 4.5 6.5 8.5 10.5 12.5 14.5\n"
                               "Argument 1  f32=0.5\n");
  command_clear(&done);
  done = command_run(RUN "'" IMAGES "' positions --global 50,2 --local 10,2 --arg 'i32[100]=zero'");
  assert_status(done, 0);
  assert_contains(done.output, "Global  50 x 2\nLocal   10 x 2\n");
  assert_contains(done.output, "    8 9 10 11 12 13 14 15\n");
  assert_contains(done.output, "and 36 more; --json prints all\n");
  command_clear(&done);
  done = command_run("'" TOOL "' launch --help");
  assert_status(done, 0);
  assert_contains(done.output, "Usage: specpi launch IMAGE.so KERNEL --global");
  command_clear(&done);
}

TEST(refuses_wrong_use) {
#define SCALE_WITH(options) RUN "'" IMAGES "' scale " options
  static const struct {
    const char *line;
    const char *part;
  } cases[] = {
      {RUN, "launch needs a library and the name of a kernel"},
      {RUN "'" IMAGES "'", "launch needs a library and the name of a kernel"},
      {SCALE_WITH(""), "launch needs --global"},
      {SCALE_WITH("--global"), "--global"},
      {SCALE_WITH("--global 8 --nonsense"), "--nonsense"},
      {SCALE_WITH("--global 8 more"), "launch takes no argument \"more\""},
      {SCALE_WITH("--global ''"), "\"\" of --global is not one, two or three numbers"},
      {SCALE_WITH("--global 8,"), "\"8,\" of --global"},
      {SCALE_WITH("--global 8,8,8,8"), "\"8,8,8,8\" of --global"},
      {SCALE_WITH("--global -8"), "\"-8\" of --global"},
      {SCALE_WITH("--global 8x"), "\"8x\" of --global"},
      {SCALE_WITH("--global ' 8'"), "\" 8\" of --global"},
      {SCALE_WITH("--global 99999999999999999999"), "of --global"},
      {SCALE_WITH("--global 8 --local 2,2"), "--global has 1 dimension and --local 2"},
      {SCALE_WITH("--global 8 --local 0"), "--local has a 0"},
      {SCALE_WITH("--global 8 --set times"), "--set times: it is neither NAME=VALUE nor"},
      {SCALE_WITH("--global 8 --set =i32:3"), "the name of the constant is missing"},
      {SCALE_WITH("--global 8 --set @4=i32:3"), "the name of the constant is missing"},
      {SCALE_WITH("--global 8 --set times=u32:3"), "\"u32\" is not a type; types are i8, "},
      {SCALE_WITH("--global 8 --set times=i32:"), "\"\" is not a number of type i32"},
      {SCALE_WITH("--global 8 --set times=i32:4294967296"), "does not fit into i32"},
      {SCALE_WITH("--global 8 --set times=hex:123"), "has 3 hexadecimal digits"},
      {SCALE_WITH("--global 8 --set times=hex:zz"), "something else than hexadecimal digits"},
      {SCALE_WITH("--global 8 --repeat 0"), "\"0\" of --repeat is not a number from 1 to"},
      {SCALE_WITH("--global 8 --repeat 1,2"), "\"1,2\" of --repeat is not a number"},
      {SCALE_WITH("--global 8 --repeat 99999999999999999999"), "of --repeat is not a number"},
      {SCALE_WITH("--global 8 --output file"), "--output file: it is not ARGUMENT=FILE"},
      {SCALE_WITH("--global 8 --output 0="), "--output 0=: it is not ARGUMENT=FILE"},
      {SCALE_WITH("--global 8 --arg f32=1 --output 0=f"), "argument 0 is no buffer, but f32=1"},
      {SCALE_WITH("--global 8 --arg f32=1 --output 1=f"), "there is no argument 1"},
      {SCALE_WITH("--global 8 --arg f32"), "--arg f32: it is neither"},
      {SCALE_WITH("--global 8 --arg =1"), "\"\" is not a type"},
      {SCALE_WITH("--global 8 --arg f33=1"), "\"f33\" is not a type"},
      {SCALE_WITH("--global 8 --arg f32=one"), "\"one\" is not a number of type f32"},
      {SCALE_WITH("--global 8 --arg 'hex[2]=zero'"), "\"hex\" is not a type"},
      {SCALE_WITH("--global 8 --arg 'f32[0]=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f32[]=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f32[-1]=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f32[2=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f32[2]x=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f64[2305843009213693952]=zero'"), "more than an address"},
      {SCALE_WITH("--global 8 --arg 'f32[99999999999999999999]=zero'"), "the number of elements"},
      {SCALE_WITH("--global 8 --arg 'f32[2]=1'"), "there are 1 numbers for 2 elements"},
      {SCALE_WITH("--global 8 --arg 'f32[2]=1,2,3'"), "there are 3 numbers for 2 elements"},
      {SCALE_WITH("--global 8 --arg 'f32[2]=1,'"), "\"\" is not a number"},
      {SCALE_WITH("--global 8 --arg 'i8[2]=1,300'"), "300 does not fit into i8"},
      {SCALE_WITH("--global 8 --arg local:"), "\"\" is not a number of bytes"},
      {SCALE_WITH("--global 8 --arg local:0"), "\"0\" is not a number of bytes"},
      {SCALE_WITH("--global 8 --arg local:4k"), "\"4k\" is not a number of bytes"},
  };
#undef SCALE_WITH
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_failure(cases[i].line, 2, cases[i].part);
}

TEST(says_what_failed) {
  static const struct {
    const char *line;
    const char *part;
  } cases[] = {
      {RUN "nothing.so scale --global 8", "specpi: nothing.so: No such file or directory"},
      {RUN "'" OBJECT "' scale --global 8", "is an object file, which cannot be loaded"},
      {"echo no >text; " RUN "text scale --global 8",
       "specpi: text cannot be loaded: it is no ELF file; specpi-cc --emit=so makes a library of "
       "kernels and of SPIR-V\n"},
      {": >empty; " RUN "empty scale --global 8", "specpi: empty cannot be loaded: "},
      {RUN ". scale --global 8", "specpi: . cannot be loaded: "},
      {RUN "'" PLUGIN "' scale --global 8", "registers no device image"},
      {RUN "'" IMAGES "' skale --global 8", "no registered image has a kernel \"skale\": did you "
                                            "mean scale? There are: scale, group_sum, "
                                            "widths, positions, special\n"},
      {SCALE "--set tims=i32:1",
       "is called \"tims\": did you mean times? There are: filter, negate, times\n"},
      {SCALE "--set tims@0=i32:1", "is called \"tims\": did you mean times? There are: "},
      {SCALE "--set unlike=i32:1", "is called \"unlike\"; there are: filter, negate, times\n"},
      {SCALE "--set filter@9=i32:1",
       "constant \"filter\" has 12 bytes, and --set names 4 from byte 9 on"},
      {SCALE "--set filter@99999999999=i32:1", "has 12 bytes"},
      {SCALE "--local 3", "the local size 3 does not divide the global size 8"},
      {SCALE "--arg i32=1", "kernel \"scale\" takes 2 arguments, 3 given"},
      {RUN "'" IMAGES "' scale --global 0 --arg 'f32[8]=iota' --arg f32=0", "the global size is 0"},
      {RUN "'" IMAGES "' scale --global 8 --arg 'f32[8]=iota' --arg f64=0", "argument 1"},
      {RUN "'" IMAGES "' scale --global 8 --arg 'f32[8]=@none' --arg f32=0",
       "none cannot be opened: No such file or directory"},
      {"echo 1234567 >eight; " RUN "'" IMAGES
       "' scale --global 8 --arg 'f32[8]=@eight' --arg f32=0",
       "eight has 8 bytes, and 8 elements of type f32 have 32"},
      {"echo 1234567 >eight; " RUN "'" IMAGES
       "' scale --global 8 --arg 'f32[1]=@eight' --arg f32=0",
       "eight has more than 4 bytes, and 1 elements of type f32 have 4"},
      {"ONEAPI_DEVICE_SELECTOR=cuda:0 " SCALE, "no device that ONEAPI_DEVICE_SELECTOR chooses"},
      {"ONEAPI_DEVICE_SELECTOR=nonsense " SCALE, "nonsense"},
      {SCALE "--json >/dev/full", "could not be written"},
      {SCALE "--output 0=/dev/full", "--output 0=/dev/full: /dev/full cannot be written"},
      {SCALE "--output 0=none/file", "none/file cannot be opened: No such file or directory"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_failure(cases[i].line, 1, cases[i].part);
}

/* specpi ls prints sizes of the device; text and JSON have the same numbers. */
TEST(lists_what_a_tuner_needs) {
  static const struct {
    const char *member;
    const char *label;
    const char *unit;
  } sizes[] = {{"compute_units", "Units      : ", ""},
               {"max_work_group_size", "Work-group : ", ""},
               {"local_memory_bytes", "Local mem. : ", " bytes"},
               {"memory_bytes", "Memory     : ", " bytes"},
               {"max_allocation_bytes", "Allocation : ", " bytes"}};
  outcome text = command_run(ENVIRONMENT " '" TOOL "' ls --verbose");
  outcome done = command_run(ENVIRONMENT " '" TOOL "' ls --json");
  assert_status(text, 0);
  assert_status(done, 0);
  json_t *root = json_loads(done.output, 0, NULL);
  json_t *device = json_array_get(json_object_get(root, "devices"), 0);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char line[128];
    const json_int_t size = json_integer_value(json_object_get(device, sizes[i].member));
    assert_true(size > 0);
    snprintf(line, sizeof line, "%s%lld%s\n", sizes[i].label, (long long)size, sizes[i].unit);
    assert_contains(text.output, line);
  }
  assert_int_equal(json_array_size(json_object_get(device, "max_work_item_sizes")), 3);
  assert_true(json_array_size(json_object_get(device, "sub_group_sizes")) > 0);
  assert_contains(json_string_value(json_object_get(device, "extensions")), "cl_khr_il_program");
  json_decref(root);
  command_clear(&text);
  command_clear(&done);
}

static int clear_cache(void **state) {
  (void)state;
  outcome done = command_run("rm -rf '" CACHE "'");
  assert_status(done, 0);
  command_clear(&done);
  return 0;
}

int main(void) {
  return tests_run(clear_cache, clear_cache);
}
