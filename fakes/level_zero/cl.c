#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "cl.h"

#include "fake.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

fake_cl_runtime fake_cl;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool tried, found;
static bool ending;        /* the process ends, so nothing new may start */
static unsigned long uses; /* how often the runtime was used */
static char reason[256];

/* An object to release later. The list is guarded by the driver's lock. */
typedef struct dropped {
  struct dropped *next;
  cl_program program;
  cl_kernel kernel;
  cl_mem memory;
  cl_sampler sampler;
} dropped;
static dropped *all_dropped;

static const struct {
  const char *symbol;
  size_t offset;
} functions[] = {
#define FAKE_CL_SYMBOL(name) {"cl" #name, offsetof(fake_cl_runtime, name)},
    FAKE_CL_FUNCTIONS(FAKE_CL_SYMBOL)
#undef FAKE_CL_SYMBOL
};

static const struct {
  const char *symbol;
  size_t offset;
} extensions[] = {
#define FAKE_CL_SYMBOL(name, symbol, parameters) {symbol, offsetof(fake_cl_runtime, name)},
    FAKE_CL_EXTENSIONS(FAKE_CL_SYMBOL)
#undef FAKE_CL_SYMBOL
};

/* Copies bytes, because C cannot convert an object pointer to a function pointer. */
static void store_function(size_t offset, void *address) {
  memcpy((char *)&fake_cl + offset, &address, sizeof address);
}

static bool load_functions(void) {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, sizeof reason, "no OpenCL runtime: %s", dlerror());
    return false;
  }
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
    void *address = dlsym(library, functions[i].symbol);
    if (!address) {
      snprintf(reason, sizeof reason, "libOpenCL.so.1 has no %s", functions[i].symbol);
      return false;
    }
    store_function(functions[i].offset, address);
  }
  return true;
}

/* Finds the first CPU device on a platform with all the extensions. */
static bool find_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  if (fake_cl.GetPlatformIDs(16, platforms, &count) != CL_SUCCESS)
    count = 0;
  for (cl_uint i = 0; i < count && i < 16; i++) {
    if (fake_cl.GetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &fake_cl.device, NULL) !=
        CL_SUCCESS)
      continue;
    size_t missing = 0;
    for (size_t k = 0; k < sizeof extensions / sizeof extensions[0]; k++) {
      void *address =
          fake_cl.GetExtensionFunctionAddressForPlatform(platforms[i], extensions[k].symbol);
      missing += !address;
      store_function(extensions[k].offset, address);
    }
    fake_cl.platform = platforms[i];
    if (missing == 0)
      return true;
  }
  snprintf(reason, sizeof reason,
           "none of %u OpenCL platforms is Intel's runtime for CPUs (OCL_ICD_FILENAMES names it)",
           count);
  return false;
}

static bool start_driver(void) {
  if (!load_functions() || !find_device())
    return false;
  cl_int code = CL_SUCCESS;
  fake_cl.context = fake_cl.CreateContext(NULL, 1, &fake_cl.device, NULL, NULL, &code);
  if (code == CL_SUCCESS)
    code = fake_cl.GetDeviceInfo(fake_cl.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof fake_cl.units,
                                 &fake_cl.units, NULL);
  if (code == CL_SUCCESS)
    fake_cl.queue =
        fake_cl.CreateCommandQueueWithProperties(fake_cl.context, fake_cl.device, NULL, &code);
  if (code != CL_SUCCESS)
    snprintf(reason, sizeof reason, "OpenCL gave no context or queue: %s", fake_cl_code(code));
  return code == CL_SUCCESS;
}

ze_result_t fake_cl_open(void) {
  pthread_mutex_lock(&lock);
  if (!tried) {
    found = start_driver();
    tried = true;
  }
  if (found && !ending)
    return ZE_RESULT_SUCCESS;
  pthread_mutex_unlock(&lock);
  return found ? ZE_RESULT_ERROR_UNINITIALIZED : ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
}

/*
 * Called at exit: waits for running work and stops new work, because the runtime is about to
 * destroy itself while threads of queues may still use it.
 */
static void end_driver(void) {
  enum { PATIENCE = 10 };
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += PATIENCE;
  if (pthread_mutex_timedlock(&lock, &until) != 0)
    return;
  ending = true;
  pthread_mutex_unlock(&lock);
}

void fake_cl_close(void) {
  /*
   * end_driver has to run before the runtime's exit handlers. Handlers run in reverse order, and
   * the runtime registers more when its parts are first used. So this registers end_driver again
   * at the 1st, 2nd, 4th, 8th, ... use.
   */
  uses++;
  if ((uses & (uses - 1)) == 0)
    atexit(end_driver);
  pthread_mutex_unlock(&lock);
}

static void release_entry(dropped *entry) {
  while (entry) {
    dropped *next = entry->next;
    if (entry->kernel)
      fake_cl.ReleaseKernel(entry->kernel);
    if (entry->program)
      fake_cl.ReleaseProgram(entry->program);
    if (entry->memory)
      fake_cl.ReleaseMemObject(entry->memory);
    if (entry->sampler)
      fake_cl.ReleaseSampler(entry->sampler);
    free(entry);
    entry = next;
  }
}

ze_result_t fake_cl_enter(void) {
  dropped *entry = all_dropped;
  all_dropped = NULL;
  fake_unlock();
  const ze_result_t result = fake_cl_open();
  if (result == ZE_RESULT_SUCCESS)
    release_entry(entry);
  else
    fake_lock();
  return result == ZE_RESULT_SUCCESS ? result : fake_deny(result, "%s", fake_cl_reason());
}

void fake_cl_leave(void) {
  fake_cl_close();
  fake_lock();
}

static void drop(dropped entry) {
  dropped *kept = fake_copy(&entry, sizeof entry);
  kept->next = all_dropped;
  all_dropped = kept;
}

void fake_cl_drop_program(cl_program program) {
  if (program)
    drop((dropped){.program = program});
}

void fake_cl_drop_kernel(cl_kernel kernel) {
  if (kernel)
    drop((dropped){.kernel = kernel});
}

void fake_cl_drop_memory(cl_mem memory) {
  if (memory)
    drop((dropped){.memory = memory});
}

void fake_cl_drop_sampler(cl_sampler sampler) {
  if (sampler)
    drop((dropped){.sampler = sampler});
}

const char *fake_cl_reason(void) {
  pthread_mutex_lock(&lock);
  const char *text = ending ? "the process is ending" : reason;
  pthread_mutex_unlock(&lock);
  return text;
}

/* X(code): the codes with which the driver's OpenCL calls can fail. */
#define CODES(X)                                                                                   \
  X(CL_DEVICE_NOT_AVAILABLE)                                                                       \
  X(CL_COMPILER_NOT_AVAILABLE)                                                                     \
  X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                              \
  X(CL_OUT_OF_RESOURCES)                                                                           \
  X(CL_OUT_OF_HOST_MEMORY)                                                                         \
  X(CL_IMAGE_FORMAT_NOT_SUPPORTED)                                                                 \
  X(CL_BUILD_PROGRAM_FAILURE)                                                                      \
  X(CL_COMPILE_PROGRAM_FAILURE)                                                                    \
  X(CL_LINK_PROGRAM_FAILURE)                                                                       \
  X(CL_LINKER_NOT_AVAILABLE)                                                                       \
  X(CL_INVALID_VALUE)                                                                              \
  X(CL_INVALID_DEVICE)                                                                             \
  X(CL_INVALID_CONTEXT)                                                                            \
  X(CL_INVALID_QUEUE_PROPERTIES)                                                                   \
  X(CL_INVALID_COMMAND_QUEUE)                                                                      \
  X(CL_INVALID_HOST_PTR)                                                                           \
  X(CL_INVALID_MEM_OBJECT)                                                                         \
  X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR)                                                            \
  X(CL_INVALID_IMAGE_SIZE)                                                                         \
  X(CL_INVALID_IMAGE_DESCRIPTOR)                                                                   \
  X(CL_INVALID_SAMPLER)                                                                            \
  X(CL_INVALID_BINARY)                                                                             \
  X(CL_INVALID_BUILD_OPTIONS)                                                                      \
  X(CL_INVALID_COMPILER_OPTIONS)                                                                   \
  X(CL_INVALID_LINKER_OPTIONS)                                                                     \
  X(CL_INVALID_PROGRAM)                                                                            \
  X(CL_INVALID_PROGRAM_EXECUTABLE)                                                                 \
  X(CL_INVALID_KERNEL_NAME)                                                                        \
  X(CL_INVALID_KERNEL)                                                                             \
  X(CL_INVALID_ARG_INDEX)                                                                          \
  X(CL_INVALID_ARG_VALUE)                                                                          \
  X(CL_INVALID_ARG_SIZE)                                                                           \
  X(CL_INVALID_KERNEL_ARGS)                                                                        \
  X(CL_INVALID_WORK_DIMENSION)                                                                     \
  X(CL_INVALID_WORK_GROUP_SIZE)                                                                    \
  X(CL_INVALID_WORK_ITEM_SIZE)                                                                     \
  X(CL_INVALID_GLOBAL_OFFSET)                                                                      \
  X(CL_INVALID_GLOBAL_WORK_SIZE)                                                                   \
  X(CL_INVALID_OPERATION)                                                                          \
  X(CL_INVALID_PROPERTY)                                                                           \
  X(CL_INVALID_SPEC_ID)

const char *fake_cl_code(cl_int code) {
  switch (code) {
#define CASE(name)                                                                                 \
  case name:                                                                                       \
    return #name;
    CODES(CASE)
#undef CASE
  default:
    return "an unknown code";
  }
}

ze_result_t fake_cl_result(cl_int code) {
  switch (code) {
  case CL_SUCCESS:
    return ZE_RESULT_SUCCESS;
  case CL_OUT_OF_HOST_MEMORY:
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  case CL_OUT_OF_RESOURCES:
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  case CL_IMAGE_FORMAT_NOT_SUPPORTED:
  case CL_INVALID_IMAGE_FORMAT_DESCRIPTOR:
    return ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT;
  case CL_INVALID_IMAGE_SIZE:
  case CL_INVALID_IMAGE_DESCRIPTOR:
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  default:
    return ZE_RESULT_ERROR_UNKNOWN;
  }
}
