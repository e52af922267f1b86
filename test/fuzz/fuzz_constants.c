/*
 * Reads any bytes as a SPIR-V module, and sets every constant in every size. Checks the promises in
 * the constant store's header.
 */
#include "fuzz.h"

#include "../../plugins/base/error.h"
#include "../../plugins/code/constants.h"

#include <string.h>

enum { CONSTANTS = 64 }; /* limit of constants set in each module; each takes a snapshot */

static void check_failure(pi_result result) {
  const char *sentence;
  FUZZ_CHECK(plugin_error_last(&sentence) == result);
  FUZZ_CHECK(*sentence);
}

static void check_declared(const code_constant *all, size_t count) {
  static const unsigned char zeros[8];
  for (size_t i = 0; i < count; i++) {
    const code_constant *one = &all[i];
    FUZZ_CHECK(i == 0 || all[i - 1].id < one->id);
    FUZZ_CHECK(!one->is_set);
    switch (one->kind) {
    case CODE_CONSTANT_BOOLEAN:
      FUZZ_CHECK(one->size == 1 && one->default_value[0] <= 1);
      break;
    case CODE_CONSTANT_NUMBER:
      FUZZ_CHECK(one->size == 1 || one->size == 2 || one->size == 4 || one->size == 8);
      FUZZ_CHECK(memcmp(one->default_value + one->size, zeros, 8 - one->size) == 0);
      break;
    case CODE_CONSTANT_MIXED:
    case CODE_CONSTANT_OTHER:
      FUZZ_CHECK(one->size == 0);
      break;
    }
  }
}

/* Returns the constants' current state, which the caller frees. */
static code_constant *snapshot(code_constants *constants, size_t expected) {
  code_constant *all;
  size_t count;
  FUZZ_CHECK(code_constants_snapshot(constants, &all, &count) == PI_SUCCESS);
  FUZZ_CHECK(count == expected && (all != NULL) == (count != 0));
  return all;
}

/* Sets one constant in all sizes: at most one is right, the others change nothing. */
static void set(code_constants *constants, const code_constant *all, size_t count, size_t index) {
  static const unsigned char value[17] = {0x80, 2, 3, 4, 5, 6, 7, 8, 9};
  const code_constant *one = &all[index];
  for (size_t size = 0; size < sizeof value; size++) {
    if (size == one->size && size != 0)
      continue;
    const pi_result result = code_constants_set(constants, one->id, size, value);
    FUZZ_CHECK(result == PI_ERROR_INVALID_VALUE);
    check_failure(result);
  }
  FUZZ_CHECK(code_constants_set(constants, one->id, one->size, NULL) == PI_ERROR_INVALID_VALUE);
  code_constant *now = snapshot(constants, count);
  FUZZ_CHECK(!now[index].is_set);
  free(now);
  if (one->size == 0)
    return;
  FUZZ_CHECK(code_constants_set(constants, one->id, one->size, value) == PI_SUCCESS);
  now = snapshot(constants, count);
  FUZZ_CHECK(now[index].is_set);
  FUZZ_CHECK(one->kind == CODE_CONSTANT_BOOLEAN ? now[index].value[0] == 1
                                                : memcmp(now[index].value, value, one->size) == 0);
  free(now);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  code_constants *constants = NULL;
  const pi_result result = code_constants_read(data, size, &constants);
  if (result != PI_SUCCESS) {
    FUZZ_CHECK(result == PI_ERROR_INVALID_VALUE);
    FUZZ_CHECK(!constants);
    check_failure(result);
    return 0;
  }
  code_constant *all;
  size_t count;
  FUZZ_CHECK(code_constants_snapshot(constants, &all, &count) == PI_SUCCESS);
  FUZZ_CHECK(count <= size / 16);
  check_declared(all, count);
  for (size_t i = 0; i < count && i < CONSTANTS; i++)
    set(constants, all, count, i);

  /* An id between two declared ones is not declared. */
  const pi_uint32 absent = count ? all[count - 1].id + 1 : 0;
  if (absent != PI_SPEC_ID_ITT && (count == 0 || all[0].id != absent)) {
    FUZZ_CHECK(code_constants_set(constants, absent, 4, data) == PI_ERROR_INVALID_SPEC_ID);
    check_failure(PI_ERROR_INVALID_SPEC_ID);
  }
  free(all);
  code_constants_free(constants);
  return 0;
}
