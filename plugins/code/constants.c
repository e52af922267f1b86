#include "constants.h"

#include "../base/error.h"
#include "../base/find.h"
#include "../base/vector.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct code_constants {
  pthread_mutex_t lock; /* guards is_set and values; all else never changes */
  size_t count;
  code_constant *constants; /* in ascending order of their ids */
  unsigned char *values;
  size_t values_size;
};

pi_result constants_create(code_constants **ret) {
  code_constants *constants = calloc(1, sizeof *constants);
  REQUIRE_MEMORY(constants, "the constants of a program");
  pthread_mutex_init(&constants->lock, NULL);
  *ret = constants;
  return PI_SUCCESS;
}

void constants_declare(code_constants *constants, code_constant *declared, size_t count) {
  constants->constants = declared;
  constants->count = count;
}

void code_constants_free(code_constants *constants) {
  if (!constants)
    return;
  pthread_mutex_destroy(&constants->lock);
  free(constants->constants);
  free(constants->values);
  free(constants);
}

pi_result constants_extend(code_constants *constants, size_t at, size_t size,
                           const unsigned char *values) {
  REQUIRE_MEMORY(vector_resize(&constants->values, at + size + 1, 1), "%zu bytes of constants",
                 size);
  unsigned char *all = constants->values;
  memset(all + constants->values_size, 0, at - constants->values_size);
  if (values)
    memcpy(all + at, values, size);
  else
    memset(all + at, 0, size);
  constants->values_size = at + size;
  return PI_SUCCESS;
}

size_t constants_count(const code_constants *constants) {
  return constants->count;
}

size_t constants_values_size(const code_constants *constants) {
  return constants->values_size;
}

static code_constant *find_constant(code_constants *constants, pi_uint32 id) {
  if (constants->count == 0)
    return NULL;
  /* Compilers usually number constants without gaps: then no search is needed. */
  const size_t place = id - constants->constants[0].id;
  if (place < constants->count && constants->constants[place].id == id)
    return &constants->constants[place];
  return find_id(id, constants->constants, constants->count, sizeof *constants->constants);
}

pi_uint32 constants_size_of(code_constants *constants, pi_uint32 id) {
  const code_constant *constant = find_constant(constants, id);
  return constant ? constant->size : 0;
}

/* Fails because no constant has the id. The message lists the first 16 ids of the module. */
static pi_result refuse_unknown(const code_constants *constants, pi_uint32 id) {
  enum { LISTED = 16 };
  if (constants->count == 0)
    return plugin_error(PI_ERROR_INVALID_SPEC_ID,
                        "the module declares no constant with id %" PRIu32 " (it has none)", id);
  char list[LISTED * 12 + 8] = "";
  size_t used = 0;
  for (size_t i = 0; i < constants->count && i < LISTED; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%" PRIu32, i == 0 ? ": " : ", ",
                             constants->constants[i].id);
  if (constants->count > LISTED)
    snprintf(list + used, sizeof list - used, ", ...");
  return plugin_error(PI_ERROR_INVALID_SPEC_ID,
                      "the module declares no constant with id %" PRIu32 " (it has %zu%s)", id,
                      constants->count, list);
}

static pi_result check_value(pi_uint32 id, const void *value) {
  REQUIRE(value, PI_ERROR_INVALID_VALUE, "the value of constant %" PRIu32 " is NULL", id);
  return PI_SUCCESS;
}

/* Returns whether a missing constant is no error: PI_SPEC_ID_ITT, which runtimes set unasked. */
static bool is_ignored(pi_uint32 id) {
  if (id == PI_SPEC_ID_ITT)
    plugin_note("constant %" PRIu32 " asks for ITT annotations, the module has none: ignored", id);
  return id == PI_SPEC_ID_ITT;
}

pi_result constants_refuse(pi_uint32 id, const void *value, pi_result code, const char *why) {
  if (id == PI_SPEC_ID_ITT)
    TRY(check_value(id, value));
  if (is_ignored(id))
    return PI_SUCCESS;
  return plugin_error(code, "constant %" PRIu32 " of the program cannot be set: %s", id, why);
}

/* Checks a value. *ret receives its constant, or NULL if the value shall be ignored. */
static pi_result check_setting(code_constants *constants, const constant_setting *setting,
                               code_constant **ret) {
  const pi_uint32 id = setting->id;
  TRY(check_value(id, setting->value));
  code_constant *constant = find_constant(constants, id);
  *ret = constant;
  if (!constant)
    return is_ignored(id) ? PI_SUCCESS : refuse_unknown(constants, id);
  REQUIRE(constant->kind != CODE_CONSTANT_MIXED, PI_ERROR_INVALID_VALUE,
          "constant %" PRIu32 " cannot be set: constants of different sizes share the id", id);
  REQUIRE(constant->kind != CODE_CONSTANT_OTHER, PI_ERROR_INVALID_VALUE,
          "constant %" PRIu32
          " cannot be set: it is neither a boolean nor a number of 8, 16, 32 or 64 bits",
          id);
  REQUIRE(setting->size == constant->size, PI_ERROR_INVALID_VALUE,
          "constant %" PRIu32 " takes %" PRIu32 " byte%s, %zu given", id, constant->size,
          constant->size == 1 ? "" : "s", setting->size);
  return PI_SUCCESS;
}

/* The caller holds the lock. */
static void store_value(code_constants *constants, code_constant *constant, const void *value) {
  const unsigned char truth = *(const unsigned char *)value != 0;
  memcpy(constants->values + constant->at, constant->kind == CODE_CONSTANT_BOOLEAN ? &truth : value,
         constant->size);
  constant->is_set = true;
}

pi_result code_constants_set_all(code_constants *constants, const constant_setting *settings,
                                 size_t count) {
  code_constant *constant;
  for (size_t i = 0; i < count; i++)
    TRY(check_setting(constants, &settings[i], &constant));
  pthread_mutex_lock(&constants->lock);
  for (size_t i = 0; i < count; i++) {
    constant = find_constant(constants, settings[i].id);
    if (constant)
      store_value(constants, constant, settings[i].value);
  }
  pthread_mutex_unlock(&constants->lock);
  return PI_SUCCESS;
}

pi_result code_constants_set(code_constants *constants, pi_uint32 id, size_t size,
                             const void *value) {
  const constant_setting setting = {id, size, value};
  return code_constants_set_all(constants, &setting, 1);
}

pi_result code_constants_snapshot(code_constants *constants, code_constant **ret, size_t *count) {
  code_constant *copy = NULL;
  if (constants->count != 0) {
    copy = malloc(constants->count * sizeof *copy);
    REQUIRE_MEMORY(copy, "a copy of %zu constants", constants->count);
    pthread_mutex_lock(&constants->lock);
    memcpy(copy, constants->constants, constants->count * sizeof *copy);
    for (size_t i = 0; i < constants->count; i++)
      if (copy[i].size <= sizeof copy->value)
        memcpy(copy[i].value, constants->values + copy[i].at, copy[i].size);
    pthread_mutex_unlock(&constants->lock);
  }
  *ret = copy;
  *count = constants->count;
  return PI_SUCCESS;
}

size_t constants_copy_size(const code_constants *constants) {
  return constants->values_size + constants->count;
}

static pi_result new_copy(const code_constants *constants, unsigned char **ret) {
  *ret = malloc(constants_copy_size(constants) + 1);
  REQUIRE_MEMORY(*ret, "%zu bytes of constants", constants->values_size);
  return PI_SUCCESS;
}

pi_result constants_copy_again(const code_constants *constants, const unsigned char *values,
                               unsigned char **ret) {
  unsigned char *copy;
  TRY(new_copy(constants, &copy));
  memcpy(copy, values, constants_copy_size(constants));
  *ret = copy;
  return PI_SUCCESS;
}

pi_result constants_copy_values(code_constants *constants, unsigned char **ret) {
  unsigned char *copy;
  TRY(new_copy(constants, &copy));
  pthread_mutex_lock(&constants->lock);
  if (constants->values_size != 0)
    memcpy(copy, constants->values, constants->values_size);
  for (size_t i = 0; i < constants->count; i++)
    copy[constants->values_size + i] = constants->constants[i].is_set;
  pthread_mutex_unlock(&constants->lock);
  *ret = copy;
  return PI_SUCCESS;
}

bool constants_next_set(const code_constants *constants, const unsigned char *values, size_t *next,
                        constant_setting *ret) {
  const unsigned char *is_set = values + constants->values_size;
  while (*next < constants->count && !is_set[*next])
    ++*next;
  if (*next == constants->count)
    return false;
  const code_constant *found = &constants->constants[(*next)++];
  *ret = (constant_setting){found->id, found->size, values + found->at};
  return true;
}
