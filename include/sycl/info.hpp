/*
 * The queries of get_info: types with a return_type, in one list for each class. SYCL 2020,
 * annex A. Code with SYCL 1.2.1's enumerators works, too: get_info<info::device::name>().
 */
#ifndef SYCL_INFO_HPP
#define SYCL_INFO_HPP

#include <sycl/range.hpp>

#include <cstdint>
#include <specpi/specpi.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace sycl {

class device;
class platform;
class context;

/*
 * X(name, number, host, query, bits): aspects of devices, SYCL 2020, 4.6.4.5. A device has the
 * aspect if its answer to PI_DEVICE_INFO_query, a pi_bool or a bit field, has one of the bits. host
 * says whether the host device has it.
 */
#define SYCL_ASPECTS(X)                                                                            \
  X(cpu, 1, false, TYPE, PI_DEVICE_TYPE_CPU)                                                       \
  X(gpu, 2, false, TYPE, PI_DEVICE_TYPE_GPU)                                                       \
  X(accelerator, 3, false, TYPE, PI_DEVICE_TYPE_ACC)                                               \
  X(custom, 4, false, TYPE, PI_DEVICE_TYPE_CUSTOM)                                                 \
  X(emulated, 40, false, TYPE, 0)                                                                  \
  X(host_debuggable, 32, true, TYPE, 0)                                                            \
  X(fp16, 5, false, HALF_FP_CONFIG, ~0ull)                                                         \
  X(fp64, 6, true, DOUBLE_FP_CONFIG, ~0ull)                                                        \
  X(atomic64, 28, true, ATOMIC_64, ~0ull)                                                          \
  X(image, 9, false, IMAGE_SUPPORT, ~0ull)                                                         \
  X(online_compiler, 10, false, COMPILER_AVAILABLE, ~0ull)                                         \
  X(online_linker, 11, false, LINKER_AVAILABLE, ~0ull)                                             \
  X(queue_profiling, 12, true, QUEUE_PROPERTIES, PI_QUEUE_FLAG_PROFILING_ENABLE)                   \
  X(usm_device_allocations, 13, true, USM_DEVICE_SUPPORT, PI_USM_ACCESS)                           \
  X(usm_host_allocations, 14, true, USM_HOST_SUPPORT, PI_USM_ACCESS)                               \
  X(usm_atomic_host_allocations, 26, true, USM_HOST_SUPPORT, PI_USM_CONCURRENT_ATOMIC_ACCESS)      \
  X(usm_shared_allocations, 15, true, USM_SINGLE_SHARED_SUPPORT, PI_USM_ACCESS)                    \
  X(usm_atomic_shared_allocations, 27, true, USM_SINGLE_SHARED_SUPPORT,                            \
    PI_USM_CONCURRENT_ATOMIC_ACCESS)                                                               \
  X(usm_system_allocations, 17, true, USM_SYSTEM_SHARED_SUPPORT, PI_USM_ACCESS)

enum class aspect {
#define SYCL_ASPECT(name, number, host, query, bits) name = number,
  SYCL_ASPECTS(SYCL_ASPECT)
#undef SYCL_ASPECT
};

namespace info {

enum class device_type { cpu, gpu, accelerator, custom, automatic, host, all };
enum class local_mem_type { none, local, global };
enum class global_mem_cache_type { none, read_only, read_write };
enum class event_command_status { submitted, running, complete };

} // namespace info

namespace detail {

std::uint64_t host_memory() noexcept;

/* The host device's maximum work-group size, limited because each waiting item needs a thread. */
inline constexpr std::size_t host_group_size = 256;
inline constexpr std::uint64_t host_local_memory_size = std::uint64_t{1} << 20;
/* The limit in bytes for a kernel's arguments that the host device reports; drivers have at least
 * as much. */
inline constexpr std::size_t host_parameter_size = 4096;

} // namespace detail

/* X(name, type, query of PI, the host device's answer): queries that PI answers directly. */
#define SYCL_DEVICE_QUERIES(X)                                                                     \
  X(vendor_id, std::uint32_t, VENDOR_ID, 0)                                                        \
  X(max_compute_units, std::uint32_t, MAX_COMPUTE_UNITS, 1)                                        \
  X(max_work_item_dimensions, std::uint32_t, MAX_WORK_ITEM_DIMENSIONS, 3)                          \
  X(max_work_group_size, std::size_t, MAX_WORK_GROUP_SIZE, detail::host_group_size)                \
  X(max_num_sub_groups, std::uint32_t, MAX_NUM_SUB_GROUPS, 0)                                      \
  X(preferred_vector_width_char, std::uint32_t, PREFERRED_VECTOR_WIDTH_CHAR, 1)                    \
  X(preferred_vector_width_short, std::uint32_t, PREFERRED_VECTOR_WIDTH_SHORT, 1)                  \
  X(preferred_vector_width_int, std::uint32_t, PREFERRED_VECTOR_WIDTH_INT, 1)                      \
  X(preferred_vector_width_long, std::uint32_t, PREFERRED_VECTOR_WIDTH_LONG, 1)                    \
  X(preferred_vector_width_float, std::uint32_t, PREFERRED_VECTOR_WIDTH_FLOAT, 1)                  \
  X(preferred_vector_width_double, std::uint32_t, PREFERRED_VECTOR_WIDTH_DOUBLE, 1)                \
  X(preferred_vector_width_half, std::uint32_t, PREFERRED_VECTOR_WIDTH_HALF, 0)                    \
  X(native_vector_width_char, std::uint32_t, NATIVE_VECTOR_WIDTH_CHAR, 1)                          \
  X(native_vector_width_short, std::uint32_t, NATIVE_VECTOR_WIDTH_SHORT, 1)                        \
  X(native_vector_width_int, std::uint32_t, NATIVE_VECTOR_WIDTH_INT, 1)                            \
  X(native_vector_width_long, std::uint32_t, NATIVE_VECTOR_WIDTH_LONG, 1)                          \
  X(native_vector_width_float, std::uint32_t, NATIVE_VECTOR_WIDTH_FLOAT, 1)                        \
  X(native_vector_width_double, std::uint32_t, NATIVE_VECTOR_WIDTH_DOUBLE, 1)                      \
  X(native_vector_width_half, std::uint32_t, NATIVE_VECTOR_WIDTH_HALF, 0)                          \
  X(max_clock_frequency, std::uint32_t, MAX_CLOCK_FREQUENCY, 0)                                    \
  X(address_bits, std::uint32_t, ADDRESS_BITS, 64)                                                 \
  X(max_mem_alloc_size, std::uint64_t, MAX_MEM_ALLOC_SIZE, detail::host_memory())                  \
  X(max_parameter_size, std::size_t, MAX_PARAMETER_SIZE, detail::host_parameter_size)              \
  X(mem_base_addr_align, std::uint32_t, MEM_BASE_ADDR_ALIGN, 8 * alignof(std::max_align_t))        \
  X(global_mem_cache_line_size, std::uint32_t, GLOBAL_MEM_CACHELINE_SIZE, 0)                       \
  X(global_mem_cache_size, std::uint64_t, GLOBAL_MEM_CACHE_SIZE, 0)                                \
  X(global_mem_size, std::uint64_t, GLOBAL_MEM_SIZE, detail::host_memory())                        \
  X(max_constant_buffer_size, std::uint64_t, MAX_CONSTANT_BUFFER_SIZE, detail::host_memory())      \
  X(local_mem_size, std::uint64_t, LOCAL_MEM_SIZE, detail::host_local_memory_size)                 \
  X(error_correction_support, bool, ERROR_CORRECTION_SUPPORT, false)                               \
  X(host_unified_memory, bool, HOST_UNIFIED_MEMORY, true)                                          \
  X(profiling_timer_resolution, std::size_t, PROFILING_TIMER_RESOLUTION, 1)                        \
  X(is_endian_little, bool, ENDIAN_LITTLE, true)                                                   \
  X(is_available, bool, AVAILABLE, true)                                                           \
  X(is_compiler_available, bool, COMPILER_AVAILABLE, false)                                        \
  X(is_linker_available, bool, LINKER_AVAILABLE, false)                                            \
  X(image_support, bool, IMAGE_SUPPORT, false)                                                     \
  X(partition_max_sub_devices, std::uint32_t, PARTITION_MAX_SUB_DEVICES, 0)                        \
  X(printf_buffer_size, std::size_t, PRINTF_BUFFER_SIZE, 0)                                        \
  X(profile, std::string, PROFILE, "FULL_PROFILE")                                                 \
  X(opencl_c_version, std::string, OPENCL_C_VERSION, "")

/* X(name, type): queries that need a function of their own. */
#define SYCL_DEVICE_ANSWERS(X)                                                                     \
  X(name, std::string)                                                                             \
  X(vendor, std::string)                                                                           \
  X(version, std::string)                                                                          \
  X(backend_version, std::string)                                                                  \
  X(driver_version, std::string)                                                                   \
  X(device_type, info::device_type)                                                                \
  X(local_mem_type, info::local_mem_type)                                                          \
  X(global_mem_cache_type, info::global_mem_cache_type)                                            \
  X(queue_profiling, bool)                                                                         \
  X(platform, sycl::platform)                                                                      \
  X(extensions, std::vector<std::string>)                                                          \
  X(built_in_kernels, std::vector<std::string>)                                                    \
  X(sub_group_sizes, std::vector<std::size_t>)                                                     \
  X(aspects, std::vector<aspect>)

/* X(name): queries of a platform, whose answers are all texts. */
#define SYCL_PLATFORM_QUERIES(X)                                                                   \
  X(name)                                                                                          \
  X(vendor)                                                                                        \
  X(version)                                                                                       \
  X(profile)

namespace info {

namespace device {
#define SYCL_QUERY(query, type)                                                                    \
  struct query {                                                                                   \
    using return_type = type;                                                                      \
  };
#define SYCL_PI_QUERY(query, type, pi_query, host) SYCL_QUERY(query, type)
SYCL_DEVICE_QUERIES(SYCL_PI_QUERY)
SYCL_DEVICE_ANSWERS(SYCL_QUERY)
#undef SYCL_PI_QUERY
/* The default is for SYCL 1.2.1, whose query has no number of dimensions. */
template <int Dimensions = 3> struct max_work_item_sizes {
  using return_type = range<Dimensions>;
};
} // namespace device

namespace platform {
#define SYCL_PLATFORM_QUERY(query) SYCL_QUERY(query, std::string)
SYCL_PLATFORM_QUERIES(SYCL_PLATFORM_QUERY)
SYCL_QUERY(extensions, std::vector<std::string>)
#undef SYCL_PLATFORM_QUERY
} // namespace platform

namespace context {
SYCL_QUERY(devices, std::vector<sycl::device>)
SYCL_QUERY(platform, sycl::platform)
} // namespace context

namespace program {
SYCL_QUERY(context, sycl::context)
SYCL_QUERY(devices, std::vector<sycl::device>)
} // namespace program

namespace queue {
SYCL_QUERY(context, sycl::context)
SYCL_QUERY(device, sycl::device)
} // namespace queue

namespace event {
SYCL_QUERY(command_execution_status, info::event_command_status)
} // namespace event

/* Times in nanoseconds of a clock of the device. */
namespace event_profiling {
SYCL_QUERY(command_submit, std::uint64_t)
SYCL_QUERY(command_start, std::uint64_t)
SYCL_QUERY(command_end, std::uint64_t)
} // namespace event_profiling

namespace kernel {
SYCL_QUERY(function_name, std::string)
SYCL_QUERY(num_args, std::uint32_t)
SYCL_QUERY(context, sycl::context)
} // namespace kernel

namespace kernel_device_specific {
SYCL_QUERY(work_group_size, std::size_t)
SYCL_QUERY(compile_work_group_size, range<3>)
SYCL_QUERY(preferred_work_group_size_multiple, std::size_t)
SYCL_QUERY(private_mem_size, std::uint64_t)
SYCL_QUERY(local_mem_size, std::uint64_t)
} // namespace kernel_device_specific
/* SYCL 1.2.1's name. */
namespace kernel_work_group = kernel_device_specific;

#undef SYCL_QUERY

} // namespace info

} // namespace sycl

#endif
