/* Generates the NVPTX code of an output. */
#include "../initialisers.h"
#include "../kernels.h"
#include "../space_casts.h"
#include "../target.h"
#include "by_value.h"
#include "gpu.h"
#include "large_moves.h"
#include "launch_offset.h"
#include "libdevice.h"
#include "library.h"
#include "linear_ids.h"
#include "local_arguments.h"
#include "local_variables.h"
#include "mends.h"
#include "optimize.h"
#include "pointer_kinds.h"
#include "print.h"
#include "ptx.h"
#include "sub_group_sizes.h"
#include "switches.h"

#include "../../plugins/code/ptx_name.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Comdat.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct generation {
  specpi_compiler_output output;
  const specpi_compiler_code_options *options;
  LLVMContextRef context; /* a separate context, so that the compiler's does not grow */
  LLVMModuleRef module;
  LLVMTargetMachineRef machine;
  launch_offset offset; /* entries for launches with an offset, until they join the module */
  char diagnostic[512]; /* the first error that LLVM reported, or "" */
  char *code;
  size_t size;
} generation;

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  generation *generation = data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || generation->diagnostic[0] != '\0')
    return;
  char *text = LLVMGetDiagInfoDescription(info);
  snprintf(generation->diagnostic, sizeof generation->diagnostic, "%s",
           text[0] != '\0' ? text : "it failed");
  LLVMDisposeMessage(text);
}

/* ---- The module ---- */

/* Copies the output's module into a separate context with opaque pointers. */
static specpi_compiler_result copy_module(generation *generation) {
  generation->context = LLVMContextCreate();
  LLVMContextSetDiagnosticHandler(generation->context, on_diagnostic, generation);
#if LLVM_VERSION_MAJOR < 16
  /* A module and its libraries must have the same kind of pointers; LLVM 16 has only opaque ones.
   */
  LLVMContextSetOpaquePointers(generation->context, 1);
#endif
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(generation->output->llvm);
  const bool failed = LLVMParseBitcodeInContext2(generation->context, bitcode, &generation->module);
  LLVMDisposeMemoryBuffer(bitcode);
  if (failed)
    generation->module = NULL;
  COMPILER_REQUIRE(!failed, SPECPI_COMPILER_ERROR_INTERNAL, "LLVM cannot read what it wrote: %s",
                   generation->diagnostic);
  return SPECPI_COMPILER_SUCCESS;
}

/* Writes a kernel's required work-group size as NVPTX metadata. */
static void note_size(generation *generation, LLVMValueRef function, const uint32_t *size) {
  static const char *const names[] = {"reqntidx", "reqntidy", "reqntidz"};
  LLVMTypeRef i32 = LLVMInt32TypeInContext(generation->context);
  LLVMMetadataRef operands[7] = {LLVMValueAsMetadata(function)};
  for (unsigned i = 0; i < 3; i++) {
    operands[1 + 2 * i] = LLVMMDStringInContext2(generation->context, names[i], strlen(names[i]));
    operands[2 + 2 * i] = LLVMValueAsMetadata(LLVMConstInt(i32, size[i], 0));
  }
  LLVMMetadataRef node = LLVMMDNodeInContext2(generation->context, operands, 7);
  LLVMAddNamedMetadataOperand(generation->module, KERNELS_ANNOTATIONS,
                              LLVMMetadataAsValue(generation->context, node));
}

static bool is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMPTXKernelCallConv;
}

/* Gives kernels NVPTX's calling convention and arguments, and writes their required sizes. */
static specpi_compiler_result mark_kernels(generation *generation) {
  static const char initial_values[] = "_GLOBAL__sub_I_"; /* clang's name of such a kernel */
  COMPILER_TRY(sub_group_sizes_check(generation->module, generation->output));
  for (size_t i = 0; i < generation->output->kernels.count; i++) {
    const specpi_compiler_kernel *kernel = &generation->output->kernels.items[i];
    LLVMValueRef function = LLVMGetNamedFunction(generation->module, kernel->name);
    COMPILER_REQUIRE(strncmp(kernel->name, initial_values, sizeof initial_values - 1) != 0,
                     SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "kernel '%s' computes initial values of the module's variables, and on CUDA "
                     "nothing runs it: give the variables constants",
                     kernel->name);
    COMPILER_REQUIRE(ptx_name_is_identifier(kernel->name), SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "kernel '%s' has a name that PTX cannot have", kernel->name);
    COMPILER_REQUIRE(LLVMGetFirstUse(function) == NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "kernel '%s' is called or pointed to, which kernels for NVPTX cannot be",
                     kernel->name);
    LLVMSetFunctionCallConv(function, LLVMPTXKernelCallConv);
    COMPILER_TRY(local_arguments_replace(generation->module, function, &function));
    if (kernel->required_size[0] != 0)
      note_size(generation, function, kernel->required_size);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Makes all functions internal but kernels and exported functions, and gives all functions but
 * kernels, and all calls, the C calling convention. LLVM turns a call into unreachable code if its
 * convention differs from the function's.
 */
static void settle_functions(generation *generation) {
  static const char unnamed[] = "__specpi_unnamed";
  for (LLVMValueRef function = LLVMGetFirstFunction(generation->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    size_t length;
    LLVMSetComdat(function, NULL);
    if (*LLVMGetValueName2(function, &length) == '\0') /* LLVM derives parameters' names from it */
      LLVMSetValueName2(function, unnamed, sizeof unnamed - 1);
    if (is_kernel(function)) {
      LLVMSetLinkage(function, LLVMExternalLinkage);
    } else {
      LLVMSetFunctionCallConv(function, LLVMCCallConv);
      if (!LLVMIsDeclaration(function) &&
          !output_has(&generation->output->exported, LLVMGetValueName2(function, &length)))
        LLVMSetLinkage(function, LLVMInternalLinkage);
    }
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at))
        if (LLVMIsACallInst(at) != NULL)
          LLVMSetInstructionCallConv(at, LLVMCCallConv);
  }
}

/*
 * Gives variables names that are valid in PTX, because LLVM does not do so in debug information.
 * Removes the debug information of shared memory, which cannot be named there at all.
 */
static specpi_compiler_result settle_variables(generation *generation) {
  const unsigned debug = LLVMGetMDKindIDInContext(generation->context, "dbg", 3);
  for (LLVMValueRef global = LLVMGetFirstGlobal(generation->module); global != NULL;
       global = LLVMGetNextGlobal(global)) {
    size_t length;
    const char *old = LLVMGetValueName2(global, &length);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == TARGET_LOCAL_SPACE)
      LLVMGlobalEraseMetadata(global, debug);
    if (ptx_name_is_identifier(old) || strncmp(old, "llvm.", strlen("llvm.")) == 0)
      continue;
    /* SPIR-V's variables may have no name, and an underscore alone is not a valid name in PTX. */
    if (length == 0) {
      old = "unnamed";
      length = strlen(old);
    }
    char *name = malloc(length + 2);
    if (name == NULL)
      return compiler_error_memory();
    ptx_name_make(old, name);
    LLVMSetValueName2(global, name, length + 1);
    free(name);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/*
 * Aligns large variables in local memory to 16 bytes. The driver's compiler can load four numbers
 * at once only if it knows their alignment, but the driver's linker chooses the addresses later.
 */
static void align_local_memory(const generation *generation, LLVMTargetDataRef layout) {
  enum { WIDEST_LOAD = 16 };
  for (LLVMValueRef global = LLVMGetFirstGlobal(generation->module); global != NULL;
       global = LLVMGetNextGlobal(global))
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == TARGET_LOCAL_SPACE &&
        !LLVMIsDeclaration(global) && LLVMGetAlignment(global) < WIDEST_LOAD &&
        LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global)) >= WIDEST_LOAD)
      LLVMSetAlignment(global, WIDEST_LOAD);
}

/* ---- Missing definitions ---- */

typedef struct missing {
  char names[512]; /* the first names, as many as fit */
  size_t count;
} missing;

static void add_missing(missing *to, const char *name) {
  const size_t used = strlen(to->names);
  if (strlen(name) + sizeof ", ''" <= sizeof to->names - used)
    snprintf(to->names + used, sizeof to->names - used, "%s'%s'", used == 0 ? "" : ", ", name);
  to->count++;
}

static specpi_compiler_result check_resolved(const generation *generation) {
  missing list = {.count = 0};
  size_t length;
  for (LLVMValueRef function = LLVMGetFirstFunction(generation->module); function != NULL;
       function = LLVMGetNextFunction(function)) {
    const char *name = LLVMGetValueName2(function, &length);
    if (LLVMIsDeclaration(function) && LLVMGetFirstUse(function) != NULL &&
        library_may_define(function) && !output_has(&generation->output->imported, name))
      add_missing(&list, name);
  }
  for (LLVMValueRef global = LLVMGetFirstGlobal(generation->module); global != NULL;
       global = LLVMGetNextGlobal(global))
    /* A declaration in shared memory stands for the memory that the launch allocates. */
    if (LLVMIsDeclaration(global) && LLVMGetFirstUse(global) != NULL &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != TARGET_LOCAL_SPACE)
      add_missing(&list, LLVMGetValueName2(global, &length));
  COMPILER_REQUIRE(list.count == 0, SPECPI_COMPILER_ERROR_UNRESOLVED,
                   "%zu used and defined neither by the module nor by a library: %s", list.count,
                   list.names);
  return SPECPI_COMPILER_SUCCESS;
}

/* Refuses private memory of a size that is not constant, which is a fatal error in LLVM. */
static specpi_compiler_result check_memory(const generation *generation) {
  for (LLVMValueRef function = LLVMGetFirstFunction(generation->module); function != NULL;
       function = LLVMGetNextFunction(function))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block))
      for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
           at = LLVMGetNextInstruction(at)) {
        const bool known =
            LLVMIsAAllocaInst(at) == NULL || (LLVMIsAConstantInt(LLVMGetOperand(at, 0)) != NULL &&
                                              block == LLVMGetEntryBasicBlock(function));
        size_t length;
        COMPILER_REQUIRE(known, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                         "function '%s' allocates memory of a size, or as often, as is not known",
                         LLVMGetValueName2(function, &length));
      }
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- The code ---- */

/* Returns the name of the first function of which launch_offset.first tells, or NULL. */
static const char *first_entry_name(const generation *generation) {
  size_t length;
  return generation->offset.first != NULL ? LLVMGetValueName2(generation->offset.first, &length)
                                          : NULL;
}

static specpi_compiler_result write_text(generation *generation, LLVMMemoryBufferRef text) {
  size_t size;
  char *mended = mends_apply(LLVMGetBufferStart(text), LLVMGetBufferSize(text), &size);
  if (mended == NULL)
    return compiler_error_memory();
  const specpi_compiler_result result =
      write_ptx_image(generation->output, mended, size, first_entry_name(generation),
                      &generation->code, &generation->size);
  free(mended);
  return result;
}

static specpi_compiler_result emit(generation *generation) {
  char *message = NULL;
  LLVMMemoryBufferRef text = NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(generation->machine, generation->module, LLVMAssemblyFile,
                                          &message, &text)) {
    compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE, "there is no PTX for the module: %s",
                   message);
    LLVMDisposeMessage(message);
    return SPECPI_COMPILER_ERROR_INVALID_MODULE;
  }
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (generation->diagnostic[0] != '\0')
    result = compiler_error(SPECPI_COMPILER_ERROR_INVALID_MODULE,
                            "there is no PTX for the module: %s", generation->diagnostic);
  else
    result = write_text(generation, text);
  LLVMDisposeMemoryBuffer(text);
  return result;
}

/* Links the functions of libdevice that the module calls. The first call opens the file even if
 * there are none, to report a missing file. */
static specpi_compiler_result link_libdevice(generation *generation, bool is_first) {
  const char *path = generation->options->libdevice;
  if (path == NULL || !(libdevice_define(generation->module) || is_first))
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(library_link(generation->module, path, "__nv_", generation->diagnostic));
  libdevice_mend(generation->module);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result link_libraries(generation *generation) {
  COMPILER_TRY(link_libdevice(generation, true));
  for (size_t i = 0; i < generation->options->library_count; i++) {
    COMPILER_TRY(library_link(generation->module, generation->options->libraries[i], "",
                              generation->diagnostic));
    /* The library's functions may call functions of libdevice. */
    COMPILER_TRY(link_libdevice(generation, false));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result generate(generation *generation) {
  const specpi_compiler_code_options *options = generation->options;
  COMPILER_TRY(gpu_machine(options->gpu, options->optimization, &generation->machine));
  COMPILER_TRY(copy_module(generation));
  COMPILER_TRY(initialisers_check(generation->module));
  COMPILER_TRY(print_replace(generation->module));
  COMPILER_TRY(mark_kernels(generation));
  linear_ids_write(generation->module);
  pointer_kinds_write(generation->module);
  COMPILER_TRY(link_libraries(generation));
  settle_functions(generation);
  COMPILER_TRY(sub_group_sizes_write(generation->module, generation->machine, generation->output));
  COMPILER_TRY(settle_variables(generation));
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(generation->machine);
  LLVMSetModuleDataLayout(generation->module, layout);
  align_local_memory(generation, layout);
  LLVMDisposeTargetData(layout);
  by_value_lower(generation->module);
  whole_values_lower(generation->module);
  if (!options->no_offset)
    COMPILER_TRY(launch_offset_split(generation->module, generation->machine, generation->output,
                                     &generation->offset));
  launch_offset_clear(generation->module);
  COMPILER_TRY(optimize_module(generation->module, generation->machine, options->optimization));
  if (generation->offset.entries != NULL)
    COMPILER_TRY(
        optimize_module(generation->offset.entries, generation->machine, options->optimization));
  COMPILER_TRY(launch_offset_join(generation->module, &generation->offset));
  COMPILER_TRY(large_moves_lower(generation->module, generation->machine));
  switches_narrow(generation->module);
  COMPILER_TRY(check_resolved(generation));
  COMPILER_TRY(check_memory(generation));
  COMPILER_TRY(local_variables_place(
      generation->module, LLVMGetModuleDataLayout(generation->module), generation->output));
  space_casts_settle(generation->module);
  COMPILER_TRY(initialisers_write(generation->module));
  return emit(generation);
}

static specpi_compiler_result generate_code(void *data) {
  generation *generation = data;
  const specpi_compiler_result result = generate(generation);
  launch_offset_free(&generation->offset);
  if (generation->module != NULL)
    LLVMDisposeModule(generation->module);
  if (generation->machine != NULL)
    LLVMDisposeTargetMachine(generation->machine);
  if (generation->context != NULL)
    LLVMContextDispose(generation->context);
  return result;
}

static specpi_compiler_result check_options(specpi_compiler_output output,
                                            const specpi_compiler_code_options *options) {
  const specpi_compiler_result invalid = SPECPI_COMPILER_ERROR_INVALID_ARGUMENT;
  COMPILER_REQUIRE(output->mode != SPECPI_COMPILER_MODE_NATIVE, invalid,
                   "an output of mode native has constants of SPIR-V, for which there is no PTX");
  COMPILER_REQUIRE(target_is_nvptx(output->llvm), SPECPI_COMPILER_ERROR_INVALID_TARGET,
                   "PTX is for the target nvptx64, and the output is for '%s'",
                   LLVMGetTarget(output->llvm));
  COMPILER_REQUIRE(options->optimization <= 3, invalid, "there is no optimization %u, only 0 to 3",
                   options->optimization);
  COMPILER_REQUIRE(options->library_count == 0 || options->libraries != NULL, invalid,
                   "libraries is NULL");
  for (size_t i = 0; i < options->library_count; i++)
    COMPILER_REQUIRE(options->libraries[i] != NULL, invalid, "library %zu is NULL", i);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result specpiCompilerOutputGenerate(specpi_compiler_output output,
                                                    const specpi_compiler_code_options *options,
                                                    const void **data, size_t *size) {
  COMPILER_REQUIRE(output != NULL && options != NULL && data != NULL && size != NULL,
                   SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, "%s is NULL",
                   output == NULL    ? "output"
                   : options == NULL ? "options"
                   : data == NULL    ? "data"
                                     : "size");
  COMPILER_REQUIRE(!output->compiler->broken, SPECPI_COMPILER_ERROR_INTERNAL,
                   "the compiler cannot be used after a fatal error inside LLVM");
  COMPILER_TRY(check_options(output, options));
  if (!VECTOR_RESERVE(&output->codes))
    return compiler_error_memory();
  generation generation = {.output = output, .options = options};
  COMPILER_TRY(context_run(output->compiler, generate_code, &generation));
  output->codes.items[output->codes.count++] = generation.code;
  *data = generation.code;
  *size = generation.size;
  return SPECPI_COMPILER_SUCCESS;
}
