/*
 * Ids of constants. A call for a SYCL 2020 constant has a default but no id: the id becomes the
 * name of the default's variable, with the unit's id as a prefix if other units may have a variable
 * of that name. An older call has only an id, and no default: it becomes a SYCL 2020 call with zero
 * as its default, and the id is recorded as required. All modes then see the same kind of call.
 */
#include "sycl_notes.h"
#include "sycl_unit.h"

#include "../attributes.h"
#include "../layout.h"
#include "../pointer.h"
#include "../unit_id.h"
#include "../uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Address space of variables in a SYCL unit. */
#define VARIABLE_SPACE 1

static specpi_compiler_result refuse_use(const sycl_unit *unit, const use *at, const char *why) {
  return sycl_refuse(&(sycl_place){unit, at->caller, at->call}, SPECPI_COMPILER_ERROR_INVALID_NAME,
                     "", ": a constant's %s", why);
}

/* Returns the text of an id argument: "" if there is no id, NULL if it is not constant. */
static const char *text_of(const sycl_unit *unit, LLVMValueRef argument) {
  if (LLVMIsAConstantPointerNull(argument) != NULL)
    return "";
  LLVMValueRef global = pointer_global(argument, unit->data_layout);
  LLVMValueRef string = global != NULL ? LLVMGetInitializer(global) : NULL;
  if (string == NULL)
    return NULL;
  if (LLVMIsNull(string)) /* one NUL, or several */
    return "";
  if (!pointer_is_text(string))
    return NULL;
  size_t length;
  const char *text = LLVMGetAsString(string, &length);
  return length > 0 && text[length - 1] == '\0' ? text : NULL;
}

/* ---- Types and defaults ---- */

/* Returns the C++ name of a constant's type or, if it is unknown, of the function that returns it.
 */
static char *type_name(const use *at) {
  char *name = sycl_readable_name(LLVMGetCalledValue(at->call));
  char *type = name != NULL ? use_type_name(name) : NULL;
  if (type == NULL)
    return name;
  free(name);
  return type;
}

/* Checks a constant's type. mangled is the name of its variable, or its id. */
static specpi_compiler_result check_type(const sycl_unit *unit, const use *at,
                                         const char *mangled) {
  const char *why;
  const specpi_compiler_result result = layout_check_type(at->type, unit->data_layout, &why);
  if (result == SPECPI_COMPILER_SUCCESS)
    return result;
  char *constant = sycl_readable_text(mangled);
  char *type = type_name(at);
  const bool done = type != NULL && constant != NULL;
  if (done)
    sycl_refuse(&(sycl_place){unit, at->caller, at->call}, result, "",
                ": constant '%s' is of type '%s', which %s", constant, type, why);
  free(type);
  free(constant);
  return done ? result : compiler_error_memory();
}

/* Returns a call that constructs a variable before main because its default is not constant, or
 * NULL. */
static LLVMValueRef find_constructor(LLVMValueRef pointer) {
  static const char *const constructors[] = {SYCL_UNIT_ID_CLASSES};
  LLVMValueRef found = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use != NULL && found == NULL;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAConstantExpr(user) != NULL)
      found = find_constructor(user);
    if (LLVMIsACallInst(user) == NULL || LLVMGetOperand(user, 0) != pointer)
      continue;
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetCalledValue(user), &length);
    for (size_t i = 0; i < sizeof constructors / sizeof constructors[0]; i++)
      if (strncmp(name, constructors[i], strlen(constructors[i])) == 0)
        found = user;
  }
  return found;
}

static specpi_compiler_result check_default(const sycl_unit *unit, LLVMValueRef variable) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
  LLVMValueRef call = find_constructor(variable);
  if (call == NULL)
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  char *name = sycl_readable_name(variable);
  char *where = sycl_readable_place(unit, NULL, caller, call);
  const bool done = name != NULL && where != NULL;
  if (done)
    compiler_error(code,
                   "constant '%s'%s has a default that is computed when the program starts; it "
                   "has to be a constant expression",
                   name, where);
  free(where);
  free(name);
  return done ? code : compiler_error_memory();
}

/* ---- Constants of SYCL 2020 ---- */

static void set_name(const sycl_unit *unit, const use *at, const char *id) {
  const unsigned index = at->result != NULL ? 1 : 0;
  LLVMValueRef string = LLVMConstStringInContext(unit->context, id, (unsigned)strlen(id), 0);
  LLVMValueRef global =
      LLVMAddGlobalInAddressSpace(unit->module, LLVMTypeOf(string), "", VARIABLE_SPACE);
  LLVMSetInitializer(global, string);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetAlignment(global, 1);
  LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(at->call, index));
  LLVMTypeRef same = LLVMPointerType(LLVMInt8TypeInContext(unit->context), VARIABLE_SPACE);
  LLVMValueRef pointer = LLVMConstPointerCast(global, same);
  LLVMSetOperand(at->call, index,
                 LLVMGetPointerAddressSpace(type) == VARIABLE_SPACE
                     ? LLVMConstPointerCast(pointer, type)
                     : LLVMConstAddrSpaceCast(pointer, type));
}

static specpi_compiler_result name_use(const sycl_unit *unit, const use *at) {
  const char *text = text_of(unit, at->name);
  if (text == NULL)
    return refuse_use(unit, at, "id is not known here: the argument leads to no string");
  if (text[0] != '\0')
    return SPECPI_COMPILER_SUCCESS;
  LLVMValueRef variable = pointer_global(at->default_object, unit->data_layout);
  if (variable == NULL)
    return refuse_use(unit, at, "id is not known here: the default leads to no variable");
  COMPILER_TRY(check_default(unit, variable));
  size_t length;
  COMPILER_TRY(check_type(unit, at, LLVMGetValueName2(variable, &length)));
  char *id = unit_id_of(unit->options->unit_id, variable);
  if (id == NULL)
    return compiler_error_memory();
  set_name(unit, at, id);
  free(id);
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Constants without a default ---- */

static void note_required(const sycl_unit *unit, const char *id) {
  LLVMMetadataRef text = LLVMMDStringInContext2(unit->context, id, strlen(id));
  LLVMAddNamedMetadataOperand(
      unit->module, SYCL_REQUIRED_METADATA,
      LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, &text, 1)));
}

/* Makes a default: a variable of a structure with a zero of the constant's type. A boolean is a
 * byte in the structure. */
static LLVMValueRef make_default(const sycl_unit *unit, LLVMTypeRef value) {
  LLVMTypeRef type =
      LLVMGetTypeKind(value) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(value) == 1
          ? LLVMInt8TypeInContext(unit->context)
          : value;
  LLVMTypeRef object = LLVMStructTypeInContext(unit->context, &type, 1, 0);
  LLVMValueRef global = LLVMAddGlobalInAddressSpace(unit->module, object, "", VARIABLE_SPACE);
  LLVMSetInitializer(global, LLVMConstNull(object));
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

/* Finds or declares the SYCL 2020 function for the type that an older function returns. */
static specpi_compiler_result newer_function(const sycl_unit *unit, LLVMValueRef older,
                                             LLVMValueRef *ret) {
  static const char prefix[] = "_Z37__sycl_getScalar2020SpecConstantValue";
  size_t length;
  const char *rest = strstr(LLVMGetValueName2(older, &length), "SpecConstantValue");
  const size_t size = sizeof prefix + strlen(rest);
  char *name = malloc(size);
  if (name == NULL)
    return compiler_error_memory();
  snprintf(name, size, "%s%s", prefix, rest + strlen("SpecConstantValue"));
  LLVMTypeRef types[4];
  const unsigned count = LLVMCountParams(older);
  LLVMGetParamTypes(LLVMGlobalGetValueType(older), types);
  types[count + 1] = types[count] = types[count - 1];
  LLVMTypeRef type =
      LLVMFunctionType(LLVMGetReturnType(LLVMGlobalGetValueType(older)), types, count + 2, 0);
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  *ret = LLVMGetNamedFunction(unit->module, name);
  if (*ret == NULL || LLVMGlobalGetValueType(*ret) != type) {
    *ret = LLVMAddFunction(unit->module, name, type);
    LLVMSetFunctionCallConv(*ret, LLVMGetFunctionCallConv(older));
    result = attributes_copy_all(older, *ret, count, false);
  }
  free(name);
  return result;
}

static specpi_compiler_result require_use(const sycl_unit *unit, LLVMBuilderRef builder,
                                          const use *at) {
  const char *id = text_of(unit, at->name);
  if (id == NULL || id[0] == '\0')
    return refuse_use(unit, at,
                      "id is empty or not known here, and the constant has no default by which to "
                      "find it");
  LLVMValueRef older = LLVMGetCalledValue(at->call);
  const unsigned count = LLVMCountParams(older);
  if (count != (at->result != NULL ? 2u : 1u))
    return refuse_use(unit, at, "value is read by a function with more parameters than the id");
  COMPILER_TRY(check_type(unit, at, id));
  note_required(unit, id);
  LLVMValueRef newer;
  COMPILER_TRY(newer_function(unit, older, &newer));
  LLVMTypeRef pointer = LLVMTypeOf(at->name);
  LLVMValueRef object = make_default(unit, at->type);
  LLVMValueRef arguments[4];
  for (unsigned i = 0; i < count; i++)
    arguments[i] = LLVMGetOperand(at->call, i);
  arguments[count] = LLVMGetPointerAddressSpace(pointer) == VARIABLE_SPACE
                         ? LLVMConstPointerCast(object, pointer)
                         : LLVMConstAddrSpaceCast(object, pointer);
  arguments[count + 1] = LLVMConstNull(pointer);
  LLVMPositionBuilderBefore(builder, at->call);
  LLVMValueRef made =
      LLVMBuildCall2(builder, LLVMGlobalGetValueType(newer), newer, arguments, count + 2, "");
  LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(at->call));
  COMPILER_TRY(attributes_copy_all(at->call, made, count, true));
  LLVMReplaceAllUsesWith(at->call, made);
  LLVMInstructionEraseFromParent(at->call);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_ids(const sycl_unit *unit, const value_set *reached) {
  use_list uses = {0};
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(unit->context);
  specpi_compiler_result result = uses_find(unit->module, &uses);
  for (size_t i = 0; i < uses.count && result == SPECPI_COMPILER_SUCCESS; i++) {
    const use *at = &uses.items[i];
    if (!value_set_has(reached, at->caller))
      continue; /* host code may have calls for which no id can be made */
    if (at->kind == USE_GET)
      result = name_use(unit, at);
    else if (at->kind == USE_LEGACY)
      result = require_use(unit, builder, at);
  }
  LLVMDisposeBuilder(builder);
  free(uses.items);
  return result;
}

specpi_compiler_result sycl_ids_write(sycl_unit *unit) {
  value_set reached = {0};
  specpi_compiler_result result = sycl_reach_all(unit, &reached);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_ids(unit, &reached);
  value_set_free(&reached);
  return result;
}
