/*
 * libspecpi: finds the Plugin Interface plugins of this machine, loads them, and returns their
 * devices.
 *
 *   #include <specpi/specpi.h>
 *   #include <stdio.h>
 *
 *   int main(void) {
 *     specpi_device devices[8];
 *     size_t count;
 *     if (specpiDevicesGet(NULL, 8, devices, &count) != SPECPI_SUCCESS) {
 *       fprintf(stderr, "%s\n", specpiGetLastError());
 *       return 1;
 *     }
 *     for (size_t i = 0; i < count && i < 8; i++)
 *       printf("%s: %s\n", specpiDeviceGetSelector(devices[i]), specpiDeviceGetName(devices[i]));
 *     if (count == 0)
 *       return 1;
 *     const pi_function_table *pi = specpiDeviceGetFunctions(devices[0]);
 *     pi_device device = specpiDeviceGetHandle(devices[0]);
 *     pi_context context;
 *     if (pi->piContextCreate(NULL, 1, &device, NULL, NULL, &context) != PI_SUCCESS)
 *       return 1;
 *     return pi->piContextRelease(context) != PI_SUCCESS;
 *   }
 *
 * Conventions:
 *  - Every function may be called from any thread at any time.
 *  - Plugins are loaded on first use, once per process, and stay loaded until it ends. Handles of
 *    plugins, platforms and devices, and texts about them, are valid until then and are not
 *    released.
 *  - A function called ..Create, or with an output documented as new, returns one reference, which
 *    the ..Release function of the type gives up; ..Retain adds one.
 *  - A function that can fail returns a specpi_result; specpiGetLastError has the message. Outputs
 *    are untouched on failure.
 *  - A list is queried with (capacity, list, count): count receives the number of all elements,
 *    list the first ones, at most capacity. list may be NULL when capacity is 0.
 *  - An accessor of a NULL handle returns NULL, or the value named at the function.
 *
 * Environment:
 *  - ONEAPI_DEVICE_SELECTOR chooses devices, see specpiDevicesGet.
 *  - SPECPI_PLUGIN_PATH: directories with plugins, separated by colons, searched before the
 *    directory of libspecpi itself. Entries must be absolute. Ignored in a process that
 *    runs with more rights than its user.
 *  - SPECPI_TRACE: a list, separated by commas, of topics to write to stderr: "calls" (each PI call
 *    that goes through this library, with arguments, result and time), "errors" (the message of
 *    each error), "loader" (each file tried, and the outcome), "cache" (each program built, read or
 *    refused), or "all". Read once. Ignored in a process that runs with more rights than its user.
 *  - SPECPI_CACHE_DIR: the directory in which built programs are kept, see cache.h. Ignored in a
 *    process that runs with more rights than its user.
 */
#ifndef SPECPI_SPECPI_H
#define SPECPI_SPECPI_H

#include <pi/pi.h>
#include <specpi/value.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define SPECPI_VERSION_MAJOR 0
#define SPECPI_VERSION_MINOR 1
#define SPECPI_VERSION_PATCH 0
#define SPECPI_VERSION_STRING "0.1.0"

/* X(name, value, text): every result code. */
#define SPECPI_RESULTS(X)                                                                          \
  X(SPECPI_SUCCESS, 0, "success")                                                                  \
  X(SPECPI_ERROR_INVALID_ARGUMENT, -1, "an argument is not valid")                                 \
  X(SPECPI_ERROR_OUT_OF_MEMORY, -2, "host memory is exhausted")                                    \
  X(SPECPI_ERROR_INVALID_SELECTOR, -3, "the device selector is not well formed")                   \
  X(SPECPI_ERROR_INVALID_IMAGE, -5, "a device image is damaged or of an unknown kind")             \
  X(SPECPI_ERROR_UNKNOWN_CONSTANT, -6, "there is no constant of that name")                        \
  X(SPECPI_ERROR_UNKNOWN_KERNEL, -7, "there is no kernel of that name")                            \
  X(SPECPI_ERROR_INVALID_SIZE, -8, "a value has not the size of its constant")                     \
  X(SPECPI_ERROR_INVALID_STATE, -9, "an object is not in the state that the call needs")           \
  X(SPECPI_ERROR_CONFLICT, -10, "images contradict each other")                                    \
  X(SPECPI_ERROR_NO_VALUE, -11, "a constant has no value and no default")                          \
  X(SPECPI_ERROR_NO_IMAGE, -12, "no device image suits the device")                                \
  X(SPECPI_ERROR_BUILD_FAILED, -13, "the code does not compile, build or link")                    \
  X(SPECPI_ERROR_DRIVER, -14, "the plugin or its driver reported an error")                        \
  X(SPECPI_ERROR_UNSUPPORTED, -15, "the device or its plugin cannot do that")                      \
  X(SPECPI_ERROR_NO_PROFILING, -16, "the queue does not measure times")                            \
  X(SPECPI_ERROR_DIRECTORY, -17, "a directory cannot be used")                                     \
  X(SPECPI_ERROR_DEVICE_LOST, -18, "a kernel failed, and its device is lost to the process")       \
  X(SPECPI_ERROR_INVALID_TYPE, -19, "a value has not the type of its constant")

typedef enum specpi_result {
#define SPECPI_RESULT(name, value, text) name = (value),
  SPECPI_RESULTS(SPECPI_RESULT)
#undef SPECPI_RESULT
} specpi_result;

/*
 * X(NAME, name, file): every backend whose plugin libspecpi searches for, in the order in which
 * they are searched and listed. name is for selectors and lists; file is the plugin's file name,
 * which SYCL runtimes use, too.
 */
#define SPECPI_BACKENDS(X)                                                                         \
  X(OPENCL, opencl, "libpi_opencl.so")                                                             \
  X(LEVEL_ZERO, level_zero, "libpi_level_zero.so")                                                 \
  X(CUDA, cuda, "libpi_cuda.so")

typedef enum specpi_backend {
#define SPECPI_BACKEND(NAME, name, file) SPECPI_BACKEND_##NAME,
  SPECPI_BACKENDS(SPECPI_BACKEND)
#undef SPECPI_BACKEND
      SPECPI_BACKEND_COUNT
} specpi_backend;

/*
 * X(NAME, name): states of a plugin file. READY: loaded, with at least one device. IDLE: loaded,
 * without a device; see the reason. REFUSED: the file exists but cannot be used; see the reason.
 * ABSENT: there is no such file.
 */
#define SPECPI_PLUGIN_STATES(X)                                                                    \
  X(READY, ready)                                                                                  \
  X(IDLE, idle)                                                                                    \
  X(REFUSED, refused)                                                                              \
  X(ABSENT, absent)

typedef enum specpi_plugin_state {
#define SPECPI_PLUGIN_STATE(NAME, name) SPECPI_PLUGIN_##NAME,
  SPECPI_PLUGIN_STATES(SPECPI_PLUGIN_STATE)
#undef SPECPI_PLUGIN_STATE
} specpi_plugin_state;

/*
 * X(NAME): states of the driver that a plugin without a platform may report. ABSENT: the driver's
 * library cannot be loaded. OLD: its version is too old. BROKEN: it is not used, because it ends
 * processes.
 */
#define SPECPI_DRIVER_STATES(X)                                                                    \
  X(UNKNOWN)                                                                                       \
  X(ABSENT)                                                                                        \
  X(OLD)                                                                                           \
  X(BROKEN)

typedef enum specpi_driver_state {
#define SPECPI_DRIVER_STATE(NAME) SPECPI_DRIVER_##NAME,
  SPECPI_DRIVER_STATES(SPECPI_DRIVER_STATE)
#undef SPECPI_DRIVER_STATE
      SPECPI_DRIVER_STATE_COUNT
} specpi_driver_state;

/* A plugin file that was tried; a platform of a plugin; a device or sub-device. */
typedef const struct specpi_plugin_object *specpi_plugin;
typedef const struct specpi_platform_object *specpi_platform;
typedef const struct specpi_device_object *specpi_device;

/* ---- The library ---- */

/* The version of the library that is running, e.g. "0.1.0". */
const char *specpiGetVersion(void);

/* The name of a code, e.g. "SPECPI_ERROR_OUT_OF_MEMORY", and its general meaning. "?" for unknown
 * codes. */
const char *specpiResultGetName(specpi_result result);
const char *specpiResultGetText(specpi_result result);

/*
 * The message of this thread's latest failure in this library, with the wrong value. ""
 * before the first one. Valid until the thread's next failure.
 */
const char *specpiGetLastError(void);

/* The name of a backend in selectors, e.g. "level_zero", and its plugin's file name. NULL for other
 * values. */
const char *specpiBackendGetName(specpi_backend backend);
const char *specpiBackendGetFileName(specpi_backend backend);

/* ---- Plugins ---- */

/*
 * The directories in which plugins are searched, in order: the absolute ones of SPECPI_PLUGIN_PATH,
 * then the directory of libspecpi. Loads nothing.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: count is NULL, or directories is and capacity is not 0.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiPluginDirectoriesGet(size_t capacity, const char **directories, size_t *count);

/*
 * Every file that was tried for a backend, in the order of the directories. The first one that
 * loads is the backend's plugin; later directories are not tried. Loads the plugin on the first
 * call, and finds its platforms and devices.
 *
 * A file that cannot be used is not an error of this call; see the file's state and reason.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: no such backend, or as specpiPluginDirectoriesGet.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiPluginsGet(specpi_backend backend, size_t capacity, specpi_plugin *plugins,
                               size_t *count);

/* SPECPI_BACKEND_COUNT for NULL. */
specpi_backend specpiPluginGetBackend(specpi_plugin plugin);
/* SPECPI_PLUGIN_ABSENT for NULL. */
specpi_plugin_state specpiPluginGetState(specpi_plugin plugin);
/* The state's name, e.g. "ready". */
const char *specpiPluginGetStateName(specpi_plugin plugin);
/* The file that was tried: an absolute path, except for a relative directory that was refused. */
const char *specpiPluginGetPath(specpi_plugin plugin);
/* The reason why the plugin is not READY, without a full stop; "" when it is. */
const char *specpiPluginGetReason(specpi_plugin plugin);
/* The state of an IDLE plugin's driver. The reason describes it. */
specpi_driver_state specpiPluginGetDriverState(specpi_plugin plugin);
/* The version that the plugin reports, e.g. "15.47.1"; "" when it is not loaded. */
const char *specpiPluginGetVersion(specpi_plugin plugin);
/*
 * The names of the entries that the plugin leaves empty in its table, separated by blanks; "" if
 * none. libspecpi fills them with functions that return PI_ERROR_UNSUPPORTED_FEATURE;
 * specpiGetLastError then names the one that was called.
 */
const char *specpiPluginGetMissing(specpi_plugin plugin);
/*
 * The plugin's functions, for direct calls; no entry is NULL. With "calls" in SPECPI_TRACE these
 * are wrappers that print each call. NULL when the plugin is not loaded.
 */
const pi_function_table *specpiPluginGetFunctions(specpi_plugin plugin);
/*
 * The platforms of a plugin, in the plugin's order; none when it is not loaded.
 * SPECPI_ERROR_INVALID_ARGUMENT: plugin or count is NULL, or platforms is and capacity is not 0.
 */
specpi_result specpiPluginGetPlatforms(specpi_plugin plugin, size_t capacity,
                                       specpi_platform *platforms, size_t *count);

/* ---- Platforms ---- */

specpi_plugin specpiPlatformGetPlugin(specpi_platform platform);
/* Texts that the plugin does not report are "". */
const char *specpiPlatformGetName(specpi_platform platform);
const char *specpiPlatformGetVendor(specpi_platform platform);
const char *specpiPlatformGetVersion(specpi_platform platform);
pi_platform specpiPlatformGetHandle(specpi_platform platform);
/*
 * All root devices of a platform, whatever the selector says.
 * SPECPI_ERROR_INVALID_ARGUMENT: platform or count is NULL, or devices is and capacity is not 0.
 */
specpi_result specpiPlatformGetDevices(specpi_platform platform, size_t capacity,
                                       specpi_device *devices, size_t *count);

/* ---- Devices ---- */

/*
 * The devices that a selector chooses. The grammar is that of DPC++'s
 * ONEAPI_DEVICE_SELECTOR, without regard to upper and lower case:
 *
 *   selector = term {";" term}         terms that discard come last
 *   term     = ["!"] backend ":" device {"," device}
 *   backend  = "*" | "level_zero" | "opencl" | "cuda" | "hip" | "esimd_emulator" | "native_cpu"
 *   device   = "*" | "cpu" | "gpu" | "fpga" | "acc" | path
 *   path     = N | N.N | N.* | *.* | N.N.N | N.N.* | N.*.* | *.*.*
 *
 * A term selects devices of one backend: by type, by number (from 0, per backend, over all
 * platforms of the backend, as specpi ls and sycl-ls show them), or all. A path with dots selects
 * sub-devices instead of the device: those from partitioning by affinity domain, next
 * partitionable. "!" discards the devices that the term selects, including sub-devices of discarded
 * devices; it has priority over selection. If all terms discard, all other root devices are
 * selected. As in DPC++, empty parts between separators or at an end are ignored. A term that
 * matches no device is not an error.
 *
 * If there is no device of Level Zero, a term that names level_zero selects CUDA's devices, which
 * SYCL programs know by that name.
 *
 * selector NULL stands for the value of ONEAPI_DEVICE_SELECTOR when the function is called. An
 * empty selector, or an unset variable, selects all root devices. Only the plugins of backends that
 * the selector names are loaded. Each device is listed once, ordered by backend, number, and the
 * first term that selects it.
 *
 * SPECPI_ERROR_INVALID_SELECTOR: the selector is not in the grammar; the message names the term,
 * the position and the allowed words. Others as specpiPluginDirectoriesGet.
 */
specpi_result specpiDevicesGet(const char *selector, size_t capacity, specpi_device *devices,
                               size_t *count);

/*
 * The same devices, the best first. Programs without a preference should use the first one, or the
 * first one that specpiImageSelect finds an image for. The order is by these criteria:
 * devices that take SPIR-V, then those that take only PTX, then others;
 * GPUs, then CPUs, then accelerators, then others;
 * devices of OpenCL last;
 * the order of specpiDevicesGet.
 * SPECPI_TRACE=loader prints the first device.
 */
specpi_result specpiDevicesGetPreferred(const char *selector, size_t capacity,
                                        specpi_device *devices, size_t *count);

/* The selector that selects this device alone, e.g. "opencl:0" or "level_zero:1.0". */
const char *specpiDeviceGetSelector(specpi_device device);
/* The texts are the plugin's, unchanged; "" if it does not report one. */
const char *specpiDeviceGetName(specpi_device device);
const char *specpiDeviceGetVendor(specpi_device device);
/* The version of the API that the device supports, e.g. "OpenCL 3.0 (Build 0)". */
const char *specpiDeviceGetVersion(specpi_device device);
const char *specpiDeviceGetDriverVersion(specpi_device device);
/*
 * One of PI_DEVICE_TYPE_CPU, _GPU, _ACC, _CUSTOM; 0 for NULL, or if the plugin does not report it.
 */
pi_device_type specpiDeviceGetType(specpi_device device);
/* The type in sycl-ls's words: "cpu", "gpu", "fpga" (an accelerator), or "unknown". */
const char *specpiDeviceGetTypeName(specpi_device device);
/* SPECPI_BACKEND_COUNT for NULL. */
specpi_backend specpiDeviceGetBackend(specpi_device device);
/* The device that this one is a part of; NULL for a root device. */
specpi_device specpiDeviceGetParent(specpi_device device);
specpi_platform specpiDeviceGetPlatform(specpi_device device);
/* PI's own handle, for calls through specpiDeviceGetFunctions. The reference stays the library's.
 */
pi_device specpiDeviceGetHandle(specpi_device device);
/* The functions of the device's plugin, as specpiPluginGetFunctions. */
const pi_function_table *specpiDeviceGetFunctions(specpi_device device);
/*
 * Queries the plugin about a device as piDeviceGetInfo does, for languages that cannot call through
 * a table. Writes the answer's bytes to value if all of them fit, and their number to actual_size;
 * either may be NULL.
 *
 * SPECPI_ERROR_DRIVER: the plugin has no answer, or size is less than its bytes.
 */
specpi_result specpiDeviceGetInfo(specpi_device device, pi_device_info query, size_t size,
                                  void *value, size_t *actual_size);

/* ---- Device images ---- */

/* A device image in the form that compilers pass to __sycl_register_lib, checked and decoded. */
typedef const struct specpi_image_object *specpi_image;

/* One property of an image. */
typedef struct specpi_property {
  const char *set;       /* the set's name, e.g. PI_PROPERTY_SET_SYCL_MISC_PROP */
  const char *name;      /* the property's name */
  pi_property_type type; /* UINT32, BYTE_ARRAY or STRING */
  uint32_t number;       /* UINT32: the value; otherwise 0 */
  const void *bytes;     /* BYTE_ARRAY: the payload; STRING: the text, which need not end in NUL;
                            UINT32: NULL */
  size_t size;           /* bytes at bytes */
  uint64_t bits;         /* BYTE_ARRAY: the payload's length in bits; otherwise 0 */
} specpi_property;

/* A scalar of a specialization constant, or a piece of padding. */
typedef struct specpi_leaf {
  uint32_t id;     /* for piextProgramSetSpecializationConstant; or PI_SPEC_ID_PADDING */
  uint32_t offset; /* offset in the constant in bytes */
  uint32_t size;   /* size in bytes */
} specpi_leaf;

/* A specialization constant of an image. */
typedef struct specpi_constant {
  const char *name;          /* the symbolic id */
  size_t size;               /* bytes of a value */
  size_t leaf_count;         /* at least 1 */
  const specpi_leaf *leaves; /* as the image records them, padding included, by offset */
  const void *default_value; /* size bytes; NULL when the image has no defaults */
} specpi_constant;

/*
 * Checks one image and decodes its properties. Only numbers are copied: binary, and all that it
 * points to, must stay valid and unchanged until specpiImageRelease. Pointers must be valid; the
 * data that they point to is checked, lengths first.
 *
 * A constant's size is the end of its last leaf. If the image reads constants from a buffer,
 * padding at the end does not count, because there it lies between constants. An image reads
 * constants from a buffer if it has the property set "specpi/buffer arguments", or if it is neither
 * for the target "spir64" or "spir" nor PTX with the trailer of specpi's compiler.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: binary or image is NULL. SPECPI_ERROR_INVALID_IMAGE: a version,
 * kind, format or property type is unknown; a table ends before it starts or within an element; a
 * name is missing; a property's size contradicts its content; leaves of a constant overlap; the
 * defaults have not the size of all constants; constants without defaults have more than 64 MiB.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageCreate(const pi_device_binary_struct *binary, specpi_image *image);
/* NULL is allowed. */
void specpiImageRelease(specpi_image image);

/* E.g. "spir64". */
const char *specpiImageGetTarget(specpi_image image);
/* The options in the image; "" when it has none. */
const char *specpiImageGetCompileOptions(specpi_image image);
const char *specpiImageGetLinkOptions(specpi_image image);
/*
 * The format of the image's bytes, from its header or, when that is NONE, from the first bytes.
 * NATIVE is device code, including PTX. PI_DEVICE_BINARY_TYPE_NONE for unknown formats and for
 * NULL.
 */
pi_device_binary_type specpiImageGetFormat(specpi_image image);
/* "unknown", "native", "SPIR-V" or "LLVM bitcode". */
const char *specpiImageGetFormatName(specpi_image image);
/* The image's bytes; *size receives their number, 0 for NULL. size may be NULL. */
const void *specpiImageGetBytes(specpi_image image, size_t *size);

/*
 * Lists: the kernels' names; the constants, in the image's order; the properties of the set of
 * that name, or of all sets when set is NULL. The sets of the constants are among them.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: image or count is NULL, or the list is and capacity is not 0.
 */
specpi_result specpiImageGetKernels(specpi_image image, size_t capacity, const char **kernels,
                                    size_t *count);
specpi_result specpiImageGetConstants(specpi_image image, size_t capacity,
                                      specpi_constant *constants, size_t *count);
specpi_result specpiImageGetProperties(specpi_image image, const char *set, size_t capacity,
                                       specpi_property *properties, size_t *count);

/*
 * Lists the type of each leaf of each constant, in the order of specpiImageGetConstants: "bool",
 * "i8" to "i64", "f16" to "f64". Images do not record types, so they are read from SPIR-V. An entry
 * is NULL for padding, for types that the SPIR-V does not show, and for images of other formats.
 * The texts are the library's.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: image or count is NULL, or types is and capacity is not 0.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageGetLeafTypes(specpi_image image, size_t capacity, const char **types,
                                      size_t *count);

/*
 * X(NAME, name): kinds of parameters of kernels. VALUE: passed by value. POINTER: to global or
 * constant memory. LOCAL: to memory of each work-group. REMOVED: the compiler removed the
 * parameter, and its argument is ignored. UNKNOWN: the code does not show the kind.
 */
#define SPECPI_PARAMETER_KINDS(X)                                                                  \
  X(UNKNOWN, unknown)                                                                              \
  X(VALUE, value)                                                                                  \
  X(POINTER, pointer)                                                                              \
  X(LOCAL, local)                                                                                  \
  X(IMAGE, image)                                                                                  \
  X(SAMPLER, sampler)                                                                              \
  X(REMOVED, removed)

typedef enum specpi_parameter_kind {
#define SPECPI_PARAMETER_KIND(NAME, name) SPECPI_PARAMETER_##NAME,
  SPECPI_PARAMETER_KINDS(SPECPI_PARAMETER_KIND)
#undef SPECPI_PARAMETER_KIND
} specpi_parameter_kind;

/* Accesses of a kernel through a pointer, as far as the compiler knows. */
typedef enum specpi_access {
  SPECPI_ACCESS_UNKNOWN,
  SPECPI_ACCESS_READ,    /* the kernel never writes through the pointer */
  SPECPI_ACCESS_WRITTEN, /* the kernel writes, unless that code is never reached */
} specpi_access;

enum { SPECPI_TYPE_SIZE = 160 };

/* A parameter of a kernel, as the code declares it. */
typedef struct specpi_parameter {
  specpi_parameter_kind kind;
  specpi_access access;
  size_t size;         /* bytes of the argument; 0: unknown, or chosen by the host */
  size_t pointee_size; /* bytes of the type that a pointer points to; 0: unknown */
  /*
   * "bool", "i8" to "i64", "f16" to "f64" if the value, or the type that a pointer points to, is
   * such a scalar, or an array or vector of one; else NULL. Integers have no sign.
   */
  const char *scalar;
  bool may_be_void; /* a pointer to bytes, which may have been a pointer to void in the source */
  /* A description for people, cut if it is too long: "global f32*", "struct s of 8 bytes". */
  char type[SPECPI_TYPE_SIZE];
} specpi_parameter;

/*
 * Lists the parameters of a kernel as specpiKernelLaunch takes arguments: in the source's order,
 * without the buffer of constants. SPIR-V records all members, PTX only sizes. The list is empty if
 * the code does not record parameters or does not have the kernel. The texts are the library's.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: image, kernel or count is NULL, or parameters is and capacity is
 * not 0. SPECPI_ERROR_INVALID_IMAGE: the image's description of the arguments contradicts its code.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageGetParameters(specpi_image image, const char *kernel, size_t capacity,
                                       specpi_parameter *parameters, size_t *count);
/* The kind's name, e.g. "pointer"; NULL for other values. */
const char *specpiParameterKindGetName(specpi_parameter_kind kind);

/*
 * Returns whether the compiler removed an argument of a kernel, counted from 0 in the source's
 * order. Such an argument must not be set, and the others are numbered without it. false when the
 * image does not say so.
 */
bool specpiImageIsArgumentEliminated(specpi_image image, const char *kernel, size_t index);

/*
 * Returns whether a build puts the values of the image's constants into its code, as the driver's
 * specialization constants or by patching the PTX, so that the code is optimized for them. false if
 * the code reads constants from a buffer, if the compiler replaced them by their defaults, if there
 * are no constants, and for NULL.
 */
bool specpiImageHasNativeConstants(specpi_image image);

/* ---- Registered images ---- */

/*
 * Registers the table of images that a compiler puts into an object. Objects that DPC++ or
 * specpi-cc wrapped call __sycl_register_lib when they are loaded and __sycl_unregister_lib when
 * they are unloaded; specpiRegister and specpiUnregister do the same, and return a result.
 * libspecpi also exports the first two names, and forwards each call to a SYCL runtime after it in
 * the process.
 *
 * Damaged images are left out, each with a message (SPECPI_TRACE=errors). The table and all that it
 * points to must stay valid until it is unregistered; a table that was registered twice has to be
 * unregistered twice.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: binaries is NULL, or (specpiUnregister) is not registered.
 * SPECPI_ERROR_INVALID_IMAGE: the table's version is not PI_DEVICE_BINARIES_VERSION, or it has
 * images and no pointer to them. SPECPI_ERROR_OUT_OF_MEMORY: no image is registered.
 */
specpi_result specpiRegister(const pi_device_binaries_struct *binaries);
/*
 * The images are no longer valid when this returns. Bundles made from them, and kernels built from
 * the bundles, stay valid, because they have copies.
 */
specpi_result specpiUnregister(const pi_device_binaries_struct *binaries);

/* The functions that compilers' objects call. Failures are only traced. */
void __sycl_register_lib(pi_device_binaries binaries);
void __sycl_unregister_lib(pi_device_binaries binaries);

/*
 * All registered images, in the order of their registration. The library owns them: they are valid
 * until their table is unregistered, and must not be released.
 * SPECPI_ERROR_INVALID_ARGUMENT: count is NULL, or images is and capacity is not 0.
 */
specpi_result specpiImagesGet(size_t capacity, specpi_image *images, size_t *count);

/*
 * Finds the best of count images for a device: the one that its plugin chooses
 * (piextDeviceSelectBinary). Native code comes before SPIR-V.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, images, an image or index is NULL, or count is 0 or above
 * UINT32_MAX. SPECPI_ERROR_NO_IMAGE: no image suits the device. SPECPI_ERROR_DRIVER,
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageSelect(specpi_device device, size_t count, const specpi_image *images,
                                size_t *index);

/*
 * The context of a device. The library makes one for each device, at its first use, and keeps it.
 * All programs, kernels, buffers and queues of this library are in it. A sub-device has its own.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device or context is NULL. SPECPI_ERROR_DRIVER: the plugin
 * cannot make one. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiDeviceGetContext(specpi_device device, pi_context *context);

/* ---- Bundles ---- */

/*
 * A bundle is a set of images for one device, in one of three states. Constants can be set in an
 * INPUT bundle. Compiling it gives an OBJECT bundle, and linking these an EXECUTABLE bundle, which
 * has kernels; building does both steps. Each step makes a new bundle and does not change its
 * inputs, so constants of an input bundle can be set again for another build: values belong to a
 * bundle, not to the process.
 *
 * A bundle does not depend on the images that it was made from: they may be released or
 * unregistered.
 */
typedef struct specpi_bundle_object *specpi_bundle;

/* A built kernel of a bundle, for launches: see launch.h and cache.h. */
typedef struct specpi_kernel_object *specpi_kernel;

/* X(NAME, name): the states of a bundle. */
#define SPECPI_BUNDLE_STATES(X)                                                                    \
  X(INPUT, input)                                                                                  \
  X(OBJECT, object)                                                                                \
  X(EXECUTABLE, executable)

typedef enum specpi_bundle_state {
#define SPECPI_BUNDLE_STATE(NAME, name) SPECPI_BUNDLE_##NAME,
  SPECPI_BUNDLE_STATES(SPECPI_BUNDLE_STATE)
#undef SPECPI_BUNDLE_STATE
      SPECPI_BUNDLE_STATE_COUNT
} specpi_bundle_state;

/*
 * A new input bundle of all these images. Constants of the same name in several images are one
 * constant. Each image has to suit the device.
 *
 * If images call functions that none of them defines, builds of the bundle include the registered
 * images that define them (the best for the device, if there are several), and the bundle has their
 * constants, too. If the default of a constant is in another unit's variable, it is read from
 * there.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, images, an image or bundle is NULL, or count is 0.
 * SPECPI_ERROR_NO_IMAGE: an image is not for the device. SPECPI_ERROR_CONFLICT: a constant has
 * different layouts or defaults in two images, or two images have a kernel of the same name; the
 * message names both images. SPECPI_ERROR_INVALID_IMAGE: two constants of an image share an id.
 * SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCreate(specpi_device device, size_t count, const specpi_image *images,
                                 specpi_bundle *bundle);

/*
 * A new input bundle of the registered image that has a kernel of that name; if several have, of
 * the best one for the device.
 *
 * SPECPI_ERROR_UNKNOWN_KERNEL: no registered image has the kernel. SPECPI_ERROR_NO_IMAGE: no image
 * with the kernel is for the device. Others as specpiBundleCreate.
 */
specpi_result specpiBundleCreateForKernel(specpi_device device, const char *kernel,
                                          specpi_bundle *bundle);

/*
 * A copy of an input bundle, with its present values.
 * SPECPI_ERROR_INVALID_ARGUMENT: input or bundle is NULL. SPECPI_ERROR_INVALID_STATE: input is not
 * in state INPUT. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCopy(specpi_bundle input, specpi_bundle *bundle);

/* Adds a reference. NULL is allowed here and in specpiBundleRelease. */
void specpiBundleRetain(specpi_bundle bundle);
void specpiBundleRelease(specpi_bundle bundle);

/* SPECPI_BUNDLE_STATE_COUNT for NULL. */
specpi_bundle_state specpiBundleGetState(specpi_bundle bundle);
/* The state's name, e.g. "input". */
const char *specpiBundleGetStateName(specpi_bundle bundle);
specpi_device specpiBundleGetDevice(specpi_bundle bundle);

/*
 * Lists: the images; the names of their kernels; the constants, ordered by name. The elements are
 * valid as long as the bundle, and must not be released. A constant's leaves are those of the first
 * image that has it; ids may differ in others. Of the registered images that builds include, only
 * the constants are listed.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or count is NULL, or the list is and capacity is not 0.
 */
specpi_result specpiBundleGetImages(specpi_bundle bundle, size_t capacity, specpi_image *images,
                                    size_t *count);
specpi_result specpiBundleGetKernels(specpi_bundle bundle, size_t capacity, const char **kernels,
                                     size_t *count);
specpi_result specpiBundleGetConstants(specpi_bundle bundle, size_t capacity,
                                       specpi_constant *constants, size_t *count);

/*
 * Sets a constant of an input bundle, in all its images that have it. The bytes are copied.
 *
 * size is the constant's size. For vectors of three, also the size of a vector of four is accepted,
 * because hosts have such types; the fourth element is ignored. A constant counts as a vector of
 * three if it consists of three leaves of the same size or, in images that read constants from a
 * buffer, of one leaf of 3, 6, 12 or 24 bytes.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle, name or value is NULL. SPECPI_ERROR_INVALID_STATE: the
 * bundle is not in state INPUT. SPECPI_ERROR_UNKNOWN_CONSTANT. SPECPI_ERROR_INVALID_SIZE. After an
 * error all values are as before.
 */
specpi_result specpiBundleSet(specpi_bundle bundle, const char *name, size_t size,
                              const void *value);

/*
 * Sets one scalar of a constant: offset and size, in bytes, have to be exactly those of a leaf that
 * is not padding; specpiBundleGetConstants lists them. Other leaves do not change. Images that read
 * constants from a buffer do not record the scalars of structures. In their constants any bytes
 * except padding can be set, so that calls that work for other images work for these, too.
 *
 * SPECPI_ERROR_INVALID_SIZE: there is no such leaf. SPECPI_ERROR_NO_VALUE: the bytes are a part of
 * a structure in a buffer, and its other bytes are neither set nor have a default. Others as
 * specpiBundleSet.
 */
specpi_result specpiBundleSetLeaf(specpi_bundle bundle, const char *name, size_t offset,
                                  size_t size, const void *value);

/*
 * Sets count constants: all of them or, after an error, none; the message names the wrong one. If a
 * constant is in the list twice, the last value counts. Other threads see all values or none.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle is NULL, values is and count is not 0, or a name or value
 * in it is. SPECPI_ERROR_INVALID_TYPE: the type from SPECPI_VALUE is not the constant's, which an
 * image of the bundle, or a registered image with the same kernel, records. Others as
 * specpiBundleSet.
 */
specpi_result specpiBundleSetMany(specpi_bundle bundle, size_t count, const specpi_value *values);

/* Resets a constant to its default. Errors as specpiBundleSet. */
specpi_result specpiBundleReset(specpi_bundle bundle, const char *name);

/*
 * Gets the value of a constant that a build would use or, in states other than INPUT, used: the one
 * that was set, or else the default. size is as in specpiBundleSet; bytes past the constant's size
 * become 0, and so does padding that was not set.
 *
 * SPECPI_ERROR_NO_VALUE: the constant or a part of it was not set, and the image does not record
 * the default. SPECPI_ERROR_CONFLICT: objects with different values of the constant were linked;
 * each kept its own. SPECPI_ERROR_INVALID_ARGUMENT, SPECPI_ERROR_UNKNOWN_CONSTANT,
 * SPECPI_ERROR_INVALID_SIZE as specpiBundleSet.
 */
specpi_result specpiBundleGet(specpi_bundle bundle, const char *name, size_t size, void *value);

/*
 * Compiles an input bundle with its present values to a new object bundle. options are added to the
 * images' own; NULL is the same as "".
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: input or object is NULL. SPECPI_ERROR_INVALID_STATE: the bundle is
 * not in state INPUT. SPECPI_ERROR_BUILD_FAILED: the compiler failed (the message has the start of
 * its output, specpiGetBuildLog all of it), or the device lacks a needed compiler or linker.
 * SPECPI_ERROR_NO_VALUE: an image reads its constants from a buffer, and one has neither value nor
 * default. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCompile(specpi_bundle input, const char *options, specpi_bundle *object);

/*
 * Links object bundles of one device to a new executable bundle with the constants of all. Each
 * object keeps the values that it was compiled with, which may differ between objects. The objects
 * together must define all functions that they call.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: objects, an object or executable is NULL, count is 0, or the
 * devices differ. SPECPI_ERROR_INVALID_STATE: one is not in state OBJECT. SPECPI_ERROR_CONFLICT: as
 * specpiBundleCreate. Others as specpiBundleCompile.
 */
specpi_result specpiBundleLink(size_t count, const specpi_bundle *objects, const char *options,
                               specpi_bundle *executable);

/*
 * Builds an input bundle with its present values to a new executable bundle. Each image becomes a
 * program of its own, linked with the images that define the functions that it calls. All kernels
 * are built; to build only a few of many, call specpiBundleGetKernel. On CUDA, threads build
 * several kernels at the same time. They receive no signals, and have ended when this returns.
 *
 * SPECPI_ERROR_BUILD_FAILED: also if no image defines such a function; the message names the
 * function, its caller, and the caller's place. SPECPI_ERROR_CONFLICT: two images that are linked
 * define the same kernel or function. Parameters and other errors as specpiBundleCompile.
 */
specpi_result specpiBundleBuild(specpi_bundle input, const char *options,
                                specpi_bundle *executable);

/*
 * The buffer from which a kernel of an executable bundle reads its constants; NULL if the constants
 * are in the code, or if the plugin fills a buffer. Launches pass it if the image names the
 * argument (property set "specpi/buffer arguments"). In other images, which DPC++ compiled ahead of
 * time, it is an ordinary argument, which the caller has to pass. The bundle owns the buffer.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle, kernel or buffer is NULL. SPECPI_ERROR_INVALID_STATE: the
 * bundle is not executable. SPECPI_ERROR_UNKNOWN_KERNEL.
 */
specpi_result specpiBundleGetConstantsBuffer(specpi_bundle bundle, const char *kernel,
                                             pi_mem *buffer);

/*
 * The compiler's or linker's output of this thread's latest failed build; "" before the first one.
 * Valid until the thread's next failed build.
 */
const char *specpiGetBuildLog(void);

/*
 * Returns the output of the driver's compiler and linker from successful builds of a bundle's
 * programs: a list of characters without a NUL at the end, empty if there was no output. For a
 * program from the cache it is the log of its build or, if it was read from a file, of loading it.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or count is NULL, or text is and capacity is not 0.
 * SPECPI_ERROR_INVALID_STATE: the bundle is in state INPUT.
 */
specpi_result specpiBundleGetLog(specpi_bundle bundle, size_t capacity, char *text, size_t *count);

/*
 * Gets the driver's binary of an image, in a bundle that was compiled, linked or built: code for
 * the device, with the values of its constants in it unless the image reads them from a buffer.
 * Copies the binary if it fits into capacity bytes, and writes its size to *size. Images that were
 * linked share one binary.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or size is NULL, bytes is and capacity is not 0, or there
 * is no such image. SPECPI_ERROR_INVALID_STATE: the bundle is in state INPUT.
 * SPECPI_ERROR_UNSUPPORTED: the driver does not return a binary. SPECPI_ERROR_DRIVER,
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleGetBinary(specpi_bundle bundle, size_t image, size_t capacity,
                                    void *bytes, size_t *size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#include <specpi/launch.h>

#include <specpi/cache.h>

#include <specpi/image_file.h>

#include <specpi/identifiable.h>

#include <specpi/interop.h>

#endif
