#include "images.h"

#include "../../plugins/code/image_argument.h"
#include "../attributes.h"
#include "../note.h"
#include "../nvptx/kernel_arguments.h"

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

typedef struct settling {
  LLVMContextRef context;
  note types; /* OpenCL C's names of the types of a kernel's arguments */
} settling;

static bool is_named(const settling *settling, unsigned index, const char *beginning) {
  unsigned length = 0;
  const char *name = index < settling->types.count && settling->types.operands[index] != NULL
                         ? LLVMGetMDString(settling->types.operands[index], &length)
                         : NULL;
  return name != NULL && length >= strlen(beginning) &&
         memcmp(name, beginning, strlen(beginning)) == 0;
}

/* Returns a parameter's new type: a pointer to an image's description, a sampler's number, or NULL
 * for other parameters. */
static LLVMTypeRef type_of(LLVMValueRef parameter, unsigned index, void *data) {
  const settling *settling = data;
  if (LLVMGetTypeKind(LLVMTypeOf(parameter)) != LLVMPointerTypeKind)
    return NULL;
  if (is_named(settling, index, "sampler_t"))
    return LLVMInt32TypeInContext(settling->context);
  /* The program's own types may also have names that begin so, but they are not pointers to global
   * memory. */
  return is_named(settling, index, "image") &&
                 LLVMGetPointerAddressSpace(LLVMTypeOf(parameter)) == 1
             ? LLVMPointerTypeInContext(settling->context, 0)
             : NULL;
}

/* Converts a new parameter to the old type. It goes through an integer, because the values point
 * into no address space in LLVM's sense. */
static LLVMValueRef value_of(LLVMBuilderRef builder, LLVMValueRef made, LLVMTypeRef old,
                             void *data) {
  const settling *settling = data;
  LLVMTypeRef word = LLVMInt64TypeInContext(settling->context);
  const bool is_image = LLVMGetTypeKind(LLVMTypeOf(made)) == LLVMPointerTypeKind;
  LLVMValueRef number = is_image ? LLVMBuildPtrToInt(builder, made, word, "")
                                 : LLVMBuildZExt(builder, made, word, "");
  return LLVMBuildIntToPtr(builder, number, old, "");
}

static LLVMAttributeRef make_attribute(LLVMContextRef context, const char *name, LLVMTypeRef type,
                                       unsigned long long value) {
  const unsigned kind = attributes_kind(name);
  return type != NULL ? LLVMCreateTypeAttribute(context, kind, type)
                      : LLVMCreateEnumAttribute(context, kind, value);
}

/* Makes image parameters pass the descriptions by value. */
static void pass_by_value(const settling *settling, LLVMValueRef kernel) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(settling->context);
  LLVMTypeRef description = LLVMArrayType(byte, sizeof(image_argument));
  for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(kernel, i));
    if (!is_named(settling, i, "image") || LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(type) != 0)
      continue;
    LLVMAddAttributeAtIndex(kernel, i + 1,
                            make_attribute(settling->context, "byval", description, 0));
    LLVMAddAttributeAtIndex(
        kernel, i + 1, make_attribute(settling->context, "align", NULL, alignof(image_argument)));
  }
}

specpi_compiler_result images_settle(LLVMModuleRef module) {
  settling settling = {.context = LLVMGetModuleContext(module)};
  const argument_change change = {.type_of = type_of, .value_of = value_of, .data = &settling};
  LLVMValueRef next;
  for (LLVMValueRef kernel = LLVMGetFirstFunction(module); kernel != NULL; kernel = next) {
    next = LLVMGetNextFunction(kernel);
    if (LLVMIsDeclaration(kernel) || LLVMGetFunctionCallConv(kernel) != LLVMSPIRKERNELCallConv)
      continue;
    COMPILER_TRY(note_read(kernel, "kernel_arg_type", &settling.types));
    LLVMValueRef made = kernel;
    const specpi_compiler_result result = kernel_arguments_change(module, kernel, &change, &made);
    if (made != kernel)
      pass_by_value(&settling, made);
    note_free(&settling.types);
    COMPILER_TRY(result);
  }
  return SPECPI_COMPILER_SUCCESS;
}
