#include "scalar_types.h"

#include "../plugins/base/find.h"
#include "../plugins/base/vector.h"
#include "../plugins/code/spirv.h"

#include <stdlib.h>

/* Maps a number of the module to another one. */
typedef struct pair {
  uint32_t key;
  uint32_t value;
} pair;

typedef VECTOR(pair) pairs;

struct scalar_types {
  pairs ids;       /* SpecId: result id */
  pairs constants; /* result id: type id */
  pairs types;     /* type id: index of spirv_scalar_find */
};

static bool add_pair(pairs *list, uint32_t key, uint32_t value) {
  if (!VECTOR_RESERVE(list))
    return false;
  list->items[list->count++] = (pair){key, value};
  return true;
}

static void sort(pairs *list) {
  if (list->count)
    qsort(list->items, list->count, sizeof *list->items, compare_ids);
}

static const uint32_t *find_pair(const pairs *list, uint32_t key) {
  const pair *found = find_id(key, list->items, list->count, sizeof *list->items);
  return found ? &found->value : NULL;
}

static bool add_type(scalar_types *types, const spirv_instruction *one) {
  const int scalar = spirv_scalar_find(one);
  return scalar < 0 || add_pair(&types->types, spirv_word(one, 1), (uint32_t)scalar);
}

/* Records an instruction about constants or types; false if memory is exhausted. */
static bool note_instruction(scalar_types *types, const spirv_instruction *one) {
  if (one->words < 2)
    return true;
  switch (one->opcode) {
  case SPIRV_OP_TYPE_BOOL:
  case SPIRV_OP_TYPE_INT:
  case SPIRV_OP_TYPE_FLOAT:
    return add_type(types, one);
  case SPIRV_OP_DECORATE:
    return one->words < 4 || spirv_word(one, 2) != SPIRV_DECORATION_SPEC_ID ||
           add_pair(&types->ids, spirv_word(one, 3), spirv_word(one, 1));
  case SPIRV_OP_SPEC_CONSTANT_TRUE:
  case SPIRV_OP_SPEC_CONSTANT_FALSE:
  case SPIRV_OP_SPEC_CONSTANT:
    return one->words < 3 || add_pair(&types->constants, spirv_word(one, 2), spirv_word(one, 1));
  default:
    return true;
  }
}

scalar_types *scalar_types_read(const void *module, size_t size) {
  scalar_types *types = calloc(1, sizeof *types);
  spirv_words place;
  if (!types || spirv_open(module, size, &place) != PI_SUCCESS)
    return types;
  spirv_instruction one;
  while (spirv_more(&place) && spirv_next(&place, &one) == PI_SUCCESS)
    if (!note_instruction(types, &one)) {
      scalar_types_free(types);
      return NULL;
    }
  sort(&types->ids);
  sort(&types->constants);
  sort(&types->types);
  return types;
}

void scalar_types_free(scalar_types *types) {
  if (!types)
    return;
  free(types->ids.items);
  free(types->constants.items);
  free(types->types.items);
  free(types);
}

const char *scalar_types_find(const scalar_types *types, uint32_t id) {
  if (!types)
    return NULL;
  const uint32_t *result = find_pair(&types->ids, id);
  const uint32_t *type = result ? find_pair(&types->constants, *result) : NULL;
  const uint32_t *name = type ? find_pair(&types->types, *type) : NULL;
  return name ? spirv_scalar_name((int)*name) : NULL;
}
