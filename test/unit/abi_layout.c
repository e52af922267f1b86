/*
 * The layout of PI 15.47 as measured in the real runtime and plugins: sizes, alignments and offsets
 * of all structures, and the scalar types. Each row is a static assertion.
 */
#include <pi/pi.h>

/* NOLINTBEGIN(bugprone-sizeof-expression): sizeof of a pointer is intended. */

#define FIELD(type, field, offset, size)                                                           \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field " is misplaced");             \
  _Static_assert(sizeof(((type *)0)->field) == (size), #type "." #field " has the wrong size")

#define WHOLE(type, size, alignment)                                                               \
  _Static_assert(sizeof(type) == (size), #type " has the wrong size");                             \
  _Static_assert(_Alignof(type) == (alignment), #type " has the wrong alignment")

FIELD(pi_plugin, PiVersion, 0, 20);
FIELD(pi_plugin, PluginVersion, 20, 20);
FIELD(pi_plugin, Targets, 40, 8);
FIELD(pi_plugin, PiFunctionTable, 48, 1272);
FIELD(pi_plugin, SanitizeType, 1320, 4);
WHOLE(pi_plugin, 1328, 8);

FIELD(pi_device_binaries_struct, Version, 0, 2);
FIELD(pi_device_binaries_struct, NumDeviceBinaries, 2, 2);
FIELD(pi_device_binaries_struct, DeviceBinaries, 8, 8);
FIELD(pi_device_binaries_struct, HostEntriesBegin, 16, 8);
FIELD(pi_device_binaries_struct, HostEntriesEnd, 24, 8);
WHOLE(pi_device_binaries_struct, 32, 8);

FIELD(pi_device_binary_struct, Version, 0, 2);
FIELD(pi_device_binary_struct, Kind, 2, 1);
FIELD(pi_device_binary_struct, Format, 3, 1);
FIELD(pi_device_binary_struct, DeviceTargetSpec, 8, 8);
FIELD(pi_device_binary_struct, CompileOptions, 16, 8);
FIELD(pi_device_binary_struct, LinkOptions, 24, 8);
FIELD(pi_device_binary_struct, ManifestStart, 32, 8);
FIELD(pi_device_binary_struct, ManifestEnd, 40, 8);
FIELD(pi_device_binary_struct, BinaryStart, 48, 8);
FIELD(pi_device_binary_struct, BinaryEnd, 56, 8);
FIELD(pi_device_binary_struct, EntriesBegin, 64, 8);
FIELD(pi_device_binary_struct, EntriesEnd, 72, 8);
FIELD(pi_device_binary_struct, PropertySetsBegin, 80, 8);
FIELD(pi_device_binary_struct, PropertySetsEnd, 88, 8);
WHOLE(pi_device_binary_struct, 96, 8);

FIELD(pi_device_binary_property_set_struct, Name, 0, 8);
FIELD(pi_device_binary_property_set_struct, PropertiesBegin, 8, 8);
FIELD(pi_device_binary_property_set_struct, PropertiesEnd, 16, 8);
WHOLE(pi_device_binary_property_set_struct, 24, 8);

FIELD(pi_device_binary_property_struct, Name, 0, 8);
FIELD(pi_device_binary_property_struct, ValAddr, 8, 8);
FIELD(pi_device_binary_property_struct, Type, 16, 4);
FIELD(pi_device_binary_property_struct, ValSize, 24, 8);
WHOLE(pi_device_binary_property_struct, 32, 8);

FIELD(pi_offload_entry_struct, addr, 0, 8);
FIELD(pi_offload_entry_struct, name, 8, 8);
FIELD(pi_offload_entry_struct, size, 16, 8);
FIELD(pi_offload_entry_struct, flags, 24, 4);
FIELD(pi_offload_entry_struct, reserved, 28, 4);
WHOLE(pi_offload_entry_struct, 32, 8);

FIELD(pi_buffer_region_struct, origin, 0, 8);
FIELD(pi_buffer_region_struct, size, 8, 8);
WHOLE(pi_buffer_region_struct, 16, 8);

FIELD(pi_buff_rect_offset_struct, x_bytes, 0, 8);
FIELD(pi_buff_rect_offset_struct, y_scalar, 8, 8);
FIELD(pi_buff_rect_offset_struct, z_scalar, 16, 8);
WHOLE(pi_buff_rect_offset_struct, 24, 8);

FIELD(pi_buff_rect_region_struct, width_bytes, 0, 8);
FIELD(pi_buff_rect_region_struct, height_scalar, 8, 8);
FIELD(pi_buff_rect_region_struct, depth_scalar, 16, 8);
WHOLE(pi_buff_rect_region_struct, 24, 8);

FIELD(pi_image_offset_struct, x, 0, 8);
FIELD(pi_image_offset_struct, y, 8, 8);
FIELD(pi_image_offset_struct, z, 16, 8);
WHOLE(pi_image_offset_struct, 24, 8);

FIELD(pi_image_region_struct, width, 0, 8);
FIELD(pi_image_region_struct, height, 8, 8);
FIELD(pi_image_region_struct, depth, 16, 8);
WHOLE(pi_image_region_struct, 24, 8);

FIELD(pi_image_format, image_channel_order, 0, 4);
FIELD(pi_image_format, image_channel_data_type, 4, 4);
WHOLE(pi_image_format, 8, 4);

FIELD(pi_image_desc, image_type, 0, 4);
FIELD(pi_image_desc, image_width, 8, 8);
FIELD(pi_image_desc, image_height, 16, 8);
FIELD(pi_image_desc, image_depth, 24, 8);
FIELD(pi_image_desc, image_array_size, 32, 8);
FIELD(pi_image_desc, image_row_pitch, 40, 8);
FIELD(pi_image_desc, image_slice_pitch, 48, 8);
FIELD(pi_image_desc, num_mip_levels, 56, 4);
FIELD(pi_image_desc, num_samples, 60, 4);
FIELD(pi_image_desc, buffer, 64, 8);
WHOLE(pi_image_desc, 72, 8);

FIELD(pi_mem_obj_property, type, 0, 4);
FIELD(pi_mem_obj_property, pNext, 8, 8);
FIELD(pi_mem_obj_property, mem_access, 16, 4);
WHOLE(pi_mem_obj_property, 24, 8);

FIELD(pi_ext_command_buffer_desc, stype, 0, 4);
FIELD(pi_ext_command_buffer_desc, pNext, 8, 8);
FIELD(pi_ext_command_buffer_desc, properties, 16, 8);
WHOLE(pi_ext_command_buffer_desc, 24, 8);

/* Scalar types. */
WHOLE(pi_result, 4, 4);
WHOLE(pi_int32, 4, 4);
WHOLE(pi_uint32, 4, 4);
WHOLE(pi_uint64, 8, 8);
WHOLE(pi_bool, 4, 4);
WHOLE(pi_bitfield, 8, 8);
WHOLE(pi_native_handle, 8, 8);
WHOLE(bool, 1, 1);

WHOLE(pi_platform, 8, 8);
WHOLE(pi_device, 8, 8);
WHOLE(pi_context, 8, 8);
WHOLE(pi_queue, 8, 8);
WHOLE(pi_mem, 8, 8);
WHOLE(pi_program, 8, 8);
WHOLE(pi_kernel, 8, 8);
WHOLE(pi_event, 8, 8);
WHOLE(pi_sampler, 8, 8);
WHOLE(pi_ext_command_buffer, 8, 8);
WHOLE(pi_ext_sync_point, 4, 4);
WHOLE(pi_image_handle, 8, 8);
WHOLE(pi_image_mem_handle, 8, 8);
WHOLE(pi_interop_mem_handle, 8, 8);
WHOLE(pi_interop_semaphore_handle, 8, 8);
WHOLE(pi_device_type, 8, 8);
WHOLE(pi_usm_capabilities, 8, 8);
WHOLE(pi_usm_migration_flags, 8, 8);
WHOLE(pi_mem_flags, 8, 8);
WHOLE(pi_map_flags, 8, 8);
WHOLE(pi_mem_properties, 8, 8);
WHOLE(pi_usm_mem_properties, 8, 8);
WHOLE(pi_queue_properties, 8, 8);
WHOLE(pi_sampler_properties, 8, 8);
WHOLE(pi_device_fp_config, 8, 8);
WHOLE(pi_device_affinity_domain, 8, 8);
WHOLE(pi_device_exec_capabilities, 8, 8);
WHOLE(pi_memory_order_capabilities, 8, 8);
WHOLE(pi_memory_scope_capabilities, 8, 8);
WHOLE(pi_context_properties, 8, 8);
WHOLE(pi_device_partition_property, 8, 8);

/* Every enumeration, pi_mem_obj_access among them. */
#define PI_ENUM(type) WHOLE(type, 4, 4);
#include <pi/pi_enums.def>

/* The table: one pointer for each function, at its index. */
_Static_assert(PI_FUNCTION_COUNT == 159, "PI 15.47 has 159 functions");
#define PI_FUNCTION(name, since, parameters, arguments)                                            \
  FIELD(pi_function_table, name, PI_INDEX_##name * 8, 8);
#include <pi/pi_functions.def>

/* Indices of the first and the last entry, and of the entries that 15.47 inserted. */
_Static_assert(PI_INDEX_piPlatformsGet == 0, "");
_Static_assert(PI_INDEX_piextGetGlobalVariablePointer == 11, "");
_Static_assert(PI_INDEX_piextKernelSuggestMaxCooperativeGroupCount == 63, "");
_Static_assert(PI_INDEX_piextEnqueueCooperativeKernelLaunch == 79, "");
_Static_assert(PI_INDEX_piextCommandBufferMemBufferFill == 135, "");
_Static_assert(PI_INDEX_piextCommandBufferAdviseUSM == 138, "");
_Static_assert(PI_INDEX_piextSignalExternalSemaphore == 158, "");

/* NOLINTEND(bugprone-sizeof-expression) */
