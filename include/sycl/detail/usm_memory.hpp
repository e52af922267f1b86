// What is allocated as unified shared memory now, and by which device: SYCL 2020, 4.8.
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
                        const context &in, usm::alloc kind) {
    const std::vector<device> devices = in.get_devices();
    if (std::find(devices.begin(), devices.end(), of) == devices.end())
      throw runtime_error(errc::invalid, "memory is allocated on a device that is not of the "
                                         "context");
    if (size == 0 || (alignment & (alignment - 1)) != 0)
      return nullptr;
    void *pointer = nullptr;
    if (of.is_host())
      pointer =
          ::operator new(size, std::align_val_t(std::max(alignment, host_alignment)), std::nothrow);
    else
      pointer = allocate_there(size, alignment, of, kind);
    if (!pointer)
      return nullptr;
    const specpi_record made = {address(pointer), size, of.handle(), alignment,
                                static_cast<std::uint32_t>(kind)};
    const specpi_result result = specpiRecordAdd(SPECPI_TABLE_MEMORY, &made);
    if (result != SPECPI_SUCCESS) {
      release(pointer, alignment, of);
      fail(result);
    }
    return pointer;
  }
  /* errc::invalid: it is no pointer of allocate's, or was freed. */
  static void free(void *pointer) {
    if (!pointer)
      return;
    specpi_record taken;
    if (!specpiRecordTake(SPECPI_TABLE_MEMORY, address(pointer), &taken))
      throw runtime_error(errc::invalid, "a pointer is freed that is not the beginning of "
                                         "unified shared memory");
    /* Not under the lock: this may wait for commands. */
    release(pointer, taken.alignment, device(static_cast<specpi_device>(taken.object)));
  }
  /* What a pointer points into. */
  static bool find(const void *pointer, const context &in, one &found) {
    const std::vector<device> devices = in.get_devices();
    one there = found;
    if (!find(pointer, there) ||
        std::find(devices.begin(), devices.end(), there.of) == devices.end())
      return false;
    found = there;
    return true;
  }
  /* feature_not_supported: it is memory of another device, which commands of this one do not reach.
   */
  static void require_reach(const void *pointer, const device &by) {
    one there{by, usm::alloc::unknown};
    if (find(pointer, there) && !reaches(by, there))
      throw feature_not_supported("a pointer is unified shared memory of " +
                                  there.of.get_info<info::device::name>() + ", which commands of " +
                                  by.get_info<info::device::name>() + " do not reach");
  }

private:
  static constexpr std::size_t host_alignment = 128; /* of the largest vec */

  /* libspecpi has a context for each device. Only CUDA's devices have one address space. */
  static bool reaches(const device &by, const one &memory) noexcept {
    if (by.is_host())
      return memory.of.is_host() || memory.kind != usm::alloc::device;
    return memory.of == by || memory.of.is_host() ||
           (memory.of.get_backend() == backend::cuda && by.get_backend() == backend::cuda);
  }
  static bool find(const void *pointer, one &found) {
    const auto look = [](const specpi_record *there, void *to) {
      *static_cast<one *>(to) = {device(static_cast<specpi_device>(there->object)),
                                 static_cast<usm::alloc>(there->kind)};
    };
    return specpiRecordFind(SPECPI_TABLE_MEMORY, address(pointer), look, &found);
  }
  static std::uintptr_t address(const void *pointer) noexcept {
    return reinterpret_cast<std::uintptr_t>(pointer);
  }
  static void *allocate_there(std::size_t size, std::size_t alignment, const device &of,
                              usm::alloc kind) {
    void *pointer = nullptr;
    const specpi_result result =
        specpiMemoryAllocate(of.handle(),
                             kind == usm::alloc::host     ? SPECPI_MEMORY_HOST
                             : kind == usm::alloc::device ? SPECPI_MEMORY_DEVICE
                                                          : SPECPI_MEMORY_SHARED,
                             size, alignment, &pointer);
    if (result == SPECPI_ERROR_UNSUPPORTED)
      fail(result);
    return result == SPECPI_SUCCESS ? pointer : nullptr;
  }
  static void release(void *pointer, std::size_t alignment, const device &of) {
    if (of.is_host())
      ::operator delete(pointer, std::align_val_t(std::max(alignment, host_alignment)));
    else
      check(specpiMemoryFree(of.handle(), pointer));
  }
};

} // namespace detail

} // namespace sycl

#endif
