/* Programs: building and compiling. */
#include "program.h"

#include "checks.h"

#include <stdlib.h>
#include <string.h>

typedef void notify(pi_program program, void *user_data);

/* ---- What is left of a build ---- */

static char *copy_text(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

pi_result outcome_create(pi_context context, pi_uint32 count, const pi_device *devices,
                         const char *options, pi_result refused, outcome **ret) {
  char *flags = NULL;
  PI_TRY(options_to_flags(options, refused, &flags));
  outcome *it = calloc(1, sizeof *it);
  if (!it)
    free(flags);
  PI_REQUIRE(it, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  it->flags = flags;
  it->options = copy_text(options ? options : "");
  it->asked = calloc(context->root_count, sizeof *it->asked);
  const bool has_memory = it->options && it->asked;
  if (!has_memory)
    outcome_free(it);
  PI_REQUIRE(has_memory, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  for (pi_uint32 i = 0; i < context->root_count; i++)
    it->asked[i] = count == 0;
  for (pi_uint32 i = 0; i < count; i++)
    it->asked[context_root(context, devices[i])] = true;
  *ret = it;
  return PI_SUCCESS;
}

void outcome_free(outcome *it) {
  build_release(it->build);
  spirv_code_release(it->compiled);
  free(it->asked);
  free(it->options);
  free(it->flags);
  free(it->log.text);
  free(it);
}

/* What stands in the log when the driver was not the one to refuse. */
static void note_failure(outcome *it) {
  const char *sentence = "";
  if (it->result == PI_SUCCESS || it->log.size != 0)
    return;
  pi_error_last(&sentence);
  build_log_add(&it->log, sentence);
}

#define SWAP(type, a, b)                                                                           \
  do {                                                                                             \
    type *const swapped = (a);                                                                     \
    (a) = (b);                                                                                     \
    (b) = swapped;                                                                                 \
  } while (0)

void program_publish(pi_program program, outcome *it) {
  note_failure(it);
  const bool good = it->result == PI_SUCCESS;
  pthread_mutex_lock(&program->lock);
  SWAP(level_zero_build, program->build, it->build);
  SWAP(spirv_code, program->compiled, it->compiled);
  SWAP(char, program->compiled_flags, it->flags);
  SWAP(bool, program->asked, it->asked);
  SWAP(char, program->options, it->options);
  SWAP(char, program->log, it->log.text);
  program->status = good ? PI_PROGRAM_BUILD_STATUS_SUCCESS : PI_PROGRAM_BUILD_STATUS_ERROR;
  program->type = good ? it->type : PI_PROGRAM_BINARY_TYPE_NONE;
  pthread_mutex_unlock(&program->lock);
}

/* ---- Building ---- */

/* A build is for the devices of the former one, too: all of them get the values of now. */
static void add_former(pi_program program, outcome *it) {
  pthread_mutex_lock(&program->lock);
  if (program->build)
    for (pi_uint32 i = 0; i < program->build->roots; i++)
      it->asked[i] = it->asked[i] || build_modules(program->build, i)[0];
  pthread_mutex_unlock(&program->lock);
}

/* Only those of the context's devices that take SPIR-V are built for, if nobody says which. */
static bool skips(pi_program program, pi_uint32 root, bool is_explicit) {
  return !is_explicit && program->context->roots[root]->driver.module.spirvVersionSupported == 0;
}

static pi_result make_modules(pi_program program, const module_input *input, bool is_explicit,
                              level_zero_build *build, outcome *it) {
  for (pi_uint32 i = 0; i < build->roots; i++) {
    if (!it->asked[i])
      continue;
    if (skips(program, i, is_explicit)) {
      it->asked[i] = false;
      continue;
    }
    PI_TRY(module_create(program->context, i, ZE_MODULE_FORMAT_IL_SPIRV, input, true,
                         PI_ERROR_BUILD_PROGRAM_FAILURE, &it->log, build->modules + i));
  }
  return PI_SUCCESS;
}

static pi_result build_il(pi_program program, bool is_explicit, outcome *it) {
  pi_constant *values = NULL;
  size_t count = 0;
  level_zero_build *build;
  PI_TRY(pi_constants_snapshot(program->constants, &values, &count));
  pi_result result = build_create(program->context, 1, 1, &build);
  if (result != PI_SUCCESS) {
    free(values);
    return result;
  }
  spirv_code_retain(program->code);
  build->codes[build->code_count++] = program->code;
  const module_input input = {program->code->bytes, program->code->size, it->flags, values, count};
  result = make_modules(program, &input, is_explicit, build, it);
  free(values);
  if (result == PI_SUCCESS)
    it->build = build;
  else
    build_release(build);
  return result;
}

/* Native code was loaded when the program was made; it is for the devices that it came for. */
static pi_result build_binary(pi_program program, bool is_explicit, outcome *it) {
  for (pi_uint32 i = 0; i < program->loaded->roots; i++) {
    const bool is_there = build_modules(program->loaded, i)[0] != NULL;
    PI_REQUIRE(is_there || !it->asked[i] || !is_explicit, PI_ERROR_INVALID_BINARY,
               "the program has no binary for device %u of the context", i);
    it->asked[i] = it->asked[i] && is_there;
  }
  build_retain(program->loaded);
  it->build = program->loaded;
  return PI_SUCCESS;
}

static pi_result build(pi_program program, bool is_explicit, outcome *it) {
  it->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  add_former(program, it);
  return program->kind == PROGRAM_IL ? build_il(program, is_explicit, it)
                                     : build_binary(program, is_explicit, it);
}

/* The driver compiles what it links; what a link needs are the values and options of now. */
static pi_result compile(pi_program program, bool is_explicit, outcome *it) {
  (void)is_explicit;
  it->type = PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return spirv_code_specialise(program->code, program->constants, &it->compiled);
}

/* Returns the former one. */
static pi_program_build_status set_status(pi_program program, pi_program_build_status status) {
  pthread_mutex_lock(&program->lock);
  const pi_program_build_status former = program->status;
  program->status = status;
  pthread_mutex_unlock(&program->lock);
  return former;
}

/* What is to be done, and how its failures are called. */
typedef struct request {
  pi_result (*work)(pi_program program, bool is_explicit, outcome *it);
  pi_result bad_options;
  pi_result refused; /* the code is not taken */
} request;

/*
 * Does it. It becomes the program's latest one, and the callback is called, if the code was taken
 * or refused; after a failure of another kind, no memory for one, all is as it was.
 */
static pi_result run(pi_program program, const request *what, pi_uint32 count,
                     const pi_device *devices, const char *options, notify *pfn_notify,
                     void *user_data) {
  outcome *it;
  PI_TRY(outcome_create(program->context, count, devices, options, what->bad_options, &it));
  pthread_mutex_lock(&program->build_lock);
  const pi_program_build_status former = set_status(program, PI_PROGRAM_BUILD_STATUS_IN_PROGRESS);
  const pi_result result = it->result = what->work(program, count != 0, it);
  const bool ran = result == PI_SUCCESS || result == what->refused;
  if (ran)
    program_publish(program, it);
  else
    set_status(program, former);
  pthread_mutex_unlock(&program->build_lock);
  outcome_free(it);
  if (ran && pfn_notify)
    pfn_notify(program, user_data);
  return result;
}

/* ---- Entries ---- */

pi_result program_check_callback(notify *pfn_notify, const void *user_data) {
  PI_REQUIRE(pfn_notify || !user_data, PI_ERROR_INVALID_VALUE,
             "user_data is given and pfn_notify is NULL");
  return PI_SUCCESS;
}

pi_result piProgramBuild(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                         const char *options,
                         void (*pfn_notify)(pi_program program, void *user_data), void *user_data) {
  static const request what = {build, PI_ERROR_INVALID_BUILD_OPTIONS,
                               PI_ERROR_BUILD_PROGRAM_FAILURE};
  REQUIRE_PROGRAM(program);
  const pi_devices devices = program_devices(program->context);
  PI_TRY(pi_check_build_devices(&devices, num_devices, device_list));
  PI_TRY(program_check_callback(pfn_notify, user_data));
  PI_REQUIRE(program->kind == PROGRAM_IL || program->kind == PROGRAM_BINARY,
             PI_ERROR_INVALID_OPERATION, "the program is built already: it was %s",
             program->kind == PROGRAM_LINKED ? "linked" : "created from a module");
  return run(program, &what, num_devices, device_list, options, pfn_notify, user_data);
}

pi_result piProgramCompile(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                           const char *options, pi_uint32 num_input_headers,
                           const pi_program *input_headers, const char **header_include_names,
                           void (*pfn_notify)(pi_program program, void *user_data),
                           void *user_data) {
  static const request what = {compile, PI_ERROR_INVALID_COMPILER_OPTIONS,
                               PI_ERROR_COMPILE_PROGRAM_FAILURE};
  REQUIRE_PROGRAM(program);
  const pi_devices devices = program_devices(program->context);
  PI_TRY(pi_check_build_devices(&devices, num_devices, device_list));
  PI_REQUIRE(num_input_headers == 0 && !input_headers && !header_include_names,
             PI_ERROR_INVALID_VALUE, "%u headers: SPIR-V includes none", num_input_headers);
  PI_TRY(program_check_callback(pfn_notify, user_data));
  PI_REQUIRE(program->kind == PROGRAM_IL, PI_ERROR_INVALID_OPERATION,
             "the program was not created from SPIR-V: there is nothing to compile");
  return run(program, &what, num_devices, device_list, options, pfn_notify, user_data);
}
