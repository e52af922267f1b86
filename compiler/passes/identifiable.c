/*
 * Implements the pass that the proposal "Mapping host variables to compiler-generated info"
 * describes in "Custom host compiler approach": a constructor, which runs before all others,
 * registers the variables that have ids.
 */
#include "../attributes.h"
#include "../context.h"
#include "../debug_info.h"
#include "../global_attributes.h"
#include "../identifier.h"
#include "../input.h"
#include "../output.h"
#include "../pointer.h"
#include "../unit_id.h"
#include "identifiable_class.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>

#define REGISTER "__register_uniquely_identifiable_object"
#define UNREGISTER "__unregister_uniquely_identifiable_object"

/* X(name, attribute): the two texts of a registered variable. */
#define TEXTS(X)                                                                                   \
  X(id, "sycl-unique-id")                                                                          \
  X(kind, "sycl-uid-kind")

/* A global variable with its texts, which are NULL if it has none. */
typedef struct variable {
  LLVMValueRef global;
  char *id;
  char *kind;
} variable;

typedef struct pass {
  const specpi_compiler_unit_options *unit; /* NULL: classes do not count */
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMTargetDataRef data_layout;
  char *text; /* owned by the module */
  global_attributes attributes;
  VECTOR(variable) all; /* all global variables of the module, in its order */
  specpi_compiler_output output;
} pass;

/* ---- Reading ---- */

static specpi_compiler_result refuse_global(LLVMValueRef global, const char *reason) {
  size_t length;
  return compiler_error(SPECPI_COMPILER_ERROR_INVALID_NAME, "variable '%s' %s",
                        LLVMGetValueName2(global, &length), reason);
}

/* Stores a text of size bytes, and takes ownership of it. A variable may have the same text
 * already, but not a different one. */
static specpi_compiler_result keep_attribute(LLVMValueRef global, const char *attribute, char *text,
                                             size_t size, char **ret) {
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (size == 0)
    result = compiler_error(SPECPI_COMPILER_ERROR_INVALID_NAME, "variable '%s' has no value of %s",
                            name, attribute);
  else if (memchr(text, '\0', size) != NULL)
    result = compiler_error(SPECPI_COMPILER_ERROR_INVALID_NAME, "variable '%s' has a NUL in its %s",
                            name, attribute);
  else if (*ret != NULL && strcmp(*ret, text) != 0)
    result = compiler_error(SPECPI_COMPILER_ERROR_CONFLICT,
                            "variable '%s' has the %s '%s' and '%s'", name, attribute, *ret, text);
  if (result == SPECPI_COMPILER_SUCCESS && *ret == NULL)
    *ret = text;
  else
    free(text);
  return result;
}

static specpi_compiler_result read_attributes(pass *p) {
  p->text = LLVMPrintModuleToString(p->module);
  COMPILER_TRY(global_attributes_read(p->text, &p->attributes));
  for (LLVMValueRef value = LLVMGetFirstGlobal(p->module); value != NULL;
       value = LLVMGetNextGlobal(value)) {
    if (!VECTOR_RESERVE(&p->all))
      return compiler_error_memory();
    variable *made = &p->all.items[p->all.count++];
    *made = (variable){.global = value};
    COMPILER_REQUIRE(p->all.count <= p->attributes.variables.count, SPECPI_COMPILER_ERROR_INTERNAL,
                     "LLVM wrote %zu global variables, and has more",
                     p->attributes.variables.count);
    char *text;
    size_t size;
#define TEXT(name, attribute)                                                                      \
  COMPILER_TRY(global_attributes_get(&p->attributes, p->all.count - 1, attribute, &text, &size));  \
  if (text != NULL)                                                                                \
    COMPILER_TRY(keep_attribute(value, attribute, text, size, &made->name));
    TEXTS(TEXT)
#undef TEXT
  }
  return SPECPI_COMPILER_SUCCESS;
}

static variable *find_variable(const pass *p, LLVMValueRef global) {
  for (size_t i = 0; i < p->all.count; i++)
    if (p->all.items[i].global == global)
      return &p->all.items[i];
  return NULL;
}

/* Reads an annotation of a variable, e.g. "sycl-unique-id=ID"; ignores annotations of other kinds.
 */
static specpi_compiler_result take_annotation(variable *of, const char *text, size_t size) {
#define TEXT(name, attribute)                                                                      \
  {                                                                                                \
    static const char start[] = attribute "=";                                                     \
    const size_t length = sizeof start - 1;                                                        \
    if (size >= length && memcmp(text, start, length) == 0) {                                      \
      char *copy = malloc(size - length + 1);                                                      \
      if (copy == NULL)                                                                            \
        return compiler_error_memory();                                                            \
      memcpy(copy, text + length, size - length);                                                  \
      copy[size - length] = '\0';                                                                  \
      return keep_attribute(of->global, attribute, copy, size - length, &of->name);                \
    }                                                                                              \
  }
  TEXTS(TEXT)
#undef TEXT
  return SPECPI_COMPILER_SUCCESS;
}

/* Reads an element of llvm.global.annotations: the annotated value, the text, and the source
 * position. */
static specpi_compiler_result read_annotation(pass *p, LLVMValueRef element) {
  LLVMValueRef annotated = element != NULL ? LLVMGetAggregateElement(element, 0) : NULL;
  LLVMValueRef pointer = element != NULL ? LLVMGetAggregateElement(element, 1) : NULL;
  if (annotated == NULL || pointer == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef global = pointer_global(annotated, p->data_layout);
  LLVMValueRef string = pointer_global(pointer, p->data_layout);
  variable *of = global != NULL ? find_variable(p, global) : NULL;
  if (of == NULL || string == NULL)
    return SPECPI_COMPILER_SUCCESS; /* functions have annotations, too */
  LLVMValueRef value = LLVMGetInitializer(string);
  if (!pointer_is_text(value))
    return SPECPI_COMPILER_SUCCESS;
  size_t size;
  const char *text = LLVMGetAsString(value, &size);
  return take_annotation(of, text, size > 0 && text[size - 1] == '\0' ? size - 1 : size);
}

static specpi_compiler_result read_annotations(pass *p) {
  LLVMValueRef list = LLVMGetNamedGlobal(p->module, "llvm.global.annotations");
  LLVMValueRef all = list != NULL ? LLVMGetInitializer(list) : NULL;
  if (all == NULL || LLVMGetTypeKind(LLVMTypeOf(all)) != LLVMArrayTypeKind)
    return SPECPI_COMPILER_SUCCESS;
  for (unsigned i = 0; i < LLVMGetArrayLength(LLVMTypeOf(all)); i++)
    COMPILER_TRY(read_annotation(p, LLVMGetAggregateElement(all, i)));
  return SPECPI_COMPILER_SUCCESS;
}

static bool is_defined(LLVMValueRef global) {
  return !LLVMIsDeclaration(global) && LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage;
}

/* Gives a variable without id and kind those of its class. */
static specpi_compiler_result read_class(const pass *p, variable *of) {
  const char *kind;
  size_t length;
  COMPILER_TRY(identifiable_class_find_kind(of->global, &kind));
  if (kind == NULL)
    return SPECPI_COMPILER_SUCCESS;
  if (!identifier_can_be_id(LLVMGetValueName2(of->global, &length)))
    return refuse_global(of->global, "has a name in object files that cannot be an id");
  of->id = unit_id_of(p->unit->unit_id, of->global);
  of->kind = strdup(kind);
  return of->id != NULL && of->kind != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

static specpi_compiler_result read_classes(pass *p) {
  COMPILER_REQUIRE(strstr(p->text, "emissionKind: FullDebug") != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the module has no debug information of types, which the classes of variables "
                   "are read from; compile it with -g");
  for (size_t i = 0; i < p->all.count; i++)
    if (p->all.items[i].id == NULL && p->all.items[i].kind == NULL &&
        is_defined(p->all.items[i].global))
      COMPILER_TRY(read_class(p, &p->all.items[i]));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Choice of the variables ---- */

static specpi_compiler_result check_global(const pass *p, size_t which) {
  const variable *variable = &p->all.items[which];
  if (variable->id == NULL)
    return refuse_global(variable->global, "has sycl-uid-kind, and no sycl-unique-id");
  if (variable->kind == NULL)
    return refuse_global(variable->global, "has sycl-unique-id, and no sycl-uid-kind");
  if (LLVMIsThreadLocal(variable->global))
    return refuse_global(variable->global,
                         "is thread_local, so that it has no address to be registered");
  if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable->global)) != 0)
    return refuse_global(variable->global, "is in an address space of a device");
  for (size_t i = 0; i < which; i++)
    if (p->all.items[i].id != NULL && strcmp(p->all.items[i].id, variable->id) == 0) {
      size_t length;
      return compiler_error(SPECPI_COMPILER_ERROR_CONFLICT,
                            "variables '%s' and '%s' have the same sycl-unique-id '%s'",
                            LLVMGetValueName2(p->all.items[i].global, &length),
                            LLVMGetValueName2(variable->global, &length), variable->id);
    }
  return SPECPI_COMPILER_SUCCESS;
}

static const char constructor_name[] = "__sycl_register_uniquely_identifiable_objects";
static const char destructor_name[] = "__sycl_unregister_uniquely_identifiable_objects";

/* Returns whether a constructor that an earlier run of this pass made registers a variable. */
static bool is_registered(const pass *p, LLVMValueRef global) {
  LLVMValueRef function = LLVMGetNamedFunction(p->module, REGISTER);
  for (LLVMUseRef use = function != NULL ? LLVMGetFirstUse(function) : NULL; use != NULL;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    if (LLVMIsACallInst(call) == NULL || LLVMGetNumArgOperands(call) != 3 ||
        pointer_global(LLVMGetOperand(call, 0), p->data_layout) != global)
      continue;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    size_t length;
    const char *name = LLVMGetValueName2(caller, &length);
    if (strncmp(name, constructor_name, sizeof constructor_name - 1) == 0)
      return true;
  }
  return false;
}

/* Reduces the list to the variables that are to be registered. */
static specpi_compiler_result choose_globals(pass *p) {
  for (size_t i = 0; i < p->all.count; i++)
    if ((p->all.items[i].id != NULL || p->all.items[i].kind != NULL) &&
        is_defined(p->all.items[i].global))
      COMPILER_TRY(check_global(p, i));
  size_t count = 0;
  for (size_t i = 0; i < p->all.count; i++) {
    variable *variable = &p->all.items[i];
    if (variable->id != NULL && variable->kind != NULL && is_defined(variable->global) &&
        !is_registered(p, variable->global)) {
      p->all.items[count++] = *variable;
    } else {
      free(variable->id);
      free(variable->kind);
    }
  }
  p->all.count = count;
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Writing ---- */

static LLVMTypeRef byte_pointer(const pass *p) {
  return LLVMPointerType(LLVMInt8TypeInContext(p->context), 0);
}

/* void (i8 *, i8 *, i8 *) */
static LLVMTypeRef registration_type(const pass *p) {
  LLVMTypeRef pointer = byte_pointer(p);
  LLVMTypeRef parameters[] = {pointer, pointer, pointer};
  return LLVMFunctionType(LLVMVoidTypeInContext(p->context), parameters, 3, false);
}

static specpi_compiler_result declare_function(const pass *p, const char *name, LLVMValueRef *ret) {
  LLVMTypeRef type = registration_type(p);
  *ret = LLVMGetNamedFunction(p->module, name);
  COMPILER_REQUIRE((*ret == NULL || LLVMGlobalGetValueType(*ret) == type) &&
                       LLVMGetNamedGlobal(p->module, name) == NULL &&
                       LLVMGetNamedGlobalAlias(p->module, name, strlen(name)) == NULL,
                   SPECPI_COMPILER_ERROR_CONFLICT, "'%s' is something else in the module", name);
  if (*ret == NULL)
    *ret = LLVMAddFunction(p->module, name, type);
  return SPECPI_COMPILER_SUCCESS;
}

/* Adds a text to the module, and returns its address. */
static LLVMValueRef add_text(const pass *p, const char *text) {
  LLVMValueRef value =
      LLVMConstStringInContext(p->context, text, (unsigned)strlen(text), /*no NUL*/ false);
  LLVMValueRef global = LLVMAddGlobal(p->module, LLVMTypeOf(value), "");
  LLVMSetInitializer(global, value);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant(global, true);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return LLVMConstBitCast(global, byte_pointer(p));
}

/* Adds a function that calls callee for each variable; texts has their ids and kinds. */
static LLVMValueRef add_function(const pass *p, const char *name, LLVMValueRef callee,
                                 const LLVMValueRef *texts) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), NULL, 0, false);
  LLVMValueRef function = LLVMAddFunction(p->module, name, type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  const char *triple = LLVMGetTarget(p->module);
  /* In the section that compilers use for constructors, so that other code keeps its addresses. */
  if (strstr(triple, "-linux") != NULL)
    LLVMSetSection(function, ".text.startup");
  attributes_add(function, "nounwind");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(p->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(p->context, function, ""));
  for (size_t i = 0; i < p->all.count; i++) {
    LLVMValueRef arguments[] = {LLVMConstBitCast(p->all.items[i].global, byte_pointer(p)),
                                texts[2 * i], texts[2 * i + 1]};
    LLVMBuildCall2(builder, registration_type(p), callee, arguments, 3, "");
  }
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);
  return function;
}

/* Returns the type of the list's elements: that of the module's list, or { i32, void ()*, i8* }. */
static LLVMTypeRef element_type(const pass *p, LLVMValueRef old, LLVMValueRef function) {
  if (old != NULL)
    return LLVMGetElementType(LLVMGlobalGetValueType(old));
  LLVMTypeRef members[] = {LLVMInt32TypeInContext(p->context), LLVMTypeOf(function),
                           byte_pointer(p)};
  return LLVMStructTypeInContext(p->context, members, 3, false);
}

/*
 * Puts a function at the front of llvm.global_ctors or llvm.global_dtors, with the priority that
 * runs first among constructors and last among destructors. Among functions of equal priority, the
 * front of the list has the same effect.
 */
static specpi_compiler_result prepend(const pass *p, const char *list, LLVMValueRef function) {
  LLVMValueRef old = LLVMGetNamedGlobal(p->module, list);
  LLVMTypeRef type = element_type(p, old, function);
  COMPILER_REQUIRE(LLVMGetTypeKind(type) == LLVMStructTypeKind &&
                       LLVMCountStructElementTypes(type) == 3,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE, "%s is no list as LLVM has it", list);
  LLVMTypeRef members[3];
  LLVMGetStructElementTypes(type, members);
  LLVMValueRef values[] = {LLVMConstInt(members[0], 0, false),
                           LLVMConstBitCast(function, members[1]), LLVMConstNull(members[2])};
  LLVMValueRef initial = old != NULL ? LLVMGetInitializer(old) : NULL;
  const unsigned count = initial != NULL ? LLVMGetArrayLength(LLVMTypeOf(initial)) : 0;
  LLVMValueRef *elements = calloc(count + 1, sizeof *elements);
  if (elements == NULL)
    return compiler_error_memory();
  elements[0] = LLVMConstStructInContext(p->context, values, 3, false);
  for (unsigned i = 0; i < count; i++)
    elements[i + 1] = LLVMGetAggregateElement(initial, i);
  LLVMValueRef array = LLVMConstArray(type, elements, count + 1);
  free(elements);
  LLVMValueRef made = LLVMAddGlobal(p->module, LLVMTypeOf(array), "");
  LLVMSetInitializer(made, array);
  LLVMSetLinkage(made, LLVMAppendingLinkage);
  if (old != NULL)
    LLVMDeleteGlobal(old);
  LLVMSetValueName2(made, list, strlen(list));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_calls(pass *p) {
  LLVMValueRef functions[2];
  COMPILER_TRY(declare_function(p, REGISTER, &functions[0]));
  COMPILER_TRY(declare_function(p, UNREGISTER, &functions[1]));
  LLVMValueRef *texts = calloc(2 * p->all.count, sizeof *texts);
  if (texts == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < p->all.count; i++) {
    texts[2 * i] = add_text(p, p->all.items[i].id);
    texts[2 * i + 1] = add_text(p, p->all.items[i].kind);
  }
  LLVMValueRef constructor = add_function(p, constructor_name, functions[0], texts);
  LLVMValueRef destructor = add_function(p, destructor_name, functions[1], texts);
  free(texts);
  COMPILER_TRY(prepend(p, "llvm.global_ctors", constructor));
  COMPILER_TRY(prepend(p, "llvm.global_dtors", destructor));
  char *message = NULL;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message))
    result = compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "the pass made no valid module: %s",
                            message);
  LLVMDisposeMessage(message);
  return result;
}

/* ---- The whole ---- */

static specpi_compiler_result check_target(LLVMModuleRef module) {
  static const char *const devices[] = {"spir", "nvptx", "amdgcn"};
  const char *triple = LLVMGetTarget(module);
  for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
    COMPILER_REQUIRE(strncmp(triple, devices[i], strlen(devices[i])) != 0,
                     SPECPI_COMPILER_ERROR_INVALID_TARGET,
                     "the module is for '%s', a device, where nothing is registered", triple);
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Replaces the module by a copy in a context of its own, because LLVM 15 crashes when it writes one
 * of two modules of a context whose debug information has classes with addresses as template
 * arguments. The copy has the variables in the same order.
 */
static specpi_compiler_result copy_module(pass *p) {
  specpi_compiler_output output = p->output;
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(p->module);
  output->context = context_new_llvm(output->compiler);
  const LLVMBool failed = LLVMParseBitcodeInContext2(output->context, bitcode, &output->llvm);
  LLVMDisposeMemoryBuffer(bitcode);
  COMPILER_REQUIRE(!failed, SPECPI_COMPILER_ERROR_INTERNAL,
                   "LLVM wrote a module that it refuses: %s", output->compiler->diagnostic);
  p->module = output->llvm;
  p->context = output->context;
  p->data_layout = LLVMGetModuleDataLayout(p->module);
  size_t count = 0;
  for (LLVMValueRef global = LLVMGetFirstGlobal(p->module); global != NULL;
       global = LLVMGetNextGlobal(global))
    p->all.items[count++].global = global;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result run_pass(void *data) {
  pass *p = data;
  COMPILER_TRY(check_target(p->module));
  /* Before the copy: bitcode cannot have attributes with a NUL. */
  COMPILER_TRY(read_attributes(p));
  COMPILER_TRY(copy_module(p));
  COMPILER_TRY(read_annotations(p));
  if (p->unit != NULL)
    COMPILER_TRY(read_classes(p));
  COMPILER_TRY(choose_globals(p));
  if (p->unit != NULL)
    COMPILER_TRY(debug_info_drop(p->module, p->unit));
  return p->all.count > 0 ? write_calls(p) : SPECPI_COMPILER_SUCCESS;
}

/* Registers a module's variables; unit is NULL if classes do not count. */
static specpi_compiler_result register_variables(specpi_compiler_module module,
                                                 const specpi_compiler_unit_options *unit,
                                                 specpi_compiler_output *ret) {
  COMPILER_REQUIRE(module != NULL && ret != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                   "%s is NULL", module == NULL ? "module" : "ret");
  specpi_compiler_output output = calloc(1, sizeof *output);
  if (output == NULL)
    return compiler_error_memory();
  output->compiler = module->compiler;
  pass p = {.unit = unit, .module = module->llvm, .output = output};
  const specpi_compiler_result result = context_run(module->compiler, run_pass, &p);
  for (size_t i = 0; i < p.all.count; i++) {
    free(p.all.items[i].id);
    free(p.all.items[i].kind);
  }
  free(p.all.items);
  global_attributes_free(&p.attributes);
  LLVMDisposeMessage(p.text);
  if (result != SPECPI_COMPILER_SUCCESS) {
    specpiCompilerOutputRelease(output);
    return result;
  }
  *ret = output;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result specpiCompilerRegisterVariables(specpi_compiler_module module,
                                                       specpi_compiler_output *ret) {
  return register_variables(module, NULL, ret);
}

specpi_compiler_result
specpiCompilerRegisterUnitVariables(specpi_compiler_module module,
                                    const specpi_compiler_unit_options *options,
                                    specpi_compiler_output *ret) {
  COMPILER_REQUIRE(options != NULL, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "options is NULL");
  COMPILER_TRY(unit_id_check(options->unit_id));
  return register_variables(module, options, ret);
}
