#include "case.h"

#include "memory.h"

#include <string.h>

uint64_t case_bits(generator *from, scalar of) {
  const uint32_t width = 8 * scalars[of].size;
  const uint64_t all = ~UINT64_C(0) >> (64 - width);
  const uint64_t sign = UINT64_C(1) << (width - 1);
  const bool real = of == SCALAR_HALF || of == SCALAR_FLOAT || of == SCALAR_DOUBLE;
  const uint32_t mantissa = of == SCALAR_HALF ? 10 : of == SCALAR_FLOAT ? 23 : 52;
  const uint64_t infinity = all & ~sign & ~((UINT64_C(1) << mantissa) - 1);
  const uint64_t any = random_bits(from) & all;
  if (of == SCALAR_BOOL)
    return any & 1;
  switch (random_below(from, 8)) {
  case 0:
    return 0;
  case 1:
    return all;
  case 2:
    return sign; /* the smallest integer, or the negative zero */
  case 3:
    return sign - 1;
  case 4:
    return real ? infinity | (any & sign) : any & 15;
  case 5: /* for floating point a NaN with a payload, quiet or signalling */
    return real ? infinity | any | 1 : any;
  default:
    return any;
  }
}

static void put(unsigned char *to, uint64_t bits, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    to[i] = (unsigned char)(bits >> (8 * i));
}

static void make_value(generator *from, constant *constant) {
  constant->value = memory_new(constant->defaults[0].size);
  const uint32_t how = random_below(from, 4); /* 0 sets no leaf, 1 sets some, others set all */
  for (uint32_t i = 0; i < constant->leaves.count; i++) {
    const leaf *at = &constant->leaves.items[i];
    put(constant->value + at->offset,
        constant->elements ? 1 + random_below(from, ELEMENTS_MAX) : case_bits(from, at->scalar),
        scalars[at->scalar].size);
    constant->set[i] = how > 1 || (how == 1 && random_chance(from, 50));
    constant->set_any |= constant->set[i];
  }
}

static void make_constant(generator *from, test_case *of, constant *constant) {
  const uint32_t number = (uint32_t)(constant - of->constants);
  switch (random_below(from, 4)) {
  case 0:
    constant->name = memory_format("c%u", number);
    break;
  case 1:
    constant->name = memory_format("_ZTSN2ns4nameILi%uEE", number);
    break;
  case 2:
    constant->name = memory_format("a name, number %u", number);
    break;
  default:
    constant->name = memory_format("uid____ZL6local%u", number);
    break;
  }
  constant->elements = !of->in_c && random_chance(from, 10);
  constant->type =
      constant->elements ? type_integer(from) : type_random(from, &of->structs, of->in_c);
  type_leaves(constant->type, &constant->leaves);
  constant->legacy = !constant->elements && random_chance(from, 8);
  /* In OpenCL C there is one default, because clang decides which use is first. */
  constant->default_count = constant->legacy || of->in_c || !random_chance(from, 15) ? 1 : 2;
  for (uint32_t i = 0; i < constant->default_count; i++) {
    if (constant->elements)
      default_make_elements(from, constant->type, &constant->defaults[i]);
    else if (constant->legacy)
      default_make_zero(constant->type, &constant->defaults[i]);
    else if (of->in_c)
      default_make_c(from, constant->type, &constant->defaults[i]);
    else
      default_make_ir(from, constant->type, &constant->defaults[i]);
  }
  expect_ids(constant);
  make_value(from, constant);
}

bool place_is_kernel(use_place place) {
  return place == PLACE_KERNEL || place == PLACE_PARAMETER;
}

static void make_use(generator *from, const test_case *of, uint32_t constant_index, use *use) {
  const type *as = of->constants[constant_index].type;
  const bool aggregate = as->kind == TYPE_ARRAY || as->kind == TYPE_STRUCT;
  use->constant = constant_index;
  use->place = (use_place)random_below(from, PLACE_COUNT);
  use->levels = use->place != PLACE_KERNEL && random_chance(from, 50)
                    ? 1 + random_below(from, LEVELS_MAX)
                    : 0;
  use->store = (use_store)random_below(from, STORE_COUNT);
  if (as->kind == TYPE_SCALAR && as->scalar == SCALAR_BOOL)
    use->store = STORE_LEAVES;
  use->by_pointer = aggregate && random_chance(from, 60);
  use->name_in_slot = random_chance(from, 30);
  use->default_in_slot = random_chance(from, 30);
  use->pass_buffer = random_chance(from, 50);
  use->elements = of->constants[constant_index].elements && place_is_kernel(use->place);
  use->in_kernel[random_below(from, of->kernel_count)] = true;
  for (uint32_t k = 0; k < of->kernel_count; k++)
    use->in_kernel[k] |= random_chance(from, 25);
}

/* Returns a rank of a use in the module: functions come before kernels, each in order. */
static uint32_t position(const test_case *of, uint32_t index) {
  const use *use = &of->uses[index];
  if (!place_is_kernel(use->place))
    return index;
  uint32_t kernel = 0;
  while (!use->in_kernel[kernel])
    kernel++;
  return (kernel + 1) * USES_MAX + index;
}

/* Lets the first use of a constant have the first default, and the others either default. */
static void choose_defaults(generator *from, test_case *of) {
  for (uint32_t c = 0; c < of->constant_count; c++) {
    uint32_t first = UINT32_MAX;
    for (uint32_t i = 0; i < of->use_count; i++)
      if (of->uses[i].constant == c &&
          (first == UINT32_MAX || position(of, i) < position(of, first)))
        first = i;
    for (uint32_t i = 0; i < of->use_count; i++)
      if (of->uses[i].constant == c && i != first)
        of->uses[i].default_index = random_below(from, of->constants[c].default_count);
  }
}

static void place_regions(test_case *of) {
  enum { ALIGNMENT = 128 };
  for (uint32_t k = 0; k < of->kernel_count; k++)
    for (uint32_t i = 0; i < of->use_count; i++) {
      if (!of->uses[i].in_kernel[k])
        continue;
      of->regions[of->region_count++] = (region){i, k, of->output_size};
      const uint32_t size = of->constants[of->uses[i].constant].type->size;
      of->output_size += (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}

void case_make(uint64_t seed, uint32_t index, test_case *ret) {
  generator from = random_start(seed, index);
  *ret = (test_case){.seed = seed, .index = index};
  ret->in_c = random_chance(&from, 25);
  ret->optimised = random_chance(&from, 50);
  ret->typed = random_chance(&from, 40);
  ret->kernel_count = 1 + random_below(&from, KERNELS_MAX);
  for (uint32_t i = 0; i < ret->kernel_count; i++)
    ret->kernels[i] = (kernel_facts){.has_buffer = random_chance(&from, 40),
                                     .buffer_first = random_chance(&from, 50),
                                     .has_number = random_chance(&from, 50)};
  ret->constant_count = 1 + random_below(&from, CONSTANTS_MAX);
  for (uint32_t i = 0; i < ret->constant_count; i++) {
    make_constant(&from, ret, &ret->constants[i]);
    const uint32_t uses = 1 + random_below(&from, 3);
    for (uint32_t j = 0; j < uses; j++)
      make_use(&from, ret, i, &ret->uses[ret->use_count++]);
    for (uint32_t j = 0; j < ret->use_count; j++)
      ret->has_elements |= ret->uses[j].elements;
  }
  choose_defaults(&from, ret);
  place_regions(ret);
}

static void describe_bytes(FILE *to, const unsigned char *bytes, uint32_t size) {
  for (uint32_t i = size; i-- > 0;)
    fprintf(to, "%02x", bytes[i]);
}

const char *case_describe(const test_case *of) {
  text text;
  text_open(&text);
  fprintf(text.file, "seed %llu, case %u: %s, pointers %s\n", (unsigned long long)of->seed,
          of->index, of->in_c ? of->optimised ? "OpenCL C, -O2" : "OpenCL C, -O0" : "LLVM assembly",
          of->typed ? "with types" : "without types");
  for (uint32_t c = 0; c < of->constant_count; c++) {
    const constant *k = &of->constants[c];
    fprintf(text.file, "constant '%s': %s, %u bytes%s\n", k->name, type_ir(k->type),
            k->defaults[0].size, k->legacy ? ", of the older function" : "");
    for (uint32_t i = 0; i < k->leaves.count; i++) {
      const leaf *at = &k->leaves.items[i];
      const uint32_t size = scalars[at->scalar].size;
      fprintf(text.file, "  %s at %u: default 0x", scalars[at->scalar].ir, at->offset);
      describe_bytes(text.file, k->defaults[0].bytes + at->offset, size);
      if (k->hole[i])
        fprintf(text.file, ", a hole");
      if (k->set[i]) {
        fprintf(text.file, ", set to 0x");
        describe_bytes(text.file, k->value + at->offset, size);
      }
      fprintf(text.file, "\n");
    }
  }
  return text_close(&text);
}
