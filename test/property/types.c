#include "types.h"

#include "memory.h"

const scalar_facts scalars[SCALAR_COUNT] = {
#define SCALAR(NAME, ir, c, integer, size) {ir, c, integer, size},
    SCALARS(SCALAR)
#undef SCALAR
};

static const uint32_t vector_counts[] = {2, 3, 4, 8, 16};

static uint32_t round_up(uint32_t value, uint32_t to) {
  return (value + to - 1) / to * to;
}

static type *new_scalar(scalar of) {
  type *made = memory_new(sizeof *made);
  *made = (type){.kind = TYPE_SCALAR, .scalar = of, .size = scalars[of].size};
  made->alignment = made->stored = made->size;
  return made;
}

/* Returns a random scalar but bool, which in memory is one of the integers. */
static scalar random_number(generator *from) {
  return (scalar)(1 + random_below(from, SCALAR_COUNT - 1));
}

/* A vector is aligned to its size; three elements have the size and alignment of four. */
static type *new_vector(scalar of, uint32_t count) {
  type *type = new_scalar(of);
  type->parts[0] = new_scalar(of);
  type->kind = TYPE_VECTOR;
  type->count = count;
  type->stored = count * scalars[of].size;
  type->size = type->alignment = (count == 3 ? 4 : count) * scalars[of].size;
  return type;
}

static type *new_array(const type *element, uint32_t count) {
  type *made = memory_new(sizeof *made);
  *made = (type){.kind = TYPE_ARRAY, .count = count, .parts = {element}};
  made->size = made->stored = count * element->size;
  made->alignment = element->alignment;
  return made;
}

static void place_members(type *type) {
  uint32_t end = 0;
  type->alignment = 1;
  for (uint32_t i = 0; i < type->count; i++) {
    const uint32_t alignment = type->packed ? 1 : type->parts[i]->alignment;
    type->offsets[i] = round_up(end, alignment);
    end = type->offsets[i] + type->parts[i]->size;
    if (alignment > type->alignment)
      type->alignment = alignment;
  }
  type->size = type->stored = round_up(end, type->alignment);
}

static type *make(generator *from, struct_list *structs, bool in_c, uint32_t depth);

/* Makes a structure of count members; with 0 members it has no bytes. */
static type *new_struct(generator *from, struct_list *structs, bool in_c, uint32_t depth,
                        uint32_t count) {
  type *type = memory_new(sizeof *type);
  type->kind = TYPE_STRUCT;
  type->count = count;
  type->packed = random_chance(from, 25);
  for (uint32_t i = 0; i < type->count; i++)
    type->parts[i] = random_chance(from, 4) ? new_struct(from, structs, in_c, 0, 0)
                                            : make(from, structs, in_c, depth - 1);
  place_members(type);
  if (structs->count == sizeof structs->items / sizeof structs->items[0])
    property_die("more structures than there is space for");
  type->name = memory_format("s%u", structs->count);
  structs->items[structs->count++] = type;
  return type;
}

static uint32_t random_count(generator *from) {
  return 1 + random_below(from, MEMBERS_MAX - 1);
}

/* Makes a random type; depth is the number of aggregates that may still be nested. */
static type *make(generator *from, struct_list *structs, bool in_c, uint32_t depth) {
  const uint32_t kind = random_below(from, depth == 0 ? 60 : 100);
  if (kind < 40)
    return new_scalar(random_number(from));
  if (kind < 60)
    return new_vector(random_number(from), vector_counts[random_below(from, 5)]);
  if (kind < 75) {
    const type *element = make(from, structs, in_c, depth - 1);
    /* Constants cannot have elements without bytes. */
    return new_array(element->size != 0 ? element : new_scalar(random_number(from)),
                     1 + random_below(from, 4));
  }
  return new_struct(from, structs, in_c, depth, random_count(from));
}

static uint32_t count_leaves(const type *of) {
  uint32_t count = 0;
  uint32_t offset;
  if (of->kind == TYPE_SCALAR)
    return 1;
  for (uint32_t i = 0; i < of->count; i++)
    count += count_leaves(type_part(of, i, &offset));
  return count;
}

const type *type_random(generator *from, struct_list *structs, bool in_c) {
  if (random_chance(from, 8))
    return new_scalar(SCALAR_BOOL);
  for (;;) {
    const uint32_t before = structs->count;
    const type *type = random_chance(from, 60)
                           ? new_struct(from, structs, in_c, 3, random_count(from))
                           : make(from, structs, in_c, 3);
    const uint32_t leaves = count_leaves(type);
    /* Constants cannot be without bytes, and C's functions cannot return arrays. */
    if (leaves > 0 && leaves <= LEAVES_MAX && (!in_c || type->kind != TYPE_ARRAY))
      return type;
    structs->count = before;
  }
}

const type *type_integer(generator *from) {
  return new_scalar((scalar)(SCALAR_I8 + random_below(from, SCALAR_I64 - SCALAR_I8 + 1)));
}

const type *type_part(const type *of, uint32_t index, uint32_t *offset) {
  if (of->kind == TYPE_STRUCT) {
    *offset = of->offsets[index];
    return of->parts[index];
  }
  *offset = index * of->parts[0]->size;
  return of->parts[0];
}

static void add_leaves(const type *of, uint32_t at, leaf_list *ret) {
  uint32_t offset;
  if (of->kind == TYPE_SCALAR) {
    ret->items[ret->count++] = (leaf){at, of->scalar};
    return;
  }
  for (uint32_t i = 0; i < of->count; i++) {
    const type *part = type_part(of, i, &offset);
    add_leaves(part, at + offset, ret);
  }
}

void type_leaves(const type *of, leaf_list *ret) {
  ret->count = 0;
  add_leaves(of, 0, ret);
}

const char *type_ir(const type *of) {
  switch (of->kind) {
  case TYPE_SCALAR:
    return scalars[of->scalar].ir;
  case TYPE_VECTOR:
    return memory_format("<%u x %s>", of->count, scalars[of->scalar].ir);
  case TYPE_ARRAY:
    return memory_format("[%u x %s]", of->count, type_ir(of->parts[0]));
  case TYPE_STRUCT:
    break;
  }
  return memory_format("%%\"class.test::%s\"", of->name);
}

void type_define_ir(FILE *to, const struct_list *structs) {
  for (uint32_t i = 0; i < structs->count; i++) {
    const type *type = structs->items[i];
    fprintf(to, "%s = type %s", type_ir(type), type->packed ? "<{" : "{");
    for (uint32_t j = 0; j < type->count; j++)
      fprintf(to, "%s %s", j ? "," : "", type_ir(type->parts[j]));
    fprintf(to, "%s\n", type->packed ? " }>" : " }");
  }
}

const char *type_c(const type *of, const char *object) {
  switch (of->kind) {
  case TYPE_SCALAR:
    return memory_format("%s %s", scalars[of->scalar].c, object);
  case TYPE_VECTOR:
    return memory_format("%s%u %s", scalars[of->scalar].c, of->count, object);
  case TYPE_ARRAY:
    return type_c(of->parts[0], memory_format("%s[%u]", object, of->count));
  case TYPE_STRUCT:
    break;
  }
  return memory_format("struct %s %s", of->name, object);
}

void type_define_c(FILE *to, const struct_list *structs) {
  for (scalar s = SCALAR_I8; s < SCALAR_COUNT; s++)
    for (uint32_t i = 0; i < sizeof vector_counts / sizeof vector_counts[0]; i++)
      fprintf(to, "typedef %s %s%u __attribute__((ext_vector_type(%u)));\n", scalars[s].c,
              scalars[s].c, vector_counts[i], vector_counts[i]);
  for (uint32_t i = 0; i < structs->count; i++) {
    const type *type = structs->items[i];
    fprintf(to, "struct %s {", type->name);
    for (uint32_t j = 0; j < type->count; j++)
      fprintf(to, " %s;", type_c(type->parts[j], memory_format("m%u", j)));
    fprintf(to, " }%s;\n", type->packed ? " __attribute__((packed))" : "");
  }
}
