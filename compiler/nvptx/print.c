#include "print.h"

#include "../pointer.h"
#include "print_format.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  GENERIC_SPACE = 0,
  CONSTANT_SPACE = 1, /* constant memory is global memory on NVPTX */
  ARGUMENTS_MAX = 32, /* limit of CUDA's vprintf */
  RESULT_BITS = 32,
  ELEMENT_EXTRA = 4, /* bytes that an element adds to a format: "ll", a kind and a comma */
};

typedef struct printing {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef print; /* printf */
} printing;

/* The replacement of one call. */
typedef struct print_call {
  const printing *in;
  LLVMValueRef call;
  unsigned given; /* number of arguments read so far, with the format */
  LLVMValueRef values[ARGUMENTS_MAX];
  unsigned count;
  LLVMValueRef pattern; /* the format for CUDA */
  char *text;           /* text of the format for CUDA */
  size_t length;
} print_call;

/* ---- Arguments ---- */

static LLVMValueRef cast_to_generic(const printing *printing, LLVMValueRef pointer) {
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == GENERIC_SPACE)
    return pointer;
  return LLVMBuildAddrSpaceCast(printing->builder, pointer,
                                LLVMPointerTypeInContext(printing->context, GENERIC_SPACE), "");
}

/* Extends an integer to at least 32 bits; first truncates it if the format's length has fewer. */
static LLVMValueRef promote_integer(const printing *printing, LLVMValueRef value, unsigned bits,
                                    bool is_signed) {
  LLVMTypeRef narrow = LLVMIntTypeInContext(printing->context, bits);
  LLVMTypeRef word = LLVMInt32TypeInContext(printing->context);
  if (bits != 0 && bits < LLVMGetIntTypeWidth(LLVMTypeOf(value)))
    value = LLVMBuildTrunc(printing->builder, value, narrow, "");
  if (LLVMGetIntTypeWidth(LLVMTypeOf(value)) >= 32)
    return value;
  return is_signed ? LLVMBuildSExt(printing->builder, value, word, "")
                   : LLVMBuildZExt(printing->builder, value, word, "");
}

/* Promotes an argument for vprintf: floats to doubles, pointers to generic ones. */
static LLVMValueRef promote_argument(const printing *printing, LLVMValueRef value, unsigned bits,
                                     bool is_signed) {
  switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
    return LLVMBuildFPExt(printing->builder, value, LLVMDoubleTypeInContext(printing->context), "");
  case LLVMPointerTypeKind:
    return cast_to_generic(printing, value);
  case LLVMIntegerTypeKind:
    return promote_integer(printing, value, bits, is_signed);
  default:
    return value;
  }
}

static specpi_compiler_result add_value(print_call *call, LLVMValueRef value) {
  COMPILER_REQUIRE(call->count < ARGUMENTS_MAX, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "printf is called with more than %d arguments, which CUDA's driver does not "
                   "print; those of a vector's elements count",
                   ARGUMENTS_MAX);
  call->values[call->count++] = value;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result take_argument(print_call *call, LLVMValueRef *ret) {
  COMPILER_REQUIRE(call->given < LLVMGetNumArgOperands(call->call),
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "printf is called with %u arguments, and its format wants more",
                   LLVMGetNumArgOperands(call->call) - 1);
  *ret = LLVMGetOperand(call->call, call->given++);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Formats ---- */

static void put_text(print_call *to, const char *text, size_t length) {
  memcpy(to->text + to->length, text, length);
  to->length += length;
}

static bool is_kind(char kind, const char *set) {
  return strchr(set, kind) != NULL;
}

/* Returns whether an argument has the type that a conversion needs. */
static bool is_suitable(LLVMTypeRef type, char kind) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMHalfTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind:
    return is_kind(kind, "fFeEgGaA");
  case LLVMPointerTypeKind:
    return is_kind(kind, "sp");
  case LLVMIntegerTypeKind:
    return is_kind(kind, "diouxXcp") && LLVMGetIntTypeWidth(type) <= 64;
  default:
    return false;
  }
}

static specpi_compiler_result put_element(print_call *to, const print_conversion *how,
                                          LLVMValueRef value) {
  COMPILER_REQUIRE(is_suitable(LLVMTypeOf(value), how->kind), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "argument %u of printf has a type that %%%c does not print", to->given - 1,
                   how->kind);
  LLVMValueRef promoted = promote_argument(to->in, value, how->bits, is_kind(how->kind, "dic"));
  LLVMTypeRef type = LLVMTypeOf(promoted);
  put_text(to, how->text, how->length);
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64 &&
      is_kind(how->kind, "diouxX"))
    put_text(to, "ll", 2);
  put_text(to, &how->kind, 1);
  return add_value(to, promoted);
}

static specpi_compiler_result put_conversion(print_call *to, const print_conversion *how) {
  LLVMValueRef value;
  if (how->kind == '%') {
    put_text(to, "%%", 2);
    return SPECPI_COMPILER_SUCCESS;
  }
  for (unsigned i = 0; i < how->stars; i++) {
    COMPILER_TRY(take_argument(to, &value));
    COMPILER_TRY(add_value(to, promote_argument(to->in, value, 32, true)));
  }
  COMPILER_TRY(take_argument(to, &value));
  const bool is_vector = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
  const unsigned elements = is_vector ? LLVMGetVectorSize(LLVMTypeOf(value)) : 1;
  COMPILER_REQUIRE(elements == how->elements && (how->elements == 1 || how->stars == 0),
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "argument %u of printf has %u elements, and its format wants %u", to->given - 1,
                   elements, how->elements);
  LLVMTypeRef index = LLVMInt32TypeInContext(to->in->context);
  for (unsigned i = 0; i < elements; i++) {
    if (i > 0)
      put_text(to, ",", 1);
    LLVMValueRef element =
        is_vector ? LLVMBuildExtractElement(to->in->builder, value, LLVMConstInt(index, i, 0), "")
                  : value;
    COMPILER_TRY(put_element(to, how, element));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result put_format(print_call *to, const char *format, size_t size) {
  const char *end = format + size;
  print_conversion how;
  size_t plain;
  while (print_format_next(&format, end, &plain, &how)) {
    put_text(to, how.text - plain, plain);
    COMPILER_TRY(put_conversion(to, &how));
  }
  COMPILER_REQUIRE(how.kind != '\0', SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "printf's format has a conversion that is none of OpenCL's: %.*s",
                   (int)(end - how.text < 16 ? end - how.text : 16), how.text);
  put_text(to, format, plain);
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns a constant format's text up to its NUL; NULL if it is known only when the kernel runs. */
static const char *read_format(LLVMValueRef format, size_t *length) {
  format = pointer_strip(format);
  if (LLVMIsAGlobalVariable(format) == NULL || !LLVMIsGlobalConstant(format) ||
      LLVMIsDeclaration(format))
    return NULL;
  LLVMValueRef value = LLVMGetInitializer(format);
  if (LLVMIsAConstantDataArray(value) == NULL || !LLVMIsConstantString(value)) {
    *length = 0;
    return LLVMIsNull(value) ? "" : NULL;
  }
  size_t size;
  const char *text = LLVMGetAsString(value, &size);
  const char *end = memchr(text, '\0', size);
  *length = end != NULL ? (size_t)(end - text) : size;
  return text;
}

static LLVMValueRef make_pattern(const print_call *of) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(of->in->context);
  LLVMTypeRef type = LLVMArrayType(byte, (unsigned)of->length + 1);
  LLVMValueRef ret =
      LLVMAddGlobalInAddressSpace(of->in->module, type, "__specpi_format", CONSTANT_SPACE);
  LLVMSetInitializer(ret,
                     LLVMConstStringInContext(of->in->context, of->text, (unsigned)of->length, 0));
  LLVMSetGlobalConstant(ret, 1);
  LLVMSetLinkage(ret, LLVMInternalLinkage);
  return ret;
}

/* Reads the format, and makes CUDA's format and arguments. */
static specpi_compiler_result expand_call(print_call *call) {
  size_t length;
  LLVMValueRef format = LLVMGetOperand(call->call, 0);
  const char *text = read_format(format, &length);
  call->pattern = format;
  if (text != NULL) {
    /* Each element adds at most the format's length. One element more than the limit is written
     * before that is an error. */
    call->text = malloc(length + (ARGUMENTS_MAX + 1) * (length + ELEMENT_EXTRA) + 1);
    if (call->text == NULL)
      return compiler_error_memory();
    COMPILER_TRY(put_format(call, text, length));
    call->pattern = make_pattern(call);
    return SPECPI_COMPILER_SUCCESS;
  }
  while (call->given < LLVMGetNumArgOperands(call->call)) {
    LLVMValueRef value = LLVMGetOperand(call->call, call->given++);
    COMPILER_REQUIRE(LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVectorTypeKind,
                     SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "printf is called with a vector, and with a format that is no constant");
    COMPILER_TRY(add_value(call, promote_argument(call->in, value, 0, true)));
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Calls ---- */

/* Stores the arguments in a private structure of the function's entry block; returns its pointer.
 */
static LLVMValueRef store_arguments(const print_call *call) {
  const printing *in = call->in;
  LLVMTypeRef types[ARGUMENTS_MAX];
  for (unsigned i = 0; i < call->count; i++)
    types[i] = LLVMTypeOf(call->values[i]);
  LLVMBasicBlockRef entry =
      LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call->call)));
  LLVMTypeRef type = LLVMStructTypeInContext(in->context, types, call->count, 0);
  LLVMPositionBuilder(in->builder, entry, LLVMGetFirstInstruction(entry));
  LLVMValueRef memory = LLVMBuildAlloca(in->builder, type, "");
  LLVMPositionBuilderBefore(in->builder, call->call);
  for (unsigned i = 0; i < call->count; i++)
    LLVMBuildStore(in->builder, call->values[i],
                   LLVMBuildStructGEP2(in->builder, type, memory, i, ""));
  return memory;
}

static void call_driver(const print_call *call) {
  const printing *in = call->in;
  LLVMTypeRef types[] = {LLVMPointerTypeInContext(in->context, GENERIC_SPACE),
                         LLVMPointerTypeInContext(in->context, 0)};
  LLVMTypeRef result = LLVMIntTypeInContext(in->context, RESULT_BITS);
  LLVMTypeRef type = LLVMFunctionType(result, types, 2, 0);
  LLVMValueRef function = LLVMGetNamedFunction(in->module, "vprintf");
  if (function == NULL)
    function = LLVMAddFunction(in->module, "vprintf", type);
  LLVMValueRef arguments[] = {cast_to_generic(in, call->pattern), store_arguments(call)};
  /* CUDA returns a count or a negative number, OpenCL 0 or -1. */
  LLVMValueRef count = LLVMBuildCall2(in->builder, type, function, arguments, 2, "");
  LLVMReplaceAllUsesWith(
      call->call, LLVMBuildAShr(in->builder, count, LLVMConstInt(result, RESULT_BITS - 1, 0), ""));
  LLVMInstructionEraseFromParent(call->call);
}

static specpi_compiler_result replace_call(const printing *printing, LLVMValueRef call) {
  print_call made = {.in = printing, .call = call, .given = 1};
  LLVMPositionBuilderBefore(printing->builder, call);
  const specpi_compiler_result result = expand_call(&made);
  if (result == SPECPI_COMPILER_SUCCESS)
    call_driver(&made);
  free(made.text);
  return result;
}

specpi_compiler_result print_replace(LLVMModuleRef module) {
  printing printing = {.module = module, .context = LLVMGetModuleContext(module)};
  printing.print = LLVMGetNamedFunction(module, "printf");
  if (printing.print == NULL || !LLVMIsDeclaration(printing.print))
    return SPECPI_COMPILER_SUCCESS;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  printing.builder = LLVMCreateBuilderInContext(printing.context);
  LLVMUseRef next;
  for (LLVMUseRef use = LLVMGetFirstUse(printing.print);
       use != NULL && result == SPECPI_COMPILER_SUCCESS; use = next) {
    LLVMValueRef user = LLVMGetUser(use);
    next = LLVMGetNextUse(use);
    /* Other uses are refused later, because printf is then an undefined function. */
    if (LLVMIsACallInst(user) != NULL && LLVMGetCalledValue(user) == printing.print &&
        LLVMTypeOf(user) == LLVMIntTypeInContext(printing.context, RESULT_BITS) &&
        LLVMGetNumArgOperands(user) > 0)
      result = replace_call(&printing, user);
  }
  LLVMDisposeBuilder(printing.builder);
  return result;
}
