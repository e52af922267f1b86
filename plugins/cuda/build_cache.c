#include "build_cache.h"

#include "device.h"

#include "../base/error.h"
#include "../base/os.h"
#include "../code/codegen_frame.h"
#include "../code/generated_cache.h"
#include "../code/generated_form.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a context's cache: number of builds, and bytes of their code. */
enum { BUILDS = 512, BUILD_BYTES = 256 << 20 };

/* To be raised whenever the parts of a key or the format of stored builds change. */
enum { KEY_VERSION = 5 };

/* ---- Objects ---- */

static void retain_build(void *object) {
  build_retain(object);
}

/* When the context ends, no command uses its builds any more, so their end is not deferred. */
static void release_build(void *object) {
  program_build *build = object;
  if (build->context->driver.is_ending)
    build_end(build);
  else
    build_release(build);
}

/* A build under way. */
typedef struct building {
  const build_order *order;
  const cache_key *key;
  bool is_begun; /* this thread builds, and build_make has taken order->values over */
} building;

/* The message of a failed build, followed by its log. */
typedef struct failure {
  size_t log; /* offset of the log in text */
  char text[];
} failure;

static void *keep_failure(void *data, int result) {
  const building *building = data;
  const char *sentence;
  (void)result;
  plugin_error_last(&sentence);
  const size_t size = strlen(sentence) + 1;
  const size_t log_size = building->order->log->size;
  failure *made = malloc(sizeof *made + size + log_size + 1);
  if (!made)
    return NULL;
  made->log = size;
  memcpy(made->text, sentence, size);
  if (log_size != 0)
    memcpy(made->text + size, building->order->log->text, log_size);
  made->text[size + log_size] = '\0';
  return made;
}

static int tell_failure(void *data, int result, const void *kept) {
  const building *building = data;
  const failure *from = kept;
  if (from)
    build_log_add(building->order->log, from->text + from->log);
  return generated_tell_failure(data, result, from ? from->text : NULL);
}

static const cache_class build_class = {retain_build, release_build, keep_failure, tell_failure,
                                        generated_lack_memory};

void build_cache_open(pi_context context) {
  cache_init(&context->driver.builds, &build_class, (cache_limits){BUILDS, BUILD_BYTES});
}

void build_cache_close(pi_context context) {
  context->driver.is_ending = true;
  cache_end(&context->driver.builds);
}

bool build_cache_takes(pi_program program) {
  return program_is_generated(program) || program->code.form == &code_form_ptx;
}

/* ---- Keys ---- */

static char driver_release[64];

/* Reads the driver's release: many releases, with different compilers, have one CUDA version. */
static void read_release(void) {
  FILE *file = fopen("/sys/module/nvidia/version", "re");
  if (!file)
    return;
  if (!fgets(driver_release, sizeof driver_release, file))
    driver_release[0] = '\0';
  fclose(file);
}

/* Adds to the key all that determines the code given to the driver. */
static void add_code(const build_order *order, cache_key_writer *writer) {
  const program_code *code = &order->program->code;
  const code_target target = build_target(order, BUILD_FIRST);
  if (program_is_generated(order->program)) {
    generated_add_key(code, order->values, &target, writer);
    return;
  }
  cache_key_add_parts(writer, &code->digest, sizeof code->digest);
  cache_key_add_number(writer, (pi_uint64)target.capability);
  if (code->block_count == 0)
    cache_key_add_bytes(writer, order->values, constants_copy_size(code->constants));
}

/* Makes the key of an order. Begins the writer, which the caller clears. */
static pi_result make_key(const build_order *order, cache_key_writer *writer, cache_key *ret) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const jit_options *options = order->options;
  const code_info *info = order->program->code.info;
  pthread_once(&once, read_release);
  cache_key_begin(writer);
  cache_key_add_text(writer, "cubin");
  cache_key_add_number(writer, KEY_VERSION);
  add_code(order, writer);
  cache_key_add_number(writer, (pi_uint64)cuda_driver_version);
  cache_key_add_text(writer, driver_release);
  cache_key_add_number(writer, (pi_uint32)options->level);
  cache_key_add_number(writer, options->max_registers);
  cache_key_add_number(writer, options->line_info);
  cache_key_add_number(writer, options->debug_info);
  cache_key_add_number(writer, options->verbose);
  /* Required work-group sizes may come from metadata; the program's binary contains them. */
  for (size_t i = 0; i < info->count; i++)
    if (info->kernels[i].required[0] != 0) {
      cache_key_add_number(writer, i);
      cache_key_add_parts(writer, info->kernels[i].required, sizeof info->kernels[i].required);
    }
  const bool is_whole = cache_key_end(writer, NULL, ret);
  REQUIRE_MEMORY(is_whole, "a key of the cache");
  return PI_SUCCESS;
}

/* ---- The directory ---- */

/* Stores whether offsets are apart, the log, the kernels and the cubin. */
static void store_cubin(const building *building, const program_build *build, const void *cubin,
                        size_t size) {
  const build_log *log = building->order->log;
  codegen_frame frame = {0};
  codegen_frame_put_number(&frame, build->driver.offsets_are_apart);
  codegen_frame_put(&frame, log->text ? log->text : "", log->size + 1);
  code_info_put(build->driver.info, &frame);
  codegen_frame_put(&frame, cubin, size);
  if (!frame.failed)
    cache_directory_write(&generated_directory, building->key, frame.bytes + CODEGEN_FRAME_HEAD,
                          frame.size - CODEGEN_FRAME_HEAD);
  free(frame.bytes);
}

/* The build that a stored cubin is loaded into. */
typedef struct stored {
  const building *building;
  program_build *build;
} stored;

/* Reads the fields of store_cubin; the caller releases *info, also after a failure. */
static pi_result take_stored(codegen_fields fields, program_build *build, const char **log,
                             code_info **info, const void **cubin, size_t *size) {
  pi_uint32 offsets_are_apart;
  REQUIRE(codegen_fields_take_number(&fields, &offsets_are_apart) &&
              codegen_fields_take_text(&fields, log),
          PI_ERROR_INVALID_BINARY, "its head is damaged");
  TRY(code_info_take(&fields, info));
  REQUIRE(codegen_fields_take(&fields, cubin, size) && fields.size == 0, PI_ERROR_INVALID_BINARY,
          "it has no cubin");
  build->driver.offsets_are_apart = offsets_are_apart != 0;
  return cubin_check(*cubin, *size);
}

static const char *load_stored(void *data, const void *payload, size_t size) {
  const stored *to = data;
  const build_order *order = to->building->order;
  struct driver_build *build = &to->build->driver;
  const char *log = "";
  const char *why;
  code_info *info = NULL;
  const void *cubin = NULL;
  pi_result result =
      take_stored((codegen_fields){payload, size}, to->build, &log, &info, &cubin, &size);
  if (result == PI_SUCCESS)
    result = jit_load(cubin, order->options, order->refused, NULL, &build->module);
  if (result == PI_SUCCESS) {
    build->info = info;
    if (!program_is_generated(order->program)) {
      build->info = order->program->code.info;
      code_retain(build->info);
      code_release(info);
    }
    build->code_size = size;
    build_log_add(order->log, log);
    return NULL;
  }
  code_release(info);
  build->offsets_are_apart = false;
  plugin_error_last(&why);
  return why;
}

/* Links and loads a build, and stores its cubin for other processes. */
static pi_result link_build(const building *building, program_build *build) {
  unsigned char *cubin;
  TRY(build_link(building->order, build, &cubin));
  if (cubin)
    store_cubin(building, build, cubin, build->driver.code_size);
  free(cubin);
  return PI_SUCCESS;
}

static pi_result load_lasting(const build_order *order, program_build *build, void *data) {
  building *building = data;
  stored to = {building, build};
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  char line[96];
  TRY(cuda_enter(order->member));
  const bool is_loaded =
      cache_directory_find(&generated_directory, building->key, load_stored, &to, &lock);
  const pi_result result = is_loaded ? PI_SUCCESS : link_build(building, build);
  cache_lock_release(&lock);
  if (result != PI_SUCCESS)
    return result;
  snprintf(line, sizeof line, "cache: a cubin of %zu bytes was %s", build->driver.code_size,
           is_loaded ? "read from the directory" : "built");
  plugin_trace_cache(line);
  return PI_SUCCESS;
}

/* ---- Memory and directory ---- */

/* Keeps the log in the build, so that a later user of the cached build receives it, too. */
static pi_result keep_log(const build_log *log, program_build *build) {
  if (log->size == 0)
    return PI_SUCCESS;
  build->driver.log = malloc(log->size + 1);
  REQUIRE_MEMORY(build->driver.log, "the log of a build");
  memcpy(build->driver.log, log->text, log->size + 1);
  return PI_SUCCESS;
}

static int make_build(void *data, void **object, size_t *bytes) {
  building *building = data;
  const bool is_known = !program_is_generated(building->order->program) || generated_is_lasting();
  const bool is_lasting = is_known && cache_directory_is_named(&generated_directory);
  program_build *build;
  building->is_begun = true;
  TRY(build_make(building->order, is_lasting ? load_lasting : build_load, building, &build));
  const pi_result result = keep_log(building->order->log, build);
  if (result != PI_SUCCESS) {
    build_release(build);
    return result;
  }
  *bytes = build->driver.code_size;
  *object = build;
  return PI_SUCCESS;
}

/* Makes a build for the cache. As the context's cache holds it, it must not hold the context. */
static int make_shared(void *data, void **object, size_t *bytes) {
  const int result = make_build(data, object, bytes);
  if (result == PI_SUCCESS)
    build_share(*object);
  return result;
}

static pi_result get_build(building *building, program_build **ret) {
  const pi_program program = building->order->program;
  void *object = NULL;
  size_t bytes;
  const bool has_state = program->code.has_state && !building->order->is_repeated;
  const int result = has_state ? make_build(building, &object, &bytes)
                               : cache_get(&building->order->member->driver.builds, building->key,
                                           make_shared, building, &object);
  if (result == PI_SUCCESS) {
    *ret = object;
    if (!building->is_begun && (*ret)->driver.log)
      build_log_add(building->order->log, (*ret)->driver.log);
  }
  return (pi_result)result;
}

pi_result build_cache_get(const build_order *order, program_build **ret) {
  cache_key_writer writer;
  cache_key key;
  building building = {.order = order, .key = &key};
  pi_result result = make_key(order, &writer, &key);
  if (result == PI_SUCCESS)
    result = get_build(&building, ret);
  cache_key_clear(&writer);
  if (!building.is_begun)
    free(order->values);
  return result;
}
