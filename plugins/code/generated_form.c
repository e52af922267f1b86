/*
 * Form for SPIR-V if the driver takes PTX: specpi-codegen (codegen.h) translates the module. It
 * uses the values that are set in place of the constants' defaults.
 */
#include "generated_form.h"
#include "generated_cache.h"
#include "generator.h"
#include "program_code.h"
#include "spirv_part.h"

#include "../base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool generated_is_possible(void) {
  return generator_get() != NULL;
}

const char *generated_obstacle(void) {
  return generator_obstacle();
}

bool generated_is_lasting(void) {
  const generator *generator = generator_get();
  return generator && generator->has_version;
}

static pi_result read_spirv(program_code *code) {
  TRY(code_form_spirv.read(code));
  TRY(spirv_code_read_all(code->spirv));
  for (size_t i = 0; i < code->spirv->kernel_count; i++) {
    const char *name = code->spirv->kernels[i].name;
    code_kernel *added;
    TRY(code_add_kernel(code->info, name, strlen(name), &added));
  }
  code_sort(code->info);
  code->digest = digest_make(code->spirv->bytes, code->spirv->size);
  return spirv_code_has_state(code->spirv, &code->has_state);
}

/* ---- Parts of a link ---- */

typedef struct generated_parts {
  size_t count;
  program_code *codes;
  const program_code **list;
  unsigned char **values; /* one block for each part */
} generated_parts;

static void free_parts(generated_parts *parts) {
  for (size_t i = 0; i < parts->count; i++) {
    if (parts->codes)
      code_close(&parts->codes[i]);
    if (parts->values)
      free(parts->values[i]);
  }
  free(parts->codes);
  free(parts->list);
  free(parts->values);
  free(parts);
}

/* Copies the members of code that generating PTX needs, and its values. */
static pi_result copy_part(const program_code *from, const unsigned char *values, program_code *to,
                           unsigned char **ret_values) {
  TRY(code_open(to, &code_form_generated));
  to->spirv = from->spirv;
  spirv_code_retain(to->spirv);
  to->digest = from->digest;
  TRY(spirv_declare_constants(to->spirv->bytes, to->spirv->size, to->constants));
  return constants_copy_again(from->constants, values, ret_values);
}

static pi_result copy_parts(const program_code *const *codes, const unsigned char *const *values,
                            size_t count, generated_parts *ret) {
  ret->codes = calloc(count, sizeof *ret->codes);
  ret->list = calloc(count, sizeof *ret->list);
  ret->values = calloc(count, sizeof *ret->values);
  REQUIRE_MEMORY(ret->codes && ret->list && ret->values, "%zu parts of a link", count);
  ret->count = count;
  for (size_t i = 0; i < count; i++) {
    ret->list[i] = &ret->codes[i];
    TRY(copy_part(codes[i], values[i], &ret->codes[i], &ret->values[i]));
  }
  return PI_SUCCESS;
}

pi_result generated_keep_parts(program_code *linked, const program_code *const *codes,
                               const unsigned char *const *values, size_t count) {
  generated_parts *made = calloc(1, sizeof *made);
  REQUIRE_MEMORY(made, "%zu parts of a link", count);
  const pi_result result = copy_parts(codes, values, count, made);
  if (result != PI_SUCCESS) {
    free_parts(made);
    return result;
  }
  for (size_t i = 0; i < count; i++)
    linked->has_state = linked->has_state || codes[i]->has_state;
  linked->parts = made;
  linked->form = &code_form_joined; /* not by code_set_form, which would change linked->fixed */
  return PI_SUCCESS;
}

static void close_joined(program_code *code) {
  free_parts(code->parts);
}

/* ---- Keys ---- */

/* Increase this when the parts of a key change, or the PTX for the same key. */
enum { KEY_VERSION = 4 };

void generated_add_key(const program_code *code, const unsigned char *values,
                       const code_target *target, cache_key_writer *to) {
  const generator *generator = generator_get();
  if (generator)
    cache_key_add_parts(to, &generator->version, sizeof generator->version);
  for (size_t i = 0; code->parts && i < code->parts->count; i++)
    generated_add_key(code->parts->list[i], code->parts->values[i], target, to);
  cache_key_add_parts(to, &code->digest, sizeof code->digest);
  cache_key_add_number(to, (pi_uint64)target->capability);
  cache_key_add_number(to, target->level);
  cache_key_add_number(to, target->is_part);
  cache_key_add_number(to, target->no_offset);
  cache_key_add_text(to, target->kernel ? target->kernel : "");
  cache_key_add_bytes(to, values, constants_copy_size(code->constants));
}

/* ---- Generating ---- */

/* Collects the values that are set. The other constants keep the module's defaults. */
static pi_result collect_values(const program_code *code, const unsigned char *values,
                                codegen_value **ret, size_t *count) {
  codegen_value *made = calloc(constants_count(code->constants) + 1, sizeof *made);
  REQUIRE_MEMORY(made, "%zu constants", constants_count(code->constants));
  constant_setting value;
  size_t used = 0;
  for (size_t next = 0; constants_next_set(code->constants, values, &next, &value);)
    made[used++] = (codegen_value){value.id, (pi_uint32)value.size, value.value};
  *ret = made;
  *count = used;
  return PI_SUCCESS;
}

/* Input of the generator: the code of one or more programs with their values, and the target. */
typedef struct generation {
  const program_code *const *codes;
  const unsigned char *const *values;
  size_t count;
  const code_target *target;
  bool is_check; /* only check, and generate no PTX */
} generation;

static pi_result collect_modules(const generation *generation, codegen_request *requests) {
  for (size_t i = 0; i < generation->count; i++) {
    codegen_value *values;
    codegen_request *to = &requests[i];
    TRY(collect_values(generation->codes[i], generation->values[i], &values, &to->value_count));
    to->values = values;
    to->module = generation->codes[i]->spirv->bytes;
    to->size = generation->codes[i]->spirv->size;
    to->also = i + 1 < generation->count ? to + 1 : NULL;
  }
  return PI_SUCCESS;
}

/* Generates PTX. If only one kernel is wanted, removes the others from the first module. */
static pi_result ask_for_kernel(const generation *generation, codegen_request *request,
                                codegen_answer *ret) {
  const generator *generator = generator_get();
  void *part = NULL;
  if (generation->target->kernel) {
    TRY(spirv_part(request->module, request->size, generation->target->kernel, &part,
                   &request->size));
    request->module = part;
  }
  const pi_result result = codegen_build(generator->processes, request, ret);
  free(part);
  return result;
}

static pi_result ask_generator(const generation *generation, codegen_request *requests,
                               codegen_answer *ret) {
  const generator *generator = generator_get();
  char gpu[16];
  snprintf(gpu, sizeof gpu, "sm_%d", generation->target->capability);
  TRY(collect_modules(generation, requests));
  requests->gpu = gpu;
  requests->is_part = generation->target->is_part;
  requests->libdevice = generator->libdevice;
  requests->optimization = generation->target->level;
  requests->no_offset = generation->target->no_offset;
  requests->is_check = generation->is_check;
  return ask_for_kernel(generation, requests, ret);
}

static pi_result generate_text(void *data, generated_text **ret) {
  const generation *generation = data;
  codegen_answer answer;
  codegen_request *requests = calloc(generation->count, sizeof *requests);
  atomic_fetch_add(&generated_count, !generation->is_check);
  REQUIRE_MEMORY(requests, "%zu modules", generation->count);
  const pi_result result = ask_generator(generation, requests, &answer);
  for (size_t i = 0; i < generation->count; i++)
    free((void *)requests[i].values);
  free(requests);
  TRY(result);
  generated_text *made = generated_text_new(answer.ptx, answer.size);
  free(answer.ptx);
  free(answer.log);
  REQUIRE_MEMORY(made, "%zu bytes of PTX", answer.size);
  *ret = made;
  return PI_SUCCESS;
}

static pi_result get_text(generation *generation, generated_text **ret) {
  REQUIRE(generated_is_possible(), PI_ERROR_BUILD_PROGRAM_FAILURE, "SPIR-V %s",
          generated_obstacle());
  cache_key_writer writer;
  cache_key key = {.size = 0};
  cache_key_begin(&writer);
  cache_key_add_text(&writer, generation->is_check ? "check" : "PTX");
  cache_key_add_number(&writer, KEY_VERSION);
  for (size_t i = 0; i < generation->count; i++)
    generated_add_key(generation->codes[i], generation->values[i], generation->target, &writer);
  pi_result result = PI_SUCCESS;
  if (!cache_key_end(&writer, NULL, &key))
    result = plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a key of the cache");
  if (result == PI_SUCCESS)
    result = generated_cache_get(&key, generated_is_lasting(), generate_text, generation, ret);
  cache_key_clear(&writer);
  return result;
}

static pi_result specialise_ptx(program_code *made, const generated_text *text,
                                const code_target *target, code_product *ret) {
  TRY(code_open(made, &code_form_ptx));
  TRY(code_read(made, &code_form_ptx, text->text, text->size));
  TRY(code_specialise(made, NULL, target, ret));
  ret->info = made->info;
  made->info = NULL;
  return PI_SUCCESS;
}

/* Reads the generated text as PTX, and returns it as a product with its kernels. */
static pi_result take_ptx(const generated_text *text, const code_target *target,
                          code_product *ret) {
  program_code made = {.form = NULL};
  const pi_result result = specialise_ptx(&made, text, target, ret);
  code_close(&made);
  return result;
}

pi_result generated_join(const program_code *const *codes, const unsigned char *const *values,
                         size_t count, const code_target *target, code_product *ret) {
  generation generation = {codes, values, count, target, false};
  generated_text *text;
  TRY(get_text(&generation, &text));
  const pi_result result = take_ptx(text, target, ret);
  generated_text_release(text);
  return result;
}

pi_result generated_check_parts(const program_code *const *codes,
                                const unsigned char *const *values, size_t count,
                                const code_target *target) {
  generation generation = {codes, values, count, target, true};
  generated_text *text;
  TRY(get_text(&generation, &text));
  generated_text_release(text);
  return PI_SUCCESS;
}

/* Returns the values of a link's parts with the type that generated_join takes. */
static const unsigned char *const *values_of(const generated_parts *parts) {
  return (const unsigned char *const *)parts->values;
}

pi_result generated_check(const program_code *code, const unsigned char *values,
                          const code_target *target) {
  const generated_parts *parts = code->parts;
  return parts ? generated_check_parts(parts->list, values_of(parts), parts->count, target)
               : generated_check_parts(&code, &values, 1, target);
}

static pi_result generate_ptx(const program_code *code, const unsigned char *values,
                              const code_target *target, code_product *ret) {
  const generated_parts *parts = code->parts;
  return parts ? generated_join(parts->list, values_of(parts), parts->count, target, ret)
               : generated_join(&code, &values, 1, target, ret);
}

const code_form code_form_generated = {.kind = CODE_IS_SPIRV,
                                       .name = "SPIR-V",
                                       .origin = "created from SPIR-V",
                                       .is_compiled = true,
                                       .read = read_spirv,
                                       .specialise = generate_ptx};

const code_form code_form_joined = {.kind = CODE_IS_SPIRV,
                                    .name = "linked SPIR-V",
                                    .origin = "linked",
                                    .is_built = true,
                                    .specialise = generate_ptx,
                                    .close = close_joined};
