/* Programs: building, compiling and linking. */
#include "program.h"

#include "checks.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

/* What a build, compilation or link has to tell; becomes the program's in the end. */
typedef struct outcome {
  pi_result result;
  cuda_build *build;       /* of a build or link; NULL when it failed */
  unsigned char *compiled; /* of a compilation */
  pi_program_binary_type type;
  char *options;
  jit_options read;
  jit_log log;
} outcome;

typedef void notify(pi_program program, void *user_data);

static char *copy_text(const char *text) {
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

/* Both of the driver's logs, in one text. */
static char *join_log(const jit_log *log) {
  const size_t info = strlen(log->info);
  const size_t error = strlen(log->error);
  char *text = malloc(info + error + 2);
  if (!text)
    return NULL;
  memcpy(text, log->info, info);
  size_t length = info;
  if (info != 0 && error != 0 && text[info - 1] != '\n')
    text[length++] = '\n';
  memcpy(text + length, log->error, error);
  text[length + error] = '\0';
  return text;
}

/* Without memory for the log there is none, which is no reason for the build to fail. */
static void publish(pi_program program, outcome *it) {
  char *log = join_log(&it->log);
  const bool good = it->result == PI_SUCCESS;
  pthread_mutex_lock(&program->lock);
  cuda_build *former = program->build;
  unsigned char *compiled = program->compiled;
  char *options = program->options;
  char *former_log = program->log;
  program->build = it->build;
  program->compiled = it->compiled;
  program->compiled_options = it->read;
  program->status = good ? PI_PROGRAM_BUILD_STATUS_SUCCESS : PI_PROGRAM_BUILD_STATUS_ERROR;
  program->type = good ? it->type : PI_PROGRAM_BINARY_TYPE_NONE;
  program->options = it->options;
  program->log = log;
  pthread_mutex_unlock(&program->lock);
  if (former)
    native_forget(former->module, &program->handle);
  build_release(former);
  free(compiled);
  free(options);
  free(former_log);
}

/* Returns the former one. */
static pi_program_build_status set_status(pi_program program, pi_program_build_status status) {
  pthread_mutex_lock(&program->lock);
  const pi_program_build_status former = program->status;
  program->status = status;
  pthread_mutex_unlock(&program->lock);
  return former;
}

/* What stands in the log when the driver was not the one to refuse. */
static void note_failure(outcome *it) {
  const char *sentence = "";
  if (it->result == PI_SUCCESS || it->log.error[0] != '\0')
    return;
  pi_error_last(&sentence);
  strncpy(it->log.error, sentence, sizeof it->log.error - 1);
}

/* An outcome with the options read and kept; freed by the caller, the options too if not published.
 */
static pi_result new_outcome(const char *options, pi_result refused, outcome **ret) {
  jit_options read;
  PI_TRY(jit_read_options(options ? options : "", refused, &read));
  outcome *it = calloc(1, sizeof *it);
  char *copy = it ? copy_text(options ? options : "") : NULL;
  if (!copy)
    free(it);
  PI_REQUIRE(copy, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a build");
  it->options = copy;
  it->read = read;
  *ret = it;
  return PI_SUCCESS;
}

static pi_result compile(pi_program program, outcome *it) {
  jit_input input = {0};
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  pi_result result = cuda_enter(program->context);
  if (result == PI_SUCCESS)
    result = build_input(program, values, &input);
  if (result == PI_SUCCESS)
    result = jit_check(&input, &it->read, PI_ERROR_COMPILE_PROGRAM_FAILURE, &it->log);
  free(input.bytes);
  if (result != PI_SUCCESS) {
    free(values);
    return result;
  }
  it->compiled = values;
  it->type = PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
  return PI_SUCCESS;
}

static pi_result build(pi_program program, outcome *it) {
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  it->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return build_new(program, values, &it->read, PI_ERROR_BUILD_PROGRAM_FAILURE, &it->log,
                   &it->build);
}

/*
 * Does one of the two. It becomes the program's latest one, and the callback is called, if the code
 * was taken or refused; after a failure of another kind, no memory for one, all is as it was.
 */
static pi_result run(pi_program program, pi_result (*work)(pi_program program, outcome *it),
                     const char *options, pi_result bad_options, pi_result refused,
                     notify *pfn_notify, void *user_data) {
  outcome *it;
  PI_TRY(new_outcome(options, bad_options, &it));
  pthread_mutex_lock(&program->build_lock);
  const pi_program_build_status former = set_status(program, PI_PROGRAM_BUILD_STATUS_IN_PROGRESS);
  const pi_result result = it->result = work(program, it);
  const bool ran = result == PI_SUCCESS || result == refused;
  if (ran) {
    note_failure(it);
    publish(program, it);
  } else {
    set_status(program, former);
    free(it->options);
  }
  pthread_mutex_unlock(&program->build_lock);
  free(it);
  if (ran && pfn_notify)
    pfn_notify(program, user_data);
  return result;
}

/* ---- Checks ---- */

static pi_result check_callback(notify *pfn_notify, const void *user_data) {
  PI_REQUIRE(pfn_notify || !user_data, PI_ERROR_INVALID_VALUE,
             "user_data is given and pfn_notify is NULL");
  return PI_SUCCESS;
}

pi_result piProgramBuild(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                         const char *options,
                         void (*pfn_notify)(pi_program program, void *user_data), void *user_data) {
  REQUIRE_PROGRAM(program);
  const pi_devices devices = program_devices(program->context);
  PI_TRY(pi_check_build_devices(&devices, num_devices, device_list));
  PI_TRY(check_callback(pfn_notify, user_data));
  PI_REQUIRE(program->kind != PROGRAM_LINKED && program->kind != PROGRAM_NATIVE,
             PI_ERROR_INVALID_OPERATION, "the program is built already: it was %s",
             program->kind == PROGRAM_LINKED ? "linked" : "created from a CUmodule");
  return run(program, build, options, PI_ERROR_INVALID_BUILD_OPTIONS,
             PI_ERROR_BUILD_PROGRAM_FAILURE, pfn_notify, user_data);
}

/*
 * The driver compiles what it links, and gives no objects out. So that code which cannot be
 * compiled is refused here all the same it is compiled here, too.
 */
pi_result piProgramCompile(pi_program program, pi_uint32 num_devices, const pi_device *device_list,
                           const char *options, pi_uint32 num_input_headers,
                           const pi_program *input_headers, const char **header_include_names,
                           void (*pfn_notify)(pi_program program, void *user_data),
                           void *user_data) {
  REQUIRE_PROGRAM(program);
  const pi_devices devices = program_devices(program->context);
  PI_TRY(pi_check_build_devices(&devices, num_devices, device_list));
  PI_REQUIRE(num_input_headers == 0 && !input_headers && !header_include_names,
             PI_ERROR_INVALID_VALUE, "%u headers: PTX includes none", num_input_headers);
  PI_TRY(check_callback(pfn_notify, user_data));
  PI_REQUIRE(program->kind == PROGRAM_PTX, PI_ERROR_INVALID_OPERATION,
             "the program was not created from PTX: there is nothing to compile");
  return run(program, compile, options, PI_ERROR_INVALID_COMPILER_OPTIONS,
             PI_ERROR_COMPILE_PROGRAM_FAILURE, pfn_notify, user_data);
}

/* ---- Linking ---- */

/* The values that an input counts; the caller frees them. */
static pi_result take_input_values(pi_program program, pi_uint32 index, unsigned char **ret) {
  const bool object = program->kind == PROGRAM_FATBIN ||
                      (program->kind == PROGRAM_CUBIN && !cubin_is_linked(program->code));
  const size_t size = constants_values_size(program->constants);
  unsigned char *values;
  PI_TRY(constants_copy_values(program->constants, &values));
  pthread_mutex_lock(&program->lock);
  const bool compiled = program->compiled || object;
  if (program->compiled && size != 0)
    memcpy(values, program->compiled, size);
  pthread_mutex_unlock(&program->lock);
  if (!compiled) {
    free(values);
    return pi_error(PI_ERROR_INVALID_OPERATION,
                    "input program %u is not compiled (piProgramCompile), or is linked already",
                    index);
  }
  *ret = values;
  return PI_SUCCESS;
}

/* Adds the kernels and blocks of an input to the linked program. */
static pi_result add_input(pi_program linked, const struct pi_program_object *input,
                           const unsigned char *values) {
  size_t *places = calloc(input->block_count + 1, sizeof *places);
  PI_REQUIRE(places, PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %zu blocks of constants",
             input->block_count);
  pi_result result = PI_SUCCESS;
  for (size_t i = 0; i < input->block_count && result == PI_SUCCESS; i++)
    result =
        program_add_block(linked, input->blocks[i].size, values + input->blocks[i].at, &places[i]);
  for (size_t k = 0; k < input->info->count && result == PI_SUCCESS; k++) {
    const code_kernel *kernel = &input->info->kernels[k];
    result = code_copy_kernel(linked->info, kernel);
    for (size_t i = 0; i < input->block_count && result == PI_SUCCESS; i++)
      if (input->blocks[i].at == kernel->values_at)
        linked->info->kernels[linked->info->count - 1].values_at = places[i];
  }
  free(places);
  return result;
}

/* The inputs as the driver takes them, and what they say of themselves in the linked program. */
static pi_result take_inputs(pi_program linked, pi_uint32 count, const pi_program *programs,
                             jit_input *inputs) {
  for (pi_uint32 i = 0; i < count; i++) {
    unsigned char *values = NULL;
    PI_TRY(take_input_values(programs[i], i, &values));
    pi_result result = build_input(programs[i], values, &inputs[i]);
    if (result == PI_SUCCESS)
      result = add_input(linked, programs[i], values);
    free(values);
    PI_TRY(result);
  }
  code_sort(linked->info);
  return PI_SUCCESS;
}

/* The driver's part: inputs to a cubin, and that to a module. */
static pi_result link_inputs(pi_program linked, const jit_input *inputs, size_t count,
                             outcome *it) {
  PI_TRY(cuda_enter(linked->context));
  PI_TRY(jit_link(inputs, count, &it->read, PI_ERROR_LINK_PROGRAM_FAILURE, &it->log, &linked->code,
                  &linked->code_size));
  PI_TRY(cubin_check(linked->code, linked->code_size));
  PI_TRY(cubin_merge_kernels(linked->code, linked->code_size, linked->info));
  unsigned char *values;
  PI_TRY(constants_copy_values(linked->constants, &values));
  it->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return build_new(linked, values, &it->read, PI_ERROR_LINK_PROGRAM_FAILURE, &it->log, &it->build);
}

static void free_inputs(jit_input *inputs, pi_uint32 count) {
  for (pi_uint32 i = 0; i < count; i++)
    free(inputs[i].bytes);
  free(inputs);
}

/* *ret receives the linked program, or one that has but the log of a link that failed. */
static pi_result link(pi_context context, pi_uint32 count, const pi_program *programs, outcome *it,
                      pi_program *ret) {
  pi_program linked;
  PI_TRY(program_new(context, PROGRAM_LINKED, &linked));
  jit_input *inputs = calloc(count, sizeof *inputs);
  pi_result result = PI_SUCCESS;
  if (!inputs)
    result = pi_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for %u inputs of a link", count);
  if (result == PI_SUCCESS)
    result = take_inputs(linked, count, programs, inputs);
  if (result == PI_SUCCESS)
    result = link_inputs(linked, inputs, count, it);
  if (inputs)
    free_inputs(inputs, count);
  it->result = result;
  if (result != PI_SUCCESS && result != PI_ERROR_LINK_PROGRAM_FAILURE) {
    program_release(linked);
    return result;
  }
  note_failure(it);
  publish(linked, it);
  it->options = NULL;
  *ret = linked;
  return result;
}

pi_result piProgramLink(pi_context context, pi_uint32 num_devices, const pi_device *device_list,
                        const char *options, pi_uint32 num_input_programs,
                        const pi_program *input_programs,
                        void (*pfn_notify)(pi_program program, void *user_data), void *user_data,
                        pi_program *ret_program) {
  REQUIRE_CONTEXT(context);
  const pi_devices devices = program_devices(context);
  PI_TRY(pi_check_build_devices(&devices, num_devices, device_list));
  PI_REQUIRE(num_input_programs != 0 && input_programs, PI_ERROR_INVALID_VALUE,
             num_input_programs ? "input_programs is NULL" : "num_input_programs is 0");
  for (pi_uint32 i = 0; i < num_input_programs; i++) {
    REQUIRE_PROGRAM(input_programs[i]);
    PI_REQUIRE(input_programs[i]->context->driver.context == context->driver.context,
               PI_ERROR_INVALID_CONTEXT, "input program %u of %u is of another context", i,
               num_input_programs);
  }
  PI_TRY(check_callback(pfn_notify, user_data));
  REQUIRE_POINTER(ret_program);
  outcome *it;
  PI_TRY(new_outcome(options, PI_ERROR_INVALID_LINKER_OPTIONS, &it));
  pi_program linked = NULL;
  const pi_result result = link(context, num_input_programs, input_programs, it, &linked);
  free(it->options);
  free(it);
  if (linked) {
    *ret_program = linked;
    if (pfn_notify)
      pfn_notify(linked, user_data);
  }
  return result;
}
