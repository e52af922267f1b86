#include "check.h"

#include "../../plugins/code/libdevice_place.h"
#include "../context.h"
#include "../spirv/definitions.h"
#include "words.h"

#include <llvm-c/BitReader.h>
#include <stdlib.h>
#include <string.h>

enum { OP_FUNCTION = 54, DECORATION_LINKAGE = 41, LINKAGE_IMPORT = 1 };

/* A function that a module imports or exports; the name points into the module. */
typedef struct link_name {
  const char *name;
  bool is_defined; /* for an import: a module or a library defines it */
} link_name;

typedef struct link_names {
  link_name *items;
  size_t count;
} link_names;

/* A module with its imported (wanted) and exported (given) functions. */
typedef struct linked_module {
  unsigned char *bytes;
  link_names wanted, given;
} linked_module;

/* ---- What modules import and export ---- */

/* Returns the name by which a decoration imports or exports a function, or NULL. */
static const char *linked_name(const spirv_instruction *at, const definitions *all,
                               bool is_import) {
  if (at->opcode != SPIRV_OP_DECORATE || at->words < 5 || spirv_word(at, 2) != DECORATION_LINKAGE ||
      (spirv_word(at, at->words - 1) == LINKAGE_IMPORT) != is_import)
    return NULL;
  const definition *target = definitions_find(all, spirv_word(at, 1));
  return target != NULL && target->at.opcode == OP_FUNCTION ? spirv_text(at, 3) : NULL;
}

/* Counts a module's imports or exports, and lists them if ret->items is not NULL. */
static specpi_compiler_result scan_names(spirv_words words, const definitions *all, bool is_import,
                                         link_names *ret) {
  ret->count = 0;
  while (spirv_more(&words)) {
    spirv_instruction at;
    COMPILER_REQUIRE(spirv_next(&words, &at) == PI_SUCCESS, SPECPI_COMPILER_ERROR_INVALID_MODULE,
                     "the SPIR-V module is damaged");
    const char *name = linked_name(&at, all, is_import);
    if (name == NULL)
      continue;
    if (ret->items != NULL)
      ret->items[ret->count] = (link_name){.name = name};
    ret->count++;
  }
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result list_names(spirv_words words, const definitions *all, bool is_import,
                                         link_names *ret) {
  COMPILER_TRY(scan_names(words, all, is_import, ret));
  if (ret->count == 0)
    return SPECPI_COMPILER_SUCCESS;
  ret->items = calloc(ret->count, sizeof *ret->items);
  return ret->items != NULL ? scan_names(words, all, is_import, ret) : compiler_error_memory();
}

static specpi_compiler_result list_both(spirv_words words, definitions *all, linked_module *ret) {
  COMPILER_TRY(definitions_read(words, all));
  COMPILER_TRY(list_names(words, all, true, &ret->wanted));
  return list_names(words, all, false, &ret->given);
}

static specpi_compiler_result list_links(spirv_words words, linked_module *ret) {
  definitions all;
  const specpi_compiler_result result = list_both(words, &all, ret);
  definitions_free(&all);
  return result;
}

static specpi_compiler_result read_links(const codegen_request *of, linked_module *ret) {
  size_t size;
  spirv_words words;
  COMPILER_TRY(
      words_prepare(of->module, of->size, of->values, of->value_count, &ret->bytes, &size));
  COMPILER_REQUIRE(spirv_open(ret->bytes, size, &words) == PI_SUCCESS,
                   SPECPI_COMPILER_ERROR_INVALID_MODULE, "the SPIR-V module is damaged");
  return list_links(words, ret);
}

/* ---- What other modules define ---- */

static int compare_names(const void *one, const void *other) {
  return strcmp(((const link_name *)one)->name, ((const link_name *)other)->name);
}

/* Joins the lists of all modules' imports or exports; the caller frees ret->items. */
static specpi_compiler_result join_names(const linked_module *modules, size_t count, bool are_given,
                                         link_names *ret) {
  for (size_t i = 0; i < count; i++)
    ret->count += are_given ? modules[i].given.count : modules[i].wanted.count;
  ret->items = calloc(ret->count + 1, sizeof *ret->items);
  if (ret->items == NULL)
    return compiler_error_memory();
  link_name *to = ret->items;
  for (size_t i = 0; i < count; i++) {
    const link_names *from = are_given ? &modules[i].given : &modules[i].wanted;
    if (from->count != 0)
      memcpy(to, from->items, from->count * sizeof *to);
    to += from->count;
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Marks the wanted functions that a module exports; given is sorted. */
static void look_into_modules(link_names *wanted, const link_names *given) {
  for (size_t i = 0; i < wanted->count; i++)
    wanted->items[i].is_defined = bsearch(&wanted->items[i], given->items, given->count,
                                          sizeof *given->items, compare_names) != NULL;
}

/* ---- What the libraries define ---- */

typedef struct looking {
  specpi_compiler compiler;
  const build_request *build;
  link_names *wanted;
} looking;

/* Marks the wanted functions that a library defines. If the library cannot be read, the build
 * reports that. */
static void look_into(const looking *looking, const char *path) {
  LLVMMemoryBufferRef buffer;
  LLVMModuleRef library;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    LLVMDisposeMessage(message);
    return;
  }
  /* Reads no function bodies. On failure the caller still owns the buffer. */
  if (LLVMGetBitcodeModuleInContext2(looking->compiler->llvm, buffer, &library)) {
    LLVMDisposeMemoryBuffer(buffer);
    return;
  }
  for (size_t i = 0; i < looking->wanted->count; i++) {
    link_name *of = &looking->wanted->items[i];
    LLVMValueRef found = LLVMGetNamedFunction(library, of->name);
    of->is_defined = of->is_defined || (found != NULL && !LLVMIsDeclaration(found));
  }
  LLVMDisposeModule(library);
}

static specpi_compiler_result look_everywhere(void *data) {
  const looking *looking = data;
  const char *given = looking->build->request.libdevice;
  const char *libdevice = given != NULL ? given : libdevice_place();
  for (size_t i = 0; i < looking->build->library_count; i++)
    look_into(looking, looking->build->libraries[i]);
  if (libdevice[0] != '\0')
    look_into(looking, libdevice);
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns whether all exported functions have different names; given is sorted. */
static bool are_different(const link_names *given) {
  for (size_t i = 1; i < given->count; i++)
    if (compare_names(&given->items[i - 1], &given->items[i]) == 0)
      return false;
  return true;
}

static bool are_defined(const link_names *wanted) {
  for (size_t i = 0; i < wanted->count; i++)
    if (!wanted->items[i].is_defined)
      return false;
  return true;
}

static specpi_compiler_result resolve_imports(const build_request *build, link_names *wanted,
                                              bool *ret) {
  looking looking = {.build = build, .wanted = wanted};
  *ret = are_defined(wanted);
  if (*ret)
    return SPECPI_COMPILER_SUCCESS;
  COMPILER_TRY(specpiCompilerCreate(&looking.compiler));
  LLVMContextSetOpaquePointers(looking.compiler->llvm, 1);
  const specpi_compiler_result result = context_run(looking.compiler, look_everywhere, &looking);
  specpiCompilerRelease(looking.compiler);
  *ret = are_defined(wanted);
  return result;
}

static specpi_compiler_result check_links(const build_request *request,
                                          const linked_module *modules, size_t count, bool *ret) {
  link_names wanted = {NULL, 0}, given = {NULL, 0};
  specpi_compiler_result result = join_names(modules, count, false, &wanted);
  if (result == SPECPI_COMPILER_SUCCESS)
    result = join_names(modules, count, true, &given);
  if (result == SPECPI_COMPILER_SUCCESS) {
    qsort(given.items, given.count, sizeof *given.items, compare_names);
    look_into_modules(&wanted, &given);
    result = resolve_imports(request, &wanted, ret);
    *ret = *ret && are_different(&given);
  }
  free(wanted.items);
  free(given.items);
  return result;
}

specpi_compiler_result check_module(const build_request *request, bool *ret) {
  size_t count = 1;
  for (const codegen_request *of = request->request.also; of != NULL; of = of->also)
    count++;
  linked_module *modules = calloc(count, sizeof *modules);
  if (modules == NULL)
    return compiler_error_memory();
  specpi_compiler_result result = read_links(&request->request, &modules[0]);
  size_t i = 1;
  for (const codegen_request *of = request->request.also;
       of != NULL && result == SPECPI_COMPILER_SUCCESS; of = of->also)
    result = read_links(of, &modules[i++]);
  /* Other modules of the link may define what a part imports. */
  *ret = true;
  if (result == SPECPI_COMPILER_SUCCESS && !request->request.is_part)
    result = check_links(request, modules, count, ret);
  for (i = 0; i < count; i++) {
    free(modules[i].wanted.items);
    free(modules[i].given.items);
    free(modules[i].bytes);
  }
  free(modules);
  return result;
}
