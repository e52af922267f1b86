/* Parts of modules with a single kernel: the contents of the part, and its code. */
#include "world.h"

#include "../../plugins/code/spirv.h"
#include "../../plugins/code/spirv_code.h"
#include "../../plugins/code/spirv_part.h"

/* Modules of several kernels. */
static const char *const modules[] = {"apart.spv",  "active16.spv",    "atomic.spv",
                                      "groups.spv", "kernels16.spv",   "numbers.spv",
                                      "odd.spv",    "unoptimised.spv", "dimensions.spv"};

static spirv_code *read_code(const char *name) {
  size_t size;
  spirv_code *code;
  unsigned char *bytes = read_module(name, &size);
  assert_success(spirv_code_create(bytes, size, &code));
  assert_success(spirv_code_read_all(code));
  free(bytes);
  return code;
}

static size_t count_entries(const char *ptx, const char **latest) {
  size_t count = 0;
  for (const char *at = ptx; (at = strstr(at, ".entry ")); count++)
    *latest = at += strlen(".entry ");
  return count;
}

/* Checks that the part has only this kernel and can be built. */
static void check_kernel(codegen *generators, const spirv_code *code, const char *kernel) {
  void *bytes;
  size_t size;
  spirv_code *part;
  const char *entry = "";
  assert_success(spirv_part(code->bytes, code->size, kernel, &bytes, &size));
  assert_true(size <= code->size);
  assert_success(spirv_code_create(bytes, size, &part));
  assert_success(spirv_code_read_all(part));
  assert_int_equal(part->kernel_count, 1);
  assert_string_equal(part->kernels[0].name, kernel);
  codegen_request request = request_of(bytes, size);
  request.no_offset = true;
  char *ptx = build_module(generators, request);
  assert_int_equal(count_entries(ptx, &entry), 1);
  assert_int_equal(strncmp(entry, kernel, strlen(kernel)), 0);
  free(ptx);
  spirv_code_release(part);
  free(bytes);
}

TEST(each_kernel_builds_alone) {
  codegen *generators = make_generators(CODEGEN_PROGRAM, 60000);
  for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
    spirv_code *code = read_code(modules[i]);
    for (size_t k = 0; k < code->kernel_count; k++)
      check_kernel(generators, code, code->kernels[k].name);
    spirv_code_release(code);
  }
  codegen_free(generators);
}

/* ---- Contents of a part ---- */

static size_t count_instructions(const void *bytes, size_t size, pi_uint32 opcode,
                                 pi_uint32 *words) {
  spirv_words module;
  size_t count = 0;
  assert_success(spirv_open(bytes, size, &module));
  while (spirv_more(&module)) {
    spirv_instruction at;
    assert_success(spirv_next(&module, &at));
    if (at.opcode != opcode)
      continue;
    count++;
    *words = at.words;
  }
  return count;
}

TEST(a_part_drops_what_its_kernel_does_not_use) {
  enum { NAME = 5, LINE = 8, EXECUTION_MODE = 16, FUNCTION = 54 };
  void *bytes;
  size_t size;
  pi_uint32 words = 0;
  spirv_code *code = read_code("groups.spv");
  assert_success(spirv_part(code->bytes, code->size, "two", &bytes, &size));
  assert_int_equal(count_instructions(bytes, size, FUNCTION, &words), 1);
  assert_int_equal(count_instructions(bytes, size, SPIRV_OP_ENTRY_POINT, &words), 1);
  assert_int_equal(count_instructions(bytes, size, EXECUTION_MODE, &words), 1);
  assert_int_equal(count_instructions(bytes, size, NAME, &words), 2);
  assert_int_equal(count_instructions(bytes, size, LINE, &words), 0);
  /* The decoration group has lost one of its two targets. */
  assert_int_equal(count_instructions(bytes, size, SPIRV_OP_GROUP_DECORATE, &words), 1);
  assert_int_equal(words, 3);
  free(bytes);
  spirv_code_release(code);
}

/* The part contains the functions that the kernel calls, and no others. */
TEST(a_part_keeps_only_the_functions_it_calls) {
  enum { FUNCTION = 54 };
  void *bytes;
  size_t size;
  pi_uint32 words;
  spirv_code *code = read_code("apart.spv");
  const size_t all = count_instructions(code->bytes, code->size, FUNCTION, &words);
  assert_success(spirv_part(code->bytes, code->size, "first", &bytes, &size));
  /* Two functions are missing: the other kernel, and the entry that llvm-spirv adds to call it. */
  assert_int_equal(count_instructions(bytes, size, FUNCTION, &words), all - 2);
  free(bytes);
  spirv_code_release(code);
}

/* ---- Bad input ---- */

TEST(bad_arguments_are_refused) {
  void *bytes = NULL;
  size_t size = 0;
  const char *message;
  spirv_code *code = read_code("apart.spv");
  assert_int_equal(spirv_part(code->bytes, code->size, "third", &bytes, &size),
                   PI_ERROR_INVALID_KERNEL_NAME);
  plugin_error_last(&message);
  assert_string_equal(message, "the module has no kernel \"third\"");
  assert_int_equal(spirv_part(NULL, code->size, "first", &bytes, &size), PI_ERROR_INVALID_VALUE);
  assert_int_equal(spirv_part(code->bytes, 8, "first", &bytes, &size), PI_ERROR_INVALID_VALUE);
  assert_null(bytes);
  assert_int_equal(size, 0);
  spirv_code_release(code);
}

/* A module that is cut, or in which a word is replaced, is read within its bounds. */
TEST(damaged_modules_are_read_within_bounds) {
  static const pi_uint32 values[] = {0, 1, 54, 0x10038, 0xffff0036, 0xffffffff};
  spirv_code *code = read_code("groups.spv");
  unsigned char *copy = malloc(code->size);
  assert_non_null(copy);
  for (size_t at = 0; at < code->size; at += 4)
    for (size_t i = 0; i <= sizeof values / sizeof values[0]; i++) {
      void *bytes = NULL;
      size_t size = at;
      memcpy(copy, code->bytes, code->size);
      if (i < sizeof values / sizeof values[0]) {
        spirv_store(copy + at, values[i]);
        size = code->size;
      }
      if (spirv_part(copy, size, "two", &bytes, &size) == PI_SUCCESS)
        assert_true(size <= code->size);
      free(bytes);
    }
  free(copy);
  spirv_code_release(code);
}
