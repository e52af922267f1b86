/* Describes types of a SPIR-V module in words. */
#include "spirv_types.h"

#include <stdio.h>
#include <string.h>

/* Limits of a description: nesting depth, because a pointer chain may be long; length of a name. */
enum { DEPTH_MAX = 4, NAME_MAX_SHOWN = 64 };

/* X(storage class, word) */
#define CLASSES(X)                                                                                 \
  X(SPIRV_CLASS_UNIFORM_CONSTANT, "constant ")                                                     \
  X(SPIRV_CLASS_WORKGROUP, "local ")                                                               \
  X(SPIRV_CLASS_CROSS_WORKGROUP, "global ")                                                        \
  X(SPIRV_CLASS_FUNCTION, "private ")                                                              \
  X(SPIRV_CLASS_GENERIC, "generic ")

static const char *class_word(pi_uint32 class) {
  switch (class) {
#define CLASS(number, word)                                                                        \
  case number:                                                                                     \
    return word;
    CLASSES(CLASS)
#undef CLASS
  default:
    return "";
  }
}

/* A growing text, truncated to size. */
typedef struct writer {
  char *text;
  size_t size, used;
} writer;

static void put_words(writer *to, const char *words) {
  while (*words && to->used + 1 < to->size)
    to->text[to->used++] = *words++;
  to->text[to->used] = '\0';
}

static void put_number(writer *to, const char *before, pi_uint32 number, const char *behind) {
  char text[64];
  snprintf(text, sizeof text, "%s%u%s", before, number, behind);
  put_words(to, text);
}

/*
 * Writes a structure, without clang's prefix "struct." or "union.". Control characters, which a
 * terminal could act on, become "?".
 */
static void put_struct(writer *to, spirv_types *types, const spirv_type *type, int depth) {
  const char *name = type->name ? type->name : "";
  const char *kind = strncmp(name, "union.", 6) == 0 ? "union" : "struct";
  put_words(to, kind);
  if (strncmp(name, "struct.", 7) == 0 || strncmp(name, "union.", 6) == 0)
    name = strchr(name, '.') + 1;
  char shown[NAME_MAX_SHOWN + 2] = " ";
  for (size_t i = 0; i < NAME_MAX_SHOWN && name[i]; i++)
    shown[i + 1] = (char)(name[i] < ' ' || name[i] == 0x7f ? '?' : name[i]);
  put_words(to, shown[1] ? shown : "");
  const pi_uint32 size = depth == 0 ? spirv_types_measure(types, type->id) : 0;
  if (size != 0)
    put_number(to, " of ", size, size == 1 ? " byte" : " bytes");
}

/*
 * Words 2 to 9 of OpTypeImage: sampled type, dimensions, depth, arrayed, multisampled, sampled,
 * format, access.
 */
static void put_image(writer *to, const spirv_instruction *instruction) {
  static const char *const dimensions[] = {"1d", "2d", "3d", "_cube", "_rect", "1d_buffer"};
  static const char *const accesses[] = {"read_only ", "write_only ", "read_write "};
  const pi_uint32 dimension = instruction->words >= 9 ? spirv_word(instruction, 3) : UINT32_MAX;
  const pi_uint32 access = instruction->words >= 10 ? spirv_word(instruction, 9) : UINT32_MAX;
  put_words(to, access < 3 ? accesses[access] : "");
  put_words(to, "image");
  if (dimension >= sizeof dimensions / sizeof dimensions[0])
    return;
  put_words(to, dimensions[dimension]);
  put_words(to, spirv_word(instruction, 5) ? "_array" : "");
  put_words(to, spirv_word(instruction, 6) ? "_msaa" : "");
  put_words(to, spirv_word(instruction, 4) == 1 ? "_depth" : "");
}

static void put_type(writer *to, spirv_types *types, pi_uint32 id, int depth);

static void put_composite(writer *to, spirv_types *types, const spirv_instruction *instruction,
                          int depth) {
  if (instruction->words < 4) {
    put_words(to, "?");
    return;
  }
  if (instruction->opcode == SPIRV_OP_TYPE_POINTER) {
    put_words(to, class_word(spirv_word(instruction, 2)));
    put_type(to, types, spirv_word(instruction, 3), depth + 1);
    put_words(to, "*");
    return;
  }
  put_type(to, types, spirv_word(instruction, 2), depth + 1);
  if (instruction->opcode == SPIRV_OP_TYPE_VECTOR)
    put_number(to, "x", spirv_word(instruction, 3), "");
  else if (spirv_types_length(types, instruction) != 0)
    put_number(to, "[", spirv_types_length(types, instruction), "]");
  else
    put_words(to, "[?]");
}

static void put_type(writer *to, spirv_types *types, pi_uint32 id, int depth) {
  const spirv_type *type = spirv_types_find(types, id);
  const int scalar = type ? spirv_scalar_find(&type->instruction) : -1;
  if (scalar >= 0) {
    put_words(to, spirv_scalar_name(scalar));
    return;
  }
  if (!type || depth > DEPTH_MAX) {
    put_words(to, "?");
    return;
  }
  switch (type->instruction.opcode) {
  case SPIRV_OP_TYPE_POINTER:
  case SPIRV_OP_TYPE_VECTOR:
  case SPIRV_OP_TYPE_ARRAY:
    put_composite(to, types, &type->instruction, depth);
    break;
  case SPIRV_OP_TYPE_STRUCT:
    put_struct(to, types, type, depth);
    break;
  case SPIRV_OP_TYPE_IMAGE:
    put_image(to, &type->instruction);
    break;
  case SPIRV_OP_TYPE_SAMPLED_IMAGE:
    put_words(to, "sampled image");
    break;
  case SPIRV_OP_TYPE_SAMPLER:
    put_words(to, "sampler");
    break;
  default:
    put_words(to, "?");
    break;
  }
}

/*
 * Returns the target's type for a pointer to private memory, because a structure is passed by such
 * a pointer. Returns id for other types.
 */
static pi_uint32 passed_type(const spirv_types *types, pi_uint32 id) {
  const spirv_type *type = spirv_types_find(types, id);
  return type && type->instruction.opcode == SPIRV_OP_TYPE_POINTER &&
                 type->instruction.words >= 4 &&
                 spirv_word(&type->instruction, 2) == SPIRV_CLASS_FUNCTION
             ? spirv_word(&type->instruction, 3)
             : id;
}

void spirv_types_describe(spirv_types *types, pi_uint32 id, char *ret, size_t size) {
  writer to = {ret, size, 0};
  put_words(&to, "");
  put_type(&to, types, passed_type(types, id), 0);
}

const char *spirv_types_scalar(const spirv_types *types, pi_uint32 id) {
  for (int depth = 0; depth <= DEPTH_MAX; depth++) {
    const spirv_type *type = spirv_types_find(types, id);
    if (!type)
      return NULL;
    const spirv_instruction *instruction = &type->instruction;
    const int scalar = spirv_scalar_find(instruction);
    if (scalar >= 0)
      return spirv_scalar_name(scalar);
    const bool is_pointer = instruction->opcode == SPIRV_OP_TYPE_POINTER;
    if (instruction->words < 4 || (is_pointer && depth > 0) ||
        (!is_pointer && instruction->opcode != SPIRV_OP_TYPE_VECTOR &&
         instruction->opcode != SPIRV_OP_TYPE_ARRAY))
      return NULL;
    id = spirv_word(instruction, is_pointer ? 3 : 2);
  }
  return NULL;
}
