// The current allocations of unified shared memory, and their devices: SYCL 2020, 4.8.
#ifndef SYCL_DETAIL_USM_MEMORY_HPP
#define SYCL_DETAIL_USM_MEMORY_HPP

#include <sycl/context.hpp>

#include <specpi/process.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <vector>

namespace sycl {

namespace usm {
enum class alloc { host, device, shared, unknown };
}

namespace detail {

/* The list of current allocations. libspecpi keeps one list for all libraries of the process. */
class usm_memory {
public:
  struct one {
    device of;
    usm::alloc kind;
  };

  /*
   * Returns NULL for size 0, for an alignment that is not a power of two, and if no memory is left.
   *
   * errc::feature_not_supported: the device has no memory of that kind. errc::invalid: the device
   * is not in the context.
   */
  static void *allocate(std::size_t size, std::size_t alignment, const device &of,
                        const context &in, usm::alloc kind);
  /* errc::invalid: the pointer does not come from allocate, or was freed. */
  static void free(void *pointer);
  /* Finds the allocation that a pointer points into. */
  static bool find(const void *pointer, const context &in, one &found);
  /* feature_not_supported: the memory is of another device and out of reach of this one's commands.
   */
  static void require_reach(const void *pointer, const device &by);

private:
  static constexpr std::size_t host_alignment = 128; /* the alignment of the largest vec */

  /*
   * Returns whether a device's commands can use the memory. libspecpi has a context for each
   * device, so another device's memory is reachable only with CUDA, whose devices share an address
   * space.
   */
  static bool reaches(const device &by, const one &memory) noexcept;
  static bool find(const void *pointer, one &found);
  static std::uintptr_t address(const void *pointer) noexcept;
  static void *allocate_there(std::size_t size, std::size_t alignment, const device &of,
                              usm::alloc kind);
  static void release(void *pointer, std::size_t alignment, const device &of);
};

} // namespace detail

} // namespace sycl

#endif
