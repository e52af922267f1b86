#define _POSIX_C_SOURCE 200809L /* strndup */
#include "initialisers.h"

#include "../plugins/base/vector.h"
#include "layout.h"
#include "note.h"
#include "pointer.h"
#include "target.h"
#include "value_set.h"

#include <stdlib.h>
#include <string.h>

enum { GENERIC_SPACE = 0, WORD_BYTES = 8, WORD_BITS = 64 };

/* A constant of up to 64 bits: a number, or the address number bytes after the start of a symbol.
 */
typedef struct address {
  LLVMValueRef symbol; /* a variable or function; NULL for a number */
  uint64_t number;
  bool is_generic; /* the address is generic, not in the symbol's own address space */
} address;

/* An address in the initial value; its bytes are zero. */
typedef struct fixup {
  uint64_t offset;
  address to;
} fixup;

/* A variable's initial value while it is written. */
typedef struct writing {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef folder; /* builder without a position, which folds constants */
  LLVMValueRef variable;
  unsigned char *bytes;
  uint64_t size;
  VECTOR(fixup) fixups; /* sorted by offset */
} writing;

static specpi_compiler_result refuse_value(const writing *writing, const char *reason) {
  size_t length;
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "the initial value of the variable '%s' %s",
                        LLVMGetValueName2(writing->variable, &length), reason);
}

/* ---- Constants of up to 64 bits ---- */

static specpi_compiler_result read_address(const writing *writing, LLVMValueRef value,
                                           address *ret);

/* Reads a sum or difference. The difference of two addresses in one variable is a number. */
static specpi_compiler_result read_sum(const writing *writing, LLVMValueRef value,
                                       bool is_difference, address *ret) {
  address right;
  COMPILER_TRY(read_address(writing, LLVMGetOperand(value, 0), ret));
  COMPILER_TRY(read_address(writing, LLVMGetOperand(value, 1), &right));
  const bool cancels = is_difference && ret->symbol == right.symbol;
  if (right.symbol != NULL && !cancels && (is_difference || ret->symbol != NULL))
    return refuse_value(writing, "combines two addresses");
  if (cancels)
    ret->symbol = NULL;
  else if (right.symbol != NULL) {
    ret->symbol = right.symbol;
    ret->is_generic = right.is_generic;
  }
  ret->number = is_difference ? ret->number - right.number : ret->number + right.number;
  return SPECPI_COMPILER_SUCCESS;
}

/* Truncates a number to its type's width. Refuses truncated addresses. */
static specpi_compiler_result cut_number(const writing *writing, LLVMTypeRef type, address *ret) {
  const unsigned long long bits = LLVMSizeOfTypeInBits(writing->layout, type);
  if (bits >= WORD_BITS)
    return SPECPI_COMPILER_SUCCESS;
  if (ret->symbol != NULL)
    return refuse_value(writing, "has a part of an address");
  ret->number &= (UINT64_C(1) << bits) - 1;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_expression(const writing *writing, LLVMValueRef value,
                                              address *ret) {
  switch (LLVMGetConstOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
    COMPILER_TRY(read_sum(writing, value, LLVMGetConstOpcode(value) == LLVMSub, ret));
    break;
  case LLVMGetElementPtr: {
    unsigned long long offset = 0;
    COMPILER_TRY(read_address(writing, LLVMGetOperand(value, 0), ret));
    if (!pointer_constant_offset(value, writing->layout, &offset))
      return refuse_value(writing, "has an offset that is not known");
    ret->number += offset;
    return SPECPI_COMPILER_SUCCESS;
  }
  case LLVMAddrSpaceCast:
    COMPILER_TRY(read_address(writing, LLVMGetOperand(value, 0), ret));
    /* NULL is 0 in every address space. */
    ret->is_generic = LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == GENERIC_SPACE;
    return SPECPI_COMPILER_SUCCESS;
  case LLVMBitCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMTrunc:
  case LLVMZExt:
    COMPILER_TRY(read_address(writing, LLVMGetOperand(value, 0), ret));
    break;
  default:
    return refuse_value(writing, "is computed from an address");
  }
  return cut_number(writing, LLVMTypeOf(value), ret);
}

static specpi_compiler_result read_address(const writing *writing, LLVMValueRef value,
                                           address *ret) {
  *ret = (address){0};
  if (LLVMIsAGlobalValue(value) != NULL) {
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(value));
    if (space == TARGET_LOCAL_SPACE)
      return refuse_value(writing,
                          "has the address of local memory, which each work-group has its own of");
    *ret = (address){.symbol = value, .is_generic = space == GENERIC_SPACE};
    return SPECPI_COMPILER_SUCCESS;
  }
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return SPECPI_COMPILER_SUCCESS;
  if (LLVMIsAConstantExpr(value) != NULL)
    return read_expression(writing, value, ret);
  LLVMValueRef bits = layout_number_bits(value, writing->layout);
  if (bits == NULL)
    return refuse_value(writing, "has a constant of an unknown kind");
  ret->number = LLVMConstIntGetZExtValue(bits);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Bytes ---- */

static void put_bits(const writing *writing, uint64_t at, uint64_t number, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if ((number >> i & 1) != 0)
      writing->bytes[(at + i) / 8] |= (unsigned char)(1u << (at + i) % 8);
}

/* Writes an integer; if it has more than 64 bits, in parts, because LLVM's C API cannot read it. */
static void put_integer(const writing *writing, uint64_t at, LLVMValueRef number, unsigned count) {
  LLVMTypeRef word = LLVMInt64TypeInContext(writing->context);
  for (unsigned done = 0; done < count; done += WORD_BITS) {
    LLVMValueRef part = number;
    if (count > WORD_BITS) {
      LLVMValueRef by = LLVMConstInt(LLVMTypeOf(number), done, 0);
      part =
          LLVMBuildTrunc(writing->folder, LLVMBuildLShr(writing->folder, number, by, ""), word, "");
    }
    const unsigned left = count - done;
    put_bits(writing, at + done, LLVMConstIntGetZExtValue(part),
             left < WORD_BITS ? left : WORD_BITS);
  }
}

static specpi_compiler_result put_scalar(writing *writing, uint64_t at, LLVMValueRef value) {
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(writing->layout, LLVMTypeOf(value));
  if (LLVMIsAConstantInt(value) != NULL) {
    put_integer(writing, at, value, bits);
    return SPECPI_COMPILER_SUCCESS;
  }
  address of;
  COMPILER_TRY(read_address(writing, value, &of));
  if (of.symbol == NULL) {
    put_bits(writing, at, of.number, bits);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (bits != WORD_BITS || at % 8 != 0)
    return refuse_value(writing, "has a part of an address");
  if (of.number > INT32_MAX)
    return refuse_value(writing,
                        "has an address before the start of a variable, or far after its end");
  if (!VECTOR_RESERVE(&writing->fixups))
    return compiler_error_memory();
  writing->fixups.items[writing->fixups.count++] = (fixup){.offset = at / 8, .to = of};
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result put_value(writing *writing, uint64_t at, LLVMValueRef value);

/* Returns the offset of an aggregate's part in bits; the elements of a vector are packed. */
static uint64_t part_offset(const writing *writing, LLVMTypeRef type, unsigned index) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return 8 * LLVMOffsetOfElement(writing->layout, type, index);
  case LLVMArrayTypeKind:
    return 8 * index * LLVMABISizeOfType(writing->layout, LLVMGetElementType(type));
  default:
    return index * LLVMSizeOfTypeInBits(writing->layout, LLVMGetElementType(type));
  }
}

static specpi_compiler_result put_parts(writing *writing, uint64_t at, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const uint64_t count = layout_part_count(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = LLVMGetAggregateElement(value, i);
    if (part == NULL)
      return refuse_value(writing, "has a part that is not known");
    COMPILER_TRY(put_value(writing, at + part_offset(writing, type, i), part));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Writes a value at an offset in bits; the bytes there are zero before. */
static specpi_compiler_result put_value(writing *writing, uint64_t at, LLVMValueRef value) {
  if (LLVMIsUndef(value) || LLVMIsNull(value))
    return SPECPI_COMPILER_SUCCESS;
  if (pointer_is_text(value)) {
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    memcpy(writing->bytes + at / 8, text, length);
    return SPECPI_COMPILER_SUCCESS;
  }
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
    return put_parts(writing, at, value);
  default:
    return put_scalar(writing, at, value);
  }
}

/* ---- The new initial value ---- */

/* Makes the constant for an address, in one of the few forms that the printer prints correctly. */
static LLVMValueRef make_address(const writing *writing, const address *of) {
  LLVMValueRef made = of->symbol;
  if (of->is_generic && LLVMGetPointerAddressSpace(LLVMTypeOf(made)) != GENERIC_SPACE)
    made = LLVMConstAddrSpaceCast(made, LLVMPointerTypeInContext(writing->context, GENERIC_SPACE));
  if (of->number == 0)
    return made;
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(writing->context), of->number, 0);
  return LLVMConstGEP2(LLVMInt8TypeInContext(writing->context), made, &offset, 1);
}

static bool is_aligned(const writing *writing) {
  for (size_t i = 0; i < writing->fixups.count; i++)
    if (writing->fixups.items[i].offset % WORD_BYTES != 0)
      return false;
  return true;
}

typedef VECTOR(LLVMValueRef) values;

/* Appends the bytes [from, to), in integers of unit bytes. */
static specpi_compiler_result append_bytes(const writing *writing, uint64_t from, uint64_t to,
                                           uint64_t unit, values *ret) {
  for (uint64_t at = from; at < to; at += unit) {
    uint64_t number = 0;
    for (uint64_t i = 0; i < unit; i++)
      number |= (uint64_t)writing->bytes[at + i] << 8 * i;
    if (!VECTOR_RESERVE(ret))
      return compiler_error_memory();
    ret->items[ret->count++] =
        LLVMConstInt(LLVMIntTypeInContext(writing->context, (unsigned)(8 * unit)), number, 0);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result append_parts(const writing *writing, uint64_t unit, values *ret) {
  uint64_t at = 0;
  for (size_t i = 0; i < writing->fixups.count; i++) {
    const fixup *next = &writing->fixups.items[i];
    COMPILER_TRY(append_bytes(writing, at, next->offset, unit, ret));
    if (!VECTOR_RESERVE(ret))
      return compiler_error_memory();
    ret->items[ret->count++] = make_address(writing, &next->to);
    at = next->offset + WORD_BYTES;
  }
  return append_bytes(writing, at, writing->size, unit, ret);
}

static specpi_compiler_result make_value(const writing *writing, LLVMValueRef *ret) {
  if (writing->fixups.count == 0) {
    *ret = LLVMConstStringInContext(writing->context, (const char *)writing->bytes,
                                    (unsigned)writing->size, 1);
    return SPECPI_COMPILER_SUCCESS;
  }
  values parts = {0};
  const specpi_compiler_result result =
      append_parts(writing, is_aligned(writing) ? WORD_BYTES : 1, &parts);
  if (result == SPECPI_COMPILER_SUCCESS)
    *ret = LLVMConstStructInContext(writing->context, parts.items, (unsigned)parts.count, 1);
  free(parts.items);
  return result;
}

/* ---- The variables ---- */

/* Returns whether the printer prints a variable correctly as it is: PTX has a type for its number.
 */
static bool is_plain(LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  if (LLVMIsAConstantExpr(LLVMGetInitializer(variable)) != NULL)
    return false;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) {
    const unsigned width = LLVMGetIntTypeWidth(type);
    return width >= 8 && width <= WORD_BITS && (width & (width - 1)) == 0;
  }
  return LLVMGetTypeKind(type) == LLVMFloatTypeKind || LLVMGetTypeKind(type) == LLVMDoubleTypeKind;
}

/* Replaces the variable by one with the new initial value, and so with another type. */
static specpi_compiler_result replace_variable(const writing *writing, LLVMValueRef value) {
  LLVMValueRef old = writing->variable;
  const LLVMLinkage linkage = LLVMGetLinkage(old);
  const unsigned align = LLVMGetAlignment(old) != 0
                             ? LLVMGetAlignment(old)
                             : LLVMPreferredAlignmentOfGlobal(writing->layout, old);
  const bool has_words = writing->fixups.count > 0 && is_aligned(writing);
  size_t length;
  const char *old_name = LLVMGetValueName2(old, &length);
  char *name = strndup(old_name, length);
  if (name == NULL)
    return compiler_error_memory();
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(writing->module, LLVMTypeOf(value), "",
                                                  LLVMGetPointerAddressSpace(LLVMTypeOf(old)));
  LLVMSetInitializer(made, value);
  LLVMSetAlignment(made, has_words && align < WORD_BYTES ? WORD_BYTES : align);
  LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(old));
  /* Not private, because the printer leaves out private variables with some names. */
  LLVMSetLinkage(made, linkage == LLVMPrivateLinkage ? LLVMInternalLinkage : linkage);
  note_move_all(old, made);
  LLVMReplaceAllUsesWith(old, made);
  LLVMDeleteGlobal(old);
  LLVMSetValueName2(made, name, length);
  free(name);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_bytes(writing *writing, LLVMValueRef initial) {
  writing->bytes = calloc(writing->size + WORD_BYTES, 1);
  if (writing->bytes == NULL)
    return compiler_error_memory();
  COMPILER_TRY(put_value(writing, 0, initial));
  if (writing->fixups.count > 0 && is_aligned(writing)) /* pads to whole words */
    writing->size = (writing->size + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
  LLVMValueRef value;
  COMPILER_TRY(make_value(writing, &value));
  return replace_variable(writing, value);
}

static specpi_compiler_result write_variable(writing *writing) {
  LLVMValueRef initial = LLVMGetInitializer(writing->variable);
  const bool is_local =
      LLVMGetPointerAddressSpace(LLVMTypeOf(writing->variable)) == TARGET_LOCAL_SPACE;
  writing->size = LLVMABISizeOfType(writing->layout, LLVMGlobalGetValueType(writing->variable));
  if (writing->size > UINT32_MAX)
    return refuse_value(writing, "has more than 4 GiB");
  LLVMTypeRef type =
      LLVMArrayType(LLVMInt8TypeInContext(writing->context), (unsigned)writing->size);
  if (is_local)
    return LLVMIsUndef(initial) || LLVMIsNull(initial)
               ? replace_variable(writing, LLVMGetUndef(type))
               : refuse_value(writing, "is not known before the launch: it is in local memory");
  if (LLVMIsUndef(initial) || LLVMIsNull(initial))
    return replace_variable(writing, LLVMConstNull(type));
  const specpi_compiler_result result = write_bytes(writing, initial);
  free(writing->bytes);
  free(writing->fixups.items);
  return result;
}

/* ---- Cycles ---- */

/* entered has the constants on the path to the current one, left those that lead into no cycle. */
typedef struct circle_search {
  value_set entered, left;
} circle_search;

static specpi_compiler_result visit_constant(circle_search *search, LLVMValueRef value) {
  if (LLVMIsAConstant(value) == NULL || value_set_has(&search->left, value))
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  bool added = true;
  size_t length;
  if (variable != NULL && !value_set_add(&search->entered, value, &added))
    return compiler_error_memory();
  COMPILER_REQUIRE(
      added, SPECPI_COMPILER_ERROR_INVALID_MODULE,
      "the initial value of the variable '%s' points to the variable itself, or to one "
      "that does, for which neither SPIR-V nor PTX has a form",
      LLVMGetValueName2(value, &length));
  if (variable != NULL || LLVMIsAGlobalValue(value) == NULL)
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      COMPILER_TRY(visit_constant(search, LLVMGetOperand(value, (unsigned)i)));
  return value_set_add(&search->left, value, NULL) ? SPECPI_COMPILER_SUCCESS
                                                   : compiler_error_memory();
}

specpi_compiler_result initialisers_check(LLVMModuleRef module) {
  circle_search search = {.entered = {0}};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef variable = LLVMGetFirstGlobal(module);
       variable != NULL && result == SPECPI_COMPILER_SUCCESS;
       variable = LLVMGetNextGlobal(variable))
    result = visit_constant(&search, variable);
  value_set_free(&search.entered);
  value_set_free(&search.left);
  return result;
}

/* ---- All of them ---- */

static bool is_of_llvm(LLVMValueRef variable) {
  size_t length;
  return strncmp(LLVMGetValueName2(variable, &length), "llvm.", strlen("llvm.")) == 0;
}

specpi_compiler_result initialisers_write(LLVMModuleRef module) {
  const writing start = {.module = module,
                         .context = LLVMGetModuleContext(module),
                         .layout = LLVMGetModuleDataLayout(module),
                         .folder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  LLVMValueRef last = LLVMGetLastGlobal(module);
  LLVMValueRef next = LLVMGetFirstGlobal(module);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  while (next != NULL && result == SPECPI_COMPILER_SUCCESS) {
    writing writing = start;
    writing.variable = next;
    next = next != last ? LLVMGetNextGlobal(next) : NULL; /* stops before added variables */
    if (!LLVMIsDeclaration(writing.variable) && !is_of_llvm(writing.variable) &&
        !is_plain(writing.variable))
      result = write_variable(&writing);
  }
  LLVMDisposeBuilder(start.folder);
  return result;
}
