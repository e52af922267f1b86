#include "check.h"

#include "../../plugins/code/libdevice_place.h"
#include "../context.h"
#include "../spirv/definitions.h"
#include "words.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

enum { OP_FUNCTION = 54, DECORATION_LINKAGE = 41, LINKAGE_IMPORT = 1 };

/* A function that is defined elsewhere; its name is in the module. */
typedef struct import {
  const char *name;
  bool is_defined;
} import;

typedef struct imports {
  import *items;
  size_t count;
} imports;

/* ---- What the module imports ---- */

/* The name that a decoration imports a function by, or NULL. */
static const char *import_of(const spirv_instruction *at, const definitions *all) {
  if (at->opcode != SPIRV_OP_DECORATE || at->words < 5 || spirv_word(at, 2) != DECORATION_LINKAGE ||
      spirv_word(at, at->words - 1) != LINKAGE_IMPORT)
    return NULL;
  const definition *target = definitions_find(all, spirv_word(at, 1));
  return target != NULL && target->at.opcode == OP_FUNCTION ? spirv_text(at, 3) : NULL;
}

/* Counts them; with room for items it lists them. */
static specpi_compiler_result scan_imports(spirv_words words, const definitions *all,
                                           imports *ret) {
  ret->count = 0;
  while (spirv_more(&words)) {
    spirv_instruction at;
    COMPILER_REQUIRE(spirv_next(&words, &at) == PI_SUCCESS, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "the SPIR-V module is damaged");
    const char *name = import_of(&at, all);
    if (name == NULL)
      continue;
    if (ret->items != NULL)
      ret->items[ret->count] = (import){.name = name};
    ret->count++;
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result list_imports(spirv_words words, imports *ret) {
  definitions all;
  specpi_compiler_result result = definitions_read(words, &all);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = scan_imports(words, &all, ret);
  if (result == SPECPI_COMPILER_SUCCESS && ret->count != 0) {
    ret->items = calloc(ret->count, sizeof *ret->items);
    result = ret->items != NULL ? scan_imports(words, &all, ret) : compiler_error_memory();
  }
  definitions_free(&all);
  return result;
}

/* ---- What the libraries define ---- */

typedef struct looking {
  specpi_compiler compiler;
  const build_request *build;
  imports *wanted;
} looking;

/* A library that cannot be read is for the build to tell. */
static void look_into(const looking *it, const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef library;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    LLVMDisposeMessage(message);
    return;
  }
  /* Bodies stay unread. LLVM leaves the buffer to the caller when it fails. */
  if (LLVMGetBitcodeModuleInContext2(it->compiler->llvm, buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return;
  }
  for (size_t i = 0; i < it->wanted->count; i++) {
    import *of = &it->wanted->items[i];
    LLVMValueRef found = LLVMGetNamedFunction(library, of->name);
    of->is_defined = of->is_defined || (found != NULL && !LLVMIsDeclaration(found));
  }
  LLVMDisposeModule(library);
}

static specpi_compiler_result look_everywhere(void *data) {
  const looking *it = data;
  const char *given = it->build->request.libdevice;
  const char *libdevice = given != NULL ? given : libdevice_place();
  for (size_t i = 0; i < it->build->library_count; i++)
    look_into(it, it->build->libraries[i]);
  if (libdevice[0] != '\0')
    look_into(it, libdevice);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result resolve_imports(const build_request *build, imports *wanted,
                                              bool *ret) {
  looking it = {.build = build, .wanted = wanted};
  *ret = true;
  if (wanted->count == 0)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(specpiCompilerCreate(&it.compiler));
  LLVMContextSetOpaquePointers(it.compiler->llvm, 1);
  const specpi_compiler_result result = context_run(it.compiler, look_everywhere, &it);
  specpiCompilerRelease(it.compiler);
  for (size_t i = 0; i < wanted->count; i++)
    *ret = *ret && wanted->items[i].is_defined;
  return result;
}

specpi_compiler_result check_module(const build_request *request, bool *ret) {
  const codegen_request *of = &request->request;
  unsigned char *bytes;
  size_t size;
  spirv_words words;
  imports wanted = {0};
  COMPILER_TRY(words_prepare(of->module, of->size, of->values, of->value_count, &bytes, &size));
  specpi_compiler_result result = SPECPI_COMPILER_ERROR_INVALID_MODULE;
  if (spirv_open(bytes, size, &words) == PI_SUCCESS)
    result = list_imports(words, &wanted);
  /* A part's functions may be defined by others. */
  *ret = true;
  if (result == SPECPI_COMPILER_SUCCESS && !of->is_part)
    result = resolve_imports(request, &wanted, ret);
  free(wanted.items);
  free(bytes);
  return result;
}
