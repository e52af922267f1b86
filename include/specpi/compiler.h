/*
 * libspecpi-compiler: assigns numeric ids to the specialization constants of an LLVM module, lowers
 * their uses, and reports the facts that a runtime needs to set them by name.
 *
 *   specpi_compiler compiler;
 *   specpi_compiler_module module;
 *   specpi_compiler_output output;
 *   const specpi_compiler_options options = {.mode = SPECPI_COMPILER_MODE_NATIVE};
 *   const void *bitcode;
 *   size_t size;
 *   if (specpiCompilerCreate(&compiler) != SPECPI_COMPILER_SUCCESS ||
 *       specpiCompilerModuleReadFile(compiler, "kernel.bc", &module) != SPECPI_COMPILER_SUCCESS ||
 *       specpiCompilerLower(module, &options, &output) != SPECPI_COMPILER_SUCCESS ||
 *       specpiCompilerOutputGetData(output, SPECPI_COMPILER_FORM_BC, &bitcode, &size) !=
 *           SPECPI_COMPILER_SUCCESS)
 *     fprintf(stderr, "%s\n", specpiCompilerGetLastError());
 *
 * Conventions:
 *  - A function that can fail returns a specpi_compiler_result; specpiCompilerGetLastError has the
 *    message. Outputs are untouched on failure.
 *  - Release everything made from a compiler or a module before the compiler or the module.
 *    Releasing NULL does nothing.
 *  - One thread at a time may use a compiler and everything made from it. Different compilers may
 *    be used at the same time.
 *  - The library does not end the process, whatever the input is: LLVM's own fatal errors become
 *    SPECPI_COMPILER_ERROR_INTERNAL, after which the compiler refuses to work. For this it installs
 *    LLVM's process-wide fatal error handler, once; errors of other users of LLVM in the process
 *    are handled as LLVM does by default. The one exception is exhausted memory inside LLVM, which
 *    LLVM cannot report.
 *  - The environment is not read.
 */
#ifndef SPECPI_COMPILER_H
#define SPECPI_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* X(name, value, text): every result code. */
#define SPECPI_COMPILER_RESULTS(X)                                                                 \
  X(SPECPI_COMPILER_SUCCESS, 0, "success")                                                         \
  X(SPECPI_COMPILER_ERROR_INVALID_ARGUMENT, -1, "an argument is not valid")                        \
  X(SPECPI_COMPILER_ERROR_OUT_OF_MEMORY, -2, "host memory is exhausted")                           \
  X(SPECPI_COMPILER_ERROR_FILE, -3, "a file cannot be read")                                       \
  X(SPECPI_COMPILER_ERROR_INVALID_MODULE, -4, "the input is no valid LLVM module")                 \
  X(SPECPI_COMPILER_ERROR_INVALID_TARGET, -5, "the target is unknown, or not the module's")        \
  X(SPECPI_COMPILER_ERROR_INVALID_CALL, -6, "a use of a constant is not well formed")              \
  X(SPECPI_COMPILER_ERROR_INVALID_NAME, -7, "the name of a constant cannot be determined")         \
  X(SPECPI_COMPILER_ERROR_INVALID_DEFAULT, -8, "the default of a constant cannot be determined")   \
  X(SPECPI_COMPILER_ERROR_UNSUPPORTED_TYPE, -9, "a constant has a type that cannot be lowered")    \
  X(SPECPI_COMPILER_ERROR_CONFLICT, -10, "a constant, or its id, exists and is another one")       \
  X(SPECPI_COMPILER_ERROR_LIMIT, -11, "a constant, or all of them together, are too large")        \
  X(SPECPI_COMPILER_ERROR_INTERNAL, -12, "LLVM failed, or this library has a fault")               \
  X(SPECPI_COMPILER_ERROR_INVALID_PROPERTIES, -13, "the input is no collection of property sets")  \
  X(SPECPI_COMPILER_ERROR_UNRESOLVED, -14, "what the code calls is defined nowhere")               \
  X(SPECPI_COMPILER_ERROR_INVALID_KERNEL, -15, "a kernel has what devices cannot do")

typedef enum specpi_compiler_result {
#define SPECPI_COMPILER_RESULT(name, value, text) name = (value),
  SPECPI_COMPILER_RESULTS(SPECPI_COMPILER_RESULT)
#undef SPECPI_COMPILER_RESULT
} specpi_compiler_result;

/*
 * X(NAME, name): the ways to lower uses of constants.
 * NATIVE: each scalar of a constant becomes a SPIR-V specialization constant.
 * EMULATE: each use becomes a load from a buffer, in which a runtime stores all constants, each at
 * its position. The buffer is the use's third argument, or, where that is NULL, an argument of the
 * kernel, see specpiCompilerOutputGetKernel.
 * DEFAULT: each use becomes the default; constants can no longer be set.
 * PATCH: for NVPTX only. Each scalar of a constant becomes an immediate in the generated code. The
 * trailer of the code lists the places, so that a loader can write other values there, see
 * specpiCompilerOutputGenerate.
 */
#define SPECPI_COMPILER_MODES(X)                                                                   \
  X(NATIVE, native)                                                                                \
  X(EMULATE, emulate)                                                                              \
  X(DEFAULT, default)                                                                              \
  X(PATCH, patch)

typedef enum specpi_compiler_mode {
#define SPECPI_COMPILER_MODE(NAME, name) SPECPI_COMPILER_MODE_##NAME,
  SPECPI_COMPILER_MODES(SPECPI_COMPILER_MODE)
#undef SPECPI_COMPILER_MODE
      SPECPI_COMPILER_MODE_COUNT
} specpi_compiler_mode;

/*
 * X(NAME, name): the forms of an output.
 * LL: LLVM assembly. BC: LLVM bitcode. PROP: the property sets, in the form of .prop files.
 * JSON: the constants, as docs/internals/compiler.md says.
 */
#define SPECPI_COMPILER_FORMS(X)                                                                   \
  X(LL, ll)                                                                                        \
  X(BC, bc)                                                                                        \
  X(PROP, prop)                                                                                    \
  X(JSON, json)

typedef enum specpi_compiler_form {
#define SPECPI_COMPILER_FORM(NAME, name) SPECPI_COMPILER_FORM_##NAME,
  SPECPI_COMPILER_FORMS(SPECPI_COMPILER_FORM)
#undef SPECPI_COMPILER_FORM
      SPECPI_COMPILER_FORM_COUNT
} specpi_compiler_form;

/* The id of a descriptor of padding bytes, which cannot be set. */
#define SPECPI_COMPILER_PADDING 0xFFFFFFFFu

/* A constant of at most this many bytes can be lowered. */
#define SPECPI_COMPILER_CONSTANT_MAX (1u << 20)

typedef enum specpi_compiler_kind {
  SPECPI_COMPILER_KIND_SCALAR,    /* one number or boolean */
  SPECPI_COMPILER_KIND_COMPOSITE, /* a vector, an array or a structure */
} specpi_compiler_kind;

/*
 * A part of a constant: its numeric id, and its offset in the constant and size in bytes. Parts are
 * sorted by offset. Padding between two parts is not listed; padding at the end of a constant is,
 * as a part with the id SPECPI_COMPILER_PADDING.
 */
typedef struct specpi_compiler_descriptor {
  uint32_t id;
  uint32_t offset;
  uint32_t size;
} specpi_compiler_descriptor;

/* A constant of an output. The pointers are valid as long as the output. */
typedef struct specpi_compiler_constant {
  const char *name; /* the symbolic id */
  specpi_compiler_kind kind;
  uint32_t size;            /* size of the default in bytes */
  uint32_t position;        /* offset of the default in the output's defaults, in bytes */
  const void *default_data; /* size bytes, little endian; bytes of padding are 0 */
  size_t descriptor_count;  /* at least 1 */
  const specpi_compiler_descriptor *descriptors;
} specpi_compiler_constant;

/* The level at which a module was optimised before, or UNKNOWN. */
typedef enum specpi_compiler_optimization {
  SPECPI_COMPILER_OPTIMIZATION_UNKNOWN,
  SPECPI_COMPILER_OPTIMIZATION_O0,
  SPECPI_COMPILER_OPTIMIZATION_O1,
  SPECPI_COMPILER_OPTIMIZATION_O2,
  SPECPI_COMPILER_OPTIMIZATION_O3,
} specpi_compiler_optimization;

/* Options for lowering a module. Zero is the default of each member. */
typedef struct specpi_compiler_options {
  specpi_compiler_mode mode;
  /*
   * The target: "spir", "spir64" or "nvptx64", or a triple that begins with one of them; NULL for
   * the module's own. A module without a triple or data layout gets the target's.
   */
  const char *target;
  /*
   * The value of the property optLevel, from which SYCL runtimes take build options. UNKNOWN: the
   * value of the kernels' attributes "sycl-optlevel", or no property if they have none.
   */
  specpi_compiler_optimization optimization;
} specpi_compiler_options;

typedef struct specpi_compiler_object *specpi_compiler;
typedef struct specpi_compiler_module_object *specpi_compiler_module;
typedef struct specpi_compiler_output_object *specpi_compiler_output;

/* ---- Errors ---- */

/* The name of a code, and its general meaning. "?" for unknown codes. */
const char *specpiCompilerResultGetName(specpi_compiler_result result);
const char *specpiCompilerResultGetText(specpi_compiler_result result);

/*
 * The message of this thread's latest failure in this library: which function of the module, which
 * constant, and what was wrong. "" before the first one. Valid until the thread's next failure.
 */
const char *specpiCompilerGetLastError(void);

/* ---- Names ---- */

/* The name of a mode or a form, e.g. "native"; NULL for others. */
const char *specpiCompilerModeGetName(specpi_compiler_mode mode);
const char *specpiCompilerFormGetName(specpi_compiler_form form);

/* ---- Compilers and modules ---- */

/* Makes a compiler; *ret is released with specpiCompilerRelease. INVALID_ARGUMENT, OUT_OF_MEMORY.
 */
specpi_compiler_result specpiCompilerCreate(specpi_compiler *ret);
void specpiCompilerRelease(specpi_compiler compiler);

/*
 * Reads LLVM assembly or bitcode from size bytes of memory, which are copied, and verifies it. name
 * is its name in errors, e.g. a file name. The module may have typed or opaque pointers, but one
 * compiler reads modules of one kind only.
 *
 * INVALID_ARGUMENT: a NULL. INVALID_MODULE: LLVM cannot read it, the verifier refuses it, or the
 * name of a symbol has a NUL in it. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerModuleRead(specpi_compiler compiler, const char *name,
                                                const void *data, size_t size,
                                                specpi_compiler_module *ret);

/* The same from a file. FILE: it cannot be read. */
specpi_compiler_result specpiCompilerModuleReadFile(specpi_compiler compiler, const char *path,
                                                    specpi_compiler_module *ret);
void specpiCompilerModuleRelease(specpi_compiler_module module);

/*
 * Writes a module as LLVM assembly (LL) or bitcode (BC): *data receives *size bytes, which the
 * caller frees with free, and a NUL after them. INVALID_ARGUMENT: a NULL, or another form.
 * OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerModuleWrite(specpi_compiler_module module,
                                                 specpi_compiler_form form, void **data,
                                                 size_t *size);

/*
 * Optimises a module of SPIR in place, before specpiCompilerLower and for SPIR-V, as clang -O2
 * does, except that it keeps no-overflow flags of additions and the form of loops, and makes
 * nothing that SPIR-V or its translator lack. The module is one that clang compiled without its
 * passes (-Xclang -disable-llvm-passes). Modules of one compiler are optimised one at a time.
 * level: O0 does nothing; O1 to O3 are the same, because whoever builds the SPIR-V optimises again.
 *
 * INVALID_ARGUMENT: a NULL, or a level that is not O0 to O3. OUT_OF_MEMORY, INTERNAL; then the
 * module may have been changed in part.
 */
specpi_compiler_result specpiCompilerModuleOptimize(specpi_compiler_module module,
                                                    specpi_compiler_optimization level);

/* ---- The kernels of a C++ unit ---- */

/* The maximum length of a unit's id in bytes. */
#define SPECPI_COMPILER_UNIT_ID_MAX 64

/* Options for a C++ unit: for its kernels, or for the variables of its host side. */
typedef struct specpi_compiler_unit_options {
  /*
   * The id of the unit, the same as on the host side. It becomes the image's property
   * "specpi/unit", and the prefix of the ids of constants whose variables other units cannot name.
   * 1 to SPECPI_COMPILER_UNIT_ID_MAX letters, digits, '_', '-' and '.'.
   */
  const char *unit_id;
  /* Drop debug information from the result; the module's is then used by the function only. */
  bool drop_lines;
  /* Keep only lines and functions of the debug information, as clang's -g1 does. */
  bool drop_types;
} specpi_compiler_unit_options;

/*
 * Makes a module of kernels from the module of a C++ unit that clang compiled for SYCL devices
 * without optimisation. The caller releases *ret with specpiCompilerModuleRelease; the module stays
 * as it is. docs/internals/compiler.md says which functions are kernels and how kernels, functions
 * for other images and ids of constants are changed. Code that neither a kernel nor such a function
 * reaches is left out. The result may be optimised before specpiCompilerLower.
 *
 * INVALID_ARGUMENT: a NULL, or an invalid unit_id.
 * INVALID_KERNEL: a kernel, or code that it reaches, does something that devices cannot do; the
 * message names the kernel, the function and the reason.
 * INVALID_CALL, INVALID_NAME: a use of a constant is not well formed, or its id cannot be
 * determined.
 * CONFLICT: two kernels have the same name, or the module was made by this function.
 * OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerModuleMakeKernels(specpi_compiler_module module,
                                                       const specpi_compiler_unit_options *options,
                                                       specpi_compiler_module *ret);

/* ---- The pass ---- */

/*
 * Lowers the constants of a module in a copy of it; the module can be lowered again, in another
 * mode too. docs/internals/compiler.md says which uses are recognised and how each is lowered.
 *
 * INVALID_ARGUMENT: a NULL, or a mode or an optimization that does not exist.
 * INVALID_TARGET: the target is unknown, or the module has another one, or neither is given; mode
 * PATCH for another target than nvptx64.
 * INVALID_CALL, INVALID_NAME, INVALID_DEFAULT, UNSUPPORTED_TYPE: a use of a constant cannot be
 * lowered; the message names the function, the constant and the reason.
 * CONFLICT: two constants of the same name differ in type, or the module has been lowered before.
 * LIMIT: a constant has more than SPECPI_COMPILER_CONSTANT_MAX bytes, or ids run out.
 * OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerLower(specpi_compiler_module module,
                                           const specpi_compiler_options *options,
                                           specpi_compiler_output *ret);
void specpiCompilerOutputRelease(specpi_compiler_output output);

/*
 * Adds code that registers the host module's variables with ids, to a copy of the module. These are
 * the global variables that the module defines with the attributes "sycl-unique-id" and
 * "sycl-uid-kind", or the annotations "sycl-unique-id=ID" and "sycl-uid-kind=KIND" in
 * llvm.global.annotations. An internal constructor before all others calls
 * __register_uniquely_identifiable_object (specpi/identifiable.h) for each of them, and a
 * destructor after all others unregisters it. The output has no constants and no kernels. Variables
 * that an earlier run registered are left alone, and a module without such variables is unchanged.
 * The source is the proposal "Mapping host variables to compiler-generated info", section "Custom
 * host compiler approach".
 *
 * INVALID_ARGUMENT: a NULL. INVALID_TARGET: the module is for a device. INVALID_NAME: a variable
 * has only an id or only a kind, its id or kind is empty or contains a NUL, or the variable is
 * thread_local or in an address space. CONFLICT: a variable has two ids or kinds, two variables
 * have the same id, or the module uses the function's name for something else. INVALID_MODULE: the
 * list of constructors is malformed. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerRegisterVariables(specpi_compiler_module module,
                                                       specpi_compiler_output *ret);

/*
 * Registers the same variables, and those of a unit of include/sycl whose class is
 * specialization_id, spec_id or device_global, in sycl or in a namespace inside. Compile the module
 * with -g, because clang reports classes only in debug information, and do not optimise it before.
 * The id of such a variable is that in the unit's images: its name in object files, after the
 * unit's id and "___" if other units cannot name the variable.
 *
 * Errors as above, and INVALID_ARGUMENT: unit_id is invalid. INVALID_NAME: a variable of such a
 * class is local to a function, or has a name that cannot be an id. INVALID_MODULE: there is no
 * debug information of types.
 */
specpi_compiler_result
specpiCompilerRegisterUnitVariables(specpi_compiler_module module,
                                    const specpi_compiler_unit_options *options,
                                    specpi_compiler_output *ret);

/* ---- Outputs ---- */

/*
 * The output in a form: *data receives bytes that are valid as long as the output, *size their
 * number. Text has a NUL after its last byte, which does not count.
 * INVALID_ARGUMENT, OUT_OF_MEMORY, INTERNAL. INVALID_NAME: the form cannot express the name of a
 * constant: in PROP it has a "=" or a line break, or begins with "["; in JSON it is not UTF-8.
 */
specpi_compiler_result specpiCompilerOutputGetData(specpi_compiler_output output,
                                                   specpi_compiler_form form, const void **data,
                                                   size_t *size);

/*
 * The constants, in the order of their ids and of their first uses in the module. NULL when the
 * index is out of range.
 */
size_t specpiCompilerOutputGetConstantCount(specpi_compiler_output output);
const specpi_compiler_constant *specpiCompilerOutputGetConstant(specpi_compiler_output output,
                                                                size_t index);

/* The defaults of all constants, one after the other; NULL and 0 when there are none. */
const void *specpiCompilerOutputGetDefaults(specpi_compiler_output output, size_t *size);

/* Stands for the index of an argument that a kernel does not have. */
#define SPECPI_COMPILER_NO_ARGUMENT 0xFFFFFFFFu

/* A kernel of an output. The pointers are valid as long as the output. */
typedef struct specpi_compiler_kernel {
  const char *name;
  /*
   * The index of the argument for the constants' buffer, in mode EMULATE. It is the kernel's
   * argument _arg__specialization_constants_buffer if it has one. Otherwise, if a use in the kernel
   * or in a function that it calls had no buffer, it is a new last argument, a pointer to global
   * memory. SPECPI_COMPILER_NO_ARGUMENT: there is none.
   */
  uint32_t buffer_argument;
  /*
   * The work-group size that the kernel's !reqd_work_group_size requires: the fastest dimension
   * first, 1 for missing dimensions. 0, 0, 0: none is required.
   */
  uint32_t required_size[3];
  uint32_t required_sub_group_size; /* of !intel_reqd_sub_group_size; 0 when it requires none */
  /*
   * Set when PTX was generated: the number of bytes that the kernel's own variables take at the
   * start of its dynamic shared memory; 0 if they fit into the static memory that PTX allows a
   * kernel.
   */
  uint32_t local_memory;
} specpi_compiler_kernel;

/*
 * All kernels that the module defines, in the module's order: functions with a kernel's calling
 * convention, and functions that !nvvm.annotations lists as kernels. NULL when the index is out of
 * range.
 */
size_t specpiCompilerOutputGetKernelCount(specpi_compiler_output output);
const specpi_compiler_kernel *specpiCompilerOutputGetKernel(specpi_compiler_output output,
                                                            size_t index);

/*
 * Warnings: doubtful places in the module that were lowered nevertheless, one message each. NULL
 * when the index is out of range.
 */
size_t specpiCompilerOutputGetWarningCount(specpi_compiler_output output);
const char *specpiCompilerOutputGetWarning(specpi_compiler_output output, size_t index);

/* ---- NVPTX code ---- */

/* Options for generating code. Zero is the default of each member but optimization. */
typedef struct specpi_compiler_code_options {
  /*
   * The GPU, e.g. "sm_90"; NULL for "sm_80". For a GPU that this LLVM does not know yet, the code
   * is for the latest earlier one that LLVM knows, which the GPU can run.
   */
  const char *gpu;
  unsigned optimization; /* 0 to 3, as of the compilers' -O */
  /*
   * Paths of bitcode files, e.g. of libclc, which define functions that the module only declares.
   * Functions that are not called are left out.
   */
  const char *const *libraries;
  size_t library_count;
  /*
   * The path of libdevice, a bitcode file of CUDA toolkits; or NULL. Its functions implement those
   * of OpenCL where possible, with priority over the libraries.
   */
  const char *libdevice;
  /*
   * Leave out the entries <kernel>_with_offset (docs/internals/ptx.md). This saves time here and
   * when the text is assembled, but kernels cannot be launched with an offset.
   */
  bool no_offset;
} specpi_compiler_code_options;

/*
 * The GPU for which code is generated when gpu is requested: the same one, or the latest earlier
 * one that this LLVM knows; NULL if gpu is not a GPU's name. gpu NULL means "sm_80". Do not free
 * the result.
 */
const char *specpiCompilerGetKnownGpu(const char *gpu);

/*
 * PTX of an output for nvptx64: *data receives text that lives as long as the output, *size the
 * number of its bytes without the NUL that follows. The text ends with a trailer of comment lines
 * that lists the constants and kernels and, in mode PATCH, the places of the constants' values
 * (docs/internals/ptx.md). In the text each constant has its default. All functions but the kernels
 * become internal, and code that no kernel reaches is left out. A kernel that calls get_global_id
 * or get_global_offset gets a second entry, for launches with an offset.
 *
 * INVALID_ARGUMENT: a NULL, an optimization over 3, or an output of mode NATIVE.
 * INVALID_TARGET: the output is not for nvptx64, or the GPU is not known.
 * FILE: a library cannot be read.
 * INVALID_MODULE: a library is no LLVM module that this version of LLVM can read, or the module
 * cannot be expressed in PTX.
 * UNRESOLVED: functions or variables are used but not defined; the message names them.
 * INVALID_KERNEL: a kernel requires sub-groups of a size other than 32.
 * LIMIT: the text has 4 GiB or more.
 * OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerOutputGenerate(specpi_compiler_output output,
                                                    const specpi_compiler_code_options *options,
                                                    const void **data, size_t *size);

/* ---- Property sets ---- */

typedef struct specpi_compiler_properties_object *specpi_compiler_properties;

typedef enum specpi_compiler_property_type {
  SPECPI_COMPILER_PROPERTY_NUMBER = 1, /* 32 bits */
  SPECPI_COMPILER_PROPERTY_BYTES = 2,
} specpi_compiler_property_type;

/* A property. The pointers are valid as long as the sets. */
typedef struct specpi_compiler_property {
  const char *name;
  specpi_compiler_property_type type;
  uint32_t number; /* the value of NUMBER */
  /*
   * The value of BYTES, in the form of device images: 8 bytes with the length of the payload in
   * bits, little endian, and then the payload.
   */
  const void *data;
  size_t size;
} specpi_compiler_property;

/*
 * TEXT: the form of .prop files. JSON: an array of {"set": name, "properties": [{"name": ...,
 * "number": ...} or {"name": ..., "bytes": hexadecimal digits of data}]}.
 */
typedef enum specpi_compiler_property_form {
  SPECPI_COMPILER_PROPERTY_FORM_TEXT,
  SPECPI_COMPILER_PROPERTY_FORM_JSON,
} specpi_compiler_property_form;

/*
 * The property sets of an output, which describe its constants, its kernels and its requirements of
 * a device (docs/internals/compiler.md). The caller releases *ret with
 * specpiCompilerPropertiesRelease; it may outlive the output. INVALID_ARGUMENT, OUT_OF_MEMORY.
 */
specpi_compiler_result specpiCompilerOutputGetProperties(specpi_compiler_output output,
                                                         specpi_compiler_properties *ret);

/*
 * Reads property sets; *ret as above. Reading sets that were written in the same form gives the
 * same properties, and writing them again the same bytes. Memory is proportional to size.
 * INVALID_ARGUMENT, INVALID_PROPERTIES with the place and the reason, OUT_OF_MEMORY. Exhausted
 * memory inside the JSON reader may also be reported as INVALID_PROPERTIES.
 */
specpi_compiler_result specpiCompilerPropertiesRead(specpi_compiler_property_form form,
                                                    const void *data, size_t size,
                                                    specpi_compiler_properties *ret);

/*
 * Writes property sets; the caller frees *ret with free. There is a NUL after *size bytes.
 * INVALID_ARGUMENT, OUT_OF_MEMORY, INVALID_NAME as with specpiCompilerOutputGetData.
 */
specpi_compiler_result specpiCompilerPropertiesWrite(specpi_compiler_properties properties,
                                                     specpi_compiler_property_form form, char **ret,
                                                     size_t *size);

/*
 * A set's name, and its properties in order, through list and count, which may be NULL.
 * NULL when the index is out of range.
 */
size_t specpiCompilerPropertiesGetSetCount(specpi_compiler_properties properties);
const char *specpiCompilerPropertiesGetSet(specpi_compiler_properties properties, size_t set,
                                           const specpi_compiler_property **list, size_t *count);
void specpiCompilerPropertiesRelease(specpi_compiler_properties properties);

/* ---- Device images in an object file ---- */

/*
 * X(NAME, value): the formats of a device image; the numbers are PI's pi_device_binary_type. NONE:
 * a runtime finds out from the first bytes.
 */
#define SPECPI_COMPILER_IMAGE_FORMATS(X)                                                           \
  X(NONE, 0)                                                                                       \
  X(NATIVE, 1)                                                                                     \
  X(SPIRV, 2)                                                                                      \
  X(BITCODE, 3)

typedef enum specpi_compiler_image_format {
#define SPECPI_COMPILER_IMAGE_FORMAT(NAME, value) SPECPI_COMPILER_IMAGE_FORMAT_##NAME = (value),
  SPECPI_COMPILER_IMAGE_FORMATS(SPECPI_COMPILER_IMAGE_FORMAT)
#undef SPECPI_COMPILER_IMAGE_FORMAT
} specpi_compiler_image_format;

/* A device image to wrap. Everything that it points to is copied. */
typedef struct specpi_compiler_image {
  const char *target; /* e.g. "spir64", "nvptx64" */
  specpi_compiler_image_format format;
  const void *data;
  size_t size;                 /* bytes of data, at least 1 */
  const char *compile_options; /* NULL: none */
  const char *link_options;    /* NULL: none */
  const char *const *kernels;  /* names of the kernels */
  size_t kernel_count;
  specpi_compiler_properties properties; /* NULL: none */
} specpi_compiler_image;

/* Options for wrapping images. */
typedef struct specpi_compiler_wrap_options {
  /*
   * The object calls __sycl_register_lib before the other constructors of the program or
   * library that it is linked to, and __sycl_unregister_lib after the other destructors.
   * Otherwise it has data only.
   */
  bool registers;
  const char *symbol; /* exported name of the pi_device_binaries_struct; NULL: none */
} specpi_compiler_wrap_options;

/*
 * Makes a position-independent object file for the host, with the images in the form that DPC++'s
 * libsycl takes. Its data is read-only; data with pointers is read-only after relocation. The
 * caller frees *ret with free. An object without images registers nothing.
 *
 * INVALID_ARGUMENT: a NULL, an image without target or bytes, an unknown format, an empty kernel
 * name, a symbol that is not a C identifier, or options with neither a symbol nor registers.
 * LIMIT: more than 65535 images, or 4 GiB or more in one. OUT_OF_MEMORY, INTERNAL.
 */
specpi_compiler_result specpiCompilerWrap(specpi_compiler compiler, size_t image_count,
                                          const specpi_compiler_image *images,
                                          const specpi_compiler_wrap_options *options, void **ret,
                                          size_t *size);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
