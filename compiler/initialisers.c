#define _POSIX_C_SOURCE 200809L /* strndup */
#include "initialisers.h"

#include "layout.h"
#include "note.h"
#include "pointer.h"
#include "target.h"
#include "value_set.h"
#include "vector.h"

#include <stdlib.h>
#include <string.h>

enum { GENERIC_SPACE = 0, WORD_BYTES = 8, WORD_BITS = 64 };

/* A constant of up to 64 bits: a number, or that many bytes after the start of a symbol. */
typedef struct address {
  LLVMValueRef symbol; /* a variable or function; NULL for a number */
  uint64_t number;
  bool is_generic; /* the symbol's address in generic memory, not in the symbol's own space */
} address;

/* An address among the bytes, which are zero there. */
typedef struct fixup {
  uint64_t offset;
  address to;
} fixup;

/* A variable's initial value while it is written. */
typedef struct writing {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  LLVMBuilderRef folder; /* has no place: it folds constants */
  LLVMValueRef variable;
  unsigned char *bytes;
  uint64_t size;
  VECTOR(fixup) fixups; /* by offset */
} writing;

static specpi_compiler_result refuse_value(const writing *it, const char *reason) {
  size_t length;
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                        "the initial value of the variable '%s' %s",
                        LLVMGetValueName2(it->variable, &length), reason);
}

/* ---- Constants of up to 64 bits ---- */

static specpi_compiler_result read_address(const writing *it, LLVMValueRef value, address *ret);

/* Reads a sum or difference. The distance of two places of one variable is a number. */
static specpi_compiler_result read_sum(const writing *it, LLVMValueRef value, bool is_difference,
                                       address *ret) {
  address right;
  COMPILER_TRY(read_address(it, LLVMGetOperand(value, 0), ret));
  COMPILER_TRY(read_address(it, LLVMGetOperand(value, 1), &right));
  const bool cancels = is_difference && ret->symbol == right.symbol;
  if (right.symbol != NULL && !cancels && (is_difference || ret->symbol != NULL))
    return refuse_value(it, "combines two addresses");
  if (cancels)
    ret->symbol = NULL;
  else if (right.symbol != NULL) {
    ret->symbol = right.symbol;
    ret->is_generic = right.is_generic;
  }
  ret->number = is_difference ? ret->number - right.number : ret->number + right.number;
  return SPECPI_COMPILER_SUCCESS;
}

/* Cuts a number to its type's width. An address has no shorter form. */
static specpi_compiler_result cut_number(const writing *it, LLVMTypeRef type, address *ret) {
  const unsigned long long bits = LLVMSizeOfTypeInBits(it->layout, type);
  if (bits >= WORD_BITS)
    return SPECPI_COMPILER_SUCCESS;
  if (ret->symbol != NULL)
    return refuse_value(it, "has a part of an address");
  ret->number &= (UINT64_C(1) << bits) - 1;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result read_expression(const writing *it, LLVMValueRef value, address *ret) {
  switch (LLVMGetConstOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
    COMPILER_TRY(read_sum(it, value, LLVMGetConstOpcode(value) == LLVMSub, ret));
    break;
  case LLVMGetElementPtr: {
    unsigned long long offset = 0;
    COMPILER_TRY(read_address(it, LLVMGetOperand(value, 0), ret));
    if (!pointer_constant_offset(value, it->layout, &offset))
      return refuse_value(it, "has an offset that is not known");
    ret->number += offset;
    return SPECPI_COMPILER_SUCCESS;
  }
  case LLVMAddrSpaceCast:
    COMPILER_TRY(read_address(it, LLVMGetOperand(value, 0), ret));
    /* NULL is 0 in every space. */
    ret->is_generic = LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == GENERIC_SPACE;
    return SPECPI_COMPILER_SUCCESS;
  case LLVMBitCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMTrunc:
  case LLVMZExt:
    COMPILER_TRY(read_address(it, LLVMGetOperand(value, 0), ret));
    break;
  default:
    return refuse_value(it, "is computed from an address");
  }
  return cut_number(it, LLVMTypeOf(value), ret);
}

static specpi_compiler_result read_address(const writing *it, LLVMValueRef value, address *ret) {
  *ret = (address){0};
  if (LLVMIsAGlobalValue(value) != NULL) {
    const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(value));
    if (space == TARGET_LOCAL_SPACE)
      return refuse_value(it,
                          "has the address of local memory, which each work-group has its own of");
    *ret = (address){.symbol = value, .is_generic = space == GENERIC_SPACE};
    return SPECPI_COMPILER_SUCCESS;
  }
  if (LLVMIsNull(value) || LLVMIsUndef(value))
    return SPECPI_COMPILER_SUCCESS;
  if (LLVMIsAConstantExpr(value) != NULL)
    return read_expression(it, value, ret);
  LLVMValueRef bits = layout_number_bits(value, it->layout);
  if (bits == NULL)
    return refuse_value(it, "has a constant of an unknown kind");
  ret->number = LLVMConstIntGetZExtValue(bits);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Bytes ---- */

static void put_bits(const writing *it, uint64_t at, uint64_t number, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if ((number >> i & 1) != 0)
      it->bytes[(at + i) / 8] |= (unsigned char)(1u << (at + i) % 8);
}

/* Puts an integer that may be longer than 64 bits, which C's interface to LLVM cannot read. */
static void put_integer(const writing *it, uint64_t at, LLVMValueRef number, unsigned count) {
  LLVMTypeRef word = LLVMInt64TypeInContext(it->context);
  for (unsigned done = 0; done < count; done += WORD_BITS) {
    LLVMValueRef part = number;
    if (count > WORD_BITS) {
      LLVMValueRef by = LLVMConstInt(LLVMTypeOf(number), done, 0);
      part = LLVMBuildTrunc(it->folder, LLVMBuildLShr(it->folder, number, by, ""), word, "");
    }
    const unsigned left = count - done;
    put_bits(it, at + done, LLVMConstIntGetZExtValue(part), left < WORD_BITS ? left : WORD_BITS);
  }
}

static specpi_compiler_result put_scalar(writing *it, uint64_t at, LLVMValueRef value) {
  const unsigned bits = (unsigned)LLVMSizeOfTypeInBits(it->layout, LLVMTypeOf(value));
  if (LLVMIsAConstantInt(value) != NULL) {
    put_integer(it, at, value, bits);
    return SPECPI_COMPILER_SUCCESS;
  }
  address of;
  COMPILER_TRY(read_address(it, value, &of));
  if (of.symbol == NULL) {
    put_bits(it, at, of.number, bits);
    return SPECPI_COMPILER_SUCCESS;
  }
  if (bits != WORD_BITS || at % 8 != 0)
    return refuse_value(it, "has a part of an address");
  if (of.number > INT32_MAX)
    return refuse_value(it, "has an address before the start of a variable, or far after its end");
  if (!VECTOR_RESERVE(&it->fixups))
    return compiler_error_memory();
  it->fixups.items[it->fixups.count++] = (fixup){.offset = at / 8, .to = of};
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result put_value(writing *it, uint64_t at, LLVMValueRef value);

/* The bits from an aggregate's start to one of its parts: those of a vector are packed. */
static uint64_t part_offset(const writing *it, LLVMTypeRef type, unsigned index) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMStructTypeKind:
    return 8 * LLVMOffsetOfElement(it->layout, type, index);
  case LLVMArrayTypeKind:
    return 8 * index * LLVMABISizeOfType(it->layout, LLVMGetElementType(type));
  default:
    return index * LLVMSizeOfTypeInBits(it->layout, LLVMGetElementType(type));
  }
}

static specpi_compiler_result put_parts(writing *it, uint64_t at, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const uint64_t count = layout_part_count(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMValueRef part = LLVMGetAggregateElement(value, i);
    if (part == NULL)
      return refuse_value(it, "has a part that is not known");
    COMPILER_TRY(put_value(it, at + part_offset(it, type, i), part));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Puts a value at a number of bits after the start, where all is zero so far. */
static specpi_compiler_result put_value(writing *it, uint64_t at, LLVMValueRef value) {
  if (LLVMIsUndef(value) || LLVMIsNull(value))
    return SPECPI_COMPILER_SUCCESS;
  if (pointer_is_text(value)) {
    size_t length;
    const char *text = LLVMGetAsString(value, &length);
    memcpy(it->bytes + at / 8, text, length);
    return SPECPI_COMPILER_SUCCESS;
  }
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
  case LLVMStructTypeKind:
  case LLVMArrayTypeKind:
  case LLVMVectorTypeKind:
    return put_parts(it, at, value);
  default:
    return put_scalar(it, at, value);
  }
}

/* ---- The new initial value ---- */

/* The constant for an address, of the few kinds that the printer prints right. */
static LLVMValueRef make_address(const writing *it, const address *of) {
  LLVMValueRef made = of->symbol;
  if (of->is_generic && LLVMGetPointerAddressSpace(LLVMTypeOf(made)) != GENERIC_SPACE)
    made = LLVMConstAddrSpaceCast(made, LLVMPointerTypeInContext(it->context, GENERIC_SPACE));
  if (of->number == 0)
    return made;
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(it->context), of->number, 0);
  return LLVMConstGEP2(LLVMInt8TypeInContext(it->context), made, &offset, 1);
}

static bool is_aligned(const writing *it) {
  for (size_t i = 0; i < it->fixups.count; i++)
    if (it->fixups.items[i].offset % WORD_BYTES != 0)
      return false;
  return true;
}

typedef VECTOR(LLVMValueRef) values;

/* Appends the bytes [from, to): words where the printer writes words. */
static specpi_compiler_result append_bytes(const writing *it, uint64_t from, uint64_t to,
                                           uint64_t unit, values *ret) {
  for (uint64_t at = from; at < to; at += unit) {
    uint64_t number = 0;
    for (uint64_t i = 0; i < unit; i++)
      number |= (uint64_t)it->bytes[at + i] << 8 * i;
    if (!VECTOR_RESERVE(ret))
      return compiler_error_memory();
    ret->items[ret->count++] =
        LLVMConstInt(LLVMIntTypeInContext(it->context, (unsigned)(8 * unit)), number, 0);
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result append_parts(const writing *it, uint64_t unit, values *ret) {
  uint64_t at = 0;
  for (size_t i = 0; i < it->fixups.count; i++) {
    const fixup *next = &it->fixups.items[i];
    COMPILER_TRY(append_bytes(it, at, next->offset, unit, ret));
    if (!VECTOR_RESERVE(ret))
      return compiler_error_memory();
    ret->items[ret->count++] = make_address(it, &next->to);
    at = next->offset + WORD_BYTES;
  }
  return append_bytes(it, at, it->size, unit, ret);
}

static specpi_compiler_result make_value(const writing *it, LLVMValueRef *ret) {
  if (it->fixups.count == 0) {
    *ret = LLVMConstStringInContext(it->context, (const char *)it->bytes, (unsigned)it->size, 1);
    return SPECPI_COMPILER_SUCCESS;
  }
  values parts = {0};
  const specpi_compiler_result result = append_parts(it, is_aligned(it) ? WORD_BYTES : 1, &parts);
  if (result == SPECPI_COMPILER_SUCCESS)
    *ret = LLVMConstStructInContext(it->context, parts.items, (unsigned)parts.count, 1);
  free(parts.items);
  return result;
}

/* ---- The variables ---- */

/* Returns whether the printer prints a variable right as it is: a number that PTX has a type for.
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

/* Puts a variable with another initial value, and so of another type, in its place. */
static specpi_compiler_result replace_variable(const writing *it, LLVMValueRef value) {
  LLVMValueRef old = it->variable;
  const LLVMLinkage linkage = LLVMGetLinkage(old);
  const unsigned align = LLVMGetAlignment(old) != 0
                             ? LLVMGetAlignment(old)
                             : LLVMPreferredAlignmentOfGlobal(it->layout, old);
  const bool has_words = it->fixups.count > 0 && is_aligned(it);
  size_t length;
  const char *old_name = LLVMGetValueName2(old, &length);
  char *name = strndup(old_name, length);
  if (name == NULL)
    return compiler_error_memory();
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(it->module, LLVMTypeOf(value), "",
                                                  LLVMGetPointerAddressSpace(LLVMTypeOf(old)));
  LLVMSetInitializer(made, value);
  LLVMSetAlignment(made, has_words && align < WORD_BYTES ? WORD_BYTES : align);
  LLVMSetGlobalConstant(made, LLVMIsGlobalConstant(old));
  /* The printer leaves out private variables of some names. */
  LLVMSetLinkage(made, linkage == LLVMPrivateLinkage ? LLVMInternalLinkage : linkage);
  note_move_all(old, made);
  LLVMReplaceAllUsesWith(old, made);
  LLVMDeleteGlobal(old);
  LLVMSetValueName2(made, name, length);
  free(name);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_bytes(writing *it, LLVMValueRef initial) {
  it->bytes = calloc(it->size + WORD_BYTES, 1);
  if (it->bytes == NULL)
    return compiler_error_memory();
  COMPILER_TRY(put_value(it, 0, initial));
  if (it->fixups.count > 0 && is_aligned(it)) /* whole words */
    it->size = (it->size + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
  LLVMValueRef value;
  COMPILER_TRY(make_value(it, &value));
  return replace_variable(it, value);
}

static specpi_compiler_result write_variable(writing *it) {
  LLVMValueRef initial = LLVMGetInitializer(it->variable);
  const bool is_local = LLVMGetPointerAddressSpace(LLVMTypeOf(it->variable)) == TARGET_LOCAL_SPACE;
  it->size = LLVMABISizeOfType(it->layout, LLVMGlobalGetValueType(it->variable));
  if (it->size > UINT32_MAX)
    return refuse_value(it, "has more than 4 GiB");
  LLVMTypeRef type = LLVMArrayType(LLVMInt8TypeInContext(it->context), (unsigned)it->size);
  if (is_local)
    return LLVMIsUndef(initial) || LLVMIsNull(initial)
               ? replace_variable(it, LLVMGetUndef(type))
               : refuse_value(it, "is not known before the launch: it is in local memory");
  if (LLVMIsUndef(initial) || LLVMIsNull(initial))
    return replace_variable(it, LLVMConstNull(type));
  const specpi_compiler_result result = write_bytes(it, initial);
  free(it->bytes);
  free(it->fixups.items);
  return result;
}

/* ---- Circles ---- */

/* Constants on the way to the current one, and those that lead into no circle. */
typedef struct circle_search {
  value_set entered, left;
} circle_search;

static specpi_compiler_result visit_constant(circle_search *it, LLVMValueRef value) {
  if (LLVMIsAConstant(value) == NULL || value_set_has(&it->left, value))
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  bool added = true;
  size_t length;
  if (variable != NULL && !value_set_add(&it->entered, value, &added))
    return compiler_error_memory();
  COMPILER_REQUIRE(
      added, SPECPI_COMPILER_ERROR_INVALID_MODULE,
      "the initial value of the variable '%s' points to the variable itself, or to one "
      "that does, for which neither SPIR-V nor PTX has a form",
      LLVMGetValueName2(value, &length));
  if (variable != NULL || LLVMIsAGlobalValue(value) == NULL)
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
      COMPILER_TRY(visit_constant(it, LLVMGetOperand(value, (unsigned)i)));
  return value_set_add(&it->left, value, NULL) ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

specpi_compiler_result initialisers_check(LLVMModuleRef module) {
  circle_search it = {.entered = {0}};
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  for (LLVMValueRef variable = LLVMGetFirstGlobal(module);
       variable != NULL && result == SPECPI_COMPILER_SUCCESS;
       variable = LLVMGetNextGlobal(variable))
    result = visit_constant(&it, variable);
  value_set_free(&it.entered);
  value_set_free(&it.left);
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
    writing it = start;
    it.variable = next;
    next = next != last ? LLVMGetNextGlobal(next) : NULL; /* new ones come last */
    if (!LLVMIsDeclaration(it.variable) && !is_of_llvm(it.variable) && !is_plain(it.variable))
      result = write_variable(&it);
  }
  LLVMDisposeBuilder(start.folder);
  return result;
}
