/*
 * The Plugin Interface (PI), version 15.47: the C ABI between a SYCL runtime and
 * a backend. A plugin is a shared library that exports only piPluginInit, which
 * fills a table with the plugin's functions.
 *
 * The functions are in pi_functions.def, the enumerations in pi_enums.def; this
 * file expands both and adds the structures. All of it is C11 and C++17.
 *
 * Conventions of every function, unless its own comment says otherwise:
 *  - It returns a pi_result. PI_SUCCESS is 0, an error is negative.
 *  - Outputs are untouched when it fails.
 *  - Any thread may call it at any time. Exception: two calls that set arguments
 *    of one kernel, or one such call and a launch of the kernel, must not overlap.
 *  - A create function returns an object with one reference, which the caller
 *    gives up with the matching release function.
 *  - An information query takes (name, size, value, size_ret). Unless they are
 *    NULL, size_ret receives the size of the answer in bytes, and value the answer.
 *    PI_ERROR_INVALID_VALUE: size is smaller than the answer.
 *  - An event wait list is NULL if and only if its count is 0. An output event may
 *    be NULL when the caller does not want it.
 */
#ifndef PI_PI_H
#define PI_PI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PI_VERSION_MAJOR 15
#define PI_VERSION_MINOR 47
/* The version that a runtime writes into pi_plugin.PiVersion. */
#define PI_VERSION_STRING "15.47"

typedef int32_t pi_int32;
typedef uint32_t pi_uint32;
typedef uint64_t pi_uint64;
typedef uint32_t pi_bool;
typedef uint64_t pi_bitfield;
typedef uintptr_t pi_native_handle;

#define PI_FALSE 0u
#define PI_TRUE 1u

typedef struct pi_platform_object *pi_platform;
typedef struct pi_device_object *pi_device;
typedef struct pi_context_object *pi_context;
typedef struct pi_queue_object *pi_queue;
typedef struct pi_mem_object *pi_mem;
typedef struct pi_program_object *pi_program;
typedef struct pi_kernel_object *pi_kernel;
typedef struct pi_event_object *pi_event;
typedef struct pi_sampler_object *pi_sampler;
typedef struct pi_ext_command_buffer_object *pi_ext_command_buffer;

typedef uint32_t pi_ext_sync_point;
typedef uint64_t pi_image_handle;
typedef void *pi_image_mem_handle;
typedef uint64_t pi_interop_mem_handle;
typedef uint64_t pi_interop_semaphore_handle;

typedef uint64_t pi_device_type;
typedef uint64_t pi_usm_capabilities;
typedef uint64_t pi_usm_migration_flags;
typedef uint64_t pi_mem_flags;
typedef uint64_t pi_map_flags;
typedef uint64_t pi_mem_properties;
typedef uint64_t pi_usm_mem_properties;
typedef uint64_t pi_queue_properties;
typedef uint64_t pi_sampler_properties;
typedef uint64_t pi_device_fp_config;
typedef uint64_t pi_device_affinity_domain;
typedef uint64_t pi_device_exec_capabilities;
typedef uint64_t pi_memory_order_capabilities;
typedef uint64_t pi_memory_scope_capabilities;
typedef intptr_t pi_context_properties;
typedef intptr_t pi_device_partition_property;

#define PI_ENUM(type) typedef enum type {
#define PI_ENUM_END(type)                                                                          \
  }                                                                                                \
  type;
#define PI_CONSTANTS(type) enum {
#define PI_CONSTANTS_END(type)                                                                     \
  }                                                                                                \
  ;
#define PI_VALUE(type, name, value) name = (value),
#include <pi/pi_enums.def>

/* The PI_WIDE entries of pi_enums.def: too large for an enumerator of C. */
#define PI_DEVICE_TYPE_ALL UINT64_C(0xffffffff)
#define PI_QUEUE_FLAGS UINT64_C(0xffffffffffffffff)
#define PI_QUEUE_COMPUTE_INDEX UINT64_C(0xfffffffffffffffe)

/*
 * A specialization constant of one byte. If INTEL_ENABLE_OFFLOAD_ANNOTATIONS is in
 * the environment, libsycl sets it on every program, even on programs that do not
 * declare it.
 */
#define PI_SPEC_ID_ITT UINT32_C(0xff747469)
/* The id of padding, not of a constant, in the descriptors of a device image. */
#define PI_SPEC_ID_PADDING UINT32_C(0xffffffff)

#define PI_DEVICE_BINARY_VERSION 1
#define PI_DEVICE_BINARIES_VERSION 1
#define PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL 4

/* Values of pi_device_binary_struct.DeviceTargetSpec. */
#define PI_DEVICE_BINARY_TARGET_UNKNOWN "<unknown>"
#define PI_DEVICE_BINARY_TARGET_SPIRV32 "spir"
#define PI_DEVICE_BINARY_TARGET_SPIRV64 "spir64"
#define PI_DEVICE_BINARY_TARGET_SPIRV64_X86_64 "spir64_x86_64"
#define PI_DEVICE_BINARY_TARGET_SPIRV64_GEN "spir64_gen"
#define PI_DEVICE_BINARY_TARGET_SPIRV64_FPGA "spir64_fpga"
#define PI_DEVICE_BINARY_TARGET_NVPTX64 "nvptx64"
#define PI_DEVICE_BINARY_TARGET_AMDGCN "amdgcn"
#define PI_DEVICE_BINARY_TARGET_NATIVE_CPU "native_cpu"

/* Names of the property sets of a device image. */
#define PI_PROPERTY_SET_SPEC_CONST_MAP "SYCL/specialization constants"
#define PI_PROPERTY_SET_SPEC_CONST_DEFAULT_VALUES_MAP "SYCL/specialization constants default values"
#define PI_PROPERTY_SET_DEVICELIB_REQ_MASK "SYCL/devicelib req mask"
#define PI_PROPERTY_SET_KERNEL_PARAM_OPT_INFO "SYCL/kernel param opt"
#define PI_PROPERTY_SET_PROGRAM_METADATA "SYCL/program metadata"
#define PI_PROPERTY_SET_SYCL_MISC_PROP "SYCL/misc properties"
#define PI_PROPERTY_SET_SYCL_ASSERT_USED "SYCL/assert used"
#define PI_PROPERTY_SET_SYCL_EXPORTED_SYMBOLS "SYCL/exported symbols"
#define PI_PROPERTY_SET_SYCL_DEVICE_GLOBALS "SYCL/device globals"
#define PI_PROPERTY_SET_SYCL_DEVICE_REQUIREMENTS "SYCL/device requirements"
#define PI_PROPERTY_SET_SYCL_HOST_PIPES "SYCL/host pipes"

/* One kernel of a device image. */
typedef struct pi_offload_entry_struct {
  void *addr;
  char *name;
  size_t size;
  int32_t flags;
  int32_t reserved;
} pi_offload_entry_struct, *pi_offload_entry;

/*
 * One property. UINT32: ValAddr is NULL and ValSize is the value. BYTE_ARRAY:
 * ValAddr points to 8 bytes with the payload's length in bits, then the payload;
 * ValSize counts both. STRING: ValAddr points to the text, and ValSize counts its
 * NUL, too.
 */
typedef struct pi_device_binary_property_struct {
  char *Name;
  void *ValAddr;
  uint32_t Type; /* pi_property_type */
  uint64_t ValSize;
} pi_device_binary_property_struct, *pi_device_binary_property;

typedef struct pi_device_binary_property_set_struct {
  char *Name;
  pi_device_binary_property PropertiesBegin;
  pi_device_binary_property PropertiesEnd;
} pi_device_binary_property_set_struct, *pi_device_binary_property_set;

/* One device image. */
typedef struct pi_device_binary_struct {
  uint16_t Version; /* PI_DEVICE_BINARY_VERSION; compilers of 2024.2 write 2 */
  uint8_t Kind;     /* PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL */
  uint8_t Format;   /* pi_device_binary_type; NONE: the first bytes of the code tell it */
  const char *DeviceTargetSpec;
  const char *CompileOptions;
  const char *LinkOptions;
  const char *ManifestStart;
  const char *ManifestEnd;
  const unsigned char *BinaryStart;
  const unsigned char *BinaryEnd;
  pi_offload_entry EntriesBegin;
  pi_offload_entry EntriesEnd;
  pi_device_binary_property_set PropertySetsBegin;
  pi_device_binary_property_set PropertySetsEnd;
} pi_device_binary_struct, *pi_device_binary;

/* Argument of __sycl_register_lib and __sycl_unregister_lib. */
typedef struct pi_device_binaries_struct {
  uint16_t Version; /* PI_DEVICE_BINARIES_VERSION */
  uint16_t NumDeviceBinaries;
  pi_device_binary DeviceBinaries;
  void *HostEntriesBegin; /* not used */
  void *HostEntriesEnd;   /* not used */
} pi_device_binaries_struct, *pi_device_binaries;

/* The argument of piMemBufferPartition: a range in bytes. */
typedef struct pi_buffer_region_struct {
  size_t origin;
  size_t size;
} pi_buffer_region_struct, *pi_buffer_region;

/* Offset of a rectangle: x in bytes, y in rows, z in slices. */
typedef struct pi_buff_rect_offset_struct {
  size_t x_bytes;
  size_t y_scalar;
  size_t z_scalar;
} pi_buff_rect_offset_struct, *pi_buff_rect_offset;

/* Size of a rectangle: width in bytes, height in rows, depth in slices. */
typedef struct pi_buff_rect_region_struct {
  size_t width_bytes;
  size_t height_scalar;
  size_t depth_scalar;
} pi_buff_rect_region_struct, *pi_buff_rect_region;

/* Offset in an image, in pixels. */
typedef struct pi_image_offset_struct {
  size_t x;
  size_t y;
  size_t z;
} pi_image_offset_struct, *pi_image_offset;

/* Size of a part of an image, in pixels. */
typedef struct pi_image_region_struct {
  size_t width;
  size_t height;
  size_t depth;
} pi_image_region_struct, *pi_image_region;

typedef struct pi_image_format {
  pi_image_channel_order image_channel_order;
  pi_image_channel_type image_channel_data_type;
} pi_image_format;

/* Sizes in pixels, pitches in bytes; a pitch of 0 means tightly packed. */
typedef struct pi_image_desc {
  pi_mem_type image_type;
  size_t image_width;
  size_t image_height;
  size_t image_depth;
  size_t image_array_size;
  size_t image_row_pitch;
  size_t image_slice_pitch;
  pi_uint32 num_mip_levels;
  pi_uint32 num_samples;
  pi_mem buffer;
} pi_image_desc;

/* A kernel's access to a memory object; see piextKernelSetArgMemObj. */
typedef struct pi_mem_obj_property {
  pi_mem_obj_property_type type; /* PI_KERNEL_ARG_MEM_OBJ_ACCESS */
  void *pNext;                   /* NULL */
  pi_mem_obj_access mem_access;
} pi_mem_obj_property;

typedef struct pi_ext_command_buffer_desc {
  pi_ext_structure_type stype;
  const void *pNext;
  pi_queue_properties *properties; /* a list that ends in 0, or NULL */
} pi_ext_command_buffer_desc;

/* The type of each function, pi_<name>_fn, and its declaration. */
#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  typedef pi_result name##_fn parameters;                                                          \
  pi_result name parameters;
#include <pi/pi_functions.def>

/* The table of PI 15.47, in order. */
typedef struct pi_function_table {
#define PI_FUNCTION(name, since, parameters, arguments) name##_fn *name;
#include <pi/pi_functions.def>
} pi_function_table;

/* The index of each entry in the table of PI 15.47, and their number. */
enum {
#define PI_FUNCTION(name, since, parameters, arguments) PI_INDEX_##name,
#include <pi/pi_functions.def>
  PI_FUNCTION_COUNT
};

#define PI_VERSION_SIZE 20

/*
 * The argument of piPluginInit. A runtime of another version allocates a structure of another size,
 * because its table has another number of entries and SanitizeType is new in 15.47. So a plugin
 * must read PiVersion before it accesses anything after Targets.
 */
typedef struct pi_plugin {
  char PiVersion[PI_VERSION_SIZE];     /* in: the runtime's version, e.g. "15.47" */
  char PluginVersion[PI_VERSION_SIZE]; /* out: the plugin's, e.g. "15.47.1" */
  char *Targets;                       /* not used */
  pi_function_table PiFunctionTable;   /* out */
  pi_sanitize_type SanitizeType;       /* in */
} pi_plugin;

typedef pi_result piPluginInit_fn(pi_plugin *plugin_info);

/*
 * The only symbol of a plugin. Fills the table as the version in
 * plugin_info->PiVersion orders it, and writes PluginVersion.
 *
 * Returns PI_ERROR_INVALID_VALUE when plugin_info is NULL, and
 * PI_ERROR_INVALID_OPERATION when the version has no known layout; the structure is
 * untouched then. Thread safe; may be called more than once.
 */
pi_result piPluginInit(pi_plugin *plugin_info);

#ifdef __cplusplus
}
#endif

#endif
