/*
 * specpi-codegen-library OUT LIBCLC FILE...: makes a device library from modules for spir64 (.bc),
 * which it maps to NVPTX including their functions' names, and from modules for nvptx64 (.ll). A
 * function with the same name as one of libclc's replaces that one, and can call it as
 * libclc_<name>.
 *
 * specpi-codegen-library --common OUT FILE...: makes a small library of the functions that most
 * kernels call, from libraries for nvptx64. Reading those libraries would take longer than
 * generating code for most kernels.
 *
 * Both run when specpi is built.
 */
#include "../context.h"
#include "../input.h"
#include "../mangled.h"
#include "../nvptx/library.h"
#include "../spir.h"
#include "../target.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Linker.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Gives the module's functions the names by which modules call them after spir_map. */
static specpi_compiler_result rename_definitions(LLVMModuleRef module) {
  for (LLVMValueRef value = LLVMGetFirstFunction(module); value != NULL;
       value = LLVMGetNextFunction(value)) {
    size_t length;
    const char *old = LLVMGetValueName2(value, &length);
    if (LLVMIsDeclaration(value) || strncmp(old, "_Z", 2) != 0)
      continue;
    char *name = strdup(old);
    if (name == NULL)
      return compiler_error_memory();
    spir_map_name(name, &length);
    const bool taken = strcmp(name, old) != 0 && LLVMGetNamedFunction(module, name) != NULL;
    if (!taken)
      LLVMSetValueName2(value, name, length);
    else
      compiler_error(SPECPI_COMPILER_ERROR_CONFLICT,
                     "function '%s' would have the name of another one on NVPTX, '%s'", old, name);
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

/* ---- Functions of libclc under another name ---- */

/* A temporary function whose uses keep other functions alive. */
typedef struct keeper {
  LLVMValueRef function;
  LLVMBuilderRef uses;
} keeper;

static keeper make_keeper(specpi_compiler compiler, LLVMModuleRef module) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(compiler->llvm), NULL, 0, 0);
  const keeper ret = {.function = LLVMAddFunction(module, "__specpi_user", type),
                      .uses = LLVMCreateBuilderInContext(compiler->llvm)};
  LLVMPositionBuilderAtEnd(ret.uses,
                           LLVMAppendBasicBlockInContext(compiler->llvm, ret.function, ""));
  return ret;
}

/* Declares a function of a library, and uses it. */
static void keep_function(const keeper *keeper, const char *name, LLVMTypeRef type) {
  LLVMValueRef declared = LLVMAddFunction(LLVMGetGlobalParent(keeper->function), name, type);
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(keeper->function));
  LLVMBuildStore(keeper->uses, declared, LLVMConstNull(LLVMPointerTypeInContext(context, 0)));
}

/* Links the kept functions' definitions from libraries, and deletes the keeper. */
static specpi_compiler_result link_kept(specpi_compiler compiler, const keeper *keeper,
                                        char **paths, int count) {
  LLVMModuleRef module = LLVMGetGlobalParent(keeper->function);
  LLVMBuildRetVoid(keeper->uses);
  LLVMDisposeBuilder(keeper->uses);
  for (int i = 0; i < count; i++)
    COMPILER_TRY(library_link(module, paths[i], "", compiler->diagnostic));
  LLVMDeleteFunction(keeper->function);
  return SPECPI_COMPILER_SUCCESS;
}

static const char original_prefix[] = "libclc_";

/* Returns libclc's mangled name of a function libclc_<name>: for _Z10libclc_sind, _Z3sind. Returns
 * NULL for other names. */
static char *original_name(const char *mangled) {
  const size_t prefix = sizeof original_prefix - 1;
  size_t length;
  const char *name = mangled_name(mangled, &length);
  if (name == NULL || length <= prefix || strncmp(name, original_prefix, prefix) != 0)
    return NULL;
  char *ret = malloc(strlen(mangled) + 1);
  if (ret != NULL)
    sprintf(ret, "_Z%zu%s", length - prefix, name + prefix);
  return ret;
}

/* Calls visit for each function libclc_<name> that the library declares. */
static void visit_originals(LLVMModuleRef library,
                            void (*visit)(void *data, LLVMValueRef declared, const char *name),
                            void *data) {
  for (LLVMValueRef value = LLVMGetFirstFunction(library); value != NULL;
       value = LLVMGetNextFunction(value)) {
    size_t length;
    char *name = original_name(LLVMGetValueName2(value, &length));
    if (name != NULL)
      visit(data, value, name);
    free(name);
  }
}

static void keep_original(void *data, LLVMValueRef declared, const char *name) {
  keep_function(data, name, LLVMGlobalGetValueType(declared));
}

static void rename_original(void *data, LLVMValueRef declared, const char *name) {
  size_t length;
  const char *wanted = LLVMGetValueName2(declared, &length);
  LLVMSetValueName2(LLVMGetNamedFunction(data, name), wanted, length);
}

/*
 * Replaces libclc's table of the bits of 2 / pi by an aligned and longer one. libclc reads 16 bytes
 * at a time, but its own table is not aligned, and shorter than the reads.
 */
static void mend_table(LLVMModuleRef originals) {
  char bytes[160] = "";
  size_t size;
  LLVMValueRef old = LLVMGetNamedGlobal(originals, "PIBITS_TBL");
  if (old == NULL)
    return;
  const char *given = LLVMGetAsString(LLVMGetInitializer(old), &size);
  memcpy(bytes, given, size < sizeof bytes ? size : sizeof bytes);
  LLVMValueRef value =
      LLVMConstStringInContext(LLVMGetModuleContext(originals), bytes, sizeof bytes, true);
  LLVMValueRef mended = LLVMAddGlobalInAddressSpace(originals, LLVMTypeOf(value), "__specpi_pi",
                                                    LLVMGetPointerAddressSpace(LLVMTypeOf(old)));
  LLVMSetInitializer(mended, value);
  LLVMSetGlobalConstant(mended, true);
  LLVMSetLinkage(mended, LLVMLinkOnceODRLinkage);
  LLVMSetAlignment(mended, 16);
  LLVMReplaceAllUsesWith(old, mended);
  LLVMDeleteGlobal(old);
}

static specpi_compiler_result add_originals(specpi_compiler compiler, LLVMModuleRef library,
                                            char *path) {
  LLVMModuleRef originals = LLVMModuleCreateWithNameInContext("originals", compiler->llvm);
  keeper all = make_keeper(compiler, originals);
  visit_originals(library, keep_original, &all);
  specpi_compiler_result result = link_kept(compiler, &all, &path, 1);
  if (result != SPECPI_COMPILER_SUCCESS) {
    LLVMDisposeModule(originals);
    return result;
  }
  visit_originals(library, rename_original, originals);
  mend_table(originals);
  COMPILER_REQUIRE(!LLVMLinkModules2(library, originals), SPECPI_COMPILER_ERROR_CONFLICT, "%s: %s",
                   path, compiler->diagnostic);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result add_files(specpi_compiler compiler, LLVMModuleRef library,
                                        char **paths, int count) {
  for (int i = 1; i < count; i++)
    COMPILER_TRY(add_file(compiler, paths[i], library));
  return add_originals(compiler, library, paths[0]);
}

/* ---- The common library ---- */

/* OpenCL C's functions that most kernels call. Only the overloads for scalars are common. */
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

/* Returns whether a mangled name is that of a common function. */
static bool is_common(const char *mangled) {
  size_t length;
  const char *name = mangled_name(mangled, &length);
  if (name == NULL || strstr(name + length, "Dv") != NULL)
    return false;
  for (size_t i = 0; i < sizeof common_functions / sizeof common_functions[0]; i++)
    if (strlen(common_functions[i]) == length && strncmp(common_functions[i], name, length) == 0)
      return true;
  return false;
}

/* Keeps the common functions that a library defines. */
static specpi_compiler_result keep_common(specpi_compiler compiler, const char *path,
                                          const keeper *all) {
  specpi_compiler_module module;
  LLVMModuleRef library = LLVMGetGlobalParent(all->function);
  COMPILER_TRY(specpiCompilerModuleReadFile(compiler, path, &module));
  for (LLVMValueRef value = LLVMGetFirstFunction(module->llvm); value != NULL;
       value = LLVMGetNextFunction(value)) {
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (!LLVMIsDeclaration(value) && is_common(name) && LLVMGetNamedFunction(library, name) == NULL)
      keep_function(all, name, LLVMGlobalGetValueType(value));
  }
  specpiCompilerModuleRelease(module);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result take_common(specpi_compiler compiler, LLVMModuleRef library,
                                          char **paths, int count) {
  const keeper all = make_keeper(compiler, library);
  for (int i = 0; i < count; i++)
    COMPILER_TRY(keep_common(compiler, paths[i], &all));
  return link_kept(compiler, &all, paths, count);
}

/* ---- Both libraries ---- */

typedef specpi_compiler_result library_fill(specpi_compiler compiler, LLVMModuleRef library,
                                            char **paths, int count);

static specpi_compiler_result write_library(specpi_compiler compiler, library_fill *fill,
                                            LLVMModuleRef library, const char *out, char **paths,
                                            int count) {
  COMPILER_TRY(target_apply(library, TARGET_NVPTX));
  COMPILER_TRY(fill(compiler, library, paths, count));
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
  const specpi_compiler_result result = write_library(compiler, fill, library, out, paths, count);
  LLVMDisposeModule(library);
  specpiCompilerRelease(compiler);
  return result;
}

int main(int argc, char **argv) {
  const bool is_common_one = argc > 1 && strcmp(argv[1], "--common") == 0;
  if (argc < 3 + is_common_one) {
    fputs("usage: specpi-codegen-library OUT LIBCLC FILE... | --common OUT FILE...\n", stderr);
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
