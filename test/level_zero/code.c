/*
 * Facts read from SPIR-V: the arguments of kernels; and modules whose defaults are replaced by
 * values. In damaged and hostile modules arguments are unknown, or the module is refused; reading
 * them never takes long.
 */
#include "programs.h"

#include "../../plugins/code/spirv_code.h"

static spirv_code *code_from(const void *bytes, size_t size) {
  spirv_code *code = NULL;
  must(spirv_code_create(bytes, size, &code));
  return code;
}

static spirv_code *code_of(module_index index) {
  const module_bytes module = module_of(index);
  return code_from(module.bytes, module.size);
}

static const spirv_kernel *find(spirv_code *code, const char *name) {
  const spirv_kernel *kernel = NULL;
  must(spirv_code_find_kernel(code, name, &kernel));
  return kernel;
}

/* The facts expected of an argument, whatever the id of its type is. */
typedef struct wanted {
  spirv_argument_kind kind;
  pi_uint32 size;
} wanted;

static void check_kernel(spirv_code *code, const char *name, pi_uint32 count, const wanted *want) {
  const spirv_kernel *kernel = find(code, name);
  assert_non_null(kernel);
  assert_string_equal(kernel->name, name);
  assert_int_equal(kernel->argument_count, count);
  for (pi_uint32 i = 0; i < count; i++) {
    assert_int_equal(kernel->arguments[i].kind, want[i].kind);
    assert_int_equal(kernel->arguments[i].size, want[i].size);
  }
}

TEST(arguments_have_kinds_and_sizes) {
  static const wanted values[] = {
      {SPIRV_ARGUMENT_POINTER, 8}, {SPIRV_ARGUMENT_VALUE, 1}, {SPIRV_ARGUMENT_VALUE, 1},
      {SPIRV_ARGUMENT_VALUE, 2},   {SPIRV_ARGUMENT_VALUE, 2}, {SPIRV_ARGUMENT_VALUE, 4},
      {SPIRV_ARGUMENT_VALUE, 4},   {SPIRV_ARGUMENT_VALUE, 8}, {SPIRV_ARGUMENT_VALUE, 4},
      {SPIRV_ARGUMENT_VALUE, 16},  {SPIRV_ARGUMENT_VALUE, 16}};
  static const wanted sum[] = {
      {SPIRV_ARGUMENT_POINTER, 8}, {SPIRV_ARGUMENT_POINTER, 8}, {SPIRV_ARGUMENT_LOCAL, 0}};
  static const wanted constant[] = {{SPIRV_ARGUMENT_POINTER, 8}, {SPIRV_ARGUMENT_POINTER, 8}};
  static const wanted sample[] = {
      {SPIRV_ARGUMENT_IMAGE, 0}, {SPIRV_ARGUMENT_SAMPLER, 0}, {SPIRV_ARGUMENT_POINTER, 8}};
  spirv_code *code = code_of(MODULE_arguments);
  check_kernel(code, "values", 11, values);
  check_kernel(code, "group_sum", 3, sum);
  check_kernel(code, "from_constant", 2, constant);
  assert_null(find(code, "no_such"));
  assert_null(find(code, ""));
  spirv_code_release(code);
  code = code_of(MODULE_images);
  check_kernel(code, "sample", 3, sample);
  spirv_code_release(code);
  code = code_of(MODULE_basic);
  check_kernel(code, "empty", 0, NULL);
  spirv_code_release(code);
}

/* ---- Modules that the tests make ---- */

typedef struct words {
  uint32_t list[4096];
  size_t count;
} words;

static void start(words *to, uint32_t bound) {
  const uint32_t header[5] = {0x07230203, 0x00010000, 0, bound, 0};
  memcpy(to->list, header, sizeof header);
  to->count = 5;
}

#define PUT(to, opcode, ...)                                                                       \
  put((to), (opcode), (const uint32_t[]){__VA_ARGS__},                                             \
      sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void put(words *to, uint32_t opcode, const uint32_t *operands, size_t count) {
  assert_true(to->count + count + 1 <= 4096);
  to->list[to->count++] = (uint32_t)(count + 1) << 16 | opcode;
  if (count != 0)
    memcpy(to->list + to->count, operands, count * sizeof *operands);
  to->count += count;
}

enum {
  OP_MEMORY_MODEL = 14,
  OP_ENTRY_POINT = 15,
  OP_TYPE_INT = 21,
  OP_TYPE_FLOAT = 22,
  OP_TYPE_VECTOR = 23,
  OP_TYPE_ARRAY = 28,
  OP_TYPE_STRUCT = 30,
  OP_TYPE_POINTER = 32,
  OP_CONSTANT = 43,
  OP_SPEC_CONSTANT = 50,
  OP_FUNCTION = 54,
  OP_PARAMETER = 55,
  OP_FUNCTION_END = 56,
  OP_FORWARD_POINTER = 39,
  OP_DECORATE = 71,
  OP_DECORATION_GROUP = 73,
  OP_GROUP_DECORATE = 74,
  FUNCTION_ID = 900,
  TYPE_U8 = 1,
  TYPE_U32,
  TYPE_U64,
};

/* Appends a kernel "k" whose parameters have these types. */
static void put_kernel(words *to, const uint32_t *types, size_t count) {
  PUT(to, OP_ENTRY_POINT, 6, FUNCTION_ID, 'k');
  PUT(to, OP_FUNCTION, 899, FUNCTION_ID, 0, 898);
  for (size_t i = 0; i < count; i++)
    PUT(to, OP_PARAMETER, types[i], 800 + (uint32_t)i);
  put(to, OP_FUNCTION_END, NULL, 0);
}

static void put_numbers(words *to) {
  PUT(to, OP_MEMORY_MODEL, 2, 2);
  PUT(to, OP_TYPE_INT, TYPE_U8, 8, 0);
  PUT(to, OP_TYPE_INT, TYPE_U32, 32, 0);
  PUT(to, OP_TYPE_INT, TYPE_U64, 64, 0);
}

static const spirv_kernel *kernel_of(const words *module, spirv_code **code) {
  *code = code_from(module->list, module->count * 4);
  const spirv_kernel *kernel = find(*code, "k");
  assert_non_null(kernel);
  return kernel;
}

TEST(arguments_have_the_size_of_their_layout) {
  static words m;
  start(&m, 1000);
  put_numbers(&m);
  PUT(&m, OP_DECORATE, 21, 10); /* CPacked */
  PUT(&m, OP_TYPE_STRUCT, 20, TYPE_U8, TYPE_U32, TYPE_U8);
  PUT(&m, OP_TYPE_STRUCT, 21, TYPE_U8, TYPE_U32, TYPE_U8);
  PUT(&m, OP_TYPE_STRUCT, 22, TYPE_U8, 20, TYPE_U64);
  PUT(&m, OP_TYPE_VECTOR, 23, TYPE_U32, 3);
  PUT(&m, OP_CONSTANT, TYPE_U32, 30, 5);
  PUT(&m, OP_TYPE_ARRAY, 24, TYPE_U32, 30);
  PUT(&m, OP_SPEC_CONSTANT, TYPE_U32, 31, 5);
  PUT(&m, OP_TYPE_ARRAY, 25, TYPE_U32, 31);
  PUT(&m, OP_TYPE_STRUCT, 26, TYPE_U8, 25);
  PUT(&m, OP_TYPE_POINTER, 27, 7, 22); /* Function: by value */
  PUT(&m, OP_TYPE_INT, 28, 24, 0);
  PUT(&m, OP_TYPE_POINTER, 29, 8, TYPE_U32); /* Generic */
  PUT(&m, OP_TYPE_STRUCT, 32, 27);
  const uint32_t types[] = {20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 32, 777};
  static const wanted want[] = {
      {SPIRV_ARGUMENT_VALUE, 12},  {SPIRV_ARGUMENT_VALUE, 6},  {SPIRV_ARGUMENT_VALUE, 24},
      {SPIRV_ARGUMENT_VALUE, 16},  {SPIRV_ARGUMENT_VALUE, 20}, {SPIRV_ARGUMENT_VALUE, 0},
      {SPIRV_ARGUMENT_VALUE, 0},   {SPIRV_ARGUMENT_VALUE, 24}, {SPIRV_ARGUMENT_VALUE, 0},
      {SPIRV_ARGUMENT_UNKNOWN, 0}, {SPIRV_ARGUMENT_VALUE, 8},  {SPIRV_ARGUMENT_UNKNOWN, 0}};
  put_kernel(&m, types, 12);
  spirv_code *code = code_from(m.list, m.count * 4);
  check_kernel(code, "k", 12, want);
  spirv_code_release(code);
}

/* Decorations through a group, and a pointer declared before its type. */
TEST(decorations_of_groups_and_forward_pointers_count) {
  static words m;
  start(&m, 1000);
  PUT(&m, OP_DECORATE, 40, 10); /* CPacked */
  PUT(&m, OP_DECORATE, 41, 25);
  PUT(&m, OP_DECORATION_GROUP, 40);
  PUT(&m, OP_DECORATION_GROUP, 41);
  PUT(&m, OP_GROUP_DECORATE, 40, 20, 21);
  PUT(&m, OP_GROUP_DECORATE, 41, 22);
  PUT(&m, OP_FORWARD_POINTER, 30, 5);
  put_numbers(&m);
  PUT(&m, OP_TYPE_STRUCT, 20, TYPE_U8, TYPE_U32);
  PUT(&m, OP_TYPE_STRUCT, 21, TYPE_U8, TYPE_U64);
  PUT(&m, OP_TYPE_STRUCT, 22, TYPE_U8, TYPE_U64);
  PUT(&m, OP_TYPE_STRUCT, 23, 30, TYPE_U32);
  PUT(&m, OP_TYPE_POINTER, 30, 5, 23);
  const uint32_t types[] = {20, 21, 22, 23, 30};
  static const wanted want[] = {{SPIRV_ARGUMENT_VALUE, 5},
                                {SPIRV_ARGUMENT_VALUE, 9},
                                {SPIRV_ARGUMENT_VALUE, 16},
                                {SPIRV_ARGUMENT_VALUE, 16},
                                {SPIRV_ARGUMENT_POINTER, 8}};
  put_kernel(&m, types, 5);
  spirv_code *code = code_from(m.list, m.count * 4);
  check_kernel(code, "k", 5, want);
  spirv_code_release(code);
}

/* Types that contain themselves, or each other very often, and sizes beyond 32 bits. */
TEST(hostile_types_are_unknown) {
  static words m;
  spirv_code *code;
  start(&m, 1000);
  put_numbers(&m);
  PUT(&m, OP_TYPE_STRUCT, 20, 20);
  PUT(&m, OP_TYPE_STRUCT, 21, 22);
  PUT(&m, OP_TYPE_STRUCT, 22, 21);
  for (uint32_t i = 100; i < 400; i++)
    PUT(&m, OP_TYPE_STRUCT, i, i + 1, i + 1, i + 1, i + 1);
  PUT(&m, OP_TYPE_STRUCT, 400, TYPE_U32);
  PUT(&m, OP_CONSTANT, TYPE_U64, 50, UINT32_MAX, UINT32_MAX);
  PUT(&m, OP_TYPE_ARRAY, 51, TYPE_U32, 50);
  PUT(&m, OP_CONSTANT, TYPE_U32, 52, UINT32_MAX);
  PUT(&m, OP_TYPE_ARRAY, 53, TYPE_U64, 52);
  PUT(&m, OP_TYPE_VECTOR, 54, TYPE_U64, UINT32_MAX);
  PUT(&m, OP_TYPE_VECTOR, 55, TYPE_U64);
  PUT(&m, OP_TYPE_ARRAY, 56);
  PUT(&m, OP_TYPE_STRUCT, 57);
  const uint32_t types[] = {20, 21, 22, 100, 380, 51, 53, 54, 55, 56, 57};
  put_kernel(&m, types, 11);
  const spirv_kernel *kernel = kernel_of(&m, &code);
  assert_int_equal(kernel->argument_count, 11);
  for (pi_uint32 i = 0; i < 11; i++)
    assert_int_equal(kernel->arguments[i].size, 0);
  spirv_code_release(code);
}

/* Entry points without a function or without an end of the name, and two for one function. */
TEST(odd_entries_are_found_or_ignored) {
  static words m;
  start(&m, 1000);
  put_numbers(&m);
  PUT(&m, OP_ENTRY_POINT, 6, 5, 'a');
  PUT(&m, OP_ENTRY_POINT, 6, FUNCTION_ID, 0x64636261);
  PUT(&m, OP_ENTRY_POINT, 6);
  PUT(&m, OP_ENTRY_POINT, 5, FUNCTION_ID, 'v');
  PUT(&m, OP_ENTRY_POINT, 6, FUNCTION_ID, 'b');
  const uint32_t types[] = {TYPE_U32, TYPE_U64};
  put_kernel(&m, types, 2);
  spirv_code *code = code_from(m.list, m.count * 4);
  assert_null(find(code, "a"));
  assert_null(find(code, "abcd"));
  assert_null(find(code, "v"));
  static const wanted want[] = {{SPIRV_ARGUMENT_VALUE, 4}, {SPIRV_ARGUMENT_VALUE, 8}};
  check_kernel(code, "b", 2, want);
  check_kernel(code, "k", 2, want);
  spirv_code_release(code);
}

/* Changes every byte of a module in turn: nothing outside the module is read. */
TEST(a_changed_byte_is_read_within_the_module) {
  const module_bytes module = module_of(MODULE_basic);
  unsigned char *copy = malloc(module.size);
  assert_non_null(copy);
  for (size_t i = 20; i < module.size; i++) {
    memcpy(copy, module.bytes, module.size);
    copy[i] ^= 0xff;
    spirv_code *code = NULL;
    code_constants *constants = NULL;
    const spirv_kernel *kernel = NULL;
    if (spirv_code_create(copy, module.size, &code) != PI_SUCCESS)
      continue;
    (void)spirv_code_find_kernel(code, "numbers", &kernel);
    (void)code_constants_read(code->bytes, code->size, &constants);
    code_constants_free(constants);
    spirv_code_release(code);
  }
  free(copy);
}

/* ---- Values as defaults ---- */

static uint64_t default_of(const spirv_code *code, pi_uint32 id) {
  code_constants *constants = NULL;
  code_constant *list = NULL;
  size_t count = 0;
  uint64_t value = 0;
  must(code_constants_read(code->bytes, code->size, &constants));
  must(code_constants_snapshot(constants, &list, &count));
  for (size_t i = 0; i < count; i++)
    if (list[i].id == id)
      memcpy(&value, list[i].default_value, sizeof value);
  free(list);
  code_constants_free(constants);
  return value;
}

TEST(values_become_defaults) {
  spirv_code *code = code_of(MODULE_scalars);
  spirv_code *made = NULL;
  code_constants *constants = NULL;
  must(code_constants_read(code->bytes, code->size, &constants));
  /* Without values the result is the same object. */
  must(spirv_code_specialise(code, constants, &made));
  assert_ptr_equal(made, code);
  spirv_code_release(made);
  const uint8_t off = 0;
  const uint8_t on = 0x40;
  const uint8_t u8 = 200;
  const uint16_t u16 = 60000;
  const uint64_t u64 = UINT64_MAX - 1;
  must(code_constants_set(constants, 101, 1, &off));
  must(code_constants_set(constants, 102, 1, &on));
  must(code_constants_set(constants, 103, 1, &u8));
  must(code_constants_set(constants, 104, 2, &u16));
  must(code_constants_set(constants, 106, 8, &u64));
  must(spirv_code_specialise(code, constants, &made));
  assert_int_equal(default_of(made, 101), 0);
  assert_int_equal(default_of(made, 102), 1);
  assert_int_equal(default_of(made, 103), 200);
  assert_int_equal(default_of(made, 104), 60000);
  assert_int_equal(default_of(made, 105), 43);
  assert_true(default_of(made, 106) == UINT64_MAX - 1);
  assert_int_equal(default_of(made, 107), 0x406ccccd);
  /* The original module is unchanged. */
  assert_int_equal(default_of(code, 103), 43);
  spirv_code_release(made);
  code_constants_free(constants);
  spirv_code_release(code);
}
