/*
 * Images register themselves while libraries are loaded, also before main and on several threads,
 * so nothing here is initialised at run time.
 */
#include "registry.h"

#include "../plugins/base/vector.h"
#include "error.h"
#include "os.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A registered table and its valid images. */
typedef struct entry {
  const pi_device_binaries_struct *binaries;
  size_t times; /* number of registrations minus that of unregistrations */
  specpi_image *images;
  size_t count;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries;
static size_t entry_count;

/* With the lock held. */
static entry *find_entry(const pi_device_binaries_struct *binaries) {
  for (size_t i = 0; i < entry_count; i++)
    if (entries[i].binaries == binaries)
      return &entries[i];
  return NULL;
}

/* With the lock held. Reserves space for one more entry. */
static specpi_result reserve_entry(void) {
  static size_t capacity;
  return vector_reserve(&entries, &capacity, entry_count, sizeof *entries) ? SPECPI_SUCCESS
                                                                           : error_memory();
}

void registry_list_free(specpi_image *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    specpiImageRelease(list[i]);
  free(list);
}

/* Decodes the images. Damaged ones are left out, with a message by error_set. */
static specpi_result decode_all(const pi_device_binaries_struct *binaries, entry *ret) {
  const size_t total = binaries->NumDeviceBinaries;
  entry made = {.binaries = binaries, .times = 1};
  made.images = total ? calloc(total, sizeof(specpi_image)) : NULL;
  if (total && !made.images)
    return error_memory();
  for (size_t i = 0; i < total; i++) {
    const specpi_result result =
        specpiImageCreate(&binaries->DeviceBinaries[i], &made.images[made.count]);
    if (result == SPECPI_SUCCESS) {
      made.count++;
    } else if (result == SPECPI_ERROR_OUT_OF_MEMORY) {
      registry_list_free(made.images, made.count);
      return result;
    }
  }
  *ret = made;
  return SPECPI_SUCCESS;
}

/* With the lock held. */
static specpi_result add_entry(const pi_device_binaries_struct *binaries) {
  entry *known = find_entry(binaries);
  if (known) {
    known->times++;
    return SPECPI_SUCCESS;
  }
  ERROR_TRY(reserve_entry());
  entry made;
  ERROR_TRY(decode_all(binaries, &made));
  entries[entry_count++] = made;
  return SPECPI_SUCCESS;
}

specpi_result specpiRegister(const pi_device_binaries_struct *binaries) {
  ERROR_REQUIRE(binaries, "binaries is NULL");
  if (binaries->Version != PI_DEVICE_BINARIES_VERSION)
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "the table of images has version %u, not %u",
               binaries->Version, PI_DEVICE_BINARIES_VERSION);
  if (binaries->NumDeviceBinaries && !binaries->DeviceBinaries)
    ERROR_FAIL(SPECPI_ERROR_INVALID_IMAGE, "the table of images counts %u, and has none",
               binaries->NumDeviceBinaries);
  pthread_mutex_lock(&lock);
  const specpi_result result = add_entry(binaries);
  pthread_mutex_unlock(&lock);
  return result;
}

specpi_result specpiUnregister(const pi_device_binaries_struct *binaries) {
  ERROR_REQUIRE(binaries, "binaries is NULL");
  entry gone = {0};
  pthread_mutex_lock(&lock);
  entry *found = find_entry(binaries);
  const bool known = found;
  if (known && --found->times == 0) {
    gone = *found;
    entry_count--;
    memmove(found, found + 1, (size_t)(entries + entry_count - found) * sizeof *found);
  }
  pthread_mutex_unlock(&lock);
  ERROR_REQUIRE(known, "the table of images at %p is not registered", (const void *)binaries);
  registry_list_free(gone.images, gone.count);
  return SPECPI_SUCCESS;
}

/* Calls the next function of that name in the process: a SYCL runtime's, if there is one. */
static void pass_on(const char *name, pi_device_binaries binaries) {
  void *symbol = os_next_symbol(name);
  if (!symbol)
    return;
  void (*function)(pi_device_binaries);
  memcpy(&function, &symbol, sizeof function);
  function(binaries);
}

/* The names are those that compilers write. */
void __sycl_register_lib(pi_device_binaries binaries) {
  specpiRegister(binaries);
  pass_on("__sycl_register_lib", binaries);
}

void __sycl_unregister_lib(pi_device_binaries binaries) {
  specpiUnregister(binaries);
  pass_on("__sycl_unregister_lib", binaries);
}

specpi_result specpiImagesGet(size_t capacity, specpi_image *images, size_t *count) {
  ERROR_REQUIRE_LIST(images, capacity, count);
  size_t total = 0;
  pthread_mutex_lock(&lock);
  for (size_t e = 0; e < entry_count; e++)
    for (size_t i = 0; i < entries[e].count; i++, total++)
      if (total < capacity)
        images[total] = entries[e].images[i];
  pthread_mutex_unlock(&lock);
  *count = total;
  return SPECPI_SUCCESS;
}

static bool has_kernel(specpi_image image, const char *kernel) {
  const pi_offload_entry_struct *one = image->binary->EntriesBegin;
  for (; one != image->binary->EntriesEnd; one++)
    if (strcmp(one->name, kernel) == 0)
      return true;
  return false;
}

static bool has_function(specpi_image image, const char *function) {
  for (size_t i = image_next_property(image, IMAGE_EXPORTED, 0); i < image->property_count;
       i = image_next_property(image, IMAGE_EXPORTED, i + 1))
    if (strcmp(image->properties[i].name, function) == 0)
      return true;
  return false;
}

/* Returns whether an image has a kernel or function of that name. */
typedef bool (*image_test)(specpi_image image, const char *name);

typedef struct found {
  specpi_image *list;
  size_t count;
  size_t capacity;
} found;

static specpi_result take_image(found *found, specpi_image image) {
  if (!vector_reserve(&found->list, &found->capacity, found->count, sizeof image))
    return error_memory();
  ERROR_TRY(image_own(image, &found->list[found->count]));
  found->count++;
  return SPECPI_SUCCESS;
}

/* The caller holds the lock. After a failure, found has the images found before. */
static specpi_result take_all(found *found, image_test has, const char *name) {
  for (size_t e = 0; e < entry_count; e++)
    for (size_t i = 0; i < entries[e].count; i++)
      if (has(entries[e].images[i], name))
        ERROR_TRY(take_image(found, entries[e].images[i]));
  return SPECPI_SUCCESS;
}

static specpi_result find_images(image_test has, const char *name, specpi_image **list,
                                 size_t *count) {
  found found = {0};
  /* Copies are made under the lock, because later the images may be unregistered. */
  pthread_mutex_lock(&lock);
  const specpi_result result = take_all(&found, has, name);
  pthread_mutex_unlock(&lock);
  if (result != SPECPI_SUCCESS) {
    registry_list_free(found.list, found.count);
    return result;
  }
  *list = found.list;
  *count = found.count;
  return SPECPI_SUCCESS;
}

specpi_result registry_list_kernel(const char *kernel, specpi_image **list, size_t *count) {
  return find_images(has_kernel, kernel, list, count);
}

/* With the lock held. */
static specpi_result refuse_kernel(const char *kernel) {
  if (entry_count == 0)
    ERROR_FAIL(SPECPI_ERROR_UNKNOWN_KERNEL,
               "no registered image has a kernel \"%.300s\": no image is registered at all; link "
               "the object that specpi-cc makes of the kernels to the program, in CMake by "
               "specpi_target_kernels(PROGRAM SOURCES FILE.cl)",
               kernel);
  error_names names = {.given = kernel};
  for (size_t e = 0; e < entry_count; e++)
    for (size_t i = 0; i < entries[e].count; i++) {
      const pi_device_binary_struct *binary = entries[e].images[i]->binary;
      for (pi_offload_entry_struct *one = binary->EntriesBegin; one != binary->EntriesEnd; one++)
        error_names_offer(&names, one->name);
    }
  return error_set_unknown(SPECPI_ERROR_UNKNOWN_KERNEL, "no registered image has a kernel", &names);
}

specpi_result registry_find_kernel(const char *kernel, specpi_image **list, size_t *count) {
  ERROR_TRY(registry_list_kernel(kernel, list, count));
  if (*count > 0)
    return SPECPI_SUCCESS;
  registry_list_free(*list, 0);
  pthread_mutex_lock(&lock);
  const specpi_result result = refuse_kernel(kernel);
  pthread_mutex_unlock(&lock);
  return result;
}

specpi_result registry_find_function(const char *function, specpi_image **list, size_t *count) {
  return find_images(has_function, function, list, count);
}
