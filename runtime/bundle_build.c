/* The steps from one state of a bundle to the next: compile, link and build. */
#define _POSIX_C_SOURCE 200809L /* pthread_sigmask */
#include "build_log.h"
#include "bundle_object.h"
#include "driver_error.h"
#include "kernel.h"
#include "opencl_native.h"
#include "program_cache.h"
#include "registry.h"

#include "../plugins/base/os.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Copies the value of a constant between bundles with different layouts. */
static void copy_value(specpi_bundle made, const bundle_constant *to, specpi_bundle from,
                       const bundle_constant *at) {
  memcpy(made->values.bytes + to->place, from->values.bytes + at->place, at->seen.size);
  memcpy(made->values.set + to->first_leaf, from->values.set + at->first_leaf,
         at->leaf_count * sizeof *made->values.set);
}

static void copy_values(specpi_bundle made, specpi_bundle input) {
  const bundle_layout *layout = input->layout;
  if (made->layout == layout) {
    bundle_values_copy(layout, &input->values, &made->values);
    return;
  }
  for (size_t i = 0; i < layout->constant_count; i++) {
    const bundle_constant *from = &layout->constants[i];
    const bundle_constant *to = bundle_layout_look_up(made->layout, from->seen.name);
    if (to)
      copy_value(made, to, input, from);
  }
}

/* Gets the layout of only the bundle's own images: an object has no images that builds include. */
static specpi_result get_own_layout(bundle_layout *layout, bundle_layout **ret) {
  if (layout->needed_count == 0) {
    *ret = bundle_layout_retain(layout);
    return SPECPI_SUCCESS;
  }
  specpi_image *images = calloc(layout->image_count, sizeof(specpi_image));
  if (!images)
    return error_memory();
  for (size_t i = 0; i < layout->image_count; i++)
    images[i] = image_retain(layout->images[i].image);
  const specpi_result result =
      bundle_layout_create(layout->device, images, layout->image_count, 0, NULL, ret);
  if (result == SPECPI_SUCCESS)
    free(images);
  else
    registry_list_free(images, layout->image_count);
  return result;
}

/* Makes a bundle in another state with the input's present values. */
static specpi_result create_after(specpi_bundle input, specpi_bundle_state state,
                                  specpi_bundle *ret) {
  bundle_layout *layout = input->layout;
  if (state == SPECPI_BUNDLE_OBJECT)
    ERROR_TRY(get_own_layout(layout, &layout));
  specpi_bundle made;
  const specpi_result result = bundle_create(layout, state, &made);
  if (state == SPECPI_BUNDLE_OBJECT)
    bundle_layout_release(layout);
  ERROR_TRY(result);
  pthread_mutex_lock(&input->lock);
  copy_values(made, input);
  pthread_mutex_unlock(&input->lock);
  *ret = made;
  return SPECPI_SUCCESS;
}

/* Compiles one image of an object bundle. */
static specpi_result compile_image(specpi_bundle bundle, size_t image, const char *options) {
  const bundle_layout *layout = bundle->layout;
  program_source source = {
      .device = layout->device, .image = layout->images[image].image, .options = options};
  ERROR_TRY(bundle_values_of_image(layout, &bundle->values, NULL, image, 0, NULL, &source.values));
  const specpi_result result = program_compile(&source, &bundle->programs[image]);
  program_source_clear(&source);
  return result;
}

/* Makes the program of an image with the bundle's own values. */
static specpi_result make_program(specpi_bundle bundle, size_t image, const char *options) {
  if (bundle->state == SPECPI_BUNDLE_OBJECT)
    return compile_image(bundle, image, options);
  program_source source;
  ERROR_TRY(
      bundle_source_of(bundle->layout, &bundle->values, NULL, image, options, 0, NULL, &source));
  const specpi_result result = source.image->content == IMAGE_BUILT_IN
                                   ? program_build(&source, &bundle->programs[image])
                                   : program_cache_get(&source, &bundle->programs[image]);
  program_source_clear(&source);
  return result;
}

/* ---- Kernels ---- */

/*
 * Threads that create kernels of a bundle, so that the plugin builds several at once and keeps
 * them. The caller creates all kernels itself, and reports the errors.
 */
enum { HELPERS_MAX = 7 };
typedef struct kernel_helpers {
  specpi_bundle bundle;
  atomic_size_t next; /* index of the next kernel to create */
  pthread_t threads[HELPERS_MAX];
  size_t count;
} kernel_helpers;

static void *create_some(void *data) {
  kernel_helpers *helpers = data;
  const bundle_layout *layout = helpers->bundle->layout;
  const pi_function_table *pi = specpiDeviceGetFunctions(layout->device);
  for (;;) {
    const size_t index = atomic_fetch_add_explicit(&helpers->next, 1, memory_order_relaxed);
    bundle_kernel source;
    pi_kernel handle;
    if (index >= layout->kernel_count ||
        bundle_get_kernel(helpers->bundle, layout->kernels[index].name, &source) != SPECPI_SUCCESS)
      return NULL;
    if (pi->piKernelCreate(source.program->handle, source.name, &handle) == PI_SUCCESS)
      pi->piKernelRelease(handle);
  }
}

/* Starts a thread for each further kernel and processor. They receive none of the signals. */
static void start_helpers(kernel_helpers *helpers) {
  const size_t processors = os_processors();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  while (helpers->count < HELPERS_MAX && helpers->count + 1 < processors &&
         helpers->count + 1 < helpers->bundle->layout->kernel_count &&
         pthread_create(&helpers->threads[helpers->count], NULL, create_some, helpers) == 0)
    helpers->count++;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void end_helpers(kernel_helpers *helpers) {
  atomic_store_explicit(&helpers->next, SIZE_MAX / 2, memory_order_relaxed);
  for (size_t i = 0; i < helpers->count; i++)
    pthread_join(helpers->threads[i], NULL);
}

static specpi_result create_all(specpi_bundle made) {
  for (size_t i = 0; i < made->layout->kernel_count; i++) {
    bundle_kernel source;
    ERROR_TRY(bundle_get_kernel(made, made->layout->kernels[i].name, &source));
    ERROR_TRY(kernel_build(&source));
  }
  return SPECPI_SUCCESS;
}

/*
 * Builds all kernels now, so that specpiBundleBuild reports all errors. The plugin for CUDA builds
 * a kernel only when it is created, and then keeps it.
 */
static specpi_result build_kernels(specpi_bundle made) {
  ERROR_TRY(bundle_learn_kernels(made));
  if (specpiDeviceGetBackend(made->layout->device) != SPECPI_BACKEND_CUDA)
    return SPECPI_SUCCESS;
  kernel_helpers helpers = {.bundle = made, .next = 1};
  start_helpers(&helpers);
  const specpi_result result = create_all(made);
  end_helpers(&helpers);
  return result;
}

/* ---- From an input ---- */

static specpi_result make_from_input(specpi_bundle input, const char *options,
                                     specpi_bundle_state state, specpi_bundle *ret) {
  specpi_bundle made;
  ERROR_TRY(create_after(input, state, &made));
  for (size_t i = 0; i < input->layout->image_count; i++) {
    const specpi_result result = make_program(made, i, options ? options : "");
    if (result != SPECPI_SUCCESS) {
      specpiBundleRelease(made);
      return result;
    }
  }
  const specpi_result result =
      state == SPECPI_BUNDLE_EXECUTABLE ? build_kernels(made) : SPECPI_SUCCESS;
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    specpiBundleRelease(made);
  return result;
}

specpi_result specpiBundleCopy(specpi_bundle input, specpi_bundle *bundle) {
  ERROR_REQUIRE(input, "input is NULL");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_TRY(bundle_require_state(input, SPECPI_BUNDLE_INPUT, "to be copied"));
  specpi_bundle made;
  ERROR_TRY(create_after(input, SPECPI_BUNDLE_INPUT, &made));
  if (input->imported) {
    const specpi_result result = opencl_native_retain(input->layout->device, input->imported);
    if (result != SPECPI_SUCCESS) {
      specpiBundleRelease(made);
      return result;
    }
    made->imported = input->imported;
  }
  *bundle = made;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleCompile(specpi_bundle input, const char *options, specpi_bundle *object) {
  ERROR_REQUIRE(input, "input is NULL");
  ERROR_REQUIRE(object, "object is NULL");
  ERROR_TRY(bundle_require_state(input, SPECPI_BUNDLE_INPUT, "to be compiled"));
  return make_from_input(input, options, SPECPI_BUNDLE_OBJECT, object);
}

specpi_result specpiBundleBuild(specpi_bundle input, const char *options,
                                specpi_bundle *executable) {
  ERROR_REQUIRE(input, "input is NULL");
  ERROR_REQUIRE(executable, "executable is NULL");
  ERROR_TRY(bundle_require_state(input, SPECPI_BUNDLE_INPUT, "to be built"));
  return make_from_input(input, options, SPECPI_BUNDLE_EXECUTABLE, executable);
}

/* ---- Build logs ---- */

specpi_result specpiBundleGetLog(specpi_bundle bundle, size_t capacity, char *text, size_t *count) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE_LIST(text, capacity, count);
  if (bundle->state == SPECPI_BUNDLE_INPUT)
    ERROR_FAIL(SPECPI_ERROR_INVALID_STATE, "a bundle in state input has no log: nothing was "
                                           "compiled");
  size_t total = 0;
  for (size_t i = 0; i < bundle->layout->image_count; i++) {
    const program *one = bundle->programs[i];
    bool first = true; /* among the images that share this program after a link */
    for (size_t k = 0; k < i; k++)
      first = first && bundle->programs[k]->handle != one->handle;
    char *log = first ? build_log_read(one->device, one->handle) : NULL;
    const size_t size = log ? strlen(log) : 0;
    if (total < capacity && size)
      memcpy(text + total, log, size < capacity - total ? size : capacity - total);
    total += size;
    free(log);
  }
  *count = total;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGetBinary(specpi_bundle bundle, size_t image, size_t capacity,
                                    void *bytes, size_t *size) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE_LIST(bytes, capacity, size);
  ERROR_REQUIRE(image < bundle->layout->image_count, "image is %zu of %zu", image,
                bundle->layout->image_count);
  if (bundle->state == SPECPI_BUNDLE_INPUT)
    ERROR_FAIL(SPECPI_ERROR_INVALID_STATE, "a bundle in state input has no binary: nothing was "
                                           "compiled");
  const program *of = bundle->programs[image];
  const pi_function_table *pi = specpiDeviceGetFunctions(of->device);
  size_t there = 0;
  DRIVER_TRY(
      pi,
      pi->piProgramGetInfo(of->handle, PI_PROGRAM_INFO_BINARY_SIZES, sizeof there, &there, NULL),
      "piProgramGetInfo(BINARY_SIZES)");
  if (there == 0)
    ERROR_FAIL(SPECPI_ERROR_UNSUPPORTED, "%s has no binary of image %zu",
               specpiDeviceGetSelector(of->device), image);
  if (there <= capacity)
    DRIVER_TRY(
        pi, pi->piProgramGetInfo(of->handle, PI_PROGRAM_INFO_BINARIES, sizeof bytes, &bytes, NULL),
        "piProgramGetInfo(BINARIES)");
  *size = there;
  return SPECPI_SUCCESS;
}

/* ---- Linking ---- */

/* The images of all objects in one list. */
typedef struct parts {
  size_t count;
  specpi_image *images; /* with a reference each, until a layout takes them over */
  size_t *object_of;
  program **programs;  /* owned by the objects */
  pi_program *handles; /* handles of programs */
} parts;

static void free_parts(parts *parts, bool images_too) {
  for (size_t i = 0; images_too && parts->images && i < parts->count; i++)
    specpiImageRelease(parts->images[i]);
  free(parts->images);
  free(parts->object_of);
  free(parts->programs);
  free(parts->handles);
}

static specpi_result collect_parts(size_t count, const specpi_bundle *objects, parts *ret) {
  size_t total = 0;
  for (size_t i = 0; i < count; i++)
    total += objects[i]->layout->image_count;
  parts made = {.images = calloc(total, sizeof(specpi_image)),
                .object_of = calloc(total, sizeof(size_t)),
                .programs = calloc(total, sizeof(program *)),
                .handles = calloc(total, sizeof(pi_program))};
  if (!made.images || !made.object_of || !made.programs || !made.handles) {
    free_parts(&made, true);
    return error_memory();
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < objects[i]->layout->image_count; k++, made.count++) {
      made.images[made.count] = image_retain(objects[i]->layout->images[k].image);
      made.object_of[made.count] = i;
      made.programs[made.count] = objects[i]->programs[k];
      made.handles[made.count] = objects[i]->programs[k]->handle;
    }
  *ret = made;
  return SPECPI_SUCCESS;
}

/* Returns whether a constant, in both layouts, has the same value in both bundles. */
static bool same_value(specpi_bundle one, const bundle_constant *a, specpi_bundle other,
                       const bundle_constant *b) {
  size_t leaf = 0;
  for (size_t i = 0; i < a->seen.leaf_count; i++) {
    const specpi_leaf *at = &a->seen.leaves[i];
    if (at->id == PI_SPEC_ID_PADDING)
      continue;
    const bool known = a->seen.default_value && b->seen.default_value;
    if (!known && one->values.set[a->first_leaf + leaf] != other->values.set[b->first_leaf + leaf])
      return false;
    if (memcmp(one->values.bytes + a->place + at->offset,
               other->values.bytes + b->place + at->offset, at->size) != 0)
      return false;
    leaf++;
  }
  return true;
}

/* Copies the values of an object. seen has the constants of earlier objects, whose values stay. */
static void merge_values(specpi_bundle made, specpi_bundle object, bool *seen) {
  const bundle_layout *layout = object->layout;
  for (size_t i = 0; i < layout->constant_count; i++) {
    const bundle_constant *from = &layout->constants[i];
    const bundle_constant *to = bundle_layout_find(made->layout, from->seen.name);
    const size_t number = (size_t)(to - made->layout->constants);
    if (seen[number]) {
      made->differs[number] |= !same_value(made, to, object, from);
      continue;
    }
    seen[number] = true;
    made->differs[number] = object->differs && object->differs[i];
    copy_value(made, to, object, from);
  }
}

static specpi_result merge_all(specpi_bundle made, size_t count, const specpi_bundle *objects) {
  const size_t constants = made->layout->constant_count;
  if (constants == 0)
    return SPECPI_SUCCESS;
  bool *seen = calloc(constants, sizeof *seen);
  made->differs = calloc(constants, sizeof *made->differs);
  if (!seen || !made->differs) {
    free(seen);
    return error_memory();
  }
  for (size_t i = 0; i < count; i++)
    merge_values(made, objects[i], seen);
  free(seen);
  return SPECPI_SUCCESS;
}

/* Gives every image of the new bundle its program. */
static specpi_result share_all(specpi_bundle made, const parts *parts, pi_program linked) {
  for (size_t i = 0; i < parts->count; i++)
    ERROR_TRY(program_share(parts->programs[i], linked, &made->programs[i]));
  return SPECPI_SUCCESS;
}

/* Links the objects, and fills in an executable bundle that has no programs yet. */
static specpi_result complete_bundle(specpi_bundle made, size_t count, const specpi_bundle *objects,
                                     const parts *parts, const char *options) {
  const specpi_device device = made->layout->device;
  for (size_t i = 0; i < parts->count; i++)
    ERROR_TRY(bundle_needed_check(made->layout, parts->object_of, i,
                                  "none of the images that are linked"));
  ERROR_TRY(merge_all(made, count, objects));
  pi_program linked = NULL;
  ERROR_TRY(program_link(device, parts->count, parts->images, parts->handles, options, &linked));
  const specpi_result result = share_all(made, parts, linked);
  specpiDeviceGetFunctions(device)->piProgramRelease(linked);
  return result;
}

static specpi_result complete_and_learn(specpi_bundle made, size_t count,
                                        const specpi_bundle *objects, const parts *parts,
                                        const char *options) {
  ERROR_TRY(complete_bundle(made, count, objects, parts, options));
  return bundle_learn_kernels(made);
}

static specpi_result link_bundles(size_t count, const specpi_bundle *objects, const char *options,
                                  specpi_bundle *ret) {
  parts parts;
  ERROR_TRY(collect_parts(count, objects, &parts));
  bundle_layout *layout;
  specpi_result result = bundle_layout_create(objects[0]->layout->device, parts.images, parts.count,
                                              0, parts.object_of, &layout);
  if (result != SPECPI_SUCCESS) {
    free_parts(&parts, true);
    return result;
  }
  specpi_bundle made = NULL;
  result = bundle_create(layout, SPECPI_BUNDLE_EXECUTABLE, &made);
  if (result == SPECPI_SUCCESS)
    result = complete_and_learn(made, count, objects, &parts, options);
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    specpiBundleRelease(made);
  bundle_layout_release(layout);
  free_parts(&parts, false);
  return result;
}

specpi_result specpiBundleLink(size_t count, const specpi_bundle *objects, const char *options,
                               specpi_bundle *executable) {
  ERROR_REQUIRE(objects, "objects is NULL");
  ERROR_REQUIRE(count >= 1 && count <= UINT32_MAX, "count is %zu, not 1 to %u", count, UINT32_MAX);
  ERROR_REQUIRE(executable, "executable is NULL");
  for (size_t i = 0; i < count; i++) {
    ERROR_REQUIRE(objects[i], "objects[%zu] is NULL", i);
    ERROR_TRY(bundle_require_state(objects[i], SPECPI_BUNDLE_OBJECT, "to be linked"));
    ERROR_REQUIRE(objects[i]->layout->device == objects[0]->layout->device,
                  "objects[%zu] is for %s, and objects[0] for %s", i,
                  specpiDeviceGetSelector(objects[i]->layout->device),
                  specpiDeviceGetSelector(objects[0]->layout->device));
  }
  return link_bundles(count, objects, options, executable);
}
