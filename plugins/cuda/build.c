/*
 * Builds make a module on the device from a program's code and the values of its constants.
 *
 * The driver's linker compiles PTX text to a cubin, which is then loaded. cuModuleLoadDataEx could
 * compile the text in the same time, but would hold the driver's lock: no other thread could
 * compile or launch meanwhile. The linker's code is relocatable. It needs as many registers as code
 * compiled as a whole, and at most one or two more instructions, provided that the text declares
 * the alignment of local memory.
 */
#include "build_cache.h"
#include "device.h"
#include "memory.h"
#include "program.h"

#include "../code/generated_form.h"
#include "../objects/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Ignores failures: if the context cannot be entered, it is lost with all its code. Events report
 * the failures of commands.
 */
void driver_build_destroy(program_build *build) {
  struct driver_build *driver_build = &build->driver;
  const bool is_used = atomic_load_explicit(&build->is_used, memory_order_relaxed);
  for (pi_uint32 i = 0; driver_build->parts && i < build->context->root_count; i++) {
    if (driver_build->parts[i] && is_used)
      build_is_used(driver_build->parts[i]);
    build_release(driver_build->parts[i]);
  }
  free(driver_build->parts);
  (void)cuda_enter(build->context);
  if (is_used && !build->context->driver.members)
    cu.CtxSynchronize();
  if (driver_build->module && driver_build->is_owned)
    cu.ModuleUnload(driver_build->module);
  if (driver_build->offsets)
    cu.ModuleUnload(driver_build->offsets);
  if (driver_build->constants)
    cu.MemFree(driver_build->constants);
  build_release(driver_build->whole);
  code_release(driver_build->info);
  free(driver_build->values);
  free(driver_build->log);
  free(driver_build->binary);
  pthread_mutex_destroy(&driver_build->lock);
}

/* ---- Building ---- */

/* Copies the values to the device, for a program that reads them from a buffer at each launch. */
static pi_result copy_values(pi_program program, program_build *build) {
  const size_t size = constants_values_size(program->code.constants);
  if (program->code.block_count == 0 || size == 0)
    return PI_SUCCESS;
  CUdeviceptr memory;
  CU_TRY(MemAlloc, &memory, size);
  build->driver.constants = memory;
  return memory_upload(build->context, memory, build->driver.values, size);
}

/* Returns the code generator's level for an option's level; -1 is no option. */
static pi_uint32 code_level(int level) {
  enum { USUAL = 2, HIGHEST = 3 };
  if (level < 0)
    return USUAL;
  return level > HIGHEST ? HIGHEST : (pi_uint32)level;
}

code_target build_target(const build_order *order, build_extent extent) {
  return (code_target){.capability = device_ptx_target(order->member->devices[0]).capability,
                       .is_part = extent == BUILD_PART,
                       .no_offset = extent == BUILD_FIRST,
                       .level = code_level(order->options->level),
                       .kernel = order->kernel};
}

/* Replaces PI_ERROR_BUILD_PROGRAM_FAILURE by the order's code, and adds the reason to the log. */
static pi_result tell_refusal(const build_order *order, pi_result result) {
  const char *latest;
  char message[1024]; /* a copy: the next message overwrites the latest one */
  if (result != PI_ERROR_BUILD_PROGRAM_FAILURE)
    return result;
  plugin_error_last(&latest);
  snprintf(message, sizeof message, "%s", latest);
  if (order->log)
    build_log_add(order->log, message);
  return plugin_error(order->refused, "%s", message);
}

pi_result build_specialise(const build_order *order, build_extent extent, code_product *ret) {
  const code_target target = build_target(order, extent);
  return tell_refusal(order, code_specialise(&order->program->code, order->values, &target, ret));
}

pi_result build_check(const build_order *order, build_extent extent) {
  const code_target target = build_target(order, extent);
  return tell_refusal(order, generated_check(&order->program->code, order->values, &target));
}

/* Returns an order for another build with the same values and options. */
static build_order order_again(pi_program program, const program_build *build, pi_result refused) {
  return (build_order){.program = program,
                       .member = build->context,
                       .values = build->driver.values,
                       .options = &build->driver.options,
                       .kernel = build->driver.kernel,
                       .refused = refused};
}

/*
 * Makes the code of a build's first module, and records the list of kernels in the build. The code
 * lacks the entries for launches with an offset, which a second module gets later (build_offsets).
 * Code with variables keeps them, because a second module would have its own copy of the variables.
 */
static pi_result cut_product(const build_order *order, program_build *build, code_product *ret) {
  struct driver_build *driver_build = &build->driver;
  code_product product;
  const bool is_cut = program_is_repeatable(order->program);
  TRY(build_specialise(order, is_cut ? BUILD_FIRST : BUILD_WHOLE, &product));
  if (product.made && is_cut) {
    driver_build->offsets_are_apart =
        product.plain_size < product.size - 1 || program_is_generated(order->program);
    product.made[product.plain_size] = '\0';
    product.size = product.plain_size + 1;
  }
  driver_build->code_size = product.size;
  driver_build->info = product.info ? product.info : order->program->code.info;
  code_retain(driver_build->info);
  *ret = product;
  return PI_SUCCESS;
}

/* Links; adds the linker's log to the build's only if that succeeds. */
static pi_result link_product(const build_order *order, const code_product *product,
                              unsigned char **ret, size_t *size) {
  build_log log = {0};
  const pi_result result = jit_link(product, 1, order->options, order->refused, &log, ret, size);
  if (result == PI_SUCCESS && log.text && order->log)
    build_log_add(order->log, log.text);
  free(log.text);
  return result;
}

/*
 * Loads code. PTX is linked to a cubin first. Sets *ret_cubin to the cubin, which the caller frees,
 * and *size to its size. If the code itself was loaded, *ret_cubin is NULL and *size unchanged.
 */
static pi_result load_product(const build_order *order, const code_product *product,
                              CUmodule *module, unsigned char **ret_cubin, size_t *size) {
  unsigned char *cubin = NULL;
  pi_result result = PI_SUCCESS;
  if (product->kind == CODE_IS_PTX)
    result = link_product(order, product, &cubin, size);
  if (result == PI_SUCCESS || result == order->refused)
    result = jit_load(cubin ? cubin : product->bytes, order->options, order->refused, order->log,
                      module);
  if (result == PI_SUCCESS)
    *ret_cubin = cubin;
  else
    free(cubin);
  return result;
}

pi_result build_link(const build_order *order, program_build *build, unsigned char **ret) {
  struct driver_build *driver_build = &build->driver;
  code_product product;
  TRY(cut_product(order, build, &product));
  const pi_result result =
      load_product(order, &product, &driver_build->module, ret, &driver_build->code_size);
  code_product_free(&product);
  return result;
}

pi_result build_load(const build_order *order, program_build *build, void *data) {
  unsigned char *cubin;
  (void)data;
  TRY(cuda_enter(order->member));
  TRY(build_link(order, build, &cubin));
  free(cubin);
  return PI_SUCCESS;
}

pi_result build_make(const build_order *order, build_loader load, void *data, program_build **ret) {
  program_build *build;
  pi_result result = build_create(order->member, &build);
  if (result != PI_SUCCESS) {
    free(order->values);
    return result;
  }
  pthread_mutex_init(&build->driver.lock, NULL);
  build->driver.values = order->values;
  build->driver.options = *order->options;
  build->driver.kernel = order->kernel;
  result = load(order, build, data);
  build->driver.is_owned = build->driver.module != NULL;
  if (result == PI_SUCCESS)
    result = copy_values(order->program, build);
  if (result == PI_SUCCESS)
    *ret = build;
  else
    build_release(build);
  return result;
}

/* ---- Divided builds: a build for each kernel ---- */

/*
 * Returns whether each kernel gets its own build when it is first wanted. That saves time, because
 * most programs use few of a module's kernels. Kernels are built together if they may share
 * variables that one of them writes, or if option -v asks for a log of all kernels.
 */
static bool is_divisible(const build_order *order) {
  const program_code *code = &order->program->code;
  return program_is_generated(order->program) && !code->has_state && code->info->count > 1 &&
         !order->options->verbose;
}

/* Checks the module as a whole now; kernels are built when they are wanted. */
static pi_result load_divided(const build_order *order, program_build *build, void *data) {
  (void)data;
  TRY(build_check(order, BUILD_FIRST));
  build->driver.is_divided = true;
  build->driver.info = order->program->code.info;
  code_retain(build->driver.info);
  return PI_SUCCESS;
}

pi_result build_new(const build_order *order, program_build **ret) {
  if (is_divisible(order))
    return build_make(order, load_divided, NULL, ret);
  return build_cache_takes(order->program) ? build_cache_get(order, ret)
                                           : build_make(order, build_load, NULL, ret);
}

/* Carries out an order with a copy of a build's values; a failure's log becomes the program's. */
static pi_result build_ordered(pi_program program, const program_build *build, build_order order,
                               program_build **ret) {
  build_log log = {0};
  order.log = &log;
  TRY(constants_copy_again(program->code.constants, build->driver.values, &order.values));
  const pi_result result = build_cache_get(&order, ret);
  if (result != PI_SUCCESS && log.text)
    program_replace_log(program, log.text);
  else
    free(log.text);
  return result;
}

/* Builds one kernel with a build's values and options, or all kernels if kernel is NULL. */
static pi_result build_more(pi_program program, const program_build *build, const char *kernel,
                            program_build **ret) {
  build_order order = order_again(program, build, PI_ERROR_BUILD_PROGRAM_FAILURE);
  order.kernel = kernel;
  return build_ordered(program, build, order, ret);
}

pi_result build_with_registers(pi_program program, const program_build *build, unsigned registers,
                               program_build **ret) {
  build_order order = order_again(program, build, PI_ERROR_BUILD_PROGRAM_FAILURE);
  jit_options options = build->driver.options;
  options.max_registers = registers;
  order.options = &options;
  order.is_repeated = true;
  return build_ordered(program, build, order, ret);
}

/* Builds all kernels of a divided build together, and keeps the result in driver.whole. */
static pi_result build_whole(pi_program program, program_build *build) {
  struct driver_build *driver_build = &build->driver;
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&driver_build->lock);
  if (!driver_build->whole)
    result = build_more(program, build, NULL, &driver_build->whole);
  pthread_mutex_unlock(&driver_build->lock);
  return result;
}

pi_result build_of_kernel(pi_program program, program_build *build, const char *kernel,
                          program_build **ret) {
  if (build->driver.is_divided && kernel)
    return build_more(program, build, kernel, ret);
  if (build->driver.is_divided)
    TRY(build_whole(program, build));
  *ret = build->driver.is_divided ? build->driver.whole : build;
  build_retain(*ret);
  return PI_SUCCESS;
}

/* ---- Entries for launches with an offset ---- */

static pi_result load_offsets(pi_program program, program_build *build, CUmodule *ret) {
  const build_order order = order_again(program, build, PI_ERROR_INVALID_PROGRAM_EXECUTABLE);
  code_product product;
  unsigned char *cubin = NULL;
  size_t size;
  TRY(cuda_enter(build->context));
  TRY(build_specialise(&order, BUILD_WHOLE, &product));
  const pi_result result = load_product(&order, &product, ret, &cubin, &size);
  free(cubin);
  code_product_free(&product);
  return result;
}

pi_result build_offsets(pi_program program, program_build *build, CUmodule *ret) {
  pi_result result = PI_SUCCESS;
  pthread_mutex_lock(&build->driver.lock);
  CUmodule module = build->driver.offsets;
  if (!module)
    result = load_offsets(program, build, &module);
  else
    result = cuda_enter(build->context);
  if (result == PI_SUCCESS)
    *ret = build->driver.offsets = module;
  pthread_mutex_unlock(&build->driver.lock);
  return result;
}

/* ---- The cubin ---- */

/* Links code, and returns the cubin with trailers. */
static pi_result link_binary(const build_order *order, const program_build *build,
                             const code_product *input, unsigned char **ret, size_t *ret_size) {
  unsigned char *cubin = NULL;
  size_t size = 0;
  TRY(cuda_enter(order->member));
  TRY(jit_link(input, 1, order->options, order->refused, NULL, &cubin, &size));
  const pi_result result =
      cubin_write(cubin, size, &order->program->code,
                  input->info ? input->info : build->driver.info, order->values, ret, ret_size);
  free(cubin);
  return result;
}

/* Returns the build's cubin with trailers. Links it unless the program's code is a cubin. */
static pi_result make_binary(pi_program program, program_build *build, unsigned char **ret,
                             size_t *ret_size) {
  REQUIRE(program->code.form != &program_module_form, PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
          "the program was created from a native handle, which does not expose its code");
  if (program_is_cubin(program))
    return cubin_write(program->code.bytes, program->code.size, &program->code, build->driver.info,
                       build->driver.values, ret, ret_size);
  const build_order order = order_again(program, build, PI_ERROR_LINK_PROGRAM_FAILURE);
  code_product input;
  TRY(build_specialise(&order, BUILD_WHOLE, &input));
  const pi_result result = link_binary(&order, build, &input, ret, ret_size);
  code_product_free(&input);
  return result;
}

pi_result driver_build_binary(pi_program program, program_build *build, pi_uint32 root,
                              unsigned char *place, size_t *size) {
  build = build_part(build, root);
  if (!build) {
    *size = 0;
    return PI_SUCCESS;
  }
  struct driver_build *driver_build = &build->driver;
  pi_result result = PI_SUCCESS;
  /* The lock is held while linking, so that other threads wait for the same binary. */
  pthread_mutex_lock(&driver_build->lock);
  if (!driver_build->binary)
    result = make_binary(program, build, &driver_build->binary, &driver_build->binary_size);
  pthread_mutex_unlock(&driver_build->lock);
  TRY(result);
  *size = driver_build->binary_size;
  if (place)
    memcpy(place, driver_build->binary, driver_build->binary_size);
  return PI_SUCCESS;
}
