/* Programs: the part of building, compiling and linking that all drivers share. */
#include "program.h"

#include "../base/vector.h"
#include "../checks/arguments.h"
#include "driver.h"
#include "handle_checks.h"

#include <stdlib.h>
#include <string.h>

/* ---- Checks ---- */

pi_result build_check_request(pi_context context, const build_request *request) {
  const device_array devices = program_devices(context);
  TRY(check_build_devices(&devices, request->count, request->devices));
  return check_notify(request->notify, request->user_data);
}

static bool is_same_context(pi_context one, pi_context other) {
  return one->native == other->native && one->root_count == other->root_count &&
         memcmp(one->roots, other->roots, one->root_count * sizeof(pi_device)) == 0;
}

pi_result build_check_inputs(pi_context context, pi_uint32 count, const pi_program *programs) {
  REQUIRE(count != 0 && programs, PI_ERROR_INVALID_VALUE,
          count ? "input_programs is NULL" : "num_input_programs is 0");
  for (pi_uint32 i = 0; i < count; i++) {
    REQUIRE(object_is((const object_head *)(const void *)programs[i], OBJECT_PROGRAM),
            PI_ERROR_INVALID_PROGRAM, "input program %u of %u is %s", i, count,
            programs[i] ? "not a live handle" : "NULL");
    REQUIRE(is_same_context(programs[i]->context, context), PI_ERROR_INVALID_CONTEXT,
            "input program %u of %u is of another context", i, count);
  }
  return PI_SUCCESS;
}

/* ---- Logs ---- */

void build_log_add(build_log *log, const char *text) {
  const size_t length = strlen(text);
  if (length == 0)
    return;
  const bool has_line = log->size != 0 && log->text[log->size - 1] != '\n';
  if (!vector_resize(&log->text, log->size + has_line + length + 1, 1))
    return;
  if (has_line)
    log->text[log->size++] = '\n';
  memcpy(log->text + log->size, text, length + 1);
  log->size += length;
}

void program_replace_log(pi_program program, char *text) {
  pthread_mutex_lock(&program->lock);
  char *former = program->log;
  program->log = text;
  pthread_mutex_unlock(&program->lock);
  free(former);
}

/* ---- Outcomes ---- */

static void free_outcome(build_outcome *outcome) {
  build_release(outcome->build);
  driver_compilation_end(&outcome->compiled);
  free(outcome->asked);
  free(outcome->options);
  free(outcome->log.text);
  free(outcome);
}

/* Makes an outcome with the options and devices of a request. The caller frees it. */
static pi_result new_outcome(pi_context context, const build_request *request, pi_result refused,
                             build_outcome **ret) {
  const char *options = request->options ? request->options : "";
  struct driver_compilation compiled = {0};
  TRY(driver_compilation_begin(options, refused, &compiled));
  build_outcome *outcome = calloc(1, sizeof *outcome);
  if (!outcome)
    driver_compilation_end(&compiled);
  REQUIRE_MEMORY(outcome, "a build");
  outcome->compiled = compiled;
  outcome->asked = calloc(context->root_count, sizeof *outcome->asked);
  outcome->options = malloc(strlen(options) + 1);
  const bool has_memory = outcome->options && outcome->asked;
  if (!has_memory)
    free_outcome(outcome);
  REQUIRE_MEMORY(has_memory, "a build");
  memcpy(outcome->options, options, strlen(options) + 1);
  outcome->is_explicit = request->count != 0;
  for (pi_uint32 i = 0; i < context->root_count; i++)
    outcome->asked[i] = !outcome->is_explicit;
  for (pi_uint32 i = 0; i < request->count; i++)
    outcome->asked[context_root(context, request->devices[i])] = true;
  *ret = outcome;
  return PI_SUCCESS;
}

/* Adds the failure's message to the log if the driver has written no log. */
static void note_failure(build_outcome *outcome) {
  const char *sentence = "";
  if (outcome->result == PI_SUCCESS || outcome->log.size != 0)
    return;
  plugin_error_last(&sentence);
  build_log_add(&outcome->log, sentence);
}

#define SWAP(type, a, b)                                                                           \
  do {                                                                                             \
    type const swapped = (a);                                                                      \
    (a) = (b);                                                                                     \
    (b) = swapped;                                                                                 \
  } while (0)

/* Makes outcome the latest one of a program, by exchanging their members. */
static void publish_outcome(pi_program program, build_outcome *outcome) {
  note_failure(outcome);
  const bool good = outcome->result == PI_SUCCESS;
  pthread_mutex_lock(&program->lock);
  SWAP(program_build *, program->build, outcome->build);
  SWAP(struct driver_compilation, program->compiled, outcome->compiled);
  SWAP(bool *, program->asked, outcome->asked);
  SWAP(char *, program->options, outcome->options);
  SWAP(char *, program->log, outcome->log.text);
  program->status = good ? PI_PROGRAM_BUILD_STATUS_SUCCESS : PI_PROGRAM_BUILD_STATUS_ERROR;
  program->type = good ? outcome->type : PI_PROGRAM_BINARY_TYPE_NONE;
  /*
   * If kernels keep the former build its handle stays recorded, so that program_adopt refuses it.
   */
  if (outcome->build &&
      atomic_load_explicit(&outcome->build->references, memory_order_relaxed) == 1)
    registry_forget(&program->noted);
  pthread_mutex_unlock(&program->lock);
}

/* ---- Building and compiling ---- */

/* Sets a program's status; returns the former one. */
static pi_program_build_status set_status(pi_program program, pi_program_build_status status) {
  pthread_mutex_lock(&program->lock);
  const pi_program_build_status former = program->status;
  program->status = status;
  pthread_mutex_unlock(&program->lock);
  return former;
}

/* A way of making code: building or compiling, with the codes of its failures. */
typedef struct build_deed {
  pi_result (*work)(pi_program program, build_outcome *outcome);
  pi_program_binary_type type;
  pi_result bad_options;
  pi_result refused; /* the driver refused the code */
} build_deed;

static pi_result do_deed(pi_program program, const build_deed *deed, const build_request *request) {
  build_outcome *outcome;
  TRY(new_outcome(program->context, request, deed->bad_options, &outcome));
  outcome->type = deed->type;
  pthread_mutex_lock(&program->build_lock);
  const pi_program_build_status former = set_status(program, PI_PROGRAM_BUILD_STATUS_IN_PROGRESS);
  const pi_result result = outcome->result = deed->work(program, outcome);
  const bool ran = result == PI_SUCCESS || result == deed->refused;
  if (ran)
    publish_outcome(program, outcome);
  else
    set_status(program, former);
  pthread_mutex_unlock(&program->build_lock);
  free_outcome(outcome);
  if (ran && request->notify)
    request->notify(program, request->user_data);
  return result;
}

pi_result program_make(pi_program program, const build_request *request) {
  static const build_deed deed = {driver_program_build, PI_PROGRAM_BINARY_TYPE_EXECUTABLE,
                                  PI_ERROR_INVALID_BUILD_OPTIONS, PI_ERROR_BUILD_PROGRAM_FAILURE};
  REQUIRE(!program->code.form->is_built, PI_ERROR_INVALID_OPERATION,
          "the program is built already: it was %s", program->code.form->origin);
  return do_deed(program, &deed, request);
}

pi_result program_compile(pi_program program, const build_request *request) {
  static const build_deed deed = {driver_program_compile, PI_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
                                  PI_ERROR_INVALID_COMPILER_OPTIONS,
                                  PI_ERROR_COMPILE_PROGRAM_FAILURE};
  REQUIRE(program->code.form->is_compiled, PI_ERROR_INVALID_OPERATION,
          "the program was %s: there is nothing to compile", program->code.form->origin);
  return do_deed(program, &deed, request);
}

/* ---- Linking ---- */

/* *ret receives the linked program, or one with only a log if the driver refuses the code. */
static pi_result do_link(pi_context context, pi_uint32 count, const pi_program *programs,
                         build_outcome *outcome, pi_program *ret) {
  pi_program linked;
  TRY(program_new(context, &program_linked_form, &linked));
  const pi_result result = outcome->result = driver_program_link(linked, count, programs, outcome);
  if (result != PI_SUCCESS && result != PI_ERROR_LINK_PROGRAM_FAILURE) {
    program_release(linked);
    return result;
  }
  publish_outcome(linked, outcome);
  *ret = linked;
  return result;
}

pi_result program_link(pi_context context, const build_request *request, pi_uint32 count,
                       const pi_program *programs, pi_program *ret) {
  build_outcome *outcome;
  TRY(new_outcome(context, request, PI_ERROR_INVALID_LINKER_OPTIONS, &outcome));
  outcome->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  pi_program linked = NULL;
  const pi_result result = do_link(context, count, programs, outcome, &linked);
  free_outcome(outcome);
  if (linked) {
    *ret = linked;
    if (request->notify)
      request->notify(linked, request->user_data);
  }
  return result;
}
