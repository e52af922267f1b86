#include "spec_constants.h"
#include "required_users.h"

#include "../attributes.h"
#include "../input.h"
#include "../kernels.h"
#include "../pointer.h"
#include "../requirements.h"
#include "../spir.h"
#include "../spirv/spirv_form.h"
#include "../target.h"
#include "sycl_notes.h"

#include <llvm-c/Analysis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORDS_METADATA "sycl.specialization-constants"
#define DEFAULTS_METADATA "sycl.specialization-constants-default-values"
#define COPY_METADATA "sycl.specialization-constants-default-values-module"

static const spec_mode *const modes[] = {
#define SPECPI_COMPILER_MODE(NAME, name) &spec_mode_##name,
    SPECPI_COMPILER_MODES(SPECPI_COMPILER_MODE)
#undef SPECPI_COMPILER_MODE
};

/* ---- Name and default of a use ---- */

static specpi_compiler_result refuse_use(const use *use, const char *name,
                                         specpi_compiler_result code, const char *why) {
  size_t length;
  const char *caller = LLVMGetValueName2(use->caller, &length);
  if (name != NULL)
    return compiler_error(code, "function '%s': constant '%s' %s", caller, name, why);
  return compiler_error(code, "function '%s': a constant's %s", caller, why);
}

/* Reads the name of a use's constant; the caller frees it. */
static specpi_compiler_result read_name(const pass *p, const use *use, char **ret) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_NAME;
  LLVMValueRef global = pointer_global(use->name, p->data_layout);
  if (global == NULL)
    return refuse_use(use, NULL, code,
                      "name is not known here: the argument leads to no global string");
  LLVMValueRef string = LLVMGetInitializer(global);
  if (!pointer_is_text(string))
    return refuse_use(use, NULL, code, "name is not known here: the global variable is no string");
  size_t length;
  const char *bytes = LLVMGetAsString(string, &length);
  if (length > 0 && bytes[length - 1] == '\0')
    length--;
  if (length == 0 || memchr(bytes, '\0', length) != NULL)
    return refuse_use(use, NULL, code, "name is empty, or has a NUL in it");
  *ret = strndup(bytes, length);
  return *ret != NULL ? SPECPI_COMPILER_SUCCESS : compiler_error_memory();
}

/*
 * Returns whether a use may lack its default because another unit defines the constant's variable.
 * The runtime then knows that unit's default, and always sets the constant.
 */
static bool can_import_default(const pass *p, const use *use) {
  return p->output->unit_id != NULL && use->kind == USE_GET && modes[p->mode]->records != NULL;
}

static specpi_compiler_result read_default(pass *p, const use *use, const char *name,
                                           LLVMValueRef *ret) {
  const specpi_compiler_result code = SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
  if (use->kind == USE_LEGACY) {
    *ret = LLVMConstNull(use->type);
    return SPECPI_COMPILER_SUCCESS;
  }
  LLVMValueRef global = pointer_global(use->default_object, p->data_layout);
  if (global == NULL)
    return refuse_use(
        use, name, code,
        "has a default that is not known here: the argument leads to no global variable");
  LLVMValueRef object = LLVMGetInitializer(global);
  if (object == NULL && !can_import_default(p, use))
    return refuse_use(use, name, code, "has a default that another module defines");
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) == 0)
    return refuse_use(use, name, code, "has a default that is no structure with the value in it");
  *ret = object != NULL ? LLVMGetAggregateElement(object, 0)
                        : LLVMConstNull(LLVMStructGetTypeAtIndex(type, 0));
  if (*ret == NULL)
    return refuse_use(use, name, code, "has a default that is computed later");
  return value_set_add(&p->defaults, global, NULL) ? SPECPI_COMPILER_SUCCESS
                                                   : compiler_error_memory();
}

/* Reads the bytes of a use's own default. Refuses defaults with fewer bytes than the use's type. */
static specpi_compiler_result read_image(const pass *p, const use *use, const char *name,
                                         LLVMValueRef value, image *ret) {
  const char *why;
  image made;
  const specpi_compiler_result result = image_make(value, p->data_layout, &made, &why);
  if (result == SPECPI_COMPILER_ERROR_OUT_OF_MEMORY)
    return compiler_error_memory();
  if (result != SPECPI_COMPILER_SUCCESS) {
    refuse_use(use, name, result, why);
    return result;
  }
  const unsigned long long wanted = LLVMStoreSizeOfType(p->data_layout, use->type);
  if (made.size < wanted) {
    char text[96];
    snprintf(text, sizeof text, "has %llu bytes, and its default only %u", wanted,
             (unsigned)made.size);
    image_free(&made);
    refuse_use(use, name, SPECPI_COMPILER_ERROR_INVALID_DEFAULT, text);
    return SPECPI_COMPILER_ERROR_INVALID_DEFAULT;
  }
  *ret = made;
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result warn_of_use(pass *p, const use *use, const char *name) {
  static const char format[] =
      "function '%s': constant '%s' has another default than at its first use, which counts";
  size_t length;
  const char *caller = LLVMGetValueName2(use->caller, &length);
  const size_t size = sizeof format + strlen(caller) + strlen(name);
  char *text = malloc(size);
  if (text == NULL || !VECTOR_RESERVE(&p->output->warnings)) {
    free(text);
    return compiler_error_memory();
  }
  snprintf(text, size, format, caller, name);
  p->output->warnings.items[p->output->warnings.count++] = text;
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The constants ---- */

/* Adds a constant at its first use. Takes ownership of the name, also on failure. */
static specpi_compiler_result add_constant(pass *p, const use *use, LLVMValueRef value,
                                           char *name) {
  if (!VECTOR_RESERVE(&p->constants) || !name_map_add(&p->names, name, p->constants.count)) {
    free(name);
    return compiler_error_memory();
  }
  spec_constant *constant = &p->constants.items[p->constants.count++];
  LLVMValueRef variable =
      use->kind == USE_GET ? pointer_global(use->default_object, p->data_layout) : NULL;
  *constant = (spec_constant){.name = name,
                              .type = use->type,
                              .default_value = value,
                              .imported = variable != NULL && LLVMIsDeclaration(variable)};
  COMPILER_TRY(read_image(p, use, name, value, &constant->image));
  return layout_make(use->type, p->data_layout, &constant->image, &constant->layout);
}

/* Replaces a constant's type and default by those of a use that can be set; no earlier use can. */
static specpi_compiler_result start_again(const pass *p, const use *use, LLVMValueRef value,
                                          spec_constant *constant) {
  image_free(&constant->image);
  layout_free(&constant->layout);
  constant->type = use->type;
  constant->default_value = value;
  COMPILER_TRY(read_image(p, use, constant->name, value, &constant->image));
  return layout_make(use->type, p->data_layout, &constant->image, &constant->layout);
}

/* Checks a further use of a constant against its first one. If compare, warns if their defaults
 * differ. */
static specpi_compiler_result check_again(pass *p, const use *use, LLVMValueRef value, bool compare,
                                          const spec_constant *constant) {
  if (!layout_types_match(use->type, constant->type, p->data_layout))
    return refuse_use(use, constant->name, SPECPI_COMPILER_ERROR_CONFLICT,
                      "has another type than at its first use");
  if (value == constant->default_value)
    return SPECPI_COMPILER_SUCCESS;
  image own = {0};
  COMPILER_TRY(read_image(p, use, constant->name, value, &own));
  const bool same =
      own.size == constant->image.size && memcmp(own.bytes, constant->image.bytes, own.size) == 0;
  image_free(&own);
  return same || !compare ? SPECPI_COMPILER_SUCCESS : warn_of_use(p, use, constant->name);
}

static specpi_compiler_result add_use(pass *p, use *use) {
  const bool records = modes[p->mode]->records != NULL && modes[p->mode]->records(use->kind);
  char *name = NULL;
  LLVMValueRef value = NULL;
  COMPILER_TRY(read_name(p, use, &name));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  const char *why = NULL;
  /* Checks the type first, because a legacy use's default is a zero of that type. */
  if (use->kind != USE_ALLOCA)
    result = layout_check_type(use->type, p->data_layout, &why);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = read_default(p, use, name, &value);
  if (result == SPECPI_COMPILER_SUCCESS && use->kind == USE_ALLOCA) {
    use->type = LLVMTypeOf(value);
    result = LLVMGetTypeKind(use->type) == LLVMIntegerTypeKind
                 ? layout_check_type(use->type, p->data_layout, &why)
                 : SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE;
    if (result != SPECPI_COMPILER_SUCCESS && why == NULL)
      why = "is a number of elements and no integer";
  }
  if (why != NULL)
    refuse_use(use, name, result, why);
  spec_use added = {.call = *use, .default_value = value};
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(name);
    return result;
  }
  if (name_map_find(&p->names, name, &added.constant)) {
    free(name);
    spec_constant *constant = &p->constants.items[added.constant];
    result = check_again(p, use, value, records && constant->recorded, constant);
    if (result == SPECPI_COMPILER_SUCCESS && records && !constant->recorded)
      result = start_again(p, use, value, constant);
  } else {
    added.constant = p->constants.count;
    result = add_constant(p, use, value, name);
  }
  COMPILER_TRY(result);
  if (records)
    p->constants.items[added.constant].recorded = true;
  if (!VECTOR_RESERVE(&p->uses))
    return compiler_error_memory();
  p->uses.items[p->uses.count++] = added;
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The uses ---- */

LLVMValueRef spec_point(pass *p, LLVMValueRef object, uint32_t offset, LLVMTypeRef type) {
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(object));
  LLVMTypeRef byte = LLVMInt8TypeInContext(p->context);
  LLVMValueRef bytes = LLVMBuildBitCast(p->builder, object, LLVMPointerType(byte, space), "");
  LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(p->context), offset, 0);
  LLVMValueRef place = LLVMBuildGEP2(p->builder, byte, bytes, &index, 1, "");
  return LLVMBuildBitCast(p->builder, place, LLVMPointerType(type, space), "");
}

LLVMValueRef spec_alloca(pass *p, const spec_use *use, LLVMValueRef count) {
  LLVMValueRef call = use->call.call;
  LLVMValueRef memory =
      LLVMBuildArrayAlloca(p->builder, LLVMTypeOf(LLVMGetOperand(call, 3)), count, "");
  LLVMSetAlignment(memory, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 4)));
  return LLVMBuildPointerCast(p->builder, memory, LLVMTypeOf(call), "");
}

unsigned spec_result_alignment(const pass *p, const use *use) {
  const unsigned kind = attributes_kind("align");
  LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(use->call, 1, kind);
  if (attribute == NULL)
    attribute = LLVMGetEnumAttributeAtIndex(LLVMGetCalledValue(use->call), 1, kind);
  return attribute != NULL ? (unsigned)LLVMGetEnumAttributeValue(attribute)
                           : LLVMABIAlignmentOfType(p->data_layout, use->type);
}

/* Stores the value that a call would have stored through its struct-return pointer. */
static void store_result(pass *p, LLVMValueRef value, const use *use) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(use->result));
  LLVMValueRef target = LLVMBuildBitCast(p->builder, use->result, LLVMPointerType(type, space), "");
  LLVMValueRef store = LLVMBuildStore(p->builder, value, target);
  LLVMSetAlignment(store, spec_result_alignment(p, use));
}

/* Erases a call whose result is unused, and the instructions that compute its name and default. */
static void erase_call(pass *p, const use *use) {
  const unsigned first = use->result != NULL ? 1 : 0;
  const unsigned last = use->kind == USE_LEGACY ? first : first + 2;
  for (unsigned i = first; i <= last; i++) {
    LLVMValueRef argument = LLVMGetOperand(use->call, i);
    LLVMSetOperand(use->call, i, LLVMGetUndef(LLVMTypeOf(argument)));
    if (i < first + 2) /* not the third, the buffer, which is loaded from an argument that stays */
      pointer_drop(argument, p->data_layout);
  }
  LLVMInstructionEraseFromParent(use->call);
}

static specpi_compiler_result replace_use(pass *p, const spec_use *spec_use) {
  const spec_constant *constant = &p->constants.items[spec_use->constant];
  const use *call = &spec_use->call;
  image own = constant->image;
  layout as = constant->layout;
  const bool own_default = spec_use->default_value != constant->default_value;
  /* The use's structure may have another name, but has the holes of the first default. */
  const bool own_type = call->type != constant->type;
  if (own_default)
    COMPILER_TRY(read_image(p, call, constant->name, spec_use->default_value, &own));
  image first = constant->image;
  specpi_compiler_result result =
      own_type ? layout_make(call->type, p->data_layout, &first, &as) : SPECPI_COMPILER_SUCCESS;
  if (result == SPECPI_COMPILER_SUCCESS) {
    LLVMValueRef value = NULL;
    LLVMPositionBuilderBefore(p->builder, call->call);
    result = modes[p->mode]->value(p, spec_use, &as, &own, &value);
    if (result == SPECPI_COMPILER_SUCCESS && value != NULL) {
      if (call->result == NULL)
        LLVMReplaceAllUsesWith(call->call, value);
      else if (!modes[p->mode]->stores)
        store_result(p, value, call);
      erase_call(p, call);
    }
    if (own_type)
      layout_free(&as);
  }
  if (own_default)
    image_free(&own);
  return result;
}

/* Returns whether a variable was only a default of uses that are gone now. */
static bool is_left_default(const pass *p, LLVMValueRef global) {
  return value_set_has(&p->defaults, global) && !pointer_is_live(global);
}

/*
 * Removes globals that only the uses needed: strings with names, defaults, and declared functions.
 */
static void clean(pass *p) {
  LLVMValueRef next;
  for (LLVMValueRef global = LLVMGetFirstGlobal(p->module); global != NULL; global = next) {
    next = LLVMGetNextGlobal(global);
    const LLVMLinkage linkage = LLVMGetLinkage(global);
    LLVMValueRef string = LLVMGetInitializer(global);
    if (string != NULL && linkage != LLVMPrivateLinkage && linkage != LLVMInternalLinkage)
      continue;
    if (is_left_default(p, global)) {
      LLVMReplaceAllUsesWith(global, LLVMGetUndef(LLVMTypeOf(global)));
      LLVMDeleteGlobal(global);
      continue;
    }
    if (!pointer_is_text(string))
      continue;
    size_t length;
    size_t index;
    const char *bytes = LLVMGetAsString(string, &length);
    /* Strings without a final NUL stay, because the lookup needs one; names rarely lack it. */
    if (length == 0 || bytes[length - 1] != '\0' || !name_map_find(&p->names, bytes, &index) ||
        pointer_is_live(global))
      continue;
    /* Unused constant expressions in the context may still refer to it. */
    LLVMReplaceAllUsesWith(global, LLVMGetUndef(LLVMTypeOf(global)));
    LLVMDeleteGlobal(global);
  }
  for (LLVMValueRef function = LLVMGetFirstFunction(p->module); function != NULL; function = next) {
    next = LLVMGetNextFunction(function);
    use_kind kind;
    if (!use_is_getter(function, &kind) || pointer_is_live(function))
      continue;
    LLVMReplaceAllUsesWith(function, LLVMGetUndef(LLVMTypeOf(function)));
    LLVMDeleteFunction(function);
  }
}

/* ---- Records ---- */

static void add_metadata(const pass *p, const char *name, LLVMMetadataRef *operands, size_t count) {
  LLVMMetadataRef made = LLVMMDNodeInContext2(p->context, operands, count);
  LLVMAddNamedMetadataOperand(p->module, name, LLVMMetadataAsValue(p->context, made));
}

static specpi_compiler_result write_metadata(const pass *p) {
  LLVMGetOrInsertNamedMetadata(p->module, RECORDS_METADATA, strlen(RECORDS_METADATA));
  LLVMGetOrInsertNamedMetadata(p->module, DEFAULTS_METADATA, strlen(DEFAULTS_METADATA));
  LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
  for (size_t i = 0; i < p->constants.count; i++) {
    const spec_constant *constant = &p->constants.items[i];
    const size_t count = constant->layout.descriptors.count;
    if (!constant->recorded)
      continue;
    LLVMMetadataRef *operands = malloc((1 + 3 * count) * sizeof *operands);
    if (operands == NULL)
      return compiler_error_memory();
    operands[0] = LLVMMDStringInContext2(p->context, constant->name, strlen(constant->name));
    for (size_t j = 0; j < count; j++) {
      const specpi_compiler_descriptor *d = &constant->layout.descriptors.items[j];
      operands[1 + 3 * j] = LLVMValueAsMetadata(LLVMConstInt(i32, d->id, 0));
      operands[2 + 3 * j] = LLVMValueAsMetadata(LLVMConstInt(i32, d->offset, 0));
      operands[3 + 3 * j] = LLVMValueAsMetadata(LLVMConstInt(i32, d->size, 0));
    }
    add_metadata(p, RECORDS_METADATA, operands, 1 + 3 * count);
    if (constant->gap > 0) {
      LLVMTypeRef gap = LLVMArrayType(LLVMInt8TypeInContext(p->context), constant->gap);
      operands[0] = LLVMValueAsMetadata(LLVMConstNull(gap));
      add_metadata(p, DEFAULTS_METADATA, operands, 1);
    }
    operands[0] = LLVMValueAsMetadata(constant->default_value);
    add_metadata(p, DEFAULTS_METADATA, operands, 1);
    free(operands);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Returns whether the records are right for SYCL runtimes, which only add up sizes and gaps: the
 * sums must be the constants' positions, and the total the size of the defaults.
 */
static bool records_add_up(specpi_compiler_output output) {
  uint64_t at = 0;
  for (size_t i = 0; i < output->constants.count; i++) {
    const specpi_compiler_constant *constant = &output->constants.items[i];
    if (at != constant->position)
      return false;
    uint64_t local = 0;
    for (size_t j = 0; j < constant->descriptor_count; j++) {
      const specpi_compiler_descriptor *d = &constant->descriptors[j];
      if (d->offset < local)
        return false;
      at += d->offset - local + d->size;
      local = (uint64_t)d->offset + d->size;
    }
  }
  return at == output->default_size;
}

/* Moves the recorded constants and their defaults to the output. */
static specpi_compiler_result write_output(pass *p) {
  specpi_compiler_output output = p->output;
  for (size_t i = 0; i < p->constants.count; i++)
    if (p->constants.items[i].recorded)
      output->default_size =
          (size_t)p->constants.items[i].position + p->constants.items[i].layout.size;
  if (output->default_size == 0)
    return SPECPI_COMPILER_SUCCESS;
  output->defaults = calloc(output->default_size, 1);
  if (output->defaults == NULL)
    return compiler_error_memory();
  for (size_t i = 0; i < p->constants.count; i++) {
    spec_constant *constant = &p->constants.items[i];
    if (!constant->recorded)
      continue;
    if (!VECTOR_RESERVE(&output->constants))
      return compiler_error_memory();
    if (constant->imported)
      COMPILER_TRY(output_add(&output->imported_constants, strdup(constant->name)));
    unsigned char *bytes = output->defaults + constant->position;
    memcpy(bytes, constant->image.bytes, constant->image.size);
    output->constants.items[output->constants.count++] = (specpi_compiler_constant){
        .name = constant->name,
        .kind = constant->layout.nodes.items[0].kind == NODE_SCALAR
                    ? SPECPI_COMPILER_KIND_SCALAR
                    : SPECPI_COMPILER_KIND_COMPOSITE,
        .size = constant->layout.size,
        .position = constant->position,
        .default_data = bytes,
        .descriptor_count = constant->layout.descriptors.count,
        .descriptors = constant->layout.descriptors.items,
    };
    constant->name = NULL;
    constant->layout.descriptors.items = NULL;
  }
  COMPILER_REQUIRE(records_add_up(output), SPECPI_COMPILER_ERROR_INTERNAL,
                   "the records of the constants do not add up to their defaults");
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The whole ---- */

typedef struct lowering {
  pass pass;
  const specpi_compiler_options *options;
} lowering;

static specpi_compiler_result verify_module(const pass *p) {
  char *message = NULL;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message))
    result = compiler_error(SPECPI_COMPILER_ERROR_INTERNAL, "the lowered module is not valid: %s",
                            message);
  LLVMDisposeMessage(message);
  return result;
}

static specpi_compiler_result lower_uses(pass *p) {
  const spec_mode *mode = modes[p->mode];
  COMPILER_REQUIRE(LLVMGetNamedMetadataNumOperands(p->module, RECORDS_METADATA) == 0,
                   SPECPI_COMPILER_ERROR_CONFLICT,
                   "the module has records of constants: it was lowered before");
  COMPILER_TRY(sycl_notes_read(p->module, p->output));
  COMPILER_TRY(kernels_list(p->module, p->output, &p->kernels));
  COMPILER_TRY(uses_find(p->module, &p->calls));
  for (size_t i = 0; i < p->calls.count; i++)
    COMPILER_TRY(add_use(p, &p->calls.items[i]));
  COMPILER_TRY(required_users_find(p));
  if (mode->prepare != NULL)
    COMPILER_TRY(mode->prepare(p));
  /* Goes backwards, so that instructions before a use are still unchanged. */
  for (size_t i = p->uses.count; i-- > 0;)
    COMPILER_TRY(replace_use(p, &p->uses.items[i]));
  clean(p);
  if (mode->records != NULL) {
    COMPILER_TRY(write_metadata(p));
    COMPILER_TRY(write_output(p));
  } else {
    LLVMGetOrInsertNamedMetadata(p->module, COPY_METADATA, strlen(COPY_METADATA));
    p->output->replaced = p->constants.count > 0;
  }
  if (target_is_spir(p->module))
    COMPILER_TRY(spirv_form(p->module));
  COMPILER_TRY(requirements_find(p->module, p->output));
  return verify_module(p);
}

static specpi_compiler_result run_pass(void *data) {
  lowering *lowering = data;
  pass *p = &lowering->pass;
  p->module = LLVMCloneModule(p->module);
  p->output->llvm = p->module;
  if (target_maps(p->module, lowering->options->target)) {
    LLVMModuleRef mapped;
    COMPILER_TRY(spir_map(p->output->compiler, p->module, &mapped));
    LLVMDisposeModule(p->module);
    p->module = mapped;
    p->output->llvm = mapped;
  }
  COMPILER_TRY(target_apply(p->module, lowering->options->target));
  COMPILER_REQUIRE(p->mode != SPECPI_COMPILER_MODE_PATCH || target_is_nvptx(p->module),
                   SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "mode patch is for the target nvptx64, not for '%s'", LLVMGetTarget(p->module));
  p->context = p->output->compiler->llvm;
  p->data_layout = LLVMGetModuleDataLayout(p->module);
  p->builder = LLVMCreateBuilderInContext(p->context);
  const specpi_compiler_result result = lower_uses(p);
  LLVMDisposeBuilder(p->builder);
  return result;
}

static void free_pass(pass *p) {
  for (size_t i = 0; i < p->constants.count; i++) {
    free(p->constants.items[i].name);
    image_free(&p->constants.items[i].image);
    layout_free(&p->constants.items[i].layout);
  }
  free(p->constants.items);
  free(p->uses.items);
  free(p->calls.items);
  value_set_free(&p->defaults);
  name_map_free(&p->names);
  name_map_free(&p->kernels);
}

specpi_compiler_result specpiCompilerLower(specpi_compiler_module module,
                                           const specpi_compiler_options *options,
                                           specpi_compiler_output *ret) {
  COMPILER_REQUIRE(module != NULL && options != NULL && ret != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   module == NULL    ? "module"
                   : options == NULL ? "options"
                                     : "ret");
  COMPILER_REQUIRE(specpiCompilerModeGetName(options->mode) != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "there is no mode %d",
                   (int)options->mode);
  COMPILER_REQUIRE((unsigned)options->optimization <= SPECPI_COMPILER_OPTIMIZATION_O3,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "there is no optimization %d",
                   (int)options->optimization);
  specpi_compiler_output output = calloc(1, sizeof *output);
  if (output == NULL)
    return compiler_error_memory();
  output->compiler = module->compiler;
  output->optimization = options->optimization;
  output->mode = options->mode;
  lowering lowering = {.options = options};
  lowering.pass.mode = options->mode;
  lowering.pass.module = module->llvm;
  lowering.pass.output = output;
  const specpi_compiler_result result = context_run(module->compiler, run_pass, &lowering);
  free_pass(&lowering.pass);
  if (result != SPECPI_COMPILER_SUCCESS) {
    specpiCompilerOutputRelease(output);
    return result;
  }
  *ret = output;
  return SPECPI_COMPILER_SUCCESS;
}
