/* The expected holes and ids of a constant, and the expected values in kernels. */
#include "case.h"
#include "memory.h"

#include <string.h>

typedef struct walk {
  constant *of;
  unsigned char *defined;
  uint32_t leaf; /* the next leaf */
  uint32_t id;   /* the next id */
} walk;

static bool any_defined(const walk *walk, uint32_t at, uint32_t size) {
  return memchr(walk->defined + at, 1, size) != NULL;
}

static void define_leaves(walk *walk, const type *of, uint32_t at) {
  leaf_list leaves;
  type_leaves(of, &leaves);
  for (uint32_t i = 0; i < leaves.count; i++)
    memset(walk->defined + at + leaves.items[i].offset, 1, scalars[leaves.items[i].scalar].size);
}

/* Numbers the leaves of a part. An undefined member is a hole with one id, an element is zero. */
static void number(walk *walk, const type *of, uint32_t at, bool member) {
  if (!any_defined(walk, at, of->stored)) {
    if (member) {
      leaf_list leaves;
      type_leaves(of, &leaves);
      for (uint32_t i = 0; i < leaves.count; i++)
        walk->of->hole[walk->leaf++] = true;
      walk->id++;
      return;
    }
    define_leaves(walk, of, at);
  }
  if (of->kind == TYPE_SCALAR) {
    walk->of->ids[walk->leaf++] = walk->id++;
    return;
  }
  for (uint32_t i = 0; i < of->count; i++) {
    uint32_t offset;
    const type *part = type_part(of, i, &offset);
    number(walk, part, at + offset, of->kind == TYPE_STRUCT);
  }
}

void expect_ids(constant *of) {
  const default_value *first = &of->defaults[0];
  walk walk = {.of = of, .defined = memory_new(first->size)};
  memcpy(walk.defined, first->defined, first->size);
  number(&walk, of->type, 0, false);
}

bool expect_leaf(const test_case *of, const use *by, specpi_compiler_mode mode, uint32_t index,
                 const unsigned char **ret) {
  const constant *constant = &of->constants[by->constant];
  const uint32_t offset = constant->leaves.items[index].offset;
  const unsigned char *own = constant->defaults[by->default_index].bytes + offset;
  const unsigned char *set = constant->set[index] ? constant->value + offset : NULL;
  switch (mode) {
  case SPECPI_COMPILER_MODE_EMULATE:
    /* The buffer has the first default; SYCL 1.2.1's functions do not read it. */
    *ret = constant->legacy ? own : set != NULL ? set : constant->defaults[0].bytes + offset;
    return true;
  case SPECPI_COMPILER_MODE_DEFAULT:
    *ret = own;
    return !constant->hole[index] &&
           any_defined(&(walk){.defined = constant->defaults[by->default_index].defined}, offset,
                       scalars[constant->leaves.items[index].scalar].size);
  default:
    *ret = set != NULL ? set : own;
    return !constant->hole[index];
  }
}
