/* Kernel arguments in specpi inspect, from SPIR-V types and from PTX declarations. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

#include <jansson.h>
#include <string.h>

TEST(names_types_of_spirv) {
  outcome ran = command_run(TOOL " inspect " MODULES ".spv");
  assert_status(ran, 0);
  assert_contains(
      ran.output,
      "\n  kernel memory\n    argument 0: global f32*\n    argument 1: constant i16*\n"
      "    argument 2: local f64*\n    argument 3: global struct tone_t*\n"
      "    argument 4: global i8*\n    argument 5: global f32x4*\n    argument 6: global f32[4]*\n"
      "    argument 7: global i8*\n");
  assert_contains(
      ran.output,
      "\n  kernel values\n    argument 0: global f32*\n    argument 1: i32\n    argument 2: i8\n"
      "    argument 3: i64\n    argument 4: f64\n    argument 5: f32x3\n"
      "    argument 6: struct tone_t of 8 bytes\n    argument 7: struct packed_t of 9 bytes\n");
  assert_contains(
      ran.output,
      "\n  kernel images\n    argument 0: read_only image2d\n    argument 1: write_only image3d\n"
      "    argument 2: read_only image2d_array\n    argument 3: sampler\n");
  assert_contains_not(ran.output, "kernel nothing\n    argument");
  command_clear(&ran);
}

TEST(names_types_of_ptx) {
  outcome ran = command_run(TOOL " inspect " MODULES ".ptx");
  assert_status(ran, 0);
  assert_contains(ran.output, "\n  kernel values\n    argument 0: u64\n    argument 1: u32\n");
  assert_contains(ran.output, "\n    argument 6: b8[8]\n    argument 7: b8[9]\n");
  command_clear(&ran);
  ran = command_run(
      "printf '.version 7.0\\n.target sm_80\\n.address_size 64\\n.visible .entry k(.param "
      ".u64 .ptr .shared .align 8 a, .param .b32 b[3]) { ret; }\\n' >k.ptx; " TOOL
      " inspect k.ptx");
  assert_status(ran, 0);
  assert_contains(ran.output,
                  "\n  kernel k\n    argument 0: u64 to shared memory\n    argument 1: b32[3]\n");
  command_clear(&ran);
}

/* Returns the arguments of a kernel; "arguments" has the same order as "kernels". */
static json_t *arguments_of(json_t *image, const char *name) {
  size_t i;
  json_t *kernel;
  json_array_foreach(json_object_get(image, "kernels"), i,
                     kernel) if (strcmp(json_string_value(kernel), name) ==
                                 0) return json_array_get(json_object_get(image, "arguments"), i);
  fail_msg("there is no kernel %s", name);
  return NULL;
}

static void check_argument(json_t *list, size_t index, const char *expected) {
  char *is = json_dumps(json_array_get(list, index), JSON_COMPACT | JSON_SORT_KEYS);
  assert_non_null(is);
  assert_string_equal(is, expected);
  free(is);
}

TEST(says_types_in_json) {
  outcome ran = command_run(TOOL " inspect --json " MODULES ".spv");
  assert_status(ran, 0);
  json_t *root = json_loads(ran.output, 0, NULL);
  json_t *image = json_array_get(json_object_get(root, "images"), 0);
  json_t *memory = arguments_of(image, "memory");
  assert_int_equal(json_array_size(memory), 8);
  check_argument(memory, 0,
                 "{\"element\":\"f32\",\"index\":0,\"kind\":\"pointer\",\"size\":8,"
                 "\"type\":\"global f32*\"}");
  check_argument(memory, 2,
                 "{\"element\":\"f64\",\"index\":2,\"kind\":\"local\",\"size\":null,"
                 "\"type\":\"local f64*\"}");
  check_argument(memory, 3,
                 "{\"element\":null,\"index\":3,\"kind\":\"pointer\",\"size\":8,"
                 "\"type\":\"global struct tone_t*\"}");
  check_argument(arguments_of(image, "values"), 6,
                 "{\"element\":null,\"index\":6,\"kind\":\"value\",\"size\":8,"
                 "\"type\":\"struct tone_t of 8 bytes\"}");
  assert_int_equal(json_array_size(arguments_of(image, "nothing")), 0);
  json_decref(root);
  command_clear(&ran);
}

/* Arguments of a shared function are listed once, so that a small file makes no long list. */
TEST(shows_a_function_once) {
  outcome ran = command_run(TOOL " inspect " MODULES "_shared.spv");
  assert_status(ran, 0);
  assert_contains(
      ran.output,
      "\n  kernel first\n    argument 0: global struct a name of more than the sixty-four "
      "bytes that are shown of it, a*\n    argument 1: global global global global "
      "global ?*****\n  kernel second\n");
  const char *second = strstr(ran.output, "  kernel second\n");
  assert_non_null(second);
  assert_contains_not(second, "argument");
  command_clear(&ran);
  ran = command_run(TOOL " inspect --json " MODULES "_shared.spv");
  json_t *root = json_loads(ran.output, 0, NULL);
  json_t *image = json_array_get(json_object_get(root, "images"), 0);
  assert_int_equal(json_array_size(arguments_of(image, "first")), 2);
  assert_true(json_is_null(arguments_of(image, "second")));
  json_decref(root);
  command_clear(&ran);
}
