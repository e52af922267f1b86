#define _POSIX_C_SOURCE 200809L /* strdup */
#include "program_cache.h"

#include "../plugins/base/cache.h"
#include "../plugins/base/cancellation.h"
#include "build_log.h"
#include "driver_error.h"
#include "kernel.h"
#include "program_directory.h"
#include "references.h"
#include "surroundings.h"
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cached objects ---- */

typedef struct kept_kernel {
  struct kept_kernel *next;
  specpi_kernel kernel;
} kept_kernel;

/* A program, with those of its kernels that were requested. */
typedef struct kept {
  references references;
  program *program;
  pthread_mutex_t lock; /* protects kernels */
  kept_kernel *kernels;
} kept;

static void kept_retain(void *object) {
  references_add(&((kept *)object)->references);
}

static void kept_release(void *object) {
  kept *one = object;
  if (!references_drop(&one->references))
    return;
  for (kept_kernel *kernel = one->kernels, *next; kernel; kernel = next) {
    next = kernel->next;
    specpiKernelRelease(kernel->kernel);
    free(kernel);
  }
  pthread_mutex_destroy(&one->lock);
  program_release(one->program);
  free(one);
}

/* Takes over the program, also on failure. */
static specpi_result kept_create(program *program, void **ret) {
  kept *made = calloc(1, sizeof *made);
  if (!made || pthread_mutex_init(&made->lock, NULL) != 0) {
    free(made);
    program_release(program);
    return error_memory();
  }
  references_init(&made->references);
  made->program = program;
  *ret = made;
  return SPECPI_SUCCESS;
}

/* A failed build's message and log. */
typedef struct failure {
  char sentence[1024];
  bool has_log;
  char log[];
} failure;

static void *keep_failure(void *data, int result) {
  (void)data;
  const char *log = result == SPECPI_ERROR_BUILD_FAILED ? specpiGetBuildLog() : NULL;
  const size_t size = log ? strlen(log) + 1 : 0;
  failure *made = malloc(sizeof *made + size);
  if (!made)
    return NULL;
  snprintf(made->sentence, sizeof made->sentence, "%s", specpiGetLastError());
  made->has_log = log != NULL;
  if (log)
    memcpy(made->log, log, size);
  return made;
}

static int tell_failure(void *data, int result, const void *kept) {
  const failure *failure = kept;
  (void)data;
  if (result == SPECPI_ERROR_BUILD_FAILED)
    build_log_keep(failure && failure->has_log ? strdup(failure->log) : NULL);
  return error_set((specpi_result)result, "%s", failure ? failure->sentence : "");
}

static int lack_memory(void) {
  return error_memory();
}

static const cache_class kept_class = {kept_retain, kept_release, keep_failure, tell_failure,
                                       lack_memory};

static cache programs = CACHE_INITIALIZER(&kept_class, SPECPI_CACHE_PROGRAMS, SPECPI_CACHE_BYTES);

static atomic_ullong builds;

/* ---- Keys ---- */

/*
 * The kind of an entry. CODE: a program; the key has the values in its code, or none if the image
 * reads constants from a buffer. BUFFER: a program of such an image, with the buffer of some
 * values.
 */
typedef enum kind { CODE, BUFFER } kind;

/* Increased when the parts of a key or their meaning change. */
enum { KEY_VERSION = 4 };

static void add_device(cache_key_writer *writer, specpi_device device) {
  const specpi_platform platform = specpiDeviceGetPlatform(device);
  cache_key_add_text(writer, specpiBackendGetName(specpiDeviceGetBackend(device)));
  cache_key_add_text(writer, specpiPluginGetVersion(specpiPlatformGetPlugin(platform)));
  cache_key_add_text(writer, specpiPlatformGetName(platform));
  cache_key_add_text(writer, specpiPlatformGetVersion(platform));
  cache_key_add_text(writer, specpiDeviceGetName(device));
  cache_key_add_text(writer, specpiDeviceGetVersion(device));
  cache_key_add_text(writer, specpiDeviceGetDriverVersion(device));
}

static void add_image(cache_key_writer *writer, specpi_image image) {
  cache_key_add_parts(writer, &image->digest, sizeof image->digest);
}

static void add_values(cache_key_writer *writer, const program_values *values) {
  cache_key_add_number(writer, values->count);
  for (size_t i = 0; i < values->count; i++)
    cache_key_add_value(writer, values->list[i].id, values->list[i].bytes, values->list[i].size);
}

/* Makes the key of an entry. The caller clears the writer. */
static specpi_result make_key(cache_key_writer *writer, const program_source *source, kind kind,
                              cache_key *ret) {
  cache_key_begin(writer);
  cache_key_add_number(writer, KEY_VERSION);
  cache_key_add_number(writer, kind);
  const cache_hash surroundings = surroundings_hash();
  cache_key_add_number(writer, surroundings.high);
  cache_key_add_number(writer, surroundings.low);
  add_device(writer, source->device);
  add_image(writer, source->image);
  cache_key_add_text(writer, source->options);
  const bool in_code = kind == BUFFER || source->image->values != IMAGE_VALUES_IN_BUFFER;
  add_values(writer, in_code ? &source->values : &(program_values){0});
  for (size_t i = 0; i < source->needed_count; i++) {
    add_image(writer, source->needed[i].image);
    add_values(writer, &source->needed[i].values);
  }
  /* In memory each device has its own programs, because it has its own context. On disk devices of
   * the same name share them. */
  return cache_key_end(writer, source->device, ret) ? SPECPI_SUCCESS : error_memory();
}

/* ---- Building ---- */

typedef struct order {
  const program_source *source;
  const cache_key *key;
  bool built;      /* this thread built the program, or loaded it */
  program *loaded; /* the program, if it came from the directory */
} order;

/*
 * Returns whether programs of a source are kept in the directory. The plugin for CUDA itself keeps
 * the kernels of programs of one image, unless the application set a directory for programs.
 */
static bool is_kept(const program_source *source) {
  if (source->needed_count == 0 && specpiDeviceGetBackend(source->device) == SPECPI_BACKEND_CUDA)
    return cache_directory_is_given(&program_directory);
  return cache_directory_is_named(&program_directory);
}

/* The size of a program's binary, for the directory; 0 without a directory, or if the driver does
 * not report the size. */
static size_t binary_size(const program_source *source, const program *of) {
  size_t size = 0;
  if (!is_kept(source))
    return 0;
  const pi_result result =
      specpiDeviceGetFunctions(of->device)
          ->piProgramGetInfo(of->handle, PI_PROGRAM_INFO_BINARY_SIZES, sizeof size, &size, NULL);
  return result == PI_SUCCESS ? size : 0;
}

/* Loads a program from a file's payload. Returns NULL, or the reason why the driver refuses it. */
static const char *load_program(void *data, const void *payload, size_t size) {
  order *order = data;
  return program_load(order->source, payload, size, &order->loaded) == SPECPI_SUCCESS
             ? NULL
             : specpiGetLastError();
}

/* Writes the program's binary, which is the specialised code, into the directory. A failure is no
 * error of the build. */
static void store_program(const order *order, const program *built, size_t size) {
  unsigned char *bytes = size > 0 ? malloc(size) : NULL;
  if (!bytes)
    return;
  if (specpiDeviceGetFunctions(built->device)
          ->piProgramGetInfo(built->handle, PI_PROGRAM_INFO_BINARIES, sizeof bytes, &bytes, NULL) ==
      PI_SUCCESS)
    cache_directory_write(&program_directory, order->key, bytes, size);
  free(bytes);
}

/* Builds the program, and keeps it in the directory. */
static specpi_result build_and_store(const order *order, program **ret) {
  atomic_fetch_add(&builds, 1);
  ERROR_TRY(program_build(order->source, ret));
  store_program(order, *ret, binary_size(order->source, *ret));
  return SPECPI_SUCCESS;
}

static int build_code(void *data, void **object, size_t *bytes) {
  order *order = data;
  cache_lock lock = CACHE_LOCK_INITIALIZER;
  order->built = true;
  const bool loaded = is_kept(order->source) && cache_directory_find(&program_directory, order->key,
                                                                     load_program, order, &lock);
  program *made = order->loaded;
  const specpi_result result = loaded ? SPECPI_SUCCESS : build_and_store(order, &made);
  cache_lock_release(&lock);
  ERROR_TRY(result);
  *bytes = binary_size(order->source, made);
  if (*bytes == 0)
    specpiImageGetBytes(order->source->image, bytes);
  if (trace_enabled(TRACE_CACHE))
    trace_line("cache: a program of %zu bytes was %s", *bytes,
               loaded ? "read from the directory" : "built");
  return kept_create(made, object);
}

/* Gets the program that is shared by all sets of values, if the image reads them from a buffer. */
static specpi_result get_code(const program_source *source, kept **ret, bool *built) {
  cache_key_writer writer;
  cache_key key;
  order order = {.source = source, .key = &key};
  void *object = NULL;
  specpi_result result = make_key(&writer, source, CODE, &key);
  if (result == SPECPI_SUCCESS)
    result = (specpi_result)cache_get(&programs, &key, build_code, &order, &object);
  cache_key_clear(&writer);
  if (result != SPECPI_SUCCESS)
    return result;
  *ret = object;
  *built = order.built;
  return SPECPI_SUCCESS;
}

/* Makes another program from the same code, with a buffer for these values. */
static specpi_result share_code(const program_source *source, const program *code, program **ret) {
  const pi_function_table *pi = specpiDeviceGetFunctions(source->device);
  DRIVER_TRY(pi, pi->piProgramRetain(code->handle), "piProgramRetain");
  const specpi_result result = program_adopt(source, code->handle, ret);
  if (result != SPECPI_SUCCESS)
    pi->piProgramRelease(code->handle);
  return result;
}

static int build_buffer(void *data, void **object, size_t *bytes) {
  const program_source *source = ((const order *)data)->source;
  kept *code;
  bool built;
  ERROR_TRY(get_code(source, &code, &built));
  program *made = NULL;
  specpi_result result = SPECPI_SUCCESS;
  if (built)
    made = program_retain(code->program); /* was just built, with the buffer of these values */
  else
    result = share_code(source, code->program, &made);
  kept_release(code);
  ERROR_TRY(result);
  *bytes = 0;
  for (size_t i = 0; i < source->image->constant_count; i++)
    *bytes += source->image->constants[i].size;
  return kept_create(made, object);
}

static specpi_result get_kept(const program_source *source, kept **ret) {
  /* Check before the build, so that a missing value is no error of threads that wait for it. */
  ERROR_TRY(program_check(source));
  const kind kind = source->image->values == IMAGE_VALUES_IN_BUFFER ? BUFFER : CODE;
  cache_key_writer writer;
  cache_key key;
  void *object = NULL;
  specpi_result result = make_key(&writer, source, kind, &key);
  if (result == SPECPI_SUCCESS) {
    order order = {.source = source, .key = &key};
    result = (specpi_result)cache_get(&programs, &key, kind == CODE ? build_code : build_buffer,
                                      &order, &object);
  }
  cache_key_clear(&writer);
  if (result == SPECPI_SUCCESS)
    *ret = object;
  return result;
}

specpi_result program_cache_get(const program_source *source, program **ret) {
  kept *one;
  ERROR_TRY(get_kept(source, &one));
  *ret = program_retain(one->program);
  kept_release(one);
  return SPECPI_SUCCESS;
}

/* ---- Kernels ---- */

static specpi_kernel find_kernel(const kept *one, const char *name) {
  for (const kept_kernel *kernel = one->kernels; kernel; kernel = kernel->next)
    if (strcmp(specpiKernelGetName(kernel->kernel), name) == 0)
      return kernel->kernel;
  return NULL;
}

/* Makes a kernel. The caller holds the lock, so that no other thread makes it, too. */
static specpi_result add_kernel(kept *one, const bundle_kernel *source, specpi_kernel *ret) {
  kept_kernel *made = malloc(sizeof *made);
  if (!made)
    return error_memory();
  const specpi_result result = kernel_create(source, &made->kernel);
  if (result != SPECPI_SUCCESS) {
    free(made);
    return result;
  }
  made->next = one->kernels;
  one->kernels = made;
  *ret = made->kernel;
  return SPECPI_SUCCESS;
}

/* Gets a kernel of a cached program. source describes it, and has no program yet. */
static specpi_result get_kernel(kept *one, bundle_kernel *source, specpi_kernel *ret) {
  source->program = one->program;
  specpi_result result = SPECPI_SUCCESS;
  WITHOUT_CANCELLATION;
  pthread_mutex_lock(&one->lock);
  specpi_kernel kernel = find_kernel(one, source->name);
  if (!kernel)
    result = add_kernel(one, source, &kernel);
  if (result == SPECPI_SUCCESS) {
    specpiKernelRetain(kernel);
    *ret = kernel;
  }
  pthread_mutex_unlock(&one->lock);
  return result;
}

specpi_result specpiBundleGetKernel(specpi_bundle input, const char *name, const char *options,
                                    size_t count, const specpi_value *values,
                                    specpi_kernel *kernel) {
  ERROR_REQUIRE(input, "input is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_REQUIRE(kernel, "kernel is NULL");
  bundle_kernel found;
  size_t image;
  ERROR_TRY(bundle_find_kernel(input, name, &image, &found));
  program_source source;
  ERROR_TRY(bundle_get_source(input, image, options, count, values, &source));
  kept *one;
  specpi_result result = get_kept(&source, &one);
  if (result == SPECPI_SUCCESS) {
    result = get_kernel(one, &found, kernel);
    kept_release(one);
  }
  program_source_clear(&source);
  return result;
}

/* ---- Public functions ---- */

specpi_result specpiCacheSetLimits(const specpi_cache_limits *limits) {
  static const specpi_cache_limits first = {SPECPI_CACHE_PROGRAMS, SPECPI_CACHE_BYTES,
                                            SPECPI_CACHE_DIRECTORY_BYTES, SPECPI_CACHE_FILE_BYTES};
  const specpi_cache_limits *set = limits ? limits : &first;
  cache_set_limits(&programs, (cache_limits){set->programs, set->bytes});
  cache_directory_set_limits(&program_directory,
                             &(cache_disk_limits){set->directory_bytes, set->file_bytes});
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheGetLimits(specpi_cache_limits *limits) {
  ERROR_REQUIRE(limits, "limits is NULL");
  const cache_limits memory = cache_get_limits(&programs);
  const cache_disk_limits directory = cache_directory_get_limits(&program_directory);
  *limits = (specpi_cache_limits){memory.objects, memory.bytes, directory.total, directory.file};
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheGetStatistics(specpi_cache_statistics *statistics) {
  ERROR_REQUIRE(statistics, "statistics is NULL");
  const cache_counts counts = cache_get_counts(&programs);
  specpi_cache_statistics result = {.hits = counts.hits,
                                    .shared = counts.shared,
                                    .misses = counts.misses,
                                    .builds = atomic_load(&builds),
                                    .failures = counts.failures,
                                    .evictions = counts.evictions,
                                    .programs = counts.objects,
                                    .bytes = counts.bytes};
  const cache_directory_counts directory = cache_directory_get_counts(&program_directory);
#define DIRECTORY_COUNT(name) result.name = directory.name;
  CACHE_DIRECTORY_COUNTS(DIRECTORY_COUNT)
#undef DIRECTORY_COUNT
  *statistics = result;
  return SPECPI_SUCCESS;
}

specpi_result specpiCacheClear(void) {
  cache_clear(&programs);
  return SPECPI_SUCCESS;
}
