#define _POSIX_C_SOURCE 200809L /* strdup */
#include "build.h"

#include "../../plugins/code/libdevice_place.h"
#include "../context.h"
#include "../input.h"
#include "../nvptx/sub_group_sizes.h"
#include "../output.h"
#include "../target.h"
#include "built_in.h"
#include "check.h"
#include "convergence.h"
#include "fences.h"
#include "images.h"
#include "inlining.h"
#include "translate.h"
#include "words.h"

#include <llvm-c/Linker.h>
#include <stdlib.h>
#include <string.h>

typedef struct building {
  const build_request *build;
  specpi_compiler compiler;
  specpi_compiler_module module;
  specpi_compiler_output output;
} building;

static bool is_bitcode(const codegen_request *request) {
  static const unsigned char magic[] = {'B', 'C', 0xC0, 0xDE};
  return request->size >= sizeof magic && memcmp(request->module, magic, sizeof magic) == 0;
}

/* Replaces everything in a module that only spir64 has; most of it comes from SPIR-V. */
static specpi_compiler_result settle_module(void *data) {
  const building *building = data;
  COMPILER_TRY(built_in_replace(building->module->llvm));
  COMPILER_TRY(images_settle(building->module->llvm));
  inlining_settle(building->module->llvm);
  COMPILER_TRY(convergence_settle(building->module->llvm));
  fences_settle(building->module->llvm, building->build->request.gpu);
  sub_group_sizes_allow(building->module->llvm);
  return SPECPI_COMPILER_SUCCESS;
}

/* Translates SPIR-V to bitcode, and reads the bitcode as a module. */
static specpi_compiler_result read_words(const building *building, const unsigned char *words,
                                         size_t size, specpi_compiler_module *ret) {
  char message[512] = "";
  size_t bitcode_size;
  char *bitcode = translate_spirv(words, size, &bitcode_size, message, sizeof message);
  COMPILER_REQUIRE(bitcode != NULL, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                   "the translator refuses the SPIR-V module: %s", message);
  const specpi_compiler_result result =
      specpiCompilerModuleRead(building->compiler, "the SPIR-V module", bitcode, bitcode_size, ret);
  free(bitcode);
  return result;
}

static specpi_compiler_result read_module(const building *building, const codegen_request *request,
                                          specpi_compiler_module *ret) {
  if (is_bitcode(request)) {
    COMPILER_REQUIRE(request->value_count == 0, SPECPI_COMPILER_ERROR_INVALID_ARGUMENT,
                     "LLVM bitcode has no specialization constants, and %zu values are given",
                     request->value_count);
    return specpiCompilerModuleRead(building->compiler, "the bitcode", request->module,
                                    request->size, ret);
  }
  unsigned char *words;
  size_t size;
  COMPILER_TRY(words_prepare(request->module, request->size, request->values, request->value_count,
                             &words, &size));
  const specpi_compiler_result result = read_words(building, words, size, ret);
  free(words);
  return result;
}

/* A module to be linked into the module of a build. */
typedef struct joining {
  const building *building;
  specpi_compiler_module part;
} joining;

static specpi_compiler_result join_part(void *data) {
  const joining *of = data;
  const building *building = of->building;
  building->compiler->diagnostic[0] = '\0';
  COMPILER_REQUIRE(!LLVMLinkModules2(building->module->llvm, LLVMCloneModule(of->part->llvm)),
                   SPECPI_COMPILER_ERROR_CONFLICT, "modules of one program do not fit: %s",
                   building->compiler->diagnostic);
  return SPECPI_COMPILER_SUCCESS;
}

/* Links all modules of a request into one, so that functions are inlined across modules. */
static specpi_compiler_result read_modules(building *building) {
  const codegen_request *first = &building->build->request;
  COMPILER_TRY(read_module(building, first, &building->module));
  for (const codegen_request *also = first->also; also != NULL; also = also->also) {
    joining of = {.building = building};
    COMPILER_TRY(read_module(building, also, &of.part));
    const specpi_compiler_result result = context_run(building->compiler, join_part, &of);
    specpiCompilerModuleRelease(of.part);
    COMPILER_TRY(result);
  }
  return target_is_nvptx(building->module->llvm)
             ? SPECPI_COMPILER_SUCCESS
             : context_run(building->compiler, settle_module, building);
}

/* Lists the functions that other modules of a link may define, and those that they may call. */
static specpi_compiler_result list_links(void *data) {
  static const char own[] = "__specpi_"; /* prefix of functions that each module has itself */
  const building *building = data;
  for (LLVMValueRef function = LLVMGetFirstFunction(building->output->llvm); function != NULL;
       function = LLVMGetNextFunction(function)) {
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    const LLVMLinkage linkage = LLVMGetLinkage(function);
    if (LLVMIsDeclaration(function))
      COMPILER_TRY(output_add(&building->output->imported, strdup(name)));
    else if (LLVMGetFunctionCallConv(function) != LLVMPTXKernelCallConv &&
             linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage &&
             strncmp(name, own, sizeof own - 1) != 0)
      COMPILER_TRY(output_add(&building->output->exported, strdup(name)));
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result build_with(building *building, char **ret, size_t *ret_size) {
  const codegen_request *request = &building->build->request;
  COMPILER_TRY(specpiCompilerCreate(&building->compiler));
  /* The translator writes typed pointers; all later steps use opaque ones. */
  LLVMContextSetOpaquePointers(building->compiler->llvm, 1);
  COMPILER_TRY(read_modules(building));
  const specpi_compiler_options lower = {.mode = SPECPI_COMPILER_MODE_DEFAULT,
                                         .target = TARGET_NVPTX};
  COMPILER_TRY(specpiCompilerLower(building->module, &lower, &building->output));
  if (request->is_part)
    COMPILER_TRY(context_run(building->compiler, list_links, building));
  const char *libdevice = request->libdevice != NULL ? request->libdevice : libdevice_place();
  const specpi_compiler_code_options generate = {.gpu = request->gpu,
                                                 .optimization = request->optimization,
                                                 .libraries = building->build->libraries,
                                                 .library_count = building->build->library_count,
                                                 .libdevice =
                                                     libdevice[0] != '\0' ? libdevice : NULL,
                                                 .no_offset = request->no_offset};
  const void *text;
  size_t size;
  COMPILER_TRY(specpiCompilerOutputGenerate(building->output, &generate, &text, &size));
  char *copy = malloc(size + 1);
  if (copy == NULL)
    return compiler_error_memory();
  memcpy(copy, text, size + 1);
  *ret = copy;
  *ret_size = size;
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result build_ptx(const build_request *request, char **ret, size_t *size) {
  building building = {.build = request};
  if (request->request.is_check) {
    bool is_told;
    *ret = NULL;
    *size = 0;
    COMPILER_TRY(check_module(request, &is_told));
    if (is_told)
      return SPECPI_COMPILER_SUCCESS;
  }
  const specpi_compiler_result result = build_with(&building, ret, size);
  specpiCompilerOutputRelease(building.output);
  specpiCompilerModuleRelease(building.module);
  specpiCompilerRelease(building.compiler);
  return result;
}
