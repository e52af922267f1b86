#include "sycl_unit.h"
#include "sycl_notes.h"

#include "../debug_info.h"
#include "../input.h"
#include "../unit_id.h"

#include <llvm-c/Analysis.h>
#include <stdlib.h>
#include <string.h>

static specpi_compiler_result verify_unit(const sycl_unit *unit) {
  char *message = NULL;
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (LLVMVerifyModule(unit->module, LLVMReturnStatusAction, &message))
    result = compiler_error(SPECPI_COMPILER_ERROR_INTERNAL,
                            "the module of the kernels is not valid: %s", message);
  LLVMDisposeMessage(message);
  return result;
}

static void note_unit(const sycl_unit *unit) {
  LLVMMetadataRef text =
      LLVMMDStringInContext2(unit->context, unit->options->unit_id, strlen(unit->options->unit_id));
  LLVMAddNamedMetadataOperand(
      unit->module, SYCL_UNIT_METADATA,
      LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, &text, 1)));
}

/*
 * Marks the module as OpenCL 2.0. Without this, the translator to SPIR-V takes OpenCL's functions
 * for functions of another module.
 */
static void note_language(const sycl_unit *unit) {
  static const char *const names[] = {"opencl.ocl.version", "opencl.spir.version"};
  LLVMTypeRef i32 = LLVMInt32TypeInContext(unit->context);
  LLVMMetadataRef version[] = {LLVMValueAsMetadata(LLVMConstInt(i32, 2, 0)),
                               LLVMValueAsMetadata(LLVMConstInt(i32, 0, 0))};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (LLVMGetNamedMetadataNumOperands(unit->module, names[i]) == 0)
      LLVMAddNamedMetadataOperand(
          unit->module, names[i],
          LLVMMetadataAsValue(unit->context, LLVMMDNodeInContext2(unit->context, version, 2)));
}

static specpi_compiler_result make_kernels(sycl_unit *unit) {
  COMPILER_REQUIRE(LLVMGetNamedMetadataNumOperands(unit->module, SYCL_UNIT_METADATA) == 0,
                   SPECPI_COMPILER_ERROR_CONFLICT, "the module's kernels were made before");
  COMPILER_TRY(sycl_exceptions_remove(unit));
  COMPILER_TRY(sycl_entries_find(unit));
  COMPILER_TRY(sycl_attributes_apply(unit));
  COMPILER_TRY(sycl_groups_check(unit));
  COMPILER_TRY(sycl_objects_note(unit));
  COMPILER_TRY(sycl_ids_write(unit));
  COMPILER_TRY(sycl_prune(unit));
  COMPILER_TRY(sycl_math_replace(unit));
  COMPILER_TRY(sycl_check(unit));
  COMPILER_TRY(sycl_calls_note(unit));
  COMPILER_TRY(sycl_entries_finish(unit));
  COMPILER_TRY(sycl_local_memory_add(unit));
  COMPILER_TRY(debug_info_drop(unit->module, unit->options));
  note_unit(unit);
  note_language(unit);
  COMPILER_TRY(sycl_types_replace(unit));
  return verify_unit(unit);
}

static specpi_compiler_result run_pass(void *data) {
  sycl_unit *unit = data;
  unit->module = LLVMCloneModule(unit->module);
  unit->data_layout = LLVMGetModuleDataLayout(unit->module);
  const specpi_compiler_result result = make_kernels(unit);
  if (result != SPECPI_COMPILER_SUCCESS)
    LLVMDisposeModule(unit->module);
  return result;
}

specpi_compiler_result specpiCompilerModuleMakeKernels(specpi_compiler_module module,
                                                       const specpi_compiler_unit_options *options,
                                                       specpi_compiler_module *ret) {
  COMPILER_REQUIRE(module != NULL && options != NULL && ret != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   module == NULL    ? "module"
                   : options == NULL ? "options"
                                     : "ret");
  COMPILER_TRY(unit_id_check(options->unit_id));
  specpi_compiler_module made = calloc(1, sizeof *made);
  if (made == NULL)
    return compiler_error_memory();
  sycl_unit unit = {.module = module->llvm, .context = module->compiler->llvm, .options = options};
  const specpi_compiler_result result = context_run(module->compiler, run_pass, &unit);
  for (size_t i = 0; i < unit.kernels.count; i++)
    free(unit.kernels.items[i].name);
  free(unit.kernels.items);
  free(unit.exported.items);
  if (result != SPECPI_COMPILER_SUCCESS) {
    free(made);
    return result;
  }
  made->compiler = module->compiler;
  made->llvm = unit.module;
  *ret = made;
  return SPECPI_COMPILER_SUCCESS;
}
