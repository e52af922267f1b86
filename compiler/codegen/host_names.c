#include "host_names.h"

#include "../../plugins/base/error.h"
#include "../../plugins/base/find.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of SPIR-V and of two extensions, the later of which replaced the earlier. */
enum {
  OP_NAME = 5,
  OP_CAPABILITY = 17,
  CAPABILITY_GLOBAL_VARIABLE_DECORATIONS = 6146,
  CAPABILITY_GLOBAL_VARIABLE_HOST_ACCESS = 6187,
  CAPABILITY_GLOBAL_VARIABLE_FPGA_DECORATIONS = 6189,
  DECORATION_LINKAGE = 41,
  DECORATION_HOST_ACCESS_FIRST = 6147, /* INIT_MODE and IMPLEMENT_IN_CSR follow */
  DECORATION_IMPLEMENT_IN_CSR_FIRST = 6149,
  DECORATION_HOST_ACCESS = 6188,
  DECORATION_INIT_MODE = 6190,
  DECORATION_IMPLEMENT_IN_REGISTER_MAP = 6191,
  LINKAGE_EXPORT = 0,
  NAME_WORD = 4, /* word of the name in OpDecorate id HostAccessINTEL mode "name" */
};

static bool is_decoration(const spirv_instruction *at) {
  return at->opcode == SPIRV_OP_DECORATE && at->words >= 3;
}

static bool is_host_access(const spirv_instruction *at) {
  return is_decoration(at) && at->words > NAME_WORD && spirv_word(at, NAME_WORD) != 0 &&
         (spirv_word(at, 2) == DECORATION_HOST_ACCESS_FIRST ||
          spirv_word(at, 2) == DECORATION_HOST_ACCESS);
}

static bool is_linkage(const spirv_instruction *at) {
  return is_decoration(at) && spirv_word(at, 2) == DECORATION_LINKAGE;
}

static int by_id(const void *left, const void *right) {
  const host_name *a = left;
  const host_name *b = right;
  if (a->id != b->id)
    return (a->id > b->id) - (a->id < b->id);
  return (a->decoration.position > b->decoration.position) -
         (a->decoration.position < b->decoration.position);
}

/* Returns an id's first name. All others are left out. */
static host_name *find_name(const host_names *in, uint32_t id) {
  return find_id(id, in->items, in->count, sizeof *in->items);
}

/* ---- Reading ---- */

/* Counts the names, and stores them if names->items is not NULL. */
static pi_result collect_names(spirv_words module, host_names *names) {
  names->count = 0;
  while (spirv_more(&module)) {
    spirv_instruction at;
    TRY(spirv_next(&module, &at));
    if (!is_host_access(&at))
      continue;
    REQUIRE(memchr(at.bytes + NAME_WORD * 4, '\0', ((size_t)at.words - NAME_WORD) * 4),
            PI_ERROR_INVALID_VALUE, "the host's name of SPIR-V variable %u has no end",
            spirv_word(&at, 1));
    if (names->items)
      names->items[names->count] = (host_name){spirv_word(&at, 1), LINKAGE_EXPORT, at};
    names->count++;
  }
  return PI_SUCCESS;
}

static pi_result read_linkage(spirv_words module, const host_names *names) {
  while (spirv_more(&module)) {
    spirv_instruction at;
    TRY(spirv_next(&module, &at));
    host_name *const name = is_linkage(&at) ? find_name(names, spirv_word(&at, 1)) : NULL;
    if (name)
      name->linkage = spirv_word(&at, at.words - 1u);
  }
  return PI_SUCCESS;
}

pi_result host_names_read(spirv_words module, host_names *ret) {
  host_names names = {NULL, 0};
  TRY(collect_names(module, &names));
  if (names.count != 0) {
    names.items = malloc(names.count * sizeof *names.items);
    REQUIRE_MEMORY(names.items, "%zu names of variables", names.count);
    pi_result result = collect_names(module, &names);
    qsort(names.items, names.count, sizeof *names.items, by_id);
    if (result == PI_SUCCESS)
      result = read_linkage(module, &names);
    if (result != PI_SUCCESS) {
      host_names_free(&names);
      return result;
    }
  }
  *ret = names;
  return PI_SUCCESS;
}

void host_names_free(host_names *names) {
  free(names->items);
}

/* ---- Writing ---- */

bool host_names_own(const host_names *names, const spirv_instruction *at) {
  if (at->opcode == OP_CAPABILITY && at->words == 2)
    return spirv_word(at, 1) == CAPABILITY_GLOBAL_VARIABLE_DECORATIONS ||
           spirv_word(at, 1) == CAPABILITY_GLOBAL_VARIABLE_HOST_ACCESS ||
           spirv_word(at, 1) == CAPABILITY_GLOBAL_VARIABLE_FPGA_DECORATIONS;
  if (at->opcode == OP_NAME && at->words > 2)
    return find_name(names, spirv_word(at, 1)) != NULL;
  if (!is_decoration(at))
    return false;
  const uint32_t number = spirv_word(at, 2);
  return (number >= DECORATION_HOST_ACCESS_FIRST && number <= DECORATION_IMPLEMENT_IN_CSR_FIRST) ||
         number == DECORATION_HOST_ACCESS || number == DECORATION_INIT_MODE ||
         number == DECORATION_IMPLEMENT_IN_REGISTER_MAP ||
         (number == DECORATION_LINKAGE && find_name(names, spirv_word(at, 1)));
}

size_t host_names_put(const host_names *names, const spirv_instruction *at, unsigned char *ret) {
  const host_name *const name = is_host_access(at) ? find_name(names, spirv_word(at, 1)) : NULL;
  if (!name || name->decoration.position != at->position)
    return 0;
  const size_t bytes = ((size_t)at->words - NAME_WORD) * 4;
  const unsigned char *const text = at->bytes + (size_t)NAME_WORD * 4;
  unsigned char *to = ret;
  spirv_store(to, (at->words - NAME_WORD + 2) << 16 | OP_NAME);
  spirv_store(to + 4, name->id);
  memcpy(to + 8, text, bytes);
  to += 8 + bytes;
  spirv_store(to, at->words << 16 | SPIRV_OP_DECORATE);
  spirv_store(to + 4, name->id);
  spirv_store(to + 8, DECORATION_LINKAGE);
  memcpy(to + 12, text, bytes);
  spirv_store(to + 12 + bytes, name->linkage);
  return (size_t)(to - ret) + (size_t)at->words * 4;
}
