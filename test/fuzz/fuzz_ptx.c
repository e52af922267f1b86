/*
 * Reads any bytes as PTX text, links accepted text, and runs its entries for some steps. The
 * entries write only to the launch's memory, and leak nothing.
 */
#include "fuzz.h"

#include "../../fakes/ptx/ptx.h"

#include <string.h>

enum { ENTRIES = 4, THREADS = 40, STEPS = 20000, PLACED = 1 << 20, BLOCK = 4096 };

static _Alignas(256) unsigned char block[BLOCK];
static unsigned char placed[PLACED]; /* variables */

static bool find_in(unsigned char *memory, size_t size, uint64_t address, ptx_range *ret) {
  const uint64_t begin = (uint64_t)(uintptr_t)memory;
  *ret = (ptx_range){begin, begin + size, memory, true};
  return address >= begin && address - begin < size;
}

static bool find(void *user, uint64_t address, ptx_range *ret) {
  (void)user;
  return find_in(block, BLOCK, address, ret) || find_in(placed, PLACED, address, ret);
}

static bool sample(void *user, const ptx_texture_access *access, uint32_t ret[4], char *message,
                   size_t size) {
  (void)user;
  (void)message;
  (void)size;
  FUZZ_CHECK(access->dimensions >= 1 && access->dimensions <= 3);
  ret[0] = access->layer;
  return true;
}

static bool surface(void *user, const ptx_surface_access *access, char *message, size_t size) {
  (void)user;
  (void)message;
  (void)size;
  FUZZ_CHECK(access->size >= 1 && access->size <= 16);
  if (!access->write)
    memset(access->data, 1, access->size);
  return true;
}

static void print(void *user, const char *text, size_t size) {
  (void)user;
  FUZZ_CHECK(size == 0 || text);
}

static void run(const ptx_program *program, const ptx_entry *entry) {
  const ptx_hooks hooks = {.memory = find, .texture = sample, .surface = surface, .print = print};
  const uint64_t address = (uint64_t)(uintptr_t)block;
  uint64_t *parameters = malloc(entry->parameter_bytes + sizeof(address));
  FUZZ_CHECK(parameters);
  for (size_t i = 0; i <= entry->parameter_bytes / sizeof(address); i++)
    parameters[i] = address;
  const ptx_launch launch = {.entry = entry,
                             .grid = {2, 1, 1},
                             .block = {THREADS, 1, 1},
                             .dynamic_shared = 64,
                             .parameters = parameters,
                             .cooperative = entry->parameter_count == 2,
                             .step_limit = STEPS,
                             .stack_bytes = 1024};
  ptx_log log;
  const ptx_status status = ptx_run(program, &launch, &hooks, &log);
  FUZZ_CHECK((status == PTX_OK) == (log.text[0] == '\0'));
  free(parameters);
}

/* Places all variables; returns false when they do not fit. */
static bool place(const ptx_variable *variables, size_t count, ptx_place *places) {
  const uint64_t begin = (uint64_t)(uintptr_t)placed;
  uint64_t at = begin;
  for (size_t i = 0; i < count; i++) {
    const uint64_t align = variables[i].align ? variables[i].align : 1;
    FUZZ_CHECK(variables[i].size <= PTX_VARIABLE_LIMIT && (align & (align - 1)) == 0);
    at = (at + align - 1) & ~(align - 1);
    if (at - begin > PLACED || variables[i].size > PLACED - (at - begin))
      return false;
    places[i] = (ptx_place){at, placed + (at - begin)};
    at += variables[i].size;
  }
  return true;
}

static void use(ptx_program *program) {
  size_t count, entries;
  const ptx_variable *variables = ptx_variables(program, &count);
  const ptx_entry *all = ptx_entries(program, &entries);
  ptx_place *places = calloc(count + 1, sizeof(*places));
  FUZZ_CHECK(places);
  if (place(variables, count, places)) {
    ptx_initialise(program, places);
    for (size_t i = 0; i < entries && i < ENTRIES; i++)
      run(program, &all[i]);
  }
  free(places);
}

static void check(const char *text, size_t size) {
  ptx_module *module = NULL;
  ptx_program *program = NULL;
  ptx_log log;
  if (ptx_parse(text, size, NULL, &module, &log) != PTX_OK) {
    FUZZ_CHECK(!module && log.text[0]);
    return;
  }
  if (ptx_link(&module, 1, &program, &log) != PTX_OK) {
    FUZZ_CHECK(!program && log.text[0]);
    ptx_module_free(module);
    return;
  }
  use(program);
  ptx_program_free(program);
}

/* Tries the bytes as a text, and as the body of a kernel. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char head[] =
      ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .b16 %h<9>;\n"
      ".reg .pred %p<9>; .shared .b32 s[8]; .local .b32 l[8];\nld.param.u64 %rd1, [p];\n";
  char *copy = malloc(sizeof(head) + size + 2);
  FUZZ_CHECK(copy);
  memcpy(copy, data, size);
  check(copy, size);
  memcpy(copy, head, sizeof(head) - 1);
  if (size)
    memcpy(copy + sizeof(head) - 1, data, size);
  copy[sizeof(head) - 1 + size] = '}';
  check(copy, sizeof(head) + size);
  free(copy);
  return 0;
}
