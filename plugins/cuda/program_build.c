/* Programs: the driver's part of building, compiling and linking. */
#include "program.h"

#include "device.h"

#include "../code/generated_form.h"
#include "../objects/driver.h"

#include <stdlib.h>
#include <string.h>

pi_result driver_compilation_begin(const char *options, pi_result refused,
                                   struct driver_compilation *ret) {
  return jit_read_options(options, refused, &ret->options);
}

void driver_compilation_end(struct driver_compilation *compilation) {
  free(compilation->values);
}

static pi_result build_for(pi_program program, pi_context member, pi_result refused,
                           build_outcome *outcome, program_build **ret) {
  unsigned char *values;
  TRY(constants_copy_values(program->code.constants, &values));
  return build_new(&(const build_order){.program = program,
                                        .member = member,
                                        .values = values,
                                        .options = &outcome->compiled.options,
                                        .refused = refused,
                                        .log = &outcome->log},
                   ret);
}

/* Makes a build for a context of several devices; its parts are still NULL. */
static pi_result make_parts(pi_context context, program_build **ret) {
  program_build *made;
  TRY(build_create(context, &made));
  pthread_mutex_init(&made->driver.lock, NULL);
  made->driver.parts = calloc(context->root_count, sizeof *made->driver.parts);
  const bool has_memory = made->driver.parts;
  if (!has_memory)
    build_release(made);
  REQUIRE_MEMORY(has_memory, "a build for %u devices", context->root_count);
  *ret = made;
  return PI_SUCCESS;
}

/* Builds a program for each requested device. */
static pi_result build_asked(pi_program program, pi_result refused, build_outcome *outcome) {
  const pi_context context = program->context;
  if (!context->driver.members)
    return build_for(program, context, refused, outcome, &outcome->build);
  program_build *made;
  TRY(make_parts(context, &made));
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < context->root_count && result == PI_SUCCESS; i++) {
    pi_context member;
    if (!outcome->asked[i])
      continue;
    result = context_make_member(context, i, &member);
    if (result == PI_SUCCESS)
      result = build_for(program, member, refused, outcome, &made->driver.parts[i]);
  }
  if (result == PI_SUCCESS)
    outcome->build = made;
  else
    build_release(made);
  return result;
}

program_build *build_first_part(program_build *build) {
  program_build *first = NULL;
  for (pi_uint32 i = 0; i < build->context->root_count && !first; i++)
    first = build_part(build, i);
  return first;
}

/*
 * Returns the member of the first requested device. Its compiled or linked code serves all other
 * requested devices, which must have the same compute capability.
 */
static pi_result find_asked(pi_context context, const build_outcome *outcome, pi_context *ret) {
  pi_uint32 first = 0;
  while (first + 1 < context->root_count && !outcome->asked[first])
    first++;
  const int capability = device_ptx_target(context->roots[first]).capability;
  for (pi_uint32 i = first + 1; i < context->root_count; i++) {
    const int other = device_ptx_target(context->roots[i]).capability;
    REQUIRE(!outcome->asked[i] || other == capability, PI_ERROR_UNSUPPORTED_FEATURE,
            "CUDA links for one kind of device at a time, and devices %u and %u are of sm_%d and "
            "sm_%d: link for each of them",
            first, i, capability, other);
  }
  return context_member(context, context->roots[first], ret);
}

pi_result driver_program_build(pi_program program, build_outcome *outcome) {
  return build_asked(program, PI_ERROR_BUILD_PROGRAM_FAILURE, outcome);
}

/*
 * Checks that code can be compiled. Keeps no result, because CUDA compiles during a link and has no
 * object files. SPIR-V is only checked as a whole, because compiling it would take long.
 */
static pi_result try_compiling(const build_order *order) {
  code_product input = {0};
  if (program_is_generated(order->program) && !order->options->verbose)
    return build_check(order, BUILD_PART);
  TRY(cuda_enter(order->member));
  TRY(build_specialise(order, BUILD_PART, &input));
  const pi_result result =
      jit_link(&input, 1, order->options, order->refused, order->log, NULL, NULL);
  code_product_free(&input);
  return result;
}

pi_result driver_program_compile(pi_program program, build_outcome *outcome) {
  unsigned char *values;
  pi_context member;
  TRY(find_asked(program->context, outcome, &member));
  TRY(constants_copy_values(program->code.constants, &values));
  const build_order order = {.program = program,
                             .member = member,
                             .values = values,
                             .options = &outcome->compiled.options,
                             .refused = PI_ERROR_COMPILE_PROGRAM_FAILURE,
                             .log = &outcome->log};
  const pi_result result = try_compiling(&order);
  if (result == PI_SUCCESS)
    outcome->compiled.values = values;
  else
    free(values);
  return result;
}

/* ---- Linking ---- */

/* Copies the constants' values of a link's input; the caller frees them. */
static pi_result take_input_values(pi_program program, pi_uint32 index, unsigned char **ret) {
  const bool is_object = !program->code.form->is_built && !program->code.form->is_compiled &&
                         !(program_is_cubin(program) && cubin_is_linked(program->code.bytes));
  unsigned char *values;
  TRY(constants_copy_values(program->code.constants, &values));
  pthread_mutex_lock(&program->lock);
  const unsigned char *compiled = program->compiled.values;
  const bool is_taken = compiled || is_object;
  if (compiled)
    memcpy(values, compiled, constants_copy_size(program->code.constants));
  pthread_mutex_unlock(&program->lock);
  if (!is_taken)
    free(values);
  REQUIRE(is_taken, PI_ERROR_INVALID_OPERATION,
          "input program %u is not compiled (piProgramCompile), or is linked already", index);
  *ret = values;
  return PI_SUCCESS;
}

/* The inputs of a link, and the code made from them. */
typedef struct link_parts {
  const pi_program *programs;
  pi_uint32 count;
  const program_code **codes;
  unsigned char **values; /* of each program */
  code_product *products; /* one for each program, or one for all of them */
  size_t product_count;
} link_parts;

static pi_result parts_open(pi_uint32 count, const pi_program *programs, link_parts *ret) {
  *ret = (link_parts){.programs = programs, .count = count};
  ret->codes = calloc(count, sizeof(const program_code *));
  ret->values = calloc(count, sizeof(unsigned char *));
  ret->products = calloc(count, sizeof *ret->products);
  REQUIRE_MEMORY(ret->codes && ret->values && ret->products, "%u inputs of a link", count);
  for (pi_uint32 i = 0; i < count; i++) {
    ret->codes[i] = &programs[i]->code;
    TRY(take_input_values(programs[i], i, &ret->values[i]));
  }
  return PI_SUCCESS;
}

static void parts_close(const link_parts *parts) {
  for (pi_uint32 i = 0; i < parts->count && parts->values; i++)
    free(parts->values[i]);
  for (size_t i = 0; i < parts->product_count; i++)
    code_product_free(&parts->products[i]);
  free(parts->codes);
  free(parts->values);
  free(parts->products);
}

static bool are_generated(const link_parts *parts) {
  for (pi_uint32 i = 0; i < parts->count; i++)
    if (parts->codes[i]->form != &code_form_generated)
      return false;
  return true;
}

/*
 * Makes the code of the inputs. Several SPIR-V inputs become one text, so that functions of
 * libraries are inlined. If the inputs do not fit together, each becomes its own text, and the
 * driver's linker reports the error.
 */
static pi_result make_products(pi_program linked, pi_context member, link_parts *parts,
                               build_outcome *outcome) {
  build_order order = {.program = linked,
                       .member = member,
                       .options = &outcome->compiled.options,
                       .refused = PI_ERROR_LINK_PROGRAM_FAILURE,
                       .log = &outcome->log};
  if (parts->count > 1 && are_generated(parts)) {
    const code_target target = build_target(&order, BUILD_WHOLE);
    const pi_result result =
        generated_join(parts->codes, (const unsigned char *const *)parts->values, parts->count,
                       &target, &parts->products[0]);
    parts->product_count = result == PI_SUCCESS;
    if (result != PI_ERROR_BUILD_PROGRAM_FAILURE)
      return result;
  }
  for (pi_uint32 i = 0; i < parts->count; i++) {
    order.program = parts->programs[i];
    order.values = parts->values[i];
    TRY(build_specialise(&order, BUILD_PART, &parts->products[i]));
    parts->product_count++;
  }
  return PI_SUCCESS;
}

/* Makes the code for the driver's linker, and merges the inputs' facts into the linked program. */
static pi_result take_inputs(pi_program linked, pi_context member, link_parts *parts,
                             build_outcome *outcome) {
  TRY(make_products(linked, member, parts, outcome));
  for (pi_uint32 i = 0; i < parts->count; i++)
    TRY(code_add_input(&linked->code, parts->codes[i], parts->values[i]));
  code_sort(linked->code.info);
  /* Adds facts that only the generated code declares. */
  for (size_t i = 0; i < parts->product_count; i++)
    if (parts->products[i].info)
      TRY(code_merge(linked->code.info, parts->products[i].info));
  return PI_SUCCESS;
}

/* Links inputs to a cubin, which becomes the linked program's code, and loads the cubin. */
static pi_result link_inputs(pi_program linked, pi_context member, const code_product *inputs,
                             size_t count, build_outcome *outcome) {
  TRY(cuda_enter(member));
  TRY(jit_link(inputs, count, &outcome->compiled.options, PI_ERROR_LINK_PROGRAM_FAILURE,
               &outcome->log, &linked->code.bytes, &linked->code.size));
  TRY(cubin_check(linked->code.bytes, linked->code.size));
  TRY(cubin_merge_kernels(linked->code.bytes, linked->code.size, linked->code.info));
  return build_asked(linked, PI_ERROR_LINK_PROGRAM_FAILURE, outcome);
}

/*
 * Returns whether exactly one part has kernels, and all parts are SPIR-V. Then each kernel can be
 * built on its own, together with the functions that it calls in other parts. Moves the part with
 * kernels to the front.
 */
static bool is_divisible_link(link_parts *parts, const build_outcome *outcome) {
  pi_uint32 with_kernels = 0, first = 0;
  if (parts->count < 2 || !are_generated(parts) || outcome->compiled.options.verbose)
    return false;
  for (pi_uint32 i = 0; i < parts->count; i++)
    if (parts->codes[i]->info->count != 0) {
      with_kernels++;
      first = i;
    }
  const program_code *code = parts->codes[0];
  unsigned char *values = parts->values[0];
  parts->codes[0] = parts->codes[first];
  parts->values[0] = parts->values[first];
  parts->codes[first] = code;
  parts->values[first] = values;
  return with_kernels == 1;
}

/*
 * Links parts as a divided build. PI_ERROR_BUILD_PROGRAM_FAILURE: the parts do not fit together.
 * The caller then uses link_whole, so that the driver's linker reports it.
 */
static pi_result link_divided(pi_program linked, pi_context member, const link_parts *parts,
                              build_outcome *outcome) {
  const build_order order = {
      .program = linked, .member = member, .options = &outcome->compiled.options};
  const code_target target = build_target(&order, BUILD_FIRST);
  const unsigned char *const *values = (const unsigned char *const *)parts->values;
  TRY(generated_check_parts(parts->codes, values, parts->count, &target));
  TRY(generated_keep_parts(&linked->code, parts->codes, values, parts->count));
  for (pi_uint32 i = 0; i < parts->count; i++)
    TRY(code_add_input(&linked->code, parts->codes[i], parts->values[i]));
  code_sort(linked->code.info);
  return build_asked(linked, PI_ERROR_LINK_PROGRAM_FAILURE, outcome);
}

/* Links all kernels together to a cubin. */
static pi_result link_whole(pi_program linked, pi_context member, link_parts *parts,
                            build_outcome *outcome) {
  TRY(take_inputs(linked, member, parts, outcome));
  return link_inputs(linked, member, parts->products, parts->product_count, outcome);
}

pi_result driver_program_link(pi_program linked, pi_uint32 count, const pi_program *programs,
                              build_outcome *outcome) {
  link_parts parts;
  pi_context member;
  TRY(find_asked(linked->context, outcome, &member));
  pi_result result = parts_open(count, programs, &parts);
  if (result == PI_SUCCESS) {
    result = is_divisible_link(&parts, outcome) ? link_divided(linked, member, &parts, outcome)
                                                : PI_ERROR_BUILD_PROGRAM_FAILURE;
    if (result == PI_ERROR_BUILD_PROGRAM_FAILURE)
      result = link_whole(linked, member, &parts, outcome);
  }
  parts_close(&parts);
  return result;
}
