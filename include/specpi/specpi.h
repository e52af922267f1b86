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
 *  - Plugins are loaded on first use, once per process, and stay until it ends. Handles
 *    of plugins, platforms and devices, and texts about them, are valid for as long and
 *    are not released.
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
 *  - SPECPI_CACHE_DIR: the directory in which built programs are kept, see cache.h. Ignored in
 *    such a process, too.
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
 * X(NAME, name, file): every backend whose plugin libspecpi looks for, in the order in
 * which they are searched and listed: the name in selectors and lists, and the plugin's
 * file name, which is the one that SYCL runtimes look for.
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
 * X(NAME, name): what became of a plugin file.
 * READY: loaded, has at least one device. IDLE: loaded, has no device; the reason says
 * why. REFUSED: the file is there and cannot be used; the reason says why. ABSENT: there
 * is no such file.
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
 * X(NAME): what a plugin without a platform says of its driver, as far as it does. ABSENT: its
 * library cannot be loaded. OLD: its version is too early. BROKEN: it is not used, because it ends
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

/* The name of a code, "SPECPI_ERROR_OUT_OF_MEMORY", and what it means in general. "?" for others.
 */
const char *specpiResultGetName(specpi_result result);
const char *specpiResultGetText(specpi_result result);

/*
 * The message of this thread's latest failure in this library: what was wrong with which value. ""
 * before the first one. Valid until the thread's next failure.
 */
const char *specpiGetLastError(void);

/* The name of a backend in selectors, e.g. "level_zero", and its plugin's file name. NULL for no
 * backend. */
const char *specpiBackendGetName(specpi_backend backend);
const char *specpiBackendGetFileName(specpi_backend backend);

/* ---- Plugins ---- */

/*
 * The directories in which plugins are searched, in order: the absolute ones of
 * SPECPI_PLUGIN_PATH, then that of libspecpi. Loads nothing.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: count is NULL, or directories is and capacity is not 0.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiPluginDirectoriesGet(size_t capacity, const char **directories, size_t *count);

/*
 * Every file that was tried for a backend, in the order of the directories. The first one that
 * loads is the backend's plugin; later directories are not tried. Loads it if it is not loaded
 * yet, and lists its platforms and devices.
 *
 * A file that cannot be used is no failure; its state and reason tell.
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
/* The state of an IDLE plugin's driver, which the reason says in words. */
specpi_driver_state specpiPluginGetDriverState(specpi_plugin plugin);
/* The version that the plugin reports, e.g. "15.47.1"; "" when it is not loaded. */
const char *specpiPluginGetVersion(specpi_plugin plugin);
/*
 * The entries of the table that the plugin leaves empty, separated by blanks; "" if none.
 * They are filled with functions which return PI_ERROR_UNSUPPORTED_FEATURE;
 * specpiGetLastError then says which one was called.
 */
const char *specpiPluginGetMissing(specpi_plugin plugin);
/*
 * The plugin's functions, for direct calls; no entry is NULL. With "calls" in SPECPI_TRACE
 * these are wrappers that print, otherwise the plugin's own. NULL when it is not loaded.
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
/* The texts are "" where the plugin does not answer. */
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
 * partitionable. "!" discards what the term selects, sub-devices of a discarded device included; it
 * has priority over selection. If all terms discard, all other root devices are selected. As in
 * DPC++, nothing between two separators, or at an end, is skipped. A term that matches nothing is
 * not an error.
 *
 * Without any device of Level Zero, a term that names level_zero selects those of CUDA, which SYCL
 * programs know by that name.
 *
 * selector NULL stands for the value of ONEAPI_DEVICE_SELECTOR when the function is called. An
 * empty selector, or an unset variable, selects all root devices. Only the plugins of backends that
 * the selector names are loaded. Each device comes once, ordered by backend, number, and the first
 * term that selects it.
 *
 * SPECPI_ERROR_INVALID_SELECTOR: not in the grammar; the message names the term, the position and
 * what is allowed. Others as specpiPluginDirectoriesGet.
 */
specpi_result specpiDevicesGet(const char *selector, size_t capacity, specpi_device *devices,
                               size_t *count);

/*
 * The same devices, the best first: the first is the default of a program without a wish of its
 * own, or the first that specpiImageSelect has an image for. Devices that take SPIR-V come before
 * those that take PTX alone, and these before others; of equals GPUs before CPUs before
 * accelerators before others; of equals OpenCL's come last; and others as specpiDevicesGet has
 * them. SPECPI_TRACE=loader says which is first.
 */
specpi_result specpiDevicesGetPreferred(const char *selector, size_t capacity,
                                        specpi_device *devices, size_t *count);

/* The selector that selects this device alone, e.g. "opencl:0" or "level_zero:1.0". */
const char *specpiDeviceGetSelector(specpi_device device);
/* The texts are the plugin's, unchanged, and "" where it does not answer. */
const char *specpiDeviceGetName(specpi_device device);
const char *specpiDeviceGetVendor(specpi_device device);
/* The version of what the device supports, e.g. "OpenCL 3.0 (Build 0)". */
const char *specpiDeviceGetVersion(specpi_device device);
const char *specpiDeviceGetDriverVersion(specpi_device device);
/* One of PI_DEVICE_TYPE_CPU, _GPU, _ACC, _CUSTOM. 0 for NULL, or when the plugin does not answer.
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

/* A device image as compilers hand it to __sycl_register_lib, checked and decoded. */
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
  uint32_t id;     /* what piextProgramSetSpecializationConstant takes; PI_SPEC_ID_PADDING */
  uint32_t offset; /* bytes from the constant's begin */
  uint32_t size;   /* bytes */
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
 * Checks one image and decodes its properties. Nothing is copied but numbers: binary, and
 * all that it points to, must stay valid and unchanged until specpiImageRelease. Pointers
 * are taken for valid; everything that they lead to is checked, lengths first.
 *
 * A constant's size is the end of its last leaf. Where constants are read from a buffer, padding
 * does not count: there it stands between constants. That is in images that have the property set
 * "specpi/buffer arguments", and in all others but those whose target is "spir64" or "spir", and
 * PTX with the trailer of specpi's compiler.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: binary or image is NULL. SPECPI_ERROR_INVALID_IMAGE: a
 * version, kind, format or property type that is not known, a table whose end lies before its
 * begin or which is not a whole number of elements, a missing name, a property whose size
 * contradicts its content, a constant whose leaves overlap, defaults whose size is not that
 * of all constants, constants of more than 64 MiB without defaults. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageCreate(const pi_device_binary_struct *binary, specpi_image *image);
/* NULL is allowed. */
void specpiImageRelease(specpi_image image);

/* E.g. "spir64". */
const char *specpiImageGetTarget(specpi_image image);
/* "" when the image has none. */
const char *specpiImageGetCompileOptions(specpi_image image);
const char *specpiImageGetLinkOptions(specpi_image image);
/*
 * The format of the image's bytes: as its header says or, when that is NONE, as the first bytes
 * show. NATIVE is device code, including PTX. PI_DEVICE_BINARY_TYPE_NONE when neither says, and for
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
 * Lists the type of each leaf of each constant, one constant after the other, as
 * specpiImageGetConstants orders them: "bool", "i8" to "i64", "f16" to "f64". Images do not record
 * types: they are read from SPIR-V, and NULL where that does not tell, for padding, and in images
 * of other formats. The texts are the library's.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: image or count is NULL, or types is and capacity is not 0.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageGetLeafTypes(specpi_image image, size_t capacity, const char **types,
                                      size_t *count);

/*
 * X(NAME, name): kinds of parameters of kernels. VALUE: passed by value. POINTER: to global or
 * constant memory. LOCAL: to memory of each work-group. REMOVED: the compiler removed it, so that
 * an argument is passed over. UNKNOWN: the code does not say.
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

/* Accesses of a kernel through a pointer, as far as the compiler found out. */
typedef enum specpi_access {
  SPECPI_ACCESS_UNKNOWN,
  SPECPI_ACCESS_READ,    /* nothing is written through it */
  SPECPI_ACCESS_WRITTEN, /* something is, unless that code is never reached */
} specpi_access;

enum { SPECPI_TYPE_SIZE = 160 };

/* A parameter of a kernel, as the code declares it. */
typedef struct specpi_parameter {
  specpi_parameter_kind kind;
  specpi_access access;
  size_t size;         /* bytes of the argument; 0: not known, or the host's to choose */
  size_t pointee_size; /* bytes of what a pointer leads to; 0: not known */
  /* "bool", "i8" to "i64", "f16" to "f64" when a value, or what a pointer leads to, consists of
   * such scalars alone, as one, an array or a vector; else NULL. Integers have no sign. */
  const char *scalar;
  bool may_be_void; /* a pointer to bytes of which nothing says that it is none to void */
  /* For people, cut at its end: "global f32*", "struct s of 8 bytes". */
  char type[SPECPI_TYPE_SIZE];
} specpi_parameter;

/*
 * Lists the parameters of a kernel as specpiKernelLaunch takes arguments: in the source's order,
 * without the buffer of constants. SPIR-V tells all of it, PTX sizes. None are listed
 * where the code tells nothing, or has no such kernel. The texts are the library's.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: image, kernel or count is NULL, or parameters is and capacity is
 * not 0. SPECPI_ERROR_INVALID_IMAGE: what the image says of the arguments contradicts its code.
 * SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageGetParameters(specpi_image image, const char *kernel, size_t capacity,
                                       specpi_parameter *parameters, size_t *count);
/* The kind's name, e.g. "pointer"; NULL for no kind. */
const char *specpiParameterKindGetName(specpi_parameter_kind kind);

/*
 * Returns whether the compiler removed an argument of a kernel, counted from 0 in the source's
 * order. Such an argument must not be set, and the others are numbered without it. false when the
 * image does not say so.
 */
bool specpiImageIsArgumentEliminated(specpi_image image, const char *kernel, size_t index);

/*
 * Returns whether a build puts the values of the image's constants into its code, as the driver's
 * specialization constants or by patching the PTX, so that the code is optimized for them. false
 * when the code reads them from a buffer, when the compiler put the defaults in their place, when
 * there are no constants, and for NULL.
 */
bool specpiImageHasNativeConstants(specpi_image image);

/* ---- Registered images ---- */

/*
 * Registers the table of images that a compiler puts into an object. Objects that DPC++ or
 * specpi-cc wrapped call __sycl_register_lib when they are loaded and __sycl_unregister_lib when
 * they are unloaded; these are the same two with a result. libspecpi exports both names, and passes
 * each call on to a SYCL runtime that comes after it in the process.
 *
 * Damaged images are left out, each with a message (SPECPI_TRACE=errors). The table and all that it
 * points to must stay valid until it is unregistered; a table that was registered twice has to be
 * unregistered twice.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: binaries is NULL, or (unregister) is not registered.
 * SPECPI_ERROR_INVALID_IMAGE: the table's version is not PI_DEVICE_BINARIES_VERSION, or it has
 * images and no pointer to them. SPECPI_ERROR_OUT_OF_MEMORY: nothing of it is registered.
 */
specpi_result specpiRegister(const pi_device_binaries_struct *binaries);
/*
 * The images are gone when this returns. Bundles that were made of them, and what was built
 * from those, go on working: they have copies.
 */
specpi_result specpiUnregister(const pi_device_binaries_struct *binaries);

/* The calls that compilers put into objects; failures are only traced. */
void __sycl_register_lib(pi_device_binaries binaries);
void __sycl_unregister_lib(pi_device_binaries binaries);

/*
 * All registered images, in the order in which they came. They are the library's, valid until
 * their table is unregistered, and must not be released.
 * SPECPI_ERROR_INVALID_ARGUMENT: count is NULL, or images is and capacity is not 0.
 */
specpi_result specpiImagesGet(size_t capacity, specpi_image *images, size_t *count);

/*
 * Which of count images is the best for a device, as its plugin says (piextDeviceSelectBinary);
 * native code comes before SPIR-V.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, images, an image or index is NULL, or count is 0 or above
 * UINT32_MAX. SPECPI_ERROR_NO_IMAGE: none suits. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiImageSelect(specpi_device device, size_t count, const specpi_image *images,
                                size_t *index);

/*
 * The context of a device: one for each, made on first use, kept by the library. Programs,
 * kernels, buffers and queues of this library live in it. A sub-device has its own.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device or context is NULL. SPECPI_ERROR_DRIVER: the plugin
 * cannot make one. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiDeviceGetContext(specpi_device device, pi_context *context);

/* ---- Bundles ---- */

/*
 * A bundle is a set of images for one device, in one of three states. Constants have values in
 * an INPUT bundle. Compiling it gives an OBJECT bundle, linking these an EXECUTABLE one, building
 * it does both; kernels come from that. Each step gives a new bundle and leaves its inputs as they
 * are, so an input bundle can be set and built again: values belong to a bundle, not to a process.
 *
 * A bundle is independent of the images that it was made of: they may be released or unregistered.
 */
typedef struct specpi_bundle_object *specpi_bundle;

/* A kernel of a bundle that is built, to be launched: see launch.h, and cache.h. */
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
 * A new input bundle of all these images. Constants of one name in several images are one constant.
 * Each image has to suit the device.
 *
 * Where images call functions that none of them defines, the bundle's builds include the registered
 * images that do (of several the best for the device), and the bundle has their constants, too. A
 * constant whose default is in another unit's variable takes it from there.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: device, images, an image or bundle is NULL, or count is 0.
 * SPECPI_ERROR_NO_IMAGE: an image is not for the device. SPECPI_ERROR_CONFLICT: a constant has
 * another layout or another default in one image than in another, or two have a kernel of the same
 * name; the message names both images. SPECPI_ERROR_INVALID_IMAGE: two constants of one image share
 * an id. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCreate(specpi_device device, size_t count, const specpi_image *images,
                                 specpi_bundle *bundle);

/*
 * A new input bundle of the registered image that has a kernel of that name: of several, the best
 * one for the device.
 *
 * SPECPI_ERROR_UNKNOWN_KERNEL: no registered image has one. SPECPI_ERROR_NO_IMAGE: none of them
 * is for the device. Others as specpiBundleCreate.
 */
specpi_result specpiBundleCreateForKernel(specpi_device device, const char *kernel,
                                          specpi_bundle *bundle);

/*
 * A new input bundle like one that there is, with the values that this has now.
 * SPECPI_ERROR_INVALID_ARGUMENT: input or bundle is NULL. SPECPI_ERROR_INVALID_STATE: input is not
 * in state INPUT. SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCopy(specpi_bundle input, specpi_bundle *bundle);

/* Adds a reference. NULL is fine, and so it is for specpiBundleRelease. */
void specpiBundleRetain(specpi_bundle bundle);
void specpiBundleRelease(specpi_bundle bundle);

/* SPECPI_BUNDLE_STATE_COUNT for NULL. */
specpi_bundle_state specpiBundleGetState(specpi_bundle bundle);
/* The state's name, e.g. "input". */
const char *specpiBundleGetStateName(specpi_bundle bundle);
specpi_device specpiBundleGetDevice(specpi_bundle bundle);

/*
 * Lists: the images; the names of their kernels; the constants, ordered by name. What they
 * point to is valid as long as the bundle, and must not be released. A constant's leaves are
 * those of the first image that has it; ids may differ in others. Of images that builds need
 * besides, only the constants are listed.
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
 * size is the constant's. A vector of three is 12 bytes of 4-byte elements to the compiler, and 16
 * to a host that has such a type: three leaves alike and nothing else (or, in images that read
 * constants from a buffer, a single leaf that size) take the size of a fourth, too, which is
 * ignored.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle, name or value is NULL. SPECPI_ERROR_INVALID_STATE: the
 * bundle is not in state INPUT. SPECPI_ERROR_UNKNOWN_CONSTANT. SPECPI_ERROR_INVALID_SIZE. After an
 * error all values are as before.
 */
specpi_result specpiBundleSet(specpi_bundle bundle, const char *name, size_t size,
                              const void *value);

/*
 * Sets one scalar of a constant: offset and size, in bytes, have to be exactly those of a leaf
 * that is not padding; specpiBundleGetConstants lists them. The others stay as they are. Images
 * that read constants from a buffer do not say what a structure consists of: of theirs any bytes
 * can be set that do not touch padding, so what works for other images works for these.
 *
 * SPECPI_ERROR_INVALID_SIZE: there is no such leaf. SPECPI_ERROR_NO_VALUE: it is a part of a
 * structure in a buffer whose other bytes are neither set nor have a default. Others as
 * specpiBundleSet.
 */
specpi_result specpiBundleSetLeaf(specpi_bundle bundle, const char *name, size_t offset,
                                  size_t size, const void *value);

/*
 * Sets count constants: all of them, or none after an error, whose message names the wrong one. Of
 * two values for one constant the last one counts. Threads see all values or none.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle is NULL, values is and count is not 0, or a name or value
 * in it is. SPECPI_ERROR_INVALID_TYPE: SPECPI_VALUE gave another type than the constant's, where an
 * image of the bundle, or a registered one with the same kernel, records the type. Others as
 * specpiBundleSet.
 */
specpi_result specpiBundleSetMany(specpi_bundle bundle, size_t count, const specpi_value *values);

/* Gives a constant its default back. Errors as specpiBundleSet. */
specpi_result specpiBundleReset(specpi_bundle bundle, const char *name);

/*
 * The value that a build would use, or, in other states, that was used: what was set, else the
 * default. size is as in specpiBundleSet; bytes beyond the constant's size become 0, and so does
 * padding that nobody set.
 *
 * SPECPI_ERROR_NO_VALUE: it was not set, or not all of it, and the image does not say what the
 * default is. SPECPI_ERROR_CONFLICT: objects with different values of it were linked; each kept
 * its own. SPECPI_ERROR_INVALID_ARGUMENT, SPECPI_ERROR_UNKNOWN_CONSTANT, SPECPI_ERROR_INVALID_SIZE
 * as specpiBundleSet.
 */
specpi_result specpiBundleGet(specpi_bundle bundle, const char *name, size_t size, void *value);

/*
 * Compiles an input bundle in its present state to a new object bundle. options are added to the
 * images' own; NULL is the same as "".
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: input or object is NULL. SPECPI_ERROR_INVALID_STATE: the bundle is
 * not in state INPUT. SPECPI_ERROR_BUILD_FAILED: the message begins with the compiler's words,
 * specpiGetBuildLog has all of them; or the device has no compiler, or no linker where code is
 * linked. SPECPI_ERROR_NO_VALUE: an image reads its constants from a buffer, and there is neither
 * value nor default for one. SPECPI_ERROR_DRIVER, SPECPI_ERROR_OUT_OF_MEMORY.
 */
specpi_result specpiBundleCompile(specpi_bundle input, const char *options, specpi_bundle *object);

/*
 * Links object bundles of one device to a new executable bundle with the constants of all. Values
 * count as they were compiled: objects may have different ones for one constant. All functions that
 * they call have to be theirs.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: objects, an object or executable is NULL, count is 0, or the
 * devices differ. SPECPI_ERROR_INVALID_STATE: one is not in state OBJECT. SPECPI_ERROR_CONFLICT: as
 * specpiBundleCreate. Others as specpiBundleCompile.
 */
specpi_result specpiBundleLink(size_t count, const specpi_bundle *objects, const char *options,
                               specpi_bundle *executable);

/*
 * Builds an input bundle in its present state to a new executable bundle. Each image becomes a
 * program of its own, linked with the images that define the functions that it calls. All kernels
 * are built; to build only a few of many, call specpiBundleGetKernel.
 *
 * SPECPI_ERROR_BUILD_FAILED: also when no image defines such a function; the message names it, its
 * caller, and where the caller is. SPECPI_ERROR_CONFLICT: two images that are linked define the
 * same. Parameters and other errors as specpiBundleCompile.
 */
specpi_result specpiBundleBuild(specpi_bundle input, const char *options,
                                specpi_bundle *executable);

/*
 * The buffer that a kernel of an executable bundle reads its constants from; NULL when it has none,
 * because its constants are in its code, or the plugin fills the buffer. Launches set it where the
 * image names the argument (property set "specpi/buffer arguments"). In other images, those that
 * DPC++ compiled ahead of time, it is an argument like others, for the caller to pass. It is the
 * bundle's.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle, kernel or buffer is NULL. SPECPI_ERROR_INVALID_STATE: the
 * bundle is not executable. SPECPI_ERROR_UNKNOWN_KERNEL.
 */
specpi_result specpiBundleGetConstantsBuffer(specpi_bundle bundle, const char *kernel,
                                             pi_mem *buffer);

/*
 * The compiler's or linker's output in this thread's latest SPECPI_ERROR_BUILD_FAILED; "" before
 * the first one. Valid until the thread's next one.
 */
const char *specpiGetBuildLog(void);

/*
 * Returns the output of the driver's compiler and linker for a bundle's programs, whose builds did
 * not fail: a list of characters without a NUL at the end, empty when there was none. For a program
 * from the cache it is the log of its build or, if it was read from a file, of reading it.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or count is NULL, or text is and capacity is not 0.
 * SPECPI_ERROR_INVALID_STATE: the bundle is in state INPUT.
 */
specpi_result specpiBundleGetLog(specpi_bundle bundle, size_t capacity, char *text, size_t *count);

/*
 * The driver's binary of an image of a bundle that was compiled, linked or built: code for the
 * device, with the values of its constants in it unless the image reads them from a buffer. Copies
 * the binary if it fits into capacity bytes, and puts its size into *size. Images that were linked
 * have one binary.
 *
 * SPECPI_ERROR_INVALID_ARGUMENT: bundle or size is NULL, bytes is and capacity is not 0, or there
 * is no such image. SPECPI_ERROR_INVALID_STATE: the bundle is in state INPUT.
 * SPECPI_ERROR_UNSUPPORTED: the driver has no binary of it. SPECPI_ERROR_DRIVER,
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
