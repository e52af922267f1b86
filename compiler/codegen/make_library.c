/*
 * specpi-codegen-library OUT FILE...: makes the device library of modules for spir64 (.bc), which
 * are mapped to NVPTX with the names of their functions, and for nvptx64 (.ll).
 * specpi-codegen-library --common OUT FILE...: makes a small library of what most kernels call, out
 * of libraries for nvptx64, because reading one of those takes longer than generating most kernels.
 * Both run when specpi is built.
 */
#include "../context.h"
#include "../input.h"
#include "../library.h"
#include "../spir.h"
#include "../target.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives what the module defines the names by which modules call it that have been mapped. */
static specpi_compiler_result rename_definitions(LLVMModuleRef module) {
  for (LLVMValueRef it = LLVMGetFirstFunction(module); it != NULL; it = LLVMGetNextFunction(it)) {
    size_t length;
    const char *old = LLVMGetValueName2(it, &length);
    if (LLVMIsDeclaration(it) || strncmp(old, "_Z", 2) != 0)
      continue;
    char *name = strdup(old);
    if (name == NULL)
      return compiler_error_memory();
    spir_map_name(name, &length);
    const bool taken = strcmp(name, old) != 0 && LLVMGetNamedFunction(module, name) != NULL;
    if (!taken)
      LLVMSetValueName2(it, name, length);
    else
      compiler_error(SPECPI_COMPILER_ERROR_CONFLICT, "'%s' and '%s' are one on NVPTX", old, name);
    free(name);
    if (taken)
      return SPECPI_COMPILER_ERROR_CONFLICT;
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_file(specpi_compiler compiler, const char *path,
                                       LLVMModuleRef library) {
  specpi_compiler_module module;
  LLVMModuleRef mapped = NULL;
  COMPILER_TRY(specpiCompilerModuleReadFile(compiler, path, &module));
  specpi_compiler_result result = SPECPI_COMPILER_SUCCESS;
  if (target_is_nvptx(module->llvm))
    mapped = LLVMCloneModule(module->llvm);
  else
    result = rename_definitions(module->llvm);
  if (result == SPECPI_COMPILER_SUCCESS && mapped == NULL)
    result = spir_map(compiler, module->llvm, &mapped);
  specpiCompilerModuleRelease(module);
  COMPILER_TRY(result);
  COMPILER_REQUIRE(!LLVMLinkModules2(library, mapped), SPECPI_COMPILER_ERROR_CONFLICT, "%s: %s",
                   path, compiler->diagnostic);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_files(specpi_compiler compiler, LLVMModuleRef library,
                                        char **paths, int count) {
  for (int i = 0; i < count; i++)
    COMPILER_TRY(add_file(compiler, paths[i], library));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- What most kernels call ---- */

/* Functions of OpenCL C, for numbers and not for vectors of them. */
static const char *const common_functions[] = {"abs",
                                               "abs_diff",
                                               "add_sat",
                                               "all",
                                               "any",
                                               "barrier",
                                               "bitselect",
                                               "ceil",
                                               "clamp",
                                               "clz",
                                               "copysign",
                                               "ctz",
                                               "degrees",
                                               "fabs",
                                               "fdim",
                                               "floor",
                                               "fma",
                                               "fmax",
                                               "fmin",
                                               "get_global_id",
                                               "get_global_linear_id",
                                               "get_global_offset",
                                               "get_global_size",
                                               "get_group_id",
                                               "get_local_id",
                                               "get_local_linear_id",
                                               "get_local_size",
                                               "get_num_groups",
                                               "get_sub_group_id",
                                               "get_sub_group_local_id",
                                               "get_sub_group_size",
                                               "get_work_dim",
                                               "hadd",
                                               "isequal",
                                               "isfinite",
                                               "isgreater",
                                               "isgreaterequal",
                                               "isinf",
                                               "isless",
                                               "islessequal",
                                               "isnan",
                                               "isnormal",
                                               "isnotequal",
                                               "mad",
                                               "mad24",
                                               "mad_hi",
                                               "max",
                                               "mem_fence",
                                               "min",
                                               "mix",
                                               "mul24",
                                               "mul_hi",
                                               "nan",
                                               "popcount",
                                               "radians",
                                               "rhadd",
                                               "rint",
                                               "rotate",
                                               "round",
                                               "select",
                                               "sign",
                                               "signbit",
                                               "smoothstep",
                                               "sqrt",
                                               "step",
                                               "sub_group_barrier",
                                               "sub_sat",
                                               "trunc",
                                               "work_group_barrier"};

/* Whether a mangled name is of such a function. */
static bool is_common(const char *mangled) {
  char *name;
  if (strncmp(mangled, "_Z", 2) != 0)
    return false;
  const size_t length = (size_t)strtoul(mangled + 2, &name, 10);
  if (length >= strlen(name) || strstr(name + length, "Dv") != NULL)
    return false;
  for (size_t i = 0; i < sizeof common_functions / sizeof common_functions[0]; i++)
    if (strlen(common_functions[i]) == length && strncmp(common_functions[i], name, length) == 0)
      return true;
  return false;
}

/* Declares what a library has of them, each used by a function that names them all. */
static specpi_compiler_result declare_common(specpi_compiler compiler, const char *path,
                                             LLVMModuleRef library, LLVMBuilderRef uses) {
  specpi_compiler_module module;
  COMPILER_TRY(specpiCompilerModuleReadFile(compiler, path, &module));
  for (LLVMValueRef it = LLVMGetFirstFunction(module->llvm); it != NULL;
       it = LLVMGetNextFunction(it)) {
    size_t length;
    const char *name = LLVMGetValueName2(it, &length);
    if (LLVMIsDeclaration(it) || !is_common(name) || LLVMGetNamedFunction(library, name) != NULL)
      continue;
    LLVMValueRef declared = LLVMAddFunction(library, name, LLVMGlobalGetValueType(it));
    LLVMBuildStore(uses, declared, LLVMConstNull(LLVMPointerTypeInContext(compiler->llvm, 0)));
  }
  specpiCompilerModuleRelease(module);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result take_common(specpi_compiler compiler, LLVMModuleRef library,
                                          char **paths, int count) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(compiler->llvm), NULL, 0, 0);
  LLVMValueRef user = LLVMAddFunction(library, "__specpi_user", type);
  LLVMBuilderRef uses = LLVMCreateBuilderInContext(compiler->llvm);
  LLVMPositionBuilderAtEnd(uses, LLVMAppendBasicBlockInContext(compiler->llvm, user, ""));
  for (int i = 0; i < count; i++)
    COMPILER_TRY(declare_common(compiler, paths[i], library, uses));
  LLVMBuildRetVoid(uses);
  LLVMDisposeBuilder(uses);
  for (int i = 0; i < count; i++)
    COMPILER_TRY(library_link(library, paths[i], compiler->diagnostic));
  LLVMDeleteFunction(LLVMGetNamedFunction(library, "__specpi_user"));
  return SPECPI_COMPILER_SUCCESS;
}

/* ---- Either ---- */

typedef specpi_compiler_result library_fill(specpi_compiler compiler, LLVMModuleRef library,
                                            char **paths, int count);

static specpi_compiler_result write_library(const char *out, LLVMModuleRef library) {
  COMPILER_REQUIRE(LLVMWriteBitcodeToFile(library, out) == 0, SPECPI_COMPILER_ERROR_FILE,
                   "'%s' cannot be written", out);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result make_library(library_fill *fill, const char *out, char **paths,
                                           int count) {
  specpi_compiler compiler;
  COMPILER_TRY(specpiCompilerCreate(&compiler));
  LLVMContextSetOpaquePointers(compiler->llvm, 1);
  LLVMModuleRef library = LLVMModuleCreateWithNameInContext("library", compiler->llvm);
  specpi_compiler_result result = target_apply(library, TARGET_NVPTX);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = fill(compiler, library, paths, count);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = write_library(out, library);
  LLVMDisposeModule(library);
  specpiCompilerRelease(compiler);
  return result;
}

int main(int argc, char **argv) {
  const bool is_common_one = argc > 1 && strcmp(argv[1], "--common") == 0;
  if (argc < 3 + is_common_one) {
    fputs("usage: specpi-codegen-library [--common] OUT FILE...\n", stderr);
    return 2;
  }
  argv += is_common_one;
  argc -= is_common_one;
  const specpi_compiler_result result =
      make_library(is_common_one ? take_common : add_files, argv[1], argv + 2, argc - 2);
  if (result == SPECPI_COMPILER_SUCCESS)
    return 0;
  fprintf(stderr, "specpi-codegen-library: %s\n", specpiCompilerGetLastError());
  return 1;
}
