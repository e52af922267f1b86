#include "spirv_code.h"

#include "../base/error.h"
#include "../base/find.h"
#include "spirv.h"
#include "spirv_copy.h"

#include <stdlib.h>
#include <string.h>

/* Makes code that owns the bytes. Frees them on failure. */
static pi_result adopt(void *bytes, size_t size, spirv_code **ret) {
  spirv_code *code = calloc(1, sizeof *code);
  if (!code)
    free(bytes);
  REQUIRE_MEMORY(code, "the code of a program");
  atomic_init(&code->references, 1);
  code->bytes = bytes;
  code->size = size;
  pthread_mutex_init(&code->lock, NULL);
  *ret = code;
  return PI_SUCCESS;
}

pi_result spirv_code_create(const void *il, size_t length, spirv_code **ret) {
  void *bytes = NULL;
  size_t size = 0;
  TRY(spirv_copy(il, length, &bytes, &size));
  return adopt(bytes, size, ret);
}

void spirv_code_release(spirv_code *code) {
  if (!code || atomic_fetch_sub_explicit(&code->references, 1, memory_order_acq_rel) != 1)
    return;
  pthread_mutex_destroy(&code->lock);
  free(code->bytes);
  free(code->kernels);
  free(code->arguments);
  free(code);
}

pi_result spirv_code_read_all(spirv_code *code) {
  pthread_mutex_lock(&code->lock);
  pi_result result = PI_SUCCESS;
  if (!code->is_read)
    result = spirv_code_read_kernels(code);
  code->is_read = result == PI_SUCCESS;
  pthread_mutex_unlock(&code->lock);
  return result;
}

static int by_kernel_name(const void *name, const void *kernel) {
  return strcmp(name, ((const spirv_kernel *)kernel)->name);
}

pi_result spirv_code_find_kernel(spirv_code *code, const char *name, const spirv_kernel **ret) {
  TRY(spirv_code_read_all(code));
  *ret = code->kernel_count == 0
             ? NULL
             : bsearch(name, code->kernels, code->kernel_count, sizeof **ret, by_kernel_name);
  return PI_SUCCESS;
}

/* ---- Values as defaults ---- */

/* Writes a value into the copy of the instruction that defines the constant. */
static void write_value(unsigned char *bytes, const spirv_instruction *instruction,
                        const code_constant *constant) {
  unsigned char *at = bytes + instruction->position * 4;
  if (instruction->opcode != SPIRV_OP_SPEC_CONSTANT) {
    bool is_true = false;
    for (pi_uint32 i = 0; i < constant->size; i++)
      is_true = is_true || constant->value[i] != 0;
    at[0] = is_true ? SPIRV_OP_SPEC_CONSTANT_TRUE : SPIRV_OP_SPEC_CONSTANT_FALSE;
    return;
  }
  /* A number may be narrower than its words; its upper bits are zeroed. */
  const size_t room = ((size_t)instruction->words - 3) * 4;
  memset(at + 12, 0, room);
  memcpy(at + 12, constant->value, constant->size < room ? constant->size : room);
}

/*
 * Copies the module with these values as defaults. values is sorted by id. The caller frees *ret.
 */
static pi_result copy_with(const spirv_code *code, const code_constant *values, size_t count,
                           unsigned char **ret) {
  spirv_words module;
  code_constant_place *places = NULL;
  size_t place_count = 0;
  TRY(spirv_open(code->bytes, code->size, &module));
  TRY(code_constants_find(code->bytes, code->size, &places, &place_count));
  unsigned char *bytes = malloc(code->size);
  if (!bytes)
    free(places);
  REQUIRE_MEMORY(bytes, "a copy of %zu bytes of SPIR-V", code->size);
  memcpy(bytes, code->bytes, code->size);
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < place_count && result == PI_SUCCESS; i++) {
    const code_constant *value = find_id(places[i].id, values, count, sizeof *values);
    spirv_instruction instruction;
    module.next = places[i].position;
    if (!value || !value->is_set)
      continue;
    result = spirv_next(&module, &instruction);
    if (result == PI_SUCCESS)
      write_value(bytes, &instruction, value);
  }
  free(places);
  if (result == PI_SUCCESS)
    *ret = bytes;
  else
    free(bytes);
  return result;
}

pi_result spirv_code_specialise(spirv_code *code, code_constants *constants, spirv_code **ret) {
  code_constant *values = NULL;
  size_t count = 0;
  TRY(code_constants_snapshot(constants, &values, &count));
  size_t set = 0;
  for (size_t i = 0; i < count; i++)
    set += values[i].is_set;
  pi_result result = PI_SUCCESS;
  unsigned char *bytes = NULL;
  if (set != 0)
    result = copy_with(code, values, count, &bytes);
  free(values);
  TRY(result);
  if (bytes)
    return adopt(bytes, code->size, ret);
  spirv_code_retain(code);
  *ret = code;
  return PI_SUCCESS;
}
