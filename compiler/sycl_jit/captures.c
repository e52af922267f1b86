#define _GNU_SOURCE /* asprintf */
#include "captures.h"

#include "../../plugins/base/vector.h"
#include "../identifier.h"
#include "debug_info.h"
#include "names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writing {
  jit_module module; /* module of the current image */
  uint32_t set;
  FILE *to;
  const char *suffix; /* of kernels that only this unit has */
  VECTOR(char *) names;
  VECTOR(const char *) kernels; /* kernels of the current image that are written */
} writing;

/* ---- Types ---- */

/* Returns a type's class without typedefs, const and template arguments; NULL if it has none. */
static const definition *composite_of(const writing *writing, uint32_t type) {
  for (int i = 0; i < MODULE_DEPTH_MAX; i++) {
    const definition *found = definitions_find(&writing->module.all, type);
    switch (found != NULL ? debug_info_number(writing->set, &found->at) : -1) {
    case DEBUG_TYPE_COMPOSITE:
      return found;
    case DEBUG_TYPE_QUALIFIER:
    case DEBUG_TYPE_TEMPLATE:
      type = debug_info_id(&found->at, 5);
      break;
    case DEBUG_TYPEDEF:
      type = debug_info_id(&found->at, 6);
      break;
    default:
      return NULL;
    }
  }
  return NULL;
}

/* Returns whether a class has no name, and so is a lambda. */
static bool is_lambda(const writing *writing, const definition *type) {
  return *debug_info_text(&writing->module, &type->at, 5) == '\0' &&
         debug_info_value(&writing->module, &type->at, 6) == 0;
}

/* Returns whether a class is DPC++'s wrapper for rounded ranges, whose member is the kernel's
 * function object. */
static bool is_wrapper(const writing *writing, const definition *type) {
  return strncmp(debug_info_text(&writing->module, &type->at, 5), "RoundedRangeKernel", 18) == 0;
}

static const definition *member_of(const writing *writing, const definition *type, uint32_t index) {
  return debug_info_find(&writing->module, writing->set, debug_info_id(&type->at, 14 + index),
                         DEBUG_TYPE_MEMBER);
}

/* Returns whether a class contains, at any depth, a lambda with captures. */
static bool has_lambda(const writing *writing, const definition *type, int depth) {
  for (uint32_t i = 0; depth < 8 && 14 + i < type->at.words; i++) {
    const definition *member = member_of(writing, type, i);
    const definition *of =
        member != NULL ? composite_of(writing, debug_info_id(&member->at, 6)) : NULL;
    if (of != NULL && ((is_lambda(writing, of) && member_of(writing, of, 0)) ||
                       has_lambda(writing, of, depth + 1)))
      return true;
  }
  return false;
}

/* ---- Writing ---- */

static specpi_compiler_result note_name(writing *writing, const char *name) {
  for (size_t i = 0; i < writing->names.count; i++)
    if (strcmp(writing->names.items[i], name) == 0)
      return SPECPI_COMPILER_SUCCESS;
  char *copy = strdup(name);
  if (copy == NULL || !VECTOR_RESERVE(&writing->names)) {
    free(copy);
    return compiler_error_memory();
  }
  writing->names.items[writing->names.count++] = copy;
  return SPECPI_COMPILER_SUCCESS;
}

/* Writes the members of a lambda, and of lambdas in it, as " NAME OFFSET SIZE". */
static specpi_compiler_result write_members(writing *writing, const definition *type,
                                            const char *prefix, uint32_t base, int depth) {
  for (uint32_t i = 0; depth < 8 && 14 + i < type->at.words; i++) {
    const definition *member = member_of(writing, type, i);
    if (member == NULL)
      continue;
    const char *name = debug_info_text(&writing->module, &member->at, 5);
    const uint32_t offset = base + debug_info_value(&writing->module, &member->at, 10) / 8;
    const definition *of = composite_of(writing, debug_info_id(&member->at, 6));
    if (!identifier_is_plain(name))
      continue;
    if (!is_wrapper(writing, type) && strcmp(name, "this") != 0)
      COMPILER_TRY(note_name(writing, name));
    fprintf(writing->to, " %s%s%s %u %u", prefix, name,
            of != NULL && !is_lambda(writing, of) && has_lambda(writing, of, 0) ? "~" : "", offset,
            debug_info_value(&writing->module, &member->at, 11) / 8);
    if (of == NULL || !is_lambda(writing, of))
      continue;
    char *inner;
    if (asprintf(&inner, "%s%s.", prefix, name) < 0)
      return compiler_error_memory();
    const specpi_compiler_result result = write_members(writing, of, inner, offset, depth + 1);
    free(inner);
    COMPILER_TRY(result);
  }
  return SPECPI_COMPILER_SUCCESS;
}

/* Returns the function that contains a scope, or is it; NULL if there is none. */
static const definition *function_of(const writing *writing, uint32_t scope) {
  for (int i = 0; i < MODULE_DEPTH_MAX; i++) {
    const definition *found = definitions_find(&writing->module.all, scope);
    switch (found != NULL ? debug_info_number(writing->set, &found->at) : -1) {
    case DEBUG_FUNCTION:
      return found;
    case DEBUG_LEXICAL_BLOCK:
      scope = debug_info_id(&found->at, 8);
      break;
    case DEBUG_LEXICAL_BLOCK_DISCRIMINATOR:
      scope = debug_info_id(&found->at, 7);
      break;
    default:
      return NULL;
    }
  }
  return NULL;
}

/* Returns the name of the kernel that contains a scope, or NULL. */
static const char *kernel_of(const writing *writing, uint32_t scope) {
  const definition *function = function_of(writing, scope);
  const char *name = function != NULL ? debug_info_text(&writing->module, &function->at, 5) : "";
  return strncmp(name, "_ZTS", 4) == 0 ? name : NULL;
}

/* Returns whether a kernel's variable is its function object: it is named __SYCLKernel, or like its
 * class. */
static bool is_object(const writing *writing, const spirv_instruction *variable,
                      const definition *type) {
  const char *name = debug_info_text(&writing->module, variable, 5);
  const char *of = debug_info_text(&writing->module, &type->at, 5);
  return strcmp(name, "__SYCLKernel") == 0 || (*name && strncmp(of, name, strlen(name)) == 0);
}

/* Writes the layout of a kernel's function object, unless the image's kernel has one. */
static specpi_compiler_result write_object(writing *writing, const char *kernel,
                                           const definition *type) {
  for (size_t i = 0; i < writing->kernels.count; i++)
    if (strcmp(writing->kernels.items[i], kernel) == 0)
      return SPECPI_COMPILER_SUCCESS;
  if (!VECTOR_RESERVE(&writing->kernels))
    return compiler_error_memory();
  writing->kernels.items[writing->kernels.count++] = kernel;
  const definition *source =
      debug_info_find(&writing->module, writing->set, debug_info_id(&type->at, 7), DEBUG_SOURCE);
  fprintf(writing->to, "  {\"%s%s\", R\"(%s:%u)\", \"%u", kernel,
          jit_names_end(kernel, writing->suffix),
          source != NULL ? debug_info_text(&writing->module, &source->at, 5) : "",
          debug_info_value(&writing->module, &type->at, 8),
          debug_info_value(&writing->module, &type->at, 12) / 8);
  if (is_lambda(writing, type) || is_wrapper(writing, type))
    COMPILER_TRY(write_members(writing, type, "", 0, 0));
  fputs("\"},\n", writing->to);
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_variable(writing *writing, const spirv_instruction *at) {
  const definition *type = composite_of(writing, debug_info_id(at, 6));
  const char *kernel = kernel_of(writing, debug_info_id(at, 10));
  return kernel != NULL && type != NULL && is_object(writing, at, type)
             ? write_object(writing, kernel, type)
             : SPECPI_COMPILER_SUCCESS;
}

/*
 * Writes the layout of a hierarchical kernel's lambda. The object is in local memory, and is no
 * variable of the kernel's, but the kernel is the only function that calls the lambda itself: other
 * lambdas are inlined into that one. scope and inlined: the operands of such an instruction.
 */
static specpi_compiler_result write_called(writing *writing, uint32_t scope, uint32_t inlined) {
  enum { LAST_WORD = 8 }; /* of code that is inlined into code that is not */
  const definition *call =
      debug_info_find(&writing->module, writing->set, inlined, DEBUG_INLINED_AT);
  const char *kernel = call != NULL && call->at.words <= LAST_WORD
                           ? kernel_of(writing, debug_info_id(&call->at, 7))
                           : NULL;
  const definition *function = kernel != NULL ? function_of(writing, scope) : NULL;
  const definition *type =
      function != NULL ? composite_of(writing, debug_info_id(&function->at, 10)) : NULL;
  return type != NULL && is_lambda(writing, type) ? write_object(writing, kernel, type)
                                                  : SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_instruction(writing *writing, const spirv_instruction *at,
                                                bool variables) {
  const int number = debug_info_number(writing->set, at);
  if (variables)
    return number == DEBUG_LOCAL_VARIABLE ? write_variable(writing, at) : SPECPI_COMPILER_SUCCESS;
  if (number == DEBUG_SCOPE)
    return write_called(writing, debug_info_id(at, 5), debug_info_id(at, 6));
  if (number == DEBUG_INLINED_AT)
    return write_called(writing, debug_info_id(at, 7), debug_info_id(at, 8));
  return SPECPI_COMPILER_SUCCESS;
}

static specpi_compiler_result write_image(writing *writing, const jit_image *image) {
  specpi_compiler_result result =
      jit_module_open(image->code.data, image->code.size, &writing->module);
  writing->set = result == SPECPI_COMPILER_SUCCESS ? debug_info_set(&writing->module) : 0;
  const size_t count = writing->module.all.count;
  for (size_t i = 0; result == SPECPI_COMPILER_SUCCESS && i < 2 * count; i++)
    result = write_instruction(writing, &writing->module.all.items[i % count].at, i < count);
  writing->kernels.count = 0; /* their names are the module's */
  jit_module_close(&writing->module);
  return result;
}

static specpi_compiler_result write_all(writing *writing, const jit_result *made, bool has_tables) {
  fputs("struct specpi_device_object {\n  const char *kernel, *place, *object;\n};\n"
        "static constexpr specpi_device_object specpi_device_objects[] = {\n",
        writing->to);
  for (size_t i = 0; i < made->image_count; i++)
    COMPILER_TRY(write_image(writing, &made->images[i]));
  fputs("  {nullptr, nullptr, nullptr}};\n#define SPECPI_CAPTURED_NAMES(SPECPI_X) SPECPI_X(this)",
        writing->to);
  for (size_t i = 0; i < writing->names.count; i++)
    fprintf(writing->to, " \\\n  SPECPI_X(%s)", writing->names.items[i]);
  fprintf(writing->to, "\n#define SPECPI_INTERNAL_SUFFIX \"%s\"", writing->suffix);
  if (!has_tables)
    fputs("\n/* The integration header has no tables. */\n#define SPECPI_HAS_NO_KERNELS",
          writing->to);
  fputs("\n/* Of which the integration header has specializations. */\n"
        "namespace sycl { inline namespace _V1 { namespace detail {\n"
        "template <char...> struct KernelInfoData;\n} } }\n",
        writing->to);
  return SPECPI_COMPILER_SUCCESS;
}

specpi_compiler_result jit_captures_write(const jit_result *made, bool has_tables,
                                          const char *suffix, const char *path) {
  writing writing = {.to = fopen(path, "w"), .suffix = suffix};
  COMPILER_REQUIRE(writing.to != NULL, SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  specpi_compiler_result result = write_all(&writing, made, has_tables);
  if (fclose(writing.to) != 0 && result == SPECPI_COMPILER_SUCCESS)
    result = compiler_error(SPECPI_COMPILER_ERROR_FILE, "%s: %s", path, strerror(errno));
  for (size_t i = 0; i < writing.names.count; i++)
    free(writing.names.items[i]);
  free(writing.names.items);
  free(writing.kernels.items);
  return result;
}
