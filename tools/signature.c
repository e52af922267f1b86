#include "signature.h"

#include "../plugins/code/code_head.h"
#include "../plugins/code/code_info.h"
#include "../plugins/code/spirv_code.h"
#include "../plugins/code/spirv_types.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>

struct signatures {
  spirv_code *code; /* of SPIR-V; or NULL */
  spirv_types types;
  code_info *info; /* of PTX; or NULL */
  bool *taken;     /* by the place of a kernel's first argument, or by its number */
};

static bool read_spirv(signatures *it, const void *bytes, size_t size) {
  spirv_words module;
  if (spirv_code_create(bytes, size, &it->code) != PI_SUCCESS ||
      spirv_code_read_all(it->code) != PI_SUCCESS ||
      spirv_open(it->code->bytes, it->code->size, &module) != PI_SUCCESS ||
      spirv_types_read(module, &it->types) != PI_SUCCESS)
    return false;
  spirv_types_name(&it->types, module);
  size_t room = 1;
  for (size_t i = 0; i < it->code->kernel_count; i++) {
    const spirv_kernel *kernel = &it->code->kernels[i];
    const size_t end = (size_t)(kernel->arguments - it->code->arguments) + kernel->argument_count;
    room = room < end ? end : room;
  }
  it->taken = calloc(room, sizeof *it->taken);
  return it->taken != NULL;
}

static bool read_ptx(signatures *it, const char *text, size_t size) {
  it->info = code_new();
  if (!it->info || ptx_read_kernels(text, size, it->info) != PI_SUCCESS)
    return false;
  code_sort(it->info);
  it->taken = calloc(it->info->count + 1, sizeof *it->taken);
  return it->taken != NULL;
}

signatures *signatures_read(specpi_image image) {
  signatures *it = calloc(1, sizeof *it);
  if (!it)
    tool_no_memory();
  size_t size;
  const void *bytes = specpiImageGetBytes(image, &size);
  const code_kind kind = code_head_read(bytes, size).kind;
  if ((kind == CODE_IS_SPIRV && read_spirv(it, bytes, size)) ||
      (kind == CODE_IS_PTX && read_ptx(it, bytes, size)))
    return it;
  signatures_free(it);
  return NULL;
}

void signatures_free(signatures *it) {
  if (!it)
    return;
  spirv_types_free(&it->types);
  spirv_code_release(it->code);
  code_release(it->info);
  free(it->taken);
  free(it);
}

/* A kernel in either list; both NULL when it is in none. */
typedef struct found {
  const spirv_kernel *spirv;
  const code_kernel *ptx;
} found;

static found find_kernel(const signatures *it, const char *name) {
  found ret = {NULL, NULL};
  if (it && it->code)
    spirv_code_find_kernel(it->code, name, &ret.spirv);
  else if (it)
    ret.ptx = code_find(it->info, name);
  if (ret.ptx && (ret.ptx->parameter_count == CODE_UNKNOWN || !ret.ptx->declarations))
    ret.ptx = NULL;
  return ret;
}

bool signatures_count(const signatures *it, const char *kernel, size_t *count) {
  const found found = find_kernel(it, kernel);
  if (!found.spirv && !found.ptx)
    return false;
  *count = found.spirv ? found.spirv->argument_count : found.ptx->parameter_count;
  return true;
}

size_t signatures_take(signatures *it, const char *kernel) {
  size_t count;
  if (!signatures_count(it, kernel, &count) || count == 0)
    return 0;
  const found found = find_kernel(it, kernel);
  bool *taken = &it->taken[found.spirv ? found.spirv->arguments - it->code->arguments
                                       : found.ptx - it->info->kernels];
  if (*taken)
    return 0;
  *taken = true;
  return count;
}

static const char *kind_name(spirv_argument_kind kind) {
  static const char *const names[] = {
      [SPIRV_ARGUMENT_UNKNOWN] = "unknown", [SPIRV_ARGUMENT_VALUE] = "value",
      [SPIRV_ARGUMENT_POINTER] = "pointer", [SPIRV_ARGUMENT_LOCAL] = "local",
      [SPIRV_ARGUMENT_IMAGE] = "image",     [SPIRV_ARGUMENT_SAMPLER] = "sampler"};
  return names[kind];
}

static void describe_spirv(const signatures *it, const spirv_argument *argument,
                           signature_argument *ret) {
  const bool is_pointer =
      argument->kind == SPIRV_ARGUMENT_POINTER || argument->kind == SPIRV_ARGUMENT_LOCAL;
  ret->kind = kind_name(argument->kind);
  ret->size = argument->size;
  ret->element = is_pointer ? spirv_types_scalar(&it->types, argument->type) : NULL;
  /* Sizes of structures are measured once, and kept there. */
  spirv_types types = it->types;
  spirv_types_describe(&types, argument->type, ret->type, sizeof ret->type);
}

static void describe_ptx(const code_kernel *kernel, size_t index, signature_argument *ret) {
  const code_declaration *as = &kernel->declarations[index];
  ret->kind = as->space ? "pointer" : "unknown";
  ret->element = NULL;
  ret->size = kernel->parameters[index].size;
  if (as->count != 0)
    snprintf(ret->type, sizeof ret->type, "%s[%u]", as->type, as->count);
  else if (as->space)
    snprintf(ret->type, sizeof ret->type, "%s to %s memory", as->type, as->space);
  else
    snprintf(ret->type, sizeof ret->type, "%s", as->type);
}

void signatures_argument(const signatures *it, const char *kernel, size_t index,
                         signature_argument *ret) {
  const found found = find_kernel(it, kernel);
  if (found.spirv)
    describe_spirv(it, &found.spirv->arguments[index], ret);
  else if (found.ptx)
    describe_ptx(found.ptx, index, ret);
}
