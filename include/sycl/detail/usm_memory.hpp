// The present allocations of unified shared memory, and their devices: SYCL 2020, 4.8.
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

/* List of what is allocated now. libspecpi has the list, which is one for all libraries of the
 * process. */
class usm_memory {
public:
  struct one {
    device of;
    usm::alloc kind;
  };

  /*
   * NULL for size 0, an alignment that is no power of two, and when there is no memory.
   *
   * errc::feature_not_supported: the device has no memory of that kind. errc::invalid: it is not
   * of the context.
   */
  static void *allocate(std::size_t size, std::size_t alignment, const device &of,
                        const context &in, usm::alloc kind);
  /* errc::invalid: it is no pointer of allocate's, or was freed. */
  static void free(void *pointer);
  /* Finds the allocation that a pointer points into. */
  static bool find(const void *pointer, const context &in, one &found);
  /* feature_not_supported: it is memory of another device, which commands of this one do not reach.
   */
  static void require_reach(const void *pointer, const device &by);

private:
  static constexpr std::size_t host_alignment = 128; /* of the largest vec */

  /* libspecpi has a context for each device. Only CUDA's devices have one address space. */
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
