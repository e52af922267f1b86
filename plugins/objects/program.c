/* Programs: lifetime, constants, queries. Builds are in program_build.c. */
#include "program.h"

#include "../base/vector.h"

#include "driver.h"
#include "handle_checks.h"
#include "native.h"

#include <stdlib.h>
#include <string.h>

const code_form program_linked_form = {
    .origin = "linked",
    .fixed = "it was linked, and has the constants that its parts were compiled with",
    .is_built = true};
const code_form program_module_form = {
    .origin = "created from a native handle",
    .fixed = "it was created from a native handle, whose code has its constants built in",
    .is_built = true};

pi_result program_new(pi_context context, const code_form *form, pi_program *ret) {
  pi_program program = calloc(1, sizeof *program);
  REQUIRE_MEMORY(program, "a program");
  program->asked = calloc(context->root_count, sizeof *program->asked);
  if (!program->asked || code_open(&program->code, form) != PI_SUCCESS) {
    code_close(&program->code);
    free(program->asked);
    free(program);
    plugin_error(PI_ERROR_OUT_OF_HOST_MEMORY, "no memory for a program");
    return PI_ERROR_OUT_OF_HOST_MEMORY;
  }
  pthread_mutex_init(&program->build_lock, NULL);
  pthread_mutex_init(&program->lock, NULL);
  object_init(&program->handle, OBJECT_PROGRAM);
  program->status = PI_PROGRAM_BUILD_STATUS_NONE;
  program->type = PI_PROGRAM_BINARY_TYPE_NONE;
  program->context = context;
  context_retain(context);
  *ret = program;
  return PI_SUCCESS;
}

void program_release(pi_program program) {
  if (!object_release(&program->handle))
    return;
  registry_forget(&program->noted);
  build_release(program->build);
  build_release(program->loaded);
  driver_compilation_end(&program->compiled);
  code_close(&program->code);
  free(program->asked);
  free(program->options);
  free(program->log);
  pthread_mutex_destroy(&program->build_lock);
  pthread_mutex_destroy(&program->lock);
  context_release(program->context);
  free(program);
}

/* Returns a new program, or releases it after a failure. */
static pi_result give_program(pi_program program, pi_result result, pi_program *ret) {
  if (result == PI_SUCCESS)
    *ret = program;
  else
    program_release(program);
  return result;
}

pi_result program_read(pi_program program, const void *bytes, size_t size, pi_result refused) {
  const code_head head = code_head_read(bytes, size);
  const code_form *form;
  TRY(code_find_form(driver_forms, driver_name, &head, refused, &form));
  TRY(driver_check_code(program->context, &head));
  return code_read(&program->code, form, bytes, size);
}

pi_result program_create(pi_context context, const void *code, size_t size, pi_program *ret) {
  pi_program program;
  TRY(program_new(context, NULL, &program));
  return give_program(program, program_read(program, code, size, PI_ERROR_INVALID_VALUE), ret);
}

pi_result program_create_with_binary(pi_context context, const binary_array *all, pi_int32 *status,
                                     pi_program *ret) {
  pi_program program;
  TRY(program_new(context, NULL, &program));
  return give_program(program, driver_program_load(program, all, status), ret);
}

static bool has_device(const void *context, pi_device device) {
  return object_is((const object_head *)(const void *)device, OBJECT_DEVICE) &&
         context_has((pi_context)(uintptr_t)context, device);
}

device_array program_devices(pi_context context) {
  return (device_array){context, has_device};
}

pi_result program_set_constants(pi_program program, const constant_setting *settings,
                                size_t count) {
  if (!program->code.fixed)
    return code_constants_set_all(program->code.constants, settings, count);
  for (size_t i = 0; i < count; i++)
    TRY(constants_refuse(settings[i].id, settings[i].value, PI_ERROR_INVALID_PROGRAM,
                         program->code.fixed));
  return PI_SUCCESS;
}

/* Returns the latest build, with a reference for the caller, or NULL. */
static program_build *latest_build(pi_program program) {
  pthread_mutex_lock(&program->lock);
  program_build *build = program->build;
  if (build)
    build_retain(build);
  pthread_mutex_unlock(&program->lock);
  return build;
}

pi_result program_hold_build(pi_program program, program_build **ret) {
  program_build *build = latest_build(program);
  REQUIRE_BUILT(build);
  *ret = build;
  return PI_SUCCESS;
}

/*
 * Finds the native handle of a build, and records it if the build is still the latest one. It does
 * so under the lock, because a new build drops the record of its predecessor.
 */
static pi_result note_native(pi_program program, program_build *build, bool *is_latest,
                             pi_native_handle *ret) {
  pi_native_handle native;
  TRY(driver_build_native(program, build, &native));
  pthread_mutex_lock(&program->lock);
  *is_latest = program->build == build;
  if (*is_latest) {
    atomic_store_explicit(&build->native, native, memory_order_relaxed);
    registry_note(&program->noted, native, &program->handle);
  }
  pthread_mutex_unlock(&program->lock);
  *ret = native;
  return PI_SUCCESS;
}

pi_result program_native(pi_program program, pi_native_handle *ret) {
  if (native_is_foreign()) {
    program_build *build;
    TRY(program_hold_build(program, &build));
    build_release(build);
    return native_of_object("module", &program->noted, &program->handle, ret);
  }
  bool is_latest = false;
  while (!is_latest) {
    program_build *build;
    pi_native_handle native;
    TRY(program_hold_build(program, &build));
    const pi_result result = note_native(program, build, &is_latest, &native);
    build_release(build);
    TRY(result);
    if (is_latest)
      *ret = native;
  }
  return PI_SUCCESS;
}

/* ---- Native handles ---- */

static pi_result check_current(pi_program program, pi_context context, pi_native_handle native) {
  REQUIRE(program->context->native == context->native, PI_ERROR_INVALID_CONTEXT,
          "native_handle is of a program of another context");
  if (native_is_foreign())
    return PI_SUCCESS;
  pthread_mutex_lock(&program->lock);
  const bool is_current = program->build && atomic_load_explicit(&program->build->native,
                                                                 memory_order_relaxed) == native;
  pthread_mutex_unlock(&program->lock);
  REQUIRE(is_current, PI_ERROR_INVALID_PROGRAM,
          "native_handle is of a program that was built again since");
  return PI_SUCCESS;
}

/* Makes a program around the application's code, which is its build for all devices. */
static pi_result wrap_build(pi_context context, pi_native_handle native, bool is_owned,
                            pi_program *ret) {
  pi_program program;
  TRY(program_new(context, &program_module_form, &program));
  const pi_result result = driver_build_adopt(context, native, is_owned, &program->build);
  for (pi_uint32 i = 0; i < context->root_count; i++)
    program->asked[i] = true;
  program->status = PI_PROGRAM_BUILD_STATUS_SUCCESS;
  program->type = PI_PROGRAM_BINARY_TYPE_EXECUTABLE;
  return give_program(program, result, ret);
}

pi_result program_adopt(pi_context context, pi_native_handle native, bool is_owned,
                        pi_program *ret) {
  object_head *found;
  TRY(native_find(OBJECT_PROGRAM, "module", native, is_owned, &found));
  const pi_program ours = (pi_program)(void *)found;
  if (!ours)
    return wrap_build(context, native, is_owned, ret);
  const pi_result result = check_current(ours, context, native);
  /* After a failure the caller keeps the reference that came with the handle. */
  if (result != PI_SUCCESS && !is_owned)
    program_release(ours);
  TRY(result);
  *ret = ours;
  return PI_SUCCESS;
}

/* ---- Devices ---- */

/* Returns whether a program is for a device of its context, by the device's root. */
static bool is_for(pi_program program, pi_device device) {
  return !program->loaded ||
         driver_build_is_for(program->loaded, context_root(program->context, device));
}

static pi_uint32 count_devices(pi_program program) {
  pi_uint32 count = 0;
  for (pi_uint32 i = 0; i < program->context->device_count; i++)
    count += is_for(program, program->context->devices[i]);
  return count;
}

/* Lists the count devices that a program is for. The caller frees the list. */
static pi_result list_devices(pi_program program, pi_uint32 count, pi_device **ret) {
  const pi_context context = program->context;
  pi_device *devices = calloc((size_t)count + 1, sizeof(pi_device));
  REQUIRE_MEMORY(devices, "a list of %u devices", count);
  for (pi_uint32 i = 0, used = 0; i < context->device_count; i++)
    if (is_for(program, context->devices[i]))
      devices[used++] = context->devices[i];
  *ret = devices;
  return PI_SUCCESS;
}

/* ---- Names of kernels ---- */

pi_result kernel_names_add(kernel_names *names, const char *name) {
  const size_t length = strlen(name);
  REQUIRE_MEMORY(vector_extend(&names->text, &names->capacity, names->length, length + 2, 1),
                 "the names of %zu kernels", names->count + 1);
  if (names->count++ != 0)
    names->text[names->length++] = ';';
  memcpy(names->text + names->length, name, length + 1);
  names->length += length;
  return PI_SUCCESS;
}

pi_result program_name_kernels(pi_program program, kernel_names *names) {
  program_build *build;
  TRY(program_hold_build(program, &build));
  const pi_result result = driver_build_name_kernels(program, build, names);
  build_release(build);
  return result;
}

static pi_result answer_kernels(pi_program program, pi_program_info query,
                                const info_answer *answer) {
  kernel_names names = {0};
  pi_result result = program_name_kernels(program, &names);
  if (result == PI_SUCCESS)
    result = query == PI_PROGRAM_INFO_NUM_KERNELS
                 ? answer_size(answer, names.count)
                 : answer_text(answer, names.text ? names.text : "");
  free(names.text);
  return result;
}

/* ---- Binaries ---- */

static pi_result answer_sizes(pi_program program, program_build *build, pi_uint32 count,
                              const pi_device *devices, const info_answer *answer) {
  size_t *sizes = calloc((size_t)count + 1, sizeof *sizes);
  REQUIRE_MEMORY(sizes, "the sizes of %u binaries", count);
  pi_result result = PI_SUCCESS;
  for (pi_uint32 i = 0; i < count && build && result == PI_SUCCESS; i++)
    result = driver_build_binary(program, build, context_root(program->context, devices[i]), NULL,
                                 &sizes[i]);
  if (result == PI_SUCCESS)
    result = answer_bytes(answer, sizes, count * sizeof *sizes);
  free(sizes);
  return result;
}

/* Copies each binary to the pointer in the caller's list, or skips it if the pointer is NULL. */
static pi_result answer_build_bytes(pi_program program, program_build *build, pi_uint32 count,
                                    const pi_device *devices, const info_answer *answer) {
  const size_t needed = count * sizeof(unsigned char *);
  TRY(answer_check_room(answer, needed));
  for (pi_uint32 i = 0; answer->value && build && i < count; i++) {
    unsigned char *place;
    size_t size = 0;
    memcpy(&place, (char *)answer->value + i * sizeof place, sizeof place);
    if (place)
      TRY(driver_build_binary(program, build, context_root(program->context, devices[i]), place,
                              &size));
  }
  if (answer->size_ret)
    *answer->size_ret = needed;
  return PI_SUCCESS;
}

/* Answers with the code of the latest build, with its constants; before a build with nothing. */
static pi_result answer_binaries(pi_program program, pi_program_info query,
                                 const info_answer *answer) {
  const pi_uint32 count = count_devices(program);
  pi_device *devices;
  TRY(list_devices(program, count, &devices));
  program_build *build = latest_build(program);
  const pi_result result = query == PI_PROGRAM_INFO_BINARY_SIZES
                               ? answer_sizes(program, build, count, devices, answer)
                               : answer_build_bytes(program, build, count, devices, answer);
  build_release(build);
  free(devices);
  return result;
}

/* ---- Answers ---- */

static pi_result answer_devices(pi_program program, const info_answer *answer) {
  const pi_uint32 count = count_devices(program);
  pi_device *devices;
  TRY(list_devices(program, count, &devices));
  const pi_result result = answer_bytes(answer, devices, count * sizeof(pi_device));
  free(devices);
  return result;
}

pi_result program_answer(pi_program program, pi_program_info query, const info_answer *answer) {
  switch (query) {
  case PI_PROGRAM_INFO_REFERENCE_COUNT:
    return answer_uint32(answer, object_references(&program->handle));
  case PI_PROGRAM_INFO_CONTEXT:
    return answer_handle(answer, program->context);
  case PI_PROGRAM_INFO_NUM_DEVICES:
    return answer_uint32(answer, count_devices(program));
  case PI_PROGRAM_INFO_DEVICES:
    return answer_devices(program, answer);
  case PI_PROGRAM_INFO_SOURCE:
    return answer_unsupported("pi_program_info", PI_PROGRAM_INFO_SOURCE, PROGRAM_WITHOUT_SOURCE);
  case PI_PROGRAM_INFO_BINARY_SIZES:
  case PI_PROGRAM_INFO_BINARIES:
    return answer_binaries(program, query, answer);
  case PI_PROGRAM_INFO_NUM_KERNELS:
  case PI_PROGRAM_INFO_KERNEL_NAMES:
    return answer_kernels(program, query, answer);
  }
  return answer_unknown("pi_program_info", (pi_uint32)query);
}

/* Answers with a text that the lock guards, or with "" if the build was not for the device. */
static pi_result answer_program_text(pi_program program, char *const *text, pi_uint32 root,
                                     const info_answer *answer) {
  pthread_mutex_lock(&program->lock);
  const pi_result result = answer_text(answer, *text && program->asked[root] ? *text : "");
  pthread_mutex_unlock(&program->lock);
  return result;
}

pi_result program_answer_build(pi_program program, pi_device device, pi_program_build_info query,
                               const info_answer *answer) {
  const pi_uint32 root = context_root(program->context, device);
  pthread_mutex_lock(&program->lock);
  const bool asked = program->asked[root] || program->status == PI_PROGRAM_BUILD_STATUS_IN_PROGRESS;
  const pi_program_build_status status = asked ? program->status : PI_PROGRAM_BUILD_STATUS_NONE;
  const pi_program_binary_type type = asked ? program->type : PI_PROGRAM_BINARY_TYPE_NONE;
  pthread_mutex_unlock(&program->lock);
  switch (query) {
  case PI_PROGRAM_BUILD_INFO_STATUS:
    return answer_uint32(answer, (pi_uint32)status);
  case PI_PROGRAM_BUILD_INFO_BINARY_TYPE:
    return answer_uint32(answer, (pi_uint32)type);
  case PI_PROGRAM_BUILD_INFO_OPTIONS:
    return answer_program_text(program, &program->options, root, answer);
  case PI_PROGRAM_BUILD_INFO_LOG:
    return answer_program_text(program, &program->log, root, answer);
  }
  return answer_unknown("pi_program_build_info", (pi_uint32)query);
}
