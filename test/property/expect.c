/* What the compiler must make of a constant, and what kernels must read. */
#include "case.h"
#include "memory.h"

#include <string.h>

typedef struct walk {
  constant *of;
  unsigned char *defined;
  uint32_t leaf; /* next */
  uint32_t id;   /* next */
} walk;

static bool any_defined(const walk *it, uint32_t at, uint32_t size) {
  return memchr(it->defined + at, 1, size) != NULL;
}

static void define_leaves(walk *it, const type *of, uint32_t at) {
  leaf_list leaves;
  type_leaves(of, &leaves);
  for (uint32_t i = 0; i < leaves.count; i++)
    memset(it->defined + at + leaves.items[i].offset, 1, scalars[leaves.items[i].scalar].size);
}

/* A member for which the default has nothing is a hole with one id; an element is zero. */
static void number(walk *it, const type *of, uint32_t at, bool member) {
  if (!any_defined(it, at, of->stored)) {
    if (member) {
      leaf_list leaves;
      type_leaves(of, &leaves);
      for (uint32_t i = 0; i < leaves.count; i++)
        it->of->hole[it->leaf++] = true;
      it->id++;
      return;
    }
    define_leaves(it, of, at);
  }
  if (of->kind == TYPE_SCALAR) {
    it->of->ids[it->leaf++] = it->id++;
    return;
  }
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    number(it, part, at + offset, of->kind == TYPE_STRUCT);
  }
}

void expect_ids(constant *of) {
  const default_value *first = &of->defaults[0];
  walk it = {.of = of, .defined = memory_new(first->size)};
  memcpy(it.defined, first->defined, first->size);
  number(&it, of->type, 0, false);
}

bool expect_leaf(const test_case *of, const use *by, specpi_compiler_mode mode, uint32_t index,
                 const unsigned char **ret) {
  const constant *it = &of->constants[by->constant];
  const uint32_t offset = it->leaves.items[index].offset;
  const unsigned char *own = it->defaults[by->default_index].bytes + offset;
  const unsigned char *set = it->set[index] ? it->value + offset : NULL;
  switch (mode) {
  case SPECPI_COMPILER_MODE_EMULATE:
    /* The buffer has one default; the older functions have no buffer. */
    *ret = it->legacy ? own : set != NULL ? set : it->defaults[0].bytes + offset;
    return true;
  case SPECPI_COMPILER_MODE_DEFAULT:
    *ret = own;
    return !it->hole[index] &&
           any_defined(&(walk){.defined = it->defaults[by->default_index].defined}, offset,
                       scalars[it->leaves.items[index].scalar].size);
  default:
    *ret = set != NULL ? set : own;
    return !it->hole[index];
  }
}
