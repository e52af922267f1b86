#include "code_info.h"

#include "../base/error.h"
#include "../base/vector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

code_info *code_new(void) {
  code_info *info = calloc(1, sizeof *info);
  if (info)
    atomic_init(&info->references, 1);
  return info;
}

void code_release(code_info *info) {
  if (!info || atomic_fetch_sub_explicit(&info->references, 1, memory_order_acq_rel) != 1)
    return;
  for (size_t i = 0; i < info->count; i++) {
    free(info->kernels[i].name);
    free(info->kernels[i].parameters);
    free(info->kernels[i].declarations);
  }
  free(info->kernels);
  free(info);
}

pi_result code_add_kernel(code_info *info, const char *name, size_t length, code_kernel **ret) {
  REQUIRE_MEMORY(
      vector_reserve(&info->kernels, &info->capacity, info->count, sizeof *info->kernels),
      "a list of %zu kernels", info->count + 1);
  char *copy = malloc(length + 1);
  REQUIRE_MEMORY(copy, "the name of a kernel");
  memcpy(copy, name, length);
  copy[length] = '\0';
  code_kernel *kernel = &info->kernels[info->count++];
  *kernel =
      (code_kernel){.name = copy, .buffer_argument = PTX_NONE, .parameter_count = CODE_UNKNOWN};
  *ret = kernel;
  return PI_SUCCESS;
}

pi_result code_set_parameter_count(code_kernel *kernel, pi_uint32 count) {
  code_parameter *parameters = calloc((size_t)count + 1, sizeof *parameters);
  REQUIRE_MEMORY(parameters, "%u parameters of a kernel", count);
  free(kernel->parameters);
  kernel->parameters = parameters;
  kernel->parameter_count = count;
  return PI_SUCCESS;
}

/* Copies the facts that kernel lacks from the same kernel of another list. */
static pi_result complete_kernel(code_kernel *kernel, const code_kernel *from) {
  if (kernel->parameter_count == CODE_UNKNOWN && from->parameter_count != CODE_UNKNOWN) {
    TRY(code_set_parameter_count(kernel, from->parameter_count));
    memcpy(kernel->parameters, from->parameters,
           from->parameter_count * sizeof *kernel->parameters);
  }
  if (kernel->required[0] == 0)
    memcpy(kernel->required, from->required, sizeof kernel->required);
  if (kernel->sub_group == 0)
    kernel->sub_group = from->sub_group;
  if (kernel->local_memory == 0)
    kernel->local_memory = from->local_memory;
  return PI_SUCCESS;
}

pi_result code_copy_kernel(code_info *info, const code_kernel *kernel) {
  code_kernel *copy;
  TRY(code_add_kernel(info, kernel->name, strlen(kernel->name), &copy));
  copy->buffer_argument = kernel->buffer_argument;
  copy->values_at = kernel->values_at;
  return complete_kernel(copy, kernel);
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const code_kernel *)a)->name, ((const code_kernel *)b)->name);
}

void code_sort(code_info *info) {
  if (info->count != 0)
    qsort(info->kernels, info->count, sizeof *info->kernels, by_name);
}

typedef struct name_part {
  const char *start;
  size_t length;
} name_part;

static int by_name_part(const void *key, const void *kernel) {
  const name_part *part = key;
  const char *name = ((const code_kernel *)kernel)->name;
  const int order = strncmp(part->start, name, part->length);
  return order != 0 ? order : -(name[part->length] != '\0');
}

/* Searches the first count kernels for one that is named by the first length bytes of name. */
static code_kernel *find_kernel(const code_info *info, size_t count, const char *name,
                                size_t length) {
  const name_part key = {name, length};
  return count == 0 ? NULL
                    : bsearch(&key, info->kernels, count, sizeof *info->kernels, by_name_part);
}

code_kernel *code_find(const code_info *info, const char *name) {
  return find_kernel(info, info->count, name, strlen(name));
}

pi_result code_merge(code_info *info, const code_info *more) {
  const size_t count = info->count;
  for (size_t i = 0; i < more->count; i++) {
    const code_kernel *kernel = &more->kernels[i];
    code_kernel *known = find_kernel(info, count, kernel->name, strlen(kernel->name));
    TRY(known ? complete_kernel(known, kernel) : code_copy_kernel(info, kernel));
  }
  code_sort(info);
  return PI_SUCCESS;
}

#define OFFSET_SUFFIX "_with_offset"

bool code_offset_variant(const char *kernel, char *ret, size_t size) {
  const int length = snprintf(ret, size, "%s" OFFSET_SUFFIX, kernel);
  return length >= 0 && (size_t)length < size;
}

bool code_is_offset_variant(const code_info *info, const code_kernel *kernel) {
  const size_t length = strlen(kernel->name);
  const size_t suffix = strlen(OFFSET_SUFFIX);
  return length > suffix && strcmp(kernel->name + length - suffix, OFFSET_SUFFIX) == 0 &&
         find_kernel(info, info->count, kernel->name, length - suffix);
}
