#include "layout.h"

#include <stdlib.h>
#include <string.h>

/* ---- Types ---- */

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
    switch (LLVMGetIntTypeWidth(type)) {
    case 1:
    case 8:
    case 16:
    case 32:
    case 64:
      return true;
    default:
      return false;
    }
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return true;
  default:
    return false;
  }
}

uint64_t layout_part_count(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return LLVMCountStructElementTypes(type);
  case LLVMArrayTypeKind:
    return LLVMGetArrayLength(type);
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type);
  default:
    return 0;
  }
}

/* Returns the type of an aggregate's part, and its offset in the aggregate. */
static LLVMTypeRef part(LLVMTypeRef type, LLVMTargetDataRef data_layout, unsigned index,
                        uint32_t *offset) {
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
    *offset = (uint32_t)LLVMOffsetOfElement(data_layout, type, index);
    return LLVMStructGetTypeAtIndex(type, index);
  }
  LLVMTypeRef element = LLVMGetElementType(type);
  *offset = index * (uint32_t)(LLVMGetTypeKind(type) == LLVMArrayTypeKind
                                   ? LLVMABISizeOfType(data_layout, element)
                                   : LLVMStoreSizeOfType(data_layout, element));
  return element;
}

static specpi_compiler_result too_large(const char **why) {
  *why = "has more than 1048576 bytes";
  return SPECPI_COMPILER_ERROR_LIMIT;
}

static specpi_compiler_result check_size(LLVMTypeRef type, LLVMTargetDataRef data_layout,
                                         const char **why) {
  return LLVMABISizeOfType(data_layout, type) <= SPECPI_COMPILER_CONSTANT_MAX
             ? SPECPI_COMPILER_SUCCESS
             : too_large(why);
}

static specpi_compiler_result unsupported(const char **why, const char *text) {
  *why = text;
  return SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE;
}

static bool points_to_function(LLVMTypeRef pointer) {
  return !LLVMPointerTypeIsOpaque(pointer) &&
         LLVMGetTypeKind(LLVMGetElementType(pointer)) == LLVMFunctionTypeKind;
}

static specpi_compiler_result check_type(LLVMTypeRef type, LLVMTargetDataRef data_layout,
                                         const char **why) {
  if (is_scalar(type))
    return SPECPI_COMPILER_SUCCESS;
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    if (LLVMIsOpaqueStruct(type))
      return unsupported(why, "has a structure without a definition");
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
      COMPILER_TRY(check_type(LLVMStructGetTypeAtIndex(type, i), data_layout, why));
    return check_size(type, data_layout, why);
  case LLVMArrayTypeKind:
    COMPILER_TRY(check_type(LLVMGetElementType(type), data_layout, why));
    /* Elements without bytes would make the length unlimited, whatever the size. */
    if (LLVMABISizeOfType(data_layout, LLVMGetElementType(type)) == 0)
      return unsupported(why, "has an array of elements without bytes");
    /* The product overflows if the size does. */
    if (LLVMGetArrayLength(type) * LLVMABISizeOfType(data_layout, LLVMGetElementType(type)) !=
        LLVMABISizeOfType(data_layout, type))
      return too_large(why);
    return check_size(type, data_layout, why);
  case LLVMVectorTypeKind:
    if (!is_scalar(LLVMGetElementType(type)))
      return unsupported(why, "has a vector of what is no number");
    if (LLVMGetElementType(type) == LLVMInt1TypeInContext(LLVMGetTypeContext(type)))
      return unsupported(why, "has a vector of single bits");
    return check_size(type, data_layout, why);
  case LLVMIntegerTypeKind:
    return unsupported(why,
                       LLVMGetIntTypeWidth(type) < 64
                           ? "has an integer whose width is not 1, 8, 16, 32 or 64 bits"
                           : "has an integer, or bit-fields without a gap, of more than 64 bits");
  case LLVMBFloatTypeKind:
  case LLVMFP128TypeKind:
  case LLVMX86_FP80TypeKind:
  case LLVMPPC_FP128TypeKind:
    return unsupported(why, "has a floating-point number that is not half, float or double");
  case LLVMPointerTypeKind:
    return unsupported(why,
                       points_to_function(type) ? "has a pointer to a function" : "has a pointer");
  default:
    return unsupported(why, "has a type that no constant can have");
  }
}

specpi_compiler_result layout_check_type(LLVMTypeRef type, LLVMTargetDataRef data_layout,
                                         const char **why) {
  COMPILER_TRY(check_type(type, data_layout, why));
  return LLVMABISizeOfType(data_layout, type) != 0 ? SPECPI_COMPILER_SUCCESS
                                                   : unsupported(why, "has no bytes");
}

/* ---- Defaults ---- */

void image_free(image *freed) {
  free(freed->bytes);
  free(freed->defined);
  *freed = (image){0};
}

/* Marks the scalars of a null value as defined; their bytes are already zero. */
static void define(image *image, LLVMTypeRef type, LLVMTargetDataRef data_layout, uint32_t offset) {
  if (is_scalar(type)) {
    memset(image->defined + offset, 1, LLVMStoreSizeOfType(data_layout, type));
    return;
  }
  for (unsigned i = 0; i < layout_part_count(type); i++) {
    uint32_t at;
    LLVMTypeRef element = part(type, data_layout, i, &at);
    define(image, element, data_layout, offset + at);
  }
}

LLVMValueRef layout_number_bits(LLVMValueRef value, LLVMTargetDataRef data_layout) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsAConstantFP(value) == NULL)
    return LLVMIsAConstantInt(value);
  const unsigned width = (unsigned)LLVMSizeOfTypeInBits(data_layout, type);
  return LLVMIsAConstantInt(
      LLVMConstBitCast(value, LLVMIntTypeInContext(LLVMGetTypeContext(type), width)));
}

static specpi_compiler_result store_value(image *image, LLVMValueRef value,
                                          LLVMTargetDataRef data_layout, uint32_t offset,
                                          const char **why) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMIsUndef(value))
    return SPECPI_COMPILER_SUCCESS;
  if (LLVMIsNull(value)) {
    define(image, type, data_layout, offset);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (is_scalar(type)) {
    LLVMValueRef bits = layout_number_bits(value, data_layout);
    if (bits == NULL) {
      *why = "has a default that is computed later";
      return SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
    }
    const unsigned long long number = LLVMConstIntGetZExtValue(bits);
    const size_t size = LLVMStoreSizeOfType(data_layout, type);
    for (size_t i = 0; i < size; i++)
      image->bytes[offset + i] = (unsigned char)(number >> (8 * i));
    memset(image->defined + offset, 1, size);
    return SPECPI_COMPILER_SUCCESS;
  }
  for (unsigned i = 0; i < layout_part_count(type); i++) {
    uint32_t at;
    part(type, data_layout, i, &at);
    LLVMValueRef element = LLVMGetAggregateElement(value, i);
    if (element == NULL) {
      *why = "has a default that is computed later";
      return SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
    }
    COMPILER_TRY(store_value(image, element, data_layout, offset + at, why));
  }
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result image_make(LLVMValueRef value, LLVMTargetDataRef data_layout, image *ret,
                                  const char **why) {
  LLVMTypeRef type = LLVMTypeOf(value);
  *why = NULL;
  COMPILER_TRY(check_type(type, data_layout, why));
  image image = {.size = (uint32_t)LLVMStoreSizeOfType(data_layout, type)};
  /* One more byte, because calloc may return NULL for 0 bytes. */
  image.bytes = calloc(image.size + 1u, 1);
  image.defined = calloc(image.size + 1u, 1);
  const specpi_compiler_result result = image.bytes != NULL && image.defined != NULL
                                            ? store_value(&image, value, data_layout, 0, why)
                                            : SPECPI_COMPILER_ERROR_OUT_OF_MEMORY;
  if (result != SPECPI_COMPILER_SUCCESS)
    image_free(&image);
  else
    *ret = image;
  return result;
}

LLVMValueRef image_scalar(const image *image, const node *scalar) {
  unsigned long long bits = 0;
  for (uint32_t i = 0; i < scalar->size; i++)
    bits |= (unsigned long long)image->bytes[scalar->offset + i] << (8 * i);
  if (LLVMGetTypeKind(scalar->type) == LLVMIntegerTypeKind)
    return LLVMConstInt(scalar->type, bits, 0);
  LLVMTypeRef integer = LLVMIntTypeInContext(LLVMGetTypeContext(scalar->type), 8 * scalar->size);
  return LLVMConstBitCast(LLVMConstInt(integer, bits, 0), scalar->type);
}

static bool is_defined(const image *image, uint32_t offset, uint32_t size) {
  return size != 0 && memchr(image->defined + offset, 1, size) != NULL;
}

/* ---- Layout ---- */

typedef struct builder {
  LLVMTargetDataRef data_layout;
  image *from;
  layout *to;
} builder;

static specpi_compiler_result add_descriptor(builder *b, uint32_t id, uint32_t offset,
                                             uint32_t size) {
  if (!VECTOR_RESERVE(&b->to->descriptors))
    return compiler_error_memory();
  b->to->descriptors.items[b->to->descriptors.count++] =
      (specpi_compiler_descriptor){.id = id, .offset = offset, .size = size};
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Appends the nodes and descriptors of a part. *end receives the end of its last described byte,
 * and is unchanged for a part without bytes. A structure is described up to its end, because
 * runtimes add up sizes. If its last member is a hole, the padding starts at the hole.
 */
static specpi_compiler_result append_type(builder *b, LLVMTypeRef type, uint32_t offset,
                                          bool member, uint32_t *end) {
  layout *to = b->to;
  if (!VECTOR_RESERVE(&to->nodes))
    return compiler_error_memory();
  node *added = &to->nodes.items[to->nodes.count++];
  const uint32_t size = (uint32_t)LLVMStoreSizeOfType(b->data_layout, type);
  *added = (node){.type = type, .offset = offset, .size = size};
  const bool defined = is_defined(b->from, offset, size);
  if (!defined && member) {
    added->kind = NODE_HOLE;
    added->id = to->id_count++;
    if (size != 0) /* otherwise the bytes before it still need a descriptor */
      *end = offset;
    return SPECPI_COMPILER_SUCCESS;
  }
  *end = offset + size;
  if (!defined)
    define(b->from, type, b->data_layout, offset);
  if (is_scalar(type)) {
    added->kind = NODE_SCALAR;
    added->id = to->id_count++;
    return add_descriptor(b, added->id, offset, size);
  }
  added->kind = NODE_AGGREGATE;
  const unsigned parts = (unsigned)layout_part_count(type);
  added->parts = parts;
  const bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
  uint32_t described = offset;
  for (unsigned i = 0; i < parts; i++) {
    uint32_t at;
    LLVMTypeRef element = part(type, b->data_layout, i, &at);
    COMPILER_TRY(append_type(b, element, offset + at, is_struct, &described));
  }
  if (is_struct && described < offset + size)
    COMPILER_TRY(add_descriptor(b, SPECPI_COMPILER_PADDING, described, offset + size - described));
  if (!is_struct)
    *end = described;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result layout_make(LLVMTypeRef type, LLVMTargetDataRef data_layout, image *from,
                                   layout *ret) {
  layout layout = {.size = from->size};
  builder b = {.data_layout = data_layout, .from = from, .to = &layout};
  uint32_t end;
  specpi_compiler_result result = append_type(&b, type, 0, false, &end);
  /* Describes bytes of the default after the end of the type, or of an array's last element. */
  if (result == SPECPI_COMPILER_SUCCESS && end < layout.size)
    result = add_descriptor(&b, SPECPI_COMPILER_PADDING, end, layout.size - end);
  if (result != SPECPI_COMPILER_SUCCESS)
    layout_free(&layout);
  else
    *ret = layout;
  return result;
}

void layout_free(layout *freed) {
  free(freed->nodes.items);
  free(freed->descriptors.items);
  *freed = (layout){0};
}

bool layout_types_match(LLVMTypeRef a, LLVMTypeRef b, LLVMTargetDataRef data_layout) {
  if (a == b)
    return true;
  if (is_scalar(a) || LLVMGetTypeKind(a) != LLVMGetTypeKind(b) ||
      layout_part_count(a) != layout_part_count(b) ||
      LLVMABISizeOfType(data_layout, a) != LLVMABISizeOfType(data_layout, b))
    return false;
  for (unsigned i = 0; i < layout_part_count(a); i++) {
    uint32_t at_a;
    uint32_t at_b;
    LLVMTypeRef part_a = part(a, data_layout, i, &at_a);
    LLVMTypeRef part_b = part(b, data_layout, i, &at_b);
    if (at_a != at_b || !layout_types_match(part_a, part_b, data_layout))
      return false;
    if (LLVMGetTypeKind(a) != LLVMStructTypeKind)
      break; /* all elements have the same type */
  }
  return true;
}
