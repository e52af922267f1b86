/*
 * The ABI of Unified Runtime (UR) adapters on x86-64 Linux, in the seven releases 2025.0 to 2026.2
 * of DPC++. Adapters are the libraries libur_adapter_*.so.0 that libsycl.so.8 and libsycl.so.9
 * load. All declarations are made from lists: ur_releases.def, ur_types.def, ur_enums.def,
 * ur_structs.def, ur_functions.def, ur_tables.def. docs/internals/ur.md says how a runtime finds
 * and uses an adapter.
 */
#ifndef UR_UR_H
#define UR_UR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The releases, in order. UR_RELEASE_COUNT means an unknown release. */
typedef enum ur_release {
#define UR_RELEASE(name, text, version, words, mark) UR_RELEASE_##name,
#include <ur/ur_releases.def>
  UR_RELEASE_COUNT
} ur_release;

/* A bool of the ABI is one byte. */
typedef uint8_t ur_bool_t;
typedef uintptr_t ur_native_handle_t;
typedef uintptr_t ur_exp_image_mem_native_handle_t;
typedef uintptr_t ur_exp_image_native_handle_t;
typedef uint32_t ur_exp_command_buffer_sync_point_t;

#define UR_HANDLE(name) typedef struct name##_ *name;
#define UR_FLAGS(name) typedef uint32_t name;
#include <ur/ur_types.def>

#define UR_ENUM(type) typedef enum type {
#define UR_VALUE(type, name, value, since, until) name = (value),
#define UR_ENUM_END(type)                                                                          \
  }                                                                                                \
  type;
#include <ur/ur_enums.def>

#define UR_STRUCT(name, size) typedef struct name {
#define UR_UNION(name, size) typedef union name {
#define UR_MEMBER(owner, type, name, offset) type name;
#define UR_MEMBERS(owner, type, name, count, offset) type name[count];
#define UR_STRUCT_END(name)                                                                        \
  }                                                                                                \
  name;
#define UR_UNION_END(name) UR_STRUCT_END(name)
#include <ur/ur_structs.def>

#define UR_CALLBACK(name, type, parameters) typedef type(*name) parameters;
#include <ur/ur_types.def>

#define UR_MAKE_VERSION(major, minor) (((major) << 16) | ((minor)&0xffff))
#define UR_MAJOR_VERSION(version) ((version) >> 16)
#define UR_MINOR_VERSION(version) ((version)&0xffff)

/* Values of ur_device_binary_t.pDeviceTargetSpec. */
#define UR_DEVICE_BINARY_TARGET_UNKNOWN "<unknown>"
#define UR_DEVICE_BINARY_TARGET_SPIRV32 "spir"
#define UR_DEVICE_BINARY_TARGET_SPIRV64 "spir64"
#define UR_DEVICE_BINARY_TARGET_SPIRV64_X86_64 "spir64_x86_64"
#define UR_DEVICE_BINARY_TARGET_SPIRV64_GEN "spir64_gen"
#define UR_DEVICE_BINARY_TARGET_SPIRV64_FPGA "spir64_fpga"
#define UR_DEVICE_BINARY_TARGET_NVPTX64 "nvptx64"
#define UR_DEVICE_BINARY_TARGET_AMDGCN "amdgcn"
#define UR_DEVICE_BINARY_TARGET_NATIVE_CPU "native_cpu"

/* The type <name>_fn and the declaration of each function. */
#define UR_FUNCTION(table, function, name, p2025_0, p2025_1, p2025_2, p2025_3, p2026_0, p2026_1,   \
                    p2026_2, parameters, arguments)                                                \
  typedef ur_result_t name##_fn parameters;                                                        \
  ur_result_t name parameters;
#include <ur/ur_functions.def>

/* The numbers of the tables. */
typedef enum ur_table {
#define UR_TABLE(name, ...) UR_TABLE_##name,
#include <ur/ur_tables.def>
  UR_TABLE_COUNT
} ur_table;

/*
 * The symbols of an adapter, urGet<table>ProcAddrTable. Each fills the loader's table of that name,
 * in the layout of the loader's release.
 *
 * Returns UR_RESULT_ERROR_INVALID_NULL_POINTER if table is NULL, and
 * UR_RESULT_ERROR_UNSUPPORTED_VERSION if the release is unknown or has no such table; the table
 * then stays unchanged. The first loader that asks decides the release for the process. Thread
 * safe.
 */
#define UR_TABLE(name, ...)                                                                        \
  ur_result_t urGet##name##ProcAddrTable(ur_api_version_t version, void *table);
#include <ur/ur_tables.def>

#ifdef __cplusplus
}
#endif

#endif
