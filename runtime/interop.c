#define _GNU_SOURCE /* strtok_r */
/* Conversions between bundles and OpenCL's objects. */
#include "bundle_object.h"
#include "driver_error.h"
#include "foreign_image.h"
#include "kernel.h"
#include "opencl_native.h"

#include <stdlib.h>
#include <string.h>

/* ---- Input bundles ---- */

/* Makes an input bundle of an image, which it takes over. */
static specpi_result create_with(specpi_device device, specpi_image image,
                                 specpi_bundle_state state, specpi_bundle *ret) {
  bundle_layout *layout;
  specpi_result result = bundle_layout_create(device, &image, 1, 0, NULL, &layout);
  if (result != SPECPI_SUCCESS) {
    specpiImageRelease(image);
    return result;
  }
  result = bundle_create(layout, state, ret);
  bundle_layout_release(layout);
  return result;
}

static specpi_result create_foreign(specpi_device device, const foreign_image *from,
                                    specpi_bundle_state state, specpi_bundle *ret) {
  specpi_image image;
  ERROR_TRY(foreign_image_create(from, &image));
  return create_with(device, image, state, ret);
}

specpi_result specpiBundleCreateWithIL(specpi_device device, size_t size, const void *il,
                                       specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(il, "il is NULL");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  specpi_image image;
  ERROR_TRY(foreign_image_create_from_il(il, size, &image));
  size_t index;
  const specpi_result result = specpiImageSelect(device, 1, &image, &index);
  if (result != SPECPI_SUCCESS) {
    specpiImageRelease(image);
    if (result == SPECPI_ERROR_NO_IMAGE)
      ERROR_FAIL(SPECPI_ERROR_NO_IMAGE, "%s (%s) takes no SPIR-V: %s",
                 specpiDeviceGetSelector(device), specpiDeviceGetName(device),
                 image_refusal(device));
    return result;
  }
  return create_with(device, image, SPECPI_BUNDLE_INPUT, bundle);
}

/* Makes a bundle from code whose kernels only a driver can list. */
static specpi_result create_unknown(specpi_device device, image_content content, const char *target,
                                    const void *bytes, size_t size, specpi_bundle *ret) {
  opencl_place at;
  ERROR_TRY(opencl_native_place(device, &at));
  const foreign_image from = {
      .content = content, .target = target, .bytes = bytes, .size = size, .learns_kernels = true};
  return create_foreign(device, &from, SPECPI_BUNDLE_INPUT, ret);
}

specpi_result specpiBundleCreateWithSource(specpi_device device, size_t size, const char *source,
                                           specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(source, "source is NULL");
  ERROR_REQUIRE(size, "size is 0");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  return create_unknown(device, IMAGE_SOURCE, "opencl_c", source, size, bundle);
}

specpi_result specpiBundleCreateWithBinary(specpi_device device, size_t size, const void *binary,
                                           specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(binary, "binary is NULL");
  ERROR_REQUIRE(size, "size is 0");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  return create_unknown(device, IMAGE_CODE, "opencl_binary", binary, size, bundle);
}

/* Splits a list of names at semicolons. names receives pointers into the list. */
static size_t split_names(char *list, const char **names, size_t room) {
  size_t count = 0;
  for (char *rest = list, *name; (name = strtok_r(rest, ";", &rest)) != NULL;)
    if (count < room)
      names[count++] = name;
  return count;
}

static bool is_listed(const char *list, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = list; length && (at = strstr(at, name)) != NULL; at += length)
    if ((at == list || at[-1] == ';') && (at[length] == ';' || at[length] == '\0'))
      return true;
  return false;
}

static specpi_result check_built_in(const opencl_place *at, specpi_device device, size_t count,
                                    const char *const *names) {
  size_t size = 0;
  cl_int code = at->cl->GetDeviceInfo(at->device, CL_DEVICE_BUILT_IN_KERNELS, 0, NULL, &size);
  char *list = calloc(1, size + 1);
  if (!list)
    return error_memory();
  if (code == CL_SUCCESS)
    code = at->cl->GetDeviceInfo(at->device, CL_DEVICE_BUILT_IN_KERNELS, size, list, NULL);
  specpi_result result =
      code == CL_SUCCESS ? SPECPI_SUCCESS : opencl_native_error(code, "clGetDeviceInfo");
  for (size_t i = 0; i < count && result == SPECPI_SUCCESS; i++)
    if (!is_listed(list, names[i]))
      result = error_set(SPECPI_ERROR_UNKNOWN_KERNEL,
                         "%s has no built-in kernel \"%.200s\": those that it has are \"%.400s\"",
                         specpiDeviceGetSelector(device), names[i], list);
  free(list);
  return result;
}

specpi_result specpiBundleCreateWithBuiltInKernels(specpi_device device, size_t count,
                                                   const char *const *names,
                                                   specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE(count, "count is 0");
  ERROR_REQUIRE(names, "names is NULL");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    ERROR_REQUIRE(names[i], "names[%zu] is NULL", i);
    size += strlen(names[i]) + 1;
  }
  opencl_place at;
  ERROR_TRY(opencl_native_place(device, &at));
  ERROR_TRY(check_built_in(&at, device, count, names));
  char *list = malloc(size);
  if (!list)
    return error_memory();
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t length = strlen(names[i]);
    memcpy(list + used, names[i], length);
    used += length;
    list[used++] = i + 1 < count ? ';' : '\0';
  }
  const foreign_image from = {.content = IMAGE_BUILT_IN,
                              .target = "opencl_built_in",
                              .bytes = list,
                              .size = size,
                              .kernels = names,
                              .kernel_count = count};
  const specpi_result result = create_foreign(device, &from, SPECPI_BUNDLE_INPUT, bundle);
  free(list);
  return result;
}

/* ---- Names of kernels from the driver ---- */

/* The names of a program's kernels, separated by semicolons. The caller frees *ret. */
static specpi_result read_names(const program *of, char **ret) {
  const pi_function_table *pi = specpiDeviceGetFunctions(of->device);
  size_t size = 0;
  pi_result code = pi->piProgramGetInfo(of->handle, PI_PROGRAM_INFO_KERNEL_NAMES, 0, NULL, &size);
  /* Intel's CPU runtime returns this for a built program without kernels. */
  if (code == PI_ERROR_INVALID_PROGRAM_EXECUTABLE) {
    code = PI_SUCCESS;
    size = 0;
  }
  DRIVER_TRY(pi, code, "piProgramGetInfo(KERNEL_NAMES)");
  char *list = calloc(1, size + 1);
  if (!list)
    return error_memory();
  if (size > 0)
    code = pi->piProgramGetInfo(of->handle, PI_PROGRAM_INFO_KERNEL_NAMES, size, list, NULL);
  if (code != PI_SUCCESS) {
    free(list);
    return driver_error(pi, code, "piProgramGetInfo(KERNEL_NAMES)");
  }
  *ret = list;
  return SPECPI_SUCCESS;
}

static bool is_known(const bundle_layout *layout, const char *name) {
  for (size_t i = 0; i < layout->kernel_count; i++)
    if (strcmp(layout->kernels[i].name, name) == 0)
      return true;
  return false;
}

/* Makes a copy of an image with the names of those kernels of its program that no image has. */
static specpi_result name_kernels(specpi_bundle bundle, size_t number, specpi_image *ret) {
  char *list = NULL;
  ERROR_TRY(read_names(bundle->programs[number], &list));
  const size_t room = strlen(list) / 2 + 1;
  const char **names = calloc(room, sizeof *names);
  if (!names) {
    free(list);
    return error_memory();
  }
  const size_t count = split_names(list, names, room);
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (!is_known(bundle->layout, names[i]))
      names[used++] = names[i];
  const specpi_result result =
      foreign_image_name_kernels(bundle->layout->images[number].image, names, used, ret);
  free(names);
  free(list);
  return result;
}

/* Makes the images of a bundle with names, each with a reference. Of images that were linked, the
 * first gets all names. */
static specpi_result name_all(specpi_bundle bundle, specpi_image *images) {
  const bundle_layout *layout = bundle->layout;
  for (size_t i = 0; i < layout->image_count; i++) {
    const specpi_image image = layout->images[i].image;
    bool mine = image->learns_kernels;
    for (size_t k = 0; k < i; k++)
      mine = mine && !(layout->images[k].image->learns_kernels &&
                       bundle->programs[k]->handle == bundle->programs[i]->handle);
    if (mine)
      ERROR_TRY(name_kernels(bundle, i, &images[i]));
    else
      images[i] = image_retain(image);
  }
  for (size_t i = layout->image_count; i < layout->image_count + layout->needed_count; i++)
    images[i] = image_retain(layout->images[i].image);
  return SPECPI_SUCCESS;
}

specpi_result bundle_learn_kernels(specpi_bundle bundle) {
  bundle_layout *layout = bundle->layout;
  bool any = false;
  for (size_t i = 0; i < layout->image_count; i++)
    any = any || layout->images[i].image->learns_kernels;
  if (!any)
    return SPECPI_SUCCESS;
  const size_t total = layout->image_count + layout->needed_count;
  specpi_image *images = calloc(total, sizeof(specpi_image));
  if (!images)
    return error_memory();
  specpi_result result = name_all(bundle, images);
  bundle_layout *named = NULL;
  if (result == SPECPI_SUCCESS)
    result = bundle_layout_create(layout->device, images, layout->image_count, layout->needed_count,
                                  NULL, &named);
  if (result == SPECPI_SUCCESS) {
    /* The new layout has the same constants at the same places. */
    bundle->layout = named;
    bundle_layout_release(layout);
  } else {
    for (size_t i = 0; i < total; i++)
      specpiImageRelease(images[i]);
  }
  free(images);
  return result;
}

/* ---- Imported programs ---- */

/* Reads a property of unknown size of a program. *ret is NULL if the program does not have it. */
static specpi_result read_text(const opencl_place *at, cl_program program, cl_program_info query,
                               size_t least, char **ret, size_t *size) {
  *ret = NULL;
  *size = 0;
  size_t there = 0;
  /* Drivers return an error for a program without IL. */
  if (at->cl->GetProgramInfo(program, query, 0, NULL, &there) != CL_SUCCESS || there < least)
    return SPECPI_SUCCESS;
  char *text = malloc(there);
  if (!text)
    return error_memory();
  const cl_int code = at->cl->GetProgramInfo(program, query, there, text, NULL);
  if (code != CL_SUCCESS) {
    free(text);
    return opencl_native_error(code, "clGetProgramInfo");
  }
  *ret = text;
  *size = there;
  return SPECPI_SUCCESS;
}

static specpi_result import_input(specpi_device device, const opencl_place *at, cl_program program,
                                  specpi_bundle *ret) {
  char *text = NULL;
  size_t size = 0;
  ERROR_TRY(read_text(at, program, CL_PROGRAM_IL, 4, &text, &size));
  specpi_result result;
  specpi_bundle made = NULL;
  if (text) {
    result = specpiBundleCreateWithIL(device, size, text, &made);
  } else {
    ERROR_TRY(read_text(at, program, CL_PROGRAM_SOURCE, 2, &text, &size));
    if (!text)
      ERROR_FAIL(SPECPI_ERROR_INVALID_STATE,
                 "to be imported as input, a cl_program has a source or IL, and this has neither");
    result = specpiBundleCreateWithSource(device, size - 1, text, &made);
  }
  free(text);
  ERROR_TRY(result);
  result = opencl_native_retain(device, program);
  if (result != SPECPI_SUCCESS) {
    specpiBundleRelease(made);
    return result;
  }
  made->imported = program;
  *ret = made;
  return SPECPI_SUCCESS;
}

/* Finds the index of the device in a program's list of devices. */
static specpi_result find_device(const opencl_place *at, cl_program program, size_t *ret,
                                 size_t *count) {
  cl_context context = NULL;
  size_t size = 0;
  cl_int code = at->cl->GetProgramInfo(program, CL_PROGRAM_CONTEXT, sizeof context, &context, NULL);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramInfo");
  ERROR_REQUIRE(context == at->context, "the cl_program is of another cl_context");
  code = at->cl->GetProgramInfo(program, CL_PROGRAM_DEVICES, 0, NULL, &size);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramInfo");
  cl_device_id *devices = malloc(size);
  if (!devices)
    return error_memory();
  code = at->cl->GetProgramInfo(program, CL_PROGRAM_DEVICES, size, devices, NULL);
  *count = code == CL_SUCCESS ? size / sizeof *devices : 0;
  for (*ret = 0; *ret < *count && devices[*ret] != at->device; ++*ret)
    ;
  free(devices);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramInfo");
  ERROR_REQUIRE(*ret < *count, "the cl_program is not for the device");
  return SPECPI_SUCCESS;
}

/* Checks that there is a binary for the device. */
static specpi_result require_binary(const opencl_place *at, cl_program program) {
  size_t place = 0;
  size_t count = 0;
  ERROR_TRY(find_device(at, program, &place, &count));
  size_t *sizes = calloc(count + 1, sizeof *sizes);
  if (!sizes)
    return error_memory();
  const cl_int code =
      at->cl->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes, sizes, NULL);
  const size_t size = sizes[place];
  free(sizes);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramInfo");
  if (size == 0)
    ERROR_FAIL(SPECPI_ERROR_INVALID_STATE,
               "the cl_program has no binary for the device: it was not compiled or built");
  return SPECPI_SUCCESS;
}

static specpi_result require_type(const opencl_place *at, cl_program program,
                                  specpi_bundle_state state) {
  cl_program_binary_type type = CL_PROGRAM_BINARY_TYPE_NONE;
  cl_int code = at->cl->GetProgramBuildInfo(program, at->device, CL_PROGRAM_BINARY_TYPE,
                                            sizeof type, &type, NULL);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramBuildInfo");
  if (state == SPECPI_BUNDLE_OBJECT) {
    if (type != CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT)
      ERROR_FAIL(
          SPECPI_ERROR_INVALID_STATE,
          "to be imported as object, a cl_program comes from clCompileProgram, and this does "
          "not (CL_PROGRAM_BINARY_TYPE is %u)",
          (unsigned)type);
    return SPECPI_SUCCESS;
  }
  if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
    ERROR_FAIL(SPECPI_ERROR_INVALID_STATE,
               "to be imported as executable, a cl_program comes from clLinkProgram or "
               "clBuildProgram, and this does not (CL_PROGRAM_BINARY_TYPE is %u)",
               (unsigned)type);
  size_t kernels = 0;
  code = at->cl->GetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clGetProgramInfo");
  if (kernels == 0)
    ERROR_FAIL(SPECPI_ERROR_INVALID_STATE,
               "to be imported as executable, a cl_program has a kernel, and this has none");
  return SPECPI_SUCCESS;
}

/* Makes a program from a native handle, to which it adds a reference. */
static specpi_result adopt(specpi_device device, cl_program native, specpi_image image,
                           program **ret) {
  const pi_function_table *pi = specpiDeviceGetFunctions(device);
  pi_context context;
  ERROR_TRY(specpiDeviceGetContext(device, &context));
  pi_program handle = NULL;
  DRIVER_TRY(
      pi, pi->piextProgramCreateWithNativeHandle((pi_native_handle)native, context, false, &handle),
      "piextProgramCreateWithNativeHandle");
  const program_source source = {.device = device, .image = image, .options = ""};
  const specpi_result result = program_adopt(&source, handle, ret);
  if (result != SPECPI_SUCCESS)
    pi->piProgramRelease(handle);
  return result;
}

static specpi_result import_built(specpi_device device, const opencl_place *at, cl_program program,
                                  specpi_bundle_state state, specpi_bundle *ret) {
  ERROR_TRY(require_binary(at, program));
  ERROR_TRY(require_type(at, program, state));
  const foreign_image from = {
      .content = IMAGE_PROGRAM, .target = "opencl_program", .bytes = "", .learns_kernels = true};
  specpi_bundle made = NULL;
  ERROR_TRY(create_foreign(device, &from, state, &made));
  specpi_result result = adopt(device, program, made->layout->images[0].image, &made->programs[0]);
  if (result == SPECPI_SUCCESS && state == SPECPI_BUNDLE_EXECUTABLE)
    result = bundle_learn_kernels(made);
  if (result == SPECPI_SUCCESS)
    *ret = made;
  else
    specpiBundleRelease(made);
  return result;
}

specpi_result specpiBundleImport(specpi_device device, specpi_bundle_state state, void *program,
                                 specpi_bundle *bundle) {
  ERROR_REQUIRE(device, "device is NULL");
  ERROR_REQUIRE((unsigned)state < SPECPI_BUNDLE_STATE_COUNT, "%d is no state of bundles",
                (int)state);
  ERROR_REQUIRE(program, "program is NULL");
  ERROR_REQUIRE(bundle, "bundle is NULL");
  opencl_place at;
  ERROR_TRY(opencl_native_place(device, &at));
  size_t place = 0;
  size_t count = 0;
  ERROR_TRY(find_device(&at, program, &place, &count));
  return state == SPECPI_BUNDLE_INPUT ? import_input(device, &at, program, bundle)
                                      : import_built(device, &at, program, state, bundle);
}

/* ---- Objects of OpenCL ---- */

static specpi_result set_native(const opencl_place *at, cl_program program,
                                const program_values *values) {
  for (size_t i = 0; i < values->count; i++) {
    const program_value *one = &values->list[i];
    if (!at->cl->SetProgramSpecializationConstant)
      ERROR_FAIL(SPECPI_ERROR_UNSUPPORTED, "setting constants takes OpenCL 2.2");
    const cl_int code =
        at->cl->SetProgramSpecializationConstant(program, one->id, one->size, one->bytes);
    if (code != CL_SUCCESS)
      return opencl_native_error(code, "clSetProgramSpecializationConstant");
  }
  return SPECPI_SUCCESS;
}

static specpi_result make_input(specpi_bundle bundle, const opencl_place *at, size_t image,
                                void **ret) {
  const specpi_image of = bundle->layout->images[image].image;
  program_values values;
  ERROR_TRY(bundle_values_of_image(bundle->layout, &bundle->values, &bundle->lock, image, 0, NULL,
                                   &values));
  cl_program made = NULL;
  specpi_result result = opencl_native_make(at, of, &made);
  if (result == SPECPI_SUCCESS && of->values != IMAGE_VALUES_IN_BUFFER) {
    result = set_native(at, made, &values);
    if (result != SPECPI_SUCCESS)
      at->cl->ReleaseProgram(made);
  }
  program_values_clear(&values);
  ERROR_TRY(result);
  *ret = made;
  return SPECPI_SUCCESS;
}

specpi_result specpiBundleGetNativeProgram(specpi_bundle bundle, size_t image, void **program) {
  ERROR_REQUIRE(bundle, "bundle is NULL");
  ERROR_REQUIRE(program, "program is NULL");
  const bundle_layout *layout = bundle->layout;
  ERROR_REQUIRE(image < layout->image_count, "image is %zu of %zu", image, layout->image_count);
  opencl_place at;
  ERROR_TRY(opencl_native_place(layout->device, &at));
  if (bundle->state == SPECPI_BUNDLE_INPUT && !bundle->imported)
    return make_input(bundle, &at, image, program);
  pi_native_handle native = (pi_native_handle)bundle->imported;
  const pi_function_table *pi = specpiDeviceGetFunctions(layout->device);
  if (!bundle->imported)
    DRIVER_TRY(pi, pi->piextProgramGetNativeHandle(bundle->programs[image]->handle, &native),
               "piextProgramGetNativeHandle");
  ERROR_TRY(opencl_native_retain(layout->device, (void *)native));
  *program = (void *)native;
  return SPECPI_SUCCESS;
}

specpi_result specpiKernelGetNative(specpi_kernel kernel, void **native) {
  ERROR_REQUIRE(kernel, "kernel is NULL");
  ERROR_REQUIRE(native, "native is NULL");
  opencl_place at;
  ERROR_TRY(opencl_native_place(kernel->device, &at));
  pi_native_handle handle = 0;
  DRIVER_TRY(kernel->pi, kernel->pi->piextKernelGetNativeHandle(kernel->handle, &handle),
             "piextKernelGetNativeHandle");
  const cl_int code = at.cl->RetainKernel((cl_kernel)handle);
  if (code != CL_SUCCESS)
    return opencl_native_error(code, "clRetainKernel");
  *native = (void *)handle;
  return SPECPI_SUCCESS;
}
