#include "bundle_object.h"
#include "opencl_native.h"
#include "registry.h"

#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {
#define SPECPI_BUNDLE_STATE(NAME, name) #name,
    SPECPI_BUNDLE_STATES(SPECPI_BUNDLE_STATE)
#undef SPECPI_BUNDLE_STATE
};

/* ---- Making ---- */

specpi_result bundle_create(bundle_layout *layout, specpi_bundle_state state, specpi_bundle *ret) {
  struct specpi_bundle_object *bundle = calloc(1, sizeof *bundle);
  if (!bundle)
    return error_memory();
  references_init(&bundle->references);
  bundle->state = state;
  pthread_mutex_init(&bundle->lock, NULL);
  bundle->layout = bundle_layout_retain(layout);
  specpi_result result = bundle_values_create(layout, &bundle->values);
  if (result == SPECPI_SUCCESS && state != SPECPI_BUNDLE_INPUT) {
    bundle->programs = calloc(layout->image_count, sizeof(program *));
    result = bundle->programs ? SPECPI_SUCCESS : error_memory();
  }
  if (result != SPECPI_SUCCESS) {
    specpiBundleRelease(bundle);
    return result;
  }
  *ret = bundle;
  return SPECPI_SUCCESS;
}

/*
 * Makes the bundle of a list of images. Takes over the list, which comes from malloc, and a
 * reference to each image, also on failure.
 */
static specpi_result create_from(specpi_device device, specpi_image *images, size_t count,
                                 specpi_bundle *ret) {
  size_t total = count;
  bundle_layout *layout = NULL;
  specpi_result result = bundle_needed_add(device, &images, &total);
  if (result == SPECPI_SUCCESS)
    result = bundle_layout_create(device, images, count, total - count, NULL, &layout);
  if (result != SPECPI_SUCCESS) {
    registry_list_free(images, total);
    return result;
  }
  free(images);
  result = bundle_create(layout, SPECPI_BUNDLE_INPUT, ret);
  bundle_layout_release(layout);
  return result;
}

/* Checks that an image is for the device, and returns it in a form that the bundle can keep. */
static specpi_result check_image(specpi_device device, specpi_image image, size_t number,
                                 specpi_image *ret) {
  size_t index;
  const specpi_result result = specpiImageSelect(device, 1, &image, &index);
  if (result == SPECPI_ERROR_NO_IMAGE)
    ERROR_FAIL(SPECPI_ERROR_NO_IMAGE, "image %zu, with the target \"%s\", is not for %s (%s): %s",
               number, specpiImageGetTarget(image), specpiDeviceGetSelector(device),
               specpiDeviceGetName(device), image_refusal(device));
  ERROR_TRY(result);
  return image_own(image, ret);
}

specpi_result specpiBundleCreate(specpi_device device, size_t count, const specpi_image *images,
                                 specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(images, "images is NULL");
  ERROR_REQUIRE(count, "count is 0");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  for (size_t i = 0; i < count; i++)
    ERROR_REQUIRE(images[i], "images[%zu] is NULL", i);
  specpi_image *owned = calloc(count, sizeof(specpi_image));
  if (!owned)
    return error_memory();
  specpi_result result = SPECPI_SUCCESS;
  for (size_t i = 0; i < count && result == SPECPI_SUCCESS; i++)
    result = check_image(device, images[i], i, &owned[i]);
  if (result == SPECPI_SUCCESS)
    return create_from(device, owned, count, bundle);
  registry_list_free(owned, count);
  return result;
}

/* Makes a bundle of the best image for the device. The caller keeps the references in the list. */
static specpi_result create_from_best(specpi_device device, const specpi_image *list, size_t count,
                                      specpi_bundle *ret) {
  size_t best;
  ERROR_TRY(specpiImageSelect(device, count, list, &best));
  specpi_image *one = malloc(sizeof(specpi_image));
  if (!one)
    return error_memory();
  *one = image_retain(list[best]);
  return create_from(device, one, 1, ret);
}

specpi_result specpiBundleCreateForKernel(specpi_device device, const char *kernel,
                                          specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(kernel, "kernel is NULL");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  specpi_image *list;
  size_t count;
  ERROR_TRY(registry_find_kernel(kernel, &list, &count));
  const specpi_result result = create_from_best(device, list, count, bundle);
  registry_list_free(list, count);
  return result;
}

void specpiBundleRetain(specpi_bundle bundle) {
  if (bundle)
    references_add(&bundle->references);
}

void specpiBundleRelease(specpi_bundle bundle) {
  if (!bundle || !references_drop(&bundle->references))
    return;
  for (size_t i = 0; bundle->programs && i < bundle->layout->image_count; i++)
    program_release(bundle->programs[i]);
  free(bundle->programs);
  if (bundle->imported)
    opencl_native_release(bundle->layout->device, bundle->imported);
  free(bundle->differs);
  bundle_values_free(&bundle->values);
  bundle_layout_release(bundle->layout);
  pthread_mutex_destroy(&bundle->lock);
  free(bundle);
}

/* ---- Queries ---- */

specpi_bundle_state specpiBundleGetState(specpi_bundle bundle) {
  return bundle ? bundle->state : SPECPI_BUNDLE_STATE_COUNT;
}

const char *specpiBundleGetStateName(specpi_bundle bundle) {
  return bundle ? state_names[bundle->state] : NULL;
}

specpi_device specpiBundleGetDevice(specpi_bundle bundle) {
  return bundle ? bundle->layout->device : NULL;
}

specpi_result specpiBundleGetImages(specpi_bundle bundle, size_t capacity, specpi_image *images,
                                    size_t *count) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE_LIST(images, capacity, count);
  for (size_t i = 0; i < bundle->layout->image_count && i < capacity; i++)
    images[i] = bundle->layout->images[i].image;
  *count = bundle->layout->image_count;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGetKernels(specpi_bundle bundle, size_t capacity, const char **kernels,
                                     size_t *count) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE_LIST(kernels, capacity, count);
  for (size_t i = 0; i < bundle->layout->kernel_count && i < capacity; i++)
    kernels[i] = bundle->layout->kernels[i].name;
  *count = bundle->layout->kernel_count;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGetConstants(specpi_bundle bundle, size_t capacity,
                                       specpi_constant *constants, size_t *count) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE_LIST(constants, capacity, count);
  for (size_t i = 0; i < bundle->layout->constant_count && i < capacity; i++)
    constants[i] = bundle->layout->constants[i].seen;
  *count = bundle->layout->constant_count;
  return SPECPI_SUCCESS;
}

specpi_result bundle_require_state(specpi_bundle bundle, specpi_bundle_state state,
                                   const char *what) {
  if (bundle->state == state)
    return SPECPI_SUCCESS;
  ERROR_FAIL(SPECPI_ERROR_INVALID_STATE, "%s, a bundle has to be in state %s, not %s", what,
             state_names[state], state_names[bundle->state]);
}

/* ---- Kernels ---- */

static int compare_names(const void *name, const void *entry) {
  return strcmp(name, ((const bundle_entry *)entry)->name);
}

static void refuse_kernel(const bundle_layout *layout, const char *name) {
  error_names names = {.given = name};
  for (size_t i = 0; i < layout->kernel_count; i++)
    error_names_offer(&names, layout->kernels[i].name);
  error_set_unknown(SPECPI_ERROR_UNKNOWN_KERNEL, "no kernel is called", &names);
}

static specpi_result find_kernel(specpi_bundle bundle, const char *name, specpi_bundle_state state,
                                 const bundle_entry **ret) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(name, "name is NULL");
  ERROR_TRY(bundle_require_state(bundle, state, "to get a kernel"));
  const bundle_layout *layout = bundle->layout;
  const bundle_entry *found = layout->kernel_count
                                  ? bsearch(name, layout->kernels, layout->kernel_count,
                                            sizeof *layout->kernels, compare_names)
                                  : NULL;
  if (!found) {
    refuse_kernel(layout, name);
    return SPECPI_ERROR_UNKNOWN_KERNEL;
  }
  *ret = found;
  return SPECPI_SUCCESS;
}

static bundle_kernel describe_kernel(specpi_bundle bundle, const bundle_entry *entry,
                                     program *program) {
  const specpi_image image = bundle->layout->images[entry->image].image;
  return (bundle_kernel){program, image, entry->name, image_buffer_argument(image, entry->name)};
}

specpi_result bundle_get_kernel(specpi_bundle bundle, const char *name, bundle_kernel *ret) {
  const bundle_entry *entry;
  ERROR_TRY(find_kernel(bundle, name, SPECPI_BUNDLE_EXECUTABLE, &entry));
  *ret = describe_kernel(bundle, entry, bundle->programs[entry->image]);
  return SPECPI_SUCCESS;
}

specpi_result bundle_find_kernel(specpi_bundle input, const char *name, size_t *image,
                                 bundle_kernel *ret) {
  const bundle_entry *entry;
  ERROR_TRY(find_kernel(input, name, SPECPI_BUNDLE_INPUT, &entry));
  *image = entry->image;
  *ret = describe_kernel(input, entry, NULL);
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGetConstantsBuffer(specpi_bundle bundle, const char *kernel,
                                             pi_mem *buffer) {
  ERROR_REQUIRE(buffer, "buffer is NULL");
  bundle_kernel found;
  ERROR_TRY(bundle_get_kernel(bundle, kernel, &found));
  *buffer = found.program->constants;
  return SPECPI_SUCCESS;
}
